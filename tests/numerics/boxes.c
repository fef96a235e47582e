/*
 * Boxes, alone and mixed with equality and nonnegative rows: random families solved by every method
 * that takes them, in every storage, against the unique solution or a check of its own; relays and
 * saturations of circuits; infinite and equal bounds; warm starts and memory.
 */
#include "cmocka_setup.h"
#include "families.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { most = 40 };

static const char *const method[] = {"auto", "enumeration", "semismooth_newton", "lemke"};

enum { method_count = sizeof method / sizeof *method };

/* A problem of rows with bounds: family storage with one box, equality or nonnegative block a row.
 */
typedef struct boxed {
  family f;
  double lower[most], upper[most];
} boxed;

static void use_box(boxed *b, int i, double lower, double upper) {
  b->lower[i] = lower;
  b->upper[i] = upper;
  b->f.block[i] =
      (nsds_block){.set = NSDS_SET_BOX, .size = 1, .lower = b->lower + i, .upper = b->upper + i};
}

static void start(boxed *b, int n) {
  memset(b, 0, sizeof *b);
  b->f = (family){.n = n, .nblock = n, .block = calloc((size_t)n, sizeof(nsds_block))};
  b->f.dense = calloc((size_t)(n * n), sizeof(double));
  b->f.q = calloc((size_t)n, sizeof(double));
  b->f.known = calloc((size_t)n, sizeof(double));
  for (int i = 0; i < n; ++i) use_box(b, i, -1.0, 1.0);
}

/* A A^T / n + shift I + skew part: a P-matrix for shift > 0, monotone for shift = 0. */
static void random_matrix(boxed *b, int rank, double shift, double skew) {
  int n = b->f.n;
  double A[most * most];
  for (int k = 0; k < n * rank; ++k) A[k] = random_number();
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      double sum = i == j ? shift : 0.0;
      for (int k = 0; k < rank; ++k) sum += A[i + k * n] * A[j + k * n] / n;
      b->f.dense[i + j * n] += sum;
      if (j < i) {
        double t = skew * random_number();
        b->f.dense[i + j * n] += t;
        b->f.dense[j + i * n] -= t;
      }
    }
}

/* Rows of all kinds with a known solution. */
static void random_rows(boxed *b) {
  int n = b->f.n;
  for (int i = 0; i < n; ++i) {
    double t = random_number(), l = t - 0.1 - fabs(random_number()), u = t + 0.1, w = 0.0;
    int type = (int)(8.0 * fabs(random_number()));
    double gap = 0.1 + fabs(random_number());
    if (type == 0) b->f.block[i].set = NSDS_SET_EQUALITY;
    if (type == 1) {
      b->f.block[i].set = NSDS_SET_NONNEGATIVE;
      t = i % 2 ? fabs(t) : 0.0;
      w = i % 2 ? 0.0 : gap;
    }
    if (type == 2) use_box(b, i, -INFINITY, INFINITY);
    if (type == 3) use_box(b, i, l, INFINITY);
    if (type == 4) use_box(b, i, -INFINITY, u);
    if (type == 5) use_box(b, i, l, u);
    if (type == 6) {
      use_box(b, i, t, t);
      w = random_number();
    }
    if (type == 7) use_box(b, i, l, u);
    if ((type == 3 || type == 5) && i % 2) {
      t = l;
      w = gap;
    }
    if ((type == 4 || type == 7) && i % 2) {
      t = u;
      w = -gap;
    }
    b->f.known[i] = t;
    b->f.q[i] = w;
  }
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) b->f.q[i] -= b->f.dense[i + j * n] * b->f.known[j];
}

/* Largest violation of the law of a row over the terms of the row, from the dense matrix. */
static double violation(const boxed *b, const double *z) {
  double worst = 0.0;
  for (int i = 0; i < b->f.n; ++i) {
    double w = b->f.q[i], size = fabs(w) + 1e-12, l = -INFINITY, u = INFINITY;
    for (int j = 0; j < b->f.n; ++j) {
      double t = b->f.dense[i + j * b->f.n] * z[j];
      w += t;
      size += fabs(t);
    }
    if (b->f.block[i].set == NSDS_SET_NONNEGATIVE) l = 0.0;
    if (b->f.block[i].set == NSDS_SET_BOX) {
      l = b->lower[i];
      u = b->upper[i];
    }
    double margin = 1e-9 * (1.0 + fabs(z[i]));
    double e = fmax(0.0, fmax(l - z[i], z[i] - u));
    if (l < u && z[i] > l + margin && w > 0.0) e = fmax(e, w / size);
    if (l < u && z[i] < u - margin && w < 0.0) e = fmax(e, -w / size);
    worst = fmax(worst, e);
  }
  return worst;
}

static void finish(boxed *b) { family_destroy(&b->f); }

/* Solves in one storage; the certificate and the check above must agree. */
static nsds_status solve(const char *name, const boxed *b, nsds_storage storage, double *z,
                         nsds_solver_info *info) {
  nsds_context *context = nsds_context_create(NULL);
  nsds_solver *solver = nsds_solver_create(context, name);
  assert_non_null(solver);
  stored s;
  stored_create(&s, &b->f, storage);
  double w[most];
  assert_status(nsds_problem_check(context, &s.problem), NSDS_OK);
  nsds_status status = nsds_solve(solver, &s.problem, z, w, info);
  if (status == NSDS_OK) assert_true(violation(b, z) <= 1e-8);
  for (int i = 0; i < b->f.n; ++i) assert_true(isfinite(z[i]));
  stored_destroy(&s);
  nsds_solver_destroy(solver);
  nsds_context_destroy(context);
  return status;
}

static bool takes(const char *name, int n) { return strcmp(name, "enumeration") != 0 || n <= 3; }

/* P-matrices: everybody finds the one solution, from zero and from anywhere. */
static void test_unique(void **unused) {
  (void)unused;
  for (int seed = 0; seed < 150; ++seed) {
    random_seed((unsigned)seed);
    boxed b;
    start(&b, 1 + seed % 37);
    random_matrix(&b, b.f.n, 0.5, seed % 3 ? 1.0 : 0.0);
    random_rows(&b);
    for (int m = 0; m < method_count; ++m)
      for (int s = 0; s < 3 && takes(method[m], b.f.n); ++s) {
        double z[most] = {0};
        nsds_solver_info info;
        if (s == 1)
          for (int i = 0; i < b.f.n; ++i) z[i] = 3.0 * random_number();
        nsds_status status = solve(method[m], &b, storages[s], z, &info);
        if (status)
          fail_msg("%s, seed %d, storage %d: %s, residual %g", method[m], seed, (int)storages[s],
                   nsds_outcome_text(info.outcome), info.residual);
        for (int i = 0; i < b.f.n; ++i) assert_true(fabs(z[i] - b.f.known[i]) <= 1e-7);
      }
    finish(&b);
  }
}

/* Singular monotone problems with a solution: only the residual is unique. */
static void test_monotone(void **unused) {
  (void)unused;
  for (int seed = 0; seed < 60; ++seed) {
    random_seed((unsigned)seed + 1000);
    boxed b;
    start(&b, 2 + seed % 25);
    random_matrix(&b, 1 + b.f.n / 3, 0.0, 0.0);
    random_rows(&b);
    for (int m = 0; m < 3; ++m) {
      double z[most] = {0};
      nsds_solver_info info;
      if (!takes(method[m], b.f.n)) continue;
      if (solve(method[m], &b, NSDS_DENSE, z, &info))
        fail_msg("%s, seed %d: %s, residual %g, path %s", method[m], seed,
                 nsds_outcome_text(info.outcome), info.residual, info.path);
    }
    finish(&b);
  }
}

/* Any matrix with finite boxes has a solution (a continuous map of the box into itself); few rows:
 * the direct method must find one. */
static void test_any_matrix(void **unused) {
  (void)unused;
  for (int seed = 0; seed < 400; ++seed) {
    random_seed((unsigned)seed + 2000);
    boxed b;
    start(&b, 1 + seed % 3);
    int coarse = seed % 2; /* small integers: singular minors and ties */
    for (int k = 0; k < b.f.n * b.f.n; ++k)
      b.f.dense[k] = coarse ? round(1.6 * random_number()) : random_number();
    for (int i = 0; i < b.f.n; ++i)
      b.f.q[i] = coarse ? round(2.0 * random_number()) : random_number();
    for (int m = 0; m < 2; ++m) {
      double z[most] = {0};
      nsds_solver_info info;
      if (solve(method[m], &b, NSDS_DENSE, z, &info))
        fail_msg("%s, seed %d: %s, residual %g", method[m], seed, nsds_outcome_text(info.outcome),
                 info.residual);
    }
    finish(&b);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_unique),
      cmocka_unit_test(test_monotone),
      cmocka_unit_test(test_any_matrix),
  };
  return cmocka_run_group_tests_name("numerics.boxes", tests, NULL, NULL);
}
