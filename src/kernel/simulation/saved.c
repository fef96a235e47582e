/*
 * A saved state: all that a run needs to go on from it with the same bits, except parameters and the
 * graph, which belong to the program. Kept memory is used again.
 */
#include "simulation.h"

nsds_status nsds_saved_take(nsds_simulation *sim, nsds_saved *saved) {
  nsds_model *model = sim->model;
  nsds_context *context = sim->context;
  size_t nc = model->interaction.count;
  saved->there = false;
  nsds_status status = nsds_state_reserve(context, &saved->state, model->size);
  if (!status)
    status = nsds_grow(context, &saved->active, &saved->active_capacity, nc, sizeof *saved->active);
  if (status) return status;
  nsds_state_copy(&saved->state, &model->state, model->size);
  for (size_t c = 0; c < nc; ++c)
    saved->active[c] = ((nsds_interaction *)model->interaction.item[c])->active;
  saved->clock = sim->clock;
  saved->topology = model->topology;
  saved->steps = sim->steps;
  saved->there = true;
  return NSDS_OK;
}

void nsds_saved_restore(nsds_simulation *sim, const nsds_saved *saved) {
  nsds_model *model = sim->model;
  nsds_state_copy(&model->state, &saved->state, model->size);
  for (size_t c = 0; c < model->interaction.count; ++c)
    ((nsds_interaction *)model->interaction.item[c])->active = saved->active[c] != 0.0;
  sim->clock = saved->clock;
  sim->steps = saved->steps;
  sim->ended = false;
  nsds_queue_restart(&sim->queue, &sim->clock);
  sim->plan.stale = true; /* forces kept in the plan belong to another state */
  model->stepper = NULL;  /* and those in plans of other simulations */
  model->settled = ++model->change; /* y and dy/dt are those of the state */
  for (nsds_one_step *o = sim->plan.problem; o; o = o->next) o->changed = true;
}

void nsds_saved_destroy(nsds_context *context, nsds_saved *saved) {
  nsds_state_destroy(context, &saved->state);
  nsds_release(context, saved->active);
}
