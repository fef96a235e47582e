/*
 * Solves the problem of positions (overlap_rows.h), which has the minimum of
 *
 *   x^T A x / 2 - x^T c,   x >= 0,   A = S H Y S + yield I,   c = S b,   Lambda = S x
 *
 * S gives S H Y S ones on its diagonal. Walls that are too close to each other cannot all be obeyed.
 * Without the yield their x would grow without bound, and rounding of x would displace the body. Each
 * row yields in proportion to its x. Walls then share their overlap, and no displacement is longer than
 * about 1 / (2 sqrt(yield)) of the overlap.
 *
 * Many rows get a few sweeps of projected Gauss-Seidel, every second one backwards. Few sweeps need no
 * yield. Few rows are
 * solved by conjugate gradients with proportioning (MPRGP). This method takes about as many passes as
 * the bodies have velocities, however many contacts share a face. The order of rows does not matter.
 * With g = A x - c the free gradient is g where x > 0, and the chopped gradient is min(g, 0) where
 * x = 0. As long as the latter is the smaller one, conjugate gradients go on among the rows that push.
 * If a row would pull, the pass stops there and takes a short step along the gradient. Otherwise rows
 * are let go along the chopped gradient.
 *
 * Sources: R. W. Cottle, J.-S. Pang and R. E. Stone, The Linear Complementarity Problem (1992),
 * ch. 5; Z. Dostal and J. Schoberl, Minimizing quadratic functions subject to bound constraints
 * with the rate of convergence and finite termination, Comput. Optim. Appl. 30 (2005).
 */
#include "numerics/sweeps/overlap_rows.h"

#include "base/base.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>

static const double found_to = 1e-10; /* of the largest c: far below the yield */
static const double yield = 1e-6;
enum { most_passes = 400 };

/* ---- a row ------------------------------------------------------------------------------------ */

/* Returns H d of a row. */
static double gap_change(const nsds_overlap_rows *rows, const nsds_overlap_row *row) {
  const double *x = rows->number + row->first;
  double sum = 0.0;
  for (int s = 0; s < 2; ++s) {
    const double *way = rows->way + row->column[s];
    for (int k = 0; k < row->size[s]; ++k) sum += *x++ * way[k];
  }
  return sum;
}

/* Adds `change` of Lambda of a row to d. */
static void add_change(const nsds_overlap_rows *rows, const nsds_overlap_row *row, double change) {
  const double *gain = rows->gain, *x = rows->number + row->first;
  if (!gain) x += row->size[0] + row->size[1];
  for (int s = 0; s < 2; ++s)
    for (int k = row->column[s], end = k + row->size[s]; k < end; ++k, ++x)
      rows->way[k] += (gain ? gain[k] * *x : *x) * change;
}

/* ---- sweeps ----------------------------------------------------------------------------------- */

static void update_row(const nsds_overlap_rows *rows, nsds_overlap_row *row) {
  double rest = gap_change(rows, row) - row->b, z = row->z - rest / row->M;
  double change = (z > 0.0 ? z : 0.0) - row->z;
  if (change == 0.0) return;
  row->z += change;
  add_change(rows, row, change);
}

void nsds_overlap_sweep(const nsds_overlap_rows *rows, int sweeps) {
  int n = rows->n;
  nsds_zero_doubles(rows->way, rows->nv);
  for (int s = 0; s < sweeps; ++s)
    for (int r = 0; r < n; ++r) update_row(rows, &rows->row[s % 2 == 0 ? r : n - 1 - r]);
}

/* ---- conjugate gradients ---------------------------------------------------------------------- */

typedef struct descent {
  const nsds_overlap_rows *rows;
  int n;
  double *unit, *x, *g, *p, *Ap; /* unit: S */
  double norm;                   /* the largest p^T A p / p^T p so far */
} descent;

static double overlap_dot(int n, const double *a, const double *b) {
  double sum = 0.0;
  for (int k = 0; k < n; ++k) sum += a[k] * b[k];
  return sum;
}

/* Computes d = Y S v. */
static void go_along(const descent *c, const double *v) {
  nsds_zero_doubles(c->rows->way, c->rows->nv);
  for (int r = 0; r < c->n; ++r)
    if (v[r] != 0.0) add_change(c->rows, &c->rows->row[r], c->unit[r] * v[r]);
}

/* Computes A p and returns p^T A p. */
static double descent_multiply(descent *c) {
  go_along(c, c->p);
  for (int r = 0; r < c->n; ++r)
    c->Ap[r] = c->unit[r] * gap_change(c->rows, &c->rows->row[r]) + yield * c->p[r];
  double curve = overlap_dot(c->n, c->p, c->Ap), square = overlap_dot(c->n, c->p, c->p);
  if (curve > c->norm * square) c->norm = curve / square;
  return curve;
}

/* Computes g = A x - c. */
static void find_gradient(const descent *c) {
  go_along(c, c->x);
  for (int r = 0; r < c->n; ++r) {
    const nsds_overlap_row *row = &c->rows->row[r];
    c->g[r] = c->unit[r] * (gap_change(c->rows, row) - row->b) + yield * c->x[r];
  }
}

static void descent_move(const descent *c, double length) {
  for (int r = 0; r < c->n; ++r) {
    c->x[r] -= length * c->p[r];
    c->g[r] -= length * c->Ap[r];
  }
}

/* Sets p to the free gradient. */
static void restart(const descent *c) {
  for (int r = 0; r < c->n; ++r) c->p[r] = c->x[r] > 0.0 ? c->g[r] : 0.0;
}

/* Lets rows go along the chopped gradient. */
static void overlap_let_go(descent *c) {
  for (int r = 0; r < c->n; ++r) c->p[r] = c->x[r] > 0.0 ? 0.0 : fmin(c->g[r], 0.0);
  double curve = descent_multiply(c), slope = overlap_dot(c->n, c->g, c->p);
  if (curve > 0.0) descent_move(c, slope / curve);
  restart(c);
}

/* Takes a short step along the free gradient. */
static void step_short(const descent *c) {
  for (int r = 0; r < c->n; ++r)
    if (c->x[r] > 0.0) c->x[r] = fmax(c->x[r] - c->g[r] / c->norm, 0.0);
  find_gradient(c);
  restart(c);
}

/* Takes a pass among the rows that push. */
static void pass_free(descent *c) {
  double curve = descent_multiply(c), room = INFINITY;
  double length = curve > 0.0 ? overlap_dot(c->n, c->g, c->p) / curve : INFINITY;
  int first = -1;
  for (int r = 0; r < c->n; ++r)
    if (c->p[r] > 0.0 && c->x[r] < room * c->p[r]) {
      room = c->x[r] / c->p[r];
      first = r;
    }
  if (length > room) {
    descent_move(c, room);
    c->x[first] = 0.0;
    for (int r = 0; r < c->n; ++r) c->x[r] = fmax(c->x[r], 0.0);
    step_short(c);
    return;
  }
  if (!isfinite(length)) { /* no curvature left: only rounding */
    restart(c);
    return;
  }
  descent_move(c, length);
  double turn = 0.0;
  for (int r = 0; r < c->n; ++r)
    if (c->x[r] > 0.0) turn += c->g[r] * c->Ap[r];
  turn /= curve;
  for (int r = 0; r < c->n; ++r) c->p[r] = (c->x[r] > 0.0 ? c->g[r] : 0.0) - turn * c->p[r];
}

/* Makes passes until only rounding is left to do. */
static void descend(descent *c, double most) {
  for (int pass = 0; pass < most_passes; ++pass) {
    double open = 0.0, held = 0.0, worst = 0.0, longest = 0.0;
    for (int r = 0; r < c->n; ++r) {
      double g = c->g[r];
      bool pushes = c->x[r] > 0.0;
      nsds_raise(&longest, c->x[r]);
      if (pushes) open += g * fmin(c->x[r] * c->norm, g);
      else if (g < 0.0) held += g * g;
      if (pushes || g < 0.0) nsds_raise(&worst, fabs(g));
    }
    if (worst <= found_to * most + 4.0 * DBL_EPSILON * longest) return;
    if (held > open) overlap_let_go(c);
    else pass_free(c);
  }
}

void nsds_overlap_solve(const nsds_overlap_rows *rows, double *vector) {
  int n = rows->n;
  double most = 0.0;
  descent c = {.rows = rows,
               .n = n,
               .unit = vector,
               .x = vector + n,
               .g = vector + 2 * n,
               .p = vector + 3 * n,
               .Ap = vector + 4 * n};
  for (int r = 0; r < n; ++r) {
    const nsds_overlap_row *row = &rows->row[r];
    c.unit[r] = 1.0 / sqrt(row->M);
    c.x[r] = 0.0;
    c.g[r] = -c.unit[r] * row->b;
    nsds_raise(&most, -c.g[r]);
  }
  descend(&c, most);
  go_along(&c, c.x);
  for (int r = 0; r < n; ++r) rows->row[r].z = gap_change(rows, &rows->row[r]);
}
