#ifndef NSDS_SRC_LAW_H
#define NSDS_SRC_LAW_H

#include "kernel/modeling/definition.h"
#include "kernel/modeling/modeling.h"

/* The types of the catalogue stand in the sources of their constructors. */
#define NSDS_DECLARE_LAW(name) extern const nsds_type nsds_law_##name;
NSDS_LAW_TYPES(NSDS_DECLARE_LAW)
#undef NSDS_DECLARE_LAW

/* Does the work of nsds_custom_law(); `guarded` puts `self` of a user's type behind a guard. */
nsds_law *nsds_make_law(nsds_model *model, const nsds_custom_law_def *def, bool guarded);
/* Checks the block of a law and keeps its set and number of facets. */
bool nsds_check_law(nsds_context *context, const char *call, nsds_law *law);
/* Tells if the law's terms depend on the velocity before the step. */
nsds_status nsds_law_remembers(nsds_law *law, bool *remembers);
/* Returns true if a block has the set, sizes and arrays for which memory was laid out. */
static inline bool nsds_law_is_kept(const nsds_law *law, const nsds_block *block) {
  bool arrays = (block->set != NSDS_SET_BOX || (block->lower && block->upper)) &&
                (block->set != NSDS_SET_POLYHEDRON || (block->H && block->K) || block->nfacet == 0);
  return NSDS_LIKELY(block->set == law->set && block->size == law->size &&
                     block->nfacet == law->nfacet && arrays);
}
/* Returns the block if it is valid, else a block without values. */
nsds_block nsds_law_checked_block(const nsds_law *law, const nsds_block *block);
/* Returns the block of a law in a step. An invalid block is recorded as a failure, also in
 * law_fault.count, and replaced by a block without values. Invalid are another size or set than at
 * the last check, missing arrays, and values outside the set. */
static inline nsds_block nsds_law_block(const nsds_law *law) {
  nsds_block block = {.size = law->size};
  law->ops->block(law->self, &block);
  if (NSDS_LIKELY(!law->guarded && nsds_law_is_kept(law, &block))) return block;
  return nsds_law_checked_block(law, &block);
}
/* Returns true if the law ties the gap itself of a compliant relation. A law about dy/dt that closes
 * at a gap ties it too. Held at dy/dt = 0, a spring would keep the rest of the step in which the gap
 * has closed. A law of a program's own with memory stays at dy/dt. */
bool nsds_law_is_about_gap(const nsds_law *law);
/* In a step, call the operations of users' types by these functions; `self` is the law. */
bool nsds_guarded_active(void *self, const double *y, const double *ydot, double tau, double slack);
void nsds_guarded_restitution(void *self, const double *ydot, double *q);
nsds_status nsds_law_compliance(const nsds_law *law, double *D, int ld);

#endif
