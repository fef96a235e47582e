/*
 * The check of a one-step nonsmooth problem: every message names the field, its value and what
 * would be valid.
 */
#include "problem_check.h"
#include "polyhedron.h"

#include <limits.h>

/* ---- the sets ---- */

static nsds_status check_finite(nsds_context *context, const char *field, const double *x, int n) {
  int bad = nsds_first_nonfinite(x, n);
  if (bad < 0) return NSDS_OK;
  return nsds_fail(context, NSDS_ERROR_VALUE, "nsds_problem: %s[%d] is %g; it must be finite",
                   field, bad, x[bad]);
}

static nsds_status check_coefficient(nsds_context *context, int a, const char *field, double x) {
  if (isfinite(x) && x >= 0.0) return NSDS_OK;
  return nsds_fail(context, NSDS_ERROR_VALUE,
                   "nsds_problem: block[%d].%s is %g; it must be finite and not negative", a, field,
                   x);
}

static nsds_status check_size(nsds_context *context, int a, const nsds_block *block, bool valid,
                              const char *sizes) {
  if (valid) return NSDS_OK;
  return nsds_fail(context, NSDS_ERROR_SIZE,
                   "nsds_problem: block[%d].size is %d; with this set it must be %s", a,
                   block->size, sizes);
}

static nsds_status check_box(nsds_context *context, int a, const nsds_block *block) {
  if (block->size > 0 && (!block->lower || !block->upper))
    return nsds_fail(context, NSDS_ERROR_ARGUMENT, "nsds_problem: block[%d].%s is NULL", a,
                     block->lower ? "upper" : "lower");
  for (int i = 0; i < block->size; ++i) {
    double l = block->lower[i], u = block->upper[i];
    if (l <= u && l < INFINITY && u > -INFINITY) continue;
    return nsds_fail(
        context, NSDS_ERROR_VALUE,
        "nsds_problem: block[%d] has lower[%d] = %g and upper[%d] = %g; valid is lower "
        "<= upper, neither a number that leaves no finite value",
        a, i, l, i, u);
  }
  return NSDS_OK;
}

static nsds_status check_polyhedron(nsds_context *context, int a, const nsds_block *block) {
  double x[NSDS_COUPLED_ROWS] = {0.0};
  int most = block->size > 0 ? INT_MAX / block->size : INT_MAX;
  if (block->nfacet < 0 || block->nfacet > most)
    return nsds_fail(context, NSDS_ERROR_SIZE,
                     "nsds_problem: block[%d].nfacet is %d; valid is 0 to %d", a, block->nfacet,
                     most);
  if (block->nfacet > 0 && (!block->H || !block->K))
    return nsds_fail(context, NSDS_ERROR_ARGUMENT, "nsds_problem: block[%d].%s is NULL", a,
                     block->H ? "K" : "H");
  nsds_status status = check_finite(context, "block.H", block->H, block->nfacet * block->size);
  if (!status) status = check_finite(context, "block.K", block->K, block->nfacet);
  if (status || nsds_polyhedron_project(block, NULL, x, x, NULL)) return status;
  return nsds_fail(context, NSDS_ERROR_VALUE,
                   "nsds_problem: block[%d] has no point: no z satisfies its H z >= K", a);
}

static nsds_status check_set(nsds_context *context, int a, const nsds_block *block) {
  int m = block->size;
  nsds_status status = NSDS_OK;
  switch (block->set) {
  case NSDS_SET_EQUALITY:
  case NSDS_SET_NONNEGATIVE: return NSDS_OK;
  case NSDS_SET_BOX: return check_box(context, a, block);
  case NSDS_SET_DISC:
    status = check_size(context, a, block, m >= 1 && m <= NSDS_COUPLED_ROWS, "1 to 32");
    return status ? status : check_coefficient(context, a, "radius", block->radius);
  case NSDS_SET_CONE:
    status = check_size(context, a, block, m >= 1 && m <= NSDS_COUPLED_ROWS, "1 to 32");
    return status ? status : check_coefficient(context, a, "mu", block->mu);
  case NSDS_SET_COULOMB:
    status = check_size(context, a, block, m == 2 || m == 3, "2 or 3");
    return status ? status : check_coefficient(context, a, "mu", block->mu);
  case NSDS_SET_ROLLING:
    status = check_size(context, a, block, m == 3 || m == 5, "3 or 5");
    if (!status) status = check_coefficient(context, a, "mu", block->mu);
    return status ? status : check_coefficient(context, a, "mu_rolling", block->mu_rolling);
  case NSDS_SET_POLYHEDRON:
    status = check_size(context, a, block, m <= NSDS_COUPLED_ROWS, "at most 32");
    return status ? status : check_polyhedron(context, a, block);
  }
  return nsds_fail(context, NSDS_ERROR_UNSUPPORTED,
                   "nsds_problem: block[%d].set is %d; it must be one of the values of nsds_set", a,
                   (int)block->set);
}

nsds_status nsds_check_blocks(nsds_context *context, int nblock, const nsds_block *blocks, int n) {
  long rows = 0;
  if (nblock > 0 && !blocks)
    return nsds_fail(context, NSDS_ERROR_ARGUMENT, "nsds_problem: block is NULL");
  for (int a = 0; a < nblock; ++a) {
    const nsds_block *block = &blocks[a];
    if (block->size < 0)
      return nsds_fail(context, NSDS_ERROR_SIZE,
                       "nsds_problem: block[%d].size is %d; it must not be negative", a,
                       block->size);
    nsds_status status = check_set(context, a, block);
    if (status) return status;
    rows += block->size;
  }
  if (rows != n)
    return nsds_fail(context, NSDS_ERROR_SIZE,
                     "nsds_problem: the block sizes sum to %ld, but n is %d", rows, n);
  return NSDS_OK;
}

/* ---- the matrix ---- */

static nsds_status check_dense(nsds_context *context, const nsds_matrix *M) {
  for (int j = 0; j < M->n; ++j) {
    const double *column = M->x + (size_t)j * (size_t)M->n;
    int bad = nsds_first_nonfinite(column, M->n);
    if (bad >= 0)
      return nsds_fail(context, NSDS_ERROR_VALUE, "nsds_problem: M(%d,%d) is %g; it must be finite",
                       bad, j, column[bad]);
  }
  return NSDS_OK;
}

static nsds_status check_csc(nsds_context *context, const nsds_matrix *M) {
  if (M->p[0] != 0)
    return nsds_fail(context, NSDS_ERROR_VALUE, "nsds_problem: M.p[0] is %d; it must be 0",
                     M->p[0]);
  for (int j = 0; j < M->n; ++j) {
    if (M->p[j + 1] < M->p[j])
      return nsds_fail(context, NSDS_ERROR_VALUE,
                       "nsds_problem: M.p[%d] is %d, smaller than M.p[%d], which is %d", j + 1,
                       M->p[j + 1], j, M->p[j]);
    for (int k = M->p[j]; k < M->p[j + 1]; ++k) {
      int least = k > M->p[j] ? M->i[k - 1] + 1 : 0;
      if (M->i[k] < least || M->i[k] >= M->n)
        return nsds_fail(context, NSDS_ERROR_VALUE,
                         "nsds_problem: M.i[%d] is %d in column %d; valid here is %d..%d "
                         "(increasing within a column)",
                         k, M->i[k], j, least, M->n - 1);
    }
  }
  return check_finite(context, "M.x", M->x, M->p[M->n]);
}

static nsds_status check_edge(nsds_context *context, const nsds_factored *f, int a, int k) {
  const nsds_edge *edge = &f->edge[k];
  if (edge->size < 0 || edge->column < 0 || edge->column > f->ncolumn - edge->size)
    return nsds_fail(context, NSDS_ERROR_SIZE,
                     "nsds_problem: M.factored.edge[%d] spans columns %d..%d; there are %d", k,
                     edge->column, edge->column + edge->size - 1, f->ncolumn);
  if (!edge->H || !edge->Y)
    return nsds_fail(context, NSDS_ERROR_ARGUMENT, "nsds_problem: M.factored.edge[%d].%s is NULL",
                     k, edge->H ? "Y" : "H");
  if (edge->size > INT_MAX / (f->row[a + 1] - f->row[a] + 1))
    return nsds_fail(context, NSDS_ERROR_SIZE,
                     "nsds_problem: M.factored.edge[%d].size is %d; with %d rows at most %d", k,
                     edge->size, f->row[a + 1] - f->row[a],
                     INT_MAX / (f->row[a + 1] - f->row[a] + 1));
  int count = (f->row[a + 1] - f->row[a]) * edge->size;
  int bad = nsds_first_nonfinite(edge->H, count);
  const double *x = bad >= 0 ? edge->H : edge->Y;
  if (bad < 0) bad = nsds_first_nonfinite(edge->Y, count);
  if (bad < 0) return NSDS_OK;
  return nsds_fail(context, NSDS_ERROR_VALUE,
                   "nsds_problem: M.factored.edge[%d].%s[%d] is %g; it must be finite", k,
                   x == edge->H ? "H" : "Y", bad, x[bad]);
}

static nsds_status check_factored(nsds_context *context, const nsds_matrix *M) {
  const nsds_factored *f = M->factored;
  if (!f->row || !f->first_edge || (!f->edge && f->first_edge[f->nrow_block] > 0))
    return nsds_fail(context, NSDS_ERROR_ARGUMENT, "nsds_problem: M.factored.%s is NULL",
                     !f->row          ? "row"
                     : !f->first_edge ? "first_edge"
                                      : "edge");
  if (f->nrow_block < 0 || f->row[0] != 0 || f->row[f->nrow_block] != M->n)
    return nsds_fail(context, NSDS_ERROR_SIZE,
                     "nsds_problem: M.factored.row spans %d rows, but n is %d",
                     f->nrow_block < 0 ? 0 : f->row[f->nrow_block] - f->row[0], M->n);
  for (int a = 0; a < f->nrow_block; ++a) {
    if (f->row[a + 1] < f->row[a] || f->first_edge[a + 1] < f->first_edge[a])
      return nsds_fail(context, NSDS_ERROR_VALUE,
                       "nsds_problem: M.factored.row or first_edge decreases after block row %d",
                       a);
    for (int k = f->first_edge[a]; k < f->first_edge[a + 1]; ++k) {
      nsds_status status = check_edge(context, f, a, k);
      if (status) return status;
    }
    if (f->D && f->D[a]) {
      int m = f->row[a + 1] - f->row[a];
      nsds_status status = check_finite(context, "M.factored.D", f->D[a], m * m);
      if (status) return status;
    }
  }
  return NSDS_OK;
}

/* Block k of block row a: its column, and its values. */
static nsds_status check_row_block(nsds_context *context, const nsds_block_rows *B, int a, int k) {
  int least = k > B->first[a] ? B->column[k - 1] + 1 : 0, b = B->column[k];
  if (b < least || b >= B->nrow_block)
    return nsds_fail(context, NSDS_ERROR_VALUE,
                     "nsds_problem: M.blocks.column[%d] is %d in block row %d; valid here is "
                     "%d..%d (increasing within a block row)",
                     k, b, a, least, B->nrow_block - 1);
  if (B->start[k] < 0)
    return nsds_fail(context, NSDS_ERROR_VALUE,
                     "nsds_problem: M.blocks.start[%d] is %d; it must not be negative", k,
                     B->start[k]);
  int m = B->row[a + 1] - B->row[a], bad = -1;
  for (int j = 0; bad < 0 && j < B->row[b + 1] - B->row[b]; ++j) {
    bad = nsds_first_nonfinite(B->x + B->start[k] + (size_t)j * (size_t)m, m);
    if (bad >= 0)
      return nsds_fail(context, NSDS_ERROR_VALUE, "nsds_problem: M(%d,%d) is %g; it must be finite",
                       B->row[a] + bad, B->row[b] + j, B->x[B->start[k] + j * m + bad]);
  }
  return NSDS_OK;
}

static nsds_status check_block_rows(nsds_context *context, const nsds_matrix *M) {
  const nsds_block_rows *B = M->blocks;
  if (B->nrow_block < 0)
    return nsds_fail(context, NSDS_ERROR_SIZE,
                     "nsds_problem: M.blocks.nrow_block is %d; it must not be negative",
                     B->nrow_block);
  int blocks = B->row && B->first ? B->first[B->nrow_block] : 0;
  if (!B->row || !B->first || (blocks > 0 && (!B->column || !B->start || !B->x)))
    return nsds_fail(context, NSDS_ERROR_ARGUMENT, "nsds_problem: M.blocks.%s is NULL",
                     !B->row      ? "row"
                     : !B->first  ? "first"
                     : !B->column ? "column"
                     : !B->start  ? "start"
                                  : "x");
  if (B->row[0] != 0 || B->row[B->nrow_block] != M->n || B->first[0] != 0)
    return nsds_fail(context, NSDS_ERROR_SIZE,
                     "nsds_problem: M.blocks.row spans %d..%d and first starts at %d; n is %d",
                     B->row[0], B->row[B->nrow_block], B->first[0], M->n);
  for (int a = 0; a < B->nrow_block; ++a)
    if (B->row[a + 1] < B->row[a] || B->first[a + 1] < B->first[a])
      return nsds_fail(context, NSDS_ERROR_VALUE,
                       "nsds_problem: M.blocks.row or first decreases after block row %d", a);
  for (int a = 0; a < B->nrow_block; ++a)
    for (int k = B->first[a]; k < B->first[a + 1]; ++k) {
      nsds_status status = check_row_block(context, B, a, k);
      if (status) return status;
    }
  return NSDS_OK;
}

nsds_status nsds_check_matrix(nsds_context *context, const nsds_matrix *M) {
  const char *missing = NULL;
  switch (M->storage) {
  case NSDS_DENSE:
    if (!M->x && M->n > 0) missing = "x";
    break;
  case NSDS_CSC:
    missing = !M->p ? "p" : M->p[M->n] > 0 && (!M->i || !M->x) ? "i or x" : NULL;
    break;
  case NSDS_FACTORED:
    if (!M->factored) missing = "factored";
    break;
  case NSDS_BLOCK_ROWS:
    if (!M->blocks) missing = "blocks";
    break;
  default:
    return nsds_fail(context, NSDS_ERROR_VALUE, "nsds_problem: M.storage is %d; no such storage",
                     (int)M->storage);
  }
  if (missing)
    return nsds_fail(context, NSDS_ERROR_ARGUMENT, "nsds_problem: M.%s is NULL", missing);
  switch (M->storage) {
  case NSDS_DENSE: return check_dense(context, M);
  case NSDS_CSC: return check_csc(context, M);
  case NSDS_BLOCK_ROWS: return check_block_rows(context, M);
  default: return check_factored(context, M);
  }
}

nsds_status nsds_problem_check(nsds_context *context, const nsds_problem *problem) {
  if (!problem) return nsds_fail_null(context, "nsds_problem_check", "problem");
  if (problem->n < 0 || problem->nblock < 0)
    return nsds_fail(context, NSDS_ERROR_SIZE,
                     "nsds_problem: n is %d and nblock is %d; neither may be negative", problem->n,
                     problem->nblock);
  if (problem->n > 0 && !problem->q)
    return nsds_fail(context, NSDS_ERROR_ARGUMENT, "nsds_problem: q is NULL");
  nsds_status status = nsds_check_blocks(context, problem->nblock, problem->block, problem->n);
  if (status) return status;
  if (problem->M.n != problem->n)
    return nsds_fail(context, NSDS_ERROR_SIZE, "nsds_problem: M.n is %d, but n is %d", problem->M.n,
                     problem->n);
  status = nsds_check_matrix(context, &problem->M);
  if (!status) status = check_finite(context, "q", problem->q, problem->n);
  if (status || !problem->q_error) return status;
  for (int i = 0; i < problem->n; ++i)
    if (!(problem->q_error[i] >= 0.0) || !isfinite(problem->q_error[i]))
      return nsds_fail(context, NSDS_ERROR_VALUE,
                       "nsds_problem: q_error[%d] is %g; it must be finite and not negative", i,
                       problem->q_error[i]);
  return NSDS_OK;
}
