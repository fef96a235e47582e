/*
 * Which rows are at zero at the trial state: located there, kept there, or there up to rounding. A
 * gap is measured against 64 eps of sum |H| times the largest coordinates there have been, a speed
 * against the same with the largest velocities. Closed gaps that have drifted, and those located, say that
 * others, which close with them, may be off by as much: feet in a line that land together.
 */
#include "kernel/events/rows_at_zero.h"

#include "base/base.h"
#include "kernel/events/event_rows.h"
#include "kernel/events/friction_modes.h"
#include "kernel/events/row_state.h"
#include "kernel/events/row_values.h"

#include <float.h>

void nsds_rows_doubt(nsds_event_rows *s) {
  s->scales.doubt = 0.0;
  for (const nsds_row *row = s->row, *end = row + s->nrow; row < end; ++row) {
    if (row->degree != 2 || !(nsds_row_closed(row) || nsds_row_at_zero(row))) continue;
    double terms = nsds_row_gap_terms(s, row);
    if (terms > 0.0) nsds_raise(&s->scales.doubt, fabs(s->plan->trial.y[row->y]) / terms);
  }
}

/* Of the terms of a gap: what counts as zero. The last feet may be further off than those they follow from. */
static double at_least(const nsds_event_rows *s) { return nsds_rounding + 4.0 * s->scales.doubt; }

/* Open, and further away than any rounding. */
static bool is_far(const nsds_event_rows *s, const nsds_row *row) {
  if (nsds_row_at_zero(row) || nsds_row_closed(row) || nsds_row_bilateral(row)) return false;
  double terms = fabs(s->plan->contact[row->contact].shift[row->i]) + row->norm * s->sizes.largest;
  return s->plan->trial.y[row->y] > 2.0 * at_least(s) * terms;
}

static void touch_gap(nsds_event_rows *s, nsds_row *row, double far) {
  const nsds_state *at = &s->plan->trial;
  if (is_far(s, row)) return;
  double least = at_least(s) * nsds_row_gap_terms(s, row);
  bool stays = nsds_row_closed(row) && at->y[row->y] <= far; /* else it was taken away */
  nsds_row_locate(row, nsds_row_at_zero(row) || stays || nsds_row_bilateral(row) ||
                           at->y[row->y] <= least);
  /* as far as the integration lets it; equalities may contradict each other by that */
  bool drifts = nsds_row_closed(row) && (isinf(far) || nsds_row_bilateral(row));
  double least_speed = drifts ? fmax(nsds_rounding, s->scales.drift) : nsds_rounding;
  row->scale = nsds_row_speed_terms(s, row);
  /* where nothing has moved so far all speeds are rounding, of what forces do in a short time */
  double pushed = drifts ? s->scales.time * nsds_row_size(s, row, NSDS_SIZE_OF_RATES) : 0.0;
  nsds_row_move(row, fabs(at->ydot[row->y]) > least_speed * (row->scale + pushed) + 4.0 * DBL_MIN);
}

/* Whether s of a row of degree 1 is zero up to this part of its terms. */
static bool is_small(const nsds_event_rows *s, const nsds_row *row, double part) {
  bool first = nsds_acts_on_states(s->plan->contact[row->contact].kind);
  double size = first ? nsds_row_gap_terms(s, row) : nsds_row_speed_terms(s, row);
  return fabs(nsds_row_value(s, row)) <= part * size;
}

static void touch_slip(nsds_event_rows *s, nsds_row *row, double held) {
  bool stays = nsds_row_closed(row) && (isinf(held) || is_small(s, row, held));
  nsds_row_locate(row, nsds_row_at_zero(row) || stays || is_small(s, row, nsds_rounding));
}

void nsds_rows_touch_speeds(nsds_event_rows *s) {
  double part = fmax(nsds_rounding, s->scales.drift);
  for (nsds_row *row = s->row, *end = row + s->nrow; row < end; ++row)
    if (row->degree == 1 && row->normal == 0) nsds_row_locate(row, is_small(s, row, part));
}

void nsds_rows_touch(nsds_event_rows *s, bool outside) {
  double far = 0.0;
  for (int k = 0; outside && k < s->plan->nslot; ++k)
    far = fmax(far, nsds_drifted * s->sizes.size[k]);
  if (!outside) far = INFINITY;
  double held =
      outside ? fmax(nsds_rounding, s->scales.drift) : INFINITY; /* of speeds, by their terms */
  s->sizes.largest = 0.0;
  s->here.stops = s->here.again;
  for (const nsds_row *row = s->row, *end = row + s->nrow; row < end; ++row)
    s->here.stops =
        s->here.stops || (row->normal == 1 && nsds_row_at_zero(row) && nsds_row_slides(row));
  for (int k = 0; k < s->plan->nslot; ++k) nsds_raise(&s->sizes.largest, s->sizes.size[k]);
  for (nsds_row *row = s->row, *end = row + s->nrow; row < end; ++row) {
    row->flights.impulse = 0.0;
    nsds_row_forget_jam(row);
    if (row->degree == 2) touch_gap(s, row, far);
    else if (row->degree == 1 && row->normal == 0) touch_slip(s, row, held);
    for (int k = 1; k <= row->tangents; ++k) row[k].scale = 0.0;
    if (row->tangents > 0) nsds_friction_touch(s, row, held);
  }
}
