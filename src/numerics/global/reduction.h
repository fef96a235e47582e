/*
 * The local problem of a global one: u = W r + q with W = H^T A H. Without equality rows A = M^-1;
 * otherwise v = A f are the velocities that keep them. W is kept in factors by clusters: H_ac and
 * Y_ca = A_c H_ac^T for block a and cluster c. Block methods work on the velocities, and W is never
 * formed.
 *
 * A cluster may have no more local rows than velocities, such as a cluster of finite elements with
 * few contacts. The local velocities of its rows then replace its own: Y_ca is a part of W itself,
 * and H_ac picks the rows. Compressed columns are made from the factors.
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
 * The parts of a global problem that M and G do not connect (a body; bodies tied by joints), and
 * the pieces of H in each. Velocities of a cluster are numbered from 0 in increasing order.
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
  nsds_problem problem; /* the local problem, made of the arrays below */
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

/* Returns true if bodies are small, so that the factored form costs less than W. */
bool nsds_reduction_prefers_factors(const nsds_reduction *reduction);

/* Returns true if the form needs at most nsds_dense_limit entries a row, or no more than a dense
 * matrix with as many rows. More memory is used only on request. */
bool nsds_reduction_fits(const nsds_reduction *reduction, bool factored);

/* Makes the blocks: reduction->problem without q and M. */
nsds_status nsds_reduction_open(nsds_reduction *reduction, nsds_store *store,
                                const nsds_global_problem *problem);

/* Computes q of the local problem, and its rounding, from v and lambda without reactions. */
void nsds_reduction_constant(nsds_reduction *reduction, const nsds_global_problem *problem,
                             const double *v, const double *lambda);

/* Computes u = H^T v + w. `error` gets its rounding (NULL: not wanted). */
void nsds_global_local(const nsds_global_problem *problem, const double *v, double *u,
                       double *error);

/* Makes M and gives it this stamp; returns at once if M has the stamp. Needs the factors of M and G
 * and the clusters. */
nsds_status nsds_reduction_operator(nsds_reduction *reduction, nsds_store *store,
                                    const nsds_global_problem *problem, bool factored,
                                    uint64_t stamp);

#endif
