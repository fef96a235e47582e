/* A rule of impact other than Newton's. A law has one in nsds_impact::rule. */
#ifndef NSDS_SRC_IMPACT_RULE_H
#define NSDS_SRC_IMPACT_RULE_H

#include "kernel/events/event_rows.h"

typedef struct nsds_impact_rule {
  /* Computes impulses z of the part from A and b = dy/dt-. *residual: relative error of
   * velocities. `inelastic`: no restitution. */
  nsds_status (*strike)(nsds_event_rows *s, const nsds_row_part *part, bool inelastic,
                        nsds_solver_info *info, double *residual);
  /* The rule solves a problem: contacts without restitution go with the rule, and flights may
   * end. */
  bool solves;
} nsds_impact_rule;

#endif
