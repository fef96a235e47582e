/*
 * Rates at the trial state with the closed rows kept at zero:
 *
 *   free     rates without lambda, linearisations, directions of slip
 *   close    lambda of the closed rows, part by part, and its part of the rates
 *
 * Contacts whose slip begins need slip_onset.c too.
 */
#include "kernel/events/closed_rows.h"

#include "base/base.h"
#include "base/context.h"
#include "kernel/assembly/contact_operator.h"
#include "kernel/assembly/plan.h"
#include "kernel/events/event_parts.h"
#include "kernel/events/event_rows.h"
#include "kernel/events/friction_modes.h"
#include "kernel/events/prescribed_rates.h"
#include "kernel/events/row_values.h"
#include "kernel/modeling/local.h"
#include "kernel/modeling/modeling.h"

/* Returns a time over which relations change little, for differences. */
static double difference_step(const nsds_event_rows *s, const nsds_interaction *ia) {
  const nsds_plan *plan = s->plan;
  double time = s->scales.time;
  for (int k = 0; nsds_has_gap(ia->relation->kind) && k < ia->nds; ++k) {
    const nsds_ds *ds = ia->ds[k];
    double size = s->sizes.size[ds->index] > 0.0 ? s->sizes.size[ds->index] : 1.0, speed = 0.0;
    for (int j = 0; j < ds->nv; ++j) speed = fmax(speed, fabs(plan->trial.v[ds->v_offset + j]));
    if (speed * time > size) time = size / speed;
  }
  return NSDS_EPSILON_TO_FIFTH * time;
}

/* Computes the bias by differences on this side of scheduled events, at which the relation may
 * change. */
static nsds_status find_bias(nsds_event_rows *s, const nsds_interaction *ia, double *bias) {
  nsds_state *at = &s->plan->trial;
  double step = fmin(difference_step(s, ia), (s->scales.until - s->scales.from) / 8.0);
  int side = at->t + 2.0 * step > s->scales.until ? -1 : at->t - 2.0 * step < s->scales.from;
  return nsds_bias(ia, at, step, side, bias, s->memory.work);
}

/* Sets lambda of a first-order contact to zero in the trial state. The rows of the contact are
 * affine in lambda, so any lambda gives the same coefficients. But an integration may be made again
 * after a failure. Only lambda = 0 then gives the same rounding errors as before. */
static void clear_lambda(const nsds_event_rows *s, const nsds_contact *contact) {
  nsds_zero_doubles(s->plan->trial.force + contact->y0, (size_t)contact->m);
  nsds_zero_doubles(s->plan->trial.impulse + contact->y0, (size_t)contact->m);
}

/* Computes H, bias (or c) and Y of one contact that is not constant. */
static nsds_status closed_rows_linearise(nsds_event_rows *s, int c, double *bias) {
  nsds_plan *plan = s->plan;
  nsds_contact *contact = &plan->contact[c];
  const nsds_interaction *ia = contact->interaction;
  nsds_entry *entry = &s->op.entry[c];
  nsds_status status = NSDS_OK;
  if (nsds_acts_on_states(contact->kind) && !contact->is.affine) {
    clear_lambda(s, contact);
    status = contact->ops->evaluate(plan, contact);
    if (!status) status = contact->ops->linearise(plan, contact, entry);
  } else if (!contact->is.affine) {
    nsds_arguments in = nsds_gather(ia, &plan->trial, plan->trial.force, 1.0, s->memory.work);
    double *rest = s->memory.work + ia->relation->nq + ia->nv + ia->nZ + 1 + ia->m;
    status = nsds_gradient(ia, &in, entry->H, rest);
  }
  if (!status && !contact->is.affine) status = find_bias(s, ia, bias);
  if (!status && !contact->is.fixed) nsds_operator_edges(&s->op, c);
  return status;
}

/* Checks that D has kept its zeros since the last event. */
static nsds_status check_zeros(const nsds_event_rows *s, const nsds_row *first) {
  const nsds_contact *contact = &s->plan->contact[first->contact];
  const nsds_entry *entry = &s->op.entry[first->contact];
  char label[nsds_label_size];
  for (int i = 0; nsds_acts_on_states(contact->kind) && entry->D && i < contact->m; ++i)
    if (nsds_first_order_degree(contact, entry, i) != first[i].degree)
      return nsds_fail(
          s->plan->context, NSDS_ERROR_UNSUPPORTED,
          "event-driven: row %d of D of %s %s at t = %.17g; a user event belongs where "
          "that changes",
          i, nsds_contact_label(contact, label),
          first[i].degree > 0 ? "is no longer zero" : "is zero", s->plan->trial.t);
  return NSDS_OK;
}

nsds_status nsds_rows_linearise(nsds_event_rows *s) {
  nsds_status status = NSDS_OK;
  const nsds_row *end = s->listed.varies ? s->row + s->nrow : s->row;
  for (nsds_row *row = s->row; !status && row < end; row += s->plan->contact[row->contact].m) {
    const nsds_contact *contact = &s->plan->contact[row->contact];
    if (contact->is.fixed && contact->is.affine) continue;
    double *bias = s->memory.work + s->memory.work_capacity - contact->m;
    for (int i = 0; i < contact->m; ++i) bias[i] = 0.0;
    status = closed_rows_linearise(s, row->contact, bias);
    if (!status) status = check_zeros(s, row);
    for (int i = 0; i < contact->m; ++i) row[i].bias = bias[i];
  }
  return status;
}

/* Computes c + C x of the rows of degree 0 at the trial state. */
static void find_slips(nsds_event_rows *s) {
  const nsds_plan *plan = s->plan;
  for (nsds_row *row = s->row, *end = row + s->nrow; row < end; ++row) {
    if (row->degree > 0) continue;
    const nsds_contact *contact = &plan->contact[row->contact];
    const nsds_entry *entry = &s->op.entry[row->contact];
    row->bias = contact->is.affine ? contact->shift[row->i] : entry->offset[row->i];
    for (int e = 0; e < contact->nds; ++e)
      for (int k = 0; k < entry->edge[e].size; ++k)
        row->bias += entry->edge[e].H[row->i + (ptrdiff_t)k * contact->m] *
                     plan->trial.v[entry->edge[e].column + k];
  }
}

/* Computes lambda of the closed rows of the present part: `rest` plus the least correction. */
static nsds_status solve_part(nsds_event_rows *s) {
  bool keep = s->facts.factored && s->facts.constant;
  for (int k = 0; k < s->system.n; ++k) {
    const nsds_row *row = &s->row[s->system.chosen[k]];
    if (row->rest != 0.0) nsds_rows_load(s, row, row->rest, s->rate);
  }
  nsds_status status = nsds_rows_matrix(s, false);
  if (!status && !keep) status = nsds_rows_factor(s, nsds_dependent);
  if (status) return status;
  for (int k = 0; k < s->system.n; ++k) s->system.z[k] = -s->system.b[k];
  nsds_rows_solve(s);
  for (int k = 0; k < s->system.n; ++k) {
    nsds_row *row = &s->row[s->system.chosen[k]];
    row->lambda = s->system.z[k] + row->rest;
    nsds_rows_load(s, row, s->system.z[k], s->rate);
  }
  return NSDS_OK;
}

static nsds_status solve_closed(nsds_event_rows *s) {
  nsds_status status = NSDS_OK;
  for (int p = 0; !status && p < s->closed.nparts; ++p) {
    nsds_part_enter(s, &s->closed, p);
    status = solve_part(s);
  }
  s->facts.factored = !status;
  if (!status && s->facts.friction) nsds_friction_follow(s);
  return status;
}

nsds_status nsds_rows_close(nsds_event_rows *s) {
  for (nsds_row *row = s->row, *end = row + s->nrow; row < end; ++row)
    if (row->lambda != 0.0 &&
        (row->way == NSDS_WAY_HELD || (row->mode != NSDS_MODE_CLOSED && !nsds_row_slides(row))))
      nsds_rows_load(s, row, row->lambda, s->rate);
  return s->closed.n > 0 ? solve_closed(s) : NSDS_OK;
}

nsds_status nsds_rows_coordinate_rates(const nsds_event_rows *s, double *dq) {
  const nsds_plan *plan = s->plan;
  const nsds_state *at = &plan->trial;
  if (plan->slots_aligned) {
    nsds_copy_doubles(dq, at->v, plan->model->size.nq);
    return NSDS_OK;
  }
  for (int k = 0; k < plan->nslot; ++k) {
    const nsds_slot *slot = &plan->slot[k];
    const nsds_ds *ds = slot->ds;
    double *out = dq + slot->q0;
    const double *v = at->v + slot->v0;
    if (nsds_is_first_order(ds)) continue;
    if (!ds->ops->velocity_map) {
      nsds_copy_doubles(out, v, (size_t)ds->nq);
      continue;
    }
    nsds_arguments in = nsds_ds_in(ds, at->t, at->q + slot->q0, v);
    nsds_status status = ds->ops->velocity_map(ds->self, &in, s->memory.map);
    if (status) return status;
    for (int i = 0; i < ds->nq; ++i) {
      out[i] = 0.0;
      for (int j = 0; j < ds->nv; ++j) out[i] += s->memory.map[i + (ptrdiff_t)j * ds->nq] * v[j];
    }
  }
  return NSDS_OK;
}

nsds_status nsds_rows_free_rates(nsds_event_rows *s) {
  nsds_plan *plan = s->plan;
  nsds_status status = s->facts.driven ? nsds_driven_rates(s) : NSDS_OK;
  for (int k = 0; !status && k < plan->nslot; ++k) {
    nsds_slot *slot = &plan->slot[k];
    if (!slot->is.drifting) status = slot->osi->evaluate(&slot->on);
    else
      for (int j = 0; j < slot->nv; ++j) plan->v_free[slot->v0 + j] = slot->increment[j];
  }
  if (status) return status;
  nsds_copy_doubles(s->rate, plan->v_free, plan->model->size.nv);
  if (!s->facts.loaded) return NSDS_OK;
  status = nsds_rows_linearise(s);
  if (!status && s->facts.friction) status = nsds_friction_update(s);
  if (!status) find_slips(s);
  return status;
}
