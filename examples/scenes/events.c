#include "events.h"

#include <nsds/extend.h>

#include <math.h>
#include <stdlib.h>

static const double gravity = 9.81; /* m/s^2 */

/* ---- a ball between floor and ceiling ---- */

static nsds_relation *height(nsds_model *model, double sign, double b) {
  return nsds_lagrangian_linear_relation(
      model, &(nsds_lagrangian_linear_relation_def){.ny = 1, .nq = 1, .H = &sign, .b = &b});
}

room_scene scene_room(nsds_model *model, double g, double q0, double v0, double ceiling, double e) {
  double mass = 1.0, weight = -g;
  room_scene scene = {.ceiling = NULL};
  scene.ball = nsds_lagrangian_linear(
      model, &(nsds_lagrangian_linear_def){
                 .name = "ball", .ndof = 1, .q0 = &q0, .v0 = &v0, .mass = &mass, .fext = &weight});
  nsds_law *impact = nsds_newton_impact(model, e);
  scene.floor = nsds_connect(model, height(model, 1.0, 0.0), impact, 1, &scene.ball);
  if (ceiling != 0.0)
    scene.ceiling = nsds_connect(model, height(model, -1.0, ceiling), impact, 1, &scene.ball);
  return scene;
}

/* ---- a mass on a string ---- */

static int slack(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = 1.0 - hypot(in->q[0], in->q[1]);
  return 0;
}

static int slack_q(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  double r = hypot(in->q[0], in->q[1]);
  out[0] = -in->q[0] / r;
  out[1] = -in->q[1] / r;
  return 0;
}

/* Minus the square of the velocity across the string over its length. */
static int slack_bias(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  double r = hypot(in->q[0], in->q[1]);
  double across = (in->q[0] * in->v[1] - in->q[1] * in->v[0]) / r;
  out[0] = -across * across / r;
  return 0;
}

string_scene scene_string_pendulum(nsds_model *model, double push, double e) {
  string_scene scene;
  scene.mass = nsds_lagrangian_linear(model, &(nsds_lagrangian_linear_def){
                                                 .name = "mass",
                                                 .ndof = 2,
                                                 .q0 = (double[]){0.0, -1.0},
                                                 .v0 = (double[]){push, 0.0},
                                                 .mass = (double[]){1.0, 0.0, 0.0, 1.0},
                                                 .fext = (double[]){0.0, -gravity},
                                             });
  nsds_relation *length = nsds_lagrangian_relation(model, &(nsds_lagrangian_relation_def){
                                                              .name = "string",
                                                              .ny = 1,
                                                              .nq = 2,
                                                              .output_fn = slack,
                                                              .jac_output_q_fn = slack_q,
                                                              .bias_fn = slack_bias,
                                                          });
  scene.string = nsds_connect(model, length, nsds_newton_impact(model, e), 1, &scene.mass);
  return scene;
}

/* ---- a rocking block ---- */

const double block_half = 0.1, block_height = 0.5;

static int corners(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  double s = sin(in->q[2]), c = cos(in->q[2]);
  out[0] = in->q[1] - block_height * c - block_half * s;
  out[1] = in->q[1] - block_height * c + block_half * s;
  return 0;
}

static int corners_q(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  double s = sin(in->q[2]), c = cos(in->q[2]);
  out[2] = out[3] = 1.0; /* by z; column by column */
  out[4] = block_height * s - block_half * c;
  out[5] = block_height * s + block_half * c;
  return 0;
}

static int corners_bias(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  double s = sin(in->q[2]), c = cos(in->q[2]), w = in->v[2];
  out[0] = (block_height * c + block_half * s) * w * w;
  out[1] = (block_height * c - block_half * s) * w * w;
  return 0;
}

block_scene scene_rocking_block(nsds_model *model, double tilt, double e) {
  double J = (block_half * block_half + block_height * block_height) / 3.0;
  double z = block_height * cos(tilt) + block_half * fabs(sin(tilt));
  block_scene scene = {.inertia = J};
  scene.block = nsds_lagrangian_linear(model, &(nsds_lagrangian_linear_def){
                                                  .name = "block",
                                                  .ndof = 3,
                                                  .q0 = (double[]){0.0, z, tilt},
                                                  .mass = (double[]){1, 0, 0, 0, 1, 0, 0, 0, J},
                                                  .fext = (double[]){0.0, -gravity, 0.0},
                                              });
  nsds_relation *gaps = nsds_lagrangian_relation(model, &(nsds_lagrangian_relation_def){
                                                            .name = "corners",
                                                            .ny = 2,
                                                            .nq = 3,
                                                            .output_fn = corners,
                                                            .jac_output_q_fn = corners_q,
                                                            .bias_fn = corners_bias,
                                                        });
  scene.corners = nsds_connect(model, gaps, nsds_newton_impact(model, e), 1, &scene.block);
  return scene;
}

/* ---- a block on a belt ---- */

static int slip(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = in->q[0] - in->z[0] * in->t;
  return 0;
}

static int slip_q(const nsds_arguments *in, double *out, void *user) {
  (void)in, (void)user;
  out[0] = 1.0;
  return 0;
}

static int slip_t(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = -in->z[0];
  return 0;
}

static int slip_bias(const nsds_arguments *in, double *out, void *user) {
  (void)in, (void)user;
  out[0] = 0.0;
  return 0;
}

belt_scene scene_belt(nsds_model *model, const belt_def *def) {
  double mass = 1.0, damping = -def->fall, push = -def->fall * def->speed;
  belt_scene scene;
  scene.block = nsds_lagrangian_linear(model, &(nsds_lagrangian_linear_def){
                                                  .name = "block",
                                                  .ndof = 1,
                                                  .q0 = &def->x0,
                                                  .v0 = &def->v0,
                                                  .mass = &mass,
                                                  .damping = &damping,
                                                  .stiffness = &def->stiffness,
                                                  .fext = &push,
                                              });
  nsds_relation *way = nsds_lagrangian_relation(model, &(nsds_lagrangian_relation_def){
                                                           .name = "way on the belt",
                                                           .ny = 1,
                                                           .nq = 1,
                                                           .output_fn = slip,
                                                           .jac_output_q_fn = slip_q,
                                                           .jac_output_t_fn = slip_t,
                                                           .bias_fn = slip_bias,
                                                           .nz = 1,
                                                           .z = &def->speed,
                                                       });
  double lower = -def->most;
  nsds_law *law = nsds_relay(model, 1, &lower, &def->most);
  scene.friction = nsds_connect(model, way, law, 1, &scene.block);
  return scene;
}

/* ---- a stiff chain ---- */

/* Adds a spring, or a damper, between i and i + 1 to an n x n matrix. */
static void tie(double *K, int n, int i, double k) {
  K[i + n * i] += k;
  K[i + 1 + n * (i + 1)] += k;
  K[i + n * (i + 1)] -= k;
  K[i + 1 + n * i] -= k;
}

stiff_scene scene_stiff_chain(nsds_model *model, int n, double e) {
  const double soft = 1e2, stiff = 1e8, damper = 1e5, height = 0.5;
  size_t squared = (size_t)n * (size_t)n;
  double *M = calloc(3 * squared + 3 * (size_t)n, sizeof *M), *K = M + squared, *C = K + squared;
  double *weight = C + squared, *q0 = weight + n, *H = q0 + n;
  stiff_scene scene = {NULL, NULL};
  if (!M) {
    nsds_report(nsds_model_context(model), NSDS_ERROR_MEMORY, "chain: out of memory");
    return scene;
  }
  for (int i = 0; i < n; ++i) {
    M[i + n * i] = 1.0;
    weight[i] = -gravity;
    q0[i] = height; /* displacement of each mass from where it is with springs at their lengths */
    if (i + 1 < n) tie(K, n, i, i % 2 == 0 ? stiff : soft);
    if (i + 1 < n && i % 2 == 0) tie(C, n, i, damper);
  }
  H[0] = 1.0;
  scene.chain = nsds_lagrangian_linear(model, &(nsds_lagrangian_linear_def){.name = "chain",
                                                                            .ndof = n,
                                                                            .q0 = q0,
                                                                            .mass = M,
                                                                            .damping = C,
                                                                            .stiffness = K,
                                                                            .fext = weight});
  nsds_relation *gap = nsds_lagrangian_linear_relation(
      model, &(nsds_lagrangian_linear_relation_def){.ny = 1, .nq = n, .H = H});
  scene.floor = nsds_connect(model, gap, nsds_newton_impact(model, e), 1, &scene.chain);
  free(M);
  return scene;
}
