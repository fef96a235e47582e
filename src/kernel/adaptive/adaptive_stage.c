/*
 * A step is two implicit stages, gamma = 1 - 1 / sqrt(2),
 *
 *   x1 = x + gamma h x1',   x2 = x + h ((1 - gamma) x1' + gamma x2')
 *
 * of order 2 and L-stable, both with the same matrix (R. Alexander, SIAM J. Numer. Anal. 14 (1977)).
 * The derivative at the start gives a quadrature of order 3 beside it, whose difference in M x is
 * the error.
 */
#include "kernel/adaptive/adaptive_stage.h"

#include "base/base.h"
#include "base/context.h"
#include "kernel/adaptive/adaptive_state.h"
#include "kernel/adaptive/implicit_evaluate.h"

static void swap_instants(nsds_adaptive_instant *a, nsds_adaptive_instant *b) {
  nsds_adaptive_instant old = *a;
  *a = *b;
  *b = old;
}

nsds_status nsds_adaptive_solve(nsds_adaptive_driver *d, double a, double t, const double *before,
                                const double *guess, bool frozen, nsds_adaptive_instant *end) {
  nsds_implicit_rows *r = &d->stage.rows;
  nsds_copy_doubles(end->z, guess, (size_t)r->n);
  r->motion.from = d->now.q;
  nsds_status status = nsds_implicit_stage(&d->stage, a, nsds_smaller(t, d->piece.to), before,
                                           frozen ? d->mode : NULL, end->z, end->w);
  if (NSDS_UNLIKELY(status == NSDS_AGAIN)) { /* the pattern was too small */
    status = nsds_adaptive_update(d);
    return status ? status : nsds_adaptive_solve(d, a, t, before, guess, frozen, end);
  }
  if (status) return status;
  end->t = t;
  if (nsds_adaptive_moves(d)) {
    nsds_copy_doubles(end->q, r->motion.q, (size_t)r->motion.nq);
    nsds_copy_doubles(end->gap, r->motion.gap, (size_t)r->ny);
  }
  double inverse = 1.0 / a;
  for (int k = 0; k < r->nx; ++k) end->rate[k] = (end->z[k] - before[k]) * inverse;
  return NSDS_OK;
}

nsds_status nsds_adaptive_try(nsds_adaptive_driver *d, double h) {
  double a = nsds_gamma_stage * h, t = d->now.t, weight = (1.0 - nsds_gamma_stage) * h;
  nsds_status status = nsds_adaptive_solve(d, a, t + a, d->now.z, d->now.z, true, &d->middle);
  if (status) return status;
  for (int k = 0; k < d->stage.rows.nx; ++k)
    d->before[k] = d->now.z[k] + weight * d->middle.rate[k];
  const double *guess = d->middle.z;
  if (!d->stage.rows.linear) { /* on the line through both times */
    for (int k = 0; k < d->stage.rows.n; ++k)
      d->guess[k] = d->now.z[k] + (d->middle.z[k] - d->now.z[k]) / nsds_gamma_stage;
    int nx = d->stage.rows.nx;
    nsds_implicit_limit(&d->stage.rows, d->middle.z + nx, d->guess + nx);
    guess = d->guess;
  }
  if (nsds_adaptive_moves(d)) {
    d->stage.rows.motion.way = d->bodies.way;
    for (int k = 0; k < d->stage.rows.nx; ++k) d->bodies.way[k] = weight * d->middle.z[k];
  }
  status = nsds_adaptive_solve(d, a, t + h, d->before, guess, true, &d->trial);
  d->stage.rows.motion.way = NULL;
  return status;
}

/* Returns the largest speed of a system so far, or at the end of the try. A component nearly at rest has no scale of its
 * own. A system that joints hold has one: its speed is rounding, which moves it by less than that of its coordinates. */
static double speed_of(const nsds_adaptive_driver *d, const nsds_slot *slot) {
  double speed = DBL_EPSILON * d->bodies.reach[slot->v0] / (d->def.tolerance * d->def.largest_step);
  for (int k = slot->v0; k < slot->v0 + slot->nv; ++k)
    speed =
        nsds_larger(speed, nsds_larger(nsds_larger(d->scale[k], d->size[k]), fabs(d->trial.z[k])));
  return speed;
}

/* The same error of the displacement of second-order systems, whose rate is v; and of v. */
static double error_of_bodies(nsds_adaptive_driver *d, const double b[3], double h) {
  const nsds_plan *plan = &d->base.plan;
  double worst = 0.0, tolerance = d->def.tolerance;
  for (int s = 0; s < plan->nslot; ++s) {
    const nsds_slot *slot = &plan->slot[s];
    if (nsds_is_first_order(slot->ds)) continue;
    double speed = speed_of(d, slot), way = nsds_larger(d->bodies.reach[slot->v0], h * speed);
    for (int k = slot->v0; k < slot->v0 + slot->nv; ++k) {
      double error = h * (b[0] * d->now.z[k] + (b[1] - 1.0 + nsds_gamma_stage) * d->middle.z[k] +
                          (b[2] - nsds_gamma_stage) * d->trial.z[k]);
      if (way > 0.0) nsds_raise(&worst, fabs(error) / (tolerance * way));
      if (speed > 0.0) nsds_raise(&worst, fabs(d->error[k]) / (tolerance * speed));
      d->error[k] = 0.0; /* counted */
    }
  }
  return worst;
}

double nsds_adaptive_error(nsds_adaptive_driver *d, double h) {
  const nsds_implicit_rows *r = &d->stage.rows;
  double b1 = 1.0 / (6.0 * nsds_gamma_stage * (1.0 - nsds_gamma_stage)),
         b2 = 0.5 - nsds_gamma_stage * b1, b0 = 1.0 - b1 - b2;
  double worst = 0.0, *third = d->before, tolerance = d->def.tolerance;
  if (tolerance < 0.0) return 0.0;
  for (int k = 0; k < r->nx; ++k)
    third[k] = d->now.z[k] - d->trial.z[k] +
               h * (b0 * d->now.rate[k] + b1 * d->middle.rate[k] + b2 * d->trial.rate[k]);
  nsds_implicit_mass(r, third, d->error);
  if (nsds_adaptive_moves(d)) worst = error_of_bodies(d, (double[]){b0, b1, b2}, h);
  for (int k = 0; k < r->nx; ++k) {
    double size = nsds_larger(d->scale[k], d->size[k]), error = fabs(d->error[k]);
    if (error > tolerance * size * worst && size > 0.0) worst = error / (tolerance * size);
  }
  return worst;
}

double nsds_adaptive_error_by_laws(nsds_adaptive_driver *d, double h) {
  const nsds_implicit_rows *r = &d->stage.rows;
  double worst = 0.0, tolerance = d->def.tolerance, *change = d->before;
  if (tolerance < 0.0) return 0.0;
  for (int k = 0; k < r->nx; ++k) change[k] = 0.5 * h * (d->trial.rate[k] - d->now.rate[k]);
  nsds_implicit_mass(r, change, d->error);
  for (int k = 0; k < r->nx; ++k) {
    double size = tolerance * nsds_larger(d->scale[k], d->size[k]);
    if (size > 0.0) nsds_raise(&worst, fabs(d->error[k]) / size);
  }
  return worst;
}

/* Notes the largest coordinate of each system. */
static void note_reach(nsds_adaptive_driver *d) {
  const nsds_plan *plan = &d->base.plan;
  for (int s = 0; s < plan->nslot; ++s) {
    const nsds_slot *slot = &plan->slot[s];
    double *reach = d->bodies.reach + slot->v0;
    if (nsds_is_first_order(slot->ds)) continue;
    for (int k = 0; k < slot->ds->nq; ++k) nsds_raise(reach, fabs(d->now.q[slot->q0 + k]));
    nsds_raise(&d->bodies.farthest, *reach);
  }
}

/* Adds the impulses of the step that is accepted. */
static void sum_impulses(nsds_adaptive_driver *d, double middle_weight) {
  const nsds_implicit_rows *r = &d->stage.rows;
  double length = d->trial.t - d->now.t, share = d->middle.t > d->now.t ? middle_weight : 0.0;
  for (int k = 0; k < r->ny; ++k)
    d->bodies.impulse[k] +=
        length * (share * d->middle.z[r->nx + k] + (1.0 - share) * d->trial.z[r->nx + k]);
}

static void note_sizes(nsds_adaptive_driver *d) {
  const nsds_implicit_rows *r = &d->stage.rows;
  nsds_implicit_mass(r, d->now.z, d->error);
  for (int k = 0; k < r->nx; ++k) nsds_raise(&d->scale[k], fabs(d->error[k]));
  for (int k = 0; k < r->ny; ++k) {
    nsds_raise(&d->bounds[k], fabs(d->now.z[r->nx + k]));
    nsds_raise(&d->bounds[r->ny + k], fabs(d->now.w[k]));
  }
}

void nsds_adaptive_accept(nsds_adaptive_driver *d, double middle_weight) {
  if (nsds_adaptive_moves(d)) sum_impulses(d, middle_weight);
  swap_instants(&d->now, &d->trial);
  note_sizes(d);
  if (nsds_adaptive_moves(d)) note_reach(d);
  d->middle.weight = middle_weight;
  d->now.weight = 1.0 - middle_weight;
  ++d->course.info.steps;
}

void nsds_adaptive_watch(nsds_adaptive_driver *d) {
  d->watched.failures = nsds_failures(d->base.context);
  d->watched.clean = nsds_is_clean(d->base.context);
}

void nsds_adaptive_forgive(nsds_adaptive_driver *d, nsds_status status) {
  if (status != NSDS_ERROR_CALLBACK) return;
  if (d->watched.clean) nsds_error_clear(d->base.context);
  d->watched.failures = nsds_failures(d->base.context);
}

nsds_status nsds_adaptive_failed(nsds_adaptive_driver *d, nsds_status status) {
  nsds_context *context = d->base.context;
  double t = d->now.t;
  if (status == NSDS_ERROR_NEWTON)
    return nsds_fail(context, NSDS_ERROR_NEWTON,
                     "adaptive step at t = %.17g: Newton's method did not converge, however short "
                     "the step",
                     t);
  if (status == NSDS_ERROR_SINGULAR)
    return nsds_fail(context, NSDS_ERROR_SINGULAR,
                     "adaptive step at t = %.17g: the equations do not determine all unknowns", t);
  if (status != NSDS_ERROR_SOLVER) return status;
  d->base.info.solver = d->stage.info;
  return nsds_fail(context, NSDS_ERROR_SOLVER,
                   "adaptive step at t = %.17g: the laws have no solution, or the solver found "
                   "none",
                   t);
}
