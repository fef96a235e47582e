/* Components of a graph by union-find, parent[k] = k at first (Tarjan & van Leeuwen: J. ACM 31,
 * 1984). */
#ifndef NSDS_SRC_UNION_FIND_H
#define NSDS_SRC_UNION_FIND_H

#include <stdbool.h>

/* Returns the root of k, the smallest member of its component. */
static inline int nsds_root(int *parent, int k) {
  while (parent[k] != k) k = parent[k] = parent[parent[k]];
  return k;
}

/* Joins two components; false if they were one already. */
static inline bool nsds_unite(int *parent, int a, int b) {
  a = nsds_root(parent, a);
  b = nsds_root(parent, b);
  parent[a > b ? a : b] = a > b ? b : a;
  return a != b;
}

#endif
