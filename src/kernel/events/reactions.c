/*
 * Forces that hold prescribed velocities at an instant, r_d = M_d a - F_d - H_d^T lambda, with a
 * and lambda known.
 */
#include "kernel/events/reactions.h"

#include "base/base.h"
#include "kernel/assembly/slot.h"
#include "kernel/events/soft_rows.h"
#include "kernel/integrators/system_rates.h"
#include "kernel/modeling/modeling.h"

/* Subtracts the part of g that is not B lambda. */
static void subtract_inputs(const nsds_event_rows *s, const nsds_row *row, double *r) {
  const nsds_contact *contact = &s->plan->contact[row->contact];
  const nsds_entry *entry = &s->op.entry[row->contact];
  for (int e = 0, first = 0; e < contact->nds; first += entry->edge[e++].size)
    for (int k = 0; k < entry->edge[e].size; ++k) {
      double *out = &r[entry->edge[e].column + k];
      *out -= contact->first->g[first + k];
      for (int i = 0; i < contact->m; ++i)
        *out += contact->first->B[first + k + (ptrdiff_t)i * contact->nv] * row[i].point;
    }
}

/* Subtracts forces of constraints from r. */
static void subtract_lambda(const nsds_event_rows *s, double *r) {
  for (const nsds_row *row = s->row, *end = row + s->nrow; row < end; ++row) {
    const nsds_contact *contact = &s->plan->contact[row->contact];
    const nsds_entry *entry = &s->op.entry[row->contact];
    bool gap = nsds_has_gap(contact->kind);
    if (row->i == 0 && !gap && nsds_contact_is_curved(contact)) subtract_inputs(s, row, r);
    for (int e = 0, first = 0; row->lambda != 0.0 && e < contact->nds;
         first += entry->edge[e++].size)
      for (int k = 0; k < entry->edge[e].size; ++k)
        r[entry->edge[e].column + k] -=
            row->lambda * (gap ? entry->edge[e].H[row->i + (ptrdiff_t)k * contact->m]
                               : contact->first->B[first + k + (ptrdiff_t)row->i * contact->nv]);
  }
}

nsds_status nsds_find_reactions(nsds_event_rows *s) {
  const nsds_plan *plan = s->plan;
  nsds_state *at = &s->plan->trial;
  nsds_status status = NSDS_OK;
  nsds_zero_doubles(at->reaction, plan->model->size.nv);
  subtract_lambda(s, at->reaction);
  for (int k = 0; !status && k < plan->nslot; ++k) {
    nsds_slot *slot = &plan->slot[k];
    const nsds_ds *ds = slot->ds;
    double *r = at->reaction + slot->v0, *F = slot->scratch;
    nsds_arguments in = nsds_ds_in(ds, at->t, at->q + slot->q0, at->v + slot->v0);
    if (ds->prescribed.n > 0) status = nsds_system_force(slot, &in, F);
    if (!status && ds->prescribed.n > 0) nsds_mass_multiply(slot, 1.0, s->rate + slot->v0, r);
    for (int i = 0, d = 0; i < slot->nv; ++i)
      if (d < ds->prescribed.n && ds->prescribed.index[d] == i) r[i] -= F[i], ++d;
      else r[i] = 0.0;
  }
  return status;
}
