/*
 * Formats beside LCP, MLCP and friction, from small texts written out here, each read, written and
 * read again: relays, rolling friction, global problems in both orders of their matrices,
 * rectangular MLCPs. What is left over and hexadecimal numbers, which once passed for an LCP.
 */
#include "support.h"

#include <math.h>
#include <nsds/solver.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char path[] = "examples.dat";

#define ROWS3 " 0 3 3 3 3  4 2 0  1 5 -3  0 0 6  -1 2 -3 "

/* ---- local problems ---- */

static nsds_problem_file *again(nsds_context *context, const nsds_problem_file *file) {
  const nsds_global_problem *global = nsds_problem_file_global(file);
  nsds_status status = global ? nsds_global_write(context, global, NULL, path, NSDS_FORMAT_AUTO)
                              : nsds_problem_write(context, nsds_problem_file_problem(file), NULL,
                                                   path, NSDS_FORMAT_AUTO);
  if (status) fail_msg("%s", nsds_error_message(context));
  nsds_problem_file *found = nsds_problem_read(context, path, NSDS_FORMAT_AUTO);
  if (!found) fail_msg("%s", nsds_error_message(context));
  assert_string_equal(nsds_problem_file_kind(found), nsds_problem_file_kind(file));
  remove(path);
  return found;
}

static void check_bounds(const nsds_problem_file *file) {
  const nsds_problem *problem = nsds_problem_file_problem(file);
  assert_string_equal(nsds_problem_file_kind(file), "relay");
  assert_int_equal(problem->nblock, 1);
  assert_int_equal(problem->block[0].set, NSDS_SET_BOX);
  assert_int_equal(problem->block[0].size, 3);
  assert_same_reals(problem->block[0].lower, (double[]){-1, -INFINITY, 0.5}, 3);
  assert_same_reals(problem->block[0].upper, (double[]){1, 2, INFINITY}, 3);
}

/* n M q l u was read as an LCP, with l and u left over. */
static void test_relay_read_as_lcp(void **unused) {
  (void)unused;
  nsds_context *context = nsds_context_create(NULL);
  nsds_problem_file *file = must_read(context, "3" ROWS3 "-1 -inf 0.5  1 2 inf", NSDS_FORMAT_AUTO);
  assert_int_equal(nsds_problem_check(context, nsds_problem_file_problem(file)), NSDS_OK);
  check_bounds(file);
  nsds_problem_file *found = again(context, file);
  check_bounds(found);
  assert_same_problem(nsds_problem_file_problem(file), nsds_problem_file_problem(found));
  nsds_problem_file_destroy(found);
  nsds_problem_file_destroy(file);
  nsds_context_destroy(context);
}

/* z = proj(z - (M z + q)): with M = 1 and q = -5, z stays at the upper bound, with q = 5 at the
 * lower one, with q = 0.25 between. */
static void test_sign_of_a_relay(void **unused) {
  (void)unused;
  static const struct {
    const char *text;
    double z;
  } cases[] = {{"1 0 1 1 1 1  1  -5  -2  3", 3},
               {"1 0 1 1 1 1  1  5  -2  3", -2},
               {"1 0 1 1 1 1  1  0.25  -2  3", -0.25}};
  nsds_context *context = nsds_context_create(NULL);
  for (size_t k = 0; k < COUNT(cases); ++k) {
    double z = 0.0, w;
    nsds_problem_file *file = must_read(context, cases[k].text, NSDS_FORMAT_AUTO);
    nsds_solver *solver = nsds_solver_create(context, NULL);
    assert_int_equal(nsds_solve(solver, nsds_problem_file_problem(file), &z, &w, NULL), NSDS_OK);
    assert_true(fabs(z - cases[k].z) < 1e-12);
    nsds_solver_destroy(solver);
    nsds_problem_file_destroy(file);
  }
  nsds_context_destroy(context);
}

/* Half-lines and equalities are boxes without bounds. */
static void test_boxes_without_bounds(void **unused) {
  (void)unused;
  static const double M[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, q[3] = {0}, lower = -1, upper = 2;
  const nsds_block block[] = {{.set = NSDS_SET_NONNEGATIVE, .size = 1},
                              {.set = NSDS_SET_BOX, .size = 1, .lower = &lower, .upper = &upper},
                              {.set = NSDS_SET_EQUALITY, .size = 1}};
  nsds_problem problem = {
      .n = 3, .nblock = 3, .block = block, .M = {.storage = NSDS_DENSE, .n = 3, .x = M}, .q = q};
  nsds_context *context = nsds_context_create(NULL);
  assert_int_equal(nsds_problem_write(context, &problem, NULL, path, NSDS_FORMAT_AUTO), NSDS_OK);
  nsds_problem_file *file = nsds_problem_read(context, path, NSDS_FORMAT_AUTO);
  assert_non_null(file);
  const nsds_block *found = nsds_problem_file_problem(file)->block;
  assert_same_reals(found->lower, (double[]){0, -1, -INFINITY}, 3);
  assert_same_reals(found->upper, (double[]){INFINITY, 2, INFINITY}, 3);
  nsds_problem_file_destroy(file);
  remove(path);
  nsds_context_destroy(context);
}

static void test_hexadecimal_read_as_16(void **unused) {
  (void)unused;
  nsds_context *context = nsds_context_create(NULL);
  assert_null(read_string(context, "1 0 1 1 1 1 0x10 -1", NSDS_FORMAT_AUTO));
  assert_int_equal(nsds_error(context), NSDS_ERROR_FORMAT);
  assert_says(nsds_error_message(context), "found \"0x10\"", NULL);
  nsds_context_destroy(context);
}

static void check_rolling(nsds_context *context, const char *text, const char *kind, int d) {
  nsds_problem_file *file = must_read(context, text, NSDS_FORMAT_ROLLING);
  nsds_problem_file *found = again(context, file);
  const nsds_problem *one = nsds_problem_file_problem(file);
  assert_string_equal(nsds_problem_file_kind(file), kind);
  assert_int_equal(nsds_problem_check(context, one), NSDS_OK);
  assert_same_problem(one, nsds_problem_file_problem(found));
  for (int k = 0; k < 2; ++k) {
    const nsds_block *block = nsds_problem_file_problem(k ? found : file)->block;
    assert_int_equal(block->set, NSDS_SET_ROLLING);
    assert_int_equal(block->size, d);
    assert_true(block->mu == 0.5 && block->mu_rolling == 0.125);
  }
  nsds_problem_file_destroy(found);
  nsds_problem_file_destroy(file);
}

/* In 2D a rolling file begins like one of friction in 3D. */
static void test_rolling(void **unused) {
  (void)unused;
  nsds_context *context = nsds_context_create(NULL);
  check_rolling(context, "3 1" ROWS3 "0.5 0.125", "rolling 2d", 3);
  check_rolling(context,
                "5 1 2 5 5 1\nbanner\ntriplet: 5-by-5, nzmax: 5 nnz: 5\n0 0 : 1\n1 1 : 2\n2 2 : 3\n"
                "3 3 : 4\n4 4 : 5\n 1 2 3 4 5 0.5 0.125",
                "rolling 3d", 5);
  nsds_context_destroy(context);
}

/* ---- global problems ---- */

/* M = diag(2, 2, 1), H = [1 0; 0 1; 0.5 -1], f = (-1, 0, 2), w = (0.5, 1). */
#define MASS " 0 3 3 3 3  2 0 0  0 2 0  0 0 1 "
#define MASS_BLOCKS " 1 3 3  2 2 2  1 3  1 3  3 2  0 1 2  0 1  0 2  1 2 0 0 1 "
#define H_DENSE " 0 3 2 3 2  1 0 0.5  0 1 -1 "
#define H_BLOCKS " 1 3 2  1 1 1  3  2  2 1  0 1  0  0 1 0 0.5 0 1 -1 "
#define H_SPARSE                                                                                   \
  " 2 3 2 2\nbanner\n3-by-2, nzmax: 4 nnz: 4, 1-norm: 2\ncol 0 : locations 0 to 1\n0 : 1\n"        \
  "2 : 0.5\ncol 1 : locations 2 to 3\n1 : 1\n2 : -1\n"

static void check_global(const nsds_problem_file *file) {
  const nsds_global_problem *problem = nsds_problem_file_global(file);
  static const double H[] = {1, 0, 0.5, 0, 1, -1};
  double dense[6] = {0};
  assert_int_equal(problem->nv, 3);
  assert_int_equal(problem->n, 2);
  assert_int_equal(problem->p, 0);
  for (int j = 0; j < 2; ++j)
    for (int k = problem->H.p[j]; k < problem->H.p[j + 1]; ++k)
      dense[problem->H.i[k] + 3 * j] += problem->H.x[k];
  assert_same_reals(dense, H, 6);
  assert_same_reals(problem->f, (double[]){-1, 0, 2}, 3);
  assert_same_reals(problem->w, (double[]){0.5, 1}, 2);
  nsds_problem mass = {.n = 3, .M = problem->M};
  double *M = dense_of(&mass);
  assert_same_reals(M, (double[]){2, 0, 0, 0, 2, 0, 0, 0, 1}, 9);
  free(M);
}

/* With and without a flag at the end, M first and H first, every storage. */
static void test_global(void **unused) {
  (void)unused;
  static const char *const texts[] = {
      "2 1" MASS H_DENSE "-1 0 2  0.5 1  0.25",       "2 1" MASS H_SPARSE "-1 0 2  0.5 1  0.25 0",
      "2 1" H_DENSE MASS "-1 0 2  0.5 1  0.25 1",     "2 1" H_SPARSE MASS "-1 0 2  0.5 1  0.25",
      "2 1" MASS_BLOCKS H_DENSE "-1 0 2 0.5 1 0.25",  "2 1" H_BLOCKS MASS "-1 0 2  0.5 1  0.25",
      "2 1" H_BLOCKS MASS_BLOCKS "-1 0 2 0.5 1 0.25",
  };
  nsds_context *context = nsds_context_create(NULL);
  for (size_t k = 0; k < COUNT(texts); ++k) {
    nsds_problem_file *file = must_read(context, texts[k], NSDS_FORMAT_AUTO);
    if (nsds_global_check(context, nsds_problem_file_global(file)))
      fail_msg("%s", nsds_error_message(context));
    nsds_problem_file *found = again(context, file);
    for (int j = 0; j < 2; ++j) {
      const nsds_problem_file *one = j ? found : file;
      assert_string_equal(nsds_problem_file_kind(one), "global friction");
      assert_null(nsds_problem_file_problem(one));
      check_global(one);
      const nsds_block *block = nsds_problem_file_global(one)->block;
      assert_int_equal(block->set, NSDS_SET_COULOMB);
      assert_true(block->mu == 0.25);
    }
    nsds_problem_file_destroy(found);
    nsds_problem_file_destroy(file);
  }
  nsds_context_destroy(context);
}

#define IDENTITY(n) " 2 " #n " " #n " 1\nbanner\ntriplet: " #n "-by-" #n ", nzmax: 5 nnz: "

static void test_global_rolling(void **unused) {
  (void)unused;
  static const struct {
    const char *text;
    int d;
  } cases[] = {
      {"5 1" IDENTITY(5) "5\n0 0 : 1\n1 1 : 1\n2 2 : 1\n3 3 : 1\n4 4 : 1\n" IDENTITY(
           5) "1\n0 0 : 2\n 1 2 3 4 5  6 7 8 9 10  0.5 0.125",
       5},
      {"3 1" IDENTITY(3) "3\n0 0 : 1\n1 1 : 1\n2 2 : 1\n" IDENTITY(
           3) "1\n0 0 : 2\n 1 2 3  6 7 8  0.5 0.125",
       3},
  };
  nsds_context *context = nsds_context_create(NULL);
  for (size_t k = 0; k < COUNT(cases); ++k) {
    nsds_problem_file *file = must_read(context, cases[k].text, NSDS_FORMAT_AUTO);
    nsds_problem_file *found = again(context, file);
    for (int j = 0; j < 2; ++j) {
      const nsds_global_problem *problem = nsds_problem_file_global(j ? found : file);
      assert_string_equal(nsds_problem_file_kind(file), "global rolling friction");
      assert_int_equal(nsds_global_check(context, problem), NSDS_OK);
      assert_int_equal(problem->block[0].set, NSDS_SET_ROLLING);
      assert_int_equal(problem->block[0].size, cases[k].d);
      assert_true(problem->block[0].mu == 0.5 && problem->block[0].mu_rolling == 0.125);
      assert_true(problem->H.x[0] == 2.0 && problem->w[cases[k].d - 1] == 5.0 + cases[k].d);
    }
    nsds_problem_file_destroy(found);
    nsds_problem_file_destroy(file);
  }
  nsds_context_destroy(context);
}

/* ---- rectangular MLCPs ---- */

/* Two equalities u - v + 0 = 0, 1 - u + ... with one unknown u: an unknown is added. And one
 * equality with two unknowns: a row is added. */
static void check_rectangular(const char *text, nsds_format format, int equalities,
                              const double *wanted, const double *q) {
  nsds_context *context = nsds_context_create(NULL);
  nsds_problem_file *file = must_read(context, text, format), *found = again(context, file);
  for (int k = 0; k < 2; ++k) {
    const nsds_problem *problem = nsds_problem_file_problem(k ? found : file);
    assert_string_equal(nsds_problem_file_kind(file), "mlcp");
    assert_int_equal(nsds_problem_check(context, problem), NSDS_OK);
    assert_int_equal(problem->n, 3);
    assert_int_equal(problem->nblock, 2);
    assert_int_equal(problem->block[0].set, NSDS_SET_EQUALITY);
    assert_int_equal(problem->block[0].size, equalities);
    assert_int_equal(problem->block[1].set, NSDS_SET_NONNEGATIVE);
    double *M = dense_of(problem);
    for (int j = 0; j < 9; ++j) assert_true(M[j] == wanted[j]);
    free(M);
    for (int j = 0; j < 3; ++j) assert_true(problem->q[j] == q[j]);
  }
  nsds_problem_file_destroy(found);
  nsds_problem_file_destroy(file);
  nsds_context_destroy(context);
}

static void test_rectangular(void **unused) {
  (void)unused;
  static const double tall[] = {1, -1, 1, 0, 0, 0, -1, -2, 3}, tall_q[] = {0, 1, -1};
  static const double wide[] = {1, 0, 4, 2, 0, 5, 3, 0, 6}, wide_q[] = {7, 0, 8};
  check_rectangular("1 0  1 1  0 1 2  0 1  0 3 2 3 2  1 -1 1  -1 -2 3  0 1 -1", NSDS_FORMAT_AUTO, 2,
                    tall, tall_q);
  check_rectangular("1 1 3   1 -1   3   -1 -2   1   0 1   -1", NSDS_FORMAT_MLCP_LINES, 2, tall,
                    tall_q);
  check_rectangular("1 0  2 1  0 2 3  0 1  0 2 3 2 3  1 4  2 5  3 6  7 8", NSDS_FORMAT_AUTO, 2,
                    wide, wide_q);
  check_rectangular("2 1 2   1 2   6   3   4 5   7   8", NSDS_FORMAT_MLCP_LINES, 2, wide, wide_q);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_relay_read_as_lcp),
      cmocka_unit_test(test_sign_of_a_relay),
      cmocka_unit_test(test_boxes_without_bounds),
      cmocka_unit_test(test_hexadecimal_read_as_16),
      cmocka_unit_test(test_rolling),
      cmocka_unit_test(test_global),
      cmocka_unit_test(test_global_rolling),
      cmocka_unit_test(test_rectangular),
  };
  return cmocka_run_group_tests_name("io.examples", tests, NULL, NULL);
}
