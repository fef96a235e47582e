#include "switching.h"

#include <math.h>

/* r = -sign(y), row by row: relays from -1 to 1. */
static nsds_law *sign_law(nsds_model *model, int size) {
  static const double lower[] = {-1.0, -1.0}, upper[] = {1.0, 1.0};
  return nsds_relay(model, size, lower, upper);
}

/* A planar system at rest but for the input r = B lambda of relays on both states. */
static relay_scene planar(nsds_model *model, double x1, double x2, const double *B) {
  relay_scene scene;
  scene.system = nsds_first_order_linear(
      model, &(nsds_first_order_linear_def){.name = "plane", .n = 2, .x0 = (double[]){x1, x2}});
  nsds_relation *relation = nsds_first_order_linear_relation(
      model, &(nsds_first_order_linear_relation_def){
                 .name = "relays", .ny = 2, .nx = 2, .C = (double[]){1.0, 0.0, 0.0, 1.0}, .B = B});
  scene.relay = nsds_connect(model, relation, sign_law(model, 2), 1, &scene.system);
  return scene;
}

relay_scene scene_relay_simple(nsds_model *model, double x1, double x2) {
  return planar(model, x1, x2, (double[]){2.0, 0.0, 0.0, 2.0});
}

relay_scene scene_filippov(nsds_model *model, double x1, double x2) {
  return planar(model, x1, x2, (double[]){1.0, 2.0, -2.0, 1.0});
}

relay_scene scene_relay_oscillator(nsds_model *model) {
  const double omega = 10.0, xi = -0.07, l = 0.05, k = 1.0, sigma = -1.0, rho = 1.0;
  relay_scene scene;
  scene.system = nsds_first_order_linear(
      model, &(nsds_first_order_linear_def){
                 .name = "oscillator",
                 .n = 3,
                 .x0 = (double[]){0.0, 0.5, 0.0},
                 .A = (double[]){-(2.0 * xi * omega + l), -(2.0 * xi * omega * l + omega * omega),
                                 -l * omega * omega, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0},
             });
  nsds_relation *relation = nsds_first_order_linear_relation(
      model, &(nsds_first_order_linear_relation_def){
                 .name = "relay",
                 .ny = 1,
                 .nx = 3,
                 .C = (double[]){1.0, 0.0, 0.0},
                 .B = (double[]){k, 2.0 * k * sigma * rho, k * rho * rho},
             });
  scene.relay = nsds_connect(model, relation, sign_law(model, 1), 1, &scene.system);
  return scene;
}

/* ---- twisting ---- */

static int disturbance(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[1] = 0.5 * sin(5.0 * in->t);
  return 0;
}

relay_scene scene_twisting(nsds_model *model, double x1, double x2) {
  relay_scene scene;
  scene.system = nsds_first_order_linear(model, &(nsds_first_order_linear_def){
                                                    .name = "double integrator",
                                                    .n = 2,
                                                    .x0 = (double[]){x1, x2},
                                                    .A = (double[]){0.0, 0.0, 1.0, 0.0},
                                                    .b_fn = disturbance,
                                                });
  nsds_relation *relation = nsds_first_order_linear_relation(
      model, &(nsds_first_order_linear_relation_def){.name = "twisting control",
                                                     .ny = 2,
                                                     .nx = 2,
                                                     .C = (double[]){1.0, 0.0, 0.0, 1.0},
                                                     .B = (double[]){0.0, 2.0, 0.0, 1.0}});
  scene.relay = nsds_connect(model, relation, sign_law(model, 2), 1, &scene.system);
  return scene;
}

/* ---- gene network ---- */

static const double gene_rate = 40.0, gene_decay = 4.5; /* k, g */

/* Distances to the thresholds 8 of a, 4 of b, 8 of b, 4 of a. */
static int thresholds(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = in->x[0] - 8.0;
  out[1] = in->x[1] - 4.0;
  out[2] = in->x[1] - 8.0;
  out[3] = in->x[0] - 4.0;
  return 0;
}

static int thresholds_x(const nsds_arguments *in, double *out, void *user) {
  (void)in, (void)user;
  out[0] = out[3] = out[5] = out[6] = 1.0; /* column of a: rows 0, 3; of b: rows 1, 2 */
  return 0;
}

static int expression(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = gene_rate * in->lambda[0] * in->lambda[1];
  out[1] = gene_rate * in->lambda[2] * in->lambda[3];
  return 0;
}

static int expression_lambda(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = gene_rate * in->lambda[1];
  out[2] = gene_rate * in->lambda[0];
  out[5] = gene_rate * in->lambda[3];
  out[7] = gene_rate * in->lambda[2];
  return 0;
}

relay_scene scene_gene_network(nsds_model *model, double xa, double xb) {
  relay_scene scene;
  scene.system =
      nsds_first_order_linear(model, &(nsds_first_order_linear_def){
                                         .name = "genes",
                                         .n = 2,
                                         .x0 = (double[]){xa, xb},
                                         .A = (double[]){-gene_decay, 0.0, 0.0, -gene_decay},
                                     });
  nsds_relation *relation =
      nsds_first_order_relation(model, &(nsds_first_order_relation_def){
                                           .name = "expression",
                                           .ny = 4,
                                           .nx = 2,
                                           .output_fn = thresholds,
                                           .jac_output_x_fn = thresholds_x,
                                           .input_fn = expression,
                                           .jac_input_lambda_fn = expression_lambda,
                                       });
  nsds_law *steps =
      nsds_relay(model, 4, (double[]){0.0, 0.0, 0.0, 0.0}, (double[]){1.0, 1.0, 1.0, 1.0});
  scene.relay = nsds_connect(model, relation, steps, 1, &scene.system);
  return scene;
}
