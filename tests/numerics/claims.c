/*
 * What methods claim: "no solution" only where there is none, whatever the units; "solved" never
 * for what is not a number, nor by an excuse of rounding where there is none; and limits that are
 * kept where no step is possible.
 */
#include "bodies.h"
#include "cmocka_setup.h"
#include "families.h"

#include "numerics/certify/certify_sets.h"
#include "numerics/sets/polyhedron.h"

#include <nsds/solver.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { most = 10 };

static nsds_problem dense(int n, const double *M, const double *q, const nsds_block *block) {
  return (nsds_problem){
      .n = n, .nblock = 1, .block = block, .M = {.storage = NSDS_DENSE, .n = n, .x = M}, .q = q};
}

/* Solved from zero by this method; the answer in z. */
static nsds_outcome outcome_of(const char *name, const nsds_problem *p, double tolerance,
                               double *z) {
  nsds_context *context = nsds_context_create(NULL);
  nsds_solver *solver = nsds_solver_create(context, name);
  double w[most];
  nsds_solver_info info;
  memset(z, 0, (size_t)p->n * sizeof *z);
  assert_int_equal(nsds_solver_set(solver, "tolerance", tolerance), NSDS_OK);
  nsds_solve(solver, p, z, w, &info);
  nsds_solver_destroy(solver);
  nsds_context_destroy(context);
  return info.outcome;
}

static const char *const pivoting[] = {"auto", "enumeration", "semismooth_newton", "interior_point",
                                       "lemke"};
enum { methods = sizeof pivoting / sizeof *pivoting };

/* 0 z_1 + 0 = 0, 4 z_2 + 8 = 0: z_1 is any. */
static void free_variables_without_an_equation(void **unused) {
  (void)unused;
  static const double M[9] = {0, 0, 0, 0, 4, 0, 0, 0, 1}, q[3] = {0, 8, -1};
  static const double low[3] = {-INFINITY, -INFINITY, -INFINITY},
                      high[3] = {INFINITY, INFINITY, INFINITY};
  static const double two[4] = {0, 0, 0, 4};
  const nsds_block blocks[] = {{.set = NSDS_SET_EQUALITY},
                               {.set = NSDS_SET_BOX, .lower = low, .upper = high}};
  for (int n = 2; n <= 3; ++n)
    for (int b = 0; b < 2; ++b)
      for (int k = 0; k < methods; ++k) {
        nsds_block block = blocks[b];
        double z[most];
        block.size = n;
        nsds_problem p = dense(n, n == 2 ? two : M, q, &block);
        assert_int_equal(outcome_of(pivoting[k], &p, 1e-10, z), NSDS_SOLVED);
        assert_true(fabs(z[1] - (-2.0)) <= 1e-9);
      }
}

/* P-matrices whose rows have units far apart are no more singular than the same in one unit. */
static void units_make_nothing_singular(void **unused) {
  (void)unused;
  static const double M[2][4] = {{1, 0, 1, 1e-15}, {2e16, 1, 1, 2e-16}};
  static const double z0[2][2] = {{2, 1}, {1e-8, 1e8}};
  const nsds_set_kind sets[] = {NSDS_SET_NONNEGATIVE, NSDS_SET_EQUALITY};
  for (int m = 0; m < 2; ++m)
    for (int s = 0; s < 2; ++s)
      for (int k = 0; k < 2; ++k) { /* auto, direct */
        double q[2], z[most];
        for (int i = 0; i < 2; ++i) q[i] = -(M[m][i] * z0[m][0] + M[m][i + 2] * z0[m][1]);
        nsds_block block = {.set = sets[s], .size = 2};
        nsds_problem p = dense(2, M[m], q, &block);
        assert_int_equal(outcome_of(pivoting[k], &p, 1e-10, z), NSDS_SOLVED);
        for (int i = 0; i < 2; ++i) assert_true(fabs(z[i] - (z0[m][i])) <= 1e-7 * z0[m][i]);
      }
}

/* A positive definite M of which one entry is larger than the others by any factor, and rows and
 * columns in units of any size: regular systems with a solution, whatever a factorisation makes of
 * them. */
static void one_large_entry_makes_nothing_unsolvable(void **unused) {
  (void)unused;
  static const char *const deciding[] = {"auto", "enumeration"};
  const nsds_block block = {.set = NSDS_SET_EQUALITY, .size = 2};
  for (double big = 1e7; big < 1e151; big *= 1e3)
    for (int k = 0; k < 2; ++k) {
      double M[4] = {0.3, 0.7, 0.7, big}, q[2] = {-0.2, -0.6 * big}, z[most];
      nsds_problem p = dense(2, M, q, &block);
      assert_int_equal(outcome_of(deciding[k], &p, 1e-10, z), NSDS_SOLVED);
      assert_true(fabs(z[1] - 0.6) <= 1e-6);
      assert_true(fabs(z[0] - (0.2 - 0.7 * z[1]) / 0.3) <= 1e-9);
    }
}

typedef struct scaled_problem {
  int n;
  double M[36], q[6], z[6], lower[6], upper[6];
  nsds_block block;
} scaled_problem;

/* Rows times D_1 and columns times D_2, of exponents up to `spread`; z is that of the new ones. */
static void scale_rows_and_columns(scaled_problem *s, int spread) {
  for (int i = 0; i < s->n; ++i) {
    double row = exp2(floor(uniform(-spread, spread))),
           column = exp2(floor(uniform(-spread, spread)));
    for (int j = 0; j < s->n; ++j) {
      s->M[i + s->n * j] *= row;
      s->M[j + s->n * i] *= column;
    }
    s->q[i] *= row;
    s->z[i] /= column;
  }
}

static double terms_of_row(const scaled_problem *s, int i, double *sum) {
  double size = 0.0;
  *sum = 0.0;
  for (int j = 0; j < s->n; ++j) {
    *sum += s->M[i + s->n * j] * s->z[j];
    size += fabs(s->M[i + s->n * j] * s->z[j]);
  }
  return size;
}

/* Positive definite, scaled, and then some diagonal entries larger by any factor; with a solution
 * z, at a bound with a w of the right sign or between them. */
static void make_scaled(scaled_problem *s, int n, nsds_set_kind set, int spread) {
  enum { at_upper, at_lower, between };
  double A[36], sum;
  s->n = n;
  for (int k = 0; k < n * n; ++k) A[k] = random_number();
  for (int i = 0; i < n; ++i) {
    s->z[i] = uniform(0.5, 2.0);
    for (int j = 0; j < n; ++j) {
      s->M[i + n * j] = i == j ? 0.1 : 0.0;
      for (int k = 0; k < n; ++k) s->M[i + n * j] += A[i + n * k] * A[j + n * k];
    }
  }
  scale_rows_and_columns(s, spread);
  for (int i = 0; i < n; ++i)
    if (random_number() > 0.0) s->M[i + n * i] *= exp2(uniform(0.0, spread));
  for (int i = 0; i < n; ++i) {
    int at =
        set == NSDS_SET_EQUALITY ? between : (int)uniform(set == NSDS_SET_BOX ? 0.0 : 1.0, 2.999);
    bool zero = at == at_lower && set == NSDS_SET_NONNEGATIVE;
    s->lower[i] = s->z[i] * (at == at_lower ? 1.0 : -1.0);
    s->upper[i] = s->z[i] * (at == at_upper ? 1.0 : 3.0);
    if (zero) s->z[i] = 0.0;
    s->q[i] = at == at_lower ? 1.0 : at == at_upper ? -1.0 : 0.0; /* w, for now */
  }
  for (int i = 0; i < n; ++i) {
    double size = terms_of_row(s, i, &sum);
    s->q[i] = s->q[i] * (size > 0.0 ? size : 1.0) - sum;
  }
  s->block = (nsds_block){.set = set, .size = n, .lower = s->lower, .upper = s->upper};
}

static void scales_make_nothing_unsolvable(void **unused) {
  (void)unused;
  static const char *const deciding[] = {"auto", "enumeration"};
  static const nsds_set_kind sets[] = {NSDS_SET_EQUALITY, NSDS_SET_NONNEGATIVE, NSDS_SET_BOX};
  random_seed(31);
  for (int round = 0; round < 600; ++round) {
    scaled_problem s;
    double z[most];
    make_scaled(&s, 1 + round % 6, sets[round / 6 % 3], 10 + round % 50);
    nsds_problem p = dense(s.n, s.M, s.q, &s.block);
    assert_true(certify(&p, s.z).residual <= 1e-13);
    for (int k = 0; k < 2; ++k)
      if (outcome_of(deciding[k], &p, 1e-10, z) != NSDS_SOLVED)
        fail_msg("round %d, %s", round, deciding[k]);
    assert_int_not_equal(outcome_of("lemke", &p, 1e-10, z), NSDS_NO_SOLUTION);
  }
}

/* x + y = 0 and x + y = 1, in any units. */
static void scales_hide_no_contradiction(void **unused) {
  (void)unused;
  static const char *const deciding[] = {"auto", "enumeration"};
  random_seed(32);
  for (int round = 0; round < 200; ++round) {
    scaled_problem s = {.n = 2 + round % 4};
    double z[most];
    for (int k = 0; k < s.n * s.n; ++k) s.M[k] = 1.0;
    for (int i = 1; i < s.n; ++i) s.q[i] = i % 2;
    s.block = (nsds_block){.set = NSDS_SET_EQUALITY, .size = s.n};
    scale_rows_and_columns(&s, 3 + round % 90);
    nsds_problem p = dense(s.n, s.M, s.q, &s.block);
    for (int k = 0; k < 2; ++k)
      if (outcome_of(deciding[k], &p, 1e-10, z) != NSDS_NO_SOLUTION)
        fail_msg("round %d, %s", round, deciding[k]);
  }
}

/* Equalities that depend on each other and fit but for a part of 1e-9 of their terms. */
static void what_the_tolerance_allows_is_solved(void **unused) {
  (void)unused;
  double M[36], q[6], z[most];
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j) M[i + 6 * j] = i % 3 == j % 3 ? 2.0 : 0.5;
  for (int i = 0; i < 6; ++i) q[i] = (1.0 + i % 3) * (i < 3 ? 1.0 : 1.0 + 4e-9);
  const nsds_block block = {.set = NSDS_SET_EQUALITY, .size = 6};
  nsds_problem p = dense(6, M, q, &block);
  assert_int_equal(outcome_of("auto", &p, 1e-7, z), NSDS_SOLVED);
  assert_int_equal(outcome_of("lemke", &p, 1e-7, z), NSDS_SOLVED);
  for (int i = 3; i < 6; ++i) q[i] = 1.0 + i % 3 + 0.1;
  assert_int_equal(outcome_of("lemke", &p, 1e-7, z), NSDS_NO_SOLUTION);
}

/* A contact that is open by a wide margin has z = 0 exactly: it excuses nothing elsewhere. */
static void an_open_contact_is_no_excuse(void **unused) {
  (void)unused;
  static const double M[4] = {2, 1, 1, 2};
  const nsds_block block = {.set = NSDS_SET_NONNEGATIVE, .size = 2};
  for (double big = 1e3; big < 1e21; big *= 1e3) {
    double q[2] = {big, -1}, z[most];
    nsds_problem p = dense(2, M, q, &block);
    assert_true(certify(&p, (double[]){0, 0}).residual > 0.5);
    assert_true(certify(&p, (double[]){0, 0.55}).residual > 1e-2);
    assert_true(certify(&p, (double[]){0, 0.5}).residual == 0.0);
    assert_int_equal(outcome_of("auto", &p, 1e-10, z), NSDS_SOLVED);
    assert_true(fabs(z[1] - 0.5) <= 1e-8);
    if (outcome_of("admm", &p, 1e-10, z) == NSDS_SOLVED) assert_true(fabs(z[1] - 0.5) <= 1e-8);
  }
}

/* Where a column is empty no w shows what z is. */
static void what_is_not_finite_is_not_certified(void **unused) {
  (void)unused;
  static const double x[1] = {4}, q[2] = {8, 0};
  static const int first[3] = {0, 1, 1}, row[1] = {0};
  const nsds_block block = {.set = NSDS_SET_EQUALITY, .size = 2};
  nsds_problem p = {.n = 2,
                    .nblock = 1,
                    .block = &block,
                    .M = {.storage = NSDS_CSC, .n = 2, .p = (int *)first, .i = (int *)row, .x = x},
                    .q = q};
  assert_true(certify(&p, (double[]){-2, 5}).residual == 0.0);
  assert_true(isinf(certify(&p, (double[]){-2, NAN}).residual));
  assert_true(isinf(certify(&p, (double[]){-2, INFINITY}).residual));
  nsds_context *context = nsds_context_create(NULL);
  for (int k = 0; nsds_solver_table(k) && !nsds_solver_table(k)->global; ++k) {
    nsds_solver *solver = nsds_solver_create(context, nsds_solver_table(k)->name);
    double z[2] = {NAN, NAN}, w[2];
    nsds_solve(solver, &p, z, w, NULL);
    assert_true(isfinite(z[0]) && isfinite(z[1]));
    nsds_error_clear(context);
    nsds_solver_destroy(solver);
  }
  nsds_context_destroy(context);
}

/* M + e / R = 0 with e = 1: no step is possible, and the limit ends it. */
static void steps_that_are_impossible_count(void **unused) {
  (void)unused;
  static const double M[1] = {-1}, q[1] = {-1};
  const nsds_block block = {.set = NSDS_SET_EQUALITY, .size = 1};
  int row[2] = {0, 1}, first[2] = {0, 1}, column[1] = {0}, start[1] = {0};
  nsds_block_rows rows = {1, row, first, column, start, M};
  nsds_problem p = dense(1, NULL, q, &block);
  p.M.storage = NSDS_BLOCK_ROWS;
  p.M.blocks = &rows;
  nsds_context *context = nsds_context_create(NULL);
  nsds_solver *solver = nsds_solver_create(context, "nonsmooth_newton");
  double z[1] = {0}, w[1];
  nsds_solver_info info;
  nsds_solver_set(solver, "hyperstatic", 1.0);
  nsds_solver_set(solver, "weight", 1.0);
  nsds_solver_set(solver, "max_iterations", 13);
  nsds_solver_set(solver, "time_limit", 5.0);
  nsds_solve(solver, &p, z, w, &info);
  assert_true(info.iterations <= 13);
  assert_true(info.outcome != NSDS_INTERRUPTED);
  nsds_solver_destroy(solver);
  nsds_context_destroy(context);
}

/* Semidefinite M = sum g g^T of low rank, a row of them an equality, and q for which there is a
 * solution: what the equality leaves of the other rows vanishes, and was rounding below zero, from
 * which no path led anywhere. */
static void what_rounding_leaves_of_a_slack_is_no_ray(void **unused) {
  (void)unused;
  const nsds_block block[] = {{.set = NSDS_SET_NONNEGATIVE, .size = 5},
                              {.set = NSDS_SET_EQUALITY, .size = 1}};
  enum { n = 6 };
  random_seed(11);
  for (int trial = 0; trial < 400; ++trial) {
    double M[n * n] = {0.0}, q[n], z[most];
    for (int k = 0; k <= trial % 3; ++k) {
      double g[n];
      for (int i = 0; i < n; ++i) g[i] = (i == n - 1 ? 0.02 : 1.0) * random_number();
      for (int i = 0; i < n * n; ++i) M[i] += g[i % n] * g[i / n];
    }
    for (int i = 0; i < n; ++i) z[i] = i < 3 ? 1.0 + random_number() : i == n - 1;
    for (int i = 0; i < n; ++i) q[i] = i == 3 || i == 4 ? 0.5 : 0.0;
    for (int i = 0; i < n * n; ++i) q[i % n] -= M[i] * z[i / n];
    nsds_problem p = dense(n, M, q, block);
    p.nblock = 2;
    if (outcome_of("lemke", &p, 1e-10, z) != NSDS_SOLVED) fail_msg("trial %d: not solved", trial);
  }
}

static void fill_definite(int n, double *M, double *q) {
  double G[most * most];
  for (int i = 0; i < n * n; ++i) G[i] = random_number();
  for (int i = 0; i < n; ++i) q[i] = 3.0 * random_number();
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) {
      M[i + j * n] = 0.1 * (i == j);
      for (int k = 0; k < n; ++k) M[i + j * n] += G[k + i * n] * G[k + j * n];
    }
}

/* H z >= K holds at one point, z = p, where opposite facets meet; at p = 0 rounding of what is
 * projected is all there is beside the gap, and was taken for a proof that there is no point. */
static void polyhedra_of_one_point_have_it(void **unused) {
  (void)unused;
  enum { n = 3, facets = 2 * n };
  static const char *const method[] = {
      "auto", "lemke", "nsgs", "interior_point", "nonsmooth_newton", "projected_gradient", "admm"};
  random_seed(3);
  for (int trial = 0; trial < 60; ++trial) {
    double M[n * n], q[n], H[facets * n] = {0.0}, K[facets], p[n], z[most];
    fill_definite(n, M, q);
    for (int i = 0; i < n; ++i) {
      double size = 1.0 + fabs(random_number());
      p[i] = (trial >> i) % 2 ? random_number() : 0.0;
      H[i + i * facets] = 1.0;
      H[n + i + i * facets] = -size;
      K[i] = p[i];
      K[n + i] = -size * p[i];
    }
    nsds_block block = {.set = NSDS_SET_POLYHEDRON, .size = n, .nfacet = facets, .H = H, .K = K};
    nsds_problem problem = dense(n, M, q, &block);
    for (size_t k = 0; k < sizeof method / sizeof *method; ++k) {
      if (outcome_of(method[k], &problem, 1e-10, z) != NSDS_SOLVED)
        fail_msg("%s, trial %d: not solved", method[k], trial);
      for (int i = 0; i < n; ++i) assert_true(fabs(z[i] - p[i]) < 1e-9);
    }
  }
}

/* Rows of a polyhedron in units of 1e-3, 1 and 1e3: those of its facets' normals go with them. */
static void polyhedra_with_units_apart_are_solved(void **unused) {
  (void)unused;
  enum { n = 6, size = 3, facets = 5 };
  static const double unit[size] = {1e-3, 1.0, 1e3};
  random_seed(17);
  for (int trial = 0; trial < 10; ++trial) {
    double M[n * n], q[n], H[2][facets * size], K[2][facets], z[most];
    nsds_block block[2];
    fill_definite(n, M, q);
    for (int i = 0; i < n * n; ++i) M[i] *= unit[i % n % size] * unit[i / n % size];
    for (int i = 0; i < n; ++i) q[i] *= unit[i % size];
    for (int a = 0; a < 2; ++a) {
      for (int i = 0; i < facets * size; ++i) H[a][i] = random_number() * unit[i / facets];
      for (int k = 0; k < facets; ++k) K[a][k] = -fabs(random_number());
      block[a] = (nsds_block){
          .set = NSDS_SET_POLYHEDRON, .size = size, .nfacet = facets, .H = H[a], .K = K[a]};
    }
    nsds_problem problem = dense(n, M, q, block);
    problem.nblock = 2;
    if (outcome_of("auto", &problem, 1e-10, z) != NSDS_SOLVED) fail_msg("trial %d", trial);
  }
}

/* Points beside a wedge: the claim p = x + sum of multiplier * normal is doubted by as much as a
 * multiplier is wrong, whatever p is. */
static void a_wrong_multiplier_is_doubted(void **unused) {
  (void)unused;
  enum { draws = 200 };
  static const double unit[2] = {1.0, 1.0};
  random_seed(11);
  for (int k = 0; k < draws; ++k) {
    double angle = uniform(0.3, 1.2), H[4] = {1.0, cos(angle), 0.0, sin(angle)}, K[2] = {0.0, 0.0};
    nsds_block wedge = {.set = NSDS_SET_POLYHEDRON, .size = 2, .nfacet = 2, .H = H, .K = K};
    double a = uniform(0.1, 2.0), b = uniform(0.1, 2.0), wrong = uniform(0.01, 0.1);
    double x[2] = {-a * H[0] - b * H[1], -a * H[2] - b * H[3]}, p[2] = {0.0, 0.0};
    nsds_facets facets = {.count = 2, .facet = {0, 1}, .multiplier = {a, b}};
    assert_true(nsds_certify_doubt(&wedge, unit, x, p, &facets) < 1e-14);
    facets.multiplier[k % 2] += wrong;
    double doubt = nsds_certify_doubt(&wedge, unit, x, p, &facets);
    assert_true(fabs(doubt - wrong) < 1e-13);
    facets.multiplier[k % 2] -= wrong;
    facets.count = 1; /* one is forgotten */
    assert_true(fabs(nsds_certify_doubt(&wedge, unit, x, p, &facets) - b) < 1e-13);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(free_variables_without_an_equation),
      cmocka_unit_test(units_make_nothing_singular),
      cmocka_unit_test(one_large_entry_makes_nothing_unsolvable),
      cmocka_unit_test(scales_make_nothing_unsolvable),
      cmocka_unit_test(scales_hide_no_contradiction),
      cmocka_unit_test(what_the_tolerance_allows_is_solved),
      cmocka_unit_test(an_open_contact_is_no_excuse),
      cmocka_unit_test(what_is_not_finite_is_not_certified),
      cmocka_unit_test(steps_that_are_impossible_count),
      cmocka_unit_test(what_rounding_leaves_of_a_slack_is_no_ray),
      cmocka_unit_test(polyhedra_of_one_point_have_it),
      cmocka_unit_test(polyhedra_with_units_apart_are_solved),
      cmocka_unit_test(a_wrong_multiplier_is_doubted),
  };
  return cmocka_run_group_tests_name("numerics.claims", tests, NULL, NULL);
}
