/*
 * Checkpoints of an event-driven simulation: rows, and the start of an integration with these rows. A
 * failed step returns to its checkpoint, so that a second try takes the same steps. The integration
 * reaches ahead of the accepted state, and its methods cannot go back. So its start is kept
 * together with the rows. After a failure event_retry.c makes the integration again from there.
 * A step that settles its start needs only the rows.
 */
#include "kernel/events/event_checkpoint.h"

#include "base/base.h"
#include "base/context.h"
#include "kernel/events/event_settle.h"
#include "kernel/events/row_carryover.h"
#include "kernel/modeling/turns.h"
#include "numerics/ode/mark.h"

static nsds_status checkpoint_reserve(nsds_event_driver *d, nsds_event_checkpoint *m) {
  nsds_context *context = d->base.context;
  const nsds_event_rows *s = &d->rows;
  size_t rows = (size_t)s->nrow, sizes = 3 * (size_t)s->sizes.n;
  size_t turns = nsds_turns_kept(d->base.model);
  nsds_status status = nsds_grow(context, &m->row, &m->row_capacity, rows, sizeof *m->row);
  if (!status)
    status = nsds_grow(context, &m->closed, &m->closed_capacity, 2 * rows + 2, sizeof *m->closed);
  if (!status) status = nsds_grow(context, &m->size, &m->size_capacity, sizes, sizeof *m->size);
  if (!status) status = nsds_grow(context, &m->turn, &m->turn_capacity, turns, sizeof *m->turn);
  return status;
}

nsds_status nsds_checkpoints_reserve(nsds_event_driver *d) {
  nsds_status status = nsds_rows_reserve_aside(&d->rows, d->rows.nrow);
  for (int k = 0; !status && k < 2; ++k) status = checkpoint_reserve(d, &d->checkpoints.at[k]);
  if (status) return status;
  return nsds_grow(d->base.context, &d->checkpoints.size_accepted,
                   &d->checkpoints.size_accepted_capacity, 3 * (size_t)d->rows.sizes.n,
                   sizeof *d->checkpoints.size_accepted);
}

void nsds_checkpoint_take(nsds_event_driver *d, nsds_event_checkpoint *m, bool integrates) {
  const nsds_event_rows *s = &d->rows;
  const nsds_row_list *closed = &s->closed;
  m->there = s->listed.of.graph != 0 && (size_t)s->nrow <= m->row_capacity &&
             3 * (size_t)s->sizes.n <= m->size_capacity &&
             nsds_turns_kept(d->base.model) <= m->turn_capacity;
  if (!m->there) return; /* rows are not listed, or memory was short */
  m->integrates = integrates;
  m->resumed = false;
  m->of = s->listed.of;
  m->nrow = s->nrow;
  m->nclosed = closed->n;
  m->nparts = closed->nparts;
  m->nsize = s->sizes.n;
  m->rearranged = s->sizes.rearranged;
  if (s->nrow > 0) memcpy(m->row, s->row, (size_t)s->nrow * sizeof *s->row);
  for (int k = 0; k < closed->n; ++k) m->closed[k] = closed->row[k];
  for (int k = 0; closed->n > 0 && k <= closed->nparts; ++k)
    m->closed[closed->n + k] = closed->start[k];
  nsds_copy_doubles(m->size, s->sizes.size, 3 * (size_t)s->sizes.n);
  nsds_turns_keep(d->base.model, &d->base.plan.trial, m->turn);
  m->facts = s->facts;
  m->uniform = s->uniform;
  m->slack = s->slack;
  m->largest = s->sizes.largest;
  if (integrates) nsds_ode_mark_take(d->motion.ode, &m->ode);
}

void nsds_checkpoint_start(nsds_event_driver *d) {
  d->checkpoints.fresh = true;
  nsds_checkpoint_take(d, &d->checkpoints.at[!d->checkpoints.present], true);
}

void nsds_checkpoint_forget(nsds_event_driver *d) {
  nsds_event_checkpoint *m = &d->checkpoints.at[d->checkpoints.present];
  m->there = m->resumed = false;
}

void nsds_checkpoints_destroy(nsds_event_driver *d) {
  nsds_context *context = d->base.context;
  for (int k = 0; k < 2; ++k) {
    nsds_release(context, d->checkpoints.at[k].row);
    nsds_release(context, d->checkpoints.at[k].closed);
    nsds_release(context, d->checkpoints.at[k].size);
    nsds_release(context, d->checkpoints.at[k].turn);
    nsds_release(context, d->checkpoints.at[k].ode.memory);
  }
  nsds_release(context, d->checkpoints.size_accepted);
}

void nsds_checkpoint_begin(nsds_event_driver *d) {
  nsds_event_begin *b = &d->checkpoints.begin;
  b->under_way = nsds_event_under_way(d);
  b->searches = d->searches;
  b->resumes = d->integration == NSDS_INTEGRATION_PACKED;
  b->naside = d->rows.aside.n;
  b->aside = d->rows.aside.of;
  b->times = d->times;
  b->crowd = d->crowd;
  b->nonsmooth = d->event.nonsmooth;
  d->checkpoints.fresh = d->checkpoints.half = false;
}

/* Keeps the rows only: an integration from a saved state has no start to return to. */
void nsds_checkpoint_note(nsds_event_driver *d) {
  const nsds_event_rows *s = &d->rows;
  nsds_event_checkpoint *m = &d->checkpoints.at[d->checkpoints.present];
  bool outside = d->checkpoints.begin.outside, resumed = d->checkpoints.begin.resumes && !outside;
  d->checkpoints.begin.searches = d->searches;
  if (outside || d->searches || resumed) nsds_checkpoint_take(d, m, false);
  if (!resumed) return;
  m->resumed = m->there;
  d->checkpoints.begin.under_way = true;
  d->times.searched = d->checkpoints.begin.times.searched = s->search.t - d->base.t0;
  nsds_copy_doubles(d->checkpoints.size_accepted, s->sizes.size, 3 * (size_t)s->sizes.n);
}

/* Returns true if an integration can be made again from the checkpoint. */
static bool checkpoint_returns(const nsds_event_checkpoint *m) {
  return m->there && (m->integrates || m->resumed);
}

/* If no event follows, the integration goes on, and its start stays in its place. */
void nsds_checkpoint_halve(nsds_event_driver *d) {
  int present = d->checkpoints.present;
  bool goes_on = d->reached == NSDS_REACHED_TIME && !d->searches && !d->checkpoints.fresh &&
                 checkpoint_returns(&d->checkpoints.at[present]);
  d->checkpoints.half = goes_on;
  nsds_checkpoint_take(d, &d->checkpoints.at[goes_on ? !present : present], false);
}

void nsds_checkpoint_accept(nsds_event_driver *d) {
  const nsds_event_rows *s = &d->rows;
  if (d->checkpoints.fresh) d->checkpoints.present = !d->checkpoints.present;
  else if (!checkpoint_returns(&d->checkpoints.at[d->checkpoints.present]))
    nsds_checkpoint_take(d, &d->checkpoints.at[d->checkpoints.present], false);
  d->checkpoints.fresh = d->checkpoints.half = false;
  if (d->integration == NSDS_INTEGRATION_FAILED) d->integration = NSDS_INTEGRATION_UNDER_WAY;
  nsds_copy_doubles(d->checkpoints.size_accepted, s->sizes.size, 3 * (size_t)s->sizes.n);
}

void nsds_checkpoint_put_rows(nsds_event_rows *s, const nsds_event_checkpoint *m) {
  nsds_row_list *closed = &s->closed;
  if (m->nrow > 0) memcpy(s->row, m->row, (size_t)m->nrow * sizeof *m->row);
  closed->n = m->nclosed;
  closed->nparts = m->nparts;
  for (int k = 0; k < m->nclosed; ++k) closed->row[k] = m->closed[k];
  for (int k = 0; m->nclosed > 0 && k <= m->nparts; ++k)
    closed->start[k] = m->closed[m->nclosed + k];
  s->sizes.largest = m->largest;
  s->facts = m->facts;
  s->slack = m->slack;
  s->uniform = false; /* rates are those of another state */
  nsds_rows_forget_factors(s);
  nsds_rows_know_functions(s, false);
  s->idle = false; /* the trial state may hold forces of the failed step */
}

/* Puts the kept rows back. Returns true if they are in the present list; else the next list takes
 * them over. */
static bool checkpoint_put_back(nsds_event_driver *d, const nsds_event_checkpoint *m) {
  nsds_event_rows *s = &d->rows;
  unsigned missed = nsds_versions_missed(&s->listed.of, &m->of, NSDS_NEW_GRAPH | NSDS_NEW_SEARCH);
  bool listed = !missed && s->nrow == m->nrow;
  if (m->there && m->nsize == s->sizes.n && m->rearranged == s->sizes.rearranged)
    nsds_copy_doubles(s->sizes.size, checkpoint_returns(m) ? d->checkpoints.size_accepted : m->size,
                      3 * (size_t)s->sizes.n);
  s->aside.n = -1;
  if (m->there && listed) {
    nsds_checkpoint_put_rows(s, m);
    return true;
  }
  s->listed.of.graph = 0;
  if (m->there && (size_t)m->nrow <= s->aside.capacity) {
    nsds_rows_put_aside(s, m->row, m->nrow);
    s->aside.of = m->of;
  } else if (!m->there) { /* rows that waited for the first list wait again */
    s->aside.n = d->checkpoints.begin.naside;
    s->aside.of = d->checkpoints.begin.aside;
  }
  return false;
}

void nsds_checkpoint_fail(nsds_event_driver *d) {
  const nsds_event_begin *b = &d->checkpoints.begin;
  int present = d->checkpoints.present;
  bool half = d->checkpoints.half;
  const nsds_event_checkpoint *m = &d->checkpoints.at[half ? !present : present];
  bool there = checkpoint_put_back(d, m);
  if (b->outside) nsds_plan_go_stale(&d->base.plan); /* its numbers may belong to the failed step */
  bool goes_on = half ? there : b->searches;         /* nothing has happened to the integration */
  bool stays =
      half ? there
           : b->under_way && !b->outside && (b->searches || (there && checkpoint_returns(m)));
  d->integration = stays && goes_on ? NSDS_INTEGRATION_UNDER_WAY
                   : stays          ? NSDS_INTEGRATION_FAILED
                   : b->resumes     ? NSDS_INTEGRATION_PACKED
                                    : NSDS_INTEGRATION_NONE;
  d->searches = b->searches;
  d->times = b->times;
  d->crowd = b->crowd;
  d->event.nonsmooth = b->nonsmooth;
  d->checkpoints.fresh = false;
  nsds_settle_drop(d);
}
