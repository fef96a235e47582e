#include "mechanisms.h"

#include <math.h>

static const double g = 9.81;

static int mass(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = 2.0;
  out[4] = out[8] = 1.0;
  out[2] = out[6] = cos(in->q[2]);
  return 0;
}

static int nnl(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = -in->v[2] * in->v[2] * sin(in->q[2]);
  return 0;
}

static int nnl_q(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0 + 3 * 2] = -in->v[2] * in->v[2] * cos(in->q[2]);
  return 0;
}

static int nnl_v(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0 + 3 * 2] = -2.0 * in->v[2] * sin(in->q[2]);
  return 0;
}

static int fint(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[1] = g * in->q[1];
  out[2] = g * sin(in->q[2]);
  return 0;
}

static int fint_q(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[1 + 3 * 1] = g;
  out[2 + 3 * 2] = g * cos(in->q[2]);
  return 0;
}

slider_scene scene_pendulum_slider(nsds_model *model) {
  slider_scene s;
  s.body = nsds_lagrangian(model, &(nsds_lagrangian_def){.name = "slider",
                                                         .ndof = 3,
                                                         .q0 = (double[]){0.1, 0.0, 0.1},
                                                         .v0 = (double[]){2.0, 0.0, 0.0},
                                                         .mass_fn = mass,
                                                         .nnl.fn = nnl,
                                                         .nnl.jac_q_fn = nnl_q,
                                                         .nnl.jac_v_fn = nnl_v,
                                                         .fint.fn = fint,
                                                         .fint.jac_q_fn = fint_q,
                                                         .fint.jac_v_fn = nsds_zero});
  const double H[3][3] = {{0.0, 1.0, 0.0}, {-1.0, 0.0, 0.0}, {1.0, 0.0, 0.0}};
  const double b[3] = {0.0, 0.2375, -0.0125};
  nsds_law *impact = nsds_newton_impact(model, 0.5);
  nsds_interaction **contact[3] = {&s.floor, &s.right, &s.left};
  for (int k = 0; k < 3; ++k) {
    nsds_relation *gap = nsds_lagrangian_linear_relation(
        model, &(nsds_lagrangian_linear_relation_def){.ny = 1, .nq = 3, .H = H[k], .b = &b[k]});
    *contact[k] = nsds_connect(model, gap, impact, 1, &s.body);
  }
  return s;
}
