/*
 * Contacts of sets are taken where the end of the step is expected: a body keeps its radius on a
 * turntable, a disc its circle in a ring; to the order of the scheme. Contacts of the start, and of
 * the middle, are there for those who ask.
 */
#include "support.h"

static const double g = 9.81, turning = 2.0;

static int turn(const nsds_arguments *in, double *out, void *user) {
  (void)in, (void)user;
  for (int k = 0; k < 5; ++k) out[k] = 0.0;
  out[5] = turning;
  return 0;
}

typedef struct turntable_scene {
  nsds_model *model;
  nsds_ds *body;
  nsds_simulation *simulation;
} turntable_scene;

/* A body that rides along at radius 0.8 for so many turns, where `def` says how. */
static turntable_scene build(const nsds_shape_def *rider, const nsds_time_stepping_def *def) {
  static const int all[] = {0, 1, 2, 3, 4, 5};
  static const double J[] = {[0] = 0.004, [4] = 0.004, [8] = 0.004};
  turntable_scene t = {.model = nsds_model_create(NULL)};
  nsds_ds *top =
      nsds_rigid_body(t.model, &(nsds_rigid_body_def){.mass = 100.0,
                                                      .inertia = J,
                                                      .q0 = (double[]){0, 0, -0.1, 1, 0, 0, 0},
                                                      .v0 = (double[]){0, 0, 0, 0, 0, turning},
                                                      .prescribed.n = 6,
                                                      .prescribed.index = all,
                                                      .prescribed.fn = turn});
  t.body = nsds_rigid_body(
      t.model, &(nsds_rigid_body_def){.mass = 1.0,
                                      .inertia = J,
                                      .q0 = (double[]){0.8, 0, 0.05, 1, 0, 0, 0},
                                      .v0 = (double[]){0, 0.8 * turning, 0, 0, 0, turning},
                                      .gravity = {0, 0, -g}});
  nsds_shape_def shape[] = {{.kind = NSDS_BOX, .ds = top, .half = {3, 3, 0.1}}, *rider};
  shape[1].ds = t.body;
  nsds_law *law =
      nsds_newton_impact_friction(t.model, &(nsds_newton_impact_friction_def){.mu = 0.5});
  nsds_shapes(t.model, &(nsds_shapes_def){.law = law, .nshape = 2, .shape = shape});
  t.simulation = nsds_time_stepping(t.model, def);
  assert_sound(t.model);
  return t;
}

/* The farthest from radius 0.8 in ten turns. */
static double drift(const nsds_shape_def *rider, double h, double gamma, bool at_start) {
  turntable_scene t =
      build(rider, &(nsds_time_stepping_def){.t1 = 20.0 * 3.14159265358979 / turning,
                                             .h = h,
                                             .second_order = nsds_moreau_jean(0.5, gamma),
                                             .contacts_at_start = at_start});
  double most = 0.0;
  nsds_status status;
  while ((status = nsds_step(t.simulation)) == NSDS_OK)
    most = fmax(most, fabs(hypot(nsds_q(t.body)[0], nsds_q(t.body)[1]) - 0.8));
  assert_status(t.model, status, NSDS_END);
  nsds_model_destroy(t.model);
  return most;
}

static const nsds_shape_def box = {.kind = NSDS_BOX, .half = {0.1, 0.1, 0.05}};

/* The recurrence of a point that moves with its contact has 1.0286 m, 0.9071 m and 0.8000008 m. */
static void turntable(void **state) {
  (void)state;
  static const double corner[] = {-0.1, -0.1, -0.05, 0.1, -0.1, -0.05, 0, 0.15, -0.05, 0, 0, 0.1};
  const nsds_shape_def pyramid = {.kind = NSDS_HULL, .nvertex = 4, .vertex = corner};
  assert_near(drift(&box, 2e-3, 1.0, true), 0.2286, 1e-4);
  assert_near(drift(&box, 2e-3, 0.5, false), 0.1071, 1e-3);
  double coarse = drift(&box, 4e-3, 1.0, false), fine = drift(&box, 2e-3, 1.0, false);
  assert_true(fine < 3e-5);
  assert_true(coarse / fine > 3.5);
  assert_true(drift(&pyramid, 2e-3, 1.0, false) < 1e-3);
}

static int pull(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  for (int k = 0; k < 3; ++k) out[k] = -20.0 * in->q[k];
  return 0;
}

static int pull_q(const nsds_arguments *in, double *out, void *user) {
  (void)in, (void)user;
  for (int k = 0; k < 3; ++k) out[4 * k] = -20.0;
  return 0;
}

/* A ball that a spring pulls on another one slides around it without friction; how far it leaves
 * the distance of 1.1 in 20 s. */
static double orbit(bool spheres, double e, double h, bool at_start) {
  static const double J[] = {[0] = 0.004, [4] = 0.004, [8] = 0.004};
  nsds_model *m = nsds_model_create(NULL);
  nsds_ds *ds[2];
  for (int k = 0; k < 2; ++k)
    ds[k] = nsds_rigid_body(
        m, &(nsds_rigid_body_def){.mass = k ? 1.0 : 1e12,
                                  .inertia = J,
                                  .q0 = (double[]){k ? 1.1 : 0.0, 0, 0, 1, 0, 0, 0},
                                  .v0 = (double[]){0, k ? 0.8 : 0.0, k ? 0.6 : 0.0, 0, 0, 0},
                                  .force.fn = k ? pull : NULL,
                                  .force.jac_q_fn = k ? pull_q : NULL,
                                  .force.jac_v_fn = k ? nsds_zero : NULL});
  nsds_law *law = nsds_newton_impact(m, e);
  const double radius[] = {1.0, 0.1};
  const nsds_shape_def shape[] = {{.kind = NSDS_SPHERE, .ds = ds[0], .radius = 1.0},
                                  {.kind = NSDS_SPHERE, .ds = ds[1], .radius = 0.1}};
  if (spheres)
    nsds_spheres(m, &(nsds_spheres_def){.law = law, .count = 2, .ds = ds, .radii = radius});
  else nsds_shapes(m, &(nsds_shapes_def){.law = law, .nshape = 2, .shape = shape});
  nsds_simulation *s = nsds_time_stepping(
      m, &(nsds_time_stepping_def){.t1 = 20.0, .h = h, .contacts_at_start = at_start});
  assert_sound(m);
  double most = 0.0;
  while (nsds_step(s) == NSDS_OK) {
    const double *q = nsds_q(ds[1]);
    most = fmax(most, fabs(sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2]) - 1.1));
  }
  assert_sound(m);
  nsds_model_destroy(m);
  return most;
}

static void orbits(void **state) {
  (void)state;
  for (int spheres = 0; spheres < 2; ++spheres)
    for (int k = 0; k < 2; ++k) {
      double e = 0.5 * k, coarse = orbit(spheres, e, 4e-3, false),
             fine = orbit(spheres, e, 2e-3, false);
      print_message("             order %.2f, %.1e m\n", log2(coarse / fine), fine);
      assert_true(fine < 2e-4);
      assert_true(coarse / fine > 3.5);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(turntable),
      cmocka_unit_test(orbits),
  };
  return cmocka_run_group_tests_name("kernel.contact_sets_end", tests, NULL, NULL);
}
