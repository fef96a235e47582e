/*
 * projected_gradient, the spectral projected gradient SPG2 of Birgin, Martinez & Raydan (2000). The
 * method needs products by M alone. For symmetric M the problem without shifts is to minimize f(z)
 * = 1/2 z^T M z + q^T z over C, with the gradient g = w. In the metric R of blockwise.h, with P the
 * projection on C,
 *
 *     d = P(z - alpha R g) - z,   z+ = z + lambda d,
 *     alpha = d.d / d.M d  or  d.M d / |R M d|^2      (Barzilai & Borwein 1988, in turn)
 *
 * lambda = 1 when f(z + d) is below the largest of the last `memory` values by some of the slope
 * (Grippo, Lampariello & Lucidi 1986), otherwise the exact minimizer along d. One product, M d,
 * gives alpha, lambda, f and the next gradient.
 *
 * De Saxce's shift needs an outer iteration. With s = s(w) held, the program with q + s is solved
 * to part of the accuracy of s. Then s is renewed: the fixed point of Acary, Cadoux, Lemarechal &
 * Malick, ZAMM 91, 2011, solved inexactly. If a renewal does not come nearer, the mean of old and
 * new s is taken.
 */
#include "numerics/method_list.h"

#include "base/base.h"
#include "numerics/sets/blockwise.h"
#include "numerics/solver_internal.h"
#include "numerics/store.h"
#include "numerics/watch.h"

enum {
  most_memory = 50, /* room for it; Birgin, Martinez & Raydan take */
  usual_memory = 10,
  default_iterations = 100000,
  refresh_interval = 50, /* iterations between gradients computed from scratch, against drift */
};

static const double shift_accuracy = 0.1; /* of the natural residual at the last renewal of s */
static const double descent = 1e-4;       /* of the slope that f has to fall by */
static const double alpha_least = 1e-10;  /* limits of alpha in units of the inverse diagonal */
static const double alpha_most = 1e10;    /* for a direction without curvature */

typedef struct projection {
  const nsds_problem *problem;
  int n;
  double *r;    /* n: metric */
  double *z;    /* n: iterate */
  double *work; /* of the products */

  nsds_problem linear;        /* the problem with q = 0, for products M d */
  double *zero;               /* n */
  double *g;                  /* n: gradient M z + q + s */
  double *d, *Md;             /* n each: step and its product */
  double *s;                  /* n: shift, held */
  bool shifts;                /* some block has a shift */
  double renewal;             /* natural residual when s was renewed last */
  bool damped;                /* s is damped, against turning back and forth */
  double alpha;               /* of the next step */
  int memory, changes;        /* values of f that count, changes since it is another */
  double change[most_memory]; /* of f in the last steps */
} projection;

/* ---- gradient and shift ---- */

/* Returns | z - P(z - R g) |, zero at a solution for the held shift. */
static double natural_residual(const projection *t, double *trial) {
  nsds_project_step(t->problem, 1.0, t->r, t->z, t->g, trial);
  return sqrt(nsds_distance_z(t->n, t->r, t->z, trial));
}

/* Computes g from scratch. */
static void projections_refresh(projection *t) {
  nsds_problem_multiply(t->problem, t->z, t->g, t->work);
  for (int i = 0; i < t->n; ++i) t->g[i] += t->s[i];
}

/* Renews s = s(w), w = g - s, or takes the mean with the old s. */
static void projections_find_shift(projection *t) {
  double before = t->renewal;
  for (int i = 0; i < t->n; ++i) t->d[i] = t->g[i] -= t->s[i];
  nsds_shift(t->problem, t->d, t->d);
  for (int i = 0; i < t->n; ++i) {
    double fresh = t->d[i] - t->g[i];
    t->s[i] = t->damped ? 0.5 * (t->s[i] + fresh) : fresh;
    t->g[i] += t->s[i];
  }
  t->renewal = natural_residual(t, t->d);
  t->damped = t->renewal > before;
  t->changes = 0;
}

/* Refreshes g against drift, and renews the shift when its problem is solved. */
static void tend(projection *t, int k) {
  if (k % refresh_interval == 0) projections_refresh(t);
  if (t->shifts && natural_residual(t, t->d) <= shift_accuracy * t->renewal)
    projections_find_shift(t);
}

static void begin_gradient(projection *t) {
  t->linear = *t->problem;
  t->linear.q = t->zero;
  t->renewal = INFINITY;
  t->alpha = 1.0;
  nsds_zero_doubles(t->zero, (size_t)t->n);
  nsds_zero_doubles(t->s, (size_t)t->n);
  projections_refresh(t);
  if (t->shifts) projections_find_shift(t);
}

/* Computes d = P(z - alpha R g) - z; returns g.d. The projection makes g.d at most -d.d / alpha.
 * Near a solution with g other than 0, rounding leaves only this bound of the sum. */
static double find_descent(projection *t, double alpha) {
  nsds_project_step(t->problem, alpha, t->r, t->z, t->g, t->d);
  for (int i = 0; i < t->n; ++i) t->d[i] -= t->z[i];
  return fmin(nsds_inner_product(t->n, t->g, t->d), -nsds_dot_z(t->n, t->r, t->d, t->d) / alpha);
}

/* Computes Md = M d; returns d.M d. */
static double find_curvature(const projection *t) {
  nsds_problem_multiply(&t->linear, t->d, t->Md, t->work);
  return nsds_inner_product(t->n, t->d, t->Md);
}

/* Returns the change of f over lambda d. */
static double change_of(double lambda, double slope, double curvature) {
  return lambda * (slope + 0.5 * lambda * curvature);
  /* Returns the lambda <= 1 of the lowest point. */
}
static double lowest(double slope, double curvature) {
  return curvature > 0.0 ? fmin(1.0, -slope / curvature) : 1.0;
}

static void projections_advance(projection *t, double lambda) {
  for (int i = 0; i < t->n; ++i) {
    t->z[i] += lambda * t->d[i];
    t->g[i] += lambda * t->Md[i];
  }
}

/* ---- spectral steps ---- */

/* Returns the largest of the last values of f minus the present one. The sum uses changes, because
 * near a solution they are far below the rounding of f itself. */
static double largest_value(const projection *t) {
  double most = 0.0, f = 0.0;
  for (int k = t->changes - 1; k >= 0 && k > t->changes - t->memory; --k) {
    f -= t->change[k % t->memory];
    most = fmax(most, f);
  }
  return most;
}

/* Chooses lambda, and puts the change of f into the memory. */
static double line_search(projection *t, double slope, double curvature) {
  bool falls = slope + 0.5 * curvature <= largest_value(t) + descent * slope;
  double lambda = falls ? 1.0 : lowest(slope, curvature);
  t->change[t->changes++ % t->memory] = change_of(lambda, slope, curvature);
  return lambda;
}

/* Takes the two quotients of a step in turn. A step without curvature asks for the longest
 * alpha. */
static void choose_alpha(projection *t, double curvature, int k) {
  double up = k % 2 ? nsds_dot_z(t->n, t->r, t->d, t->d) : curvature;
  double down = k % 2 ? curvature : nsds_dot_w(t->n, t->r, t->Md, t->Md);
  double alpha = curvature > 0.0 ? up / down : alpha_most;
  t->alpha = fmin(fmax(alpha, alpha_least), alpha_most);
}

static void projections_step(projection *t, int k) {
  double slope = find_descent(t, t->alpha), curvature = find_curvature(t);
  projections_advance(t, line_search(t, slope, curvature));
  choose_alpha(t, curvature, k);
  tend(t, k);
}

/* ---- the method ---- */

enum { arrays = 7 };

static nsds_status projections_solve(nsds_solver *solver, const nsds_problem *problem, double *z,
                                     nsds_solver_info *info) {
  nsds_watch watch = nsds_watch_start(solver, problem, z, default_iterations, 0, info);
  if (nsds_watch_done(&watch)) return NSDS_OK;
  projection t = {.problem = problem,
                  .n = problem->n,
                  .work = solver->toolbox->certify_work,
                  .shifts = (solver->toolbox->sets & nsds_shifted_sets) != 0,
                  .memory = (int)solver->value[OPTION_FIRST_OWN]};
  double **const parts[] = {&t.r, &t.z, &t.g, &t.d, &t.Md, &t.s, &t.zero};
  NSDS_SHARE(solver->toolbox->scratch, t.n, parts);
  nsds_metric(problem, t.r, t.z);
  memcpy(t.z, z, (size_t)t.n * sizeof *z);
  begin_gradient(&t);
  for (int k = 1;; ++k) {
    projections_step(&t, k);
    if (nsds_watch_step(&watch, k, t.z)) return NSDS_OK;
  }
}

static nsds_status projections_reserve(nsds_solver *solver, const nsds_problem *problem) {
  return nsds_watch_reserve(solver, problem, arrays * (size_t)problem->n);
}

static const nsds_option options[] = {
    NSDS_COMMON_OPTIONS(0.0, "largest number of projections; 0: 100000"),
    {"memory", "integer", "values of the objective that the line search compares with; 1: monotone",
     usual_memory, 1.0, most_memory},
    {0}};

const nsds_method nsds_method_projected_gradient = {
    .row = {.name = "projected_gradient",
            .summary = "Spectral projected gradients for symmetric M, matrix-free; shifts as outer "
                       "iteration.",
            .reference = "Birgin, Martinez, Raydan: SIAM J. Optim. 10 (2000)",
            NSDS_ANY_PROBLEM,
            .option = options},
    .reserve = projections_reserve,
    .solve = projections_solve,
};
