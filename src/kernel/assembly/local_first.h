#ifndef NSDS_SRC_LOCAL_FIRST_H
#define NSDS_SRC_LOCAL_FIRST_H

#include "kernel/assembly/one_step.h"
#include "kernel/assembly/plan.h"

/* Of both kinds in which lambda acts on states. */
extern const nsds_contact_ops nsds_contact_first;
/* What g is a function of, at the iterate, in `u`: of mixed relations with velocities for how
 * coordinates follow them. */
void nsds_input_state(const nsds_plan *plan, const nsds_contact *contact, double *u);
/* Largest |g - r of the linearisation| of a nonlinear first-order relation at the
 * iterate, and the size of the terms of r; p: r summed over the interactions, at the iterate. */
double nsds_first_order_input_residual(nsds_plan *plan, const nsds_contact *contact, double *scale);
void nsds_first_order_inputs(nsds_plan *plan);

/* Y += alpha C u and p += B lambda by nonzero columns. */
void nsds_first_order_add_rows(const nsds_one_step *o, const nsds_contact *contact, double alpha,
                               const double *v, double *y);
void nsds_first_order_add_inputs(const nsds_one_step *o, const nsds_contact *contact,
                                 const double *lambda, double *p);

#endif
