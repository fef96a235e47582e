/*
 * Conformance of every solver of the table over every family and every storage, and what an
 * instance promises: warm starts, options, progress, time limit.
 */
#include "cmocka_setup.h"
#include "families.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static nsds_solver *make(nsds_context *context, const char *name) {
  nsds_solver *solver = nsds_solver_create(context, name);
  assert_non_null(solver);
  return solver;
}

/* What the table entry owes a family. */
static bool must_solve(const char *name, const family *f) {
  if (strcmp(name, "auto") == 0) return f->kind <= KIND_GENERAL;
  if (strcmp(name, "enumeration") == 0) return f->n <= 12 && f->kind <= KIND_GENERAL;
  if (strcmp(name, "semismooth_newton") == 0) return f->kind <= KIND_MONOTONE;
  if (strcmp(name, "lemke") == 0) return f->kind <= KIND_MONOTONE;
  return f->kind == KIND_DOMINANT;
}

static void check_answer(const family *f, const nsds_solver_info *info, nsds_status status,
                         const double *z, const double *w) {
  for (int i = 0; i < f->n; ++i) {
    assert_true(isfinite(z[i]));
    double expected = f->q[i], size = fabs(expected);
    for (int j = 0; j < f->n; ++j) {
      double t = f->dense[i + (size_t)j * (size_t)f->n] * z[j];
      expected += t;
      size += fabs(t);
    }
    assert_true(fabs(w[i] - expected) <= 1e-13 * size);
  }
  assert_true((status == NSDS_OK) == (info->outcome == NSDS_SOLVED));
  if (status != NSDS_OK) return;
  assert_true(info->residual <= 1e-10);
  assert_true(own_residual(f, z) <= 1e-9);
  for (int i = 0; f->known && i < f->n; ++i)
    assert_true(fabs(z[i] - f->known[i]) <= 1e-6 * (1e-6 + fabs(f->known[i])) ||
                fabs(z[i] - f->known[i]) <= 1e-7);
}

static void check_run(const char *name, const family *f, nsds_storage storage) {
  nsds_context *context = nsds_context_create(NULL);
  nsds_solver *solver = make(context, name);
  stored s;
  stored_create(&s, f, storage);
  double *z = calloc((size_t)f->n + 1, sizeof *z), *w = calloc((size_t)f->n + 1, sizeof *w);
  nsds_solver_info info;
  assert_status(nsds_problem_check(context, &s.problem), NSDS_OK);
  if (strcmp(name, "auto") != 0 && !must_solve(name, f)) { /* failing takes no time */
    assert_status(nsds_solver_set(solver, "max_iterations", 100.0), NSDS_OK);
  }
  nsds_status status = nsds_solve(solver, &s.problem, z, w, &info);
  bool solved = status == NSDS_OK;
  if (must_solve(name, f) != solved && (must_solve(name, f) || f->kind >= KIND_INFEASIBLE))
    fail_msg("%s on %s, storage %d: %s, residual %g, path %s", name, f->name, (int)storage,
             nsds_outcome_text(info.outcome), info.residual, info.path);
  check_answer(f, &info, status, z, w);
  assert_true(certify(&s.problem, z).residual == info.residual);
  if (strcmp(name, "enumeration") == 0 && f->n <= 3 && f->kind >= KIND_INFEASIBLE)
    assert_int_equal(info.outcome, NSDS_NO_SOLUTION);
  if (f->kind == KIND_INFEASIBLE && (strcmp(name, "lemke") == 0 || strcmp(name, "auto") == 0))
    assert_int_equal(info.outcome, NSDS_NO_SOLUTION); /* the ray becomes a proof */
  assert_string_equal(nsds_error_message(context), "");
  free(z);
  free(w);
  stored_destroy(&s);
  nsds_solver_destroy(solver);
  nsds_context_destroy(context);
}

static void test_conformance(void **unused) {
  (void)unused;
  const nsds_solver_row *row;
  for (int r = 0; (row = nsds_solver_table(r)) && !row->global; ++r) {
    family f;
    for (int k = 0; family_create(&f, k); ++k) {
      for (int s = 0; s < 3; ++s)
        if (row->storages & (unsigned)storages[s]) check_run(row->name, &f, storages[s]);
      family_destroy(&f);
    }
  }
}

static void test_table(void **unused) {
  (void)unused;
  assert_string_equal(nsds_solver_table(0)->name, "auto");
  assert_null(nsds_solver_table(-1));
  int k = 0;
  for (; nsds_solver_table(k); ++k) {
    const nsds_solver_row *row = nsds_solver_table(k);
    assert_true(strlen(row->name) > 0 && strlen(row->summary) > 0 && strlen(row->reference) > 0);
    assert_true(row->sets != 0 && row->storages != 0);
    for (const nsds_option *o = row->option; o->name; ++o) {
      assert_true(o->min <= o->default_value && o->default_value <= o->max);
      assert_true(strlen(o->help) > 0 && strlen(o->unit) > 0);
    }
  }
  assert_true(k > 5);
}

/* The same problem with all storages gives the same solution up to rounding. */
static void test_storages_agree(void **unused) {
  (void)unused;
  family f;
  for (int k = 0; family_create(&f, k); ++k) {
    double *z[3];
    for (int s = 0; s < 3; ++s) {
      nsds_context *context = nsds_context_create(NULL);
      nsds_solver *solver = make(context, NULL);
      stored st;
      stored_create(&st, &f, storages[s]);
      z[s] = calloc((size_t)f.n + 1, sizeof(double));
      double *w = calloc((size_t)f.n + 1, sizeof(double));
      nsds_solve(solver, &st.problem, z[s], w, NULL);
      free(w);
      stored_destroy(&st);
      nsds_solver_destroy(solver);
      nsds_context_destroy(context);
    }
    for (int i = 0; f.kind <= KIND_P && i < f.n; ++i)
      for (int s = 1; s < 3; ++s)
        assert_true(fabs(z[s][i] - z[0][i]) <= 1e-9 * (1e-3 + fabs(z[0][i])));
    for (int s = 0; s < 3; ++s) free(z[s]);
    family_destroy(&f);
  }
}

/* Solving again from the solution gives the same bits; a warm Newton factors nothing. */
static void test_warm_start(void **unused) {
  (void)unused;
  family f;
  for (int k = 0; family_create(&f, k); ++k) {
    for (int s = 0; s < 3 && f.kind <= KIND_MONOTONE; ++s) {
      nsds_context *context = nsds_context_create(NULL);
      nsds_solver *solver = make(context, "semismooth_newton");
      stored st;
      stored_create(&st, &f, storages[s]);
      size_t bytes = ((size_t)f.n + 1) * sizeof(double);
      double *z = calloc(1, bytes), *w = calloc(1, bytes), *first = calloc(1, bytes);
      nsds_solver_info info;
      assert_status(nsds_solve(solver, &st.problem, z, w, &info), NSDS_OK);
      assert_status(nsds_solve(solver, &st.problem, z, w, &info), NSDS_OK);
      memcpy(first, z, bytes);
      assert_status(nsds_solve(solver, &st.problem, z, w, &info), NSDS_OK);
      if (f.kind <= KIND_P) {
        assert_memory_equal(z, first, bytes);
        assert_int_equal(info.factorizations, 0);
        assert_true(info.iterations <= 1);
      }
      free(z);
      free(w);
      free(first);
      stored_destroy(&st);
      nsds_solver_destroy(solver);
      nsds_context_destroy(context);
    }
    family_destroy(&f);
  }
}

/* One instance over many different problems: nothing of one leaks into the next. */
static void test_instance_is_reusable(void **unused) {
  (void)unused;
  nsds_context *context = nsds_context_create(NULL);
  nsds_solver *solver = make(context, NULL);
  for (int round = 0; round < 2; ++round) {
    family f;
    for (int k = 0; family_create(&f, k); ++k) {
      for (int s = 0; s < 3; ++s) {
        stored st;
        stored_create(&st, &f, storages[s]);
        st.problem.M.stamp = round ? (uint64_t)(1000 + k) : 0;
        double *z = calloc((size_t)f.n + 1, sizeof *z), *w = calloc((size_t)f.n + 1, sizeof *w);
        nsds_solver_info info;
        nsds_status status = nsds_solve(solver, &st.problem, z, w, &info);
        check_answer(&f, &info, status, z, w);
        assert_true((status == NSDS_OK) == (f.kind <= KIND_GENERAL));
        free(z);
        free(w);
        stored_destroy(&st);
      }
      family_destroy(&f);
    }
  }
  nsds_solver_destroy(solver);
  nsds_context_destroy(context);
}

/* A start that is not finite, or wrong everywhere, does no harm. */
static void test_bad_start(void **unused) {
  (void)unused;
  const nsds_solver_row *row;
  family f;
  assert_true(family_create(&f, 8));
  stored st;
  stored_create(&st, &f, NSDS_CSC);
  for (int r = 0; (row = nsds_solver_table(r)) && !row->global; ++r) {
    nsds_context *context = nsds_context_create(NULL);
    nsds_solver *solver = make(context, row->name);
    double z[64], w[64];
    for (int round = 0; round < 3; ++round) {
      for (int i = 0; i < f.n; ++i) z[i] = i % 2 ? (i % 3 ? INFINITY : NAN) : -1e30;
      nsds_solver_info info;
      nsds_status status = nsds_solve(solver, &st.problem, z, w, &info);
      assert_status(status, NSDS_OK);
      check_answer(&f, &info, status, z, w);
    }
    nsds_solver_destroy(solver);
    nsds_context_destroy(context);
  }
  stored_destroy(&st);
  family_destroy(&f);
}

static void test_path(void **unused) {
  (void)unused;
  family f;
  assert_true(family_create(&f, 42)); /* squeezed: everybody fails */
  stored st;
  stored_create(&st, &f, NSDS_DENSE);
  nsds_context *context = nsds_context_create(NULL);
  nsds_solver *solver = make(context, NULL);
  double z[64] = {0}, w[64];
  nsds_solver_info info;
  assert_status(nsds_solve(solver, &st.problem, z, w, &info), NSDS_ERROR_SOLVER);
  assert_int_equal(info.tried, 3);
  assert_string_equal(info.path, "semismooth_newton:not converged > lemke:secondary ray > "
                                 "enumeration:no solution");
  assert_status(nsds_error(context), NSDS_OK);
  nsds_solver_destroy(solver);
  nsds_context_destroy(context);
  stored_destroy(&st);
  family_destroy(&f);
}

static void test_options(void **unused) {
  (void)unused;
  nsds_context *context = nsds_context_create(NULL);
  nsds_solver *solver = make(context, "nsgs");
  assert_true(nsds_solver_get(solver, "tolerance") == 1e-10);
  assert_status(nsds_solver_set(solver, "relaxation", 1.5), NSDS_OK);
  assert_true(nsds_solver_get(solver, "relaxation") == 1.5);
  assert_status(nsds_solver_set(solver, "relaxation", 2.5), NSDS_ERROR_VALUE);
  assert_non_null(strstr(nsds_error_message(context), "relaxation"));
  assert_non_null(strstr(nsds_error_message(context), "2.5"));
  assert_true(nsds_solver_get(solver, "relaxation") == 1.5);
  nsds_error_clear(context);
  assert_status(nsds_solver_set(solver, "relaxation", NAN), NSDS_ERROR_VALUE);
  nsds_error_clear(context);
  assert_status(nsds_solver_set(solver, "omega", 1.0), NSDS_ERROR_ARGUMENT);
  assert_non_null(strstr(nsds_error_message(context), "tolerance, time_limit, memory_limit, "
                                                      "max_iterations, local"));
  nsds_error_clear(context);
  assert_true(isnan(nsds_solver_get(solver, NULL)));
  assert_status(nsds_solver_set(NULL, "tolerance", 1.0), NSDS_ERROR_ARGUMENT);
  nsds_error_clear(context);
  assert_null(nsds_solver_create(context, "lemk"));
  assert_non_null(strstr(nsds_error_message(context), "lemke"));
  nsds_error_clear(context);
  assert_status(nsds_solve(solver, NULL, NULL, NULL, NULL), NSDS_ERROR_ARGUMENT);
  assert_status(nsds_solve(NULL, NULL, NULL, NULL, NULL), NSDS_ERROR_ARGUMENT);
  assert_null(nsds_solver_get_row(NULL));
  assert_string_equal(nsds_solver_get_row(solver)->name, "nsgs");
  nsds_solver_destroy(solver);
  nsds_solver_destroy(NULL);
  nsds_context_destroy(context);
}

static int stop_at_third(int iteration, double residual, void *user) {
  (void)iteration;
  (void)residual;
  return ++*(int *)user == 3;
}

static void test_interruption(void **unused) {
  (void)unused;
  family f;
  assert_true(family_create(&f, 11)); /* long chain: slow for sweeps, long for pivots */
  stored st;
  stored_create(&st, &f, NSDS_CSC);
  static const char *const name[] = {"nsgs", "lemke"};
  for (int k = 0; k < 2; ++k) {
    nsds_context *context = nsds_context_create(NULL);
    nsds_solver *solver = make(context, name[k]);
    double z[200] = {0}, w[200];
    nsds_solver_info info;
    int calls = 0;
    nsds_solver_set_progress(solver, stop_at_third, &calls);
    assert_status(nsds_solve(solver, &st.problem, z, w, &info), NSDS_ERROR_SOLVER);
    assert_int_equal(info.outcome, NSDS_INTERRUPTED);
    assert_int_equal(calls, 3);
    nsds_solver_set_progress(solver, NULL, NULL);
    assert_status(nsds_solver_set(solver, "time_limit", 1e-9), NSDS_OK);
    assert_status(nsds_solve(solver, &st.problem, z, w, &info), NSDS_ERROR_SOLVER);
    assert_int_equal(info.outcome, NSDS_INTERRUPTED);
    assert_status(nsds_solver_set(solver, "time_limit", 0.0), NSDS_OK);
    assert_status(nsds_solver_set(solver, "max_iterations", 7.0), NSDS_OK);
    assert_status(nsds_solve(solver, &st.problem, z, w, &info), NSDS_ERROR_SOLVER);
    assert_int_equal(info.outcome, NSDS_NOT_CONVERGED);
    assert_int_equal(info.iterations, 7);
    nsds_solver_destroy(solver);
    nsds_context_destroy(context);
  }
  stored_destroy(&st);
  family_destroy(&f);
}

/* A set no method accepts is refused and never certified. */
static void test_refusal(void **unused) {
  (void)unused;
  double M[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, q[3] = {-1, -1, -1}, z[3] = {0}, w[3];
  nsds_block block = {.set = NSDS_SET_COULOMB, .size = 3, .mu = 0.5};
  nsds_problem problem = {
      .n = 3, .nblock = 1, .block = &block, .M = {.storage = NSDS_DENSE, .n = 3, .x = M}, .q = q};
  nsds_context *context = nsds_context_create(NULL);
  nsds_solver *solver = make(context, "lemke");
  nsds_solver_info info;
  assert_status(nsds_solve(solver, &problem, z, w, &info), NSDS_ERROR_SOLVER);
  assert_int_equal(info.outcome, NSDS_REFUSED);
  nsds_solver_destroy(solver);
  nsds_context_destroy(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_table),
      cmocka_unit_test(test_conformance),
      cmocka_unit_test(test_storages_agree),
      cmocka_unit_test(test_warm_start),
      cmocka_unit_test(test_instance_is_reusable),
      cmocka_unit_test(test_bad_start),
      cmocka_unit_test(test_path),
      cmocka_unit_test(test_options),
      cmocka_unit_test(test_interruption),
      cmocka_unit_test(test_refusal),
  };
  return cmocka_run_group_tests_name("numerics.solvers", tests, NULL, NULL);
}
