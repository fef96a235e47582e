/*
 * Pivoting and enumeration on problems with equality, nonnegative and box rows: families with known
 * answers, singular and inconsistent equality parts, verdicts where there is no solution, and all
 * solutions counted against a brute force of its own.
 */
#include "cmocka_setup.h"
#include "families.h"

#include <nsds/io.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { most = 40 };

/* A dense problem of at most `most` rows: first the equalities, then boxes, then nonnegative rows.
 */
typedef struct sample {
  nsds_problem problem;
  nsds_block block[3];
  double M[most * most], q[most], lower[most], upper[most];
} sample;

static double *entry(sample *s, int i, int j) { return &s->M[i + j * s->problem.n]; }

static void sample_create(sample *s, int equalities, int boxes, int nonnegatives) {
  memset(s, 0, sizeof *s);
  s->block[0] = (nsds_block){.set = NSDS_SET_EQUALITY, .size = equalities};
  s->block[1] =
      (nsds_block){.set = NSDS_SET_BOX, .size = boxes, .lower = s->lower, .upper = s->upper};
  s->block[2] = (nsds_block){.set = NSDS_SET_NONNEGATIVE, .size = nonnegatives};
  int n = equalities + boxes + nonnegatives;
  s->problem = (nsds_problem){.n = n,
                              .nblock = 3,
                              .block = s->block,
                              .M = {.storage = NSDS_DENSE, .n = n, .x = s->M},
                              .q = s->q};
}

static double uniform(double low, double high) {
  return low + (high - low) * 0.5 * (1.0 + random_number());
}

static nsds_outcome solve_from(const char *name, const sample *s, double *z,
                               nsds_solver_info *info) {
  nsds_context *context = nsds_context_create(NULL);
  nsds_solver *solver = nsds_solver_create(context, name);
  double w[most];
  assert_non_null(solver);
  nsds_status status = nsds_solve(solver, &s->problem, z, w, info);
  assert_true((status == NSDS_OK) == (info->outcome == NSDS_SOLVED));
  assert_string_equal(nsds_error_message(context), "");
  for (int i = 0; i < s->problem.n; ++i) assert_true(isfinite(z[i]));
  nsds_solver_destroy(solver);
  nsds_context_destroy(context);
  return info->outcome;
}

static nsds_outcome solve(const char *name, const sample *s, double *z) {
  nsds_solver_info info;
  memset(z, 0, most * sizeof *z);
  return solve_from(name, s, z, &info);
}

static void must_solve(const char *name, const sample *s) {
  double z[most] = {0};
  nsds_solver_info info;
  if (solve_from(name, s, z, &info) != NSDS_SOLVED)
    fail_msg("%s, n = %d: %s, residual %g, path %s", name, s->problem.n,
             nsds_outcome_text(info.outcome), info.residual, info.path);
}

/* M = A A^T + shift I + skew part. */
static void fill_positive(sample *s, int rank, double shift, double skew) {
  int n = s->problem.n;
  double A[most * most];
  for (int k = 0; k < n * rank; ++k) A[k] = random_number();
  for (int i = 0; i < n; ++i)
    for (int j = 0; j <= i; ++j) {
      double sum = i == j ? shift : 0.0, t = i == j ? 0.0 : skew * random_number();
      for (int k = 0; k < rank; ++k) sum += A[i + k * n] * A[j + k * n];
      *entry(s, i, j) = sum + t;
      *entry(s, j, i) = sum - t;
    }
}

/* q with the solution z drawn at random, w at random where it may be; a quarter of the bounded rows
 * degenerate where `degenerate`. */
static void choose_q(sample *s, double *z, bool degenerate) {
  int n = s->problem.n, e = s->block[0].size, b = e + s->block[1].size;
  for (int i = 0; i < n; ++i) {
    double w = uniform(0.1, 1.0), u = random_number();
    if (i < e) {
      z[i] = u;
      w = 0.0;
    } else if (i < b) {
      double *l = &s->lower[i - e], *h = &s->upper[i - e];
      z[i] = u < -0.3 ? *l : u > 0.3 ? *h : uniform(*l, *h);
      w = u < -0.3 ? w : u > 0.3 ? -w : 0.0;
    } else {
      z[i] = u > 0.0 ? u : 0.0;
      if (u > 0.0) w = 0.0;
    }
    if (degenerate && random_number() < -0.5) w = 0.0;
    s->q[i] = w;
  }
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) s->q[i] -= *entry(s, i, j) * z[j];
}

static void choose_bounds(sample *s) {
  for (int i = 0; i < s->block[1].size; ++i) {
    s->lower[i] = uniform(-2.0, -0.5);
    s->upper[i] = uniform(0.5, 2.0);
  }
}

/* ---- problems of the reference ---- */

static void solve_file(const char *method, const char *name) {
  char path[512];
  snprintf(path, sizeof path, "%s/problems/%s.dat", NSDS_TEST_DATA, name);
  nsds_context *context = nsds_context_create(NULL);
  nsds_problem_file *file = nsds_problem_read(context, path);
  assert_non_null(file);
  const nsds_problem *problem = nsds_problem_file_problem(file);
  double z[most] = {0}, w[most];
  nsds_solver_info info;
  nsds_solver *solver = nsds_solver_create(context, method);
  if (nsds_solve(solver, problem, z, w, &info) != NSDS_OK)
    fail_msg("%s: %s, residual %g, path %s", name, nsds_outcome_text(info.outcome), info.residual,
             info.path);
  nsds_solver_destroy(solver);
  nsds_problem_file_destroy(file);
  nsds_context_destroy(context);
}

static void test_files(void **state) {
  (void)state;
  FILE *present = fopen(NSDS_TEST_DATA "/problems/README.md", "r");
  if (!present) {
    print_message("             no problems in \"%s\"\n", NSDS_TEST_DATA);
    skip();
  }
  fclose(present);
  static const char *const name[] = {
      "lcp/lcp_CPS_1",           "lcp/lcp_CPS_2",         "lcp/lcp_Pang_isolated_sol",
      "lcp/lcp_deudeu",          "lcp/lcp_mmc",           "lcp/lcp_enum_fails",
      "lcp/lcp_exp_murty",       "lcp/lcp_ortiz",         "lcp/lcp_trivial",
      "mlcp/BuckFirstStep_mlcp", "mlcp/PD_mlcp",          "mlcp/RLCD_mlcp",
      "mlcp/deudeu_mlcp",        "mlcp/diodeBridge_mlcp", "mlcp/m2n1_mlcp",
      "mlcp/relay2_mlcp"};
  for (size_t k = 0; k < sizeof name / sizeof *name; ++k) {
    solve_file("auto", name[k]);
    if (strstr(name[k], "mmc") == NULL) solve_file("enumeration", name[k]);
  }
  solve_file("lemke", "mlcp/BuckFirstStep_mlcp");
}

/* ---- equalities ---- */

/* Multipliers of constraints without a diagonal: M = [[0, C], [-C^T, B]], B regular or not. */
static void test_equalities_without_diagonal(void **state) {
  (void)state;
  static const char *const name[] = {"auto", "lemke", "enumeration"};
  random_seed(5);
  for (int round = 0; round < 60; ++round) {
    sample s;
    double z[most];
    int e = 1 + round % 3, n = e + 4 + round % 5;
    sample_create(&s, e, 0, n - e);
    fill_positive(&s, round % 2 ? n : 2, round % 2 ? 0.5 : 0.0, 0.3);
    for (int i = 0; i < e; ++i)
      for (int j = 0; j < n; ++j) {
        double t = j < e ? 0.0 : random_number();
        *entry(&s, i, j) = t;
        *entry(&s, j, i) = -t;
      }
    choose_q(&s, z, false);
    for (int k = 0; k < 3; ++k) must_solve(name[k], &s);
  }
}

/* An equality written twice, the second time with a right-hand side that agrees or not. */
static void test_repeated_equalities(void **state) {
  (void)state;
  static const char *const name[] = {"auto", "lemke", "enumeration"};
  random_seed(6);
  for (int round = 0; round < 80; ++round) {
    sample s;
    double z[most], other[most];
    int e = 2 + round % 4, n = e + 2 + round % 4;
    bool symmetric = round % 8 < 4;
    sample_create(&s, e, 0, n - e);
    fill_positive(&s, n, 0.5, 0.4);
    for (int j = 0; j < n; ++j) *entry(&s, 1, j) = *entry(&s, 0, j);
    for (int i = 0; symmetric && i < n; ++i) *entry(&s, i, 1) = *entry(&s, i, 0);
    choose_q(&s, z, false);
    for (int k = 0; k < 3; ++k) must_solve(name[k], &s);
    s.q[1] += 0.1;
    for (int k = 0; k < 3; ++k)
      if (solve(name[k], &s, other) != NSDS_NO_SOLUTION)
        fail_msg("%s: %s", name[k], nsds_outcome_text(solve(name[k], &s, other)));
  }
}

/* ---- families with a known answer ---- */

/* Equalities, boxes and nonnegative rows over a positive definite unsymmetric M: one solution,
 * found by everyone, whatever the order of the rows within their blocks. */
static void test_mixed_rows(void **state) {
  (void)state;
  static const char *const name[] = {"auto", "lemke", "enumeration"};
  random_seed(7);
  for (int round = 0; round < 60; ++round) {
    sample s;
    double known[most], z[most];
    int n = 4 + round % 6;
    sample_create(&s, round % 3, round % 4, n - round % 3 - round % 4);
    fill_positive(&s, n, 0.3, 0.8);
    choose_bounds(&s);
    choose_q(&s, known, round % 5 == 0);
    for (int k = 0; k < 3; ++k) {
      assert_int_equal(solve(name[k], &s, z), NSDS_SOLVED);
      for (int i = 0; i < n; ++i) assert_true(fabs(z[i] - known[i]) <= 1e-8);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_files),
      cmocka_unit_test(test_equalities_without_diagonal),
      cmocka_unit_test(test_repeated_equalities),
      cmocka_unit_test(test_mixed_rows),
  };
  return cmocka_run_group_tests_name("numerics.pivoting", tests, NULL, NULL);
}
