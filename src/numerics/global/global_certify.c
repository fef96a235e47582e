/*
 * The certifier of the global problem, see nsds_global_certificate. Linear rows have componentwise
 * backward errors (Oettli & Prager 1964), blocks the natural map. The certifier shares no code with
 * the solvers.
 */
#include "numerics/certify/certify.h"
#include "numerics/certify/certify_sets.h"

#include <nsds/global.h>

#include <float.h>

static const double rounding = 64 * DBL_EPSILON; /* of terms, relative to the largest of all */

/* Reactions count as terms up to this multiple of the loads. Reactions of a problem without
 * solution diverge; relative to them nothing would be wrong. */
static const double most_reaction = 1e4;

/* Keeps e / s finite if both are zero. */
static const double underflow = 1e-290; /* far below squares that are not rounded to zero */

size_t nsds_global_work(const nsds_global_problem *problem) {
  return 3 * (size_t)problem->n + 5 * (size_t)problem->nv;
}

typedef struct sums {
  double *u, *s, *d;      /* n: velocity, size of its terms, scale of the law */
  double *e, *t, *m, *Mv; /* nv: residual, size of its terms, diagonal of M, M v */
  double *load;           /* nv: size of the terms f and M v */
  double most;            /* the largest t / sqrt(m) */
} sums;

/* Error norms for the figure usual in the literature. */
typedef struct norms {
  double error, f, w, b, Mv, r, u;
} norms;

static void global_certify_add(double *norm, double x) { *norm = nsds_certify_norm(*norm, x); }

/* Keeps the worst e / s so far; NaN stays. */
static void global_certify_beat(double *worst, double e, double s) {
  if (isnan(*worst)) return;
  double ratio = fabs(e) / (s + underflow);
  if (!(ratio <= *worst)) *worst = ratio;
}

/* ---- dynamics ---- */

static void add_entry(sums *t, int i, int j, double x, const double *v) {
  t->Mv[i] += x * v[j];
  t->t[i] += fabs(x * v[j]);
  if (i == j) t->m[i] += x;
}

static void multiply_mass(const nsds_matrix *M, const double *v, sums *t) {
  for (int j = 0; j < M->n; ++j) {
    if (M->storage == NSDS_CSC)
      for (int k = M->p[j]; k < M->p[j + 1]; ++k) add_entry(t, M->i[k], j, M->x[k], v);
    else
      for (int i = 0; i < M->n; ++i)
        add_entry(t, i, j, M->x[(size_t)i + (size_t)j * (size_t)M->n], v);
  }
}

/* e -= A x, t += |A| |x| */
static void subtract_product(const nsds_csc *A, const double *x, sums *t) {
  for (int j = 0; j < A->ncol; ++j)
    for (int k = A->p[j]; k < A->p[j + 1]; ++k) {
      t->e[A->i[k]] -= A->x[k] * x[j];
      t->t[A->i[k]] += fabs(A->x[k] * x[j]);
    }
}

/* Computes A_j^T diag(M)^-1 A_j of a column. */
static double column_d(const nsds_csc *A, int j, const sums *t) {
  double d = 0.0;
  for (int k = A->p[j]; k < A->p[j + 1]; ++k) d += A->x[k] / t->m[A->i[k]] * A->x[k];
  return d;
}

/* Returns the largest of the given velocities in square roots of energies. */
static double given_velocity(const nsds_csc *A, const double *c, const sums *t) {
  double most = 0.0;
  for (int j = 0; j < A->ncol; ++j) {
    double d = column_d(A, j, t);
    if (d > 0.0) most = fmax(most, fabs(c[j]) / sqrt(d));
  }
  return most;
}

/* Limits reactions as terms to most_reaction times the largest load. */
static void limit_terms(const nsds_global_problem *problem, sums *t) {
  double load =
      fmax(given_velocity(&problem->H, problem->w, t), given_velocity(&problem->G, problem->b, t));
  for (int i = 0; i < problem->nv; ++i) load = fmax(load, t->load[i] / sqrt(t->m[i]));
  for (int i = 0; i < problem->nv; ++i) {
    double limit = t->load[i] + most_reaction * load * sqrt(t->m[i]);
    if (t->t[i] > limit) t->t[i] = limit;
    t->most = fmax(t->most, t->t[i] / sqrt(t->m[i]));
  }
}

static double check_dynamics(const nsds_global_problem *problem, const double *v, const double *r,
                             const double *lambda, sums *t, norms *all) {
  double worst = 0.0;
  int nv = problem->nv;
  for (int i = 0; i < nv; ++i) {
    t->Mv[i] = t->m[i] = 0.0;
    t->t[i] = fabs(problem->f[i]);
    t->e[i] = -problem->f[i];
  }
  multiply_mass(&problem->M, v, t);
  for (int i = 0; i < nv; ++i) t->load[i] = t->t[i];
  subtract_product(&problem->H, r, t);
  subtract_product(&problem->G, lambda, t);
  limit_terms(problem, t);
  for (int i = 0; i < nv; ++i) {
    t->e[i] += t->Mv[i];
    global_certify_add(&all->error, t->e[i]);
    global_certify_add(&all->f, problem->f[i]);
    global_certify_add(&all->Mv, t->Mv[i]);
  }
  for (int i = 0; i < nv; ++i)
    global_certify_beat(&worst, t->e[i], fmax(t->t[i], rounding * t->most * sqrt(t->m[i])));
  return worst;
}

/* ---- equality rows and local velocities ---- */

/* Computes A_j^T v + c for a column of H or G, and the size of its terms. */
static double velocity(const nsds_csc *A, int j, const double *v, double c, const sums *t,
                       double *s) {
  double u = c;
  *s = fabs(c);
  for (int k = A->p[j]; k < A->p[j + 1]; ++k) {
    int i = A->i[k];
    u += A->x[k] * v[i];
    *s += fabs(A->x[k]) * (t->t[i] / t->m[i]);
  }
  return u;
}

static double check_equalities(const nsds_global_problem *problem, const double *v, const sums *t,
                               norms *all) {
  double worst = 0.0, s;
  for (int j = 0; j < problem->p; ++j) {
    double e = velocity(&problem->G, j, v, problem->b[j], t, &s);
    global_certify_beat(&worst, e, fmax(s, rounding * t->most * sqrt(column_d(&problem->G, j, t))));
    global_certify_add(&all->error, e);
    global_certify_add(&all->b, problem->b[j]);
  }
  return worst;
}

/* ---- the law ---- */

/* Gives one d to the rows that share it; 1 if nothing moves them. */
static void global_certify_share_d(const nsds_block *block, double *d) {
  for (int i = 0, count; i < block->size; i += count) {
    double most = 0.0;
    count = nsds_certify_group(block, i);
    for (int j = i; j < i + count; ++j) most = fmax(most, d[j]);
    for (int j = i; j < i + count; ++j) d[j] = most > 0.0 ? most : 1.0;
  }
}

static double global_certify_check_law(const nsds_global_problem *problem, const double *v,
                                       const double *r, sums *t, int *worst_block, norms *all) {
  const nsds_problem law = {.n = problem->n, .nblock = problem->nblock, .block = problem->block};
  for (int j = 0; j < problem->n; ++j) {
    t->u[j] = velocity(&problem->H, j, v, problem->w[j], t, &t->s[j]);
    t->d[j] = column_d(&problem->H, j, t);
    global_certify_add(&all->w, problem->w[j]);
    global_certify_add(&all->r, r[j]);
    global_certify_add(&all->u, t->u[j]);
  }
  for (int a = 0, row = 0; a < problem->nblock; row += problem->block[a++].size) {
    const nsds_block *block = &problem->block[a];
    if (block->size == 0) continue;
    global_certify_share_d(block, t->d + row);
    global_certify_add(&all->error, nsds_certify_natural(block, r + row, t->u + row));
  }
  for (int j = 0; j < problem->n; ++j) t->s[j] = fmax(t->s[j], rounding * t->most * sqrt(t->d[j]));
  return nsds_certified_law(&law, r, &(nsds_sums){t->u, t->s, t->d}, worst_block);
}

void nsds_global_certify(const nsds_global_problem *problem, const double *v, const double *r,
                         const double *lambda, double *work, nsds_global_certificate *certificate) {
  size_t n = (size_t)problem->n, nv = (size_t)problem->nv;
  double *x = work + 3 * n;
  sums t = {work, work + n, work + 2 * n, x, x + nv, x + 2 * nv, x + 3 * nv, x + 4 * nv, 0.0};
  norms all = {0};
  nsds_global_certificate *c = certificate;
  c->dynamics = check_dynamics(problem, v, r, lambda, &t, &all);
  c->equality = check_equalities(problem, v, &t, &all);
  c->law = global_certify_check_law(problem, v, r, &t, &c->worst_block, &all);
  c->residual = c->dynamics + c->equality + c->law; /* not finite if any part is not */
  if (isfinite(c->residual)) c->residual = fmax(c->dynamics, fmax(c->equality, c->law));
  else c->residual = INFINITY;
  double size = fmax(fmax(fmax(all.f, all.w), fmax(all.b, all.Mv)), fmax(all.r, all.u));
  c->standard = size > 0.0 ? all.error / size : all.error;
}
