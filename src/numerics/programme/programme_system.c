/* The linear systems of a convex quadratic programme, see programme_system.h. */
#include "numerics/programme/programme_system.h"

#include "base/base.h"
#include "numerics/linear/factor_dense.h"
#include "numerics/linear/quasidefinite.h"

static const double refined = 1e-14; /* sufficient error of a solution with pivoting, relative */
/* Operations with pivoting, and times those without: more take too long. */
static const double most_operations = 1e7, most_times = 8.0;
static const double most_rest = 1e-10; /* of a solution without, see quasidefinite.h */

nsds_status nsds_programme_system_reserve(nsds_programme_system *s, nsds_store *store, int n,
                                          size_t entries) {
  size_t all = nsds_most_directions * (size_t)n;
  const nsds_cut cut[] = {NSDS_CUT(s->value, entries),
                          NSDS_CUT(s->diagonal, n),
                          NSDS_CUT(s->unit, n),
                          NSDS_CUT(s->right, n),
                          NSDS_CUT(s->refinement.direction, all),
                          NSDS_CUT(s->refinement.image, all)};
  nsds_status status = NSDS_HOLD(store, cut);
  if (!status) status = nsds_factor_hold(store, &s->factor);
  bool dense = !status && nsds_better_dense(n, (double)entries, nsds_dense_limit);
  return dense ? nsds_factor_reserve_dense(s->factor, n) : status;
}

void nsds_programme_system_start(nsds_programme_system *s, const nsds_programme_rows *rows,
                                 uint64_t pattern) {
  s->rows = rows;
  s->pattern = pattern;
  s->dense = nsds_better_dense(rows->n, rows->p[rows->n], nsds_dense_limit);
  s->pivots = s->settled = s->dense;
  for (int i = 0; i < rows->n; ++i) {
    s->diagonal[i] = rows->p[i];
    while (rows->i[s->diagonal[i]] != i) ++s->diagonal[i];
  }
}

void nsds_programme_system_load(nsds_programme_system *s) {
  memcpy(s->value, s->rows->x, (size_t)s->rows->p[s->rows->n] * sizeof *s->value);
}

/* Divides rows and columns of the matrix by the root of their largest entry. */
static void system_equilibrate(nsds_programme_system *s) {
  const nsds_programme_rows *m = s->rows;
  for (int j = 0; j < m->n; ++j) {
    double most = 0.0;
    for (int k = m->p[j]; k < m->p[j + 1]; ++k) nsds_raise(&most, fabs(s->value[k]));
    s->unit[j] = nsds_inverse_power(most, 2);
  }
  for (int j = 0; j < m->n; ++j)
    for (int k = m->p[j]; k < m->p[j + 1]; ++k) s->value[k] *= s->unit[j] * s->unit[m->i[k]];
}

/* Factors with pivoting. A singular matrix gets a proximal term, which refinement removes. */
static nsds_status system_pivot(nsds_programme_system *s) {
  const nsds_programme_rows *m = s->rows;
  nsds_status status = NSDS_ERROR_SINGULAR;
  double by_signs = nsds_quasidefinite_operations(s->factor);
  nsds_factor_limit(s->factor, by_signs > 0.0 ? fmax(most_operations, most_times * by_signs) : 0.0);
  system_equilibrate(s);
  s->moved = 0.0;
  static const double proximal[] = {0.0, 1e-13, 1e-11, 1e-9, 1e-7};
  for (size_t k = 0; status == NSDS_ERROR_SINGULAR && k < sizeof proximal / sizeof *proximal; ++k) {
    for (int j = 0; j < m->n; ++j) s->value[s->diagonal[j]] += proximal[k] - s->moved;
    s->moved = proximal[k];
    status =
        nsds_factor_columns(s->factor, s->dense, false, m->n, m->p, m->i, s->value, s->pattern);
  }
  return status;
}

nsds_status nsds_programme_system_factor(nsds_programme_system *s) {
  const nsds_programme_rows *m = s->rows;
  ++s->factorizations;
  s->pivoted = s->pivots;
  if (s->pivots) return system_pivot(s);
  nsds_status status =
      nsds_quasidefinite_csc(s->factor, m->n, m->p, m->i, s->value, m->sign, s->pattern);
  if (status != NSDS_ERROR_SINGULAR) return status;
  s->pivoted = true;
  return system_pivot(s);
}

/* Computes x = A^-1 r by factors with pivoting. */
static void system_by_factors(void *self, const double *r, double *x) {
  nsds_programme_system *s = self;
  memcpy(x, r, (size_t)s->rows->n * sizeof *x);
  nsds_factor_solve(s->factor, 1, x);
}

/* Computes y = A x for the equilibrated matrix, without its proximal term. */
static void system_multiply(const void *self, const double *x, double *y) {
  const nsds_programme_system *s = self;
  const nsds_programme_rows *m = s->rows;
  for (int i = 0; i < m->n; ++i) y[i] = -s->moved * x[i];
  for (int j = 0; j < m->n; ++j)
    for (int k = m->p[j]; k < m->p[j + 1]; ++k) y[m->i[k]] += s->value[k] * x[j];
}

void nsds_programme_system_solve(nsds_programme_system *s, double *x) {
  int n = s->rows->n;
  if (!s->pivoted) {
    nsds_factor_solve(s->factor, 1, x);
    return;
  }
  nsds_conjugate_residuals *c = &s->refinement;
  c->n = n;
  c->by_factors = system_by_factors;
  c->multiply = system_multiply;
  c->self = s;
  for (int i = 0; i < n; ++i) s->right[i] = x[i] * s->unit[i];
  nsds_refine_by_residuals(c, refined, s->right, x);
  for (int i = 0; i < n; ++i) x[i] *= s->unit[i];
}

bool nsds_programme_system_change(nsds_programme_system *s, bool singular) {
  if (singular && s->pivots && !s->dense) { /* few digits are better than none */
    s->pivots = false;
    s->settled = true;
    return true;
  }
  double rest = s->pivoted ? 0.0 : nsds_quasidefinite_rest(s->factor);
  bool again = !singular && !s->pivots && !s->settled && rest > most_rest;
  s->pivots = s->pivots || again;
  return again;
}
