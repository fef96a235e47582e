/*
 * One step of a model with nonlinear systems or relations: Newton's method on the residuals of the
 * systems, with the relations linearised at Q* and the nonsmooth problem solved in every iteration.
 * Start: v = v_i, q = q_i + h v_i. Stop: ||R(v) - H^T P||_2 (H of the last linearisation) and the
 * increment of v are both small.
 */
#include "newton.h"

static void advance_q(nsds_simulation *sim) {
  const nsds_model *model = sim->model;
  nsds_plan *plan = &sim->plan;
  double a = sim->h_now * sim->def.theta, b = sim->h_now * (1.0 - sim->def.theta);
  for (size_t k = 0; k < model->nq; ++k)
    plan->q[k] = model->q[k] + a * plan->v[k] + b * model->v[k];
}

static nsds_status evaluate(nsds_simulation *sim) {
  nsds_status status = NSDS_OK;
  for (int s = 0; !status && s < sim->plan.nslot; ++s)
    if (!sim->plan.slot[s].affine) status = nsds_mj_evaluate(sim, &sim->plan.slot[s]);
  return status;
}

static nsds_status linearise(nsds_simulation *sim) {
  nsds_plan *plan = &sim->plan;
  nsds_status status = NSDS_OK;
  for (int s = 0; !status && s < plan->nslot; ++s)
    if (!plan->slot[s].affine) status = nsds_mj_free_newton(sim, &plan->slot[s]);
  for (int c = 0; !status && c < plan->ncontact; ++c) {
    nsds_contact *contact = &plan->contact[c];
    if (!contact->affine) status = nsds_contact_linearise(sim, contact);
    if (!status && !contact->fixed) nsds_plan_edges(sim, contact);
  }
  return status;
}

/* ||R - H^T P||_2 over free degrees of freedom, and the size of the terms it is made of. */
static double residual(nsds_simulation *sim, double *scale) {
  nsds_plan *plan = &sim->plan;
  double h = sim->h_now, sum = 0.0, momentum = 0.0, force = 0.0, impulse = 0.0;
  for (int s = 0; s < plan->nslot; ++s) {
    nsds_slot *slot = &plan->slot[s];
    if (slot->affine) continue;
    const double *v = plan->v + slot->v0, *p = plan->p + slot->v0;
    for (int k = 0; k < slot->nv; ++k) slot->scratch[k] = 0.0;
    nsds_shape_multiply(&slot->ds->mass, slot->nv, slot->M, 1.0, v, slot->scratch);
    for (int k = 0, d = 0; k < slot->nv; ++k) {
      momentum += slot->scratch[k] * slot->scratch[k];
      force += h * h * slot->force_end[k] * slot->force_end[k];
      impulse += p[k] * p[k];
      bool prescribed = d < slot->ds->nprescribed && slot->ds->prescribed[d] == k;
      d += prescribed;
      double r = prescribed ? 0.0 : slot->residual[k] - p[k];
      sum += r * r;
    }
  }
  *scale = sqrt(momentum) + sqrt(force) + sqrt(impulse);
  return sqrt(sum);
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
  double scale, speed;
  info->newton_residual = residual(sim, &scale);
  info->newton_increment = increment(sim, &speed);
  double tolerance = def->newton_residual > 0.0 ? def->newton_residual : 1e-10 * scale;
  return info->newton_residual <= tolerance &&
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
                   "%g N s, increment %g",
                   sim->t_next, info->newton_iterations, info->newton_residual,
                   info->newton_increment);
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
    if (plan->slot[s].affine) status = nsds_mj_free_affine(sim, &plan->slot[s]);
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
  info->newton_residual = info->newton_increment = 0.0;
  for (int s = 0; s < plan->nslot; ++s) {
    nsds_status status = nsds_mj_free_affine(sim, &plan->slot[s]);
    if (status) return status;
  }
  nsds_status status = nsds_one_step_solve(sim, false);
  if (!status) advance_q(sim);
  return status;
}
