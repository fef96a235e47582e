/*
 * Coulomb friction between events: sticking, sliding, the instants between them, and impacts with
 * friction, against closed forms.
 */
#include "support.h"

static const double g = 9.81;

/* A point mass over an inclined plane: q = (along, across, normal). */
typedef struct slope {
  nsds_model *model;
  nsds_ds *mass;
  nsds_interaction *contact;
  nsds_simulation *s;
} slope;

static slope make(int dimension, double angle, const double *v, double mu, double e,
                  const double *slip, double t1) {
  slope p = {.model = nsds_model_create(NULL)};
  double eye[9] = {1.0, 0, 0, 0, 1.0, 0, 0, 0, 1.0};
  double force[3] = {g * sin(angle), 0.0, -g * cos(angle)};
  double H3[9] = {0, 1, 0, 0, 0, 1, 1, 0, 0}, H2[6] = {0, 1, 0, 0, 1, 0};
  p.mass = nsds_lagrangian_linear(
      p.model, &(nsds_lagrangian_linear_def){.ndof = 3, .mass = eye, .v0 = v, .fext = force});
  nsds_relation *r = nsds_lagrangian_linear_relation(
      p.model, &(nsds_lagrangian_linear_relation_def){
                   .ny = dimension, .nq = 3, .H = dimension == 3 ? H3 : H2});
  nsds_newton_impact_friction_def law = {.dimension = dimension, .mu = mu, .e_n = e};
  for (int k = 0; slip && k < dimension - 1; ++k) law.slip[k] = slip[k];
  p.contact = nsds_connect(p.model, r, nsds_newton_impact_friction(p.model, &law), 1, &p.mass);
  p.s = nsds_event_driven(
      p.model,
      &(nsds_event_driven_def){.t1 = t1, .relative_tolerance = 1e-12, .absolute_tolerance = 1e-13});
  assert_sound(p.model);
  return p;
}

/* Sticks where tan(angle) < mu, else slides with g (sin - mu cos). */
static void inclines(void **state) {
  (void)state;
  for (int dimension = 2; dimension <= 3; ++dimension)
    for (double angle = 0.1; angle < 1.2; angle += 0.1) {
      double mu = 0.5, a = fmax(0.0, g * (sin(angle) - mu * cos(angle)));
      slope p = make(dimension, angle, NULL, mu, 0.0, NULL, 2.0);
      assert_int_equal(nsds_run(p.s), NSDS_END);
      assert_near(nsds_q(p.mass)[0], 0.5 * a * 4.0, 1e-11);
      assert_near(nsds_v(p.mass)[0], 2.0 * a, 1e-11);
      assert_near(nsds_lambda(p.contact)[0], g * cos(angle), 1e-12);
      double held = fmin(g * sin(angle), mu * g * cos(angle));
      assert_near(nsds_lambda(p.contact)[1], -held, 1e-12);
      nsds_model_destroy(p.model);
    }
}

/* Thrown up the slope: stops after v / (g (sin + mu cos)), and stays or slides back. */
static void up_and_back(void **state) {
  (void)state;
  for (int dimension = 2; dimension <= 3; ++dimension)
    for (int back = 0; back < 2; ++back) {
      double angle = 0.3, mu = back ? 0.2 : 0.4, v[3] = {-2.0, 0.0, 0.0};
      slope p = make(dimension, angle, v, mu, 0.0, NULL, 3.0);
      double up = g * (sin(angle) + mu * cos(angle)), stop = 2.0 / up;
      double down = g * (sin(angle) - mu * cos(angle)), t = 3.0 - stop;
      assert_ok(p.model, nsds_step(p.s));
      double error = dimension == 2 ? 1e-11 : 2e-8; /* in space slip ends at 1e-9 of its largest */
      assert_near(nsds_time(p.s), stop, error);
      assert_near(nsds_v(p.mass)[0], 0.0, error);
      assert_int_equal(nsds_run(p.s), NSDS_END);
      assert_near(nsds_v(p.mass)[0], back ? down * t : 0.0, error);
      assert_near(nsds_q(p.mass)[0], -2.0 / up + (back ? 0.5 * down * t * t : 0.0), error);
      nsds_model_destroy(p.model);
    }
}

/* Across a slope on which it sticks at rest: the motion turns downhill and ends at rest. The work
 * of friction is mu N times the length of the path. */
static void across(void **state) {
  (void)state;
  double angle = 0.3, mu = 0.6, v[3] = {0.0, 3.0, 0.0};
  slope p = make(3, angle, v, mu, 0.0, NULL, 5.0);
  nsds_status status = NSDS_OK; /* the heading is renewed where the motion has turned */
  do status = nsds_step(p.s);   /* an event without rows comes at 1e-8 of the speeds */
  while (status == NSDS_OK && hypot(nsds_v(p.mass)[0], nsds_v(p.mass)[1]) > 1e-9);
  double stop = nsds_time(p.s);
  assert_true(stop > 0.3 && stop < 2.0);
  assert_near(nsds_v(p.mass)[0], 0.0, 1e-9);
  assert_near(nsds_v(p.mass)[1], 0.0, 1e-9);
  while (status == NSDS_OK) status = nsds_step(p.s);
  assert_int_equal(status, NSDS_END);
  assert_near(nsds_v(p.mass)[0], 0.0, 1e-9);
  /* the same by a few lines: x' = v, v' = g sin e_x - mu g cos v / |v| until |v| is small */
  double x[4] = {0.0, 0.0, 0.0, 3.0}, h = 1e-5, t = 0.0;
  while (hypot(x[2], x[3]) > 1e-3) {
    double k[4][4], y[4];
    for (int s = 0; s < 4; ++s) {
      double c = s == 0 ? 0.0 : s == 3 ? h : 0.5 * h;
      for (int i = 0; i < 4; ++i) y[i] = x[i] + (s ? c * k[s - 1][i] : 0.0);
      double speed = hypot(y[2], y[3]);
      k[s][0] = y[2];
      k[s][1] = y[3];
      k[s][2] = g * sin(angle) - mu * g * cos(angle) * y[2] / speed;
      k[s][3] = -mu * g * cos(angle) * y[3] / speed;
    }
    for (int i = 0; i < 4; ++i) x[i] += h / 6.0 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
    t += h;
  }
  assert_near(stop, t, 1e-3);
  assert_near(nsds_q(p.mass)[0], x[0], 1e-5);
  assert_near(nsds_q(p.mass)[1], x[1], 1e-5);
  nsds_model_destroy(p.model);
}

/* On a belt of speed w: taken along with mu g until it has the belt's speed. */
static void conveyor(void **state) {
  (void)state;
  double mu = 0.3, slip[2] = {-1.5, 0.0};
  slope p = make(3, 0.0, NULL, mu, 0.0, slip, 2.0);
  assert_ok(p.model, nsds_step(p.s));
  assert_near(nsds_time(p.s), 1.5 / (mu * g), 1e-8);
  assert_near(nsds_v(p.mass)[0], 1.5, 1e-8);
  assert_int_equal(nsds_run(p.s), NSDS_END);
  assert_near(nsds_v(p.mass)[0], 1.5, 1e-8);
  assert_near(nsds_lambda(p.contact)[1], 0.0, 1e-12);
  nsds_model_destroy(p.model);
}

/* Falls obliquely: P_T = min(mu P_N, m v_T) against the motion. */
static void oblique_impacts(void **state) {
  (void)state;
  for (double mu = 0.1; mu < 1.5; mu += 0.2) {
    double v[3] = {3.0, 0.0, -4.0}, e = 0.5;
    slope p = make(3, 0.0, v, mu, e, NULL, 0.1);
    assert_ok(p.model, nsds_step(p.s));
    double pn = 4.0 * (1.0 + e), pt = fmin(mu * pn, 3.0);
    assert_near(nsds_impulse(p.contact)[0], pn, 1e-12);
    assert_near(nsds_impulse(p.contact)[1], -pt, 1e-9);
    assert_near(nsds_v(p.mass)[0], 3.0 - pt, 1e-9);
    assert_near(nsds_v(p.mass)[2], 4.0 * e, 1e-12);
    nsds_model_destroy(p.model);
  }
}

/* A sphere thrown onto a plane without spin slides, then rolls with 5/7 of its speed from
 * 2 v / (7 mu g) on. */
static void sphere_rolls(void **state) {
  (void)state;
  nsds_model *model = nsds_model_create(NULL);
  double r = 0.1, J = 0.4 * r * r, inertia[9] = {J, 0, 0, 0, J, 0, 0, 0, J}, v0 = 2.0, mu = 0.3;
  nsds_ds *ball =
      nsds_rigid_body(model, &(nsds_rigid_body_def){.mass = 1.0,
                                                    .inertia = inertia,
                                                    .gravity = {0, 0, -g},
                                                    .q0 = (double[]){0, 0, r, 1, 0, 0, 0},
                                                    .v0 = (double[]){v0, 0, 0, 0, 0, 0}});
  nsds_relation *plane = nsds_sphere_plane_relation(
      model, &(nsds_sphere_plane_relation_def){.radius = r, .normal = {0, 0, 1}});
  nsds_law *law = nsds_newton_impact_friction(model, &(nsds_newton_impact_friction_def){.mu = mu});
  nsds_interaction *contact = nsds_connect(model, plane, law, 1, &ball);
  nsds_simulation *s = nsds_event_driven(model, &(nsds_event_driven_def){.t1 = 2.0});
  assert_sound(model);
  assert_ok(model, nsds_step(s));
  assert_near(nsds_time(s), 2.0 * v0 / (7.0 * mu * g), 1e-7);
  assert_near(nsds_v(ball)[0], 5.0 / 7.0 * v0, 1e-7);
  assert_int_equal(nsds_run(s), NSDS_END);
  assert_near(nsds_v(ball)[0], 5.0 / 7.0 * v0, 1e-7);
  assert_near(nsds_lambda(contact)[0], g, 1e-7);
  nsds_model_destroy(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(inclines),        cmocka_unit_test(up_and_back),
      cmocka_unit_test(across),          cmocka_unit_test(conveyor),
      cmocka_unit_test(oblique_impacts), cmocka_unit_test(sphere_rolls)};
  return cmocka_run_group_tests_name("event_driven.friction_events", tests, NULL, NULL);
}
