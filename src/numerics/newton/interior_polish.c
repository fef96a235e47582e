/*
 * From the end of the central path to the solution. The equations of set_map.h, phi(z, w) = 0, with
 * the derivative A + B M give the step
 *
 *     (M + B'^-1 A) dz = -B'^-1 phi,   B' = B + regular R A,
 *
 * M and a block for each set again: where a row of B vanishes, z does not depend on w, and a large
 * entry holds it. Quadratic where the path has told what sticks, slides and is open.
 */
#include "certify.h"
#include "blockwise.h"
#include "bounds.h"
#include "interior_point.h"
#include "set_map.h"

enum { most = NSDS_COUPLED_ROWS, most_steps = 3 }; /* quadratic: more find no more */

static const double regular = 1e-8; /* the root of rounding: B' keeps half of the digits of B */
static const double runaway = 1e4;  /* largest growth of z^2: more is a direction M does not see */
/*
 * Proximal term of a second attempt where the first ran away: where M is singular, solutions lie
 * side by side, and what moves among them, rounding over rounding, differs from machine to machine.
 */
static const double anchor = 1e-7;
static const double must_fall = 0.1; /* of the residual in a step before another is made */

/* Block and right-hand side of `m` rows that belong together. */
static void add_map(nsds_interior *t, const nsds_block *block, int row, const double *w) {
  double A[most * most], B[most * most];
  int pivot[most], m = block->size;
  double *phi = t->dz + row;
  nsds_set_map(NSDS_MAP_ALART_CURNIER, block, t->r + row, t->polished + row, w + row, phi, A, B);
  for (int j = 0; j < m; ++j)
    for (int i = 0; i < m; ++i) B[i + j * m] += regular * t->r[row + i] * A[i + j * m];
  if (!nsds_small_lu(m, B, pivot)) return;
  nsds_small_lu_solve(m, B, pivot, phi);
  for (int j = 0; j < m; ++j) {
    nsds_small_lu_solve(m, B, pivot, A + j * m);
    for (int i = 0; i < m; ++i)
      nsds_block_system_add_entry(t->system, row + i, row + j, A[i + j * m]);
  }
}

static void add_maps(nsds_interior *t, const double *w) {
  for (int a = 0, row = 0; a < t->problem->nblock; row += t->problem->block[a++].size) {
    const nsds_block *block = &t->problem->block[a];
    if (!(block->set & nsds_separable_sets)) add_map(t, block, row, w);
    for (int i = 0; block->set & nsds_separable_sets && i < block->size; ++i) {
      nsds_block one = nsds_row_of_block(block, i);
      add_map(t, &one, row + i, w);
    }
  }
}

/* z = p in the rows from row on that the projection p of x holds there: on a bound, in an apex. */
static void hold(const nsds_block *block, int row, const double *x, const double *p, double *z) {
  bool separable = (block->set & nsds_separable_sets) != 0, zero = true;
  for (int i = row; i < row + block->size; ++i) zero = zero && p[i] == 0.0;
  for (int i = row; i < row + block->size; ++i)
    if (separable ? p[i] != x[i] : zero) z[i] = p[i];
}

/* Newton's step from `polished`, with a proximal term over the metric; exact where z is held, as
 * the large entries are not. */
static nsds_status newton(nsds_interior *t, double proximal) {
  double *x = t->work, *p = t->feasible;
  nsds_problem_multiply(t->problem, t->polished, x, t->solver->toolbox->certify_work);
  nsds_block_system_start(t->system, t->solver, t->problem);
  add_maps(t, x);
  for (int i = 0; proximal > 0.0 && i < t->n; ++i)
    nsds_block_system_add(t->system, i, proximal / t->r[i]);
  nsds_status status = nsds_interior_factor(t, false);
  if (status) return status;
  nsds_block_system_solve(t->system, t->dz);
  nsds_shift(t->problem, x, x);
  for (int i = 0; i < t->n; ++i) x[i] = t->polished[i] - t->r[i] * x[i];
  nsds_project(t->problem, x, p);
  for (int i = 0; i < t->n; ++i) t->polished[i] -= t->dz[i];
  for (int a = 0, row = 0; a < t->problem->nblock; row += t->problem->block[a++].size)
    hold(&t->problem->block[a], row, x, p, t->polished);
  nsds_project(t->problem, t->polished, t->polished);
  return NSDS_OK;
}

/* Largest z^2 / r. */
static double energy(const nsds_interior *t, const double *z) {
  double largest = 0.0;
  for (int i = 0; i < t->n; ++i) largest = fmax(largest, z[i] * z[i] / t->r[i]);
  return largest;
}

/* Newton's steps from z; a residual of infinity where they ran away. */
static nsds_status approach(nsds_interior *t, double proximal, double *residual) {
  double before = INFINITY, tolerance = t->solver->value[OPTION_TOLERANCE];
  int worst;
  nsds_project(t->problem, t->z, t->polished);
  for (int k = 0; k < most_steps; ++k) {
    nsds_status status = newton(t, proximal);
    if (status) return status;
    *residual = nsds_certified_residual(t->solver->context, t->problem, t->polished,
                                        t->solver->toolbox->certify_work, &worst);
    if (*residual <= tolerance || !(*residual <= must_fall * before)) break;
    before = *residual;
  }
  if (!(energy(t, t->polished) <= runaway * fmax(energy(t, t->z), t->cold))) *residual = INFINITY;
  return NSDS_OK;
}

nsds_status nsds_interior_polish(nsds_interior *t, double *residual) {
  nsds_status status = approach(t, 0.0, residual);
  return status || *residual < INFINITY ? status : approach(t, anchor, residual);
}
