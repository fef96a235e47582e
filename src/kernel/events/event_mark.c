/*
 * Marks of an event-driven simulation: rows, and where the integration began with them. A step that
 * fails leads back to one, see event_retry.c.
 */
#include "kernel/events/event_mark.h"

#include "base/base.h"
#include "base/context.h"
#include "kernel/events/row_carryover.h"
#include "numerics/ode/mark.h"

static nsds_status mark_reserve(nsds_event_driver *d, nsds_event_mark *m) {
  nsds_context *context = d->base.context;
  const nsds_event_rows *s = &d->rows;
  size_t rows = (size_t)s->nrow, sizes = 3 * (size_t)s->sizes.n;
  nsds_status status = nsds_grow(context, &m->row, &m->row_capacity, rows, sizeof *m->row);
  if (!status)
    status = nsds_grow(context, &m->closed, &m->closed_capacity, 2 * rows + 2, sizeof *m->closed);
  if (!status) status = nsds_grow(context, &m->size, &m->size_capacity, sizes, sizeof *m->size);
  return status;
}

nsds_status nsds_marks_reserve(nsds_event_driver *d) {
  nsds_status status = nsds_rows_reserve_aside(&d->rows, d->rows.nrow);
  for (int k = 0; !status && k < 2; ++k) status = mark_reserve(d, &d->marks.mark[k]);
  if (status) return status;
  return nsds_grow(d->base.context, &d->marks.size_accepted, &d->marks.size_accepted_capacity,
                   3 * (size_t)d->rows.sizes.n, sizeof *d->marks.size_accepted);
}

void nsds_mark_take(nsds_event_driver *d, nsds_event_mark *m, bool integrates) {
  const nsds_event_rows *s = &d->rows;
  const nsds_row_list *closed = &s->closed;
  m->there = s->listed.of.graph != 0 && (size_t)s->nrow <= m->row_capacity &&
             3 * (size_t)s->sizes.n <= m->size_capacity;
  if (!m->there) return; /* rows wait to be listed, or have been, and then memory was short */
  m->integrates = integrates;
  m->resumed = false;
  m->of = s->listed.of;
  m->nrow = s->nrow;
  m->nclosed = closed->n;
  m->nparts = closed->nparts;
  m->nsize = s->sizes.n;
  if (s->nrow > 0) memcpy(m->row, s->row, (size_t)s->nrow * sizeof *s->row);
  for (int k = 0; k < closed->n; ++k) m->closed[k] = closed->row[k];
  for (int k = 0; closed->n > 0 && k <= closed->nparts; ++k)
    m->closed[closed->n + k] = closed->start[k];
  nsds_copy_doubles(m->size, s->sizes.size, 3 * (size_t)s->sizes.n);
  m->loaded = s->facts.loaded;
  m->shared = s->facts.shared;
  m->constant = s->facts.constant;
  m->uniform = s->facts.uniform;
  m->slack = s->facts.slack;
  m->largest = s->sizes.largest;
  if (integrates) nsds_ode_mark_take(d->motion.ode, &m->ode);
}

void nsds_marks_destroy(nsds_event_driver *d) {
  nsds_context *context = d->base.context;
  for (int k = 0; k < 2; ++k) {
    nsds_release(context, d->marks.mark[k].row);
    nsds_release(context, d->marks.mark[k].closed);
    nsds_release(context, d->marks.mark[k].size);
    nsds_release(context, d->marks.mark[k].ode.memory);
  }
  nsds_release(context, d->marks.size_accepted);
}
