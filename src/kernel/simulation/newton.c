/*
 * One step of a model with nonlinear systems or relations: Newton's method on the residuals of the
 * systems, with the relations linearised at Q* and the nonsmooth problem solved in every iteration.
 * Start: v = v_i, q = q_i + h v_i. Stop: ||R(v) - H^T P||_2 (H of the last linearisation) and the
 * increment of v are both small; with first-order relations that are not linear also |y - h| and
 * |r - g|, each against the terms it is made of.
 */
#include "newton.h"

static void advance_q(nsds_simulation *sim) {
  const nsds_model *model = sim->model;
  nsds_plan *plan = &sim->plan;
  for (int s = 0; !plan->aligned && s < plan->nslot; ++s)
    if (plan->slot[s].osi->advance) plan->slot[s].osi->advance(sim, &plan->slot[s]);
  if (!plan->aligned) return;
  double a = sim->h_now * sim->def.theta, b = sim->h_now * (1.0 - sim->def.theta);
  for (size_t k = 0; k < model->nq; ++k)
    plan->q[k] = model->q[k] + a * plan->v[k] + b * model->v[k];
}

/* Residuals of systems and values of first-order relations at the iterate. */
static nsds_status evaluate(nsds_simulation *sim) {
  nsds_plan *plan = &sim->plan;
  nsds_status status = NSDS_OK;
  for (int s = 0; !status && s < plan->nslot; ++s)
    if (!plan->slot[s].affine) status = plan->slot[s].osi->evaluate(sim, &plan->slot[s]);
  for (int c = 0; !status && c < plan->ncontact; ++c)
    if (!plan->contact[c].affine && plan->contact[c].ops->evaluate)
      status = plan->contact[c].ops->evaluate(sim, &plan->contact[c]);
  return status;
}

/* u_free of a system that is not affine, from the right-hand side of W du standing in it. */
static nsds_status solve_free(nsds_simulation *sim, nsds_slot *slot) {
  nsds_status status = slot->osi->prescribe ? slot->osi->prescribe(sim, slot) : NSDS_OK;
  if (!status && !slot->fixed_w) status = nsds_slot_factor_w(sim, slot);
  if (!status) nsds_slot_solve_w(slot, 1, sim->plan.v_free + slot->v0);
  return status;
}

/* Free unknowns, relations and edges of one pass. */
static nsds_status linearise(nsds_simulation *sim) {
  nsds_plan *plan = &sim->plan;
  nsds_status status = NSDS_OK;
  for (int s = 0; !status && s < plan->nslot; ++s) {
    nsds_slot *slot = &plan->slot[s];
    if (slot->affine) continue;
    status = slot->osi->tangent(sim, slot);
    for (int k = 0; k < slot->nv; ++k) plan->v_free[slot->v0 + k] = -slot->residual[k];
  }
  for (int c = 0; !status && c < plan->ncontact; ++c)
    if (!plan->contact[c].affine) status = plan->contact[c].ops->linearise(sim, &plan->contact[c]);
  for (int s = 0; !status && s < plan->nslot; ++s)
    if (!plan->slot[s].affine && plan->slot[s].cluster < 0)
      status = solve_free(sim, &plan->slot[s]);
  for (int k = 0; !status && k < plan->ncluster; ++k) {
    status = nsds_cluster_factor(sim, &plan->cluster[k]);
    if (!status) nsds_cluster_solve_free(sim, &plan->cluster[k]);
  }
  for (int s = 0; s < plan->nslot; ++s)
    for (int k = 0; !plan->slot[s].affine && k < plan->slot[s].nv; ++k)
      plan->v_free[plan->slot[s].v0 + k] += plan->v[plan->slot[s].v0 + k];
  for (int c = 0; !status && c < plan->ncontact; ++c)
    if (!plan->contact[c].fixed) nsds_plan_edges(sim, &plan->contact[c]);
  return status;
}

/* ||R - (impulse or h rho r)||_2 over free unknowns, and the size of the terms it is made of. */
static double residual(nsds_simulation *sim, double *scale) {
  nsds_plan *plan = &sim->plan;
  double h = sim->h_now, sum = 0.0, momentum = 0.0, force = 0.0, impulse = 0.0;
  if (plan->any_first) nsds_first_order_inputs(sim);
  for (int s = 0; s < plan->nslot; ++s) {
    nsds_slot *slot = &plan->slot[s];
    if (slot->affine) continue;
    double weight = slot->ds->order == 1 ? h * sim->rho : 1.0;
    for (int k = 0; k < slot->nv; ++k) slot->scratch[k] = 0.0;
    nsds_mass_multiply(slot, 1.0, plan->v + slot->v0, slot->scratch);
    for (int k = 0, d = 0; k < slot->nv; ++k) {
      double p = weight * plan->p[slot->v0 + k];
      momentum += slot->scratch[k] * slot->scratch[k];
      force += h * h * slot->force_end[k] * slot->force_end[k];
      impulse += p * p;
      bool prescribed = d < slot->ds->nprescribed && slot->ds->prescribed[d] == k;
      d += prescribed;
      double r = prescribed ? 0.0 : slot->residual[k] - p;
      sum += r * r;
    }
  }
  *scale = sqrt(momentum) + sqrt(force) + sqrt(impulse);
  return sqrt(sum);
}

/* What a law with a compliance of its own adds to row i of the linearised y. */
static double law_part(const nsds_simulation *sim, const nsds_contact *contact, int i) {
  int m = contact->m;
  double sum = 0.0;
  const double *D = contact->D, *own = D + (size_t)m * (size_t)m;
  const double *lambda = sim->plan.impulse + contact->y0;
  if (!contact->interaction->law->ops->compliance) return 0.0;
  for (int j = 0; j < m; ++j) sum += (D[i + j * m] - own[i + j * m]) * lambda[j];
  return sum;
}

/* Largest |y of the linearisation - h| over first-order relations, and the size of its terms. */
static double output_residual(const nsds_simulation *sim, double *scale) {
  const nsds_plan *plan = &sim->plan;
  const nsds_one_step *o = &sim->osp;
  double largest = 0.0;
  *scale = 0.0;
  for (int a = 0; a < o->nactive; ++a) {
    const nsds_contact *contact = &plan->contact[o->active[a]];
    if (contact->linear || !contact->C) continue;
    for (int i = 0; i < contact->m; ++i) {
      double y = contact->h[i], size = fabs(contact->h[i]) + fabs(contact->offset[i]);
      double w = o->w[o->row[a] + i] - law_part(sim, contact, i);
      for (int j = 0; contact->D && j < contact->m; ++j)
        size += fabs(contact->D[i + j * contact->m] * plan->impulse[contact->y0 + j]);
      largest = fmax(largest, fabs(w - y));
      *scale = fmax(*scale, size);
    }
  }
  return largest;
}

/* Largest |r of the linearisation - g| over first-order relations, and whether each is small
 * against the terms of its r. The residual of the dynamics has r times h beside M x, which hides
 * it. */
static double input_residual(const nsds_simulation *sim, bool *small) {
  const nsds_plan *plan = &sim->plan;
  double largest = 0.0;
  *small = true;
  for (int c = 0; c < plan->ncontact; ++c) {
    if (!plan->contact[c].g_offset) continue;
    double scale, error = nsds_first_order_input_residual(sim, &plan->contact[c], &scale);
    largest = fmax(largest, error);
    *small = *small && error <= 1e-10 * scale;
  }
  return largest;
}

static double increment(const nsds_simulation *sim, double *scale) {
  const nsds_plan *plan = &sim->plan;
  const nsds_model *model = sim->model;
  double largest = 0.0;
  *scale = 0.0;
  for (size_t k = 0; k < model->nv; ++k) {
    largest = fmax(largest, fabs(plan->v[k] - plan->v_last[k]));
    *scale = fmax(*scale, fmax(fabs(plan->v[k]), fmax(fabs(plan->v_free[k]), fabs(model->v[k]))));
  }
  return largest;
}

static bool converged(nsds_simulation *sim) {
  const nsds_time_stepping_def *def = &sim->def;
  nsds_step_info *info = &sim->info;
  bool absolute = def->newton_residual > 0.0;
  double scale, speed, size;
  bool small = true;
  info->newton_residual = residual(sim, &scale);
  info->newton_residual_y = sim->plan.any_first ? output_residual(sim, &size) : (size = 0.0);
  info->newton_residual_r = sim->plan.any_first ? input_residual(sim, &small) : 0.0;
  info->newton_increment = increment(sim, &speed);
  return info->newton_residual <= (absolute ? def->newton_residual : 1e-10 * scale) &&
         info->newton_residual_y <= (absolute ? def->newton_residual : 1e-10 * size) &&
         (absolute || small) &&
         (isinf(def->newton_increment) || info->newton_increment <= def->newton_increment * speed);
}

static nsds_status unconverged(nsds_simulation *sim) {
  const nsds_step_info *info = &sim->info;
  if (sim->def.newton_accept) {
    nsds_log(sim->context, NSDS_LOG_WARNING,
             "Newton's method did not converge in %d iterations; the step is accepted as asked",
             info->newton_iterations);
    return NSDS_OK;
  }
  return nsds_fail(sim->context, NSDS_ERROR_NEWTON,
                   "step to t = %.17g: Newton's method did not converge in %d iterations: residual "
                   "of the dynamics %g, of y = h %g, of r = g %g, increment %g",
                   sim->t_next, info->newton_iterations, info->newton_residual,
                   info->newton_residual_y, info->newton_residual_r, info->newton_increment);
}

nsds_status nsds_newton_step(nsds_simulation *sim) {
  nsds_plan *plan = &sim->plan;
  const nsds_model *model = sim->model;
  size_t bytes = model->nv * sizeof *plan->v;
  nsds_step_info *info = &sim->info;
  info->newton_converged = false;
  memcpy(plan->v, model->v, bytes);
  advance_q(sim);
  nsds_status status = evaluate(sim);
  for (int s = 0; !status && s < plan->nslot; ++s)
    if (plan->slot[s].affine) status = plan->slot[s].osi->free_affine(sim, &plan->slot[s]);
  for (int k = 1; !status && k <= sim->def.newton_max_iterations; ++k) {
    info->newton_iterations = k;
    memcpy(plan->v_last, plan->v, bytes);
    status = linearise(sim);
    if (!status) status = nsds_one_step_solve(sim, !plan->all_fixed);
    if (status) return status;
    advance_q(sim);
    if (nsds_first_nonfinite(plan->v, (int)model->nv) >= 0) break;
    status = evaluate(sim);
    if (!status && (info->newton_converged = converged(sim))) return NSDS_OK;
  }
  return status ? status : unconverged(sim);
}

nsds_status nsds_linear_step(nsds_simulation *sim) {
  nsds_plan *plan = &sim->plan;
  nsds_step_info *info = &sim->info;
  info->newton_iterations = 1;
  info->newton_converged = true;
  info->newton_residual = info->newton_residual_y = info->newton_residual_r = 0.0;
  info->newton_increment = 0.0;
  nsds_status status = NSDS_OK;
  for (int s = 0; !status && s < plan->nslot; ++s)
    status = plan->slot[s].osi->free_affine(sim, &plan->slot[s]);
  if (!status && !plan->all_fixed) {
    memcpy(plan->v, sim->model->v, sim->model->nv * sizeof *plan->v);
    status = evaluate(sim);
    if (!status) status = linearise(sim);
  }
  if (!status) status = nsds_one_step_solve(sim, !plan->all_fixed);
  if (!status) advance_q(sim);
  return status;
}
