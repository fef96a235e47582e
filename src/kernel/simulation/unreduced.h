/* The one-step problem with the systems' increments as unknowns; see unreduced.c. */
#ifndef NSDS_SRC_UNREDUCED_H
#define NSDS_SRC_UNREDUCED_H

#include "simulation.h"

/* Columns, matrix and blocks, whenever the numbers of the plan are new. */
nsds_status nsds_unreduced_build(nsds_simulation *sim);
void nsds_unreduced_destroy(nsds_simulation *sim, nsds_unreduced *u);

/* y += alpha C v and p += B lambda by nonzero columns. */
void nsds_unreduced_add(const nsds_simulation *sim, const nsds_contact *contact, double alpha,
                        const double *v, double *y);
void nsds_unreduced_inputs(const nsds_simulation *sim, const nsds_contact *contact,
                           const double *lambda, double *p);

/* q and the start of z from the free state; v and impulse of the plan from the solved z. */
void nsds_unreduced_constant_term(nsds_simulation *sim);
void nsds_unreduced_apply(nsds_simulation *sim);

#endif
