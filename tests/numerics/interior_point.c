/*
 * The interior point method: its algebra, closed forms, known answers with every set in every
 * storage, singular and unsymmetric monotone M, scenes of bodies, other methods, the frozen shift,
 * real problems. Everywhere the steps are few.
 */
#include "bodies.h"
#include "cmocka_setup.h"
#include "io/problem_file.h"
#include "numerics/sets/cone_algebra.h"
#include "numerics/solver_internal.h"
#include "families.h"
#include "relations.h"

#include <nsds/io.h>
#include <nsds/solver.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Most steps of one solve, and of a solve on average. Singular M with shifts: nothing bounds the
 * steps, rounding decides where among the solutions Newton's method ends and so when the path may
 * stop. Over 480 such problems of all kinds the mean is 14 steps and the standard deviation 6; the
 * mean of 12 problems lies below 14 + 5 * 6 / sqrt(12), with any BLAS.
 */
enum { few = 40, mean = 16, mean_unbounded = 23 };

static const nsds_storage all_storages[4] = {NSDS_DENSE, NSDS_CSC, NSDS_BLOCK_ROWS, NSDS_FACTORED};

/* ---- the algebra ---- */

/* Inside the cone, at a random distance from its boundary down to 1e-4. */
static void point_inside(int k, double *x) {
  double sum = 0.0;
  for (int i = 1; i < k; ++i) {
    x[i] = random_number();
    sum += x[i] * x[i];
  }
  x[0] = sqrt(sum) + pow(10.0, -4.0 * fabs(random_number()));
}

static void check_near(int k, const double *x, const double *y, double tolerance) {
  double largest = 0.0;
  for (int i = 0; i < k; ++i) largest = fmax(largest, fabs(y[i]));
  for (int i = 0; i < k; ++i) assert_true(fabs(x[i] - y[i]) <= tolerance * largest);
}

static void check_scaling(int k) {
  double s[8], l[8], v[8], ab[8], x[8], y[8], P[64], eta;
  point_inside(k, s);
  point_inside(k, l);
  double product = 0.0;
  for (int i = 0; i < k; ++i) product += s[i] * l[i];
  nsds_cone_pair pair = {nsds_cone_root(k, s), nsds_cone_root(k, l), product};
  assert_true(nsds_cone_scaling(k, s, l, &pair, &eta, ab, v));
  nsds_cone_scale(k, eta, ab, l, x);
  nsds_cone_unscale(k, eta, ab, s, y);
  check_near(k, x, v, 1e-7);
  check_near(k, y, v, 1e-7);
  nsds_cone_inverse_square(k, eta, ab, P);
  for (int i = 0; i < k; ++i) x[i] = random_number();
  nsds_cone_unscale(k, eta, ab, x, y);
  nsds_cone_unscale(k, eta, ab, y, y);
  for (int i = 0; i < k; ++i) {
    v[i] = 0.0;
    for (int j = 0; j < k; ++j) v[i] += P[i + j * k] * x[j];
  }
  check_near(k, v, y, 1e-7);
  nsds_cone_divide(k, s, x, y);
  nsds_cone_product(k, s, y, v);
  check_near(k, v, x, 1e-9);
  nsds_cone_divide(k, s, x, x);
  check_near(k, x, y, 0.0);
}

/* The step ends on the boundary; without one, no multiple leaves the cone. */
static void check_step(int k) {
  double v[8], d[8], x[8];
  point_inside(k, v);
  for (int i = 0; i < k; ++i) d[i] = random_number();
  double step = nsds_cone_step(k, v, d);
  bool ends = isfinite(step);
  for (int i = 0; i < k; ++i) x[i] = v[i] + (ends ? step : 1e6) * d[i];
  double size = fabs(x[0]) + fabs(v[0]);
  if (ends) assert_true(fabs(nsds_cone_least(k, x)) <= 1e-9 * size);
  else assert_true(nsds_cone_least(k, x) >= -1e-9 * size);
}

static void test_algebra(void **unused) {
  (void)unused;
  random_seed(5);
  for (int k = 1; k <= 8; ++k)
    for (int round = 0; round < 200; ++round) {
      check_scaling(k);
      check_step(k);
    }
}

/* ---- solving ---- */

static nsds_solver_info run(const nsds_problem *problem, const char *name, double shift,
                            double *z) {
  nsds_context *context = nsds_context_create(NULL);
  nsds_solver *solver = nsds_solver_create(context, name);
  assert_non_null(solver);
  if (shift >= 0.0) assert_status(nsds_solver_set(solver, "shift", shift), NSDS_OK);
  double *w = calloc((size_t)problem->n + 1, sizeof *w);
  nsds_solver_info info;
  assert_status(nsds_problem_check(context, problem), NSDS_OK);
  nsds_solve(solver, problem, z, w, &info);
  assert_status(nsds_error(context), NSDS_OK);
  free(w);
  nsds_solver_destroy(solver);
  nsds_context_destroy(context);
  return info;
}

/* Steps to the solution, few of them; with `may_fail` any number, and -1 where none is found. */
static int try_steps(const nsds_problem *problem, const char *what, bool may_fail, double *z) {
  nsds_solver_info info = run(problem, "interior_point", -1.0, z);
  if (may_fail && info.outcome == NSDS_NOT_CONVERGED) return -1;
  if (info.outcome != NSDS_SOLVED || info.residual > 1e-10 || (info.iterations > few && !may_fail))
    fail_msg("%s: %s, residual %g after %d", what, nsds_outcome_text(info.outcome), info.residual,
             info.iterations);
  return info.iterations;
}

static int steps_of(const nsds_problem *problem, const char *what, double *z) {
  return try_steps(problem, what, false, z);
}

/* One contact with M = I: open, stick or slide by q alone; mu = 0 is frictionless. */
static void check_contact(double mu, int m, const double *q) {
  double M[9] = {0}, z[3] = {0.0}, size = 0.0, normal = fmax(-q[0], 0.0);
  for (int i = 0; i < m; ++i) M[i * (m + 1)] = 1.0;
  for (int i = 1; i < m; ++i) size += q[i] * q[i];
  nsds_block block = {.set = NSDS_SET_COULOMB, .size = m, .mu = mu};
  nsds_problem problem = {
      .n = m, .nblock = 1, .block = &block, .M = {.storage = NSDS_DENSE, .n = m, .x = M}, .q = q};
  steps_of(&problem, "one contact", z);
  double factor = sqrt(size) > mu * normal ? mu * normal / sqrt(size) : 1.0;
  assert_true(fabs(z[0] - normal) <= 1e-9);
  for (int i = 1; i < m; ++i) assert_true(fabs(z[i] + factor * q[i]) <= 1e-9);
}

static void test_closed_forms(void **unused) {
  (void)unused;
  static const double coefficients[] = {0.0, 1e-3, 0.3, 1.0, 1.5};
  random_seed(8);
  for (int k = 0; k < 5; ++k)
    for (int round = 0; round < 40; ++round) {
      double q[3] = {random_number() - 0.5, random_number(), random_number()};
      check_contact(coefficients[k], 2 + round % 2, q);
    }
}

/* Shifts can make solutions several; elsewhere M positive definite leaves one. */
static bool has_one_solution(int which) { return which >= 0 && (which < 11 || which == 15); }

static int check_mixed(const mixed *p, nsds_storage storage, const char *what, bool unique,
                       bool may_fail) {
  double z[256] = {0.0}, largest = 0.0;
  converted c;
  converted_create(&c, &p->problem, storage);
  int n = p->problem.n, steps = try_steps(&c.problem, what, may_fail, z);
  for (int i = 0; i < n; ++i) largest = fmax(largest, fabs(p->z[i]));
  for (int i = 0; unique && steps > 0 && i < n; ++i)
    assert_true(fabs(z[i] - p->z[i]) <= 1e-7 * largest);
  converted_destroy(&c);
  return steps;
}

static bool shifted(int which) { return which < 0 || (which >= 11 && which < 15); }

/*
 * The columns of M differ over decades, its rank is that of n / share columns and a shift; `twist`
 * is the size of its skew part. With singular M and shifts nothing is promised, see the share.
 */
static void check_family(int which, int share, double decades, double shift, double twist) {
  int most_steps = 0, steps = 0, count = 0, failed = 0;
  bool unbounded = share > 1 && shifted(which);
  const char *what = which < 0 ? "all kinds" : sample_block_name(which);
  for (int round = 0; round < 12; ++round) {
    mixed p;
    int nblock = which < 0 ? 2 * kind_count : 1 + 2 * (round % 6);
    mixed_create(&p, nblock, which, -1, decades, shift);
    int n = p.problem.n;
    if (share > 1) sample_matrix(n, (n + share - 1) / share, decades, shift, p.M);
    for (int j = 0; twist > 0.0 && j < n; ++j)
      for (int i = 0; i < j; ++i) {
        double t = twist * random_number();
        p.M[i + j * n] += t;
        p.M[j + i * n] -= t;
      }
    if (twist > 0.0) p.problem.M.symmetric = false;
    for (int i = 0; i < n; ++i) {
      p.q[i] = p.w[i];
      for (int j = 0; j < n; ++j) p.q[i] -= p.M[i + j * n] * p.z[j];
    }
    for (int s = 0; s < 4; ++s, ++count) {
      int k =
          check_mixed(&p, all_storages[s], what, shift > 0.0 && has_one_solution(which), unbounded);
      if (k < 0) ++failed;
      else steps += k;
      if (k > most_steps) most_steps = k;
    }
    mixed_destroy(&p);
  }
  print_message("             %-16s rank n/%d, twist %g: %.1f steps, at most %d, failed %d of %d\n",
                what, share, twist, (double)steps / count, most_steps, failed, count);
  assert_true(failed == 0 || (unbounded && 8 * failed <= count));
  assert_true(steps <= (unbounded ? mean_unbounded : mean) * (count - failed));
}

static void test_known_answers(void **unused) {
  (void)unused;
  random_seed(31);
  for (int which = -1; which < kind_count; ++which) check_family(which, 1, 1.0, 1.0, 0.0);
}

static void test_singular(void **unused) {
  (void)unused;
  random_seed(32);
  for (int which = -1; which < kind_count; ++which) check_family(which, 2, 1.0, 0.0, 0.0);
}

static void test_unsymmetric(void **unused) {
  (void)unused;
  random_seed(33);
  for (int which = -1; which < kind_count; ++which) check_family(which, 1, 1.0, 1.0, 0.5);
}

/* ---- bodies ---- */

/* Much friction between many neighbours is far from monotone: there the method may say so. */
static void test_scenes(void **unused) {
  (void)unused;
  static const double coefficients[] = {0.0, 0.1, 0.5, 0.8, 1.0, 1.5};
  bodies b;
  for (int k = 0; bodies_create(&b, k); ++k) {
    for (int mu = 0; mu < 6; ++mu) {
      for (int a = 0; a < b.ncontact; ++a) b.mu[a] = coefficients[mu];
      scene s;
      scene_create(&s, &b);
      double *z = calloc((size_t)s.problem.n + 1, sizeof *z);
      int steps = try_steps(&s.problem, b.name, coefficients[mu] > 0.8, z);
      print_message("             %-24s mu %.1f: %d steps\n", b.name, coefficients[mu], steps);
      free(z);
      scene_destroy(&s);
    }
    bodies_destroy(&b);
  }
}

/* ---- other methods ---- */

static void check_agreement(const char *name, int which, int nblock) {
  mixed p;
  mixed_create(&p, nblock, which, -1, 1.0, 1.0);
  double z[256] = {0.0}, other[256] = {0.0}, largest = 0.0;
  steps_of(&p.problem, name, z);
  nsds_solver_info info = run(&p.problem, name, -1.0, other);
  assert_int_equal(info.outcome, NSDS_SOLVED);
  for (int i = 0; i < p.problem.n; ++i) largest = fmax(largest, fabs(other[i]));
  for (int i = 0; i < p.problem.n; ++i) assert_true(fabs(z[i] - other[i]) <= 1e-8 * largest);
  mixed_destroy(&p);
}

static void test_agreement(void **unused) {
  (void)unused;
  random_seed(34);
  for (int round = 0; round < 20; ++round) {
    for (int which = 0; which < 11; ++which) check_agreement("nsgs", which, 8);
    check_agreement("lemke", 2, 12);
    check_agreement("semismooth_newton", 2, 12);
    check_agreement("semismooth_newton", 3, 12);
  }
}

/* ---- options and starts ---- */

static void test_frozen_shift(void **unused) {
  (void)unused;
  random_seed(35);
  for (int round = 0; round < 20; ++round) {
    mixed p;
    mixed_create(&p, 8, 12, -1, 1.0, 1.0);
    double z[64] = {0.0};
    nsds_solver_info info = run(&p.problem, "interior_point", 0.0, z);
    assert_int_equal(info.outcome, NSDS_SOLVED);
    mixed_destroy(&p);
  }
}

/* From near the solution Newton's method is tried first; from the solution nothing is done. */
static void test_starts(void **unused) {
  (void)unused;
  random_seed(36);
  int cold = 0, warm = 0;
  for (int round = 0; round < 20; ++round) {
    mixed p;
    mixed_create(&p, 16, -1, -1, 1.0, 1.0);
    double z[256] = {0.0};
    cold += steps_of(&p.problem, "cold", z);
    assert_int_equal(steps_of(&p.problem, "solved", z), 0);
    for (int i = 0; i < p.problem.n; ++i) z[i] *= 1.0 + 1e-3 * random_number();
    warm += steps_of(&p.problem, "warm", z);
    for (int i = 0; i < p.problem.n; ++i) z[i] = i % 2 ? 1e12 : NAN;
    steps_of(&p.problem, "far", z);
    mixed_destroy(&p);
  }
  print_message("             %d steps from zero, %d from near\n", cold, warm);
  assert_true(2 * warm <= cold);
}

/* Equalities alone are one linear system; no room at all is no problem. */
static void test_no_cones(void **unused) {
  (void)unused;
  random_seed(37);
  for (int which = 0; which < 6; which += which == 1 ? 4 : 1) check_family(which, 1, 1.0, 1.0, 0.0);
  double M[9] = {2, 1, 0, 1, 2, 0, 0, 0, 1}, q[3] = {-1, -1, 3}, z[3] = {0.0};
  nsds_block block[2] = {{.set = NSDS_SET_DISC, .size = 2, .radius = 0.0},
                         {.set = NSDS_SET_NONNEGATIVE, .size = 1}};
  nsds_problem problem = {
      .n = 3, .nblock = 2, .block = block, .M = {.storage = NSDS_DENSE, .n = 3, .x = M}, .q = q};
  steps_of(&problem, "disc of radius 0", z);
  for (int i = 0; i < 3; ++i) assert_true(z[i] == 0.0);
}

/* Where nothing solves, the answer is finite and says so. */
static void test_unsolvable(void **unused) {
  (void)unused;
  family f;
  int seen = 0;
  for (int k = 0; family_create(&f, k); ++k) {
    if (f.kind >= KIND_INFEASIBLE) {
      stored s;
      stored_create(&s, &f, NSDS_DENSE);
      double *z = calloc((size_t)f.n + 1, sizeof *z);
      nsds_solver_info info = run(&s.problem, "interior_point", -1.0, z);
      assert_true(info.outcome == NSDS_NOT_CONVERGED || info.outcome == NSDS_NO_SOLUTION);
      for (int i = 0; i < f.n; ++i) assert_true(isfinite(z[i]));
      ++seen;
      free(z);
      stored_destroy(&s);
    }
    family_destroy(&f);
  }
  assert_true(seen > 0);
}

/* ---- real problems ---- */

static const char *const files[] = {"fc2d/FrictionContactProblem00031.dat",
                                    "fc2d/FrictionContactProblem00374.dat",
                                    "fc3d/BoxesStack1-i100000-32.dat",
                                    "fc3d/Capsules-i100-1090.dat",
                                    "fc3d/Capsules-i122-1617.dat",
                                    "fc3d/Confeti-ex03-Fc3D-SBM.dat",
                                    "fc3d/FC3D_Example1_SBM.dat",
                                    "fc3d/FrictionContact3D_1c.dat",
                                    "fc3d/FrictionContact3D_RR_1c.dat",
                                    "fc3d/KaplasTower-i1061-4.dat",
                                    "fc3d/NESpheres_10_1.dat",
                                    "fc3d/OneObject-i100000-316.dat",
                                    "fc3d/Rover1039.dat",
                                    "fc3d/Rover3865.dat",
                                    "fc3d/Rover4516.dat",
                                    "lcp/lcp_mmc.dat",
                                    "lcp/lcp_CPS_1.dat",
                                    "lcp/lcp_enum_fails.dat",
                                    "mlcp/diodeBridge_mlcp.dat",
                                    "mlcp/PD_mlcp.dat"};

static void test_real_problems(void **unused) {
  (void)unused;
  int seen = 0, steps = 0;
  for (size_t k = 0; k < sizeof files / sizeof *files; ++k) {
    char path[512];
    snprintf(path, sizeof path, "%s/problems/%s", NSDS_TEST_DATA, files[k]);
    FILE *there = fopen(path, "r");
    if (!there) continue;
    fclose(there);
    nsds_context *context = nsds_context_create(NULL);
    nsds_problem_file *file = nsds_problem_read(context, path, NSDS_FORMAT_AUTO);
    assert_non_null(file);
    const nsds_problem *problem = nsds_problem_file_problem(file);
    double *z = calloc((size_t)problem->n + 1, sizeof *z);
    int here = steps_of(problem, files[k], z);
    print_message("             %-40s %d steps\n", files[k], here);
    steps += here;
    ++seen;
    free(z);
    nsds_problem_file_destroy(file);
    nsds_context_destroy(context);
  }
  if (seen == 0) {
    print_message("             skipped: no problems under \"%s\"\n", NSDS_TEST_DATA);
    skip();
  }
  print_message("             %d problems, %d steps\n", seen, steps);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_algebra),       cmocka_unit_test(test_closed_forms),
      cmocka_unit_test(test_known_answers), cmocka_unit_test(test_singular),
      cmocka_unit_test(test_unsymmetric),   cmocka_unit_test(test_scenes),
      cmocka_unit_test(test_agreement),     cmocka_unit_test(test_frozen_shift),
      cmocka_unit_test(test_starts),        cmocka_unit_test(test_no_cones),
      cmocka_unit_test(test_unsolvable),    cmocka_unit_test(test_real_problems),
  };
  return cmocka_run_group_tests_name("numerics.interior_point", tests, NULL, NULL);
}
