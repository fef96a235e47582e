/*
 * Nonsmooth Newton for every set. The law of each block is an equation phi_a(z_a, w_a) = 0 of
 * set_map.h, solved with its generalised derivative (Alart & Curnier 1991; Qi & Sun 1993). A
 * proximal point iteration (Rockafellar 1976; for friction Acary, Bremond & Huber 2018)
 *
 *     phi(z, M z + q + e R^-1 (z - c)) = 0,   c <- z,   R the metric of blockwise.h
 *
 * makes the systems regular with redundant contacts. Each of its problems is solved to a tenth of
 * the residual only. e falls after an easy problem and rises after a failure. Near a solution one
 * Newton step to each problem is left, and convergence is fast.
 *
 * Newton takes full steps: the merit function |phi|^2 is full of kinks, and a search on it ends in
 * one. If a few steps do not help, sweeps of block Gauss-Seidel sort the contacts out. The residual
 * of the projected iterate is certified after every step, and the best one is returned.
 */
#include "numerics/method_list.h"

#include "numerics/newton/equations.h"
#include "numerics/newton/proximal_newton.h"
#include "numerics/sets/blockwise.h"
#include "numerics/solver_internal.h"

enum {
  default_iterations = 300, /* if it converges, a few dozen do */
  patience = 8,             /* steps for one problem */
  few_steps = 3,            /* of an easy problem, */
  some_steps = 6,           /* of a problem that is not hard */
  halvings = 6,             /* of a step */
  window = 4,               /* merits among which the largest counts in a line search */
};

static const double enough = 0.1;              /* residual of a problem relative to its start */
static const double weight_of_residual = 0.1;  /* first e over the residual, within limits */
static const double least_first_weight = 1e-8; /* still above rounding */
static const double most_first_weight = 1e-2;  /* the problem is still close to the given one */
static const double least_weight = 1e-10;      /* of e, which must not vanish beside A */
static const double most_weight = 1.0;         /* as M itself: each step is safe, and short */
static const double weight_factor = 10.0;      /* by which e falls and rises */
static const double descent = 1e-4;            /* of the merit, for a line search */
static const double far_off = 1e12;            /* growth of the merit that no sweeps repair */
static const double runaway = 1e30;            /* growth that even a full step may not have */

typedef struct newton {
  nsds_equations law;
  const double *option;
  double merit, first; /* |phi|^2 at z, and at the start of the problem */
  double past[window]; /* the last merits */
  int failures, hold;  /* problems not solved; number to solve until e may fall */
} newton;

/* ---- one proximal problem ---- */

/* Moves z along d. A line search goes as far as the merit falls below the largest of the last
 * merits (Grippo, Lampariello & Lucidi 1986). Returns false if no length will do. */
static bool nonsmooth_newton_move(newton *t, int k) {
  nsds_equations *law = &t->law;
  double most = 0.0, length = 1.0;
  int n = law->n;
  for (int i = 0; i < window && i <= k; ++i) most = fmax(most, t->past[(k - i) % window]);
  for (int h = 0; h <= halvings; ++h, length *= 0.5) {
    for (int i = 0; i < n; ++i) law->p[i] = law->z[i] + length * law->d[i];
    nsds_equations_multiply(law, law->p, law->Mz);
    double merit = nsds_equations_at(law, law->p, law->Mz, false);
    double growth = t->option[nsds_newton_search] > 0.0 ? 1.0 - descent * length : runaway;
    if (!(merit <= growth * most)) continue;
    memcpy(law->z, law->p, (size_t)n * sizeof *law->z);
    return true;
  }
  return false;
}

static void to_best(nsds_equations *law) {
  memcpy(law->z, law->watch.z, (size_t)law->n * sizeof *law->z);
}

/* Ends an iteration: offers the iterate, put into the sets. The best point replaces an iterate that
 * runs away. */
static nsds_progress nonsmooth_newton_look(nsds_equations *law, bool promising) {
  nsds_project(law->problem, law->z, law->p);
  nsds_progress progress = nsds_equations_offer(law, law->p, promising);
  if (progress != NSDS_GIVEN_UP) return progress;
  law->watch.latest = law->watch.best;
  to_best(law);
  nsds_equations_multiply(law, law->z, law->Mz);
  return progress;
}

/* Makes Newton steps until the residual has fallen enough; *steps is their number. */
static nsds_progress nonsmooth_newton_solve_proximal(newton *t, int *steps, nsds_status *status) {
  nsds_equations *law = &t->law;
  memcpy(law->centre, law->z, (size_t)law->n * sizeof *law->z);
  t->first = t->merit = t->past[0] = nsds_equations_at(law, law->z, law->Mz, true);
  for (int k = 1; k <= patience; ++k) {
    *status = nsds_equations_factor(law);
    if (*status && *status != NSDS_ERROR_SINGULAR) return NSDS_OVER;
    if (!*status) nsds_equations_solve(law, law->d);
    if (*status || !nonsmooth_newton_move(t, k - 1)) {
      *status = NSDS_OK;
      return NSDS_GIVEN_UP;
    }
    *steps = k;
    t->merit = t->past[k % window] = nsds_equations_at(law, law->z, law->Mz, true);
    nsds_progress progress = nonsmooth_newton_look(law, t->merit <= t->first);
    if (progress != NSDS_GOES_ON) return progress;
    if (t->merit <= enough * enough * t->first) return NSDS_GOES_ON;
  }
  return NSDS_GIVEN_UP;
}

/* ---- between two problems ---- */

/* After an easy problem lets e fall, unless a smaller e failed lately. */
static void lighten(newton *t, int steps) {
  double factor = steps <= few_steps    ? weight_factor
                  : steps <= some_steps ? sqrt(weight_factor)
                                        : 1.0;
  if (t->hold > 0) --t->hold;
  else nsds_equations_weigh(&t->law, fmax(t->law.e / factor, least_weight));
}

/* After a failure makes sweeps from the iterate, or from the best point if the iterate is far
 * off. */
static void nonsmooth_newton_recover(newton *t) {
  nsds_equations *law = &t->law;
  if (!(t->merit <= far_off * t->first)) to_best(law);
  nsds_equations_sweep(law, (int)t->option[nsds_newton_sweeps]);
  nsds_equations_multiply(law, law->z, law->Mz);
  nsds_equations_weigh(law, fmin(law->e * weight_factor, most_weight));
  t->hold = ++t->failures;
}

/* ---- operations of the method ---- */

static void nonsmooth_newton_begin(newton *t, nsds_solver *solver) {
  nsds_equations *law = &t->law;
  double e = fmax(weight_of_residual * law->watch.best, least_first_weight);
  t->option = solver->value;
  t->failures = t->hold = 0;
  nsds_equations_scale(law, (nsds_map)t->option[nsds_newton_map], t->option[nsds_newton_rho]);
  nsds_equations_multiply(law, law->z, law->Mz);
  nsds_equations_weigh(law, fmin(e, most_first_weight));
}

static nsds_status nonsmooth_newton_iterate(newton *t, nsds_solver *solver, double *z,
                                            nsds_solver_info *info) {
  nsds_status status = NSDS_OK;
  if (!nsds_equations_start(&t->law, solver, z, default_iterations, info)) return NSDS_OK;
  nonsmooth_newton_begin(t, solver);
  for (int steps = 0;;) {
    nsds_progress progress = nonsmooth_newton_solve_proximal(t, &steps, &status);
    if (progress == NSDS_OVER) return status;
    if (progress == NSDS_GOES_ON) {
      lighten(t, steps);
      continue;
    }
    nonsmooth_newton_recover(t);
    if (nonsmooth_newton_look(&t->law, true) == NSDS_OVER) return NSDS_OK;
  }
}

/* The iteration of this file, and the one for hyperstatic friction. */
typedef struct newton_state {
  newton usual;
  nsds_proximal_newton proximal;
} newton_state;

static bool is_hyperstatic(const nsds_solver *solver) {
  return solver->value[nsds_newton_hyperstatic] > 0.0;
}

static nsds_status nonsmooth_newton_solve(nsds_solver *solver, const nsds_problem *problem,
                                          double *z, nsds_solver_info *info) {
  newton_state *s = solver->state;
  (void)problem;
  return is_hyperstatic(solver) ? nsds_proximal_newton_solve(&s->proximal, solver, z, info)
                                : nonsmooth_newton_iterate(&s->usual, solver, z, info);
}

static nsds_status nonsmooth_newton_reserve(nsds_solver *solver, const nsds_problem *problem) {
  newton_state *s = solver->state;
  return is_hyperstatic(solver) ? nsds_proximal_newton_reserve(&s->proximal, solver, problem)
                                : nsds_equations_reserve(&s->usual.law, solver, problem, false);
}

static const nsds_option options[] = {
    NSDS_COMMON_OPTIONS(0.0, "largest number of Newton steps and recoveries; 0: 300, or 10000"),
    {"hyperstatic", "integer",
     "1: a proximal problem is solved or given up, for many steps; 0: sweeps help where Newton "
     "steps failed",
     0.0, 0.0, 1.0},
    {"map", "integer",
     "hyperstatic = 0: equation: 0 Alart-Curnier, 1 natural map, 2 Fischer-Burmeister", 0.0, 0.0,
     2.0},
    {"rho", "1", "hyperstatic = 0: its parameter, in units of the inverse diagonal of M", 1.0, 1e-6,
     1e6},
    {"search", "integer", "hyperstatic = 0: 1: nonmonotone line search; 0: full steps", 0.0, 0.0,
     1.0},
    {"sweeps", "integer", "hyperstatic = 0: Gauss-Seidel sweeps where Newton steps failed", 20.0,
     0.0, 1e6},
    {"weight", "1", "hyperstatic = 1: first e, also after sweeps", 0.1, 1e-10, 1.0},
    {"path", "integer",
     "hyperstatic = 1: 1: begins with the central path where it serves; 0: with sweeps", 1.0, 0.0,
     1.0},
    {0}};

const nsds_method nsds_method_nonsmooth_newton = {
    .row = {.name = "nonsmooth_newton",
            .summary = "Newton's method on the laws, in proximal point steps, for every set; few "
                       "iterations from a rough start to high accuracy, many for hyperstatic "
                       "friction.",
            .reference =
                "Rockafellar: SIAM J. Control Optim. 14 (1976); Alart, Curnier: Comput. Methods "
                "Appl. Mech. Engrg. 92 (1991); Acary, Bremond, Huber: Advanced Topics in Nonsmooth "
                "Dynamics (2018)",
            NSDS_ANY_PROBLEM,
            .option = options},
    .state_size = sizeof(newton_state),
    .reserve = nonsmooth_newton_reserve,
    .solve = nonsmooth_newton_solve,
};
