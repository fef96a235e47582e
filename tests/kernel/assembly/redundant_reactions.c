/*
 * Reactions that the motion does not determine: tables with many legs, bodies pinched at more points
 * than they need. Both drivers take those of least squares.
 */
#include "support.h"

#include <nsds/event_driven.h>
#include <nsds/joint.h>
#include <nsds/rigid_body.h>
#include <nsds/shapes.h>

static const double g = 9.81, pi = 3.14159265358979323846;
static const double ball[9] = {[0] = 0.1, [4] = 0.1, [8] = 0.1};

typedef struct legged {
  nsds_model *model;
  nsds_ds *ds;
  nsds_interaction *leg[12];
  nsds_simulation *simulation;
} legged;

/* A table of 1 kg on `count` legs at angles and radii, made in the order (k step) mod count. */
static legged table_on(int count, int step, double mu, const double *angle, const double *radius,
                       const double *v) {
  legged t = {.model = nsds_model_create(NULL)};
  t.ds = nsds_rigid_body(t.model, &(nsds_rigid_body_def){.mass = 1.0,
                                                         .inertia = ball,
                                                         .q0 = (double[]){0, 0, 0.2, 1, 0, 0, 0},
                                                         .v0 = v,
                                                         .gravity = {0, 0, -g}});
  nsds_law *law =
      nsds_newton_impact_friction(t.model, &(nsds_newton_impact_friction_def){.mu = mu});
  for (int k = 0; k < count; ++k) {
    int i = k * step % count;
    nsds_sphere_plane_relation_def foot = {
        .center = {radius[i] * cos(angle[i]), radius[i] * sin(angle[i]), -0.2},
        .normal = {0, 0, 1}};
    t.leg[i] = nsds_connect(t.model, nsds_sphere_plane_relation(t.model, &foot), law, 1, &t.ds);
  }
  assert_sound(t.model);
  return t;
}

static void drive(legged *t, bool events, double t1, double h) {
  t->simulation = events
                      ? nsds_event_driven(t->model, &(nsds_event_driven_def){.t1 = t1})
                      : nsds_time_stepping(t->model, &(nsds_time_stepping_def){.t1 = t1, .h = h});
  assert_sound(t->model);
  assert_status(t->model, nsds_run(t->simulation), NSDS_END);
}

/* On the corners of a regular polygon: the load in equal parts, at rest and sliding along. */
static void equal_legs(void **state) {
  (void)state;
  const int counts[] = {4, 5, 6, 12};
  for (int c = 0; c < 4; ++c)
    for (int trial = 0; trial < 8; ++trial) {
      int count = counts[c];
      bool events = trial % 2, slides = trial & 2;
      double mu = trial & 4 ? 0.5 : 0.0, angle[12], radius[12];
      for (int k = 0; k < count; ++k) angle[k] = 2.0 * pi * k / count + 0.3, radius[k] = 0.5;
      if (slides && mu > 0.0) continue; /* the load tilts forward */
      legged t =
          table_on(count, 1, mu, angle, radius, (double[]){slides ? 1.0 : 0.0, 0, 0, 0, 0, 0});
      drive(&t, events, 0.1, 1e-3);
      for (int k = 0; k < count; ++k) assert_near(nsds_lambda(t.leg[k])[0] * count / g, 1.0, 1e-12);
      nsds_model_destroy(t.model);
    }
}

/* Four rough feet that slide and turn until they stop together, at a place that least squares
 * decide: from an integration of the three equations of motion with the forces of least squares. */
static void rough_feet(void **state) {
  (void)state;
  double angle[4], radius[4];
  const double v[6] = {1.0, 0.3, 0, 0, 0, -1.0}, end[3] = {0.11024, 0.03774, -0.1187};
  for (int k = 0; k < 4; ++k) angle[k] = 2.0 * pi * k / 4 + 0.3, radius[k] = 0.4 * (1.0 + 0.2 * k);
  for (int trial = 0; trial < 3; ++trial) {
    legged t = table_on(4, 1, 0.5, angle, radius, v);
    drive(&t, trial == 0, 0.4, trial == 1 ? 1e-3 : 1e-4);
    const double *q = nsds_q(t.ds);
    double tolerance = trial == 0 ? 1e-5 : trial == 1 ? 0.03 : 1e-4;
    assert_near(q[0], end[0], tolerance);
    assert_near(q[1], end[1], tolerance);
    assert_near(2.0 * atan2(q[6], q[3]), end[2], 3.0 * tolerance + 3e-5);
    nsds_model_destroy(t.model);
  }
}

/* The order of interactions says nothing. */
static void permuted(void **state) {
  (void)state;
  double angle[7], radius[7], q[7];
  const double v[6] = {1.0, 0.3, 0, 0, 0, -1.0};
  for (int k = 0; k < 7; ++k) angle[k] = 0.8 * k + 0.1 * k * k, radius[k] = 0.3 + 0.05 * k;
  for (int events = 0; events < 2; ++events)
    for (int step = 1; step < 7; ++step) {
      legged t = table_on(7, step, 0.4, angle, radius, v);
      drive(&t, events, 0.15, 1e-3);
      for (int i = 0; i < 7; ++i) {
        if (step == 1) q[i] = nsds_q(t.ds)[i];
        assert_near(nsds_q(t.ds)[i], q[i], events ? 1e-9 : 1e-12);
      }
      nsds_model_destroy(t.model);
    }
}

/* A capsule between two boxes on rails that are pushed together slips down without turning. */
static void pinched_capsule(void **state) {
  (void)state;
  nsds_model *m = nsds_model_create(NULL);
  nsds_ds *jaw[2];
  const double half = 0.02, radius = 0.004, J[9] = {[0] = 1e-3, [4] = 1e-3, [8] = 1e-3};
  nsds_shape_def shape[3];
  for (int k = 0; k < 2; ++k) {
    double side = k == 0 ? -1.0 : 1.0;
    jaw[k] = nsds_rigid_body(
        m, &(nsds_rigid_body_def){.mass = 0.5,
                                  .inertia = J,
                                  .q0 = (double[]){side * (half + radius), 0, 0, 1, 0, 0, 0},
                                  .gravity = {-side * 20.0, 0, 0}});
    nsds_joint_def rail = {.kind = NSDS_JOINT_PRISMATIC, .ds = {jaw[k]}, .axis = {1, 0, 0}};
    nsds_connect(m, nsds_joint(m, &rail), nsds_equality(m), 1, &jaw[k]);
    shape[k] = (nsds_shape_def){.kind = NSDS_BOX, .ds = jaw[k], .half = {half, 0.05, 0.05}};
  }
  const double s = sqrt(0.5); /* its axis along y */
  nsds_ds *capsule = nsds_rigid_body(
      m,
      &(nsds_rigid_body_def){
          .mass = 2.0, .inertia = J, .q0 = (double[]){0, 0, 0, s, 0, 0, s}, .gravity = {0, 0, -g}});
  shape[2] =
      (nsds_shape_def){.kind = NSDS_CAPSULE, .ds = capsule, .radius = radius, .half = {0.01}};
  nsds_shapes(m, &(nsds_shapes_def){.law = nsds_newton_impact_friction(
                                        m, &(nsds_newton_impact_friction_def){.mu = 0.7}),
                                    .nshape = 3,
                                    .shape = shape});
  assert_sound(m);
  nsds_simulation *sim = nsds_time_stepping(m, &(nsds_time_stepping_def){.t1 = 0.05, .h = 1e-3});
  assert_sound(m);
  assert_status(m, nsds_run(sim), NSDS_END);
  double a = g - 2.0 * 0.7 * 10.0 / 2.0;
  assert_near(nsds_v(capsule)[2], -a * 0.05, 2e-3);
  for (int i = 3; i < 6; ++i) assert_near(nsds_v(capsule)[i], 0.0, 1e-9);
  assert_near(fabs(nsds_q(capsule)[3]), s, 1e-9);
  nsds_model_destroy(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(equal_legs),
      cmocka_unit_test(rough_feet),
      cmocka_unit_test(permuted),
      cmocka_unit_test(pinched_capsule),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
