#ifndef NSDS_SRC_PLAN_RENEW_H
#define NSDS_SRC_PLAN_RENEW_H

#include "kernel/assembly/plan.h"

/* Brings the plan up to date for a step of this scheme. The scheme must keep its address and its
 * weights. */
nsds_status nsds_plan_renew(nsds_plan *plan, const nsds_scheme *scheme);

/* Updates the schemes of single systems to the interval of the plan's scheme. */
void nsds_plan_own_schemes(nsds_plan *plan);

static inline nsds_status nsds_plan_update(nsds_plan *plan, const nsds_scheme *scheme) {
  const nsds_model *model = plan->model;
  unsigned missed =
      nsds_versions_missed(&plan->seen.of, &model->now, NSDS_NEW_GRAPH | NSDS_NEW_VALUES);
  bool current = !missed && plan->scheme == scheme && plan->seen.h == scheme->h &&
                 !plan->seen.stale && nsds_model_is_settled(model) && model->stepper == plan;
  if (NSDS_UNLIKELY(plan->schemes.nown > 0) && current) nsds_plan_own_schemes(plan);
  return NSDS_LIKELY(current) ? NSDS_OK : nsds_plan_renew(plan, scheme);
}
void nsds_plan_destroy(nsds_plan *plan);

#endif
