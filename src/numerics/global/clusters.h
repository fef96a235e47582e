/*
 * The parts of a global problem that M and G leave apart (a body; bodies tied by joints), and how H
 * meets them. Velocities of a cluster are numbered from 0 in increasing order.
 */
#ifndef NSDS_SRC_CLUSTERS_H
#define NSDS_SRC_CLUSTERS_H

#include "store.h"

#include <nsds/global.h>

/* A local row within one cluster: entries first .. first + count - 1 of H in `local` and `x`. */
typedef struct nsds_piece {
  int row, cluster;
  int first, count;
} nsds_piece;

typedef struct nsds_clusters {
  int count;
  int *of;     /* nv: cluster of each velocity */
  int *local;  /* nv: its number within the cluster */
  int *start;  /* count + 1: velocities of cluster c are member[start[c]] .. */
  int *member; /* nv */
  int npiece;
  nsds_piece *piece; /* by row */
  int *row_piece;    /* n + 1: pieces of each row */
  int *first;        /* count + 1: pieces of cluster c are list[first[c]] .. */
  int *list;         /* npiece, rows increasing within a cluster */
  int *entry;        /* entries of H ordered by piece: velocity within the cluster */
  double *x;         /* and value */
  uint64_t *sum;     /* nv: work */
  int *mark;         /* nv: work */
} nsds_clusters;

nsds_status nsds_clusters_find(nsds_clusters *clusters, nsds_store *store,
                               const nsds_global_problem *problem);

/* Velocities of a cluster, its number of pieces. */
static inline int nsds_cluster_size(const nsds_clusters *t, int c) {
  return t->start[c + 1] - t->start[c];
}
static inline int nsds_cluster_pieces(const nsds_clusters *t, int c) {
  return t->first[c + 1] - t->first[c];
}

#endif
