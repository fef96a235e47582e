/*
 * Rolling friction between events: a contact that rolls, slides and blocks, the instants between, and impacts, against
 * closed forms, an integration of its own and time stepping.
 */
#include "support.h"

#include <stdio.h>

static const double g = 9.81, mass = 1.5, radius = 0.2, inertia = 0.03;

/* A wheel in the plane, q = (x, y, angle), or a ball in space, q = (x, y, z, three angles), on the level y = 0 or
 * z = 0. */
typedef struct wheel {
  nsds_model *model;
  nsds_ds *body;
  nsds_interaction *contact;
  nsds_simulation *s;
} wheel;

static int pull(const nsds_arguments *in, double *force, void *user) {
  force[0] = *(double *)user * in->t;
  force[1] = -mass * g;
  force[2] = 0.0;
  return 0;
}

static wheel make_wheel(double mu, double mu_rolling, double height, const double *v,
                        double *rising, double t1) {
  wheel w = {.model = nsds_model_create(NULL)};
  double M[9] = {mass, 0, 0, 0, mass, 0, 0, 0, inertia}, q[3] = {0.0, height, 0.0};
  double load[3] = {0.0, -mass * g, 0.0};
  double H[9] = {0, 1, 0, 1, 0, 0, 0, radius, 1}; /* rows N, T, R, by columns */
  nsds_lagrangian_linear_def body = {.ndof = 3, .mass = M, .q0 = q, .v0 = v, .fext = load};
  if (rising) {
    body.fext = NULL;
    body.fext_fn = pull;
    body.user = rising;
  }
  w.body = nsds_lagrangian_linear(w.model, &body);
  nsds_relation *r = nsds_lagrangian_linear_relation(
      w.model, &(nsds_lagrangian_linear_relation_def){.ny = 3, .nq = 3, .H = H});
  nsds_law *law = nsds_newton_impact_rolling(
      w.model,
      &(nsds_newton_impact_rolling_def){.dimension = 2, .mu = mu, .mu_rolling = mu_rolling});
  w.contact = nsds_connect(w.model, r, law, 1, &w.body);
  w.s = nsds_event_driven(
      w.model,
      &(nsds_event_driven_def){.t1 = t1, .relative_tolerance = 1e-12, .absolute_tolerance = 1e-13});
  assert_sound(w.model);
  return w;
}

static wheel make_ball(double mu, double mu_rolling, const double *v, double t1) {
  wheel w = {.model = nsds_model_create(NULL)};
  double M[36] = {0.0}, H[30] = {0.0}, load[6] = {0.0, 0.0, -mass * g};
  for (int k = 0; k < 6; ++k) M[7 * k] = k < 3 ? mass : inertia;
  H[0 + 5 * 2] = 1.0;
  H[1 + 5 * 0] = H[2 + 5 * 1] = 1.0;
  H[1 + 5 * 4] = -radius;
  H[2 + 5 * 3] = radius;
  H[3 + 5 * 3] = H[4 + 5 * 4] = 1.0;
  w.body = nsds_lagrangian_linear(
      w.model, &(nsds_lagrangian_linear_def){.ndof = 6, .mass = M, .v0 = v, .fext = load});
  nsds_relation *r = nsds_lagrangian_linear_relation(
      w.model, &(nsds_lagrangian_linear_relation_def){.ny = 5, .nq = 6, .H = H});
  nsds_law *law = nsds_newton_impact_rolling(
      w.model, &(nsds_newton_impact_rolling_def){.mu = mu, .mu_rolling = mu_rolling});
  w.contact = nsds_connect(w.model, r, law, 1, &w.body);
  w.s = nsds_event_driven(
      w.model,
      &(nsds_event_driven_def){.t1 = t1, .relative_tolerance = 1e-12, .absolute_tolerance = 1e-13});
  assert_sound(w.model);
  return w;
}

/* The deceleration of a body that rolls without slip. */
static double slowing(double mu_rolling) {
  return radius * mu_rolling * mass * g / (inertia + mass * radius * radius);
}

static void rolls_to_rest(void **state) {
  (void)state;
  uint64_t seed = 5;
  for (int k = 0; k < 20; ++k) {
    double mu_rolling = random_in(&seed, 0.002, 0.03), speed = random_in(&seed, -3.0, 3.0);
    double a = slowing(mu_rolling), stop = fabs(speed) / a;
    double v[3] = {speed, 0.0, -speed / radius};
    wheel w = make_wheel(0.8, mu_rolling, 0.0, v, NULL, 2.0 * stop);
    assert_ok(w.model, nsds_step(w.s));
    assert_near(nsds_time(w.s), stop, 1e-11 * stop);
    assert_int_equal(nsds_run(w.s), NSDS_END);
    assert_near(nsds_q(w.body)[0], 0.5 * speed * fabs(speed) / a, 1e-11 * stop);
    assert_near(nsds_v(w.body)[0], 0.0, 1e-12);
    nsds_model_destroy(w.model);
  }
}

static void ball_rolls_to_rest(void **state) {
  (void)state;
  uint64_t seed = 6;
  for (int k = 0; k < 10; ++k) {
    double mu_rolling = random_in(&seed, 0.002, 0.03), speed = random_in(&seed, 0.1, 3.0);
    double way = random_in(&seed, -3.0, 3.0), a = slowing(mu_rolling), stop = speed / a;
    double c = cos(way), d = sin(way), far = 0.5 * speed * stop;
    double v[6] = {speed * c, speed * d, 0.0, -speed * d / radius, speed * c / radius, 0.3};
    wheel w = make_ball(0.8, mu_rolling, v, 1.5 * stop);
    assert_int_equal(nsds_run(w.s), NSDS_END);
    assert_near(nsds_q(w.body)[0], far * c, 2e-8 * stop);
    assert_near(nsds_q(w.body)[1], far * d, 2e-8 * stop);
    assert_near(hypot(nsds_v(w.body)[0], nsds_v(w.body)[1]), 0.0, 1e-8);
    assert_near(nsds_v(w.body)[5], 0.3, 1e-12); /* no resistance to spin about the normal */
    nsds_model_destroy(w.model);
  }
}

/* Set down without spin: it slides until it rolls, then rolls to rest. If rolling friction bears the moment of
 * friction, it slides to rest without turning. */
static void slides_then_rolls(void **state) {
  (void)state;
  uint64_t seed = 7;
  int blocked = 0;
  for (int k = 0; k < 40; ++k) {
    double mu = random_in(&seed, 0.1, 0.5), mu_rolling = random_in(&seed, 0.002, 0.12), speed = 2.0;
    double arm = mu * radius - mu_rolling, v[3] = {speed, 0.0, 0.0};
    bool blocks = arm <= 0.0;
    double rolls = speed / (mu * g + radius * fmax(arm, 0.0) * mass * g / inertia);
    double left = speed - mu * g * rolls, a = slowing(mu_rolling), rest = rolls + left / a;
    bool sticks = a <= mu * g; /* else it goes on sliding while it rolls */
    if (!blocks && !sticks) continue;
    blocked += blocks;
    wheel w = make_wheel(mu, mu_rolling, 0.0, v, NULL, 1.2 * rest + 0.1);
    assert_ok(w.model, nsds_step(w.s));
    assert_near(nsds_time(w.s), blocks ? speed / (mu * g) : rolls, 1e-11);
    if (!blocks) {
      assert_ok(w.model, nsds_step(w.s));
      assert_near(nsds_time(w.s), rest, 1e-11 * rest);
    }
    assert_int_equal(nsds_run(w.s), NSDS_END);
    assert_near(nsds_v(w.body)[2], 0.0, 1e-11);
    assert_int_equal(fabs(nsds_q(w.body)[2]) < 1e-12, blocks);
    nsds_model_destroy(w.model);
  }
  assert_in_range(blocked, 5, 25);
}

/* A force that rises with time sets it rolling at the instant at which its moment exceeds the bound. */
static void begins_to_roll(void **state) {
  (void)state;
  uint64_t seed = 8;
  for (int k = 0; k < 10; ++k) {
    double rate = random_in(&seed, 0.5, 2.0), mu_rolling = random_in(&seed, 0.002, 0.05);
    double start = mu_rolling * mass * g / (radius * rate), after = 0.7;
    wheel w = make_wheel(0.9, mu_rolling, 0.0, NULL, &rate, start + after);
    assert_ok(w.model, nsds_step(w.s));
    assert_near(nsds_time(w.s), start, 1e-11);
    assert_int_equal(nsds_run(w.s), NSDS_END);
    double heavy = mass + inertia / (radius * radius);
    assert_near(nsds_q(w.body)[0], rate * pow(after, 3.0) / (6.0 * heavy), 1e-10);
    assert_near(nsds_v(w.body)[2], -nsds_v(w.body)[0] / radius, 1e-10);
    nsds_model_destroy(w.model);
  }
}

/* Falls with a spin: the impulses of slip and of rolling are bounded by that of the normal. */
static void impacts(void **state) {
  (void)state;
  uint64_t seed = 9;
  int stuck = 0;
  for (int k = 0; k < 40; ++k) {
    double mu_rolling = random_in(&seed, 0.01, 0.5), height = 0.3, fall = sqrt(2.0 * height / g);
    double v[3] = {random_in(&seed, -2.0, 2.0), 0.0, random_in(&seed, -5.0, 5.0)};
    wheel w = make_wheel(5.0, mu_rolling, height, v, NULL, 1.0);
    assert_ok(w.model, nsds_step(w.s));
    assert_near(nsds_time(w.s), fall, 1e-12);
    double normal = mass * g * fall, heavy = inertia + mass * radius * radius;
    double free = inertia * v[2] - radius * mass * v[0], most = mu_rolling * normal;
    double turns = fabs(free) <= most ? 0.0 : (free - copysign(most, free)) / heavy;
    stuck += turns == 0.0;
    const double *P = nsds_impulse(w.contact);
    assert_near(P[0], normal, 1e-11);
    assert_near(nsds_v(w.body)[2], turns, 1e-9);
    assert_near(nsds_v(w.body)[0], -radius * turns, 1e-9);
    assert_near(P[2], inertia * (turns - v[2]) - radius * P[1], 1e-9);
    nsds_model_destroy(w.model);
  }
  assert_in_range(stuck, 10, 38);
}

/* Rates of a ball that slides and rolls, without events: velocities (x, y, two spins). */
static void ball_rates(double mu, double mu_rolling, const double *u, double *a) {
  double s[2] = {u[0] - radius * u[3], u[1] + radius * u[2]}, slip = hypot(s[0], s[1]);
  double spin = hypot(u[2], u[3]), F[2];
  for (int k = 0; k < 2; ++k) {
    F[k] = -mu * mass * g * s[k] / slip;
    a[k] = F[k] / mass;
  }
  a[2] = (radius * F[1] - mu_rolling * mass * g * u[2] / spin) / inertia;
  a[3] = (-radius * F[0] - mu_rolling * mass * g * u[3] / spin) / inertia;
}

/* A ball with a spin across its way goes along a curve while it slides. */
static void curves(void **state) {
  (void)state;
  uint64_t seed = 10;
  for (int k = 0; k < 6; ++k) {
    double mu = random_in(&seed, 0.2, 0.4), mu_rolling = random_in(&seed, 0.002, 0.01);
    double u[6] = {2.0, random_in(&seed, -1.0, 1.0), random_in(&seed, 5.0, 15.0),
                   random_in(&seed, -9.0, 9.0)};
    double v[6] = {u[0], u[1], 0.0, u[2], u[3], 0.0}, end = 0.12;
    wheel w = make_ball(mu, mu_rolling, v, end);
    assert_int_equal(nsds_run(w.s), NSDS_END);
    enum { steps = 20000 };
    for (int i = 0; i < steps; ++i) {
      double a[4][6], x[6], h = end / steps;
      for (int stage = 0; stage < 4; ++stage) {
        double part = stage == 3 ? h : 0.5 * h;
        for (int j = 0; j < 6; ++j) x[j] = u[j] + (stage > 0 ? part * a[stage - 1][j] : 0.0);
        ball_rates(mu, mu_rolling, x, a[stage]);
        a[stage][4] = x[0];
        a[stage][5] = x[1];
      }
      for (int j = 0; j < 6; ++j)
        u[j] += h / 6.0 * (a[0][j] + 2.0 * a[1][j] + 2.0 * a[2][j] + a[3][j]);
    }
    assert_near(nsds_q(w.body)[0], u[4], 1e-9);
    assert_near(nsds_q(w.body)[1], u[5], 1e-9);
    assert_near(nsds_v(w.body)[3], u[2], 1e-8);
    nsds_model_destroy(w.model);
  }
}

/* Two balls of a contact set that roll over a floor and strike each other, by both drivers. */
static double set_apart(double h, int k, double *x) {
  nsds_model *model = nsds_model_create(NULL);
  uint64_t seed = 20 + (uint64_t)k;
  nsds_ds *ball[2];
  for (int i = 0; i < 2; ++i) {
    double q[7] = {i == 0 ? -0.5 : 0.5, random_in(&seed, -0.05, 0.05), 0.1, 1.0}, v[6];
    for (int j = 0; j < 6; ++j) v[j] = j == 2 ? 0.0 : random_in(&seed, -0.5, 0.5);
    v[0] = i == 0 ? 1.0 : -1.0;
    double J[9] = {4e-3, 0, 0, 0, 4e-3, 0, 0, 0, 4e-3};
    ball[i] = nsds_rigid_body(
        model, &(nsds_rigid_body_def){
                   .mass = 1.0, .inertia = J, .q0 = q, .v0 = v, .gravity = {0.0, 0.0, -g}});
  }
  nsds_law *law = nsds_newton_impact_rolling(
      model, &(nsds_newton_impact_rolling_def){.mu = 0.3, .mu_rolling = 0.004, .e_n = 0.6});
  nsds_spheres(model, &(nsds_spheres_def){.law = law,
                                          .count = 2,
                                          .ds = ball,
                                          .radius = 0.1,
                                          .nplane = 1,
                                          .plane = &(nsds_plane){.normal = {0, 0, 1}}});
  nsds_simulation *s = h > 0.0
                           ? nsds_time_stepping(model, &(nsds_time_stepping_def){.t1 = 1.5, .h = h})
                           : nsds_event_driven(model, &(nsds_event_driven_def){.t1 = 1.5});
  assert_sound(model);
  if (nsds_run(s) != NSDS_END) fail_msg("%s", nsds_error_message(nsds_model_context(model)));
  double apart = 0.0;
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 3; ++j) {
      if (h > 0.0) apart = fmax(apart, fabs(nsds_q(ball[i])[j] - x[3 * i + j]));
      else x[3 * i + j] = nsds_q(ball[i])[j];
    }
  nsds_model_destroy(model);
  return apart;
}

static void both_drivers_agree(void **state) {
  (void)state;
  double worst = 0.0;
  for (int k = 0; k < 6; ++k) {
    double x[6];
    set_apart(0.0, k, x);
    double coarse = set_apart(4e-4, k, x), fine = set_apart(1e-4, k, x);
    if (!(fine < 2e-3 && fine < 0.6 * coarse + 1e-5))
      fail_msg("draw %d: %g, then %g apart", k, coarse, fine);
    worst = fmax(worst, fine);
  }
  printf("balls end %.2g apart\n", worst);
}

/* A snapshot at each event goes on with the same bits, and so does an event that is met and given up before. */
static void saved(void **state) {
  (void)state;
  static const char file[] = "rolling.nsds";
  double v[6] = {2.0, 0.5, 0.0, 9.0, -4.0, 0.1}, still[6] = {0.0};
  wheel one = make_ball(0.3, 0.01, v, 6.0), other = make_ball(0.3, 0.01, still, 6.0);
  int count = 0;
  nsds_status status = NSDS_OK;
  for (; status == NSDS_OK; ++count) {
    assert_ok(one.model, nsds_snapshot_save(one.s, file));
    assert_ok(other.model, nsds_snapshot_load(other.s, file));
    if (nsds_event_meet(one.s) == NSDS_OK) assert_ok(one.model, nsds_step_reject(one.s));
    status = nsds_step(one.s);
    assert_int_equal(nsds_step(other.s), status);
    assert_true(state_hash(one.model, 0) == state_hash(other.model, 0));
  }
  assert_int_equal(status, NSDS_END);
  assert_true(count >= 3);
  nsds_model_destroy(one.model);
  nsds_model_destroy(other.model);
  remove(file);
}

/* A bar in the plane, q = (x, y, angle), that lies on its two ends, each with slip and rolling friction: six
 * rows, of which three are enough. `load` gives its rising force and moment. */
typedef struct lying {
  double force, moment; /* rates [N/s], [N m/s] */
} lying;

static int load_bar(const nsds_arguments *in, double *force, void *user) {
  const lying *bar = user;
  force[0] = bar->force * in->t;
  force[1] = -mass * g;
  force[2] = bar->moment * in->t;
  return 0;
}

static nsds_simulation *make_bar(nsds_model *model, lying *bar, double length, double mu,
                                 double mu_rolling, double t1) {
  double M[9] = {mass, 0, 0, 0, mass, 0, 0, 0, inertia};
  nsds_ds *ds = nsds_lagrangian_linear(
      model, &(nsds_lagrangian_linear_def){.ndof = 3, .mass = M, .fext_fn = load_bar, .user = bar});
  nsds_law *law = nsds_newton_impact_rolling(
      model, &(nsds_newton_impact_rolling_def){.dimension = 2, .mu = mu, .mu_rolling = mu_rolling});
  for (int end = -1; end <= 1; end += 2) {
    double H[9] = {0, 1, 0, 1, 0, 0, end * length, 0, 1}; /* rows N, T, R, by columns */
    nsds_relation *r = nsds_lagrangian_linear_relation(
        model, &(nsds_lagrangian_linear_relation_def){.ny = 3, .nq = 3, .H = H});
    nsds_connect(model, r, law, 1, &ds);
  }
  nsds_simulation *s = nsds_event_driven(
      model,
      &(nsds_event_driven_def){.t1 = t1, .relative_tolerance = 1e-12, .absolute_tolerance = 1e-13});
  assert_sound(model);
  return s;
}

/* The bar slides when the force exceeds mu m g. It tips over one end when the moment exceeds m g (L + mu_rolling):
 * until then, forces inside all bounds hold it. Dependent rows of rolling friction once left their bounds early. */
static void lying_bars_hold_on(void **state) {
  (void)state;
  uint64_t seed = 11;
  for (int k = 0; k < 40; ++k) {
    double length = random_in(&seed, 0.1, 0.5), mu = random_in(&seed, 0.1, 0.8);
    double mu_rolling = random_in(&seed, 0.01, 0.3) * length, rate = random_in(&seed, 5.0, 50.0);
    lying bar = k % 2 ? (lying){.force = rate} : (lying){.moment = rate};
    double most = mass * g * (k % 2 ? mu : length + mu_rolling), leaves = most / rate;
    nsds_model *model = nsds_model_create(NULL);
    nsds_simulation *s = make_bar(model, &bar, length, mu, mu_rolling, 1.1 * leaves);
    int events = 0;
    nsds_status status;
    double last = 0.0;
    for (; (status = nsds_step(s)) == NSDS_OK && nsds_time(s) < 1.1 * leaves; ++events) {
      last = nsds_time(s);
      if (last < leaves * (1.0 - 5e-7)) /* forces are chosen anew, nothing moves */
        assert_near(nsds_v(nsds_ds_at(model, 0))[k % 2 ? 0 : 2], 0.0, 1e-12);
      if (events > 200) fail_msg("draw %d: events crowd at %g of %g", k, last, leaves);
    }
    if (status < 0) fail_msg("%s", nsds_error_message(nsds_model_context(model)));
    double after = 0.1 * leaves, heavy = k % 2 ? mass : inertia + mass * length * length;
    assert_near(last, leaves, 5e-7 * leaves); /* shared forces are known to some 1e-8 */
    double v = nsds_v(nsds_ds_at(model, 0))[k % 2 ? 0 : 2];
    if (k % 2) assert_near(v, 0.5 * rate * after * after / heavy, 1e-6);
    else assert_true(v > 0.0);
    nsds_model_destroy(model);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(rolls_to_rest),
                                     cmocka_unit_test(ball_rolls_to_rest),
                                     cmocka_unit_test(slides_then_rolls),
                                     cmocka_unit_test(begins_to_roll),
                                     cmocka_unit_test(impacts),
                                     cmocka_unit_test(curves),
                                     cmocka_unit_test(both_drivers_agree),
                                     cmocka_unit_test(lying_bars_hold_on),
                                     cmocka_unit_test(saved)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
