/*
 * The path of complementary pivots of one sparse problem, see sparse_path.c.
 */
#ifndef NSDS_SRC_SPARSE_PATH_H
#define NSDS_SRC_SPARSE_PATH_H

#include "factor.h"
#include "lcp_form.h"
#include "solver_internal.h"

typedef struct nsds_sparse_path {
  nsds_lcp_form form;
  nsds_sparse_columns A;   /* of the form */
  nsds_sparse_columns B;   /* the basis that is factored */
  nsds_sparse_columns eta; /* the pivots since then: positions and entries of each column */
  nsds_factor *factor;
  uint64_t pattern; /* of the last B */
  double *memory;
  int *index;
  unsigned char *basic;
  size_t memory_capacity, index_capacity, basic_capacity;
} nsds_sparse_path;

/* Memory for a problem of any sparsity whose form has up to `rows` rows. */
nsds_status nsds_sparse_path_reserve(nsds_context *context, nsds_sparse_path *path,
                                     const nsds_problem *problem, int rows);

/* Solves a problem with M in CSC form into z, like nsds_pivot_path_solve(). */
nsds_status nsds_sparse_path_solve(nsds_solver *solver, nsds_sparse_path *path,
                                   const nsds_problem *problem, bool from_vertex, int limit,
                                   double *z, nsds_solver_info *info);

void nsds_sparse_path_release(nsds_context *context, nsds_sparse_path *path);

#endif
