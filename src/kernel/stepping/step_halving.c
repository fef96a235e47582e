/*
 * A step of time stepping, and what follows if it fails: the step is taken in pieces. A piece that fails is halved again, up to a limit. Pieces are
 * accepted one by one; if a later piece fails, the state at the start is put back. If Newton's
 * method fails even in the smallest piece, that piece predicts positions of M and H from the
 * velocity at its start. A contact that friction jams has no solution with positions of the end,
 * however small the piece is.
 */
#include "kernel/stepping/step_halving.h"

#include "base/base.h"
#include "base/context.h"
#include "kernel/modeling/modeling.h"
#include "kernel/simulation/overflow.h"
#include "kernel/simulation/saved.h"
#include "kernel/stepping/time_step.h"
#include "kernel/stepping/time_stepping_driver.h"

/* Returns the number of times that a step may be halved after this failure. */
static int halvings_after(const nsds_time_stepping_driver *d, nsds_status status) {
  enum { by_default = 10 }; /* after a failure of Newton's method */
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

/* Findings of the time before the step, for the case that it fails. */
typedef struct before_step {
  bool clean;         /* no error is recorded */
  bool sought, found; /* dependent joints are sought; lambda has been found for this step */
} before_step;

static inline before_step look_before(const nsds_time_stepping_driver *d) {
  return (before_step){nsds_is_clean(d->base.context), d->velocity.dependent.sought,
                       d->lambda_found};
}

/* If a failed problem has shown dependent joints, takes the step again without them. */
static nsds_status take_without_dependent(nsds_time_stepping_driver *d, double t, double t_next,
                                          double h, before_step before, nsds_status status) {
  if (status != NSDS_ERROR_SOLVER || before.sought || !d->velocity.dependent.sought) return status;
  if (before.clean) nsds_error_clear(d->base.context);
  return nsds_time_step_take(d, t, t_next, h);
}

/* Takes a step, or a piece of one. */
static nsds_status take_step(nsds_time_stepping_driver *d, double t, double t_next, double h) {
  before_step before = look_before(d);
  nsds_status status = nsds_time_step_take(d, t, t_next, h);
  return take_without_dependent(d, t, t_next, h, before, status);
}

/* Adds the impulses of the piece just done. First-order inputs and multipliers are not impulses:
 * the sums hold their last values. Contacts of sets differ from piece to piece and are not
 * summed. */
static void sum_impulses_of_piece(nsds_time_stepping_driver *d) {
  const nsds_model *m = d->base.model;
  const nsds_plan *plan = &d->base.plan;
  const nsds_state *now = &m->state;
  double *p = d->sum, *impulse = p + m->size.nv;
  for (int s = 0; s < plan->nslot; ++s) {
    double keep = nsds_is_second_order(plan->slot[s].ds) ? 1.0 : 0.0;
    for (int k = plan->slot[s].v0; k < plan->slot[s].v0 + plan->slot[s].nv; ++k)
      p[k] = keep * p[k] + now->p[k];
  }
  for (int c = 0; c < plan->ninteraction; ++c) {
    double keep = nsds_acts_on_states(plan->contact[c].kind) ? 0.0 : 1.0;
    for (int i = plan->contact[c].y0; i < plan->contact[c].y0 + plan->contact[c].m; ++i)
      impulse[i] = keep * impulse[i] + now->impulse[i];
  }
}

/* Takes the smallest piece with predicted positions, after Newton's method has failed. If this
 * fails too, the first error stays. */
static nsds_status predict_piece(nsds_time_stepping_driver *d, double t_next, double h,
                                 bool clean) {
  nsds_context *context = d->base.context;
  nsds_log(context, NSDS_LOG_INFO,
           "step to t = %.17g of h = %g failed; trying positions predicted once", t_next, h);
  d->scheme.predict_once = true;
  nsds_status status = take_step(d, d->base.model->state.t, t_next, h);
  d->scheme.predict_once = false;
  if (status == NSDS_STOPPED) return status;
  if (status) return NSDS_ERROR_NEWTON;
  if (clean) nsds_error_clear(context);
  ++d->base.info.predicted;
  return NSDS_OK;
}

static nsds_status halving_halves(nsds_time_stepping_driver *d, double t_next, double h, int halved,
                                  bool clean);

/* Takes a piece of the step, the result of `halved` halvings. */
static nsds_status halving_piece(nsds_time_stepping_driver *d, double t_next, double h,
                                 int halved) {
  bool clean = nsds_error(d->base.context) == NSDS_OK;
  nsds_status status = take_step(d, d->base.model->state.t, t_next, h);
  if (status && halved < halvings_after(d, status))
    return halving_halves(d, t_next, h, halved + 1, clean);
  if (status == NSDS_ERROR_NEWTON && !d->scheme.predict_once)
    status = predict_piece(d, t_next, h, clean);
  if (status) return status;
  ++d->base.info.substeps;
  sum_impulses_of_piece(d);
  return NSDS_OK;
}

/* Takes two halves instead of a piece that has failed. `clean`: its error was the first. */
static nsds_status halving_halves(nsds_time_stepping_driver *d, double t_next, double h, int halved,
                                  bool clean) {
  nsds_context *context = d->base.context;
  nsds_log(context, NSDS_LOG_INFO, "step to t = %.17g of h = %g failed; trying two halves", t_next,
           h);
  if (clean) nsds_error_clear(context);
  nsds_status status = halving_piece(d, t_next - 0.5 * h, 0.5 * h, halved);
  return status ? status : halving_piece(d, t_next, 0.5 * h, halved);
}

/* Takes a failed step in pieces, all or none. `clean`: the error of the step was the first. */
static nsds_status step_in_pieces(nsds_simulation *sim, double t_next, double h, bool clean) {
  nsds_time_stepping_driver *d = nsds_time_stepping_of(sim);
  nsds_model *m = sim->model;
  size_t nv = m->size.nv, ny = m->size.ny, sums = nv + ny;
  nsds_status status = nsds_grow(sim->context, &d->sum, &d->sum_capacity, sums, sizeof *d->sum);
  if (!status) status = nsds_saved_take(sim, &d->whole);
  if (status) return status;
  nsds_zero_doubles(d->sum, sums);
  status = halving_halves(d, t_next, h, 1, clean);
  if (status && sim->info.substeps > 0) nsds_saved_restore(sim, &d->whole);
  if (status) return status;
  nsds_copy_doubles(m->state.p, d->sum, nv);
  for (int c = 0; c < sim->plan.ninteraction; ++c) {
    const nsds_contact *contact = &sim->plan.contact[c];
    const double *impulse = d->sum + nv + contact->y0;
    memcpy(m->state.impulse + contact->y0, impulse, (size_t)contact->m * sizeof *impulse);
  }
  status = nsds_check_shown(&sim->plan, &m->state, "step to", t_next); /* sums may overflow */
  if (status) nsds_saved_restore(sim, &d->whole);
  return status;
}

/* Goes on after the whole step has failed. */
static NSDS_NOINLINE nsds_status after_failure(nsds_time_stepping_driver *d, double t,
                                               double t_next, double h, before_step before,
                                               nsds_status status) {
  nsds_simulation *sim = &d->base;
  status = take_without_dependent(d, t, t_next, h, before, status);
  if (!status) sim->info.substeps = 1;
  else if (halvings_after(d, status) > 0) status = step_in_pieces(sim, t_next, h, before.clean);
  if (status && before.found) nsds_time_step_undo_lambda(d);
  return status;
}

nsds_status nsds_time_step(nsds_simulation *sim, double t_next, double h) {
  nsds_time_stepping_driver *d = nsds_time_stepping_of(sim);
  before_step before = look_before(d);
  double t = sim->model->state.t;
  sim->info.substeps = sim->info.predicted = 0;
  nsds_status status = nsds_time_step_take(d, t, t_next, h);
  if (NSDS_UNLIKELY(status)) return after_failure(d, t, t_next, h, before, status);
  sim->info.substeps = 1;
  return NSDS_OK;
}
