#include "switched_circuits.h"

#include <math.h>

static const double scale = 1.0; /* R0 [Ohm] */

/* h of the switch, and its derivatives with respect to s, i and u. */
static double switch_h(double s, double i, double u, double on) {
  return (1.0 - s) * scale * i + s * (on * i - u);
}
static double switch_s(double i, double u, double on) { return -scale * i + on * i - u; }
static double switch_i(double s, double on) { return (1.0 - s) * scale + s * on; }

/* ---- sample and hold ---- */

static const double sampler_C = 1e-6, sampler_leak = 1e6, sampler_on = 20.0, sampler_period = 1e-3;

double sample_source(double t) { return sin(2.0 * 3.14159265358979323846 * 80.0 * t); }

double sample_clock(double t) {
  double phase = t / sampler_period;
  return 0.1 - (phase - floor(phase));
}

static int sampler_h(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = -sample_clock(in->t);
  out[1] = switch_h(in->lambda[0], in->lambda[1], sample_source(in->t) - in->x[0], sampler_on);
  return 0;
}

static int sampler_h_x(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[1] = in->lambda[0];
  return 0;
}

static int sampler_h_lambda(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[1] = switch_s(in->lambda[1], sample_source(in->t) - in->x[0], sampler_on);
  out[3] = switch_i(in->lambda[0], sampler_on);
  return 0;
}

static int sampler_g(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = in->lambda[1] / sampler_C;
  return 0;
}

static int sampler_g_lambda(const nsds_arguments *in, double *out, void *user) {
  (void)in, (void)user;
  out[1] = 1.0 / sampler_C;
  return 0;
}

switched_scene scene_sample_and_hold(nsds_model *model) {
  switched_scene scene;
  scene.circuit =
      nsds_first_order_linear(model, &(nsds_first_order_linear_def){
                                         .name = "capacitor",
                                         .n = 1,
                                         .A = (double[]){-1.0 / (sampler_leak * sampler_C)},
                                     });
  nsds_relation *relation =
      nsds_first_order_relation(model, &(nsds_first_order_relation_def){
                                           .name = "clocked switch",
                                           .ny = 2,
                                           .nx = 1,
                                           .output_fn = sampler_h,
                                           .jac_output_x_fn = sampler_h_x,
                                           .jac_output_lambda_fn = sampler_h_lambda,
                                           .input_fn = sampler_g,
                                           .jac_input_lambda_fn = sampler_g_lambda,
                                       });
  nsds_law *law = nsds_relay(model, 2, (double[]){0.0, -INFINITY}, (double[]){1.0, INFINITY});
  scene.switches = nsds_connect(model, relation, law, 1, &scene.circuit);
  return scene;
}

/* ---- buck converter ---- */

const double buck_reference = 5.0, buck_period = 1e-5;

static const double buck_source = 12.0, buck_L = 100e-6, buck_C = 47e-6, buck_on = 0.05;
static const double integral_gain = 200.0, proportional_gain = 0.02; /* 1/(V s), 1/V */

static double sawtooth(double t) {
  double phase = t / buck_period;
  return phase - floor(phase);
}

/* A(t, z), z = (G) */
static int buck_A(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[1] = 1.0 / buck_C;
  out[3] = -1.0 / buck_L;
  out[4] = -in->z[0] / buck_C;
  out[5] = -integral_gain;
  return 0;
}

static int buck_h(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  const double *x = in->x, *l = in->lambda;
  out[0] = sawtooth(in->t) - x[2] - proportional_gain * (buck_reference - x[1]);
  out[1] = x[0] - l[2];
  out[2] = switch_h(l[0], l[2], buck_source - l[1], buck_on);
  return 0;
}

static int buck_h_x(const nsds_arguments *in, double *out, void *user) {
  (void)in, (void)user;
  out[0 + 3 * 1] = proportional_gain;
  out[0 + 3 * 2] = -1.0;
  out[1 + 3 * 0] = 1.0;
  return 0;
}

static int buck_h_lambda(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  const double *l = in->lambda;
  out[1 + 3 * 2] = -1.0;
  out[2 + 3 * 0] = switch_s(l[2], buck_source - l[1], buck_on);
  out[2 + 3 * 1] = l[0];
  out[2 + 3 * 2] = switch_i(l[0], buck_on);
  return 0;
}

static int buck_g(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = in->lambda[1] / buck_L;
  return 0;
}

static int buck_g_lambda(const nsds_arguments *in, double *out, void *user) {
  (void)in, (void)user;
  out[0 + 3 * 1] = 1.0 / buck_L;
  return 0;
}

switched_scene scene_buck_converter(nsds_model *model, double load_conductance) {
  switched_scene scene;
  scene.circuit =
      nsds_first_order_linear(model, &(nsds_first_order_linear_def){
                                         .name = "converter",
                                         .n = 3,
                                         .A_fn = buck_A,
                                         .b = (double[]){0.0, 0.0, integral_gain * buck_reference},
                                         .nz = 1,
                                         .z = &load_conductance,
                                     });
  nsds_relation *relation =
      nsds_first_order_relation(model, &(nsds_first_order_relation_def){
                                           .name = "switch and diode",
                                           .ny = 3,
                                           .nx = 3,
                                           .output_fn = buck_h,
                                           .jac_output_x_fn = buck_h_x,
                                           .jac_output_lambda_fn = buck_h_lambda,
                                           .input_fn = buck_g,
                                           .jac_input_lambda_fn = buck_g_lambda,
                                       });
  nsds_law *law =
      nsds_relay(model, 3, (double[]){0.0, 0.0, -INFINITY}, (double[]){1.0, INFINITY, INFINITY});
  scene.switches = nsds_connect(model, relation, law, 1, &scene.circuit);
  return scene;
}
