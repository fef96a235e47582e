/*
 * Cholesky factors of the handle of factor.h. Dense factors are made by columns up to nsds_own_rows
 * rows (Golub & Van Loan, Matrix Computations, 4.2.6), by LAPACK's dpotrf above. Sparse ones are
 * made by CHOLMOD (Chen, Davis, Hager & Rajamanickam, ACM TOMS 887, 2008), which chooses between
 * supernodes and columns.
 */
#include "numerics/linear/cholesky.h"

#include "base/base.h"
#include "base/context.h"
#include "numerics/linear/factor_cost.h"
#include "numerics/linear/small_lu.h"

#include <lapacke.h>
#if NSDS_HAVE_CHOLMOD
#include <cholmod.h>
#endif

/* Returns false if pivots are too far apart: singular to working precision. */
static bool cholesky_is_definite(int n, const double *l) {
  double least = INFINITY, most = 0.0;
  for (int k = 0; k < n; ++k) {
    double pivot = l[(size_t)k * ((size_t)n + 1)];
    least = pivot < least ? pivot : least;
    most = pivot > most ? pivot : most;
    if (!(pivot > 0.0) || isinf(pivot)) return false;
  }
  return least * least >= nsds_least_rcond(n) * most * most;
}

/* Writes L to the lower triangle; false if a pivot is not positive. */
static bool cholesky_factor_own(int n, double *l) {
  for (int k = 0; k < n; ++k) {
    double *column = l + k * n, pivot = sqrt(column[k]);
    if (!(pivot > 0.0)) return false;
    column[k] = pivot;
    for (int i = k + 1; i < n; ++i) column[i] /= pivot;
    for (int j = k + 1; j < n; ++j)
      for (int i = j; i < n; ++i) l[i + j * n] -= column[j] * column[i];
  }
  return true;
}

static void solve_own(int n, const double *l, double *b) {
  for (int k = 0; k < n; ++k) {
    b[k] /= l[k + k * n];
    for (int i = k + 1; i < n; ++i) b[i] -= l[i + k * n] * b[k];
  }
  for (int k = n - 1; k >= 0; --k) {
    for (int i = k + 1; i < n; ++i) b[k] -= l[i + k * n] * b[i];
    b[k] /= l[k + k * n];
  }
}

static void cholesky_solve_dense(nsds_factor *factor, int nrhs, double *b) {
  int n = factor->n, info;
  if (n > nsds_own_rows) LAPACK_dpotrs("L", &n, &nrhs, factor->lu, &n, b, &n, &info);
  for (int k = 0; n <= nsds_own_rows && k < nrhs; ++k) solve_own(n, factor->lu, b + k * n);
}

nsds_status nsds_cholesky_loaded(nsds_factor *factor) {
  int n = factor->n;
  double *l = factor->lu;
  bool factored;
  if (n <= nsds_own_rows) {
    factored = cholesky_factor_own(n, l);
  } else {
    int info = 0;
    LAPACK_dpotrf("L", &n, l, &n, &info);
    factored = info == 0;
  }
  factor->solve = cholesky_solve_dense;
  return n == 0 || (factored && cholesky_is_definite(n, l)) ? NSDS_OK : NSDS_ERROR_SINGULAR;
}

#if NSDS_HAVE_CHOLMOD
struct nsds_sparse_cholesky {
  uint64_t pattern;         /* of `factor`, 0: none */
  double operations, bytes; /* foreseen by the analysis */
  cholmod_common common;
  cholmod_factor *factor;
  cholmod_dense *x, *y, *e; /* kept between solves */
  bool ready;               /* x, y, e exist and are large enough */
};

static struct nsds_sparse_cholesky *cholesky_open_sparse(nsds_factor *factor) {
  struct nsds_sparse_cholesky *t = factor->definite;
  if (NSDS_LIKELY(t != NULL)) return t;
  t = factor->definite = NSDS_NEW(factor->context, struct nsds_sparse_cholesky);
  if (!t) return NULL;
  cholmod_start(&t->common);
  t->common.print = 0;
  t->common.try_catch = 1; /* no messages */
  t->common.quick_return_if_not_posdef = 1;
  return t;
}

#endif

void nsds_cholesky_drop(nsds_factor *factor) {
#if NSDS_HAVE_CHOLMOD
  struct nsds_sparse_cholesky *t = factor->definite;
  if (!t) return;
  cholmod_free_factor(&t->factor, &t->common);
  cholmod_free_dense(&t->x, &t->common);
  cholmod_free_dense(&t->y, &t->common);
  cholmod_free_dense(&t->e, &t->common);
  cholmod_finish(&t->common);
  nsds_release(factor->context, t);
#else
  (void)factor;
#endif
}

#if NSDS_HAVE_CHOLMOD
static nsds_status failure(const nsds_factor *factor) {
  int status = factor->definite->common.status;
  if (status == CHOLMOD_OUT_OF_MEMORY)
    return nsds_fail(factor->context, NSDS_ERROR_MEMORY,
                     "out of memory for factors (CHOLMOD): %d rows", factor->n);
  return nsds_fail(factor->context, NSDS_ERROR_ARGUMENT,
                   "sparse factorisation: CHOLMOD rejects the matrix (status %d)", status);
}

/* Solves; with b = NULL only reserves memory for solves. */
static bool solve_one(struct nsds_sparse_cholesky *t, double *b) {
  size_t n = t->factor->n;
  cholmod_dense *zeros = b ? NULL : cholmod_zeros(n, 1, CHOLMOD_REAL, &t->common);
  cholmod_dense B = {.nrow = n,
                     .ncol = 1,
                     .nzmax = n,
                     .d = n,
                     .x = b       ? b
                          : zeros ? zeros->x
                                  : NULL,
                     .xtype = CHOLMOD_REAL,
                     .dtype = CHOLMOD_DOUBLE};
  bool solved =
      B.x && cholmod_solve2(CHOLMOD_A, t->factor, &B, NULL, &t->x, NULL, &t->y, &t->e, &t->common);
  cholmod_free_dense(&zeros, &t->common);
  if (b && solved) memcpy(b, t->x->x, n * sizeof *b);
  return solved;
}

static void solve_csc(nsds_factor *factor, int nrhs, double *b) {
  for (int k = 0; k < nrhs; ++k) solve_one(factor->definite, b + (size_t)k * (size_t)factor->n);
}

/* Returns the upper triangle, by columns. CHOLMOD's interface lacks const; it does not write to
 * these. */
static cholmod_sparse cholesky_view(int n, const int *p, const int *i, const double *x) {
  return (cholmod_sparse){.nrow = (size_t)n,
                          .ncol = (size_t)n,
                          .nzmax = (size_t)p[n],
                          .p = (void *)(uintptr_t)p,
                          .i = (void *)(uintptr_t)i,
                          .x = (void *)(uintptr_t)x,
                          .stype = 1,
                          .itype = CHOLMOD_INT,
                          .xtype = CHOLMOD_REAL,
                          .dtype = CHOLMOD_DOUBLE,
                          .sorted = 1,
                          .packed = 1};
}

/* Returns true if all pivots are positive. Without supernodes CHOLMOD factors L D L^T, also of
 * indefinite matrices. */
static bool has_positive_pivots(const cholmod_factor *L) {
  const int *p = L->p;
  const double *x = L->x;
  for (size_t j = 0; !L->is_ll && j < L->n; ++j)
    if (!(x[p[j]] > 0.0)) return false;
  return true;
}

#endif

nsds_status nsds_cholesky_csc(nsds_factor *factor, int n, const int *p, const int *i,
                              const double *x, uint64_t pattern) {
#if NSDS_HAVE_CHOLMOD
  struct nsds_sparse_cholesky *t = cholesky_open_sparse(factor);
  cholmod_sparse A = cholesky_view(n, p, i, x);
  factor->solve = NULL;
  factor->n = n;
  if (!t || n == 0) return t ? NSDS_OK : NSDS_ERROR_MEMORY;
  if (pattern == 0 || pattern != t->pattern) {
    cholmod_free_factor(&t->factor, &t->common);
    t->pattern = 0;
    t->ready = false;
    t->factor = cholmod_analyze(&A, &t->common);
    if (!t->factor) return failure(factor);
    t->pattern = pattern;
    t->operations = t->common.fl;
    t->bytes = sizeof(double) * t->common.lnz;
  }
  if (!nsds_factor_may_begin(factor, t->operations, t->bytes)) return NSDS_ERROR_SINGULAR;
  double begin = nsds_factor_begins(factor, t->operations);
  if (!cholmod_factorize(&A, t->factor, &t->common) || t->common.status < CHOLMOD_OK)
    return failure(factor);
  nsds_factor_ends(factor, t->operations, begin);
  if (t->factor->minor < (size_t)n || !has_positive_pivots(t->factor) ||
      cholmod_rcond(t->factor, &t->common) < nsds_least_rcond(n))
    return NSDS_ERROR_SINGULAR;
  factor->solve = solve_csc;
  t->ready = t->ready || solve_one(t, NULL);
  return t->ready ? NSDS_OK : failure(factor);
#else
  (void)p, (void)i, (void)x, (void)pattern;
  factor->solve = NULL;
  factor->n = n;
  return NSDS_ERROR_SINGULAR;
#endif
}
