/*
 * Alternating directions (admm.h) on reactions and multipliers x = (r, lambda) without W: with
 * E = [H G] and c = (w, b) the systems (W + B) x = g - q, W = E^T M^-1 E, are
 *
 *     M v - E x      = f
 *     E^T v + B x    = g - c,
 *
 * the saddle point system of saddle.h with Delta = B.
 */
#include "numerics/global/global_admm.h"

#include "numerics/global/global_iterate.h"
#include "numerics/global/global_state.h"
#include "numerics/method_list.h"
#include "numerics/global/reduction.h"
#include "numerics/global/saddle.h"
#include "numerics/sets/blockwise.h"
#include "numerics/solver_internal.h"
#include "numerics/splitting/admm.h"
#include "numerics/store.h"
#include "numerics/watch.h"

enum { default_iterations = 10000 }; /* as in the method for local problems */

nsds_status nsds_global_admm_load(nsds_global_run *run) {
  nsds_global_state *s = run->state;
  nsds_global_admm *kept = &s->admm;
  const nsds_global_problem *problem = run->problem;
  if (kept->loaded == s->matrices) return NSDS_OK;
  kept->loaded = 0;
  nsds_status status =
      nsds_saddle_load(&kept->saddle, &run->solver->store, &problem->M, &problem->H, &problem->G);
  if (!status) kept->loaded = s->matrices;
  return status;
}

static nsds_status global_admm_factor(void *form, const double *B) {
  const nsds_global_run *run = form;
  nsds_global_admm *kept = &run->state->admm;
  for (int j = 0; j < kept->saddle.m; ++j) kept->delta[j] = B[j] / nsds_saddle_d(&kept->saddle, j);
  return nsds_saddle_factor(&kept->saddle, kept->delta, 0.0);
}

static void global_admm_solve(void *form, double *x) {
  const nsds_global_run *run = form;
  const nsds_global_problem *problem = run->problem;
  nsds_global_admm *kept = &run->state->admm;
  double *y = kept->x + problem->nv; /* the system gives -x */
  if (problem->nv > 0) memcpy(kept->x, problem->f, (size_t)problem->nv * sizeof *kept->x);
  for (int j = 0; j < problem->n; ++j) y[j] = x[j] - problem->w[j];
  for (int j = problem->n; j < kept->saddle.m; ++j) y[j] = x[j] - problem->b[j - problem->n];
  nsds_saddle_solve(&kept->saddle, kept->x);
  for (int j = 0; j < kept->saddle.m; ++j) x[j] = -y[j];
}

/* Sets the metric, the point and the local velocities of the reactions in trial_r; the equality
 * rows hold. */
static nsds_status global_admm_start(nsds_global_run *run, nsds_admm *t) {
  nsds_global_state *s = run->state;
  int nv = run->problem->nv, n = run->problem->n;
  for (int j = 0; j < t->m; ++j) t->r[j] = nsds_saddle_d(&s->admm.saddle, j);
  nsds_metric_of(t->law, t->r);
  for (int j = n; j < t->m; ++j) t->r[j] = 1.0 / t->r[j];
  nsds_global_offer(run, s->trial_r);
  for (int j = 0; j < t->m; ++j) {
    t->y0[j] = j < n ? s->trial_r[j] : s->x[nv + j - n];
    t->v[j] = 0.0;
  }
  nsds_global_local(run->problem, s->x, t->v, NULL);
  return nsds_admm_start(t, t->y0, t->v);
}

nsds_status nsds_global_admm_burst(nsds_global_run *run) {
  nsds_global_state *s = run->state;
  nsds_global_admm *kept = &s->admm;
  size_t n = (size_t)run->problem->n, m = n + (size_t)run->problem->p;
  const nsds_cut cut[] = {NSDS_CUT(kept->x, (size_t)run->problem->nv + m), NSDS_CUT(kept->delta, m),
                          NSDS_CUT(kept->factors.B, m),
                          NSDS_CUT(kept->arrays, nsds_admm_arrays * m)};
  nsds_status status = NSDS_HOLD(&run->solver->store, cut);
  if (!status) status = nsds_global_admm_load(run);
  if (status) return status;
  nsds_admm t = {.info = run->info,
                 .law = nsds_global_law(run),
                 .m = (int)m,
                 .stamp = s->matrices,
                 .kept = &kept->factors,
                 .factor = global_admm_factor,
                 .solve = global_admm_solve,
                 .form = run};
  nsds_admm_open(&t, kept->arrays, run->solver);
  status = global_admm_start(run, &t);
  while (!status) {
    status = nsds_admm_step(&t);
    if (nsds_watch_step(&run->watch, run->info->iterations + 1, t.y)) break;
  }
  if (n > 0) memcpy(s->trial_r, t.y, n * sizeof *t.y);
  return status;
}

nsds_status nsds_global_admm_solve(nsds_global_run *run) {
  run->info->iterations = 0;
  nsds_watch_allow(&run->watch, nsds_iteration_limit(run->solver, default_iterations), 0);
  nsds_status status = nsds_global_admm_burst(run);
  nsds_global_path(run, nsds_method_global_admm.row.name, NULL);
  return status == NSDS_ERROR_SINGULAR ? NSDS_OK : status;
}
