/*
 * The limit of memory: what a form of M and its factors would take beyond it is not begun, and the
 * solve says so; methods without factors go on.
 */
#include "cmocka_setup.h"

#include <nsds/solver.h>

#include <math.h>
#include <string.h>

enum { edge = 60, n = edge * edge };

static int p[n + 1], at[5 * n];
static double x[5 * n], q[n];

/* The five-point Laplacian under a load of both signs. */
static nsds_problem membrane(const nsds_block *block) {
  int count = 0;
  for (int j = 0; j < n; ++j) {
    const int step[5] = {-edge, -1, 0, 1, edge};
    for (int k = 0; k < 5; ++k) {
      int i = j + step[k];
      if (i < 0 || i >= n || ((k == 1 || k == 3) && i / edge != j / edge)) continue;
      at[count] = i;
      x[count++] = k == 2 ? 4.0 : -1.0;
    }
    p[j + 1] = count;
    q[j] = sin(0.1 * (j % edge)) * cos(0.07 * (double)(j / edge)) * 1e-2;
  }
  return (nsds_problem){
      .n = n,
      .nblock = 1,
      .block = block,
      .q = q,
      .M = {.storage = NSDS_CSC, .n = n, .p = p, .i = at, .x = x, .symmetric = true}};
}

static nsds_solver_info solve(const char *name, double megabytes, const nsds_problem *problem) {
  static double z[n], w[n];
  nsds_context *context = nsds_context_create(NULL);
  nsds_solver *solver = nsds_solver_create(context, name);
  nsds_solver_info info;
  memset(z, 0, sizeof z);
  assert_status(nsds_solver_set(solver, "tolerance", 1e-8), NSDS_OK);
  assert_status(nsds_solver_set(solver, "memory_limit", megabytes), NSDS_OK);
  assert_status(nsds_solver_reserve(solver, problem), NSDS_OK);
  nsds_status status = nsds_solve(solver, problem, z, w, &info);
  assert_status(status, info.outcome == NSDS_SOLVED ? NSDS_OK : NSDS_ERROR_SOLVER);
  for (int i = 0; i < n; ++i) assert_true(isfinite(z[i]));
  assert_status(nsds_error(context), NSDS_OK);
  nsds_solver_destroy(solver);
  nsds_context_destroy(context);
  return info;
}

static void factors_keep_the_limit(void **state) {
  (void)state;
  const nsds_block block = {.set = NSDS_SET_NONNEGATIVE, .size = n};
  const nsds_problem problem = membrane(&block);
  static const char *const factors[] = {"semismooth_newton", "interior_point", "nonsmooth_newton",
                                        "multigrid"};
  static const char *const products[] = {"projected_gradient", "nsgs"};
  for (size_t k = 0; k < sizeof factors / sizeof *factors; ++k) {
    assert_int_equal(solve(factors[k], 0.0, &problem).outcome, NSDS_SOLVED);
    assert_int_equal(solve(factors[k], 100.0, &problem).outcome, NSDS_SOLVED);
    nsds_solver_info info = solve(factors[k], 0.3, &problem);
    if (info.outcome != NSDS_REFUSED)
      fail_msg("%s: %s", factors[k], nsds_outcome_text(info.outcome));
  }
  for (size_t k = 0; k < sizeof products / sizeof *products; ++k)
    assert_int_equal(solve(products[k], 0.3, &problem).outcome, NSDS_SOLVED);
}

/* A form alone passes the limit: M in factors is not written out. */
static void forms_keep_the_limit(void **state) {
  (void)state;
  const nsds_block block = {.set = NSDS_SET_NONNEGATIVE, .size = n};
  const nsds_problem problem = membrane(&block);
  assert_int_equal(solve("interior_point", 0.01, &problem).outcome, NSDS_REFUSED);
  assert_int_equal(solve("auto", 0.01, &problem).outcome, NSDS_SOLVED); /* by gradients */
  nsds_problem any = problem;
  any.M.symmetric = false;
  assert_int_equal(solve("auto", 0.01, &any).outcome, NSDS_REFUSED);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(factors_keep_the_limit),
                                     cmocka_unit_test(forms_keep_the_limit)};
  return cmocka_run_group_tests_name("numerics.limits", tests, NULL, NULL);
}
