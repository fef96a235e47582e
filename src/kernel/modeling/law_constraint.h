#ifndef NSDS_SRC_LAW_CONSTRAINT_H
#define NSDS_SRC_LAW_CONSTRAINT_H

#include "kernel/modeling/law.h"

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
/* The definition of laws with a coefficient of restitution alone, and its fields. */
typedef struct nsds_restitution {
  double e;
} nsds_restitution;
extern const nsds_field nsds_restitution_fields[];
/* Checks the coefficient and creates a law of this type. */
nsds_law *nsds_plain_impact_law(nsds_model *model, const nsds_type *type, const nsds_law_ops *ops,
                                const struct nsds_impact_rule *rule, double e);
/* The part of a type's row that laws with a restitution share. */
#define NSDS_RESTITUTION_TYPE(of)                                                                  \
  .field = nsds_restitution_fields, .call = "nsds_" #of, .bytes = sizeof(nsds_restitution),        \
  .make = make_##of

#endif
