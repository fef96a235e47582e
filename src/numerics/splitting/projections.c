/*
 * Projections, with products by M alone: z in C with F(z).(y - z) >= 0 for all y in C, where
 * F(z) = w + s(w), w = M z + q, s De Saxce's shift. In the metric R of blockwise.h, P being the
 * projection on C, for monotone F
 *
 *     fixed_point_projection   z+ = P(z - rho R F(z))
 *     extragradient            y = P(z - rho R F(z)),  z+ = P(z - rho R F(y))
 *     hyperplane_projection    y as above,  z+ = P(z - gamma alpha rho R F(y)),  with
 *                              d = z - y - rho R (F(z) - F(y)),  alpha = (z - y).d / |d|^2: alpha |d|
 *                              is how far z is from a hyperplane beyond which all solutions lie (the
 *                              projection and contraction method, He 1997)
 *
 * The step size rho is found by the iteration (Khobotov): the ratio rho |F(z) - F(y)| / |z - y| has
 * to be below ratio_most, and where it is below ratio_least the next step is tried larger. The second
 * and the third converge (Korpelevich 1976; Khobotov 1987; He 1997), the first when M is symmetric or
 * F strongly monotone (De Saxce & Feng 1998 for friction). Coulomb's shift makes F not monotone:
 * convergence is then common, not certain.
 *
 * Where M is symmetric the problem without shifts is to minimise f(z) = 1/2 z^T M z + q^T z over C,
 * with the gradient g = w.
 *
 * projected_gradient (spectral projected gradient SPG2 of Birgin, Martinez & Raydan 2000):
 *
 *     d = P(z - alpha R g) - z,   z+ = z + lambda d,
 *     alpha = d.d / d.M d  or  d.M d / |R M d|^2      (Barzilai & Borwein 1988, in turn)
 *
 * lambda = 1 when f(z + d) is below the largest of the last `memory` values by some of the slope
 * (Grippo, Lampariello & Lucidi 1986), otherwise the exact minimiser along d. One product, M d,
 * gives alpha, lambda, f and the next gradient.
 *
 * conjugate_projected_gradient: with the lowest point z + q over the plane that d and the last step p
 * span, and alpha from that step,
 *
 *     q = a d + b p,   z+ = P(z + q)
 *
 * While z stays on a flat face these are conjugate gradients (Renouf & Alart 2005 take the same from
 * projections on tangent cones). Where P cuts little of q, on a curved face, z+ is the lowest point
 * of the chord; where it cuts more, on another face, a spectral step is made instead.
 *
 * De Saxce's shift enters the last two as an outer iteration: with s = s(w) held, the programme with
 * q + s is solved to part of the accuracy that s has, then s is renewed (the fixed point of Acary,
 * Cadoux, Lemarechal & Malick, ZAMM 91, 2011, solved inexactly); the mean of old and new is taken
 * from where that does not come nearer.
 */
#include "blockwise.h"
#include "watch.h"

enum {
  most_trials = 60,      /* of a step: two thirds of two thirds ... end beyond any scale */
  stall_interval = 1000, /* iterations to come nearer in */
  most_memory = 50,      /* room for it; Birgin, Martinez & Raydan take */
  usual_memory = 10,
  refresh_interval = 50, /* iterations between gradients computed anew, which ends their drift */
};

static const double first_ratio_most = 0.9;  /* below 1, what convergence asks for */
static const double ratio_least = 1.0 / 3.0; /* of ratio_most: a longer step is worth a trial */
static const double step_down =
    2.0 / 3.0; /* of rho; the steps of Khobotov and those who follow him */
static const double step_up = 1.5;
static const double relaxation = 1.5; /* gamma; less than 2, above 1.5 less sure without monotony */
static const double stalled = 0.99;   /* part of |z - y| / rho left after a stretch of iterations */
static const double shift_accuracy = 0.1; /* of the natural residual at the last renewal of s */
static const double descent = 1e-4;       /* of the slope that f has to fall by */
static const double alpha_least = 1e-10;  /* limits of alpha in units of the inverse diagonal */
static const double alpha_most = 1e10;    /* what a direction without curvature gets */
static const double noise = 1e-15;        /* part of a step that P cuts off by rounding */
static const double cut_limit = 0.02;     /* part of a step that P may cut off on a curved face */
static const double dependent = 1e-12;    /* of two directions in the metric of M */

typedef struct projection {
  const nsds_problem *problem;
  int n;
  double *r;    /* n: metric */
  double *z;    /* n: iterate */
  double *work; /* of the products */

  double *F;         /* n: F(z) */
  double *y, *G;     /* n each: trial point and F there */
  double rho;        /* of the next trial */
  double ratio_most; /* halved when a stretch of iterations has not come nearer */
  double nearest;    /* least |z - y| / rho of the stretch */
  double before;     /* that of the stretch before */

  nsds_problem linear;        /* the problem with q = 0, for products M d */
  double *zero;               /* n */
  double *g;                  /* n: gradient M z + q + s */
  double *d, *Md;             /* n each: step and the product of the step or the direction */
  double *s;                  /* n: shift, held */
  bool shifts;                /* some block has a shift */
  double renewal;             /* natural residual when s was renewed last */
  bool damped;                /* so that s does not turn back and forth */
  double alpha;               /* of the next step */
  bool fresh;                 /* another function: nothing is remembered */
  double *p, *Mp;             /* n each: conjugate: last step, or this one, and M times it */
  double *q, *c;              /* n each: lowest point of a plane, as far as it is in C */
  int memory, changes;        /* values of f that count, changes since it is another */
  double change[most_memory]; /* of f in the last steps */
} projection;

/* ---- along F ---- */

static void field(const projection *t, const double *z, double *F) {
  nsds_problem_multiply(t->problem, z, F, t->work);
  nsds_shift(t->problem, F, F);
}

/* y = P(z - rho R F) */
static void move(const projection *t, double rho, const double *F, double *y) {
  nsds_project_step(t->problem, rho, t->r, t->z, F, y);
}

/* |z - y| in the metric. */
static double distance(const projection *t) {
  return sqrt(nsds_distance_z(t->n, t->r, t->z, t->y));
}

/* rho |F - G| / |z - y|, the local Lipschitz constant in units of 1 / rho. */
static double ratio(const projection *t) {
  double sum = 0.0, moved = distance(t);
  if (moved == 0.0) return 0.0;
  for (int i = 0; i < t->n; ++i) sum += (t->F[i] - t->G[i]) * (t->F[i] - t->G[i]) * t->r[i];
  return t->rho * sqrt(sum) / moved;
}

/* y = P(z - rho R F(z)) and G = F(y) with rho small enough; rho is left as next to be tried.
 * Returns the rho that made y. */
static double predict(projection *t) {
  double rho = t->rho, found = INFINITY;
  for (int k = 0; k < most_trials && !(found <= t->ratio_most); ++k) {
    rho = t->rho;
    move(t, rho, t->F, t->y);
    field(t, t->y, t->G);
    found = ratio(t);
    if (!(found <= t->ratio_most)) t->rho *= step_down * (found < 1.0 ? 1.0 : 1.0 / found);
    if (isnan(found)) break;
  }
  if (found < ratio_least * t->ratio_most) t->rho *= step_up;
  t->nearest = fmin(t->nearest, distance(t) / rho);
  return rho;
}

static void accept_trial(projection *t) {
  double *z = t->z, *F = t->F;
  t->z = t->y;
  t->F = t->G;
  t->y = z;
  t->G = F;
}

/* Where F is not monotone the iterates may cycle: smaller steps may not. */
static void look_for_stall(projection *t, int k) {
  if (k % stall_interval != 0) return;
  if (t->nearest > stalled * t->before) t->ratio_most *= 0.5;
  t->before = t->nearest;
  t->nearest = INFINITY;
}

static void step_fixed_point(projection *t, int k) {
  predict(t);
  accept_trial(t);
  look_for_stall(t, k);
}

/* z+ = P(z - length R F(y)) */
static void correct(projection *t, double length) {
  move(t, length, t->G, t->z);
  field(t, t->z, t->F);
}

static void step_extragradient(projection *t, int k) {
  correct(t, predict(t));
  look_for_stall(t, k);
}

/* From differences alone: near a solution F(y).(z - y) is of second order and lost in rounding. */
static void step_hyperplane(projection *t, int k) {
  double rho = predict(t), up = 0.0, down = 0.0;
  for (int i = 0; i < t->n; ++i) {
    double e = t->z[i] - t->y[i], d = e - rho * t->r[i] * (t->F[i] - t->G[i]);
    up += e * d / t->r[i];
    down += d * d / t->r[i];
  }
  correct(t, down > 0.0 ? relaxation * rho * up / down : rho);
  look_for_stall(t, k);
}

static void begin_field(projection *t) {
  t->ratio_most = first_ratio_most;
  t->nearest = t->before = INFINITY;
  field(t, t->z, t->F);
}

/* ---- gradient and shift ---- */

/* | z - P(z - R g) |, zero at a solution for the held shift. */
static double natural_residual(const projection *t, double *trial) {
  nsds_project_step(t->problem, 1.0, t->r, t->z, t->g, trial);
  return sqrt(nsds_distance_z(t->n, t->r, t->z, trial));
}

/* g from scratch. */
static void refresh(projection *t) {
  nsds_problem_multiply(t->problem, t->z, t->g, t->work);
  for (int i = 0; i < t->n; ++i) t->g[i] += t->s[i];
}

/* s = s(w), w = g - s, or the mean with the old one. */
static void find_shift(projection *t) {
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
  t->fresh = true;
}

/* After step k: against drift, and the shift that its end has. */
static void tend(projection *t, int k) {
  if (k % refresh_interval == 0) refresh(t);
  if (t->shifts && natural_residual(t, t->d) <= shift_accuracy * t->renewal) find_shift(t);
}

static void begin_gradient(projection *t) {
  t->linear = *t->problem;
  t->linear.q = t->zero;
  t->renewal = INFINITY;
  t->alpha = 1.0;
  t->fresh = true;
  nsds_zero_doubles(t->zero, (size_t)t->n);
  nsds_zero_doubles(t->s, (size_t)t->n);
  refresh(t);
  if (t->shifts) find_shift(t);
}

/* d = P(z - alpha R g) - z, and g.d: at most -d.d / alpha by the projection; near a solution with g
 * other than 0 rounding leaves only that of the sum. */
static double find_descent(projection *t, double alpha) {
  nsds_project_step(t->problem, alpha, t->r, t->z, t->g, t->d);
  for (int i = 0; i < t->n; ++i) t->d[i] -= t->z[i];
  return fmin(nsds_dot(t->n, t->g, t->d), -nsds_dot_z(t->n, t->r, t->d, t->d) / alpha);
}

/* M d into Md; d.M d. */
static double find_curvature(const projection *t, const double *d, double *Md) {
  nsds_problem_multiply(&t->linear, d, Md, t->work);
  return nsds_dot(t->n, d, Md);
}

/* The change of f over lambda d; the lowest point with lambda <= 1. */
static double change_of(double lambda, double slope, double curvature) {
  return lambda * (slope + 0.5 * lambda * curvature);
}
static double lowest(double slope, double curvature) {
  return curvature > 0.0 ? fmin(1.0, -slope / curvature) : 1.0;
}

/* z += lambda d, g += lambda M d; the step becomes p. */
static void advance(projection *t, double lambda, const double *d, const double *Md) {
  for (int i = 0; i < t->n; ++i) {
    t->p[i] = lambda * d[i];
    t->Mp[i] = lambda * Md[i];
    t->z[i] += t->p[i];
    t->g[i] += t->Mp[i];
  }
}

/* ---- spectral steps ---- */

/* The largest of the last values of f over the present one, from changes: near a solution they are
 * far below the rounding of f itself. */
static double largest_value(const projection *t) {
  double most = 0.0, f = 0.0;
  for (int k = t->changes - 1; k >= 0 && k > t->changes - t->memory; --k) {
    f -= t->change[k % t->memory];
    most = fmax(most, f);
  }
  return most;
}

/* lambda, and the change of f into the memory. */
static double line_search(projection *t, double slope, double curvature) {
  bool falls = slope + 0.5 * curvature <= largest_value(t) + descent * slope;
  double lambda = falls ? 1.0 : lowest(slope, curvature);
  t->change[t->changes++ % t->memory] = change_of(lambda, slope, curvature);
  return lambda;
}

/* The two quotients of a step in turn; one without curvature asks for the longest. */
static void choose_alpha(projection *t, const double *d, const double *Md, double curvature,
                         int k) {
  double up = k % 2 ? nsds_dot_z(t->n, t->r, d, d) : curvature;
  double down = k % 2 ? curvature : nsds_dot_w(t->n, t->r, Md, Md);
  double alpha = curvature > 0.0 ? up / down : alpha_most;
  t->alpha = fmin(fmax(alpha, alpha_least), alpha_most);
}

static void step_spectral(projection *t, int k) {
  if (t->fresh) t->changes = 0;
  t->fresh = false;
  double slope = find_descent(t, t->alpha), curvature = find_curvature(t, t->d, t->Md);
  advance(t, line_search(t, slope, curvature), t->d, t->Md);
  choose_alpha(t, t->d, t->Md, curvature, k);
  tend(t, k);
}

/* ---- conjugate directions ---- */

/* q, the lowest point over d and p, of f with these derivatives along d; M q goes to c. */
static void find_lowest(projection *t, double slope, double curvature) {
  int n = t->n;
  double pMp = nsds_dot(n, t->p, t->Mp), dMp = nsds_dot(n, t->d, t->Mp),
         along = nsds_dot(n, t->g, t->p);
  double a = curvature > 0.0 ? -slope / curvature : 1.0, b = 0.0, det = curvature * pMp - dMp * dMp;
  if (!t->fresh && det > dependent * curvature * pMp) {
    a = (along * dMp - slope * pMp) / det;
    b = (slope * dMp - along * curvature) / det;
  }
  for (int i = 0; i < n; ++i) {
    t->q[i] = a * t->d[i] + b * t->p[i];
    t->c[i] = a * t->Md[i] + b * t->Mp[i];
  }
}

/* P(z + q) - z in the place of the last step; the part of q that P cut. */
static double find_chord(projection *t) {
  double cut = 0.0, size = 0.0;
  for (int i = 0; i < t->n; ++i) t->p[i] = t->z[i] + t->q[i];
  nsds_project(t->problem, t->p, t->p);
  for (int i = 0; i < t->n; ++i) {
    t->p[i] -= t->z[i];
    cut += (t->q[i] - t->p[i]) * (t->q[i] - t->p[i]) / t->r[i];
    size += t->q[i] * t->q[i] / t->r[i];
  }
  return size > 0.0 ? sqrt(cut / size) : 0.0;
}

static void step_conjugate(projection *t, int k) {
  double slope = find_descent(t, t->alpha), curvature = find_curvature(t, t->d, t->Md);
  find_lowest(t, slope, curvature);
  double cut = find_chord(t), along = nsds_dot(t->n, t->g, t->p);
  bool stays = cut <= noise || (cut < cut_limit && along < 0.0);
  if (t->fresh || stays) t->changes = 0;
  if (!stays) advance(t, line_search(t, slope, curvature), t->d, t->Md);
  else if (cut <= noise) advance(t, 1.0, t->q, t->c);
  else advance(t, lowest(along, find_curvature(t, t->p, t->Mp)), t->p, t->Mp);
  choose_alpha(t, t->p, t->Mp, nsds_dot(t->n, t->p, t->Mp), k);
  t->fresh = false;
  tend(t, k);
}

/* ---- the methods ---- */

typedef struct kind {
  int arrays;     /* of a projection */
  int iterations; /* by default */
  void (*begin)(projection *);
  void (*step)(projection *, int k);
} kind;

/* Two products to a step, slow where badly conditioned; or one. */
static const kind kinds[] = {{5, 20000, begin_field, step_fixed_point},
                             {5, 20000, begin_field, step_extragradient},
                             {5, 20000, begin_field, step_hyperplane},
                             {11, 100000, begin_gradient, step_spectral},
                             {11, 100000, begin_gradient, step_conjugate}};
enum { FIXED_POINT, EXTRAGRADIENT, HYPERPLANE, SPECTRAL, CONJUGATE };

static nsds_status solve(nsds_solver *solver, const nsds_problem *problem, double *z,
                         nsds_solver_info *info) {
  const kind *by = &kinds[solver->method->variant];
  double option = solver->value[OPTION_FIRST_OWN];
  nsds_watch watch = nsds_watch_start(solver, problem, z, by->iterations, 0, info);
  if (nsds_watch_done(&watch)) return NSDS_OK;
  projection t = {.problem = problem,
                  .n = problem->n,
                  .work = solver->toolbox->certify_work,
                  .shifts = (solver->toolbox->sets & nsds_shifted_sets) != 0,
                  .rho = option,
                  .memory = by->step == step_spectral ? (int)option : usual_memory};
  double **const fields[] = {&t.r, &t.z, &t.F, &t.y, &t.G},
                 **const gradients[] = {&t.r,    &t.z, &t.g,  &t.d, &t.Md, &t.s,
                                        &t.zero, &t.p, &t.Mp, &t.q, &t.c};
  nsds_share(solver->toolbox->scratch, (size_t)t.n, (size_t)by->arrays,
             by->begin == begin_field ? fields : gradients);
  nsds_metric(problem, t.r, t.z);
  memcpy(t.z, z, (size_t)t.n * sizeof *z);
  by->begin(&t);
  for (int k = 1;; ++k) {
    by->step(&t, k);
    if (nsds_watch_step(&watch, k, t.z)) return NSDS_OK;
  }
}

static nsds_status reserve(nsds_solver *solver, const nsds_problem *problem) {
  size_t arrays = (size_t)kinds[solver->method->variant].arrays;
  return nsds_watch_reserve(solver, problem, arrays * (size_t)problem->n);
}

static const nsds_option field_options[] = {
    NSDS_COMMON_OPTIONS(0.0, "largest number of projections; 0: 20000"),
    {"step", "1", "first step size in units of the inverse diagonal of M; adapted from there", 1.0,
     1e-12, 1e12},
    {0}};

static const nsds_option spectral_options[] = {
    NSDS_COMMON_OPTIONS(0.0, "largest number of projections; 0: 100000"),
    {"memory", "integer", "values of the objective that the line search compares with; 1: monotone",
     usual_memory, 1.0, most_memory},
    {0}};

static const nsds_option conjugate_options[] = {
    NSDS_COMMON_OPTIONS(0.0, "largest number of directions; 0: 100000"), {0}};

#define METHOD(label, number, options, says, source)                                               \
  const nsds_method nsds_method_##label = {.row = {.name = #label,                                 \
                                                   .summary = says,                                \
                                                   .reference = source,                            \
                                                   NSDS_ANY_PROBLEM,                               \
                                                   .option = options},                             \
                                           .variant = number,                                      \
                                           .reserve = reserve,                                     \
                                           .solve = solve};

METHOD(fixed_point_projection, FIXED_POINT, field_options,
       "Projected steps with self-adaptive size, one product each; symmetric M.",
       "De Saxce, Feng: Math. Comput. Model. 28 (1998); Acary, Bremond, Huber: Advanced Topics in "
       "Nonsmooth Dynamics (2018), 7.5")
METHOD(
    extragradient, EXTRAGRADIENT, field_options,
    "Extragradient projections with self-adaptive size, matrix-free; any monotone problem at low "
    "accuracy.",
    "Korpelevich: Matecon 12 (1976); Khobotov: USSR Comput. Math. Math. Phys. 27 (1987)")
METHOD(hyperplane_projection, HYPERPLANE, field_options,
       "Relaxed projections beyond separating hyperplanes, matrix-free; monotone problems in fewer "
       "steps.",
       "He: Appl. Math. Optim. 35 (1997); Solodov, Svaiter: SIAM J. Control Optim. 37 (1999)")
METHOD(projected_gradient, SPECTRAL, spectral_options,
       "Spectral projected gradients for symmetric M, matrix-free; shifts as outer iteration.",
       "Birgin, Martinez, Raydan: SIAM J. Optim. 10 (2000)")
METHOD(
    conjugate_projected_gradient, CONJUGATE, conjugate_options,
    "Conjugate gradients on the face of C that z lies on, for symmetric M, matrix-free; shifts as "
    "outer iteration.",
    "Renouf, Alart: Comput. Methods Appl. Mech. Engrg. 194 (2005)")
