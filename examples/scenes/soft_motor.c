#include "soft_motor.h"

#include <math.h>

static const double softness = 1e-3, hardening = 1e-9;

static int motor_supply(const nsds_arguments *in, double *b, void *user) {
  (void)user;
  b[0] = 8.0 * sin(9.0 * in->t);
  return 0;
}

/* lambda is the current and the speed. */
static int motor_output(const nsds_arguments *in, double *y, void *user) {
  (void)user;
  y[0] = in->x[0] - in->lambda[0];
  y[1] = in->v[0] - in->lambda[1];
  return 0;
}

static int motor_output_x(const nsds_arguments *in, double *C, void *user) {
  (void)in, (void)user;
  C[0] = 1.0;
  return 0;
}

static int motor_output_v(const nsds_arguments *in, double *E, void *user) {
  (void)in, (void)user;
  E[1] = 1.0;
  return 0;
}

static int motor_output_lambda(const nsds_arguments *in, double *D, void *user) {
  (void)in, (void)user;
  D[0] = D[3] = -1.0;
  return 0;
}

static int motor_zero(const nsds_arguments *in, double *out, void *user) {
  (void)in, (void)out, (void)user;
  return 0;
}

static int motor_input(const nsds_arguments *in, double *g, void *user) {
  double K = 1.0 + in->q[0] * in->q[0];
  (void)user;
  g[0] = -K * in->lambda[1];
  g[1] = K * in->lambda[0];
  return 0;
}

static int motor_input_lambda(const nsds_arguments *in, double *B, void *user) {
  double K = 1.0 + in->q[0] * in->q[0];
  (void)user;
  B[1] = K;
  B[2] = -K;
  return 0;
}

static int stop_output(const nsds_arguments *in, double *y, void *user) {
  double l = in->lambda[0];
  (void)user;
  y[0] = in->q[0] + softness * l + hardening * l * l * l;
  return 0;
}

static int stop_output_q(const nsds_arguments *in, double *H, void *user) {
  (void)in, (void)user;
  H[0] = 1.0;
  return 0;
}

static int stop_output_lambda(const nsds_arguments *in, double *S, void *user) {
  (void)user;
  S[0] = softness + 3.0 * hardening * in->lambda[0] * in->lambda[0];
  return 0;
}

static nsds_ds *point_mass(nsds_model *model, const char *name, double m, double q0, double force) {
  return nsds_lagrangian_linear(
      model, &(nsds_lagrangian_linear_def){
                 .name = name, .ndof = 1, .mass = &m, .q0 = &q0, .fext = &force});
}

static void tie_carriage(nsds_model *model, soft_motor_scene *s) {
  nsds_relation *coupling = nsds_mixed_relation(
      model, &(nsds_mixed_relation_def){.name = "coupling",
                                        .ny = 2,
                                        .nx = 1,
                                        .nq = 1,
                                        .output_fn = motor_output,
                                        .jac_output_x_fn = motor_output_x,
                                        .jac_output_q_fn = motor_zero,
                                        .jac_output_v_fn = motor_output_v,
                                        .jac_output_lambda_fn = motor_output_lambda,
                                        .input_fn = motor_input,
                                        .jac_input_lambda_fn = motor_input_lambda});
  nsds_relation *stop = nsds_lagrangian_relation(
      model, &(nsds_lagrangian_relation_def){.name = "stop",
                                             .ny = 1,
                                             .nq = 1,
                                             .output_fn = stop_output,
                                             .jac_output_q_fn = stop_output_q,
                                             .jac_output_lambda_fn = stop_output_lambda});
  nsds_relation *rectifier = nsds_first_order_linear_relation(
      model, &(nsds_first_order_linear_relation_def){.name = "rectifier",
                                                     .ny = 1,
                                                     .nx = 1,
                                                     .C = (double[]){1.0},
                                                     .D = (double[]){0.05},
                                                     .B = (double[]){1.0}});
  s->coupling = nsds_connect(model, coupling, nsds_equality(model), 2,
                             (nsds_ds *[]){s->winding, s->carriage});
  s->stop = nsds_connect(model, stop, nsds_newton_impact(model, 0.0), 1, &s->carriage);
  s->rectifier = nsds_connect(model, rectifier, nsds_complementarity(model), 1, &s->winding);
}

soft_motor_scene scene_soft_motor(nsds_model *model) {
  static const double low = -1.5, high = 1.5;
  soft_motor_scene s = {0};
  s.winding = nsds_first_order_linear(model, &(nsds_first_order_linear_def){.name = "winding",
                                                                            .n = 1,
                                                                            .mass = (double[]){0.1},
                                                                            .A = (double[]){-0.8},
                                                                            .b_fn = motor_supply});
  s.carriage = point_mass(model, "carriage", 1.0, 0.05, -6.0);
  s.load = point_mass(model, "load", 2.0, 0.35, -12.0);
  tie_carriage(model, &s);
  nsds_spring_def spring = {.name = "spring",
                            .ds = {s.carriage, s.load},
                            .coordinates = true,
                            .stiffness = 80.0,
                            .damping = 1.0};
  nsds_relation *speed = nsds_lagrangian_linear_relation(
      model, &(nsds_lagrangian_linear_relation_def){.ny = 1, .nq = 1, .H = (double[]){1.0}});
  nsds_relation *floor = nsds_lagrangian_linear_relation(
      model, &(nsds_lagrangian_linear_relation_def){
                 .ny = 1, .nq = 1, .H = (double[]){1.0}, .b = (double[]){-0.3}});
  s.spring = nsds_connect(model, nsds_spring(model, &spring), nsds_equality(model), 2, spring.ds);
  s.friction = nsds_connect(model, speed, nsds_relay(model, 1, &low, &high), 1, &s.load);
  s.damper = nsds_connect(model, speed, nsds_saturation(model, 1, &low, &high, 4.0), 1, &s.load);
  s.floor = nsds_connect(model, floor, nsds_newton_impact(model, 0.4), 1, &s.load);
  return s;
}
