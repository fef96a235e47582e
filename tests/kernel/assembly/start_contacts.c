/*
 * Warnings at the start of a run: of contacts that overlap deeply, and of contacts between bodies that a joint holds
 * together. Models without these mistakes run without a word.
 */
#include "support.h"

#include <nsds/joint.h>
#include <nsds/rigid_body.h>
#include <nsds/shapes.h>

#include <stdio.h>

enum { drawn = 300 };

typedef struct heard {
  int warnings;
  char last[600];
} heard;

static void hear(nsds_log_level level, const char *message, void *user) {
  heard *h = user;
  if (level != NSDS_LOG_WARNING) return;
  ++h->warnings;
  snprintf(h->last, sizeof h->last, "%s", message);
}

/* A mass over a stop at zero, with so much between them. */
static nsds_model *follower(nsds_context *context, double gap) {
  nsds_model *m = nsds_model_create(context);
  double mass = 0.5, force = -20.0, H = 1.0;
  nsds_ds *ds = nsds_lagrangian_linear(
      m, &(nsds_lagrangian_linear_def){
             .ndof = 1, .q0 = &gap, .mass = &mass, .fext = &force, .name = "follower"});
  nsds_relation *r = nsds_lagrangian_linear_relation(
      m, &(nsds_lagrangian_linear_relation_def){.ny = 1, .nq = 1, .H = &H});
  nsds_connect(m, r, nsds_newton_impact(m, 0.0), 1, &ds);
  return m;
}

static void a_follower_inside_its_cam(void **state) {
  (void)state;
  for (int driver = 0; driver < 3; ++driver)
    for (int deep = 0; deep < 2; ++deep) {
      heard h = {0};
      nsds_context *context = nsds_context_create(&(nsds_context_def){.log = hear, .log_user = &h});
      nsds_model *m = follower(context, deep ? -0.005 : 0.0);
      bool rattle = driver == 2;
      nsds_time_stepping_def steps = {.t1 = 0.1, .h = 1e-2};
      if (rattle) steps.second_order = nsds_rattle();
      nsds_simulation *s = driver == 1 ? nsds_event_driven(m, &(nsds_event_driven_def){.t1 = 0.1})
                                       : nsds_time_stepping(m, &steps);
      assert_status(m, nsds_run(s), NSDS_END);
      assert_int_equal(h.warnings, deep);
      if (deep) assert_non_null(strstr(h.last, "'follower'"));
      if (deep) assert_non_null(strstr(h.last, "overlaps by 0.005 at the start"));
      if (deep)
        assert_true(rattle == (strstr(h.last, "the first step moves its systems apart") != NULL));
      assert_true(!rattle || nsds_y(nsds_interaction_at(m, 0))[0] >= -1e-12);
      nsds_model_destroy(m);
      nsds_context_destroy(context);
    }
}

/* Two capsules in line, which touch where a ball joint connects them. */
static void capsules_that_touch_in_their_joint(void **state) {
  (void)state;
  for (int group = 0; group < 2; ++group) {
    heard h = {0};
    nsds_context *context = nsds_context_create(&(nsds_context_def){.log = hear, .log_user = &h});
    nsds_model *m = nsds_model_create(context);
    const double J[9] = {[0] = 1e-3, [4] = 1e-3, [8] = 1e-3};
    nsds_ds *ds[2];
    nsds_shape_def shape[2];
    for (int k = 0; k < 2; ++k) {
      const double q[7] = {0.2 * k, 0, 0, 1};
      ds[k] = nsds_rigid_body(m, &(nsds_rigid_body_def){.mass = 1.0, .inertia = J, .q0 = q});
      shape[k] = (nsds_shape_def){
          .kind = NSDS_CAPSULE, .ds = ds[k], .half = {0.08}, .radius = 0.02, .group = group};
    }
    nsds_connect(m,
                 nsds_joint(m, &(nsds_joint_def){.kind = NSDS_JOINT_BALL,
                                                 .ds = {ds[0], ds[1]},
                                                 .point = {0.1, 0, 0}}),
                 nsds_equality(m), 2, ds);
    nsds_material material = {.mu = 0.4};
    nsds_shapes(
        m, &(nsds_shapes_def){.nmaterial = 1, .material = &material, .nshape = 2, .shape = shape});
    nsds_simulation *s = nsds_time_stepping(m, &(nsds_time_stepping_def){.t1 = 0.01, .h = 1e-3});
    assert_status(m, nsds_run(s), NSDS_END);
    assert_int_equal(h.warnings, !group);
    if (!group) assert_non_null(strstr(h.last, "holds them together"));
    nsds_model_destroy(m);
    nsds_context_destroy(context);
  }
}

/* Balls over a ground, a few of them inside, at any scale and place in the plane. */
static void drawn_balls(void **state) {
  (void)state;
  uint64_t seed = 11;
  for (int k = 0; k < drawn; ++k) {
    heard h = {0};
    nsds_context *context = nsds_context_create(&(nsds_context_def){.log = hear, .log_user = &h});
    nsds_model *m = nsds_model_create(context);
    double size = pow(10.0, random_in(&seed, -3.0, 1.0)),
           mass = pow(10.0, random_in(&seed, -2.0, 2.0));
    double depth = random_in(&seed, 0.0, 2.0) < 1.0 ? random_in(&seed, 0.02, 0.9)
                                                    : -random_in(&seed, 0.0, 0.9);
    const double J[9] = {
        [0] = mass * size * size, [4] = mass * size * size, [8] = mass * size * size};
    const double q[7] = {random_in(&seed, -9.0, 9.0) * size, random_in(&seed, -9.0, 9.0) * size,
                         size * (1.0 - depth), 1};
    nsds_ds *ds = nsds_rigid_body(
        m, &(nsds_rigid_body_def){.mass = mass, .inertia = J, .q0 = q, .gravity = {0, 0, -9.81}});
    const nsds_material material = {.mu = random_in(&seed, 0.0, 1.0)};
    const nsds_shape_def shape[] = {{.kind = NSDS_SPHERE, .ds = ds, .radius = size},
                                    {.kind = NSDS_HALF_SPACE, .plane = {{0, 0, 1}, 0.0}}};
    nsds_shapes(
        m, &(nsds_shapes_def){.nmaterial = 1, .material = &material, .nshape = 2, .shape = shape});
    double h0 = 1e-2 * sqrt(size / 9.81);
    nsds_simulation *s = nsds_time_stepping(
        m, &(nsds_time_stepping_def){
               .t1 = 20.0 * h0, .h = h0, .projection = {.kind = (nsds_projection_kind)(k % 3)}});
    assert_status(m, nsds_run(s), NSDS_END);
    if (h.warnings != (depth > 0.0))
      fail_msg("model %d, depth %g: %d warnings", k, depth, h.warnings);
    nsds_model_destroy(m);
    nsds_context_destroy(context);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_follower_inside_its_cam),
                                     cmocka_unit_test(capsules_that_touch_in_their_joint),
                                     cmocka_unit_test(drawn_balls)};
  return cmocka_run_group_tests_name("kernel.start_contacts", tests, NULL, NULL);
}
