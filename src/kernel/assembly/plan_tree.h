/* The bodies of a plan that move in joint coordinates, see plan_tree.c. */
#ifndef NSDS_SRC_PLAN_TREE_H
#define NSDS_SRC_PLAN_TREE_H

#include "kernel/assembly/lifting.h"
#include "kernel/assembly/operators.h"

/* Makes the tree; there is none if no body has a joint. Slots of bodies in the tree become `jointed`. */
nsds_status nsds_plan_tree_build(nsds_plan *plan);
void nsds_plan_tree_destroy(nsds_plan *plan);
/* Returns true if the tree stays when interaction k of the model has come, changed or gone. */
bool nsds_plan_tree_stays(const nsds_plan *plan, int k);
/* Returns true if an interaction is a joint of the tree. */
bool nsds_plan_tree_has(const nsds_plan *plan, const nsds_interaction *ia);
/* Notes what a new contact has to do with the tree. */
void nsds_plan_tree_describe(const nsds_plan *plan, nsds_contact *contact);
/* Returns H_i W^-1 H_i^T of row i with the diagonals of W of the bodies, as if they were free. */
double nsds_plan_tree_row_size(const nsds_plan *plan, const nsds_contact *contact,
                               const nsds_entry *entry, int i);
/* Adds the speeds that the impulses of a lifted contact would give its bodies, as if they were free. */
void nsds_plan_tree_add_speeds(const nsds_plan *plan, const nsds_contact *contact,
                               const nsds_entry *entry, double *size);
/* Gives all bodies of a connected tree the largest speed and angular speed among them. */
void nsds_plan_tree_share_speeds(const nsds_plan *plan, double *size);
/* Lists the edges of a lifted contact: joints from the leaves to the root, then systems outside of the
 * tree. Returns their number. `reach` NULL: counts. */
int nsds_plan_tree_reach(const nsds_plan *plan, const nsds_contact *contact, nsds_reach *reach);
/* Computes X and Y of a lifted contact, by the matrices factored last. */
void nsds_plan_tree_form_y(const nsds_contact_operator *op, const nsds_contact *contact,
                           const nsds_entry *entry);
/* Factors the masses of the bodies at the trial state, for displacements. */
nsds_status nsds_plan_tree_factor_mass(nsds_plan *plan);
/* Moves the bodies of the trial state by w in `way`, which becomes the displacement of the bodies. */
void nsds_plan_tree_displace(nsds_plan *plan, double *way);
/* Takes the last displacement back. */
void nsds_plan_tree_come_back(nsds_plan *plan);
/* Takes the start of a step from the state of the model. */
void nsds_plan_tree_begin(nsds_plan *plan);
/* Places the bodies of the trial state. */
void nsds_plan_tree_move(nsds_plan *plan);
/* Evaluates the gaps of the joints of the tree where the rejected step has left that out. */
void nsds_plan_tree_reject(nsds_plan *plan);
/* Computes w of the free motion about the iterate. Factors in the first pass of a step. */
nsds_status nsds_plan_tree_factor(nsds_plan *plan);
/* Adds H (v^k - J u^k) of the iterate to the active rows of a lifted contact. */
void nsds_plan_tree_add_curved(const nsds_plan *plan, const nsds_contact *contact,
                               const nsds_entry *entry, double *q);
/* Computes u of w = v of the trial state, and p of the bodies. */
void nsds_plan_tree_apply(nsds_plan *plan);

#endif
