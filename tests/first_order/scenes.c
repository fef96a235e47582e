/*
 * The scenes of the examples: what physics or control theory says of them.
 */
#include "circuits.h"
#include "smc.h"
#include "support.h"
#include "switched_circuits.h"
#include "switching.h"

/* Jacobians of the scenes that have any, checked once with lambda and x away from zero. */
static void jacobians(void **state) {
  (void)state;
  nsds_model *model = nsds_model_create(NULL);
  scene_sample_and_hold(model);
  scene_buck_converter(model, 0.2);
  scene_gene_network(model, 1.0, 2.0);
  assert_sound(model);
  nsds_jacobian_report report;
  nsds_status status = nsds_check_jacobians(model, 0.123e-3, 1e-6, &report);
  if (status) print_error("%s of %s is wrong\n", report.jacobian, report.object);
  assert_ok(model, status);
  assert_true(report.checked >= 7);
  nsds_model_destroy(model);
}

/* Ideal diodes do not dissipate: with the law in the middle of the step the stored energy falls by
 * what the load takes, to rounding. */
static void energy_of_the_filtered_bridge(void **state) {
  (void)state;
  const double L = 1e-2, C = 1e-6, R = 1e3, Cf = 3e-7, h = 1e-6;
  nsds_model *model = nsds_model_create(NULL);
  circuit_scene s = scene_filtered_bridge(model, L, C, R, Cf, 10.0);
  nsds_simulation *simulation = nsds_time_stepping(
      model, &(nsds_time_stepping_def){
                 .t1 = 5e-3, .h = h, .first_order = nsds_full_theta_gamma(0.5, 0.5)});
  assert_sound(model);
  const double *x = nsds_x(s.circuit), *lambda = nsds_lambda(s.diodes);
  double u = x[2], start = 0.5 * (C * x[0] * x[0] + Cf * x[2] * x[2]), taken = 0.0, worst = 0.0;
  int patterns[16] = {0};
  nsds_status status;
  while ((status = nsds_step(simulation)) == NSDS_OK) {
    double middle = 0.5 * (u + x[2]);
    taken += h * middle * middle / R;
    u = x[2];
    double stored = 0.5 * (C * x[0] * x[0] + L * x[1] * x[1] + Cf * u * u);
    worst = worse(worst, fabs(stored + taken - start));
    int pattern = 0;
    for (int k = 0; k < 4; ++k) pattern += (lambda[k] > 1e-9) << k;
    ++patterns[pattern];
    assert_true(u > 0.0);
  }
  assert_status(model, status, NSDS_END);
  int seen = 0;
  for (int k = 0; k < 16; ++k) seen += patterns[k] > 0;
  print_message("             filtered bridge: energy kept to %.1e of %.1e J; %d patterns\n", worst,
                start, seen);
  assert_between(worst, 0.0, 1e-17); /* 5000 roundings of 1e-20 */
  assert_true(seen >= 3);
  nsds_model_destroy(model);
}

/* Every cell of the ladder obeys its diode's law, and energy falls monotonically. */
static void ladder(void **state) {
  (void)state;
  const double L = 1e-3, C = 1e-6, R = 10.0;
  nsds_model *model = nsds_model_create(NULL);
  ladder_scene s = scene_diode_ladder(model, 40, L, C, R, 10.0, 20);
  nsds_simulation *simulation = nsds_time_stepping(
      model,
      &(nsds_time_stepping_def){.t1 = 4e-4, .h = 2e-6, .first_order = nsds_euler_moreau(0.5)});
  assert_sound(model);
  const double *x = nsds_x(s.line);
  double before = INFINITY;
  int most = 0;
  nsds_status status;
  while ((status = nsds_step(simulation)) == NSDS_OK) {
    double energy = 0.0;
    int conducting = 0;
    for (int k = 0; k < s.n; ++k) {
      double i = x[2 * k], v = x[2 * k + 1], lambda = nsds_lambda(s.diode[k])[0];
      energy += 0.5 * (L * i * i + C * v * v);
      conducting += lambda > 0.0;
      assert_between(lambda, 0.0, 10.0);
      assert_near(fmin(lambda * R, v + R * lambda), 0.0, 1e-12);
    }
    assert_true(energy <= before);
    before = energy;
    if (conducting > most) most = conducting;
  }
  assert_status(model, status, NSDS_END);
  assert_true(most >= s.n / 4);
  ladder_free(&s);
  nsds_model_destroy(model);
}

/* In the steady state the output is the reference, and the coil's current rises and falls in each
 * period by V (1 - V/V_in) T / L. */
static void buck_converter(void **state) {
  (void)state;
  const double h = 5e-8, end = 8e-3, window = 1e-3;
  const int steps_per_period = 200;
  nsds_model *model = nsds_model_create(NULL);
  switched_scene s = scene_buck_converter(model, 0.2);
  nsds_simulation *simulation = nsds_time_stepping(
      model, &(nsds_time_stepping_def){.t1 = end, .h = h, .first_order = nsds_euler_moreau(1.0)});
  assert_sound(model);
  const double *x = nsds_x(s.circuit), *lambda = nsds_lambda(s.switches), *y = nsds_y(s.switches);
  double sum = 0.0, ripple = 0.0, low = INFINITY, high = 0.0;
  long count = 0;
  nsds_status status;
  while ((status = nsds_step(simulation)) == NSDS_OK) {
    /* the diode's law; the position of the switch */
    assert_near(fmin(y[1], lambda[1]), 0.0, 1e-8);
    assert_between(lambda[1], -1e-9, 12.0 + 1e-9);
    assert_between(lambda[0], 0.0, 1.0);
    low = fmin(low, x[0]);
    high = fmax(high, x[0]);
    bool period_ends = nsds_step_count(simulation) % steps_per_period == 0;
    if (nsds_time(simulation) > end - window + 0.5 * h) {
      sum += x[1];
      ++count;
      if (period_ends) ripple += high - low;
    }
    if (period_ends) low = INFINITY, high = 0.0;
  }
  assert_status(model, status, NSDS_END);
  ripple *= (double)steps_per_period / (double)count;
  sum /= (double)count;
  double expected = buck_reference * (1.0 - buck_reference / 12.0) * buck_period / 100e-6;
  print_message("             buck converter: mean output %.4f V, ripple %.4f A (expected %.4f)\n",
                sum, ripple, expected);
  assert_near(sum, buck_reference, 0.002 * buck_reference);
  assert_near(ripple, expected, 0.03 * expected);
  nsds_model_destroy(model);
}

/* At the end of each sample the capacitor has the source's voltage but for its delay of 20 us;
 * while the switch is open it loses v h/(R C) per step. */
static void sample_and_hold(void **state) {
  (void)state;
  nsds_model *model = nsds_model_create(NULL);
  switched_scene s = scene_sample_and_hold(model);
  nsds_simulation *simulation = nsds_time_stepping(
      model,
      &(nsds_time_stepping_def){.t1 = 0.02, .h = 2e-6, .first_order = nsds_euler_moreau(1.0)});
  assert_sound(model);
  const double *x = nsds_x(s.circuit), *lambda = nsds_lambda(s.switches);
  double before = 0.0;
  nsds_status status;
  while ((status = nsds_step(simulation)) == NSDS_OK) {
    double t = nsds_time(simulation), clock = sample_clock(t);
    if (fabs(clock) < 1e-9 || fabs(clock - 0.1) < 1e-9) { /* turning, by the last bit of t */
      before = x[0];
      continue;
    }
    assert_near(lambda[0], clock > 0.0 ? 1.0 : 0.0, 0.0);
    if (clock < 0.0) {
      assert_near(lambda[1], 0.0, 1e-15);
      assert_near(x[0], before / (1.0 + 2e-6), 1e-15);
    }
    if (clock > 0.0 && clock < 0.003) assert_near(x[0], sample_source(t - 20e-6), 0.01);
    before = x[0];
  }
  assert_status(model, status, NSDS_END);
  nsds_model_destroy(model);
}

/* Twisting: at rest after a finite time although disturbed; the two relays then sum to -d. */
static void twisting(void **state) {
  (void)state;
  nsds_model *model = nsds_model_create(NULL);
  relay_scene s = scene_twisting(model, 1.0, 0.5);
  nsds_simulation *simulation = nsds_time_stepping(
      model,
      &(nsds_time_stepping_def){.t1 = 10.0, .h = 1e-3, .first_order = nsds_euler_moreau(1.0)});
  assert_sound(model);
  double rest = 0.0;
  nsds_status status;
  while ((status = nsds_step(simulation)) == NSDS_OK) {
    double t = nsds_time(simulation);
    const double *x = nsds_x(s.system);
    if (fabs(x[0]) + fabs(x[1]) > 1e-9) rest = t;
    else if (t > rest + 1.5e-3) /* the first step there still brakes */
      assert_near(nsds_r(s.system)[1], -0.5 * sin(5.0 * t), 1e-6);
  }
  assert_status(model, status, NSDS_END);
  print_message("             twisting: at rest from t = %.3f s on\n", rest);
  assert_between(rest, 1.0, 7.0);
  nsds_model_destroy(model);
}

/* The explicit control jumps between its bounds, the implicit one follows half the disturbance; the
 * sliding variable stays within one period's drift of either. */
static void sliding_mode_control(void **state) {
  (void)state;
  double variation[2] = {0.0, 0.0}, largest[2] = {0.0, 0.0};
  const smc_control control[2] = {smc_explicit_control, smc_implicit_control};
  for (int k = 0; k < 2; ++k) {
    nsds_model *model = nsds_model_create(NULL);
    smc_scene s;
    scene_smc(model, &s, 1e-4, 2.0, 1e-2, control[k]);
    assert_sound(model);
    double u = 0.0;
    nsds_status status;
    while ((status = nsds_step(s.simulation)) == NSDS_OK) {
      if (nsds_time(s.simulation) > 0.6) {
        variation[k] += fabs(nsds_ds_z(s.plant)[0] - u);
        largest[k] = worse(largest[k], fabs(nsds_x(s.plant)[1]));
      }
      u = nsds_ds_z(s.plant)[0];
    }
    assert_status(model, status, NSDS_END);
    smc_free(&s);
    nsds_model_destroy(model);
  }
  print_message(
      "             variation of u: explicit %.1f, implicit %.1f; |x_2| <= %.4f and %.4f\n",
      variation[0], variation[1], largest[0], largest[1]);
  /* u = sin(50 t)/2 varies by 50 * 2/pi / 2 * 1.4 s = 22 */
  assert_between(variation[1], 20.0, 24.0);
  assert_true(variation[0] > 4.0 * variation[1]);
  assert_between(largest[1], 0.0,
                 1.0 * 1e-2 + 1e-6); /* |s| <= 1 over one period, not seen before */
  assert_between(largest[0], 1.5e-2, 3.0 * 1e-2 + 1e-6);
}

/* Each motion ends in the state of its side, (8, 0) or (0, 8), sliding with expression g 8 there.
 */
static void gene_network(void **state) {
  (void)state;
  uint64_t seed = 11;
  for (int k = 0; k < 20; ++k) {
    double a = random_in(&seed, 0.1, 9.9), b = random_in(&seed, 0.1, 9.9);
    if (fabs(a - b) < 0.5) continue; /* the separatrix */
    nsds_model *model = nsds_model_create(NULL);
    relay_scene s = scene_gene_network(model, a, b);
    run(model, &(nsds_time_stepping_def){.t1 = 4.0, .h = 1e-3}, 0);
    const double *x = nsds_x(s.system), *r = nsds_r(s.system);
    int winner = a > b ? 0 : 1;
    assert_near(x[winner], 8.0, 1e-9);
    assert_near(x[1 - winner], 0.0, 1e-4); /* 10 e^(-4.5 * 3) */
    assert_near(r[winner], 4.5 * 8.0, 1e-6);
    assert_near(r[1 - winner], 0.0, 1e-9);
    nsds_model_destroy(model);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(jacobians),
      cmocka_unit_test(energy_of_the_filtered_bridge),
      cmocka_unit_test(ladder),
      cmocka_unit_test(buck_converter),
      cmocka_unit_test(sample_and_hold),
      cmocka_unit_test(twisting),
      cmocka_unit_test(sliding_mode_control),
      cmocka_unit_test(gene_network),
  };
  return cmocka_run_group_tests_name("first_order.scenes", tests, NULL, NULL);
}
