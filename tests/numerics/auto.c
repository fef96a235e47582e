/*
 * "auto" solves what a method solves that it knows. Drawn are few bodies with more contacts than
 * they can tell apart, and velocities that need not fit together: about half of these problems have
 * no solution, and hard ones are among the others. Those that no method solves from zero are passed
 * over.
 *
 *     numerics_auto [COUNT [SEED]]   draws COUNT problems (300) from SEED (1) on
 */
#include "cmocka_setup.h"

#include <nsds/solver.h>

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { most_contacts = 22, most_bodies = 3, most_rows = 3 * most_contacts };

static long count = 300;
static uint64_t first_seed = 1;

static uint64_t state_of_draws;

static double draw(double low, double high) {
  uint64_t x = state_of_draws;
  x ^= x << 13, x ^= x >> 7, x ^= x << 17;
  state_of_draws = x;
  return low + (high - low) * (double)(x >> 11) * 0x1p-53;
}

static double draw_normal(void) {
  double sum = -6.0;
  for (int k = 0; k < 12; ++k) sum += draw(0.0, 1.0);
  return sum;
}

typedef struct drawn {
  double H[most_rows][6 * most_bodies], M[most_rows * most_rows], q[most_rows];
  nsds_block block[most_contacts];
  nsds_problem problem;
} drawn;

/* An orthonormal frame, and the arms of a contact on its two bodies. */
static void put_contact(drawn *d, int k, int first, int second, int nbody) {
  double frame[3][3], arm[2][3];
  for (int r = 0; r < 3; ++r) {
    for (int i = 0; i < 3; ++i) frame[r][i] = draw_normal();
    for (int p = 0; p < r; ++p) {
      double along = 0.0;
      for (int i = 0; i < 3; ++i) along += frame[r][i] * frame[p][i];
      for (int i = 0; i < 3; ++i) frame[r][i] -= along * frame[p][i];
    }
    double length = hypot(hypot(frame[r][0], frame[r][1]), frame[r][2]);
    for (int i = 0; i < 3; ++i) frame[r][i] /= length;
  }
  for (int i = 0; i < 6; ++i) arm[i / 3][i % 3] = draw_normal();
  for (int r = 0; r < 3; ++r)
    for (int e = 0; e < 2; ++e) {
      int body = e ? second : first;
      const double *f = frame[r], *a = arm[e], sign = e ? -1.0 : 1.0;
      if (body == nbody || (e && second == first)) continue; /* nbody: the ground */
      double *h = d->H[3 * k + r] + 6 * body;
      for (int i = 0; i < 3; ++i) {
        int j = (i + 1) % 3, l = (i + 2) % 3;
        h[i] += sign * f[i];
        h[3 + i] += sign * (a[j] * f[l] - a[l] * f[j]);
      }
    }
}

static void draw_problem(uint64_t seed, drawn *d) {
  memset(d, 0, sizeof *d);
  state_of_draws = UINT64_C(0x9E3779B97F4A7C15) * seed | 1;
  for (int k = 0; k < 9; ++k) draw(0.0, 1.0);
  int nbody = 1 + (int)draw(0, most_bodies), ncontact = 8 + (int)draw(0, 15), n = 3 * ncontact;
  for (int k = 0; k < ncontact; ++k) {
    int first = (int)draw(0, nbody), second = (int)draw(0, nbody + 1);
    put_contact(d, k, first, second, nbody);
    d->block[k] = (nsds_block){.set = NSDS_SET_COULOMB, .size = 3, .mu = draw(0.0, 0.85)};
  }
  for (int c = 0; c < n; ++c)
    for (int r = 0; r < n; ++r)
      for (int i = 0; i < 6 * nbody; ++i) d->M[r + c * n] += d->H[r][i] * d->H[c][i];
  double size = draw(0.0, 2.0);
  for (int r = 0; r < n; ++r) d->q[r] = size * draw_normal();
  d->problem = (nsds_problem){.n = n,
                              .M = {.n = n, .storage = NSDS_DENSE, .x = d->M, .symmetric = true},
                              .q = d->q,
                              .nblock = ncontact,
                              .block = d->block};
}

static bool solves(nsds_context *context, const char *method, const nsds_problem *problem) {
  double z[most_rows] = {0.0}, w[most_rows];
  nsds_solver_info info;
  nsds_solver *solver = nsds_solver_create(context, method);
  assert_non_null(solver);
  assert_int_equal(nsds_solver_set(solver, "tolerance", 1e-10), NSDS_OK);
  nsds_solve(solver, problem, z, w, &info);
  nsds_error_clear(context);
  nsds_solver_destroy(solver);
  return info.outcome == NSDS_SOLVED;
}

/* Returns the number of methods that solve the problem, 0 if auto does too. */
static int left(nsds_context *context, uint64_t seed, long *solvable) {
  static const char *const methods[] = {"nonsmooth_newton", "nsgs", "admm"};
  drawn *d = malloc(sizeof *d);
  int others = 0;
  assert_non_null(d);
  draw_problem(seed, d);
  for (int k = 0; k < 3; ++k) others += solves(context, methods[k], &d->problem);
  *solvable += others > 0;
  bool left = others > 0 && !solves(context, "auto", &d->problem);
  if (left)
    printf("seed %llu: %d contacts, left by auto, solved by %d methods\n", (unsigned long long)seed,
           d->problem.nblock, others);
  free(d);
  return left ? others : 0;
}

static void auto_leaves_nothing_that_two_methods_solve(void **state) {
  (void)state;
  nsds_context *context = nsds_context_create(NULL);
  long solvable = 0, one = 0, more = 0;
  for (long k = 0; k < count; ++k) {
    int others = left(context, first_seed + (uint64_t)k, &solvable);
    one += others == 1;
    more += others > 1;
  }
  printf("%ld drawn problems, %ld solvable; auto leaves %ld that one method solves, %ld that more "
         "do\n",
         count, solvable, one, more);
  assert_int_equal(more, 0);
  assert_true(one <= solvable / 1000);
  nsds_context_destroy(context);
}

/* Other methods solved these from zero, auto gave up after a second. */
static void starts_of_its_own(void **state) {
  (void)state;
  static const uint64_t seed[] = {6008, 6206};
  nsds_context *context = nsds_context_create(NULL);
  long solvable = 0;
  for (size_t k = 0; k < sizeof seed / sizeof *seed; ++k)
    assert_int_equal(left(context, seed[k], &solvable), 0);
  assert_int_equal(solvable, sizeof seed / sizeof *seed);
  nsds_context_destroy(context);
}

/* A singular problem that gradients do not solve, but a path. The next load on the same matrix goes to
 * the path at once; with another stamp, gradients come first again. */
static void the_winner_is_tried_first(void **unused) {
  (void)unused;
  enum { n = 100, rank = n / 2 };
  static double A[n * rank], M[n * n], q[n], z[n], w[n];
  static const int tried[] = {2, 1, 1, 2};
  static const uint64_t stamp[] = {7, 7, 7, 8};
  state_of_draws = 57;
  for (int k = 0; k < n * rank; ++k) A[k] = draw(-1.0, 1.0);
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i)
      for (int k = 0; k < rank; ++k) M[i + n * j] += A[i + n * k] * A[j + n * k] / rank;
  nsds_block block = {.set = NSDS_SET_NONNEGATIVE, .size = n};
  nsds_problem p = {.n = n, .nblock = 1, .block = &block, .q = q};
  p.M = (nsds_matrix){.storage = NSDS_DENSE, .n = n, .x = M, .symmetric = true};
  nsds_context *context = nsds_context_create(NULL);
  nsds_solver *solver = nsds_solver_create(context, NULL);
  for (int round = 0; round < 4; ++round) {
    nsds_solver_info info;
    for (int i = 0; i < n; ++i) {
      q[i] = i % 2 ? draw(0.1, 1.0) : 0.0; /* z = 1 in even rows, w = q in odd ones */
      for (int j = 0; j < n; j += 2) q[i] -= M[i + n * j];
      z[i] = 0.0;
    }
    p.M.stamp = stamp[round];
    assert_status(nsds_solve(solver, &p, z, w, &info), NSDS_OK);
    assert_string_equal(info.solver, "lemke");
    assert_int_equal(info.tried, tried[round]);
  }
  nsds_solver_destroy(solver);
  nsds_context_destroy(context);
}

int main(int argc, char **argv) {
  if (argc > 1) count = strtol(argv[1], NULL, 10);
  if (argc > 2) first_seed = strtoull(argv[2], NULL, 10);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(starts_of_its_own),
      cmocka_unit_test(the_winner_is_tried_first),
      cmocka_unit_test(auto_leaves_nothing_that_two_methods_solve),
  };
  return cmocka_run_group_tests_name("numerics.auto", tests, NULL, NULL);
}
