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
 * conjugate_projected_gradient (Renouf & Alart 2005, who use the face of the friction discs):
 *
 *     v = T(-R g),   p = v + beta T(p-),   beta = max(0, v.(v - v-) / v-.v-)   (Polak & Ribiere)
 *     z+ = P(z + alpha p),   alpha = v.p / (p.M p + curvature of the boundary)
 *
 * While z stays on a flat face these are conjugate gradients. The boundary of a disc or cone adds
 * 2 g.c / h^2, c = P(z + h p) - z - h p, to the second derivative of f along the arc. A step of
 * which P cuts more than a part (another face) ends the sequence: z+ is then the lowest point of
 * the chord. Where p does not descend a projected gradient step is made. T is the difference
 * quotient of P over a step that is small against z.
 *
 * De Saxce's shift enters as an outer iteration: with s = s(w) held, the programme with q + s is
 * solved to part of the accuracy that s has, then s is renewed (the fixed point of Acary, Cadoux,
 * Lemarechal & Malick, ZAMM 91, 2011, solved inexactly).
 */
#include "blockwise.h"
#include "watch.h"

enum { OPTION_MEMORY = OPTION_FIRST_OWN };

enum { SPECTRAL, CONJUGATE };

enum {
  arrays = 11,                 /* of a gradient */
  default_iterations = 100000, /* one product each */
  most_memory = 50,            /* room for it; Birgin, Martinez & Raydan take 10 */
  refresh_interval = 50 /* iterations between gradients computed anew, which ends their drift */
};

static const double shift_accuracy = 0.1;  /* of the natural residual at the last renewal of s */
static const double descent = 1e-4;        /* of the slope that f has to fall by */
static const double alpha_least = 1e-10;   /* limits of alpha in units of the inverse diagonal */
static const double alpha_most = 1e10;     /* what a direction without curvature gets */
static const double tangent_step = 1e-6;   /* of the difference quotient, against z */
static const double curvature_step = 1e-4; /* h of the boundary's curvature, against z */
static const double noise = 1e-15;         /* rounding of a change of f, of a step */
static const double cut_limit = 0.02;      /* part of a step that P may cut off a curved face */
static const double growth = 10.0;         /* of the step along a direction without curvature */

typedef struct gradient {
  const nsds_problem *problem;
  nsds_problem linear; /* the same with q = 0, for products M d */
  int n;
  double *r;       /* n: metric */
  double *z, *g;   /* n each: iterate, gradient M z + q + s */
  double *d, *Md;  /* n each: step and the product of the step or the direction */
  double *s;       /* n: shift, held */
  double *zero;    /* n */
  double *work;    /* of the products */
  bool shifts;     /* some block has a shift */
  double renewal;  /* natural residual when s was renewed last */
  double alpha;    /* of the next spectral step, of the last conjugate one */
  bool fresh;      /* another function, or another face: nothing is remembered */
  double spectral; /* conjugate: step of the next projected gradient, d.d / d.M d of the last one */
  bool cut;        /* the last step ended on another face */
  double *p;       /* n: direction */
  double *v, *old; /* n each: projected gradient, the last one */
  double *h;       /* n: steps of the difference quotients, equal over coupled rows */
  int memory, changes;        /* spectral: values of f that count, changes since it is another */
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

/* s = s(w), w = g - s. */
static void find_shift(gradient *t) {
  for (int i = 0; i < t->n; ++i) t->g[i] -= t->s[i];
  nsds_shift(t->problem, t->g, t->s);
  for (int i = 0; i < t->n; ++i) {
    double w = t->g[i];
    t->g[i] = t->s[i];
    t->s[i] -= w;
  }
  t->renewal = natural_residual(t, t->d);
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
static double find_curvature(gradient *t, const double *d) {
  nsds_problem_multiply(&t->linear, d, t->Md, t->work);
  return nsds_dot(t->n, d, t->Md);
}

/* z += lambda d, g += lambda M d. */
static void advance(gradient *t, double lambda) {
  for (int i = 0; i < t->n; ++i) {
    t->z[i] += lambda * t->d[i];
    t->g[i] += lambda * t->Md[i];
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
  double lambda = 1.0;
  bool falls = slope + 0.5 * curvature <= largest_value(t) + descent * slope;
  if (!falls && curvature > 0.0) lambda = fmin(1.0, -slope / curvature);
  t->change[t->changes++ % t->memory] = lambda * (slope + 0.5 * lambda * curvature);
  return lambda;
}

/* The two quotients in turn; a direction without curvature asks for the longest step. */
static void choose_alpha(gradient *t, double curvature, int k) {
  double up = k % 2 ? nsds_dot_z(t->n, t->r, t->d, t->d) : curvature;
  double down = k % 2 ? curvature : nsds_dot_w(t->n, t->r, t->Md, t->Md);
  double alpha = curvature > 0.0 ? up / down : alpha_most;
  t->alpha = fmin(fmax(alpha, alpha_least), alpha_most);
}

static void step_spectral(gradient *t, int k) {
  if (t->fresh) t->changes = 0;
  t->fresh = false;
  double slope = find_descent(t, t->alpha), curvature = find_curvature(t, t->d);
  advance(t, line_search(t, slope, curvature));
  choose_alpha(t, curvature, k);
}

/* ---- conjugate directions ---- */

/* Steps h with h |u| = small (|z| + alpha |u|), row by row or block by block. */
static void choose_steps(const gradient *t, double small, const double *u) {
  const nsds_problem *problem = t->problem;
  for (int a = 0, row = 0; a < problem->nblock; ++a) {
    int m = problem->block[a].size, rows = problem->block[a].set & nsds_separable_sets ? 1 : m;
    for (int end = row + m; row < end; row += rows) {
      double size = nsds_dot(rows, u + row, u + row);
      double ratio = nsds_dot(rows, t->z + row, t->z + row) / size;
      for (int i = row; i < row + rows; ++i)
        t->h[i] = size > 0.0 ? small * (sqrt(ratio) + t->alpha) : 1.0;
    }
  }
}

/* P(z + h u) for these steps h. */
static void probe(const gradient *t, double small, const double *u, double *p) {
  choose_steps(t, small, u);
  for (int i = 0; i < t->n; ++i) p[i] = t->z[i] + t->h[i] * u[i];
  nsds_project(t->problem, p, p);
}

/* u = T(u) */
static void tangent(const gradient *t, double *u) {
  probe(t, tangent_step, u, u);
  for (int i = 0; i < t->n; ++i) u[i] = (u[i] - t->z[i]) / t->h[i];
}

/* 2 g.c / h^2 over the blocks with a curved boundary. */
static double boundary_curvature(const gradient *t, double *trial) {
  static const unsigned flat = nsds_separable_sets | NSDS_SET_POLYHEDRON;
  double sum = 0.0;
  probe(t, curvature_step, t->p, trial);
  for (int a = 0, row = 0; a < t->problem->nblock; ++a)
    for (int end = row + t->problem->block[a].size; row < end; ++row) {
      if (t->problem->block[a].set & flat) continue;
      double cut = trial[row] - t->z[row] - t->h[row] * t->p[row];
      sum += 2.0 * t->g[row] * cut / (t->h[row] * t->h[row]);
    }
  return fmax(sum, 0.0);
}

/* p, and the derivative of f along it, at most 0. */
static double find_direction(gradient *t) {
  int n = t->n;
  double before = nsds_dot_z(n, t->r, t->old, t->old), beta = 0.0;
  for (int i = 0; i < n; ++i) t->v[i] = -t->r[i] * t->g[i];
  tangent(t, t->v);
  double now = nsds_dot_z(n, t->r, t->v, t->v);
  if (!t->fresh && before > 0.0) {
    beta = fmax(0.0, (now - nsds_dot_z(n, t->r, t->v, t->old)) / before);
    tangent(t, t->p);
  }
  for (int i = 0; i < n; ++i) t->p[i] = t->v[i] + (beta > 0.0 ? beta * t->p[i] : 0.0);
  memcpy(t->old, t->v, (size_t)n * sizeof *t->v);
  return -nsds_dot_z(n, t->r, t->v, t->p);
}

/* To z + lambda d: to the lowest point with lambda <= 1, or nowhere when d does not descend; but
 * with lambda = 1 where f does not rise by more than its rounding. Returns whether it rises by
 * more. */
static bool follow_chord(gradient *t, double slope) {
  double curvature = find_curvature(t, t->d), scale = 0.0, lambda = 1.0;
  for (int i = 0; i < t->n; ++i) scale += fabs(t->g[i] * t->z[i]);
  bool rises = slope + 0.5 * curvature > noise * scale;
  if (rises) lambda = slope < 0.0 ? -slope / curvature : 0.0;
  advance(t, lambda);
  return rises;
}

static void step_gradient(gradient *t) {
  follow_chord(t, find_descent(t, t->spectral));
  double curvature = nsds_dot(t->n, t->d, t->Md);
  t->spectral = curvature > 0.0 ? nsds_dot_z(t->n, t->r, t->d, t->d) / curvature : 1.0;
  t->fresh = true;
  t->cut = false;
}

/* d = P(z + alpha p) - z; the part of the step that P cut. */
static double find_step(gradient *t) {
  double cut = 0.0, size = 0.0;
  for (int i = 0; i < t->n; ++i) t->d[i] = t->z[i] + t->alpha * t->p[i];
  nsds_project(t->problem, t->d, t->d);
  for (int i = 0; i < t->n; ++i) {
    double wanted = t->alpha * t->p[i];
    t->d[i] -= t->z[i];
    cut += (wanted - t->d[i]) * (wanted - t->d[i]) / t->r[i];
    size += wanted * wanted / t->r[i];
  }
  return size > 0.0 ? sqrt(cut / size) : 0.0;
}

static void step_conjugate(gradient *t, int k) {
  (void)k;
  double slope = t->cut ? 0.0 : find_direction(t);
  if (!(slope < 0.0)) {
    step_gradient(t);
    return;
  }
  double curvature = find_curvature(t, t->p) + boundary_curvature(t, t->d);
  t->alpha = curvature > 0.0 ? -slope / curvature : growth * t->alpha;
  double cut = find_step(t);
  t->cut = cut > cut_limit;
  if (cut < noise) {
    memcpy(t->d, t->p, (size_t)t->n * sizeof *t->d);
    advance(t, t->alpha);
  } else if (follow_chord(t, nsds_dot(t->n, t->g, t->d))) {
    t->cut = true;
  }
  t->fresh = t->cut;
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
                .alpha = 1.0,
                .spectral = 1.0,
                .fresh = true,
                .memory = variant == SPECTRAL ? (int)solver->value[OPTION_MEMORY] : 1};
  double **const part[arrays] = {&t.z,    &t.g, &t.d, &t.Md,  &t.s, &t.r,
                                 &t.zero, &t.p, &t.v, &t.old, &t.h};
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
     10.0, 1.0, most_memory},
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
