/*
 * Refinement of an answer in twice the precision, see pair.h.
 *
 * Newton's method on the equations of the states that z + low shows,
 *
 *     open   z = 0        bounded  z at the bound        free, stick  w = 0
 *     slip   w_N = 0,  z_T = mu z_N t,  t = x_T / |x_T|,  x_T = z_T - w_T / d
 *
 * (Alart & Curnier, Comput. Methods Appl. Mech. Eng. 92, 1991). Residuals and elimination have twice
 * the working precision, so the condition of the active set may be as large as 1e20. Rows and
 * columns are brought to entries of about 1 by powers of two; elimination pivots on rows and columns,
 * and unknowns without a pivot stay. Equations that contradict each other keep their rest, which
 * the certifier sees.
 */
#include "numerics/pair.h"

#include "base/base.h"
#include "base/finite.h"
#include "numerics/certify/certify.h"
#include "numerics/certify/twice.h"
#include "numerics/linear/factor.h"
#include "numerics/linear/forms.h"
#include "numerics/sets/bounds.h"
#include "numerics/solver_tools.h"
#include "numerics/store.h"

/* A pivot below this part of the first is rounding of sums in twice the precision. */
static const double singular = 0x1p-80;

typedef struct pair_system {
  nsds_pair *p;
  const nsds_problem *problem;
  const double *M, *w, *d; /* M dense; w in the certifier's work */
  const double *z, *low;
  int n;
} pair_system;

static nsds_twice *pair_row(const pair_system *s, int i) {
  return s->p->A + (ptrdiff_t)i * (s->n + 1);
}

/* ---- equations ---- */

static void pair_add_entry(nsds_twice *row, int j, double x) {
  row[j] = nsds_twice_add(row[j], (nsds_twice){x, 0.0});
}

/* Adds factor times the derivatives of w_i. */
static void add_derivatives(const pair_system *s, nsds_twice *row, int i, double factor) {
  for (int j = 0; j < s->n; ++j)
    if (s->M[i + (ptrdiff_t)j * s->n] != 0.0)
      pair_add_entry(row, j, factor * s->M[i + (ptrdiff_t)j * s->n]);
}

static void equation_of_w(const pair_system *s, int i) {
  nsds_twice *row = pair_row(s, i);
  add_derivatives(s, row, i, 1.0);
  row[s->n] = (nsds_twice){-s->w[i], 0.0};
}

static void equation_of_z(const pair_system *s, int i, double value) {
  nsds_twice *row = pair_row(s, i);
  s->p->bound[i] = value;
  pair_add_entry(row, i, 1.0);
  row[s->n] = nsds_twice_add(nsds_twice_of_sum(value, -s->z[i]), (nsds_twice){-s->low[i], 0.0});
}

static void equation_alone(const pair_system *s, const nsds_block *block, int k, int i) {
  double lower = nsds_lower(block, k), upper = nsds_upper(block, k), dw = s->w[i];
  double below = s->d[i] * ((s->z[i] - lower) + s->low[i]);
  double above = s->d[i] * ((s->z[i] - upper) + s->low[i]);
  if (lower > -INFINITY && below <= dw) equation_of_z(s, i, lower);
  else if (upper < INFINITY && above >= dw) equation_of_z(s, i, upper);
  else equation_of_w(s, i);
}

static nsds_twice pair_entry(const pair_system *s, int i) {
  return (nsds_twice){s->z[i], s->low[i]};
}

/* Adds z_T = mu z_N t in row i; t is the direction of x_T, of this length. */
static void equation_of_slip(const pair_system *s, const nsds_block *b, int N, int i,
                             const double *t, double length) {
  nsds_twice *row = pair_row(s, i), most = nsds_twice_scale(pair_entry(s, N), b->mu * t[i - N - 1]);
  double size = b->mu * s->z[N];
  pair_add_entry(row, i, 1.0);
  pair_add_entry(row, N, -b->mu * t[i - N - 1]);
  for (int k = 0; k + 1 < b->size && b->size > 2; ++k) {
    int j = N + 1 + k;
    double turn = size / length * ((j == i) - t[i - N - 1] * t[k]);
    pair_add_entry(row, j, -turn);
    add_derivatives(s, row, j, turn / s->d[N + 1]);
  }
  row[s->n] = nsds_twice_add(most, nsds_twice_minus(pair_entry(s, i)));
}

/* Returns |z_T| - mu z_N. */
static double beyond_cone(const pair_system *s, const nsds_block *b, int N, double length) {
  nsds_twice sum = nsds_twice_scale(pair_entry(s, N), b->mu);
  double limit = sum.high;
  if (!(limit > 0.0) || !(length > 0.0)) return length - limit;
  sum = nsds_twice_minus(nsds_twice_times(sum, sum));
  for (int k = 1; k < b->size; ++k)
    sum = nsds_twice_add(sum, nsds_twice_times(pair_entry(s, N + k), pair_entry(s, N + k)));
  return sum.high / (length + limit);
}

static void equations_of_contact(const pair_system *s, const nsds_block *b, int N) {
  double t[2] = {0.0}, size = 0.0, length = 0.0, along = 0.0, d = s->d[N + 1];
  bool open = s->d[N] * (s->z[N] + s->low[N]) <= s->w[N];
  for (int k = 1; k < b->size; ++k) {
    t[k - 1] = s->z[N + k] - s->w[N + k] / d;
    length = hypot(length, t[k - 1]);
    size = hypot(size, s->z[N + k]);
  }
  for (int k = 1; k < b->size && length > 0.0; ++k) t[k - 1] /= length;
  for (int k = 1; k < b->size; ++k) along += t[k - 1] * s->w[N + k];
  double beyond = size > 0.0 ? beyond_cone(s, b, N, size) - along / d : length - b->mu * s->z[N];
  for (int i = N; i < N + b->size; ++i) {
    if (open) equation_of_z(s, i, 0.0);
    else if (i > N && beyond > 0.0 && length > 0.0) equation_of_slip(s, b, N, i, t, length);
    else equation_of_w(s, i);
  }
}

static void write_equations(const pair_system *s) {
  size_t count = (size_t)s->n * (size_t)(s->n + 1);
  for (size_t k = 0; k < count; ++k) s->p->A[k] = (nsds_twice){0.0, 0.0};
  for (int i = 0; i < s->n; ++i) s->p->bound[i] = NAN;
  for (int a = 0, row = 0; a < s->problem->nblock; row += s->problem->block[a++].size) {
    const nsds_block *b = &s->problem->block[a];
    if (b->set == NSDS_SET_COULOMB) equations_of_contact(s, b, row);
    for (int i = 0; i < b->size && b->set != NSDS_SET_COULOMB; ++i)
      equation_alone(s, b, i, row + i);
  }
}

/* ---- elimination ---- */

static void scale_pair(nsds_twice *x, double factor) {
  x->high *= factor;
  x->low *= factor;
}

/* Scales rows and columns by powers of two to entries of about 1; keeps the columns' factors. */
static void pair_equilibrate(const pair_system *s) {
  enum { passes = 8 };
  int n = s->n;
  for (int j = 0; j < n; ++j) s->p->unit[j] = 1.0;
  for (int pass = 0; pass < passes; ++pass) {
    for (int i = 0; i < n; ++i) {
      double most = 0.0;
      for (int j = 0; j < n; ++j) nsds_raise(&most, fabs(pair_row(s, i)[j].high));
      double factor = nsds_inverse_power(most, 1);
      for (int j = 0; j <= n && factor != 1.0; ++j) scale_pair(&pair_row(s, i)[j], factor);
    }
    for (int j = 0; j < n; ++j) {
      double most = 0.0;
      for (int i = 0; i < n; ++i) nsds_raise(&most, fabs(pair_row(s, i)[j].high));
      double factor = nsds_inverse_power(most, 1);
      s->p->unit[j] *= factor;
      for (int i = 0; i < n && factor != 1.0; ++i) scale_pair(&pair_row(s, i)[j], factor);
    }
  }
}

static void swap_pivot(const pair_system *s, int k, int row, int column) {
  int n = s->n, *order = s->p->order;
  for (int j = 0; j <= n && row != k; ++j) {
    nsds_twice t = pair_row(s, k)[j];
    pair_row(s, k)[j] = pair_row(s, row)[j];
    pair_row(s, row)[j] = t;
  }
  for (int i = 0; i < n && column != k; ++i) {
    nsds_twice t = pair_row(s, i)[k];
    pair_row(s, i)[k] = pair_row(s, i)[column];
    pair_row(s, i)[column] = t;
  }
  int t = order[k];
  order[k] = order[column];
  order[column] = t;
}

/* Brings the largest entry from row and column k on to (k, k); returns its size. */
static double choose_pivot(const pair_system *s, int k) {
  double most = 0.0;
  int row = k, column = k;
  for (int i = k; i < s->n; ++i)
    for (int j = k; j < s->n; ++j)
      if (fabs(pair_row(s, i)[j].high) > most) {
        most = fabs(pair_row(s, i)[j].high);
        row = i;
        column = j;
      }
  swap_pivot(s, k, row, column);
  return most;
}

/* Eliminates; returns the rank. */
static int pair_eliminate(const pair_system *s) {
  double first = 0.0;
  for (int j = 0; j < s->n; ++j) s->p->order[j] = j;
  for (int k = 0; k < s->n; ++k) {
    double most = choose_pivot(s, k);
    if (k == 0) first = most;
    if (!(most > singular * first)) return k;
    const nsds_twice *pivot = pair_row(s, k);
    for (int i = k + 1; i < s->n; ++i) {
      nsds_twice *row = pair_row(s, i);
      if (row[k].high == 0.0 && row[k].low == 0.0) continue;
      nsds_twice factor = nsds_twice_minus(nsds_twice_over(row[k], pivot[k]));
      for (int j = k + 1; j <= s->n; ++j)
        if (pivot[j].high != 0.0)
          row[j] = nsds_twice_add(row[j], nsds_twice_times(factor, pivot[j]));
      row[k] = (nsds_twice){0.0, 0.0};
    }
  }
  return s->n;
}

/* Solves the equations and adds the step to z and low. */
static void add_step(const pair_system *s, double *z, double *low) {
  nsds_twice *step = s->p->step;
  pair_equilibrate(s);
  int rank = pair_eliminate(s);
  for (int k = s->n - 1; k >= 0; --k) {
    const nsds_twice *row = pair_row(s, k);
    step[k] = (nsds_twice){0.0, 0.0};
    if (k >= rank) continue;
    nsds_twice sum = row[s->n];
    for (int j = k + 1; j < rank; ++j)
      sum = nsds_twice_add(sum, nsds_twice_minus(nsds_twice_times(row[j], step[j])));
    step[k] = nsds_twice_over(sum, row[k]);
  }
  for (int k = 0; k < rank; ++k) {
    int j = s->p->order[k];
    nsds_twice sum = nsds_twice_scale(step[k], s->p->unit[j]);
    sum = nsds_twice_add((nsds_twice){z[j], low[j]}, sum);
    z[j] = sum.high;
    low[j] = sum.low;
  }
  for (int i = 0; i < s->n; ++i) {
    if (isnan(s->p->bound[i])) continue; /* what rounding leaves of z beside its bound is none */
    z[i] = s->p->bound[i];
    low[i] = 0.0;
  }
}

/* ---- Newton's method ---- */

static bool is_treated(const nsds_problem *problem) {
  static const unsigned treated = (unsigned)nsds_bound_sets | NSDS_SET_COULOMB;
  if (problem->n > nsds_most_pair_rows) return false;
  for (int a = 0; a < problem->nblock; ++a)
    if (!((unsigned)problem->block[a].set & treated)) return false;
  return true;
}

static nsds_status hold_pair(nsds_pair *p, nsds_store *store, int n) {
  size_t m = (size_t)n;
  const nsds_cut cut[] = {
      NSDS_CUT(p->A, m * (m + 1)), NSDS_CUT(p->step, m),  NSDS_CUT(p->unit, m),
      NSDS_CUT(p->z, m),           NSDS_CUT(p->low, m),   NSDS_CUT(p->best, m),
      NSDS_CUT(p->best_low, m),    NSDS_CUT(p->bound, m), NSDS_CUT(p->order, m)};
  return NSDS_HOLD(store, cut);
}

nsds_status nsds_pair_reserve(nsds_solver *solver, const nsds_problem *problem) {
  if (!is_treated(problem)) return NSDS_OK;
  nsds_status status = nsds_form_reserve_dense(solver, problem);
  return status ? status : hold_pair(&solver->toolbox->pair, &solver->toolbox->store, problem->n);
}

/* Judges z + low of the pair; the certifier's work then begins with its w, and d. */
static nsds_violation judge_pair(nsds_solver *solver, const nsds_problem *problem,
                                 double tolerance) {
  nsds_pair *p = &solver->toolbox->pair;
  double *work = solver->toolbox->certify_work;
  nsds_violation v;
  nsds_solver_residual(solver, problem, p->z, NULL);
  nsds_certify_violation(problem, p->z, p->low, solver->toolbox->scale, work, tolerance, &v);
  return v;
}

nsds_status nsds_pair_refine(nsds_solver *solver, const nsds_problem *problem, double tolerance,
                             double *z, nsds_violation *best) {
  enum { most_steps = 8, most_rises = 2 };
  nsds_pair *p = &solver->toolbox->pair;
  size_t n = (size_t)problem->n;
  double *work = solver->toolbox->certify_work;
  const double *M;
  if (!is_treated(problem)) return NSDS_OK;
  nsds_status status = nsds_pair_reserve(solver, problem);
  if (!status) status = nsds_form_dense(solver, problem, &M);
  if (status) return status;
  nsds_copy_doubles(p->z, z, n);
  nsds_copy_doubles(p->best, z, n);
  nsds_zero_doubles(p->low, n);
  nsds_zero_doubles(p->best_low, n);
  pair_system s = {p, problem, M, work, work + 6 * n, p->z, p->low, problem->n};
  nsds_violation now = judge_pair(solver, problem, tolerance);
  for (int step = 0, rises = 0; step < most_steps && now.error > tolerance; ++step) {
    write_equations(&s);
    add_step(&s, p->z, p->low);
    if (nsds_first_nonfinite(p->z, problem->n) >= 0) break;
    now = judge_pair(solver, problem, tolerance);
    if (now.error < best->error) {
      *best = now;
      nsds_copy_doubles(p->best, p->z, n);
      nsds_copy_doubles(p->best_low, p->low, n);
    } else if (++rises > most_rises) break;
  }
  solver->toolbox->low = best->error <= tolerance ? p->best_low : NULL;
  if (!solver->toolbox->low) nsds_zero_doubles(p->best_low, n);
  else nsds_copy_doubles(z, p->best, n);
  nsds_copy_doubles(p->z, z, n);
  nsds_copy_doubles(p->low, p->best_low, n);
  judge_pair(solver, problem, tolerance);
  return NSDS_OK;
}
