#include "smc.h"

#include <math.h>

nsds_status smc_explicit_control(smc_scene *scene, double x2, double *u) {
  (void)scene;
  *u = x2 > 0.0 ? -1.0 : x2 < 0.0 ? 1.0 : 0.0;
  return NSDS_OK;
}

nsds_status smc_implicit_control(smc_scene *scene, double x2, double *u) {
  nsds_status status = nsds_set_x(scene->sigma, &x2);
  if (!status) status = nsds_step(scene->prediction);
  if (!status) *u = nsds_lambda(scene->relay)[0];
  return status;
}

/* b(t, z) = (s, -s + 2 u) */
static int disturbed_input(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  double s = sin(50.0 * in->t), u = in->z[0];
  out[0] = s;
  out[1] = -s + 2.0 * u;
  return 0;
}

static int sample(nsds_simulation *simulation, void *user) {
  (void)simulation;
  smc_scene *scene = user;
  double u;
  nsds_status status = scene->control(scene, nsds_x(scene->plant)[1], &u);
  if (!status) status = nsds_ds_set_z(scene->plant, 1, &u);
  return status < 0 ? -1 : 0;
}

static void make_controller(smc_scene *scene, double t1, double period) {
  nsds_model *model = nsds_model_create(NULL);
  scene->controller = model;
  scene->sigma =
      nsds_first_order_linear(model, &(nsds_first_order_linear_def){.name = "sigma", .n = 1});
  nsds_relation *relation =
      nsds_first_order_linear_relation(model, &(nsds_first_order_linear_relation_def){
                                                  .name = "sliding variable",
                                                  .ny = 1,
                                                  .nx = 1,
                                                  .C = (double[]){1.0},
                                                  .B = (double[]){2.0},
                                              });
  nsds_law *relay = nsds_relay(model, 1, (double[]){-1.0}, (double[]){1.0});
  scene->relay = nsds_connect(model, relation, relay, 1, &scene->sigma);
  scene->prediction =
      nsds_time_stepping(model, &(nsds_time_stepping_def){.t1 = t1 + 2.0 * period, .h = period});
}

void scene_smc(nsds_model *model, smc_scene *scene, double h, double t1, double period,
               smc_control control) {
  *scene = (smc_scene){.control = control};
  if (control == smc_implicit_control) make_controller(scene, t1, period);
  scene->plant = nsds_first_order_linear(model, &(nsds_first_order_linear_def){
                                                    .name = "plant",
                                                    .n = 2,
                                                    .x0 = (double[]){1.0, -1.0},
                                                    .b_fn = disturbed_input,
                                                    .nz = 1,
                                                });
  scene->simulation = nsds_time_stepping(
      model, &(nsds_time_stepping_def){.t1 = t1, .h = h, .first_order = nsds_zero_order_hold()});
  nsds_simulation_sample(
      scene->simulation,
      &(nsds_sampler_def){.name = "controller", .period = period, .sample = sample, .user = scene});
}

void smc_free(smc_scene *scene) {
  nsds_model_destroy(scene->controller);
  *scene = (smc_scene){0};
}
