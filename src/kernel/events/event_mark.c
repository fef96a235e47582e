/*
 * Marks of the rows as they are, and of the integration that starts with them: where a step that
 * fails is taken back to (event_retry.c).
 */
#include "kernel/events/event_mark.h"

#include "base/base.h"
#include "base/context.h"
#include "kernel/events/event_rows.h"
#include "kernel/events/row_carryover.h"
#include "numerics/ode/mark.h"

static nsds_status event_mark_grow(nsds_event_driver *d, nsds_event_mark *m) {
  nsds_context *context = d->base.context;
  const nsds_smooth *s = &d->smooth;
  size_t rows = (size_t)s->nrow, sizes = 3 * (size_t)s->nsize;
  nsds_status status = nsds_grow(context, &m->row, &m->row_capacity, rows, sizeof *m->row);
  if (!status)
    status = nsds_grow(context, &m->closed, &m->closed_capacity, 2 * rows + 2, sizeof *m->closed);
  if (!status) status = nsds_grow(context, &m->size, &m->size_capacity, sizes, sizeof *m->size);
  return status;
}

nsds_status nsds_event_mark_reserve(nsds_event_driver *d) {
  nsds_status status = nsds_rows_reserve_aside(&d->smooth, d->smooth.nrow);
  for (int k = 0; !status && k < 2; ++k) status = event_mark_grow(d, &d->mark[k]);
  if (status) return status;
  return nsds_grow(d->base.context, &d->size_accepted, &d->size_accepted_capacity,
                   3 * (size_t)d->smooth.nsize, sizeof *d->size_accepted);
}

void nsds_event_mark_take(nsds_event_driver *d, nsds_event_mark *m, bool integrates) {
  const nsds_smooth *s = &d->smooth;
  const nsds_row_list *closed = &s->closed;
  m->there = s->topology != 0 && (size_t)s->nrow <= m->row_capacity &&
             3 * (size_t)s->nsize <= m->size_capacity;
  if (!m->there) return; /* rows wait to be listed, or have been, and then memory was short */
  m->integrates = integrates;
  m->resumed = false;
  m->topology = s->topology;
  m->detections = s->detections;
  m->nrow = s->nrow;
  m->nclosed = closed->n;
  m->nparts = closed->nparts;
  m->nsize = s->nsize;
  if (s->nrow > 0) memcpy(m->row, s->row, (size_t)s->nrow * sizeof *s->row);
  for (int k = 0; k < closed->n; ++k) m->closed[k] = closed->row[k];
  for (int k = 0; closed->n > 0 && k <= closed->nparts; ++k)
    m->closed[closed->n + k] = closed->start[k];
  nsds_copy_doubles(m->size, s->size, 3 * (size_t)s->nsize);
  m->loaded = s->loaded;
  m->shared = s->shared;
  m->constant = s->constant;
  m->uniform = s->uniform;
  m->slack = s->slack;
  m->largest = s->largest;
  if (integrates) nsds_ode_mark_take(d->ode, &m->ode);
}
