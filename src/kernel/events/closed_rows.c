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
#include "kernel/assembly/index_one.h"
#include "kernel/assembly/plan.h"
#include "kernel/assembly/tree_rates.h"
#include "kernel/events/event_parts.h"
#include "kernel/events/event_rows.h"
#include "kernel/events/friction_modes.h"
#include "kernel/events/prescribed_rates.h"
#include "kernel/events/row_groups.h"
#include "kernel/events/row_values.h"
#include "kernel/events/soft_rows.h"
#include "kernel/modeling/local.h"
#include "kernel/modeling/modeling.h"

/* Returns a time over which relations change little, for differences. */
static double difference_step(const nsds_event_rows *s, const nsds_interaction *ia) {
  const nsds_plan *plan = s->plan;
  double time = s->scales.time;
  for (int k = 0; k < ia->nds; ++k) {
    const nsds_ds *ds = ia->ds[k];
    if (nsds_is_first_order(ds)) continue;
    double size = s->sizes.size[ds->index] > 0.0 ? s->sizes.size[ds->index] : 1.0, speed = 0.0;
    for (int j = 0; j < ds->nv; ++j) speed = fmax(speed, fabs(plan->trial.v[ds->v_offset + j]));
    if (speed * time > size) time = size / speed;
  }
  return NSDS_EPSILON_TO_FIFTH * time;
}

nsds_status nsds_rows_bias(nsds_event_rows *s, const nsds_interaction *ia, double *bias) {
  nsds_state *at = &s->plan->trial;
  double step = fmin(difference_step(s, ia), (s->scales.until - s->scales.from) / 8.0);
  int side = at->t + 2.0 * step > s->scales.until ? -1 : at->t - 2.0 * step < s->scales.from;
  return nsds_bias(ia, at, step, side, bias, s->memory.work);
}

/* Computes H of a rigid contact that is not affine, and its D of impulses. */
static nsds_status linearise_rigid(nsds_event_rows *s, int c) {
  nsds_plan *plan = s->plan;
  const nsds_interaction *ia = plan->contact[c].interaction;
  const double *lambda = ia->relation->impulsive ? NULL : plan->trial.force;
  nsds_arguments in = nsds_gather(ia, &plan->trial, lambda, 1.0, s->memory.work);
  nsds_status status =
      nsds_gradient(ia, &in, s->op.entry[c].H, nsds_behind_gathered(ia, s->memory.work));
  return status ? status : nsds_damped_linearise(s, c, &in);
}

/* Returns true if a row of the contact is differentiated. */
static bool needs_bias(const nsds_row *first, int m) {
  bool any = false;
  for (int i = 0; i < m; ++i) any = any || first[i].degree > 0;
  return any;
}

/* Computes H, bias (or c) and Y of one contact that is not constant. */
static nsds_status closed_rows_linearise(nsds_event_rows *s, const nsds_row *first, double *bias) {
  nsds_contact *contact = &s->plan->contact[first->contact];
  nsds_status status = NSDS_OK;
  if (nsds_contact_is_soft(contact)) status = nsds_soft_linearise(s, first);
  else if (!contact->is.affine) status = linearise_rigid(s, first->contact);
  if (!status && !contact->is.affine && needs_bias(first, contact->m))
    status = nsds_rows_bias(s, contact->interaction, bias);
  if (!status && !contact->is.fixed) nsds_contact_operator_form_y(&s->op, first->contact);
  return status;
}

/* Checks that D has kept its zeros since the last event. */
static nsds_status check_zeros(const nsds_event_rows *s, const nsds_row *first) {
  const nsds_contact *contact = &s->plan->contact[first->contact];
  char label[nsds_label_size];
  for (int i = 0; nsds_contact_is_soft(contact) && i < contact->m; ++i)
    if (nsds_soft_degree(s, &first[i]) != first[i].degree)
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
    status = closed_rows_linearise(s, row, bias);
    if (!status && !s->groups.algebraic) status = check_zeros(s, row);
    for (int i = 0; i < contact->m; ++i) row[i].bias = bias[i];
  }
  if (!s->groups.algebraic || !s->listed.varies) return status;
  nsds_groups_couple(s);
  for (const nsds_row *row = s->row; !status && row < end; ++row)
    if (row->i == 0) status = check_zeros(s, row);
  return status;
}

/* Computes s of the rows of degree 0 without lambda at the trial state. */
static void find_slips(nsds_event_rows *s) {
  for (nsds_row *row = s->row, *end = row + s->nrow; row < end; ++row)
    if (row->degree == 0) row->bias = nsds_soft_rest(s, row);
}

/* Adds D times the origins of shared lambda to the rows of degree 0, which the load on rates leaves out. */
static void add_rests(const nsds_event_rows *s, const nsds_row_part *part) {
  for (int k = 0; k < part->n; ++k) {
    const nsds_row *row = &s->row[part->chosen[k]];
    if (row->degree > 0 || row->way == NSDS_WAY_DIFFERENTIATED) continue;
    const nsds_row_group *group = nsds_group_of(s, row);
    for (int j = 0; j < group->n; ++j) {
      const nsds_row *other = nsds_group_row(s, group, j);
      if (other->mode == NSDS_MODE_CLOSED && other->lambda_origin != 0.0)
        part->b[k] += nsds_rows_through(s, row, other) * other->lambda_origin;
    }
  }
}

/* Computes lambda of the closed rows of the part: lambda_origin plus the least correction. */
static nsds_status solve_part(nsds_event_rows *s, const nsds_row_part *part) {
  bool keep = nsds_part_stays(s, part);
  for (int k = 0; k < part->n; ++k) {
    const nsds_row *row = &s->row[part->chosen[k]];
    if (row->lambda_origin != 0.0) nsds_rows_load(s, row, row->lambda_origin, s->rate);
  }
  nsds_status status = nsds_rows_matrix(s, part, false);
  if (!status && s->listed.soft) add_rests(s, part);
  if (!status && !keep) status = nsds_rows_factor(s, part, nsds_dependent);
  if (status) return status;
  for (int k = 0; k < part->n; ++k) part->z[k] = -part->b[k];
  nsds_rows_solve(s, part);
  for (int k = 0; k < part->n; ++k) {
    nsds_row *row = &s->row[part->chosen[k]];
    row->lambda = part->z[k] + row->lambda_origin;
    nsds_rows_load(s, row, part->z[k], s->rate);
  }
  return NSDS_OK;
}

static nsds_status solve_closed(nsds_event_rows *s) {
  nsds_status status = NSDS_OK;
  for (int p = 0; !status && p < s->closed.nparts; ++p) {
    const nsds_row_part part = nsds_part_of(s, &s->closed, p);
    status = solve_part(s, &part);
  }
  s->parts.factored = status ? NULL : &s->closed;
  if (!status && s->listed.friction) nsds_friction_follow(s);
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

/* Gives systems with a singular M their states without inputs. Adds the rate of these states that
 * b(t) alone causes. */
static NSDS_NOINLINE nsds_status take_algebra(const nsds_event_rows *s) {
  nsds_plan *plan = s->plan;
  nsds_status status = NSDS_OK;
  double t = plan->trial.t, until = s->scales.until, from = s->scales.from;
  double h = fmin(NSDS_EPSILON_TO_FIFTH * s->scales.time, (until - from) / 8.0);
  int side = t + 2.0 * h > until ? -1 : t - 2.0 * h < from;
  for (int k = 0; !status && k < plan->nslot; ++k) {
    const nsds_slot *slot = &plan->slot[k];
    const nsds_index_one *own = slot->index_one;
    if (!own) continue;
    nsds_copy_doubles(plan->trial.v + slot->v0, own->x, (size_t)slot->nv);
    status = nsds_index_one_shift(slot, t, h, side);
    for (int j = 0; j < slot->nv; ++j) plan->v_free[slot->v0 + j] += own->shift[j];
  }
  return status;
}

nsds_status nsds_rows_free_rates(nsds_event_rows *s) {
  nsds_plan *plan = s->plan;
  nsds_status status = s->listed.driven ? nsds_driven_rates(s) : NSDS_OK;
  for (int k = 0; !status && k < plan->nslot; ++k) {
    nsds_slot *slot = &plan->slot[k];
    if (!slot->is.drifting) status = slot->osi->evaluate(&slot->on);
    else
      for (int j = 0; j < slot->nv; ++j) plan->v_free[slot->v0 + j] = slot->increment[j];
  }
  if (NSDS_UNLIKELY(plan->tree != NULL) && !status) status = nsds_tree_rates_find(plan);
  if (NSDS_UNLIKELY(s->groups.algebraic) && !status) status = take_algebra(s);
  bool inputs = s->listed.curved && s->groups.algebraic;
  if (!status && inputs) status = nsds_groups_show(s);
  if (!status && s->facts.loaded) status = nsds_rows_linearise(s);
  if (status) return status;
  if (inputs) nsds_groups_hide(s);
  if (s->listed.curved) nsds_soft_inputs(s);
  nsds_copy_doubles(s->rate, plan->v_free, plan->model->size.nv);
  if (!s->facts.loaded) return NSDS_OK;
  if (s->listed.friction) status = nsds_friction_update(s);
  if (!status) find_slips(s);
  return status;
}
