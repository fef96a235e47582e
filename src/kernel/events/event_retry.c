/*
 * An event-driven step that fails is as if it had not been tried: made again, it takes the steps that
 * it would have taken. The integration reaches ahead of the accepted state and its methods cannot go
 * back; so its start is marked, with the rows of then, and after a failure it is made again from
 * there to the accepted state. A step that begins with settling its start needs the rows alone.
 */
#include "kernel/events/event_retry.h"

#include "base/base.h"
#include "kernel/events/event_archive.h"
#include "kernel/events/event_driven.h"
#include "kernel/events/event_mark.h"
#include "kernel/events/event_motion.h"
#include "kernel/events/event_rates.h"
#include "kernel/events/row_carryover.h"
#include "kernel/events/row_values.h"
#include "numerics/ode/advance.h"
#include "numerics/ode/mark.h"
#include "numerics/ode/ode.h"

void nsds_retry_begin(nsds_event_driver *d) {
  d->marks.begin = (nsds_event_begin){.under_way = d->under_way,
                                      .searches = d->searches,
                                      .resumes = d->resumes,
                                      .naside = d->rows.aside.n,
                                      .aside = d->rows.aside.of,
                                      .since = d->crowd.since,
                                      .last = d->crowd.last,
                                      .horizon = d->times.horizon,
                                      .searched = d->times.searched,
                                      .crowd = d->crowd.count,
                                      .nonsmooth = d->event.nonsmooth,
                                      .repeats = d->crowd.repeats,
                                      .near = d->crowd.near,
                                      .called = d->times.called};
  d->marks.fresh = false;
}

/* An integration that has come back with a saved state has no start that could be marked. */
void nsds_retry_note(nsds_event_driver *d) {
  const nsds_event_rows *s = &d->rows;
  nsds_event_mark *m = &d->marks.mark[d->marks.marked];
  bool outside = d->marks.begin.outside, resumed = d->marks.begin.resumes && !outside;
  d->marks.begin.searches = d->searches;
  if (outside || d->searches || resumed) nsds_mark_take(d, m, false);
  if (!resumed) return;
  m->resumed = m->there;
  d->marks.begin.under_way = true;
  d->times.searched = d->marks.begin.searched = s->search.t - d->base.t0;
  nsds_copy_doubles(d->marks.size_accepted, s->sizes.size, 3 * (size_t)s->sizes.n);
}

/* Whether an integration can be made again from there. */
static bool retry_returns(const nsds_event_mark *m) {
  return m->there && (m->integrates || m->resumed);
}

void nsds_retry_accept(nsds_event_driver *d) {
  const nsds_event_rows *s = &d->rows;
  if (d->marks.fresh) d->marks.marked = !d->marks.marked;
  else if (!retry_returns(&d->marks.mark[d->marks.marked]))
    nsds_mark_take(d, &d->marks.mark[d->marks.marked], false);
  d->marks.fresh = d->marks.returns = false;
  nsds_copy_doubles(d->marks.size_accepted, s->sizes.size, 3 * (size_t)s->sizes.n);
}

/* Rows, in their places where these are the same. */
static void retry_put_rows(nsds_event_rows *s, const nsds_event_mark *m) {
  nsds_row_list *closed = &s->closed;
  if (m->nrow > 0) memcpy(s->row, m->row, (size_t)m->nrow * sizeof *m->row);
  closed->n = m->nclosed;
  closed->nparts = m->nparts;
  for (int k = 0; k < m->nclosed; ++k) closed->row[k] = m->closed[k];
  for (int k = 0; m->nclosed > 0 && k <= m->nparts; ++k)
    closed->start[k] = m->closed[m->nclosed + k];
  s->facts.loaded = m->loaded;
  s->facts.shared = m->shared;
  s->facts.constant = m->constant;
  s->facts.slack = m->slack;
  s->sizes.largest = m->largest;
  s->facts.uniform = s->facts.factored = s->facts.idle =
      false; /* the trial state may have forces of the failure */
}

/* Rows of another list are taken over when they are listed anew; returns whether they are those of the
 * mark. */
static bool retry_put_back(nsds_event_driver *d, const nsds_event_mark *m) {
  nsds_event_rows *s = &d->rows;
  unsigned missed = nsds_versions_missed(&s->listed.of, &m->of, NSDS_NEW_GRAPH | NSDS_NEW_SEARCH);
  bool listed = !missed && s->nrow == m->nrow;
  if (m->there && m->nsize == s->sizes.n)
    nsds_copy_doubles(s->sizes.size, retry_returns(m) ? d->marks.size_accepted : m->size,
                      3 * (size_t)s->sizes.n);
  s->aside.n = -1;
  if (m->there && listed) {
    retry_put_rows(s, m);
    return true;
  }
  s->listed.of.graph = 0;
  if (m->there && (size_t)m->nrow <= s->aside.capacity) {
    nsds_rows_put_aside(s, m->row, m->nrow);
    s->aside.of = m->of;
  } else if (!m->there) { /* where rows waited for the first list, they wait again */
    s->aside.n = d->marks.begin.naside;
    s->aside.of = d->marks.begin.aside;
  }
  return false;
}

void nsds_retry_fail(nsds_event_driver *d) {
  const nsds_event_begin *b = &d->marks.begin;
  const nsds_event_mark *m = &d->marks.mark[d->marks.marked];
  bool there = retry_put_back(d, m);
  d->under_way = b->under_way && !b->outside && (b->searches || (there && retry_returns(m)));
  d->marks.returns = d->under_way && !b->searches;
  d->searches = b->searches;
  d->resumes = b->resumes && !d->under_way;
  d->crowd.since = b->since;
  d->crowd.last = b->last;
  d->times.horizon = b->horizon;
  d->times.searched = b->searched;
  d->crowd.count = b->crowd;
  d->event.nonsmooth = b->nonsmooth;
  d->crowd.repeats = b->repeats;
  d->crowd.near = b->near;
  d->times.called = b->called;
  d->marks.fresh = d->settled = false;
}

/* At the start of the integration, with the rows of then. */
static nsds_status retry_start(nsds_event_driver *d, const nsds_event_mark *m) {
  nsds_event_rows *s = &d->rows;
  const double *x = nsds_ode_mark_state(d->motion.ode, &m->ode);
  d->under_way = x != NULL;
  if (!x) return NSDS_OK;
  nsds_motion_take(d, m->ode.t, x);
  nsds_status status = nsds_event_rates(s, NULL);
  if (status) return status;
  s->facts.uniform = m->uniform;
  nsds_motion_watch(d);
  if (m->nrow > 0) memcpy(s->row, m->row, (size_t)m->nrow * sizeof *m->row);
  s->facts.slack = m->slack;
  nsds_ode_mark_recall(d->motion.ode, &m->ode);
  return NSDS_OK;
}

nsds_status nsds_retry_return(nsds_event_driver *d) {
  nsds_event_rows *s = &d->rows;
  const nsds_event_mark *m = &d->marks.mark[d->marks.marked];
  nsds_status status = NSDS_OK;
  double elapsed = nsds_event_elapsed(d);
  retry_put_rows(s, m);
  nsds_copy_doubles(s->sizes.size, m->size, 3 * (size_t)s->sizes.n);
  if (m->resumed) d->under_way = nsds_event_go_back(d);
  else status = retry_start(d, m);
  if (status || !d->under_way) return status;
  nsds_ode_limit(d->motion.ode, d->times.horizon - d->base.t0);
  d->motion.refused = NSDS_OK;
  bool there = m->integrates && m->ode.t == elapsed;
  int outcome =
      there ? NSDS_ODE_REACHED : nsds_ode_advance(d->motion.ode, elapsed, &elapsed, d->motion.x);
  if (outcome < 0) return d->motion.refused ? d->motion.refused : (nsds_status)outcome;
  if (!there) {
    nsds_motion_arrive(d, elapsed, d->base.clock.t);
    status = s->facts.loaded || s->facts.driven ? nsds_event_rates(s, NULL) : NSDS_OK;
    if (!status) status = nsds_rows_outputs(s);
  }
  nsds_copy_doubles(s->sizes.size, d->marks.size_accepted, 3 * (size_t)s->sizes.n);
  d->marks.returns = status != NSDS_OK;
  return status;
}
