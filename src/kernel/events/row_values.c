/* Values of rows at the trial state: s, y and dy/dt, forces; and the sizes that their rounding is measured against. */
#include "kernel/events/row_values.h"

#include "base/base.h"
#include "kernel/events/event_rows.h"

double nsds_row_value(const nsds_event_rows *s, const nsds_row *row) {
  const nsds_state *at = &s->plan->trial;
  if (row->degree == 0) return row->slip;
  bool speed = row->degree == 1 && nsds_has_gap(s->plan->contact[row->contact].kind);
  return speed ? at->ydot[row->y] + row->given : at->y[row->y];
}

/* Largest |q|, or |x|, and |v| of each system so far: the scales of displacements and speeds. */
void nsds_rows_note_sizes(nsds_event_rows *s, const double *q, const double *v) {
  const nsds_plan *plan = s->plan;
  for (int k = 0; k < plan->nslot; ++k) {
    const nsds_slot *slot = &plan->slot[k];
    bool first = nsds_is_first_order(slot->ds);
    const double *x = first ? v + slot->v0 : q + slot->q0;
    double most = s->sizes.size[k], fastest = s->sizes.size[2 * plan->nslot + k];
    for (int j = 0, n = first ? slot->nv : slot->on.nq; j < n; ++j) nsds_raise(&most, fabs(x[j]));
    for (int j = 0; j < slot->nv; ++j) nsds_raise(&fastest, fabs(v[slot->v0 + j]));
    s->sizes.size[k] = most;
    s->sizes.size[2 * plan->nslot + k] = fastest;
  }
}

void nsds_rows_note_rates(nsds_event_rows *s) {
  const nsds_plan *plan = s->plan;
  for (int k = 0; k < plan->nslot; ++k)
    for (int j = 0; j < plan->slot[k].nv; ++j) {
      double *size = &s->sizes.size[plan->nslot + k];
      *size = fmax(*size, fabs(s->rate[plan->slot[k].v0 + j]));
    }
}

/* What y of first-order relations is a function of, D lambda. */
static void show_lambda(const nsds_event_rows *s) {
  nsds_state *at = &s->plan->trial;
  for (const nsds_row *row = s->row, *end = row + s->nrow; row < end; ++row)
    if (nsds_acts_on_states(s->plan->contact[row->contact].kind))
      at->force[row->y] = at->impulse[row->y] = row->lambda;
}

nsds_status nsds_rows_outputs(nsds_event_rows *s) {
  nsds_plan *plan = s->plan;
  nsds_status status = NSDS_OK;
  nsds_rows_note_sizes(s, plan->trial.q, plan->trial.v);
  show_lambda(s);
  nsds_contact *contact = plan->contact, *end = contact + plan->ncontact;
  for (; !status && contact < end; ++contact) status = contact->ops->output(plan, contact);
  return status;
}

void nsds_rows_forces(nsds_event_rows *s, bool event) {
  nsds_state *at = &s->plan->trial;
  nsds_zero_doubles(at->p, s->plan->model->size.nv);
  for (nsds_row *row = s->row, *end = row + s->nrow; row < end; ++row) {
    if (!event) row->flights.impulse = 0.0;
    const nsds_contact *contact = &s->plan->contact[row->contact];
    const nsds_entry *entry = &s->op.entry[row->contact];
    int m = contact->m, nx = contact->nv;
    at->force[row->y] = row->lambda;
    at->impulse[row->y] = nsds_acts_on_states(contact->kind) ? row->lambda : row->flights.impulse;
    double p = nsds_acts_on_states(contact->kind) ? row->lambda : row->flights.impulse;
    for (int e = 0, first = 0; p != 0.0 && e < contact->nds; first += entry->edge[e++].size)
      for (int k = 0; k < entry->edge[e].size; ++k)
        at->p[entry->edge[e].column + k] +=
            p * (nsds_acts_on_states(contact->kind)
                     ? contact->first->B[first + k + (ptrdiff_t)row->i * nx]
                     : entry->edge[e].H[row->i + (ptrdiff_t)k * m]);
  }
}

double nsds_row_size(const nsds_event_rows *s, const nsds_row *row, nsds_size_of what) {
  const nsds_contact *contact = &s->plan->contact[row->contact];
  const nsds_entry *entry = &s->op.entry[row->contact];
  double sum = 0.0;
  for (int e = 0; e < contact->nds; ++e) {
    const nsds_edge *edge = &entry->edge[e];
    double size = s->sizes.size[(int)what * s->plan->nslot + contact->reach[e].slot];
    for (int k = 0; k < edge->size; ++k)
      sum += fabs(edge->H[row->i + (ptrdiff_t)k * contact->m]) * size;
  }
  return sum;
}

double nsds_row_speed_terms(const nsds_event_rows *s, const nsds_row *row) {
  return nsds_row_size(s, row, NSDS_SIZE_OF_SPEEDS);
}

double nsds_row_gap_terms(const nsds_event_rows *s, const nsds_row *row) {
  const nsds_contact *contact = &s->plan->contact[row->contact];
  double known = contact->is.affine ? fabs(contact->shift[row->i]) : 0.0;
  return known + nsds_row_size(s, row, NSDS_SIZE_OF_PLACES);
}

double nsds_row_resolution(const nsds_event_rows *s, const nsds_row *row) {
  return nsds_rounding * nsds_row_gap_terms(s, row);
}

static bool has_entries(const double *row, int ld, int n) {
  for (int j = 0; j < n; ++j)
    if (row[(size_t)j * (size_t)ld] != 0.0) return true;
  return false;
}

int nsds_first_order_degree(const nsds_contact *contact, const nsds_entry *entry, int i) {
  return entry->D && has_entries(entry->D + i, contact->m, contact->m) ? 0 : 1;
}
