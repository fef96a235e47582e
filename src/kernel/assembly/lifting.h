/* The tree of a plan: bodies that move in joint coordinates, see plan_tree.c. */
#ifndef NSDS_SRC_LIFTING_H
#define NSDS_SRC_LIFTING_H

#include "kernel/assembly/plan.h"
#include "tree/tree_step.h"

struct nsds_plan_tree {
  nsds_tree_step *step;
  int *number;                   /* of each slot: its body in the tree, or -1 */
  int *leader;                   /* of each slot: the slot of the root of its robot, or itself */
  int passes;                    /* of this step so far */
  bool kept;                     /* this pass has the matrices of an earlier one */
  uint64_t stamp;                /* of the problem whose edges are by these matrices */
  double *curved;                /* 6 by bodies: v^k - J u^k of the iterate */
  bool grounded;                 /* a tree stands on the world by a joint */
  bool loops;                    /* equalities act on bodies of the tree alone */
  bool unshown;                  /* gaps of its joints are not those of the state */
  double *load;                  /* input matrix of an interaction */
  double *push;                  /* nv zeros: w of what pushes a tree */
  double *rest;                  /* 6 by bodies: impulses on them but for those of rows */
  int most_edges, most_unknowns; /* of a contact of two bodies */
};

/* Returns true if the next pass of the step keeps the matrices of an earlier one. After many passes
 * the matrices are made anew. Rows of loops are formed in each pass, and must meet matrices of the
 * same attitude; see turned_rows.c. */
static inline bool nsds_plan_tree_keeps(const nsds_plan *plan) {
  enum { many = 8 };
  return plan->tree->passes % many != 0 && !plan->tree->grounded && plan->count.turning == 0;
}

/* Returns the slot that stands for all bodies which joints of the tree connect with a slot. */
static inline int nsds_plan_leader(const nsds_plan *plan, int slot) {
  return NSDS_UNLIKELY(plan->tree != NULL) ? plan->tree->leader[slot] : slot;
}

#endif
