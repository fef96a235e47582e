/* The right-hand side of smooth motion: rates of all unknowns, and lambda of all rows. */
#include "kernel/events/event_rates.h"

#include "base/base.h"
#include "kernel/events/closed_rows.h"
#include "kernel/events/slip_onset.h"

/* s of the rows of degree 0 with lambda as it is. */
static void close_slips(nsds_event_rows *s) {
  for (nsds_row *row = s->row, *end = row + s->nrow; row < end; ++row) {
    if (row->degree > 0) continue;
    const nsds_contact *contact = &s->plan->contact[row->contact];
    const double *D = s->op.entry[row->contact].D;
    const nsds_row *first = row - row->i;
    row->slip = row->bias;
    for (int j = 0; j < contact->m; ++j)
      row->slip += D[row->i + (ptrdiff_t)j * contact->m] * first[j].lambda;
  }
}

static nsds_status find_rates(nsds_event_rows *s) {
  nsds_status status = nsds_rows_free_rates(s);
  if (status || !s->facts.loaded) return status;
  bool onset = s->facts.friction && s->onsets.any &&
               s->closed.n > 0; /* else forces are being looked for, as slip goes now */
  status = onset ? nsds_onset_follow(s) : nsds_rows_close(s);
  close_slips(s);
  return status;
}

nsds_status nsds_event_rates(nsds_event_rows *s, double *dx) {
  const nsds_state_size *size = &s->plan->model->size;
  nsds_status status = s->facts.uniform ? NSDS_OK : find_rates(s);
  if (!status && dx) status = nsds_rows_coordinate_rates(s, dx);
  if (!status && dx) nsds_copy_doubles(dx + size->nq, s->rate, size->nv);
  return status;
}
