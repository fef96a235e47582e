/* Linear systems with velocities and multipliers, and elimination by them, see saddle.h. */
#include "numerics/global/saddle.h"

#include "numerics/linear/factor.h"
#include "numerics/linear/factor_dense.h"
#include "numerics/linear/matrix.h"
#include "numerics/solver_internal.h"
#include "numerics/store.h"

#include <float.h>

/* ---- pattern ---- */

static int saddle_total(const nsds_saddle *s) { return s->nv + s->m; }

/* Returns true if entry k of column j of M is in the pattern. */
static bool stands(nsds_column c, int k, int j) { return c.i || k == j || c.x[k] != 0.0; }

static int entries_of(const nsds_csc *A) { return A->ncol > 0 ? A->p[A->ncol] : 0; }

static void put_mass(nsds_entries *to, const nsds_matrix *M) {
  for (int j = 0; j < M->n; ++j) {
    nsds_column c = nsds_matrix_column(M, j);
    for (int k = 0; k < c.count; ++k)
      if (stands(c, k, j)) nsds_add_entry(to, nsds_column_row(c, k), j, c.x[k]);
  }
}

static void saddle_put_part(nsds_entries *to, const nsds_csc *A, int first) {
  for (int j = 0; j < A->ncol; ++j)
    for (int k = A->p[j]; k < A->p[j + 1]; ++k) {
      nsds_add_entry(to, A->i[k], first + j, A->x[k]);
      nsds_add_entry(to, first + j, A->i[k], A->x[k]);
    }
}

/* Fills the pattern. Rows increase in every column: those of M first, then one multiplier after the
 * other. */
static nsds_status saddle_assemble(nsds_saddle *s, nsds_store *store, const nsds_matrix *M,
                                   const nsds_csc *first, const nsds_csc *second) {
  size_t nv = (size_t)s->nv, most = M->storage == NSDS_CSC ? (size_t)M->p[nv] : nv * nv;
  nsds_entries *entries = &s->entries;
  most += 2 * (size_t)entries_of(first) + 2 * (size_t)entries_of(second) + (size_t)s->m;
  nsds_status status = NSDS_HOLD_ONE(store, entries->entry, most);
  if (status) return status;
  entries->count = 0;
  put_mass(entries, M);
  saddle_put_part(entries, first, s->nv);
  saddle_put_part(entries, second, s->nv + first->ncol);
  for (int j = s->nv; j < saddle_total(s); ++j) nsds_add_entry(entries, j, j, 0.0);
  int rows = saddle_total(s), count = entries->count;
  const nsds_cut cut[] = {NSDS_CUT(s->p, rows + 1), NSDS_CUT(s->i, count), NSDS_CUT(s->x, count),
                          NSDS_CUT(s->scale, rows)};
  if ((status = NSDS_HOLD(store, cut))) return status;
  nsds_to_columns(entries, rows, s->p, s->i, s->x);
  s->dense = nsds_better_dense(rows, count, nsds_dense_limit);
  status = nsds_factor_hold(store, &s->factor);
  return status || !s->dense ? status : nsds_factor_reserve_dense(s->factor, rows);
}

/* FNV-1a over the indices, with its offset and prime for 64 bits. */
uint64_t nsds_saddle_pattern(int n, const int *p, const int *i) {
  static const uint64_t offset = 14695981039346656037u, prime = 1099511628211u;
  uint64_t hash = offset;
  for (int j = 0; j <= n; ++j) hash = (hash ^ (uint64_t)p[j]) * prime;
  for (int k = 0; k < p[n]; ++k) hash = (hash ^ (uint64_t)i[k]) * prime;
  return hash ? hash : 1;
}

/* ---- values ---- */

/* Computes the scale from the diagonal of M and from d, then the scaled entries. */
static void apply_scale(nsds_saddle *s) {
  for (int j = 0; j < saddle_total(s); ++j) {
    double d = 0.0;
    for (int k = s->p[j]; k < s->p[j + 1]; ++k) {
      if (j < s->nv && s->i[k] == j) d = s->x[k];
      if (j >= s->nv && s->i[k] < s->nv)
        d += s->x[k] * s->scale[s->i[k]] * s->scale[s->i[k]] * s->x[k];
    }
    s->scale[j] = d > 0.0 ? 1.0 / sqrt(d) : 1.0;
  }
  for (int j = 0; j < saddle_total(s); ++j)
    for (int k = s->p[j]; k < s->p[j + 1]; ++k) s->x[k] *= s->scale[s->i[k]] * s->scale[j];
}

nsds_status nsds_saddle_load(nsds_saddle *saddle, nsds_store *store, const nsds_matrix *M,
                             const nsds_csc *first, const nsds_csc *second) {
  saddle->nv = M->n;
  saddle->m = first->ncol + second->ncol;
  nsds_status status = saddle_assemble(saddle, store, M, first, second);
  if (status) return status;
  apply_scale(saddle);
  saddle->pattern = nsds_saddle_pattern(saddle_total(saddle), saddle->p, saddle->i);
  return NSDS_OK;
}

double nsds_saddle_d(const nsds_saddle *saddle, int j) {
  double scale = saddle->scale[saddle->nv + j];
  return 1.0 / (scale * scale);
}

/* ---- factors ---- */

nsds_status nsds_saddle_factor(nsds_saddle *saddle, const double *delta, double same) {
  if (saddle_total(saddle) == 0) return NSDS_OK;
  for (int j = 0; j < saddle->m; ++j) /* the diagonal is the last entry of its column */
    saddle->x[saddle->p[saddle->nv + j + 1] - 1] = -(delta ? delta[j] : same);
  return nsds_factor_columns(saddle->factor, saddle->dense, false, saddle_total(saddle), saddle->p,
                             saddle->i, saddle->x, saddle->pattern);
}

void nsds_saddle_solve(nsds_saddle *saddle, double *x) {
  if (saddle_total(saddle) == 0) return;
  for (int j = 0; j < saddle_total(saddle); ++j) x[j] *= saddle->scale[j];
  nsds_factor_solve(saddle->factor, 1, x);
  for (int j = 0; j < saddle_total(saddle); ++j) x[j] *= saddle->scale[j];
}

/*
 * ---- elimination ----
 *
 * A regularised saddle point system and the method of multipliers (Hestenes 1969; Powell 1969)
 * eliminate the forces. Each step solves, with a small Delta,
 *
 *     M v - G lambda = f,   G^T v + Delta lambda = -b + Delta lambda_before.
 *
 * The rest of the rows G^T v + b is Delta (lambda_before - lambda). For an eigenvalue s of the
 * scaled G^T M^-1 G a step shrinks this part by delta / (delta + s). s = 0 does no harm if the rows
 * do not contradict each other.
 */
enum { most_steps = 30 }; /* of multipliers: rows that agree take two or three */

static const double delta = 1e-9; /* relative to d: small, and far above the rounding of factors */
static const double must_fall = 0.5; /* factor of the rest in a step, before another step is made */

static const nsds_csc none = {0};

/* Returns NSDS_ERROR_SINGULAR if M, without E, is not positive definite. A sparse M is not checked
 * in builds without sparse Cholesky factors. */
static nsds_status check_cholesky(nsds_saddle *s) {
  if (s->nv == 0 || (!s->dense && !NSDS_HAVE_CHOLMOD)) return NSDS_OK;
  return nsds_factor_columns(s->factor, s->dense, true, s->nv, s->p, s->i, s->x, s->pattern);
}

static nsds_status check_definite(nsds_elimination *e, nsds_store *store,
                                  const nsds_global_problem *problem) {
  if (problem->p == 0) return check_cholesky(&e->saddle);
  nsds_status status = nsds_saddle_load(&e->mass, store, &problem->M, &none, &none);
  return status ? status : check_cholesky(&e->mass);
}

nsds_status nsds_elimination_factor(nsds_elimination *e, nsds_store *store,
                                    const nsds_global_problem *problem) {
  size_t nv = (size_t)problem->nv, p = (size_t)problem->p;
  const nsds_cut cut[] = {NSDS_CUT(e->given, nv + p), NSDS_CUT(e->y, p)};
  nsds_status status = NSDS_HOLD(store, cut);
  if (!status) status = nsds_saddle_load(&e->saddle, store, &problem->M, &problem->G, &none);
  if (!status) status = check_definite(e, store, problem);
  return status ? status : nsds_saddle_factor(&e->saddle, NULL, delta);
}

/* Returns the largest entry in the scaled unit. */
static double saddle_size_of(const nsds_elimination *e, const double *x) {
  double most = 0.0;
  for (int k = 0; k < e->saddle.nv + e->saddle.m; ++k)
    most = fmax(most, fabs(x[k]) * e->saddle.scale[k]);
  return most;
}

/* Makes one step from the multipliers in e->y; returns the rest of the equality rows. */
static double saddle_step(nsds_elimination *e, double *x) {
  const nsds_saddle *s = &e->saddle;
  double most = 0.0;
  memcpy(x, e->given, (size_t)(s->nv + s->m) * sizeof *x);
  for (int j = 0; j < s->m; ++j)
    x[s->nv + j] = -x[s->nv + j] + nsds_saddle_d(s, j) * delta * e->y[j];
  nsds_saddle_solve(&e->saddle, x);
  for (int j = 0; j < s->m; ++j) {
    double lambda = x[s->nv + j] = -x[s->nv + j];
    most = fmax(most, delta * fabs(lambda - e->y[j]) / s->scale[s->nv + j]);
    e->y[j] = lambda;
  }
  return most;
}

double nsds_eliminate(nsds_elimination *e, double *x) {
  const nsds_saddle *s = &e->saddle;
  double size = saddle_size_of(e, x), before = INFINITY, left = 0.0;
  memcpy(e->given, x, (size_t)(s->nv + s->m) * sizeof *x);
  memset(e->y, 0, (size_t)s->m * sizeof *e->y);
  for (int k = 0; k < most_steps; ++k) {
    left = saddle_step(e, x);
    if (left <= DBL_EPSILON * size || (k > 1 && !(left < must_fall * before))) break;
    before = left;
  }
  return left > 0.0 ? left / size : 0.0;
}
