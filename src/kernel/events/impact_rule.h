/* A rule of impact that is not Newton's: a law has one by nsds_impact::rule. */
#ifndef NSDS_SRC_IMPACT_RULE_H
#define NSDS_SRC_IMPACT_RULE_H

#include "kernel/events/event_rows.h"

typedef struct nsds_impact_rule {
  /* The impulses z of the present part, with A and b = dy/dt-, and what they leave open of velocities,
   * relative. Inelastic: nothing is given back. */
  nsds_status (*strike)(nsds_event_rows *s, bool inelastic, nsds_solver_info *info,
                        double *residual);
  bool solves; /* a problem: contacts without restitution go with it, and its flights may end */
} nsds_impact_rule;

#endif
