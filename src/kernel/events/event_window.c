/*
 * A window of time stepping in an event-driven simulation: equal steps of Moreau-Jean or
 * Euler-Moreau from the accepted state, all or none. Rows with lambda between its bounds in the
 * last step count as at zero. These rows settle as at an event, and their gaps are returned to
 * zero. Contacts of sets have the impulses of the last step.
 */
#include "kernel/events/event_window.h"

#include "base/base.h"
#include "base/context.h"
#include "kernel/modeling/list.h"
#include "kernel/simulation/saved.h"

/* Makes the inner simulation. The model does not know it; this simulation frees it. */
nsds_status nsds_window_reserve(nsds_event_driver *d, double step) {
  nsds_simulation *sim = &d->base;
  if (d->window.stepping) return NSDS_OK;
  double left = fmax(sim->t1 - sim->clock.t, 2.0 * step);
  double tolerance = nsds_solver_get(sim->solver, "tolerance");
  unsigned busy = sim->model->busy;
  sim->model->busy = 0; /* no call of the model is running */
  nsds_simulation *inner =
      nsds_time_stepping(sim->model, &(nsds_time_stepping_def){.t0 = sim->clock.t,
                                                               .t1 = sim->clock.t + left,
                                                               .h = step,
                                                               .tolerance = tolerance,
                                                               .coordinates = d->def.coordinates});
  sim->model->busy = busy;
  if (!inner) return nsds_error(sim->context) ? nsds_error(sim->context) : NSDS_ERROR_MEMORY;
  nsds_list_remove(&sim->model->borrower, inner);
  d->window.stepping = inner;
  return NSDS_OK;
}

void nsds_window_destroy(nsds_event_driver *d) {
  if (d->window.stepping) d->window.stepping->borrower.destroy(&d->window.stepping->borrower);
}

/* Sums up impulses of the window. Forces and first-order inputs are those of the last step. */
static void event_window_sum_impulses(const nsds_event_driver *d, double *sum) {
  const nsds_plan *plan = &d->window.stepping->plan;
  for (int c = 0; c < plan->ninteraction; ++c)
    for (int i = plan->contact[c].y0; i < plan->contact[c].y0 + plan->contact[c].m; ++i)
      sum[i] = d->base.model->state.impulse[i] +
               (nsds_acts_on_states(plan->contact[c].kind) ? 0.0 : sum[i]);
}

static nsds_status make_steps(nsds_event_driver *d, double end, int steps, double *sum) {
  nsds_simulation *inner = d->window.stepping;
  double start = d->base.model->state.t, h = (end - start) / steps;
  nsds_status status = NSDS_OK;
  for (int k = 1; !status && k <= steps; ++k) {
    double t = k == steps ? end : start + k * h;
    status = inner->driver->advance(inner, t, t - d->base.model->state.t);
    if (!status) event_window_sum_impulses(d, sum);
    if (!status) d->base.info.predicted += inner->info.predicted;
  }
  return status;
}

nsds_status nsds_window_take(nsds_event_driver *d, double end, int steps) {
  nsds_simulation *sim = &d->base;
  nsds_state *at = &sim->model->state;
  size_t rows = sim->model->size.ny;
  nsds_status status =
      nsds_grow(sim->context, &d->window.sum, &d->window.sum_capacity, rows, sizeof *d->window.sum);
  if (!status) status = nsds_saved_take(sim, &d->saved);
  if (status) return status;
  nsds_zero_doubles(d->window.sum, rows);
  at->t = sim->clock.t;
  status = make_steps(d, end, steps, d->window.sum);
  sim->info.solver = d->window.stepping->info.solver;
  d->integration = NSDS_INTEGRATION_NONE;
  if (status) {
    nsds_saved_restore(sim, &d->saved);
    return status;
  }
  for (int c = 0; c < d->window.stepping->plan.ninteraction; ++c) {
    const nsds_contact *contact = &d->window.stepping->plan.contact[c];
    nsds_copy_doubles(at->impulse + contact->y0, d->window.sum + contact->y0, (size_t)contact->m);
  }
  d->rows.after_window = true;
  return NSDS_OK;
}
