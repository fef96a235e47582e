/*
 * Redundant normal forces that contacts may share in many ways carry friction along. A body between
 * two walls may then turn or not, and a solver finds one of these motions by the order of rows. With
 * small equal compliances the normal forces are equal, and it does not turn.
 *
 * The even start z = 0 and steps that treat all rows alike keep the symmetry of a problem:
 *
 *   z <- P_K(z - (s^2 / L) (w + mu |w_T| n)),   w = M z + q
 *
 * (De Saxce and Feng, Math. Comput. Modelling 28, 1998). s^2 are the squares of units in which M has
 * entries of about 1, one of a contact, and L bounds the norm of M in these units. Since z starts at
 * zero, it stays small where rows depend on each other. Newton's method, of least steps, takes the
 * result to rounding; then the least solution with the same rows and directions is taken.
 *
 * A search is made when contacts come to push or to slip. While the kinds of contacts stay as they
 * were before, the solver's answer, which is near to those impulses, is kept.
 */
#include "numerics/refine_even.h"

#include "base/base.h"
#include "numerics/refine_found.h"

static bool is_rough(const nsds_block *block) {
  return block->set == NSDS_SET_COULOMB || block->set == NSDS_SET_ROLLING;
}

/* Projects a force on its set. */
static void even_project(const nsds_block *block, double *z) {
  if (block->set == NSDS_SET_COULOMB) {
    double square = 0.0, mu = block->mu, length;
    for (int k = 1; k < block->size; ++k) square += z[k] * z[k];
    length = sqrt(square);
    if (length <= mu * z[0]) return;
    double normal = mu * length <= -z[0] ? 0.0 : (z[0] + mu * length) / (1.0 + mu * mu);
    for (int k = 1; k < block->size; ++k) z[k] *= normal > 0.0 ? mu * normal / length : 0.0;
    z[0] = normal;
    return;
  }
  if (block->set == NSDS_SET_ROLLING) nsds_set_project(block, z, z);
  for (int k = 0; k < block->size; ++k) {
    if (block->set == NSDS_SET_NONNEGATIVE) z[k] = fmax(z[k], 0.0);
    if (block->set == NSDS_SET_BOX) z[k] = fmin(fmax(z[k], block->lower[k]), block->upper[k]);
  }
}

static void even_find_w(const nsds_problem *p, const double *z, double *w) {
  nsds_copy_doubles(w, p->q, (size_t)p->n);
  for (int j = 0; j < p->n; ++j)
    for (int i = 0; z[j] != 0.0 && i < p->n; ++i) w[i] += nsds_refine_entry(p, i, j) * z[j];
}

/* Computes the lengths of steps, s^2 / L, in `length`. */
static void find_lengths(const nsds_refiner *r, const nsds_problem *p, double *length) {
  double most = 0.0;
  for (int a = 0, i = 0; a < p->nblock; i += p->block[a++].size) {
    bool joint = is_rough(&p->block[a]);
    double least = r->unit[i];
    for (int k = 1; joint && k < p->block[a].size; ++k) least = fmin(least, r->unit[i + k]);
    for (int k = 0; k < p->block[a].size; ++k) length[i + k] = joint ? least : r->unit[i + k];
  }
  for (int i = 0; i < p->n; ++i) {
    double sum = 0.0;
    for (int j = 0; j < p->n; ++j) sum += fabs(nsds_refine_entry(p, i, j)) * length[i] * length[j];
    nsds_raise(&most, sum);
  }
  for (int i = 0; i < p->n; ++i) length[i] *= length[i] / most;
}

/* Returns length mu |w_T|, summed over the parts of friction. */
static double even_shift(const nsds_block *block, double length, const double *w) {
  nsds_part part[2];
  double sum = 0.0;
  int count = nsds_set_parts(block, part);
  for (int a = 0; a < count; ++a) {
    double square = 0.0;
    for (int k = 0; k < part[a].count; ++k) square += w[part[a].first + k] * w[part[a].first + k];
    sum += length * part[a].slope * sqrt(square);
  }
  return sum;
}

static void even_step(const nsds_problem *p, const double *length, double *z, const double *w) {
  for (int a = 0, i = 0; a < p->nblock; i += p->block[a++].size) {
    const nsds_block *block = &p->block[a];
    for (int k = 0; k < block->size; ++k) z[i + k] -= length[i + k] * w[i + k];
    if (is_rough(block)) z[i] -= even_shift(block, length[i], w + i);
    even_project(block, z + i);
  }
}

/* Makes so many steps from z = 0 and takes the result to rounding; false if this fails. */
static bool even_try(nsds_refiner *r, const nsds_problem *p, double *z, double *w, int steps) {
  nsds_zero_doubles(z, (size_t)p->n);
  for (int k = 0; k < steps; ++k) {
    even_find_w(p, z, w);
    even_step(p, r->even, z, w);
  }
  even_find_w(p, z, w);
  return nsds_refine(r, p, z, w) <= 1e-13;
}

/* Solves from z = 0; false if nothing was found. A few steps show the kinds of rows of most symmetric
 * problems. The kinds come later if friction barely holds, or if joints hold the walls. If a problem
 * needs still more steps, the solver's choice is as good. */
static bool solve_evenly(nsds_refiner *r, const nsds_problem *p, double *z, double *w) {
  find_lengths(r, p, r->even);
  return even_try(r, p, z, w, 60) || even_try(r, p, z, w, 240);
}

static bool some_slip(const nsds_refiner *r, int n) {
  return memchr(r->kind, NSDS_ROW_SLIPS, (size_t)n) != NULL;
}

/* Returns the kinds of a block that its impulses show: open, or the parts at the border of a cone as
 * bits. */
static int impulse_kind(const nsds_block *block, const double *z) {
  nsds_part part[2];
  int count = is_rough(block) ? nsds_set_parts(block, part) : 0, border = 0;
  if (z[0] <= 0.0) return -1;
  for (int a = 0; a < count; ++a) {
    double square = 0.0;
    for (int k = 0; k < part[a].count; ++k) square += z[part[a].first + k] * z[part[a].first + k];
    if (sqrt(square) >= part[a].slope * z[0] * (1.0 - 1e-9)) border |= 1 << a;
  }
  return border;
}

/* Returns true if the solution has the kinds that the impulses had before. */
static bool goes_on(const nsds_problem *p, const double *before, const double *z) {
  for (int a = 0, i = 0; a < p->nblock; i += p->block[a++].size)
    if (impulse_kind(&p->block[a], before + i) != impulse_kind(&p->block[a], z + i)) return false;
  return true;
}

bool nsds_refine_evenly(nsds_refiner *r, const nsds_problem *problem, const double *before,
                        double *z, double *w, bool *spare) {
  int n = problem->n;
  size_t size = (size_t)n * sizeof *z;
  bool dependent = nsds_refine_least(r, problem, z, w, spare);
  if (!dependent || n > nsds_most_even || !some_slip(r, n)) return dependent;
  if (before && goes_on(problem, before, z)) return true;
  double *kept = r->even + n;
  memcpy(kept, z, size);
  memcpy(kept + n, w, size);
  if (solve_evenly(r, problem, z, w)) return nsds_refine_least(r, problem, z, w, spare);
  memcpy(z, kept, size);
  memcpy(w, kept + n, size);
  nsds_refine_least(r, problem, z, w, spare);
  return true;
}
