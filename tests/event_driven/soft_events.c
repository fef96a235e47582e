/*
 * Contacts in which lambda enters the gap or the slip: springs in series with contacts, saturated
 * dampers, joints with a D of impulses. Closed forms of the motion and of the event times.
 */
#include "support.h"

static const double g = 9.81;

/* Steps to the next nonsmooth event. */
static double next_event(nsds_model *model, nsds_simulation *s) {
  for (;;) {
    nsds_status status = nsds_step(s);
    if (status == NSDS_END) fail_msg("no event before the end");
    assert_ok(model, status);
    if (nsds_simulation_event(s)->kind & NSDS_EVENT_NONSMOOTH) return nsds_time(s);
  }
}

static nsds_ds *mass(nsds_model *model, double m, double q0, double v0, double force) {
  return nsds_lagrangian_linear(
      model,
      &(nsds_lagrangian_linear_def){.ndof = 1, .mass = &m, .q0 = &q0, .v0 = &v0, .fext = &force});
}

static nsds_relation *soft_gap(nsds_model *model, double softness) {
  return nsds_lagrangian_linear_relation(
      model, &(nsds_lagrangian_linear_relation_def){
                 .ny = 1, .nq = 1, .H = (double[]){1.0}, .compliance = &softness});
}

/* h = q + a lambda + b lambda^3, a spring that hardens. */
typedef struct hard {
  double a, b;
} hard;

static int hard_gap(const nsds_arguments *in, double *y, void *user) {
  const hard *s = user;
  double l = in->lambda[0];
  y[0] = in->q[0] + s->a * l + s->b * l * l * l;
  return 0;
}

static int hard_q(const nsds_arguments *in, double *H, void *user) {
  (void)in, (void)user;
  H[0] = 1.0;
  return 0;
}

static int hard_lambda(const nsds_arguments *in, double *D, void *user) {
  const hard *s = user;
  D[0] = s->a + 3.0 * s->b * in->lambda[0] * in->lambda[0];
  return 0;
}

static nsds_relation *hard_relation(nsds_model *model, hard *s) {
  return nsds_lagrangian_relation(
      model, &(nsds_lagrangian_relation_def){.ny = 1,
                                             .nq = 1,
                                             .output_fn = hard_gap,
                                             .jac_output_q_fn = hard_q,
                                             .jac_output_lambda_fn = hard_lambda,
                                             .user = s});
}

/* The laws that hold the gap of a spring. */
static nsds_law *law_of(nsds_model *model, int which) {
  return which == 0 ? nsds_complementarity(model) : nsds_newton_impact(model, 0.0);
}

/* An elastic stop struck at three speeds: the contact lasts half a period, and gives the speed
 * back. */
static void elastic_stop(void **state) {
  (void)state;
  const double m = 2.0, k = 5e4, d = 0.3, omega = sqrt(k / m);
  const double speed[3] = {0.01, 1.0, 40.0};
  for (int i = 0; i < 6; ++i) {
    double v = speed[i / 2];
    nsds_model *model = nsds_model_create(NULL);
    nsds_ds *ds = mass(model, m, d, -v, 0.0);
    nsds_interaction *ia =
        nsds_connect(model, soft_gap(model, 1.0 / k), law_of(model, i % 2), 1, &ds);
    nsds_simulation *s =
        nsds_event_driven(model, &(nsds_event_driven_def){.t1 = 2.0 * d / v + 1.0});
    assert_sound(model);
    double t = next_event(model, s);
    assert_near(t, d / v, 1e-12 * (1.0 + d / v));
    assert_near(nsds_v(ds)[0], -v, 1e-12 * v);
    assert_near(nsds_lambda(ia)[0], 0.0, 1e-9 * v * sqrt(k * m));
    assert_int_equal(nsds_simulation_event(s)->count, 1);
    assert_true(nsds_simulation_event(s)->row[0].closed_after);
    assert_false(nsds_simulation_event(s)->kind & NSDS_EVENT_IMPACT);
    double left = next_event(model, s);
    assert_near(left - t, acos(-1.0) / omega, 1e-9);
    assert_near(nsds_v(ds)[0], v, 1e-7 * v);
    assert_false(nsds_simulation_event(s)->row[0].closed_after);
    assert_int_equal(nsds_run(s), NSDS_END);
    assert_near(nsds_q(ds)[0], v * (nsds_time(s) - left), 1e-7 * d);
    assert_int_equal(nsds_simulation_event(s)->nonsmooth, 2);
    nsds_model_destroy(model);
  }
}

/* A ball on a soft floor: times of fall and contact with gravity. */
static void soft_floor(void **state) {
  (void)state;
  const double m = 0.7, k = 2e4, drop = 0.5, omega = sqrt(k / m), pi = acos(-1.0);
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *ds = mass(model, m, drop, 0.0, -m * g);
  nsds_interaction *ia = nsds_connect(model, soft_gap(model, 1.0 / k), law_of(model, 0), 1, &ds);
  nsds_simulation *s = nsds_event_driven(model, &(nsds_event_driven_def){.t1 = 4.0});
  assert_sound(model);
  double fall = sqrt(2.0 * drop / g), v = sqrt(2.0 * drop * g), sag = g / (omega * omega);
  double contact = 2.0 / omega * (pi - atan2(v / omega, sag)), t = 0.0;
  for (int bounce = 0; bounce < 3; ++bounce) {
    t += fall * (bounce > 0 ? 2.0 : 1.0);
    assert_near(next_event(model, s), t, 2e-9);
    t += contact;
    assert_near(next_event(model, s), t, 2e-9);
    assert_near(nsds_v(ds)[0], v, 1e-7);
    assert_near(nsds_lambda(ia)[0], 0.0, 1e-12);
  }
  nsds_model_destroy(model);
}

/* The hardening spring: energy m v^2 / 2 = integral of lambda dq at the deepest point, and the
 * same speed afterwards. lambda solves the cubic of the relation all the way. */
static void hardening_stop(void **state) {
  (void)state;
  const double speed[3] = {0.1, 2.0, 20.0};
  for (int i = 0; i < 3; ++i) {
    hard s = {.a = 1e-4, .b = 1e-12};
    double v = speed[i];
    nsds_model *model = nsds_model_create(NULL);
    nsds_ds *ds = mass(model, 1.0, 0.1, -v, 0.0);
    nsds_interaction *ia = nsds_connect(model, hard_relation(model, &s), law_of(model, 0), 1, &ds);
    nsds_simulation *sim = nsds_event_driven(
        model, &(nsds_event_driven_def){.t1 = 1.0 / v + 1.0, .output_period = 1e-3});
    assert_sound(model);
    assert_near(next_event(model, sim), 0.1 / v, 1e-12 * (1.0 + 0.1 / v));
    double largest = 0.0;
    while (nsds_is_active(ia)) {
      assert_ok(model, nsds_step(sim));
      double l = nsds_lambda(ia)[0], q = nsds_q(ds)[0];
      if (!nsds_is_active(ia)) break;
      assert_near(q + s.a * l + s.b * l * l * l, 0.0, 1e-12 * (fabs(q) + 1e-3));
      /* energy: the spring holds a l^2 / 2 + 3 b l^4 / 4 */
      double energy =
          0.5 * nsds_v(ds)[0] * nsds_v(ds)[0] + 0.5 * s.a * l * l + 0.75 * s.b * l * l * l * l;
      assert_near(energy, 0.5 * v * v, 1e-7 * v * v);
      largest = fmax(largest, l);
    }
    assert_true(largest > 0.0);
    assert_near(nsds_v(ds)[0], v, 1e-7 * v);
    nsds_model_destroy(model);
  }
}

/* Rows of one relation, one soft and one rigid: the first mass meets a spring, the second bounces
 * off a rigid stop. */
static void soft_and_rigid_rows(void **state) {
  (void)state;
  const double k = 1e3;
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *ds = nsds_lagrangian_linear(
      model, &(nsds_lagrangian_linear_def){.ndof = 2,
                                           .mass = NSDS_ROWS(2, 2, 1, 0, 0, 1),
                                           .q0 = (double[]){0.2, 0.1},
                                           .v0 = (double[]){-1.0, -1.0}});
  nsds_relation *r = nsds_lagrangian_linear_relation(
      model,
      &(nsds_lagrangian_linear_relation_def){.ny = 2,
                                             .nq = 2,
                                             .H = NSDS_ROWS(2, 2, 1, 0, 0, 1),
                                             .compliance = NSDS_ROWS(2, 2, 1.0 / k, 0, 0, 0)});
  nsds_connect(model, r, nsds_newton_impact(model, 0.0), 1, &ds);
  nsds_simulation *s = nsds_event_driven(model, &(nsds_event_driven_def){.t1 = 1.0});
  assert_sound(model);
  assert_near(next_event(model, s), 0.1, 1e-12);
  assert_true(nsds_simulation_event(s)->kind & NSDS_EVENT_IMPACT);
  assert_near(nsds_v(ds)[1], 0.0, 1e-14);
  assert_near(next_event(model, s), 0.2, 1e-12);
  assert_near(nsds_v(ds)[0], -1.0, 1e-14);
  assert_near(next_event(model, s), 0.2 + acos(-1.0) / sqrt(k), 1e-9);
  assert_near(nsds_v(ds)[0], 1.0, 1e-7);
  assert_near(nsds_q(ds)[1], 0.0, 1e-14);
  nsds_model_destroy(model);
}

/* A block on a soft floor with friction: lambda_N = m g - a spring that swings, and the block slides
 * to rest while mu lambda_N acts. At rest vertically, deceleration is mu g. */
static void friction_on_a_spring(void **state) {
  (void)state;
  const double m = 2.0, k = 1e4, mu = 0.3, v = 1.5;
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *ds = nsds_lagrangian_linear(
      model, &(nsds_lagrangian_linear_def){.ndof = 2,
                                           .mass = NSDS_ROWS(2, 2, m, 0, 0, m),
                                           .q0 = (double[]){0.0, -m * g / k},
                                           .v0 = (double[]){v, 0.0},
                                           .fext = (double[]){0.0, -m * g}});
  nsds_relation *r = nsds_lagrangian_linear_relation(
      model,
      &(nsds_lagrangian_linear_relation_def){.ny = 2,
                                             .nq = 2,
                                             .H = NSDS_ROWS(2, 2, 0, 1, 1, 0),
                                             .compliance = NSDS_ROWS(2, 2, 1.0 / k, 0, 0, 0)});
  nsds_interaction *ia =
      nsds_connect(model, r,
                   nsds_newton_impact_friction(
                       model, &(nsds_newton_impact_friction_def){.mu = mu, .dimension = 2}),
                   1, &ds);
  nsds_simulation *s = nsds_event_driven(model, &(nsds_event_driven_def){.t1 = 2.0});
  assert_sound(model);
  assert_near(next_event(model, s), v / (mu * g), 1e-9);
  assert_near(nsds_v(ds)[0], 0.0, 1e-12);
  assert_near(nsds_q(ds)[0], v * v / (2.0 * mu * g), 1e-9);
  assert_int_equal(nsds_run(s), NSDS_END);
  assert_near(nsds_q(ds)[0], v * v / (2.0 * mu * g), 1e-9);
  assert_near(nsds_lambda(ia)[0], m * g, 1e-6);
  assert_near(nsds_lambda(ia)[1], 0.0, 1e-9);
  nsds_model_destroy(model);
}

/* A damper whose force is at most `top`: m dv/dt = -top until v = top / c, then v decays. */
static void saturated_damper(void **state) {
  (void)state;
  const double m = 1.5, c = 4.0, top = 2.0, v = 3.0, low = -top;
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *ds = mass(model, m, 0.0, v, 0.0);
  nsds_relation *r = nsds_lagrangian_linear_relation(
      model, &(nsds_lagrangian_linear_relation_def){.ny = 1, .nq = 1, .H = (double[]){1.0}});
  nsds_interaction *ia = nsds_connect(model, r, nsds_saturation(model, 1, &low, &top, c), 1, &ds);
  nsds_simulation *s = nsds_event_driven(model, &(nsds_event_driven_def){.t1 = 3.0});
  assert_sound(model);
  double t = m * (v - top / c) / top;
  assert_near(next_event(model, s), t, 1e-9);
  assert_near(nsds_v(ds)[0], top / c, 1e-9);
  assert_int_equal(nsds_run(s), NSDS_END);
  double now = top / c * exp(-c / m * (3.0 - t));
  assert_near(nsds_v(ds)[0], now, 1e-9);
  assert_near(nsds_lambda(ia)[0], -c * now, 1e-8);
  nsds_model_destroy(model);
}

/* Two masses on a joint fall on a floor with e = 1/2. Without D the joint is part of the impact. With D it gives way: the
 * upper mass keeps v2 = -v + (1 + e) v / (1 + D m2), and then the joint brings both to one speed in no time. Two equal
 * rows with D are one with half of it. */
static void joints_with_d(void **state) {
  (void)state;
  const double e = 0.5, D = 0.1, v = sqrt(g), m2 = 3.0;
  double left = -v + (1.0 + e) * v / (1.0 + 0.5 * D * m2);
  double after[2] = {e * v, (e * v + m2 * left) / (1.0 + m2)};
  for (int with = 0; with < 2; ++with) {
    nsds_model *model = nsds_model_create(NULL);
    nsds_ds *ds = nsds_lagrangian_linear(
        model, &(nsds_lagrangian_linear_def){.ndof = 2,
                                             .mass = NSDS_ROWS(2, 2, 1, 0, 0, 3),
                                             .q0 = (double[]){0.5, 0.5},
                                             .fext = (double[]){-g, -3.0 * g}});
    nsds_relation *r = nsds_lagrangian_linear_relation(
        model,
        &(nsds_lagrangian_linear_relation_def){.ny = 2,
                                               .nq = 2,
                                               .H = NSDS_ROWS(2, 2, 1, -1, 1, -1),
                                               .D = with ? NSDS_ROWS(2, 2, D, 0, 0, D) : NULL});
    nsds_interaction *ia = nsds_connect(model, r, nsds_equality(model), 1, &ds);
    nsds_relation *floor = nsds_lagrangian_linear_relation(
        model, &(nsds_lagrangian_linear_relation_def){.ny = 1, .nq = 2, .H = (double[]){1.0, 0.0}});
    nsds_connect(model, floor, nsds_newton_impact(model, e), 1, &ds);
    nsds_simulation *s = nsds_event_driven(model, &(nsds_event_driven_def){.t1 = 0.5});
    assert_sound(model);
    assert_near(next_event(model, s), sqrt(1.0 / g), 1e-12);
    for (int i = 0; i < 2; ++i) assert_near(nsds_v(ds)[i], after[with], 1e-12);
    assert_near(nsds_lambda(ia)[0] + nsds_lambda(ia)[1], 0.0, 1e-9);
    assert_int_equal(nsds_run(s), NSDS_END);
    double t = nsds_time(s) - 1.0 / v;
    for (int i = 0; i < 2; ++i)
      assert_near(nsds_q(ds)[i], after[with] * t - 0.5 * g * t * t, 1e-12);
    nsds_model_destroy(model);
  }
}

/* dy/dt + e dy/dt- + D P = 0 with D > e / m leaves the contact approaching, and the next impact in no time ends that. A
 * smaller D bounces: v+ = -v (1/m - ... ) by one impulse P = -(1 + e) v / (1/m + D). */
static void impacts_with_d(void **state) {
  (void)state;
  const double m = 2.0, v = 3.0, D[3] = {0.1, 0.24, 0.4}, e = 0.5;
  for (int k = 0; k < 3; ++k) {
    nsds_model *model = nsds_model_create(NULL);
    nsds_ds *ds = mass(model, m, 0.3, -v, 0.0);
    nsds_relation *r = nsds_lagrangian_linear_relation(
        model,
        &(nsds_lagrangian_linear_relation_def){.ny = 1, .nq = 1, .H = (double[]){1.0}, .D = &D[k]});
    nsds_connect(model, r, nsds_newton_impact(model, e), 1, &ds);
    nsds_simulation *s = nsds_event_driven(model, &(nsds_event_driven_def){.t1 = 1.0});
    assert_sound(model);
    assert_near(next_event(model, s), 0.1, 1e-12);
    double after = -v + (1.0 + e) * v / (1.0 + m * D[k]);
    assert_near(nsds_v(ds)[0], after > 0.0 ? after : 0.0, 1e-12);
    assert_int_equal(nsds_run(s), NSDS_END);
    nsds_model_destroy(model);
  }
}

/* A mass at rest is held three times, by a stop, a joint to another stop's mass and dry friction, and a spring pulls at
 * it: the force of the spring follows from its length, whatever shares the rest. */
static void a_spring_beside_shared_loads(void **state) {
  (void)state;
  const double k = 40.0, top = 3.0, low = -top;
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *ds[3] = {mass(model, 1.0, 0.05, -1.0, -1.0), mass(model, 2.0, 0.35, -1.0, -1.0),
                    mass(model, 0.5, 0.65, -1.0, 0.0)};
  nsds_relation *joint = nsds_lagrangian_linear_relation(
      model, &(nsds_lagrangian_linear_relation_def){
                 .ny = 1, .nq = 2, .H = (double[]){-1.0, 1.0}, .b = (double[]){-0.3}});
  nsds_relation *one = nsds_lagrangian_linear_relation(
      model, &(nsds_lagrangian_linear_relation_def){.ny = 1, .nq = 1, .H = (double[]){1.0}});
  nsds_spring_def def = {.ds = {ds[1], ds[2]}, .coordinates = true, .stiffness = k};
  nsds_connect(model, one, nsds_newton_impact(model, 0.0), 1, &ds[0]);
  nsds_connect(model, joint, nsds_equality(model), 2, ds);
  nsds_connect(model, one, nsds_relay(model, 1, &low, &top), 1, &ds[1]);
  nsds_interaction *spring =
      nsds_connect(model, nsds_spring(model, &def), nsds_equality(model), 2, &ds[1]);
  nsds_simulation *s =
      nsds_event_driven(model, &(nsds_event_driven_def){.t1 = 0.4, .output_period = 0.01});
  assert_sound(model);
  while (nsds_step(s) == NSDS_OK) {
    double length = nsds_q(ds[1])[0] - nsds_q(ds[2])[0];
    assert_near(nsds_lambda(spring)[0], -k * (length + 0.3), 1e-9);
  }
  assert_sound(model);
  nsds_model_destroy(model);
}

/* A saturated damper that rests while the forces beside it vanish rests on, without a force. */
static void rest_of_a_saturation(void **state) {
  (void)state;
  const double k = 1e3, top = 3.0, low = -top, softness = 1.0 / k;
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *ds[2] = {mass(model, 1.0, 0.0, 0.0, 0.0), mass(model, 2.0, 0.1, -0.5, 0.0)};
  nsds_relation *floor = nsds_lagrangian_linear_relation(
      model, &(nsds_lagrangian_linear_relation_def){.ny = 1, .nq = 1, .H = (double[]){1.0}});
  nsds_relation *between = nsds_lagrangian_linear_relation(
      model, &(nsds_lagrangian_linear_relation_def){
                 .ny = 1, .nq = 2, .H = (double[]){-1.0, 1.0}, .compliance = &softness});
  nsds_connect(model, floor, nsds_newton_impact(model, 0.4), 1, &ds[0]);
  nsds_connect(model, between, nsds_complementarity(model), 2, ds);
  nsds_connect(model, floor, nsds_saturation(model, 1, &low, &top, 15.0), 1, &ds[0]);
  nsds_simulation *s = nsds_event_driven(model, &(nsds_event_driven_def){.t1 = 1.0});
  assert_sound(model);
  assert_near(next_event(model, s), 0.2, 1e-12);
  assert_near(next_event(model, s), 0.2 + acos(-1.0) / sqrt(k / 2.0), 1e-9);
  assert_int_equal(nsds_run(s), NSDS_END);
  assert_near(nsds_q(ds[0])[0], 0.0, 1e-9);
  assert_near(nsds_v(ds[1])[0], 0.5, 1e-7);
  assert_true(nsds_simulation_event(s)->nonsmooth < 10);
  nsds_model_destroy(model);
}

/* ---- relays by the place ------------------------------------------------------------------------- */

/* A force of the size F drives a mass back to the middle, beside a soft stop: it swings in parabolas. One row of the
 * relation is the relay, the other row the spring. */
static void a_relay_drives_it_back(void **state) {
  (void)state;
  for (int k = 0; k < 2; ++k) {
    const double F = 2.5, start = 0.4, m = 1.3, stop = k == 0 ? 9.0 : 0.25, S = 1.0 / 400.0;
    nsds_model *model = nsds_model_create(NULL);
    nsds_ds *ds = nsds_lagrangian_linear(
        model, &(nsds_lagrangian_linear_def){.ndof = 1, .mass = &m, .q0 = &start});
    double most[2] = {F, INFINITY}, least[2] = {-F, 0.0};
    nsds_relation *r = nsds_lagrangian_linear_relation(
        model, &(nsds_lagrangian_linear_relation_def){.ny = 2,
                                                      .nq = 1,
                                                      .H = (double[]){1.0, 1.0},
                                                      .b = (double[]){0.0, stop},
                                                      .compliance = (double[]){0.0, 0.0, 0.0, S}});
    nsds_connect(model, r, nsds_relay(model, 2, least, most), 1, &ds);
    nsds_simulation *s = nsds_event_driven(model, &(nsds_event_driven_def){.t1 = 8.0});
    assert_sound(model);
    double quarter = sqrt(2.0 * m * start / F), speed = F / m * quarter, t = quarter;
    for (int n = 0; n < 4; ++n) {
      assert_ok(model, nsds_step(s));
      assert_near(nsds_time(s), t, 1e-11);
      assert_near(fabs(nsds_v(ds)[0]), speed, 1e-10);
      t += 2.0 * quarter;
      if (k == 0) continue;
      /* into the spring, m d^2q/dt^2 = F + (stop + q) 400 below -stop, and back: energy tells the speed at the stop */
      double slow = sqrt(speed * speed - 2.0 * F / m * stop), a = F / m;
      assert_ok(model, nsds_step(s));
      assert_near(nsds_time(s), quarter + (speed - slow) / a, 1e-11);
      assert_near(nsds_v(ds)[0], -slow, 1e-10);
      assert_ok(model, nsds_step(s));
      assert_near(nsds_v(ds)[0], slow, 1e-9);
      assert_ok(model, nsds_step(s));
      assert_near(nsds_v(ds)[0], speed, 1e-9);
      break;
    }
    nsds_model_destroy(model);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_spring_beside_shared_loads),
                                     cmocka_unit_test(rest_of_a_saturation),
                                     cmocka_unit_test(elastic_stop),
                                     cmocka_unit_test(soft_floor),
                                     cmocka_unit_test(hardening_stop),
                                     cmocka_unit_test(soft_and_rigid_rows),
                                     cmocka_unit_test(friction_on_a_spring),
                                     cmocka_unit_test(saturated_damper),
                                     cmocka_unit_test(joints_with_d),
                                     cmocka_unit_test(a_relay_drives_it_back),
                                     cmocka_unit_test(impacts_with_d)};
  return cmocka_run_group_tests_name("event_driven.soft_events", tests, NULL, NULL);
}
