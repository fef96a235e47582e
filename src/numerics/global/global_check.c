/*
 * The check of a global problem: every message names the field, its value and what would be valid.
 */
#include "problem_check.h"

#include <nsds/global.h>

#include <stdio.h>

/* Largest |M_ij - M_ji| beside sqrt(M_ii M_jj): more than files with few digits and assembled
 * matrices differ by. */
static const double asymmetry = 1e-6;

/* ---- M ---- */

static double entry(const nsds_matrix *M, int i, int j) {
  if (M->storage == NSDS_DENSE) return M->x[(size_t)i + (size_t)j * (size_t)M->n];
  int low = M->p[j], high = M->p[j + 1];
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (M->i[middle] < i) low = middle + 1;
    else high = middle;
  }
  return low < M->p[j + 1] && M->i[low] == i ? M->x[low] : 0.0;
}

static nsds_status check_pair(nsds_context *context, const nsds_matrix *M, int i, int j, double x) {
  double other = entry(M, j, i);
  if (x == other) return NSDS_OK;
  double size = sqrt(entry(M, i, i)) * sqrt(entry(M, j, j));
  if (fabs(x - other) <= asymmetry * size) return NSDS_OK;
  return nsds_fail(context, NSDS_ERROR_VALUE,
                   "nsds_global_problem: M(%d,%d) is %g, M(%d,%d) is %g; M must be symmetric", i, j,
                   x, j, i, other);
}

static nsds_status check_symmetric(nsds_context *context, const nsds_matrix *M) {
  nsds_status status = NSDS_OK;
  for (int j = 0; j < M->n && !status; ++j) {
    double diagonal = entry(M, j, j);
    if (!(diagonal > 0.0))
      return nsds_fail(context, NSDS_ERROR_VALUE,
                       "nsds_global_problem: M(%d,%d) is %g; M must be positive definite", j, j,
                       diagonal);
  }
  for (int j = 0; j < M->n && !status; ++j) {
    if (M->storage == NSDS_DENSE)
      for (int i = 0; i < j && !status; ++i) status = check_pair(context, M, i, j, entry(M, i, j));
    else
      for (int k = M->p[j]; k < M->p[j + 1] && !status; ++k)
        status = check_pair(context, M, M->i[k], j, M->x[k]);
  }
  return status;
}

static nsds_status check_mass(nsds_context *context, const nsds_global_problem *problem) {
  const nsds_matrix *M = &problem->M;
  if (M->n != problem->nv)
    return nsds_fail(context, NSDS_ERROR_SIZE, "nsds_global_problem: M.n is %d, but nv is %d", M->n,
                     problem->nv);
  if (M->storage != NSDS_DENSE && M->storage != NSDS_CSC)
    return nsds_fail(context, NSDS_ERROR_UNSUPPORTED,
                     "nsds_global_problem: M.storage is %d; it must be NSDS_DENSE or NSDS_CSC",
                     (int)M->storage);
  nsds_status status = nsds_check_matrix(context, M);
  return status ? status : check_symmetric(context, M);
}

/* ---- H and G ---- */

static nsds_status check_columns(nsds_context *context, const char *name, const nsds_sparse *A) {
  for (int j = 0; j < A->ncolumn; ++j)
    for (int k = A->p[j]; k < A->p[j + 1]; ++k) {
      int least = k > A->p[j] ? A->i[k - 1] + 1 : 0;
      if (A->i[k] < least || A->i[k] >= A->nrow)
        return nsds_fail(context, NSDS_ERROR_VALUE,
                         "nsds_global_problem: %s.i[%d] is %d in column %d; valid here is %d..%d "
                         "(increasing within a column)",
                         name, k, A->i[k], j, least, A->nrow - 1);
      if (!isfinite(A->x[k]))
        return nsds_fail(context, NSDS_ERROR_VALUE,
                         "nsds_global_problem: %s(%d,%d) is %g; it must be finite", name, A->i[k],
                         j, A->x[k]);
    }
  return NSDS_OK;
}

static nsds_status check_sparse(nsds_context *context, const char *name, const nsds_sparse *A,
                                int nrow, int ncolumn, const char *columns) {
  if (A->ncolumn != ncolumn || (ncolumn > 0 && A->nrow != nrow))
    return nsds_fail(context, NSDS_ERROR_SIZE,
                     "nsds_global_problem: %s is %d x %d, but nv is %d and %s is %d", name, A->nrow,
                     A->ncolumn, nrow, columns, ncolumn);
  if (ncolumn == 0) return NSDS_OK;
  if (!A->p)
    return nsds_fail(context, NSDS_ERROR_ARGUMENT, "nsds_global_problem: %s.p is NULL", name);
  char starts[16];
  snprintf(starts, sizeof starts, "%s.p", name);
  nsds_status status =
      nsds_check_starts(context, NSDS_ERROR_VALUE, "nsds_global_problem", starts, A->p, ncolumn);
  if (status) return status;
  if (A->p[ncolumn] > 0 && (!A->i || !A->x))
    return nsds_fail(context, NSDS_ERROR_ARGUMENT, "nsds_global_problem: %s.%s is NULL", name,
                     A->i ? "x" : "i");
  return check_columns(context, name, A);
}

/* ---- the whole ---- */

static nsds_status check_vector(nsds_context *context, const char *name, const double *x, int n) {
  if (n > 0 && !x)
    return nsds_fail(context, NSDS_ERROR_ARGUMENT, "nsds_global_problem: %s is NULL", name);
  int bad = nsds_first_nonfinite(x, n);
  if (bad < 0) return NSDS_OK;
  return nsds_fail(context, NSDS_ERROR_VALUE,
                   "nsds_global_problem: %s[%d] is %g; it must be finite", name, bad, x[bad]);
}

nsds_status nsds_global_check(nsds_context *context, const nsds_global_problem *problem) {
  if (!problem) return nsds_fail_null(context, "nsds_global_check", "problem");
  if (problem->nv < 0 || problem->n < 0 || problem->p < 0 || problem->nblock < 0)
    return nsds_fail(context, NSDS_ERROR_SIZE,
                     "nsds_global_problem: nv is %d, n is %d, p is %d and nblock is %d; none may "
                     "be negative",
                     problem->nv, problem->n, problem->p, problem->nblock);
  nsds_status status = nsds_check_blocks(context, problem->nblock, problem->block, problem->n);
  if (!status) status = check_mass(context, problem);
  if (!status) status = check_sparse(context, "H", &problem->H, problem->nv, problem->n, "n");
  if (!status) status = check_sparse(context, "G", &problem->G, problem->nv, problem->p, "p");
  if (!status) status = check_vector(context, "f", problem->f, problem->nv);
  if (!status) status = check_vector(context, "w", problem->w, problem->n);
  return status ? status : check_vector(context, "b", problem->b, problem->p);
}
