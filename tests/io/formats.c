/*
 * Every format and storage, from small texts written out here: the same problem in each of them.
 */
#include "support.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* M = [4 1 0; 2 5 0; 0 -3 6], q = (-1, 2, -3); where a case needs a symmetric one,
 * S = [4 2 0; 2 5 -3; 0 -3 6], or one that is not in its first row alone, A = [4 1 0; 2 5 -3; 0 -3 6]. */
static const double M[] = {4, 2, 0, 1, 5, -3, 0, 0, 6};
static const double S[] = {4, 2, 0, 2, 5, -3, 0, -3, 6};
static const double A[] = {4, 2, 0, 1, 5, -3, 0, -3, 6};
static const double q[] = {-1, 2, -3};

#define Q " -1 2 -3 "
#define DENSE " 0 3 3  3 3  4 2 0  1 5 -3  0 0 6 "
#define HEAD "\nbanner of 7 words: 1 2 3 4\n3-by-3, nzmax: 6 nnz: 6, 1-norm: 9\n"

typedef struct text_case {
  const char *name, *text, *storage;
  nsds_storage kept;
  const double *M;
} text_case;

static const text_case lcp_cases[] = {
    {"dense", "3" DENSE Q, "dense", NSDS_DENSE, M},
    {"line breaks without meaning", "3\r\n\r\n 0\t3\n3 3 3 4 2\n\n0 1 5 -3 0 0 6 -1 2 -3", "dense",
     NSDS_DENSE, M},
    {"all ways to write a number",
     "+3 0 3 3 3 3 4.000 2e0 -0 1e-0 .5e1 -3. 0e9 0 +60.0E-1 -1e+0 2 -3.0000000000000000000000000",
     "dense", NSDS_DENSE, M},
    {"blocks", "3 1 3 3  4 2 2  1 3  1 3  3 4  0 2 4  0 1 0 1  0 4  1 1 0  2 2 0  3 5 -3 0 6" Q,
     "blocks", NSDS_BLOCK_ROWS, M},
    {"blocks out of order",
     "3 1 3 3  4 2 2  1 3  1 3  3 4  0 2 4  1 0 1 0  0 1 0  1 4  2 5 -3 0 6  3 2 0" Q, "blocks",
     NSDS_BLOCK_ROWS, M},
    {"two blocks at one place",
     "3 1 3 3  3 1 1  3  3  2 3  0 3  0 0 0  0 1 0 0 0 0 0 0 0 0  1 3 1 0 1 5 -3 0 0 6"
     "  2 0 1 0 0 0 0 0 0 0" Q,
     "blocks", NSDS_CSC, M},
    {"rows and columns cut differently",
     "3 1 3 3  3 2 2  1 3  2 3  3 3  0 1 3  0 0 1  0 4 1  1 2 0 5 -3  2 0 6" Q, "blocks", NSDS_CSC,
     M},
    {"columns",
     "3 2 3 3 2" HEAD "col 0 : locations 0 to 1\n 0 : 4\n 1 : 2\ncol 1 : locations 2 to 4\n 0 : 1\n"
     " 1 : 5\n 2 : -3\ncol 2 : locations 5 to 5\n 2 : 6\n" Q,
     "columns", NSDS_CSC, M},
    {"columns with rows out of order",
     "3 2 3 3 2" HEAD
     "col 0 : locations 0 to 1\n 1 : 2\n 0 : 4\ncol 1 : locations 2 to 4\n 2 : -3\n"
     " 1 : 5\n 0 : 1\ncol 2 : locations 5 to 5\n 2 : 6\n" Q,
     "columns", NSDS_CSC, M},
    {"rows",
     "3 2 3 3 3\nbanner\ncsr: 3-by-3, nzmax: 9 nnz: 6, 1-norm: 9\nrow 0 : locations 0 to 1\n 0 : "
     "4\n"
     " 1 : 1\nrow 1 : locations 2 to 3\n 0 : 2\n 1 : 5\nrow 2 : locations 4 to 5\n 1 : -3\n 2 : "
     "6\n" Q,
     "rows", NSDS_CSC, M},
    {"triplets, one place twice",
     "3 2 3 3 1\nbanner\ntriplet: 3-by-3, nzmax: 7 nnz: 7\n 2 2 : 6\n 0 0 : 4\n 1 0 : 2\n 0 1 : 1\n"
     " 1 1 : 3\n 2 1 : -3\n 1 1 : 2\n" Q,
     "triplet", NSDS_CSC, M},
    {"half triplets below",
     "3 2 3 3 4\nbanner\ntriplet: 3-by-3, nzmax: 5 nnz: 5\n 0 0 : 4\n 1 0 : 2\n 1 1 : 5\n 2 1 : "
     "-3\n"
     " 2 2 : 6\n" Q,
     "half triplet", NSDS_CSC, S},
    {"half triplets above",
     "3 2 3 3 4\nbanner\ntriplet: 3-by-3, nzmax: 5 nnz: 5\n 0 0 : 4\n 0 1 : 2\n 1 1 : 5\n 1 2 : "
     "-3\n"
     " 2 2 : 6\n" Q,
     "half triplet", NSDS_CSC, S},
    {"comments",
     "\xef\xbb\xbf# a comment\n  % another\n3 0 3 3 ! and\n 3 3 // more\n4 2 0 1 5 -3 #\n0 0 6" Q
     "# behind q",
     "dense", NSDS_DENSE, M},
    {"comments in the lines of a sparse matrix",
     "3 2 3 3 # triplets\n1 # kind\n# before the banner\nbanner\n  % before the sizes\n"
     "triplet: 3-by-3, nzmax: 7 nnz: 6\n 2 2 : 6\n# between\n 0 0 : 4 ! behind\n 1 0 : 2\n"
     " 0 1 : 1\n 2 1 : -3\n 1 1 : 5\n" Q,
     "triplet", NSDS_CSC, M},
    {"exponents of Fortran", "3 0 3 3 3 3 4D0 2.d+0 0D-07 .1D1 50d-1 -3.0D+00 0d0 0 0.6D1" Q,
     "dense", NSDS_DENSE, M},
    {"dense and symmetric", "3 0 3 3 3 3 4 2 0 2 5 -3 0 -3 6" Q, "dense", NSDS_DENSE, S},
    {"blocks and symmetric",
     "3 1 3 3  4 2 2  1 3  1 3  3 4  0 2 4  0 1 0 1  0 4  1 2 0  2 2 0  3 5 -3 -3 6" Q, "blocks",
     NSDS_BLOCK_ROWS, S},
    {"blocks, not symmetric in the first row alone",
     "3 1 3 3  4 2 2  1 3  1 3  3 4  0 2 4  0 1 0 1  0 4  1 1 0  2 2 0  3 5 -3 -3 6" Q, "blocks",
     NSDS_BLOCK_ROWS, A},
};

static void check_matrix(const nsds_problem_file *file, const text_case *c) {
  const nsds_problem *problem = nsds_problem_file_problem(file);
  assert_string_equal(nsds_problem_file_storage(file), c->storage);
  assert_ptr_equal(nsds_problem_file_matrix(file), &problem->M);
  assert_int_equal(problem->M.storage, c->kept);
  assert_int_equal(problem->M.symmetric, c->M == S);
  double *dense = dense_of(problem);
  for (int k = 0; k < 9; ++k)
    if (dense[k] != c->M[k]) fail_msg("%s: M[%d] is %g, not %g", c->name, k, dense[k], c->M[k]);
  free(dense);
  assert_same_reals(problem->q, q, 3);
}

static void test_lcp(void **unused) {
  (void)unused;
  nsds_context *context = nsds_context_create(NULL);
  for (size_t k = 0; k < COUNT(lcp_cases); ++k)
    for (int given = 0; given < 2; ++given) {
      nsds_problem_file *file =
          must_read(context, lcp_cases[k].text, given ? NSDS_FORMAT_LCP : NSDS_FORMAT_AUTO);
      const nsds_problem *problem = nsds_problem_file_problem(file);
      assert_string_equal(nsds_problem_file_kind(file), "lcp");
      assert_int_equal(nsds_problem_check(context, problem), NSDS_OK);
      assert_int_equal(problem->nblock, 1);
      assert_int_equal(problem->block[0].set, NSDS_SET_NONNEGATIVE);
      assert_int_equal(problem->block[0].size, 3);
      check_matrix(file, &lcp_cases[k]);
      nsds_problem_file_destroy(file);
    }
  nsds_context_destroy(context);
}

/* ---- friction ---- */

static void test_friction(void **unused) {
  (void)unused;
  nsds_context *context = nsds_context_create(NULL);
  nsds_problem_file *file = must_read(context, "3 1" DENSE Q "0.25 1", NSDS_FORMAT_AUTO);
  const nsds_problem *problem = nsds_problem_file_problem(file);
  assert_string_equal(nsds_problem_file_kind(file), "fc3d");
  assert_int_equal(problem->nblock, 1);
  assert_int_equal(problem->block[0].set, NSDS_SET_COULOMB);
  assert_int_equal(problem->block[0].size, 3);
  assert_true(problem->block[0].mu == 0.25);
  check_matrix(file, &lcp_cases[0]);
  assert_null(nsds_problem_file_solution(file));
  nsds_problem_file_destroy(file);

  file = must_read(context,
                   "2 2\n1 4 4  2 2 2  2 4  2 4  3 2  0 1 2  0 1  0 1 2 3 4  1 5 6 7 8\n"
                   "-1 -2 -3 -4\n0 0.5",
                   NSDS_FORMAT_FRICTION);
  problem = nsds_problem_file_problem(file);
  assert_string_equal(nsds_problem_file_kind(file), "fc2d");
  assert_int_equal(nsds_problem_check(context, problem), NSDS_OK);
  assert_int_equal(problem->nblock, 2);
  assert_true(problem->block[0].mu == 0.0 && problem->block[1].mu == 0.5);
  double *dense = dense_of(problem);
  static const double wanted[] = {1, 2, 0, 0, 3, 4, 0, 0, 0, 0, 5, 6, 0, 0, 7, 8};
  assert_same_reals(dense, wanted, 16);
  free(dense);
  nsds_problem_file_destroy(file);
  nsds_context_destroy(context);
}

/* ---- MLCP ---- */

/* M with rows (u, v1, v2): n = 1, m = 2; row by row for the second description. */
#define PARTS " 4  5 0 -3 6  1 0  2 0  -1  2 -3 "

static void check_mlcp(nsds_context *context, const char *text, int nblock, const int *sizes,
                       const nsds_set_kind *sets) {
  nsds_problem_file *file = must_read(context, text, NSDS_FORMAT_AUTO);
  const nsds_problem *problem = nsds_problem_file_problem(file);
  assert_string_equal(nsds_problem_file_kind(file), "mlcp");
  assert_int_equal(nsds_problem_check(context, problem), NSDS_OK);
  assert_int_equal(problem->nblock, nblock);
  for (int a = 0; a < nblock; ++a) {
    assert_int_equal(problem->block[a].size, sizes[a]);
    assert_int_equal(problem->block[a].set, sets[a]);
  }
  check_matrix(file, &lcp_cases[0]);
  nsds_problem_file_destroy(file);
}

static void test_mlcp(void **unused) {
  (void)unused;
  const nsds_set_kind E = NSDS_SET_EQUALITY, N = NSDS_SET_NONNEGATIVE;
  nsds_context *context = nsds_context_create(NULL);
  check_mlcp(context, "1 1 1 2  0 1 3  0 1" DENSE Q PARTS "0 3 5 -0.25", 2, (int[]){1, 2},
             (nsds_set_kind[]){E, N});
  check_mlcp(context, "1 0 1 2  0 1 3  0 1" DENSE Q, 2, (int[]){1, 2}, (nsds_set_kind[]){E, N});
  check_mlcp(context, "0 1 1 2" PARTS, 2, (int[]){1, 2}, (nsds_set_kind[]){E, N});
  check_mlcp(context, "1 0 1 2  0 1 2 3  1 0 1" DENSE Q, 3, (int[]){1, 1, 1},
             (nsds_set_kind[]){N, E, N});
  /* the parts of the same, equality row first: A = M11, rows and columns (1; 0, 2) */
  check_mlcp(context, "1 1 1 2  0 1 2 3  1 0 1" DENSE Q "5  4 0 0 6  2 0  1 -3  2  -1 -3", 3,
             (int[]){1, 1, 1}, (nsds_set_kind[]){N, E, N});
  check_mlcp(context, "1 0 3 0  0 3  0" DENSE Q, 1, (int[]){3}, (nsds_set_kind[]){E});
  check_mlcp(context, "0 1 0 3  4 1 0 2 5 0 0 -3 6" Q, 1, (int[]){3}, (nsds_set_kind[]){N});
  nsds_context_destroy(context);
}

/* ---- numbers ---- */

/* A number of any length is the double next to it, also just above the middle between two of them, and
 * where a stored solution is skipped. */
static void long_numbers(void **unused) {
  (void)unused;
  static char text[5000];
  nsds_context *context = nsds_context_create(NULL);
  for (int zeros = 0; zeros < 900; zeros += 83) {
    /* 1 + 2^-53, a tie that goes to 1, and a digit behind it that decides for 1 + 2^-52 */
    snprintf(text, sizeof text,
             "3 0 3 3 3 3 %0*d.5 0 1 1.00000000000000011102230246251565404236316680908203125%0*d "
             "1.00000000000000011102230246251565404236316680908203125%0*d1 0 1 0 1 "
             "0.%0*d1e%d -1 %0*d",
             zeros + 1, 4, zeros + 1, 0, zeros + 1, 0, zeros + 1, 0, zeros + 2, zeros + 1, 2);
    nsds_problem_file *file = must_read(context, text, NSDS_FORMAT_LCP);
    const nsds_problem *problem = nsds_problem_file_problem(file);
    assert_same_reals(problem->M.x, (double[]){4.5, 0, 1, 1.0, 1.0 + DBL_EPSILON, 0, 1, 0, 1}, 9);
    assert_same_reals(problem->q, (double[]){1, -1, 2}, 3);
    nsds_problem_file_destroy(file);
  }
  nsds_context_destroy(context);
}

static void ends_of_the_range(void **unused) {
  (void)unused;
  static const struct {
    const char *text;
    double value;
  } cases[] = {{"1e-400", 0.0},
               {"-1e-99999999999999999999", -0.0},
               {"0e99999999999999999999", 0.0},
               {"4.9406564584124654e-324", DBL_TRUE_MIN},
               {"1.7976931348623157D308", DBL_MAX},
               {"17976931348623157000e+289", DBL_MAX},
               {"-InFinitY", -INFINITY},
               {"1e309", INFINITY}};
  for (size_t k = 0; k < COUNT(cases); ++k) {
    double value = 7.0;
    assert_true(nsds_parse_real(cases[k].text, strlen(cases[k].text), &value));
    assert_same_reals(&value, &cases[k].value, 1);
  }
}

/* The stored solution of an MLCP is skipped, however its numbers are written. */
static void long_numbers_in_a_tail(void **unused) {
  (void)unused;
  static char text[1000];
  nsds_context *context = nsds_context_create(NULL);
  snprintf(text, sizeof text, "1 0 1 2  0 1 3  0 1" DENSE Q "%.200f %.300f 1D-07 4 # solved", 0.1,
           2.0);
  nsds_problem_file_destroy(must_read(context, text, NSDS_FORMAT_AUTO));
  nsds_context_destroy(context);
}

/* ---- which format ---- */

/* Three rows and two coefficients for each point are plasticity or rolling friction: nothing is
 * guessed, and what is meant can be said. */
static void plasticity_is_not_rolling_friction(void **unused) {
  (void)unused;
  static const char text[] = "3 1" DENSE Q "0.25 0.5";
  nsds_context *context = nsds_context_create(NULL);
  assert_null(read_string(context, text, NSDS_FORMAT_AUTO));
  assert_int_equal(nsds_error(context), NSDS_ERROR_FORMAT);
  assert_says(nsds_error_message(context), "text: ", "plasticity", "--from rolling", NULL);
  nsds_error_clear(context);
  nsds_problem_file *file = must_read(context, text, NSDS_FORMAT_ROLLING);
  assert_string_equal(nsds_problem_file_kind(file), "rolling 2d");
  nsds_problem_file_destroy(file);
  nsds_context_destroy(context);
}

/* Problems without rows are in order too. Of what fits several formats the first one is taken. */
static void test_empty(void **unused) {
  (void)unused;
  static const struct {
    const char *text, *kind;
    nsds_format format;
  } cases[] = {{"0 0 0 0 0 0", "lcp", NSDS_FORMAT_AUTO},
               {"0 1 0 0 0 0 0 1 0 0", "lcp", NSDS_FORMAT_AUTO},
               {"0 1 0 0", "mlcp", NSDS_FORMAT_MLCP},
               {"0 0 0 0 0 0", "relay", NSDS_FORMAT_RELAY},
               {"3 0 0 0 0 0 0", "rolling 2d", NSDS_FORMAT_ROLLING},
               {"5 0 0 0 0 0 0", "rolling 3d", NSDS_FORMAT_AUTO},
               {"0 0 0", "mlcp", NSDS_FORMAT_MLCP_LINES},
               {"0 2 0 0 2\nbanner\n0-by-0, nzmax: 0 nnz: 0\n", "lcp", NSDS_FORMAT_AUTO},
               {"1 1 0 0 0 0 0 0 0 0", "mlcp", NSDS_FORMAT_AUTO},
               {"2 0 0 0 0 0 0", "fc2d", NSDS_FORMAT_AUTO},
               {"3 0 1 0 0 0 0 0 1 0 0", "fc3d", NSDS_FORMAT_AUTO}};
  nsds_context *context = nsds_context_create(NULL);
  for (size_t k = 0; k < COUNT(cases); ++k) {
    nsds_problem_file *file = must_read(context, cases[k].text, cases[k].format);
    assert_string_equal(nsds_problem_file_kind(file), cases[k].kind);
    assert_int_equal(nsds_problem_file_problem(file)->n, 0);
    assert_int_equal(nsds_problem_check(context, nsds_problem_file_problem(file)), NSDS_OK);
    nsds_problem_file_destroy(file);
  }
  nsds_context_destroy(context);
}

/* A file that is another kind is refused when the format is given. */
static void test_given_format(void **unused) {
  (void)unused;
  nsds_context *context = nsds_context_create(NULL);
  assert_null(read_string(context, "3" DENSE Q, NSDS_FORMAT_FRICTION));
  assert_int_equal(nsds_error(context), NSDS_ERROR_FORMAT);
  assert_says(nsds_error_message(context), "text: line 1", "(read as friction)", NULL);
  nsds_error_clear(context);
  assert_null(read_string(context, "3 1" DENSE Q "0.25", NSDS_FORMAT_MLCP));
  assert_says(nsds_error_message(context), "text: line 1", "s1", "(read as mlcp)", NULL);
  nsds_error_clear(context);
  assert_null(read_string(context, "3 1", NSDS_FORMAT_FCLIB));
  assert_int_equal(nsds_error(context), NSDS_ERROR_FORMAT);
  nsds_context_destroy(context);
}

static void test_null(void **unused) {
  (void)unused;
  nsds_context *context = nsds_context_create(NULL);
  assert_null(nsds_problem_read(NULL, "x", NSDS_FORMAT_AUTO));
  assert_null(nsds_problem_read(context, NULL, NSDS_FORMAT_AUTO));
  assert_int_equal(nsds_error(context), NSDS_ERROR_ARGUMENT);
  nsds_error_clear(context);
  assert_null(nsds_problem_read(context, "x", (nsds_format)11));
  assert_says(nsds_error_message(context), "format is 11", NULL);
  assert_string_equal(nsds_problem_file_kind(NULL), "");
  assert_string_equal(nsds_problem_file_storage(NULL), "");
  assert_null(nsds_problem_file_problem(NULL));
  assert_null(nsds_problem_file_matrix(NULL));
  assert_null(nsds_problem_file_solution(NULL));
  assert_int_equal(nsds_problem_file_nguess(NULL), 0);
  assert_null(nsds_problem_file_guess(NULL, 0));
  nsds_problem_file_destroy(NULL);
  nsds_context_destroy(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_lcp),
      cmocka_unit_test(test_friction),
      cmocka_unit_test(test_mlcp),
      cmocka_unit_test(test_empty),
      cmocka_unit_test(test_given_format),
      cmocka_unit_test(test_null),
      cmocka_unit_test(long_numbers),
      cmocka_unit_test(ends_of_the_range),
      cmocka_unit_test(long_numbers_in_a_tail),
      cmocka_unit_test(plasticity_is_not_rolling_friction),
  };
  return cmocka_run_group_tests_name("io.formats", tests, NULL, NULL);
}
