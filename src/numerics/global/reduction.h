/*
 * The local problem of a global one: u = W r + q with W = H^T A H, A = M^-1 without equality rows
 * and otherwise v = A f the velocities that keep them. W is kept in factors by clusters, so that
 * block methods work on the velocities and W is never formed: H_ac and Y_ca = A_c H_ac^T for block
 * a and cluster c. Where a cluster has no more local rows than velocities, as one of finite
 * elements with few contacts, the local velocities of its rows stand in place of its own: Y_ca is
 * then the part of W itself, and H_ac picks its rows. Compressed columns are made of the factors.
 */
#ifndef NSDS_SRC_REDUCTION_H
#define NSDS_SRC_REDUCTION_H

#include "numerics/global/saddle.h"

/* A local row within one cluster: entries first .. first + count - 1 of H in `entry` and `x`. */
typedef struct nsds_reduction_piece {
  int row, cluster;
  int first, count;
  int edge; /* of the factored form */
} nsds_reduction_piece;

/*
 * The parts of a global problem that M and G leave apart (a body; bodies tied by joints), and how H
 * meets them. Velocities of a cluster are numbered from 0 in increasing order.
 */
typedef struct nsds_clusters {
  int count;
  int *of;     /* nv: cluster of each velocity */
  int *local;  /* nv: its number within the cluster */
  int *start;  /* count + 1: velocities of cluster c are member[start[c]] .. */
  int *member; /* nv */
  int npiece;
  nsds_reduction_piece *piece; /* by row */
  int *row_piece;              /* n + 1: pieces of each row */
  int *first;                  /* count + 1: pieces of cluster c are list[first[c]] .. */
  int *list;                   /* npiece, rows increasing within a cluster */
  int *begin;                  /* count + 1: coordinates of cluster c are columns begin[c] .. */
  int *entry;                  /* entries of H ordered by piece: velocity within the cluster */
  double *x;                   /* and value */
  uint64_t *sum;               /* nv: work */
  int *mark;                   /* nv: work */
} nsds_clusters;

typedef struct nsds_reduction {
  nsds_elimination elimination;
  nsds_clusters clusters;
  nsds_problem problem; /* the local one, of the arrays below */
  nsds_factored factored;
  uint64_t made;     /* stamp of the factored form; 0: none */
  nsds_block *block; /* rows that stand alone are blocks of their own */
  double *q, *q_error;
  int *row, *block_of; /* n + 1, n: first row of each block, block of each row */
  int *first_edge;     /* factored */
  nsds_edge *edge;
  double *value; /* of H and Y in the edges */
  int *p, *i;    /* compressed columns */
  double *x;
  double *v;        /* nv + p: work */
  int *mark, *work; /* nv: work; of the compressed columns */
} nsds_reduction;

nsds_status nsds_clusters_find(nsds_clusters *clusters, nsds_store *store,
                               const nsds_global_problem *problem);

/* Whether bodies are small, so that the factored form costs less than W. */
bool nsds_reduction_prefers_factors(const nsds_reduction *reduction);

/* Whether the form takes no more memory than it should without being asked for: nsds_dense_limit
 * entries a row, or those of a dense matrix of as many rows. */
bool nsds_reduction_fits(const nsds_reduction *reduction, bool factored);

/* The blocks: reduction->problem but for q and M. */
nsds_status nsds_reduction_open(nsds_reduction *reduction, nsds_store *store,
                                const nsds_global_problem *problem);

/* u = H^T v + w; with v without reactions it is q. error (NULL: not wanted): its rounding. */
void nsds_global_local(const nsds_global_problem *problem, const double *v, double *u,
                       double *error);

/* M, with this stamp; nothing is to be done where it has it. M and G are factored, the clusters
 * found. */
nsds_status nsds_reduction_operator(nsds_reduction *reduction, nsds_store *store,
                                    const nsds_global_problem *problem, bool factored,
                                    uint64_t stamp);

#endif
