/*
 * A pile of spheres whose work is shared among threads: the same bits for any number of them, step
 * by step, of positions, velocities, contacts and impulses; the errors of one thread; functions of
 * the program in its own thread alone.
 */
#include "support.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef NSDS_TEST_STEPS
#define NSDS_TEST_STEPS 100 /* fewer where a sanitizer looks at every access */
#endif

enum { edge = 8, count = edge * edge * edge, steps = NSDS_TEST_STEPS, most_threads = 4 };

static nsds_verdict take(nsds_simulation *simulation, const nsds_solver_info *info, void *user) {
  (void)simulation, (void)info, (void)user;
  return NSDS_ACCEPT;
}

typedef struct pile {
  nsds_model *model;
  nsds_ds *ds[count + 1];
  nsds_contact_set *set;
  nsds_simulation *simulation;
} pile;

/* What is not the library's own in a pile: NULL and 0 where all is. */
typedef struct variant {
  nsds_law *(*law)(nsds_model *model);
  nsds_operator force;
  int max_contacts;
} variant;

static nsds_law *friction(nsds_model *model) {
  return nsds_newton_impact_friction(model, &(nsds_newton_impact_friction_def){.mu = 0.3});
}

/* Spheres that touch from the start, pushed aside, and one as large as many of them. */
static void build(pile *p, int threads, const variant *v) {
  double radii[count + 1];
  uint64_t seed = 5;
  p->model = nsds_model_create(NULL);
  for (int k = 0; k <= count; ++k) {
    bool large = k == count;
    const int c[3] = {k % edge, k / edge % edge, k / edge / edge};
    double r = large ? 0.5 * edge : 0.5, m = large ? 100.0 : 1.0, J = 0.4 * m * r * r;
    double q[7] = {0.5 * edge, 0.5 * edge, 1.5 * edge, 1.0, 0.0, 0.0, 0.0};
    for (int i = 0; !large && i < 3; ++i) q[i] = c[i] + 0.5 + random_in(&seed, -1e-3, 1e-3);
    radii[k] = r;
    p->ds[k] = nsds_rigid_body(
        p->model, &(nsds_rigid_body_def){.mass = m,
                                         .inertia = (double[9]){J, 0, 0, 0, J, 0, 0, 0, J},
                                         .q0 = q,
                                         .v0 = (double[6]){0.3, 0.1 * c[2], large ? -2.0 : 0.0},
                                         .gravity = {0.0, 0.0, -9.81},
                                         .force.fn = k % 3 == 0 ? v->force : NULL,
                                         .explicit_gyroscopic = true});
  }
  const nsds_plane floor = {{0.0, 0.0, 1.0}, 0.0};
  p->set = nsds_spheres(p->model, &(nsds_spheres_def){.law = (v->law ? v->law : friction)(p->model),
                                                      .count = count + 1,
                                                      .ds = p->ds,
                                                      .radii = radii,
                                                      .nplane = 1,
                                                      .plane = &floor,
                                                      .max_contacts = v->max_contacts});
  assert_ok(p->model, nsds_context_set_threads(nsds_model_context(p->model), threads));
  p->simulation = nsds_time_stepping(
      p->model,
      &(nsds_time_stepping_def){
          .t1 = 1e3, .h = 5e-3, .solver = "nsgs", .tolerance = 1e-6, .check_solver = take});
  assert_sound(p->model);
  nsds_solver_set(nsds_simulation_solver(p->simulation), "max_iterations", 25.0);
}

static uint64_t hash_of(const pile *p) {
  uint64_t hash = state_hash(p->model, (uint64_t)nsds_contact_set_count(p->set));
  for (int c = 0; c < nsds_contact_set_count(p->set); ++c) {
    nsds_contact_info info;
    assert_ok(p->model, nsds_contact_set_get(p->set, c, &info));
    hash = (hash ^ info.key) * UINT64_C(0x9E3779B97F4A7C15);
    for (int i = 0; i < 3; ++i) {
      uint64_t bits[3];
      memcpy(&bits[0], &info.impulse[i], sizeof bits[0]);
      memcpy(&bits[1], &info.y[i], sizeof bits[1]);
      memcpy(&bits[2], &info.ydot[i], sizeof bits[2]);
      for (int k = 0; k < 3; ++k) hash = (hash ^ bits[k]) * UINT64_C(0x9E3779B97F4A7C15);
    }
  }
  return hash;
}

/* Hashes after every step. */
static void simulate(int threads, uint64_t *hash) {
  pile *p = calloc(1, sizeof *p);
  build(p, threads, &(variant){.max_contacts = 0});
  for (int k = 0; k < steps; ++k) {
    assert_ok(p->model, nsds_step(p->simulation));
    assert_true(nsds_contact_set_count(p->set) > 1000); /* by colours */
    hash[k] = hash_of(p);
  }
  nsds_model_destroy(p->model);
  free(p);
}

static void the_number_of_threads_changes_no_bit(void **unused) {
  (void)unused;
  uint64_t one[steps], many[steps];
  simulate(1, one);
  assert_true(one[0] != one[1]);
  for (int threads = 2; threads <= most_threads; ++threads) {
    simulate(threads, many);
    for (int k = 0; k < steps; ++k)
      if (one[k] != many[k]) fail_msg("%d threads: other bits from step %d on", threads, k + 1);
  }
}

/* ---- errors ---- */

/* The step fails as it does with one thread, and leaves everything as it was. */
static void refuse(pile *p, nsds_status expected, const char *word, char *message) {
  uint64_t before = hash_of(p);
  assert_int_equal(nsds_step(p->simulation), expected);
  const char *said = nsds_error_message(nsds_model_context(p->model));
  assert_non_null(strstr(said, word));
  if (!message[0]) snprintf(message, 512, "%s", said);
  assert_string_equal(said, message);
  nsds_error_clear(nsds_model_context(p->model));
  assert_true(hash_of(p) == before);
}

/* Two pairs of spheres at one point, far from each other: the first is named. */
static void centres_at_one_point(void **unused) {
  (void)unused;
  char message[512] = "";
  uint64_t one = 0;
  for (int threads = 1; threads <= most_threads; ++threads) {
    pile *p = calloc(1, sizeof *p);
    double q[2][7];
    const int pair[2][2] = {{400, 401}, {150, 151}};
    build(p, threads, &(variant){.max_contacts = 0});
    for (int k = 0; k < 5; ++k) assert_ok(p->model, nsds_step(p->simulation));
    for (int k = 0; k < 2; ++k) {
      memcpy(q[k], nsds_q(p->ds[pair[k][0]]), sizeof q[k]);
      assert_ok(p->model, nsds_set_state(p->ds[pair[k][0]], nsds_q(p->ds[pair[k][1]]), NULL));
    }
    refuse(p, NSDS_ERROR_VALUE, "ds[150]", message);
    for (int k = 0; k < 2; ++k) assert_ok(p->model, nsds_set_state(p->ds[pair[k][0]], q[k], NULL));
    assert_ok(p->model, nsds_step(p->simulation));
    if (threads == 1) one = hash_of(p);
    assert_true(hash_of(p) == one);
    nsds_model_destroy(p->model);
    free(p);
  }
}

static void more_contacts_than_allowed(void **unused) {
  (void)unused;
  char message[512] = "";
  for (int threads = 1; threads <= most_threads; ++threads) {
    pile *p = calloc(1, sizeof *p);
    build(p, threads, &(variant){.max_contacts = 1000});
    refuse(p, NSDS_ERROR_VALUE, "more than max_contacts = 1000", message);
    nsds_model_destroy(p->model);
    free(p);
  }
}

/* ---- functions of the program ---- */

static pthread_t program;
static long calls, strange;

static void note_call(void) {
  ++calls;
  strange += !pthread_equal(pthread_self(), program);
}

static int push(const nsds_arguments *in, double *out, void *user) {
  (void)in, (void)user;
  note_call();
  out[0] = 0.1;
  return 0;
}

static void own_block(void *self, nsds_block *block) {
  (void)self;
  note_call();
  block->set = NSDS_SET_COULOMB;
  block->mu = 0.3;
}

static bool own_active(void *self, const double *y, const double *ydot, double tau, double slack) {
  (void)self;
  note_call();
  return y[0] + tau * ydot[0] <= slack;
}

static void own_restitution(void *self, const double *ydot, double *q) {
  (void)self;
  note_call();
  q[0] += 0.0 * ydot[0];
}

static const nsds_law_ops own_ops = {
    .type = "own", .block = own_block, .active = own_active, .restitution = own_restitution};

static nsds_law *own_law(nsds_model *model) {
  return nsds_custom_law(model, &(nsds_custom_law_def){.ops = &own_ops, .size = 3, .ngap = 1});
}

static void run_with_functions(const variant *v) {
  uint64_t one = 0;
  program = pthread_self();
  for (int threads = 1; threads <= most_threads; ++threads) {
    pile *p = calloc(1, sizeof *p);
    calls = strange = 0;
    build(p, threads, v);
    for (int k = 0; k < 5; ++k) assert_ok(p->model, nsds_step(p->simulation));
    assert_true(calls > 500);
    assert_true(strange == 0);
    if (threads == 1) one = hash_of(p);
    assert_true(hash_of(p) == one);
    nsds_model_destroy(p->model);
    free(p);
  }
}

static void functions_are_called_in_one_thread(void **unused) {
  (void)unused;
  run_with_functions(&(variant){.force = push});
  run_with_functions(&(variant){.law = own_law});
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_number_of_threads_changes_no_bit),
      cmocka_unit_test(centres_at_one_point),
      cmocka_unit_test(more_contacts_than_allowed),
      cmocka_unit_test(functions_are_called_in_one_thread),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
