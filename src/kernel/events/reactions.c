/*
 * Forces that hold prescribed velocities at an instant, r_d = M_d a - F_d - H_d^T lambda, with a
 * and lambda known.
 */
#include "kernel/events/reactions.h"

#include "base/base.h"
#include "kernel/assembly/lifting.h"
#include "kernel/assembly/slot.h"
#include "kernel/assembly/tree_reactions.h"
#include "kernel/events/row_values.h"
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

nsds_status nsds_force_of_all(nsds_event_rows *s, int k, double *p) {
  nsds_slot *slot = &s->plan->slot[k];
  const nsds_state *at = &s->plan->trial;
  nsds_arguments in = nsds_ds_in(slot->ds, at->t, at->q + slot->q0, at->v + slot->v0);
  nsds_status status = nsds_system_force(slot, &in, slot->scratch);
  for (int i = 0; i < slot->nv; ++i) p[i] = -slot->scratch[i];
  nsds_mass_multiply(slot, 1.0, s->rate + slot->v0, p);
  return status;
}

/* Computes M a - F - H^T lambda of all bodies of the tree: the forces of their joints. */
static nsds_status find_joint_loads(nsds_event_rows *s, double *load) {
  nsds_plan *plan = s->plan;
  nsds_status status = NSDS_OK;
  double *r = s->memory.vector;
  nsds_zero_doubles(r, plan->model->size.nv);
  subtract_lambda(s, r);
  for (int k = 0; !status && k < plan->nslot; ++k) {
    double *out = load + 6 * (ptrdiff_t)plan->tree->number[k];
    if (!plan->slot[k].is.jointed) continue;
    status = nsds_force_of_all(s, k, out);
    for (int i = 0; i < 6; ++i) out[i] += r[plan->slot[k].v0 + i];
  }
  return status;
}

/* Computes impulses on the joints of the tree from those of the rows, which p has. p gets both. */
static nsds_status find_joint_impulses(nsds_event_rows *s, double *load) {
  nsds_plan *plan = s->plan;
  nsds_state *at = &plan->trial;
  double *jump = s->memory.vector;
  nsds_zero_doubles(jump, plan->model->size.nv);
  for (const nsds_row *row = s->row, *end = row + s->nrow; row < end; ++row)
    if (row->flights.impulse != 0.0) nsds_rows_push(s, row, row->flights.impulse, jump);
  for (int k = 0; k < plan->nslot; ++k) {
    const nsds_slot *slot = &plan->slot[k];
    double *out = load + 6 * (ptrdiff_t)plan->tree->number[k], *p = at->p + slot->v0;
    if (!slot->is.jointed) continue;
    for (int i = 0; i < slot->nv; ++i) out[i] = -p[i];
    nsds_mass_multiply(slot, 1.0, jump + slot->v0, out);
    for (int i = 0; i < slot->nv; ++i) p[i] += out[i];
  }
  return nsds_tree_reactions_share(plan, load, at->impulse);
}

nsds_status nsds_find_joint_forces(nsds_event_rows *s, bool event) {
  nsds_plan *plan = s->plan;
  nsds_plan_tree *t = plan->tree;
  nsds_state *at = &plan->trial;
  nsds_status status = find_joint_loads(s, t->rest);
  if (!status) status = nsds_tree_reactions_share(plan, t->rest, at->force);
  if (!status && event) return find_joint_impulses(s, t->rest);
  for (int k = 0; k < t->step->tree->nbody; ++k) {
    const nsds_interaction *ia = t->step->joint[k];
    if (ia) nsds_zero_doubles(at->impulse + ia->y_offset, (size_t)ia->m);
  }
  return status;
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
