/* The bodies of a plan that move in joint coordinates, see plan_tree.c. */
#ifndef NSDS_SRC_PLAN_TREE_H
#define NSDS_SRC_PLAN_TREE_H

#include "kernel/assembly/entries.h"
#include "kernel/assembly/plan.h"
#include "tree/tree_step.h"

struct nsds_plan_tree {
  nsds_tree_step *step;
  int *number;                   /* of each slot: its body in the tree, or -1 */
  bool *built_in;                /* by interactions: a joint of the tree */
  double *load;                  /* input matrix of an interaction */
  double *rest;                  /* 6 by bodies: impulses on them but for those of rows */
  int most_edges, most_unknowns; /* of a contact of two bodies */
};

/* Makes the tree; there is none if no body has a joint. Its slots become `jointed`. */
nsds_status nsds_plan_tree_build(nsds_plan *plan);
void nsds_plan_tree_destroy(nsds_plan *plan);
/* Notes what a new contact has to do with the tree. */
void nsds_plan_tree_mark(const nsds_plan *plan, nsds_contact *contact);
/* Lists the edges of a lifted contact: joints from the leaves to the root, then systems outside of the
 * tree. Returns their number. `reach` NULL: counts. */
int nsds_plan_tree_reach(const nsds_plan *plan, const nsds_contact *contact, nsds_reach *reach);
/* Computes X and Y of a lifted contact. */
void nsds_plan_tree_edges(const nsds_plan *plan, const nsds_contact *contact,
                          const nsds_entry *entry);
/* Takes the start of a step from the state of the model. */
void nsds_plan_tree_begin(nsds_plan *plan);
/* Places the bodies of the trial state. */
void nsds_plan_tree_move(nsds_plan *plan);
/* Evaluates the gaps of the joints of the tree, which the rejected step may not have done. */
void nsds_plan_tree_reject(nsds_plan *plan);
/* Factors, and computes w of the free motion. */
nsds_status nsds_plan_tree_factor(nsds_plan *plan);
/* Computes u of w = v of the trial state, and p of the bodies. */
void nsds_plan_tree_apply(nsds_plan *plan);

#endif
