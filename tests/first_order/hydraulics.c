/*
 * The examples of a hydraulic cylinder: against its equations integrated by Runge and Kutta, the
 * steady speed of its orifices, its limits; under a relay against the motion on its surface.
 */
#include "support.h"

#include "hydraulics.h"

#include <stdio.h>

/* ---- the equations once more, apart from the scene ------------------------------------------- */

static double flow(double d) { return cylinder_flow * d / sqrt(fabs(d) + 0.05); }

static double edge(double u) { return 0.5 * (u + sqrt(u * u + 4e-4)); }

/* x = (p1, p2, q, v), no limit reached. */
static void rates(double t, const double *x, double *d) {
  double u = cylinder_programme(t), swept = cylinder_area * x[3];
  double q1 = edge(u) * flow(cylinder_supply - x[0]) - edge(-u) * flow(x[0]);
  double q2 = edge(-u) * flow(cylinder_supply - x[1]) - edge(u) * flow(x[1]);
  d[0] = cylinder_bulk / (cylinder_dead + cylinder_area * x[2]) * (q1 - swept);
  d[1] = cylinder_bulk / (cylinder_dead + cylinder_area * (cylinder_stroke - x[2])) * (q2 + swept);
  d[2] = x[3];
  d[3] = (1e3 * cylinder_area * (x[0] - x[1]) - cylinder_damping * x[3] - cylinder_load) /
         cylinder_mass;
}

static void runge_kutta(double t0, double t1, double *x) {
  static const double at[] = {0.0, 0.5, 0.5, 1.0}, weight[] = {1.0, 2.0, 2.0, 1.0};
  int steps = 20000;
  double h = (t1 - t0) / steps;
  for (int n = 0; n < steps; ++n) {
    double sum[4] = {0.0}, d[4] = {0.0}, y[4];
    for (int s = 0; s < 4; ++s) {
      for (int i = 0; i < 4; ++i) y[i] = x[i] + at[s] * h * d[i];
      /* the programme is constant but for t0 */
      rates(fmax(t0 + 1e-9, t0 + (n + at[s]) * h - 1e-9), y, d);
      for (int i = 0; i < 4; ++i) sum[i] += weight[s] * d[i];
    }
    for (int i = 0; i < 4; ++i) x[i] += h / 6.0 * sum[i];
  }
}

static double error_of(nsds_time_stepping_def def, const double *x) {
  nsds_model *model = nsds_model_create(NULL);
  cylinder_scene s = scene_cylinder(model);
  def.t1 = 0.5;
  nsds_simulation *sim = nsds_time_stepping(model, &def);
  assert_sound(model);
  while (nsds_step(sim) == NSDS_OK) continue;
  assert_sound(model);
  double error = fabs(nsds_q(s.piston)[0] - x[2]) + fabs(nsds_v(s.piston)[0] - x[3]);
  for (int i = 0; i < 2; ++i) error += fabs(nsds_x(s.chambers)[i] - x[i]) / cylinder_supply;
  nsds_model_destroy(model);
  return error;
}

static void orders(void **state) {
  (void)state;
  double x[4];
  nsds_model *model = nsds_model_create(NULL);
  cylinder_scene s = scene_cylinder(model);
  for (int i = 0; i < 2; ++i) x[i] = nsds_x(s.chambers)[i];
  x[2] = nsds_q(s.piston)[0];
  x[3] = 0.0;
  nsds_model_destroy(model);
  runge_kutta(0.0, 0.1, x);
  runge_kutta(0.1, 0.5, x);
  const nsds_time_stepping_def defs[] = {{.first_order = nsds_euler_moreau(1.0)},
                                         {.first_order = nsds_full_theta_gamma(0.5, 0.5)}};
  for (int k = 0; k < 2; ++k) {
    nsds_time_stepping_def def = defs[k];
    def.h = 5e-4;
    double coarse = error_of(def, x);
    def.h = 1.25e-4;
    double fine = error_of(def, x), order = log(coarse / fine) / log(4.0);
    print_message("             scheme %d: error %.1e to %.1e, order %.2f\n",
                  (int)def.first_order.kind, coarse, fine, order);
    assert_between(order, k + 0.75, k + 1.25);
  }
}

/* ---- the whole course ------------------------------------------------------------------------ */

/* The drops of both edges and what load and friction need sum up to the supply. */
static double steady_speed(double u) {
  double low = 0.0, high = 1.0, step = cylinder_load / (1e3 * cylinder_area);
  for (int n = 0; n < 60; ++n) {
    double v = 0.5 * (low + high), drag = cylinder_damping * v / (1e3 * cylinder_area);
    /* flows of both chambers for pressures around a mean of half the supply, by symmetry */
    double p1 = 0.5 * cylinder_supply + 0.5 * (step + drag);
    double q1 = edge(u) * flow(cylinder_supply - p1) - edge(-u) * flow(p1);
    if (q1 > cylinder_area * v) low = v;
    else high = v;
  }
  return low;
}

static void lifts_stops_and_is_caught(void **state) {
  (void)state;
  nsds_model *model = nsds_model_create(NULL);
  cylinder_scene s = scene_cylinder(model);
  assert_ok(model, nsds_check_jacobians(model, 0.0, 1e-6, NULL));
  nsds_simulation *sim = nsds_time_stepping(model, &(nsds_time_stepping_def){.t1 = 4.0, .h = 2e-4});
  const double *p = nsds_x(s.chambers), *l = nsds_lambda(s.limits), *q = nsds_q(s.piston),
               *v = nsds_v(s.piston);
  double relief = 0.0, suction = 0.0, speed = 0.0, caught = 1.0;
  int most = 0;
  while (nsds_step(sim) == NSDS_OK) {
    double t = nsds_time(sim);
    int count = nsds_simulation_info(sim)->newton_iterations;
    most = count > most ? count : most;
    for (int i = 0; i < 2; ++i) {
      assert_between(p[i], -1e-6, cylinder_relief + 1e-6);
      assert_near(l[i] * p[i], 0.0, 1e-6);
      assert_near(l[2 + i] * (cylinder_relief - p[i]), 0.0, 1e-6);
      assert_true(l[i] > -1e-9 && l[2 + i] > -1e-9);
    }
    assert_between(q[0], -1e-3, cylinder_stroke + 1e-3);
    if (t < 0.6) speed = v[0];
    if (t > 1.0 && t < 1.4) assert_near(q[0], cylinder_stroke, 1e-3);
    if (t > 2.4 && t < 2.5) {
      relief = fmax(relief, l[2]);
      suction = fmax(suction, l[1]);
    }
    if (fabs(t - 2.95) < 1e-4) caught = fabs(v[0]);
    if (fabs(t - 0.3) < 1e-5) assert_ok(model, nsds_check_jacobians(model, t, 1e-6, NULL));
  }
  assert_sound(model);
  print_message("             lifts at %.4f m/s (%.4f by its orifices); closed in motion: relief "
                "%.2f l/s, suction %.2f l/s; at most %d iterations\n",
                speed, steady_speed(1.0), relief, suction, most);
  assert_near(speed, steady_speed(1.0), 1e-3 * speed);
  assert_true(relief > 0.1 && suction > 0.1 && caught < 0.01);
  assert_near(q[0], 0.0, 1e-3);
  assert_near(p[1], cylinder_supply, 0.1);
  assert_true(most <= 12);
  nsds_model_destroy(model);
}

/* ---- the relay ------------------------------------------------------------------------------- */

static void slides_to_its_place(void **state) {
  (void)state;
  nsds_model *model = nsds_model_create(NULL);
  cylinder_scene s = scene_relay_valve(model);
  assert_ok(model, nsds_check_jacobians(model, 0.0, 1e-6, NULL));
  nsds_simulation *sim = nsds_time_stepping(model, &(nsds_time_stepping_def){.t1 = 2.6, .h = 2e-4});
  const double w = relay_valve_rate;
  double begun = -1.0, d0 = 0.0, v0 = 0.0, off = 0.0;
  int full = 0, sliding = 0;
  while (nsds_step(sim) == NSDS_OK) {
    double t = nsds_time(sim), d = nsds_q(s.piston)[0] - relay_valve_reference(t);
    double u = nsds_lambda(s.valve)[0];
    assert_between(u, -1.0 - 1e-9, 1.0 + 1e-9);
    full += fabs(u) > 0.999;
    bool slides = (t > 0.6 && t < 1.399) || t > 1.6;
    if (!slides) begun = -1.0;
    if (!slides) continue;
    assert_near(nsds_y(s.valve)[0], 0.0, 1e-8);
    assert_true(fabs(u) < 0.999);
    ++sliding;
    if (begun < 0.0) begun = t, d0 = d, v0 = nsds_v(s.piston)[0];
    double way = t - begun;
    off = worse(off, fabs(d - exp(-w * way) * (d0 + (v0 + w * d0) * way)));
  }
  assert_sound(model);
  print_message(
      "             fully open in %d steps, sliding in %d: within %.1e m of the motion on "
      "the surface; at the end %.1e m off\n",
      full, sliding, off, nsds_q(s.piston)[0] - relay_valve_reference(2.6));
  assert_true(full > 1000 && sliding > 8000);
  assert_between(off, 0.0, 2e-4);
  assert_near(nsds_q(s.piston)[0], relay_valve_reference(2.6), 1e-4);
  nsds_model_destroy(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(orders),
                                     cmocka_unit_test(lifts_stops_and_is_caught),
                                     cmocka_unit_test(slides_to_its_place)};
  return cmocka_run_group_tests_name("hydraulics", tests, NULL, NULL);
}
