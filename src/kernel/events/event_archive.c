/*
 * Data of an event-driven simulation in saved states and snapshots. Rows and modes come first: they
 * suffice to settle the state and begin a new integration. The present integration is a separate
 * part. The next step continues from this part if nothing has changed before. The step lists rows
 * and contacts as at the start of the integration, and takes the rest from the part. If the part
 * does not fit, the step settles instead.
 */
#include "kernel/events/event_archive.h"

#include "base/archive.h"
#include "base/base.h"
#include "base/context.h"
#include "base/finite.h"
#include "kernel/events/event_driven.h"
#include "kernel/events/event_checkpoint.h"
#include "kernel/events/event_motion.h"
#include "kernel/events/event_past.h"
#include "kernel/events/event_rows_archive.h"
#include "kernel/events/row_listing.h"
#include "kernel/modeling/contact_set.h"
#include "kernel/modeling/state.h"
#include "kernel/modeling/turns.h"
#include "kernel/simulation/saved.h"
#include "kernel/simulation/simulation.h"
#include "numerics/ode/ode_archive.h"

#include <limits.h>

static const char *const object = "the simulation";

static void event_archive_counts(nsds_event_driver *d, nsds_archive *a) {
  double crowd = (double)d->crowd.count;
  nsds_archive_past(a, object, "where events are counted from", &d->crowd.since);
  nsds_archive_past(a, object, "time of the last event", &d->crowd.last);
  nsds_archive_past(a, object, "elapsed time", &d->times.accepted);
  nsds_archive_at_least(a, object, "events in a crowd", &crowd, 0.0);
  nsds_archive_int(a, object, "events at one instant", &d->crowd.repeats, 0, INT_MAX / 2);
  nsds_archive_int(a, object, "events close together", &d->crowd.near, 0, INT_MAX / 2);
  nsds_archive_doubles(a, &d->event.t, 1);
  nsds_archive_doubles(a, &d->event.previous, 1);
  if (a->mode == NSDS_ARCHIVE_READ && !a->status) d->crowd.count = (long)fmin(crowd, 1e15);
}

/* Archives the places of the last search, which come first because rows are listed by them. */
static void event_archive_search(nsds_event_driver *d, nsds_archive *a) {
  nsds_event_rows *s = &d->rows;
  const nsds_model *model = d->base.model;
  int follows = s->search.sets;
  nsds_archive_at_least(a, object, "horizon", &d->times.horizon, -DBL_MAX);
  nsds_archive_bool(a, &d->searches);
  nsds_archive_size(a, object, "whether contacts are followed", &follows, 0, model->set.count > 0);
  nsds_archive_at_least(a, object, "time of the search", &s->search.t, -DBL_MAX);
  if (follows) nsds_archive_finite(a, object, "place of a search", s->search.start, model->size.nq);
}

static void event_archive_motion(nsds_event_driver *d, nsds_archive *a) {
  nsds_event_rows_archive_motion(&d->rows, a);
  if (a->status) return;
  if (a->mode == NSDS_ARCHIVE_READ) nsds_motion_continue(d, a);
  else nsds_ode_archive(d->motion.ode, a);
}

/* Packs the present integration. The part is empty if there is none, or the integration cannot be
 * archived. */
static nsds_status event_pack(nsds_event_driver *d) {
  nsds_archive *going = &d->going;
  if (d->integration == NSDS_INTEGRATION_PACKED && nsds_event_is_current(d)) return NSDS_OK;
  nsds_archive_begin_write(going, d->base.context, "event-driven", "the integration");
  if (d->integration == NSDS_INTEGRATION_FAILED || !nsds_motion_is_untouched(d) ||
      !nsds_ode_resumable(d->motion.ode))
    return NSDS_OK;
  event_archive_search(d, going);
  event_archive_motion(d, going);
  return going->status;
}

void nsds_event_archive(nsds_simulation *sim, nsds_archive *a) {
  nsds_event_driver *d = nsds_event_driver_of(sim);
  nsds_event_rows_archive(&d->rows, a);
  event_archive_counts(d, a);
  if (a->mode == NSDS_ARCHIVE_WRITE && !a->status) a->status = event_pack(d);
  nsds_archive_part(a, "an integration", &d->going);
  if (a->mode != NSDS_ARCHIVE_READ) return;
  d->integration = NSDS_INTEGRATION_NONE;
  d->searches = false;
  nsds_checkpoint_forget(d); /* rows have changed */
}

void nsds_event_resume(nsds_simulation *sim, bool same) {
  nsds_event_driver *d = nsds_event_driver_of(sim);
  bool packed = same && d->going.size > 0;
  d->integration = packed ? NSDS_INTEGRATION_PACKED : NSDS_INTEGRATION_NONE;
  d->times.seen = sim->model->now;
  d->times.called = sim->queue.called;
  nsds_past_drop(d);
}

/* Lists rows and contacts again at the place of the last search. *same: contact sets find the same
 * contacts. */
static nsds_status event_list_again(nsds_event_driver *d, bool *same) {
  nsds_simulation *sim = &d->base;
  nsds_model *model = sim->model;
  nsds_event_rows *s = &d->rows;
  nsds_status status = nsds_saved_take(sim, &d->saved);
  if (status) return status;
  bool search = model->set.count > 0;
  if (search) nsds_copy_doubles(model->state.q, s->search.start, model->size.nq);
  if (search) model->state.t = s->search.t;
  status = nsds_motion_renew(d, search);
  *same = !status && nsds_saved_put_back(sim, &d->saved);
  if (!*same) nsds_copy_doubles(model->state.q, d->saved.state.q, model->size.nq);
  model->state.t = sim->clock.t;
  if (*same) nsds_state_copy(sim->context, &sim->plan.trial, &model->state, &model->size);
  if (*same) nsds_turns_begin(model, &sim->plan.trial, model->state.t, 0.5);
  return status;
}

/* Walks over a part of the packed data from its present position. */
static bool event_walk(nsds_event_driver *d, void (*part)(nsds_event_driver *d, nsds_archive *a),
                       nsds_archive_mode mode, nsds_archive *a) {
  a->mode = mode;
  part(d, a);
  return a->status == NSDS_OK;
}

/* Returns true if quaternions have length 1. Inside a step the length is as exact as the step. */
static bool are_places(const nsds_event_driver *d, const double *q) {
  double slack = fmax(nsds_place_slack, 1e3 * d->def.relative_tolerance);
  const nsds_model *model = d->base.model;
  bool sound = nsds_first_nonfinite(q, (int)model->size.nq) < 0;
  for (size_t k = 0; sound && k < model->ds.count; ++k) {
    const nsds_ds *ds = model->ds.item[k];
    sound = nsds_is_place(ds, q + ds->q_offset, slack);
  }
  return sound;
}

/* Returns true if the integration is at the state of the model, and its dense output gives valid
 * states. */
static bool event_agrees(nsds_event_driver *d) {
  enum { parts = 8 };
  const nsds_model *model = d->base.model;
  bool sound = nsds_ode_agrees(d->motion.ode);
  sound = sound && nsds_ode_time(d->motion.ode) == nsds_event_elapsed(d);
  nsds_copy_doubles(d->motion.x, nsds_ode_state(d->motion.ode), model->size.nq);
  nsds_motion_straighten(d, d->motion.x);
  if (sound && model->size.nq > 0)
    sound = memcmp(d->motion.x, model->state.q, model->size.nq * sizeof *model->state.q) == 0;
  for (int k = 0; sound && k <= parts; ++k) {
    nsds_ode_within(d->motion.ode, (double)k / parts, d->motion.x);
    sound = are_places(d, d->motion.x);
  }
  return sound;
}

static nsds_status event_try(nsds_event_driver *d, bool *fits) {
  nsds_archive *a = &d->going;
  nsds_status status = nsds_rows_reserve_search(&d->rows); /* needed before rows are listed */
  if (status) return status;
  a->call = "event-driven";
  a->path = "the integration";
  nsds_archive_begin_check(a);
  if (!event_walk(d, event_archive_search, NSDS_ARCHIVE_CHECK, a)) return NSDS_OK;
  nsds_archive_begin_read(a);
  event_walk(d, event_archive_search, NSDS_ARCHIVE_READ, a);
  size_t motion = a->at;
  status = event_list_again(d, fits);
  if (status || !*fits) return status;
  *fits = event_walk(d, event_archive_motion, NSDS_ARCHIVE_CHECK, a) && nsds_archive_left(a) == 0;
  a->at = motion;
  if (*fits) *fits = event_walk(d, event_archive_motion, NSDS_ARCHIVE_READ, a) && event_agrees(d);
  return status;
}

bool nsds_event_go_back(nsds_event_driver *d) {
  nsds_archive *a = &d->going;
  double horizon = d->times.horizon;
  a->status = NSDS_OK;
  if (a->size == 0) return false;
  nsds_archive_begin_read(a);
  bool fits = event_walk(d, event_archive_search, NSDS_ARCHIVE_READ, a) &&
              event_walk(d, event_archive_motion, NSDS_ARCHIVE_READ, a);
  d->times.horizon = horizon;
  d->searches = false;
  return fits;
}

nsds_status nsds_event_go_on(nsds_event_driver *d) {
  nsds_context *context = d->base.context;
  bool clean = nsds_error(context) == NSDS_OK, fits = false;
  d->integration = NSDS_INTEGRATION_NONE;
  if (!nsds_event_is_current(d)) return NSDS_OK;
  d->going.status = NSDS_OK;
  nsds_status status = event_try(d, &fits);
  d->integration = status ? NSDS_INTEGRATION_PACKED /* for the next attempt */
                   : fits ? NSDS_INTEGRATION_UNDER_WAY
                          : NSDS_INTEGRATION_NONE;
  if (!fits)
    nsds_contact_sets_end(d->base.model, false); /* a failed step shows the contacts found before */
  if (!fits && !status && clean) nsds_error_clear(context);
  if (!fits) d->searches = false;
  return status;
}
