/*
 * The time-stepping driver: grid t_k = t_base + k h, steps as transactions (all or nothing), and
 * halving of failed steps where allowed.
 */
#include "consistency.h"
#include "newton.h"
#include "sampler.h"
#include "unreduced.h"

#include <stdio.h>

/* ---- one step -------------------------------------------------------------------------------- */

static void accept(nsds_simulation *sim) {
  nsds_model *model = sim->model;
  nsds_plan *plan = &sim->plan;
  nsds_one_step *o = &sim->osp;
  memcpy(model->state, plan->trial, model->state_size * sizeof(double));
  for (int s = 0; s < plan->nslot; ++s) {
    nsds_slot *slot = &plan->slot[s];
    if (slot->affine && slot->ds->force_constant &&
        (slot->ds->order == 2 || !slot->K || slot->ds->stiffness.constant))
      continue;
    double *swap = slot->force;
    slot->force = slot->force_end;
    slot->force_end = swap;
  }
  bool whole = sim->info.substeps == 0; /* a step in pieces has the activity of all of them */
  if (o->changed || !whole) {
    for (int c = 0; whole && c < plan->ncontact; ++c) plan->contact[c].interaction->active = false;
    for (int a = 0; a < o->nactive; ++a) plan->contact[o->active[a]].interaction->active = true;
    o->changed = !whole;
  }
  sim->t = sim->t_next;
}

/* Local variables and reactions of the trial state; nothing non-finite may pass. */
static nsds_status complete(nsds_simulation *sim) {
  nsds_plan *plan = &sim->plan;
  const nsds_model *model = sim->model;
  int bad = nsds_first_nonfinite(plan->v, (int)model->nv);
  if (bad < 0) bad = nsds_first_nonfinite(plan->q, (int)model->nq);
  if (NSDS_UNLIKELY(bad >= 0)) {
    char label[nsds_label_size] = "";
    for (int s = 0; s < plan->nslot; ++s)
      if (bad >= plan->slot[s].v0 && bad < plan->slot[s].v0 + plan->slot[s].nv)
        nsds_ds_label(plan->slot[s].ds, label);
    return nsds_fail(
        sim->context, NSDS_ERROR_VALUE,
        "step to t = %.17g: the state of %s is not finite (overflow); the state at the "
        "start of the step is kept",
        sim->t_next, label);
  }
  for (size_t k = 0; plan->any_compliant && k < model->ny; ++k)
    plan->force[k] = plan->impulse[k] / sim->h_now;
  for (int c = 0; c < plan->ncontact; ++c) {
    nsds_status status = plan->contact[c].ops->output(sim, &plan->contact[c], true);
    if (status) return status;
  }
  if (plan->any_first) nsds_first_order_inputs(sim);
  for (int s = 0; plan->any_finish && s < plan->nslot; ++s) {
    if (!plan->slot[s].osi->finish) continue;
    nsds_status status = plan->slot[s].osi->finish(sim, &plan->slot[s]);
    if (status) return status;
  }
  return NSDS_OK;
}

/* The trial state of a step. */
static nsds_status try_step(nsds_simulation *sim, double t_next, double h) {
  sim->t_next = t_next;
  sim->h_now = h;
  sim->info.solver.solver = NULL;
  nsds_status status = nsds_plan_update(sim, h);
  if (status) return status;
  nsds_plan *plan = &sim->plan;
  nsds_one_step_select(sim);
  sim->info.active = sim->osp.nactive;
  sim->info.rows = sim->osp.rows;
  status = plan->linear ? nsds_linear_step(sim) : nsds_newton_step(sim);
  if (!status) status = complete(sim);
  if (!status) return NSDS_OK;
  memcpy(plan->impulse, sim->model->impulse, sim->model->ny * sizeof *plan->impulse);
  sim->osp.idle = false;
  return status;
}

static nsds_status attempt(nsds_simulation *sim, double t_next, double h) {
  sim->busy = true;
  nsds_status status = try_step(sim, t_next, h);
  sim->busy = false;
  if (!status) accept(sim);
  return status;
}

/* ---- lambda at the start --------------------------------------------------------------------- */

/* r and lambda of first-order interactions at t: those of a much shorter Euler-Moreau step, which
 * is not made. It needs neither y = 0 nor D to be regular, and is off by some h / 1024. */
static nsds_status find_initial_lambda(nsds_simulation *sim) {
  nsds_model *model = sim->model;
  nsds_plan *plan = &sim->plan;
  double theta = sim->def.theta, rho = sim->rho, sigma = sim->sigma, h = sim->h / 1024.0;
  sim->def.theta = sim->rho = sim->sigma = 1.0;
  sim->old = 0.0;
  plan->values = 0;
  sim->busy = true;
  nsds_status status = try_step(sim, sim->t + h, h);
  sim->busy = false;
  sim->def.theta = theta;
  sim->rho = rho;
  sim->sigma = sigma;
  sim->old = 1.0 - rho;
  plan->values = 0;
  if (status) return status;
  for (int s = 0; s < plan->nslot; ++s)
    for (int k = 0; plan->slot[s].ds->order == 1 && k < plan->slot[s].nv; ++k)
      model->p[plan->slot[s].v0 + k] = plan->p[plan->slot[s].v0 + k];
  for (int c = 0; c < plan->ncontact; ++c)
    for (int i = 0; plan->contact[c].ops == &nsds_contact_first && i < plan->contact[c].m; ++i)
      model->impulse[plan->contact[c].y0 + i] = plan->impulse[plan->contact[c].y0 + i];
  model->shown = 0; /* y may depend on lambda */
  sim->info = (nsds_step_info){0};
  sim->begun = model->topology + model->values;
  return NSDS_OK;
}

/* Where it is asked for, and again when the state is set before the first step. */
static nsds_status begin(nsds_simulation *sim) {
  bool wanted = sim->def.initial_lambda && sim->rho < 1.0 && sim->steps == 0;
  if (!wanted || sim->begun == sim->model->topology + sim->model->values) return NSDS_OK;
  return find_initial_lambda(sim);
}

/* ---- halving --------------------------------------------------------------------------------- */

static bool worth_halving(nsds_status status) {
  return status == NSDS_ERROR_CALLBACK || status == NSDS_ERROR_NEWTON ||
         status == NSDS_ERROR_SOLVER || status == NSDS_ERROR_SINGULAR || status == NSDS_ERROR_VALUE;
}

/* Adds the impulses of the piece just done to the sums behind the saved state. First-order inputs
 * and multipliers are not impulses: the sums hold their last values. */
static void sum_impulses(nsds_simulation *sim) {
  const nsds_model *m = sim->model;
  const nsds_plan *plan = &sim->plan;
  double *p = sim->snapshot + m->state_size, *reaction = p + m->nv, *impulse = reaction + m->nv;
  for (int s = 0; s < plan->nslot; ++s) {
    double keep = plan->slot[s].ds->order == 2 ? 1.0 : 0.0;
    for (int k = plan->slot[s].v0; k < plan->slot[s].v0 + plan->slot[s].nv; ++k) {
      p[k] = keep * p[k] + m->p[k];
      reaction[k] += m->reaction[k];
    }
  }
  for (int c = 0; c < plan->ncontact; ++c) {
    double keep = plan->contact[c].interaction->relation->order == 2 ? 1.0 : 0.0;
    for (int i = plan->contact[c].y0; i < plan->contact[c].y0 + plan->contact[c].m; ++i)
      impulse[i] = keep * impulse[i] + m->impulse[i];
  }
}

static nsds_status advance(nsds_simulation *sim, double t_next, double h, int halvings) {
  bool clean = nsds_error(sim->context) == NSDS_OK;
  nsds_status status = attempt(sim, t_next, h);
  if (status == NSDS_OK) {
    ++sim->info.substeps;
    if (sim->def.max_halvings > 0) sum_impulses(sim);
    return NSDS_OK;
  }
  if (halvings == 0 || !worth_halving(status)) return status;
  nsds_log(sim->context, NSDS_LOG_INFO, "step to t = %.17g of h = %g failed; trying two halves",
           t_next, h);
  if (clean) nsds_error_clear(sim->context);
  status = advance(sim, t_next - 0.5 * h, 0.5 * h, halvings - 1);
  return status ? status : advance(sim, t_next, 0.5 * h, halvings - 1);
}

static nsds_status advance_or_restore(nsds_simulation *sim, double t_next, double h) {
  nsds_model *m = sim->model;
  if (sim->def.max_halvings == 0) return advance(sim, t_next, h, 0);
  size_t sums = 2 * m->nv + m->ny, count = m->state_size, nc = m->interaction.count;
  nsds_status status = nsds_grow(sim->context, &sim->snapshot, &sim->snapshot_size,
                                 count + sums + nc, sizeof *sim->snapshot);
  if (status) return status;
  nsds_interaction *const *contact = (nsds_interaction *const *)m->interaction.item;
  uint64_t shown = m->shown;
  double t = sim->t, *sum = sim->snapshot + count, *active = sum + sums;
  for (size_t c = 0; c < nc; ++c) active[c] = contact[c]->active;
  memcpy(sim->snapshot, m->state, count * sizeof *sum);
  memset(sum, 0, sums * sizeof *sum);
  status = advance(sim, t_next, h, sim->def.max_halvings);
  if (status) {
    memcpy(m->state, sim->snapshot, count * sizeof *sum);
    for (size_t c = 0; c < nc; ++c) contact[c]->active = active[c] != 0.0;
    sim->t = t;
    m->shown = shown;
    sim->plan.values = 0; /* forces kept in the plan may belong to an undone piece */
    sim->osp.changed = true;
    return status;
  }
  if (sim->info.substeps > 1) {
    memcpy(m->p, sum, m->nv * sizeof *sum);
    memcpy(m->reaction, sum + m->nv, m->nv * sizeof *sum);
    memcpy(m->impulse, sum + 2 * m->nv, m->ny * sizeof *sum);
  }
  return NSDS_OK;
}

nsds_status nsds_step(nsds_simulation *sim) {
  if (!sim) return nsds_fail_null(NULL, "nsds_step", "simulation");
  double t1 = sim->def.t1, slack = 1e-9 * sim->h;
  if (sim->t >= t1 - slack) {
    if (sim->ended)
      nsds_log(sim->context, NSDS_LOG_WARNING,
               "nsds_step: the end t1 = %.17g is reached; nsds_simulation_set_end() moves it", t1);
    sim->ended = true;
    return NSDS_END;
  }
  double t_next = sim->t_base + (double)(sim->k_base + 1) * sim->h, h = sim->h;
  if (t_next > t1 - slack) {
    if (t_next > t1 + slack) h = t1 - sim->t;
    t_next = t1;
  }
  nsds_status status = sim->sampler.count > 0 ? nsds_samplers_run(sim) : NSDS_OK;
  if (status) return status;
  if (NSDS_UNLIKELY(sim->steps == 0)) status = begin(sim);
  if (status) return status;
  sim->info.substeps = 0;
  status = advance_or_restore(sim, t_next, h);
  if (status) return status;
  ++sim->steps;
  ++sim->k_base;
  sim->info.t = sim->t;
  sim->info.h = h;
  return sim->sampler.count > 0 ? nsds_samplers_run(sim) : NSDS_OK;
}

nsds_status nsds_run(nsds_simulation *sim) {
  nsds_status status;
  do status = nsds_step(sim);
  while (status == NSDS_OK);
  return status;
}

/* ---- creation and settings ------------------------------------------------------------------- */

static void destroy(nsds_borrower *borrower) {
  nsds_simulation *sim = (nsds_simulation *)(void *)borrower;
  nsds_list_remove(&sim->model->borrower, borrower);
  nsds_plan_destroy(sim, &sim->plan);
  nsds_one_step_destroy(sim);
  nsds_unreduced_destroy(sim, &sim->unreduced);
  nsds_solver_destroy(sim->solver);
  nsds_samplers_destroy(sim);
  nsds_release(sim->context, sim->snapshot);
  nsds_release(sim->context, sim);
}

void nsds_simulation_destroy(nsds_simulation *sim) {
  if (sim) destroy(&sim->borrower);
}

/* Where a user function fails the local variables are unknown: NaN until the next success. */
static void show(nsds_borrower *borrower) {
  nsds_simulation *sim = (nsds_simulation *)(void *)borrower;
  nsds_model *model = sim->model;
  if (sim->busy || !nsds_plan_show(sim)) return;
  for (size_t k = 0; k < model->ny; ++k) model->y[k] = model->ydot[k] = NAN;
}

static bool check(nsds_context *context, const nsds_time_stepping_def *d) {
  const char *call = "nsds_time_stepping";
  if (!isfinite(d->t0) || !isfinite(d->t1) || !(d->t1 > d->t0)) {
    nsds_fail(context, NSDS_ERROR_VALUE, "%s: t1 is %g; it must be finite and after t0 = %g", call,
              d->t1, d->t0);
    return false;
  }
  if (!(d->h > 0.0) || !isfinite(d->h) || d->t0 + d->h == d->t0) {
    nsds_fail(context, NSDS_ERROR_VALUE,
              "%s: h is %g; it must be positive, finite and large enough to advance t0 = %g", call,
              d->h, d->t0);
    return false;
  }
  if (isnan(d->newton_residual) || d->newton_residual < 0.0) {
    nsds_fail(context, NSDS_ERROR_VALUE, "%s: newton_residual is %g; valid are values >= 0", call,
              d->newton_residual);
    return false;
  }
  if ((int)d->scheme < NSDS_EULER_MOREAU || d->scheme > NSDS_ZERO_ORDER_HOLD) {
    nsds_fail(context, NSDS_ERROR_VALUE, "%s: scheme is %d, not one of nsds_first_order_scheme",
              call, (int)d->scheme);
    return false;
  }
  return nsds_check_range(context, call, "theta", d->theta, 0.0, 1.0) &&
         nsds_check_range(context, call, "gamma", d->gamma, 0.0, 1.0) &&
         nsds_check_range(context, call, "gamma_prediction", d->gamma_prediction, 0.0, 1e6) &&
         nsds_check_range(context, call, "newton_increment", d->newton_increment, 0.0, HUGE_VAL) &&
         nsds_check_range(context, call, "tolerance", d->tolerance, 0.0, 1.0) &&
         nsds_check_count(context, call, "newton_max_iterations", d->newton_max_iterations, 1) &&
         nsds_check_range(context, call, "max_halvings", d->max_halvings, 0, 30);
}

nsds_simulation *nsds_time_stepping(nsds_model *model, const nsds_time_stepping_def *def) {
  if (!model || !def) {
    nsds_fail_null(nsds_model_context(model), "nsds_time_stepping", model ? "def" : "model");
    return NULL;
  }
  nsds_context *context = model->context;
  if (nsds_error(context) != NSDS_OK) {
    nsds_log(context, NSDS_LOG_ERROR,
             "nsds_time_stepping: refused, because an earlier call failed (%s); handle it and call "
             "nsds_error_clear()",
             nsds_error_message(context));
    return NULL;
  }
  nsds_time_stepping_def d = *def;
  d.theta = nsds_or_default(d.theta, 0.5);
  d.gamma = nsds_or_default(d.gamma, 1.0);
  d.gamma_prediction = nsds_or_default(d.gamma_prediction, 0.5);
  d.newton_increment = nsds_or_default(d.newton_increment, 1e-8);
  d.newton_max_iterations = d.newton_max_iterations == 0 ? 50 : d.newton_max_iterations;
  if (!check(context, &d)) return NULL;
  nsds_simulation *sim = NSDS_NEW(context, nsds_simulation);
  if (!sim) return NULL;
  sim->borrower.destroy = destroy;
  sim->borrower.show = show;
  sim->model = model;
  sim->context = context;
  sim->def = d;
  sim->rho = d.scheme == NSDS_THETA_GAMMA ? d.gamma : 1.0;
  sim->sigma = d.scheme == NSDS_FULL_THETA_GAMMA ? d.gamma : 1.0;
  sim->old = 1.0 - sim->rho;
  sim->def.solver = NULL;
  sim->t = sim->t_base = d.t0;
  sim->h = sim->h_now = d.h;
  if (nsds_list_push(context, &model->borrower, sim)) {
    nsds_release(context, sim);
    return NULL;
  }
  nsds_status status = nsds_simulation_set_solver(sim, def->solver, d.tolerance);
  if (!status) status = nsds_plan_update(sim, d.h);
  if (!status) status = nsds_check_consistency(sim);
  if (!status) status = begin(sim);
  if (!status) return sim;
  nsds_simulation_destroy(sim);
  return NULL;
}

double nsds_time(const nsds_simulation *sim) { return sim ? sim->t : NAN; }
long nsds_step_count(const nsds_simulation *sim) { return sim ? sim->steps : 0; }
nsds_solver *nsds_simulation_solver(nsds_simulation *sim) { return sim ? sim->solver : NULL; }

const nsds_step_info *nsds_simulation_info(const nsds_simulation *sim) {
  return sim ? &sim->info : NULL;
}

nsds_status nsds_simulation_set_end(nsds_simulation *sim, double t1) {
  if (!sim) return nsds_fail_null(NULL, "nsds_simulation_set_end", "simulation");
  if (!isfinite(t1) || t1 < sim->t)
    return nsds_fail(sim->context, NSDS_ERROR_VALUE,
                     "nsds_simulation_set_end: t1 is %g; it must be finite and not before the "
                     "current time %.17g",
                     t1, sim->t);
  if (fabs(sim->t_base + (double)sim->k_base * sim->h - sim->t) > 1e-9 * sim->h) {
    sim->t_base = sim->t; /* a shortened last step has left the grid: a new one starts here */
    sim->k_base = 0;
  }
  sim->def.t1 = t1;
  sim->ended = false;
  return NSDS_OK;
}

nsds_status nsds_simulation_set_h(nsds_simulation *sim, double h) {
  if (!sim) return nsds_fail_null(NULL, "nsds_simulation_set_h", "simulation");
  if (!(h > 0.0) || !isfinite(h) || sim->t + h == sim->t)
    return nsds_fail(sim->context, NSDS_ERROR_VALUE,
                     "nsds_simulation_set_h: h is %g; it must be positive, finite and large enough "
                     "to advance t = %g",
                     h, sim->t);
  sim->t_base = sim->t;
  sim->k_base = 0;
  sim->h = h;
  return NSDS_OK;
}

nsds_status nsds_simulation_set_solver(nsds_simulation *sim, const char *name, double tolerance) {
  if (!sim) return nsds_fail_null(NULL, "nsds_simulation_set_solver", "simulation");
  bool clean = nsds_error(sim->context) == NSDS_OK;
  nsds_solver *solver = nsds_solver_create(sim->context, name);
  if (!solver) return clean ? nsds_error(sim->context) : NSDS_ERROR_ARGUMENT;
  if (tolerance == 0.0 && sim->solver) tolerance = nsds_solver_get(sim->solver, "tolerance");
  nsds_status status = tolerance != 0.0 ? nsds_solver_set(solver, "tolerance", tolerance) : NSDS_OK;
  if (status) {
    nsds_solver_destroy(solver);
    return status;
  }
  nsds_solver_destroy(sim->solver);
  sim->solver = solver;
  sim->osp.reserved = false;
  sim->plan.values = 0; /* the next update reserves its workspace */
  return NSDS_OK;
}
