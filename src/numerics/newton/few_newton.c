/* A few steps of Newton's method, see few_newton.h. */
#include "numerics/newton/few_newton.h"

#include "base/base.h"
#include "base/finite.h"
#include "numerics/linear/edge.h"
#include "numerics/linear/factor.h"
#include "numerics/sets/blockwise.h"
#include "numerics/sets/set_map.h"

enum { most_steps = 4 };

static const double solved = 4.0 * DBL_EPSILON; /* of phi relative to its terms */
static const double singular = 1e-7; /* of pivots, in units in which M has ones on its diagonal */

/* Feet with many contacts have impulses that no motion determines: M is singular. In larger
 * problems this part of the units on the diagonal of J keeps such impulses where they were. The next
 * step takes the error away. */
static const double held = 1e-8;

typedef struct few {
  const nsds_problem *problem;
  const double *M; /* n x n */
  double *z;
  double *rho, *unit, *w, *phi, *J; /* n each; n x n */
  int *pivot;                       /* n */
  double *work; /* NULL: M is dense, and impulses that no motion determines are not held */
} few;

static void scale_rows(few *t) {
  const nsds_problem *problem = t->problem;
  double own[nsds_own_rows * nsds_own_rows];
  for (int a = 0, row = 0, m; a < problem->nblock; row += m, ++a) {
    m = problem->block[a].size;
    for (int j = 0; j < m; ++j)
      for (int i = 0; i < m; ++i)
        own[i + j * m] = t->M[row + i + (ptrdiff_t)(row + j) * problem->n];
    nsds_set_map_scale(&problem->block[a], own, t->rho + row);
  }
  for (int i = 0; i < problem->n; ++i) t->unit[i] = sqrt(t->rho[i]);
}

/* Writes the derivative of the rows of block a, from `row` on, in the units of the rows. */
static void few_slopes(few *t, int a, int row) {
  const nsds_problem *problem = t->problem;
  ptrdiff_t n = problem->n, m = problem->block[a].size;
  double A[nsds_own_rows * nsds_own_rows], B[nsds_own_rows * nsds_own_rows];
  double phi[nsds_own_rows];
  nsds_set_map(NSDS_MAP_ALART_CURNIER, &problem->block[a], t->rho + row, t->z + row, t->w + row,
               phi, A, B);
  for (ptrdiff_t j = 0; j < n; ++j)
    for (int i = 0; i < m; ++i) {
      double sum = j >= row && j < row + m ? A[i + (j - row) * m] : 0.0;
      for (int k = 0; k < m; ++k) sum += B[i + k * m] * t->M[row + k + j * n];
      t->J[row + i + j * n] = sum * t->unit[j] / t->unit[row + i];
    }
}

/* Evaluates the equations at z. Returns their error relative to `solved` of their terms, squared. */
static double evaluate_few(few *t) {
  const nsds_problem *problem = t->problem;
  ptrdiff_t n = problem->n;
  double norm = 0.0, size = 0.0;
  if (t->work) {
    nsds_problem_multiply(problem, t->z, t->w, t->work);
  } else {
    memcpy(t->w, problem->q, (size_t)n * sizeof *t->w);
    for (ptrdiff_t j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i) t->w[i] += t->M[i + j * n] * t->z[j];
  }
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
  size *= solved * solved;
  return norm <= size ? 0.0 : size > 0.0 ? norm / size : INFINITY;
}

/* Factors as nsds_small_lu() does, column by column. */
NSDS_CLONES static bool few_lu(ptrdiff_t n, double *a, int *pivot) {
  for (ptrdiff_t k = 0; k < n; ++k) {
    double *column = a + k * n;
    ptrdiff_t best = k;
    for (ptrdiff_t i = k + 1; i < n; ++i)
      if (fabs(column[i]) > fabs(column[best])) best = i;
    pivot[k] = (int)best;
    if (column[best] == 0.0 || !isfinite(column[best])) return false;
    for (ptrdiff_t j = 0; best != k && j < n; ++j) {
      double entry = a[k + j * n];
      a[k + j * n] = a[best + j * n];
      a[best + j * n] = entry;
    }
    double inverse = 1.0 / column[k];
    for (ptrdiff_t i = k + 1; i < n; ++i) column[i] *= inverse;
    for (ptrdiff_t j = k + 1; j < n; ++j) {
      double factor = a[k + j * n], *to = a + j * n;
      for (ptrdiff_t i = k + 1; factor != 0.0 && i < n; ++i) to[i] -= factor * column[i];
    }
  }
  return true;
}

/* Factors the derivative; false if it is nearly singular. */
static bool factor_few(few *t) {
  ptrdiff_t n = t->problem->n;
  bool holds = t->work != NULL;
  double least = INFINITY, most = 0.0;
  for (int a = 0, row = 0; a < t->problem->nblock; row += t->problem->block[a++].size)
    if (t->problem->block[a].size > 0) few_slopes(t, a, row);
  for (ptrdiff_t i = 0; holds && i < n; ++i) t->J[i + i * n] += held;
  if (!(holds ? few_lu(n, t->J, t->pivot) : nsds_small_lu((int)n, t->J, t->pivot))) return false;
  for (ptrdiff_t i = 0; i < n; ++i) {
    least = fmin(least, fabs(t->J[i + i * n]));
    nsds_raise(&most, fabs(t->J[i + i * n]));
  }
  return least > (holds ? DBL_EPSILON : singular) * most;
}

/* Makes a step with the factors that there are; false if it leads nowhere. */
static bool step_few(few *t) {
  int n = t->problem->n;
  nsds_small_lu_solve(n, t->J, t->pivot, t->phi);
  for (int i = 0; i < n; ++i) t->z[i] -= t->unit[i] * t->phi[i];
  return nsds_first_nonfinite(t->z, n) < 0;
}

static int end_few(const few *t, int steps) {
  nsds_project(t->problem, t->z, t->z);
  return steps;
}

/* Old factors go on while a step reduces the squared error to this part. */
static const double enough = 0.04;

static int run_few(few *t) {
  double last = 0.0;
  scale_rows(t);
  for (int steps = 0; steps <= most_steps; ++steps) {
    double error = evaluate_few(t);
    bool goes_on = t->work && error < enough * last;
    if (error == 0.0) return end_few(t, steps);
    if ((!goes_on && !factor_few(t)) || !step_few(t)) return -1;
    last = error;
  }
  return -1;
}

int nsds_few_newton(const nsds_problem *problem, double *z) {
  double rho[nsds_own_rows], unit[nsds_own_rows], w[nsds_own_rows], phi[nsds_own_rows];
  double J[nsds_own_rows * nsds_own_rows];
  int pivot[nsds_own_rows];
  few t = {problem, problem->M.x, z, rho, unit, w, phi, J, pivot, NULL};
  return run_few(&t);
}

/* ---- more rows ------------------------------------------------------------------------------- */

/* Adds H Y of all meetings of block row a with block column b. */
static void add_meetings(const nsds_factored *f, int b, int m, const int *place, ptrdiff_t n,
                         double *M) {
  for (int k = f->first_edge[b]; k < f->first_edge[b + 1]; ++k) {
    const nsds_edge *y = &f->edge[k];
    if (place[y->column] < 0) continue;
    const nsds_edge *h = &f->edge[place[y->column]];
    for (int j = 0; h->size == 1 && y->Y && j < f->row[b + 1] - f->row[b]; ++j)
      for (int i = 0; i < m; ++i) M[i + j * n] += h->H[i] * y->Y[j];
    for (int j = 0; !(h->size == 1 && y->Y) && j < f->row[b + 1] - f->row[b]; ++j)
      nsds_add_pair(f, h, m, nsds_whole_edge(h), y, f->row[b + 1] - f->row[b], j, M + j * n);
  }
}

/* Writes a factored M as a dense matrix. */
static void near_matrix(const nsds_factored *f, int n, int *place, double *M) {
  nsds_zero_doubles(M, (size_t)n * (size_t)n);
  for (int a = 0; a < f->nrow_block; ++a) {
    int m = f->row[a + 1] - f->row[a];
    for (int k = f->first_edge[a]; k < f->first_edge[a + 1]; ++k) place[f->edge[k].column] = k;
    for (int b = 0; b < f->nrow_block; ++b)
      add_meetings(f, b, m, place, n, M + f->row[a] + (ptrdiff_t)f->row[b] * n);
    for (int k = f->first_edge[a]; k < f->first_edge[a + 1]; ++k) place[f->edge[k].column] = -1;
    for (int j = 0; f->D && f->D[a] && j < m; ++j)
      for (int i = 0; i < m; ++i)
        M[f->row[a] + i + (ptrdiff_t)(f->row[a] + j) * n] += f->D[a][i + j * m];
  }
}

nsds_status nsds_near_reserve(nsds_near *near, nsds_store *store, const nsds_problem *problem) {
  size_t n = problem->n < nsds_near_rows ? (size_t)problem->n : nsds_near_rows;
  size_t columns = (size_t)problem->M.factored->ncolumn;
  const nsds_cut cut[] = {
      NSDS_CUT(near->M, n * n), NSDS_CUT(near->J, n * n),
      NSDS_CUT(near->rho, n),   NSDS_CUT(near->unit, n),
      NSDS_CUT(near->w, n),     NSDS_CUT(near->phi, n),
      NSDS_CUT(near->start, n), NSDS_CUT(near->work, nsds_problem_work(problem)),
      NSDS_CUT(near->pivot, n), NSDS_CUT(near->place, columns)};
  nsds_status status = NSDS_HOLD(store, cut);
  for (size_t k = 0; !status && k < columns; ++k) near->place[k] = -1;
  return status;
}

/* Makes steps with the factors of an earlier problem; -1 if they do not reduce the error enough. */
static int run_with_old_factors(few *t) {
  enum { most = 8 };
  double last = INFINITY;
  for (int steps = 0; steps <= most; ++steps) {
    double error = evaluate_few(t);
    if (error == 0.0) return end_few(t, steps);
    if (!(error < enough * last) || !step_few(t)) return -1;
    last = error;
  }
  return -1;
}

int nsds_near_newton(nsds_near *near, const nsds_problem *problem, double *z) {
  int n = problem->n;
  few t = {problem, near->M,   z,       near->rho,   near->unit,
           near->w, near->phi, near->J, near->pivot, near->work};
  if (n > nsds_near_rows) return -1;
  for (int a = 0; a < problem->nblock; ++a)
    if (problem->block[a].size > nsds_own_rows) return -1;
  memcpy(near->start, z, (size_t)n * sizeof *z);
  if (near->n == n && near->pattern == problem->M.pattern) {
    int steps = run_with_old_factors(&t);
    if (steps >= 0) return steps;
    memcpy(z, near->start, (size_t)n * sizeof *z);
  }
  near_matrix(problem->M.factored, n, near->place, near->M);
  int steps = run_few(&t);
  near->n = steps > 0 && problem->M.pattern != 0 ? n : 0;
  near->pattern = problem->M.pattern;
  return steps;
}
