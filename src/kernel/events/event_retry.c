/*
 * An event-driven step that fails is as if it had not been tried: made again, it takes the steps that
 * it would have taken. The integration reaches ahead of the accepted state and its methods cannot go
 * back; so its start is marked, with the rows of then, and after a failure it is made again from
 * there to the accepted state. A step that begins with settling its start needs the rows alone.
 */
#include "kernel/events/event_retry.h"

#include "base/base.h"
#include "base/context.h"
#include "kernel/events/event_archive.h"
#include "kernel/events/event_driven.h"
#include "kernel/events/event_mark.h"
#include "kernel/events/event_motion.h"
#include "kernel/events/event_rows.h"
#include "kernel/events/row_carryover.h"
#include "numerics/ode/advance.h"
#include "numerics/ode/mark.h"
#include "numerics/ode/ode.h"

void nsds_retry_begin(nsds_event_driver *d) {
  d->begin = (nsds_event_begin){.under_way = d->under_way,
                                .searches = d->searches,
                                .resumes = d->resumes,
                                .naside = d->smooth.naside,
                                .aside_topology = d->smooth.aside_topology,
                                .since = d->since,
                                .last = d->last,
                                .horizon = d->horizon,
                                .searched = d->searched,
                                .crowd = d->crowd,
                                .nonsmooth = d->event.nonsmooth,
                                .repeats = d->repeats,
                                .near = d->near,
                                .called = d->called};
  d->fresh = false;
}

/* An integration that has come back with a saved state has no start that could be marked. */
void nsds_retry_note(nsds_event_driver *d) {
  const nsds_smooth *s = &d->smooth;
  nsds_event_mark *m = &d->mark[d->marked];
  bool outside = d->begin.outside, resumed = d->begin.resumes && !outside;
  d->begin.searches = d->searches;
  if (outside || d->searches || resumed) nsds_event_mark_take(d, m, false);
  if (!resumed) return;
  m->resumed = m->there;
  d->begin.under_way = true;
  d->searched = d->begin.searched = s->start_t - d->base.t0;
  nsds_copy_doubles(d->size_accepted, s->size, 3 * (size_t)s->nsize);
}

/* Whether an integration can be made again from there. */
static bool retry_returns(const nsds_event_mark *m) {
  return m->there && (m->integrates || m->resumed);
}

void nsds_retry_accept(nsds_event_driver *d) {
  const nsds_smooth *s = &d->smooth;
  if (d->fresh) d->marked = !d->marked;
  else if (!retry_returns(&d->mark[d->marked])) nsds_event_mark_take(d, &d->mark[d->marked], false);
  d->fresh = d->returns = false;
  nsds_copy_doubles(d->size_accepted, s->size, 3 * (size_t)s->nsize);
}

/* Rows, in their places where these are the same. */
static void retry_put_rows(nsds_smooth *s, const nsds_event_mark *m) {
  nsds_row_list *closed = &s->closed;
  if (m->nrow > 0) memcpy(s->row, m->row, (size_t)m->nrow * sizeof *m->row);
  closed->n = m->nclosed;
  closed->nparts = m->nparts;
  for (int k = 0; k < m->nclosed; ++k) closed->row[k] = m->closed[k];
  for (int k = 0; m->nclosed > 0 && k <= m->nparts; ++k)
    closed->start[k] = m->closed[m->nclosed + k];
  s->loaded = m->loaded;
  s->shared = m->shared;
  s->constant = m->constant;
  s->slack = m->slack;
  s->largest = m->largest;
  s->uniform = s->factored = s->idle = false; /* the trial state may have forces of the failure */
}

/* Rows of another list are taken over when they are listed anew; returns whether they are those of the
 * mark. */
static bool retry_put_back(nsds_event_driver *d, const nsds_event_mark *m) {
  nsds_smooth *s = &d->smooth;
  bool listed = s->topology != 0 && s->topology == m->topology && s->detections == m->detections &&
                s->nrow == m->nrow;
  if (m->there && m->nsize == s->nsize)
    nsds_copy_doubles(s->size, retry_returns(m) ? d->size_accepted : m->size, 3 * (size_t)s->nsize);
  s->naside = -1;
  if (m->there && listed) {
    retry_put_rows(s, m);
    return true;
  }
  s->topology = 0;
  if (m->there && (size_t)m->nrow <= s->aside_capacity) {
    nsds_rows_put_aside(s, m->row, m->nrow);
    s->aside_topology = m->topology;
  } else if (!m->there) { /* where rows waited for the first list, they wait again */
    s->naside = d->begin.naside;
    s->aside_topology = d->begin.aside_topology;
  }
  return false;
}

void nsds_retry_fail(nsds_event_driver *d) {
  const nsds_event_begin *b = &d->begin;
  const nsds_event_mark *m = &d->mark[d->marked];
  bool there = retry_put_back(d, m);
  d->under_way = b->under_way && !b->outside && (b->searches || (there && retry_returns(m)));
  d->returns = d->under_way && !b->searches;
  d->searches = b->searches;
  d->resumes = b->resumes && !d->under_way;
  d->since = b->since;
  d->last = b->last;
  d->horizon = b->horizon;
  d->searched = b->searched;
  d->crowd = b->crowd;
  d->event.nonsmooth = b->nonsmooth;
  d->repeats = b->repeats;
  d->near = b->near;
  d->called = b->called;
  d->fresh = d->settled = false;
}

/* At the start of the integration, with the rows of then. */
static nsds_status retry_start(nsds_event_driver *d, const nsds_event_mark *m) {
  nsds_smooth *s = &d->smooth;
  const double *x = nsds_ode_mark_state(d->ode, &m->ode);
  d->under_way = x != NULL;
  if (!x) return NSDS_OK;
  nsds_motion_take(d, m->ode.t, x);
  nsds_status status = nsds_smooth_rates(s, NULL);
  if (status) return status;
  s->uniform = m->uniform;
  nsds_motion_watch(d);
  if (m->nrow > 0) memcpy(s->row, m->row, (size_t)m->nrow * sizeof *m->row);
  s->slack = m->slack;
  nsds_ode_mark_recall(d->ode, &m->ode);
  return NSDS_OK;
}

nsds_status nsds_retry_return(nsds_event_driver *d) {
  nsds_smooth *s = &d->smooth;
  const nsds_event_mark *m = &d->mark[d->marked];
  nsds_status status = NSDS_OK;
  double elapsed = nsds_event_elapsed(d);
  retry_put_rows(s, m);
  nsds_copy_doubles(s->size, m->size, 3 * (size_t)s->nsize);
  if (m->resumed) d->under_way = nsds_event_go_back(d);
  else status = retry_start(d, m);
  if (status || !d->under_way) return status;
  nsds_ode_limit(d->ode, d->horizon - d->base.t0);
  d->refused = NSDS_OK;
  bool there = m->integrates && m->ode.t == elapsed;
  int outcome = there ? NSDS_ODE_REACHED : nsds_ode_advance(d->ode, elapsed, &elapsed, d->x);
  if (outcome < 0) return d->refused ? d->refused : (nsds_status)outcome;
  if (!there) {
    nsds_motion_arrive(d, elapsed, d->base.clock.t);
    status = s->loaded || s->driven ? nsds_smooth_rates(s, NULL) : NSDS_OK;
    if (!status) status = nsds_smooth_outputs(s);
  }
  nsds_copy_doubles(s->size, d->size_accepted, 3 * (size_t)s->nsize);
  d->returns = status != NSDS_OK;
  return status;
}

void nsds_retry_destroy(nsds_event_driver *d) {
  nsds_context *context = d->base.context;
  for (int k = 0; k < 2; ++k) {
    nsds_release(context, d->mark[k].row);
    nsds_release(context, d->mark[k].closed);
    nsds_release(context, d->mark[k].size);
    nsds_release(context, d->mark[k].ode.memory);
  }
  nsds_release(context, d->size_accepted);
}
