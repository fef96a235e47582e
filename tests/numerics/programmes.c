/*
 * Convex quadratic programmes as their conditions of optimality: the factors of such matrices, refused
 * where they are of another kind; drawn programmes, whose optimality is measured by other code, and the
 * planted answer where it is the only one; limits of time and memory.
 */
#include "cmocka_setup.h"
#include "numerics/linear/factor.h"
#include "numerics/linear/quasidefinite.h"
#include "qp_problem.h"

enum { largest = 400 };

/* ---- factors ---- */

typedef struct matrix {
  int n, p[2 * largest + 1], i[64 * largest];
  double x[64 * largest];
  signed char sign[2 * largest];
} matrix;

/* Of a programme, with its whole diagonal, of which the first entry is more by `more`. */
static void matrix_make(matrix *A, const char *family, int seed, double more) {
  qp p;
  qp_problem t;
  assert_true(qp_draw(&p, family, seed, 30, largest / 2));
  qp_problem_make(&t, &p);
  A->n = p.n + p.m;
  A->p[0] = 0;
  for (int j = 0, count = 0; j < A->n; ++j) {
    bool there = false;
    for (int k = t.start[j]; k < t.start[j + 1]; ++k) {
      for (; !there && t.row[k] >= j; there = true) {
        A->i[count] = j;
        A->x[count++] = (j == 0 ? more : 0.0) + (t.row[k] == j ? t.value[k] : 0.0);
      }
      if (t.row[k] == j) continue;
      A->i[count] = t.row[k];
      A->x[count++] = t.value[k];
    }
    if (!there) {
      A->i[count] = j;
      A->x[count++] = 0.0;
    }
    A->p[j + 1] = count;
    A->sign[j] = j < p.n ? 1 : -1;
    assert_true(count < 64 * largest - 64);
  }
  qp_problem_free(&t);
  qp_free(&p);
}

static double error_of(const matrix *A, const double *x, const double *b) {
  double r[2 * largest], worst = 0.0;
  memcpy(r, b, (size_t)A->n * sizeof *r);
  for (int j = 0; j < A->n; ++j)
    for (int k = A->p[j]; k < A->p[j + 1]; ++k) r[A->i[k]] -= A->x[k] * x[j];
  for (int j = 0; j < A->n; ++j) worst = fmax(worst, fabs(r[j]));
  return worst;
}

static void test_factors(void **unused) {
  (void)unused;
  nsds_context *context = nsds_context_create(NULL);
  nsds_factor *factor = nsds_factor_create(context);
  matrix *A = malloc(sizeof *A);
  for (int seed = 1; seed <= 20; ++seed)
    for (int turn = 0; turn < 2; ++turn) { /* the second with the order kept */
      matrix_make(A, seed % 2 ? "random" : "control", seed, 3.0 * turn);
      double x[2 * largest], b[2 * largest];
      nsds_status status =
          nsds_quasidefinite_csc(factor, A->n, A->p, A->i, A->x, A->sign, (uint64_t)seed);
#if !NSDS_HAVE_CHOLMOD
      assert_status(status, NSDS_ERROR_SINGULAR);
      continue;
#endif
      assert_status(status, NSDS_OK);
      for (int k = 0; k < A->n; ++k) x[k] = b[k] = sin(1.0 + k * k);
      nsds_factor_solve(factor, 1, x);
      assert_true(error_of(A, x, b) <= 1e-10);
    }
  matrix_make(A, "random", 1, -100.0); /* not convex */
  assert_status(nsds_quasidefinite_csc(factor, A->n, A->p, A->i, A->x, A->sign, 0),
                NSDS_ERROR_SINGULAR);
  free(A);
  nsds_factor_destroy(factor);
  nsds_context_destroy(context);
}

/* ---- programmes ---- */

static void check_programme(const char *family, int seed, const char *method, double memory) {
  qp p;
  qp_problem t;
  assert_true(qp_draw(&p, family, seed, 60, largest));
  qp_problem_make(&t, &p);
  nsds_context *context = nsds_context_create(NULL);
  nsds_solver *solver = nsds_solver_create(context, method);
  nsds_solver_info info;
  double *z = qp_numbers(t.problem.n), *w = qp_numbers(t.problem.n), far = 0.0;
  assert_status(nsds_solver_set(solver, "memory_limit", memory), NSDS_OK);
  nsds_status status = nsds_solve(solver, &t.problem, z, w, &info);
  if (memory > 0.0) {
    assert_status(status, info.outcome == NSDS_SOLVED ? NSDS_OK : NSDS_ERROR_SOLVER);
  } else {
    assert_status(status, NSDS_OK);
    assert_true(qp_error(&p, z, z + p.n) <= 1e-7);
  }
  for (int j = 0; p.planted && j < p.n; ++j) far = fmax(far, fabs(z[j] - p.planted[j]));
  if (strcmp(family, "random") == 0 && memory == 0.0) assert_true(far <= 1e-5);
  free(z);
  free(w);
  nsds_solver_destroy(solver);
  nsds_context_destroy(context);
  qp_problem_free(&t);
  qp_free(&p);
}

static void test_programmes(void **unused) {
  (void)unused;
  for (int k = 0; k < qp_families; ++k)
    for (int seed = 1; seed <= 6; ++seed) check_programme(qp_family[k], seed, NULL, 0.0);
  for (int seed = 1; seed <= 6; ++seed) check_programme("random", seed, "interior_point", 0.0);
}

static void test_little_memory(void **unused) {
  (void)unused;
  for (int k = 0; k < qp_families; ++k) check_programme(qp_family[k], 7, "interior_point", 1e-3);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_factors),
      cmocka_unit_test(test_programmes),
      cmocka_unit_test(test_little_memory),
  };
  return cmocka_run_group_tests_name("numerics.programmes", tests, NULL, NULL);
}
