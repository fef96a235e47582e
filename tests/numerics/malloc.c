/*
 * Memory that sparse factorisations (KLU, UMFPACK, CHOLMOD) take by the process's own malloc and do not
 * get. Each allocation fails in turn: the status says so, and the next try succeeds with the right
 * answer. SUNDIALS is left out: without memory it crashes.
 */
#include "../kernel/interpose.h"
#include "cmocka_setup.h"
#include "numerics/linear/factor.h"
#include "numerics/linear/factor_state.h"

#include <stdlib.h>
#include <string.h>

/* The Laplacian of a grid side x side x deep with open ends, values off the diagonal by `skew` to and
 * fro. */
typedef struct grid {
  int n, *p, *i;
  double *x;
} grid;

static void grid_create(grid *g, int side, int deep, double skew) {
  int n = g->n = side * side * deep, used = 0;
  g->p = calloc((size_t)n + 1, sizeof *g->p);
  g->i = calloc(7 * (size_t)n, sizeof *g->i);
  g->x = calloc(7 * (size_t)n, sizeof *g->x);
  assert_true(g->p && g->i && g->x);
  const int step[7] = {-side * side, -side, -1, 0, 1, side, side * side};
  for (int j = 0; j < n; ++j) {
    const int place[3] = {j % side, j / side % side, j / (side * side)};
    const bool there[7] = {place[2] > 0,        place[1] > 0,        place[0] > 0,       true,
                           place[0] < side - 1, place[1] < side - 1, place[2] < deep - 1};
    for (int k = 0; k < 7; ++k) {
      if (!there[k]) continue;
      g->i[used] = j + step[k];
      g->x[used++] = k == 3 ? 6.5 : k < 3 ? -1.0 - skew : -1.0 + skew;
    }
    g->p[j + 1] = used;
  }
}

static void grid_destroy(grid *g) {
  free(g->p);
  free(g->i);
  free(g->x);
}

/* b = A x for x_j = j mod 7. */
static void right_side(const grid *g, double *b) {
  memset(b, 0, (size_t)g->n * sizeof *b);
  for (int j = 0; j < g->n; ++j)
    for (int k = g->p[j]; k < g->p[j + 1]; ++k) b[g->i[k]] += g->x[k] * (j % 7);
}

static double error_of(const grid *g, const double *b) {
  double most = 0.0;
  for (int j = 0; j < g->n; ++j) most = fmax(most, fabs(b[j] - j % 7));
  return most;
}

/* The second time the symbolic analysis is kept. */
static nsds_status factor_twice(nsds_factor *factor, const grid *g, bool definite) {
  nsds_status status = NSDS_OK;
  for (int round = 0; round < 2 && !status; ++round)
    status = nsds_factor_columns(factor, false, definite, g->n, g->p, g->i, g->x, 7);
  return status;
}

static void fail_factors(const grid *g, bool definite, const char *name) {
  double *b = calloc((size_t)g->n, sizeof *b);
  assert_non_null(b);
  long failures = 0;
  for (long k = 1;; ++k) {
    nsds_context *context = nsds_context_create(NULL);
    interpose = (interposed){.fail_at = k, .armed = true};
    nsds_factor *factor = nsds_factor_create(context);
    nsds_status status = factor ? factor_twice(factor, g, definite) : NSDS_ERROR_MEMORY;
    interpose.armed = false;
    if (interpose.failed && status) {
      ++failures;
      assert_int_equal(status, NSDS_ERROR_MEMORY);
      assert_int_equal(nsds_error(context), NSDS_ERROR_MEMORY);
      assert_non_null(strstr(nsds_error_message(context), "out of memory for "));
      nsds_error_clear(context);
    }
    if (!factor) factor = nsds_factor_create(context);
    assert_status(factor_twice(factor, g, definite), NSDS_OK);
    right_side(g, b);
    nsds_factor_solve(factor, 1, b);
    assert_true(error_of(g, b) < 1e-9);
    interpose.armed = true;
    nsds_factor_destroy(factor);
    interpose.armed = false;
    nsds_context_destroy(context);
    if (!interpose.failed) break;
  }
  print_message("             %-10s %ld allocations failed\n", name, failures);
  assert_true(failures >= 5);
  free(b);
}

static void sparse_factors(void **unused) {
  (void)unused;
  grid g;
  grid_create(&g, 9, 1, 0.3); /* one layer: little fill, KLU */
  fail_factors(&g, false, "KLU");
  grid_destroy(&g);
#if NSDS_HAVE_CHOLMOD
  grid_create(&g, 9, 1, 0.0);
  fail_factors(&g, true, "CHOLMOD");
  grid_destroy(&g);
#endif
#if NSDS_HAVE_UMFPACK
  grid_create(&g, 14, 14, 0.3); /* a cube: heavy fill */
  fail_factors(&g, false, "UMFPACK");
  grid_destroy(&g);
#endif
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sparse_factors),
  };
  return cmocka_run_group_tests_name("numerics.malloc", tests, NULL, NULL);
}
