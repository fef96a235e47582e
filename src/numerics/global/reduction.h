/*
 * The local problem of a global one: u = W r + q with W = H^T A H, A = M^-1 without equality rows
 * and otherwise v = A f the velocities that keep them. W as compressed columns, or kept in factors
 * by clusters, H_ac and Y_ca = A_c H_ac^T for block a and cluster c, so that block methods work on
 * the velocities and W is never formed.
 */
#ifndef NSDS_SRC_REDUCTION_H
#define NSDS_SRC_REDUCTION_H

#include "clusters.h"
#include "elimination.h"

typedef struct nsds_reduction {
  nsds_elimination elimination;
  nsds_clusters clusters;
  nsds_problem problem; /* the local one, of the arrays below */
  nsds_factored factored;
  nsds_block *block; /* rows that stand alone are blocks of their own */
  double *q, *q_error;
  int *row, *first_edge, *piece_edge; /* factored */
  nsds_edge *edge;
  double *value; /* of H and Y in the edges */
  int *p, *i;    /* compressed columns */
  double *x;
  double *inverse; /* A_c of the clusters found by unit vectors */
  size_t *place;   /* where that of a cluster begins; SIZE_MAX: found by its pieces */
  double *v, *y;   /* nv + p, nv: work */
  int *mark;       /* nv + n: work */
  size_t block_capacity, q_capacity, q_error_capacity, row_capacity, first_edge_capacity;
  size_t piece_edge_capacity, edge_capacity, value_capacity, p_capacity, i_capacity, x_capacity;
  size_t inverse_capacity, place_capacity, v_capacity, y_capacity, mark_capacity;
} nsds_reduction;

/* Whether bodies are small, so that the factored form costs less than W. */
bool nsds_reduction_prefers_factors(const nsds_reduction *reduction);

/* Finds clusters. */
nsds_status nsds_reduction_open(nsds_reduction *reduction, nsds_context *context,
                                const nsds_global_problem *problem);

/* Whether the form takes no more memory than it should without being asked for: nsds_dense_limit
 * entries a row, or those of a dense matrix of as many rows. */
bool nsds_reduction_fits(const nsds_reduction *reduction, const nsds_global_problem *problem,
                         bool factored);

/* Fills block, row and problem.nblock, .n alone. */
nsds_status nsds_reduction_cut(nsds_reduction *reduction, nsds_context *context,
                               const nsds_global_problem *problem);

/* Fills reduction->problem but for q; M and G are factored, the clusters found. */
nsds_status nsds_reduction_operator(nsds_reduction *reduction, nsds_context *context,
                                    const nsds_global_problem *problem, bool factored);

/* q, from the velocities without reactions. */
void nsds_reduction_vector(nsds_reduction *reduction, const nsds_global_problem *problem,
                           const double *v);

void nsds_reduction_release(nsds_reduction *reduction, nsds_context *context);

#endif
