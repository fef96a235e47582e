/*
 * Gears: ratios and accelerations of closed forms, on the world and on a carrier that turns, on
 * axes across each other, over hundreds of turns, by both drivers.
 */
#include "support.h"

static const double J[9] = {[0] = 0.02, [4] = 0.02, [8] = 0.03};

typedef struct train {
  nsds_model *m;
  nsds_ds *ds[3];
  nsds_interaction *hinge[3], *gear;
  double moment; /* on the first body about its z axis */
} train;

static int push(const nsds_arguments *in, double *out, void *user) {
  (void)in;
  out[2] = ((const train *)user)->moment;
  return 0;
}

/* Body k about an axis through x; on the world or on another body. */
static void bear(train *t, int k, const double *x, const double *axis, nsds_ds *on) {
  double half = 0.5 * atan2(hypot(axis[0], axis[1]), axis[2]), s = sin(half);
  double across = hypot(axis[0], axis[1]) > 0.0 ? hypot(axis[0], axis[1]) : 1.0;
  const double q[7] = {x[0], x[1], x[2], cos(half), -s * axis[1] / across, s * axis[0] / across, 0};
  t->ds[k] =
      nsds_rigid_body(t->m, &(nsds_rigid_body_def){.mass = 1.0 + k,
                                                   .inertia = J,
                                                   .q0 = q,
                                                   .moment.fn = k == 0 ? push : NULL,
                                                   .moment.jac_q_fn = k == 0 ? nsds_zero : NULL,
                                                   .moment.jac_v_fn = k == 0 ? nsds_zero : NULL,
                                                   .user = t});
  nsds_joint_def def = {.kind = NSDS_JOINT_HINGE,
                        .ds = {t->ds[k], on},
                        .point = {x[0], x[1], x[2]},
                        .axis = {axis[0], axis[1], axis[2]}};
  t->hinge[k] = nsds_connect(t->m, nsds_joint(t->m, &def), nsds_equality(t->m), on ? 2 : 1, def.ds);
}

static double speed(const train *t, int k) {
  nsds_joint_motion motion;
  assert_ok(t->m, nsds_joint_read(t->hinge[k], &motion));
  return motion.angular_velocity;
}

/* Two gears on the world, on parallel axes or on ones across each other, of outer or inner teeth:
 * (J_1 + (z_1/z_2)^2 J_2) a_1 = moment, w_2 = -s z_1/z_2 w_1, for hundreds of turns. */
static void two_gears(void **state) {
  const bool events = *state != NULL;
  for (int bevel = 0; bevel < 2; ++bevel)
    for (int inner = 0; inner < 2; ++inner) {
      train t = {.m = nsds_model_create(NULL), .moment = 0.5};
      const double up[3] = {0, 0, 1}, side[3] = {0.8, 0, 0.6};
      bear(&t, 0, (const double[]){0, 0, 0}, up, NULL);
      bear(&t, 1, (const double[]){0.3, 0.1, 0}, bevel ? side : up, NULL);
      nsds_joint_def def = {.kind = NSDS_JOINT_GEAR,
                            .ds = {t.ds[0], t.ds[1]},
                            .axis = {0, 0, 1},
                            .other_axis = {side[0], side[1], side[2]},
                            .teeth = {34, 21},
                            .reversed = inner};
      if (!bevel) memset(def.other_axis, 0, sizeof def.other_axis);
      t.gear = nsds_connect(t.m, nsds_joint(t.m, &def), nsds_equality(t.m), 2, def.ds);
      const double ratio = (inner ? 1.0 : -1.0) * 34.0 / 21.0;
      const double a = t.moment / (J[8] + ratio * ratio * J[8]), t1 = events ? 2.0 : 12.0;
      nsds_simulation *s =
          events ? nsds_event_driven(t.m, &(nsds_event_driven_def){.t1 = t1, .output_period = 0.1})
                 : nsds_time_stepping(t.m, &(nsds_time_stepping_def){.t1 = t1, .h = 1e-3});
      assert_sound(t.m);
      while (nsds_step(s) == NSDS_OK) {
        double w = a * nsds_time(s);
        assert_near(speed(&t, 0), w, 1e-7 * (1.0 + w));
        assert_near(speed(&t, 1), ratio * w, 1e-7 * (1.0 + w));
        assert_near(nsds_y(t.gear)[0], 0.0, 1e-8);
        /* the moment that the teeth hand to the first gear */
        assert_near(nsds_lambda(t.gear)[0], J[8] * a - t.moment, 1e-5);
      }
      assert_sound(t.m);
      if (!events) assert_true(0.5 * a * t1 * t1 > 300.0); /* rad */
      nsds_model_destroy(t.m);
    }
}

/* A sun in the middle, an arm about the same axis, a planet on the arm that rolls inside a ring
 * that stands still: w_arm = w_sun z_s / (z_s + z_r), w_planet = w_arm (1 - z_r / z_p). */
static void planetary(void **state) {
  (void)state;
  enum { sun, arm, planet };
  const int z_sun = 24, z_planet = 18, z_ring = 60;
  const double up[3] = {0, 0, 1};
  train t = {.m = nsds_model_create(NULL), .moment = 0.3};
  bear(&t, sun, (const double[]){0, 0, 0}, up, NULL);
  bear(&t, arm, (const double[]){0, 0, 0}, up, NULL);
  bear(&t, planet, (const double[]){0.4, 0, 0}, up, t.ds[arm]);
  nsds_law *law = nsds_equality(t.m);
  nsds_joint_def inner = {.kind = NSDS_JOINT_GEAR,
                          .ds = {t.ds[planet], NULL, t.ds[arm]},
                          .axis = {0, 0, 1},
                          .teeth = {z_planet, z_ring},
                          .reversed = true};
  nsds_joint_def outer = {.kind = NSDS_JOINT_GEAR,
                          .ds = {t.ds[sun], t.ds[planet], t.ds[arm]},
                          .axis = {0, 0, 1},
                          .teeth = {z_sun, z_planet}};
  nsds_interaction *in =
      nsds_connect(t.m, nsds_joint(t.m, &inner), law, 2, (nsds_ds *[]){t.ds[planet], t.ds[arm]});
  nsds_interaction *out = nsds_connect(t.m, nsds_joint(t.m, &outer), law, 3, outer.ds);
  nsds_simulation *s = nsds_time_stepping(
      t.m, &(nsds_time_stepping_def){.t1 = 10.0,
                                     .h = 1e-3,
                                     .second_order = nsds_moreau_jean(0.5, 0.5),
                                     .projection = {.kind = NSDS_PROJECTION_DIRECT}});
  assert_sound(t.m);
  /* energy by w_sun: the planet, of 3 kg, 0.4 m off, goes round with the arm */
  const double w_arm = (double)z_sun / (z_sun + z_ring);
  const double w_planet = w_arm * (1.0 - (double)z_ring / z_planet);
  const double mass =
      J[8] * (1.0 + w_arm * w_arm + w_planet * w_planet) + 3.0 * 0.16 * w_arm * w_arm;
  while (nsds_step(s) == NSDS_OK) {
    double w = t.moment / mass * nsds_time(s);
    assert_near(speed(&t, arm), w_arm * speed(&t, sun), 1e-6 * (1.0 + w));
    assert_near(nsds_v(t.ds[planet])[5], w_planet * speed(&t, sun), 1e-6 * (1.0 + w));
    /* a mass that an arm leads round loses less than (w h)^2 / 2 of its speed a step */
    double lost = 0.5 * 1e-3 * w_arm * w_arm * w * w * nsds_time(s) / 3.0;
    assert_near(speed(&t, sun), w, (lost + 1e-6) * w);
    assert_near(nsds_y(in)[0], 0.0, 1e-10);
    assert_near(nsds_y(out)[0], 0.0, 1e-10);
  }
  assert_sound(t.m);
  nsds_model_destroy(t.m);
}

/* In the plane, with projection: 1e5 steps, the ratio one of large numbers. */
static void in_the_plane(void **state) {
  (void)state;
  nsds_model *m = nsds_model_create(NULL);
  nsds_ds *ds[2];
  nsds_interaction *ia[3];
  nsds_law *law = nsds_equality(m);
  for (int k = 0; k < 2; ++k) {
    ds[k] = nsds_rigid_body_2d(m, &(nsds_rigid_body_2d_def){.mass = 1.0,
                                                            .inertia = 0.1,
                                                            .q0 = (const double[]){k, 0.1, 0.2 * k},
                                                            .v0 = (const double[]){0, 0, 7.0 * !k},
                                                            .gravity = {0, -9.81}});
    nsds_joint_def def = {.kind = NSDS_JOINT_HINGE, .ds = {ds[k]}, .point = {1.3 * k, 0}};
    ia[k] = nsds_connect(m, nsds_joint(m, &def), law, 1, &ds[k]);
  }
  nsds_joint_def def = {
      .kind = NSDS_JOINT_GEAR, .ds = {ds[0], ds[1]}, .teeth = {1618, 2000}, .reversed = true};
  ia[2] = nsds_connect(m, nsds_joint(m, &def), law, 2, ds);
  nsds_simulation *s = nsds_time_stepping(
      m, &(nsds_time_stepping_def){
             .t1 = 100.0, .h = 1e-3, .projection = {.kind = NSDS_PROJECTION_DIRECT}});
  assert_sound(m);
  double largest = 0.0;
  while (nsds_step(s) == NSDS_OK)
    for (int k = 0; k < 3; ++k)
      for (int i = 0; i < nsds_interaction_size(ia[k]); ++i)
        largest = worse(largest, fabs(nsds_y(ia[k])[i]));
  assert_sound(m);
  assert_int_equal(nsds_step_count(s), 100000);
  print_message("             violation %.1e\n", largest);
  assert_between(largest, 0.0, 1e-10);
  /* whole turns: the angles themselves, which go on, have the ratio */
  double turned = nsds_q(ds[0])[2], other = nsds_q(ds[1])[2] - 0.2;
  assert_near(1618.0 * turned - 2000.0 * other, 0.0, 1e-6);
  nsds_model_destroy(m);
}

int main(void) {
  static bool yes = true;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(two_gears),
      cmocka_unit_test_prestate(two_gears, &yes),
      cmocka_unit_test(planetary),
      cmocka_unit_test(in_the_plane),
  };
  return cmocka_run_group_tests_name("kernel.gears", tests, NULL, NULL);
}
