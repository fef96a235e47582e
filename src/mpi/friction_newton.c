/*
 * Newton's method on the laws of all blocks, over processes. The laws are equations (set_map.h) within a
 * proximal point iteration (Rockafellar 1976), as in nonsmooth_newton.c:
 *
 *     phi(z, w) = 0,   w = M z + q + e R^-1 (z - c),   c <- z,   R the inverse diagonal of M
 *     (A + B (M + e R^-1)) d = -phi,   A = d phi / dz,  B = d phi / dw,   z <- z + d
 *
 * No matrix of the whole is formed. The system is solved by BiCGStab (van der Vorst 1992) behind the
 * systems of single blocks, C = A + B (M_aa + e R^-1). A product with M is one sum of columns over
 * processes, where a sweep has an exchange for each color. So a step of BiCGStab has the same bits on any
 * number of processes whenever sweeps have.
 *
 * e falls after an easy problem and rises after a failure. Each iterate, projected on the sets, is
 * certified; the best one counts.
 */
#include "mpi/friction_newton.h"

#include "numerics/linear/small_lu.h"
#include "numerics/sets/set_map.h"

#include <math.h>
#include <nsds/extend.h>
#include <string.h>

enum {
  patience = 8,        /* steps of one problem */
  most_steps = 20,     /* of all */
  most_products = 400, /* of a linear system */
  contact = 3
};
static const double enough = 0.1;       /* |phi| of a problem beside its start */
static const double growth = 10.0;      /* of |phi| that ends a problem */
static const double system_part = 0.01; /* of a right side that may be left */
static const double first_weight = 1e-5, least_weight = 1e-8, most_weight = 1.0;
static const double weight_factor = 10.0;

typedef struct newton {
  nsds_friction *t;
  double *A, *B, *C;                  /* entries: of the blocks; C inverse */
  double *rho, *root, *phi, *centre;  /* n: of the equations; root of R */
  double *w, *d;                      /* n */
  double *r, *r0, *p, *v, *s, *u, *x; /* n: of BiCGStab */
  double e, merit, best;              /* best: of certificates, beside their limits */
  int steps;
} newton;

/* ---- equations ---- */

/* Sets rho and root from the diagonals of M. */
static void set_scales(newton *nw) {
  const nsds_friction *t = nw->t;
  const nsds_problem *p = &t->whole->problem;
  for (int a = 0; a < p->nblock; ++a) {
    const nsds_block *b = &p->block[a];
    int row = t->f->row[a];
    double mean = 0.0;
    for (int i = 0; i < b->size; ++i) mean += t->weight[row + i] / b->size;
    for (int i = 0; i < b->size; ++i) {
      nw->rho[row + i] = 1.0 / (nsds_is_coulomb(b) ? mean : t->weight[row + i]);
      nw->root[row + i] = sqrt(nw->rho[row + i]);
    }
    if (nsds_is_coulomb(b)) nsds_set_map_scale(b, t->own + t->place[a], nw->rho + row);
  }
}

static double weight_of(const newton *nw, int i) { return nw->e / (nw->root[i] * nw->root[i]); }

/* Computes phi of block a, with derivatives at its place. Blocks that are no contact go row by row: their
 * derivatives are diagonals. */
static void map_block(newton *nw, int a, const double *z) {
  const nsds_friction *t = nw->t;
  const nsds_block *b = &t->whole->problem.block[a];
  int row = t->f->row[a], at = t->place[a], m = b->size;
  if (nsds_is_coulomb(b)) {
    nsds_set_map(NSDS_MAP_ALART_CURNIER, b, nw->rho + row, z + row, nw->w + row, nw->phi + row,
                 nw->A + at, nw->B + at);
    return;
  }
  for (int i = 0; i < m * m; ++i) nw->A[at + i] = nw->B[at + i] = 0.0;
  for (int i = 0; i < m; ++i) {
    nsds_block one = {.set = b->set, .size = 1};
    if (b->set == NSDS_SET_BOX) one.lower = b->lower + i, one.upper = b->upper + i;
    nsds_set_map(NSDS_MAP_NATURAL, &one, nw->rho + row + i, z + row + i, nw->w + row + i,
                 nw->phi + row + i, nw->A + at + i * (m + 1), nw->B + at + i * (m + 1));
  }
}

/* Inverts the system of block a. Rows of blocks that are no contact take their diagonals. */
static void invert_block(newton *nw, int a) {
  const nsds_friction *t = nw->t;
  const nsds_block *b = &t->whole->problem.block[a];
  int row = t->f->row[a], at = t->place[a], m = b->size, pivot[contact];
  const double *A = nw->A + at, *B = nw->B + at, *M = t->own + at;
  double *inverse = nw->C + at, C[contact * contact];
  for (int i = 0; i < m * m; ++i) inverse[i] = 0.0;
  for (int i = 0; !nsds_is_coulomb(b) && i < m; ++i) {
    int k = i * (m + 1);
    inverse[k] = 1.0 / (A[k] + B[k] * (M[k] + weight_of(nw, row + i)));
  }
  if (!nsds_is_coulomb(b)) return;
  for (int j = 0; j < m; ++j)
    for (int i = 0; i < m; ++i) {
      C[i + j * m] = A[i + j * m] + B[i + j * m] * weight_of(nw, row + j);
      for (int k = 0; k < m; ++k) C[i + j * m] += B[i + k * m] * M[k + j * m];
    }
  for (int j = 0; j < m; ++j) inverse[j * (m + 1)] = 1.0;
  if (!nsds_small_lu(m, C, pivot)) return; /* the identity serves */
  for (int j = 0; j < m; ++j) nsds_small_lu_solve(m, C, pivot, inverse + j * m);
}

static void find_merit_term(const void *user, int i, double *term) {
  const newton *nw = user;
  double phi = nw->phi[i] / nw->root[i];
  term[0] = phi * phi;
}

/* Computes phi at z, its derivatives, and its square. */
static double linearize(newton *nw, const double *z) {
  nsds_friction *t = nw->t;
  const nsds_problem *p = &t->whole->problem;
  double merit;
  nsds_friction_columns(t, z, t->y);
  for (int a = 0; a < p->nblock; ++a) {
    int row = t->f->row[a];
    nsds_friction_product(t, a, z, t->y, nw->w + row);
    for (int i = row; i < row + p->block[a].size; ++i)
      nw->w[i] += p->q[i] + weight_of(nw, i) * (z[i] - nw->centre[i]);
    map_block(nw, a, z);
    invert_block(nw, a);
  }
  nsds_friction_sum(t, 1, find_merit_term, nw, NULL, &merit);
  return merit;
}

/* ---- the linear system ---- */

/* Computes to = G from, G one small matrix for each block. */
static void multiply_blocks(const newton *nw, const double *G, const double *from, double *to) {
  const nsds_friction *t = nw->t;
  for (int a = 0; a < t->whole->problem.nblock; ++a) {
    int row = t->f->row[a], m = t->f->row[a + 1] - row;
    const double *g = G + t->place[a];
    for (int i = 0; i < m; ++i) {
      double sum = 0.0;
      for (int j = 0; j < m; ++j) sum += g[i + j * m] * from[row + j];
      to[row + i] = sum;
    }
  }
}

/* Computes d = C^-1 R^1/2 x, the step that x stands for. */
static void find_step(newton *nw, const double *x) {
  for (int i = 0; i < nw->t->n; ++i) nw->w[i] = nw->root[i] * x[i];
  multiply_blocks(nw, nw->C, nw->w, nw->d);
}

/* Computes to = R^-1/2 (A + B (M + e R^-1)) C^-1 R^1/2 x. */
static void multiply_system(newton *nw, const double *x, double *to) {
  nsds_friction *t = nw->t;
  find_step(nw, x);
  nsds_friction_columns(t, nw->d, t->y);
  for (int a = 0; a < t->whole->problem.nblock; ++a) {
    int row = t->f->row[a], m = t->f->row[a + 1] - row;
    nsds_friction_product(t, a, nw->d, t->y, nw->w + row);
    for (int i = row; i < row + m; ++i) nw->w[i] += weight_of(nw, i) * nw->d[i];
    const double *A = nw->A + t->place[a], *B = nw->B + t->place[a];
    for (int i = 0; i < m; ++i) {
      double sum = 0.0;
      for (int j = 0; j < m; ++j)
        sum += A[i + j * m] * nw->d[row + j] + B[i + j * m] * nw->w[row + j];
      to[row + i] = sum / nw->root[row + i];
    }
  }
}

static void find_length_along(const void *user, int i, double *term) {
  const newton *nw = user;
  term[0] = nw->r0[i] * nw->v[i];
}

static void find_lengths_of_u(const void *user, int i, double *term) {
  const newton *nw = user;
  term[0] = nw->u[i] * nw->s[i];
  term[1] = nw->u[i] * nw->u[i];
}

static void find_lengths_of_r(const void *user, int i, double *term) {
  const newton *nw = user;
  term[0] = nw->r0[i] * nw->r[i];
  term[1] = nw->r[i] * nw->r[i];
}

/* Solves the system to a part of its right side; writes d. Counts products. */
static void solve_newton_system(newton *nw, double part, int *products) {
  nsds_friction *t = nw->t;
  int n = t->n;
  double rho, size, sum[2], alpha = 1.0, omega = 1.0, before = 1.0;
  for (int i = 0; i < n; ++i) {
    nw->r[i] = nw->r0[i] = -nw->phi[i] / nw->root[i];
    nw->x[i] = nw->p[i] = nw->v[i] = 0.0;
  }
  rho = size = nw->merit;
  double left = 1.0;
  for (int k = 0; k < most_products && left > part; k += 2) {
    double beta = k == 0 ? 0.0 : rho / before * (alpha / omega);
    for (int i = 0; i < n; ++i) nw->p[i] = nw->r[i] + beta * (nw->p[i] - omega * nw->v[i]);
    multiply_system(nw, nw->p, nw->v);
    nsds_friction_sum(t, 1, find_length_along, nw, NULL, sum);
    alpha = rho / sum[0];
    for (int i = 0; i < n; ++i) nw->s[i] = nw->r[i] - alpha * nw->v[i];
    multiply_system(nw, nw->s, nw->u);
    nsds_friction_sum(t, 2, find_lengths_of_u, nw, NULL, sum);
    omega = sum[0] / sum[1];
    *products += 2;
    if (!isfinite(alpha) || !isfinite(omega)) break;
    for (int i = 0; i < n; ++i) {
      nw->x[i] += alpha * nw->p[i] + omega * nw->s[i];
      nw->r[i] = nw->s[i] - omega * nw->u[i];
    }
    nsds_friction_sum(t, 2, find_lengths_of_r, nw, NULL, sum);
    before = rho;
    rho = sum[0];
    left = sqrt(sum[1] / size);
  }
  find_step(nw, nw->x);
}

/* ---- the iteration ---- */

static nsds_status hold_newton(newton *nw) {
  nsds_mpi *mpi = nw->t->whole->mpi;
  double **const of_rows[] = {&nw->rho, &nw->root, &nw->phi, &nw->centre, &nw->w, &nw->d, &nw->r,
                              &nw->r0,  &nw->p,    &nw->v,   &nw->s,      &nw->u, &nw->x};
  double **const of_blocks[] = {&nw->A, &nw->B, &nw->C};
  bool there = true;
  for (size_t k = 0; k < sizeof of_rows / sizeof *of_rows; ++k)
    there = (*of_rows[k] = nsds_mpi_numbers(mpi, (size_t)nw->t->n)) && there;
  for (size_t k = 0; k < sizeof of_blocks / sizeof *of_blocks; ++k)
    there = (*of_blocks[k] = nsds_mpi_numbers(mpi, (size_t)nw->t->entries)) && there;
  return nsds_mpi_agree(mpi, there ? NSDS_OK : NSDS_ERROR_MEMORY);
}

static void release_newton(newton *nw) {
  void *const pieces[] = {nw->rho, nw->root, nw->phi, nw->centre, nw->w, nw->d, nw->r, nw->r0,
                          nw->p,   nw->v,    nw->s,   nw->u,      nw->x, nw->A, nw->B, nw->C};
  for (size_t k = 0; k < sizeof pieces / sizeof *pieces; ++k) nsds_free(pieces[k]);
}

/* Makes a step from t->z, which the linear system has solved to a part. Keeps the best point in z. */
static void take_newton_step(newton *nw, double tolerance, double *z, double *work,
                             nsds_mpi_info *info) {
  nsds_friction *t = nw->t;
  size_t bytes = (size_t)t->n * sizeof *z;
  int products = 0;
  solve_newton_system(nw, system_part, &products);
  ++nw->steps;
  ++info->newton;
  info->iterations += products / 2;
  for (int i = 0; i < t->n; ++i) nw->phi[i] = t->z[i] += nw->d[i];
  nsds_friction_project(t, nw->phi);
  double merit = nsds_mpi_friction_judge(t, nw->phi, tolerance, work);
  if (!(merit < nw->best)) return;
  nw->best = merit;
  if (t->n > 0) memcpy(z, nw->phi, bytes);
}

static bool newton_is_over(const newton *nw, int limit, const nsds_mpi_info *info) {
  return !(nw->best > 1.0) || nw->steps >= most_steps || info->iterations >= limit;
}

/* Solves the proximal problem about t->z to a tenth. Returns false if it fails. */
static bool solve_proximal_problem(newton *nw, double tolerance, int limit, double *z, double *work,
                                   nsds_mpi_info *info) {
  nsds_friction *t = nw->t;
  if (t->n > 0) memcpy(nw->centre, t->z, (size_t)t->n * sizeof *z);
  double first = 0.0;
  for (int k = 0; k <= patience && !newton_is_over(nw, limit, info); ++k) {
    nw->merit = linearize(nw, t->z);
    if (k == 0) first = nw->merit;
    else if (nw->merit <= enough * enough * first) return true;
    if (k == patience || !(nw->merit <= growth * growth * first)) return false;
    take_newton_step(nw, tolerance, z, work, info);
  }
  return true;
}

nsds_status nsds_mpi_newton_friction(nsds_friction *t, double tolerance, int limit, double *z,
                                     double *work, nsds_mpi_info *info) {
  newton nw = {.t = t, .e = first_weight};
  nsds_status status = hold_newton(&nw);
  if (!status) {
    size_t bytes = (size_t)t->n * sizeof *z;
    int failures = 0, hold = 0;
    set_scales(&nw);
    if (t->n > 0) memcpy(t->z, z, bytes);
    nw.best = nsds_mpi_friction_judge(t, z, tolerance, work);
    while (!newton_is_over(&nw, limit, info)) {
      if (!solve_proximal_problem(&nw, tolerance, limit, z, work, info)) {
        hold = ++failures;
        nw.e = fmin(nw.e * weight_factor, most_weight);
        if (t->n > 0) memcpy(t->z, nw.centre, bytes);
      } else if (hold > 0) --hold;
      else nw.e = fmax(nw.e / weight_factor, least_weight);
    }
    if (!(nw.best > 1.0)) info->outcome = NSDS_SOLVED;
  }
  release_newton(&nw);
  return status;
}
