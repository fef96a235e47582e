/* Second-order systems in adaptive simulation: closed forms, order 2, the event-driven driver beside it, bits of snapshots,
 * and what is refused. With a number as argument so many systems are drawn. */
#include "support.h"

#include <stdio.h>
#include <stdlib.h>

static const double gravity = 9.81;

static nsds_ds *mass_of(nsds_model *model, double m, double q, double v, double k, double force) {
  return nsds_lagrangian_linear(model,
                                &(nsds_lagrangian_linear_def){.ndof = 1,
                                                              .mass = &m,
                                                              .q0 = &q,
                                                              .v0 = &v,
                                                              .stiffness = k > 0.0 ? &k : NULL,
                                                              .fext = &force});
}

/* A stop at q = place; side 1: q >= place, -1: q <= place. */
static nsds_interaction *stop_of(nsds_model *model, nsds_ds *ds, double side, double place,
                                 nsds_law *law) {
  double b = -side * place;
  nsds_relation *relation = nsds_lagrangian_linear_relation(
      model, &(nsds_lagrangian_linear_relation_def){.ny = 1, .nq = 1, .H = &side, .b = &b});
  return nsds_connect(model, relation, law, 1, &ds);
}

static void finish(nsds_model *model, nsds_simulation *sim) {
  assert_sound(model);
  assert_non_null(sim);
  assert_int_equal(nsds_run(sim), NSDS_END);
  assert_sound(model);
}

/* ---- closed forms ---- */

/* A ball bounces with restitution e: flights of 2 v / g. Once they are shorter than settling it rests. */
static void bouncing_ball(void **state) {
  (void)state;
  const double e = 0.7, h = 1e-3;
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *ball = mass_of(model, 2.0, 1.0, 0.0, 0.0, -2.0 * gravity);
  nsds_interaction *floor = stop_of(model, ball, 1.0, 0.0, nsds_newton_impact(model, e));
  nsds_simulation *sim = nsds_adaptive(model, &(nsds_adaptive_def){.t1 = 4.0, .largest_step = h});
  double next = sqrt(2.0 / gravity), v = gravity * next;
  long seen = 0, checked = 0;
  assert_non_null(sim);
  while (nsds_step(sim) == NSDS_OK) {
    const nsds_adaptive_info *info = nsds_simulation_adaptive(sim);
    if (info->events == seen) continue;
    seen = info->events;
    if (v < 0.02) continue;
    assert_near(info->event, next, 1e-10);
    assert_near(nsds_q(ball)[0], 0.0, 1e-6); /* settled already, or not */
    v *= e;
    next += 2.0 * v / gravity;
    ++checked;
  }
  assert_sound(model);
  assert_true(checked > 12 && seen < 80);
  assert_near(nsds_q(ball)[0], 0.0, 1e-9);
  assert_near(nsds_v(ball)[0], 0.0, 1e-9);
  assert_near(nsds_lambda(floor)[0], 2.0 * gravity, 1e-6);
  assert_true(nsds_time(sim) == 4.0);
  nsds_model_destroy(model);
}

/* A ball that falls between two output times: the impulse of the step is m (1 + e) v, and then m g times the step. */
static void impulses(void **state) {
  (void)state;
  const double e = 0.5, m = 2.0, v = sqrt(2.0 * gravity);
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *ball = mass_of(model, m, 1.0, 0.0, 0.0, -m * gravity);
  nsds_interaction *floor = stop_of(model, ball, 1.0, 0.0, nsds_newton_impact(model, e));
  nsds_simulation *sim = nsds_adaptive(
      model, &(nsds_adaptive_def){.t1 = 3.0, .output_period = 0.25, .largest_step = 1e-3});
  assert_non_null(sim);
  for (int k = 1; k <= 12; ++k) {
    assert_int_equal(nsds_step(sim), NSDS_OK);
    double P = nsds_impulse(floor)[0];
    if (k == 1) assert_near(P, 0.0, 0.0);
    if (k == 2) assert_near(P, m * (1.0 + e) * v, 1e-8);
    if (k == 12) assert_near(P, m * gravity * 0.25, 1e-8);
  }
  nsds_model_destroy(model);
}

/* A mass on a spring between its stop and the turning point: w^2 = k / m, the stop at q = -d. Behind each impact the
 * amplitude follows from v, and the way back to the stop takes pi + 2 atan(...). */
static double spring_error(double h, double tolerance, double *times) {
  const double m = 0.5, k = 20.0, d = 0.3, e = 0.8, w = sqrt(k / m), t1 = 4.0;
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *ds = mass_of(model, m, 1.0, 0.0, k, 0.0);
  stop_of(model, ds, 1.0, -d, nsds_newton_impact(model, e));
  nsds_simulation *sim = nsds_adaptive(
      model, &(nsds_adaptive_def){.t1 = t1, .largest_step = h, .tolerance = tolerance});
  double amplitude = 1.0, phase = 0.0, start = 0.0; /* q = amplitude cos(w (t - start) + phase) */
  long seen = 0;
  *times = 0.0;
  assert_non_null(sim);
  while (nsds_step(sim) == NSDS_OK) {
    const nsds_adaptive_info *info = nsds_simulation_adaptive(sim);
    if (info->events == seen) continue;
    seen = info->events;
    double t = start + (acos(-d / amplitude) - phase) / w;
    double v = e * amplitude * w * sin(w * (t - start) + phase); /* behind the impact, upwards */
    *times = fmax(*times, fabs(info->event - t));
    amplitude = hypot(d, v / w);
    phase = -acos(-d / amplitude);
    start = t;
  }
  assert_sound(model);
  assert_true(seen >= 4);
  double q = amplitude * cos(w * (t1 - start) + phase),
         v = -amplitude * w * sin(w * (t1 - start) + phase);
  double error = fabs(nsds_q(ds)[0] - q) + fabs(nsds_v(ds)[0] - v) / w;
  nsds_model_destroy(model);
  return error;
}

static void spring_and_stop(void **state) {
  (void)state;
  double times, last = NAN;
  for (double h = 8e-3; h > 4e-4; h *= 0.5) {
    double error = spring_error(h, NSDS_EQUAL_STEPS, &times);
    printf("spring: h %g, error %.3g, impacts %.3g s\n", h, error, times);
    if (!isnan(last)) assert_between(order_of(last, error), 1.9, 2.1);
    last = error;
  }
  double coarse = spring_error(0.05, 1e-5, &times), fine = spring_error(0.05, 1e-8, &times);
  printf("spring: tolerance 1e-5 %.3g, 1e-8 %.3g\n", coarse, fine);
  assert_between(coarse, 0.0, 1e-2);
  assert_between(fine, 0.0, 1e-4);
}

static int lift(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = 2.0 * gravity * sin(in->t) - gravity;
  return 0;
}

/* A mass on the floor under 2 m g sin t: it leaves at sin t = 1/2, and lambda is m g (1 - 2 sin t) before. */
static void leaves_the_floor(void **state) {
  (void)state;
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *ds = nsds_lagrangian_linear(
      model, &(nsds_lagrangian_linear_def){.ndof = 1, .mass = (double[]){1.0}, .fext_fn = lift});
  nsds_interaction *floor = stop_of(model, ds, 1.0, 0.0, nsds_complementarity(model));
  nsds_simulation *sim = nsds_adaptive(
      model, &(nsds_adaptive_def){.t1 = 1.5, .largest_step = 1e-3, .tolerance = 1e-6});
  const double leaves = asin(0.5);
  assert_non_null(sim);
  while (nsds_step(sim) == NSDS_OK)
    if (nsds_time(sim) > 1e-3 && nsds_time(sim) < leaves)
      assert_near(nsds_lambda(floor)[0], gravity * (1.0 - 2.0 * sin(nsds_time(sim))), 1e-5);
  assert_sound(model);
  assert_int_equal(nsds_simulation_adaptive(sim)->events, 1);
  assert_near(nsds_simulation_adaptive(sim)->event, leaves, 1e-7);
  double t = nsds_time(sim), v = 2.0 * gravity * (cos(leaves) - cos(t)) - gravity * (t - leaves);
  assert_near(nsds_v(ds)[0], v, 1e-5);
  nsds_model_destroy(model);
}

/* ---- joints and free bodies ---- */

static int rod(const nsds_arguments *in, double *y, void *user) {
  (void)user;
  y[0] = 0.5 * (in->q[0] * in->q[0] + in->q[1] * in->q[1] - 1.0);
  return 0;
}

static int rod_slope(const nsds_arguments *in, double *H, void *user) {
  (void)user;
  H[0] = in->q[0];
  H[1] = in->q[1];
  return 0;
}

/* A pendulum in Cartesian coordinates: order 2, energy and length near what they were. */
static double pendulum(double h, double *length, double *q) {
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *ds = nsds_lagrangian_linear(
      model, &(nsds_lagrangian_linear_def){.ndof = 2,
                                           .mass = (double[]){1.0, 0.0, 0.0, 1.0},
                                           .q0 = (double[]){1.0, 0.0},
                                           .fext = (double[]){0.0, -gravity}});
  nsds_relation *relation = nsds_lagrangian_relation(
      model, &(nsds_lagrangian_relation_def){
                 .ny = 1, .nq = 2, .output_fn = rod, .jac_output_q_fn = rod_slope});
  nsds_connect(model, relation, nsds_equality(model), 1, &ds);
  nsds_simulation *sim = nsds_adaptive(
      model, &(nsds_adaptive_def){.t1 = 2.0, .largest_step = h, .tolerance = NSDS_EQUAL_STEPS});
  finish(model, sim);
  const double *at = nsds_q(ds), *v = nsds_v(ds);
  double energy = 0.5 * (v[0] * v[0] + v[1] * v[1]) + gravity * at[1];
  *length = hypot(at[0], at[1]) - 1.0;
  q[0] = at[0];
  q[1] = at[1];
  nsds_model_destroy(model);
  return fabs(energy);
}

static void rods(void **state) {
  (void)state;
  double length[4], q[4][2], energy[4];
  for (int k = 0; k < 4; ++k) {
    energy[k] = pendulum(8e-3 / (1 << k), &length[k], q[k]);
    printf("pendulum: energy %.3g, length %.3g, q %.9g %.9g\n", energy[k], length[k], q[k][0],
           q[k][1]);
  }
  double coarse = hypot(q[1][0] - q[0][0], q[1][1] - q[0][1]),
         fine = hypot(q[3][0] - q[2][0], q[3][1] - q[2][1]);
  assert_between(order_of(coarse, fine) / 2.0, 1.85, 2.15); /* two halvings apart */
  assert_near(length[3], 0.0, 1e-12);
  assert_between(order_of(energy[2], energy[3]), 1.85, 2.15);
}

/* A free rigid body with three moments of inertia: order 2 in its attitude and spin, momentum kept by the error. */
static void tumble(double h, double *to, double *momentum) {
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *body = nsds_rigid_body(
      model, &(nsds_rigid_body_def){.mass = 1.0,
                                    .inertia = (double[]){1.0, 0, 0, 0, 2.0, 0, 0, 0, 3.0},
                                    .v0 = (double[]){0.3, 0, 0, 0.1, 2.0, 0.2}});
  nsds_simulation *sim = nsds_adaptive(
      model, &(nsds_adaptive_def){.t1 = 2.0, .largest_step = h, .tolerance = NSDS_EQUAL_STEPS});
  finish(model, sim);
  for (int k = 0; k < 7; ++k) to[k] = nsds_q(body)[k];
  const double *v = nsds_v(body);
  *momentum = hypot(hypot(v[3], 2.0 * v[4]), 3.0 * v[5]);
  nsds_model_destroy(model);
}

static void tumbling(void **state) {
  (void)state;
  double q[4][7], momentum[4], gap[3] = {0.0, 0.0, 0.0};
  for (int k = 0; k < 4; ++k) tumble(4e-2 / (1 << k), q[k], &momentum[k]);
  for (int k = 0; k < 3; ++k)
    for (int j = 0; j < 7; ++j) gap[k] = fmax(gap[k], fabs(q[k + 1][j] - q[k][j]));
  double L = hypot(hypot(0.1, 4.0), 0.6);
  printf("body: %.3g %.3g %.3g, momentum %.3g %.3g\n", gap[0], gap[1], gap[2], momentum[0] - L,
         momentum[3] - L);
  assert_between(order_of(gap[1], gap[2]), 1.85, 2.15);
  assert_near(momentum[3], L, 1e-4);
}

static int arm_mass(const nsds_arguments *in, double *M, void *user) {
  double c = cos(in->q[0] - in->q[1]);
  (void)user;
  M[0] = 2.0;
  M[1] = M[2] = c;
  M[3] = 1.0;
  return 0;
}

static int arm_inertia(const nsds_arguments *in, double *out, void *user) {
  double s = sin(in->q[0] - in->q[1]);
  (void)user;
  out[0] = s * in->v[1] * in->v[1];
  out[1] = -s * in->v[0] * in->v[0];
  return 0;
}

static int arm_weight(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = 2.0 * gravity * sin(in->q[0]);
  out[1] = gravity * sin(in->q[1]);
  return 0;
}

/* Two rods with point masses, in angles: M depends on q, and the lower rod has a soft and a hard stop. */
static nsds_model *arm_of(nsds_ds **ds, bool stop) {
  nsds_model *model = nsds_model_create(NULL);
  *ds = nsds_lagrangian(
      model,
      &(nsds_lagrangian_def){
          .ndof = 2,
          .q0 = (double[]){1.2, 0.4},
          .mass_fn = arm_mass,
          .nnl = {.fn = arm_inertia, .jac_q_fn = nsds_differences, .jac_v_fn = nsds_differences},
          .fint = {.fn = arm_weight, .jac_q_fn = nsds_differences, .jac_v_fn = nsds_zero}});
  if (!stop) return model;
  nsds_relation *gap = nsds_lagrangian_linear_relation(
      model, &(nsds_lagrangian_linear_relation_def){
                 .ny = 1, .nq = 2, .H = (double[]){0.0, 1.0}, .b = (double[]){0.5}});
  nsds_connect(model, gap, nsds_newton_impact(model, 0.6), 1, ds);
  return model;
}

static void arms(void **state) {
  (void)state;
  for (int stop = 0; stop < 2; ++stop) {
    nsds_ds *right, *ds;
    nsds_model *model = arm_of(&right, stop);
    finish(model, nsds_event_driven(model, &(nsds_event_driven_def){.t1 = 1.5}));
    double last = NAN;
    for (double h = 4e-3; h > 4e-4; h *= 0.5) {
      nsds_model *other = arm_of(&ds, stop);
      finish(other, nsds_adaptive(other, &(nsds_adaptive_def){.t1 = 1.5,
                                                              .largest_step = h,
                                                              .tolerance = NSDS_EQUAL_STEPS}));
      double error = hypot(nsds_q(ds)[0] - nsds_q(right)[0], nsds_q(ds)[1] - nsds_q(right)[1]);
      printf("arm: h %g, error %.3g\n", h, error);
      if (!isnan(last)) assert_between(order_of(last, error), 1.8, 2.2);
      last = error;
      nsds_model_destroy(other);
    }
    nsds_model_destroy(model);
  }
}

/* ---- beside the event-driven driver ---- */

static uint64_t draws;
static double real(double low, double high) { return random_in(&draws, low, high); }
static int number(int n) { return (int)real(0.0, (double)n) % n; }

enum { most_masses = 5 };
static double least_restitution = 0.6;

/* A spring with a damper between two masses: y = lambda + k (l - 1) + d dl/dt = 0, a compliant relation. */
static void add_spring(nsds_model *model, nsds_ds **ds) {
  nsds_relation *spring = nsds_spring(model, &(nsds_spring_def){.ds = {ds[1], ds[0]},
                                                                .coordinates = true,
                                                                .stiffness = real(5.0, 50.0),
                                                                .damping = real(0.1, 0.5),
                                                                .rest = NSDS_REST_LENGTH,
                                                                .length = 1.0});
  nsds_connect(model, spring, nsds_equality(model), 2, (nsds_ds *[]){ds[1], ds[0]});
}

/* A chain of masses on a line with springs, stops and gaps between neighbors, all drawn. Restitution is not small: three
 * masses that collapse onto each other depend on the order of impacts within rounding. */
static nsds_model *chain_of(int n, nsds_ds **ds) {
  nsds_model *model = nsds_model_create(NULL);
  double e = real(least_restitution, 1.0), tie = real(0.0, 1.0);
  for (int k = 0; k < n; ++k)
    ds[k] = mass_of(model, real(0.5, 2.0), (double)k, real(-2.0, 2.0),
                    real(0.0, 1.0) < 0.5 ? 0.0 : real(1.0, 20.0), real(-3.0, 3.0));
  stop_of(model, ds[0], 1.0, -0.5, nsds_newton_impact(model, e));
  stop_of(model, ds[n - 1], -1.0, (double)n - 0.5, nsds_newton_impact(model, e));
  for (int k = 0; k + 1 < n; ++k) {
    bool rigid = n > 2 && k == 0 && tie < 0.3; /* a rod in place of a gap */
    nsds_relation *between = nsds_lagrangian_linear_relation(
        model,
        &(nsds_lagrangian_linear_relation_def){
            .ny = 1, .nq = 2, .H = (double[]){-1.0, 1.0}, .b = (double[]){rigid ? -1.0 : -0.5}});
    nsds_connect(model, between, rigid ? nsds_equality(model) : nsds_newton_impact(model, e), 2,
                 ds + k);
    if (real(0.0, 1.0) < 0.3) add_spring(model, ds + k);
  }
  return model;
}

/* Returns the difference of both drivers where the reference has had few impacts; NaN: left out. */
static double beside_events(uint64_t seed, double h, long *events) {
  nsds_ds *ds[2][most_masses];
  nsds_model *model[2];
  int n = 0;
  double worst = 0.0;
  for (int k = 0; k < 2; ++k) {
    draws = seed;
    n = 2 + number(most_masses - 1);
    model[k] = chain_of(n, ds[k]);
  }
  nsds_simulation *sim = nsds_adaptive(
      model[0],
      &(nsds_adaptive_def){.t1 = 1.5, .output_period = 0.05, .largest_step = h, .tolerance = 1e-8});
  nsds_simulation *right =
      nsds_event_driven(model[1], &(nsds_event_driven_def){.t1 = 1.5, .output_period = 0.05});
  if (!sim || !right)
    fail_msg("%s%s", nsds_error_message(nsds_model_context(model[0])),
             nsds_error_message(nsds_model_context(model[1])));
  for (double next = 0.05; next < 1.49; next += 0.05) {
    while (nsds_time(sim) < next - 1e-9)
      if (nsds_step(sim) != NSDS_OK)
        fail_msg("%s", nsds_error_message(nsds_model_context(model[0])));
    while (nsds_time(right) < next - 1e-9)
      if (nsds_step(right) != NSDS_OK) break;
    if (nsds_time(right) < next - 1e-9) {
      worst = NAN;
      break;
    }
    for (int j = 0; j < n; ++j)
      worst = fmax(worst, fabs(nsds_q(ds[0][j])[0] - nsds_q(ds[1][j])[0]));
  }
  *events += nsds_simulation_adaptive(sim)->events;
  nsds_model_destroy(model[0]);
  nsds_model_destroy(model[1]);
  return worst;
}

static long runs = 40, first_run = 1;

static void drawn_chains(void **state) {
  (void)state;
  long events = 0, wrong = 0, left = 0;
  double worst = 0.0;
  for (long k = first_run; k < first_run + runs; ++k) {
    double error = beside_events((uint64_t)k * 7919u, 1e-3, &events);
    if (error > 1e-4) { /* impacts magnify errors; these fall with the length of steps */
      double before = error;
      error = beside_events((uint64_t)k * 7919u, 1.25e-4, &events);
      printf("chain %ld: %.3g, with shorter steps %.3g\n", k, before, error);
      wrong += error > fmax(0.1 * before, 1e-3);
    }
    if (isnan(error)) ++left;
    else worst = fmax(worst, error);
  }
  printf("%ld chains, %ld events, worst difference %.3g, %ld left out\n", runs, events, worst,
         left);
  assert_int_equal(wrong, 0);
}

/* Regression: drawn chains with any restitution come to their end. Steps stood still where y was rounding of q, and where
 * settling was shortened without end. */
static void chains_end(void **state) {
  (void)state;
  long ended = 0;
  static const long stood_still[] = {467, 883};
  for (long k = 0; k < 3 * runs + 2; ++k) {
    nsds_ds *ds[most_masses];
    draws = (uint64_t)(k < 2 ? stood_still[k] : first_run + k - 2) * 31u;
    least_restitution = 0.0;
    nsds_model *model = chain_of(2 + number(most_masses - 1), ds);
    least_restitution = 0.6;
    nsds_simulation *sim =
        nsds_adaptive(model, &(nsds_adaptive_def){.t1 = 1.5, .largest_step = 5e-3});
    long steps = 0;
    while (steps < 20000 && nsds_step(sim) == NSDS_OK) ++steps;
    assert_sound(model);
    ended += steps < 20000;
    nsds_model_destroy(model);
  }
  assert_int_equal(ended, 3 * runs + 2);
}

/* ---- memory ---- */

/* A ball that bounces for ever, and a pendulum. */
static nsds_model *ball_and_pendulum(nsds_context *context) {
  nsds_model *model = nsds_model_create(context);
  if (!model) return NULL;
  nsds_ds *ball = mass_of(model, 1.0, 1.0, 0.0, 0.0, -gravity);
  if (ball) stop_of(model, ball, 1.0, 0.0, nsds_newton_impact(model, 1.0));
  nsds_ds *weight = nsds_lagrangian_linear(
      model, &(nsds_lagrangian_linear_def){.ndof = 2,
                                           .mass = (double[]){1.0, 0.0, 0.0, 1.0},
                                           .q0 = (double[]){1.0, 0.0},
                                           .fext = (double[]){0.0, -gravity}});
  nsds_relation *relation = nsds_lagrangian_relation(
      model, &(nsds_lagrangian_relation_def){
                 .ny = 1, .nq = 2, .output_fn = rod, .jac_output_q_fn = rod_slope});
  if (weight && relation) nsds_connect(model, relation, nsds_equality(model), 1, &weight);
  return model;
}

/* Drawn pendulums on rods meet walls with restitution 0.4. Returns the least gap of a run of 2 s. */
static double rod_before_a_wall(uint64_t seed, double tolerance) {
  draws = seed;
  double angle = real(-1.0, 1.5), rate = real(-3.0, 3.0);
  const double x = sin(angle), y = -cos(angle), wall = x + real(0.05, 0.6);
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *weight = nsds_lagrangian_linear(
      model, &(nsds_lagrangian_linear_def){.ndof = 2,
                                           .mass = (double[]){1.0, 0.0, 0.0, 1.0},
                                           .q0 = (double[]){x, y},
                                           .v0 = (double[]){-y * rate, x * rate},
                                           .fext = (double[]){0.0, -gravity}});
  nsds_relation *relation = nsds_lagrangian_relation(
      model, &(nsds_lagrangian_relation_def){
                 .ny = 1, .nq = 2, .output_fn = rod, .jac_output_q_fn = rod_slope});
  nsds_connect(model, relation, nsds_equality(model), 1, &weight);
  nsds_relation *gap = nsds_lagrangian_linear_relation(
      model, &(nsds_lagrangian_linear_relation_def){
                 .ny = 1, .nq = 2, .H = (double[]){-1.0, 0.0}, .b = &wall});
  nsds_interaction *stop = nsds_connect(model, gap, nsds_newton_impact(model, 0.4), 1, &weight);
  nsds_simulation *sim =
      nsds_adaptive(model, &(nsds_adaptive_def){.t1 = 2.0, .tolerance = tolerance});
  assert_sound(model);
  double least = 0.0;
  nsds_status status;
  while ((status = nsds_step(sim)) == NSDS_OK) least = fmin(least, nsds_y(stop)[0]);
  if (status != NSDS_END)
    print_error("seed %llu, tolerance %g: %s\n", (unsigned long long)seed, tolerance,
                nsds_error_message(nsds_model_context(model)));
  assert_int_equal(status, NSDS_END);
  nsds_model_destroy(model);
  return least;
}

/* Joints that are led back open a gap that has just closed: the impact was lost, or the rest of the flight was too short
 * for Newton's method. */
static void impacts_of_jointed_masses(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 60; ++seed)
    for (double tolerance = 1e-8; tolerance < 1e-3; tolerance *= 100.0)
      assert_true(rod_before_a_wall(seed, tolerance) > -1e-9);
}

/* A body in space that a joint holds, of drawn attitude: a weld, or a slide along a level axis. */
static void held_body(uint64_t seed, bool weld) {
  draws = seed;
  double q[7] = {0.0}, length = 0.0;
  const double J[9] = {0.1, 0.0, 0.0, 0.0, 0.2, 0.0, 0.0, 0.0, 0.25};
  for (int k = 3; k < 7; ++k) length = hypot(length, q[k] = real(-1.0, 1.0));
  for (int k = 3; k < 7; ++k) q[k] /= length;
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *body = nsds_rigid_body(
      model,
      &(nsds_rigid_body_def){.mass = 1.3, .inertia = J, .q0 = q, .gravity = {0.0, 0.0, -gravity}});
  const nsds_joint_def joint = {.kind = weld ? NSDS_JOINT_FIXED : NSDS_JOINT_PRISMATIC,
                                .ds = {body},
                                .axis = {real(-1.0, 1.0), real(-1.0, 1.0), 0.0},
                                .point = {0.0, 0.0, 0.5}};
  nsds_connect(model, nsds_joint(model, &joint), nsds_equality(model), 1, &body);
  nsds_simulation *sim = nsds_adaptive(model, &(nsds_adaptive_def){.t1 = 0.5, .tolerance = 1e-6});
  assert_sound(model);
  nsds_status status;
  int steps = 0;
  while ((status = nsds_step(sim)) == NSDS_OK) assert_in_range(++steps, 1, 200);
  if (status != NSDS_END)
    print_error("seed %llu: %s\n", (unsigned long long)seed,
                nsds_error_message(nsds_model_context(model)));
  assert_int_equal(status, NSDS_END);
  for (int k = 0; k < 7; ++k) assert_near(nsds_q(body)[k], q[k], 1e-12);
  nsds_model_destroy(model);
}

/* Speeds are rounding here: they are no size beside which corrections and errors could be small. */
static void bodies_held_at_rest(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 40; ++seed) {
    held_body(seed, true);
    held_body(seed, false);
  }
}

/* Once impacts and drift have been met, steps allocate nothing. */
static void allocations(void **state) {
  (void)state;
  meter m = {0};
  nsds_context *context = meter_context(&m);
  nsds_model *model = ball_and_pendulum(context);
  nsds_simulation *sim =
      nsds_adaptive(model, &(nsds_adaptive_def){.t1 = 50.0, .largest_step = 5e-3});
  assert_sound(model);
  for (int k = 0; k < 900; ++k) assert_ok(model, nsds_step(sim));
  long before = m.calls, events = nsds_simulation_adaptive(sim)->events;
  for (int k = 0; k < 1000; ++k) assert_ok(model, nsds_step(sim));
  assert_int_equal(m.calls, before);
  assert_true(nsds_simulation_adaptive(sim)->events > events + 2);
  nsds_model_destroy(model);
  nsds_context_destroy(context);
}

/* Each allocation is refused once: the call that needed it fails, and the run goes on to the same end. */
static void shortage(void **state) {
  (void)state;
  double right = NAN;
  for (long fail = 0; fail < 600; ++fail) {
    meter m = {.fail_at = fail};
    nsds_context *context = meter_context(&m);
    nsds_model *model = context ? ball_and_pendulum(context) : NULL;
    bool whole = model && nsds_error(context) == NSDS_OK;
    nsds_simulation *sim =
        whole ? nsds_adaptive(model, &(nsds_adaptive_def){.t1 = 1.0, .largest_step = 2e-2}) : NULL;
    nsds_status status = NSDS_OK;
    int failures = 0;
    while (sim && status != NSDS_END && failures < 2) {
      status = nsds_step(sim);
      if (status >= 0) continue;
      assert_int_equal(status, NSDS_ERROR_MEMORY);
      nsds_error_clear(context);
      ++failures;
    }
    assert_true(failures < 2);
    if (sim && fail == 0) right = nsds_q(nsds_ds_at(model, 0))[0];
    if (sim && fail > 0) assert_near(nsds_q(nsds_ds_at(model, 0))[0], right, 1e-9);
    if (model) nsds_model_destroy(model);
    if (context) nsds_context_destroy(context);
    assert_int_equal(m.live, 0);
    if (fail > 0 && !m.failed) break;
  }
}

/* ---- snapshots, and what is refused ---- */

static nsds_model *drawn_model(uint64_t seed, nsds_simulation **sim) {
  nsds_ds *ds[most_masses];
  draws = seed;
  nsds_model *model = chain_of(2 + number(most_masses - 1), ds);
  *sim = nsds_adaptive(model, &(nsds_adaptive_def){.t1 = 1.5, .largest_step = 5e-3});
  assert_sound(model);
  return model;
}

/* A run that goes on from a snapshot has the bits of the run that was not interrupted. */
static void snapshots(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed < 20; ++seed) {
    nsds_simulation *sim, *again;
    nsds_model *model = drawn_model(seed, &sim), *other = drawn_model(seed, &again);
    for (uint64_t k = 0; k < 40 + 20 * seed; ++k) nsds_step(sim);
    nsds_snapshot *kept = nsds_snapshot_take(sim);
    size_t size;
    const void *bytes = nsds_snapshot_bytes(kept, &size);
    nsds_snapshot *copy = nsds_snapshot_from_bytes(nsds_model_context(other), bytes, size);
    assert_ok(other, nsds_snapshot_restore(again, copy));
    nsds_run(sim);
    nsds_run(again);
    assert_sound(model);
    assert_sound(other);
    assert_true(state_hash(model, 1) == state_hash(other, 1));
    assert_int_equal(nsds_simulation_adaptive(sim)->steps, nsds_simulation_adaptive(again)->steps);
    nsds_snapshot_destroy(kept);
    nsds_snapshot_destroy(copy);
    nsds_model_destroy(model);
    nsds_model_destroy(other);
  }
}

static void refused(nsds_model *model, const char *words) {
  nsds_context *context = nsds_model_context(model);
  assert_sound(model);
  assert_null(nsds_adaptive(model, &(nsds_adaptive_def){.t1 = 1.0}));
  assert_int_equal(nsds_error(context), NSDS_ERROR_UNSUPPORTED);
  if (!strstr(nsds_error_message(context), words))
    fail_msg("'%s' does not say '%s'", nsds_error_message(context), words);
  nsds_model_destroy(model);
}

static void refusals(void **state) {
  (void)state;
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *ds = nsds_lagrangian_linear(
      model, &(nsds_lagrangian_linear_def){.ndof = 2, .mass = (double[]){1.0, 0.0, 0.0, 1.0}});
  nsds_relation *relation = nsds_lagrangian_linear_relation(
      model, &(nsds_lagrangian_linear_relation_def){
                 .ny = 2, .nq = 2, .H = (double[]){0.0, 1.0, 1.0, 0.0}});
  nsds_connect(model, relation,
               nsds_newton_impact_friction(
                   model, &(nsds_newton_impact_friction_def){.mu = 0.3, .dimension = 2}),
               1, &ds);
  refused(model, "such as friction");
  model = nsds_model_create(NULL);
  nsds_lagrangian_linear(model, &(nsds_lagrangian_linear_def){
                                    .ndof = 1,
                                    .mass = (double[]){1.0},
                                    .prescribed = {.n = 1, .index = (int[]){0}, .fn = nsds_zero}});
  refused(model, "prescribed velocities");
  model = nsds_model_create(NULL);
  ds = mass_of(model, 1.0, 1.0, 0.0, 0.0, 0.0);
  stop_of(model, ds, 1.0, 0.0, nsds_poisson_impact(model, 0.5));
  refused(model, "other than Newton's");
  model = nsds_model_create(NULL);
  ds = mass_of(model, 1.0, 1.0, 0.0, 0.0, 0.0);
  nsds_simulation *sim = nsds_adaptive(model, &(nsds_adaptive_def){.t1 = 1.0});
  assert_non_null(sim);
  assert_int_equal(nsds_adaptive_rest(sim, 0.0, 1.0), NSDS_ERROR_UNSUPPORTED);
  nsds_model_destroy(model);
}

int main(int count, char **words) {
  if (count > 1) runs = atol(words[1]);
  if (count > 2) first_run = atol(words[2]);
  const struct CMUnitTest tests[] = {cmocka_unit_test(bouncing_ball),
                                     cmocka_unit_test(impulses),
                                     cmocka_unit_test(spring_and_stop),
                                     cmocka_unit_test(leaves_the_floor),
                                     cmocka_unit_test(rods),
                                     cmocka_unit_test(tumbling),
                                     cmocka_unit_test(arms),
                                     cmocka_unit_test(drawn_chains),
                                     cmocka_unit_test(chains_end),
                                     cmocka_unit_test(snapshots),
                                     cmocka_unit_test(refusals),
                                     cmocka_unit_test(impacts_of_jointed_masses),
                                     cmocka_unit_test(bodies_held_at_rest),
                                     cmocka_unit_test(allocations),
                                     cmocka_unit_test(shortage)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
