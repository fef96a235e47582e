/*
 * The factorisations: every size and kind solves, singular matrices are told, kept symbolic
 * analyses give the same numbers, units do not matter.
 */
#include "numerics/linear/definite.h"
#include "cmocka_setup.h"
#include "numerics/linear/cholesky.h"
#include "numerics/linear/factor.h"
#include "numerics/linear/factor_dense.h"
#include "numerics/linear/orthogonal.h"
#include "numerics/linear/transversal.h"
#include "numerics/linear/tridiagonal.h"
#include "families.h"

#include <float.h>
#include <stdlib.h>

typedef struct matrix {
  int n;
  int *p, *i;
  double *x;
} matrix;

static nsds_context *context;
static nsds_factor *factor;

static int setup(void **unused) {
  (void)unused;
  context = nsds_context_create(NULL);
  factor = nsds_factor_create(context);
  return 0;
}

static int teardown(void **unused) {
  (void)unused;
  nsds_factor_destroy(factor);
  nsds_context_destroy(context);
  return 0;
}

static matrix matrix_create(int n, int entries) {
  matrix m = {n, calloc((size_t)n + 1, sizeof(int)), calloc((size_t)entries, sizeof(int)),
              calloc((size_t)entries, sizeof(double))};
  return m;
}

static void matrix_destroy(matrix *m) {
  free(m->p);
  free(m->i);
  free(m->x);
}

static void add(matrix *m, int *count, int row, double value) {
  if (row < 0 || row >= m->n) return;
  m->i[*count] = row;
  m->x[(*count)++] = value;
}

/* Entries at the given offsets from the diagonal, increasing; `value` on the diagonal. */
static matrix banded(int n, int noffset, const int *offset, double value) {
  matrix m = matrix_create(n, n * noffset);
  int count = 0;
  for (int j = 0; j < n; ++j) {
    for (int k = 0; k < noffset; ++k)
      add(&m, &count, j + offset[k], offset[k] ? random_number() : value + random_number());
    m.p[j + 1] = count;
  }
  return m;
}

/* Largest error in the solution of A x = b for a known x, over the largest x. */
static double csc_error(const matrix *m) {
  double *x = calloc((size_t)m->n, sizeof *x), *b = calloc((size_t)m->n, sizeof *b), worst = 0.0;
  for (int j = 0; j < m->n; ++j) {
    x[j] = random_number();
    for (int k = m->p[j]; k < m->p[j + 1]; ++k) b[m->i[k]] += m->x[k] * x[j];
  }
  nsds_factor_solve(factor, 1, b);
  for (int j = 0; j < m->n; ++j) worst = fmax(worst, fabs(b[j] - x[j]));
  free(x);
  free(b);
  return worst;
}

static void test_dense_sizes(void **unused) {
  (void)unused;
  random_seed(1);
  for (int n = 0; n <= 80; n += n < 20 ? 1 : 15) {
    size_t entries = (size_t)(n * n) + 1;
    double *a = calloc(entries, sizeof *a), *x = calloc(3 * entries, sizeof *x),
           *b = calloc(3 * entries, sizeof *b);
    for (int k = 0; k < n * n; ++k) a[k] = random_number() + (k % (n + 1) == n / 2);
    for (int r = 0; r < 3; ++r)
      for (int j = 0; j < n; ++j) {
        x[j + r * n] = random_number();
        for (int i = 0; i < n; ++i) b[i + r * n] += a[i + j * n] * x[j + r * n];
      }
    assert_status(nsds_factor_dense(factor, n, a), NSDS_OK);
    double rcond = nsds_factor_rcond(factor);
    assert_true(rcond > 0.0 && rcond <= 1.0);
    nsds_factor_solve(factor, 3, b);
    for (int k = 0; k < 3 * n; ++k) assert_true(fabs(b[k] - x[k]) <= 1e-10);
    free(a);
    free(x);
    free(b);
  }
}

/* ---- Cholesky ---- */

/* A = (sum of shifted unit squares) as a band: definite with weight > 0, singular with 0. */
static double band(int i, int j, int n, double weight) {
  int distance = i > j ? i - j : j - i;
  if (distance > 1) return i == j ? weight : 0.0;
  if (distance == 1) return -1.0;
  return weight + (i > 0) + (i < n - 1);
}

static void test_cholesky(void **unused) {
  (void)unused;
  for (int n = 0; n <= 120; n += n < 4 ? 1 : 14) {
    size_t count = (size_t)n * (size_t)n + 1;
    double *a = calloc(count, sizeof *a), *x = calloc(count, sizeof *x), b[120];
    int *p = calloc((size_t)n + 1, sizeof *p), *i = calloc(count, sizeof *i);
    for (int j = 0; j < n; ++j) {
      p[j + 1] = p[j];
      for (int r = 0; r < n; ++r) {
        a[r + j * n] = band(r, j, n, 0.5);
        if (a[r + j * n] == 0.0) continue;
        i[p[j + 1]] = r;
        x[p[j + 1]++] = a[r + j * n];
      }
    }
    for (int sparse = 0; sparse <= NSDS_HAVE_CHOLMOD; ++sparse)
      for (int again = 0; again < 2; ++again) {
        for (int r = 0; r < n; ++r) { /* of the solution 1, 2, ... */
          b[r] = 0.0;
          for (int j = 0; j < n; ++j) b[r] += a[r + j * n] * (j + 1);
        }
        assert_status(nsds_factor_columns(factor, !sparse, true, n, p, i, x, 7 + (uint64_t)n),
                      NSDS_OK);
        nsds_factor_solve(factor, 1, b);
        for (int r = 0; r < n; ++r) assert_true(fabs(b[r] - (r + 1)) <= 1e-10 * (r + 1));
      }
    assert_status(nsds_check_definite(context, n, NULL, NULL, a), NSDS_OK);
    assert_status(nsds_check_definite(context, n, p, i, x), NSDS_OK);
    if (n > 1) { /* weight 0: singular; below: indefinite */
      for (int k = 0; k < 2; ++k) {
        for (int j = 0; j < n; ++j)
          for (int r = p[j]; r < p[j + 1]; ++r) {
            x[r] = band(i[r], j, n, -0.5 * k);
            a[i[r] + j * n] = x[r];
          }
        for (int sparse = 0; sparse < 2; ++sparse)
          assert_status(nsds_factor_columns(factor, !sparse, true, n, p, i, x, 7 + (uint64_t)n),
                        NSDS_ERROR_SINGULAR);
        assert_status(nsds_check_definite(context, n, NULL, NULL, a), NSDS_ERROR_SINGULAR);
        assert_status(nsds_check_definite(context, n, p, i, x), NSDS_ERROR_SINGULAR);
      }
      a[0] = NAN;
      assert_status(nsds_check_definite(context, n, NULL, NULL, a), NSDS_ERROR_SINGULAR);
    }
    free(a);
    free(x);
    free(p);
    free(i);
  }
  assert_status(nsds_error(context), NSDS_OK);
}

/* ---- rank, least squares, kernel ---- */

enum { orthogonal_rows = 48 }; /* on both sides of nsds_own_rows */

static double sum_of_products(int n, const double *a, int a_stride, const double *b) {
  double sum = 0.0;
  for (int i = 0; i < n; ++i) sum += a[i * a_stride] * b[i];
  return sum;
}

/* A of this rank: a product of random n x rank and rank x n factors. */
static void of_rank(int n, int rank, double *A) {
  double *left = calloc((size_t)(n * n) + 1, sizeof *left),
         *right = calloc((size_t)(n * n) + 1, sizeof *right);
  for (int k = 0; k < n * rank; ++k) left[k] = random_number(), right[k] = random_number();
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i)
      A[i + j * n] = sum_of_products(rank, left + i * rank, 1, right + j * rank) / n;
  free(left);
  free(right);
}

/* What defines x and V: A^T (A x - b) = 0, A V = 0, V^T V = 1, V^T x = 0. */
static void check_orthogonal(int n, int rank) {
  enum { m = orthogonal_rows };
  static double A[m * m], Q[m * m], b[m], x[m], y[m], rest[m], tau[3 * m];
  int pivot[m];
  of_rank(n, rank, A);
  for (int i = 0; i < n; ++i) x[i] = b[i] = random_number();
  memcpy(Q, A, sizeof A);
  assert_int_equal(nsds_orthogonal_factor(n, Q, 1e-12, pivot, tau), rank);
  nsds_orthogonal_solve(n, Q, rank, pivot, tau, x);
  double size = 1.0;
  for (int i = 0; i < n; ++i) size = fmax(size, fabs(x[i]));
  for (int i = 0; i < n; ++i) rest[i] = sum_of_products(n, A + i, n, x) - b[i];
  for (int j = 0; j < n; ++j)
    assert_true(fabs(sum_of_products(n, A + j * n, 1, rest)) <= 1e-12 * size);
  /* of least norm: in the range of A^T */
  double largest = size;
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) Q[i + j * n] = A[j + i * n];
  assert_int_equal(nsds_orthogonal_factor(n, Q, 1e-12, pivot, tau), rank);
  memcpy(y, x, sizeof y);
  nsds_orthogonal_solve(n, Q, rank, pivot, tau, y);
  for (int i = 0; i < n; ++i) largest = fmax(largest, fabs(y[i]));
  for (int i = 0; i < n; ++i)
    assert_true(fabs(sum_of_products(n, A + i * n, 1, y) - x[i]) <= 1e-12 * largest);
}

static void test_orthogonal(void **unused) {
  (void)unused;
  for (int n = 0; n <= orthogonal_rows; ++n)
    for (int rank = 0; rank <= n; rank += 1 + n / 8) check_orthogonal(n, rank);
}

static void test_one_by_one_is_a_division(void **unused) {
  (void)unused;
  double a = 3.0, b = 0.1;
  assert_status(nsds_factor_dense(factor, 1, &a), NSDS_OK);
  nsds_factor_solve(factor, 1, &b);
  assert_true(b == 0.1 / 3.0);
}

static void test_pivoting(void **unused) {
  (void)unused;
  double a[9] = {0, 1, 0, 0, 0, 1, 1, 0, 0}, b[3] = {3, 1, 2}; /* a cyclic permutation */
  assert_status(nsds_factor_dense(factor, 3, a), NSDS_OK);
  nsds_factor_solve(factor, 1, b);
  assert_true(b[0] == 1.0 && b[1] == 2.0 && b[2] == 3.0);
  int pivot[3];
  double c[9] = {1, 4, 2, 3, 1, 7, 2, 2, 9}, x[3] = {1, -2, 3}, r[3] = {0};
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 3; ++i) r[i] += c[i + 3 * j] * x[j];
  assert_true(nsds_small_lu(3, c, pivot));
  nsds_small_lu_solve(3, c, pivot, r);
  for (int i = 0; i < 3; ++i) assert_true(fabs(r[i] - x[i]) < 1e-14);
}

static void test_dense_singular(void **unused) {
  (void)unused;
  for (int n = 1; n <= 70; n += 3) {
    double *a = calloc((size_t)(n * n), sizeof *a);
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i) a[i + j * n] = 0.1 * (i + 1) * (j + 1) + (i == j && i > 1);
    if (n == 1) a[0] = 0.0;
    if (n > 1) assert_status(nsds_factor_dense(factor, n, a), NSDS_ERROR_SINGULAR);
    a[0] = NAN;
    assert_status(nsds_factor_dense(factor, n, a), NSDS_ERROR_SINGULAR);
    a[0] = INFINITY;
    assert_status(nsds_factor_dense(factor, n, a), NSDS_ERROR_SINGULAR);
    assert_true(nsds_factor_rcond(factor) == 0.0);
    free(a);
  }
  assert_status(nsds_error(context), NSDS_OK);
}

/* Rows and columns in wildly different units are no singularity. */
static void test_units(void **unused) {
  (void)unused;
  random_seed(2);
  for (int n = 2; n <= 40; n += 19) {
    double *a = calloc((size_t)(n * n), sizeof *a), *b = calloc((size_t)n, sizeof *b);
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i)
        a[i + j * n] = ldexp(random_number() + 3 * (i == j), 60 * (i % 2) - 40 * (j % 3));
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) b[i] += a[i + j * n] * ldexp(1.0, 40 * (j % 3));
    assert_status(nsds_factor_dense(factor, n, a), NSDS_OK);
    nsds_factor_solve(factor, 1, b);
    for (int j = 0; j < n; ++j) assert_true(fabs(ldexp(b[j], -40 * (j % 3)) - 1.0) < 1e-10);
    free(a);
    free(b);
  }
}

static void test_tridiagonal(void **unused) {
  (void)unused;
  static const int offset[3] = {-1, 0, 1};
  random_seed(3);
  for (int n = 1; n <= 40; ++n) {
    matrix m = banded(n, 3, offset, 3.5);
    double *work = calloc((size_t)n * nsds_tridiagonal_work, sizeof *work), rcond;
    nsds_tridiagonal t;
    assert_true(nsds_tridiagonal_factor(&t, n, m.p, m.i, m.x, work, &rcond));
    free(work);
    assert_status(nsds_factor_csc(factor, n, m.p, m.i, m.x, 0), NSDS_OK);
    assert_true(csc_error(&m) < 1e-13);
    matrix_destroy(&m);
  }
  /* Not dominant: KLU with pivoting. */
  matrix m = banded(30, 3, offset, 0.0);
  for (int j = 0; j < 30; ++j)
    for (int k = m.p[j]; k < m.p[j + 1]; ++k)
      if (m.i[k] == j) m.x[k] = 0.0;
  assert_status(nsds_factor_csc(factor, 30, m.p, m.i, m.x, 0), NSDS_OK);
  assert_true(csc_error(&m) < 1e-9);
  matrix_destroy(&m);
}

/* The chain with free ends: weakly dominant and singular. */
static void test_tridiagonal_singular(void **unused) {
  (void)unused;
  static const int offset[3] = {-1, 0, 1};
  matrix m = banded(9, 3, offset, 2.0);
  for (int j = 0; j < 9; ++j)
    for (int k = m.p[j]; k < m.p[j + 1]; ++k)
      m.x[k] = m.i[k] != j ? -1.0 : j == 0 || j == 8 ? 1.0 : 2.0;
  assert_status(nsds_factor_csc(factor, 9, m.p, m.i, m.x, 0), NSDS_ERROR_SINGULAR);
  matrix_destroy(&m);
}

static void test_kept_pattern(void **unused) {
  (void)unused;
  static const int offset[5] = {-17, -2, 0, 3, 11};
  random_seed(4);
  matrix m = banded(200, 5, offset, 6.0);
  for (int round = 0; round < 20; ++round) {
    assert_status(nsds_factor_csc(factor, m.n, m.p, m.i, m.x, 7), NSDS_OK);
    assert_true(csc_error(&m) < 1e-11);
    for (int k = 0; k < m.p[m.n]; ++k) m.x[k] *= 1.0 + 0.3 * random_number();
  }
  /* Numbers for which the kept pivots are useless. */
  for (int j = 0; j < m.n; ++j)
    for (int k = m.p[j]; k < m.p[j + 1]; ++k)
      m.x[k] = m.i[k] == j ? 1e-13 : 1.0 + random_number() * 0.3;
  nsds_status status = nsds_factor_csc(factor, m.n, m.p, m.i, m.x, 7);
  assert_status(status, NSDS_OK);
  assert_true(csc_error(&m) < 1e-8);
  /* Singular, and well again. */
  for (int k = m.p[50]; k < m.p[51]; ++k) m.x[k] = 0.0;
  assert_status(nsds_factor_csc(factor, m.n, m.p, m.i, m.x, 7), NSDS_ERROR_SINGULAR);
  for (int k = 0; k < m.p[m.n]; ++k) m.x[k] = random_number();
  for (int j = 0; j < m.n; ++j)
    for (int k = m.p[j]; k < m.p[j + 1]; ++k)
      if (m.i[k] == j) m.x[k] = 6.0;
  assert_status(nsds_factor_csc(factor, m.n, m.p, m.i, m.x, 7), NSDS_OK);
  assert_true(csc_error(&m) < 1e-11);
  matrix_destroy(&m);
  assert_status(nsds_error(context), NSDS_OK);
}

/* Pairs of rows, none of them dominant, whose kept pivots become useless, but solve for (1, .., 1)
 * as if they were not. */
static void test_kept_pivots_of_pairs(void **unused) {
  (void)unused;
  enum { pairs = 10 };
  matrix m = matrix_create(2 * pairs, 4 * pairs);
  int count = 0;
  for (int j = 0; j < m.n; ++j) {
    add(&m, &count, j / 2 * 2, j % 2 ? 2.0 : 6.0);
    add(&m, &count, j / 2 * 2 + 1, j % 2 ? 1.0 : 2.0);
    m.p[j + 1] = count;
  }
  assert_status(nsds_factor_csc(factor, m.n, m.p, m.i, m.x, 11), NSDS_OK);
  assert_true(csc_error(&m) < 1e-14);
  for (int k = 0; k < pairs; ++k) /* each entry in turn: whichever is the first pivot */
    for (int e = 0; e < 4; ++e) m.x[4 * k + e] = e == k % 4 ? 3e-7 : 1.0;
  assert_status(nsds_factor_csc(factor, m.n, m.p, m.i, m.x, 11), NSDS_OK);
  assert_true(csc_error(&m) < 1e-14);
  matrix_destroy(&m);
}

/* Laplacian of a 14 x 14 x 14 grid, unsymmetric values: enough fill for UMFPACK. */
static void test_heavy_fill(void **unused) {
  (void)unused;
  static const int offset[7] = {-196, -14, -1, 0, 1, 14, 196};
  random_seed(5);
  matrix m = banded(2744, 7, offset, 9.0);
  for (int round = 0; round < 2; ++round) {
    assert_status(nsds_factor_csc(factor, m.n, m.p, m.i, m.x, 3), NSDS_OK);
    assert_true(csc_error(&m) < 1e-11);
    for (int k = 0; k < m.p[m.n]; ++k) m.x[k] *= 1.0 + 0.1 * random_number();
  }
  for (int k = m.p[50]; k < m.p[51]; ++k) m.x[k] = 0.0;
  assert_status(nsds_factor_csc(factor, m.n, m.p, m.i, m.x, 3), NSDS_ERROR_SINGULAR);
  matrix_destroy(&m);
}

static void test_empty_and_malformed(void **unused) {
  (void)unused;
  int p[2] = {0, 1}, i[1] = {5};
  double x[1] = {1.0};
  assert_status(nsds_factor_csc(factor, 0, p, i, x, 0), NSDS_OK);
  nsds_factor_solve(factor, 1, x);
  assert_status(nsds_factor_dense(factor, 0, x), NSDS_OK);
  nsds_factor_solve(factor, 1, x);
  assert_status(nsds_factor_csc(factor, 1, p, i, x, 0), NSDS_ERROR_ARGUMENT);
  nsds_factor_destroy(NULL);
}

/* ---- scales by a largest transversal ---- */

/* The largest sum of exponents over all assignments of rows i .. n - 1 to columns that are left. */
static double best_assignment(int n, const double *exponent, int i, unsigned left) {
  double best = i == n ? 0.0 : -INFINITY;
  for (int j = 0; i < n && j < n; ++j)
    if (left >> j & 1u)
      best =
          fmax(best, exponent[i + j * n] + best_assignment(n, exponent, i + 1, left & ~(1u << j)));
  return best;
}

/* Of powers of two the scaled entries are at most 1, and 1 along the transversal: scales and exponents sum to
 * zero there, as they do for no larger product. */
static void test_transversal(void **unused) {
  (void)unused;
  enum { most = 6 };
  int singular = 0;
  random_seed(5);
  for (int k = 0; k < 600; ++k) {
    int n = 1 + k % most, row[most + 1], column[most + 1],
        index[nsds_transversal_iwork * (most + 1)];
    double a[most * most], exponent[most * most], work[nsds_transversal_work * (most + 1)],
        sum = 0.0;
    for (int e = 0; e < n * n; ++e) {
      bool zero = random_number() > 0.4;
      double at = floor(300.0 * random_number());
      exponent[e] = zero ? -INFINITY : at;
      a[e] = zero ? 0.0 : (e % 2 ? -1.0 : 1.0) * exp2(at);
    }
    double best = best_assignment(n, exponent, 0, (1u << n) - 1u);
    bool found = nsds_transversal(n, a, row, column, work, index);
    assert_int_equal(found, isfinite(best));
    singular += !found;
    if (!found) continue;
    for (int i = 0; i < n; ++i) sum += row[i] + column[i];
    assert_true(sum == -best);
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i) assert_true(exponent[i + j * n] + row[i] + column[j] <= 0.0);
  }
  assert_true(singular > 50 && singular < 550);
}

int main(void) {
#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
  const struct CMUnitTest tests[] = {
      TEST(test_cholesky),
      TEST(test_orthogonal),
      TEST(test_dense_sizes),
      TEST(test_one_by_one_is_a_division),
      TEST(test_pivoting),
      TEST(test_dense_singular),
      TEST(test_units),
      TEST(test_tridiagonal),
      TEST(test_kept_pattern),
      TEST(test_kept_pivots_of_pairs),
      TEST(test_tridiagonal_singular),
      TEST(test_heavy_fill),
      TEST(test_empty_and_malformed),
      TEST(test_transversal),
  };
#undef TEST
  return cmocka_run_group_tests_name("numerics.factor", tests, NULL, NULL);
}
