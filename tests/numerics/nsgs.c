/*
 * Block Gauss-Seidel: known answers with every set in every storage and with every option, warm
 * starts, limits and interruption, memory, and what failing local problems do.
 */
#include "bodies.h"
#include "cmocka_setup.h"
#include "families.h"
#include "relations.h"
#include "meter.h"

#include <nsds/solver.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const nsds_storage all_storages[4] = {NSDS_DENSE, NSDS_CSC, NSDS_BLOCK_ROWS, NSDS_FACTORED};

typedef struct option {
  const char *name;
  double value;
} option;

static nsds_solver *make(nsds_context *context, const option *o) {
  nsds_solver *solver = nsds_solver_create(context, "nsgs");
  assert_non_null(solver);
  for (; o && o->name; ++o) assert_status(nsds_solver_set(solver, o->name, o->value), NSDS_OK);
  return solver;
}

/* Solves the mixed problem; the answer must be the known one where there is only one. */
static void check_mixed(const mixed *p, nsds_storage storage, const option *o, const char *what,
                        bool unique) {
  nsds_context *context = nsds_context_create(NULL);
  nsds_solver *solver = make(context, o);
  converted c;
  converted_create(&c, &p->problem, storage);
  int n = p->problem.n;
  double z[256] = {0.0}, w[256], largest = 0.0;
  nsds_solver_info info;
  assert_status(nsds_problem_check(context, &c.problem), NSDS_OK);
  nsds_status status = nsds_solve(solver, &c.problem, z, w, &info);
  if (status)
    fail_msg("%s, storage %d, %s %g: %s, residual %g after %d", what, (int)storage,
             o ? o->name : "", o ? o->value : 0.0, nsds_outcome_text(info.outcome), info.residual,
             info.iterations);
  for (int i = 0; i < n; ++i) largest = fmax(largest, fabs(p->z[i]));
  for (int i = 0; unique && i < n; ++i) assert_true(fabs(z[i] - p->z[i]) <= 1e-7 * largest);
  assert_status(nsds_error(context), NSDS_OK);
  converted_destroy(&c);
  nsds_solver_destroy(solver);
  nsds_context_destroy(context);
}

/* Shifts can make solutions several; elsewhere M positive definite leaves one. */
static bool has_one_solution(int which) { return which >= 0 && (which < 11 || which == 15); }

static void test_known_answers(void **unused) {
  (void)unused;
  random_seed(31);
  for (int which = -1; which < kind_count; ++which)
    for (int round = 0; round < 20; ++round) {
      mixed p;
      mixed_create(&p, which < 0 ? 2 * kind_count : 1 + round % 6, which, -1, 1.0, 1.0);
      for (int s = 0; s < 4; ++s)
        check_mixed(&p, all_storages[s], NULL, which < 0 ? "all kinds" : sample_block_name(which),
                    has_one_solution(which));
      mixed_destroy(&p);
    }
}

static void test_options(void **unused) {
  (void)unused;
  static const option options[][4] = {
      {{"local", 1.0}},
      {{"local", 2.0}},
      {{"local", 3.0}},
      {{"order", 1.0}},
      {{"order", 2.0}},
      {{"relaxation", 0.7}},
      {{"relaxation", 1.2}},
      {{"regularization", 0.3}},
      {{"acceleration", 0.0}},
      {{"acceleration", 3.0}},
      {{"acceleration", 40.0}},
      {{"momentum", 10.0}},
      {{"momentum", 20.0}, {"acceleration", 0.0}},
      {{"acceleration", 0.0}, {"momentum", 0.0}},
      {{"acceleration", 0.0}, {"momentum", 0.0}, {"proximal", 0.1}},
      {{"proximal", 0.0}},
      {{"regularization", 0.3}, {"acceleration", 0.0}, {"momentum", 0.0}},
      {{"order", 2.0}, {"acceleration", 0.0}},
      {{"local", 1.0}, {"acceleration", 0.0}}};
  random_seed(32);
  for (size_t k = 0; k < sizeof options / sizeof *options; ++k)
    for (int which = -1; which < kind_count; ++which) {
      mixed p;
      mixed_create(&p, which < 0 ? kind_count : 3, which, -1, 0.5, 2.0);
      check_mixed(&p, NSDS_BLOCK_ROWS, options[k],
                  which < 0 ? "all kinds" : sample_block_name(which), has_one_solution(which));
      mixed_destroy(&p);
    }
}

/* A random order is the same each time. */
static void test_random_order_repeats(void **unused) {
  (void)unused;
  random_seed(33);
  mixed p;
  mixed_create(&p, kind_count, -1, -1, 1.0, 0.5);
  double first[256], z[256], w[256];
  static const option random_order[2] = {{"order", 2.0}};
  for (int round = 0; round < 3; ++round) {
    nsds_context *context = nsds_context_create(NULL);
    nsds_solver *solver = make(context, random_order);
    for (int again = 0; again < 2; ++again) {
      memset(z, 0, sizeof z);
      assert_status(nsds_solve(solver, &p.problem, z, w, NULL), NSDS_OK);
      if (round + again == 0) memcpy(first, z, sizeof z);
      assert_memory_equal(z, first, (size_t)p.problem.n * sizeof *z);
    }
    nsds_solver_destroy(solver);
    nsds_context_destroy(context);
  }
  mixed_destroy(&p);
}

/* The scenes, with as many contact forces as they have: assembled and matrix-free. */
static void test_scenes(void **unused) {
  (void)unused;
  bodies b;
  for (int k = 0; k < 14 && bodies_create(&b, k); ++k) { /* the last ones are for Newton methods */
    scene s;
    scene_create(&s, &b);
    size_t bytes = (size_t)s.problem.n * sizeof(double);
    double *z = calloc(1, bytes), *w = calloc(1, bytes);
    for (int t = 2; t < 4; ++t) {
      nsds_context *context = nsds_context_create(NULL);
      nsds_solver *solver = make(context, (const option[2]){{"tolerance", 1e-9}});
      converted c;
      converted_create(&c, &s.problem, all_storages[t]);
      nsds_solver_info info;
      memset(z, 0, bytes);
      nsds_status status = nsds_solve(solver, &c.problem, z, w, &info);
      if (status)
        fail_msg("%s, storage %d: %s, residual %g", b.name, (int)all_storages[t],
                 nsds_outcome_text(info.outcome), info.residual);
      int cold = info.iterations;
      assert_status(nsds_solve(solver, &c.problem, z, w, &info), NSDS_OK); /* warm */
      assert_true(info.iterations <= 1 && cold >= info.iterations);
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

/* Y = A H^T with the same full A for every body. */
static void couple_velocities(scene *s) {
  for (int k = 0; k < s->factored.first_edge[s->factored.nrow_block]; ++k) {
    const nsds_edge *e = &s->edge[k];
    double *Y = s->values + (e->Y - s->values);
    for (int i = 0; i < 3; ++i)
      for (int c = 0; c < e->size; ++c) {
        double sum = 0.0;
        for (int l = 0; l < e->size; ++l)
          sum += (l == c ? 1.0 + 0.3 * c : 0.05 * (l + c)) * e->H[i + 3 * l];
        Y[c + i * e->size] = sum;
      }
  }
}

/* Four sweeps over the assembled matrix are four over its factors, however these are read; none of
 * them is certified before the last, whose point is the answer. */
static void check_sweeps(const scene *s, const char *name) {
  double *z[2];
  size_t n = (size_t)s->problem.n;
  const option o[] = {
      {"max_iterations", 4.0}, {"acceleration", 0.0}, {"tolerance", 0.0}, {"relaxation", 1.3}, {0}};
  for (int t = 0; t < 2; ++t) {
    nsds_context *context = nsds_context_create(NULL);
    nsds_solver *solver = make(context, o);
    converted c;
    double *w = calloc(n, sizeof *w);
    z[t] = calloc(n, sizeof *w);
    converted_create(&c, &s->problem, all_storages[2 + t]);
    nsds_status status = nsds_solve(solver, &c.problem, z[t], w, NULL);
    assert_true(status == NSDS_OK || status == NSDS_ERROR_SOLVER);
    free(w);
    converted_destroy(&c);
    nsds_solver_destroy(solver);
    nsds_context_destroy(context);
  }
  double largest = 0.0;
  for (size_t i = 0; i < n; ++i) largest = fmax(largest, fabs(z[0][i]));
  for (size_t i = 0; i < n; ++i)
    if (!(fabs(z[0][i] - z[1][i]) <= 1e-9 * largest))
      fail_msg("%s, n %zu: z[%zu] is %.17g by factors, %.17g assembled", name, n, i, z[1][i],
               z[0][i]);
  free(z[0]);
  free(z[1]);
}

static void test_packed_contacts(void **unused) {
  (void)unused;
  bodies b;
  for (int k = 0; k < 10 && bodies_create(&b, k); ++k) {
    for (int variant = 0; variant < 4; ++variant) {
      scene s;
      scene_create(&s, &b);
      if (variant & 1) couple_velocities(&s);
      if (variant & 2) s.block[0].set = NSDS_SET_CONE; /* not packed, beside others that are */
      check_sweeps(&s, b.name);
      scene_destroy(&s);
    }
    bodies_destroy(&b);
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
  nsds_solver *solver = make(context, NULL);
  double z[256] = {0.0}, w[256];
  nsds_solver_info info;
  int calls = 0;
  nsds_solver_set_progress(solver, stop_at_third, &calls);
  assert_status(nsds_solve(solver, &s.problem, z, w, &info), NSDS_ERROR_SOLVER);
  assert_int_equal(info.outcome, NSDS_INTERRUPTED);
  assert_int_equal(info.iterations, 2); /* the third sweep was about to begin */
  nsds_solver_set_progress(solver, NULL, NULL);
  assert_status(nsds_solver_set(solver, "time_limit", 1e-9), NSDS_OK);
  assert_status(nsds_solve(solver, &s.problem, z, w, &info), NSDS_ERROR_SOLVER);
  assert_int_equal(info.outcome, NSDS_INTERRUPTED);
  assert_int_equal(info.iterations, 0);
  assert_status(nsds_solver_set(solver, "time_limit", 0.0), NSDS_OK);
  assert_status(nsds_solver_set(solver, "max_iterations", 7.0), NSDS_OK);
  memset(z, 0, sizeof z);
  assert_status(nsds_solve(solver, &s.problem, z, w, &info), NSDS_ERROR_SOLVER);
  assert_int_equal(info.outcome, NSDS_NOT_CONVERGED);
  assert_int_equal(info.iterations, 7);
  for (int i = 0; i < s.problem.n; ++i) assert_true(isfinite(z[i]));
  for (int i = 0; i < s.problem.n; ++i) z[i] = i % 2 ? NAN : -INFINITY; /* a start of no use */
  assert_status(nsds_solver_set(solver, "max_iterations", 0.0), NSDS_OK);
  assert_status(nsds_solve(solver, &s.problem, z, w, &info), NSDS_OK);
  nsds_solver_destroy(solver);
  nsds_context_destroy(context);
  scene_destroy(&s);
  bodies_destroy(&b);
}

/* No rows; one row of each kind; a block without its own part of M. */
static void test_small(void **unused) {
  (void)unused;
  nsds_context *context = nsds_context_create(NULL);
  nsds_solver *solver = make(context, NULL);
  nsds_problem empty = {.M = {.storage = NSDS_DENSE}};
  nsds_solver_info info;
  assert_status(nsds_solve(solver, &empty, NULL, NULL, &info), NSDS_OK);
  double M = 2.0, q = -3.0, z, w, low = 0.5, high = 1.0, H = -1.0, K = -1.25;
  const nsds_block rows[6] = {
      {.set = NSDS_SET_EQUALITY, .size = 1},
      {.set = NSDS_SET_NONNEGATIVE, .size = 1},
      {.set = NSDS_SET_BOX, .size = 1, .lower = &low, .upper = &high},
      {.set = NSDS_SET_DISC, .size = 1, .radius = 0.75},
      {.set = NSDS_SET_CONE, .size = 1, .mu = 0.5},
      {.set = NSDS_SET_POLYHEDRON, .size = 1, .nfacet = 1, .H = &H, .K = &K}};
  static const double answer[6] = {1.5, 1.5, 1.0, 0.75, 1.5, 1.25};
  for (int k = 0; k < 6; ++k) {
    nsds_problem p = {.n = 1,
                      .nblock = 1,
                      .block = &rows[k],
                      .M = {.storage = NSDS_DENSE, .n = 1, .x = &M},
                      .q = &q};
    z = 0.0;
    assert_status(nsds_solve(solver, &p, &z, &w, &info), NSDS_OK);
    assert_true(fabs(z - answer[k]) <= 1e-12);
  }
  double zero[9] = {0.0}, push[3] = {-1.0, 0.5, 0.0}, z3[3] = {0.0}, w3[3];
  nsds_block contact = {.set = NSDS_SET_COULOMB, .size = 3, .mu = 0.5};
  nsds_problem p = {.n = 3,
                    .nblock = 1,
                    .block = &contact,
                    .M = {.storage = NSDS_DENSE, .n = 3, .x = zero},
                    .q = push};
  assert_status(nsds_solver_set(solver, "max_iterations", 100.0), NSDS_OK);
  assert_status(nsds_solve(solver, &p, z3, w3, &info), NSDS_ERROR_SOLVER);
  assert_true(info.outcome == NSDS_NOT_CONVERGED || info.outcome == NSDS_NO_SOLUTION);
  for (int i = 0; i < 3; ++i) assert_true(isfinite(z3[i]) && isfinite(w3[i]));
  nsds_solver_destroy(solver);
  nsds_context_destroy(context);
}

/* ---- memory ---- */

static void test_no_allocation_after_reserve(void **unused) {
  (void)unused;
  bodies b;
  scene s;
  assert_true(bodies_create(&b, 4));
  scene_create(&s, &b);
  double z[256] = {0.0}, w[256];
  for (int t = 0; t < 4; ++t) {
    meter m = {0};
    nsds_context *context = metered_context(&m);
    nsds_solver *solver = make(context, NULL);
    converted c;
    converted_create(&c, &s.problem, all_storages[t]);
    assert_status(nsds_solver_reserve(solver, &c.problem), NSDS_OK);
    long before = m.count;
    memset(z, 0, sizeof z);
    nsds_solve(solver, &c.problem, z, w, NULL);
    for (int round = 0; round < 3; ++round) {
      ++c.problem.M.stamp;
      memset(z, 0, sizeof z);
      nsds_solve(solver, &c.problem, z, w, NULL);
    }
    assert_int_equal(m.count, before);
    converted_destroy(&c);
    nsds_solver_destroy(solver);
    nsds_context_destroy(context);
    assert_int_equal(m.live, 0);
  }
  scene_destroy(&s);
  bodies_destroy(&b);
}

static bool run_with_failure(const nsds_problem *problem, long k) {
  meter m = {.fail_at = k};
  nsds_context *context = metered_context(&m);
  if (!context) return true;
  double z[256] = {0.0}, w[256];
  nsds_solver *solver = nsds_solver_create(context, "nsgs");
  nsds_status status = solver ? nsds_solve(solver, problem, z, w, NULL) : NSDS_ERROR_MEMORY;
  bool failed = m.count >= k;
  assert_status(status, failed ? NSDS_ERROR_MEMORY : NSDS_OK);
  if (failed && solver) { /* the same instance then works */
    nsds_error_clear(context);
    assert_status(nsds_solve(solver, problem, z, w, NULL), NSDS_OK);
  }
  nsds_solver_destroy(solver);
  nsds_context_destroy(context);
  assert_int_equal(m.live, 0);
  return failed;
}

static void test_every_allocation_may_fail(void **unused) {
  (void)unused;
  bodies b;
  scene s;
  assert_true(bodies_create(&b, 2));
  scene_create(&s, &b);
  for (int t = 0; t < 4; ++t) {
    converted c;
    converted_create(&c, &s.problem, all_storages[t]);
    long k = 1;
    while (run_with_failure(&c.problem, k)) ++k;
    assert_true(k > 5);
    converted_destroy(&c);
  }
  scene_destroy(&s);
  bodies_destroy(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_known_answers),
      cmocka_unit_test(test_options),
      cmocka_unit_test(test_random_order_repeats),
      cmocka_unit_test(test_scenes),
      cmocka_unit_test(test_packed_contacts),
      cmocka_unit_test(test_limits),
      cmocka_unit_test(test_small),
      cmocka_unit_test(test_no_allocation_after_reserve),
      cmocka_unit_test(test_every_allocation_may_fail),
  };
  return cmocka_run_group_tests_name("numerics.nsgs", tests, NULL, NULL);
}
