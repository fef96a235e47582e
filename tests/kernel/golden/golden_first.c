/*
 * Small first-order scenes: laws, schemes, nonlinear systems and relations. Their functions are
 * polynomials, so that no libm has a say.
 */
#include "golden.h"
#include "static_schemes.h"

static int bend(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  for (int k = 0; k < in->nx; ++k) {
    double x = in->x[k];
    out[k] = in->z[0] * (1.0 + k) - x - 0.4 * x * x * x + (k ? 0.3 * in->x[k - 1] : 0.5 * in->t);
  }
  return 0;
}

static int bend_x(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  int n = in->nx;
  for (int k = 0; k < n; ++k) {
    out[k + n * k] = -1.0 - 1.2 * in->x[k] * in->x[k];
    if (k) out[k + n * (k - 1)] = 0.3;
  }
  return 0;
}

static nsds_ds *bent(nsds_model *model, int n, double x, double z) {
  const double x0[3] = {x, -0.5 * x, 0.2};
  return nsds_first_order(
      model, &(nsds_first_order_def){
                 .n = n, .x0 = x0, .f_fn = bend, .jac_f_x_fn = bend_x, .nz = 1, .z = &z});
}

/* n: the law; 0 relay, 1 saturation, 2 complementarity, 3 equality, 4 normal cone to a diamond */
static nsds_law *law_of(nsds_model *model, int n) {
  const double low[] = {-1.5, -1.0}, high[] = {1.0, 1.5};
  const double H[] = {1, 1, -1, -1, 1, -1, 1, -1}, K[] = {-1, -1, -1, -1};
  switch (n) {
  case 0: return nsds_relay(model, 2, low, high);
  case 1: return nsds_saturation(model, 2, low, high, 4.0);
  case 2: return nsds_complementarity(model);
  case 3: return nsds_equality(model);
  default: return nsds_normal_cone(model, 2, 4, H, K);
  }
}

static nsds_simulation *first_nonlinear(nsds_model *model, const golden *g) {
  nsds_ds *ds = bent(model, 3, 0.8, 2.0);
  nsds_relation *relation = nsds_first_order_linear_relation(
      model,
      &(nsds_first_order_linear_relation_def){.ny = 2,
                                              .nx = 3,
                                              .C = (double[]){1.0, 0.0, 0.2, 1.0, 0.0, 0.1},
                                              .D = (double[]){0.1, 0.0, 0.05, 0.2},
                                              .B = (double[]){1.0, 0.1, 0.0, 0.0, 1.0, 0.3}});
  nsds_connect(model, relation, law_of(model, g->n), 1, &ds);
  return golden_start(model, g);
}

/* p[0]: where x_1 begins; with it 0 the equality holds at the start */
static nsds_simulation *first_linear(nsds_model *model, const golden *g) {
  nsds_ds *ds = nsds_first_order_linear(
      model, &(nsds_first_order_linear_def){.n = 3,
                                            .x0 = (double[]){g->p[0], 0.3, -0.2},
                                            .mass = (double[]){2, 0, 0.1, 0, 1, 0, 0.1, 0, 1},
                                            .A = (double[]){-1, 2, 0, -2, -1, 1, 0.5, 0, -3},
                                            .b = (double[]){0.3, 1.0, -0.5}});
  nsds_relation *relation = nsds_first_order_linear_relation(
      model, &(nsds_first_order_linear_relation_def){.ny = 2,
                                                     .nx = 3,
                                                     .C = (double[]){1, 0, 0, 0, 0, 1},
                                                     .D = (double[]){0, 0, 0, 0.5},
                                                     .B = (double[]){1, 0, 0, 0, 0, 1}});
  nsds_connect(model, relation, law_of(model, g->n), 1, &ds);
  return golden_start(model, g);
}

static int twice_h(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  const double *x = in->x, *l = in->lambda;
  out[0] = x[0] - 0.5 * x[2] + 0.1 * x[0] * x[2] + l[0] + 0.1 * l[0] * l[0] * l[0] - 0.2 * in->t;
  return 0;
}

static int twice_h_x(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = 1.0 + 0.1 * in->x[2];
  out[2] = -0.5 + 0.1 * in->x[0];
  return 0;
}

static int twice_h_lambda(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = 1.0 + 0.3 * in->lambda[0] * in->lambda[0];
  return 0;
}

static int twice_g(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  double l = in->lambda[0];
  out[0] = l + 0.2 * l * in->x[2];
  out[2] = -0.5 * l + 0.1 * in->x[0] * l;
  return 0;
}

static int twice_g_lambda(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = 1.0 + 0.2 * in->x[2];
  out[2] = -0.5 + 0.1 * in->x[0];
  return 0;
}

static int twice_g_x(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[2] = 0.1 * in->lambda[0];         /* row 2, column 0 */
  out[0 + 3 * 2] = 0.2 * in->lambda[0]; /* row 0, column 2 */
  return 0;
}

/* two systems whose inputs depend on each other's states: one iteration matrix for both; a third
 * one joined to the second by a linear relation */
static nsds_simulation *first_cluster(nsds_model *model, const golden *g) {
  nsds_ds *ds[3] = {bent(model, 2, 0.5, 1.0), bent(model, 1, -0.4, -2.0), bent(model, 1, 0.1, 0.5)};
  nsds_relation *general = nsds_first_order_relation(
      model, &(nsds_first_order_relation_def){.ny = 1,
                                              .nx = 3,
                                              .output_fn = twice_h,
                                              .jac_output_x_fn = twice_h_x,
                                              .jac_output_lambda_fn = twice_h_lambda,
                                              .input_fn = twice_g,
                                              .jac_input_lambda_fn = twice_g_lambda,
                                              .jac_input_x_fn = twice_g_x});
  nsds_relation *linear = nsds_first_order_linear_relation(
      model, &(nsds_first_order_linear_relation_def){
                 .ny = 1, .nx = 2, .C = (double[]){1.0, -1.0}, .B = (double[]){1.0, -1.0}});
  nsds_connect(model, general, g->n ? nsds_equality(model) : nsds_complementarity(model), 2, ds);
  nsds_connect(model, linear, nsds_complementarity(model), 2, ds + 1);
  return golden_start(model, g);
}

#define FIRST(...) .def = {.h = 1.0 / 128.0, __VA_ARGS__}
const golden golden_first[] = {
    {"first_relay", 500, first_nonlinear, FIRST(.first_order = EULER_MOREAU(0.5)), .n = 0},
    {"first_saturation", 500, first_nonlinear, FIRST(.first_order = EULER_MOREAU(0.5)), .n = 1},
    {"first_complementarity", 500, first_nonlinear, FIRST(.first_order = EULER_MOREAU(0.5)),
     .n = 2},
    {"first_polyhedron", 300, first_nonlinear, FIRST(.first_order = EULER_MOREAU(0.5)), .n = 4},
    {"theta_gamma_relay", 500, first_nonlinear, FIRST(.first_order = THETA_GAMMA(0.6, 0.7))},
    {"full_theta_gamma_relay", 500, first_nonlinear,
     FIRST(.first_order = FULL_THETA_GAMMA(0.6, 0.7))},
    {"linear_relay", 500, first_linear, FIRST(.first_order = EULER_MOREAU(0.5)), .n = 0,
     .p = {0.7}},
    {"linear_equality", 500, first_linear, FIRST(.first_order = EULER_MOREAU(0.5)), .n = 3,
     .p = {0.7}},
    {"theta_gamma_linear", 500, first_linear, FIRST(.first_order = THETA_GAMMA(0.5, 0.6)), .n = 2,
     .p = {0.7}},
    {"theta_gamma_initial_lambda", 500, first_linear,
     FIRST(.first_order = THETA_GAMMA_WITH(0.5, 0.6, NSDS_OPTION_INITIAL_LAMBDA)), .n = 2,
     .p = {0.7}},
    {"full_theta_gamma_linear", 500, first_linear, FIRST(.first_order = FULL_THETA_GAMMA(0.5, 0.5)),
     .n = 2, .p = {0.7}},
    {"zero_order_hold_relay", 500, first_linear, FIRST(.first_order = ZERO_ORDER_HOLD), .n = 0,
     .p = {0.7}},
    {"zero_order_hold_saturation", 500, first_linear, FIRST(.first_order = ZERO_ORDER_HOLD), .n = 1,
     .p = {0.7}},
    {"cluster", 500, first_cluster, FIRST(.first_order = EULER_MOREAU(0.5))},
    {"cluster_equality", 500, first_cluster, FIRST(.first_order = EULER_MOREAU(0.5)), .n = 1},
    {"cluster_theta_gamma", 500, first_cluster, FIRST(.first_order = THETA_GAMMA(0.6, 0.6))},
    {"cluster_full_theta_gamma", 500, first_cluster,
     FIRST(.first_order = FULL_THETA_GAMMA(0.5, 0.5))},
};
const int golden_first_count = sizeof golden_first / sizeof *golden_first;
