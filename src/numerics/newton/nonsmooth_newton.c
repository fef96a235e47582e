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
#include "equations.h"
#include "newton_system.h"
#include "watch.h"

enum { OPTION_MAP = OPTION_FIRST_OWN, OPTION_RHO, OPTION_SEARCH, OPTION_SWEEPS };

enum {
  arrays = 10,
  default_iterations = 300, /* where it converges it takes some dozens */
  patience = 8,             /* steps for one problem */
  few_steps = 3,            /* that an easy problem takes, */
  some_steps = 6,           /* and one that is not hard */
  halvings = 6,             /* of a step */
  window = 4,               /* merits among which the largest counts in a line search */
};

static const double enough = 0.1;             /* residual of a problem over the one it began with */
static const double weight_of_residual = 0.1; /* first e over the residual, within limits */
static const double least_first_weight = 1e-8; /* not yet beside rounding */
static const double most_first_weight = 1e-2;  /* the problem is still about the one given */
static const double least_weight = 1e-10;      /* of e, which must not vanish beside A */
static const double most_weight = 1.0;         /* as M itself: each step is safe, and short */
static const double weight_factor = 10.0;      /* by which e falls and rises */
static const double descent = 1e-4;            /* of the merit that a line search asks for */
static const double far_off = 1e12;            /* growth of the merit that no sweeps make good */
static const double runaway = 1e30;            /* growth that even a full step may not have */

typedef struct newton_state {
  nsds_equations equations;
  nsds_newton_system system;
} newton_state;

typedef struct newton {
  newton_state *state;
  nsds_equations *law;
  nsds_solver *solver;
  const nsds_problem *problem;
  nsds_solver_info *info;
  int n;
  double *z, *Mz, *d, *trial; /* n each: iterate, M z + q, step */
  double *y;                  /* of the sweeps */
  double merit, first;        /* |phi|^2 at z, and where the problem began */
  double past[window];        /* the last ones */
  int failures, hold;         /* problems not solved; how many to solve until e may fall */
  bool searches;
} newton;

static void multiply(newton *t, const double *z) {
  nsds_problem_multiply(t->problem, z, t->Mz, t->solver->toolbox->certify_work);
}

/* ---- one proximal problem ---- */

static nsds_status direction(newton *t) {
  newton_state *s = t->state;
  const nsds_equations *law = t->law;
  const nsds_linearised at = {law->A, law->B, law->first, law->phi, law->root, law->weight};
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
    double merit = nsds_equations_at(t->law, t->trial, t->Mz, false);
    double limit = t->searches ? (1.0 - descent * length) * most : runaway * most;
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
  memcpy(t->law->centre, t->z, (size_t)t->n * sizeof *t->z);
  t->first = t->merit = t->past[0] = nsds_equations_at(t->law, t->z, t->Mz, true);
  for (int k = 1; k <= patience; ++k) {
    *status = direction(t);
    if (*status && *status != NSDS_ERROR_SINGULAR) return STEP_OVER;
    if (*status || !move(t, k - 1)) {
      *status = NSDS_OK;
      return STEP_FAILED;
    }
    *steps = k;
    t->merit = t->past[k % window] = nsds_equations_at(t->law, t->z, t->Mz, true);
    step_result result = look(t, watch, t->merit <= t->first);
    if (result != STEP_DONE) return result;
    if (t->merit <= enough * enough * t->first) return STEP_DONE;
  }
  return STEP_FAILED;
}

/* ---- between two problems ---- */

static void sweep_often(newton *t) {
  nsds_equations_sweep(t->law, (int)t->solver->value[OPTION_SWEEPS], t->z, t->y);
  multiply(t, t->z);
}

/* After a problem that was solved: an easy one lets e fall, unless a smaller e failed lately. */
static void lighten(newton *t, int steps) {
  double factor = steps <= few_steps    ? weight_factor
                  : steps <= some_steps ? sqrt(weight_factor)
                                        : 1.0;
  if (t->hold > 0) --t->hold;
  else nsds_equations_weigh(t->law, fmax(t->law->e / factor, least_weight));
}

/* After one that was not: sweeps from where it led, or from the best point if that is far off. */
static void recover(newton *t, const nsds_watch *watch) {
  if (!(t->merit <= far_off * t->first)) memcpy(t->z, watch->z, (size_t)t->n * sizeof *t->z);
  sweep_often(t);
  nsds_equations_weigh(t->law, fmin(t->law->e * weight_factor, most_weight));
  t->hold = ++t->failures;
}

/* ---- operations of the method ---- */

static newton open(nsds_solver *solver, const nsds_problem *problem, nsds_solver_info *info) {
  newton_state *state = solver->state;
  nsds_equations *law = &state->equations;
  newton t = {.state = state,
              .law = law,
              .solver = solver,
              .problem = problem,
              .info = info,
              .n = problem->n,
              .searches = solver->value[OPTION_SEARCH] > 0.0};
  double **const part[arrays] = {&t.z, &law->centre, &t.Mz,      &law->w,  &law->phi,
                                 &t.d, &law->rho,    &law->root, &t.trial, &law->weight};
  t.y = NSDS_SHARE(solver->toolbox->scratch, t.n, part);
  law->map = (nsds_map)solver->value[OPTION_MAP];
  return t;
}

static nsds_status solve(nsds_solver *solver, const nsds_problem *problem, double *z,
                         nsds_solver_info *info) {
  nsds_watch watch = nsds_watch_start(solver, problem, z, default_iterations, 1, info);
  if (nsds_watch_done(&watch)) return NSDS_OK;
  newton t = open(solver, problem, info);
  nsds_status status = NSDS_OK;
  nsds_equations_scale(t.law, solver->value[OPTION_RHO]);
  memcpy(t.z, z, (size_t)t.n * sizeof *z);
  multiply(&t, t.z);
  double e = fmin(fmax(weight_of_residual * watch.best, least_first_weight), most_first_weight);
  nsds_equations_weigh(t.law, e);
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

static nsds_status reserve(nsds_solver *solver, const nsds_problem *problem) {
  newton_state *s = solver->state;
  const nsds_sweeps *sweeps = &s->equations.sweeps;
  nsds_status status = nsds_equations_reserve(&s->equations, solver, problem);
  if (!status)
    status = nsds_newton_system_reserve(&s->system, solver, problem, sweeps->nunit, sweeps->cut);
  if (status) return status;
  return nsds_watch_reserve(solver, problem, arrays * (size_t)problem->n + (size_t)sweeps->ny);
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
            NSDS_ANY_PROBLEM,
            .option = options},
    .state_size = sizeof(newton_state),
    .reserve = reserve,
    .solve = solve,
};
