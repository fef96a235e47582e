/* The tree of a plan: bodies that move in joint coordinates, see plan_tree.c. */
#ifndef NSDS_SRC_LIFTING_H
#define NSDS_SRC_LIFTING_H

#include "kernel/assembly/plan.h"
#include "tree/tree_step.h"

struct nsds_plan_tree {
  nsds_tree_step *step;
  int *number;                   /* of each slot: its body in the tree, or -1 */
  bool loops;                    /* equalities act on bodies of the tree alone */
  bool unshown;                  /* gaps of its joints are not those of the state */
  double *load;                  /* input matrix of an interaction */
  double *rest;                  /* 6 by bodies: impulses on them but for those of rows */
  int most_edges, most_unknowns; /* of a contact of two bodies */
};

#endif
