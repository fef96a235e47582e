/*
 * Projected gradients for symmetric M, where the problem without shifts is the convex programme
 *
 *     minimise f(z) = 1/2 z^T M z + q^T z over z in C,   gradient g = M z + q = w,
 *
 * in the metric R of blockwise.h; T is the projection on the tangent cone of C at z, P that on C.
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
 * De Saxce's shift enters as an outer iteration: with s = s(w) held, the programme with q + s is
 * solved to part of the accuracy that s has, then s is renewed (the fixed point of Acary, Cadoux,
 * Lemarechal & Malick, ZAMM 91, 2011, solved inexactly); the mean of old and new is taken from where
 * that does not come nearer.
 */
#include "blockwise.h"
#include "watch.h"

enum { OPTION_MEMORY = OPTION_FIRST_OWN };

enum { SPECTRAL, CONJUGATE };

enum {
  arrays = 11,                 /* of a gradient */
  default_iterations = 100000, /* one product each */
  most_memory = 50,            /* room for it; Birgin, Martinez & Raydan take */
  usual_memory = 10,
  refresh_interval = 50 /* iterations between gradients computed anew, which ends their drift */
};

static const double shift_accuracy = 0.1; /* of the natural residual at the last renewal of s */
static const double descent = 1e-4;       /* of the slope that f has to fall by */
static const double alpha_least = 1e-10;  /* limits of alpha in units of the inverse diagonal */
static const double alpha_most = 1e10;    /* what a direction without curvature gets */
static const double noise = 1e-15;        /* part of a step that P cuts off by rounding */
static const double cut_limit = 0.02;     /* part of a step that P may cut off on a curved face */
static const double dependent = 1e-12;    /* of two directions in the metric of M */

typedef struct gradient {
  const nsds_problem *problem;
  nsds_problem linear; /* the same with q = 0, for products M d */
  int n;
  double *r;                  /* n: metric */
  double *z, *g;              /* n each: iterate, gradient M z + q + s */
  double *d, *Md;             /* n each: step and the product of the step or the direction */
  double *s;                  /* n: shift, held */
  double *zero;               /* n */
  double *work;               /* of the products */
  bool shifts;                /* some block has a shift */
  double renewal;             /* natural residual when s was renewed last */
  bool damped;                /* so that s does not turn back and forth */
  double alpha;               /* of the next step */
  bool fresh;                 /* another function: nothing is remembered */
  double *p, *Mp;             /* n each: conjugate: last step, or this one, and M times it */
  double *q, *c;              /* n each: lowest point of a plane, as far as it is in C */
  int memory, changes;        /* values of f that count, changes since it is another */
  double change[most_memory]; /* of f in the last steps */
} gradient;

/* ---- iterate, gradient and shift ---- */

/* | z - P(z - R g) |, zero at a solution for the held shift. */
static double natural_residual(const gradient *t, double *trial) {
  nsds_project_step(t->problem, 1.0, t->r, t->z, t->g, trial);
  return sqrt(nsds_distance_z(t->n, t->r, t->z, trial));
}

/* g from scratch. */
static void refresh(gradient *t) {
  nsds_problem_multiply(t->problem, t->z, t->g, t->work);
  for (int i = 0; i < t->n; ++i) t->g[i] += t->s[i];
}

/* s = s(w), w = g - s, or the mean with the old one. */
static void find_shift(gradient *t) {
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

/* d = P(z - alpha R g) - z, and g.d: at most -d.d / alpha by the projection; near a solution with g
 * other than 0 rounding leaves only that of the sum. */
static double find_descent(gradient *t, double alpha) {
  nsds_project_step(t->problem, alpha, t->r, t->z, t->g, t->d);
  for (int i = 0; i < t->n; ++i) t->d[i] -= t->z[i];
  return fmin(nsds_dot(t->n, t->g, t->d), -nsds_dot_z(t->n, t->r, t->d, t->d) / alpha);
}

/* M d into Md; d.M d. */
static double find_curvature(const gradient *t, const double *d, double *Md) {
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
static void advance(gradient *t, double lambda, const double *d, const double *Md) {
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
static double largest_value(const gradient *t) {
  double most = 0.0, f = 0.0;
  for (int k = t->changes - 1; k >= 0 && k > t->changes - t->memory; --k) {
    f -= t->change[k % t->memory];
    most = fmax(most, f);
  }
  return most;
}

/* lambda, and the change of f into the memory. */
static double line_search(gradient *t, double slope, double curvature) {
  bool falls = slope + 0.5 * curvature <= largest_value(t) + descent * slope;
  double lambda = falls ? 1.0 : lowest(slope, curvature);
  t->change[t->changes++ % t->memory] = change_of(lambda, slope, curvature);
  return lambda;
}

/* The two quotients of a step in turn; one without curvature asks for the longest. */
static void choose_alpha(gradient *t, const double *d, const double *Md, double curvature, int k) {
  double up = k % 2 ? nsds_dot_z(t->n, t->r, d, d) : curvature;
  double down = k % 2 ? curvature : nsds_dot_w(t->n, t->r, Md, Md);
  double alpha = curvature > 0.0 ? up / down : alpha_most;
  t->alpha = fmin(fmax(alpha, alpha_least), alpha_most);
}

static void step_spectral(gradient *t, int k) {
  if (t->fresh) t->changes = 0;
  t->fresh = false;
  double slope = find_descent(t, t->alpha), curvature = find_curvature(t, t->d, t->Md);
  advance(t, line_search(t, slope, curvature), t->d, t->Md);
  choose_alpha(t, t->d, t->Md, curvature, k);
}

/* ---- conjugate directions ---- */

/* q, the lowest point over d and p, of f with these derivatives along d; M q goes to c. */
static void find_lowest(gradient *t, double slope, double curvature) {
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
static double find_chord(gradient *t) {
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

static void step_conjugate(gradient *t, int k) {
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
}

/* ---- the methods ---- */

static nsds_status solve(nsds_solver *solver, const nsds_problem *problem, double *z,
                         nsds_solver_info *info) {
  static void (*const step[])(gradient *, int) = {step_spectral, step_conjugate};
  nsds_watch watch = nsds_watch_start(solver, problem, z, default_iterations, 0, info);
  if (nsds_watch_done(&watch)) return NSDS_OK;
  int variant = solver->method->variant;
  gradient t = {.problem = problem,
                .linear = *problem,
                .n = problem->n,
                .work = solver->toolbox->certify_work,
                .shifts = (solver->toolbox->sets & nsds_shifted_sets) != 0,
                .renewal = INFINITY,
                .alpha = 1.0,
                .fresh = true,
                .memory = variant == SPECTRAL ? (int)solver->value[OPTION_MEMORY] : usual_memory};
  double **const part[arrays] = {&t.z,    &t.g, &t.d,  &t.Md, &t.s, &t.r,
                                 &t.zero, &t.p, &t.Mp, &t.q,  &t.c};
  NSDS_SHARE(solver->toolbox->scratch, t.n, part);
  memset(t.zero, 0, (size_t)t.n * sizeof *t.zero);
  memset(t.s, 0, (size_t)t.n * sizeof *t.s);
  t.linear.q = t.zero;
  nsds_metric(problem, t.r, t.g);
  memcpy(t.z, z, (size_t)t.n * sizeof *z);
  refresh(&t);
  if (t.shifts) find_shift(&t);
  for (int k = 1;; ++k) {
    step[variant](&t, k);
    if (k % refresh_interval == 0) refresh(&t);
    if (t.shifts && natural_residual(&t, t.d) <= shift_accuracy * t.renewal) find_shift(&t);
    if (nsds_watch_step(&watch, k, t.z)) return NSDS_OK;
  }
}

static nsds_status reserve(nsds_solver *solver, const nsds_problem *problem) {
  return nsds_watch_reserve(solver, problem, arrays * (size_t)problem->n);
}

static const nsds_option spectral_options[] = {
    NSDS_COMMON_OPTIONS(0.0, "largest number of projections; 0: 100000"),
    {"memory", "integer", "values of the objective that the line search compares with; 1: monotone",
     usual_memory, 1.0, most_memory},
    {0}};

static const nsds_option conjugate_options[] = {
    NSDS_COMMON_OPTIONS(0.0, "largest number of directions; 0: 100000"), {0}};

const nsds_method nsds_method_projected_gradient = {
    .row = {.name = "projected_gradient",
            .summary = "Spectral projected gradients for symmetric M, matrix-free; shifts as outer "
                       "iteration.",
            .reference = "Birgin, Martinez, Raydan: SIAM J. Optim. 10 (2000)",
            NSDS_ANY_PROBLEM,
            .option = spectral_options},
    .variant = SPECTRAL,
    .reserve = reserve,
    .solve = solve,
};

const nsds_method nsds_method_conjugate_projected_gradient = {
    .row = {.name = "conjugate_projected_gradient",
            .summary = "Conjugate gradients on the face of C that z lies on, for symmetric M, "
                       "matrix-free; shifts as outer iteration.",
            .reference = "Renouf, Alart: Comput. Methods Appl. Mech. Engrg. 194 (2005)",
            NSDS_ANY_PROBLEM,
            .option = conjugate_options},
    .variant = CONJUGATE,
    .reserve = reserve,
    .solve = solve,
};
