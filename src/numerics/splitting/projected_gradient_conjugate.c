/*
 * Conjugate projected gradients for symmetric M (Renouf & Alart 2005, who use the face of the
 * friction discs): minimise f(z) = 1/2 z^T M z + q^T z over C, in the metric R of blockwise.h as
 * preconditioner,
 *
 *     v = T(-R g),   p = v + beta T(p-),   beta = max(0, v.(v - v-) / v-.v-)   (Polak & Ribiere)
 *     z+ = P(z + alpha p),   alpha = v.p / (p.M p + curvature of the boundary)
 *
 * T is the projection on the tangent cone of C at z, P that on C. While z stays on a flat face
 * these are conjugate gradients. The boundary of a disc or cone adds 2 g.c / h^2, c = P(z + h p) -
 * z - h p, to the second derivative of f along the arc. A step of which P cuts more than a part
 * (another face) ends the sequence: z+ is then the lowest point of the chord. Where p does not
 * descend a projected gradient step is made. T is the difference quotient of P over a step that is
 * small against z.
 *
 * De Saxce's shift enters as in projected_gradient.
 */
#include "blockwise.h"
#include "gradient.h"
#include "watch.h"

enum { own_arrays = 4, default_iterations = 100000, refresh_interval = 50 };

static const double tangent_step = 1e-6;   /* of the difference quotient, against z */
static const double curvature_step = 1e-4; /* h of the boundary's curvature, against z */
static const double noise = 1e-15;         /* rounding of a change of f, against g.z */
static const double cut_limit = 0.02;      /* part of a step that P may cut off a curved face */

typedef struct conjugate {
  nsds_gradient t; /* its d is the step, its Md the product of the direction or the step */
  double *p;       /* n: direction */
  double *v, *old; /* n each: projected gradient, the last one */
  double *h;       /* n: steps of the difference quotients, equal over coupled rows */
  double alpha;    /* last step */
  double gradient; /* step of the next projected gradient: d.d / d.M d of the last one */
  bool fresh;      /* there is no direction to be conjugate to */
  bool cut;        /* the last step ended on another face */
} conjugate;

/* Steps h with h |u| = small (|z| + alpha |u|), row by row or block by block. */
static void choose_steps(const conjugate *c, double small, const double *u) {
  const nsds_problem *problem = c->t.problem;
  for (int a = 0, row = 0; a < problem->nblock; ++a) {
    int m = problem->block[a].size, rows = problem->block[a].set & nsds_separable_sets ? 1 : m;
    for (int end = row + m; row < end; row += rows) {
      double size = nsds_dot(rows, u + row, u + row);
      double ratio = nsds_dot(rows, c->t.z + row, c->t.z + row) / size;
      for (int i = row; i < row + rows; ++i)
        c->h[i] = size > 0.0 ? small * (sqrt(ratio) + c->alpha) : 1.0;
    }
  }
}

/* u = T(u) */
static void tangent(const conjugate *c, double *u) {
  const double *z = c->t.z, *h = c->h;
  choose_steps(c, tangent_step, u);
  for (int i = 0; i < c->t.n; ++i) u[i] = z[i] + h[i] * u[i];
  nsds_project(c->t.problem, u, u);
  for (int i = 0; i < c->t.n; ++i) u[i] = (u[i] - z[i]) / h[i];
}

/* 2 g.c / h^2 over the blocks with a curved boundary. */
static double boundary_curvature(const conjugate *c, double *trial) {
  static const unsigned flat = nsds_separable_sets | NSDS_SET_POLYHEDRON;
  const nsds_gradient *t = &c->t;
  double sum = 0.0;
  choose_steps(c, curvature_step, c->p);
  for (int i = 0; i < t->n; ++i) trial[i] = t->z[i] + c->h[i] * c->p[i];
  nsds_project(t->problem, trial, trial);
  for (int a = 0, row = 0; a < t->problem->nblock; ++a)
    for (int end = row + t->problem->block[a].size; row < end; ++row) {
      if (t->problem->block[a].set & flat) continue;
      double cut = trial[row] - t->z[row] - c->h[row] * c->p[row];
      sum += 2.0 * t->g[row] * cut / (c->h[row] * c->h[row]);
    }
  return fmax(sum, 0.0);
}

/* p, and the derivative of f along it, at most 0. */
static double find_direction(conjugate *c) {
  nsds_gradient *t = &c->t;
  int n = t->n;
  double before = nsds_dot_z(n, t->r, c->old, c->old), beta = 0.0;
  for (int i = 0; i < n; ++i) c->v[i] = -t->r[i] * t->g[i];
  tangent(c, c->v);
  double now = nsds_dot_z(n, t->r, c->v, c->v);
  if (!c->fresh && before > 0.0) {
    beta = fmax(0.0, (now - nsds_dot_z(n, t->r, c->v, c->old)) / before);
    tangent(c, c->p);
  }
  for (int i = 0; i < n; ++i) c->p[i] = c->v[i] + (beta > 0.0 ? beta * c->p[i] : 0.0);
  memcpy(c->old, c->v, (size_t)n * sizeof *c->v);
  return -nsds_dot_z(n, t->r, c->v, c->p);
}

/* To z + lambda d: to the lowest point with lambda <= 1, or nowhere when d does not descend; but
 * with lambda = 1 where f does not rise by more than its rounding. Returns whether it rises by
 * more. */
static bool follow_chord(nsds_gradient *t, double slope) {
  nsds_problem_multiply(&t->linear, t->d, t->Md, t->work);
  double curvature = nsds_dot(t->n, t->d, t->Md), scale = 0.0, lambda = 1.0;
  for (int i = 0; i < t->n; ++i) scale += fabs(t->g[i] * t->z[i]);
  bool rises = slope + 0.5 * curvature > noise * scale;
  if (rises) lambda = slope < 0.0 ? -slope / curvature : 0.0;
  nsds_gradient_advance(t, lambda);
  return rises;
}

static void step_gradient(conjugate *c) {
  nsds_gradient *t = &c->t;
  nsds_gradient_project(t, c->gradient);
  follow_chord(t, nsds_gradient_slope(t, c->gradient));
  double curvature = nsds_dot(t->n, t->d, t->Md);
  c->gradient = curvature > 0.0 ? nsds_dot_z(t->n, t->r, t->d, t->d) / curvature : 1.0;
  c->fresh = true;
  c->cut = false;
}

/* d = P(z + alpha p) - z; the part of the step that P cut. */
static double find_step(conjugate *c) {
  nsds_gradient *t = &c->t;
  double cut = 0.0, size = 0.0;
  for (int i = 0; i < t->n; ++i) t->d[i] = t->z[i] + c->alpha * c->p[i];
  nsds_project(t->problem, t->d, t->d);
  for (int i = 0; i < t->n; ++i) {
    double wanted = c->alpha * c->p[i];
    t->d[i] -= t->z[i];
    cut += (wanted - t->d[i]) * (wanted - t->d[i]) / t->r[i];
    size += wanted * wanted / t->r[i];
  }
  return size > 0.0 ? sqrt(cut / size) : 0.0;
}

static void step_conjugate(conjugate *c, double slope) {
  nsds_gradient *t = &c->t;
  nsds_problem_multiply(&t->linear, c->p, t->Md, t->work);
  double curvature = nsds_dot(t->n, c->p, t->Md) + boundary_curvature(c, t->d);
  c->alpha = curvature > 0.0 ? -slope / curvature : 10.0 * c->alpha;
  double cut = find_step(c);
  c->cut = cut > cut_limit;
  if (cut < 1e-15) {
    memcpy(t->d, c->p, (size_t)t->n * sizeof *t->d);
    nsds_gradient_advance(t, c->alpha);
  } else if (follow_chord(t, nsds_dot(t->n, t->g, t->d))) {
    c->cut = true;
  }
  c->fresh = c->cut;
}

static void step(conjugate *c) {
  double slope = c->cut ? 0.0 : find_direction(c);
  if (slope < 0.0) step_conjugate(c, slope);
  else step_gradient(c);
}

static nsds_status solve(nsds_solver *solver, const nsds_problem *problem, double *z,
                         nsds_solver_info *info) {
  size_t n = (size_t)problem->n;
  nsds_watch watch = nsds_watch_start(solver, problem, z, default_iterations, 0, info);
  if (nsds_watch_done(&watch)) return NSDS_OK;
  double *own = solver->toolbox->scratch + nsds_gradient_arrays * n;
  conjugate c = {.t = nsds_gradient_start(solver, problem, z),
                 .p = own,
                 .v = own + n,
                 .old = own + 2 * n,
                 .h = own + 3 * n,
                 .alpha = 1.0,
                 .gradient = 1.0,
                 .fresh = true};
  for (int k = 1;; ++k) {
    step(&c);
    if (k % refresh_interval == 0) nsds_gradient_refresh(&c.t);
    if (nsds_gradient_renew(&c.t, c.t.d)) c.fresh = true;
    if (nsds_watch_step(&watch, k, c.t.z)) return NSDS_OK;
  }
}

static nsds_status reserve(nsds_solver *solver, const nsds_problem *problem) {
  return nsds_watch_reserve(solver, problem,
                            (nsds_gradient_arrays + own_arrays) * (size_t)problem->n);
}

static const nsds_option options[] = {
    NSDS_COMMON_OPTIONS(0.0, "largest number of directions; 0: 100000"), {0}};

const nsds_method nsds_method_conjugate_projected_gradient = {
    .row = {.name = "conjugate_projected_gradient",
            .summary = "Conjugate gradients on the face of C that z lies on, for symmetric M, "
                       "matrix-free; shifts as outer iteration.",
            .reference = "Renouf, Alart: Comput. Methods Appl. Mech. Engrg. 194 (2005)",
            .sets = nsds_every_set,
            .storages = nsds_all_storages,
            .option = options},
    .reserve = reserve,
    .solve = solve,
};
