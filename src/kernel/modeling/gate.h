/* Interactions that are switches: lambda has other bounds while the switch is off. */
#ifndef NSDS_SRC_GATE_H
#define NSDS_SRC_GATE_H

#include "base/base.h"
#include "kernel/modeling/local.h"
#include "kernel/modeling/modeling.h"

#include <math.h>

/* In place of parameters, for functions that read absent ones. */
static const double nsds_absent = NAN;

static inline bool nsds_is_switch(const nsds_interaction *ia) {
  return ia->relation->ops->margin != NULL;
}

/* Checks that the law bounds lambda row by row. Records a message otherwise. */
bool nsds_gate_check(nsds_context *context, const nsds_relation *relation, const nsds_law *law);
/* Gives lambda the bounds of a switch that is on or off. */
void nsds_gate_set(nsds_interaction *ia, bool on);
/* Accepts the bounds: the switch is on or off from now on. */
void nsds_gate_accept(nsds_interaction *ia);

/* A margin that is NaN. */
nsds_status nsds_gate_fail(const nsds_interaction *ia, double t);

/* Returns the arguments of margin or look. `work` is as for nsds_gather(), but states and lambda of
 * an interaction with one system and without parameters are lent in their place. */
static inline nsds_arguments nsds_gate_arguments(const nsds_interaction *ia, const nsds_state *at,
                                                 const double *lambda, double *work) {
  if (NSDS_UNLIKELY(ia->nds > 1 || ia->nZ > 0)) return nsds_gather(ia, at, lambda, 1.0, work);
  const double *x = at->v + ia->ds[0]->v_offset;
  return (nsds_arguments){.t = at->t,
                          .q = x,
                          .v = x,
                          .z = &nsds_absent,
                          .nlambda = ia->m,
                          .x = x,
                          .nx = ia->nv,
                          .lambda = lambda + ia->y_offset};
}

/* Calls margin. NSDS_ERROR_CALLBACK: it is NaN. */
static inline nsds_status nsds_gate_margin(const nsds_interaction *ia, const nsds_arguments *in,
                                           bool on, double *margin) {
  *margin = ia->relation->ops->margin(ia->relation->self, in, on);
  return NSDS_LIKELY(*margin == *margin) ? NSDS_OK : nsds_gate_fail(ia, in->t);
}

#endif
