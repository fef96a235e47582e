/*
 * Factorizations behind one handle, see factor.h.
 *
 * Dense and diagonal matrices: factor_dense.c; symmetric definite ones: cholesky.c. Diagonally
 * dominant tridiagonal matrices have their own kernel. Other sparse matrices go to KLU (Davis &
 * Palamadai Natarajan, ACM TOMS 907, 2010) or to UMFPACK (Davis, ACM TOMS 832, 2004). UMFPACK's
 * dense fronts pay off with heavy fill in KLU's symbolic analysis: nnz(L) + nnz(U) >
 * heavy_fill_per_row * n and n > heavy_fill_rows.
 */
#include "numerics/linear/factor.h"

#include "base/base.h"
#include "base/context.h"
#include "numerics/linear/cholesky.h"
#include "numerics/linear/factor_cost.h"
#include "numerics/linear/factor_dense.h"
#include "numerics/linear/factor_state.h"
#include "numerics/linear/quasidefinite.h"
#include "numerics/linear/tridiagonal.h"
#include "numerics/store.h"

#include <klu.h>
#if NSDS_HAVE_UMFPACK
#include <umfpack.h>
#endif

enum { klu_as_it_is = -1, klu_by_largest = 2 }; /* scaling of rows by KLU */

enum {
  heavy_fill_rows = 500,  /* from here UMFPACK's dense fronts pay off, */
  heavy_fill_per_row = 70 /* with this many foreseen entries of L and U per row */
};

/* A refactorization keeps the old pivots. Above this error of a solve, relative to its terms, five
 * of sixteen digits are lost and the pivots no longer fit. */
static const double error_limit = 1e-11;
static const double irregular = 0.61803398874989485; /* its multiples are spread between integers */

/* State of the libraries. */
typedef struct nsds_sparse_factor {
  uint64_t pattern;         /* pattern of the symbolic analysis; 0: none */
  double operations, bytes; /* foreseen by the analysis */
  klu_common klu;
  klu_symbolic *symbolic;
  klu_numeric *numeric;
#if NSDS_HAVE_UMFPACK
  double control[UMFPACK_CONTROL];
  void *umf_symbolic;
  void *umf_numeric;
#endif
} sparse_state;

nsds_factor *nsds_factor_create(nsds_context *context) {
  nsds_factor *factor = NSDS_NEW(context, nsds_factor);
  if (factor) factor->context = factor->store.context = context;
  return factor;
}

static nsds_status factor_open_sparse(nsds_factor *factor) {
  if (NSDS_LIKELY(factor->sparse != NULL)) return NSDS_OK;
  sparse_state *s = factor->sparse = NSDS_NEW(factor->context, sparse_state);
  if (!s) return NSDS_ERROR_MEMORY;
  klu_defaults(&s->klu);
#if NSDS_HAVE_UMFPACK
  umfpack_di_defaults(s->control);
  s->control[UMFPACK_IRSTEP] = 0; /* the matrix is not kept */
#endif
  return NSDS_OK;
}

static void drop_sparse(sparse_state *s) {
  klu_free_numeric(&s->numeric, &s->klu);
  klu_free_symbolic(&s->symbolic, &s->klu);
#if NSDS_HAVE_UMFPACK
  umfpack_di_free_numeric(&s->umf_numeric);
  umfpack_di_free_symbolic(&s->umf_symbolic);
#endif
  s->pattern = 0;
}

void nsds_factor_destroy(nsds_factor *factor) {
  if (!factor) return;
  nsds_context *context = factor->context;
  if (factor->sparse) drop_sparse(factor->sparse);
  nsds_release(context, factor->sparse);
  nsds_cholesky_drop(factor);
  nsds_quasidefinite_drop(factor);
  nsds_store_release(&factor->store);
  nsds_release(context, factor);
}

static void destroy_held(void *factor) { nsds_factor_destroy(factor); }

nsds_status nsds_factor_hold(nsds_store *store, nsds_factor **factor) {
  if (NSDS_LIKELY(*factor != NULL)) return NSDS_OK;
  nsds_factor *made = nsds_factor_create(store->context);
  nsds_status status = nsds_store_adopt(store, made, destroy_held);
  if (!status) {
    made->allowance = store->allowance;
    *factor = made;
  }
  return status;
}

double nsds_factor_rcond(const nsds_factor *factor) { return factor->rcond; }

#if NSDS_HAVE_UMFPACK
static nsds_status umfpack_failure(nsds_factor *factor, int code) {
  if (code == UMFPACK_ERROR_out_of_memory)
    return nsds_fail(factor->context, NSDS_ERROR_MEMORY,
                     "out of memory for factors (UMFPACK): %d rows", factor->n);
  return nsds_fail(factor->context, NSDS_ERROR_ARGUMENT,
                   "sparse factorisation: UMFPACK rejects the matrix (code %d)", code);
}

static nsds_status analyse_umfpack(nsds_factor *factor, int n, const int *p, const int *i,
                                   const double *x) {
  klu_free_symbolic(&factor->sparse->symbolic, &factor->sparse->klu);
  int code = umfpack_di_symbolic(n, n, p, i, x, &factor->sparse->umf_symbolic,
                                 factor->sparse->control, NULL);
  return code < 0 ? umfpack_failure(factor, code) : NSDS_OK;
}

static void solve_umfpack(nsds_factor *factor, int nrhs, double *b) {
  size_t n = (size_t)factor->n;
  double *x = factor->work, *w = factor->work + n;
  for (int k = 0; k < nrhs; ++k, b += n) {
    umfpack_di_wsolve(UMFPACK_A, NULL, NULL, NULL, x, b, factor->sparse->umf_numeric,
                      factor->sparse->control, NULL, factor->iwork, w);
    memcpy(b, x, n * sizeof *b);
  }
}
static nsds_status factor_umfpack(nsds_factor *factor, const int *p, const int *i,
                                  const double *x) {
  double info[UMFPACK_INFO];
  size_t n = (size_t)factor->n;
  nsds_status status = nsds_factor_work(factor, 2 * n, n);
  if (status) return status;
  umfpack_di_free_numeric(&factor->sparse->umf_numeric);
  int code = umfpack_di_numeric(p, i, x, factor->sparse->umf_symbolic, &factor->sparse->umf_numeric,
                                factor->sparse->control, info);
  if (code < 0) return umfpack_failure(factor, code);
  factor->solve = solve_umfpack;
  return nsds_factor_judge(factor,
                           code == UMFPACK_WARNING_singular_matrix ? 0.0 : info[UMFPACK_RCOND]);
}
#endif

static nsds_status klu_failure(nsds_factor *factor) {
  switch (factor->sparse->klu.status) {
  case KLU_SINGULAR: return nsds_factor_judge(factor, 0.0);
  case KLU_OUT_OF_MEMORY:
    return nsds_fail(factor->context, NSDS_ERROR_MEMORY, "out of memory for factors (KLU): %d rows",
                     factor->n);
  default:
    return nsds_fail(factor->context, NSDS_ERROR_ARGUMENT,
                     "sparse factorisation: KLU rejects the matrix (status %d)",
                     factor->sparse->klu.status);
  }
}

static nsds_status analyse(nsds_factor *factor, int n, int *p, int *i, const double *x,
                           uint64_t pattern) {
  drop_sparse(factor->sparse);
  factor->sparse->symbolic = klu_analyze(n, p, i, &factor->sparse->klu);
  if (!factor->sparse->symbolic) return klu_failure(factor);
  enum { entry = sizeof(double) + sizeof(int) };
  factor->sparse->operations = factor->sparse->symbolic->est_flops;
  factor->sparse->bytes = entry * (factor->sparse->symbolic->lnz + factor->sparse->symbolic->unz);
#if NSDS_HAVE_UMFPACK
  double fill = factor->sparse->symbolic->lnz + factor->sparse->symbolic->unz;
  if (n > heavy_fill_rows && fill > (double)heavy_fill_per_row * n) {
    nsds_status status = analyse_umfpack(factor, n, p, i, x);
    if (status) return status;
  }
#else
  (void)x;
#endif
  factor->sparse->pattern = pattern;
  return NSDS_OK;
}

/* Returns true if A y = b is solved within the limit, for an irregular b. On b = (1, .., 1) similar
 * rows may cancel. */
static bool probe_klu(nsds_factor *factor, const int *p, const int *i, const double *x) {
  int n = factor->n;
  double *y = factor->work, *r = y + n, *terms = r + n;
  for (int k = 0; k < n; ++k) {
    double multiple = irregular * k;
    y[k] = r[k] = terms[k] = 1.0 + multiple - floor(multiple);
  }
  klu_solve(factor->sparse->symbolic, factor->sparse->numeric, n, 1, y, &factor->sparse->klu);
  for (int j = 0; j < n; ++j)
    for (int k = p[j]; k < p[j + 1]; ++k) {
      double term = x[k] * y[j];
      r[i[k]] -= term;
      terms[i[k]] += fabs(term);
    }
  for (int k = 0; k < n; ++k)
    if (!(fabs(r[k]) <= error_limit * terms[k])) return false;
  return true;
}

/* Computes numbers with the old pivots; false if accuracy was lost. */
static bool refactor_klu(nsds_factor *factor, int *p, int *i, double *x) {
  klu_common *common = &factor->sparse->klu;
  return klu_refactor(p, i, x, factor->sparse->symbolic, factor->sparse->numeric, common) &&
         common->status == KLU_OK &&
         klu_rcond(factor->sparse->symbolic, factor->sparse->numeric, common) &&
         common->rcond >= nsds_least_rcond(factor->n) && probe_klu(factor, p, i, x);
}

static void solve_klu(nsds_factor *factor, int nrhs, double *b) {
  klu_solve(factor->sparse->symbolic, factor->sparse->numeric, factor->n, nrhs, b,
            &factor->sparse->klu);
}

static nsds_status factor_klu(nsds_factor *factor, int *p, int *i, double *x) {
  klu_common *common = &factor->sparse->klu;
  nsds_status status = nsds_factor_work(factor, 3 * (size_t)factor->n, 0);
  if (status) return status;
  common->scale = factor->balanced ? klu_as_it_is : klu_by_largest;
  factor->solve = solve_klu;
  bool kept = factor->sparse->numeric && refactor_klu(factor, p, i, x);
  factor->lost_pivots = factor->sparse->numeric && !kept;
  if (kept) return nsds_factor_judge(factor, common->rcond);
  klu_free_numeric(&factor->sparse->numeric, common);
  factor->sparse->numeric = klu_factor(p, i, x, factor->sparse->symbolic, common);
  if (!factor->sparse->numeric) return klu_failure(factor);
  klu_rcond(factor->sparse->symbolic, factor->sparse->numeric, common);
  return nsds_factor_judge(factor, common->rcond);
}

nsds_status nsds_factor_reserve_csc(nsds_factor *factor, int n) {
  size_t m = (size_t)n, most = nsds_tridiagonal_work > 2 ? nsds_tridiagonal_work : 2;
  nsds_status status = factor_open_sparse(factor);
  return status ? status : nsds_factor_work(factor, most * m, m);
}

static void solve_tridiagonal(nsds_factor *factor, int nrhs, double *b) {
  for (int k = 0; k < nrhs; ++k)
    nsds_tridiagonal_solve(&factor->tridiagonal, b + (size_t)k * (size_t)factor->n);
}

nsds_status nsds_factor_csc(nsds_factor *factor, int n, const int *p, const int *i, const double *x,
                            uint64_t pattern) {
  factor->solve = NULL;
  factor->n = n;
  if (n == 0) return nsds_factor_judge(factor, 1.0);
  if (p[n] <= 3 * (long)n) {
    double rcond;
    nsds_status status = nsds_factor_work(factor, (size_t)n * nsds_tridiagonal_work, 0);
    if (status) return status;
    if (nsds_tridiagonal_factor(&factor->tridiagonal, n, p, i, x, factor->work, &rcond)) {
      factor->solve = solve_tridiagonal;
      return nsds_factor_judge(factor, rcond);
    }
  }
  /* KLU's interface lacks const; it does not write to p, i, x. */
  int *pk = (int *)(uintptr_t)p, *ik = (int *)(uintptr_t)i;
  double *xk = (double *)(uintptr_t)x;
  nsds_status opened = factor_open_sparse(factor);
  if (opened) return opened;
  if (pattern == 0 || pattern != factor->sparse->pattern) {
    nsds_status status = analyse(factor, n, pk, ik, xk, pattern);
    if (status) return status;
  }
  double operations = factor->sparse->operations;
  bool too_many = factor->most_operations > 0.0 && operations > factor->most_operations;
  if (too_many || !nsds_factor_may_begin(factor, operations, factor->sparse->bytes))
    return nsds_factor_judge(factor, 0.0);
  double begin = nsds_factor_begins(factor, operations);
#if NSDS_HAVE_UMFPACK
  nsds_status status = factor->sparse->umf_symbolic ? factor_umfpack(factor, p, i, x)
                                                    : factor_klu(factor, pk, ik, xk);
#else
  nsds_status status = factor_klu(factor, pk, ik, xk);
#endif
  nsds_factor_ends(factor, operations, begin);
  return status;
}

void nsds_factor_limit(nsds_factor *factor, double most_operations) {
  factor->most_operations = most_operations;
}

void nsds_factor_expect_balanced(nsds_factor *factor) { factor->balanced = true; }

bool nsds_factor_lost_pivots(const nsds_factor *factor) { return factor->lost_pivots; }

void nsds_factor_renew_pivots(nsds_factor *factor) {
  if (factor->sparse) klu_free_numeric(&factor->sparse->numeric, &factor->sparse->klu);
}

nsds_status nsds_factor_columns(nsds_factor *factor, bool dense, bool definite, int n, const int *p,
                                const int *i, const double *x, uint64_t pattern) {
  if (dense) return nsds_factor_load(factor, definite, n, NULL, p, i, x);
  return (definite ? nsds_cholesky_csc : nsds_factor_csc)(factor, n, p, i, x, pattern);
}

void nsds_factor_solve(nsds_factor *factor, int nrhs, double *b) {
  if (factor->solve) factor->solve(factor, nrhs, b);
}
