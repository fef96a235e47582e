/*
 * Scenes of adaptive simulation: laws of bounds, nonlinear systems and relations, a singular and a sparse M, switches,
 * steps by the laws. A step of a scene goes to a time of the grid, or is one accepted step. Functions are polynomials, so
 * that no libm has a say.
 */
#include "golden.h"

#include <nsds/extend.h>

#include <math.h>

typedef nsds_adaptive_def options;

/* scene->def gives the period of the grid, h; 0: no grid. */
static nsds_simulation *adaptive(nsds_model *model, const golden *g, options more) {
  more.t1 = 100.0;
  more.output_period = g->def.h;
  if (more.largest_step == 0.0) more.largest_step = 0.05;
  return nsds_adaptive(model, &more);
}

/* ---- linear systems ---- */

/* A relay turns an oscillator over and over; n: by the laws. */
static nsds_simulation *relay(nsds_model *model, const golden *g) {
  nsds_ds *ds = nsds_first_order_linear(
      model, &(nsds_first_order_linear_def){
                 .n = 2, .x0 = (double[]){0.5, 0.0}, .A = (double[]){0, -1, 1, -0.1}});
  nsds_relation *relation = nsds_first_order_linear_relation(
      model, &(nsds_first_order_linear_relation_def){
                 .ny = 1, .nx = 2, .C = (double[]){0.3, 1.0}, .B = (double[]){0, 1.0}});
  nsds_connect(model, relation, nsds_relay(model, 1, (double[]){-0.8}, (double[]){0.8}), 1, &ds);
  return adaptive(model, g, (options){.by_laws = g->n});
}

static int ramps(const nsds_arguments *in, double *out, void *user) {
  double t = in->t - 4.0 * floor(in->t / 4.0);
  (void)user;
  out[0] = 0.0;
  out[1] = t < 2.0 ? 1.0 - t : t - 3.0; /* between 1 and -1 */
  return 0;
}

static double next_ramp(double t, void *user) {
  (void)user;
  return 2.0 * (floor(t / 2.0) + 1.0);
}

/* A source that ramps, a resistance, a diode into C with a load: x = (voltage of C, current), the second without a
 * derivative. n: with a saturation in place of the diode. */
static nsds_simulation *rectifier(nsds_model *model, const golden *g) {
  nsds_ds *ds = nsds_first_order_linear(
      model, &(nsds_first_order_linear_def){.n = 2,
                                            .mass = (double[]){0.5, 0, 0, 0},
                                            .A = (double[]){-0.2, -1.0, 1.0, -0.1},
                                            .b_fn = ramps});
  nsds_relation *relation = nsds_first_order_linear_relation(
      model, &(nsds_first_order_linear_relation_def){
                 .ny = 1, .nx = 2, .C = (double[]){0, 1.0}, .B = (double[]){0, 1.0}});
  nsds_law *law = g->n ? nsds_saturation(model, 1, (double[]){-0.4}, (double[]){0.3}, 5.0)
                       : nsds_complementarity(model);
  nsds_connect(model, relation, law, 1, &ds);
  return adaptive(model, g, (options){.tolerance = 1e-5, .next_corner = next_ramp});
}

/* A rod that conducts heat, n cells, sparse; the ends keep below 0.05 and above -0.05. */
static nsds_simulation *rod(nsds_model *model, const golden *g) {
  enum { most = 200 };
  static nsds_triplet t[4 * most];
  static int p[most + 1], i[4 * most];
  static double x[4 * most], b[most], C[2][2 * most];
  int n = g->n, count = 0;
  for (int c = 0; c + 1 < n; ++c)
    for (int k = 0; k < 4; ++k)
      t[count++] = (nsds_triplet){c + k / 2, c + k % 2, k == 0 || k == 3 ? -900.0 : 900.0};
  for (int c = 0; c < n; ++c) b[c] = c < n / 2 ? 1.0 : -1.0;
  nsds_csc A;
  if (nsds_triplets_to_csc(n, n, count, t, p, i, x, &A)) return NULL;
  nsds_ds *ds = nsds_first_order_linear(
      model, &(nsds_first_order_linear_def){.n = n, .A_sparse = &A, .b = b});
  for (int k = 0; k < 2 * n; ++k) C[0][k] = C[1][k] = 0.0;
  C[0][0] = C[1][0] = -1.0; /* C, then B */
  C[0][2 * n - 1] = C[1][2 * n - 1] = 1.0;
  nsds_relation *relation = nsds_first_order_linear_relation(
      model, &(nsds_first_order_linear_relation_def){
                 .ny = 2, .nx = n, .C = C[0], .B = C[1], .e = (double[]){0.05, 0.05}});
  nsds_connect(model, relation, nsds_complementarity(model), 1, &ds);
  return adaptive(model, g, (options){0});
}

/* ---- nonlinear systems and relations ---- */

static int bend(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  for (int k = 0; k < in->nx; ++k) {
    double x = in->x[k];
    out[k] = in->z[0] * (1.0 + k) - x - 40.0 * x * x * x + (k ? 0.3 * in->x[k - 1] : 0.5 * in->t);
  }
  return 0;
}

static int bend_x(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  for (int k = 0; k < in->nx; ++k) {
    out[k + in->nx * k] = -1.0 - 120.0 * in->x[k] * in->x[k];
    if (k) out[k + in->nx * (k - 1)] = 0.3;
  }
  return 0;
}

/* y = u + 0.1 u^3 - x, r = u + 0.2 u^3: grows fast, and bounds the steps of lambda = u */
static nsds_status cubic(void *self, const nsds_arguments *in, double *y) {
  double u = in->lambda[0];
  (void)self;
  y[0] = u + 0.1 * u * u * u - in->x[0];
  return NSDS_OK;
}

static nsds_status cubic_x(void *self, const nsds_arguments *in, double *C) {
  (void)self;
  for (int k = 0; k < in->nx; ++k) C[k] = 0.0;
  C[0] = -1.0;
  return NSDS_OK;
}

static nsds_status cubic_lambda(void *self, const nsds_arguments *in, double *D) {
  (void)self;
  D[0] = 1.0 + 0.3 * in->lambda[0] * in->lambda[0];
  return NSDS_OK;
}

static nsds_status cubic_input(void *self, const nsds_arguments *in, double *r) {
  double u = in->lambda[0];
  (void)self;
  for (int k = 0; k < in->nx; ++k) r[k] = 0.0;
  r[0] = -u - 0.2 * u * u * u;
  return NSDS_OK;
}

static nsds_status cubic_input_lambda(void *self, const nsds_arguments *in, double *B) {
  (void)self;
  for (int k = 0; k < in->nx; ++k) B[k] = 0.0;
  B[0] = -1.0 - 0.6 * in->lambda[0] * in->lambda[0];
  return NSDS_OK;
}

static bool cubic_limit(void *self, const double *from, double *lambda) {
  (void)self;
  if (fabs(lambda[0] - from[0]) <= 0.25) return false;
  lambda[0] = from[0] + (lambda[0] > from[0] ? 0.25 : -0.25);
  return true;
}

static const nsds_relation_ops cubic_ops = {.type = "cubic",
                                            .output = cubic,
                                            .jacobian_q = cubic_x,
                                            .jacobian_lambda = cubic_lambda,
                                            .input = cubic_input,
                                            .input_lambda = cubic_input_lambda,
                                            .limit = cubic_limit};

/* n: with the relation; else with a relay over both states. */
static nsds_simulation *bent(nsds_model *model, const golden *g) {
  nsds_ds *ds = nsds_first_order(model, &(nsds_first_order_def){.n = 2,
                                                                .x0 = (double[]){1.0, -0.5},
                                                                .f_fn = bend,
                                                                .jac_f_x_fn = bend_x,
                                                                .nz = 1,
                                                                .z = (double[]){2.0}});
  nsds_relation *relation =
      g->n ? nsds_custom_relation(model,
                                  &(nsds_custom_relation_def){.ops = &cubic_ops, .ny = 1, .nq = 2})
           : nsds_first_order_linear_relation(
                 model, &(nsds_first_order_linear_relation_def){
                            .ny = 1, .nx = 2, .C = (double[]){1, -1}, .B = (double[]){1, -1}});
  nsds_law *law =
      g->n ? nsds_equality(model) : nsds_relay(model, 1, (double[]){-1.5}, (double[]){1.0});
  nsds_connect(model, relation, law, 1, &ds);
  return adaptive(model, g, (options){0});
}

/* ---- switches ---- */

/* On below 2, off above 4. */
static double keep_between(const nsds_adaptive_view *at, int k, bool on, void *user) {
  (void)k, (void)user;
  return on ? 4.0 - at->x[0] : at->x[0] - 2.0;
}

static nsds_simulation *charger(nsds_model *model, const golden *g) {
  nsds_ds *ds =
      nsds_first_order_linear(model, &(nsds_first_order_linear_def){.n = 1, .A = (double[]){-0.5}});
  nsds_relation *relation = nsds_first_order_linear_relation(
      model, &(nsds_first_order_linear_relation_def){.ny = 1,
                                                     .nx = 1,
                                                     .C = (double[]){1},
                                                     .B = (double[]){1},
                                                     .D = (double[]){1},
                                                     .e = (double[]){-10}});
  nsds_interaction *ia = nsds_connect(model, relation, nsds_equality(model), 1, &ds);
  return adaptive(model, g, (options){.nswitch = 1, .switched = &ia, .margin = keep_between});
}

const golden golden_adaptive[] = {
    {"adaptive_relay", 300, relay, .def = {.h = 0.05}},
    {"adaptive_relay_free", 300, relay, .n = 0},
    {"adaptive_relay_by_laws", 300, relay, .def = {.h = 0.05}, .n = 1},
    {"adaptive_rectifier", 300, rectifier, .def = {.h = 0.1}},
    {"adaptive_saturation", 300, rectifier, .def = {.h = 0.1}, .n = 1},
    {"adaptive_rod", 60, rod, .def = {.h = 0.05}, .n = 20},
    {"adaptive_rod_sparse", 60, rod, .def = {.h = 0.05}, .n = 200},
    {"adaptive_bent", 200, bent, .def = {.h = 0.1}},
    {"adaptive_cubic", 200, bent, .def = {.h = 0.1}, .n = 1},
    {"adaptive_charger", 200, charger, .def = {.h = 0.1}},
    {"adaptive_charger_free", 200, charger, .n = 0},
};
const int golden_adaptive_count = sizeof golden_adaptive / sizeof *golden_adaptive;
