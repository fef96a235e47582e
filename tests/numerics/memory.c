/*
 * Memory of the solvers: nothing is allocated by a solve of reserved shape, nothing leaks, and
 * every single allocation may fail with the status saying so.
 */
#include "cmocka_setup.h"
#include "families.h"
#include "meter.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Few iterations: here only the memory matters. "auto" has to solve. */
static void keep_short(nsds_solver *solver, const char *name, double iterations) {
  if (strcmp(name, "auto") == 0) return;
  assert_status(nsds_solver_set(solver, "max_iterations", iterations), NSDS_OK);
}

/* The fallbacks of "auto" reserve early only for small problems. */
static void test_no_allocation_after_reserve(void **unused) {
  (void)unused;
  const nsds_solver_row *row;
  for (int r = 0; (row = nsds_solver_table(r)) && !row->global; ++r) {
    family f;
    for (int k = 0; family_create(&f, k); ++k) {
      for (int s = 0; s < 3; ++s) {
        meter m = {0};
        nsds_context *context = metered_context(&m);
        nsds_solver *solver = nsds_solver_create(context, row->name);
        keep_short(solver, row->name, 20.0);
        stored st;
        stored_create(&st, &f, storages[s]);
        double *z = calloc((size_t)f.n + 1, sizeof *z), *w = calloc((size_t)f.n + 1, sizeof *w);
        assert_status(nsds_solver_reserve(solver, &st.problem), NSDS_OK);
        bool first = f.n <= 64 && storages[s] == NSDS_DENSE;
        long before = m.count;
        nsds_solve(solver, &st.problem, z, w, NULL);
        if (first) assert_int_equal(m.count, before);
        before = m.count;
        for (int round = 0; round < 2; ++round) {
          ++st.problem.M.stamp;
          memset(z, 0, (size_t)f.n * sizeof *z);
          nsds_solve(solver, &st.problem, z, w, NULL);
        }
        assert_int_equal(m.count, before);
        free(z);
        free(w);
        stored_destroy(&st);
        nsds_solver_destroy(solver);
        nsds_context_destroy(context);
        assert_int_equal(m.live, 0);
      }
      family_destroy(&f);
    }
  }
}

/* The message says for what, and of which solver once there is one. */
static void check_message(const nsds_context *context, const char *name) {
  const char *message = nsds_error_message(context);
  char object[64];
  snprintf(object, sizeof object, "solver %s: ", name ? name : "");
  if (!strstr(message, "out of memory for ") || (name && strncmp(message, object, strlen(object))))
    fail_msg("\"%s\" does not name %s and a field", message, object);
}

/* Create, reserve, solve with the k-th allocation failing; the same instance then still works. */
static bool run_with_failure(const char *name, const family *f, nsds_storage storage, long k) {
  meter m = {.fail_at = k};
  nsds_context *context = metered_context(&m);
  if (!context) return true;
  stored st;
  stored_create(&st, f, storage);
  double *z = calloc((size_t)f->n + 1, sizeof *z), *w = calloc((size_t)f->n + 1, sizeof *w);
  nsds_solver *solver = nsds_solver_create(context, name);
  nsds_status status = NSDS_OK;
  if (solver) {
    keep_short(solver, name, 4.0);
    nsds_status reserved = k % 2 ? nsds_solver_reserve(solver, &st.problem) : NSDS_OK;
    status = reserved ? reserved : nsds_solve(solver, &st.problem, z, w, NULL);
  }
  bool failed = m.count >= k;
  if (failed) {
    assert_true(!solver || status == NSDS_ERROR_MEMORY);
    assert_int_equal(nsds_error(context), NSDS_ERROR_MEMORY);
    check_message(context, solver ? name : NULL);
  }
  if (failed && solver) {
    nsds_solver_info info;
    nsds_error_clear(context);
    status = nsds_solve(solver, &st.problem, z, w, &info);
    assert_true(status == NSDS_OK || status == NSDS_ERROR_SOLVER);
    if (strcmp(name, "auto") == 0) assert_status(status, NSDS_OK);
  }
  free(z);
  free(w);
  stored_destroy(&st);
  nsds_solver_destroy(solver);
  nsds_context_destroy(context);
  assert_int_equal(m.live, 0);
  return failed;
}

static void test_every_allocation_may_fail(void **unused) {
  (void)unused;
  static const int families[] = {7, 13, 21, 29, 30, 11};
  const nsds_solver_row *row;
  for (int r = 0; (row = nsds_solver_table(r)) && !row->global; ++r)
    for (size_t t = 0; t < sizeof families / sizeof *families; ++t) {
      family f;
      assert_true(family_create(&f, families[t]));
      for (int s = 0; s < 3; ++s) {
        if (f.n > 100 && storages[s] != NSDS_CSC) continue; /* the sparse ways alone */
        long k = 1;
        while (run_with_failure(row->name, &f, storages[s], k)) ++k;
        assert_true(k > 2);
      }
      family_destroy(&f);
    }
}

/* A smaller problem after a larger one whose k-th allocation failed; the answer is the same. */
static bool run_after_failure(const char *name, const family *small, const family *large,
                              nsds_storage storage, long k) {
  meter m = {0};
  nsds_context *context = metered_context(&m);
  nsds_solver *solver = nsds_solver_create(context, name);
  assert_non_null(solver);
  keep_short(solver, name, 4.0);
  stored st, larger;
  stored_create(&st, small, storage);
  stored_create(&larger, large, storage);
  double before[100] = {0}, after[100] = {0}, w[100], *z = calloc((size_t)large->n, sizeof *z);
  double *w_large = calloc((size_t)large->n, sizeof *w_large);
  nsds_solver_info first, again;
  nsds_solve(solver, &st.problem, before, w, &first);
  m.fail_at = m.count + k;
  nsds_status status = nsds_solve(solver, &larger.problem, z, w_large, NULL);
  bool failed = m.count >= m.fail_at;
  if (failed) {
    assert_status(status, NSDS_ERROR_MEMORY);
    ++st.problem.M.stamp; /* nothing of before is to be believed */
    nsds_solve(solver, &st.problem, after, w, &again);
    assert_int_equal(again.outcome, first.outcome);
    assert_int_equal(again.iterations, first.iterations);
    assert_memory_equal(after, before, (size_t)small->n * sizeof *after);
  }
  free(z);
  free(w_large);
  stored_destroy(&st);
  stored_destroy(&larger);
  nsds_solver_destroy(solver);
  nsds_context_destroy(context);
  assert_int_equal(m.live, 0);
  return failed;
}

static void test_smaller_after_growth_failed(void **unused) {
  (void)unused;
  static const int pairs[][2] = {{7, 8}, {12, 13}, {28, 29}, {31, 32}, {13, 30}};
  const nsds_solver_row *row;
  for (int r = 0; (row = nsds_solver_table(r)) && !row->global; ++r)
    for (size_t t = 0; t < sizeof pairs / sizeof *pairs; ++t) {
      family small, large;
      assert_true(family_create(&small, pairs[t][0]) && family_create(&large, pairs[t][1]));
      for (int s = 0; s < 3; ++s) {
        if (large.n > 50 && storages[s] != NSDS_CSC) continue;
        for (long k = 1; run_after_failure(row->name, &small, &large, storages[s], k);) ++k;
      }
      family_destroy(&small);
      family_destroy(&large);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_no_allocation_after_reserve),
      cmocka_unit_test(test_every_allocation_may_fail),
      cmocka_unit_test(test_smaller_after_growth_failed),
  };
  return cmocka_run_group_tests_name("numerics.memory", tests, NULL, NULL);
}
