/* The tree of a plan: bodies that move in joint coordinates, see plan_tree.c. */
#ifndef NSDS_SRC_LIFTING_H
#define NSDS_SRC_LIFTING_H

#include "kernel/assembly/plan.h"
#include "tree/tree_step.h"

struct nsds_plan_tree {
  nsds_tree_step *step;
  int *number;                   /* of each slot: its body in the tree, or -1 */
  int passes;                    /* of this step so far */
  bool kept;                     /* this pass has the matrices of an earlier one */
  uint64_t stamp;                /* of the problem whose edges are by these matrices */
  double *curved;                /* 6 by bodies: v^k - J u^k of the iterate */
  bool loops;                    /* equalities act on bodies of the tree alone */
  bool unshown;                  /* gaps of its joints are not those of the state */
  double *load;                  /* input matrix of an interaction */
  double *rest;                  /* 6 by bodies: impulses on them but for those of rows */
  int most_edges, most_unknowns; /* of a contact of two bodies */
};

/* Returns true if the next pass of the step keeps the matrices of an earlier one. After many passes
 * the matrices are made anew. */
static inline bool nsds_plan_tree_keeps(const nsds_plan_tree *t) {
  enum { many = 8 };
  return t->passes % many != 0;
}

#endif
