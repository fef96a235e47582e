/*
 * Nonsmooth Newton: known answers with every set, equation and storage, singular matrices, friction
 * coefficients from 0 to large, agreement with block Gauss-Seidel, order of convergence, limits.
 * The derivatives of the equations are compared with differences in sets.c.
 */
#include "bodies.h"
#include "cmocka_setup.h"
#include "families.h"
#include "relations.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const nsds_storage all_storages[4] = {NSDS_DENSE, NSDS_CSC, NSDS_BLOCK_ROWS, NSDS_FACTORED};

enum { maps = 3 };

static nsds_solver *make(nsds_context *context, int map) {
  nsds_solver *solver = nsds_solver_create(context, "nonsmooth_newton");
  assert_non_null(solver);
  assert_status(nsds_solver_set(solver, "map", map), NSDS_OK);
  return solver;
}

/* Solves from zero. */
static bool solves(const nsds_problem *problem, nsds_storage storage, int map, double *z,
                   nsds_solver_info *info) {
  nsds_context *context = nsds_context_create(NULL);
  nsds_solver *solver = make(context, map);
  converted c;
  double w[256];
  converted_create(&c, problem, storage);
  memset(z, 0, (size_t)problem->n * sizeof *z);
  nsds_status status = nsds_solve(solver, &c.problem, z, w, info);
  assert_true(status == NSDS_OK || status == NSDS_ERROR_SOLVER);
  assert_status(nsds_error(context), NSDS_OK);
  converted_destroy(&c);
  nsds_solver_destroy(solver);
  nsds_context_destroy(context);
  return status == NSDS_OK;
}

static void check(const nsds_problem *problem, nsds_storage storage, int map, const char *what,
                  double *z, nsds_solver_info *info) {
  if (!solves(problem, storage, map, z, info))
    fail_msg("%s, storage %d, map %d: %s, residual %g after %d", what, (int)storage, map,
             nsds_outcome_text(info->outcome), info->residual, info->iterations);
}

static double distance(int n, const double *x, const double *y) {
  double largest = 0.0, difference = 0.0;
  for (int i = 0; i < n; ++i) {
    largest = fmax(largest, fabs(y[i]));
    difference = fmax(difference, fabs(x[i] - y[i]));
  }
  return largest > 0.0 ? difference / largest : difference;
}

static const char *name_of(int which) { return which < 0 ? "all kinds" : sample_block_name(which); }

/* Shifts can make solutions several; elsewhere M positive definite leaves one. */
static bool has_one_solution(int which) { return which >= 0 && (which < 11 || which == 15); }

static void test_known_answers(void **unused) {
  (void)unused;
  random_seed(41);
  for (int which = -1; which < kind_count; ++which)
    for (int round = 0; round < 20; ++round) {
      mixed p;
      mixed_create(&p, which < 0 ? 2 * kind_count : 1 + round % 6, which, -1, 1.0, 1.0);
      for (int map = 0; map < maps; ++map)
        for (int s = 0; s < 4; ++s) {
          double z[256];
          nsds_solver_info info;
          check(&p.problem, all_storages[s], map, name_of(which), z, &info);
          if (has_one_solution(which)) assert_true(distance(p.problem.n, z, p.z) <= 1e-7);
        }
      mixed_destroy(&p);
    }
}

/* M of half the rank: many answers, of which one is known to be there. Rolling friction is the
 * least monotone of the laws, and now and then an iterate runs away along the kernel of M. */
static void test_singular(void **unused) {
  (void)unused;
  random_seed(42);
  for (int which = -1; which < kind_count; ++which) {
    int unsolved = 0, rounds = 20;
    for (int round = 0; round < rounds; ++round) {
      mixed p;
      mixed_create(&p, which < 0 ? kind_count : 8, which, which < 0 ? 22 : 8, 0.5, 0.0);
      for (int map = 0; map < maps; ++map) {
        double z[256];
        nsds_solver_info info;
        unsolved += !solves(&p.problem, NSDS_BLOCK_ROWS, map, z, &info);
      }
      mixed_destroy(&p);
    }
    bool rolls = which == 13 || which == 14;
    if (unsolved > (rolls ? maps * rounds / 10 : 0))
      fail_msg("%s: %d unsolved", name_of(which), unsolved);
  }
}

/* Coulomb's law in 2D and 3D; at mu = 0 the answer is that of the normal contacts alone. */
static void test_friction_coefficients(void **unused) {
  (void)unused;
  static const double mu[] = {0.0, 1e-3, 0.1, 0.3, 0.6, 1.0, 1.5};
  random_seed(43);
  for (int which = 11; which <= 12; ++which)
    for (size_t k = 0; k < sizeof mu / sizeof *mu; ++k)
      for (int round = 0; round < 5; ++round) {
        mixed p;
        double z[256];
        nsds_solver_info info;
        mixed_create(&p, 10, which, -1, 1.0, 0.5);
        for (int a = 0; a < 10; ++a) p.block[a].mu = mu[k];
        for (int i = 0; i < p.problem.n; ++i) p.q[i] = random_number();
        for (int map = 0; map < maps; ++map) {
          check(&p.problem, NSDS_CSC, map, name_of(which), z, &info);
          for (int i = 0; mu[k] == 0.0 && i < p.problem.n; ++i)
            if (i % p.block[0].size > 0) assert_true(fabs(z[i]) <= 1e-9);
        }
        mixed_destroy(&p);
      }
}

/* Where the solution is unique, both methods find it. */
static void test_agrees_with_nsgs(void **unused) {
  (void)unused;
  random_seed(44);
  for (int round = 0; round < 20; ++round) {
    mixed p;
    double z[256], other[256] = {0.0}, w[256];
    nsds_solver_info info;
    mixed_create(&p, 12, 12, -1, 0.5, 4.0); /* contacts that hardly see each other */
    for (int a = 0; a < 12; ++a) p.block[a].mu *= 0.3;
    for (int i = 0; i < p.problem.n; ++i) p.q[i] = 3.0 * random_number();
    check(&p.problem, NSDS_BLOCK_ROWS, 0, "Coulomb(3)", z, &info);
    nsds_context *context = nsds_context_create(NULL);
    nsds_solver *nsgs = nsds_solver_create(context, "nsgs");
    assert_status(nsds_solve(nsgs, &p.problem, other, w, &info), NSDS_OK);
    assert_true(distance(p.problem.n, z, other) <= 1e-7);
    nsds_solver_destroy(nsgs);
    nsds_context_destroy(context);
    mixed_destroy(&p);
  }
}

/* Stacks of bodies with redundant contacts, small and sparse ones. */
static void test_scenes(void **unused) {
  (void)unused;
  bodies b;
  for (int k = 0; bodies_create(&b, k); ++k) {
    scene s;
    scene_create(&s, &b);
    size_t bytes = (size_t)s.problem.n * sizeof(double);
    double *z = calloc(1, bytes), *w = calloc(1, bytes);
    for (int t = 2; t < 4; ++t) {
      nsds_context *context = nsds_context_create(NULL);
      nsds_solver *solver = make(context, 0);
      converted c;
      converted_create(&c, &s.problem, all_storages[t]);
      nsds_solver_info info;
      memset(z, 0, bytes);
      nsds_status status = nsds_solve(solver, &c.problem, z, w, &info);
      if (status)
        fail_msg("%s, storage %d: %s, residual %g", b.name, (int)all_storages[t],
                 nsds_outcome_text(info.outcome), info.residual);
      assert_status(nsds_solve(solver, &c.problem, z, w, &info), NSDS_OK);
      assert_true(info.iterations <= 1);
      converted_destroy(&c);
      nsds_solver_destroy(solver);
      nsds_context_destroy(context);
    }
    free(z);
    free(w);
    scene_destroy(&s);
    bodies_destroy(&b);
  }
}

/* From a point near a regular solution few steps lead to rounding; one or two more where the root
 * of Fischer & Burmeister's equation on cones is smoothed. */
static void test_fast_near_solution(void **unused) {
  (void)unused;
  random_seed(45);
  for (int which = 0; which < kind_count; ++which)
    for (int round = 0; round < 10; ++round) {
      mixed p;
      double z[256], w[256];
      nsds_solver_info info;
      mixed_create(&p, 6, which, -1, 1.0, 1.0);
      for (int map = 0; map < maps; ++map) {
        nsds_context *context = nsds_context_create(NULL);
        nsds_solver *solver = make(context, map);
        assert_status(nsds_solver_set(solver, "tolerance", 1e-13), NSDS_OK);
        for (int i = 0; i < p.problem.n; ++i) z[i] = p.z[i] * (1.0 + 1e-4 * random_number());
        nsds_status status = nsds_solve(solver, &p.problem, z, w, &info);
        if (status || info.iterations > (map < 2 ? 5 : 8))
          fail_msg("%s, map %d: %d iterations, residual %g", name_of(which), map, info.iterations,
                   info.residual);
        nsds_solver_destroy(solver);
        nsds_context_destroy(context);
      }
      mixed_destroy(&p);
    }
}

/* The line search may end in a kink of the merit function; then sweeps must go on from there. */
static void test_options(void **unused) {
  (void)unused;
  static const struct {
    const char *name;
    double value;
  } options[] = {{"search", 1.0}, {"rho", 0.1}, {"rho", 10.0}, {"sweeps", 0.0}, {"sweeps", 3.0}};
  random_seed(46);
  for (size_t k = 0; k < sizeof options / sizeof *options; ++k)
    for (int which = -1; which < kind_count; ++which) {
      mixed p;
      double z[256] = {0.0}, w[256];
      nsds_solver_info info;
      mixed_create(&p, which < 0 ? kind_count : 3, which, -1, 0.5, 2.0);
      nsds_context *context = nsds_context_create(NULL);
      nsds_solver *solver = make(context, 0);
      assert_status(nsds_solver_set(solver, options[k].name, options[k].value), NSDS_OK);
      nsds_status status = nsds_solve(solver, &p.problem, z, w, &info);
      if (status)
        fail_msg("%s, %s %g: residual %g", name_of(which), options[k].name, options[k].value,
                 info.residual);
      nsds_solver_destroy(solver);
      nsds_context_destroy(context);
      mixed_destroy(&p);
    }
}

/* Other units of z and w, block by block, change nothing but rounding. */
static void test_units(void **unused) {
  (void)unused;
  static const int kinds[] = {0,  1,  2,  9, 10,
                              11, 12, 13, 14}; /* cones, which units do not change */
  random_seed(47);
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; ++k)
    for (int round = 0; round < 5; ++round) {
      mixed p;
      double z[256], scaled[256], unit[256];
      nsds_solver_info info, other;
      mixed_create(&p, 6, kinds[k], -1, 1.0, 1.0);
      int n = p.problem.n, m = p.block[0].size;
      for (int i = 0; i < n; ++i)
        unit[i] = i % m ? unit[i - 1] : exp2(floor(13.0 * random_number()));
      for (int map = 0; map < maps; ++map) {
        check(&p.problem, NSDS_CSC, map, name_of(kinds[k]), z, &info);
        for (int i = 0; i < n; ++i) p.q[i] *= unit[i];
        for (int i = 0; i < n * n; ++i) p.M[i] *= unit[i % n] * unit[i / n];
        check(&p.problem, NSDS_CSC, map, name_of(kinds[k]), scaled, &other);
        for (int i = 0; i < n; ++i) p.q[i] /= unit[i];
        for (int i = 0; i < n * n; ++i) p.M[i] /= unit[i % n] * unit[i / n];
        for (int i = 0; i < n; ++i) scaled[i] *= unit[i];
        assert_int_equal(other.iterations, info.iterations);
        assert_true(distance(n, scaled, z) <= 1e-8);
      }
      mixed_destroy(&p);
    }
}

static int stop_at_third(int iteration, double residual, void *user) {
  (void)residual;
  assert_int_equal(iteration, *(int *)user + 1);
  return ++*(int *)user == 3;
}

static void test_limits(void **unused) {
  (void)unused;
  bodies b;
  scene s;
  assert_true(bodies_create(&b, 6));
  scene_create(&s, &b);
  nsds_context *context = nsds_context_create(NULL);
  nsds_solver *solver = make(context, 0);
  double z[256] = {0.0}, w[256];
  nsds_solver_info info;
  int calls = 0;
  nsds_solver_set_progress(solver, stop_at_third, &calls);
  assert_status(nsds_solve(solver, &s.problem, z, w, &info), NSDS_ERROR_SOLVER);
  assert_int_equal(info.outcome, NSDS_INTERRUPTED);
  assert_int_equal(info.iterations, 3);
  nsds_solver_set_progress(solver, NULL, NULL);
  assert_status(nsds_solver_set(solver, "max_iterations", 2.0), NSDS_OK);
  memset(z, 0, sizeof z);
  assert_status(nsds_solve(solver, &s.problem, z, w, &info), NSDS_ERROR_SOLVER);
  assert_int_equal(info.outcome, NSDS_NOT_CONVERGED);
  assert_int_equal(info.iterations, 2);
  for (int i = 0; i < s.problem.n; ++i) z[i] = i % 2 ? NAN : -INFINITY; /* a start of no use */
  assert_status(nsds_solver_set(solver, "max_iterations", 0.0), NSDS_OK);
  assert_status(nsds_solve(solver, &s.problem, z, w, &info), NSDS_OK);
  nsds_solver_destroy(solver);
  nsds_context_destroy(context);
  scene_destroy(&s);
  bodies_destroy(&b);
}

/* Nothing there; no solution; no matrix. */
static void test_degenerate(void **unused) {
  (void)unused;
  nsds_context *context = nsds_context_create(NULL);
  nsds_solver *solver = make(context, 0);
  nsds_solver_info info;
  nsds_problem empty = {.M = {.storage = NSDS_DENSE}};
  assert_status(nsds_solve(solver, &empty, NULL, NULL, &info), NSDS_OK);
  double zero[9] = {0.0}, push[3] = {-1.0, 0.5, 0.0}, z[3] = {0.0}, w[3];
  nsds_block contact = {.set = NSDS_SET_COULOMB, .size = 3, .mu = 0.5};
  nsds_problem p = {.n = 3,
                    .nblock = 1,
                    .block = &contact,
                    .M = {.storage = NSDS_DENSE, .n = 3, .x = zero},
                    .q = push};
  assert_status(nsds_solve(solver, &p, z, w, &info), NSDS_ERROR_SOLVER);
  for (int i = 0; i < 3; ++i) assert_true(isfinite(z[i]) && isfinite(w[i]));
  nsds_solver_destroy(solver);
  nsds_context_destroy(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_known_answers),
      cmocka_unit_test(test_singular),
      cmocka_unit_test(test_friction_coefficients),
      cmocka_unit_test(test_agrees_with_nsgs),
      cmocka_unit_test(test_scenes),
      cmocka_unit_test(test_fast_near_solution),
      cmocka_unit_test(test_options),
      cmocka_unit_test(test_units),
      cmocka_unit_test(test_limits),
      cmocka_unit_test(test_degenerate),
  };
  return cmocka_run_group_tests_name("numerics.nonsmooth_newton", tests, NULL, NULL);
}
