/*
 * The path of complementary pivots of one dense problem, see pivot_path.c.
 */
#ifndef NSDS_SRC_PIVOT_PATH_H
#define NSDS_SRC_PIVOT_PATH_H

#include "basic_system.h"
#include "lcp_form.h"
#include "solver_internal.h"

typedef struct nsds_pivot_path {
  nsds_lcp_form form;
  nsds_basic_system last; /* the system of the last basis */
  double *memory;         /* tableau, A, vectors */
  int *index;
  unsigned char *flag; /* 4 n: free rows, flipped pairs, x that are basic, y that are not */
  size_t memory_capacity, index_capacity, flag_capacity;
} nsds_pivot_path;

/* Memory for a form of n rows. */
nsds_status nsds_pivot_path_reserve(nsds_context *context, nsds_pivot_path *path, int n);

/* Solves a problem with dense M into z; adds to the counts of info and sets its outcome. z is
 * written only where that is NSDS_SOLVED. From a vertex: Cao & Ferris; otherwise Lemke. */
nsds_status nsds_pivot_path_solve(nsds_solver *solver, nsds_pivot_path *path,
                                  const nsds_problem *problem, bool from_vertex, int limit,
                                  double *z, nsds_solver_info *info);

void nsds_pivot_path_release(nsds_context *context, nsds_pivot_path *path);

#endif
