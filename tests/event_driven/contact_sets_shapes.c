/*
 * Shapes in event-driven simulation: every vertex before half spaces beside interactions of corners,
 * balls and discs among each other, and closed forms.
 */
#include "support.h"

#include <nsds/rigid_body.h>
#include <nsds/shapes.h>

static const double g = 9.81;

static nsds_simulation *exact(nsds_model *model, double t1, double h) {
  nsds_simulation *s =
      nsds_event_driven(model, &(nsds_event_driven_def){.t1 = t1,
                                                        .output_period = h,
                                                        .relative_tolerance = 1e-12,
                                                        .absolute_tolerance = 1e-13,
                                                        .root_panels = 4});
  assert_sound(model);
  return s;
}

static nsds_ds *block(nsds_model *model, const double *x, const double *v) {
  const double J[9] = {[0] = 0.02, [4] = 0.03, [8] = 0.04};
  return nsds_rigid_body(model,
                         &(nsds_rigid_body_def){.mass = 1.0,
                                                .inertia = J,
                                                .q0 = (double[]){x[0], x[1], x[2], 1, 0, 0, 0},
                                                .v0 = v,
                                                .gravity = {0, 0, -g}});
}

static nsds_ds *block_2d(nsds_model *model, double mass, double inertia, const double *q,
                         const double *v, double gravity) {
  return nsds_rigid_body_2d(
      model, &(nsds_rigid_body_2d_def){
                 .mass = mass, .inertia = inertia, .q0 = q, .v0 = v, .gravity = {0, -gravity}});
}

/* A box that tumbles over a floor beside the same with a contact for each of its corners. */
static void box_on_a_floor(void **state) {
  (void)state;
  const double half[3] = {0.3, 0.2, 0.15};
  nsds_model *m[2];
  nsds_ds *ds[2];
  nsds_simulation *s[2];
  for (int k = 0; k < 2; ++k) {
    m[k] = nsds_model_create(NULL);
    ds[k] = block(m[k], (double[]){0, 0, 0.8}, (double[]){0.5, 0, 0, 3.0, -2.0, 1.0});
    nsds_law *law = nsds_newton_impact(m[k], 0.6);
    if (k == 0) {
      nsds_shape_def shape[2] = {
          {.kind = NSDS_BOX, .ds = ds[0], .half = {half[0], half[1], half[2]}},
          {.kind = NSDS_HALF_SPACE, .plane = {.normal = {0, 0, 1}}}};
      nsds_shapes(m[0], &(nsds_shapes_def){.law = law, .nshape = 2, .shape = shape, .reach = 0.05});
    }
    for (int c = 0; k == 1 && c < 8; ++c)
      nsds_connect(
          m[1],
          nsds_sphere_plane_relation(
              m[1], &(nsds_sphere_plane_relation_def){.rows = 1,
                                                      .center = {c & 1 ? half[0] : -half[0],
                                                                 c & 2 ? half[1] : -half[1],
                                                                 c & 4 ? half[2] : -half[2]},
                                                      .normal = {0, 0, 1}}),
          law, 1, &ds[1]);
    s[k] = exact(m[k], 0.9, 0.01);
  }
  for (int k = 1; k <= 90; ++k) {
    for (int j = 0; j < 2; ++j)
      while (nsds_time(s[j]) < 0.01 * k - 1e-9) assert_true(nsds_step(s[j]) >= 0);
    for (int c = 0; c < 7; ++c) assert_near(nsds_q(ds[0])[c], nsds_q(ds[1])[c], 1e-7);
  }
  assert_true(nsds_simulation_event(s[0])->nonsmooth > 3);
  assert_int_equal(nsds_simulation_event(s[0])->nonsmooth, nsds_simulation_event(s[1])->nonsmooth);
  for (int k = 0; k < 2; ++k) nsds_model_destroy(m[k]);
}

/* A rectangle on an incline sticks or slides with the right acceleration; in the plane. */
static void rectangle_on_an_incline(void **state) {
  (void)state;
  const double angle = 0.4;
  for (int slides = 0; slides < 2; ++slides) {
    double mu = slides ? 0.2 : 0.6;
    nsds_model *m = nsds_model_create(NULL);
    nsds_ds *ds = nsds_rigid_body_2d(
        m, &(nsds_rigid_body_2d_def){.mass = 2.0,
                                     .inertia = 0.05,
                                     .q0 = (double[]){0.0, 0.1, 0.0},
                                     .gravity = {g * sin(angle), -g * cos(angle)}});
    nsds_shape_def shape[2] = {{.kind = NSDS_BOX, .ds = ds, .half = {0.3, 0.1}},
                               {.kind = NSDS_HALF_SPACE, .plane = {.normal = {0, 1}}}};
    nsds_contact_set *set = nsds_shapes(
        m, &(nsds_shapes_def){.dimension = 2,
                              .law = nsds_newton_impact_friction(
                                  m, &(nsds_newton_impact_friction_def){.dimension = 2, .mu = mu}),
                              .nshape = 2,
                              .shape = shape});
    nsds_simulation *s = exact(m, 1.0, 0.0);
    assert_int_equal(nsds_run(s), NSDS_END);
    double a = slides ? g * (sin(angle) - mu * cos(angle)) : 0.0, normal = 0.0;
    assert_near(nsds_q(ds)[0], 0.5 * a, 1e-9);
    assert_near(nsds_q(ds)[1], 0.1, 1e-9);
    assert_near(nsds_v(ds)[2], 0.0, 1e-9);
    for (int k = 0; k < nsds_contact_set_count(set); ++k) {
      nsds_contact_info info;
      assert_ok(m, nsds_contact_set_get(set, k, &info));
      normal += info.force[0];
    }
    assert_near(normal, 2.0 * g * cos(angle), 1e-8);
    nsds_model_destroy(m);
  }
}

static double energy_of(nsds_ds *const *ds, int count) {
  double sum = 0.0;
  for (int i = 0; i < count; ++i) sum += nsds_kinetic_energy(ds[i]);
  return sum;
}

/* Discs that spin in a round of four walls, with bodies that have several: energy stays, nothing gets
 * into anything. */
static void discs_in_a_box(void **state) {
  (void)state;
  enum { n = 9 };
  nsds_model *m = nsds_model_create(NULL);
  nsds_ds *ds[n];
  nsds_shape_def shape[n + 4];
  uint64_t seed = 5;
  for (int i = 0; i < n; ++i) {
    double q[3] = {0.5 + i % 3, 0.5 + i / 3, 0.0},
           v[3] = {random_in(&seed, -2, 2), random_in(&seed, -2, 2), random_in(&seed, -5, 5)};
    ds[i] = block_2d(m, 1.0, 0.05, q, v, 0.0);
    shape[i] =
        (nsds_shape_def){.kind = NSDS_SPHERE, .ds = ds[i], .radius = 0.2, .position = {0.1, 0.0}};
  }
  for (int w = 0; w < 4; ++w) {
    shape[n + w] = (nsds_shape_def){.kind = NSDS_HALF_SPACE, .plane.offset = w < 2 ? 0.0 : -3.0};
    shape[n + w].plane.normal[w % 2] = w < 2 ? 1.0 : -1.0;
  }
  nsds_shapes(
      m, &(nsds_shapes_def){
             .dimension = 2, .law = nsds_newton_impact(m, 1.0), .nshape = n + 4, .shape = shape});
  nsds_simulation *s = exact(m, 3.0, 0.01);
  double energy = energy_of(ds, n);
  nsds_status status;
  while ((status = nsds_step(s)) == NSDS_OK) {
    assert_near(energy_of(ds, n), energy, 1e-9 * energy);
    double x[n][2];
    for (int i = 0; i < n; ++i) {
      const double *q = nsds_q(ds[i]);
      x[i][0] = q[0] + 0.1 * cos(q[2]);
      x[i][1] = q[1] + 0.1 * sin(q[2]);
      for (int k = 0; k < 2; ++k) assert_between(x[i][k], 0.2 - 1e-9, 2.8 + 1e-9);
      for (int j = 0; j < i; ++j)
        assert_true(hypot(x[i][0] - x[j][0], x[i][1] - x[j][1]) > 0.4 - 1e-9);
    }
  }
  assert_int_equal(status, NSDS_END);
  assert_true(nsds_simulation_event(s)->nonsmooth > 30);
  nsds_model_destroy(m);
}

/* A ball dropped on a fixed one leaves along the normal: mirrored at the tangent plane. */
static void ball_on_a_fixed_ball(void **state) {
  (void)state;
  for (int dimension = 2; dimension <= 3; ++dimension) {
    nsds_model *m = nsds_model_create(NULL);
    double side = 0.3, R = 0.5, lift = sqrt(R * R - side * side), v = 2.0;
    nsds_ds *ds =
        dimension == 2
            ? block_2d(m, 1.0, 0.1, (double[]){side, lift + 1.0, 0}, (double[]){0, -v, 0}, 0.0)
            : nsds_rigid_body(
                  m, &(nsds_rigid_body_def){.mass = 1.0,
                                            .inertia = (double[]){1, 0, 0, 0, 1, 0, 0, 0, 1},
                                            .q0 = (double[]){side, lift + 1.0, 0, 1, 0, 0, 0},
                                            .v0 = (double[]){0, -v, 0, 0, 0, 0}});
    nsds_shape_def shape[2] = {{.kind = NSDS_SPHERE, .ds = ds, .radius = 0.2},
                               {.kind = NSDS_SPHERE, .radius = 0.3}};
    nsds_shapes(m, &(nsds_shapes_def){.dimension = dimension,
                                      .law = nsds_newton_impact(m, 1.0),
                                      .nshape = 2,
                                      .shape = shape});
    nsds_simulation *s = exact(m, 1.0, 0.0);
    assert_int_equal(nsds_run(s), NSDS_END);
    double n[2] = {side / R, lift / R}, along = -v * n[1];
    assert_near(nsds_v(ds)[0], -2.0 * along * n[0], 1e-10);
    assert_near(nsds_v(ds)[1], -v - 2.0 * along * n[1], 1e-10);
    nsds_model_destroy(m);
  }
}

/* A rectangle before a segment in the plane was refused. Its corner strikes, without friction and restitution:
 * the impulse on the corner is that of a mass on an arm. With the segment taken away it goes on. */
static void a_rectangle_strikes_a_segment(void **state) {
  (void)state;
  nsds_model *m = nsds_model_create(NULL);
  const double J = 0.1, half = 0.1, turn = 0.3, v = 0.5, ends[] = {1, -1, 1, 1};
  const int face[] = {0, 1};
  nsds_ds *ds = block_2d(m, 1.0, J, (double[]){0, 0, turn}, (double[]){v, 0, 0}, 0.0);
  nsds_shape_def shape[2] = {
      {.kind = NSDS_TRIANGLES, .nvertex = 2, .vertex = ends, .nface = 1, .face = face},
      {.kind = NSDS_BOX, .ds = ds, .half = {half, half}}};
  nsds_contact_set *set = nsds_shapes(
      m, &(nsds_shapes_def){
             .dimension = 2, .law = nsds_newton_impact(m, 0.0), .nshape = 2, .shape = shape});
  nsds_simulation *s = exact(m, 3.0, 0.0);
  double ahead = half * (cos(turn) + sin(turn)), arm = half * (sin(turn) - cos(turn));
  double impulse = v / (1.0 + arm * arm / J);
  while (nsds_v(ds)[2] == 0.0) assert_ok(m, nsds_step(s));
  assert_near(nsds_time(s), (1.0 - ahead) / v, 1e-12);
  assert_near(nsds_v(ds)[0], v - impulse, 1e-12);
  assert_near(nsds_v(ds)[2], arm * impulse / J, 1e-12);
  double left = 3.0 - nsds_time(s), x = nsds_q(ds)[0];
  assert_ok(m, nsds_shapes_remove(set, 0));
  assert_int_equal(nsds_run(s), NSDS_END);
  assert_near(nsds_q(ds)[0], x + left * (v - impulse), 1e-9);
  nsds_model_destroy(m);
}

/* A floor taken away while a box lies on it, and told not to meet it. */
static void taken_away(void **state) {
  (void)state;
  for (int how = 0; how < 2; ++how) {
    nsds_model *m = nsds_model_create(NULL);
    nsds_ds *ds = block(m, (double[]){0, 0, 0.1}, NULL);
    nsds_shape_def shape[2] = {{.kind = NSDS_HALF_SPACE, .plane = {.normal = {0, 0, 1}}},
                               {.kind = NSDS_BOX, .ds = ds, .half = {0.1, 0.1, 0.1}}};
    nsds_contact_set *set = nsds_shapes(
        m, &(nsds_shapes_def){.law = nsds_newton_impact(m, 0.0), .nshape = 2, .shape = shape});
    nsds_simulation *s = exact(m, 2.0, 0.5);
    for (int k = 0; k < 2; ++k) assert_ok(m, nsds_step(s));
    assert_near(nsds_q(ds)[2], 0.1, 1e-12);
    double t = nsds_time(s);
    if (how == 0) assert_ok(m, nsds_shapes_remove(set, 0));
    else assert_ok(m, nsds_shapes_exclude(set, ds, NULL));
    assert_int_equal(nsds_run(s), NSDS_END);
    assert_near(nsds_q(ds)[2], 0.1 - 0.5 * g * (2.0 - t) * (2.0 - t), 1e-9);
    nsds_model_destroy(m);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(box_on_a_floor),
                                     cmocka_unit_test(rectangle_on_an_incline),
                                     cmocka_unit_test(discs_in_a_box),
                                     cmocka_unit_test(ball_on_a_fixed_ball),
                                     cmocka_unit_test(a_rectangle_strikes_a_segment),
                                     cmocka_unit_test(taken_away)};
  return cmocka_run_group_tests_name("event_driven.contact_sets_shapes", tests, NULL, NULL);
}
