/*
 * The time-stepping driver: steps as transactions (all or nothing), made of the stages start,
 * solve, update, accept; halving of failed steps where allowed; lambda at the start on request.
 */
#include "time_stepping.h"

#include "consistency.h"
#include "contact_set.h"
#include "integrators.h"
#include "parallel.h"

/* The weights of the schemes, which stay. */
static nsds_scheme weights(const nsds_time_stepping_def *def) {
  double rho = def->scheme == NSDS_THETA_GAMMA ? def->gamma : 1.0;
  return (nsds_scheme){.theta = def->theta,
                       .gamma = def->gamma,
                       .gamma_mass = def->gamma_mass,
                       .input_new = rho,
                       .input_old = 1.0 - rho,
                       .relation_weight = def->scheme == NSDS_FULL_THETA_GAMMA ? def->gamma : 1.0,
                       .predict_once = def->predict_once,
                       .f_at_theta = def->f_at_theta,
                       .input_at_theta = def->input_at_theta};
}

static void set_interval(nsds_scheme *scheme, double t, double t_next, double h) {
  scheme->t = t;
  scheme->t_next = t_next;
  scheme->h = h;
}

/* ---- stages of one step ---------------------------------------------------------------------- */

static nsds_status start(nsds_time_stepping_driver *d, const nsds_scheme *scheme) {
  nsds_simulation *sim = &d->base;
  nsds_plan *plan = &sim->plan;
  sim->info.solver.solver = NULL;
  d->velocity.formed = false;
  sim->model->busy |= NSDS_BUSY_STEP;
  nsds_status status = nsds_plan_update(plan, scheme);
  if (!status) status = nsds_plan_detect(plan);
  if (status) return status;
  plan->trial.t = scheme->t_next;
  if (NSDS_UNLIKELY(d->half_explicit)) return nsds_half_explicit_begin(d);
  if (d->projects && (status = nsds_projection_begin(d))) return status;
  status = nsds_one_step_select(&d->velocity, d->def.gamma_prediction * scheme->h);
  sim->info.active = d->velocity.nactive;
  sim->info.rows = d->velocity.rows;
  return status ? status : nsds_pass_begin(d);
}

static NSDS_NOINLINE nsds_status unsolved(nsds_time_stepping_driver *d,
                                          const nsds_solver_info *info) {
  const nsds_one_step *o = &d->velocity;
  char label[nsds_label_size] = "none";
  int worst = info->worst_block >= 0 ? nsds_one_step_contact(o, info->worst_block) : -1;
  const nsds_plan *plan = &d->base.plan;
  if (worst >= 0) nsds_ds_label(plan->slot[plan->contact[worst].reach[0].slot].ds, label);
  return nsds_fail(d->base.context, NSDS_ERROR_SOLVER,
                   "step to t = %.17g: the one-step problem of %d rows was not solved: %s by %s, "
                   "residual %g, tolerance %g, worst at interaction #%d (first system: %s), row "
                   "%d of the problem: error %g, terms %g%s%s",
                   d->base.plan.scheme->t_next, o->rows, nsds_outcome_text(info->outcome),
                   info->solver, info->residual, nsds_solver_get(o->solver, "tolerance"), worst,
                   label, info->worst_row, info->worst_error, info->worst_scale,
                   info->path[0] ? "; tried " : "", info->path);
}

/* No function of the model is being called meanwhile. */
static NSDS_NOINLINE nsds_verdict ask(nsds_time_stepping_driver *d, const nsds_solver_info *info) {
  nsds_model *model = d->base.model;
  model->busy = NSDS_BUSY_STEP;
  nsds_verdict verdict = d->def.check_solver(&d->base, info, d->def.check_solver_user);
  model->busy = NSDS_BUSY_STEP | NSDS_BUSY_CALL;
  return verdict;
}

static NSDS_NOINLINE nsds_status solve_rows(nsds_simulation *sim) {
  nsds_time_stepping_driver *d = nsds_time_stepping_of(sim);
  nsds_solver_info *info = &sim->info.solver;
  enum { max_retries = 10 };
  for (int attempt = 0; attempt <= max_retries; ++attempt) {
    nsds_status status = nsds_one_step_solve(&d->velocity, info);
    if (status != NSDS_OK && status != NSDS_ERROR_SOLVER) return status;
    nsds_verdict verdict = d->def.check_solver ? ask(d, info) : NSDS_CONTINUE;
    if (verdict == NSDS_ACCEPT) return NSDS_OK;
    if (verdict == NSDS_STOP) return NSDS_STOPPED;
    if (verdict == NSDS_CONTINUE) return status == NSDS_OK ? NSDS_OK : unsolved(d, info);
  }
  return nsds_fail(sim->context, NSDS_ERROR_SOLVER,
                   "step to t = %.17g: check_solver asked for more than %d repeated solves",
                   d->base.plan.scheme->t_next, max_retries);
}

/* No method is given numbers of which it can make nothing. */
static NSDS_NOINLINE nsds_status problem_overflow(const nsds_simulation *sim, int row) {
  const nsds_one_step *o = &nsds_time_stepping_of((nsds_simulation *)sim)->velocity;
  const nsds_plan *plan = &sim->plan;
  char system[nsds_label_size] = "", contact[nsds_label_size] = "the systems";
  int block = 0;
  for (int end = o->problem.block[0].size; end <= row; end += o->problem.block[block].size) ++block;
  int c = nsds_one_step_contact(o, block);
  if (c >= 0) nsds_contact_label(&plan->contact[c], contact);
  for (int s = 0; s < plan->nslot && !system[0]; ++s)
    if (nsds_first_nonfinite(plan->v_free + plan->slot[s].v0, plan->slot[s].nv) >= 0)
      nsds_ds_label(plan->slot[s].ds, system);
  return nsds_fail(
      sim->context, NSDS_ERROR_VALUE,
      "step to t = %.17g: the one-step problem is not finite at %s (overflow%s%s); the "
      "state at the start of the step is kept",
      plan->scheme->t_next, contact, system[0] ? " of the forces or the state of " : "", system);
}

static nsds_status solve(nsds_simulation *sim) {
  const nsds_problem *problem = &nsds_time_stepping_of(sim)->velocity.problem;
  if (problem->n == 0) return NSDS_OK;
  int bad = nsds_first_nonfinite(problem->q, problem->n);
  return NSDS_UNLIKELY(bad >= 0) ? problem_overflow(sim, bad) : solve_rows(sim);
}

static NSDS_NOINLINE nsds_status overflow(const nsds_simulation *sim) {
  const nsds_plan *plan = &sim->plan;
  int s = 0;
  while (s < plan->nslot - 1 &&
         nsds_first_nonfinite(plan->trial.v + plan->slot[s].v0, plan->slot[s].nv) < 0 &&
         nsds_first_nonfinite(plan->trial.q + plan->slot[s].q0, plan->slot[s].on.nq) < 0)
    ++s;
  char label[nsds_label_size];
  nsds_ds_label(plan->slot[s].ds, label);
  return nsds_fail(sim->context, NSDS_ERROR_VALUE,
                   "step to t = %.17g: the state of %s is not finite (overflow); the state at the "
                   "start of the step is kept",
                   plan->scheme->t_next, label);
}

/* Of the contacts: rows that no contact has any more may hold anything. */
static NSDS_NOINLINE nsds_status local_overflow(const nsds_simulation *sim) {
  const nsds_plan *plan = &sim->plan;
  const nsds_contact *contact = plan->contact, *end = contact + plan->ncontact;
  const double *y = NULL, *ydot = NULL;
  int row = -1;
  bool gap = false;
  for (; contact < end; ++contact) {
    y = plan->trial.y + contact->y0;
    ydot = plan->trial.ydot + contact->y0;
    row = nsds_first_nonfinite(y, contact->m);
    gap = row >= 0;
    if (!gap) row = nsds_first_nonfinite(ydot, contact->m);
    if (row >= 0) break;
  }
  if (row < 0) return NSDS_OK;
  char label[nsds_label_size];
  if (contact->interaction) nsds_interaction_label(contact->interaction, label);
  else nsds_contact_set_label(contact->set, label);
  return nsds_fail(sim->context, NSDS_ERROR_VALUE,
                   "step to t = %.17g: %s[%d] of %s is %g, not finite; the state at the start of "
                   "the step is kept",
                   plan->scheme->t_next, gap ? "y" : "dy/dt", row, label, gap ? y[row] : ydot[row]);
}

/* Of found contacts; and whether they are finite. */
typedef struct outputs {
  nsds_plan *plan;
  double zero[nsds_most_parts];
} outputs;

static inline double zero_if_finite(const nsds_plan *plan, const nsds_contact *contact) {
  return nsds_zero_if_pairs_finite(plan->trial.y + contact->y0, plan->trial.ydot + contact->y0,
                                   contact->m);
}

static void put_out_part(void *self, int part, int parts) {
  outputs *t = self;
  nsds_plan *plan = t->plan;
  int first = plan->ninteraction, found = plan->ncontact - first;
  int end = first + nsds_part_begin(found, part + 1, parts);
  double zero = 0.0;
  for (int c = first + nsds_part_begin(found, part, parts); c < end; ++c) {
    plan->contact[c].ops->output(plan, &plan->contact[c]); /* products alone */
    zero += zero_if_finite(plan, &plan->contact[c]);
  }
  t->zero[part] = zero;
}

/* y and dy/dt of the trial state; zero is 0 where they are finite, NaN elsewhere. */
static nsds_status put_out(nsds_plan *plan, double *zero) {
  enum { few = 128 }; /* contacts that are not worth being shared */
  int found = plan->ncontact - plan->ninteraction, parts = nsds_parts(found, few);
  *zero = 0.0;
  for (nsds_contact *c = plan->contact, *end = c + plan->ninteraction; c < end; ++c) {
    nsds_status status = c->ops->output(plan, c);
    if (status) return status;
    *zero += zero_if_finite(plan, c);
  }
  if (found == 0) return NSDS_OK;
  outputs t = {.plan = plan};
  nsds_share_out(plan->context, parts, put_out_part, &t);
  for (int part = 0; part < parts; ++part) *zero += t.zero[part];
  return NSDS_OK;
}

static nsds_status finish_slot(nsds_slot *slot) {
  return slot->finishes ? slot->osi->finish(&slot->on) : NSDS_OK;
}

/* Local variables and reactions of the trial state; nothing non-finite may pass. */
static nsds_status complete(nsds_simulation *sim) {
  nsds_plan *plan = &sim->plan;
  nsds_state *trial = &plan->trial;
  const nsds_state_size *size = &sim->model->size;
  sim->info.t_lambda =
      plan->scheme->t_next - (1.0 - plan->scheme->relation_weight) * plan->scheme->h;
  double zero = nsds_zero_if_finite(trial->q, (int)size->nq); /* aligned: q = ... + h theta v */
  if (!plan->slots_aligned) zero += nsds_zero_if_finite(trial->v, (int)size->nv);
  if (NSDS_UNLIKELY(zero != 0.0)) return overflow(sim);
  nsds_status status = put_out(plan, &zero);
  if (!status && NSDS_UNLIKELY(zero != 0.0)) status = local_overflow(sim);
  if (status) return status;
  if (plan->count.first > 0) nsds_first_order_inputs(plan);
  return plan->nfinish > 0 ? nsds_plan_each(plan, finish_slot) : NSDS_OK;
}

static nsds_status update(nsds_simulation *sim) {
  nsds_time_stepping_driver *d = nsds_time_stepping_of(sim);
  nsds_status status = d->half_explicit ? nsds_half_explicit_end(d) : nsds_pass_end(d);
  if (!d->projects) return status ? status : complete(sim);
  if (!status) status = nsds_projection_update(d);
  if (!status) status = complete(sim);
  if (!status) nsds_projection_outputs(d);
  return status;
}

/* The whole of one step, but for what becomes of it. */
static nsds_status try_step(nsds_time_stepping_driver *d, const nsds_scheme *scheme) {
  nsds_status status = start(d, scheme);
  if (status) return status;
  do {
    status = solve(&d->base);
    if (!status) status = update(&d->base);
  } while (status == NSDS_AGAIN);
  return status;
}

static void reject(nsds_simulation *sim) {
  nsds_plan *plan = &sim->plan;
  sim->model->busy &= ~(unsigned)NSDS_BUSY_STEP;
  nsds_contact_sets_end(sim->model, false);
  plan->stale = plan->stale || plan->trial.y_capacity < sim->model->size.ny; /* a set grew */
  if (plan->stale || plan->topology != sim->model->topology) return; /* nothing of it is used */
  nsds_copy_doubles(plan->trial.impulse, sim->model->state.impulse, sim->model->size.ny);
  nsds_time_stepping_of(sim)->velocity.idle = false;
}

/* Which interactions were active, in the model. A step in pieces has the activity of all of them.
 */
static NSDS_NOINLINE void show_activity(nsds_time_stepping_driver *d) {
  nsds_plan *plan = &d->base.plan;
  const nsds_one_step *o = &d->velocity;
  bool whole = d->base.info.substeps == 0;
  for (int c = 0, a = 0; c < plan->ncontact; ++c) {
    nsds_contact *contact = &plan->contact[c];
    bool now = a < o->nactive && o->active[a] == c;
    a += now;
    if (now == contact->shown_active || (!now && !whole)) continue;
    contact->shown_active = now;
    if (contact->interaction) contact->interaction->active = now;
    else contact->set->active[contact->place] = now;
  }
  d->velocity.changed = d->velocity.changed && !whole;
}

static void accept(nsds_simulation *sim) {
  nsds_time_stepping_driver *d = nsds_time_stepping_of(sim);
  nsds_model *model = sim->model;
  nsds_plan *plan = &sim->plan;
  nsds_state_copy(model->context, &model->state, &plan->trial, &model->size);
  nsds_contact_sets_end(model, true);
  for (const int *k = plan->forced, *end = k + plan->nforced; k < end; ++k) {
    nsds_slot *slot = &plan->slot[*k];
    double *swap = slot->on.force;
    slot->on.force = slot->on.force_end;
    slot->on.force_end = swap;
  }
  if (d->velocity.changed || sim->info.substeps > 0) show_activity(d);
  model->settled = ++model->change; /* y and dy/dt hold, and other simulations see a change */
  model->busy &= ~(unsigned)NSDS_BUSY_STEP;
}

static nsds_status attempt(nsds_time_stepping_driver *d, double t, double t_next, double h) {
  set_interval(&d->scheme, t, t_next, h);
  nsds_status status = try_step(d, &d->scheme);
  if (status) reject(&d->base);
  else accept(&d->base);
  return status;
}

/* ---- lambda at the start --------------------------------------------------------------------- */

/* r and lambda of first-order interactions at t: those of a much shorter Euler-Moreau step, which
 * is not made. It needs neither y = 0 nor D to be regular, and is off by some h / 1024. */
static nsds_status find_initial_lambda(nsds_time_stepping_driver *d) {
  nsds_simulation *sim = &d->base;
  nsds_model *model = sim->model;
  nsds_plan *plan = &sim->plan;
  double h = sim->clock.h / 1024.0;
  d->first = (nsds_scheme){.theta = 1.0,
                           .gamma = d->def.gamma,
                           .gamma_mass = d->def.gamma_mass,
                           .input_new = 1.0,
                           .relation_weight = 1.0,
                           .uniform = true};
  set_interval(&d->first, sim->clock.t, sim->clock.t + h, h);
  nsds_status status = try_step(d, &d->first);
  if (!status) {
    for (int s = 0; s < plan->nslot; ++s)
      for (int k = 0; plan->slot[s].ds->order == 1 && k < plan->slot[s].nv; ++k)
        model->state.p[plan->slot[s].v0 + k] = plan->trial.p[plan->slot[s].v0 + k];
    for (int c = 0; c < plan->ncontact; ++c) {
      const nsds_contact *contact = &plan->contact[c];
      for (int i = contact->y0; contact->C && i < contact->y0 + contact->m; ++i)
        model->state.impulse[i] = model->state.force[i] = plan->trial.impulse[i];
    }
    for (int s = 0; s < plan->nslot; ++s) /* y may depend on lambda */
      ((nsds_ds *)model->ds.item[s])->changed = nsds_touch(model);
  }
  reject(sim);
  d->velocity.formed = false;
  sim->info = (nsds_step_info){0};
  if (!status) d->begun = model->change + model->topology;
  return status;
}

/* Where it is asked for, and again when the program has changed something. */
static nsds_status begin(nsds_simulation *sim) {
  nsds_time_stepping_driver *d = nsds_time_stepping_of(sim);
  bool wanted = d->def.initial_lambda && d->def.scheme == NSDS_THETA_GAMMA && d->def.gamma < 1.0;
  if (!wanted || d->begun == sim->model->change + sim->model->topology) return NSDS_OK;
  return find_initial_lambda(d);
}

/* ---- halving --------------------------------------------------------------------------------- */

/* How often a step may be halved after this failure. */
static int halvings_after(const nsds_time_stepping_driver *d, nsds_status status) {
  enum { by_default = 10 }; /* where Newton's method has failed */
  int asked = d->def.max_halvings > 0 ? d->def.max_halvings : 0;
  switch (status) {
  case NSDS_ERROR_NEWTON: return d->def.max_halvings == 0 ? by_default : asked;
  case NSDS_ERROR_CALLBACK:
  case NSDS_ERROR_SOLVER:
  case NSDS_ERROR_SINGULAR:
  case NSDS_ERROR_VALUE: return asked;
  default: return 0;
  }
}

/* Adds the impulses of the piece just done. First-order inputs and multipliers are not impulses:
 * the sums hold their last values. Contacts of sets are others in each piece and not summed. */
static void sum_impulses(nsds_time_stepping_driver *d) {
  const nsds_model *m = d->base.model;
  const nsds_plan *plan = &d->base.plan;
  const nsds_state *now = &m->state;
  double *p = d->sum, *reaction = p + m->size.nv, *impulse = reaction + m->size.nv;
  for (int s = 0; s < plan->nslot; ++s) {
    double keep = plan->slot[s].ds->order == 2 ? 1.0 : 0.0;
    for (int k = plan->slot[s].v0; k < plan->slot[s].v0 + plan->slot[s].nv; ++k) {
      p[k] = keep * p[k] + now->p[k];
      reaction[k] += now->reaction[k];
    }
  }
  for (int c = 0; c < plan->ninteraction; ++c) {
    double keep = plan->contact[c].C ? 0.0 : 1.0;
    for (int i = plan->contact[c].y0; i < plan->contact[c].y0 + plan->contact[c].m; ++i)
      impulse[i] = keep * impulse[i] + now->impulse[i];
  }
}

static nsds_status halves(nsds_time_stepping_driver *d, double t_next, double h, int halved,
                          bool clean);

/* A piece of the step, which has been halved so often. */
static nsds_status piece(nsds_time_stepping_driver *d, double t_next, double h, int halved) {
  bool clean = nsds_error(d->base.context) == NSDS_OK;
  nsds_status status = attempt(d, d->base.model->state.t, t_next, h);
  if (status)
    return halved < halvings_after(d, status) ? halves(d, t_next, h, halved + 1, clean) : status;
  ++d->base.info.substeps;
  sum_impulses(d);
  return NSDS_OK;
}

/* In the place of a piece that has failed; `clean`: its error was the first. */
static nsds_status halves(nsds_time_stepping_driver *d, double t_next, double h, int halved,
                          bool clean) {
  nsds_context *context = d->base.context;
  nsds_log(context, NSDS_LOG_INFO, "step to t = %.17g of h = %g failed; trying two halves", t_next,
           h);
  if (clean) nsds_error_clear(context);
  nsds_status status = piece(d, t_next - 0.5 * h, 0.5 * h, halved);
  return status ? status : piece(d, t_next, 0.5 * h, halved);
}

/* A step that has failed as a whole, in pieces. */
static NSDS_NOINLINE nsds_status advance_by_pieces(nsds_simulation *sim, double t_next, double h,
                                                   bool clean) {
  nsds_time_stepping_driver *d = nsds_time_stepping_of(sim);
  nsds_model *m = sim->model;
  size_t nv = m->size.nv, ny = m->size.ny, sums = 2 * nv + ny;
  nsds_status status = nsds_grow(sim->context, &d->sum, &d->sum_capacity, sums, sizeof *d->sum);
  if (!status) status = nsds_saved_take(sim, &d->whole);
  if (status) return status;
  memset(d->sum, 0, sums * sizeof *d->sum);
  status = halves(d, t_next, h, 1, clean);
  if (status && sim->info.substeps > 0) nsds_saved_restore(sim, &d->whole);
  if (status) return status;
  memcpy(m->state.p, d->sum, nv * sizeof *d->sum);
  memcpy(m->state.reaction, d->sum + nv, nv * sizeof *d->sum);
  for (int c = 0; c < sim->plan.ninteraction; ++c) {
    const nsds_contact *contact = &sim->plan.contact[c];
    const double *impulse = d->sum + 2 * nv + contact->y0;
    memcpy(m->state.impulse + contact->y0, impulse, (size_t)contact->m * sizeof *impulse);
  }
  return NSDS_OK;
}

static nsds_status advance(nsds_simulation *sim, double t_next, double h) {
  nsds_time_stepping_driver *d = nsds_time_stepping_of(sim);
  bool clean = nsds_error(sim->context) == NSDS_OK;
  sim->info.substeps = 0;
  nsds_status status = attempt(d, sim->model->state.t, t_next, h);
  if (NSDS_UNLIKELY(status && halvings_after(d, status) > 0))
    return advance_by_pieces(sim, t_next, h, clean);
  sim->info.substeps = status == NSDS_OK;
  return status;
}

/* ---- the driver ------------------------------------------------------------------------------ */

static nsds_status start_stage(nsds_simulation *sim, double t_next, double h) {
  nsds_time_stepping_driver *d = nsds_time_stepping_of(sim);
  set_interval(&d->scheme, sim->model->state.t, t_next, h);
  sim->info.substeps = 0;
  return start(d, &d->scheme);
}

static void accept_stage(nsds_simulation *sim) {
  accept(sim);
  sim->info.substeps = 1;
}

static nsds_one_step *problem(nsds_simulation *sim) {
  return &nsds_time_stepping_of(sim)->velocity;
}

static const double *displacement(const nsds_simulation *sim, const nsds_ds *ds) {
  const nsds_time_stepping_driver *d = (const nsds_time_stepping_driver *)(const void *)sim;
  bool there = d->projects && d->position.way && ds->v_offset + ds->nv <= (int)d->position.count;
  return there ? d->position.way + ds->v_offset : NULL;
}

static void destroy(nsds_simulation *sim) {
  nsds_time_stepping_driver *d = nsds_time_stepping_of(sim);
  nsds_one_step_destroy(&d->velocity);
  nsds_projection_destroy(d);
  nsds_saved_destroy(sim->context, &d->whole);
  nsds_release(sim->context, d->sum);
  nsds_release(sim->context, d->passed);
}

static const nsds_driver driver = {.name = "time-stepping simulation",
                                   .begin = begin,
                                   .advance = advance,
                                   .start = start_stage,
                                   .solve = solve,
                                   .update = update,
                                   .accept = accept_stage,
                                   .reject = reject,
                                   .problem = problem,
                                   .displacement = displacement,
                                   .destroy = destroy};

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
  if (!isfinite(d->newton_residual) || d->newton_residual < 0.0) {
    nsds_fail(context, NSDS_ERROR_VALUE, "%s: newton_residual is %g; valid are values >= 0", call,
              d->newton_residual);
    return false;
  }
  if ((int)d->scheme < NSDS_EULER_MOREAU || d->scheme > NSDS_ZERO_ORDER_HOLD) {
    nsds_fail(context, NSDS_ERROR_VALUE, "%s: scheme is %d, not one of nsds_first_order_scheme",
              call, (int)d->scheme);
    return false;
  }
  if ((int)d->second_order_scheme < NSDS_MOREAU_JEAN || d->second_order_scheme > NSDS_D1_MINUS) {
    nsds_fail(context, NSDS_ERROR_VALUE,
              "%s: second_order_scheme is %d, not one of nsds_second_order_scheme", call,
              (int)d->second_order_scheme);
    return false;
  }
  if (d->second_order_scheme != NSDS_MOREAU_JEAN && d->projection.kind != NSDS_PROJECTION_NONE) {
    nsds_fail(context, NSDS_ERROR_UNSUPPORTED,
              "%s: projection is for NSDS_MOREAU_JEAN; second_order_scheme is %d", call,
              (int)d->second_order_scheme);
    return false;
  }
  if ((d->input_at_theta && d->scheme > NSDS_THETA_GAMMA) ||
      (d->f_at_theta && d->scheme == NSDS_ZERO_ORDER_HOLD)) {
    nsds_fail(
        context, NSDS_ERROR_ARGUMENT,
        "%s: input_at_theta is for NSDS_EULER_MOREAU and NSDS_THETA_GAMMA, f_at_theta for these "
        "and NSDS_FULL_THETA_GAMMA; scheme is %d",
        call, (int)d->scheme);
    return false;
  }
  return nsds_check_range(context, call, "theta", d->theta, 0.0, 1.0) &&
         nsds_check_range(context, call, "gamma", d->gamma, 0.0, 1.0) &&
         nsds_check_range(context, call, "gamma_mass", d->gamma_mass, 0.0, 1.0) &&
         nsds_check_range(context, call, "gamma_prediction", d->gamma_prediction, 0.0, 1e6) &&
         nsds_check_range(context, call, "activation_tolerance", d->activation_tolerance, 0.0,
                          1.0) &&
         nsds_check_range(context, call, "newton_increment", d->newton_increment, 0.0, HUGE_VAL) &&
         nsds_check_range(context, call, "tolerance", d->tolerance, 0.0, 1.0) &&
         nsds_check_count(context, call, "newton_max_iterations", d->newton_max_iterations, 1) &&
         nsds_check_range(context, call, "max_halvings", d->max_halvings, -1, 30) &&
         nsds_projection_check(context, call, &d->projection);
}

/* The definition with its zeros replaced by the defaults. */
static nsds_time_stepping_def with_defaults(const nsds_time_stepping_def *def) {
  nsds_time_stepping_def given = *def;
  nsds_projection_defaults(&given.projection);
  given.theta = nsds_or_default(given.theta, 0.5);
  given.gamma = nsds_or_default(given.gamma, 1.0);
  given.gamma_mass = nsds_or_default(given.gamma_mass, given.gamma);
  given.gamma_prediction = nsds_or_default(given.gamma_prediction, 0.5);
  given.newton_increment = nsds_or_default(given.newton_increment, 1e-8);
  given.newton_max_iterations = given.newton_max_iterations == 0 ? 50 : given.newton_max_iterations;
  return given;
}

/* Integrators, the problem and the first numbers of a simulation just made. */
static nsds_status set_up(nsds_time_stepping_driver *d, const nsds_time_stepping_def *given) {
  nsds_simulation *sim = &d->base;
  sim->plan.integrator[1] =
      given->scheme == NSDS_ZERO_ORDER_HOLD ? &nsds_zero_order_hold : &nsds_euler_moreau;
  static const nsds_integrator *const second[] = {&nsds_moreau_jean, &nsds_schatzman_paoli,
                                                  &nsds_d1_minus};
  static const nsds_formulation *const form[] = {&nsds_reduced, &nsds_weighted, &nsds_held};
  sim->plan.integrator[2] = second[given->second_order_scheme];
  sim->plan.in_parts[1] = &nsds_step_ratio_first;
  sim->plan.in_parts[2] = &nsds_step_ratio_second;
  nsds_status status = nsds_one_step_create(&sim->plan, false, &d->velocity);
  d->velocity.form = form[given->second_order_scheme];
  d->velocity.tolerance = given->activation_tolerance;
  d->scheme = weights(given);
  set_interval(&d->scheme, given->t0, given->t0 + given->h, given->h);
  nsds_simulation_enter(sim); /* user functions are called, as in a step */
  if (!status && d->projects) status = nsds_projection_create(d);
  if (!status) status = nsds_simulation_choose(sim, given->solver, given->tolerance);
  if (!status) status = nsds_plan_update(&sim->plan, &d->scheme);
  if (!status) status = nsds_check_consistency(&sim->plan);
  if (!status) status = begin(sim);
  nsds_simulation_leave(sim);
  return status;
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
  nsds_time_stepping_def given = with_defaults(def);
  if (!check(context, &given) || nsds_check_idle(model, "nsds_time_stepping")) return NULL;
  nsds_time_stepping_driver *d = NSDS_NEW(context, nsds_time_stepping_driver);
  if (!d) return NULL;
  d->def = given;
  d->def.solver = NULL;
  d->half_explicit = given.second_order_scheme == NSDS_D1_MINUS;
  d->projects = given.projection.kind != NSDS_PROJECTION_NONE;
  nsds_simulation *sim = &d->base;
  if (nsds_simulation_init(sim, &driver, model, given.t0, given.t1, given.h)) {
    nsds_release(context, d);
    return NULL;
  }
  if (!set_up(d, &given)) return sim;
  nsds_simulation_destroy(sim);
  return NULL;
}
