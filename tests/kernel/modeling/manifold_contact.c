/*
 * Contacts of a rigid body with seven coordinates and six velocities: through dh/dQ, which the
 * kernel multiplies by T, and through the gradient in velocities; with a closed form for one
 * impact, and a relation that is affine in the coordinates.
 */
#include "rigid_body.h"

/* Falls on a corner and tumbles: `steps` steps of a body with both kinds of relation, side by side.
 */
static void both_gradients_give_one_motion(void **state) {
  (void)state;
  enum { steps = 400 };
  const double q0[7] = {0.0, 0.0, 0.8, 0.8, 0.36, -0.48, 0.0},
               v0[6] = {0.1, 0.0, -0.5, 0.3, 0.2, -0.4};
  for (int explicit_force = 0; explicit_force < 2; ++explicit_force) {
    double z[2][steps], impulse[2] = {0.0, 0.0};
    for (int form = 0; form < 2; ++form) {
      rigid_body body = {.mass = 1.5, .inertia = {0.1, 0.15, 0.2}, .gravity = 9.81};
      floor_point corner[4];
      nsds_model *model = nsds_model_create(NULL);
      nsds_ds *ds = rigid_body_create(model, &body, explicit_force, q0, v0);
      nsds_law *law = nsds_newton_impact(model, 0.3);
      nsds_interaction *ia[4];
      for (int k = 0; k < 4; ++k) { /* a tetrahedron */
        corner[k] = (floor_point){
            .c = {k & 1 ? 0.3 : -0.3, k & 2 ? 0.3 : -0.3, (k == 0 || k == 3) ? 0.3 : -0.3}};
        ia[k] = nsds_connect(model, floor_relation(model, &corner[k], form), law, 1, &ds);
        assert_non_null(ia[k]);
      }
      nsds_simulation *s = run(model, &(nsds_time_stepping_def){.t1 = 10.0, .h = 1e-3}, 1);
      for (int n = 0; n < steps; ++n) {
        assert_ok(model, nsds_step(s));
        z[form][n] = nsds_q(ds)[2] + nsds_v(ds)[4];
        for (int k = 0; k < 4; ++k) {
          impulse[form] += nsds_impulse(ia[k])[0];
          double turned[3]; /* y is that of the state */
          rigid_body_turn(nsds_q(ds) + 3, corner[k].c, turned);
          assert_near(nsds_y(ia[k])[0], nsds_q(ds)[2] + turned[2], 1e-15);
        }
      }
      for (int k = 0; k < 4; ++k) assert_int_equal(corner[k].nv_seen, 6);
      nsds_model_destroy(model);
    }
    assert_true(impulse[0] > 0.5); /* it did touch */
    for (int n = 0; n < steps; ++n) assert_near(z[0][n], z[1][n], 1e-12);
    assert_near(impulse[0], impulse[1], 1e-12);
  }
}

/* A body without rotation meets the floor with a point c while M and H are those of the start of
 * the step (gamma = 0), forces being explicit and zero: P = (1 + e) u / (1/m + (c x n)' J^-1 (c x
 * n)),  dv = P n / m,  dW = J^-1 (c x n) P. */
static void one_impact_has_the_closed_form(void **state) {
  (void)state;
  const double u = 2.0, e = 0.6, c[3] = {0.2, -0.1, -0.4}, arm[3] = {c[1], -c[0], 0.0};
  for (int form = 0; form < 2; ++form) {
    rigid_body body = {.mass = 3.0, .inertia = {0.2, 0.3, 0.5}};
    floor_point point = {.c = {c[0], c[1], c[2]}};
    nsds_model *model = nsds_model_create(NULL);
    nsds_ds *ds = rigid_body_create(model, &body, true, (double[]){0, 0, 0.4, 1, 0, 0, 0},
                                    (double[]){0, 0, -u, 0, 0, 0});
    nsds_interaction *ia = nsds_connect(model, floor_relation(model, &point, form),
                                        nsds_newton_impact(model, e), 1, &ds);
    run(model,
        &(nsds_time_stepping_def){.t1 = 1.0, .h = 1e-3, .second_order = nsds_moreau_jean(0.5, 0.0)},
        1);
    double mobility = 1.0 / body.mass;
    for (int k = 0; k < 3; ++k) mobility += arm[k] * arm[k] / body.inertia[k];
    double P = (1.0 + e) * u / mobility;
    assert_near(nsds_impulse(ia)[0], P, 1e-14);
    assert_near(nsds_v(ds)[2], -u + P / body.mass, 1e-14);
    for (int k = 0; k < 3; ++k) assert_near(nsds_v(ds)[3 + k], arm[k] * P / body.inertia[k], 1e-14);
    for (int k = 0; k < 6; ++k) /* p = H^T P */
      assert_near(nsds_p(ds)[k], k == 2 ? P : k < 3 ? 0.0 : arm[k - 3] * P, 1e-14);
    nsds_model_destroy(model);
  }
}

/* What the law says of the velocities of a step: H(Q*) v+ = -e dy/dt(-). For points of a ball the
 * gradient is the same everywhere, so the velocity at the end of the step has it too. */
static void the_ball_rebounds(void **state) {
  (void)state;
  for (int explicit_force = 0; explicit_force < 2; ++explicit_force) {
    rigid_body body = {.mass = 1.0, .inertia = {0.1, 0.2, 0.3}, .gravity = 9.81};
    nsds_model *model = nsds_model_create(NULL);
    nsds_ds *ds = rigid_body_create(model, &body, explicit_force, (double[]){0, 0, 1, 1, 0, 0, 0},
                                    (double[]){1, 0, 0, 3, 0.5, 1});
    const double H[7] = {0, 0, 1, 0, 0, 0, 0}, b = -0.2;
    nsds_relation *relation = nsds_lagrangian_linear_relation(
        model, &(nsds_lagrangian_linear_relation_def){.ny = 1, .nq = 7, .H = H, .b = &b});
    nsds_interaction *ia = nsds_connect(model, relation, nsds_newton_impact(model, 0.7), 1, &ds);
    nsds_ds *ball = nsds_lagrangian_linear(
        model,
        &(nsds_lagrangian_linear_def){
            .ndof = 1, .mass = (double[]){1.0}, .fext = (double[]){-9.81}, .q0 = (double[]){1.0}});
    nsds_relation *same = nsds_lagrangian_linear_relation(
        model,
        &(nsds_lagrangian_linear_relation_def){.ny = 1, .nq = 1, .H = (double[]){1.0}, .b = &b});
    nsds_interaction *other = nsds_connect(model, same, nsds_newton_impact(model, 0.7), 1, &ball);
    nsds_simulation *s = nsds_time_stepping(model, &(nsds_time_stepping_def){.t1 = 2.0, .h = 1e-3});
    assert_non_null(s);
    int impacts = 0;
    while (nsds_step(s) == NSDS_OK) {
      assert_near(nsds_y(ia)[0], nsds_q(ds)[2] - 0.2, 1e-15);
      assert_near(nsds_ydot(ia)[0], nsds_v(ds)[2], 1e-15);
      assert_near(nsds_q(ds)[2], nsds_q(ball)[0], 1e-12);
      assert_near(nsds_v(ds)[2], nsds_v(ball)[0], 1e-12);
      assert_near(nsds_impulse(ia)[0], nsds_impulse(other)[0], 1e-12);
      impacts += nsds_impulse(ia)[0] > 1e-3;
    }
    assert_sound(model);
    assert_true(impacts >= 3);
    nsds_model_destroy(model);
  }
}

/* Affine between a body and a system of one coordinate, its columns in either order: T belongs to
 * the body's part alone. A floor that moves up pushes the body, which keeps its momentum balance.
 */
static void an_affine_relation_joins_unlike_systems(void **state) {
  (void)state;
  for (int order = 0; order < 2; ++order) {
    rigid_body body = {.mass = 2.0, .inertia = {0.1, 0.2, 0.3}};
    nsds_model *model = nsds_model_create(NULL);
    nsds_ds *ds[2];
    ds[order] = rigid_body_create(model, &body, false, (double[]){0, 0, 0.05, 1, 0, 0, 0},
                                  (double[]){0, 0, 0, 1, 2, 3});
    ds[1 - order] = nsds_lagrangian_linear(
        model,
        &(nsds_lagrangian_linear_def){.ndof = 1, .mass = (double[]){1.0}, .v0 = (double[]){1.0}});
    double H[8] = {0.0};
    H[order == 0 ? 2 : 3] = 1.0;
    H[order == 0 ? 7 : 0] = -1.0;
    nsds_relation *relation = nsds_lagrangian_linear_relation(
        model, &(nsds_lagrangian_linear_relation_def){.ny = 1, .nq = 8, .H = H});
    nsds_interaction *ia = nsds_connect(model, relation, nsds_newton_impact(model, 1.0), 2, ds);
    run(model, &(nsds_time_stepping_def){.t1 = 1.0, .h = 1e-2}, 0);
    /* elastic: masses 2 and 1, velocities 0 and 1 become 2/3 and -1/3 */
    assert_near(nsds_v(ds[order])[2], 2.0 / 3.0, 1e-12);
    assert_near(nsds_v(ds[1 - order])[0], -1.0 / 3.0, 1e-12);
    assert_near(nsds_ydot(ia)[0], 1.0, 1e-12);
    nsds_model_destroy(model);
  }
}

/* Sizes are those of the systems: a gradient for seven velocities does not fit six. */
static void sizes_that_do_not_fit_are_refused(void **state) {
  (void)state;
  rigid_body body = {.mass = 1.0, .inertia = {1.0, 1.0, 1.0}};
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *ds = rigid_body_create(model, &body, false, NULL, NULL);
  nsds_law *law = nsds_newton_impact(model, 0.0);
  floor_point point = {.c = {0.0, 0.0, 0.0}};
  nsds_relation *by_v = floor_relation(model, &point, FLOOR_GRADIENT_V);
  assert_non_null(nsds_connect(model, by_v, law, 1, &ds));
  nsds_ds *plain = nsds_lagrangian_linear(
      model, &(nsds_lagrangian_linear_def){
                 .ndof = 7,
                 .mass = (double[49]){
                     [0] = 1, [8] = 1, [16] = 1, [24] = 1, [32] = 1, [40] = 1, [48] = 1}});
  assert_non_null(plain);
  assert_null(nsds_connect(model, by_v, law, 1, &plain)); /* seven velocities */
  assert_int_equal(nsds_error(nsds_model_context(model)), NSDS_ERROR_SIZE);
  assert_words(nsds_error_message(nsds_model_context(model)), ((const char *[]){"6 velocities"}),
               1);
  nsds_model_destroy(model);
}

/* Points c of two bodies: half the square of their distance. */
static const double ends[2][3] = {{0.3, -0.2, 0.1}, {-0.1, 0.4, 0.25}};

static void apart(const double *q, double *d) {
  double turned[2][3];
  for (int k = 0; k < 2; ++k) rigid_body_turn(q + 7 * k + 3, ends[k], turned[k]);
  for (int i = 0; i < 3; ++i) d[i] = q[i] + turned[0][i] - q[7 + i] - turned[1][i];
}

static int half_square(const nsds_arguments *in, double *y, void *user) {
  double d[3];
  (void)user;
  apart(in->q, d);
  y[0] = 0.5 * (d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
  return 0;
}

/* By differences: d is a polynomial of degree 2 in a coordinate. */
static int half_square_q(const nsds_arguments *in, double *H, void *user) {
  double q[14], d[3], side[2][3];
  (void)user;
  apart(in->q, d);
  for (int j = 0; j < 14; ++j) {
    for (int k = 0; k < 2; ++k) {
      memcpy(q, in->q, sizeof q);
      q[j] += k ? 0.5 : -0.5;
      apart(q, side[k]);
    }
    H[j] = 0.0;
    for (int i = 0; i < 3; ++i) H[j] += d[i] * (side[1][i] - side[0][i]);
  }
  return 0;
}

/* dy/dt of a relation through dh/dQ between two bodies is that of their points. */
static void rates_between_two_bodies(void **state) {
  (void)state;
  const double q[2][7] = {{0.0, 0.1, 0.8, 0.8, 0.36, -0.48, 0.0},
                          {0.9, -0.3, 0.2, 0.28, 0.0, 0.96, 0.0}};
  const double v[2][6] = {{0.1, 0.0, -0.5, 0.3, 0.2, -0.4}, {-0.2, 0.6, 0.3, -0.7, 0.5, 0.9}};
  rigid_body body[2] = {{.mass = 1.5, .inertia = {0.1, 0.15, 0.2}},
                        {.mass = 2.0, .inertia = {0.3, 0.2, 0.2}}};
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *ds[2];
  for (int k = 0; k < 2; ++k) ds[k] = rigid_body_create(model, &body[k], false, q[k], v[k]);
  nsds_relation *relation = nsds_lagrangian_relation(
      model, &(nsds_lagrangian_relation_def){
                 .ny = 1, .nq = 14, .output_fn = half_square, .jac_output_q_fn = half_square_q});
  nsds_interaction *ia = nsds_connect(model, relation, nsds_newton_impact(model, 0.0), 2, ds);
  run(model, &(nsds_time_stepping_def){.t1 = 1.0, .h = 1e-2}, 5);
  double speed[2][3], d[3], both[14], rate = 0.0;
  for (int k = 0; k < 2; ++k) {
    const double *c = ends[k], *w = nsds_v(ds[k]) + 3;
    const double across[3] = {w[1] * c[2] - w[2] * c[1], w[2] * c[0] - w[0] * c[2],
                              w[0] * c[1] - w[1] * c[0]};
    memcpy(both + 7 * k, nsds_q(ds[k]), sizeof q[k]);
    rigid_body_turn(nsds_q(ds[k]) + 3, across, speed[k]);
    for (int i = 0; i < 3; ++i) speed[k][i] += nsds_v(ds[k])[i];
  }
  apart(both, d);
  for (int i = 0; i < 3; ++i) rate += d[i] * (speed[0][i] - speed[1][i]);
  assert_near(nsds_y(ia)[0], 0.5 * (d[0] * d[0] + d[1] * d[1] + d[2] * d[2]), 1e-14);
  assert_near(nsds_ydot(ia)[0], rate, 1e-13);
  nsds_model_destroy(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(both_gradients_give_one_motion),
      cmocka_unit_test(one_impact_has_the_closed_form),
      cmocka_unit_test(the_ball_rebounds),
      cmocka_unit_test(rates_between_two_bodies),
      cmocka_unit_test(an_affine_relation_joins_unlike_systems),
      cmocka_unit_test(sizes_that_do_not_fit_are_refused),
  };
  return cmocka_run_group_tests_name("kernel.manifold_contact", tests, NULL, NULL);
}
