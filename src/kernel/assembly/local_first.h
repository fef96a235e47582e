#ifndef NSDS_SRC_LOCAL_FIRST_H
#define NSDS_SRC_LOCAL_FIRST_H

#include "kernel/assembly/problems.h"
#include "kernel/assembly/plan.h"

/* Operations of first-order and mixed interactions, where lambda acts on states. */
extern const nsds_contact_ops nsds_contact_first;
/* Writes the argument of g at the iterate to `u`. For mixed relations the velocities in `u` stand
 * for the change of coordinates. */
void nsds_input_state(const nsds_plan *plan, const nsds_contact *contact, double *u);
/* Adds the shares of g - B lambda at the iterate to the right-hand sides in u_free. */
void nsds_first_order_load_free(const nsds_one_step *o);
/* Sums r over the interactions into p of the trial state. */
void nsds_first_order_inputs(nsds_plan *plan);

/* Adds alpha C v to y, by nonzero columns. */
void nsds_first_order_add_rows(const nsds_one_step *o, const nsds_contact *contact, double alpha,
                               const double *v, double *y);
/* Adds B lambda to p, by nonzero columns. */
void nsds_first_order_add_inputs(const nsds_one_step *o, const nsds_contact *contact,
                                 const double *lambda, double *p);

#endif
