/*
 * One function of each kind for first-order systems and relations, compiled into a plugin and into
 * the test that compares the two. Systems have two states and parameters z = (a, b); relations are
 * over one system, with one row.
 */
#ifndef NSDS_TEST_FIRST_ORDER_FUNCTIONS_H
#define NSDS_TEST_FIRST_ORDER_FUNCTIONS_H

#include <nsds/plugin.h>

#include <math.h>

#define FIRST_ORDER_FUNCTION(name)                                                                 \
  static int name(const nsds_arguments *in, double *out, void *user)

/* ---- systems ---- */

FIRST_ORDER_FUNCTION(mass) {
  (void)user;
  out[0] = 1.0 + 0.1 * sin(in->t);
  out[3] = 2.0;
  return 0;
}

FIRST_ORDER_FUNCTION(f) {
  (void)user;
  const double *x = in->x;
  out[0] = -x[0] + in->z[0] * x[1] * x[1];
  out[1] = -x[1] - in->z[1] * x[0] * x[1] + sin(in->t);
  return 0;
}

FIRST_ORDER_FUNCTION(jac_f_x) {
  (void)user;
  const double *x = in->x;
  out[0] = -1.0;
  out[1] = -in->z[1] * x[1];
  out[2] = 2.0 * in->z[0] * x[1];
  out[3] = -1.0 - in->z[1] * x[0];
  return 0;
}

FIRST_ORDER_FUNCTION(control_map) {
  (void)user;
  out[0] = 0.1;
  out[1] = 0.2 * in->x[0];
  return 0;
}

FIRST_ORDER_FUNCTION(control) {
  (void)user;
  out[0] = cos(in->t) - 0.1 * in->x[1];
  return 0;
}

FIRST_ORDER_FUNCTION(A) {
  (void)user;
  out[0] = -in->z[0];
  out[1] = -1.0 + 0.5 * sin(in->t);
  out[2] = 1.0;
  out[3] = -in->z[1];
  return 0;
}

FIRST_ORDER_FUNCTION(b) {
  (void)user;
  out[0] = in->z[0] * cos(3.0 * in->t);
  out[1] = -0.3;
  return 0;
}

/* ---- relations ---- */

FIRST_ORDER_FUNCTION(h) {
  (void)user;
  double l = in->lambda[0];
  out[0] = in->x[0] + 0.1 * in->x[1] * in->x[1] + l + 0.1 * l * l + 0.2 * sin(in->t) - in->z[2];
  return 0;
}

FIRST_ORDER_FUNCTION(jac_h_x) {
  (void)user;
  out[0] = 1.0;
  out[1] = 0.2 * in->x[1];
  return 0;
}

FIRST_ORDER_FUNCTION(jac_h_lambda) {
  (void)user;
  out[0] = 1.0 + 0.2 * in->lambda[0];
  return 0;
}

FIRST_ORDER_FUNCTION(g) {
  (void)user;
  out[0] = in->lambda[0] * (1.0 + 0.1 * in->x[1]);
  out[1] = 0.3 * in->lambda[0];
  return 0;
}

FIRST_ORDER_FUNCTION(jac_g_x) {
  (void)user;
  out[2] = 0.1 * in->lambda[0];
  return 0;
}

FIRST_ORDER_FUNCTION(jac_g_lambda) {
  (void)user;
  out[0] = 1.0 + 0.1 * in->x[1];
  out[1] = 0.3;
  return 0;
}

FIRST_ORDER_FUNCTION(C) {
  (void)user;
  out[0] = 1.0 + 0.2 * sin(in->t);
  out[1] = -0.5;
  return 0;
}

FIRST_ORDER_FUNCTION(D) {
  (void)user;
  out[0] = 0.4 + 0.1 * cos(in->t);
  return 0;
}

FIRST_ORDER_FUNCTION(B) {
  (void)user;
  out[0] = 1.0;
  out[1] = 0.3 * cos(in->t);
  return 0;
}

/* Over Z = (a, b, own). */
FIRST_ORDER_FUNCTION(F) {
  (void)user;
  out[0] = 0.1;
  out[1] = -0.2 * sin(in->t);
  out[2] = 0.5;
  return 0;
}

FIRST_ORDER_FUNCTION(e) {
  (void)user;
  out[0] = -0.1 + 0.3 * sin(2.0 * in->t);
  return 0;
}

#define FIRST_ORDER_TABLE(X)                                                                       \
  X(mass, MASS), X(f, F), X(jac_f_x, JAC_F_X), X(control_map, CONTROL_MAP), X(control, CONTROL),   \
      X(A, A), X(b, B_VECTOR), X(h, OUTPUT), X(jac_h_x, JAC_OUTPUT_X),                             \
      X(jac_h_lambda, JAC_OUTPUT_LAMBDA), X(g, INPUT), X(jac_g_x, JAC_INPUT_X),                    \
      X(jac_g_lambda, JAC_INPUT_LAMBDA), X(C, C), X(D, D), X(B, B), X(F, F_MATRIX), X(e, E)
#define FIRST_ORDER_ENTRY(name, kind)                                                              \
  { #name, NSDS_KIND_##kind, name }

#endif
