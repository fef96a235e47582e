/*
 * Searches near a point for a feasible one: z in the sets, with w = M z + q at least zero along all
 * rays of the sets. Then no y proves that there is no solution. For y is a sum of rays, so y.w >= 0;
 * but a proof has y.w = y.M z + y.q <= h(g) + q.y < 0 (proof.c).
 *
 * Rows without an upper bound and the normals of cones may grow without leaving their sets. If
 * d >= 0 in these rows, and M d > 0 in them, then z + t d is feasible for a large t. Conjugate
 * gradients for (M d)_i = sqrt(M_ii) find d where the contacts do not jam each other, in high
 * stacks too. If this d has negative entries, sweeps of Gauss-Seidel go on from it.
 */
#include "numerics/feasible.h"

#include "base/base.h"
#include "numerics/sets/blockwise.h"
#include "numerics/sets/bounds.h"

typedef struct feasible {
  const nsds_problem *problem;
  const double *M;
  double *x, *w;   /* the point, and M x + q */
  double *d, *u;   /* the direction, and M d */
  double *measure; /* sqrt(M_ii) of the rows that may grow, 0 for others */
  double *r, *p;   /* conjugate gradients: what is missing, and where to go */
} feasible;

/* Finds the rows that may grow; false if rays of other kinds exist, or a row cannot be pushed. */
static bool rows_can_grow(const feasible *f) {
  int n = f->problem->n, first = 0;
  for (int a = 0; a < f->problem->nblock; first += f->problem->block[a++].size) {
    const nsds_block *b = &f->problem->block[a];
    if (b->set == NSDS_SET_POLYHEDRON) return false;
    for (int i = 0; i < b->size; ++i) {
      bool bounds = (unsigned)b->set & nsds_bound_sets, disc = b->set == NSDS_SET_DISC;
      bool grows = bounds ? nsds_upper(b, i) == INFINITY : !disc && i == 0;
      double own = f->M[(first + i) * (ptrdiff_t)(n + 1)];
      if ((bounds && nsds_lower(b, i) == -INFINITY) || (grows && !(own > 0.0))) return false;
      f->measure[first + i] = grows ? sqrt(own) : 0.0;
    }
  }
  return true;
}

/* Adds `scale` times column i of M. */
static void add_scaled_column(const feasible *f, int i, double scale, double *to) {
  int n = f->problem->n;
  const double *column = f->M + (ptrdiff_t)i * n;
  for (int j = 0; j < n; ++j) to[j] += scale * column[j];
}

/* Returns true if x is feasible, beyond the rounding of w. */
static bool point_is_feasible(const feasible *f) {
  static const double rounding = 1e-12;
  const nsds_problem *problem = f->problem;
  int n = problem->n, first = 0;
  double size = 0.0;
  nsds_copy_doubles(f->w, problem->q, (size_t)n);
  for (int i = 0; i < n; ++i)
    if (f->x[i] != 0.0) add_scaled_column(f, i, f->x[i], f->w);
  for (int i = 0; i < n; ++i) nsds_raise(&size, fabs(problem->q[i]));
  for (int i = 0; i < n; ++i) nsds_raise(&size, fabs(f->M[i * (ptrdiff_t)(n + 1)] * f->x[i]));
  for (int a = 0; a < problem->nblock; first += problem->block[a++].size) {
    const nsds_block *b = &problem->block[a];
    double slope = b->set == NSDS_SET_CONE ? b->mu : 0.0;
    for (int i = 0; i < b->size; ++i)
      if (f->measure[first + i] > 0.0 && !(f->w[first + i] >= rounding * size)) return false;
    for (int i = 1; slope > 0.0 && i < b->size; ++i)
      if (!(f->w[first] >= slope * fabs(f->w[first + i]) + rounding * size)) return false;
  }
  return true;
}

static bool direction_pushes(const feasible *f) {
  static const double enough = 0.1;
  for (int i = 0; i < f->problem->n; ++i)
    if (f->measure[i] > 0.0 && !(f->u[i] >= enough * f->measure[i])) return false;
  return true;
}

/* Sets u = M x over the rows that may grow. */
static void push_rows(const feasible *f, const double *x) {
  int n = f->problem->n;
  nsds_zero_doubles(f->u, (size_t)n);
  for (int i = 0; i < n; ++i)
    if (x[i] != 0.0) add_scaled_column(f, i, x[i], f->u);
}

/* Solves M d = measure over the rows that may grow, each in the unit 1 / measure, until half of the
 * push is there everywhere. Only a symmetric M gets that far. */
static void solve_direction(const feasible *f) {
  enum { most_steps = 100 };
  static const double missing = 0.5;
  int n = f->problem->n;
  double square = 0.0, most = 1.0;
  for (int i = 0; i < n; ++i) {
    double s = f->measure[i];
    f->r[i] = s > 0.0;
    f->p[i] = s > 0.0 ? 1.0 / s : 0.0;
    square += f->r[i];
  }
  for (int step = 0; step < most_steps && most > missing; ++step) {
    double curvature = 0.0, before = square;
    push_rows(f, f->p);
    for (int i = 0; i < n; ++i) curvature += f->p[i] * f->u[i];
    if (!(curvature > 0.0)) return;
    most = square = 0.0;
    for (int i = 0; i < n; ++i) {
      if (f->measure[i] == 0.0) continue;
      f->d[i] += before / curvature * f->p[i];
      f->r[i] -= before / curvature * f->u[i] / f->measure[i];
      square += f->r[i] * f->r[i];
      nsds_raise(&most, fabs(f->r[i]));
    }
    for (int i = 0; i < n; ++i)
      if (f->measure[i] > 0.0) f->p[i] = f->r[i] / f->measure[i] + square / before * f->p[i];
  }
}

static bool find_direction(const feasible *f) {
  enum { most_sweeps = 50 };
  int n = f->problem->n;
  nsds_zero_doubles(f->d, (size_t)n);
  solve_direction(f);
  for (int i = 0; i < n; ++i) f->d[i] = f->d[i] > 0.0 && f->d[i] < INFINITY ? f->d[i] : 0.0;
  push_rows(f, f->d);
  if (direction_pushes(f)) return true;
  for (int sweep = 0; sweep < most_sweeps; ++sweep) {
    for (int i = 0; i < n; ++i) {
      double s = f->measure[i], old = f->d[i];
      if (s == 0.0) continue;
      f->d[i] = fmax(0.0, old + (s - f->u[i]) / (s * s));
      if (f->d[i] != old) add_scaled_column(f, i, f->d[i] - old, f->u);
    }
    if (direction_pushes(f)) return true;
  }
  return false;
}

bool nsds_feasible_near(const nsds_problem *problem, const double *M, const double *z,
                        double *work) {
  static const double margin = 1e-9;
  int n = problem->n;
  feasible f = {problem,      M,           work, work + n, work + 2 * n, work + 3 * n, work + 4 * n,
                work + 5 * n, work + 6 * n};
  if (!rows_can_grow(&f)) return false;
  nsds_project(problem, z, f.x);
  if (point_is_feasible(&f)) return true;
  if (!find_direction(&f)) return false;
  double size = 0.0, t = 0.0;
  for (int i = 0; i < n; ++i) nsds_raise(&size, fabs(problem->q[i]));
  for (int i = 0; i < n; ++i)
    if (f.measure[i] > 0.0) nsds_raise(&t, (margin * size - f.w[i]) / f.u[i]);
  for (int i = 0; i < n; ++i) f.x[i] += 2.0 * t * f.d[i];
  return point_is_feasible(&f);
}
