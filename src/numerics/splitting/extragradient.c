/*
 * Projection methods for the variational inequality: z in C, F(z).(y - z) >= 0 for all y in C, with
 * F(z) = w + s(w), w = M z + q. In the metric R of blockwise.h, P being the projection on C:
 *
 *     fixed_point_projection   z+ = P(z - rho R F(z))
 *     extragradient            y = P(z - rho R F(z)),  z+ = P(z - rho R F(y))
 *     hyperplane_projection    y as above,  z+ = P(z - gamma alpha rho R F(y)),  with
 *                              d = z - y - rho R (F(z) - F(y)),  alpha = (z - y).d / |d|^2: alpha |d|
 *                              is how far z is from a hyperplane beyond which all solutions lie (the
 *                              projection and contraction method, He 1997)
 *
 * Only products with M are needed. The step size rho is found by the iteration (Khobotov): the
 * ratio rho |F(z) - F(y)| / |z - y| has to be below ratio_most, and where it is below ratio_least the
 * next step is tried larger. For monotone F the second and the third converge (Korpelevich 1976;
 * Khobotov 1987; He 1997), the first when M is symmetric or F strongly monotone (De Saxce & Feng
 * 1998 for friction). Coulomb's shift makes F not monotone: convergence is then common, not certain.
 */
#include "blockwise.h"
#include "watch.h"

enum { OPTION_STEP = OPTION_FIRST_OWN };

enum {
  arrays = 5,                 /* of a flow */
  default_iterations = 20000, /* two products each, slow where badly conditioned */
  most_trials = 60,           /* of a step: two thirds of two thirds ... end beyond any scale */
  stall_interval = 1000       /* iterations to come nearer in */
};

static const double first_ratio_most = 0.9;  /* below 1, what convergence asks for */
static const double ratio_least = 1.0 / 3.0; /* of ratio_most: a longer step is worth a trial */
static const double step_down =
    2.0 / 3.0; /* of rho; the steps of Khobotov and those who follow him */
static const double step_up = 1.5;
static const double relaxation = 1.5; /* gamma; less than 2, above 1.5 less sure without monotony */
static const double stalled = 0.99;   /* part of |z - y| / rho left after a stretch of iterations */

typedef struct flow {
  const nsds_problem *problem;
  int n;
  double rho;
  double ratio_most; /* halved when a stretch of iterations has not come nearer */
  double nearest;    /* least |z - y| / rho of the stretch */
  double before;     /* that of the stretch before */
  double *r;         /* n: metric */
  double *z, *F;     /* n each: iterate and F there */
  double *y, *G;     /* n each: trial point and F there */
  double *work;      /* of the products */
} flow;

static void field(const flow *f, const double *z, double *F) {
  nsds_problem_multiply(f->problem, z, F, f->work);
  nsds_shift(f->problem, F, F);
}

/* y = P(z - rho R F) */
static void move(const flow *f, double rho, const double *F, double *y) {
  nsds_project_step(f->problem, rho, f->r, f->z, F, y);
}

/* |z - y| in the metric. */
static double distance(const flow *f) { return sqrt(nsds_distance_z(f->n, f->r, f->z, f->y)); }

/* rho |F - G| / |z - y|, the local Lipschitz constant in units of 1 / rho. */
static double ratio(const flow *f) {
  double sum = 0.0, moved = distance(f);
  if (moved == 0.0) return 0.0;
  for (int i = 0; i < f->n; ++i) sum += (f->F[i] - f->G[i]) * (f->F[i] - f->G[i]) * f->r[i];
  return f->rho * sqrt(sum) / moved;
}

/* y = P(z - rho R F(z)) and G = F(y) with rho small enough; rho is left as next to be tried.
 * Returns the rho that made y. */
static double predict(flow *f) {
  double rho = f->rho, found = INFINITY;
  for (int k = 0; k < most_trials && !(found <= f->ratio_most); ++k) {
    rho = f->rho;
    move(f, rho, f->F, f->y);
    field(f, f->y, f->G);
    found = ratio(f);
    if (!(found <= f->ratio_most)) f->rho *= step_down * (found < 1.0 ? 1.0 : 1.0 / found);
    if (isnan(found)) break;
  }
  if (found < ratio_least * f->ratio_most) f->rho *= step_up;
  f->nearest = fmin(f->nearest, distance(f) / rho);
  return rho;
}

static void accept_trial(flow *f) {
  double *z = f->z, *F = f->F;
  f->z = f->y;
  f->F = f->G;
  f->y = z;
  f->G = F;
}

/* Where F is not monotone the iterates may cycle: smaller steps may not. */
static void look_for_stall(flow *f) {
  if (f->nearest > stalled * f->before) f->ratio_most *= 0.5;
  f->before = f->nearest;
  f->nearest = INFINITY;
}

static void step_fixed_point(flow *f) {
  predict(f);
  accept_trial(f);
}

/* z+ = P(z - t R F(y)) */
static void correct(flow *f, double t) {
  move(f, t, f->G, f->z);
  field(f, f->z, f->F);
}

static void step_extragradient(flow *f) { correct(f, predict(f)); }

/* From differences alone: near a solution F(y).(z - y) is of second order and lost in rounding. */
static void step_hyperplane(flow *f) {
  double rho = predict(f), up = 0.0, down = 0.0;
  for (int i = 0; i < f->n; ++i) {
    double e = f->z[i] - f->y[i], d = e - rho * f->r[i] * (f->F[i] - f->G[i]);
    up += e * d / f->r[i];
    down += d * d / f->r[i];
  }
  correct(f, down > 0.0 ? relaxation * rho * up / down : rho);
}

/* ---- the methods ---- */

enum { FIXED_POINT, EXTRAGRADIENT, HYPERPLANE };

static void (*const steps[])(flow *) = {step_fixed_point, step_extragradient, step_hyperplane};

static nsds_status solve(nsds_solver *solver, const nsds_problem *problem, double *z,
                         nsds_solver_info *info) {
  flow f = {.problem = problem,
            .n = problem->n,
            .rho = solver->value[OPTION_STEP],
            .ratio_most = first_ratio_most,
            .nearest = INFINITY,
            .before = INFINITY,
            .work = solver->toolbox->certify_work};
  double **const part[arrays] = {&f.z, &f.F, &f.y, &f.G, &f.r};
  nsds_watch watch = nsds_watch_start(solver, problem, z, default_iterations, 0, info);
  if (nsds_watch_done(&watch)) return NSDS_OK;
  NSDS_SHARE(solver->toolbox->scratch, f.n, part);
  nsds_metric(problem, f.r, f.G);
  memcpy(f.z, z, (size_t)f.n * sizeof *z);
  field(&f, f.z, f.F);
  for (int k = 1;; ++k) {
    steps[solver->method->variant](&f);
    if (k % stall_interval == 0) look_for_stall(&f);
    if (nsds_watch_step(&watch, k, f.z)) return NSDS_OK;
  }
}

static nsds_status reserve(nsds_solver *solver, const nsds_problem *problem) {
  return nsds_watch_reserve(solver, problem, arrays * (size_t)problem->n);
}

static const nsds_option options[] = {
    NSDS_COMMON_OPTIONS(0.0, "largest number of projections; 0: 20000"),
    {"step", "1", "first step size in units of the inverse diagonal of M; adapted from there", 1.0,
     1e-12, 1e12},
    {0}};

#define ROW NSDS_ANY_PROBLEM, .option = options

const nsds_method nsds_method_fixed_point_projection = {
    .row = {.name = "fixed_point_projection",
            .summary = "Projected steps with self-adaptive size, one product each; symmetric M.",
            .reference = "De Saxce, Feng: Math. Comput. Model. 28 (1998); Acary, Bremond, Huber: "
                         "Advanced Topics in Nonsmooth Dynamics (2018), 7.5",
            ROW},
    .variant = FIXED_POINT,
    .reserve = reserve,
    .solve = solve,
};

const nsds_method nsds_method_extragradient = {
    .row = {.name = "extragradient",
            .summary = "Extragradient projections with self-adaptive size, matrix-free; any "
                       "monotone problem at low accuracy.",
            .reference = "Korpelevich: Matecon 12 (1976); Khobotov: USSR Comput. Math. Math. Phys. "
                         "27 (1987)",
            ROW},
    .variant = EXTRAGRADIENT,
    .reserve = reserve,
    .solve = solve,
};

const nsds_method nsds_method_hyperplane_projection = {
    .row = {.name = "hyperplane_projection",
            .summary = "Relaxed projections beyond separating hyperplanes, matrix-free; monotone "
                       "problems in fewer steps.",
            .reference = "He: Appl. Math. Optim. 35 (1997); Solodov, Svaiter: SIAM J. Control "
                         "Optim. 37 (1999)",
            ROW},
    .variant = HYPERPLANE,
    .reserve = reserve,
    .solve = solve,
};
