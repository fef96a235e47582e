/*
 * The rates of all unknowns for the integrator, with lambda of all rows. Closed rows, soft rows and
 * slip that begins add to the free rates. Contacts that are not affine in lambda need Newton's
 * method.
 */
#include "kernel/events/event_rates.h"

#include "base/base.h"
#include "base/context.h"
#include "kernel/assembly/index_one.h"
#include "kernel/events/closed_rows.h"
#include "kernel/events/event_rows.h"
#include "kernel/events/row_groups.h"
#include "kernel/events/slip_onset.h"
#include "kernel/events/soft_rows.h"

/* Computes s of the rows of degree 0 with the present lambda. */
static void close_slips(nsds_event_rows *s) {
  for (nsds_row *row = s->row, *end = row + s->nrow; row < end; ++row) {
    if (row->degree > 0) continue;
    const nsds_row_group *group = nsds_group_of(s, row);
    const double *D = nsds_group_matrix(s, group) + nsds_group_place(s, row);
    row->slip = row->bias;
    for (int j = 0; j < group->n; ++j, D += group->n)
      row->slip += *D * nsds_group_row(s, group, j)->lambda;
  }
}

static nsds_status find_rates(nsds_event_rows *s) {
  nsds_status status = nsds_rows_free_rates(s);
  if (status || !s->facts.loaded) return status;
  bool onset = s->listed.friction && s->onsets.any &&
               s->closed.n > 0; /* without closed rows forces are found for the present slip */
  status = onset ? nsds_onset_follow(s) : nsds_rows_close(s);
  close_slips(s);
  return status;
}

/* Does the same for contacts that are not affine in lambda, by Newton's method. */
static NSDS_NOINLINE nsds_status find_curved_rates(nsds_event_rows *s) {
  enum { most = 40 };
  nsds_soft_change change = nsds_soft_unknown;
  nsds_soft_begin(s);
  for (int pass = 0; pass < most; ++pass) {
    nsds_status status = find_rates(s);
    if (status || !s->facts.loaded || nsds_soft_move(s, &change)) return status;
  }
  return nsds_soft_fail(s);
}

/* Takes out what b(t) adds to rates of algebraic unknowns: their values follow from the state, and
 * the integration is not to follow errors of differences. */
static void take_shifts(const nsds_event_rows *s, double *dx) {
  for (int k = 0; k < s->plan->nslot; ++k) {
    const nsds_slot *slot = &s->plan->slot[k];
    for (int j = 0; slot->index_one && j < slot->nv; ++j)
      dx[slot->v0 + j] -= slot->index_one->shift[j];
  }
}

nsds_status nsds_event_rates_near(nsds_event_rows *s) { return find_rates(s); }

nsds_status nsds_event_rates(nsds_event_rows *s, double *dx) {
  const nsds_state_size *size = &s->plan->model->size;
  nsds_status status = s->uniform                        ? NSDS_OK
                       : NSDS_UNLIKELY(s->listed.curved) ? find_curved_rates(s)
                                                         : find_rates(s);
  if (!status && dx) status = nsds_rows_coordinate_rates(s, dx);
  if (!status && dx) nsds_copy_doubles(dx + size->nq, s->rate, size->nv);
  if (!status && dx && s->groups.algebraic) take_shifts(s, dx + size->nq);
  return status;
}
