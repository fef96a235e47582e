/*
 * Makes the integration again after a failed step, from its checkpoint (event_checkpoint.c) to the accepted
 * state.
 */
#include "kernel/events/event_retry.h"

#include "base/base.h"
#include "base/context.h"
#include "kernel/events/event_archive.h"
#include "kernel/events/event_driven.h"
#include "kernel/events/event_checkpoint.h"
#include "kernel/events/event_motion.h"
#include "kernel/events/event_rates.h"
#include "kernel/events/row_values.h"
#include "kernel/modeling/turns.h"
#include "numerics/ode/advance.h"
#include "numerics/ode/mark.h"
#include "numerics/ode/ode.h"

/* Returns to the start of the integration, with its rows. */
static nsds_status retry_start(nsds_event_driver *d, const nsds_event_checkpoint *m) {
  nsds_event_rows *s = &d->rows;
  const double *x = nsds_ode_mark_state(d->motion.ode, &m->ode);
  d->integration = x ? NSDS_INTEGRATION_FAILED : NSDS_INTEGRATION_NONE;
  if (!x) return NSDS_OK;
  nsds_motion_take(d, m->ode.t, x);
  nsds_status status = nsds_event_rates(s, NULL);
  if (status) return status;
  s->uniform = m->uniform;
  nsds_motion_watch(d);
  if (m->nrow > 0) memcpy(s->row, m->row, (size_t)m->nrow * sizeof *m->row);
  nsds_ode_mark_recall(d->motion.ode, &m->ode);
  return NSDS_OK;
}

nsds_status nsds_retry_return(nsds_event_driver *d) {
  nsds_event_rows *s = &d->rows;
  const nsds_event_checkpoint *m = &d->checkpoints.at[d->checkpoints.present];
  nsds_status status = NSDS_OK;
  double elapsed = nsds_event_elapsed(d);
  nsds_checkpoint_put_rows(s, m);
  nsds_turns_put(d->base.model, &d->base.plan.trial, m->turn);
  nsds_copy_doubles(s->sizes.size, m->size, 3 * (size_t)s->sizes.n);
  if (!m->resumed) status = retry_start(d, m);
  else if (!nsds_event_go_back(d)) d->integration = NSDS_INTEGRATION_NONE;
  if (status || !nsds_event_under_way(d)) return status;
  nsds_ode_limit(d->motion.ode, d->times.horizon - d->base.t0);
  d->motion.refused = NSDS_OK;
  bool there = m->integrates && m->ode.t == elapsed;
  int outcome =
      there ? NSDS_ODE_REACHED : nsds_ode_advance(d->motion.ode, elapsed, &elapsed, d->motion.x);
  if (outcome == NSDS_ODE_STOPPED) return NSDS_STOPPED;
  if (outcome < 0) return d->motion.refused ? d->motion.refused : (nsds_status)outcome;
  if (!there) {
    nsds_motion_arrive(d, elapsed, d->base.clock.t);
    status = nsds_motion_evaluate(s);
  }
  nsds_copy_doubles(s->sizes.size, d->checkpoints.size_accepted, 3 * (size_t)s->sizes.n);
  if (!status) d->integration = NSDS_INTEGRATION_UNDER_WAY;
  return status;
}

void nsds_retry_before_archive(nsds_event_driver *d) {
  nsds_context *context = d->base.context;
  unsigned busy = d->base.model->busy;
  bool clean = nsds_error(context) == NSDS_OK;
  if (d->integration != NSDS_INTEGRATION_FAILED || !nsds_motion_is_untouched(d)) return;
  d->base.model->busy |= NSDS_BUSY_STEP; /* functions of the user are called */
  if (nsds_retry_return(d) && clean) nsds_error_clear(context);
  d->base.model->busy = busy;
}
