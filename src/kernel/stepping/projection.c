/*
 * Projection of positions in a time step, since velocities alone do not keep positions admissible.
 *
 *   direct     After the step: Newton's method on the gaps of its active contacts.
 *   combined   The step begins without unilateral contacts. After the step, the gaps of active
 *              contacts are projected as equalities. Contacts with y <= 0 then become active,
 *              and the step is made again from its start, until none is added.
 *
 * An iteration that does not lower the violation is taken back and ends the projection.
 *
 * Rest in a direct projection that settles. Let a contact overlap unforeseen at the speed v. Until its impact has
 * ended, the contact falls by up to 3/2 h v below zero, against an acceleration a. The projection
 * gives back 3/2 a h v, and the impact takes v^2 (1 - e^2) / 2. If the impact takes less, bounces of
 * the same few steps follow each other for ever. Such a contact therefore closes in the step of its
 * overlap, which is made again. If the contact has pushed in the step before, its flight begins and
 * ends in one step. The gap is then an equality, so that the flight does not lift the body.
 */
#include "kernel/stepping/projection.h"

#include "base/base.h"
#include "base/context.h"
#include "base/text/field_rows.h"
#include "kernel/assembly/contact.h"
#include "kernel/assembly/displacement.h"
#include "kernel/assembly/one_step.h"
#include "kernel/modeling/definition.h"
#include "kernel/modeling/handle.h"
#include "kernel/modeling/modeling.h"

#define DEF nsds_projection_def
const nsds_type nsds_projection_type = {
    .help = "Leads positions back to their constraints.",
    .field =
        (const nsds_field[]){
            CHOICE_OF(DEF, kind, "none direct combined", "none", "When positions are led back."),
            CHOICE_OF(DEF, metric, "mass coordinates", "mass",
                      "What the displacement is measured in."),
            NUMBER_OF(DEF, tolerance, "m, rad", "> 0", "auto", "Tolerance of y; auto: 1e-10."),
            INTEGER_OF(DEF, max_iterations, ">= 1", "auto", "Most iterations; auto: 20."),
            NUMBER_OR_NONE_OF(DEF, activation, NSDS_CLOSED_AT_ZERO, "m, rad", "> 0", "auto",
                              "Gaps up to this count as closed; auto: 1000 tolerances."),
            TRUTH_OF(DEF, settles, "false",
                     "With direct: contacts with restitution come to rest; some steps are made "
                     "twice."),
            END},
    .call = "nsds_time_stepping",
    DEFINITION(DEF)};

bool nsds_projection_take(nsds_context *context, nsds_projection_def *d) {
  if (!nsds_definition_check_part(context, &nsds_projection_type, "projection.", d)) return false;
  d->tolerance = nsds_or_default(d->tolerance, 1e-10);
  if (d->max_iterations == 0) d->max_iterations = 20;
  if (d->activation == 0.0) d->activation = 1e3 * d->tolerance;
  else if (d->activation == NSDS_CLOSED_AT_ZERO) d->activation = 0.0;
  if (!d->settles || d->kind == NSDS_PROJECTION_DIRECT) return true;
  nsds_fail(context, NSDS_ERROR_VALUE,
            "nsds_time_stepping: projection.settles is true and projection.kind is %d; valid is "
            "NSDS_PROJECTION_DIRECT",
            (int)d->kind);
  return false;
}

nsds_status nsds_projection_create(nsds_time_stepping_driver *d) {
  const nsds_projection_def *def = &d->def.projection;
  nsds_simulation *sim = &d->base;
  nsds_displacement *p = &d->position;
  d->combined = def->kind == NSDS_PROJECTION_COMBINED;
  d->velocity.set.slack = d->combined ? 0.0 : def->activation;
  nsds_displacement_create(&sim->plan, def->metric == NSDS_METRIC_COORDINATES, d->combined, p);
  return nsds_displacement_solvers(p);
}

void nsds_projection_destroy(nsds_time_stepping_driver *d) {
  nsds_displacement_destroy(&d->position);
  nsds_release(d->base.context, d->closed);
}

/* Marks in d->closed the contacts that take part without a gap: laws of states, springs and drives. */
static void close_gapless(nsds_time_stepping_driver *d) {
  const nsds_plan *plan = &d->base.plan;
  memset(d->closed, 0, plan->model->size.ny);
  for (int c = 0; c < plan->ninteraction; ++c)
    if (nsds_acts_on_states(plan->contact[c].kind))
      memset(d->closed + plan->contact[c].y0, NSDS_GAP_KEPT, (size_t)plan->contact[c].m);
}

nsds_status nsds_projection_begin(nsds_time_stepping_driver *d) {
  size_t ny = d->base.model->size.ny;
  d->base.info.projection = (nsds_projection_info){.passes = 1};
  nsds_status status = nsds_displacement_reserve(&d->position);
  if (!status)
    status = nsds_grow(d->base.context, &d->closed, &d->closed_capacity, ny, sizeof *d->closed);
  d->chosen = NULL;
  if (status || !d->combined) return status;
  if (ny > 0) close_gapless(d);
  d->chosen = d->closed;
  return NSDS_OK;
}

/* Runs Newton's method on the gaps of the active contacts. */
static nsds_status projection_iterate(nsds_time_stepping_driver *d) {
  nsds_displacement *p = &d->position;
  const nsds_projection_def *def = &d->def.projection;
  nsds_projection_info *info = &d->base.info.projection;
  double last = INFINITY;
  nsds_status status = NSDS_OK;
  for (int moves = 0; !status; ++moves, ++info->iterations) {
    double tolerance = moves > 0 ? def->tolerance : INFINITY; /* H is known after a move */
    status = nsds_displacement_measure(p, tolerance, &info->violation);
    info->converged = info->violation <= def->tolerance;
    if (status || info->converged) break;
    if (!(info->violation < last)) {
      if (moves > 0) nsds_displacement_undo(p);
      info->violation = last;
      break;
    }
    if (info->iterations == def->max_iterations) break;
    last = info->violation;
    status = nsds_displacement_move(p);
  }
  return status;
}

static bool displaced(const nsds_displacement *p, const nsds_contact *contact) {
  for (const nsds_reach *r = contact->reach, *end = r + contact->nds; r < end; ++r)
    for (int k = r->column; k < r->column + r->size; ++k)
      if (p->way[k] != 0.0) return true;
  return false;
}

/* Marks in `flag` the copies of unilateral laws whose gap at the trial state is at most `gap`. *any
 * tells if one was new. `moved`: only contacts whose systems the projection has displaced. */
static nsds_status projection_mark(nsds_time_stepping_driver *d, unsigned char *flag, double gap,
                                   bool moved, bool *any) {
  nsds_plan *plan = &d->base.plan;
  nsds_status status = NSDS_OK;
  *any = false;
  for (int c = 0; !status && c < plan->ncontact; ++c) {
    nsds_contact *contact = &plan->contact[c];
    if (!contact->active) continue;
    if (moved && !(nsds_displacement_keeps(contact) && displaced(&d->position, contact))) continue;
    status = contact->ops->output(plan, contact);
    if (!status && contact->found.set) nsds_displacement_follow(plan, d->position.way, contact);
    for (int k = 0; !status && k < contact->ncopy; ++k) {
      int at = contact->y0 + k * contact->size;
      const double *y = plan->trial.y + at, *ydot = plan->trial.ydot + at;
      if (flag[at] || !nsds_contact_closes(contact, k, y, ydot, 0.0, gap)) continue;
      flag[at] = 1;
      *any = true;
    }
  }
  return status;
}

/* Projects positions. In a direct projection, contacts that the displacement closes take part
 * too. */
static nsds_status projection_project(nsds_time_stepping_driver *d) {
  nsds_displacement *p = &d->position;
  const unsigned char *held = d->combined ? NULL : d->chosen;
  nsds_status status = nsds_displacement_choose(p, &d->velocity, held);
  d->base.info.projection.iterations = 0;
  for (bool more = true; !status && more;) {
    status = projection_iterate(d);
    more = false;
    if (!status && !d->combined && d->base.info.projection.iterations > 0)
      status = projection_mark(d, p->active, -d->def.projection.tolerance, true, &more);
    if (!status && more) status = nsds_one_step_select(&p->problem, 0.0, p->active);
  }
  return status;
}

/* Bound of v^2 (1 - e^2) / (a h v), 3 and rounding up. */
static const double most_returned = 4.0;

/* Says by d->closed which contacts are closed: at first those of the problem. */
static void begin_chosen(nsds_time_stepping_driver *d) {
  const nsds_one_step *o = &d->velocity;
  const nsds_plan *plan = o->op.plan;
  memset(d->closed, 0, plan->model->size.ny);
  for (int a = 0; a < o->set.nactive; ++a) {
    const nsds_contact *contact = &plan->contact[o->set.active[a]];
    const unsigned char *on = o->op.entry[o->set.active[a]].more->on;
    for (int k = 0; k < contact->ncopy; ++k)
      d->closed[contact->y0 + k * contact->size] = !on || on[k] ? NSDS_GAP_KEPT : NSDS_GAP_LEFT;
  }
  d->chosen = d->closed;
}

/* Tells if the impact of a copy that has overlapped unforeseen would take less energy than the
 * projection gives back, so that bounces never end. */
static bool keeps_bouncing(const nsds_time_stepping_driver *d, const nsds_contact *contact,
                           int at) {
  const nsds_plan *plan = &d->base.plan;
  const double *ydot = plan->trial.ydot + at;
  double *q = d->position.problem.rows_q, change = fabs(*ydot - plan->model->state.ydot[at]);
  if (!contact->restitution) return *ydot * *ydot <= most_returned * change * -*ydot;
  nsds_zero_doubles(q, (size_t)contact->size);
  contact->restitution(contact->law_self, ydot, q);
  return *ydot * *ydot - *q * *q <= most_returned * change * -*ydot;
}

/* Closes the open copies of a contact that rest. */
static nsds_status hold_contact(nsds_time_stepping_driver *d, nsds_contact *contact,
                                const unsigned char *on, bool *any) {
  nsds_plan *plan = &d->base.plan;
  nsds_status status = contact->ops->output(plan, contact);
  for (int k = 0; !status && k < contact->ncopy; ++k) {
    int at = contact->y0 + k * contact->size;
    const double *y = plan->trial.y + at, *ydot = plan->trial.ydot + at;
    if ((on && on[k]) ||
        !nsds_contact_closes(contact, k, y, ydot, 0.0, -d->def.projection.tolerance) ||
        !(*ydot < 0.0) || !keeps_bouncing(d, contact, at))
      continue;
    if (!d->chosen) begin_chosen(d);
    d->closed[at] = plan->model->state.impulse[at] > 0.0 ? NSDS_GAP_PULLED : NSDS_GAP_KEPT;
    *any = true;
  }
  return status;
}

/* Closes contacts that have overlapped unforeseen though they rest. */
static nsds_status projection_hold(nsds_time_stepping_driver *d, bool *any) {
  const nsds_one_step *o = &d->velocity;
  nsds_plan *plan = &d->base.plan;
  nsds_status status = NSDS_OK;
  for (int c = 0, a = 0; !status && c < plan->ncontact; ++c) {
    bool now = a < o->set.nactive && o->set.active[a] == c;
    const unsigned char *on = now ? o->op.entry[c].more->on : NULL;
    nsds_contact *contact = &plan->contact[c];
    a += now;
    if (contact->active && (!now || on) && nsds_displacement_unilateral(contact))
      status = hold_contact(d, contact, on, any);
  }
  return status;
}

/* Evaluates the forces at the end of the step for the projected positions. */
static nsds_status evaluate_forces(nsds_plan *plan) {
  nsds_status status = NSDS_OK;
  for (int s = 0; !status && !plan->slots_affine && s < plan->nslot; ++s) {
    nsds_slot *slot = &plan->slot[s];
    if (!slot->on.affine && nsds_is_second_order(slot->ds)) status = slot->osi->evaluate(&slot->on);
  }
  return status;
}

nsds_status nsds_projection_update(nsds_time_stepping_driver *d, bool *closed) {
  nsds_plan *plan = &d->base.plan;
  nsds_step_info *info = &d->base.info;
  nsds_status status = d->def.projection.settles ? projection_hold(d, closed) : NSDS_OK;
  if (!status && !*closed) status = projection_project(d);
  if (!status && d->combined) status = projection_mark(d, d->closed, 0.0, false, closed);
  if (!status && !*closed && info->projection.iterations > 0) status = evaluate_forces(plan);
  info->projection.passes += !status && *closed;
  return status;
}

void nsds_projection_outputs(nsds_time_stepping_driver *d) {
  const nsds_plan *plan = &d->base.plan;
  for (int c = plan->ninteraction; c < plan->ncontact; ++c)
    nsds_displacement_follow(plan, d->position.way, &plan->contact[c]);
}

const double *nsds_simulation_displacement(const nsds_simulation *sim, const nsds_ds *handle) {
  const nsds_ds *ds = nsds_ds_find(handle, "nsds_simulation_displacement");
  if (!sim || !ds || !nsds_is_second_order(ds) || ds->model != sim->model) return NULL;
  return sim->driver->displacement ? sim->driver->displacement(sim, ds) : NULL;
}
