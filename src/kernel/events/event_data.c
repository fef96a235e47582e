/*
 * Data of events for programs: the problems of the last event with their solver, rows and forces at
 * the present time, and past events.
 *
 * Rates and lambda of the accepted state are those of its last evaluation. If no row bears a force,
 * the state may not have been evaluated; H, bias and rates are then computed here.
 */
#include "base/base.h"
#include "base/context.h"
#include "kernel/assembly/plan.h"
#include "kernel/events/closed_rows.h"
#include "kernel/events/event_driven.h"
#include "kernel/events/event_driver.h"
#include "kernel/events/event_motion.h"
#include "kernel/events/event_past.h"
#include "kernel/events/event_problems.h"
#include "kernel/events/event_rates.h"
#include "kernel/events/reactions.h"
#include "kernel/events/row_values.h"
#include "kernel/modeling/handle.h"
#include "kernel/modeling/modeling.h"
#include "numerics/solver_run.h"

static nsds_status no_events(const nsds_simulation *sim, const char *call) {
  if (!sim) return nsds_fail_null(NULL, call, "simulation");
  return nsds_fail(sim->context, NSDS_ERROR_ARGUMENT,
                   "%s: the simulation is one of %s; valid are those of nsds_event_driven()", call,
                   sim->driver->name);
}

static nsds_status out_of_range(const nsds_simulation *sim, const char *call, const char *what,
                                int k, int count) {
  return nsds_fail(sim->context, NSDS_ERROR_ARGUMENT,
                   "%s: k is %d; there are %d %s, valid are indices from 0", call, k, count, what);
}

/* ---- problems ------------------------------------------------------------------------------------ */

/* Returns a kept problem of the last event, or NULL. */
static const nsds_kept_problem *kept_of(const nsds_simulation *sim, nsds_event_level level) {
  const nsds_event_driver *d = nsds_event_driver_if(sim);
  if (!d || d->event.kind & NSDS_EVENT_WINDOW) return NULL;
  const nsds_event_problem *p = &d->rows.problem;
  const nsds_kept_problem *kept = level == NSDS_EVENT_IMPULSES ? &p->impact : &p->motion;
  return kept->there ? kept : NULL;
}

const nsds_problem *nsds_event_impact_problem(const nsds_simulation *sim) {
  const nsds_kept_problem *kept = kept_of(sim, NSDS_EVENT_IMPULSES);
  return kept ? &kept->problem : NULL;
}

const double *nsds_event_impact_solution(const nsds_simulation *sim) {
  const nsds_kept_problem *kept = kept_of(sim, NSDS_EVENT_IMPULSES);
  return kept ? kept->z : NULL;
}

const nsds_problem *nsds_event_force_problem(const nsds_simulation *sim) {
  const nsds_kept_problem *kept = kept_of(sim, NSDS_EVENT_FORCES);
  return kept ? &kept->problem : NULL;
}

const double *nsds_event_force_solution(const nsds_simulation *sim) {
  const nsds_kept_problem *kept = kept_of(sim, NSDS_EVENT_FORCES);
  return kept ? kept->z : NULL;
}

int nsds_event_problem_count(const nsds_simulation *sim) {
  const nsds_event_driver *d = nsds_event_driver_if(sim);
  return d && !(d->event.kind & NSDS_EVENT_WINDOW) ? d->rows.problem.all.count : 0;
}

nsds_status nsds_event_problem_at(const nsds_simulation *sim, int k,
                                  nsds_event_problem_info *info) {
  const char *call = "nsds_event_problem_at";
  const nsds_event_driver *d = nsds_event_driver_if(sim);
  if (!d) return no_events(sim, call);
  if (!info) return nsds_fail_null(sim->context, call, "info");
  const nsds_kept_list *all = &d->rows.problem.all;
  int count = nsds_event_problem_count(sim);
  if (count > all->places) count = all->places;
  if (k < 0 || k >= count)
    return nsds_fail(sim->context, NSDS_ERROR_ARGUMENT,
                     "%s: k is %d; the last event had %d problems, valid are indices from 0, below "
                     "problems = %d of the definition",
                     call, k, nsds_event_problem_count(sim), all->places);
  const nsds_kept_problem *p = &all->item[k];
  *info = (nsds_event_problem_info){
      .level = p->level, .problem = &p->problem, .z = p->z, .place = p->place};
  return NSDS_OK;
}

static nsds_status own_solver(nsds_event_driver *d, const char *name, double tolerance) {
  nsds_solver *solver = NULL;
  if (tolerance == 0.0 && name)
    tolerance = nsds_solver_get(nsds_event_impact_solver(&d->base), "tolerance");
  nsds_status status =
      name ? nsds_simulation_make_solver(&d->base, name, tolerance, &solver) : NSDS_OK;
  if (status) return status;
  nsds_solver_free(d->impact_solver);
  d->impact_solver = solver;
  nsds_event_choose_solvers(d);
  nsds_plan_go_stale(&d->base.plan); /* the next update reserves its workspace */
  return NSDS_OK;
}

nsds_status nsds_event_set_impact_solver(nsds_simulation *sim, const char *name, double tolerance) {
  const char *call = "nsds_event_set_impact_solver";
  nsds_event_driver *d = nsds_event_driver_if(sim);
  nsds_status status = sim ? nsds_check_quiet(sim->model, call) : NSDS_OK;
  if (status) return status;
  if (!d) return no_events(sim, call);
  bool busy = sim->borrower.busy; /* events may, operations of a solver may not */
  nsds_simulation_enter(sim);
  status = own_solver(d, name, tolerance);
  nsds_simulation_leave_as(sim, busy);
  return status;
}

nsds_solver *nsds_event_impact_solver(nsds_simulation *sim) {
  nsds_event_driver *d = nsds_event_driver_if(sim);
  if (!d) return NULL;
  return d->impact_solver ? d->impact_solver : sim->solver;
}

/* ---- rows ---------------------------------------------------------------------------------------- */

int nsds_event_row_count(const nsds_simulation *sim) {
  const nsds_event_driver *d = nsds_event_driver_if(sim);
  return d ? d->rows.nrow : 0;
}

/* Returns true if rows, trial state and model have the same time and state. */
static bool is_present(const nsds_event_driver *d) {
  const nsds_model *model = d->base.model;
  const nsds_state *at = &d->base.plan.trial;
  size_t nq = model->size.nq * sizeof *at->q, nv = model->size.nv * sizeof *at->v;
  bool between = d->base.stage == NSDS_STAGE_MET; /* halves: nothing can change the model */
  if (d->integration != NSDS_INTEGRATION_UNDER_WAY) return false;
  if (between ? d->halves.starts : !nsds_event_is_current(d)) return false;
  return (nq == 0 || memcmp(at->q, model->state.q, nq) == 0) &&
         (nv == 0 || memcmp(at->v, model->state.v, nv) == 0);
}

/* Computes H, bias and rates where the last evaluation has left them out. */
static nsds_status bring_up(nsds_event_rows *s) {
  if (s->facts.loaded && !s->uniform) return NSDS_OK;
  nsds_status status = nsds_rows_linearise(s);
  return status ? status : nsds_event_rates(s, NULL);
}

static nsds_status prepare_rows(nsds_event_driver *d, const char *call) {
  nsds_simulation *sim = &d->base;
  if (!is_present(d))
    return nsds_fail(sim->context, NSDS_ERROR_STATE,
                     "%s: there was no step yet, the last step failed or was a window, or the "
                     "model has changed since; it must be called after a step",
                     call);
  bool busy = sim->borrower.busy;
  nsds_simulation_enter(sim);
  nsds_status status = bring_up(&d->rows);
  nsds_simulation_leave_as(sim, busy);
  return status;
}

static bool row_is_gap(const nsds_event_rows *s, const nsds_row *row) {
  return nsds_has_gap(s->plan->contact[row->contact].kind);
}

/* Returns true if the gap of an open row is zero up to the errors of the integration. When closed
 * gaps return to zero, gaps beside them move by these errors. */
static bool touches(const nsds_event_driver *d, const nsds_row *row) {
  const nsds_event_rows *s = &d->rows;
  return row->degree == 2 &&
         s->plan->trial.y[row->y] <= s->scales.drift * nsds_row_gap_terms(s, row);
}

/* Returns the last of I0, I1, I2 that has the row. */
static int index_set_of(const nsds_event_driver *d, const nsds_row *row) {
  if (row->normal > 0) return index_set_of(d, row - row->normal);
  if (nsds_row_keeps_zero(row)) return row_is_gap(&d->rows, row) ? 2 : 1;
  return touches(d, row);
}

static void read_row(const nsds_event_driver *d, int r, nsds_event_row_state *out) {
  const nsds_event_rows *s = &d->rows;
  const nsds_state *at = &s->plan->trial;
  const nsds_row *row = &s->row[r];
  bool gap = row_is_gap(s, row);
  double acceleration = row->degree > 0 ? nsds_row_acceleration(s, row) : NAN;
  *out = (nsds_event_row_state){.place = nsds_event_problems_place(s, r),
                                .degree = row->degree,
                                .index_set = index_set_of(d, row),
                                .closed = row->mode == NSDS_MODE_CLOSED ||
                                          (row->normal == 0 && nsds_row_keeps_zero(row)),
                                .y = at->y[row->y],
                                .ydot = gap ? at->ydot[row->y] : acceleration,
                                .yddot = gap ? acceleration : NAN,
                                .impulse = gap ? at->impulse[row->y] : 0.0,
                                .lambda = at->force[row->y]};
}

nsds_status nsds_event_row_at(nsds_simulation *sim, int k, nsds_event_row_state *state) {
  const char *call = "nsds_event_row_at";
  nsds_event_driver *d = nsds_event_driver_if(sim);
  nsds_status status = sim ? nsds_check_quiet(sim->model, call) : NSDS_OK;
  if (status) return status;
  if (!d) return no_events(sim, call);
  if (!state) return nsds_fail_null(sim->context, call, "state");
  if (k < 0 || k >= d->rows.nrow) return out_of_range(sim, call, "rows", k, d->rows.nrow);
  status = prepare_rows(d, call);
  if (!status) read_row(d, k, state);
  return status;
}

/* Adds the input of a row to the force on a system. */
static void add_input(const nsds_event_rows *s, const nsds_row *row, const nsds_ds *ds, double *p) {
  const nsds_contact *contact = &s->plan->contact[row->contact];
  const nsds_entry *entry = &s->op.entry[row->contact];
  bool gap = nsds_has_gap(contact->kind);
  double lambda = s->plan->trial.force[row->y];
  for (int e = 0, first = 0; e < contact->nds; first += entry->edge[e++].size) {
    const nsds_edge *edge = &entry->edge[e];
    if (edge->column != ds->v_offset) continue;
    for (int k = 0; k < edge->size; ++k)
      p[k] += lambda * (gap ? edge->H[row->i + (ptrdiff_t)k * contact->m]
                            : contact->first->B[first + k + (ptrdiff_t)row->i * contact->nv]);
  }
}

nsds_status nsds_event_force(nsds_simulation *sim, const nsds_ds *handle, double *p) {
  const char *call = "nsds_event_force";
  nsds_event_driver *d = nsds_event_driver_if(sim);
  nsds_status status = sim ? nsds_check_quiet(sim->model, call) : NSDS_OK;
  if (status) return status;
  if (!d) return no_events(sim, call);
  if (!handle || !p) return nsds_fail_null(sim->context, call, p ? "ds" : "p");
  const nsds_ds *ds = nsds_ds_find(handle, call);
  if (!ds) return NSDS_ERROR_ARGUMENT;
  if (ds->model != sim->model)
    return nsds_fail(sim->context, NSDS_ERROR_ARGUMENT, "%s: ds belongs to another model", call);
  status = prepare_rows(d, call);
  if (status) return status;
  nsds_zero_doubles(p, (size_t)ds->nv);
  const nsds_event_rows *s = &d->rows;
  if (s->plan->slot[ds->index].is.jointed) return nsds_force_of_all(&d->rows, ds->index, p);
  for (const nsds_row *row = s->row, *end = row + s->nrow; row < end; ++row)
    add_input(s, row, ds, p);
  return NSDS_OK;
}

/* ---- past events --------------------------------------------------------------------------------- */

int nsds_event_past_count(const nsds_simulation *sim) {
  const nsds_event_driver *d = nsds_event_driver_if(sim);
  return d ? d->past.count : 0;
}

nsds_status nsds_event_past_at(const nsds_simulation *sim, int k, nsds_event_record *record) {
  const char *call = "nsds_event_past_at";
  const nsds_event_driver *d = nsds_event_driver_if(sim);
  if (!d) return no_events(sim, call);
  if (!record) return nsds_fail_null(sim->context, call, "record");
  if (k < 0 || k >= d->past.count)
    return nsds_fail(
        sim->context, NSDS_ERROR_ARGUMENT,
        "%s: k is %d; there are %d past events, valid are indices from 0, and history = "
        "%d of the definition keeps more",
        call, k, d->past.count, d->def.history);
  *record = d->past.record[nsds_past_place(d, k)];
  return NSDS_OK;
}
