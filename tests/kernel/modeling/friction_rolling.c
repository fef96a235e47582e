/*
 * Rolling friction: a wheel in the plane (rows N, T, R) and a ball in space (N, T1, T2, R1, R2).
 * While it rolls without slip under the slope's pull and the moment mu_r N against it,
 *   a = (g sin(slope) -+ mu_r g cos(slope) / r) m r^2 / (I + m r^2),
 * and it stays where tan(slope) < mu_r / r.
 */
#include "support.h"

static const double g = 9.81, kg = 2.0, r = 0.2, mu_rolling = 0.02, h = 1e-2;

typedef struct roller {
  nsds_model *model;
  nsds_ds *ds;
  nsds_interaction *contact;
  nsds_simulation *simulation;
  double along[2]; /* the direction of motion in the tangents */
  int n;
} roller;

/* Coordinates (x, z, angle), or (x, y, z, three angles of a ball, whose mass does not turn). */
static roller build(int dimension, double slope, double v0) {
  roller w = {.model = nsds_model_create(NULL), .n = dimension == 2 ? 3 : 6};
  double M[36] = {0.0}, force[6] = {0.0}, v[6] = {0.0}, inertia = 0.4 * kg * r * r;
  const double wheel[9] = {0, 1, 0, 1, 0, 0, 0, -r, 1};
  const double ball[30] = {0, 1, 0, 0, 0, 0, 0,  1, 0, 0, 1, 0, 0, 0, 0,
                           0, 0, r, 1, 0, 0, -r, 0, 0, 1, 0, 0, 0, 0, 0};
  int space = dimension - 1; /* the normal's coordinate */
  w.along[0] = dimension == 2 ? 1.0 : 0.8;
  w.along[1] = dimension == 2 ? 0.0 : 0.6;
  for (int k = 0; k < w.n; ++k) M[k + w.n * k] = k < dimension ? kg : inertia;
  for (int k = 0; k < space; ++k) {
    force[k] = kg * g * sin(slope) * w.along[k];
    v[k] = v0 * w.along[k];
  }
  force[space] = -kg * g * cos(slope);
  if (dimension == 2) v[2] = v0 / r;
  else v[3] = -v[1] / r, v[4] = v[0] / r;
  w.ds = nsds_lagrangian_linear(
      w.model, &(nsds_lagrangian_linear_def){.ndof = w.n, .v0 = v, .mass = M, .fext = force});
  nsds_relation *relation = nsds_lagrangian_linear_relation(
      w.model, &(nsds_lagrangian_linear_relation_def){
                   .ny = dimension == 2 ? 3 : 5, .nq = w.n, .H = dimension == 2 ? wheel : ball});
  nsds_law *law = nsds_newton_impact_rolling(
      w.model, &(nsds_newton_impact_rolling_def){
                   .dimension = dimension, .mu = 0.8, .mu_rolling = mu_rolling});
  w.contact = nsds_connect(w.model, relation, law, 1, &w.ds);
  w.simulation =
      nsds_time_stepping(w.model, &(nsds_time_stepping_def){.t1 = 1.0, .h = h, .tolerance = 1e-12});
  assert_sound(w.model);
  return w;
}

static double speed_of(const roller *w) {
  double v = 0.0;
  for (int k = 0; k < 2; ++k) v += w->along[k] * nsds_v(w->ds)[k];
  return w->n == 3 ? nsds_v(w->ds)[0] : v;
}

/* The rows of the moment, and what stands against them. */
static double moment_of(const roller *w) {
  const double *P = nsds_lambda(w->contact);
  return w->n == 3 ? fabs(P[2]) : hypot(P[3], P[4]);
}

static void follow(int dimension, double slope, double v0) {
  roller w = build(dimension, slope, v0);
  double share = kg * r * r / (1.4 * kg * r * r);
  double pull = g * sin(slope) * share, brake = mu_rolling / r * g * cos(slope) * share;
  double stop = pull < brake && v0 > 0.0 ? v0 / (brake - pull) : 0.0;
  while (nsds_step(w.simulation) == NSDS_OK) {
    double t = nsds_time(w.simulation);
    bool rolls = pull > brake || t < stop;
    if (rolls) {
      assert_near(speed_of(&w), v0 + (pull - brake) * t, 1e-8);
      assert_near(moment_of(&w), mu_rolling * nsds_lambda(w.contact)[0], 1e-7);
    } else if (t > stop + h) {
      assert_near(speed_of(&w), 0.0, 1e-9);
      assert_near(moment_of(&w), kg * g * sin(slope) * r, 1e-7);
    }
    assert_near(nsds_lambda(w.contact)[0], kg * g * cos(slope), 1e-7);
    assert_near(nsds_ydot(w.contact)[1], 0.0, 1e-9); /* no slip */
  }
  assert_sound(w.model);
  nsds_model_destroy(w.model);
}

static void a_wheel_and_a_ball_are_braked(void **state) {
  (void)state;
  for (int dimension = 2; dimension <= 3; ++dimension) {
    follow(dimension, 0.0, 0.5);
    follow(dimension, 0.05, 0.1); /* braked, then held */
    follow(dimension, 0.05, 0.0); /* held from the start: 0.05 < mu_r / r */
    follow(dimension, 0.2, 0.0);  /* rolls down */
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_wheel_and_a_ball_are_braked)};
  return cmocka_run_group_tests_name("kernel.friction_rolling", tests, NULL, NULL);
}
