/* The check of a global problem. Every message names the field, its value and the valid values. */
#include "base/context.h"
#include "numerics/linear/matrix.h"
#include "numerics/problem.h"

#include <nsds/global.h>

/* Largest |M_ij - M_ji| relative to sqrt(M_ii M_jj). Files with few digits and assembled matrices
 * differ by less. */
static const double asymmetry = 1e-6;

static nsds_status global_check_pair(const nsds_subject *s, const nsds_matrix *M, int i, int j) {
  double x = nsds_matrix_entry(M, i, j), other = nsds_matrix_entry(M, j, i);
  if (x == other || fabs(x - other) <= asymmetry * sqrt(nsds_matrix_entry(M, i, i)) *
                                           sqrt(nsds_matrix_entry(M, j, j)))
    return NSDS_OK;
  return nsds_refuse(s, NSDS_ERROR_VALUE, "M(%d,%d) is %g, M(%d,%d) is %g; M must be symmetric", i,
                     j, x, j, i, other);
}

static nsds_status check_symmetric(const nsds_subject *s, const nsds_matrix *M) {
  nsds_status status = NSDS_OK;
  for (int j = 0; j < M->n; ++j)
    if (!(nsds_matrix_entry(M, j, j) > 0.0))
      return nsds_refuse(s, NSDS_ERROR_VALUE, "M(%d,%d) is %g; M must be positive definite", j, j,
                         nsds_matrix_entry(M, j, j));
  for (int j = 0; j < M->n; ++j) {
    bool dense = M->storage == NSDS_DENSE;
    for (int k = dense ? 0 : M->p[j]; k < (dense ? j : M->p[j + 1]) && !status; ++k)
      status = global_check_pair(s, M, dense ? k : M->i[k], j);
  }
  return status;
}

static nsds_status check_mass(const nsds_subject *s, const nsds_matrix *M, int nv) {
  if (M->n != nv)
    return nsds_refuse(s, NSDS_ERROR_SIZE, "M.n is %d, but nv is %d; they must be equal", M->n, nv);
  if (M->storage != NSDS_DENSE && M->storage != NSDS_CSC)
    return nsds_refuse(s, NSDS_ERROR_UNSUPPORTED,
                       "M.storage is %d; it must be NSDS_DENSE or NSDS_CSC", (int)M->storage);
  nsds_status status = nsds_check_matrix(s, M);
  return status ? status : check_symmetric(s, M);
}

static nsds_status check_sparse(const nsds_subject *s, const char *name, const nsds_csc *A,
                                int nrow, int ncolumn, const char *columns) {
  if (A->ncol != ncolumn || (ncolumn > 0 && A->nrow != nrow))
    return nsds_refuse(s, NSDS_ERROR_SIZE, "%s is %d x %d, but nv is %d and %s is %d", name,
                       A->nrow, A->ncol, nrow, columns, ncolumn);
  return ncolumn > 0 ? nsds_check_columns(s, name, nrow, ncolumn, A->p, A->i, A->x) : NSDS_OK;
}

nsds_status nsds_global_check(nsds_context *context, const nsds_global_problem *problem) {
  const nsds_subject s = {.context = context, .of = "nsds_global_problem: "};
  if (!problem) return nsds_fail_null(context, "nsds_global_check", "problem");
  int nv = problem->nv, n = problem->n, p = problem->p;
  if (nv < 0 || n < 0 || p < 0 || problem->nblock < 0)
    return nsds_refuse(&s, NSDS_ERROR_SIZE,
                       "nv is %d, n is %d, p is %d and nblock is %d; none may be negative", nv, n,
                       p, problem->nblock);
  nsds_status status = nsds_check_blocks(&s, problem->nblock, problem->block, n);
  if (!status) status = check_mass(&s, &problem->M, nv);
  if (!status) status = check_sparse(&s, "H", &problem->H, nv, n, "n");
  if (!status) status = check_sparse(&s, "G", &problem->G, nv, p, "p");
  if (!status) status = nsds_check_numbers(&s, "f", problem->f, nv);
  if (!status) status = nsds_check_numbers(&s, "w", problem->w, n);
  return status ? status : nsds_check_numbers(&s, "b", problem->b, p);
}
