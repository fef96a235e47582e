/* Times at which modes end, against closed forms; states to the bit after undo and snapshots. With a number as argument
 * the program draws so many margins that bend. */
#include "support.h"

#include <stdio.h>
#include <stdlib.h>

static const double pi = 3.14159265358979323846;

/* x'' = -sign(x) from x = 1 at rest: parabolas, x = 0 at sqrt(2) (2 k + 1). */
static void relay_oscillator(void **state) {
  (void)state;
  const double A[] = {0.0, 0.0, 1.0, 0.0}, x0[] = {1.0, 0.0}, C[] = {1.0, 0.0}, B[] = {0.0, 1.0};
  const double low = -1.0, high = 1.0;
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *ds =
      nsds_first_order_linear(model, &(nsds_first_order_linear_def){.n = 2, .x0 = x0, .A = A});
  nsds_relation *relation = nsds_first_order_linear_relation(
      model, &(nsds_first_order_linear_relation_def){.ny = 1, .nx = 2, .C = C, .B = B});
  nsds_connect(model, relation, nsds_relay(model, 1, &low, &high), 1, &ds);
  nsds_simulation *sim =
      nsds_adaptive(model, &(nsds_adaptive_def){.t1 = 20.0, .largest_step = 0.05});
  assert_sound(model);
  assert_non_null(sim);
  long seen = 0;
  double worst = 0.0;
  while (nsds_step(sim) == NSDS_OK) {
    const nsds_adaptive_info *info = nsds_simulation_adaptive(sim);
    if (info->events == seen) continue;
    double right = sqrt(2.0) * (2.0 * (double)seen + 1.0);
    seen = info->events;
    worst = worse(worst, fabs(info->event - right));
  }
  assert_sound(model);
  printf("relay oscillator: %ld events, worst %.3g, steps %ld, rejected %ld\n", seen, worst,
         nsds_simulation_adaptive(sim)->steps, nsds_simulation_adaptive(sim)->rejected);
  assert_int_equal(seen, 7);
  assert_near(worst, 0.0, 1e-6);
  nsds_model_destroy(model);
}

/* dx/dt = 1/2 - sign(x) slides at x = 0 from t = 1/3 (x0 = -1/2) on, with lambda = 1/2. */
static void sliding(void **state) {
  (void)state;
  const double x0 = -0.5, b = 0.5, one = 1.0, low = -1.0, high = 1.0;
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *ds =
      nsds_first_order_linear(model, &(nsds_first_order_linear_def){.n = 1, .x0 = &x0, .b = &b});
  nsds_relation *relation = nsds_first_order_linear_relation(
      model, &(nsds_first_order_linear_relation_def){.ny = 1, .nx = 1, .C = &one, .B = &one});
  nsds_interaction *ia = nsds_connect(model, relation, nsds_relay(model, 1, &low, &high), 1, &ds);
  nsds_simulation *sim =
      nsds_adaptive(model, &(nsds_adaptive_def){.t1 = 1.0, .output_period = 0.1});
  assert_sound(model);
  for (int k = 1; k <= 10; ++k) {
    assert_ok(model, nsds_step(sim));
    double t = 0.1 * k;
    assert_near(nsds_time(sim), t, 1e-15);
    assert_near(nsds_x(ds)[0], t < 1.0 / 3.0 ? -0.5 + 1.5 * t : 0.0, 1e-12);
    assert_near(nsds_lambda(ia)[0], t < 1.0 / 3.0 ? 1.0 : -0.5, 1e-9);
  }
  assert_near(nsds_simulation_adaptive(sim)->event, 1.0 / 3.0, 1e-5);
  nsds_model_destroy(model);
}

/*
 * A source V sin(w t) behind a diode and an inductor L into a battery E: current flows from asin(E / V) on, until its
 * integral V (cos a - cos x) - E (x - a) vanishes. The diode's voltage is lambda >= 0, its current y >= 0.
 */
static const double V = 10.0, E = 5.0, L = 10e-3, w = 2.0 * 3.14159265358979323846 * 50.0;

static int half_wave_b(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = V * sin(w * in->t) - E;
  return 0;
}

static nsds_simulation *half_wave(nsds_model *model, nsds_ds **ds, double period) {
  const double one = 1.0;
  *ds = nsds_first_order_linear(
      model, &(nsds_first_order_linear_def){.n = 1, .mass = &L, .b_fn = half_wave_b});
  nsds_relation *relation = nsds_first_order_linear_relation(
      model, &(nsds_first_order_linear_relation_def){.ny = 1, .nx = 1, .C = &one, .B = &one});
  nsds_connect(model, relation, nsds_complementarity(model), 1, ds);
  const double size = 1e-3;
  return nsds_adaptive(model, &(nsds_adaptive_def){.t1 = 0.06,
                                                   .output_period = period,
                                                   .largest_step = 1e-4,
                                                   .size = &size,
                                                   .tolerance = 1e-6});
}

static void half_wave_conduction(void **state) {
  (void)state;
  double a = asin(E / V), low = a + 0.1, high = a + 2.0 * pi;
  for (int k = 0; k < 200; ++k) {
    double x = 0.5 * (low + high), i = V * (cos(a) - cos(x)) - E * (x - a);
    if (i > 0.0) low = x;
    else high = x;
  }
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *ds;
  nsds_simulation *sim = half_wave(model, &ds, 0.0);
  assert_sound(model);
  long seen = 0;
  while (nsds_step(sim) == NSDS_OK) {
    const nsds_adaptive_info *info = nsds_simulation_adaptive(sim);
    if (info->events == seen) continue;
    double right = (seen % 2 == 0 ? a : low) + 2.0 * pi * (double)(seen / 2);
    seen = info->events;
    printf("half wave: event %ld at angle %.12g, right %.12g\n", seen, w * info->event, right);
    assert_near(w * info->event, right, 1e-4);
  }
  assert_sound(model);
  assert_int_equal(seen, 6);
  nsds_model_destroy(model);
}

/* ---- by the laws ---- */

/* E sin(w t) - R i drives a current that a diode keeps >= 0, as y. The diode's voltage lambda ends the half wave. */
static int sine_b(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = sin(in->t);
  return 0;
}

/* x' = sin t - x + lambda, 0 <= x perp lambda >= 0, at t = 10; from one end of a mode to the next in closed form. */
static double diode_after(double t1) {
  double start = 0.0, x = 0.0;
  for (;;) { /* from `start`, where x = 0 and sin t turns positive */
    double low = start + 0.1, high = start + 2.0 * pi, C = -0.5 * (sin(start) - cos(start));
    for (int k = 0; k < 100; ++k) { /* x = (sin t - cos t) / 2 + C exp(start - t) */
      double t = 0.5 * (low + high);
      x = 0.5 * (sin(t) - cos(t)) + C * exp(start - t);
      if (x > 0.0) low = t;
      else high = t;
    }
    if (t1 <= low) return 0.5 * (sin(t1) - cos(t1)) + C * exp(start - t1);
    start += 2.0 * pi;
    if (t1 <= start) return 0.0;
  }
}

static double diode_error(double tolerance, bool by_laws, long *steps) {
  const double one = 1.0, minus = -1.0;
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *ds = nsds_first_order_linear(
      model, &(nsds_first_order_linear_def){.n = 1, .A = &minus, .b_fn = sine_b});
  nsds_relation *relation = nsds_first_order_linear_relation(
      model, &(nsds_first_order_linear_relation_def){.ny = 1, .nx = 1, .C = &one, .B = &one});
  nsds_connect(model, relation, nsds_complementarity(model), 1, &ds);
  nsds_simulation *sim = nsds_adaptive(
      model, &(nsds_adaptive_def){
                 .t1 = 8.5, .largest_step = 0.7, .tolerance = tolerance, .by_laws = by_laws});
  nsds_run(sim);
  assert_sound(model);
  *steps = nsds_simulation_adaptive(sim)->steps;
  double error = fabs(nsds_x(ds)[0] - diode_after(8.5));
  nsds_model_destroy(model);
  return error;
}

/* Regression: steps by the laws were as long as the step before, whatever their error. */
static void steps_by_laws_follow_their_error(void **state) {
  (void)state;
  for (int k = 2; k <= 6; ++k) {
    double tolerance = pow(10.0, -k);
    long steps, located;
    double error = diode_error(tolerance, true, &steps);
    diode_error(tolerance, false, &located);
    printf("by laws: tolerance %g, error %.3g, %ld steps, %ld with located events\n", tolerance,
           error, steps, located);
    assert_true(error <= 10.0 * tolerance);
    assert_true(steps <= 4 * located);
  }
}

/* ---- functions without a value ---- */

static long without_value;

static int inverse_f(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  if (!(in->x[0] > 0.0)) {
    ++without_value;
    return 1;
  }
  out[0] = -1.0 / in->x[0];
  return 0;
}

static int inverse_a(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = 1.0 / (in->x[0] * in->x[0]);
  return 0;
}

/* Regression: a function that returned > 0 ended the run. x' = -1 / x from 1 is sqrt(1 - 2 t); f has no value from 0
 * down, where long steps look. At the end of the solution the run fails, and nothing has changed. */
static void shorter_where_a_function_has_no_value(void **state) {
  (void)state;
  const double one = 1.0;
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *ds = nsds_first_order(
      model,
      &(nsds_first_order_def){.n = 1, .x0 = &one, .f_fn = inverse_f, .jac_f_x_fn = inverse_a});
  nsds_simulation *sim = nsds_adaptive(
      model, &(nsds_adaptive_def){.t1 = 0.499, .largest_step = 0.4, .tolerance = 1e-8});
  without_value = 0;
  nsds_run(sim);
  assert_sound(model);
  assert_true(without_value > 0);
  assert_near(nsds_x(ds)[0], sqrt(1.0 - 2.0 * 0.499), 1e-4);
  assert_ok(model, nsds_simulation_set_end(sim, 0.6));
  nsds_status status = NSDS_OK;
  double before = 0.0;
  while (status == NSDS_OK) {
    before = nsds_x(ds)[0];
    status = nsds_step(sim);
  }
  assert_true(status < 0);
  assert_near(nsds_x(ds)[0], before, 0.0);
  assert_near(nsds_time(sim), 0.5, 1e-4);
  nsds_model_destroy(model);
}

/* A run that is undone, and one that goes on in another simulation, has the same bits. */
static void to_the_bit(void **state) {
  (void)state;
  for (int grid = 0; grid < 2; ++grid) {
    nsds_model *model = nsds_model_create(NULL);
    nsds_ds *ds;
    double first[400], time[400];
    nsds_simulation *sim = half_wave(model, &ds, grid ? 1e-3 : 0.0);
    int half = grid ? 13 : 150, all = grid ? 50 : 400;
    for (int k = 0; k < half; ++k) assert_ok(model, nsds_step(sim));
    assert_ok(model, nsds_simulation_save(sim));
    for (int k = half; k < all; ++k) {
      assert_ok(model, nsds_step(sim));
      first[k] = nsds_x(ds)[0];
      time[k] = nsds_time(sim);
    }
    for (int turn = 0; turn < 2; ++turn) {
      assert_ok(model, nsds_simulation_restore(sim));
      for (int k = half; k < all; ++k) {
        assert_ok(model, nsds_step(sim));
        assert_true(nsds_x(ds)[0] == first[k] && nsds_time(sim) == time[k]);
      }
    }
    assert_ok(model, nsds_simulation_restore(sim));
    assert_ok(model, nsds_snapshot_save(sim, "adaptive.snapshot"));
    nsds_model *other = nsds_model_create(NULL);
    nsds_simulation *again = half_wave(other, &ds, grid ? 1e-3 : 0.0);
    assert_ok(other, nsds_snapshot_load(again, "adaptive.snapshot"));
    for (int k = half; k < all; ++k) {
      assert_ok(other, nsds_step(again));
      assert_true(nsds_x(ds)[0] == first[k] && nsds_time(again) == time[k]);
    }
    nsds_model_destroy(other);
    nsds_model_destroy(model);
    remove("adaptive.snapshot");
  }
}

/* ---- margins that bend ---- */

/* A margin that ends at t = 1: as slowly or suddenly as `sharp` says. */
typedef struct bend {
  int kind;
  double sharp;
} bend;

static double bent(const bend *b, double t, double *slope) {
  double x = (t - 1.0) * b->sharp, grown = exp(x);
  switch (b->kind) {
  case 0: /* falls ever faster */ *slope = -b->sharp * grown; return 1.0 - grown;
  case 1: /* ever slower; rounding of the largest margin ends no mode */
    *slope = -b->sharp / grown;
    return 1.0 / grown - 1.0;
  case 2: /* between two levels */ *slope = -b->sharp / (cosh(x) * cosh(x)); return -tanh(x);
  default: /* as a power */
    *slope = -b->sharp * pow(t, b->sharp - 1.0);
    return 1.0 - pow(t, b->sharp);
  }
}

static int bent_y(const nsds_arguments *in, double *y, void *user) {
  double slope;
  y[0] = bent(user, in->x[0], &slope) + in->lambda[0];
  return 0;
}

static int bent_c(const nsds_arguments *in, double *C, void *user) {
  bent(user, in->x[0], C);
  C[1] = 0.0;
  return 0;
}

static int one_d(const nsds_arguments *in, double *D, void *user) {
  (void)in, (void)user;
  D[0] = 1.0;
  return 0;
}

static int bent_r(const nsds_arguments *in, double *r, void *user) {
  (void)user;
  r[0] = 0.0, r[1] = in->lambda[0];
  return 0;
}

static int bent_b(const nsds_arguments *in, double *B, void *user) {
  (void)in, (void)user;
  B[0] = 0.0, B[1] = 1.0;
  return 0;
}

/* Runs over the end of the margin; returns how far from t = 1 it was located, and the work. */
static double locate_bend(bend *b, double largest, long *work) {
  const double one[] = {1.0, 0.0};
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *ds = nsds_first_order_linear(model, &(nsds_first_order_linear_def){.n = 2, .b = one});
  nsds_relation *relation = nsds_first_order_relation(
      model, &(nsds_first_order_relation_def){.ny = 1,
                                              .nx = 2,
                                              .output_fn = bent_y,
                                              .jac_output_x_fn = bent_c,
                                              .jac_output_lambda_fn = one_d,
                                              .input_fn = bent_r,
                                              .jac_input_lambda_fn = bent_b,
                                              .user = b});
  nsds_connect(model, relation, nsds_complementarity(model), 1, &ds);
  nsds_simulation *sim = nsds_adaptive(
      model,
      &(nsds_adaptive_def){.t1 = 1.02, .largest_step = largest, .tolerance = NSDS_EQUAL_STEPS});
  assert_sound(model);
  nsds_status status;
  while ((status = nsds_step(sim)) == NSDS_OK) {
  }
  assert_sound(model);
  assert_int_equal(status, NSDS_END);
  const nsds_adaptive_info *info = nsds_simulation_adaptive(sim);
  assert_int_equal(info->events, 1);
  double away = fabs(info->event - 1.0);
  *work = info->steps + info->rejected;
  nsds_model_destroy(model);
  return away;
}

/* Drawn shapes: the line between both ends of a step may be no guide to where a margin is zero. */
static void bent_margins(int count) {
  uint64_t seed = 1;
  double worst = 0.0;
  long most = 0;
  for (int k = 0; k < count; ++k) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    double part = (double)(seed >> 11) * 0x1p-53, largest = 0.1;
    bend b = {k % 4, exp(part * log(k % 4 == 1 ? 5.0 : 500.0))};
    long work;
    double away = locate_bend(&b, largest, &work);
    worst = worse(worst, away);
    if (work > most) most = work;
    if (away > 1e-6 * largest || work > 300)
      fail_msg("kind %d, sharpness %g: %g away, %ld steps", b.kind, b.sharp, away, work);
  }
  printf("bent margins: %d, worst %.3g, most steps %ld\n", count, worst, most);
}

static void margins_that_bend(void **state) {
  (void)state;
  bent_margins(400);
}

int main(int argc, char **argv) {
  if (argc > 1) { /* a campaign of bent margins */
    bent_margins(atoi(argv[1]));
    return 0;
  }
  const struct CMUnitTest tests[] = {cmocka_unit_test(relay_oscillator),
                                     cmocka_unit_test(sliding),
                                     cmocka_unit_test(half_wave_conduction),
                                     cmocka_unit_test(to_the_bit),
                                     cmocka_unit_test(steps_by_laws_follow_their_error),
                                     cmocka_unit_test(shorter_where_a_function_has_no_value),
                                     cmocka_unit_test(margins_that_bend)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
