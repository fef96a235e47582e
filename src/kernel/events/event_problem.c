/*
 * The problem of an event in the rows of a part: impulses or accelerations. A solver finds z to its
 * tolerance; it is taken to rounding, since what an impact leaves undone becomes motion, and of several
 * solutions the one of least squares is taken; of accelerations, where that is at the bound of a force at
 * rest, one that is inside. The last problem is kept to be looked at.
 */
#include "kernel/events/event_problem.h"

#include "base/base.h"
#include "base/context.h"
#include "kernel/assembly/diagnose.h"
#include "kernel/assembly/plan.h"
#include "kernel/events/event_rows.h"
#include "kernel/events/row_values.h"
#include "kernel/modeling/law.h"
#include "kernel/modeling/modeling.h"
#include "numerics/refine.h"
#include "numerics/refine_inside.h"
#include "numerics/solver.h"
#include "numerics/store.h"

nsds_status nsds_event_problem_reserve(nsds_event_rows *s, int most) {
  nsds_event_problem *p = &s->problem;
  size_t n = (size_t)most;
  p->store.context = s->plan->context;
  const nsds_cut kept[] = {NSDS_CUT(p->A, n * n),      NSDS_CUT(p->b, n),
                           NSDS_CUT(p->z, n),          NSDS_CUT(p->spare, n),
                           NSDS_CUT(p->error, n),      NSDS_CUT(p->block, n),
                           NSDS_CUT(p->bounds, 2 * n), NSDS_CUT(p->before, 2 * n)};
  nsds_status status = NSDS_HOLD(&p->store, kept);
  return status ? status : nsds_refiner_reserve(&p->refiner, s->plan->context, most);
}

void nsds_event_problem_destroy(nsds_event_rows *s) {
  nsds_store_release(&s->problem.store);
  nsds_refiner_release(&s->problem.refiner);
}

/* The set of row k and the rows that belong to it; impulses have the infinite bounds only. */
static nsds_block event_problem_block_of(nsds_event_rows *s, int k, bool impact) {
  const nsds_row *row = &s->row[s->system.chosen[k]];
  if (row->tangents > 0 && k + 1 < s->system.n &&
      s->system.chosen[k + 1] == s->system.chosen[k] + 1)
    return nsds_law_block(s->plan->contact[row->contact].law);
  double *bound = s->system.bounds + 2 * k;
  bound[0] = impact && row->lower > -INFINITY ? 0.0 : row->lower;
  bound[1] = impact && row->upper < INFINITY ? 0.0 : row->upper;
  bool below = bound[0] > -INFINITY, above = bound[1] < INFINITY;
  return (nsds_block){.set = !below && !above            ? NSDS_SET_EQUALITY
                             : bound[0] == 0.0 && !above ? NSDS_SET_NONNEGATIVE
                                                         : NSDS_SET_BOX,
                      .size = 1,
                      .lower = &bound[0],
                      .upper = &bound[1]};
}

nsds_status nsds_event_solver_reserve(nsds_event_rows *s) {
  size_t n = (size_t)s->system.n;
  int count = 0;
  for (size_t k = 0; k < n * n; ++k)
    s->system.A[k] = 1.0; /* sparse forms have room for all entries */
  nsds_zero_doubles(s->system.b, n);
  for (int k = 0; k < s->system.n; k += s->system.block[count++].size)
    s->system.block[count] = event_problem_block_of(s, k, true);
  return nsds_solver_reserve(
      s->solver, &(nsds_problem){.n = s->system.n,
                                 .nblock = count,
                                 .block = s->system.block,
                                 .M = {.storage = NSDS_DENSE, .n = s->system.n, .x = s->system.A},
                                 .q = s->system.b});
}

/* ---- the problem ----------------------------------------------------------------------------- */

static void keep_problem(nsds_event_rows *s, const nsds_problem *problem) {
  nsds_event_problem *p = &s->problem;
  size_t n = (size_t)s->system.n;
  nsds_copy_doubles(p->A, s->system.A, n * n);
  nsds_copy_doubles(p->b, s->system.b, n);
  nsds_copy_doubles(p->z, s->system.z, n);
  for (int a = 0, i = 0; a < problem->nblock; i += problem->block[a++].size) {
    double *bound = p->bounds + 2 * i;
    p->block[a] = problem->block[a];
    if (problem->block[a].size > 1) continue;
    nsds_copy_doubles(bound, s->system.bounds + 2 * i, 2);
    p->block[a].lower = &bound[0];
    p->block[a].upper = &bound[1];
  }
  p->last = *problem;
  p->last.block = p->block;
  p->last.M.x = p->A;
  p->last.q = p->b;
  p->last.q_error = NULL;
  p->there = true;
}

/* What the terms of a row come from. Accelerations have parts that are squares of speeds by lengths: speeds that
 * are rounding alone leave nothing but rounding of these. */
static double size_of_terms(const nsds_event_rows *s, int k, bool impact) {
  const nsds_row *row = &s->row[s->system.chosen[k]];
  double terms = s->system.terms[k], speed, length;
  if (impact || row->degree != 2) return terms;
  speed = nsds_row_speed_terms(s, row);
  length = nsds_row_gap_terms(s, row);
  return length > 0.0 ? fmax(terms, speed * speed / length) : terms;
}

/* What rounding makes of the rows. Those that depend on each other agree to the rounding of the largest,
 * in the metric of A, also where one has no terms but rounding itself. */
static void find_q_errors(nsds_event_rows *s, bool impact) {
  double largest = 0.0, *error = s->problem.error;
  for (int k = 0; k < s->system.n; ++k) {
    double d = s->system.A[k + (ptrdiff_t)k * s->system.n];
    error[k] = size_of_terms(s, k, impact);
    if (d > 0.0) largest = fmax(largest, error[k] / sqrt(d));
  }
  for (int k = 0; k < s->system.n; ++k) {
    double d = s->system.A[k + (ptrdiff_t)k * s->system.n];
    error[k] = 0x1p-50 * fmax(error[k], d > 0.0 ? largest * sqrt(d) : 0.0);
  }
}

static nsds_problem problem_of(nsds_event_rows *s, bool impact) {
  int count = 0;
  for (int k = 0; k < s->system.n; k += s->system.block[count++].size)
    s->system.block[count] = event_problem_block_of(s, k, impact);
  find_q_errors(s, impact);
  return (nsds_problem){.n = s->system.n,
                        .nblock = count,
                        .block = s->system.block,
                        .M = {.storage = NSDS_DENSE, .n = s->system.n, .x = s->system.A},
                        .q = s->system.b,
                        .q_error = s->problem.error};
}

static void take_to_rounding(nsds_event_rows *s, const nsds_problem *problem) {
  nsds_event_problem *p = &s->problem;
  p->residual = nsds_refine(&p->refiner, problem, s->system.z, s->system.w);
  p->dependent = nsds_refine_least(&p->refiner, problem, s->system.z, s->system.w, p->spare);
}

/* Whether rows that were closed before the event begin to move. */
static bool begins_to_move(const nsds_event_rows *s) {
  bool any = false;
  for (int k = 0; k < s->system.n; ++k)
    any = any || (s->row[s->system.chosen[k]].rest != 0.0 &&
                  fabs(s->system.w[k]) > 1e-9 * s->system.terms[k]);
  return any;
}

/* Friction of one has come to its bound. */
static bool came(const nsds_event_rows *s) {
  bool any = false;
  for (int k = 0; k < s->system.n; ++k)
    any = any || (s->row[s->system.chosen[k]].normal == 1 &&
                  s->row[s->system.chosen[k]].mark.bound == NSDS_BOUND_LOWER);
  return any;
}

/* Forces as they were before the event, and w. */
static void take_back(nsds_event_rows *s) {
  for (int k = 0; k < s->system.n; ++k) {
    s->system.z[k] = s->row[s->system.chosen[k]].rest;
    s->system.w[k] = s->system.b[k];
  }
  for (int j = 0; j < s->system.n; ++j)
    for (int k = 0; k < s->system.n; ++k)
      s->system.w[k] += s->system.A[k + (ptrdiff_t)j * s->system.n] * s->system.z[j];
}

/* Where rows depend on each other: forces inside their bounds. Rows that begin to move though others could
 * go on holding them do not. */
static nsds_status look_inside(nsds_event_rows *s, const nsds_problem *problem, nsds_status found) {
  nsds_event_problem *p = &s->problem;
  size_t n = (size_t)s->system.n;
  double most = !found && isfinite(p->residual) ? 4.0 * p->residual : 0.0;
  p->inside =
      !found && p->dependent &&
      nsds_refine_inside(&p->refiner, problem, s->system.z, s->system.w, p->spare, came(s), most);
  if (p->inside || (!found && !begins_to_move(s))) return found;
  nsds_copy_doubles(p->before, s->system.z, n);
  nsds_copy_doubles(p->before + n, s->system.w, n);
  take_back(s);
  p->inside = nsds_refine_inside(&p->refiner, problem, s->system.z, s->system.w, NULL, true, most);
  if (p->inside) {
    p->dependent = true;
    for (size_t k = 0; k < n; ++k) p->spare[k] = false;
    return NSDS_OK;
  }
  nsds_copy_doubles(s->system.z, p->before, n);
  nsds_copy_doubles(s->system.w, p->before + n, n);
  return found;
}

nsds_status nsds_event_solve(nsds_event_rows *s, bool impact, nsds_solver_info *info) {
  nsds_event_problem *p = &s->problem;
  nsds_status status = nsds_event_problem_reserve(s, s->system.n);
  if (status) return status;
  for (int k = 0; k < s->system.n; ++k) s->system.z[k] = 0.0;
  nsds_problem problem = problem_of(s, impact);
  status = nsds_solve(s->solver, &problem, s->system.z, s->system.w, info);
  if (!status) take_to_rounding(s, &problem);
  p->inside = false;
  p->rests = p->dependent && !p->refiner.least;
  if (!impact && (!status || status == NSDS_ERROR_SOLVER))
    status = look_inside(s, &problem, status);
  p->rests = p->rests || p->inside;
  keep_problem(s, &problem);
  if (status != NSDS_ERROR_SOLVER) return status;
  if (info->outcome == NSDS_REFUSED)
    return nsds_problem_refused(s->plan->context, "event at", s->plan->trial.t, s->system.n,
                                s->solver);
  char drive[nsds_diagnosis_size] = "", label[nsds_label_size] = "no contact";
  int worst = info->worst_row;
  if (worst >= 0 && worst < s->system.n) {
    const nsds_contact *contact = &s->plan->contact[s->row[s->system.chosen[worst]].contact];
    nsds_contact_label(contact, label);
    nsds_describe_drive(s->plan, contact, drive);
  }
  return nsds_fail(s->plan->context, status,
                   "event at t = %.17g: the problem of %s in %d rows was not solved: %s by %s, "
                   "residual %g, row %d of %s%s",
                   s->plan->trial.t, impact ? "impulses" : "accelerations", s->system.n,
                   nsds_outcome_text(info->outcome), info->solver, info->residual, worst, label,
                   drive);
}

nsds_status nsds_event_solve_closely(nsds_event_rows *s, bool impact, nsds_solver_info *info) {
  nsds_context *context = s->plan->context;
  bool clean = nsds_error(context) == NSDS_OK;
  double tolerance = nsds_solver_get(s->solver, "tolerance");
  if (tolerance <= nsds_rounding) return nsds_event_solve(s, impact, info);
  nsds_status status = nsds_solver_set(s->solver, "tolerance", nsds_rounding);
  if (!status) status = nsds_event_solve(s, impact, info);
  nsds_solver_set(s->solver, "tolerance", tolerance);
  if (status != NSDS_ERROR_SOLVER) return status;
  if (clean) nsds_error_clear(context);
  return nsds_event_solve(s, impact, info);
}

void nsds_event_correct(nsds_event_rows *s) {
  nsds_problem problem = problem_of(s, true);
  take_to_rounding(s, &problem);
  keep_problem(s, &problem);
}
