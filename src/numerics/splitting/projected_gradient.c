/*
 * Projected gradients for symmetric M, where the problem without shifts is the convex programme
 *
 *     minimise f(z) = 1/2 z^T M z + q^T z over z in C,   gradient g = M z + q = w.
 *
 * projected_gradient (spectral projected gradient SPG2 of Birgin, Martinez & Raydan 2000), in the
 * metric R of blockwise.h:
 *
 *     d = P(z - alpha R g) - z,   z+ = z + lambda d,
 *     alpha = d.d / d.M d  or  d.M d / |R M d|^2      (Barzilai & Borwein 1988, in turn)
 *
 * lambda = 1 when f(z + d) is below the largest of the last `memory` values by some of the slope
 * (Grippo, Lampariello & Lucidi 1986), otherwise the exact minimiser along d. One product, M d,
 * gives alpha, lambda, f and the next gradient.
 *
 * De Saxce's shift enters as an outer iteration: with s = s(w) held, the programme with q + s is
 * solved to part of the accuracy that s has (Acary & Cadoux 2013), then s is renewed.
 */
#include "blockwise.h"
#include "gradient.h"
#include "watch.h"

enum { OPTION_MEMORY = OPTION_FIRST_OWN };

enum {
  default_iterations = 100000,
  most_memory = 50,
  refresh_interval = 50 /* iterations between gradients computed anew */
};

static const double descent = 1e-4;      /* of the slope that f has to fall by */
static const double alpha_least = 1e-10; /* limits of alpha in units of the inverse diagonal */
static const double alpha_most = 1e10;

typedef struct search {
  int memory, changes;        /* values of f that count, changes since the last restart */
  double change[most_memory]; /* of f in the last steps */
  double alpha;
} search;

/* The largest of the last values of f over the present one, from changes: near a solution they are
 * far below the rounding of f itself. */
static double largest_value(const search *s) {
  double most = 0.0, f = 0.0;
  for (int k = s->changes - 1; k >= 0 && k > s->changes - s->memory; --k) {
    f -= s->change[k % s->memory];
    most = fmax(most, f);
  }
  return most;
}

/* lambda, and the change of f into the memory. */
static double line_search(search *s, double slope, double curvature) {
  double lambda = 1.0;
  bool falls = slope + 0.5 * curvature <= largest_value(s) + descent * slope;
  if (!falls && curvature > 0.0) lambda = fmin(1.0, -slope / curvature);
  s->change[s->changes++ % s->memory] = lambda * (slope + 0.5 * lambda * curvature);
  return lambda;
}

/* The two quotients in turn; a direction without curvature asks for the longest step. */
static void choose_alpha(search *s, const nsds_gradient *t, double curvature, int k) {
  double up = k % 2 ? nsds_dot_z(t->n, t->r, t->d, t->d) : curvature;
  double down = k % 2 ? curvature : nsds_dot_w(t->n, t->r, t->Md, t->Md);
  double alpha = curvature > 0.0 ? up / down : alpha_most;
  s->alpha = fmin(fmax(alpha, alpha_least), alpha_most);
}

static void step(search *s, nsds_gradient *t, int k) {
  nsds_gradient_project(t, s->alpha);
  nsds_problem_multiply(&t->linear, t->d, t->Md, t->work);
  double curvature = nsds_dot(t->n, t->d, t->Md);
  nsds_gradient_advance(t, line_search(s, nsds_gradient_slope(t, s->alpha), curvature));
  choose_alpha(s, t, curvature, k);
  if (k % refresh_interval == 0) nsds_gradient_refresh(t);
  if (nsds_gradient_renew(t, t->d)) s->changes = 0;
}

static nsds_status solve(nsds_solver *solver, const nsds_problem *problem, double *z,
                         nsds_solver_info *info) {
  nsds_watch watch = nsds_watch_start(solver, problem, z, default_iterations, 0, info);
  if (nsds_watch_done(&watch)) return NSDS_OK;
  nsds_gradient t = nsds_gradient_start(solver, problem, z);
  search s = {.memory = (int)solver->value[OPTION_MEMORY], .alpha = 1.0};
  for (int k = 1;; ++k) {
    step(&s, &t, k);
    if (nsds_watch_step(&watch, k, t.z)) return NSDS_OK;
  }
}

static nsds_status reserve(nsds_solver *solver, const nsds_problem *problem) {
  return nsds_watch_reserve(solver, problem, nsds_gradient_arrays * (size_t)problem->n);
}

static const nsds_option options[] = {
    NSDS_COMMON_OPTIONS(0.0, "largest number of projections; 0: 100000"),
    {"memory", "integer", "values of the objective that the line search compares with; 1: monotone",
     10.0, 1.0, most_memory},
    {0}};

const nsds_method nsds_method_projected_gradient = {
    .row = {.name = "projected_gradient",
            .summary = "Spectral projected gradients for symmetric M, matrix-free; shifts as outer "
                       "iteration.",
            .reference = "Birgin, Martinez, Raydan: SIAM J. Optim. 10 (2000)",
            .sets = nsds_every_set,
            .storages = nsds_all_storages,
            .option = options},
    .reserve = reserve,
    .solve = solve,
};
