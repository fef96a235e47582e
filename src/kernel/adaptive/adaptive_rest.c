/*
 * Rest is the end of one implicit step by the laws, so long that M dx/dt vanishes. Unknowns that nothing but M ties to
 * the others keep their values. Switches are moved until they stand still.
 */
#include "kernel/adaptive/adaptive_rest.h"

#include "base/base.h"
#include "base/context.h"
#include "kernel/adaptive/adaptive_modes.h"
#include "kernel/adaptive/adaptive_stage.h"
#include "kernel/adaptive/adaptive_state.h"
#include "kernel/adaptive/adaptive_step.h"
#include "kernel/adaptive/adaptive_switches.h"
#include "kernel/modeling/modeling.h"

static nsds_status rest_still(nsds_adaptive_driver *d, double t, double length) {
  for (int turn = 0; turn <= d->switches.count + 2; ++turn) {
    nsds_status status = nsds_adaptive_solve(d, length, t, d->now.z, d->now.z, false, &d->trial);
    if (status) return status;
    nsds_adaptive_take_modes(d, d->trial.z);
    if (!nsds_switches_move(d, &d->trial)) return NSDS_OK;
  }
  return nsds_fail(
      d->base.context, NSDS_ERROR_VALUE,
      "nsds_adaptive_rest: a switch is moved without end at rest; give it a hysteresis");
}

nsds_status nsds_adaptive_find_rest(nsds_adaptive_driver *d, double t, double length) {
  nsds_simulation *sim = &d->base;
  nsds_status status = nsds_adaptive_begin_call(d);
  if (status) return status;
  nsds_adaptive_keep(d);
  d->piece.from = d->piece.to = t;
  status = rest_still(d, t, length);
  if (!status) {
    nsds_copy_doubles(d->now.z, d->trial.z, (size_t)d->stage.rows.n);
    nsds_copy_doubles(d->now.w, d->trial.w, (size_t)d->stage.rows.ny);
    nsds_zero_doubles(d->now.rate, (size_t)d->stage.rows.nx);
    sim->t_next = sim->clock.t;
    status = nsds_adaptive_show(d);
  }
  if (status) {
    nsds_adaptive_return(d);
    return nsds_adaptive_may_shorten(status) ? nsds_adaptive_failed(d, status) : status;
  }
  nsds_switches_show(d);
  nsds_model_accept(sim->model);
  d->seen = (nsds_versions){0}; /* the next step settles */
  return NSDS_OK;
}
