/*
 * Pivoting and enumeration on problems with equality, nonnegative and box rows: families with known
 * answers, singular and inconsistent equality parts, verdicts where there is no solution, and all
 * solutions counted against a brute force of its own.
 */
#include "cmocka_setup.h"
#include "families.h"
#include "meter.h"

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

enum { most_pivots = 1024 }; /* of single ones: as many bases as ten rows have */

/* A name with "least_index" as rule of principal pivoting, or that of a solver. */
static nsds_solver *make(nsds_context *context, const char *name) {
  bool least = strcmp(name, "least_index") == 0;
  nsds_solver *solver = nsds_solver_create(context, least ? "semismooth_newton" : name);
  assert_non_null(solver);
  if (!least) return solver;
  assert_status(nsds_solver_set(solver, "least_index", 1.0), NSDS_OK);
  assert_status(nsds_solver_set(solver, "max_iterations", most_pivots), NSDS_OK);
  return solver;
}

static nsds_outcome solve_from(const char *name, const sample *s, double *z,
                               nsds_solver_info *info) {
  nsds_context *context = nsds_context_create(NULL);
  nsds_solver *solver = make(context, name);
  double w[most];
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
  nsds_problem_file *file = nsds_problem_read(context, path, NSDS_FORMAT_AUTO);
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
    int e = 2 + round % 4, n = e + 2 + round % 4 + (round % 5 == 0 ? 25 : 0);
    bool symmetric = round % 8 < 4;
    int all = n < 25 ? 3 : 2; /* methods; too many bases for the last one */
    sample_create(&s, e, 0, n - e);
    fill_positive(&s, n, 0.5, 0.4);
    for (int j = 0; j < n; ++j) *entry(&s, 1, j) = *entry(&s, 0, j);
    for (int i = 0; symmetric && i < n; ++i) *entry(&s, i, 1) = *entry(&s, i, 0);
    choose_q(&s, z, false);
    for (int k = 0; k < all; ++k) must_solve(name[k], &s);
    s.q[1] += 0.1;
    for (int k = 0; k < all; ++k)
      if (solve(name[k], &s, other) != NSDS_NO_SOLUTION)
        fail_msg("%s: %s", name[k], nsds_outcome_text(solve(name[k], &s, other)));
  }
}

/* Fewer free variables than equalities, or more: an equality part of any rank, its rows and columns
 * otherwise independent or not. */
static void test_equalities_of_any_rank(void **state) {
  (void)state;
  static const char *const name[] = {"auto", "enumeration"};
  random_seed(15);
  for (int round = 0; round < 120; ++round) {
    sample s;
    double z[most], u[most], v[most];
    int e = 2 + round % 3, rank = round % (e + 1), n = e + 3 + round % 4;
    sample_create(&s, e, 0, n - e);
    fill_positive(&s, n, 0.5, 0.4);
    for (int i = 0; i < e; ++i)
      for (int j = 0; j < e; ++j) *entry(&s, i, j) = 0.0;
    for (int k = 0; k < rank; ++k) {
      for (int i = 0; i < e; ++i) {
        u[i] = random_number();
        v[i] = random_number();
      }
      for (int i = 0; i < e; ++i)
        for (int j = 0; j < e; ++j) *entry(&s, i, j) += u[i] * v[j];
    }
    for (int j = 0; round % 2 && j < n; ++j) { /* the same rank of all that is in the rows */
      *entry(&s, 0, j) = *entry(&s, 1, j) * 2.0;
      if (round % 4 == 1) *entry(&s, j, 0) = 0.0;
    }
    choose_q(&s, z, false);
    for (int k = 0; k < 2; ++k) must_solve(name[k], &s);
  }
}

/* ---- families with a known answer ---- */

static const char *const pivoting[] = {"auto", "lemke", "semismooth_newton", "least_index",
                                       "enumeration"};
enum { methods = sizeof pivoting / sizeof *pivoting };

/* Equalities, boxes and nonnegative rows over a positive definite unsymmetric M: one solution,
 * found by everyone. */
static void test_mixed_rows(void **state) {
  (void)state;
  random_seed(7);
  for (int round = 0; round < 60; ++round) {
    sample s;
    double known[most], z[most];
    int n = 4 + round % 6;
    sample_create(&s, round % 3, round % 4, n - round % 3 - round % 4);
    fill_positive(&s, n, 0.3, 0.8);
    choose_bounds(&s);
    choose_q(&s, known, round % 5 == 0);
    for (int k = 0; k < methods; ++k) {
      assert_int_equal(solve(pivoting[k], &s, z), NSDS_SOLVED);
      for (int i = 0; i < n; ++i) assert_true(fabs(z[i] - known[i]) <= 1e-8);
    }
  }
}

/* Bounds far beyond what z needs leave z as it is without them, to the last digits; the start at
 * such a bound would cost as many as there are between. */
static void test_wide_boxes(void **state) {
  (void)state;
  random_seed(17);
  for (int round = 0; round < 40; ++round) {
    sample s;
    double known[most], z[most], size = 0.0;
    int n = 3 + round % 6, b = 1 + round % 3;
    sample_create(&s, round % 2, b, n - b - round % 2);
    fill_positive(&s, n, 0.3, 0.8);
    for (int i = 0; i < b; ++i) {
      s.lower[i] = -INFINITY;
      s.upper[i] = INFINITY;
    }
    for (int i = 0; i < n; ++i) s.q[i] = 1e-7 * random_number();
    assert_int_equal(solve("lemke", &s, known), NSDS_SOLVED);
    for (int i = 0; i < b; ++i) {
      s.lower[i] = -1e5;
      s.upper[i] = 1e6;
    }
    for (int i = 0; i < n; ++i) size = fmax(size, fabs(known[i]));
    for (int k = 0; k < methods; ++k) {
      assert_int_equal(solve(pivoting[k], &s, z), NSDS_SOLVED);
      for (int i = 0; i < n; ++i)
        if (!(fabs(z[i] - known[i]) <= 1e-12 * size))
          fail_msg("%s: %.17g, not %.17g", pivoting[k], z[i], known[i]);
    }
  }
}

/* A P-matrix that is not positive definite: M = D^-1 N D^2 with N strictly diagonally dominant and
 * D of several magnitudes. */
static void fill_p_matrix(sample *s) {
  int n = s->problem.n;
  for (int i = 0; i < n; ++i) {
    double sum = 0.1;
    for (int j = 0; j < n; ++j) sum += fabs(*entry(s, i, j) = i == j ? 0.0 : random_number());
    *entry(s, i, i) = sum;
  }
  for (int j = 0; j < n; ++j) {
    double d = pow(4.0, j % 4);
    for (int i = 0; i < n; ++i) {
      *entry(s, i, j) *= d * d;
      *entry(s, j, i) /= d;
    }
  }
}

static void test_p_matrices(void **state) {
  (void)state;
  random_seed(8);
  for (int round = 0; round < 60; ++round) {
    sample s;
    double known[most], z[most];
    int n = 4 + round % 7;
    sample_create(&s, 0, 0, n);
    fill_p_matrix(&s);
    choose_q(&s, known, false);
    for (int k = 0; k < methods; ++k) {
      assert_int_equal(solve(pivoting[k], &s, z), NSDS_SOLVED);
      for (int i = 0; i < n; ++i) assert_true(fabs(z[i] - known[i]) <= 1e-8);
    }
  }
}

/* The order of the rows does not matter. */
static void test_permutations(void **state) {
  (void)state;
  random_seed(9);
  for (int round = 0; round < 30; ++round) {
    sample s, t;
    double known[most], z[most], first[most];
    int n = 5 + round % 5, order[most];
    sample_create(&s, 0, 0, n);
    fill_positive(&s, n, 0.2, 0.9);
    choose_q(&s, known, round % 2);
    sample_create(&t, 0, 0, n);
    for (int i = 0; i < n; ++i) order[i] = (i * 7 + round) % n;
    if (n == 7) continue; /* 7 i is no permutation there */
    for (int i = 0; i < n; ++i) {
      t.q[i] = s.q[order[i]];
      for (int j = 0; j < n; ++j) *entry(&t, i, j) = *entry(&s, order[i], order[j]);
    }
    for (int k = 0; k < methods; ++k) {
      assert_int_equal(solve(pivoting[k], &s, first), NSDS_SOLVED);
      assert_int_equal(solve(pivoting[k], &t, z), NSDS_SOLVED);
      for (int i = 0; i < n; ++i) assert_true(fabs(z[i] - first[order[i]]) <= 1e-10);
    }
  }
}

/* Positive entries, strictly copositive but indefinite: Lemke ends with a solution for every q. */
static void test_copositive(void **state) {
  (void)state;
  random_seed(10);
  for (int round = 0; round < 100; ++round) {
    sample s;
    int n = 3 + round % 8;
    sample_create(&s, 0, 0, n);
    for (int k = 0; k < n * n; ++k) s.M[k] = uniform(0.01, 1.0);
    for (int i = 0; i < n; ++i) s.q[i] = random_number();
    must_solve("lemke", &s);
    must_solve("auto", &s);
  }
}

/* Matrices without any property: whatever has a solution, and few bases, is solved. */
static void test_general(void **state) {
  (void)state;
  random_seed(18);
  for (int round = 0; round < 200; ++round) {
    sample s;
    double known[most];
    int n = 4 + round % 8, e = round % 3, b = round % 4 < n - e ? round % 4 : 0;
    sample_create(&s, e, b, n - e - b);
    choose_bounds(&s);
    for (int k = 0; k < n * n; ++k)
      s.M[k] = round % 2 ? random_number() : floor(uniform(-2.0, 3.0));
    choose_q(&s, known, round % 3 == 0);
    must_solve("auto", &s);
    must_solve("enumeration", &s);
  }
}

/* Small integers: ties in every ratio test, redundant rows, solutions without number. */
static void test_degenerate(void **state) {
  (void)state;
  random_seed(11);
  for (int round = 0; round < 200; ++round) {
    sample s;
    double z[most] = {0};
    nsds_solver_info info;
    int n = 4 + round % 9, rank = 1 + round % 3;
    double A[most * 3];
    sample_create(&s, 0, 0, n);
    for (int k = 0; k < n * rank; ++k) A[k] = floor(uniform(-1.0, 2.0));
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j)
        for (int k = 0; k < rank; ++k) *entry(&s, i, j) += A[i + k * n] * A[j + k * n];
      for (int k = 0; k < rank; ++k) s.q[i] -= A[i + k * n]; /* solved by A^T z = 1, if at all */
    }
    nsds_outcome outcome = solve_from("lemke", &s, z, &info);
    assert_true(outcome == NSDS_SOLVED || outcome == NSDS_RAY);
    assert_true(info.iterations <= 10 * n);
    assert_true(solve("auto", &s, z) == outcome || outcome == NSDS_RAY);
  }
}

/* Lower triangle of twos, or B B^T with it: 2^n pivots of Lemke's method (Murty 1978) and of the
 * least-index rule (Fathi 1979), n + 1 in blocks. */
static void test_exponential(void **state) {
  (void)state;
  for (int n = 3; n <= 10; ++n) {
    sample s, t;
    double z[most];
    nsds_solver_info info;
    sample_create(&s, 0, 0, n);
    sample_create(&t, 0, 0, n);
    for (int i = 0; i < n; ++i) {
      s.q[i] = t.q[i] = -1.0;
      for (int j = 0; j <= i; ++j) *entry(&s, i, j) = i == j ? 1.0 : 2.0;
    }
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        for (int k = 0; k < n; ++k) *entry(&t, i, j) += *entry(&s, k, i) * *entry(&s, k, j);
    memset(z, 0, sizeof z);
    assert_int_equal(solve_from("lemke", &s, z, &info), NSDS_SOLVED);
    /* Lemke's path is the longest in the units of this problem. Equilibrated, it may be shorter. */
    assert_in_range(info.iterations, 1, 1 << n);
    assert_true(z[0] == 1.0);
    memset(z, 0, sizeof z);
    assert_int_equal(solve_from("least_index", &t, z, &info), NSDS_SOLVED);
    assert_int_equal(info.iterations, 1 << n);
    memset(z, 0, sizeof z);
    assert_int_equal(solve_from("semismooth_newton", &t, z, &info), NSDS_SOLVED);
    assert_true(info.iterations <= n + 1);
    must_solve("auto", &s);
    must_solve("auto", &t);
  }
}

/* Neither rule hangs where it cycles. */
static void test_cycling(void **state) {
  (void)state;
  random_seed(12);
  int ended = 0;
  for (int round = 0; round < 200; ++round) {
    sample s;
    int n = 4 + round % 5;
    sample_create(&s, 0, 0, n);
    for (int k = 0; k < n * n; ++k) s.M[k] = random_number();
    for (int i = 0; i < n; ++i) s.q[i] = random_number();
    for (int k = 2; k < 4; ++k) {
      double z[most] = {0};
      nsds_solver_info info;
      if (solve_from(pivoting[k], &s, z, &info) == NSDS_SOLVED) continue;
      assert_int_equal(info.outcome, NSDS_NOT_CONVERGED);
      assert_true(info.iterations <= most_pivots);
      ++ended;
    }
  }
  assert_true(ended > 20);
}

/* ---- no solution ---- */

/* w = -1 along a direction v >= 0 in the kernel of a positive semidefinite M. */
static void test_infeasible(void **state) {
  (void)state;
  random_seed(13);
  for (int round = 0; round < 60; ++round) {
    sample s;
    double z[most], v[most], vv = 0.0, A[most * most];
    int n = 3 + round % 8, rank = n / 2;
    sample_create(&s, 0, 0, n);
    for (int i = 0; i < n; ++i) {
      v[i] = uniform(0.2, 1.0);
      vv += v[i] * v[i];
    }
    for (int k = 0; k < rank; ++k) {
      double *a = A + k * n, dot = 0.0;
      for (int i = 0; i < n; ++i) {
        a[i] = random_number();
        dot += a[i] * v[i];
      }
      for (int i = 0; i < n; ++i) a[i] -= dot / vv * v[i];
    }
    for (int i = 0; i < n; ++i) {
      s.q[i] = random_number() - v[i] / vv * n;
      for (int j = 0; j < n; ++j)
        for (int k = 0; k < rank; ++k) *entry(&s, i, j) += A[i + k * n] * A[j + k * n];
    }
    double qv = 0.0;
    for (int i = 0; i < n; ++i) qv += s.q[i] * v[i];
    if (qv > -0.1) continue;
    assert_int_equal(solve("lemke", &s, z), NSDS_NO_SOLUTION); /* its ray becomes a proof */
    assert_int_equal(solve("auto", &s, z), NSDS_NO_SOLUTION);
    assert_int_equal(solve("enumeration", &s, z), NSDS_NO_SOLUTION);
  }
}

/* M = -I, q < 0: no solution, as all 2^n bases say; n = 1 is the least, n = 0 has nothing to say.
 */
static void test_no_solution(void **state) {
  (void)state;
  for (int n = 0; n <= 8; ++n) {
    sample s;
    double z[most];
    sample_create(&s, 0, 0, n);
    for (int i = 0; i < n; ++i) {
      *entry(&s, i, i) = -1.0;
      s.q[i] = -1.0;
    }
    nsds_outcome expected = n == 0 ? NSDS_SOLVED : NSDS_NO_SOLUTION;
    assert_int_equal(solve("auto", &s, z), expected);
    assert_int_equal(solve("enumeration", &s, z), expected);
    assert_int_equal(solve("lemke", &s, z), n == 0 ? NSDS_SOLVED : NSDS_NO_SOLUTION);
  }
}

/* Rows in units from 1e-6 to 1e6. */
static void change_units(sample *s) {
  int n = s->problem.n, e = s->block[0].size, b = s->block[1].size;
  for (int i = 0; i < n; ++i) {
    double unit = pow(10.0, 6 * (i % 3) - 6);
    s->q[i] *= unit;
    for (int j = 0; j < n; ++j) {
      *entry(s, i, j) *= unit;
      *entry(s, j, i) *= unit;
    }
    if (i < e || i >= e + b) continue;
    s->lower[i - e] /= unit;
    s->upper[i - e] /= unit;
  }
}

/* Small integers, mostly singular: faces by their least point (enumeration) or by their vertices
 * (direct) lead to the same verdict. In other units "no solution" may become a doubt: without a
 * diagonal nothing says in which unit a bound is violated. */
static void test_verdicts_agree(void **state) {
  (void)state;
  int without = 0, with = 0, doubts = 0;
  random_seed(16);
  nsds_context *context = nsds_context_create(NULL);
  nsds_solver *solver = make(context, "enumeration");
  for (int round = 0; round < 4000; ++round) {
    sample s;
    double z[most];
    int e = round % 2, b = round / 2 % 2;
    sample_create(&s, e, b, 3 - e - b);
    s.lower[0] = -1.0;
    s.upper[0] = round % 3;
    for (int k = 0; k < 9; ++k) s.M[k] = floor(uniform(-1.0, 2.0));
    for (int i = 0; i < 3; ++i) s.q[i] = floor(uniform(-1.0, 2.0));
    nsds_enumeration report;
    nsds_outcome expected = solve("enumeration", &s, z);
    nsds_enumerate(solver, &s.problem, NULL, NULL, &report);
    if (report.outcome != expected)
      fail_msg("round %d: %s by vertices, %s by faces", round, nsds_outcome_text(expected),
               nsds_outcome_text(report.outcome));
    change_units(&s);
    nsds_enumerate(solver, &s.problem, NULL, NULL, &report);
    doubts += report.outcome == NSDS_NOT_CONVERGED;
    if (report.outcome != expected &&
        (expected == NSDS_SOLVED || report.outcome != NSDS_NOT_CONVERGED))
      fail_msg("round %d: %s, in other units %s", round, nsds_outcome_text(expected),
               nsds_outcome_text(report.outcome));
    without += expected == NSDS_NO_SOLUTION;
    with += expected == NSDS_SOLVED;
  }
  assert_true(without > 400 && with > 400 && doubts < 200);
  nsds_solver_destroy(solver);
  nsds_context_destroy(context);
}

/* ---- all solutions ---- */

enum { most_found = 2048 };

typedef struct found {
  int n, count;
  double z[most_found][8];
  int stop_at;
} found;

static int note(const double *z, const double *w, void *user) {
  found *f = user;
  assert_true(f->count < most_found);
  for (int i = 0; i < f->n; ++i) {
    assert_true(isfinite(w[i]));
    f->z[f->count][i] = z[i];
  }
  return ++f->count == f->stop_at;
}

static bool is_known(const found *f, const double *z) {
  for (int k = 0; k < f->count; ++k) {
    double far = 0.0;
    for (int i = 0; i < f->n; ++i) far = fmax(far, fabs(z[i] - f->z[k][i]));
    if (far < 1e-7) return true;
  }
  return false;
}

/* z of the rows `unknown` with w = 0, the others as they are; false when singular. */
static bool brute_solve(const sample *s, const bool *unknown, long double *z) {
  int n = s->problem.n;
  long double a[8][9];
  for (int i = 0; i < n; ++i) {
    a[i][n] = unknown[i] ? -s->q[i] : z[i];
    for (int j = 0; j < n; ++j) a[i][j] = unknown[i] ? s->M[i + j * n] : i == j ? 1.0L : 0.0L;
  }
  for (int c = 0; c < n; ++c) {
    int best = c;
    for (int i = c; i < n; ++i)
      if (fabsl(a[i][c]) > fabsl(a[best][c])) best = i;
    if (fabsl(a[best][c]) < 1e-10L) return false;
    for (int j = 0; j <= n; ++j) {
      long double t = a[c][j];
      a[c][j] = a[best][j];
      a[best][j] = t;
    }
    for (int i = 0; i < n; ++i) {
      long double f = a[i][c] / a[c][c];
      for (int j = c; i != c && j <= n; ++j) a[i][j] -= f * a[c][j];
    }
  }
  for (int i = 0; i < n; ++i) z[i] = a[i][n] / a[i][i];
  return true;
}

static bool brute_holds(const sample *s, const double *z) {
  int n = s->problem.n, e = s->block[0].size, b = e + s->block[1].size;
  for (int i = 0; i < n; ++i) {
    double w = s->q[i], l = i < b ? s->lower[i - e] : 0.0, u = i < b ? s->upper[i - e] : INFINITY;
    for (int j = 0; j < n; ++j) w += s->M[i + j * n] * z[j];
    if (z[i] < l - 1e-9 || z[i] > u + 1e-9) return false;
    if (w > 1e-9 && z[i] > l + 1e-9) return false;
    if (w < -1e-9 && z[i] < u - 1e-9) return false;
  }
  return true;
}

/* All choices of rows from `row` on. */
static void brute(const sample *s, int row, bool *unknown, long double *at, found *f) {
  if (row < s->problem.n) {
    int box = row - s->block[0].size;
    for (int k = 0; k < 3; ++k) {
      bool in_box = box < s->block[1].size;
      if (k == 2 && !in_box) continue;
      unknown[row] = k == 0;
      at[row] = !in_box || k == 0 ? 0.0L : k == 1 ? s->lower[box] : s->upper[box];
      brute(s, row + 1, unknown, at, f);
    }
    return;
  }
  long double x[8];
  double z[8] = {0};
  memcpy(x, at, sizeof x);
  if (!brute_solve(s, unknown, x)) return;
  for (int i = 0; i < s->problem.n; ++i) z[i] = (double)x[i];
  if (brute_holds(s, z) && !is_known(f, z)) note(z, z, f);
}

static void test_all_solutions(void **state) {
  (void)state;
  static found brutes, visited;
  int several = 0;
  random_seed(14);
  nsds_context *context = nsds_context_create(NULL);
  nsds_solver *solver = make(context, "enumeration");
  for (int round = 0; round < 150; ++round) {
    sample s;
    int n = 2 + round % 5;
    sample_create(&s, 0, round % 3, n - round % 3 > 0 ? n - round % 3 : 0);
    n = s.problem.n;
    choose_bounds(&s);
    for (int k = 0; k < n * n; ++k) s.M[k] = random_number();
    for (int i = 0; i < n; ++i) *entry(&s, i, i) -= 0.5;
    for (int i = 0; i < n; ++i) s.q[i] = random_number() + 0.2;
    if (round % 4 == 3) s.q[0] = 0.0; /* degenerate where z_0 = 0 alone matters */
    brutes = (found){.n = n};
    visited = (found){.n = n};
    bool unknown[8];
    long double at[8];
    brute(&s, 0, unknown, at, &brutes);
    nsds_enumeration report;
    nsds_status status = nsds_enumerate(solver, &s.problem, note, &visited, &report);
    assert_true((status == NSDS_OK) == (brutes.count > 0));
    assert_int_equal(report.outcome, brutes.count > 0 ? NSDS_SOLVED : NSDS_NO_SOLUTION);
    assert_int_equal(report.solutions, visited.count);
    assert_int_equal(visited.count, brutes.count);
    assert_true(report.tried == report.bases);
    for (int k = 0; k < visited.count; ++k) assert_true(is_known(&brutes, visited.z[k]));
    several += brutes.count > 1;
  }
  assert_true(several > 30);
  nsds_solver_destroy(solver);
  nsds_context_destroy(context);
}

/* w = 1 - z: every vertex of a cube solves. w = z: only 0, to which all bases lead. */
static void test_many_and_one(void **state) {
  (void)state;
  static found visited;
  nsds_context *context = nsds_context_create(NULL);
  nsds_solver *solver = make(context, "enumeration");
  nsds_enumeration report;
  sample s;
  sample_create(&s, 0, 0, 8);
  for (int i = 0; i < 8; ++i) {
    *entry(&s, i, i) = -1.0;
    s.q[i] = 1.0;
  }
  visited = (found){.n = 8};
  assert_status(nsds_enumerate(solver, &s.problem, note, &visited, &report), NSDS_OK);
  assert_int_equal(visited.count, 256);
  visited = (found){.n = 8, .stop_at = 3};
  assert_status(nsds_enumerate(solver, &s.problem, note, &visited, &report), NSDS_ERROR_SOLVER);
  assert_int_equal(report.outcome, NSDS_INTERRUPTED);
  assert_int_equal(report.solutions, 3);
  for (int i = 0; i < 8; ++i) s.q[i] = 0.0;
  assert_status(nsds_enumerate(solver, &s.problem, NULL, NULL, &report), NSDS_OK);
  assert_int_equal(report.solutions, 1);
  s.block[2].size = s.problem.n = s.problem.M.n = 0;
  assert_status(nsds_enumerate(solver, &s.problem, NULL, NULL, &report), NSDS_OK);
  assert_int_equal(report.solutions, 1);
  nsds_solver_destroy(solver);
  nsds_context_destroy(context);
}

/* Pang's isolated solution (1, 0, 0), where every basis that has it is singular; and all of z_1 +
 * z_2 = 1: its ends and its least point. */
static void test_singular_bases(void **state) {
  (void)state;
  static found visited;
  nsds_context *context = nsds_context_create(NULL);
  nsds_solver *solver = make(context, "enumeration");
  nsds_enumeration report;
  sample s;
  sample_create(&s, 0, 0, 3);
  *entry(&s, 0, 1) = *entry(&s, 0, 2) = *entry(&s, 2, 0) = s.q[1] = -1.0;
  *entry(&s, 1, 0) = s.q[2] = 1.0;
  visited = (found){.n = 3};
  assert_status(nsds_enumerate(solver, &s.problem, note, &visited, &report), NSDS_OK);
  assert_int_equal(visited.count, 1);
  assert_true(is_known(&visited, (double[]){1.0, 0.0, 0.0}));
  assert_true(report.singular > 0);
  sample_create(&s, 0, 0, 2);
  for (int k = 0; k < 4; ++k) s.M[k] = 1.0;
  s.q[0] = s.q[1] = -1.0;
  visited = (found){.n = 2};
  assert_status(nsds_enumerate(solver, &s.problem, note, &visited, &report), NSDS_OK);
  assert_int_equal(visited.count, 3);
  assert_true(is_known(&visited, (double[]){1.0, 0.0}));
  assert_true(is_known(&visited, (double[]){0.0, 1.0}));
  assert_true(is_known(&visited, (double[]){0.5, 0.5}));
  nsds_solver_destroy(solver);
  nsds_context_destroy(context);
}

/* Equalities 0 = 0 leave x in R^40 to 1 <= sum x <= 2: the least is taken, 1/40 each. With
 * 1 <= sum x <= 1/2 there is none. */
/* In units that make all entries 1: w_3 >= 0 needs z_4 >= 1 + z_3, w_2 >= 0 then z_2 = 1 + z_0 + z_3 +
 * z_4, and w_4 = 0 becomes z_1 + z_3 + 2 z_4 = 0: no solution, though a singular basis has points at
 * 1e19 beside which all errors are small. */
static void test_faces_that_run_off(void **state) {
  (void)state;
  static const double M[25] = {-1e-6, 1e-3, -1,    0,   1e-3,  -1e-3, -1,    0,    0,
                               -1,    1,    1000,  1e6, 0,     -1000, -1e-6, 1e-3, -1,
                               -1e-6, 0,    -1e-3, 1,   -1000, 1e-3,  -1};
  static const double q[5] = {-1e-3, 1, -1000, -1e-3, 1};
  sample s;
  double z[most];
  sample_create(&s, 0, 0, 5);
  memcpy(s.M, M, sizeof M);
  memcpy(s.q, q, sizeof q);
  assert_int_equal(solve("enumeration", &s, z), NSDS_NO_SOLUTION);
}

static void test_wide_face(void **state) {
  (void)state;
  enum { wide = 40, n = wide + 2 };
  static double M[n * n], q[n], z[n], w[n];
  const nsds_block block[] = {{.set = NSDS_SET_EQUALITY, .size = wide},
                              {.set = NSDS_SET_NONNEGATIVE, .size = 2}};
  const nsds_problem problem = {
      .n = n, .nblock = 2, .block = block, .M = {.storage = NSDS_DENSE, .n = n, .x = M}, .q = q};
  nsds_context *context = nsds_context_create(NULL);
  nsds_solver *solver = make(context, "enumeration");
  nsds_solver_info info;
  for (int j = 0; j < wide; ++j) {
    M[wide + j * n] = 1.0;
    M[wide + 1 + j * n] = -1.0;
  }
  q[wide] = -1.0;
  q[wide + 1] = 2.0;
  assert_status(nsds_solve(solver, &problem, z, w, &info), NSDS_OK);
  for (int j = 0; j < wide; ++j) assert_true(fabs(z[j] - 1.0 / wide) < 1e-14);
  q[wide + 1] = 0.5;
  assert_status(nsds_solve(solver, &problem, z, w, &info), NSDS_ERROR_SOLVER);
  assert_int_equal(info.outcome, NSDS_NO_SOLUTION);
  nsds_solver_destroy(solver);
  nsds_context_destroy(context);
}

static void test_enumerate_refuses(void **state) {
  (void)state;
  nsds_context *context = nsds_context_create(NULL);
  nsds_solver *solver = make(context, "enumeration"), *lemke = make(context, "lemke");
  nsds_enumeration report;
  sample s;
  double z[most];
  sample_create(&s, 0, 0, most);
  for (int i = 0; i < most; ++i) {
    *entry(&s, i, i) = 1.0;
    s.q[i] = -1.0;
  }
  assert_int_equal(solve("enumeration", &s, z), NSDS_REFUSED);
  assert_status(nsds_enumerate(solver, &s.problem, NULL, NULL, &report), NSDS_ERROR_SOLVER);
  assert_int_equal(report.outcome, NSDS_REFUSED);
  assert_true(report.bases == pow(2.0, most));
  assert_string_equal(nsds_error_message(context), "");
  assert_status(nsds_enumerate(lemke, &s.problem, NULL, NULL, &report), NSDS_ERROR_ARGUMENT);
  assert_non_null(strstr(nsds_error_message(context), "lemke"));
  nsds_error_clear(context);
  assert_status(nsds_enumerate(solver, NULL, NULL, NULL, NULL), NSDS_ERROR_ARGUMENT);
  assert_status(nsds_enumerate(NULL, &s.problem, NULL, NULL, NULL), NSDS_ERROR_ARGUMENT);
  nsds_solver_destroy(solver);
  nsds_solver_destroy(lemke);
  nsds_context_destroy(context);
}

/* Every allocation of an enumeration may fail; the same solver then still works. */
static void test_enumerate_memory(void **state) {
  (void)state;
  sample s;
  sample_create(&s, 0, 0, 5);
  for (int k = 0; k < 25; ++k) s.M[k] = k % 6 == 0 ? 0.0 : 1.0;
  for (int i = 0; i < 4; ++i) s.q[i] = -1.0;
  for (long k = 1, more = 1; more; ++k) {
    meter m = {.fail_at = k};
    nsds_context *context = metered_context(&m);
    nsds_solver *solver = context ? nsds_solver_create(context, "enumeration") : NULL;
    nsds_enumeration report = {0};
    nsds_status status =
        solver ? nsds_enumerate(solver, &s.problem, NULL, NULL, &report) : NSDS_ERROR_MEMORY;
    more = m.count >= k;
    assert_status(status, more ? NSDS_ERROR_MEMORY : NSDS_OK);
    int solutions = report.solutions;
    if (solver) {
      nsds_error_clear(context);
      assert_status(nsds_enumerate(solver, &s.problem, NULL, NULL, &report), NSDS_OK);
      assert_true(report.solutions > 1 && (more || report.solutions == solutions));
    }
    nsds_solver_destroy(solver);
    nsds_context_destroy(context);
    assert_int_equal(m.live, 0);
  }
}

/* A convex programme with z = (0, 0, 0, 3, 0): rounding refuted its basis, and "no solution" stood
 * without a proof. */
static void bases_refuted_by_rounding_prove_nothing(void **unused) {
  (void)unused;
  static const double M[25] = {192.0,     -34.0, -32.0, -59.0, 0.0,  -34.0, 16.0625, 0.0, 0.0,
                               0.0,       -32.0, 0.0,   16.0,  -0.5, 0.0,   -59.0,   0.0, -0.5,
                               64.265625, 0.0,   0.0,   0.0,   0.0,  0.0,   0.0};
  static const double q[5] = {177.0, 0.0, 4.5, -192.796875, 2.0};
  static const nsds_block block[2] = {{.set = NSDS_SET_EQUALITY, .size = 1},
                                      {.set = NSDS_SET_NONNEGATIVE, .size = 4}};
  const nsds_problem p = {.n = 5,
                          .nblock = 2,
                          .block = block,
                          .q = q,
                          .M = {.storage = NSDS_DENSE, .n = 5, .x = M, .symmetric = true}};
  static const char *const name[] = {"enumeration", "auto"};
  for (int k = 0; k < 2; ++k) {
    nsds_context *context = nsds_context_create(NULL);
    nsds_solver *solver = nsds_solver_create(context, name[k]);
    nsds_solver_info info;
    double z[5] = {0.0}, w[5];
    assert_status(nsds_solver_set(solver, "tolerance", 1e-8), NSDS_OK);
    nsds_solve(solver, &p, z, w, &info);
    assert_true(info.outcome == NSDS_SOLVED || (k == 0 && info.outcome == NSDS_NOT_CONVERGED));
    nsds_solver_destroy(solver);
    nsds_context_destroy(context);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bases_refuted_by_rounding_prove_nothing),
      cmocka_unit_test(test_files),
      cmocka_unit_test(test_equalities_without_diagonal),
      cmocka_unit_test(test_repeated_equalities),
      cmocka_unit_test(test_equalities_of_any_rank),
      cmocka_unit_test(test_mixed_rows),
      cmocka_unit_test(test_wide_boxes),
      cmocka_unit_test(test_p_matrices),
      cmocka_unit_test(test_permutations),
      cmocka_unit_test(test_copositive),
      cmocka_unit_test(test_general),
      cmocka_unit_test(test_degenerate),
      cmocka_unit_test(test_exponential),
      cmocka_unit_test(test_cycling),
      cmocka_unit_test(test_infeasible),
      cmocka_unit_test(test_no_solution),
      cmocka_unit_test(test_verdicts_agree),
      cmocka_unit_test(test_all_solutions),
      cmocka_unit_test(test_many_and_one),
      cmocka_unit_test(test_singular_bases),
      cmocka_unit_test(test_faces_that_run_off),
      cmocka_unit_test(test_wide_face),
      cmocka_unit_test(test_enumerate_refuses),
      cmocka_unit_test(test_enumerate_memory),
  };
  return cmocka_run_group_tests_name("numerics.pivoting", tests, NULL, NULL);
}
