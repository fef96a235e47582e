/*
 * Watching an iteration, see watch.h.
 */
#include "numerics/watch.h"

#include "base/base.h"
#include "base/finite.h"
#include "base/parallel.h"
#include "numerics/certify/certify.h"
#include "numerics/certify/certify_loads.h"
#include "numerics/sets/blockwise.h"
#include "numerics/sets/bounds.h"
#include "numerics/judge.h"
#include "numerics/solver_internal.h"
#include "numerics/solver_tools.h"

#include <float.h>

/* Iterations between two certificates: at first, and one more after each `distance_growth`
 * iterations. This keeps the cost of certifying small. */
enum { first_distance = 5, distance_growth = 10 };

/* Terms of M z may exceed q, or the terms at the start, by this over the tolerance, within
 * limits. */
static const double outsized = 1e-2;
static const double outsized_least = 1e4; /* less is no sign: terms may cancel */
static const double outsized_most = 1e8;  /* half of the digits of q are left */

/* Returns the loads at the point last certified; its w, terms s and diagonal d are still in
 * certify_work. */
static nsds_loads loads(const nsds_watch *watch, const double *z) {
  return nsds_certify_loads(watch->solver->context, watch->problem, z,
                            watch->solver->toolbox->certify_work, false, INFINITY);
}

/*
 * Returns true if the terms of w are much larger than q, so that a residual relative to them
 * ignores q. The iterate then diverges along a direction in which M vanishes. A start may itself be
 * large, if q was larger in the last problem.
 */
static bool diverges(const nsds_watch *watch, const double *z) {
  if (watch->problem->n < 2) return false;
  double limit = fmin(fmax(outsized / watch->tolerance, outsized_least), outsized_most);
  nsds_loads found = loads(watch, z);
  return found.load > 0.0 && found.terms > limit * fmax(found.load, watch->start_terms);
}

/* Returns the figure by which iterates are compared if the scale of the data decides. Between bounds
 * it is the larger of residual and violation. On other sets proximal points advance by residuals. The
 * figure there is the residual, but a little more than the tolerance if only the violation refuses a
 * point. Such points come before all that fail by their terms too. */
static double beside_scale(nsds_solver *solver, const nsds_problem *problem, const double *z,
                           double residual) {
  static const double more = 1e-6;
  double tolerance = solver->value[OPTION_TOLERANCE];
  bool curved = (solver->toolbox->sets & ~(unsigned)nsds_bound_sets) != 0;
  if (!solver->toolbox->by_scale || !(residual <= (curved ? tolerance : DBL_MAX))) return residual;
  double violation = nsds_solver_violation(solver, problem, z, residual);
  if (violation <= solver->toolbox->limit) return residual;
  if (!curved) return fmin(fmax(residual, violation), DBL_MAX);
  return tolerance * (1.0 + more * (1.0 - tolerance / violation)) + DBL_MIN;
}

double nsds_watch_by_terms(const nsds_solver *solver, const nsds_problem *problem, const double *z,
                           int *worst_block) {
  double residual = nsds_solver_residual(solver, problem, z, worst_block);
  static const double by_terms = 1e-8; /* tolerances up to this: the residual includes the load */
  double tolerance = solver->value[OPTION_TOLERANCE];
  bool alone = (solver->toolbox->sets & (unsigned)nsds_bound_sets) != 0;
  if (residual > tolerance || (!alone && tolerance <= by_terms)) return residual;
  double answer = nsds_certified_answer(solver->context, problem, z, solver->toolbox->certify_work);
  return answer > tolerance ? INFINITY : residual;
}

double nsds_watch_residual(nsds_solver *solver, const nsds_problem *problem, const double *z,
                           int *worst_block) {
  return beside_scale(solver, problem, z, nsds_watch_by_terms(solver, problem, z, worst_block));
}

nsds_status nsds_watch_reserve(nsds_solver *solver, const nsds_problem *problem, size_t count) {
  return nsds_solver_scratch(solver, count + (size_t)problem->n);
}

void nsds_watch_allow(nsds_watch *watch, int limit, int every) {
  watch->limit = limit;
  watch->every = every;
  watch->next = watch->info->iterations + (every == 1 ? 1 : first_distance);
  watch->step_end = watch->solver->toolbox->allowance.deadline > 0.0 ? nsds_seconds() : 0.0;
}

nsds_watch nsds_watch_start(nsds_solver *solver, const nsds_problem *problem, double *z,
                            int default_limit, int every, nsds_solver_info *info) {
  nsds_watch watch = {.solver = solver,
                      .problem = problem,
                      .info = info,
                      .z = z,
                      .tolerance = solver->value[OPTION_TOLERANCE]};
  nsds_watch_allow(&watch, nsds_iteration_limit(solver, default_limit), every);
  nsds_make_finite(z, problem->n);
  nsds_project(problem, z, z);
  watch.best = nsds_watch_residual(solver, problem, z, NULL);
  if (NSDS_UNLIKELY(isinf(watch.best))) {
    nsds_zero_doubles(z, (size_t)problem->n);
    nsds_project(problem, z, z);
    watch.best = nsds_watch_residual(solver, problem, z, NULL);
  }
  if (isinf(watch.best)) watch.limit = 0;
  watch.latest = watch.best;
  watch.start_terms = loads(&watch, z).terms;
  return watch;
}

bool nsds_watch_done(nsds_watch *watch) {
  bool solved = watch->best <= watch->tolerance;
  watch->info->outcome = solved ? NSDS_SOLVED : NSDS_NOT_CONVERGED;
  return solved || watch->info->iterations >= watch->limit;
}

/* A block, or a separate row, smaller than this part of the largest is rounding. */
static const double noise = 1e-14;

/* An entry up to this part of the terms of its own row is rounding too. */
static const double row_noise = 64 * DBL_EPSILON;

/* Returns the number of rows that are large or small together. */
static int watch_rows_together(const nsds_block *block, int left) {
  return block->set & nsds_separable_sets ? 1 : left;
}

bool nsds_remove_noise(const nsds_problem *problem, const double *work, const double *z,
                       double *clean) {
  const double *s = work + problem->n, *d = s + problem->n;
  double most = 0.0;
  bool removed = false;
  if (clean != z) memcpy(clean, z, (size_t)problem->n * sizeof *z);
  for (int i = 0; i < problem->n; ++i) most = fmax(most, d[i] * z[i] * z[i]);
  for (int a = 0, row = 0; a < problem->nblock; ++a)
    for (int end = row + problem->block[a].size, m; row < end; row += m) {
      double size = 0.0;
      m = watch_rows_together(&problem->block[a], end - row);
      for (int i = row; i < row + m; ++i) size += d[i] * z[i] * z[i];
      bool small = size <= noise * noise * most;
      for (int i = row; i < row + m; ++i) {
        if (z[i] == 0.0 || d[i] == 0.0) continue; /* its unit is unknown */
        if (!small && d[i] * fabs(z[i]) > row_noise * s[i]) continue;
        clean[i] = 0.0;
        removed = true;
      }
    }
  return removed;
}

static void keep_best(nsds_watch *watch, const double *z) {
  if (diverges(watch, z)) watch->latest = INFINITY;
  if (!(watch->latest < watch->best)) return;
  watch->best = watch->latest;
  memcpy(watch->z, z, (size_t)watch->problem->n * sizeof *z);
}

static void watch_look(nsds_watch *watch, int k, const double *z) {
  watch->next = k + (watch->every == 1 ? 1 : first_distance + k / distance_growth);
  if (watch->offer) {
    watch->latest = fmin(watch->offer(watch->run, z), DBL_MAX);
    return;
  }
  watch->latest = nsds_watch_residual(watch->solver, watch->problem, z, NULL);
  keep_best(watch, z);
  int n = watch->problem->n;
  const nsds_toolbox *toolbox = watch->solver->toolbox;
  double *clean = toolbox->scratch + toolbox->scratch_capacity - n;
  if (n < 2 || !isfinite(watch->latest) || watch->latest <= watch->tolerance) return;
  if (!nsds_remove_noise(watch->problem, toolbox->certify_work, z, clean)) return;
  double before = watch->latest;
  watch->latest = nsds_watch_residual(watch->solver, watch->problem, clean, NULL);
  keep_best(watch, clean);
  watch->latest = fmin(watch->latest, before);
}

/* Returns true if another step as long as the last one would end after the time limit. Long steps
 * are not begun then. */
static bool comes_too_late(nsds_watch *watch) {
  static const double long_step = 0.01; /* s */
  nsds_allowance *a = &watch->solver->toolbox->allowance;
  if (watch->every != 1 || !(a->deadline > 0.0)) return false;
  double now = nsds_seconds(), taken = now - watch->step_end;
  watch->step_end = now;
  if (taken < long_step || now + taken < a->deadline) return false;
  return nsds_allowance_refuse(a, true);
}

bool nsds_watch_step(nsds_watch *watch, int k, const double *z) {
  watch->info->iterations = k;
  if (k >= watch->next || k >= watch->limit) watch_look(watch, k, z);
  if (nsds_watch_done(watch) || isinf(watch->latest)) return true;
  if (!comes_too_late(watch) && !nsds_solver_interrupted(watch->solver, k, watch->best))
    return false;
  watch->info->outcome = NSDS_INTERRUPTED;
  return true;
}
