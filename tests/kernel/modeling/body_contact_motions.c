/*
 * Motions of rigid bodies in contact: as relations and bodies made through the vtable give them, a
 * disc in the plane as a ball in space, a ball that bounces to rest between located events.
 */
#include "rigid_body.h"

/* A tetrahedron of corners, beside the relations and the body made through the vtable. */
static void corners_as_through_the_vtable(void **state) {
  (void)state;
  const double q0[7] = {0, 0, 0.8, 0.8, 0.36, -0.48, 0}, v0[6] = {0.1, 0, -0.5, 0.3, 0.2, -0.4};
  rigid_body given = {.mass = 1.5, .inertia = {0.1, 0.15, 0.2}, .gravity = 9.81};
  const double J[9] = {0.1, 0, 0, 0, 0.15, 0, 0, 0, 0.2};
  floor_point point[4];
  nsds_model *m[2] = {nsds_model_create(NULL), nsds_model_create(NULL)};
  nsds_ds *ds[2] = {
      rigid_body_create(m[0], &given, false, q0, v0),
      nsds_rigid_body(
          m[1], &(nsds_rigid_body_def){
                    .mass = 1.5, .inertia = J, .q0 = q0, .v0 = v0, .gravity = {0, 0, -9.81}})};
  nsds_simulation *s[2];
  for (int i = 0; i < 2; ++i) {
    nsds_law *law = nsds_newton_impact(m[i], 0.3);
    for (int k = 0; k < 4; ++k) {
      const double c[3] = {k & 1 ? 0.3 : -0.3, k & 2 ? 0.3 : -0.3, (k == 0 || k == 3) ? 0.3 : -0.3};
      memcpy(point[k].c, c, sizeof c);
      nsds_relation *relation =
          i == 0 ? floor_relation(m[0], &point[k], FLOOR_GRADIENT_V)
                 : nsds_sphere_plane_relation(
                       m[1], &(nsds_sphere_plane_relation_def){
                                 .rows = 1, .center = {c[0], c[1], c[2]}, .normal = {0, 0, 1}});
      nsds_connect(m[i], relation, law, 1, &ds[i]);
    }
    s[i] = nsds_time_stepping(m[i], &(nsds_time_stepping_def){.t1 = 10.0, .h = 1e-3});
    assert_sound(m[i]);
  }
  double impulse = 0.0;
  for (int n = 0; n < 500; ++n) {
    for (int i = 0; i < 2; ++i) assert_ok(m[i], nsds_step(s[i]));
    for (int k = 0; k < 6; ++k) assert_near(nsds_v(ds[1])[k], nsds_v(ds[0])[k], 1e-9);
    for (int k = 0; k < 4; ++k) impulse += nsds_impulse(nsds_interaction_at(m[1], k))[0];
  }
  assert_true(impulse > 0.5);
  for (int i = 0; i < 2; ++i) nsds_model_destroy(m[i]);
}

/* A ball between events: it bounces e^2-fold lower each time, its bounces end at a known time, and
 * it rests, with its spin and its speed. */
static void a_ball_bounces_to_rest(void **state) {
  (void)state;
  const double J[9] = {0.4, 0, 0, 0, 0.4, 0, 0, 0, 0.4}, height = 0.5, e = 0.5, gravity = 10.0;
  nsds_model *m = nsds_model_create(NULL);
  nsds_ds *ds =
      nsds_rigid_body(m, &(nsds_rigid_body_def){.mass = 1.0,
                                                .inertia = J,
                                                .q0 = (double[]){0, 0, 1.0 + height, 1, 0, 0, 0},
                                                .v0 = (double[]){1, 0, 0, 1, 2, 3},
                                                .gravity = {0, 0, -gravity}});
  nsds_relation *floor = nsds_sphere_plane_relation(
      m, &(nsds_sphere_plane_relation_def){.rows = 1, .radius = 1.0, .normal = {0, 0, 1}});
  nsds_interaction *ia = nsds_connect(m, floor, nsds_newton_impact(m, e), 1, &ds);
  nsds_simulation *s = nsds_event_driven(m, &(nsds_event_driven_def){.t1 = 2.0});
  assert_sound(m);
  double fall = sqrt(2.0 * height / gravity), rest = fall * (1.0 + e) / (1.0 - e), last = 0.0;
  nsds_status status;
  while ((status = nsds_step(s)) == NSDS_OK)
    if (nsds_simulation_event(s)->kind & NSDS_EVENT_IMPACT) last = nsds_time(s);
  assert_status(m, status, NSDS_END);
  assert_near(last, rest, 1e-6);
  assert_near(nsds_q(ds)[2], 1.0, 1e-9);
  assert_near(nsds_lambda(ia)[0], gravity, 1e-9);
  assert_near(nsds_q(ds)[0], 2.0, 1e-9);
  for (int k = 0; k < 3; ++k) assert_near(nsds_v(ds)[3 + k], k + 1.0, 1e-9);
  nsds_model_destroy(m);
}

/* A disc thrown on a line, and a ball of the same moment of inertia on a plane, with spin, rebound
 * and rolling friction. */
typedef struct thrown {
  nsds_model *model;
  nsds_ds *ds;
  nsds_interaction *contact;
  nsds_simulation *simulation;
} thrown;

/* The body, if it is there, on a line or plane, with rebound and rolling friction. */
static void throw_it(thrown *t, int dimension) {
  bool space = dimension == 3;
  nsds_relation *relation = nsds_sphere_plane_relation(
      t->model, &(nsds_sphere_plane_relation_def){.dimension = dimension,
                                                  .rows = space ? 5 : 3,
                                                  .radius = 0.1,
                                                  .normal = {0.0, !space, space}});
  nsds_law *law = nsds_newton_impact_rolling(
      t->model, &(nsds_newton_impact_rolling_def){
                    .dimension = dimension, .mu = 0.2, .mu_rolling = 0.003, .e_n = 0.4});
  t->contact = nsds_connect(t->model, relation, law, 1, &t->ds);
  t->simulation = nsds_time_stepping(
      t->model, &(nsds_time_stepping_def){.t1 = 3.0, .h = 2e-3, .tolerance = 1e-12});
  assert_sound(t->model);
}

/* In space the body turns about -y where in the plane it turns about its normal. */
static void a_disc_moves_as_a_ball(void **state) {
  (void)state;
  const double J = 0.004, sphere[9] = {J, 0, 0, 0, J, 0, 0, 0, J};
  thrown disc = {.model = nsds_model_create(NULL)}, ball = {.model = nsds_model_create(NULL)};
  disc.ds = nsds_rigid_body_2d(disc.model, &(nsds_rigid_body_2d_def){.mass = 1.0,
                                                                     .inertia = J,
                                                                     .q0 = (double[]){0, 0.3, 0},
                                                                     .v0 = (double[]){2, 0, 15},
                                                                     .gravity = {0.0, -9.81}});
  ball.ds =
      nsds_rigid_body(ball.model, &(nsds_rigid_body_def){.mass = 1.0,
                                                         .inertia = sphere,
                                                         .q0 = (double[]){0, 0, 0.3, 1, 0, 0, 0},
                                                         .v0 = (double[]){2, 0, 0, 0, -15, 0},
                                                         .gravity = {0, 0, -9.81}});
  throw_it(&disc, 2);
  throw_it(&ball, 3);
  bool rolled = false;
  while (nsds_step(disc.simulation) == NSDS_OK) {
    assert_ok(ball.model, nsds_step(ball.simulation));
    const double *flat = nsds_q(disc.ds), *q = nsds_q(ball.ds), *W = nsds_v(ball.ds) + 3;
    assert_near(q[0], flat[0], 1e-8);
    assert_near(q[2], flat[1], 1e-8);
    assert_near(W[1], -nsds_v(disc.ds)[2], 1e-7);
    assert_near(W[0], 0.0, 1e-9);
    assert_near(W[2], 0.0, 1e-9);
    assert_near(nsds_impulse(ball.contact)[0], nsds_impulse(disc.contact)[0], 1e-8);
    rolled =
        rolled || (nsds_time(disc.simulation) > 1.0 && fabs(nsds_ydot(disc.contact)[1]) < 1e-9);
  }
  assert_sound(disc.model);
  assert_true(rolled);
  nsds_model_destroy(disc.model);
  nsds_model_destroy(ball.model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(corners_as_through_the_vtable),
      cmocka_unit_test(a_ball_bounces_to_rest),
      cmocka_unit_test(a_disc_moves_as_a_ball),
  };
  return cmocka_run_group_tests_name("kernel.body_contact_motions", tests, NULL, NULL);
}
