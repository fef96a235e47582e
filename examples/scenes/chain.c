#include "mechanisms.h"

#include <nsds/extend.h>

#include <math.h>
#include <stdlib.h>

static const double length = 0.1, mass = 0.1, drag = 0.05; /* of a link: m, kg, kg/m */
static const double gravity = 9.81;                        /* m/s^2 */
static const double slope_angle = 0.1, start_angle = 0.12; /* from the vertical [rad] */

/* d |v| v with z = (d) */
static int resistance(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  double vx = in->v[0], vy = in->v[1], d = in->z[0] * sqrt(vx * vx + vy * vy);
  out[0] = d * vx;
  out[1] = d * vy;
  return 0;
}

static int resistance_v(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  double vx = in->v[0], vy = in->v[1], speed = sqrt(vx * vx + vy * vy), d = in->z[0];
  if (speed == 0.0) return 0;
  out[0] = d * (speed + vx * vx / speed);
  out[1] = out[2] = d * (vx * vy / speed);
  out[3] = d * (speed + vy * vy / speed);
  return 0;
}

/* z[in->nz - 1]: the length of a link, its relation's own parameter. Q: (upper,) lower mass. */
static void along(const nsds_arguments *in, double *dx, double *dy) {
  bool hook = in->nq == 2;
  *dx = hook ? in->q[0] : in->q[2] - in->q[0];
  *dy = hook ? in->q[1] : in->q[3] - in->q[1];
}

static int slack(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  double dx, dy;
  along(in, &dx, &dy);
  out[0] = in->z[in->nz - 1] - sqrt(dx * dx + dy * dy);
  return 0;
}

static int slack_q(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  double dx, dy;
  along(in, &dx, &dy);
  double distance = sqrt(dx * dx + dy * dy);
  double *lower = in->nq == 2 ? out : out + 2;
  lower[0] = -dx / distance;
  lower[1] = -dy / distance;
  if (in->nq == 2) return 0;
  out[0] = -lower[0];
  out[1] = -lower[1];
  return 0;
}

static nsds_relation *link_relation(nsds_model *model, int nq) {
  return nsds_lagrangian_relation(model, &(nsds_lagrangian_relation_def){.name = "link",
                                                                         .ny = 1,
                                                                         .nq = nq,
                                                                         .output_fn = slack,
                                                                         .jac_output_q_fn = slack_q,
                                                                         .nz = 1,
                                                                         .z = &length});
}

chain_scene scene_chain(nsds_model *model, int n) {
  chain_scene scene = {.n = n,
                       .mass = calloc((size_t)n, sizeof *scene.mass),
                       .link = calloc((size_t)n, sizeof *scene.link),
                       .slope = calloc((size_t)n, sizeof *scene.slope)};
  if (!scene.mass || !scene.link || !scene.slope) {
    nsds_report(nsds_model_context(model), NSDS_ERROR_MEMORY, "chain: out of memory");
    return scene;
  }
  double stretched = length * (1.0 + 0x1p-20);
  nsds_relation *first = link_relation(model, 2), *other = link_relation(model, 4);
  nsds_relation *gap = nsds_lagrangian_linear_relation(
      model,
      &(nsds_lagrangian_linear_relation_def){.name = "gap to the slope",
                                             .ny = 1,
                                             .nq = 2,
                                             .H = (double[]){cos(slope_angle), sin(slope_angle)}});
  nsds_law *impact = nsds_newton_impact(model, 0.0);
  for (int i = 0; i < n; ++i) {
    double s = stretched * (i + 1);
    scene.mass[i] = nsds_lagrangian(
        model, &(nsds_lagrangian_def){.name = "mass",
                                      .ndof = 2,
                                      .q0 = (double[]){s * sin(start_angle), -s * cos(start_angle)},
                                      .mass = (double[]){mass, 0.0, 0.0, mass},
                                      .fint.fn = resistance,
                                      .fint.jac_q_fn = nsds_zero,
                                      .fint.jac_v_fn = resistance_v,
                                      .fext = (double[]){0.0, -mass * gravity},
                                      .nz = 1,
                                      .z = &drag});
    scene.link[i] = i == 0 ? nsds_connect(model, first, impact, 1, scene.mass)
                           : nsds_connect(model, other, impact, 2, scene.mass + i - 1);
    scene.slope[i] = nsds_connect(model, gap, impact, 1, scene.mass + i);
  }
  return scene;
}

void chain_free(chain_scene *scene) {
  free(scene->mass);
  free(scene->link);
  free(scene->slope);
  *scene = (chain_scene){0};
}
