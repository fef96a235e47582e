#ifndef NSDS_SRC_TERMS_H
#define NSDS_SRC_TERMS_H

#include "kernel/assembly/one_step.h"

/* Writes the sizes of all terms of R - H^T P to `scratch` of the systems; of affine systems without
 * their forces. */
void nsds_terms_of_dynamics(nsds_plan *plan, const nsds_one_step *o);
/* Writes the sizes of the terms of u to `scratch` of the systems. */
void nsds_terms_of_speeds(nsds_plan *plan, const nsds_one_step *o);
/* Returns the size of the terms of row i of y = h(...) of a contact in which lambda acts on states.
 * `summed`: u counts with the size of its terms, by nsds_terms_of_speeds(). */
double nsds_terms_of_output(const nsds_plan *plan, const nsds_contact *contact,
                            const nsds_entry *entry, int i, bool summed);
/* Returns the size of the terms of row i of r = g(...). `u` is the argument of g. */
double nsds_terms_of_input(const nsds_plan *plan, const nsds_contact *contact,
                           const nsds_entry *entry, const double *u, int i, bool summed);
/* Returns the size of the terms of y of row i of a contact at the trial state. H belongs to it. */
double nsds_terms_of_gap(const nsds_plan *plan, const nsds_contact *contact, const double *H,
                         int i);
/* Returns the size of u and q / h of a system. */
double nsds_terms_size(const nsds_plan *plan, const nsds_slot *slot);
/* Returns true if no unknown of the system has changed in this iteration by more than the rounding
 * of u and of q / h. */
bool nsds_terms_at_rounding(const nsds_plan *plan, const nsds_slot *slot);

#endif
