/* Interactions that are switches: lambda has other bounds while the switch is off. */
#ifndef NSDS_SRC_GATE_H
#define NSDS_SRC_GATE_H

#include "kernel/modeling/modeling.h"

static inline bool nsds_is_switch(const nsds_interaction *ia) {
  return ia->relation->ops->margin != NULL;
}

/* Checks that the law bounds lambda row by row. Records a message otherwise. */
bool nsds_gate_check(nsds_context *context, const nsds_relation *relation, const nsds_law *law);
/* Gives lambda the bounds of a switch that is on or off. */
void nsds_gate_set(nsds_interaction *ia, bool on);
/* Accepts the bounds: the switch is on or off from now on. */
void nsds_gate_accept(nsds_interaction *ia);

/* Returns the arguments of margin or look. `work` is as for nsds_gather(), but states and lambda of
 * an interaction with one system and without parameters are lent in their place. */
nsds_arguments nsds_gate_arguments(const nsds_interaction *ia, const nsds_state *at,
                                   const double *lambda, double *work);
/* Calls margin. NSDS_ERROR_CALLBACK: it is NaN. */
nsds_status nsds_gate_margin(const nsds_interaction *ia, const nsds_arguments *in, bool on,
                             double *margin);

#endif
