/* A few steps of Newton's method, see few_newton.h. */
#include "numerics/newton/few_newton.h"

#include "base/base.h"
#include "base/finite.h"
#include "numerics/linear/factor.h"
#include "numerics/sets/blockwise.h"
#include "numerics/sets/set_map.h"

enum { most_steps = 4 };

static const double solved = 4.0 * DBL_EPSILON; /* of phi relative to its terms */
static const double singular = 1e-7; /* of pivots, in units in which M has ones on its diagonal */

typedef struct few {
  const nsds_problem *problem;
  double *z;
  double rho[nsds_own_rows], unit[nsds_own_rows], w[nsds_own_rows], phi[nsds_own_rows];
  double J[nsds_own_rows * nsds_own_rows];
} few;

static void scale_rows(few *t) {
  const nsds_problem *problem = t->problem;
  double own[nsds_own_rows * nsds_own_rows];
  for (int a = 0, row = 0, m; a < problem->nblock; row += m, ++a) {
    m = problem->block[a].size;
    for (int j = 0; j < m; ++j)
      for (int i = 0; i < m; ++i) own[i + j * m] = problem->M.x[row + i + (row + j) * problem->n];
    nsds_set_map_scale(&problem->block[a], own, t->rho + row);
  }
  for (int i = 0; i < problem->n; ++i) t->unit[i] = sqrt(t->rho[i]);
}

/* Writes the derivative of the rows of block a, from `row` on, in the units of the rows. */
static void few_slopes(few *t, int a, int row) {
  const nsds_problem *problem = t->problem;
  int n = problem->n, m = problem->block[a].size;
  double A[nsds_own_rows * nsds_own_rows], B[nsds_own_rows * nsds_own_rows];
  double phi[nsds_own_rows];
  nsds_set_map(NSDS_MAP_ALART_CURNIER, &problem->block[a], t->rho + row, t->z + row, t->w + row,
               phi, A, B);
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < m; ++i) {
      double sum = j >= row && j < row + m ? A[i + (j - row) * m] : 0.0;
      for (int k = 0; k < m; ++k) sum += B[i + k * m] * problem->M.x[row + k + j * n];
      t->J[row + i + j * n] = sum * t->unit[j] / t->unit[row + i];
    }
}

/* Evaluates the equations at z; returns true if they hold. */
static bool evaluate_few(few *t) {
  const nsds_problem *problem = t->problem;
  int n = problem->n;
  double norm = 0.0, size = 0.0;
  memcpy(t->w, problem->q, (size_t)n * sizeof *t->w);
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) t->w[i] += problem->M.x[i + j * n] * t->z[j];
  for (int a = 0, row = 0; a < problem->nblock; row += problem->block[a++].size)
    if (problem->block[a].size > 0)
      nsds_set_map(NSDS_MAP_ALART_CURNIER, &problem->block[a], t->rho + row, t->z + row, t->w + row,
                   t->phi + row, NULL, NULL);
  for (int i = 0; i < n; ++i) {
    double q = problem->q[i] * t->unit[i], z = t->z[i] / t->unit[i];
    t->phi[i] /= t->unit[i];
    norm += t->phi[i] * t->phi[i];
    size += q * q + z * z;
  }
  return norm <= solved * solved * size;
}

/* Makes Newton's step; false if the matrix is nearly singular. */
static bool step_few(few *t) {
  int n = t->problem->n, pivot[nsds_own_rows];
  double least = INFINITY, most = 0.0;
  for (int a = 0, row = 0; a < t->problem->nblock; row += t->problem->block[a++].size)
    if (t->problem->block[a].size > 0) few_slopes(t, a, row);
  if (!nsds_small_lu(n, t->J, pivot)) return false;
  for (int i = 0; i < n; ++i) {
    least = fmin(least, fabs(t->J[i + i * n]));
    nsds_raise(&most, fabs(t->J[i + i * n]));
  }
  if (!(least > singular * most)) return false;
  nsds_small_lu_solve(n, t->J, pivot, t->phi);
  for (int i = 0; i < n; ++i) t->z[i] -= t->unit[i] * t->phi[i];
  return nsds_first_nonfinite(t->z, n) < 0;
}

int nsds_few_newton(const nsds_problem *problem, double *z) {
  few t;
  t.problem = problem;
  t.z = z;
  scale_rows(&t);
  for (int steps = 0; steps <= most_steps; ++steps) {
    if (evaluate_few(&t)) {
      nsds_project(problem, z, z);
      return steps;
    }
    if (!step_few(&t)) return -1;
  }
  return -1;
}
