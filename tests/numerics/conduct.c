/*
 * How every solver of the table behaves on every kind of block it takes, whatever the method: the
 * user, the clock and the iteration limit end it at once with a finite point, and after a
 * reservation nothing is allocated.
 */
#include "bodies.h"
#include "cmocka_setup.h"
#include "families.h"
#include "relations.h"
#include "meter.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { all_kinds = -1, most_rows = 64 };

static const nsds_storage every_storage[4] = {NSDS_DENSE, NSDS_CSC, NSDS_BLOCK_ROWS, NSDS_FACTORED};

static const char *kind_name(int which) {
  return which < 0 ? "all kinds" : sample_block_name(which);
}

static bool takes(const nsds_solver_row *row, const nsds_problem *problem) {
  unsigned sets = 0;
  for (int a = 0; a < problem->nblock; ++a) sets |= (unsigned)problem->block[a].set;
  return !(sets & ~row->sets) && ((unsigned)problem->M.storage & row->storages);
}

typedef void check_fn(const nsds_solver_row *row, const nsds_problem *problem, const char *what);

/* Every row, kind and storage; singular matrices of moderate size, so that there is work to do. */
static void for_all(check_fn *check, int storages_count) {
  for (int which = all_kinds; which < kind_count; ++which) {
    random_seed((unsigned)(70 + which));
    mixed p;
    int nb = which < 0 ? kind_count : 3;
    mixed_create(&p, nb, which, which < 0 ? 20 : 3, 1.0, 0.0);
    for (int t = 0; t < storages_count; ++t) {
      converted c;
      converted_create(&c, &p.problem, every_storage[t]);
      c.problem.M.stamp = 1;
      const nsds_solver_row *row;
      for (int r = 0; (row = nsds_solver_table(r)) && !row->global; ++r)
        if (takes(row, &c.problem)) check(row, &c.problem, kind_name(which));
      converted_destroy(&c);
    }
    mixed_destroy(&p);
  }
}

/* ---- interruption ---- */

typedef struct stopper {
  int calls, last; /* made so far; the one that says stop, once */
} stopper;

static int stop(int iteration, double residual, void *user) {
  stopper *s = user;
  assert_true(iteration >= 0 && !(residual < 0.0)); /* NaN: pivoting, without a point */
  return ++s->calls == s->last;
}

/* Up to 27 systems of up to three rows are tried in closed form without a look at the clock. */
static bool is_closed_form(const nsds_solver_info *info) {
  return strcmp(info->solver, "enumeration") == 0;
}

static nsds_solver_info solve(nsds_solver *solver, const nsds_problem *problem) {
  double z[most_rows] = {0.0}, w[most_rows];
  nsds_solver_info info;
  assert_true(problem->n <= most_rows);
  nsds_status status = nsds_solve(solver, problem, z, w, &info);
  if (status != (info.outcome == NSDS_SOLVED ? NSDS_OK : NSDS_ERROR_SOLVER))
    fail_msg("%s: status %d, %s", info.solver, (int)status, nsds_outcome_text(info.outcome));
  for (int i = 0; i < problem->n; ++i) assert_true(isfinite(z[i]) && isfinite(w[i]));
  double certified = certify(problem, z).residual;
  if (certified != info.residual)
    fail_msg("%s: residual %.17g, certified %.17g", info.solver, info.residual, certified);
  return info;
}

enum { most_solvers = 64 };

static int interrupted[most_solvers]; /* solves of each row of the table */

static void count_interrupted(const nsds_solver_row *row, const nsds_solver_info *info) {
  int k = 0;
  while (nsds_solver_table(k) != row) ++k;
  interrupted[k] += info->outcome == NSDS_INTERRUPTED;
}

/* Every method has been. */
static void check_interrupted(void) {
  for (int k = 0; nsds_solver_table(k) && !nsds_solver_table(k)->global; ++k)
    if (interrupted[k] == 0) fail_msg("%s was never interrupted", nsds_solver_table(k)->name);
}

/* Tolerance 0: the method goes on until it is stopped or sees that it cannot do better. */
static void check_progress(const nsds_solver_row *row, const nsds_problem *problem,
                           const char *what) {
  for (int last = 1; last <= 3; last += 2) {
    nsds_context *context = nsds_context_create(NULL);
    nsds_solver *solver = nsds_solver_create(context, row->name);
    stopper s = {0, last};
    assert_status(nsds_solver_set(solver, "tolerance", 0.0), NSDS_OK);
    nsds_solver_set_progress(solver, stop, &s);
    nsds_solver_info info = solve(solver, problem);
    if (s.calls > last ||
        (s.calls >= last && info.outcome != NSDS_INTERRUPTED && info.outcome != NSDS_SOLVED))
      fail_msg("%s, %s, storage %d: %d calls, the user said stop at %d: %s", row->name, what,
               (int)problem->M.storage, s.calls, last, nsds_outcome_text(info.outcome));
    count_interrupted(row, &info);
    nsds_solver_destroy(solver);
    nsds_context_destroy(context);
  }
}

static void test_progress(void **unused) {
  (void)unused;
  memset(interrupted, 0, sizeof interrupted);
  for_all(check_progress, 2);
  check_interrupted();
}

static void check_clock(const nsds_solver_row *row, const nsds_problem *problem, const char *what) {
  nsds_context *context = nsds_context_create(NULL);
  nsds_solver *solver = nsds_solver_create(context, row->name);
  assert_status(nsds_solver_set(solver, "tolerance", 0.0), NSDS_OK);
  assert_status(nsds_solver_set(solver, "time_limit", 1e-9), NSDS_OK);
  nsds_solver_info info = solve(solver, problem);
  if (info.iterations > 1 && !is_closed_form(&info))
    fail_msg("%s, %s: %d iterations in no time: %s", row->name, what, info.iterations,
             nsds_outcome_text(info.outcome));
  count_interrupted(row, &info);
  nsds_solver_destroy(solver);
  nsds_context_destroy(context);
}

static void test_clock(void **unused) {
  (void)unused;
  memset(interrupted, 0, sizeof interrupted);
  for_all(check_clock, 2);
  check_interrupted();
}

static void check_limit(const nsds_solver_row *row, const nsds_problem *problem, const char *what) {
  nsds_context *context = nsds_context_create(NULL);
  nsds_solver *solver = nsds_solver_create(context, row->name);
  assert_status(nsds_solver_set(solver, "tolerance", 0.0), NSDS_OK);
  assert_status(nsds_solver_set(solver, "max_iterations", 2.0), NSDS_OK);
  nsds_solver_info info = solve(solver, problem);
  if (info.iterations > 2 || info.outcome == NSDS_INTERRUPTED)
    fail_msg("%s, %s: %d iterations of 2, %s", row->name, what, info.iterations,
             nsds_outcome_text(info.outcome));
  nsds_solver_destroy(solver);
  nsds_context_destroy(context);
}

static void test_limit(void **unused) {
  (void)unused;
  for_all(check_limit, 2);
}

/* Three rows without a solution: every method that takes them keeps to its limit, and says "no
 * solution" only when it was not stopped. */
static void few_rows_keep_the_limit(void **unused) {
  (void)unused;
  const double M[9] = {-1, 0.5, 0, 0, -1, 0, 0.25, 0, -1}, q[3] = {-1, -2, -3};
  const nsds_block block = {.set = NSDS_SET_NONNEGATIVE, .size = 3};
  const nsds_problem p = {
      .n = 3, .nblock = 1, .block = &block, .M = {.storage = NSDS_DENSE, .n = 3, .x = M}, .q = q};
  const nsds_solver_row *row;
  for (int r = 0; (row = nsds_solver_table(r)) && !row->global; ++r)
    for (int limit = 1; limit <= 64; limit *= 2) {
      nsds_context *context = nsds_context_create(NULL);
      nsds_solver *solver = nsds_solver_create(context, row->name);
      assert_status(nsds_solver_set(solver, "max_iterations", limit), NSDS_OK);
      nsds_solver_info info = solve(solver, &p);
      bool few = strcmp(info.solver, "enumeration") == 0;
      if (info.iterations > limit || (few && limit < 8 && info.outcome == NSDS_NO_SOLUTION))
        fail_msg("%s: %d iterations of %d, %s", row->name, info.iterations, limit,
                 nsds_outcome_text(info.outcome));
      if (few && limit == 64) assert_int_equal(info.outcome, NSDS_NO_SOLUTION);
      nsds_solver_destroy(solver);
      nsds_context_destroy(context);
    }
}

/* The residual is the certificate's, also where rounding explains errors: rows of 1e-17 beside rows
 * of one, and a single row. */
static void the_residual_is_the_certificate(void **unused) {
  (void)unused;
  static const double M[16] = {1, 0, 0, 0, -1, 1, 0, 0, 1, 0, 1, 0, 0, -1, 0, 1};
  static const nsds_block block[] = {{.set = NSDS_SET_EQUALITY, .size = 1},
                                     {.set = NSDS_SET_NONNEGATIVE, .size = 2},
                                     {.set = NSDS_SET_EQUALITY, .size = 1}};
  random_seed(77);
  const nsds_solver_row *row;
  for (int r = 0; (row = nsds_solver_table(r)) && !row->global; ++r)
    for (int round = 0; round < 30; ++round) {
      double q[4] = {1e-17 * random_number(), 1.0, 0.0, -1.0 - 0.1 * round};
      bool one = round % 5 == 4;
      nsds_block row_block = {.set = round % 2 ? NSDS_SET_EQUALITY : NSDS_SET_NONNEGATIVE,
                              .size = 1};
      double single = 0.1 + 0.37 * round, load = -1.0 / (3.0 + round);
      const nsds_problem p = {
          .n = one ? 1 : 4,
          .nblock = one ? 1 : 3,
          .block = one ? &row_block : block,
          .M = {.storage = NSDS_DENSE, .n = one ? 1 : 4, .x = one ? &single : M},
          .q = one ? &load : q};
      nsds_context *context = nsds_context_create(NULL);
      nsds_solver *solver = nsds_solver_create(context, row->name);
      assert_status(nsds_solver_set(solver, "tolerance", round % 3 ? 1e-8 : 1e-13), NSDS_OK);
      assert_status(nsds_solver_set(solver, "max_iterations", 50.0), NSDS_OK);
      solve(solver, &p);
      nsds_solver_destroy(solver);
      nsds_context_destroy(context);
    }
}

/* ---- memory ---- */

/* The methods of "auto" with cones reserve when their turn comes, in its first solve. */
static void check_memory(const nsds_solver_row *row, const nsds_problem *problem,
                         const char *what) {
  meter m = {0, 0, 0};
  nsds_context *context = metered_context(&m);
  nsds_solver *solver = nsds_solver_create(context, row->name);
  nsds_problem again = *problem;
  if (strcmp(row->name, "auto") != 0)
    assert_status(nsds_solver_set(solver, "max_iterations", 20.0), NSDS_OK);
  assert_status(nsds_solver_reserve(solver, problem), NSDS_OK);
  if (strcmp(row->name, "auto") == 0) solve(solver, &again);
  long before = m.count;
  for (int round = 0; round < 3; ++round) {
    solve(solver, &again);
    if (m.count != before)
      fail_msg("%s, %s, storage %d: %ld allocations in solve %d", row->name, what,
               (int)problem->M.storage, m.count - before, round + 1);
    ++again.M.stamp;
  }
  nsds_solver_destroy(solver);
  nsds_context_destroy(context);
  assert_int_equal(m.live, 0);
}

static void test_memory(void **unused) {
  (void)unused;
  for_all(check_memory, 4);
}

/* Interrupts a method that reports a point far from solving. */
static int far_off(int iteration, double residual, void *user) {
  (void)iteration, (void)user;
  return residual > 1e-6;
}

static void interrupted_with_the_best(void **unused) {
  (void)unused;
  enum { n = 40 };
  double M[n * n], q[n], z[n] = {0.0}, w[n];
  nsds_block block = {.set = NSDS_SET_NONNEGATIVE, .size = n};
  random_seed(7);
  for (int i = 0; i < n * n; ++i) M[i] = random_number();
  for (int i = 0; i < n; ++i) M[i + i * n] += 2.0 * n;
  for (int i = 0; i < n; ++i) q[i] = random_number();
  nsds_problem problem = {
      .n = n, .M = {.storage = NSDS_DENSE, .n = n, .x = M}, .q = q, .nblock = 1, .block = &block};
  nsds_context *context = nsds_context_create(NULL);
  nsds_solver *solver = nsds_solver_create(context, "auto");
  nsds_solver_info info;
  assert_status(nsds_solver_set(solver, "tolerance", 0.0), NSDS_OK);
  nsds_solver_set_progress(solver, far_off, NULL);
  nsds_solve(solver, &problem, z, w, &info);
  assert_int_equal(info.outcome, NSDS_INTERRUPTED);
  assert_true(info.tried > 1 && info.residual <= 1e-12);
  nsds_solver_destroy(solver);
  nsds_context_destroy(context);
}

/* Numbers that nsds_problem_check() refuses: no method works long on them, but that which goes
 * through all bases, and z stays finite. */
static void check_not_finite(const nsds_solver_row *row, const nsds_problem *problem,
                             const char *what) {
  static const double wrong[] = {NAN, INFINITY, -INFINITY};
  size_t entries = (size_t)(problem->n * problem->n);
  double *M = malloc(entries * sizeof *M), q[most_rows];
  nsds_problem spoiled = *problem;
  spoiled.q = q;
  spoiled.M.x = M;
  for (int k = 0; k < 9; ++k) {
    double z[most_rows] = {0.0}, w[most_rows];
    nsds_solver_info info;
    memcpy(M, problem->M.x, entries * sizeof *M);
    memcpy(q, problem->q, (size_t)problem->n * sizeof *q);
    if (k < 3) q[problem->n - 1] = wrong[k];
    else if (k < 6) M[0] = wrong[k - 3];
    else M[1] = M[problem->n] = wrong[k - 6];
    spoiled.M.stamp = (uint64_t)k + 1;
    nsds_context *context = nsds_context_create(NULL);
    nsds_solver *solver = nsds_solver_create(context, row->name);
    assert_int_equal(nsds_solve(solver, &spoiled, z, w, &info), NSDS_ERROR_SOLVER);
    for (int i = 0; i < problem->n; ++i) assert_true(isfinite(z[i]));
    bool long_run = info.iterations > 100 && strcmp(info.solver, "enumeration") != 0;
    if (long_run || info.outcome == NSDS_SOLVED)
      fail_msg("%s, %s, case %d: %d iterations, %s", row->name, what, k, info.iterations,
               nsds_outcome_text(info.outcome));
    nsds_solver_destroy(solver);
    nsds_context_destroy(context);
  }
  free(M);
}

static void problems_that_are_not_finite_end_at_once(void **unused) {
  (void)unused;
  for_all(check_not_finite, 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_progress),
      cmocka_unit_test(test_clock),
      cmocka_unit_test(test_limit),
      cmocka_unit_test(the_residual_is_the_certificate),
      cmocka_unit_test(few_rows_keep_the_limit),
      cmocka_unit_test(test_memory),
      cmocka_unit_test(interrupted_with_the_best),
      cmocka_unit_test(problems_that_are_not_finite_end_at_once),
  };
  return cmocka_run_group_tests_name("numerics.conduct", tests, NULL, NULL);
}
