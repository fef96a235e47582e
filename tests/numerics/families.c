/*
 * Families of problems. Sources: Murty, Linear Complementarity, Linear and Nonlinear Programming
 * (1988), ch. 6 (exponential examples of Murty and Fathi); Cottle, Pang, Stone (1992), 4.9
 * (degeneracy); columns of bodies under gravity.
 */
#include "families.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const nsds_storage storages[3] = {NSDS_DENSE, NSDS_CSC, NSDS_FACTORED};

static uint64_t state = 1;

void random_seed(unsigned seed) { state = seed * 2654435761u + 88172645463325252u; }

double random_number(void) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return (double)(state >> 11) / 4503599627370496.0 - 1.0;
}

double uniform(double low, double high) {
  return low + (high - low) * 0.5 * (1.0 + random_number());
}

static void *allocate(size_t count, size_t size) {
  void *memory = calloc(count ? count : 1, size);
  if (!memory) abort();
  return memory;
}

static void start(family *f, const char *name, kind k, int n) {
  memset(f, 0, sizeof *f);
  snprintf(f->name, sizeof f->name, "%s(%d)", name, n);
  f->kind = k;
  f->n = n;
  f->nblock = n;
  f->block = allocate((size_t)n, sizeof *f->block);
  f->dense = allocate((size_t)n * (size_t)n, sizeof(double));
  f->q = allocate((size_t)n, sizeof(double));
  for (int i = 0; i < n; ++i) f->block[i] = (nsds_block){.set = NSDS_SET_NONNEGATIVE, .size = 1};
}

#define M(i, j) f->dense[(size_t)(i) + (size_t)(j) * (size_t)f->n]

static void equal_rows(family *f, int first, int count) {
  for (int i = first; i < first + count; ++i) f->block[i].set = NSDS_SET_EQUALITY;
}

/* q so that z, w >= 0 alternating with the given period solve it. */
static void choose_q(family *f, int period) {
  f->known = allocate((size_t)f->n, sizeof(double));
  for (int i = 0; i < f->n; ++i) {
    bool equality = f->block[i].set == NSDS_SET_EQUALITY;
    double t = 0.1 + fabs(random_number());
    f->known[i] = equality ? random_number() : i % period ? t : 0.0;
    f->q[i] = equality || i % period ? 0.0 : t;
  }
  for (int i = 0; i < f->n; ++i)
    for (int j = 0; j < f->n; ++j) f->q[i] -= M(i, j) * f->known[j];
}

/* A A^T / n + shift I with A of the given rank. */
static void random_spd(family *f, int rank, double shift) {
  double *A = allocate((size_t)f->n * (size_t)rank, sizeof(double));
  for (int k = 0; k < f->n * rank; ++k) A[k] = random_number();
  for (int i = 0; i < f->n; ++i)
    for (int j = 0; j < f->n; ++j) {
      double sum = i == j ? shift : 0.0;
      for (int k = 0; k < rank; ++k) sum += A[i + k * f->n] * A[j + k * f->n] / f->n;
      M(i, j) = sum;
    }
  free(A);
}

static void spd(family *f, int n) {
  start(f, "spd", KIND_DOMINANT, n);
  random_spd(f, n, 1.0);
  choose_q(f, 3);
}

static void chain(family *f, int n) {
  start(f, "chain of beads", n <= 10 ? KIND_DOMINANT : KIND_P, n);
  for (int i = 0; i < n; ++i) {
    M(i, i) = i ? 2.0 : 1.0;
    if (i) M(i, i - 1) = M(i - 1, i) = -1.0;
    f->q[i] = i ? 0.0 : -9.81e-3;
  }
}

static void p_matrix(family *f, int n) {
  start(f, "unsymmetric P", KIND_P, n);
  random_spd(f, n, 0.1);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < i; ++j) {
      double t = random_number();
      M(i, j) += t;
      M(j, i) -= t;
    }
  choose_q(f, 2);
}

static void murty(family *f, int n) {
  start(f, "Murty", KIND_P, n);
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < j; ++i) M(i, j) = 2.0;
    M(j, j) = 1.0;
    f->q[j] = -1.0;
  }
  f->known = allocate((size_t)n, sizeof(double));
  f->known[n - 1] = 1.0;
}

static void fathi(family *f, int n) {
  start(f, "Fathi", KIND_P, n);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      double sum = 0.0; /* B^T B with B the matrix of Murty's family */
      for (int k = 0; k <= (i < j ? i : j); ++k) sum += (k == i ? 1.0 : 2.0) * (k == j ? 1.0 : 2.0);
      M(i, j) = sum;
    }
  for (int i = 0; i < n; ++i) f->q[i] = -1.0;
  f->known = allocate((size_t)n, sizeof(double));
  f->known[0] = 1.0;
}

/* More contacts than degrees of freedom: singular and consistent. */
static void redundant(family *f, int n) {
  start(f, "redundant contacts", KIND_MONOTONE, n);
  random_spd(f, n > 4 ? n / 3 : 1, 0.0);
  choose_q(f, 2);
  free(f->known);
  f->known = NULL;
}

/* A box on a floor: four equal rows. */
static void box(family *f) {
  start(f, "box on a floor", KIND_MONOTONE, 4);
  static const double c[4][3] = {{1, 1, 1}, {1, 1, -1}, {1, -1, 1}, {1, -1, -1}};
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j)
      for (int k = 0; k < 3; ++k) M(i, j) += c[i][k] * c[j][k];
  for (int i = 0; i < 4; ++i) f->q[i] = -9.81e-3;
}

/* Every ratio test ties: w = z - 1 in all rows, coupled; and q = 0. */
static void tied(family *f, int n) {
  start(f, "tied ratios", KIND_MONOTONE, n);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) M(i, j) = 1.0;
  for (int i = 0; i < n; ++i) f->q[i] = -1.0;
}

static void degenerate(family *f, int n) {
  start(f, "degenerate", KIND_MONOTONE, n);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) M(i, j) = (i % 2 == j % 2) ? 1.0 : 0.0;
  for (int i = 0; i < n; i += 2) f->q[i] = -1.0;
}

/* Cycles under the plain least-ratio rule (Kostreva 1979; Murty 1988, 2.4). */
static void kostreva(family *f) {
  start(f, "Kostreva", KIND_P, 3);
  static const double m[9] = {1, 0, 2, 2, 1, 0, 0, 2, 1};
  memcpy(f->dense, m, sizeof m);
  for (int i = 0; i < 3; ++i) f->q[i] = -1.0;
  f->known = allocate(3, sizeof(double));
  for (int i = 0; i < 3; ++i) f->known[i] = 1.0 / 3.0;
}

static void skew(family *f, int n) {
  start(f, "linear program", KIND_MONOTONE, n);
  for (int i = 0; i < n / 2; ++i)
    for (int j = n / 2; j < n; ++j) {
      double t = fabs(random_number()) + 0.1;
      M(i, j) = -t;
      M(j, i) = t;
    }
  for (int i = 0; i < n; ++i) f->q[i] = i < n / 2 ? 1.0 : -1.0;
}

static void mixed(family *f, int n) {
  start(f, "mixed", KIND_DOMINANT, n);
  random_spd(f, n, 1.0);
  equal_rows(f, 0, n / 3);
  equal_rows(f, 2 * n / 3, n - 2 * n / 3 - 1);
  choose_q(f, 3);
}

static void joints(family *f, int n) {
  start(f, "equalities only", KIND_DOMINANT, n);
  random_spd(f, n, 1.0);
  equal_rows(f, 0, n);
  choose_q(f, 3);
}

static void saddle(family *f, int n) {
  start(f, "mixed, unsymmetric", KIND_P, n);
  random_spd(f, n, 0.5);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < i; ++j) {
      double t = random_number();
      M(i, j) += t;
      M(j, i) -= t;
    }
  equal_rows(f, n / 2, n - n / 2);
  choose_q(f, 2);
}

static void redundant_joints(family *f, int n) {
  start(f, "redundant equalities", KIND_MONOTONE, n);
  random_spd(f, n / 3, 0.0);
  equal_rows(f, 0, n / 2);
  choose_q(f, 2);
  free(f->known);
  f->known = NULL;
}

static void zero_row(family *f, int n) {
  start(f, "zero row", KIND_MONOTONE, n);
  random_spd(f, n, 1.0);
  for (int i = 0; i < n; ++i) M(i, 1) = M(1, i) = 0.0;
  for (int i = 0; i < n; ++i) f->q[i] = i == 1 ? 0.5 : -1.0;
}

static void units(family *f, int n) {
  start(f, "mixed units", KIND_P, n);
  random_spd(f, n, 1.0);
  choose_q(f, 2);
  for (int i = 0; i < n; ++i) {
    double s = pow(10.0, 3 * (i % 3) - 4);
    for (int j = 0; j < n; ++j) {
      M(i, j) *= s;
      M(j, i) *= s;
    }
    f->q[i] *= s;
    f->known[i] /= s;
  }
}

static void one(family *f, double m, double q, double z, kind k) {
  start(f, "one row", k, 1);
  snprintf(f->name, sizeof f->name, "one row, M = %g, q = %g", m, q);
  M(0, 0) = m;
  f->q[0] = q;
  if (k == KIND_INFEASIBLE || k == KIND_UNSOLVABLE) return;
  f->known = allocate(1, sizeof(double));
  f->known[0] = z;
}

/* Two bodies pressed against a wall that gives way nowhere: w = -1 whatever z. */
static void infeasible(family *f, int n) {
  start(f, "infeasible", KIND_INFEASIBLE, n);
  random_spd(f, n, 1.0);
  for (int i = 0; i < n; ++i) M(i, 0) = M(0, i) = 0.0;
  for (int i = 0; i < n; ++i) f->q[i] = -1.0;
}

/* Opposite contacts that cannot both hold: z1 - z2 - 1 >= 0 and z2 - z1 - 1 >= 0. */
static void squeezed(family *f, int n) {
  start(f, "squeezed", KIND_INFEASIBLE, n);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) M(i, j) = (i + j) % 2 ? -1.0 : 1.0;
  for (int i = 0; i < n; ++i) f->q[i] = -1.0;
}

static void solvable_indefinite(family *f) {
  start(f, "degenerate cone", KIND_GENERAL, 2); /* only z = (1, 0) + t solves; every basis fails */
  M(1, 0) = 1.0;
  f->q[1] = -1.0;
}

bool family_create(family *f, int k) {
  random_seed((unsigned)k + 17);
  switch (k) {
  case 0: start(f, "empty", KIND_DOMINANT, 0); return true;
  case 1: one(f, 2.0, -1.0, 0.5, KIND_DOMINANT); return true;
  case 2: one(f, 2.0, 1.0, 0.0, KIND_DOMINANT); return true;
  case 3: one(f, -1.0, -1.0, 0.0, KIND_UNSOLVABLE); return true;
  case 4: one(f, 0.0, -1.0, 0.0, KIND_INFEASIBLE); return true;
  case 5: one(f, 3.0, 0.0, 0.0, KIND_DOMINANT); return true;
  case 6: spd(f, 2); return true;
  case 7: spd(f, 3); return true;
  case 8: spd(f, 12); return true;
  case 9: spd(f, 90); return true;
  case 10: chain(f, 10); return true;
  case 11: chain(f, 200); return true;
  case 12: p_matrix(f, 3); return true;
  case 13: p_matrix(f, 9); return true;
  case 14: p_matrix(f, 70); return true;
  case 15: murty(f, 3); return true;
  case 16: murty(f, 10); return true;
  case 17: murty(f, 16); return true;
  case 18: fathi(f, 3); return true;
  case 19: fathi(f, 8); return true;
  case 20: redundant(f, 3); return true;
  case 21: redundant(f, 12); return true;
  case 22: redundant(f, 90); return true;
  case 23: box(f); return true;
  case 24: tied(f, 6); return true;
  case 25: degenerate(f, 9); return true;
  case 26: kostreva(f); return true;
  case 27: skew(f, 10); return true;
  case 28: mixed(f, 3); return true;
  case 29: mixed(f, 14); return true;
  case 30: mixed(f, 80); return true;
  case 31: joints(f, 1); return true;
  case 32: joints(f, 7); return true;
  case 33: saddle(f, 10); return true;
  case 34: redundant_joints(f, 12); return true;
  case 35: zero_row(f, 3); return true;
  case 36: zero_row(f, 8); return true;
  case 37: units(f, 3); return true;
  case 38: units(f, 12); return true;
  case 39: infeasible(f, 3); return true;
  case 40: infeasible(f, 9); return true;
  case 41: squeezed(f, 2); return true;
  case 42: squeezed(f, 6); return true;
  case 43: solvable_indefinite(f); return true;
  default: return false;
  }
}

void family_destroy(family *f) {
  free(f->block);
  free(f->dense);
  free(f->q);
  free(f->known);
}

/* ---- storages ---- */

static void store_csc(stored *s, const family *f) {
  s->p = allocate((size_t)f->n + 1, sizeof(int));
  s->i = allocate((size_t)f->n * (size_t)f->n, sizeof(int));
  s->x = allocate((size_t)f->n * (size_t)f->n, sizeof(double));
  int count = 0;
  for (int j = 0; j < f->n; ++j) {
    for (int i = 0; i < f->n; ++i)
      if (M(i, j) != 0.0) {
        s->i[count] = i;
        s->x[count++] = M(i, j);
      }
    s->p[j + 1] = count;
  }
}

/*
 * Any M as H Y + D: one column group of size n that every block row meets, H_a its rows of the
 * identity, Y_a its columns of M - D; D_a half of the diagonal block on even rows, none on odd
 * ones.
 */
static void store_factored(stored *s, const family *f) {
  size_t n = (size_t)f->n;
  s->row = allocate(n + 1, sizeof(int));
  s->first_edge = allocate(n + 1, sizeof(int));
  s->edge = allocate(n, sizeof(nsds_edge));
  s->D = allocate(n, sizeof(double *));
  s->x = allocate(2 * n * n + n, sizeof(double));
  for (size_t a = 0; a < n; ++a) {
    double *H = s->x + a * n, *Y = s->x + n * n + a * n, *D = s->x + 2 * n * n + a;
    for (size_t i = 0; i < n; ++i) {
      H[i] = i == a ? 1.0 : 0.0;
      Y[i] = f->dense[i + a * n];
    }
    if (a % 2 == 0) {
      D[0] = 0.5 * Y[a];
      Y[a] -= D[0];
      s->D[a] = D;
    }
    s->edge[a] = (nsds_edge){.column = 0, .size = f->n, .H = H, .Y = Y};
    s->row[a + 1] = s->first_edge[a + 1] = (int)a + 1;
  }
  s->factored = (nsds_factored){.nrow_block = f->n,
                                .ncolumn = f->n,
                                .row = s->row,
                                .first_edge = s->first_edge,
                                .edge = s->edge,
                                .D = (const double *const *)s->D};
}

void stored_create(stored *s, const family *f, nsds_storage storage) {
  memset(s, 0, sizeof *s);
  if (storage == NSDS_CSC) store_csc(s, f);
  if (storage == NSDS_FACTORED) store_factored(s, f);
  s->problem = (nsds_problem){.n = f->n,
                              .nblock = f->nblock,
                              .block = f->block,
                              .M = {.storage = storage,
                                    .n = f->n,
                                    .x = storage == NSDS_DENSE ? f->dense : s->x,
                                    .p = s->p,
                                    .i = s->i,
                                    .factored = &s->factored,
                                    .stamp = 1},
                              .q = f->q};
}

void stored_destroy(stored *s) {
  free(s->x);
  free(s->p);
  free(s->i);
  free(s->row);
  free(s->first_edge);
  free(s->edge);
  free(s->D);
}

double own_residual(const family *f, const double *z) {
  double worst = 0.0;
  for (int i = 0; i < f->n; ++i) {
    double w = f->q[i], size = fabs(w);
    for (int j = 0; j < f->n; ++j) {
      w += M(i, j) * z[j];
      size += fabs(M(i, j) * z[j]);
    }
    double e = fabs(w);
    if (f->block[i].set == NSDS_SET_NONNEGATIVE) {
      if (z[i] < 0.0) return INFINITY;
      if (z[i] == 0.0 && w > 0.0) e = 0.0;
    }
    if (!isfinite(e)) return INFINITY;
    if (e > 0.0 && e / size > worst) worst = e / size;
  }
  return worst;
}

nsds_certificate certify(const nsds_problem *problem, const double *z) {
  double *work = calloc(nsds_problem_work(problem) + 1, sizeof *work);
  nsds_certificate c;
  nsds_certify(problem, z, work, &c);
  free(work);
  return c;
}
