#ifndef NSDS_SRC_LAW_CONSTRAINT_H
#define NSDS_SRC_LAW_CONSTRAINT_H

#include "kernel/modeling/modeling.h"

/* Returns true if the expected gap counts as closed, for all bundled laws with a gap. */
bool nsds_gap_closes(void *self, const double *y, const double *ydot, double tau, double slack);
/* Operations of laws of impact on a gap: */
void nsds_nonnegative_block(void *self, nsds_block *block);
void nsds_newton_restitution(void *self, const double *ydot, double *q);
void nsds_impact_destroy(void *self);
#define NSDS_IMPACT_OPS                                                                            \
  .block = nsds_nonnegative_block, .active = nsds_gap_closes,                                      \
  .restitution = nsds_newton_restitution, .destroy = nsds_impact_destroy
/* Creates a law with these operations and this impact. */
nsds_law *nsds_impact_law(nsds_model *model, const nsds_law_ops *ops, const nsds_impact *how);
/* Checks the coefficient of restitution and creates a law with that coefficient alone. */
nsds_law *nsds_plain_impact_law(nsds_model *model, const nsds_law_ops *ops,
                                const struct nsds_impact_rule *rule, double e);

#endif
