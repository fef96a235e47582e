/*
 * Work shared among the threads of a context: the same bits for any number of them, whether
 * contacts find colours or not, packed or not; and the solution of sweeps in the order of the rows.
 */
#include "bodies.h"
#include "cmocka_setup.h"
#include "families.h"
#include "base/parallel.h"
#include "numerics/solver_internal.h"

#include <nsds/solver.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { most_threads = 4 };

/* Clusters of a heavy body with light ones thrown at it from all sides. */
typedef struct clusters {
  int count, leaves;
  bodies b;
  scene s;
} clusters;

static double random_real(double low, double high) {
  return low + (high - low) * 0.5 * (1.0 + random_number());
}

static void unit_vector(double *x) {
  double size;
  do {
    for (int i = 0; i < 3; ++i) x[i] = random_real(-1.0, 1.0);
    size = sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
  } while (size < 0.1 || size > 1.0);
  for (int i = 0; i < 3; ++i) x[i] /= size;
}

static void clusters_create(clusters *c, int count, int leaves) {
  size_t nbody = (size_t)(count * (leaves + 1)), ncontact = (size_t)(count * leaves);
  bodies *b = &c->b;
  *b = (bodies){.nbody = (int)nbody,
                .ncontact = (int)ncontact,
                .mass = calloc(nbody, sizeof(double)),
                .inertia = calloc(nbody, sizeof(double)),
                .centre = calloc(3 * nbody, sizeof(double)),
                .velocity = calloc(6 * nbody, sizeof(double)),
                .pair = calloc(ncontact, sizeof *b->pair),
                .point = calloc(3 * ncontact, sizeof(double)),
                .normal = calloc(3 * ncontact, sizeof(double)),
                .mu = calloc(ncontact, sizeof(double))};
  for (int k = 0, a = 0; k < count; ++k) {
    int heavy = k * (leaves + 1);
    b->mass[heavy] = b->inertia[heavy] = 100.0 * leaves;
    for (int i = 0; i < 6; ++i) b->velocity[6 * heavy + i] = random_real(-0.1, 0.1);
    for (int leaf = heavy + 1; leaf <= heavy + leaves; ++leaf, ++a) {
      b->mass[leaf] = random_real(0.5, 2.0);
      b->inertia[leaf] = 0.4 * b->mass[leaf];
      b->pair[a][0] = leaf;
      b->pair[a][1] = heavy;
      b->mu[a] = random_real(0.1, 0.8);
      unit_vector(b->normal + 3 * a);
      for (int i = 0; i < 3; ++i) {
        double n = b->normal[3 * a + i];
        b->point[3 * a + i] = n;
        b->centre[3 * leaf + i] = 2.0 * n;
        b->velocity[6 * leaf + i] = random_real(-0.5, 0.5) - 0.5 * n;
        b->velocity[6 * leaf + 3 + i] = random_real(-1.0, 1.0);
      }
    }
  }
  scene_create(&c->s, b);
}

static void clusters_destroy(clusters *c) {
  bodies *b = &c->b;
  void *memory[] = {b->mass, b->inertia, b->centre, b->velocity,
                    b->pair, b->point,   b->normal, b->mu};
  scene_destroy(&c->s);
  for (size_t k = 0; k < sizeof memory / sizeof *memory; ++k) free(memory[k]);
}

typedef struct answer {
  double *z, *w;
  nsds_solver_info info;
} answer;

static answer solve(const nsds_problem *problem, int threads, double order, double acceleration) {
  nsds_context *context = nsds_context_create(NULL);
  assert_status(nsds_context_set_threads(context, threads), NSDS_OK);
  assert_int_equal(nsds_context_threads(context), threads);
  nsds_solver *solver = nsds_solver_create(context, "nsgs");
  assert_status(nsds_solver_set(solver, "order", order), NSDS_OK);
  assert_status(nsds_solver_set(solver, "acceleration", acceleration), NSDS_OK);
  assert_status(nsds_solver_set(solver, "tolerance", 1e-12), NSDS_OK);
  answer a = {
      calloc((size_t)problem->n, sizeof(double)), calloc((size_t)problem->n, sizeof(double)), {0}};
  nsds_status status = nsds_solve(solver, problem, a.z, a.w, &a.info);
  if (status)
    fail_msg("%d threads, order %g: %s, residual %g after %d", threads, order,
             nsds_outcome_text(a.info.outcome), a.info.residual, a.info.iterations);
  nsds_solver_destroy(solver);
  nsds_context_destroy(context);
  return a;
}

static void answer_free(answer *a) {
  free(a->z);
  free(a->w);
}

static const double coloured = 4.0, forward = 3.0;

/* The certificate of one thread agrees with that of several up to rounding of one quotient. */
static void check_certificate(const nsds_problem *problem, const answer *a) {
  double *work = calloc(nsds_problem_work(problem), sizeof *work);
  nsds_certificate certificate;
  nsds_certify(problem, a->z, work, &certificate);
  assert_true(certificate.residual <= a->info.residual);
  for (int i = 0; i < problem->n; ++i) assert_true(work[i] == a->w[i]);
  free(work);
}

static void check_problem(const nsds_problem *problem, double acceleration) {
  size_t bytes = (size_t)problem->n * sizeof(double);
  answer one = solve(problem, 1, coloured, acceleration);
  answer natural = solve(problem, 1, forward, acceleration);
  double largest = 0.0;
  for (int threads = 2; threads <= most_threads; ++threads) {
    answer many = solve(problem, threads, coloured, acceleration);
    assert_memory_equal(many.z, one.z, bytes);
    assert_memory_equal(many.w, one.w, bytes);
    assert_int_equal(many.info.iterations, one.info.iterations);
    assert_true(many.info.residual == one.info.residual);
    check_certificate(problem, &many);
    answer_free(&many);
  }
  for (int i = 0; i < problem->n; ++i) largest = fmax(largest, fabs(natural.z[i]));
  assert_true(largest > 0.0);
  /* M of a cluster has a condition of some hundreds. */
  for (int i = 0; i < problem->n; ++i)
    if (!(fabs(one.z[i] - natural.z[i]) <= 1e-8 * largest))
      fail_msg("row %d: %.17g by colours, %.17g in order", i, one.z[i], natural.z[i]);
  answer_free(&one);
  answer_free(&natural);
}

/* One body has more contacts than colours have room for; many have few; and all between. */
static void test_clusters(void **unused) {
  (void)unused;
  static const int sizes[][2] = {{1, 2200}, {60, 40}, {700, 3}, {2, 1}};
  random_seed(71);
  for (size_t k = 0; k < sizeof sizes / sizeof *sizes; ++k)
    for (int acceleration = 0; acceleration <= 10; acceleration += 10) {
      clusters c;
      clusters_create(&c, sizes[k][0], sizes[k][1]);
      check_problem(&c.s.problem, acceleration);
      clusters_destroy(&c);
    }
}

/* Some contacts are no packs: cones without the shift, and rows that stand alone. */
static void test_mixed_sets(void **unused) {
  (void)unused;
  clusters c;
  random_seed(72);
  clusters_create(&c, 40, 50);
  for (int a = 0; a < c.b.ncontact; ++a) {
    if (a % 7 == 0) c.s.block[a].set = NSDS_SET_CONE;
    if (a % 11 == 0) c.s.block[a].set = NSDS_SET_NONNEGATIVE;
    if (a % 13 == 0) c.s.block[a].set = NSDS_SET_EQUALITY;
  }
  check_problem(&c.s.problem, 10.0);
  clusters_destroy(&c);
}

/* From a thousand contacts with friction on, and not before, the default is by colours. */
static void test_default_order(void **unused) {
  (void)unused;
  static const int clusters_of_ten[2] = {99, 100};
  random_seed(73);
  for (int k = 0; k < 2; ++k) {
    clusters c;
    clusters_create(&c, clusters_of_ten[k], 10);
    answer automatic = solve(&c.s.problem, 1, 0.0, 10.0);
    answer by_colours = solve(&c.s.problem, 1, coloured, 10.0);
    answer in_order = solve(&c.s.problem, 1, forward, 10.0);
    size_t bytes = (size_t)c.s.problem.n * sizeof(double);
    assert_true(memcmp(by_colours.z, in_order.z, bytes) != 0);
    assert_memory_equal(automatic.z, k == 0 ? in_order.z : by_colours.z, bytes);
    answer_free(&automatic);
    answer_free(&by_colours);
    answer_free(&in_order);
    clusters_destroy(&c);
  }
}

static void test_wrong_numbers(void **unused) {
  (void)unused;
  nsds_context *context = nsds_context_create(NULL);
  static const int wrong[] = {0, -1, 257};
  assert_int_equal(nsds_context_threads(context), 1);
  assert_int_equal(nsds_context_threads(NULL), 1);
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; ++k) {
    assert_status(nsds_context_set_threads(context, wrong[k]), NSDS_ERROR_VALUE);
    assert_non_null(strstr(nsds_error_message(context), "threads is"));
    assert_non_null(strstr(nsds_error_message(context), "1..256"));
    nsds_error_clear(context);
    assert_int_equal(nsds_context_threads(context), 1);
  }
  assert_status(nsds_context_set_threads(NULL, 2), NSDS_ERROR_ARGUMENT);
  nsds_context_destroy(context);
}

/* ---- whether sharing pays ---- */

/* Pieces that were shared, of so many that take so long where alone they take another time. */
static int pieces_shared(nsds_team *team, int count, double took, double alone) {
  int shared = 0;
  for (int k = 0; k < count; ++k) {
    if (!nsds_team_shares(team)) continue;
    nsds_team_judge(team, took, alone);
    ++shared;
  }
  return shared;
}

/* A neighbour takes a processor, and each piece waits for 4 ms; later it goes away again. */
static void test_team_gives_up(void **unused) {
  (void)unused;
  nsds_team team = {0};
  assert_int_equal(pieces_shared(&team, 1000000, 1e-5, 2e-5), 1000000);
  assert_in_range(pieces_shared(&team, 1000000, 4e-3, 2e-5), 1, 40);
  assert_true(pieces_shared(&team, 200000, 1e-5, 2e-5) > 100000);
  assert_int_equal(pieces_shared(&team, 1000, 1e-5, 2e-5), 1000);
}

/* Pieces so small that waiting takes longer than they do, among large ones that win. */
static void test_team_leaves_small_pieces(void **unused) {
  (void)unused;
  nsds_team team = {0};
  int small = 0, large = 0;
  for (int step = 0; step < 200; ++step) {
    large += pieces_shared(&team, 5, 1e-2, 2e-2);
    small += pieces_shared(&team, 1000, 2e-5, 1e-5);
  }
  assert_true(small < 200 * 1000 / 20);
  assert_true(large > 0);
}

/* A wait now and then is borne. */
static void test_team_bears_a_wait(void **unused) {
  (void)unused;
  nsds_team team = {0};
  int shared = 0;
  for (int k = 0; k < 100; ++k) {
    shared += pieces_shared(&team, 1000, 1e-5, 2e-5);
    shared += pieces_shared(&team, 1, 8e-4, 2e-5);
  }
  assert_int_equal(shared, 100 * 1001);
}

/* The first piece after a pause wakes threads, and is not held against them. */
static void test_team_wakes(void **unused) {
  (void)unused;
  nsds_team team = {.left = 1, .pause = 256};
  assert_int_equal(pieces_shared(&team, 1, 9e-4, 2e-5), 1);
  assert_true(team.excess == 0.0);
  assert_int_equal(pieces_shared(&team, 1000, 1e-5, 2e-5), 1000);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_clusters),          cmocka_unit_test(test_mixed_sets),
      cmocka_unit_test(test_default_order),     cmocka_unit_test(test_wrong_numbers),
      cmocka_unit_test(test_team_gives_up),     cmocka_unit_test(test_team_leaves_small_pieces),
      cmocka_unit_test(test_team_bears_a_wait), cmocka_unit_test(test_team_wakes)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
