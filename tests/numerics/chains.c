/*
 * Chains of bodies: problems whose matrix is a Minkowski matrix on a union of paths. The set found
 * in one pass against Newton steps on the dense matrix; large columns from cold, warm and after
 * openings in a number of steps that does not grow with their length; loads of the size of
 * rounding.
 */
#include "cmocka_setup.h"
#include "families.h"

#include "numerics/linear/forms.h"
#include "numerics/newton/chain.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Columns of beads in CSC storage, their rows permuted. */
typedef struct columns {
  int n;
  int *p, *i, *row; /* row: of the k-th contact, from below and column by column */
  double *x, *q, *z, *w;
  nsds_block block;
  nsds_problem problem;
} columns;

/* Contact k with k - 1 unless it is the lowest of its column. */
static bool linked(int k, int height) { return k % height != 0; }

static int by_size(const void *a, const void *b) {
  int x = *(const int *)a, y = *(const int *)b;
  return (x > y) - (x < y);
}

static void columns_create(columns *c, int n, int height, bool permuted) {
  memset(c, 0, sizeof *c);
  c->n = n;
  size_t m = (size_t)n;
  c->p = calloc(m + 1, sizeof *c->p);
  c->i = calloc(3 * m, sizeof *c->i);
  c->row = calloc(m, sizeof *c->row);
  c->x = calloc(3 * m, sizeof *c->x);
  c->q = calloc(m, sizeof *c->q);
  c->z = calloc(m, sizeof *c->z);
  c->w = calloc(m, sizeof *c->w);
  int *place = calloc(m, sizeof *place);
  for (int k = 0; k < n; ++k) c->row[k] = k;
  for (int k = n - 1; permuted && k > 0; --k) {
    int other = (int)(fabs(random_number()) * k), t = c->row[k];
    c->row[k] = c->row[other];
    c->row[other] = t;
  }
  for (int k = 0; k < n; ++k) place[c->row[k]] = k;
  int count = 0;
  for (int j = 0; j < n; ++j) {
    int k = place[j];
    bool below = linked(k, height), above = k + 1 < n && linked(k + 1, height);
    int near[3] = {below ? c->row[k - 1] : -1, j, above ? c->row[k + 1] : -1};
    qsort(near, 3, sizeof *near, by_size);
    for (int t = 0; t < 3; ++t) {
      if (near[t] < 0) continue;
      c->i[count] = near[t];
      c->x[count++] = near[t] != j ? -1.0 : below ? 2.0 : 1.0;
    }
    c->p[j + 1] = count;
  }
  free(place);
  c->block = (nsds_block){.set = NSDS_SET_NONNEGATIVE, .size = n};
  c->problem = (nsds_problem){.n = n,
                              .nblock = 1,
                              .block = &c->block,
                              .M = {.storage = NSDS_CSC,
                                    .n = n,
                                    .x = c->x,
                                    .p = c->p,
                                    .i = c->i,
                                    .symmetric = true,
                                    .stamp = 1},
                              .q = c->q};
}

static void columns_destroy(columns *c) {
  free(c->p);
  free(c->i);
  free(c->row);
  free(c->x);
  free(c->q);
  free(c->z);
  free(c->w);
}

static int solve(nsds_solver *solver, columns *c) {
  nsds_solver_info info;
  assert_status(nsds_solve(solver, &c->problem, c->z, c->w, &info), NSDS_OK);
  assert_true(info.residual <= 1e-10);
  assert_string_equal(info.solver, "semismooth_newton");
  assert_int_equal(info.tried, 1);
  return info.iterations;
}

/* Random loads on random columns: the dense method, which knows nothing of chains, agrees. */
static void test_agrees(void **unused) {
  (void)unused;
  for (int seed = 0; seed < 100; ++seed) {
    random_seed((unsigned)seed);
    columns c;
    int n = 13 + seed % 50;
    columns_create(&c, n, 1 + seed % 30, seed % 2);
    for (int i = 0; i < n; ++i)
      c.q[i] = seed % 4 ? random_number() + 0.2 : round(2.0 * random_number());
    nsds_context *context = nsds_context_create(NULL);
    nsds_solver *chain = nsds_solver_create(context, NULL),
                *lemke = nsds_solver_create(context, "lemke");
    double *z = calloc((size_t)n, sizeof *z), *w = calloc((size_t)n, sizeof *w);
    assert_status(nsds_problem_check(context, &c.problem), NSDS_OK);
    assert_true(solve(chain, &c) <= 3);
    assert_status(nsds_solve(lemke, &c.problem, z, w, NULL), NSDS_OK);
    for (int i = 0; i < n; ++i) assert_true(fabs(z[i] - c.z[i]) <= 1e-9 * (1.0 + fabs(z[i])));
    free(z);
    free(w);
    nsds_solver_destroy(chain);
    nsds_solver_destroy(lemke);
    columns_destroy(&c);
    nsds_context_destroy(context);
  }
}

/* Weight at the bottom, then blows and openings at random places; few steps whatever the length. */
static void test_large(void **unused) {
  (void)unused;
  for (int n = 100; n <= 10000; n *= 10)
    for (int permuted = 0; permuted < 2; ++permuted) {
      random_seed((unsigned)n);
      columns c;
      columns_create(&c, n, n, permuted);
      nsds_context *context = nsds_context_create(NULL);
      nsds_solver *solver = nsds_solver_create(context, NULL);
      double *scale = calloc((size_t)n, sizeof *scale);
      /* The velocity of a blow. Without a scale, contacts far from all blows have 2^-30 of it, and
       * reactions of 10,000 loads round to more than 1e-10 of that. */
      for (int i = 0; i < n; ++i) scale[i] = 1.0;
      c.problem.scale = scale;
      c.q[c.row[0]] = -9.81 * 5e-3;
      assert_int_equal(solve(solver, &c), 1);
      assert_int_equal(solve(solver, &c), 1);
      for (int round = 0; round < 30; ++round) {
        for (int i = 0; i < n; ++i) c.q[i] = round % 3 ? 1e-3 * random_number() : 0.0;
        c.q[c.row[0]] = -9.81 * 5e-3;
        for (int k = 0; k < 1 + round; ++k)
          c.q[(int)(fabs(random_number()) * (n - 1))] = random_number();
        assert_true(solve(solver, &c) <= 4);
      }
      nsds_solver_destroy(solver);
      nsds_context_destroy(context);
      columns_destroy(&c);
      free(scale);
    }
}

/* What rounding left of a load must not start steps of its own. */
static void test_rounding(void **unused) {
  (void)unused;
  columns c;
  columns_create(&c, 400, 400, false);
  nsds_context *context = nsds_context_create(NULL);
  nsds_solver *solver = nsds_solver_create(context, NULL);
  random_seed(5);
  for (int round = 0; round < 300; ++round) {
    for (int i = 0; i < c.n; ++i) {
      double size = pow(10.0, -40.0 * fabs(random_number()));
      c.q[i] = fabs(random_number()) < 0.5 ? 0.0 : size * random_number();
    }
    c.q[0] = -1.0;
    assert_true(solve(solver, &c) <= 6);
  }
  nsds_solver_destroy(solver);
  nsds_context_destroy(context);
  columns_destroy(&c);
}

static nsds_status set_of(columns *c, unsigned char *active, bool *found) {
  nsds_context *context = nsds_context_create(NULL);
  nsds_solver *solver = nsds_solver_create(context, "semismooth_newton");
  const nsds_csc_form *form;
  nsds_chain chain = {0};
  nsds_status status = nsds_form_csc(solver, &c->problem, &form);
  if (!status) status = nsds_chain_reserve(&solver->store, &chain, form);
  if (!status) *found = nsds_chain_solve(&chain, form, c->q, active);
  nsds_solver_destroy(solver);
  nsds_context_destroy(context);
  return status;
}

/* Only Minkowski matrices on paths are taken. */
static void test_refuses(void **unused) {
  (void)unused;
  unsigned char active[20];
  columns c;
  bool found = false;
  columns_create(&c, 20, 7, true);
  for (int i = 0; i < 20; ++i) c.q[i] = -1.0;
  assert_status(set_of(&c, active, &found), NSDS_OK);
  assert_true(found);
  for (int i = 0; i < 20; ++i) assert_int_equal(active[i], 1);
  for (int k = 0; k < c.p[20]; ++k)
    if (c.x[k] < 0.0) {
      c.x[k] = 0.5;
      break;
    }
  assert_status(set_of(&c, active, &found), NSDS_OK);
  assert_false(found);
  columns_destroy(&c);
  /* a ring */
  columns_create(&c, 20, 20, false);
  double *x = calloc(60, sizeof *x);
  int *i = calloc(60, sizeof *i), *p = calloc(21, sizeof *p);
  for (int j = 0, count = 0; j < 20; p[++j] = count)
    for (int r = 0; r < 20; ++r) {
      int apart = (r - j + 20) % 20;
      if (apart > 1 && apart < 19) continue;
      i[count] = r;
      x[count++] = r == j ? 2.5 : -1.0;
    }
  c.problem.M.x = x;
  c.problem.M.i = i;
  c.problem.M.p = p;
  assert_status(set_of(&c, active, &found), NSDS_OK);
  assert_false(found);
  free(x);
  free(i);
  free(p);
  columns_destroy(&c);
}

/* A load that enters at one end of a line of boxes and falls by half from row to row: Newton steps
 * add one row each, unless the error of q says that no further row is known to carry load. */
static void test_loads_below_the_error_of_q(void **state) {
  (void)state;
  enum { n = 300 };
  static double x[3 * n], q[n], error[n], lower[n], upper[n], z[n], w[n];
  static int i[3 * n], p[n + 1];
  int nnz = 0;
  for (int k = 0; k < n; ++k) {
    for (int row = k - 1; row <= k + 1; ++row)
      if (row >= 0 && row < n) {
        i[nnz] = row;
        x[nnz++] = row == k ? 2.5 : -1.0;
      }
    p[k + 1] = nnz;
    error[k] = 1e-12;
    upper[k] = 1e3;
  }
  q[0] = -1.0;
  const nsds_block box = {.set = NSDS_SET_BOX, .size = n, .lower = lower, .upper = upper};
  nsds_problem problem = {.n = n,
                          .nblock = 1,
                          .block = &box,
                          .M = {.storage = NSDS_CSC, .n = n, .p = p, .i = i, .x = x},
                          .q = q};
  nsds_context *context = nsds_context_create(NULL);
  nsds_solver *solver = nsds_solver_create(context, "semismooth_newton");
  nsds_solver_info info;
  z[0] = 0.1; /* from zero, all rows would be taken at once */
  assert_status(nsds_solve(solver, &problem, z, w, &info), NSDS_OK);
  assert_true(info.iterations > n / 2);
  problem.q_error = error;
  memset(z, 0, sizeof z);
  z[0] = 0.1;
  assert_status(nsds_solve(solver, &problem, z, w, &info), NSDS_OK);
  assert_true(info.iterations < 60);
  for (int k = 0; k < 30; ++k) assert_float_equal(z[k], ldexp(0.5, -k), 1e-11);
  nsds_solver_destroy(solver);
  nsds_context_destroy(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_agrees),
      cmocka_unit_test(test_large),
      cmocka_unit_test(test_rounding),
      cmocka_unit_test(test_refuses),
      cmocka_unit_test(test_loads_below_the_error_of_q),
  };
  return cmocka_run_group_tests_name("numerics.chains", tests, NULL, NULL);
}
