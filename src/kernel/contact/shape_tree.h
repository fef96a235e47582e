/*
 * A tree of boxes around cores, for questions about shapes: which ones may a ray, or a point, meet?
 */
#ifndef NSDS_SRC_SHAPE_TREE_H
#define NSDS_SRC_SHAPE_TREE_H

#include "kernel/contact/core.h"

struct nsds_piece;

/* A leaf has `count` items from `first` on. Another node has its two children at the next place and
 * at `first`, and count 0. */
typedef struct nsds_tree_node {
  double lo[3], hi[3];
  int first, count;
} nsds_tree_node;

typedef struct nsds_shape_tree {
  nsds_tree_node *node;
  int *item; /* numbers of pieces */
  int nnode;
  long moved;  /* refits since it was built */
  uint64_t of; /* the listing of pieces that it was built for; 0: none */
  size_t node_capacity, item_capacity;
} nsds_shape_tree;

enum { nsds_tree_depth = 64 };

/* Builds the tree around the present places of the cores. */
nsds_status nsds_shape_tree_build(nsds_shape_tree *tree, nsds_context *context,
                                  const struct nsds_piece *piece, int count);
/* Keeps the tree and computes its boxes anew. */
void nsds_shape_tree_refit(nsds_shape_tree *tree, const struct nsds_piece *piece);
void nsds_shape_tree_release(nsds_shape_tree *tree, nsds_context *context);

#endif
