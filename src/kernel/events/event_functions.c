/*
 * The root functions of smooth motion, which end the modes of rows, see event_rows.h. While all gaps are
 * affine in the state, the integrator gets the root functions as rows of a matrix. If all rates are
 * constant until the next event, so is lambda, and no closed row leaves its mode. Sliding also ends
 * when friction makes a force have no effect on its gap. A contact that left from an overlap comes
 * back to the same overlap until its gap has passed zero.
 */
#include "kernel/events/event_functions.h"

#include "base/base.h"
#include "base/context.h"
#include "kernel/assembly/tracked_contact.h"
#include "kernel/events/event_rates.h"
#include "kernel/events/event_rows.h"
#include "kernel/events/event_switches.h"
#include "kernel/events/friction_modes.h"
#include "kernel/events/gap_projection.h"
#include "kernel/events/row_groups.h"
#include "kernel/events/row_values.h"

static bool stays_closed(const nsds_event_rows *s, const nsds_row *row) {
  return s->uniform && row->mode == NSDS_MODE_CLOSED;
}

/* Returns true if the row has the function of slip or of rolling of its contact. */
static bool watches_tangent(const nsds_row *row) {
  return row->span > 0 && row->mode != NSDS_MODE_IDLE;
}

/* Returns true if an idle row is watched: others keep it at zero, but not for ever unless its gap
 * is a sum of theirs. */
static bool watches_held(const nsds_event_rows *s, const nsds_row *row) {
  if (row->mode != NSDS_MODE_IDLE || row->normal > 0) return false;
  return !(row->degree == 2 && s->facts.constant && s->plan->contact[row->contact].is.affine);
}

/* Returns true for a closed sliding contact alone in its part. The effect of its force on its gap
 * may pass zero, see jamming_impact.c. */
static bool watches_pole(const nsds_event_rows *s, const nsds_row *row) {
  const nsds_contact *contact = &s->plan->contact[row->contact];
  const nsds_row_list *closed = &s->closed;
  if (row->tangents == 0 || row->mode != NSDS_MODE_CLOSED || row->degree != 2 ||
      (contact->is.fixed && contact->is.affine))
    return false;
  for (int p = 0; nsds_row_any_slides(row) && p < closed->nparts; ++p)
    if (closed->start[p + 1] == closed->start[p] + 1 &&
        closed->row[closed->start[p]] == (int)(row - s->row))
      return true;
  return false;
}

void nsds_event_functions_watched(const nsds_event_rows *s, const nsds_row *row, bool watched[2]) {
  bool closed = row->mode == NSDS_MODE_CLOSED, idle = row->mode == NSDS_MODE_IDLE;
  if (row->normal == 0 && (row->mode == NSDS_MODE_LOWER || row->mode == NSDS_MODE_UPPER)) {
    watched[0] = !nsds_row_fixed(row);
    watched[1] = nsds_row_overlaps(row);
    return;
  }
  watched[0] = row->normal > 0 ? watches_tangent(row) : closed ? row->lower > -INFINITY : !idle;
  watched[1] = closed && row->upper < INFINITY && row->normal == 0;
  if (nsds_row_slides(row) && watched[0]) watched[1] = nsds_friction_has_length(row);
  if (watches_held(s, row)) watched[0] = watched[1] = true;
  if (nsds_row_overlaps(row)) watched[1] = true;
  if (watches_pole(s, row)) watched[1] = true;
  if (stays_closed(s, row)) watched[0] = watched[1] = false;
}

/* Computes the function of drift. Joints that share lambda depend on each other only at zero
 * gaps. */
static nsds_status watch_drift(nsds_event_rows *s, double *g) {
  nsds_plan *plan = s->plan;
  nsds_status status = NSDS_OK;
  *g = 1.0;
  if (!nsds_event_functions_watch_drift(s)) return NSDS_OK;
  for (int k = 0; !status && k < s->closed.n; ++k) {
    const nsds_row *row = &s->row[s->closed.row[k]];
    nsds_contact *contact = &plan->contact[row->contact];
    if (row->i == 0) status = contact->ops->output(plan, contact);
  }
  if (!status) *g = 1.0 + 4.0 * s->slack - nsds_gaps_drifted(s); /* slack: drift that stays */
  return status;
}

/* Computes the function of searches: until bodies have used the reach, or touch other features. */
static nsds_status search_left(const nsds_event_rows *s, double *g) {
  nsds_status status = nsds_follow_left(s->plan, s->search.start, g);
  if (!status) *g = fmin(*g, nsds_follow_margin(s->plan));
  return status;
}

nsds_status nsds_event_functions(nsds_event_rows *s, double *g) {
  nsds_plan *plan = s->plan;
  nsds_status status = s->facts.loaded ? nsds_event_rates(s, NULL) : NSDS_OK;
  if (!status) status = watch_drift(s, &g[nsds_function_of_drift(s)]);
  if (!status && s->search.sets) status = search_left(s, &g[nsds_function_of_drift(s) + 1]);
  int done = -1;
  for (int r = 0; !status && r < s->nrow; ++r) {
    const nsds_row *row = &s->row[r];
    g[2 * r] = g[2 * r + 1] = 1.0;
    if (row->normal > 0) {
      if (!watches_tangent(row)) continue;
      double distance = nsds_friction_distance(s, row);
      g[2 * r] = distance - row->base;
      if (nsds_row_slides(row) && nsds_friction_has_length(row))
        g[2 * r + 1] = row->slipping.length > 0.0 ? row->slipping.length - distance
                                                  : nsds_friction_left(s, row);
    } else if (row->mode == NSDS_MODE_CLOSED) {
      if (row->lower > -INFINITY) g[2 * r] = row->lambda - row->lower - row->base;
      if (row->upper < INFINITY) g[2 * r + 1] = row->upper - row->lambda - row->base;
      else if (watches_pole(s, row))
        g[2 * r + 1] = nsds_rows_product(s, row, row) / nsds_rows_bare_product(s, row, row);
    } else if (row->mode != NSDS_MODE_IDLE || watches_held(s, row)) {
      if (row->degree > 0 && done != row->contact) {
        done = row->contact;
        status = plan->contact[done].ops->output(plan, &plan->contact[done]);
      }
      bool idle = row->mode == NSDS_MODE_IDLE;
      double value = nsds_row_value(s, row) - (idle ? row->held : 0.0);
      g[2 * r] = row->mode == NSDS_MODE_UPPER ? row->base - value : value - row->base;
      if (idle || nsds_row_overlaps(row)) g[2 * r + 1] = (idle ? -row->base : 0.0) - value;
    }
  }
  if (!status && plan->count.gated > 0)
    status = nsds_gates_functions(s, &g[nsds_function_of_switch(s, 0)]);
  return status;
}

/* ---- as rows of a matrix --------------------------------------------------------------------- */

/* Returns the constant of the function of an open row. */
static double constant_of(const nsds_event_rows *s, const nsds_row *row) {
  const nsds_contact *contact = &s->plan->contact[row->contact];
  double known = nsds_row_is_slip(s, row) ? row->given : contact->shift[row->i];
  return (row->mode == NSDS_MODE_LOWER ? 1.0 : -1.0) * (known - row->base);
}

/* Writes row 2 r for s of an open row: constant + H q, or H v if s is a speed. */
static void write_row(nsds_event_rows *s, int r, int *count) {
  const nsds_row *row = &s->row[r];
  const nsds_contact *contact = &s->plan->contact[row->contact];
  const nsds_entry *entry = &s->op.entry[row->contact];
  bool first = nsds_acts_on_states(contact->kind), speed = nsds_row_is_slip(s, row);
  double sign = row->mode == NSDS_MODE_LOWER ? 1.0 : -1.0;
  int nq = (int)s->plan->model->size.nq, *at = s->affine.column + *count;
  double *value = s->affine.value + *count;
  s->affine.constant[2 * r] = constant_of(s, row);
  for (int e = 0; e < contact->nds; ++e) {
    const nsds_edge *edge = &entry->edge[e];
    int column = first || speed ? nq + edge->column : contact->reach[e].q;
    const double *H = edge->H + row->i;
    for (int end = column + edge->size; column < end; ++column, H += contact->m) {
      if (*H == 0.0) continue;
      *at++ = column;
      *value++ = sign * *H;
    }
  }
  *count = (int)(at - s->affine.column);
}

/* Returns true if row 2 r belongs to the matrix: an open row of an affine relation. */
static bool is_affine(const nsds_event_rows *s, const nsds_row *row) {
  bool open = row->mode == NSDS_MODE_LOWER || row->mode == NSDS_MODE_UPPER;
  return open && row->degree > 0 && s->plan->contact[row->contact].is.affine &&
         !(s->groups.algebraic && nsds_acts_on_states(s->plan->contact[row->contact].kind));
}

static bool event_functions_write(nsds_event_rows *s) {
  int count = 0;
  if (nsds_event_functions_watch_drift(s) || s->search.sets) return false;
  if (s->plan->count.gated > 0) return false;
  for (int r = 0; r < s->nrow; ++r) {
    const nsds_row *row = &s->row[r];
    bool watched[2];
    nsds_event_functions_watched(s, row, watched);
    s->affine.start[2 * r] = count;
    if (watched[1] || (watched[0] && !is_affine(s, row))) return false;
    if (watched[0]) write_row(s, r, &count);
    s->affine.start[2 * r + 1] = s->affine.start[2 * r + 2] = count;
  }
  s->affine.start[2 * s->nrow] = s->affine.start[2 * s->nrow + 1] = count;
  return true;
}

bool nsds_event_functions_affine(nsds_event_rows *s, nsds_ode_rows *rows) {
  if (!s->affine.known) s->affine.whole = event_functions_write(s);
  *rows = (nsds_ode_rows){s->affine.constant, s->affine.start, s->affine.column, s->affine.value};
  return s->affine.whole;
}

/* Returns the mode of a row and what is watched of it as one number. */
static int form_of(const nsds_event_rows *s, const nsds_row *row) {
  bool watched[2];
  nsds_event_functions_watched(s, row, watched);
  return (int)row->mode * 4 + watched[0] * 2 + watched[1];
}

bool nsds_event_functions_stand(nsds_event_rows *s) {
  const int open = (int)NSDS_MODE_LOWER * 4 + 2; /* the form of most rows */
  bool same = s->affine.known && !nsds_event_functions_watch_drift(s);
  for (int r = 0; r < s->nrow; ++r) {
    const nsds_row *row = &s->row[r];
    bool plain = row->mode == NSDS_MODE_LOWER && row->normal == 0 && !nsds_row_overlaps(row);
    int form = plain ? open : form_of(s, row);
    bool renewed = row->base != s->affine.base[r];
    same = same && form == s->affine.form[r];
    s->affine.form[r] = form;
    s->affine.base[r] = row->base;
    if (same && renewed && s->affine.whole && s->affine.start[2 * r] < s->affine.start[2 * r + 1])
      s->affine.constant[2 * r] = constant_of(s, row);
  }
  nsds_rows_know_functions(s, same);
  return same;
}

nsds_status nsds_event_functions_reserve(nsds_event_rows *s) {
  const nsds_plan *plan = s->plan;
  nsds_context *context = plan->context;
  size_t entries = 0, rows = (size_t)nsds_function_count(s);
  for (int c = 0; c < plan->ncontact; ++c)
    entries += (size_t)plan->contact[c].m * (size_t)plan->contact[c].nv;
  nsds_status status = nsds_grow(context, &s->affine.constant, &s->affine.constant_capacity, rows,
                                 sizeof *s->affine.constant);
  nsds_rows_know_functions(s, false);
  if (!status)
    status = nsds_grow(context, &s->affine.start, &s->affine.start_capacity, rows + 1, sizeof(int));
  if (!status)
    status =
        nsds_grow(context, &s->affine.form, &s->affine.form_capacity, (size_t)s->nrow, sizeof(int));
  if (!status)
    status = nsds_grow(context, &s->affine.base, &s->affine.base_capacity, (size_t)s->nrow,
                       sizeof(double));
  if (!status)
    status =
        nsds_grow(context, &s->affine.column, &s->affine.column_capacity, entries, sizeof(int));
  if (!status)
    status =
        nsds_grow(context, &s->affine.value, &s->affine.value_capacity, entries, sizeof(double));
  return status;
}

/* ---- motions of constant acceleration -------------------------------------------------------- */

/* Returns true if lambda follows from states, or inputs depend on them. */
static bool feels_states(const nsds_event_rows *s) {
  bool any = s->listed.curved;
  for (const nsds_row *row = s->row, *end = row + s->nrow; row < end; ++row)
    any = any || row->degree == 0;
  return any;
}

bool nsds_event_functions_uniform(const nsds_event_rows *s) {
  const nsds_plan *plan = s->plan;
  if (s->listed.soft && feels_states(s)) return false;
  for (int k = 0; k < plan->nslot; ++k)
    if (!plan->slot[k].is.drifting) return false;
  for (const nsds_row *row = s->row, *end = row + s->nrow; row < end; ++row) {
    const nsds_contact *contact = &plan->contact[row->contact];
    if (nsds_row_slides(row)) return false;
    bool loads = row->mode == NSDS_MODE_CLOSED || row->lambda != 0.0;
    if (loads && !(contact->is.fixed && contact->is.affine)) return false;
  }
  return true;
}
