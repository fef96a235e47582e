/*
 * Nonsmooth Newton on the global form. The reactions r determine velocities and multipliers by
 * elimination. The law of each block is an equation phi_a(r_a, u_a) = 0 with derivatives A and B
 * (set_map.h; Alart & Curnier 1991). The equations stand in a proximal point iteration with center
 * c (Rockafellar 1976). The step solves one sparse system without W, with y = -(r, lambda):
 *
 *     M dv     + H dy_r + G dy_l                    = 0
 *     H^T dv                                - du    = 0
 *     G^T dv            - delta dy_l                = 0
 *              - (A + e B D) dy_r           + B du  = -phi(r, H^T v + w + e D (r - c))
 *
 * D = diag(d), d the size of the diagonal of W. The first three lines are the saddle point system
 * of alternating directions.
 *
 * Steps are full, and e falls if they succeed. If they fail, a burst of alternating directions
 * (global_admm.c) sorts the contacts out.
 */
#include "numerics/global/global_newton.h"

#include "numerics/global/global_admm.h"
#include "numerics/global/global_iterate.h"
#include "numerics/global/global_state.h"
#include "numerics/method_list.h"
#include "numerics/global/reduction.h"
#include "numerics/global/saddle.h"
#include "numerics/linear/factor.h"
#include "numerics/linear/matrix.h"
#include "numerics/sets/blockwise.h"
#include "numerics/sets/set_map.h"
#include "numerics/solver_internal.h"
#include "numerics/store.h"
#include "numerics/watch.h"

enum {
  patience = 8,              /* steps for one proximal problem */
  few_steps = 3,             /* steps of an easy problem */
  first_burst = 25,          /* alternating directions before the first steps */
  most_burst = 800,          /* bursts double up to here */
  default_iterations = 2000, /* steps of either kind */
};

static const double enough = 0.1;         /* merit of a proximal problem relative to its start */
static const double least_weight = 1e-10; /* of e, which must not vanish beside A */
static const double most_weight = 1e-2;   /* of the first e */
static const double weight_of_residual = 0.1; /* first e over the residual */
static const double weight_factor = 10.0;     /* by which e falls */
static const double equality_delta = 1e-9;    /* beside d: redundant rows of G */

typedef struct newton {
  nsds_global_run *run;
  nsds_global_newton *kept;
  const nsds_saddle *saddle;
  const nsds_problem *law;
  int nv, n, m; /* m: rows of the law and equality rows */
  double e;
  double *rho, *r, *centre;       /* n each; rho = 1 / d, alike in coupled rows */
  double *u, *phi, *trial, *step; /* n each; step: nv + m + n */
} newton;

/* ---- the matrix: columns of v, of y, of u ---- */

static int global_newton_total(const newton *t) { return t->nv + t->m + t->n; }

static nsds_status global_newton_reserve(newton *t) {
  nsds_global_newton *k = t->kept;
  nsds_store *store = &t->run->solver->store;
  size_t squares = 0, n = (size_t)t->n, rows = (size_t)global_newton_total(t);
  for (int a = 0; a < t->law->nblock; ++a)
    squares += (size_t)t->law->block[a].size * (size_t)t->law->block[a].size;
  size_t count = (size_t)t->saddle->p[t->nv + t->m] + n + 2 * squares;
  const nsds_cut cut[] = {NSDS_CUT(k->p, rows + 1),
                          NSDS_CUT(k->i, count),
                          NSDS_CUT(k->x, count),
                          NSDS_CUT(k->A, squares),
                          NSDS_CUT(k->B, squares),
                          NSDS_CUT(k->begin, t->law->nblock),
                          NSDS_CUT(k->arrays, 6 * n + rows),
                          NSDS_CUT(k->entries.entry, count)};
  nsds_status status = nsds_factor_hold(store, &k->factor);
  if (!status) status = NSDS_HOLD(store, cut);
  if (status) return status;
  double **const part[] = {&t->rho, &t->r, &t->centre, &t->u, &t->phi, &t->trial};
  t->step = NSDS_SHARE(k->arrays, n, part);
  for (int a = 0, begin = 0; a < t->law->nblock; ++a) {
    k->begin[a] = begin;
    begin += t->law->block[a].size * t->law->block[a].size;
  }
  return NSDS_OK;
}

/* Fills the saddle point matrix without the diagonal entries of the columns of y, each the last of
 * its column. Adds the rows of the law, scaled by sqrt(d): -(A + e B D) and B. The unknown u is
 * scaled so that du has the factor -1. */
static void global_newton_assemble(newton *t) {
  nsds_global_newton *k = t->kept;
  nsds_entries *to = &k->entries;
  const nsds_saddle *s = t->saddle;
  int last = t->nv + t->m;
  to->count = 0;
  for (int j = 0; j < last; ++j) {
    for (int l = s->p[j]; l < s->p[j + 1] - (j >= t->nv); ++l)
      nsds_add_entry(to, s->i[l], j, s->x[l]);
    if (j >= t->nv + t->n) nsds_add_entry(to, j, j, -equality_delta);
  }
  for (int a = 0, row = 0; a < t->law->nblock; row += t->law->block[a++].size) {
    int m = t->law->block[a].size;
    const double *A = k->A + k->begin[a], *B = k->B + k->begin[a];
    for (int j = row; j < row + m; ++j) {
      double scale = s->scale[t->nv + j], D = t->e / t->rho[j];
      nsds_add_entry(to, t->nv + j, last + j, -1.0);
      for (int i = row; i < row + m; ++i, ++A, ++B) {
        double weight = 1.0 / sqrt(t->rho[i]);
        nsds_add_entry(to, last + i, t->nv + j, -weight * (*A + *B * D) * scale);
        nsds_add_entry(to, last + i, last + j, weight * *B / scale);
      }
    }
  }
  nsds_to_columns(to, global_newton_total(t), k->p, k->i, k->x);
}

/* ---- one step ---- */

/* Computes |phi|^2 in the metric at r, with the derivatives. */
static double global_newton_evaluate(newton *t) {
  nsds_global_newton *k = t->kept;
  double merit = 0.0;
  nsds_global_velocities(t->run, t->r);
  nsds_global_local(t->run->problem, t->run->state->x, t->u, NULL);
  for (int j = 0; j < t->n; ++j) t->u[j] += t->e / t->rho[j] * (t->r[j] - t->centre[j]);
  for (int a = 0, row = 0; a < t->law->nblock; row += t->law->block[a++].size)
    nsds_set_map(NSDS_MAP_ALART_CURNIER, &t->law->block[a], t->rho + row, t->r + row, t->u + row,
                 t->phi + row, k->A + k->begin[a], k->B + k->begin[a]);
  for (int j = 0; j < t->n; ++j) merit += t->phi[j] * t->phi[j] / t->rho[j];
  return merit;
}

static nsds_status global_newton_move(newton *t) {
  nsds_global_newton *k = t->kept;
  int last = t->nv + t->m;
  global_newton_assemble(t);
  ++t->run->info->factorizations;
  nsds_status status =
      nsds_factor_csc(k->factor, global_newton_total(t), k->p, k->i, k->x, k->pattern);
  if (status) return status;
  memset(t->step, 0, (size_t)last * sizeof *t->step);
  for (int j = 0; j < t->n; ++j) t->step[last + j] = -t->phi[j] / sqrt(t->rho[j]);
  nsds_factor_solve(k->factor, 1, t->step);
  for (int j = 0; j < t->n; ++j) t->r[j] -= t->saddle->scale[t->nv + j] * t->step[t->nv + j];
  return NSDS_OK;
}

/* ---- Newton steps as far as they help ---- */

typedef enum step_result { STEP_DONE, STEP_FAILED, STEP_OVER } step_result;

static step_result global_newton_solve_proximal(newton *t, int *steps, nsds_status *status) {
  nsds_global_run *run = t->run;
  memcpy(t->centre, t->r, (size_t)t->n * sizeof *t->r);
  double first = global_newton_evaluate(t);
  for (*steps = 1; *steps <= patience; ++*steps) {
    *status = global_newton_move(t);
    if (*status) return STEP_FAILED;
    nsds_project(t->law, t->r, t->trial);
    if (nsds_watch_step(&run->watch, run->info->iterations + 1, t->trial)) return STEP_OVER;
    double merit = global_newton_evaluate(t);
    if (merit <= enough * enough * first) return STEP_DONE;
    if (!isfinite(merit)) return STEP_FAILED;
  }
  return STEP_FAILED;
}

/* Starts from the best point; returns true if the solve is over. */
static bool global_newton_sharpen(newton *t, nsds_status *status) {
  memcpy(t->r, t->run->r, (size_t)t->n * sizeof *t->r);
  t->e = fmin(fmax(weight_of_residual * t->run->watch.best, least_weight), most_weight);
  for (int steps;;) {
    step_result result = global_newton_solve_proximal(t, &steps, status);
    if (*status == NSDS_ERROR_SINGULAR) *status = NSDS_OK;
    if (result != STEP_DONE) return result == STEP_OVER || *status;
    if (steps <= few_steps) t->e = fmax(t->e / weight_factor, least_weight);
  }
}

static nsds_status global_newton_open(newton *t) {
  nsds_status status = nsds_global_admm_load(t->run);
  if (!status) status = global_newton_reserve(t);
  if (status) return status;
  for (int j = 0; j < t->n; ++j) t->rho[j] = nsds_saddle_d(t->saddle, j);
  nsds_metric_of(t->law, t->rho);
  global_newton_assemble(t);
  t->kept->pattern = nsds_saddle_pattern(global_newton_total(t), t->kept->p, t->kept->i);
  return NSDS_OK;
}

nsds_status nsds_global_newton_solve(nsds_global_run *run) {
  const nsds_global_problem *problem = run->problem;
  nsds_global_state *s = run->state;
  newton t = {.run = run,
              .kept = &s->newton,
              .saddle = &s->admm.saddle,
              .law = nsds_global_law(run),
              .nv = problem->nv,
              .n = problem->n,
              .m = problem->n + problem->p};
  int limit = nsds_iteration_limit(run->solver, default_iterations);
  nsds_status status = global_newton_open(&t);
  run->info->iterations = 0;
  run->info->outcome = NSDS_NOT_CONVERGED;
  for (int burst = first_burst; !status && run->info->iterations < limit;) {
    int left = limit - run->info->iterations;
    nsds_watch_allow(&run->watch, run->info->iterations + (burst < left ? burst : left), 0);
    status = nsds_global_admm_burst(run);
    if (status || run->info->outcome != NSDS_NOT_CONVERGED || burst >= left) break;
    nsds_watch_allow(&run->watch, limit, 1);
    if (global_newton_sharpen(&t, &status)) break;
    burst = burst < most_burst ? 2 * burst : burst;
  }
  nsds_global_path(run, nsds_method_global_nonsmooth_newton.row.name, NULL);
  return status == NSDS_ERROR_SINGULAR ? NSDS_OK : status;
}
