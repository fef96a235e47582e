/*
 * r and lambda of first-order interactions at the start, for schemes that average start and end. A
 * much shorter Euler-Moreau step is tried and rejected, and its r and lambda are kept. The method
 * needs neither y = 0 nor a regular D. Its error is about h / 1024. A first step that fails takes r
 * and lambda back.
 */
#include "kernel/stepping/initial_lambda.h"

#include "kernel/modeling/modeling.h"
#include "kernel/simulation/saved.h"
#include "kernel/stepping/time_step.h"
#include "kernel/stepping/time_stepping_driver.h"

static nsds_status find_initial_lambda(nsds_time_stepping_driver *d) {
  nsds_simulation *sim = &d->base;
  nsds_model *model = sim->model;
  nsds_plan *plan = &sim->plan;
  double h = sim->clock.h / 1024.0;
  d->lambda_step = (nsds_scheme){.t = sim->clock.t,
                                 .t_next = sim->clock.t + h,
                                 .h = h,
                                 .theta = 1.0,
                                 .gamma = d->scheme.gamma,
                                 .gamma_mass = d->scheme.gamma_mass,
                                 .input_new = 1.0,
                                 .relation_weight = 1.0,
                                 .uniform = true};
  nsds_status status = nsds_saved_take(sim, &d->before_lambda);
  if (!status) status = nsds_time_step_try(d, &d->lambda_step);
  if (!status) {
    for (int s = 0; s < plan->nslot; ++s)
      for (int k = 0; nsds_is_first_order(plan->slot[s].ds) && k < plan->slot[s].nv; ++k)
        model->state.p[plan->slot[s].v0 + k] = plan->trial.p[plan->slot[s].v0 + k];
    for (int c = 0; c < plan->ncontact; ++c) {
      const nsds_contact *contact = &plan->contact[c];
      if (nsds_has_gap(contact->kind)) continue;
      for (int i = contact->y0; i < contact->y0 + contact->m; ++i)
        model->state.impulse[i] = model->state.force[i] = plan->trial.impulse[i];
    }
    for (int s = 0; s < plan->nslot; ++s) /* y may depend on lambda */
      ((nsds_ds *)model->ds.item[s])->changed = nsds_touch(model);
  }
  nsds_time_step_reject(sim);
  nsds_one_step_unform(&d->velocity);
  sim->info = (nsds_step_info){0};
  if (!status) d->begun = model->now;
  d->lambda_found = !status;
  return status;
}

nsds_status nsds_initial_lambda(nsds_simulation *sim) {
  nsds_time_stepping_driver *d = nsds_time_stepping_of(sim);
  const nsds_discretisation *first = &d->def.first_order;
  bool wanted = first->options & NSDS_OPTION_INITIAL_LAMBDA;
  if (!wanted || first->gamma == 1.0) return NSDS_OK;
  unsigned missed =
      nsds_versions_missed(&d->begun, &sim->model->now, NSDS_NEW_GRAPH | NSDS_NEW_CHANGE);
  return missed ? find_initial_lambda(d) : NSDS_OK;
}
