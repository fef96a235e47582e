/*
 * Nonsmooth Newton for every set: the law of each block as an equation phi_a(z_a, w_a) = 0 of
 * set_map.h, solved with its generalised derivative (Alart & Curnier 1991; Qi & Sun 1993), within a
 * proximal point iteration (Rockafellar 1976; for friction Acary, Bremond & Huber 2018)
 *
 *     phi(z, M z + q + e R^-1 (z - c)) = 0,   c <- z,   R the metric of blockwise.h
 *
 * which makes the systems regular where contacts are redundant. Each of these problems is solved to
 * a tenth of the residual only; e falls where that was easy and rises where it failed, so near a
 * solution one Newton step to each problem is left and convergence is fast.
 *
 * Newton takes full steps: the merit function |phi|^2 has kinks all over, and a search on it ends
 * in one. Where a few steps do not help, sweeps of block Gauss-Seidel sort the contacts out. The
 * residual of the projected iterate is certified after every step, and the best one is returned.
 */
#include "blockwise.h"
#include "newton_system.h"
#include "nsgs.h"
#include "set_map.h"
#include "watch.h"

enum { OPTION_MAP = OPTION_FIRST_OWN, OPTION_RHO, OPTION_SEARCH, OPTION_SWEEPS };

enum {
  arrays = 9,
  default_iterations = 300,
  patience = 8, /* steps for one problem */
  halvings = 6, /* of a step */
  window = 4,   /* merits among which the largest counts in a line search */
};

static const double enough = 0.1;             /* residual of a problem over the one it began with */
static const double weight_of_residual = 0.1; /* first e over the residual, within limits */
static const double least_first_weight = 1e-8;
static const double most_first_weight = 1e-2;
static const double least_weight = 1e-10;
static const double most_weight = 1.0;
static const double weight_factor = 10.0;
static const double far_off = 1e12; /* growth of the merit that no sweeps make good */
static const double runaway = 1e30; /* growth that even a full step may not have */

typedef struct newton_state {
  nsds_sweeps sweeps;
  nsds_newton_system system;
  int *first;    /* nunit: where A and B of a unit begin */
  double *A, *B; /* m x m of every unit */
  size_t first_capacity, A_capacity, B_capacity;
} newton_state;

typedef struct newton {
  newton_state *state;
  nsds_solver *solver;
  const nsds_problem *problem;
  nsds_solver_info *info;
  int n;
  double e;
  double *z, *centre;  /* n each: iterate, c */
  double *Mz, *w;      /* n each: M z + q, the same with the proximal term */
  double *phi, *d;     /* n each: phi, step */
  double *rho, *root;  /* n each: of the equations; square roots of R */
  double *trial;       /* n */
  double *y;           /* of the sweeps */
  double merit, first; /* |phi|^2 at z, and where the problem began */
  double past[window]; /* the last ones */
  int failures, hold;  /* problems not solved; how many to solve until e may fall */
  bool searches;
} newton;

/* ---- the equations ---- */

/* |phi|^2 in the metric, at z with M z + q in t->Mz; with the derivatives where they are wanted. */
static double equations(newton *t, const double *z, bool derivatives) {
  const newton_state *s = t->state;
  nsds_map map = (nsds_map)t->solver->value[OPTION_MAP];
  double merit = 0.0;
  for (int i = 0; i < t->n; ++i)
    t->w[i] = t->Mz[i] + t->e / (t->root[i] * t->root[i]) * (z[i] - t->centre[i]);
  for (int a = 0; a < s->sweeps.nunit; ++a) {
    const nsds_unit *unit = &s->sweeps.unit[a];
    int row = unit->row, k = s->first[a];
    nsds_set_map(map, &unit->block, t->rho + row, z + row, t->w + row, t->phi + row,
                 derivatives ? s->A + k : NULL, derivatives ? s->B + k : NULL);
  }
  for (int i = 0; i < t->n; ++i) {
    double phi = t->phi[i] / t->root[i];
    merit += phi * phi;
  }
  return merit;
}

static void multiply(newton *t, const double *z) {
  nsds_problem_multiply(t->problem, z, t->Mz, t->solver->toolbox->certify_work);
}

/* R, and rho from it or, where the equation allows it, from the diagonal of each unit. */
static void scale(newton *t) {
  double factor = t->solver->value[OPTION_RHO];
  bool apart = t->solver->value[OPTION_MAP] == NSDS_MAP_ALART_CURNIER;
  nsds_metric(t->problem, t->rho, t->w);
  for (int i = 0; i < t->n; ++i) t->root[i] = sqrt(t->rho[i]);
  for (int a = 0; apart && a < t->state->sweeps.nunit; ++a) {
    const nsds_unit *unit = &t->state->sweeps.unit[a];
    if (unit->block.set & nsds_shifted_sets)
      nsds_set_map_scale(&unit->block, unit->local.M, t->rho + unit->row);
  }
  for (int i = 0; i < t->n; ++i) t->rho[i] *= factor;
}

/* ---- one proximal problem ---- */

static nsds_status direction(newton *t) {
  newton_state *s = t->state;
  const nsds_linearised at = {s->A, s->B, s->first, t->phi, t->root, t->e};
  nsds_status status = nsds_newton_system_factor(&s->system, &at);
  ++t->info->factorizations;
  if (!status) nsds_newton_system_solve(&s->system, &at, t->d);
  return status;
}

/* Moves z along d, in a line search as far as the merit falls below the largest of the last ones
 * (Grippo, Lampariello & Lucidi 1986). False where no length will do. */
static bool move(newton *t, int k) {
  double most = 0.0, length = 1.0;
  for (int i = 0; i < window && i <= k; ++i) most = fmax(most, t->past[(k - i) % window]);
  for (int h = 0; h <= halvings; ++h, length *= 0.5) {
    for (int i = 0; i < t->n; ++i) t->trial[i] = t->z[i] + length * t->d[i];
    multiply(t, t->trial);
    double merit = equations(t, t->trial, false);
    double limit = t->searches ? (1.0 - 1e-4 * length) * most : runaway * most;
    if (!(merit <= limit)) continue;
    memcpy(t->z, t->trial, (size_t)t->n * sizeof *t->z);
    return true;
  }
  return false;
}

typedef enum step_result { STEP_DONE, STEP_FAILED, STEP_OVER } step_result;

/* Ends an iteration: certifies the iterate, put into the sets, where that is promising. One that
 * runs away, along a direction in which M vanishes, gives way to the best point. */
static step_result look(newton *t, nsds_watch *watch, bool promising) {
  int k = t->info->iterations + 1;
  if (!promising) watch->next = k + 1;
  nsds_project(t->problem, t->z, t->trial);
  if (!nsds_watch_step(watch, k, t->trial)) return STEP_DONE;
  bool lost = isinf(watch->latest) && t->info->outcome == NSDS_NOT_CONVERGED;
  if (!lost || k >= watch->limit) return STEP_OVER;
  watch->latest = watch->best;
  memcpy(t->z, watch->z, (size_t)t->n * sizeof *t->z);
  multiply(t, t->z);
  return STEP_FAILED;
}

/* Newton steps until the residual has fallen enough; their number in *steps. */
static step_result solve_proximal(newton *t, nsds_watch *watch, int *steps, nsds_status *status) {
  memcpy(t->centre, t->z, (size_t)t->n * sizeof *t->z);
  t->first = t->merit = t->past[0] = equations(t, t->z, true);
  for (int k = 1; k <= patience; ++k) {
    *status = direction(t);
    if (*status && *status != NSDS_ERROR_SINGULAR) return STEP_OVER;
    if (*status || !move(t, k - 1)) {
      *status = NSDS_OK;
      return STEP_FAILED;
    }
    *steps = k;
    t->merit = t->past[k % window] = equations(t, t->z, true);
    step_result result = look(t, watch, t->merit <= t->first);
    if (result != STEP_DONE) return result;
    if (t->merit <= enough * enough * t->first) return STEP_DONE;
  }
  return STEP_FAILED;
}

/* ---- between two problems ---- */

static void sweep(newton *t) {
  const nsds_sweeps *s = &t->state->sweeps;
  for (int a = 0; a < s->nunit; ++a) {
    const nsds_unit *unit = &s->unit[a];
    double q[NSDS_COUPLED_ROWS], change[NSDS_COUPLED_ROWS], *z = t->z + unit->row;
    nsds_sweeps_rest(s, a, t->z, t->y, q);
    memcpy(change, z, (size_t)unit->block.size * sizeof *z);
    nsds_local_solve(&unit->local, NSDS_LOCAL_EXACT, q, z);
    for (int i = 0; i < unit->block.size; ++i) change[i] = z[i] - change[i];
    nsds_sweeps_change(s, a, change, t->y);
  }
}

static void sweep_often(newton *t) {
  nsds_project(t->problem, t->z, t->z);
  nsds_sweeps_refresh(&t->state->sweeps, t->z, t->y);
  for (int k = 0; k < (int)t->solver->value[OPTION_SWEEPS]; ++k) sweep(t);
  multiply(t, t->z);
}

/* After a problem that was solved: an easy one lets e fall, unless a smaller e failed lately. */
static void lighten(newton *t, int steps) {
  double factor = steps <= 3 ? weight_factor : steps <= 6 ? sqrt(weight_factor) : 1.0;
  if (t->hold > 0) --t->hold;
  else t->e = fmax(t->e / factor, least_weight);
}

/* After one that was not: sweeps from where it led, or from the best point if that is far off. */
static void recover(newton *t, const nsds_watch *watch) {
  if (!(t->merit <= far_off * t->first)) memcpy(t->z, watch->z, (size_t)t->n * sizeof *t->z);
  sweep_often(t);
  t->e = fmin(t->e * weight_factor, most_weight);
  t->hold = ++t->failures;
}

/* ---- operations of the method ---- */

static newton open(nsds_solver *solver, const nsds_problem *problem, nsds_solver_info *info) {
  size_t n = (size_t)problem->n;
  double *scratch = solver->toolbox->scratch;
  return (newton){.state = solver->state,
                  .solver = solver,
                  .problem = problem,
                  .info = info,
                  .n = problem->n,
                  .searches = solver->value[OPTION_SEARCH] > 0.0,
                  .z = scratch,
                  .centre = scratch + n,
                  .Mz = scratch + 2 * n,
                  .w = scratch + 3 * n,
                  .phi = scratch + 4 * n,
                  .d = scratch + 5 * n,
                  .rho = scratch + 6 * n,
                  .root = scratch + 7 * n,
                  .trial = scratch + 8 * n,
                  .y = scratch + arrays * n};
}

static nsds_status solve(nsds_solver *solver, const nsds_problem *problem, double *z,
                         nsds_solver_info *info) {
  nsds_watch watch = nsds_watch_start(solver, problem, z, default_iterations, 1, info);
  if (nsds_watch_done(&watch)) return NSDS_OK;
  newton t = open(solver, problem, info);
  nsds_status status = NSDS_OK;
  scale(&t);
  memcpy(t.z, z, (size_t)t.n * sizeof *z);
  multiply(&t, t.z);
  t.e = fmin(fmax(weight_of_residual * watch.best, least_first_weight), most_first_weight);
  for (int steps = 0;;) {
    step_result result = solve_proximal(&t, &watch, &steps, &status);
    if (result == STEP_OVER) return status;
    if (result == STEP_DONE) {
      lighten(&t, steps);
      continue;
    }
    recover(&t, &watch);
    if (look(&t, &watch, true) == STEP_OVER) return NSDS_OK;
  }
}

/* Where A and B of each unit begin; their length in *count. */
static nsds_status place_blocks(newton_state *s, nsds_context *context, size_t *count) {
  nsds_status status = NSDS_ENSURE(context, s->first, s->first_capacity, s->sweeps.nunit);
  *count = 0;
  for (int a = 0; !status && a < s->sweeps.nunit; ++a) {
    size_t m = (size_t)s->sweeps.unit[a].block.size;
    s->first[a] = (int)*count;
    *count += m * m;
  }
  return status;
}

static nsds_status reserve(nsds_solver *solver, const nsds_problem *problem) {
  newton_state *s = solver->state;
  nsds_context *context = solver->context;
  size_t count = 0, n = (size_t)problem->n;
  nsds_status status;
  if ((status = nsds_sweeps_open(&s->sweeps, solver, problem, 0.0)) ||
      (status = nsds_newton_system_reserve(&s->system, solver, problem, s->sweeps.nunit,
                                           s->sweeps.cut)) ||
      (status = place_blocks(s, context, &count)) ||
      (status = NSDS_ENSURE(context, s->A, s->A_capacity, count)) ||
      (status = NSDS_ENSURE(context, s->B, s->B_capacity, count)))
    return status;
  return nsds_watch_reserve(solver, problem, arrays * n + (size_t)s->sweeps.ny);
}

static void release(nsds_solver *solver) {
  newton_state *s = solver->state;
  nsds_sweeps_release(&s->sweeps, solver->context);
  nsds_newton_system_release(&s->system, solver->context);
  nsds_release(solver->context, s->first);
  nsds_release(solver->context, s->A);
  nsds_release(solver->context, s->B);
}

static const nsds_option options[] = {
    NSDS_COMMON_OPTIONS(0.0, "largest number of Newton steps and recoveries; 0: 300"),
    {"map", "integer", "equation: 0 Alart-Curnier, 1 natural map, 2 Fischer-Burmeister", 0.0, 0.0,
     2.0},
    {"rho", "1", "its parameter, in units of the inverse diagonal of M", 1.0, 1e-6, 1e6},
    {"search", "integer", "1: nonmonotone line search; 0: full steps", 0.0, 0.0, 1.0},
    {"sweeps", "integer", "Gauss-Seidel sweeps where Newton steps failed", 20.0, 0.0, 1e6},
    {0}};

const nsds_method nsds_method_nonsmooth_newton = {
    .row = {.name = "nonsmooth_newton",
            .summary = "Newton on the equations of the laws in a proximal point iteration, for "
                       "every set; few iterations to high accuracy from a rough start.",
            .reference = "Alart, Curnier: Comput. Methods Appl. Mech. Engrg. 92 (1991); Acary, "
                         "Bremond, Huber: Advanced Topics in Nonsmooth Dynamics (2018)",
            .sets = nsds_all_sets,
            .storages = nsds_all_storages,
            .option = options},
    .state_size = sizeof(newton_state),
    .reserve = reserve,
    .solve = solve,
    .release = release,
};
