/*
 * A switch that is on leaves its row to the law. While it is off, lambda has the bounds of the
 * relation, often both zero: such a row is in no question. The margin of the relation, a function of
 * the state with lambda, ends on or off when it falls below zero. A switch without hysteresis may
 * then have a margin below zero by rounding; its next function begins there (nsds_row::gate_start).
 */
#include "kernel/events/event_switches.h"

#include "base/base.h"
#include "kernel/assembly/plan.h"
#include "kernel/events/row_values.h"
#include "kernel/modeling/gate.h"

/* Returns the switch of a row, or NULL. */
static nsds_interaction *gate_of(const nsds_event_rows *s, const nsds_row *row) {
  const nsds_contact *contact = &s->plan->contact[row->contact];
  return contact->is.gated ? contact->interaction : NULL;
}

static void take_bounds(nsds_row *row, const nsds_interaction *ia) {
  row->lower = ia->gate.lower;
  row->upper = ia->gate.upper;
}

void nsds_gates_take(nsds_event_rows *s) {
  for (nsds_row *row = s->row, *end = row + s->nrow; s->plan->count.gated > 0 && row < end; ++row)
    if (gate_of(s, row)) take_bounds(row, gate_of(s, row));
}

static nsds_status margin_of(const nsds_event_rows *s, const nsds_interaction *ia, double *margin) {
  const nsds_state *at = &s->plan->trial;
  nsds_arguments in = nsds_gate_arguments(ia, at, at->impulse, s->memory.work);
  return nsds_gate_margin(ia, &in, ia->gate.next, margin);
}

nsds_status nsds_gates_functions(nsds_event_rows *s, double *g) {
  nsds_status status = nsds_rows_show(s);
  for (nsds_row *row = s->row, *end = row + s->nrow; !status && row < end; ++row) {
    const nsds_interaction *ia = gate_of(s, row);
    double margin = 0.0;
    if (!ia) continue;
    status = margin_of(s, ia, &margin);
    bool known = isfinite(margin); /* nothing moves it, or the time of the next corner */
    *g++ = known ? margin - row->gate_start : margin > 0.0 ? 1.0 : -1.0;
  }
  return status;
}

void nsds_gates_mark(nsds_event_rows *s, int k) {
  for (nsds_row *row = s->row, *end = row + s->nrow; row < end; ++row)
    if (gate_of(s, row) && k-- == 0) row->mark.gate_due = true;
}

nsds_status nsds_gates_move(nsds_event_rows *s, bool *any) {
  nsds_status status = NSDS_OK;
  *any = false;
  if (s->plan->count.gated == 0) return NSDS_OK;
  for (nsds_row *row = s->row, *end = row + s->nrow; !status && row < end; ++row) {
    nsds_interaction *ia = gate_of(s, row);
    double margin = 0.0;
    if (!ia) continue;
    status = margin_of(s, ia, &margin);
    bool turns = !status && (row->mark.gate_due || (margin < 0.0 && !row->mark.gate_moved));
    if (!turns) continue;
    *any = row->mark.gate_moved = true;
    row->mark.gate_due = false;
    nsds_gate_set(ia, !ia->gate.next);
    take_bounds(row, ia);
  }
  return status;
}

nsds_status nsds_gates_begin(nsds_event_rows *s) {
  nsds_status status = NSDS_OK;
  for (nsds_row *row = s->row, *end = row + s->nrow;
       !status && s->plan->count.gated > 0 && row < end; ++row) {
    const nsds_interaction *ia = gate_of(s, row);
    double margin = 0.0;
    if (!ia) continue;
    status = margin_of(s, ia, &margin);
    row->gate_start = isfinite(margin) ? fmin(margin, 0.0) : 0.0;
    row->mark.gate_due = row->mark.gate_moved = false;
  }
  return status;
}

void nsds_gates_accept(const nsds_plan *plan) {
  for (int c = 0; plan->count.gated > 0 && c < plan->ninteraction; ++c)
    if (plan->contact[c].is.gated) nsds_gate_accept(plan->contact[c].interaction);
}

void nsds_gates_return(const nsds_plan *plan) {
  for (int c = 0; plan->count.gated > 0 && c < plan->ninteraction; ++c) {
    nsds_interaction *ia = plan->contact[c].is.gated ? plan->contact[c].interaction : NULL;
    if (ia) nsds_gate_set(ia, ia->gate.on);
  }
}
