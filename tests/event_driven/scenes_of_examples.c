/* What the scenes of the event-driven examples promise, from their equations: where the string goes
 * slack, the loss at each change of corners, the cycle of stick and slip, the cam's arcs. */
#include "billiards.h"
#include "cam_profile.h"
#include "cradle.h"
#include "events.h"
#include "scenes.h"
#include "support.h"

static nsds_simulation *start(nsds_model *model, double t1) {
  nsds_simulation *s = nsds_event_driven(
      model,
      &(nsds_event_driven_def){.t1 = t1, .relative_tolerance = 1e-12, .absolute_tolerance = 1e-13});
  assert_sound(model);
  return s;
}

/* To the next nonsmooth event. */
static const nsds_event_info *next(nsds_model *model, nsds_simulation *s) {
  do assert_ok(model, nsds_step(s));
  while (!(nsds_simulation_event(s)->kind & NSDS_EVENT_NONSMOOTH));
  return nsds_simulation_event(s);
}

/* Slack at z = (v^2 / (g l) - 2) / 3; the parabola from there to the circle; the velocity along the
 * string is lost. */
static void string(void **state) {
  (void)state;
  for (double square = 2.5; square < 5.0; square += 0.5) {
    nsds_model *model = nsds_model_create(NULL);
    double g = 9.81, z = (square - 2.0) / 3.0, x = sqrt(1.0 - z * z), v = sqrt(g * z);
    string_scene scene = scene_string_pendulum(model, sqrt(square * g), 0.0);
    nsds_simulation *s = start(model, 5.0);
    const nsds_event_info *event = next(model, s);
    assert_false(event->row[0].closed_after);
    assert_near(nsds_q(scene.mass)[0], x, 1e-9);
    assert_near(nsds_q(scene.mass)[1], z, 1e-9);
    assert_near(nsds_v(scene.mass)[0], -v * z, 1e-9);
    /* x^2 + z^2 = 1 with x = x - v z t, z = z + v x t - g t^2 / 2: t = 4 v x / g */
    double from = nsds_time(s), flight = 4.0 * v * x / g;
    event = next(model, s);
    assert_near(nsds_time(s) - from, flight, 1e-8);
    assert_true(event->row[0].closed_after);
    double q[2] = {x - v * z * flight, z + v * x * flight - 0.5 * g * flight * flight};
    double before[2] = {-v * z, v * x - g * flight};
    double along = q[0] * before[0] + q[1] * before[1];
    assert_near(event->row[0].impulse, along, 1e-7);
    for (int i = 0; i < 2; ++i) assert_near(nsds_v(scene.mass)[i], before[i] - along * q[i], 1e-7);
    nsds_model_destroy(model);
  }
}

static void rocking(void **state) {
  (void)state;
  nsds_model *model = nsds_model_create(NULL);
  block_scene scene = scene_rocking_block(model, 0.15, 0.0);
  double b = block_half * block_half, ratio = (scene.inertia - b) / (scene.inertia + b);
  nsds_simulation *s = start(model, 5.0);
  for (int k = 0; k < 10; ++k) {
    const nsds_event_info *event = next(model, s);
    assert_near(nsds_q(scene.block)[2], 0.0, 1e-9); /* both corners */
    assert_near(event->kinetic_after / event->kinetic_before, ratio * ratio, 1e-9);
    assert_int_equal(event->count, 2);
  }
  assert_int_equal(nsds_run(s), NSDS_END);
  assert_near(nsds_kinetic_energy(scene.block), 0.0, 1e-26); /* of speeds below rounding */
  for (int i = 0; i < 2; ++i) assert_near(nsds_lambda(scene.corners)[i], 0.5 * 9.81, 1e-9);
  nsds_model_destroy(model);
}

/* Slipping from (most / k, speed): x'' - c x' + k x = most - c speed, until x' = speed again; then
 * sticking until k x = most. */
static void belt(void **state) {
  (void)state;
  const belt_def def = {4.0, 2.0, 0.3, 0.5, 0.5, 0.0};
  double c = def.fall, w = def.speed, centre = (def.most - c * w) / def.stiffness;
  double a = 0.5 * c, omega = sqrt(def.stiffness - a * a), x0 = def.most / def.stiffness - centre;
  double p = x0, q = (w - a * x0) / omega; /* x = centre + exp(a t) (p cos + q sin)(omega t) */
  double low = 0.6 * 2.0 * acos(-1.0) / omega, high = 2.0 * acos(-1.0) / omega, x = 0.0;
  for (int k = 0; k < 100; ++k) {
    double t = 0.5 * (low + high), co = cos(omega * t), si = sin(omega * t), grown = exp(a * t);
    double v = grown * ((a * p + omega * q) * co + (a * q - omega * p) * si);
    x = centre + grown * (p * co + q * si);
    if (v < w) low = t;
    else high = t;
  }
  nsds_model *model = nsds_model_create(NULL);
  belt_scene scene = scene_belt(model, &def);
  nsds_simulation *s = start(model, 60.0);
  double slipped = NAN;
  int cycles = 0;
  while (nsds_step(s) == NSDS_OK) {
    if (!(nsds_simulation_event(s)->kind & NSDS_EVENT_NONSMOOTH)) continue;
    double position = nsds_q(scene.block)[0], t = nsds_time(s);
    bool sticks = nsds_simulation_event(s)->row[0].closed_after;
    if (!sticks) assert_near(position, def.most / def.stiffness, 1e-10);
    if (sticks && isfinite(slipped)) {
      assert_near(t - slipped, low, 1e-9);
      assert_near(position, x, 1e-9);
      ++cycles;
    }
    if (!sticks) slipped = t;
  }
  assert_true(cycles > 10);
  nsds_model_destroy(model);
}

/* Each arc goes on as the profile does, and the profile turns with the camshaft's speed. */
static void arcs(void **state) {
  (void)state;
  const double rpm[] = {358.0, 660.0, 700.0};
  for (int r = 0; r < 3; ++r)
    for (long k = 0; k < 100; ++k) {
      double from = k > 0 ? cam_arc_end(k - 1, rpm[r]) : 0.0, to = cam_arc_end(k, rpm[r]);
      for (int j = 1; j < 20; ++j) {
        double t = from + (to - from) * j / 20;
        cam_state a = cam_arc(t, rpm[r], k), b = cam_profile(t, rpm[r]);
        assert_near(a.c, b.c, 1e-13);
        assert_near(a.dc, b.dc, 1e-10);
        assert_near(a.ddc, b.ddc, 1e-7);
      }
      cam_state a = cam_arc(to, rpm[r], k), b = cam_arc(to, rpm[r], k + 1);
      assert_near(a.c, b.c, 1e-14);
      assert_near(a.dc, b.dc, 1e-11);
      double turn = 60.0 / rpm[0] * rpm[r] / 60.0; /* the same shape at another speed */
      assert_near(cam_profile(to * turn, rpm[0]).c, cam_profile(to, rpm[r]).c, 1e-12);
    }
}

/* Newton's and Poisson's laws: after the first impact two balls go back with u/5, three on with
 * 4u/5; the distributing law has the speeds of balls that deform, to what these move while they
 * touch. */
static void cradle(void **state) {
  (void)state;
  nsds_model *model[CRADLE_LAWS];
  nsds_simulation *s[CRADLE_LAWS];
  nsds_ds *balls[CRADLE_LAWS];
  for (int law = 0; law < CRADLE_LAWS; ++law) {
    model[law] = nsds_model_create(NULL);
    balls[law] = scene_newton_cradle(model[law], (cradle_law)law, 2, 0.06);
    s[law] = nsds_event_driven(
        model[law],
        &(nsds_event_driven_def){.t1 = 1.2, .output_period = 0.1, .largest_step = 2e-3});
    assert_sound(model[law]);
  }
  for (int law = CRADLE_NEWTON; law <= CRADLE_POISSON; ++law) {
    while (!(next(model[law], s[law])->kind & NSDS_EVENT_IMPACT)) continue;
    const double *v = nsds_v(balls[law]);
    double u = (2.0 * v[0] + 3.0 * v[4]) / 2.0; /* by the momentum */
    for (int i = 0; i < cradle_balls; ++i) assert_near(v[i], i < 2 ? -0.2 * u : 0.8 * u, 4e-3 * u);
  }
  for (int law = CRADLE_DISTRIBUTING; law < CRADLE_LAWS; ++law)
    assert_int_equal(nsds_run(s[law]), NSDS_END);
  for (int i = 0; i < cradle_balls; ++i) {
    nsds_ds *rigid = balls[CRADLE_DISTRIBUTING], *elastic = balls[CRADLE_ELASTIC];
    assert_near(nsds_v(rigid)[i], nsds_v(elastic)[i], 1e-3);
    assert_near(nsds_q(rigid)[i], nsds_q(elastic)[i], 2e-4);
  }
  for (int law = 0; law < CRADLE_LAWS; ++law) nsds_model_destroy(model[law]);
}

/* After the break no ball is in another, a cushion or the cloth; energy never grows, and what is left at
 * the end is that of rolling balls and a few that still slide. */
static void break_of_pool(void **state) {
  (void)state;
  nsds_model *model = nsds_model_create(NULL);
  billiards t = scene_billiards(model, 8.0, 0.01);
  nsds_simulation *s =
      nsds_event_driven(model, &(nsds_event_driven_def){.t1 = 1.0, .output_period = 0.02});
  assert_sound(model);
  double last = INFINITY, r = billiard_radius;
  nsds_status status;
  while ((status = nsds_step(s)) == NSDS_OK) {
    double energy = 0.0;
    for (int i = 0; i < billiard_balls; ++i) {
      const double *x = nsds_q(t.ball[i]);
      energy += nsds_kinetic_energy(t.ball[i]);
      assert_between(x[0], r - 1e-9, billiard_length - r + 1e-9);
      assert_between(x[1], r - 1e-9, billiard_width - r + 1e-9);
      assert_true(x[2] > r - 1e-9);
      for (int j = 0; j < i; ++j) {
        const double *y = nsds_q(t.ball[j]);
        assert_true(hypot(hypot(x[0] - y[0], x[1] - y[1]), x[2] - y[2]) > 2.0 * r - 1e-9);
      }
    }
    assert_true(energy <= last * (1.0 + 1e-9));
    last = energy;
  }
  assert_int_equal(status, NSDS_END);
  assert_between(last, 0.05, 0.5 * 0.5 * billiard_mass * 64.0);
  assert_true(nsds_simulation_event(s)->nonsmooth > 40);
  int moving = 0;
  for (int i = 0; i < billiard_balls; ++i)
    moving += hypot(nsds_v(t.ball[i])[0], nsds_v(t.ball[i])[1]) > 0.01;
  assert_true(moving > 12);
  nsds_model_destroy(model);
}

/* The toy comes to a cycle of 0.146 s, in which the beak strikes once; time stepping follows it. */
static void woodpecker(void **state) {
  (void)state;
  nsds_model *model = nsds_model_create(NULL), *other = nsds_model_create(NULL);
  woodpecker_scene toy = scene_woodpecker(model), same = scene_woodpecker(other);
  nsds_simulation *s = start(model, 1.5);
  double last = NAN, period = NAN, before = NAN;
  int strikes = 0;
  while (nsds_step(s) == NSDS_OK) {
    const nsds_event_info *event = nsds_simulation_event(s);
    assert_true(nsds_y(toy.beak)[0] > -1e-12 && nsds_y(toy.lower)[0] > -1e-12);
    assert_true(nsds_y(toy.upper)[0] > -1e-12);
    if (event->kind & NSDS_EVENT_IMPACT)
      assert_true(event->kinetic_after <= event->kinetic_before * (1.0 + 1e-9));
    if (nsds_impulse(toy.beak)[0] == 0.0) continue;
    ++strikes;
    before = period;
    period = nsds_time(s) - last;
    last = nsds_time(s);
  }
  assert_sound(model);
  assert_int_equal(strikes, 10);
  assert_near(period, 0.1460, 2e-4);
  assert_near(before, period, 2e-4);
  nsds_simulation *steps =
      nsds_time_stepping(other, &(nsds_time_stepping_def){.t1 = 1.5, .h = 2e-5});
  assert_sound(other);
  assert_int_equal(nsds_run(steps), NSDS_END);
  assert_near(nsds_q(same.toy)[0], nsds_q(toy.toy)[0], 5e-4);
  nsds_model_destroy(model);
  nsds_model_destroy(other);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(break_of_pool), cmocka_unit_test(woodpecker),
                                     cmocka_unit_test(string),        cmocka_unit_test(rocking),
                                     cmocka_unit_test(belt),          cmocka_unit_test(arcs),
                                     cmocka_unit_test(cradle)};
  return cmocka_run_group_tests_name("event_driven.scenes_of_examples", tests, NULL, NULL);
}
