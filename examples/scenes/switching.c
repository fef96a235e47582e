#include "switching.h"

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
  nsds_relation *relation = nsds_linear_relation(
      model, &(nsds_linear_relation_def){
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
  nsds_relation *relation =
      nsds_linear_relation(model, &(nsds_linear_relation_def){
                                      .name = "relay",
                                      .ny = 1,
                                      .nx = 3,
                                      .C = (double[]){1.0, 0.0, 0.0},
                                      .B = (double[]){k, 2.0 * k * sigma * rho, k * rho * rho},
                                  });
  scene.relay = nsds_connect(model, relation, sign_law(model, 1), 1, &scene.system);
  return scene;
}
