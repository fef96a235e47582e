/*
 * Newton's test. ||R(v) - H^T P||_2 (H of the last linearisation) and the increment of u must be
 * small. With nonlinear first-order relations |y - h| and |r - g| must be small too. Each error is
 * compared with its own terms. At rest these terms vanish, while rounding of q still moves stiff
 * forces. So an increment below the rounding of q and u ends the iteration too.
 */
#include "kernel/stepping/newton_test.h"

#include "base/base.h"
#include "kernel/assembly/local_first.h"
#include "kernel/assembly/slot.h"
#include "kernel/modeling/modeling.h"

#include <float.h>

static const double relative = 1e-10; /* default, relative to the terms */

/* Returns false for infinite errors too. */
static bool within(double error, double limit) { return error <= limit && error < INFINITY; }

/* Euclidean norms: squares are summed twice, the second time in a small unit in case the first sum
 * overflows. */
static const double unit = 0x1p-600;

static double newton_norm(double sum, double small_sum) {
  return sum < INFINITY ? sqrt(sum) : sqrt(small_sum) / unit;
}

/* Returns ||R - weighted input||_2 over free unknowns. */
static double newton_residual(nsds_plan *plan) {
  double sum = 0.0, small = 0.0;
  if (plan->count.first > 0) nsds_first_order_inputs(plan);
  for (int s = 0; s < plan->nslot; ++s) {
    const nsds_slot *slot = &plan->slot[s];
    if (slot->is.affine) continue;
    const int *prescribed = slot->ds->prescribed.index, *end = prescribed + slot->ds->prescribed.n;
    for (int k = 0; k < slot->nv; ++k) {
      double r = slot->on.residual[k] - slot->on.input_weight * slot->on.p_end[k];
      bool free = slot->ds->prescribed.n == 0 || prescribed == end || *prescribed != k;
      if (free) {
        sum += r * r;
        small += (unit * r) * (unit * r);
      } else {
        ++prescribed;
      }
    }
  }
  return newton_norm(sum, small);
}

/* Returns the size of the terms of the residual: momentum, h F and p. */
static double residual_scale(nsds_plan *plan) {
  double h = plan->scheme->h, sum[3] = {0.0}, small[3] = {0.0};
  for (int s = 0; s < plan->nslot; ++s) {
    nsds_slot *slot = &plan->slot[s];
    if (slot->is.affine) continue;
    for (int k = 0; k < slot->nv; ++k) slot->scratch[k] = 0.0;
    nsds_mass_multiply(slot, 1.0, slot->on.u_end, slot->scratch);
    for (int k = 0; k < slot->nv; ++k) {
      double term[3] = {slot->scratch[k], h * slot->on.force_end[k],
                        slot->on.input_weight * slot->on.p_end[k]};
      for (int i = 0; i < 3; ++i) {
        sum[i] += term[i] * term[i];
        small[i] += (unit * term[i]) * (unit * term[i]);
      }
    }
  }
  return newton_norm(sum[0], small[0]) + newton_norm(sum[1], small[1]) +
         newton_norm(sum[2], small[2]);
}

/* Returns the part of row i of the linearised y that comes from a compliance of the law. */
static double law_part(const nsds_plan *plan, const nsds_contact *contact, const nsds_entry *entry,
                       int i) {
  const double *lambda = plan->trial.impulse + contact->y0;
  double sum = 0.0;
  for (int j = 0; entry->law_D && j < contact->m; ++j)
    sum += entry->law_D[i + j * contact->m] * lambda[j];
  return sum;
}

/* Returns the largest |y of the linearisation - h| over first-order relations, and the size of its
 * terms. */
static double output_residual(const nsds_plan *plan, const nsds_one_step *o, double *scale) {
  double largest = 0.0;
  *scale = 0.0;
  for (int a = 0; a < o->set.nactive; ++a) {
    const nsds_contact *contact = &plan->contact[o->set.active[a]];
    const nsds_entry *entry = &o->op.entry[o->set.active[a]];
    if (contact->is.linear || nsds_has_gap(contact->kind)) continue;
    for (int i = 0; i < contact->m; ++i) {
      double y = contact->first->h[i], size = fabs(contact->first->h[i]) + fabs(entry->offset[i]);
      double w = o->w[o->reduced.row[a] + i] - law_part(plan, contact, entry, i);
      for (int j = 0; entry->D && j < contact->m; ++j)
        size += fabs(entry->D[i + j * contact->m] * plan->trial.impulse[contact->y0 + j]);
      largest = fmax(largest, fabs(w - y));
      *scale = fmax(*scale, size);
    }
  }
  return largest;
}

/* Returns the largest |r of the linearisation - g| over first-order relations. *small tells if each
 * is small compared with the terms of its r. The residual of the dynamics has h r beside M x, which
 * hides this error. */
static double input_residual(nsds_plan *plan, bool *small) {
  double largest = 0.0;
  *small = true;
  for (int c = 0; c < plan->ncontact; ++c) {
    if (!plan->contact[c].first || !plan->contact[c].first->g_offset) continue;
    double scale, error = nsds_first_order_input_residual(plan, &plan->contact[c], &scale);
    largest = fmax(largest, error);
    *small = *small && within(error, relative * scale);
  }
  return largest;
}

/* Returns the largest increment of finite velocities. */
static double increment(const nsds_plan *plan) {
  double largest = 0.0;
  for (size_t k = 0; k < plan->model->size.nv; ++k)
    nsds_raise(&largest, fabs(plan->trial.v[k] - plan->v_last[k]));
  return largest;
}

static double increment_scale(const nsds_plan *plan) {
  double largest = 0.0;
  for (size_t k = 0; k < plan->model->size.nv; ++k) {
    nsds_raise(&largest, fabs(plan->trial.v[k]));
    nsds_raise(&largest, fabs(plan->v_free[k]));
    nsds_raise(&largest, fabs(plan->model->state.v[k]));
  }
  return largest;
}

/* Returns true if no system's u has changed by more than the rounding of u and of q / h. */
static bool at_rounding(const nsds_plan *plan) {
  const nsds_state *end = &plan->trial;
  for (int s = 0; s < plan->nslot; ++s) {
    const nsds_slot *slot = &plan->slot[s];
    double size = 0.0, change = 0.0;
    for (int k = 0; k < slot->on.nq; ++k)
      nsds_raise(&size, fabs(end->q[slot->q0 + k]) / plan->scheme->h);
    for (int k = slot->v0; k < slot->v0 + slot->nv; ++k) {
      nsds_raise(&size, fabs(end->v[k]));
      nsds_raise(&change, fabs(end->v[k] - plan->v_last[k]));
    }
    if (!(change <= 4.0 * DBL_EPSILON * size)) return false;
  }
  return true;
}

bool nsds_newton_converged(nsds_time_stepping_driver *d) {
  const nsds_time_stepping_def *def = &d->def;
  nsds_plan *plan = &d->base.plan;
  nsds_step_info *info = &d->base.info;
  bool absolute = def->newton.residual > 0.0, first = plan->count.first > 0, small = true;
  double size = 0.0;
  info->newton_residual = newton_residual(plan);
  double scale = absolute ? 0.0 : residual_scale(plan);
  info->newton_residual_y = first ? output_residual(plan, &d->velocity, &size) : 0.0;
  info->newton_residual_r = first ? input_residual(plan, &small) : 0.0;
  info->newton_increment = increment(plan);
  bool solved = within(info->newton_residual, absolute ? def->newton.residual : relative * scale) &&
                (isinf(def->newton.increment) ||
                 within(info->newton_increment, def->newton.increment * increment_scale(plan)));
  return (solved || (!absolute && at_rounding(plan))) && (absolute || small) &&
         within(info->newton_residual_y, absolute ? def->newton.residual : relative * size);
}
