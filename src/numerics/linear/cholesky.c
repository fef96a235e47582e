/*
 * Cholesky factors behind one handle, see cholesky.h: dense ones by columns (Golub & Van Loan,
 * Matrix Computations, 4.2.6) up to nsds_own_rows rows, LAPACK's dpotrf above; CHOLMOD (Chen,
 * Davis, Hager & Rajamanickam, ACM TOMS 887, 2008), which chooses between supernodes and columns by
 * itself.
 */
#include "cholesky.h"
#include "factor.h"
#include "matrix.h"

#include <float.h>
#include <lapacke.h>
#if NSDS_HAVE_CHOLMOD
#include <cholmod.h>
#else
#include <klu.h>
#endif

struct nsds_cholesky {
  nsds_context *context;
  bool sparse; /* which of the factors is the last */
  int n;
  double *l; /* n x n, lower triangle */
  size_t capacity;
#if NSDS_HAVE_CHOLMOD
  uint64_t pattern; /* of `factor`, 0: none */
  cholmod_common common;
  cholmod_factor *factor;
  cholmod_dense *x, *y, *e; /* kept between solves */
#endif
};

nsds_cholesky *nsds_cholesky_create(nsds_context *context) {
  nsds_cholesky *t = NSDS_NEW(context, nsds_cholesky);
  if (!t) return NULL;
  t->context = context;
#if NSDS_HAVE_CHOLMOD
  cholmod_start(&t->common);
  t->common.print = 0;
  t->common.try_catch = 1; /* no messages */
  t->common.quick_return_if_not_posdef = 1;
#endif
  return t;
}

void nsds_cholesky_destroy(nsds_cholesky *t) {
  if (!t) return;
#if NSDS_HAVE_CHOLMOD
  cholmod_free_factor(&t->factor, &t->common);
  cholmod_free_dense(&t->x, &t->common);
  cholmod_free_dense(&t->y, &t->common);
  cholmod_free_dense(&t->e, &t->common);
  cholmod_finish(&t->common);
#endif
  nsds_release(t->context, t->l);
  nsds_release(t->context, t);
}

static void destroy_held(void *cholesky) { nsds_cholesky_destroy(cholesky); }

nsds_status nsds_cholesky_hold(nsds_store *store, nsds_cholesky **cholesky) {
  if (NSDS_LIKELY(*cholesky != NULL)) return NSDS_OK;
  nsds_cholesky *made = nsds_cholesky_create(store->context);
  nsds_status status = nsds_store_adopt(store, made, destroy_held);
  if (!status) *cholesky = made;
  return status;
}

nsds_status nsds_cholesky_reserve_dense(nsds_cholesky *t, int n) {
  return nsds_grow(t->context, &t->l, &t->capacity, (size_t)n * (size_t)n, sizeof *t->l);
}

/* Pivots too far apart: singular to working precision. */
static bool is_definite(int n, const double *l) {
  double least = INFINITY, most = 0.0;
  for (int k = 0; k < n; ++k) {
    double pivot = l[(size_t)k * ((size_t)n + 1)];
    least = pivot < least ? pivot : least;
    most = pivot > most ? pivot : most;
    if (!(pivot > 0.0) || isinf(pivot)) return false;
  }
  return least * least >= nsds_least_rcond(n) * most * most;
}

/* L in place of the lower triangle; false where a pivot is not positive. */
static bool factor_own(int n, double *l) {
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

static nsds_status open_dense(nsds_cholesky *t, int n) {
  t->n = n;
  t->sparse = false;
  return nsds_cholesky_reserve_dense(t, n);
}

/* The matrix in `l`. */
static nsds_status factor_loaded(nsds_cholesky *t) {
  int n = t->n;
  if (n == 0) return NSDS_OK;
  bool factored = n <= nsds_own_rows ? factor_own(n, t->l)
                                     : LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', n, t->l, n) == 0;
  return factored && is_definite(n, t->l) ? NSDS_OK : NSDS_ERROR_SINGULAR;
}

nsds_status nsds_cholesky_dense(nsds_cholesky *t, int n, const double *a) {
  nsds_status status = open_dense(t, n);
  if (status) return status;
  if (n > 0) memcpy(t->l, a, (size_t)n * (size_t)n * sizeof *a);
  return factor_loaded(t);
}

nsds_status nsds_cholesky_full(nsds_cholesky *t, int n, const int *p, const int *i,
                               const double *x) {
  nsds_status status = open_dense(t, n);
  if (status) return status;
  nsds_scatter(n, p, i, x, t->l);
  return factor_loaded(t);
}

#if NSDS_HAVE_CHOLMOD
static nsds_status failure(nsds_cholesky *t) {
  if (t->common.status == CHOLMOD_OUT_OF_MEMORY)
    return nsds_fail(t->context, NSDS_ERROR_MEMORY, "out of memory for factors (CHOLMOD): %d rows",
                     t->n);
  return nsds_fail(t->context, NSDS_ERROR_ARGUMENT,
                   "sparse factorisation: CHOLMOD rejects the matrix (status %d)",
                   t->common.status);
}

/* The upper triangle, by columns. CHOLMOD's interface lacks const; it does not write to these. */
static cholmod_sparse view(int n, const int *p, const int *i, const double *x) {
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

/* Columns by themselves are factored as L D L^T, which takes an indefinite matrix too. */
static bool has_positive_pivots(const cholmod_factor *L) {
  const int *p = L->p;
  const double *x = L->x;
  for (size_t j = 0; !L->is_ll && j < L->n; ++j)
    if (!(x[p[j]] > 0.0)) return false;
  return true;
}

static nsds_status factor_csc(nsds_cholesky *t, int n, const int *p, const int *i, const double *x,
                              uint64_t pattern) {
  cholmod_sparse A = view(n, p, i, x);
  t->n = n;
  t->sparse = true;
  if (pattern == 0 || pattern != t->pattern) {
    cholmod_free_factor(&t->factor, &t->common);
    t->pattern = 0;
    t->factor = cholmod_analyze(&A, &t->common);
    if (!t->factor) return failure(t);
    t->pattern = pattern;
  }
  if (!cholmod_factorize(&A, t->factor, &t->common) || t->common.status < CHOLMOD_OK)
    return failure(t);
  if (t->factor->minor < (size_t)n || !has_positive_pivots(t->factor)) return NSDS_ERROR_SINGULAR;
  return cholmod_rcond(t->factor, &t->common) >= nsds_least_rcond(n) ? NSDS_OK
                                                                     : NSDS_ERROR_SINGULAR;
}

static nsds_status solve_sparse(nsds_cholesky *t, double *b) {
  size_t n = (size_t)t->n;
  cholmod_dense B = {.nrow = n,
                     .ncol = 1,
                     .nzmax = n,
                     .d = n,
                     .x = b,
                     .xtype = CHOLMOD_REAL,
                     .dtype = CHOLMOD_DOUBLE};
  if (!cholmod_solve2(CHOLMOD_A, t->factor, &B, NULL, &t->x, NULL, &t->y, &t->e, &t->common))
    return failure(t);
  memcpy(b, t->x->x, n * sizeof *b);
  return NSDS_OK;
}
#endif

bool nsds_cholesky_is_sparse(void) { return NSDS_HAVE_CHOLMOD; }

nsds_status nsds_cholesky_csc(nsds_cholesky *t, int n, const int *p, const int *i, const double *x,
                              uint64_t pattern) {
#if NSDS_HAVE_CHOLMOD
  return factor_csc(t, n, p, i, x, pattern);
#else
  (void)n, (void)p, (void)i, (void)x, (void)pattern;
  return nsds_fail(t->context, NSDS_ERROR_ARGUMENT, "this build has no sparse Cholesky factors");
#endif
}

#if NSDS_HAVE_CHOLMOD
nsds_status nsds_definite_csc(nsds_context *context, int n, const int *p, const int *i,
                              const double *x) {
  nsds_cholesky *t = nsds_cholesky_create(context);
  nsds_status status = t ? factor_csc(t, n, p, i, x, 0) : NSDS_ERROR_MEMORY;
  nsds_cholesky_destroy(t);
  return status;
}
#else
/* Pivots p_k of P A P^T = L U, all of the diagonal and positive, not too far apart. */
static bool pivots_are_positive(int n, const klu_symbolic *symbolic, const klu_numeric *numeric) {
  const double *pivot = numeric->Udiag;
  double least = INFINITY, most = 0.0;
  for (int k = 0; k < n; ++k) {
    if (numeric->Pnum[k] != symbolic->Q[k] || !(pivot[k] > 0.0)) return false;
    least = fmin(least, pivot[k]);
    most = fmax(most, pivot[k]);
  }
  return least >= nsds_least_rcond(n) * most;
}

/* KLU's interface lacks const; it does not write to the matrix. */
nsds_status nsds_definite_csc(nsds_context *context, int n, const int *p, const int *i,
                              const double *x) {
  int *columns = (void *)(uintptr_t)p, *rows = (void *)(uintptr_t)i;
  klu_common common;
  klu_defaults(&common);
  common.btf = 0; /* one block, ordered symmetrically by AMD */
  common.ordering = 0;
  common.scale = -1;
  common.tol = 0.0; /* pivots stay on the diagonal unless it is zero */
  klu_symbolic *symbolic = klu_analyze(n, columns, rows, &common);
  klu_numeric *numeric =
      symbolic ? klu_factor(columns, rows, (void *)(uintptr_t)x, symbolic, &common) : NULL;
  bool definite = numeric && common.status == KLU_OK && pivots_are_positive(n, symbolic, numeric);
  bool memory = common.status == KLU_OUT_OF_MEMORY;
  klu_free_numeric(&numeric, &common);
  klu_free_symbolic(&symbolic, &common);
  if (memory)
    return nsds_fail(context, NSDS_ERROR_MEMORY, "out of memory for factors (KLU): %d rows", n);
  return definite ? NSDS_OK : NSDS_ERROR_SINGULAR;
}
#endif

nsds_status nsds_cholesky_solve(nsds_cholesky *t, double *b) {
  if (t->n == 0) return NSDS_OK;
#if NSDS_HAVE_CHOLMOD
  if (t->sparse) return solve_sparse(t, b);
#endif
  if (t->n <= nsds_own_rows) solve_own(t->n, t->l, b);
  else LAPACKE_dpotrs_work(LAPACK_COL_MAJOR, 'L', t->n, 1, t->l, t->n, b, t->n);
  return NSDS_OK;
}
