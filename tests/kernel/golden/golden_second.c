/*
 * Small second-order scenes that between them take every path of a step: kinds of systems and
 * relations, options, changes between steps. Their functions are polynomials, so that no libm has a
 * say.
 */
#include "golden.h"
#include "static_schemes.h"

#include <math.h>

/* Taylor polynomials; small angles. */
static double sine(double x) {
  double s = x * x;
  return x * (1.0 - s / 6.0 * (1.0 - s / 20.0 * (1.0 - s / 42.0 * (1.0 - s / 72.0))));
}
static double cosine(double x) {
  double s = x * x;
  return 1.0 - s / 2.0 * (1.0 - s / 12.0 * (1.0 - s / 30.0 * (1.0 - s / 56.0)));
}

/* A relation y = H Q + b of one row. */
static nsds_relation *row(nsds_model *model, int nq, const double *H, double b) {
  return nsds_lagrangian_linear_relation(
      model, &(nsds_lagrangian_linear_relation_def){.ny = 1, .nq = nq, .H = H, .b = &b});
}

static nsds_ds *point(nsds_model *model, double q, double v, double mass, double force) {
  return nsds_lagrangian_linear(
      model,
      &(nsds_lagrangian_linear_def){.ndof = 1, .q0 = &q, .v0 = &v, .mass = &mass, .fext = &force});
}

/* ---- double pendulum that swings against a wall: M(q), NNL, nonlinear H ---- */

static const double gravity = 9.81;

static int two_mass(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = 2.0;
  out[1] = out[2] = cosine(in->q[0] - in->q[1]);
  out[3] = 1.0;
  return 0;
}

static int two_nnl(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  double s = sine(in->q[0] - in->q[1]);
  out[0] = s * in->v[1] * in->v[1];
  out[1] = -s * in->v[0] * in->v[0];
  return 0;
}

static int two_nnl_q(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  double c = cosine(in->q[0] - in->q[1]);
  out[0] = c * in->v[1] * in->v[1];
  out[1] = -c * in->v[0] * in->v[0];
  out[2] = -out[0];
  out[3] = -out[1];
  return 0;
}

static int two_nnl_v(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  double s = sine(in->q[0] - in->q[1]);
  out[1] = -2.0 * s * in->v[0];
  out[2] = 2.0 * s * in->v[1];
  return 0;
}

static int two_fint(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = 2.0 * gravity * sine(in->q[0]);
  out[1] = gravity * sine(in->q[1]) + 0.1 * in->v[1];
  return 0;
}

static int two_fint_q(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = 2.0 * gravity * cosine(in->q[0]);
  out[3] = gravity * cosine(in->q[1]);
  return 0;
}

static int two_fint_v(const nsds_arguments *in, double *out, void *user) {
  (void)in, (void)user;
  out[3] = 0.1;
  return 0;
}

/* distances of both masses from the wall x = -0.2, into which gravity presses the lower one */
static int wall(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = -0.2 - sine(in->q[0]);
  out[1] = -0.2 - sine(in->q[0]) - sine(in->q[1]);
  return 0;
}

static int wall_q(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = out[1] = -cosine(in->q[0]);
  out[3] = -cosine(in->q[1]);
  return 0;
}

/* n = 1: Jacobians by differences */
static nsds_simulation *double_pendulum(nsds_model *model, const golden *g) {
  nsds_operator differences = g->n ? nsds_differences : NULL;
  nsds_ds *ds = nsds_lagrangian(
      model, &(nsds_lagrangian_def){.name = "double pendulum",
                                    .ndof = 2,
                                    .q0 = (double[]){-0.6, -0.9},
                                    .mass_fn = two_mass,
                                    .nnl.fn = two_nnl,
                                    .nnl.jac_q_fn = differences ? differences : two_nnl_q,
                                    .nnl.jac_v_fn = differences ? differences : two_nnl_v,
                                    .fint.fn = two_fint,
                                    .fint.jac_q_fn = differences ? differences : two_fint_q,
                                    .fint.jac_v_fn = two_fint_v});
  nsds_relation *distance = nsds_lagrangian_relation(
      model,
      &(nsds_lagrangian_relation_def){.ny = 2,
                                      .nq = 2,
                                      .output_fn = wall,
                                      .jac_output_q_fn = differences ? differences : wall_q});
  nsds_connect(model, distance, nsds_newton_impact(model, 0.3), 1, &ds);
  return golden_start(model, g);
}

/* ---- compliant, rheonomous and feedthrough relations ---- */

static int one(const nsds_arguments *in, double *out, void *user) {
  (void)in, (void)user;
  out[0] = 1.0;
  return 0;
}

static int soft(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = in->q[0] - 0.1 + 2e-4 * in->lambda[0];
  return 0;
}

static int soft_lambda(const nsds_arguments *in, double *out, void *user) {
  (void)in, (void)user;
  out[0] = 2e-4;
  return 0;
}

static nsds_simulation *compliant(nsds_model *model, const golden *g) {
  nsds_ds *ds = point(model, 0.3, 0.0, 2.0, -2.0 * gravity);
  nsds_relation *relation = nsds_lagrangian_relation(
      model, &(nsds_lagrangian_relation_def){.ny = 1,
                                             .nq = 1,
                                             .output_fn = soft,
                                             .jac_output_q_fn = one,
                                             .jac_output_lambda_fn = soft_lambda});
  nsds_law *law = g->n == 0   ? nsds_complementarity(model)
                  : g->n == 1 ? nsds_newton_impact(model, 0.0)
                              : nsds_equality(model);
  if (g->n == 2) nsds_set_state(ds, (double[]){0.1}, NULL);
  nsds_connect(model, relation, law, 1, &ds);
  return golden_start(model, g);
}

/* a plane that rises and falls along parabolas, z[0] high */
static int plane(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  double s = in->t - floor(in->t);
  out[0] = in->q[0] - in->z[0] * s * (1.0 - s);
  return 0;
}

static int plane_t(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = -in->z[0] * (1.0 - 2.0 * (in->t - floor(in->t)));
  return 0;
}

static nsds_simulation *rheonomous(nsds_model *model, const golden *g) {
  nsds_ds *ds = point(model, 0.2, 0.0, 1.5, -1.5 * gravity);
  nsds_relation *relation =
      nsds_lagrangian_relation(model, &(nsds_lagrangian_relation_def){.ny = 1,
                                                                      .nq = 1,
                                                                      .output_fn = plane,
                                                                      .jac_output_q_fn = one,
                                                                      .jac_output_t_fn = plane_t,
                                                                      .nz = 1,
                                                                      .z = (double[]){0.8}});
  nsds_connect(model, relation, nsds_newton_impact(model, 0.7), 1, &ds);
  return golden_start(model, g);
}

/* dy/dt = H V + D lambda with rows that share a body */
static nsds_simulation *feedthrough(nsds_model *model, const golden *g) {
  nsds_ds *ds[2] = {point(model, 0.3, 0.0, 1.0, -gravity), point(model, 0.9, -1.0, 2.0, -19.0)};
  nsds_relation *relation = nsds_lagrangian_linear_relation(
      model, &(nsds_lagrangian_linear_relation_def){.ny = 2,
                                                    .nq = 2,
                                                    .nZ = 2,
                                                    .nz = 2,
                                                    .z = (double[]){0.05, 0.1},
                                                    .H = (double[]){1.0, -1.0, 0.0, 1.0},
                                                    .D = (double[]){0.2, 0.05, 0.05, 0.3},
                                                    .F = (double[]){-1.0, 0.0, 0.0, -1.0},
                                                    .b = (double[]){0.01, -0.2}});
  nsds_connect(model, relation, nsds_newton_impact(model, 0.4), 2, ds);
  return golden_start(model, g);
}

/* ---- joints: equality on a nonlinear relation over two systems, an additional stop ---- */

static int rod(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  double x = in->q[1] - in->q[0], y = in->q[2];
  out[0] = x * x + y * y - 0.25;
  return 0;
}

static int rod_q(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  double x = in->q[1] - in->q[0], y = in->q[2];
  out[0] = -2.0 * x;
  out[1] = 2.0 * x;
  out[2] = 2.0 * y;
  return 0;
}

static nsds_simulation *joint(nsds_model *model, const golden *g) {
  nsds_ds *ds[2];
  ds[0] = point(model, 0.0, 1.0, 2.0, 0.3);
  ds[1] = nsds_lagrangian_linear(
      model, &(nsds_lagrangian_linear_def){.ndof = 2,
                                           .q0 = (double[]){0.0, -0.5},
                                           .v0 = (double[]){1.0, 0.0},
                                           .mass = (double[]){1.0, 0.0, 0.0, 1.0},
                                           .fext = (double[]){0.0, -gravity}});
  nsds_relation *relation = nsds_lagrangian_relation(
      model, &(nsds_lagrangian_relation_def){
                 .ny = 1, .nq = 3, .output_fn = rod, .jac_output_q_fn = rod_q});
  nsds_connect(model, relation, nsds_equality(model), 2, ds);
  nsds_connect(model, row(model, 1, (double[]){-1.0}, 0.2), nsds_newton_impact(model, 0.5), 1, ds);
  return golden_start(model, g);
}

/* ---- a sparse bar with a stop, and small dense systems of n degrees of freedom ---- */

enum { nodes = 60 };

static nsds_simulation *bar(nsds_model *model, const golden *g) {
  static double mass[3 * nodes], stiffness[3 * nodes], damping[3 * nodes], v[nodes], H[nodes];
  static int p[nodes + 1], i[3 * nodes];
  const double dx = 1.0 / (nodes - 1);
  int filled = 0;
  for (int c = 0; c < nodes; ++c) {
    bool end = c == 0 || c == nodes - 1;
    v[c] = 1.0;
    p[c] = filled;
    for (int r = c > 0 ? c - 1 : 0; r <= c + 1 && r < nodes; ++r, ++filled) {
      mass[filled] = r != c ? dx / 6.0 : end ? dx / 3.0 : dx / 1.5;
      stiffness[filled] = r != c ? -1.0 / dx : end ? 1.0 / dx : 2.0 / dx;
      damping[filled] = 0.01 * stiffness[filled];
      i[filled] = r;
    }
  }
  p[nodes] = filled;
  H[nodes - 1] = -1.0;
  const nsds_csc M = {nodes, nodes, p, i, mass}, K = {nodes, nodes, p, i, stiffness},
                 C = {nodes, nodes, p, i, damping};
  nsds_ds *ds = nsds_lagrangian_linear(
      model, &(nsds_lagrangian_linear_def){.ndof = nodes,
                                           .v0 = v,
                                           .mass_sparse = &M,
                                           .stiffness_sparse = &K,
                                           .damping_sparse = g->n ? &C : NULL});
  nsds_connect(model, row(model, nodes, H, 0.1), nsds_newton_impact(model, 0.0), 1, &ds);
  return golden_start(model, g);
}

static int ramp(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  for (int k = 0; k < in->nq; ++k) out[k] = in->z[0] * (0.5 - in->t) - (k + 1);
  return 0;
}

static nsds_simulation *dense(nsds_model *model, const golden *g) {
  enum { most = 12 };
  double M[most * most] = {0}, K[most * most] = {0}, C[most * most] = {0}, v[most], H[2 * most];
  int n = g->n;
  for (int j = 0; j < n; ++j) {
    v[j] = 0.3 - 0.1 * j;
    H[2 * j] = 1.0 / (1.0 + j);
    H[1 + 2 * j] = j % 2 ? -1.0 : 0.5;
    for (int k = 0; k < n; ++k) {
      double d = j > k ? j - k : k - j;
      M[j + n * k] = (d == 0.0) + 0.3 / (1.0 + d * d);
      K[j + n * k] = 20.0 * (d == 0.0) - 5.0 * (d == 1.0);
      C[j + n * k] = 0.1 * K[j + n * k];
    }
  }
  nsds_ds *ds = nsds_lagrangian_linear(model, &(nsds_lagrangian_linear_def){.ndof = n,
                                                                            .v0 = v,
                                                                            .mass = M,
                                                                            .stiffness = K,
                                                                            .damping = C,
                                                                            .fext_fn = ramp,
                                                                            .nz = 1,
                                                                            .z = (double[]){4.0}});
  nsds_relation *gaps = nsds_lagrangian_linear_relation(
      model, &(nsds_lagrangian_linear_relation_def){
                 .ny = 2, .nq = n, .H = H, .b = (double[]){0.05, 0.08}});
  nsds_connect(model, gaps, nsds_newton_impact(model, 0.3), 1, &ds);
  return golden_start(model, g);
}

/* ---- prescribed velocities ---- */

static int shake(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  double s = in->t - floor(in->t);
  out[0] = 4.0 * s * (1.0 - s) - 0.6;
  return 0;
}

static int cubic(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  double d = in->q[0] - in->q[1];
  out[0] = 30.0 * d + 50.0 * d * d * d;
  out[1] = -out[0];
  return 0;
}

static int cubic_q(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  double d = in->q[0] - in->q[1];
  out[0] = out[3] = 30.0 + 150.0 * d * d;
  out[1] = out[2] = -out[0];
  return 0;
}

/* n = 0: a linear body, n = 1: a nonlinear one; coordinate 0 is driven */
static nsds_simulation *prescribed(nsds_model *model, const golden *g) {
  const double mass[] = {1.0, 0.1, 0.1, 2.0};
  nsds_ds *ds;
  if (g->n == 0)
    ds = nsds_lagrangian_linear(
        model, &(nsds_lagrangian_linear_def){.ndof = 2,
                                             .mass = mass,
                                             .stiffness = (double[]){30.0, -30.0, -30.0, 30.0},
                                             .damping = (double[]){0.2, 0.0, 0.0, 0.1},
                                             .prescribed.n = 1,
                                             .prescribed.index = (int[]){0},
                                             .prescribed.fn = shake});
  else
    ds = nsds_lagrangian(model, &(nsds_lagrangian_def){.ndof = 2,
                                                       .mass = mass,
                                                       .fint.fn = cubic,
                                                       .fint.jac_q_fn = cubic_q,
                                                       .fint.jac_v_fn = nsds_zero,
                                                       .prescribed.n = 1,
                                                       .prescribed.index = (int[]){0},
                                                       .prescribed.fn = shake});
  nsds_connect(model, row(model, 2, (double[]){0.0, -1.0}, 0.15), nsds_newton_impact(model, 0.6), 1,
               &ds);
  return golden_start(model, g);
}

/* ---- halving: every third step is refused until it is made in four pieces ---- */

static double longest; /* step that is not refused [s] */
static double accepted;

static int refuse(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  if (in->t - accepted > longest) return 1;
  accepted = in->t;
  out[0] = -gravity * (1.0 + 0.1 * in->t);
  return 0;
}

static nsds_simulation *halving(nsds_model *model, const golden *g) {
  longest = accepted = 0.0;
  double q = 0.5, m = 1.0;
  nsds_ds *ds = nsds_lagrangian_linear(
      model, &(nsds_lagrangian_linear_def){.ndof = 1, .q0 = &q, .mass = &m, .fext_fn = refuse});
  nsds_connect(model, row(model, 1, (double[]){1.0}, 0.0), nsds_newton_impact(model, 0.8), 1, &ds);
  return golden_start(model, g);
}

static nsds_status halving_before(nsds_model *model, nsds_simulation *simulation, long step) {
  (void)model;
  accepted = nsds_time(simulation);
  longest = (step % 3 == 2 ? 0.3 : 1.1) * 0.015625;
  return NSDS_OK;
}

/* ---- changes between steps ---- */

static nsds_ds *changing_ds[3];
static nsds_interaction *changing_floor[3];
static nsds_relation *changing_gap;
static nsds_law *changing_impact;

static int pull(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = in->z[0];
  return 0;
}

static nsds_simulation *changing(nsds_model *model, const golden *g) {
  changing_gap = nsds_lagrangian_linear_relation(
      model, &(nsds_lagrangian_linear_relation_def){
                 .ny = 1, .nq = 1, .nZ = 1, .H = (double[]){1.0}, .F = (double[]){0.001}});
  changing_impact = nsds_newton_impact(model, 0.5);
  for (int k = 0; k < 3; ++k) {
    double q = 0.05 * (k + 1), m = 1.0 + 0.3 * k;
    changing_ds[k] = nsds_lagrangian_linear(
        model,
        &(nsds_lagrangian_linear_def){
            .ndof = 1, .q0 = &q, .mass = &m, .fext_fn = pull, .nz = 1, .z = (double[]){-9.0}});
    changing_floor[k] = nsds_connect(model, changing_gap, changing_impact, 1, &changing_ds[k]);
  }
  nsds_connect(model, row(model, 2, (double[]){-1.0, 1.0}, 0.0), changing_impact, 2, changing_ds);
  return golden_start(model, g);
}

static nsds_status changing_before(nsds_model *model, nsds_simulation *simulation, long step) {
  int k = (int)(step / 7 % 3);
  double z = -9.0 + 0.002 * (double)step;
  switch (step % 28) {
  case 0: return nsds_ds_set_z(changing_ds[k], 1, &z);
  case 7: return nsds_disconnect(changing_floor[k]);
  case 14:
    k = (int)((step - 7) / 7 % 3); /* the one that was taken away */
    changing_floor[k] = nsds_connect(model, changing_gap, changing_impact, 1, &changing_ds[k]);
    return changing_floor[k] ? NSDS_OK : nsds_error(nsds_model_context(model));
  case 21: return nsds_set_state(changing_ds[k], NULL, (double[]){-0.1});
  case 24: return nsds_simulation_set_h(simulation, step % 56 < 28 ? 1.5e-3 : 1e-3);
  default: return NSDS_OK;
  }
}

/* ---- a column of points in which contacts are taken away and connected anew all the time ---- */

enum { points = 50 };

static nsds_ds *churned_ds[points];
static nsds_interaction *churned[points];
static nsds_relation *churned_gap[2]; /* to the floor, to the point below */

static nsds_interaction *churned_contact(nsds_model *model, int k) {
  return k == 0 ? nsds_connect(model, churned_gap[0], changing_impact, 1, churned_ds)
                : nsds_connect(model, churned_gap[1], changing_impact, 2, churned_ds + k - 1);
}

static nsds_simulation *churn(nsds_model *model, const golden *g) {
  changing_impact = nsds_newton_impact(model, 0.3);
  churned_gap[0] = row(model, 1, (double[]){1.0}, 0.0);
  churned_gap[1] = row(model, 2, (double[]){-1.0, 1.0}, 0.0);
  for (int k = 0; k < points; ++k) {
    double mass = 1.0 + 0.5 * (k % 3);
    churned_ds[k] = point(model, 1e-4 * k * (k + 1), 0.0, mass, -gravity * mass);
    churned[k] = churned_contact(model, k);
  }
  return golden_start(model, g);
}

static nsds_status churn_before(nsds_model *model, nsds_simulation *simulation, long step) {
  (void)simulation;
  int k = (int)(step * 17 % points);
  nsds_status status = step % 3 ? NSDS_OK : nsds_disconnect(churned[k]);
  if (status || step % 3) return status;
  churned[k] = churned_contact(model, k);
  return nsds_error(nsds_model_context(model));
}

const golden golden_second[] = {
    {"double_pendulum", 2000, double_pendulum, .def = {.h = 1e-3}},
    {"double_pendulum_gamma", 2000, double_pendulum,
     .def = {.h = 1e-3, .second_order = MOREAU_JEAN(0.5, 0.5)}},
    {"double_pendulum_theta", 2000, double_pendulum,
     .def = {.h = 1e-3, .second_order = MOREAU_JEAN(0.8, 1.0)}},
    {"double_pendulum_once", 2000, double_pendulum,
     .def = {.h = 1e-3, .second_order = MOREAU_JEAN_WITH(0.5, 1.0, NSDS_OPTION_PREDICT_ONCE)}},
    {"double_pendulum_differences", 2000, double_pendulum, .def = {.h = 1e-3}, .n = 1},
    {"compliant_complementarity", 1500, compliant, .def = {.h = 1e-3}, .n = 0},
    {"compliant_impact", 1500, compliant, .def = {.h = 1e-3}, .n = 1},
    {"compliant_equality", 500, compliant, .def = {.h = 1e-3}, .n = 2},
    {"rheonomous", 3000, rheonomous, .def = {.h = 1e-3}},
    {"feedthrough", 1000, feedthrough, .def = {.h = 2e-3}},
    {"joint", 2000, joint, .def = {.h = 1e-3}},
    {"joint_predicted", 1000, joint, .def = {.h = 1e-3, .activation = ACTIVATION(1.0, 1e-12)}},
    {"sparse_bar", 500, bar, .def = {.h = 5e-3}},
    {"sparse_bar_damped", 500, bar, .def = {.h = 5e-3, .second_order = MOREAU_JEAN(1.0, 1.0)},
     .n = 1},
    {"dense_1", 500, dense, .def = {.h = 2e-3}, .n = 1},
    {"dense_2", 500, dense, .def = {.h = 2e-3}, .n = 2},
    {"dense_3", 500, dense, .def = {.h = 2e-3}, .n = 3},
    {"dense_6", 500, dense, .def = {.h = 2e-3}, .n = 6},
    {"dense_12", 500, dense, .def = {.h = 2e-3}, .n = 12},
    {"prescribed_linear", 2000, prescribed, .def = {.h = 1e-3}, .n = 0},
    {"prescribed_nonlinear", 2000, prescribed, .def = {.h = 1e-3}, .n = 1},
    {"halving", 60, halving, halving_before, .def = {.h = 0.015625, .max_halvings = 3}},
    {"churn", 600, churn, churn_before, .def = {.h = 1e-3}},
    {"changing", 1500, changing, changing_before, .def = {.t1 = 1e3, .h = 1e-3}},
};
const int golden_second_count = sizeof golden_second / sizeof *golden_second;
