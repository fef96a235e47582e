/*
 * The problem of the velocities of a step of nonsmooth RATTLE. v and P' are the velocity and the
 * impulse of the first half (rattle_places.c). P is the impulse of the step:
 *
 *   speeds     v_{k+1} = v + M^-1 [h/2 F + H(q_{k+1})^T (P - P')]
 *              w = dy/dt(t_{k+1}, q_{k+1}, v_{k+1}) + e dy/dt(-)
 *   approach   the speeds without the gaps that close, from v_k + tau (v_free - v_k): gives dy/dt(-)
 *
 * w and P are in the set of their law. The speeds have the rows that are closed at q_{k+1}.
 *
 * - P and not P - P' is in the set: P' of a gap that closes only stops the body where it is zero.
 * - Friction of both halves opposes the slip of the middle. So the slip of a contact that lasts is
 *   turned back by its change in half a step. The order is then two where the slip turns.
 * - The approach is solved with tau = 1, and at the time tau h at which the gap is zero with the rates
 *   of both ends.
 */
#include "kernel/stepping/rattle_speeds.h"

#include "base/base.h"
#include "kernel/assembly/contact.h"
#include "kernel/assembly/contact_operator.h"
#include "kernel/assembly/detect.h"
#include "kernel/assembly/one_step.h"
#include "kernel/assembly/reduced.h"
#include "kernel/assembly/reduced_rows.h"
#include "kernel/assembly/slot.h"
#include "kernel/integrators/rattle.h"
#include "kernel/modeling/local.h"
#include "kernel/modeling/modeling.h"
#include "kernel/stepping/rattle_springs.h"
#include "numerics/linear/product.h"

/* Returns true if a copy whose first row is i was closed before the step, and has pushed. */
static bool has_lasted(const nsds_plan *plan, const nsds_contact *contact, const double *first,
                       int i) {
  return !nsds_rattle_about_gap(contact, i) ||
         (plan->model->state.impulse[contact->y0 + i] > 0.0 && first[contact->y0 + i] > 0.0);
}

/* Returns true if the law of a contact remembers the speed of an approach. */
static bool remembers(const nsds_plan *plan, const nsds_contact *contact) {
  double *still = plan->memory.work, *rate = still + contact->m, *moving = rate + contact->m;
  if (!contact->restitution) return false;
  nsds_rattle_surface(plan, contact, still); /* sets the rate to zero */
  *rate = -1.0;
  nsds_zero_doubles(moving, (size_t)contact->size);
  contact->restitution(contact->law_self, rate, moving);
  return *moving != *still;
}

/* Returns true if the gap of row i is zero at the trial state. */
static bool is_shut(const nsds_plan *plan, const nsds_contact *contact, const nsds_entry *entry,
                    int i) {
  int at = contact->y0 + i;
  return plan->trial.impulse[at] > 0.0 ||
         plan->trial.y[at] <= nsds_rattle_slack(plan, contact, entry, i);
}

static nsds_rattle_use use_of(const nsds_plan *plan, const nsds_contact *contact,
                              const nsds_entry *entry, int i) {
  if (nsds_rattle_is_spring(contact)) return NSDS_RATTLE_OPEN;
  if (!contact->active || !nsds_rattle_about_gap(contact, i)) return NSDS_RATTLE_CLOSED;
  if (!is_shut(plan, contact, entry, i)) return NSDS_RATTLE_OPEN;
  bool strikes = !has_lasted(plan, contact, plan->trial.impulse, i) && remembers(plan, contact);
  return strikes ? NSDS_RATTLE_STRIKES : NSDS_RATTLE_CLOSED;
}

/* Keeps w of the first half. */
static void keep_middle(const nsds_one_step *o, double *middle) {
  for (int a = 0; a < o->set.nactive; ++a) {
    const nsds_contact *contact = &o->op.plan->contact[o->set.active[a]];
    const unsigned char *on = o->op.entry[o->set.active[a]].more->on;
    const double *w = o->w + o->reduced.row[a];
    for (int i = 0; i < contact->m; ++i)
      if (nsds_rattle_is_on(contact, on, i)) middle[contact->y0 + i] = *w++;
  }
}

bool nsds_rattle_close(const nsds_one_step *places, nsds_second_half *half) {
  const nsds_plan *plan = places->op.plan;
  bool strikes = false;
  keep_middle(places, half->middle);
  for (int c = 0; c < plan->ncontact; ++c) {
    const nsds_contact *contact = &plan->contact[c];
    for (int i = 0; i < contact->m; i += contact->size) {
      nsds_rattle_use use = use_of(plan, contact, &places->op.entry[c], i);
      half->use[contact->y0 + i] = (unsigned char)use;
      strikes = strikes || use == NSDS_RATTLE_STRIKES;
    }
  }
  return strikes;
}

/* Computes H and dh/dt of a contact that is not affine, at the trial state. */
static nsds_status end_contact(const nsds_plan *plan, const nsds_contact *contact,
                               const nsds_entry *entry) {
  const nsds_interaction *ia = contact->interaction;
  const nsds_relation *relation = ia->relation;
  nsds_arguments in = nsds_gather(ia, &plan->trial, plan->trial.force, 1.0, plan->memory.work);
  nsds_status status =
      nsds_gradient(ia, &in, entry->H, nsds_behind_gathered(ia, plan->memory.work));
  for (int i = 0; i < contact->m; ++i) entry->offset[i] = 0.0;
  if (!status && relation->ops->jacobian_t)
    status = relation->ops->jacobian_t(relation->self, &in, entry->offset);
  return status;
}

static bool is_used(const nsds_contact *contact, const nsds_second_half *half) {
  for (int i = contact->y0; i < contact->y0 + contact->m; i += contact->size)
    if (half->use[i] != NSDS_RATTLE_OPEN) return true;
  return false;
}

/* Subtracts H^T P' of all contacts from p. Contacts that stay open have no P'. */
static void give_back(const nsds_second_half *half, double *p) {
  const nsds_one_step *o = &half->speeds;
  const nsds_plan *plan = o->op.plan;
  const double *P = half->impulse;
  for (int c = 0; c < plan->ncontact; ++c) {
    const nsds_contact *contact = &plan->contact[c];
    const double *H = o->op.entry[c].H;
    if (!is_used(contact, half)) continue;
    for (const nsds_reach *r = contact->reach, *end = r + contact->nds; r < end; ++r)
      for (int k = 0; k < r->size; ++k)
        for (int i = 0; i < contact->m; ++i) p[r->column + k] -= *H++ * P[contact->y0 + i];
  }
}

/* Computes the velocities of a system without impulses from the impulse in v_free. */
static nsds_status end_slot(const nsds_plan *plan, const nsds_gain *gain, int s) {
  nsds_slot *slot = &plan->slot[s];
  const nsds_ds *ds = slot->ds;
  double *v = plan->v_free + slot->v0;
  nsds_status status = nsds_rattle_hold(slot, v);
  if (status) return status;
  for (int k = 0; k < ds->prescribed.n; ++k) slot->scratch[k] = v[ds->prescribed.index[k]];
  nsds_gain_apply(slot, gain, 1, v);
  for (int k = 0; k < ds->prescribed.n; ++k) v[ds->prescribed.index[k]] = slot->scratch[k];
  for (int k = 0; k < slot->nv; ++k) v[k] += plan->trial.v[slot->v0 + k];
  return NSDS_OK;
}

/* Returns true if neither v nor v_free brings the bodies of row i nearer, beyond rounding. */
static bool is_idle(const nsds_plan *plan, const nsds_contact *contact, const double *H, int i) {
  double middle = 0.0, free = 0.0, size = 0.0;
  H += i;
  for (const nsds_reach *r = contact->reach, *end = r + contact->nds; r < end; ++r)
    for (int k = r->column; k < r->column + r->size; ++k, H += contact->m) {
      middle += *H * plan->trial.v[k];
      free += *H * plan->v_free[k];
      size += fabs(*H * plan->trial.v[k]) + fabs(*H * plan->v_free[k]);
    }
  return fmin(middle, free) >= -0x1p-40 * size;
}

/* Opens the copies that touch without a load, before the step and in it. Such impulses would be
 * rounding, and no solver certifies them. */
static void open_idle(nsds_second_half *half) {
  const nsds_plan *plan = half->speeds.op.plan;
  for (int c = 0; c < plan->ncontact; ++c) {
    const nsds_contact *contact = &plan->contact[c];
    for (int i = 0; i < contact->m; i += contact->size) {
      int at = contact->y0 + i;
      bool bears = half->impulse[at] > 0.0 || plan->model->state.impulse[at] > 0.0;
      if (half->use[at] == NSDS_RATTLE_CLOSED && contact->active &&
          nsds_rattle_about_gap(contact, i) && !bears &&
          is_idle(plan, contact, half->speeds.op.entry[c].H, i))
        half->use[at] = NSDS_RATTLE_OPEN;
    }
  }
}

nsds_status nsds_rattle_end(nsds_second_half *half) {
  nsds_one_step *o = &half->speeds;
  nsds_plan *plan = o->op.plan;
  size_t nv = plan->model->size.nv;
  nsds_status status = nsds_contact_operator_gains(&o->op, &plan->trial);
  for (int c = 0; !status && c < plan->ncontact; ++c)
    if (!plan->contact[c].is.affine &&
        (c >= plan->ninteraction || is_used(&plan->contact[c], half)))
      status = end_contact(plan, &plan->contact[c], &o->op.entry[c]);
  for (int s = 0; !status && s < plan->nslot; ++s)
    status = nsds_rattle_second_half(&plan->slot[s], plan->v_free + plan->slot[s].v0);
  if (!status) status = nsds_rattle_pull_second(plan, half, plan->v_free);
  if (status) return status;
  nsds_copy_doubles(half->p, plan->trial.p, nv);
  nsds_copy_doubles(half->impulse, plan->trial.impulse, plan->model->size.ny);
  give_back(half, plan->v_free);
  for (int s = 0; !status && s < plan->nslot; ++s) status = end_slot(plan, &o->op.gain[s], s);
  nsds_copy_doubles(half->v_free, plan->v_free, nv);
  open_idle(half);
  return status;
}

/* ---- approach --------------------------------------------------------------------------------- */

/* Returns the time s in [0, h] at which y + v s + (v' - v) s^2 / (2 h) = 0: v, v' at both ends. */
static double time_to_close(double y, double v, double v_end, double h) {
  double a = (v_end - v) / h, root = v * v - 2.0 * a * y;
  if (!(y > 0.0)) return 0.0;
  root = root > 0.0 ? sqrt(root) : 0.0;
  double s = v < 0.0 ? 2.0 * y / (root - v) : -(v + root) / a;
  return s >= 0.0 && s < h ? s : h;
}

double nsds_rattle_part(const nsds_plan *plan, const nsds_second_half *half) {
  const nsds_state *now = &plan->model->state;
  double h = plan->scheme->h, least = h;
  for (int c = 0; c < plan->ncontact; ++c) {
    const nsds_contact *contact = &plan->contact[c];
    for (int i = contact->y0; i < contact->y0 + contact->m; i += contact->size) {
      if (half->use[i] != NSDS_RATTLE_STRIKES) continue;
      least = fmin(least, time_to_close(now->y[i], now->ydot[i], half->ydot[i], h));
    }
  }
  return least / h;
}

/* Selects the copies that are closed; `strikes`: those that strike too. */
static nsds_status select_closed(nsds_second_half *half, bool strikes) {
  nsds_one_step *o = &half->speeds;
  for (size_t i = 0; i < o->op.plan->model->size.ny; ++i)
    half->closed[i] =
        half->use[i] == NSDS_RATTLE_CLOSED || (strikes && half->use[i] == NSDS_RATTLE_STRIKES);
  return nsds_one_step_select(o, 0.0, half->closed);
}

nsds_status nsds_rattle_form_approach(nsds_second_half *half, double part) {
  nsds_one_step *o = &half->speeds;
  const nsds_plan *plan = o->op.plan;
  const double *v = plan->model->state.v;
  for (size_t k = 0; k < plan->model->size.nv; ++k)
    plan->v_free[k] = v[k] + part * (half->v_free[k] - v[k]);
  nsds_status status = select_closed(half, false);
  return status ? status : nsds_one_step_form(o);
}

/* Computes dy/dt of a contact at the velocities of the trial state. */
static void end_rates(const nsds_one_step *o, int c, double *ydot) {
  const nsds_plan *plan = o->op.plan;
  const nsds_contact *contact = &plan->contact[c];
  const double *H = o->op.entry[c].H;
  for (int i = 0; i < contact->m; ++i)
    ydot[i] = contact->is.affine ? 0.0 : o->op.entry[c].offset[i];
  for (const nsds_reach *r = contact->reach, *end = r + contact->nds; r < end; ++r) {
    nsds_add_product(contact->m, r->size, H, contact->m, plan->trial.v + r->column, ydot);
    H += (ptrdiff_t)contact->m * r->size;
  }
}

void nsds_rattle_approach(nsds_second_half *half) {
  nsds_one_step *o = &half->speeds;
  const nsds_plan *plan = o->op.plan;
  nsds_one_step_apply_anew(o);
  for (int c = 0; c < plan->ncontact; ++c) {
    const nsds_contact *contact = &plan->contact[c];
    if (is_used(contact, half)) end_rates(o, c, half->ydot + contact->y0);
  }
}

void nsds_rattle_put_out(const nsds_second_half *half) {
  const nsds_plan *plan = half->speeds.op.plan;
  for (int c = plan->ninteraction; c < plan->ncontact; ++c)
    end_rates(&half->speeds, c, plan->trial.ydot + plan->contact[c].y0);
}

/* Puts the speed with which a gap closes in place of that at the start of the step. */
static void remember_approach(const nsds_plan *plan, const nsds_contact *contact,
                              const nsds_second_half *half, int i, double *q) {
  double *before = plan->memory.work;
  nsds_zero_doubles(before, (size_t)contact->size);
  contact->restitution(contact->law_self, nsds_contact_rate(plan, contact) + i, before);
  for (int k = 0; k < contact->size; ++k) q[k] -= before[k];
  contact->restitution(contact->law_self, half->ydot + contact->y0 + i, q);
}

/* ---- the slip of the middle ------------------------------------------------------------------- */

/* Rows first .. first + n - 1 of a law are a slip with a direction. */
typedef struct slip_rows {
  int first, n;
} slip_rows;

static int slips_of(const nsds_contact *contact, slip_rows slip[2]) {
  int size = contact->size;
  switch (contact->law->set) {
  case NSDS_SET_COULOMB: slip[0] = (slip_rows){1, size - 1}; return size > 2;
  case NSDS_SET_DISC: slip[0] = (slip_rows){0, size}; return size > 1;
  case NSDS_SET_ROLLING:
    if (size < 5) return 0;
    slip[0] = (slip_rows){1, 2};
    slip[1] = (slip_rows){3, 2};
    return 2;
  default: return 0;
  }
}

/* Subtracts from q the change of a slip in half a step, unless the slip may end in the step. `s`: slip
 * of the middle, with that of the surface; `rate`: dy/dt at the start. */
static void turn_slip(slip_rows rows, const double *s, const double *surface, const double *rate,
                      double *q) {
  double change = 0.0, speed = 0.0;
  for (int i = rows.first; i < rows.first + rows.n; ++i) {
    double d = s[i] - surface[i] - rate[i];
    change += d * d;
    speed += s[i] * s[i];
  }
  if (4.0 * change > speed) return;
  for (int i = rows.first; i < rows.first + rows.n; ++i) q[i] -= s[i] - surface[i] - rate[i];
}

/* Corrects the constant part of a copy whose first row is i: q. */
static void correct_copy(const nsds_plan *plan, const nsds_second_half *half, int c, int i,
                         double *q) {
  const nsds_contact *contact = &plan->contact[c];
  double *surface = plan->memory.work;
  slip_rows slip[2];
  if (half->use[contact->y0 + i] == NSDS_RATTLE_STRIKES)
    remember_approach(plan, contact, half, i, q);
  int n = has_lasted(plan, contact, half->impulse, i) ? slips_of(contact, slip) : 0;
  if (n > 0) nsds_rattle_surface(plan, contact, surface);
  for (int k = 0; k < n; ++k)
    turn_slip(slip[k], half->middle + contact->y0 + i, surface,
              plan->model->state.ydot + contact->y0 + i, q);
}

nsds_status nsds_rattle_form_speeds(nsds_second_half *half) {
  nsds_one_step *o = &half->speeds;
  const nsds_plan *plan = o->op.plan;
  nsds_copy_doubles(plan->v_free, half->v_free, plan->model->size.nv);
  for (size_t i = 0; i < plan->model->size.ny; ++i) /* where its solver starts */
    plan->trial.impulse[i] = (plan->model->state.impulse[i] != 0.0 ? 2.0 : 1.0) * half->impulse[i];
  nsds_status status = select_closed(half, true);
  if (!status) status = nsds_one_step_form(o);
  for (int a = 0; !status && a < o->set.nactive; ++a) {
    int c = o->set.active[a], r = o->reduced.row[a];
    const nsds_contact *contact = &plan->contact[c];
    const unsigned char *on = o->op.entry[c].more->on;
    for (int i = 0; i < contact->m; i += contact->size) {
      if (!nsds_rattle_is_on(contact, on, i)) continue;
      correct_copy(plan, half, c, i, o->q + r);
      r += contact->size;
    }
  }
  return status;
}

void nsds_rattle_apply(nsds_second_half *half) {
  nsds_one_step *o = &half->speeds;
  nsds_plan *plan = o->op.plan;
  nsds_one_step_apply_anew(o);
  for (size_t k = 0; k < plan->model->size.nv; ++k) plan->trial.p[k] += half->p[k];
  nsds_rattle_end_springs(plan, half);
  give_back(half, plan->trial.p);
}

const nsds_formulation nsds_rattle_speeds = {.name = "speeds",
                                             .scheme = "RATTLE",
                                             .admit = nsds_rattle_admit,
                                             .prepare = nsds_rattle_prepare,
                                             .assemble = nsds_reduced_assemble,
                                             .form_matrix = nsds_reduced_form_matrix,
                                             .constant_term = nsds_reduced_constant_term,
                                             .apply = nsds_reduced_apply};
