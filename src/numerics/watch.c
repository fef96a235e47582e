/*
 * Watching an iteration, see watch.h.
 */
#include "watch.h"
#include "blockwise.h"
#include "certify.h"

enum { first_distance = 5, distance_growth = 10 };

/* Part of the tolerance's scale that the terms of M z may reach over q. */
static const double outsized = 1e-2;
static const double most_outsized = 1e8;

/*
 * True where the terms of w are so much larger than q that a residual relative to them says nothing
 * of q any more: the iterate diverges along a direction in which M vanishes. s and d are the
 * certifier's, terms and diagonal; s^2 / d and q^2 / d have one unit in all rows.
 */
static bool diverges(const nsds_watch *watch) {
  int n = watch->problem->n;
  const double *s = watch->solver->toolbox->certify_work + n, *d = s + n;
  double terms = 0.0, given = 0.0;
  if (n < 2) return false;
  for (int i = 0; i < n; ++i) {
    double weight = d[i] > 0.0 ? d[i] : 1.0, q = watch->problem->q[i];
    terms = fmax(terms, s[i] * s[i] / weight);
    given = fmax(given, q * q / weight);
  }
  double limit = fmin(outsized / watch->tolerance, most_outsized);
  return given > 0.0 && terms > fmax(limit, 1.0) * fmax(limit, 1.0) * given;
}

static void certify(nsds_watch *watch, const double *z) {
  int worst_block;
  watch->latest = nsds_certified_residual(watch->problem, z, watch->solver->toolbox->certify_work,
                                          &worst_block);
}

nsds_watch nsds_watch_start(nsds_solver *solver, const nsds_problem *problem, double *z,
                            int default_limit, int every, nsds_solver_info *info) {
  nsds_watch watch = {.solver = solver,
                      .problem = problem,
                      .info = info,
                      .z = z,
                      .tolerance = solver->value[OPTION_TOLERANCE],
                      .limit = nsds_iteration_limit(solver, default_limit),
                      .every = every,
                      .next = every == 1 ? 1 : first_distance};
  for (int i = 0; i < problem->n; ++i)
    if (!isfinite(z[i])) z[i] = 0.0;
  nsds_project(problem, z, z);
  certify(&watch, z);
  watch.best = watch.latest;
  return watch;
}

bool nsds_watch_done(nsds_watch *watch) {
  bool solved = watch->best <= watch->tolerance;
  watch->info->outcome = solved ? NSDS_SOLVED : NSDS_NOT_CONVERGED;
  return solved || watch->info->iterations >= watch->limit;
}

static void look(nsds_watch *watch, int k, const double *z) {
  watch->next = k + (watch->every == 1 ? 1 : first_distance + k / distance_growth);
  certify(watch, z);
  if (diverges(watch)) watch->latest = INFINITY;
  if (!(watch->latest < watch->best)) return;
  watch->best = watch->latest;
  memcpy(watch->z, z, (size_t)watch->problem->n * sizeof *z);
}

bool nsds_watch_step(nsds_watch *watch, int k, const double *z) {
  watch->info->iterations = k;
  if (k >= watch->next || k >= watch->limit) look(watch, k, z);
  if (nsds_watch_done(watch) || isinf(watch->latest)) return true;
  if (!nsds_solver_interrupted(watch->solver, k, watch->best)) return false;
  watch->info->outcome = NSDS_INTERRUPTED;
  return true;
}
