#ifndef NSDS_SRC_TERMS_H
#define NSDS_SRC_TERMS_H

#include "kernel/assembly/problems.h"

/* Returns the sizes of all terms of R - H^T P, nv; of affine systems without their forces. Valid until
 * the next call of this or the next function. */
const double *nsds_terms_of_dynamics(nsds_plan *plan, const nsds_one_step *o);
/* Returns the sizes of the terms of u, nv. */
const double *nsds_terms_of_speeds(nsds_plan *plan, const nsds_one_step *o);
/* Returns the size of the terms of row i of y = h(...) of a contact in which lambda acts on states.
 * `speeds`: the sizes of the terms of u; NULL: |u|. */
double nsds_terms_of_output(const nsds_plan *plan, const nsds_contact *contact,
                            const nsds_entry *entry, int i, const double *speeds);
/* Returns the size of the terms of row i of r = g(...). `u` is the argument of g. */
double nsds_terms_of_input(const nsds_plan *plan, const nsds_contact *contact,
                           const nsds_entry *entry, const double *u, int i, const double *speeds);
/* Returns the size of the terms of y of row i of a contact at the trial state. H belongs to it. */
double nsds_terms_of_gap(const nsds_plan *plan, const nsds_contact *contact, const double *H,
                         int i);
/* Returns the size |H| |q| + |y - H q| of these terms at a state whose y is known. */
double nsds_terms_of_gap_at(const nsds_plan *plan, const nsds_contact *contact, const double *H,
                            const nsds_state *at, int i);
/* Returns the size of u and q / h of a system. */
double nsds_terms_size(const nsds_plan *plan, const nsds_slot *slot);
/* Returns true if no unknown of the system has changed in this iteration by more than the rounding
 * of u and of q / h. */
bool nsds_terms_at_rounding(const nsds_plan *plan, const nsds_slot *slot);

#endif
