/*
 * The problem of the positions of a step of nonsmooth RATTLE. v is the velocity of the middle, P' the
 * impulse of the first half:
 *
 *   v = v_free + W^-1 H(q_k)^T P'
 *   gaps             w = y(t_{k+1}, q_{k+1}) / h
 *   all other rows   w = dy/dt(t_m, q_m, v),   q_m = q_k (+) h/2 v
 *
 * w and P' are in the set of their law. The problem has the rows whose gaps may close.
 *
 * - The rows are w^i + H(q_k)(v - v^i) about an iterate i. So the matrix is symmetric, and stays the
 *   same. Iterations converge at a rate of h times the change of H.
 * - The first iterate of found contacts whose bodies are slow is rest: w there needs no evaluation.
 * - Another iteration is left out if w at the iterate is that of the last problem.
 * - A found contact may pass to another feature within the step, as the rim of a disc that falls flat.
 *   P' along H(q_k) then closes the gap at any speed. A step in which most of the energy is such work of
 *   P' is refused, and halved.
 */
#include "kernel/stepping/rattle_places.h"

#include "base/base.h"
#include "kernel/assembly/contact.h"
#include "kernel/assembly/reduced.h"
#include "kernel/assembly/reduced_rows.h"
#include "kernel/assembly/slot.h"
#include "kernel/modeling/local.h"
#include "kernel/modeling/modeling.h"
#include "kernel/modeling/turns.h"
#include "kernel/stepping/rattle_springs.h"
#include "numerics/linear/product.h"

nsds_status nsds_rattle_start(nsds_one_step *o) {
  nsds_plan *plan = o->op.plan;
  const nsds_state *now = &plan->model->state;
  nsds_status status = NSDS_OK;
  for (size_t i = 0; i < plan->model->size.ny; ++i)
    plan->trial.impulse[i] = 0.5 * now->impulse[i]; /* where the first problem starts */
  for (int c = 0; !status && c < plan->ncontact; ++c) {
    const nsds_interaction *ia = plan->contact[c].interaction;
    if (plan->contact[c].is.affine || nsds_rattle_is_spring(&plan->contact[c])) continue;
    if (c >= plan->ninteraction) { /* found at this state */
      nsds_copy_doubles(o->op.entry[c].H, plan->contact[c].H, (size_t)ia->m * (size_t)ia->nv);
      continue;
    }
    status = nsds_gradient_at(ia, now, now->force, o->op.entry[c].H, plan->memory.work);
  }
  return status;
}

/* Moves the coordinates Q of the systems of an interaction from the start of the step to its middle. */
static nsds_status to_middle(const nsds_plan *plan, const nsds_interaction *ia, double *Q) {
  const nsds_state *now = &plan->model->state;
  double half = 0.5 * plan->scheme->h;
  nsds_status status = NSDS_OK;
  for (int k = 0; !status && k < ia->nds; Q += ia->ds[k++]->nq) {
    const nsds_ds *ds = ia->ds[k];
    double *way = plan->slot[ds->index].scratch;
    for (int j = 0; j < ds->nv; ++j) way[j] = half * plan->trial.v[ds->v_offset + j];
    status =
        nsds_ds_move(ds, plan->scheme->t, now->q + ds->q_offset, now->v + ds->v_offset, way, Q);
  }
  return status;
}

/* Computes dy/dt at the middle. H is m x nv. */
static nsds_status middle_rates(const nsds_plan *plan, const nsds_interaction *ia, double *ydot) {
  const nsds_relation *relation = ia->relation;
  double *work = plan->memory.work;
  nsds_arguments in = nsds_gather(ia, &plan->trial, plan->trial.force, 1.0, work);
  double *H = nsds_behind_gathered(ia, work);
  in.t = plan->scheme->t + 0.5 * plan->scheme->h;
  nsds_status status = to_middle(plan, ia, work);
  if (!status) status = nsds_gradient(ia, &in, H, H + (size_t)ia->m * (size_t)ia->nv);
  for (int i = 0; i < ia->m; ++i) ydot[i] = 0.0;
  if (!status && relation->ops->jacobian_t) {
    status = relation->ops->jacobian_t(relation->self, &in, ydot);
  }
  if (!status) nsds_add_product(ia->m, ia->nv, H, ia->m, in.v, ydot);
  return status;
}

/* Computes y at the trial state. */
static nsds_status end_gaps(const nsds_plan *plan, const nsds_interaction *ia, double *y) {
  nsds_arguments in = nsds_gather(ia, &plan->trial, plan->trial.force, 1.0, plan->memory.work);
  return nsds_relation_output(ia, &plan->trial, &in, y);
}

/* Writes the offset about a start at rest: the gap of now, and no slip. */
static void aim_at_rest(const nsds_plan *plan, const nsds_contact *contact,
                        const nsds_entry *entry) {
  for (int i = 0; i < contact->m; ++i)
    entry->offset[i] = nsds_rattle_about_gap(contact, i)
                           ? plan->model->state.y[contact->y0 + i] / plan->scheme->h
                           : 0.0;
}

/* Returns true if the systems of a contact move much slower than forces accelerate them in the step.
 * Rest is then as good an iterate as the motion so far. */
static bool is_slow(const nsds_plan *plan, const nsds_contact *contact) {
  double speed = 0.0, change = 0.0;
  for (const nsds_reach *r = contact->reach, *end = r + contact->nds; r < end; ++r)
    for (int k = r->column; k < r->column + r->size; ++k) {
      double v = plan->model->state.v[k];
      speed = fmax(speed, fabs(v));
      change = fmax(change, fabs(plan->v_free[k] - v));
    }
  return speed < 1e-2 * change;
}

/* Writes w^i - H v^i to the offset of a contact that is not affine. */
static nsds_status aim_contact(const nsds_plan *plan, const nsds_contact *contact,
                               const nsds_entry *entry) {
  const nsds_interaction *ia = contact->interaction;
  const nsds_state *at = &plan->trial;
  double *y = at->y + contact->y0;
  bool gaps = true;
  for (int i = 0; i < contact->m; ++i) gaps = gaps && nsds_rattle_about_gap(contact, i);
  nsds_status status = gaps ? NSDS_OK : middle_rates(plan, ia, entry->offset);
  if (!status) status = end_gaps(plan, ia, y);
  for (int i = 0; !status && i < contact->m; ++i)
    if (nsds_rattle_about_gap(contact, i)) entry->offset[i] = y[i] / plan->scheme->h;
  const double *H = entry->H;
  for (const nsds_reach *r = contact->reach, *end = r + contact->nds; r < end; ++r)
    for (int k = 0; k < r->size; ++k)
      for (int i = 0; i < contact->m; ++i) entry->offset[i] -= *H++ * at->v[r->column + k];
  return status;
}

/* Returns the sum of |H| |v_free| of row i. */
static double free_speed(const nsds_plan *plan, const nsds_contact *contact,
                         const nsds_entry *entry, int i) {
  const double *H = entry->H + i;
  double speed = 0.0;
  for (const nsds_reach *r = contact->reach, *end = r + contact->nds; r < end; ++r)
    for (int k = r->column; k < r->column + r->size; ++k, H += contact->m)
      speed += fabs(*H * plan->v_free[k]);
  return speed;
}

/* Returns true if the offsets of a contact have changed little. A change may reach `part` of the
 * sizes of v, or `loose` of the free velocities of its rows. */
static bool contact_stands(const nsds_plan *plan, const nsds_contact *contact,
                           const nsds_entry *entry, const double *last, const double *size,
                           double part, double loose) {
  double most = 0.0;
  for (int e = 0; e < contact->nds; ++e) most += part * size[contact->reach[e].slot];
  for (int i = 0; i < contact->m; ++i) {
    double change = fabs(entry->offset[i] - last[i]);
    if (!(change <= most) &&
        (loose == 0.0 || !(change <= loose * free_speed(plan, contact, entry, i))))
      return false;
  }
  return true;
}

nsds_status nsds_rattle_aim_first(nsds_one_step *o, const nsds_second_half *half) {
  const nsds_plan *plan = o->op.plan;
  nsds_status status = NSDS_OK;
  for (int a = 0; !status && a < o->set.nactive; ++a) {
    int c = o->set.active[a];
    const nsds_contact *contact = &plan->contact[c];
    const nsds_entry *entry = &o->op.entry[c];
    if (contact->is.affine) continue;
    bool rests = plan->slots_affine && c >= plan->ninteraction && is_slow(plan, contact);
    if (rests) aim_at_rest(plan, contact, entry);
    else status = aim_contact(plan, contact, entry);
    nsds_copy_doubles(half->offset + contact->y0, entry->offset, (size_t)contact->m);
  }
  return status;
}

nsds_status nsds_rattle_aim(nsds_one_step *o, const nsds_second_half *half, double part,
                            double loose, bool *stands) {
  const nsds_plan *plan = o->op.plan;
  nsds_status status = NSDS_OK;
  for (int a = 0; !status && a < o->set.nactive; ++a) {
    const nsds_contact *contact = &plan->contact[o->set.active[a]];
    const nsds_entry *entry = &o->op.entry[o->set.active[a]];
    double *last = half->offset + contact->y0;
    if (contact->is.affine) continue;
    status = aim_contact(plan, contact, entry);
    *stands = *stands && contact_stands(plan, contact, entry, last, half->size, part,
                                        contact->active ? loose : 0.0);
    nsds_copy_doubles(last, entry->offset, (size_t)contact->m);
  }
  return status;
}

/* Computes q. z starts from the impulses of the last iterate. */
static void rattle_places_term(nsds_one_step *o) {
  const nsds_plan *plan = o->op.plan;
  const nsds_state *now = &plan->model->state;
  double rate = 1.0 / plan->scheme->h, *surface = plan->memory.work;
  for (int a = 0; a < o->set.nactive; ++a) {
    const nsds_contact *contact = &plan->contact[o->set.active[a]];
    const nsds_entry *entry = &o->op.entry[o->set.active[a]];
    const unsigned char *on = entry->more->on;
    double *q = o->q + o->reduced.row[a], *z = o->z + o->reduced.row[a];
    int rows = o->reduced.row[a + 1] - o->reduced.row[a];
    nsds_rattle_surface(plan, contact, surface);
    for (int i = 0, r = 0; i < contact->m; ++i) {
      if (!nsds_rattle_is_on(contact, on, i)) continue;
      z[r] = plan->trial.impulse[contact->y0 + i];
      q[r] = surface[i % contact->size];
      if (!contact->is.affine) q[r] += entry->offset[i];
      else if (nsds_rattle_about_gap(contact, i)) q[r] += rate * now->y[contact->y0 + i];
      ++r;
    }
    for (int e = o->reduced.first_edge[a]; e < o->reduced.first_edge[a + 1]; ++e)
      nsds_add_product(rows, o->reduced.edge[e].size, o->reduced.edge[e].H, rows,
                       plan->v_free + o->reduced.edge[e].column, q);
  }
}

/* Returns the least rate of a gap that the step may bring. The rate is that of the start or of the
 * free motion, less the largest change of a velocity by forces. Other contacts may turn such a change
 * towards this gap. */
static double least_rate(const nsds_plan *plan, const nsds_contact *contact, const double *H,
                         int i) {
  const double *free_v = plan->slots_affine ? plan->v_free : plan->trial.v;
  double start = 0.0, free = 0.0, change = 0.0;
  H += i;
  for (const nsds_reach *r = contact->reach, *end = r + contact->nds; r < end; ++r)
    for (int k = r->column; k < r->column + r->size; ++k, H += contact->m) {
      start += *H * plan->model->state.v[k];
      free += *H * free_v[k];
      change = fmax(change, fabs(free_v[k] - plan->model->state.v[k]));
    }
  return fmin(start, free) - change;
}

void nsds_rattle_choose(const nsds_one_step *places, nsds_second_half *half) {
  const nsds_plan *plan = places->op.plan;
  const nsds_state *now = &plan->model->state;
  for (int c = 0; c < plan->ncontact; ++c) {
    const nsds_contact *contact = &plan->contact[c];
    for (int i = 0; i < contact->m; i += contact->size) {
      int at = contact->y0 + i;
      if (nsds_rattle_is_spring(contact)) {
        half->tried[at] = 0;
        continue;
      }
      bool always =
          !contact->active || !nsds_rattle_about_gap(contact, i) || now->impulse[at] > 0.0;
      half->tried[at] =
          always || now->y[at] + 2.0 * plan->scheme->h *
                                     least_rate(plan, contact, places->op.entry[c].H, i) <=
                        0.0;
    }
  }
}

static bool all_tried(const nsds_contact *contact, const nsds_second_half *half) {
  bool all = true;
  for (int i = 0; i < contact->m; i += contact->size) all = all && half->tried[contact->y0 + i];
  return all;
}

/* Computes y of a contact at the trial state. */
static nsds_status measure_contact(nsds_plan *plan, nsds_contact *contact) {
  return contact->is.affine ? contact->ops->output(plan, contact)
                            : end_gaps(plan, contact->interaction, plan->trial.y + contact->y0);
}

nsds_status nsds_rattle_widen(const nsds_one_step *places, nsds_second_half *half, bool *grown) {
  nsds_plan *plan = places->op.plan;
  nsds_status status = NSDS_OK;
  *grown = false;
  for (int c = 0; !status && c < plan->ncontact; ++c) {
    nsds_contact *contact = &plan->contact[c];
    if (!contact->active || !nsds_rattle_about_gap(contact, 0) || all_tried(contact, half))
      continue;
    status = measure_contact(plan, contact);
    for (int i = 0; i < contact->m; i += contact->size) {
      int at = contact->y0 + i;
      if (half->tried[at] || !(plan->trial.y[at] < 0.0) ||
          plan->trial.y[at] >= -nsds_rattle_slack(plan, contact, &places->op.entry[c], i))
        continue;
      half->tried[at] = 1;
      *grown = true;
    }
  }
  return status;
}

nsds_status nsds_rattle_measure(const nsds_one_step *places, const nsds_second_half *half,
                                bool aimed) {
  nsds_plan *plan = places->op.plan;
  nsds_status status = NSDS_OK;
  for (int c = 0; !status && c < plan->ncontact; ++c) {
    nsds_contact *contact = &plan->contact[c];
    if (!contact->active || !nsds_rattle_about_gap(contact, 0) || !all_tried(contact, half))
      continue;
    if (!aimed || contact->is.affine) status = measure_contact(plan, contact);
  }
  return status;
}

/* Returns how much further the gradient at the start leads the gap of row i than it went, per time. */
static double led_too_far(const nsds_plan *plan, const nsds_contact *contact,
                          const nsds_entry *entry, int i) {
  const double *H = entry->H + i;
  double h = plan->scheme->h, rate = 0.0;
  for (const nsds_reach *r = contact->reach, *end = r + contact->nds; r < end; ++r)
    for (int k = r->column; k < r->column + r->size; ++k, H += contact->m)
      rate += *H * plan->trial.v[k];
  double gap = plan->model->state.y[contact->y0 + i] - plan->trial.y[contact->y0 + i];
  return rate + (gap - nsds_rattle_slack(plan, contact, entry, i)) / h;
}

/* Returns v M v of the systems of a contact, in the middle. */
static double twice_kinetic(const nsds_plan *plan, const nsds_contact *contact) {
  double sum = 0.0;
  for (const nsds_reach *r = contact->reach, *end = r + contact->nds; r < end; ++r) {
    nsds_slot *slot = &plan->slot[r->slot];
    const double *v = plan->trial.v + slot->v0;
    nsds_zero_doubles(slot->scratch, (size_t)slot->nv);
    nsds_mass_multiply(slot, 1.0, v, slot->scratch);
    for (int k = 0; k < slot->nv; ++k) sum += v[k] * slot->scratch[k];
  }
  return sum;
}

const nsds_contact *nsds_rattle_astray(const nsds_one_step *places) {
  const nsds_plan *plan = places->op.plan;
  for (int a = 0; a < places->set.nactive; ++a) {
    int c = places->set.active[a];
    const nsds_contact *contact = &plan->contact[c];
    if (c < plan->ninteraction || contact->is.affine) continue;
    for (int i = 0; i < contact->m; i += contact->size) {
      double P = plan->trial.impulse[contact->y0 + i];
      if (!(P > 0.0) || !nsds_rattle_about_gap(contact, i)) continue;
      double far = led_too_far(plan, contact, &places->op.entry[c], i);
      if (far > 0.0 && P * far > 0.5 * twice_kinetic(plan, contact)) return contact;
    }
  }
  return NULL;
}

const nsds_formulation nsds_rattle_places = {.name = "places",
                                             .scheme = "RATTLE",
                                             .share = 0.5,
                                             .admit = nsds_rattle_admit,
                                             .prepare = nsds_rattle_prepare,
                                             .assemble = nsds_reduced_assemble,
                                             .form_matrix = nsds_reduced_form_matrix,
                                             .constant_term = rattle_places_term,
                                             .apply = nsds_reduced_apply};
