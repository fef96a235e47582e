#ifndef NSDS_SRC_LAW_CONSTRAINT_H
#define NSDS_SRC_LAW_CONSTRAINT_H

#include "kernel/modeling/modeling.h"

/* Whether the gap that is expected counts as closed: of all bundled laws with a gap. */
bool nsds_gap_closes(void *self, const double *y, const double *ydot, double tau, double slack);
/* Operations of laws of impact on a gap. */
void nsds_nonnegative_block(void *self, nsds_block *block);
void nsds_newton_restitution(void *self, const double *ydot, double *q);
void nsds_impact_destroy(void *self);
#define NSDS_IMPACT_OPS                                                                            \
  .block = nsds_nonnegative_block, .active = nsds_gap_closes,                                      \
  .restitution = nsds_newton_restitution, .destroy = nsds_impact_destroy
/* A law with these operations and this impact. */
nsds_law *nsds_impact_law(nsds_model *model, const nsds_law_ops *ops, const nsds_impact *how);
/* One that a coefficient of restitution is all of, which is checked. */
nsds_law *nsds_plain_impact_law(nsds_model *model, const nsds_law_ops *ops,
                                const struct nsds_impact_rule *rule, double e);

#endif
