/* Tests of symmetric positive definiteness, by Cholesky factors or by pivots on the diagonal. */
#include "numerics/linear/definite.h"

#include "base/context.h"
#include "numerics/linear/cholesky.h"
#include "numerics/linear/factor.h"
#include "numerics/linear/factor_dense.h"

#if !NSDS_HAVE_CHOLMOD
#include <klu.h>

/* Returns true if all pivots of P A P^T = L U lie on the diagonal, are positive and not too far
 * apart. */
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

/* Checks by KLU, whose interface lacks const; it does not write to the matrix. */
static nsds_status check_csc(nsds_context *context, int n, const int *p, const int *i,
                             const double *x) {
  if (n == 0) return NSDS_OK; /* KLU needs at least one row */
  int *columns = (void *)(uintptr_t)p, *rows = (void *)(uintptr_t)i;
  klu_common common;
  klu_defaults(&common);
  common.btf = 0; /* one block, ordered symmetrically by AMD */
  common.ordering = 0;
  common.scale = -1;
  common.tol = 0.0; /* pivots stay on the diagonal unless zero */
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

nsds_status nsds_factor_definite(nsds_factor *factor, int n, const int *p, const int *i,
                                 const double *x, uint64_t pattern) {
#if !NSDS_HAVE_CHOLMOD
  if (p) return check_csc(factor->context, n, p, i, x);
#endif
  return p ? nsds_cholesky_csc(factor, n, p, i, x, pattern)
           : nsds_factor_load(factor, true, n, x, NULL, NULL, NULL);
}

nsds_status nsds_check_definite(nsds_context *context, int n, const int *p, const int *i,
                                const double *x) {
  nsds_factor *factor = nsds_factor_create(context);
  nsds_status status = factor ? nsds_factor_definite(factor, n, p, i, x, 0) : NSDS_ERROR_MEMORY;
  nsds_factor_destroy(factor);
  return status;
}
