/*
 * The problem: its check, products, explicit forms, and the certifier.
 */
#include "cmocka_setup.h"
#include "families.h"

#include <math.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* Two bodies of 2 coordinates, three block rows of sizes 2, 1, 1; D on the first and the last. */
static const double H0[4] = {1, 0, 2, -1}, Y0[4] = {0.5, 1, 0.25, -0.5}, D0[4] = {3, 1, 0, 2};
static const double H1a[2] = {1, -1}, Y1a[2] = {0.5, -0.5}, H1b[2] = {-1, 1}, Y1b[2] = {-2, 4};
static const double H2[2] = {0.5, 2}, Y2[2] = {1, 8}, D2[1] = {0.125};
static const int row[4] = {0, 2, 3, 4}, first_edge[4] = {0, 1, 3, 4};
static const nsds_edge edge[4] = {
    {0, 2, H0, Y0}, {0, 2, H1a, Y1a}, {2, 2, H1b, Y1b}, {2, 2, H2, Y2}};
static const double *const D[3] = {D0, NULL, D2};
static const nsds_factored factored = {3, 4, row, first_edge, edge, D, NULL};
static const nsds_block block[3] = {{.set = NSDS_SET_EQUALITY, .size = 2},
                                    {.set = NSDS_SET_NONNEGATIVE, .size = 1},
                                    {.set = NSDS_SET_NONNEGATIVE, .size = 1}};
static const double q[4] = {1, -2, 3, -4};
/* By hand, column-major. */
static const double expected[16] = {5.5,  0,   -0.5, 0, -0.75, 2.5, 0.75, 0,
                                    -0.5, 0.5, 7,    7, 0,     0,   7,    16.625};

static nsds_problem graph_problem(void) {
  return (nsds_problem){.n = 4,
                        .nblock = 3,
                        .block = block,
                        .M = {.storage = NSDS_FACTORED, .n = 4, .factored = &factored},
                        .q = q};
}

static void test_forms_by_hand(void **unused) {
  (void)unused;
  nsds_problem problem = graph_problem();
  double dense[16], z[4] = {1, -1, 2, 0.5}, w[4], work[64];
  assert_status(nsds_problem_check(NULL, &problem), NSDS_OK);
  nsds_problem_to_dense(&problem, dense);
  for (int k = 0; k < 16; ++k) assert_true(dense[k] == expected[k]);
  assert_true(nsds_problem_work(&problem) <= 64);
  nsds_problem_multiply(&problem, z, w, work);
  for (int i = 0; i < 4; ++i) {
    double sum = q[i];
    for (int j = 0; j < 4; ++j) sum += expected[i + 4 * j] * z[j];
    assert_true(fabs(w[i] - sum) <= 1e-14 * fabs(sum));
  }
}

static void check_csc(const nsds_problem *problem, const double *dense) {
  int n = problem->n;
  size_t count = (size_t)(n * n) + 1;
  int *p = calloc((size_t)n + 1, sizeof *p), *i = calloc(count, sizeof *i),
      *work = calloc(nsds_problem_csc_work(problem) + 1, sizeof *work);
  double *x = calloc(count, sizeof *x);
  nsds_problem_to_csc(problem, p, NULL, NULL, work);
  int entries = p[n];
  nsds_problem_to_csc(problem, p, i, x, work);
  assert_int_equal(p[n], entries);
  double scale = 0.0;
  for (int k = 0; k < n * n; ++k) scale = fmax(scale, fabs(dense[k]));
  for (int j = 0; j < n; ++j) {
    bool diagonal = false;
    int k = p[j];
    for (int r = 0; r < n; ++r) {
      double value = 0.0;
      if (k < p[j + 1] && i[k] == r) {
        value = x[k++];
        diagonal = diagonal || r == j;
      }
      assert_true(fabs(value - dense[r + (size_t)j * (size_t)n]) <= 1e-15 * scale);
    }
    assert_int_equal(k, p[j + 1]); /* indices increase and stay in range */
    assert_true(diagonal);
  }
  free(p);
  free(i);
  free(work);
  free(x);
}

static void test_csc_forms(void **unused) {
  (void)unused;
  nsds_problem problem = graph_problem();
  check_csc(&problem, expected);
  family f;
  for (int k = 0; family_create(&f, k); ++k) {
    for (int s = 0; s < 3; ++s) {
      stored st;
      stored_create(&st, &f, storages[s]);
      check_csc(&st.problem, f.dense);
      stored_destroy(&st);
    }
    family_destroy(&f);
  }
}

static void test_products_agree(void **unused) {
  (void)unused;
  family f;
  for (int k = 0; family_create(&f, k); ++k) {
    size_t n = (size_t)f.n;
    double *z = calloc(n + 1, sizeof *z), *w = calloc(n + 1, sizeof *w);
    for (size_t i = 0; i < n; ++i) z[i] = random_number();
    for (int s = 0; s < 3; ++s) {
      stored st;
      stored_create(&st, &f, storages[s]);
      double *work = calloc(nsds_problem_work(&st.problem) + 1, sizeof *work);
      nsds_problem_multiply(&st.problem, z, w, work);
      for (size_t i = 0; i < n; ++i) {
        double sum = f.q[i], size = fabs(sum);
        for (size_t j = 0; j < n; ++j) {
          sum += f.dense[i + j * n] * z[j];
          size += fabs(f.dense[i + j * n] * z[j]);
        }
        assert_true(fabs(w[i] - sum) <= 1e-14 * size);
      }
      free(work);
      stored_destroy(&st);
    }
    free(z);
    free(w);
    family_destroy(&f);
  }
}

/* Right answers pass in every storage; each entry changed is caught in its own block. */
static void test_certificate_catches(void **unused) {
  (void)unused;
  family f;
  for (int k = 0; family_create(&f, k); ++k) {
    for (int s = 0; s < 3 && f.known; ++s) {
      stored st;
      stored_create(&st, &f, storages[s]);
      assert_true(certify(&st.problem, f.known).residual < 1e-13);
      assert_true(certify(&st.problem, f.known).standard < 1e-12);
      for (int i = 0; i < f.n; ++i) {
        double right = f.known[i], d = fabs(f.dense[i + (size_t)i * (size_t)f.n]);
        double unit = right != 0.0 ? fabs(right) : d > 0.0 ? 1.0 / sqrt(d) : 1.0;
        for (int sign = -1; sign <= 1; sign += 2) {
          f.known[i] = right + sign * 1e-3 * unit;
          double residual = certify(&st.problem, f.known).residual;
          if (!(residual > 1e-7))
            fail_msg("%s, storage %d, entry %d from %g to %g: residual %g", f.name,
                     (int)storages[s], i, right, f.known[i], residual);
        }
        f.known[i] = NAN;
        assert_true(isinf(certify(&st.problem, f.known).residual));
        f.known[i] = INFINITY;
        assert_true(isinf(certify(&st.problem, f.known).residual));
        f.known[i] = right;
      }
      stored_destroy(&st);
    }
    family_destroy(&f);
  }
}

static void test_certificate_names_the_block(void **unused) {
  (void)unused;
  nsds_problem problem = graph_problem();
  double z[4] = {0, 0, 0, 1};
  nsds_certificate c = certify(&problem, z);
  assert_true(c.residual > 0.1);
  double M[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, b[3] = {-1, -1, -1}, x[3] = {1, 1, 0.5};
  nsds_block two[2] = {{.set = NSDS_SET_NONNEGATIVE, .size = 2},
                       {.set = NSDS_SET_NONNEGATIVE, .size = 1}};
  problem = (nsds_problem){
      .n = 3, .nblock = 2, .block = two, .M = {.storage = NSDS_DENSE, .n = 3, .x = M}, .q = b};
  c = certify(&problem, x);
  assert_int_equal(c.worst_block, 1);
  assert_true(fabs(c.residual - 0.5 / 1.5) < 1e-15);
  two[0].set = (nsds_set_kind)3000; /* a set without a rule is never certified */
  x[2] = 1.0;
  assert_true(isinf(certify(&problem, x).residual));
}

/* w' = S w, z' = S^-1 z leaves the residual as it is, to the bit for powers of two. */
static void test_certificate_is_free_of_units(void **unused) {
  (void)unused;
  family f;
  for (int k = 0; family_create(&f, k); ++k) {
    size_t n = (size_t)f.n;
    double *z = calloc(n + 1, sizeof *z);
    for (size_t i = 0; i < n; ++i) z[i] = fabs(random_number()) * (double)(i % 3);
    for (int s = 0; s < 3; ++s) {
      stored st;
      stored_create(&st, &f, storages[s]);
      nsds_certificate before = certify(&st.problem, z);
      stored_destroy(&st);
      bool diagonal = true; /* where it vanishes the rule looks along the row, see problem.h */
      for (size_t i = 0; i < n; ++i) diagonal = diagonal && f.dense[i + i * n] != 0.0;
      for (int back = 0; back < 2; ++back) {
        for (size_t i = 0; i < n; ++i) {
          double scale = ldexp(1.0, (back ? -1 : 1) * ((int)(i * 7 % 40) - 20));
          for (size_t j = 0; j < n; ++j) {
            f.dense[i + j * n] *= scale;
            f.dense[j + i * n] *= scale;
          }
          f.q[i] *= scale;
          z[i] /= scale;
        }
        stored_create(&st, &f, storages[s]);
        if (diagonal) assert_true(certify(&st.problem, z).residual == before.residual);
        stored_destroy(&st);
      }
    }
    free(z);
    family_destroy(&f);
  }
}

static void expect_refusal(nsds_problem *problem, nsds_status status, const char *word) {
  nsds_context *context = nsds_context_create(NULL);
  assert_status(nsds_problem_check(context, problem), status);
  if (!strstr(nsds_error_message(context), word))
    fail_msg("\"%s\" not in \"%s\"", word, nsds_error_message(context));
  nsds_context_destroy(context);
}

static void test_check(void **unused) {
  (void)unused;
  double M[4] = {1, 0, 0, 1}, b[2] = {1, 1};
  int p[3] = {0, 1, 2}, i[2] = {0, 1};
  nsds_block two[2] = {{.set = NSDS_SET_NONNEGATIVE, .size = 1},
                       {.set = NSDS_SET_EQUALITY, .size = 1}};
  const nsds_problem dense = {
      .n = 2, .nblock = 2, .block = two, .M = {.storage = NSDS_DENSE, .n = 2, .x = M}, .q = b};
  nsds_problem t = dense;
  assert_status(nsds_problem_check(NULL, &t), NSDS_OK);
  expect_refusal(NULL, NSDS_ERROR_ARGUMENT, "problem");
  t.n = -1;
  expect_refusal(&t, NSDS_ERROR_SIZE, "n is -1");
  t = dense;
  t.block = NULL;
  expect_refusal(&t, NSDS_ERROR_ARGUMENT, "block is NULL");
  t = dense;
  t.q = NULL;
  expect_refusal(&t, NSDS_ERROR_ARGUMENT, "q is NULL");
  t = dense;
  t.nblock = 1;
  expect_refusal(&t, NSDS_ERROR_SIZE, "sum to 1");
  t = dense;
  two[1].size = -1;
  expect_refusal(&t, NSDS_ERROR_SIZE, "block[1].size is -1");
  two[1].size = 1;
  two[1].set = (nsds_set_kind)3000;
  expect_refusal(&t, NSDS_ERROR_UNSUPPORTED, "block[1].set is 3000");
  two[1].set = NSDS_SET_EQUALITY;
  t.M.n = 3;
  expect_refusal(&t, NSDS_ERROR_SIZE, "M.n is 3");
  t = dense;
  t.M.x = NULL;
  expect_refusal(&t, NSDS_ERROR_ARGUMENT, "M.x is NULL");
  t = dense;
  t.M.storage = (nsds_storage)9;
  expect_refusal(&t, NSDS_ERROR_VALUE, "M.storage is 9");
  t = dense;
  M[2] = NAN;
  expect_refusal(&t, NSDS_ERROR_VALUE, "M(0,1)");
  M[2] = 0.0;
  b[1] = INFINITY;
  expect_refusal(&t, NSDS_ERROR_VALUE, "q[1] is inf");
  b[1] = 1.0;
  t.M = (nsds_matrix){.storage = NSDS_CSC, .n = 2, .x = M, .p = p, .i = i};
  assert_status(nsds_problem_check(NULL, &t), NSDS_OK);
  i[1] = 2;
  expect_refusal(&t, NSDS_ERROR_VALUE, "M.i[1] is 2");
  i[1] = 1;
  p[1] = 2;
  p[2] = 1;
  expect_refusal(&t, NSDS_ERROR_VALUE, "M.p[2] is 1");
  p[1] = 1;
  p[2] = 2;
  t.M.p = NULL;
  expect_refusal(&t, NSDS_ERROR_ARGUMENT, "M.p is NULL");
}

static void test_sizes_that_overflow(void **unused) {
  (void)unused;
  double one[4] = {1, 0, 0, 1};
  nsds_block many = {.set = NSDS_SET_POLYHEDRON, .size = 2, .nfacet = INT_MAX, .H = one, .K = one};
  nsds_problem t = {.n = 2,
                    .nblock = 1,
                    .block = &many,
                    .M = {.storage = NSDS_DENSE, .n = 2, .x = one},
                    .q = one};
  expect_refusal(&t, NSDS_ERROR_SIZE, "block[0].nfacet is 2147483647; valid is 0 to 1073741823");
  t = graph_problem();
  nsds_factored f = factored;
  nsds_edge edges[4];
  memcpy(edges, edge, sizeof edges);
  edges[2].column = 0;
  edges[2].size = f.ncolumn = INT_MAX;
  f.edge = edges;
  t.M.factored = &f;
  expect_refusal(&t, NSDS_ERROR_SIZE, "edge[2].size is 2147483647");
}

static void test_check_factored(void **unused) {
  (void)unused;
  nsds_problem t = graph_problem();
  nsds_factored f = factored;
  nsds_edge edges[4];
  t.M.factored = &f;
  memcpy(edges, edge, sizeof edges);
  f.edge = edges;
  assert_status(nsds_problem_check(NULL, &t), NSDS_OK);
  edges[2].column = 3;
  expect_refusal(&t, NSDS_ERROR_SIZE, "edge[2] spans columns 3..4");
  edges[2].column = 2;
  edges[3].Y = NULL;
  expect_refusal(&t, NSDS_ERROR_ARGUMENT, "edge[3].Y is NULL, and so is M.factored.gain");
  double gain[4] = {1, 1, 1, 1};
  f.gain = gain;
  assert_status(nsds_problem_check(NULL, &t), NSDS_OK);
  gain[edges[3].column] = INFINITY;
  expect_refusal(&t, NSDS_ERROR_VALUE, "M.factored.gain[");
  gain[edges[3].column] = 1;
  double bad[2] = {1, NAN};
  edges[3].Y = bad;
  expect_refusal(&t, NSDS_ERROR_VALUE, "edge[3].Y[1]");
  f = factored;
  const double *const bad_D[3] = {NULL, bad + 1, NULL};
  f.D = bad_D;
  expect_refusal(&t, NSDS_ERROR_VALUE, "D[1](0,0) is nan");
  f = factored;
  f.row = NULL;
  expect_refusal(&t, NSDS_ERROR_ARGUMENT, "row is NULL");
  f = factored;
  f.nrow_block = 2;
  expect_refusal(&t, NSDS_ERROR_SIZE, "spans 3 rows");
  t.M.factored = NULL;
  expect_refusal(&t, NSDS_ERROR_ARGUMENT, "factored is NULL");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_forms_by_hand),
      cmocka_unit_test(test_csc_forms),
      cmocka_unit_test(test_products_agree),
      cmocka_unit_test(test_certificate_catches),
      cmocka_unit_test(test_certificate_names_the_block),
      cmocka_unit_test(test_certificate_is_free_of_units),
      cmocka_unit_test(test_check),
      cmocka_unit_test(test_sizes_that_overflow),
      cmocka_unit_test(test_check_factored),
  };
  return cmocka_run_group_tests_name("numerics.problem", tests, NULL, NULL);
}
