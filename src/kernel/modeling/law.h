#ifndef NSDS_SRC_LAW_H
#define NSDS_SRC_LAW_H

#include "kernel/modeling/modeling.h"

/* Does what nsds_custom_law() does; `guarded` puts `self` of a user's type behind a guard. */
nsds_law *nsds_make_law(nsds_model *model, const nsds_custom_law_def *def, bool guarded);
/* The block that a law gives of itself; what it is of is kept. */
bool nsds_check_law(nsds_context *context, const char *call, nsds_law *law);
/* Whether what the law adds to its rows depends on the velocity before the step. */
nsds_status nsds_law_remembers(nsds_law *law, bool *remembers);
/* Whether a block has the set, the sizes and the arrays that memory was laid out for. */
static inline bool nsds_law_is_kept(const nsds_law *law, const nsds_block *block) {
  bool arrays = (block->set != NSDS_SET_BOX || (block->lower && block->upper)) &&
                (block->set != NSDS_SET_POLYHEDRON || (block->H && block->K) || block->nfacet == 0);
  return NSDS_LIKELY(block->set == law->set && block->size == law->size &&
                     block->nfacet == law->nfacet && arrays);
}
/* The block, or one without values where it may not be taken. */
nsds_block nsds_law_checked_block(const nsds_law *law, const nsds_block *block);
/* In a step. What a law may not say is recorded as a failure, in law_fault.count too, and the block is
 * one without values: that of a law that was checked, if it says now that it is of another size or
 * set, memory for which there is none, or has values that its set does not have. */
static inline nsds_block nsds_law_block(const nsds_law *law) {
  nsds_block block = {.size = law->size};
  law->ops->block(law->self, &block);
  if (NSDS_LIKELY(!law->guarded && nsds_law_is_kept(law, &block))) return block;
  return nsds_law_checked_block(law, &block);
}
/* Operations of users' types in a step; `self` is the law. */
bool nsds_guarded_active(void *self, const double *y, const double *ydot, double tau, double slack);
void nsds_guarded_restitution(void *self, const double *ydot, double *q);
/* Adds the law's compliance to its part of D. */
nsds_status nsds_law_compliance(const nsds_law *law, double *D, int ld);

#endif
