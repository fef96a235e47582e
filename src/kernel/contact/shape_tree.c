/*
 * A binary tree of boxes. A node cuts its items at the median along the side on which their centers
 * are farthest apart. So the tree is balanced for any places. Children stand behind their parent.
 *
 * Source: C. Ericson, Real-Time Collision Detection (2005), sec. 6.2.
 */
#include "kernel/contact/shape_tree.h"

#include "base/context.h"
#include "kernel/contact/shape_set.h"

enum { in_leaf = 4 };

void nsds_shape_tree_release(nsds_shape_tree *tree, nsds_context *context) {
  nsds_release(context, tree->node);
  nsds_release(context, tree->item);
}

static void join(nsds_tree_node *node, const double *lo, const double *hi) {
  for (int i = 0; i < 3; ++i) {
    node->lo[i] = fmin(node->lo[i], lo[i]);
    node->hi[i] = fmax(node->hi[i], hi[i]);
  }
}

/* The side on which the centers are farthest apart. */
static int longest_side(const nsds_piece *piece, const int *item, int count) {
  int side = 0;
  double longest = -1.0;
  for (int i = 0; i < 3; ++i) {
    double lo = INFINITY, hi = -INFINITY;
    for (int k = 0; k < count; ++k) {
      lo = fmin(lo, piece[item[k]].core->at[i]);
      hi = fmax(hi, piece[item[k]].core->at[i]);
    }
    if (hi - lo > longest) longest = hi - lo, side = i;
  }
  return side;
}

/* Puts the item of rank `middle` at its place, smaller ones before and larger ones behind it. */
static void select_median(const nsds_piece *piece, int *item, int count, int middle, int side) {
  int first = 0, last = count - 1;
  while (first < last) {
    double pivot = piece[item[(first + last) / 2]].core->at[side];
    int i = first, j = last;
    while (i <= j) {
      while (piece[item[i]].core->at[side] < pivot) ++i;
      while (piece[item[j]].core->at[side] > pivot) --j;
      if (i > j) break;
      int other = item[i];
      item[i++] = item[j];
      item[j--] = other;
    }
    if (middle <= j) last = j;
    else if (middle >= i) first = i;
    else return;
  }
}

/* Builds the tree of `count` items from `first` on. */
static void grow(nsds_shape_tree *tree, const nsds_piece *piece, int first, int count) {
  int at = tree->nnode++;
  if (count <= in_leaf) {
    tree->node[at].first = first;
    tree->node[at].count = count;
    return;
  }
  int half = count / 2, *item = tree->item + first;
  select_median(piece, item, count, half, longest_side(piece, item, count));
  grow(tree, piece, first, half);
  tree->node[at].first = tree->nnode;
  tree->node[at].count = 0;
  grow(tree, piece, first + half, count - half);
}

nsds_status nsds_shape_tree_build(nsds_shape_tree *tree, nsds_context *context,
                                  const nsds_piece *piece, int count) {
  size_t n = (size_t)count;
  nsds_status status =
      nsds_grow(context, &tree->node, &tree->node_capacity, 2 * n + 1, sizeof *tree->node);
  if (!status) status = nsds_grow(context, &tree->item, &tree->item_capacity, n + 1, sizeof(int));
  if (status) return status;
  for (int k = 0; k < count; ++k) tree->item[k] = k;
  tree->nnode = 0;
  tree->moved = 0;
  if (count > 0) grow(tree, piece, 0, count);
  nsds_shape_tree_refit(tree, piece);
  return NSDS_OK;
}

void nsds_shape_tree_refit(nsds_shape_tree *tree, const nsds_piece *piece) {
  ++tree->moved;
  for (int at = tree->nnode - 1; at >= 0; --at) {
    nsds_tree_node *node = &tree->node[at];
    for (int i = 0; i < 3; ++i) node->lo[i] = INFINITY, node->hi[i] = -INFINITY;
    for (int k = 0; k < node->count; ++k) {
      const nsds_core *core = piece[tree->item[node->first + k]].core;
      join(node, core->lo, core->hi);
    }
    if (node->count > 0) continue;
    join(node, node[1].lo, node[1].hi);
    join(node, tree->node[node->first].lo, tree->node[node->first].hi);
  }
}
