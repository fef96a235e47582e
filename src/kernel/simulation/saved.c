/*
 * A saved state holds all data to continue a run with the same bits, except parameters and the
 * graph. These belong to the program. Memory is used again.
 */
#include "kernel/simulation/saved.h"

#include "base/context.h"
#include "kernel/modeling/gate.h"
#include "kernel/modeling/modeling.h"
#include "kernel/modeling/state.h"
#include "kernel/simulation/clock.h"
#include "kernel/simulation/queue.h"

/* Saves the contacts of the contact sets. The state has the values of these contacts. */
static nsds_status take_found(nsds_context *context, const nsds_model *model, nsds_saved *saved) {
  size_t ns = model->set.count, all = 0;
  bool tangents = false;
  for (size_t s = 0; s < ns; ++s) {
    const nsds_contact_set *set = model->set.item[s];
    all += (size_t)set->count;
    tangents = tangents || set->tangents;
  }
  nsds_status status =
      nsds_grow(context, &saved->found, &saved->found_capacity, 2 * ns, sizeof *saved->found);
  if (!status)
    status = nsds_grow(context, &saved->key, &saved->key_capacity, all, sizeof *saved->key);
  if (!status)
    status = nsds_grow(context, &saved->pair, &saved->pair_capacity, all, sizeof *saved->pair);
  if (!status && tangents)
    status =
        nsds_grow(context, &saved->tangent, &saved->tangent_capacity, all, sizeof *saved->tangent);
  if (!status)
    status = nsds_grow(context, &saved->found_active, &saved->found_active_capacity, all,
                       sizeof *saved->found_active);
  saved->nset = ns;
  saved->tangents = tangents;
  saved->moved = model->moved;
  for (size_t s = 0, at = 0; !status && s < ns; ++s) {
    const nsds_contact_set *set = model->set.item[s];
    saved->found[s] = (nsds_found){.count = set->count, .first_row = set->first_row};
    for (int k = 0; k < set->count; ++k, ++at) {
      saved->key[at] = set->key[k];
      saved->pair[at] = set->pair[k];
      for (int i = 0; i < 3 && tangents; ++i)
        saved->tangent[at][i] = set->tangents ? set->tangent[k][i] : 0.0;
      saved->found_active[at] = set->active[k];
    }
  }
  return status;
}

/* Copies the rows of a set from their saved place to their present place. */
static void restore_rows(nsds_contact_set *set, const nsds_saved *saved, nsds_found found) {
  const nsds_state *from = &saved->state, *to = &set->model->state;
  const double *old[] = {from->y, from->ydot, from->impulse, from->force};
  double *now[] = {to->y, to->ydot, to->impulse, to->force};
  size_t rows = (size_t)found.count * (size_t)set->law->size;
  for (int a = 0; a < 4 && rows > 0; ++a)
    memcpy(now[a] + set->first_row, old[a] + found.first_row, rows * sizeof(double));
}

/* Restores the contacts of contact sets. Sets made since the save come after these and have no
 * contacts. */
static void restore_found(nsds_model *model, const nsds_saved *saved) {
  nsds_model_set_moved(model, saved->moved);
  for (size_t s = 0, at = 0; s < saved->nset; ++s) {
    nsds_contact_set *set = model->set.item[s];
    restore_rows(set, saved, saved->found[s]);
    set->count = saved->found[s].count;
    for (int k = 0; k < set->count; ++k, ++at) {
      set->key[k] = saved->key[at];
      set->pair[k] = saved->pair[at];
      for (int i = 0; i < 3 && set->tangents; ++i)
        set->tangent[k][i] = saved->tangents ? saved->tangent[at][i] : 0.0;
      nsds_contact_set_show(set, k, saved->found_active[at]);
    }
  }
}

/* Evaluates y and dy/dt of the accepted state, even while a step from it is under way. */
static nsds_status show_before(nsds_model *model) {
  unsigned busy = model->busy;
  model->busy = 0;
  nsds_status status = nsds_show_all(model);
  model->busy = busy;
  return status;
}

/* Returns as one number: 1 for an active interaction, 2 for a switch that is on. */
static double activity_of(const nsds_interaction *ia) {
  return (ia->active ? 1.0 : 0.0) + (ia->gate.on ? 2.0 : 0.0);
}

static void take_switch(nsds_interaction *ia, double activity) {
  if (!nsds_is_switch(ia)) return;
  nsds_gate_set(ia, activity >= 2.0);
  nsds_gate_accept(ia);
}

nsds_status nsds_saved_take(nsds_simulation *sim, nsds_saved *saved) {
  nsds_model *model = sim->model;
  nsds_context *context = sim->context;
  size_t nc = model->interaction.count;
  saved->there = false;
  nsds_status status = show_before(model);
  if (!status) status = nsds_state_reserve(context, &saved->state, model->size);
  if (!status)
    status = nsds_grow(context, &saved->active, &saved->active_capacity, nc, sizeof *saved->active);
  if (!status) status = take_found(context, model, saved);
  if (status) return status;
  saved->size = model->size;
  nsds_state_copy(sim->context, &saved->state, &model->state, &saved->size);
  for (size_t c = 0; c < nc; ++c) saved->active[c] = activity_of(model->interaction.item[c]);
  saved->clock = sim->clock;
  saved->seen = model->now;
  saved->settled = nsds_model_is_settled(model);
  saved->steps = sim->steps;
  saved->there = true;
  return NSDS_OK;
}

void nsds_saved_resume(nsds_simulation *sim, bool settled) {
  nsds_model *model = sim->model;
  nsds_simulation_go_on(sim);
  sim->end = nsds_clock_tick(&sim->clock, sim->t1);
  nsds_queue_restart(&sim->queue, &sim->clock);
  nsds_plan_go_stale(&sim->plan); /* forces kept in the plan belong to another state */
  model->stepper = NULL;          /* forces in plans of other simulations too */
  model->settled = ++model->now.change;
  if (settled && sim->steps > 0) model->accepted = model->settled;
  if (!settled) ++model->now.change;
  for (nsds_one_step *o = sim->plan.problem; o; o = o->next) nsds_index_set_change(&o->set);
}

/* Marks interactions that the program has changed since the save: their y and dy/dt do not belong
 * to the state. */
static void mark_changed(nsds_model *model, const nsds_saved *saved) {
  for (size_t c = 0; c < model->interaction.count; ++c) {
    nsds_interaction *ia = model->interaction.item[c];
    if (nsds_interaction_changed(ia, saved->seen.change)) ia->changed = nsds_touch(model);
  }
}

static void saved_put(nsds_simulation *sim, const nsds_saved *saved) {
  nsds_model *model = sim->model;
  nsds_state_copy(sim->context, &model->state, &saved->state, &saved->size);
  for (size_t c = 0; c < model->interaction.count; ++c) {
    ((nsds_interaction *)model->interaction.item[c])->active = fmod(saved->active[c], 2.0) != 0.0;
    take_switch(model->interaction.item[c], saved->active[c]);
  }
  restore_found(model, saved);
}

bool nsds_saved_put_back(nsds_simulation *sim, const nsds_saved *saved) {
  const nsds_model *model = sim->model;
  bool same = true;
  for (size_t s = 0, at = 0; same && s < saved->nset; ++s) {
    const nsds_contact_set *set = model->set.item[s];
    same = set->count == saved->found[s].count;
    for (int k = 0; same && k < set->count; ++k, ++at) same = set->key[k] == saved->key[at];
  }
  if (same) saved_put(sim, saved);
  return same;
}

void nsds_saved_restore(nsds_simulation *sim, const nsds_saved *saved) {
  nsds_model *model = sim->model;
  saved_put(sim, saved);
  sim->clock = saved->clock;
  sim->steps = saved->steps;
  nsds_saved_resume(sim, saved->settled);
  mark_changed(model, saved);
}

void nsds_saved_destroy(nsds_context *context, nsds_saved *saved) {
  nsds_state_destroy(context, &saved->state);
  nsds_release(context, saved->active);
  nsds_release(context, saved->found);
  nsds_release(context, saved->key);
  nsds_release(context, saved->pair);
  nsds_release(context, saved->tangent);
  nsds_release(context, saved->found_active);
  nsds_release(context, saved->own.data);
}
