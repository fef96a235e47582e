#ifndef NSDS_SRC_LOCAL_MIXED_H
#define NSDS_SRC_LOCAL_MIXED_H

#include "kernel/assembly/plan.h"

/* Computes Q at the weight sigma of the step, from the velocities of the iterate. */
nsds_status nsds_mixed_place(const nsds_plan *plan, const nsds_interaction *ia, double *Q);
/* Evaluates C = (h_X, h_V + h theta h_Q T) for a step of length h. */
nsds_status nsds_mixed_outputs(nsds_plan *plan, nsds_contact *contact, const nsds_arguments *in,
                               double h);
/* Evaluates K = (g_X, g_V + h theta g_Q T). */
nsds_status nsds_mixed_inputs(nsds_plan *plan, nsds_contact *contact, const nsds_arguments *in,
                              double h);

#endif
