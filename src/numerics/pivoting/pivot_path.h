/*
 * The path of complementary pivots of one problem, see pivot_path.c.
 */
#ifndef NSDS_SRC_PIVOT_PATH_H
#define NSDS_SRC_PIVOT_PATH_H

#include "basic_system.h"
#include "lcp_form.h"
#include "product_form.h"
#include "solver_internal.h"

typedef struct nsds_pivot_path {
  nsds_lcp_form form;
  nsds_sparse_columns K; /* I, -A, -d: columns of y, x and x_0, scaled */
  nsds_product_form basis;
  nsds_basic_system last; /* the x of the last basis, dense */
  double *memory;
  int *index;
  unsigned char *basic;
  size_t memory_capacity, index_capacity, basic_capacity;
} nsds_pivot_path;

/* Memory for the dense form of a problem of this shape. */
nsds_status nsds_pivot_path_reserve(nsds_context *context, nsds_pivot_path *path,
                                    const nsds_problem *problem);

/* Solves a problem with M in CSC form into z; adds to the counts of info and sets its outcome. z is
 * written only where that is NSDS_SOLVED. From a vertex: Cao & Ferris; otherwise Lemke. `dense`: so
 * are the factors. */
nsds_status nsds_pivot_path_solve(nsds_solver *solver, nsds_pivot_path *path,
                                  const nsds_problem *problem, bool from_vertex, bool dense,
                                  int limit, double *z, nsds_solver_info *info);

void nsds_pivot_path_release(nsds_context *context, nsds_pivot_path *path);

#endif
