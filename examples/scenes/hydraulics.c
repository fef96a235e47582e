#include "hydraulics.h"

#include <math.h>

static const double laminar = 0.05, underlap = 0.02;
static const double newton = 1000.0; /* N per MPa and l/m of area */

/* ---- the flow of an edge --------------------------------------------------------------------- */

static double opening(double u) { return 0.5 * (u + sqrt(u * u + underlap * underlap)); }

static double opening_slope(double u) {
  return 0.5 * (1.0 + u / sqrt(u * u + underlap * underlap));
}

static double orifice(double d) { return cylinder_flow * d / sqrt(fabs(d) + laminar); }

static double orifice_slope(double d) {
  double s = fabs(d) + laminar;
  return cylinder_flow * (0.5 * fabs(d) + laminar) / (s * sqrt(s));
}

/* Stiffness of the chambers [MPa/l], and its slope along q. */
static void stiffness(double q, double *k, double *slope) {
  double V[] = {cylinder_dead + cylinder_area * q,
                cylinder_dead + cylinder_area * (cylinder_stroke - q)};
  for (int i = 0; i < 2; ++i) {
    k[i] = cylinder_bulk / V[i];
    slope[i] = (i == 0 ? -1.0 : 1.0) * cylinder_area * k[i] / V[i];
  }
}

/* ---- chambers, piston and limits; (r, F) has rows r1, r2, F -----------------------------------
 */

static int limits(const nsds_arguments *in, double *y, void *user) {
  (void)user;
  for (int i = 0; i < 2; ++i) {
    y[i] = in->x[i];
    y[2 + i] = cylinder_relief - in->x[i];
  }
  return 0;
}

static int limits_x(const nsds_arguments *in, double *C, void *user) {
  (void)in, (void)user;
  C[0] = C[5] = 1.0;
  C[2] = C[7] = -1.0;
  return 0;
}

/* What a chamber swallows [l/s]. */
static double inflow(const nsds_arguments *in, int i) {
  double swept = cylinder_area * in->v[0];
  return in->lambda[i] - in->lambda[2 + i] - (i == 0 ? swept : -swept);
}

static int chambers(const nsds_arguments *in, double *g, void *user) {
  double k[2], slope[2];
  (void)user;
  stiffness(in->q[0], k, slope);
  for (int i = 0; i < 2; ++i) g[i] = k[i] * inflow(in, i);
  g[2] = newton * cylinder_area * (in->x[0] - in->x[1]);
  return 0;
}

static int chambers_lambda(const nsds_arguments *in, double *B, void *user) {
  double k[2], slope[2];
  (void)user;
  stiffness(in->q[0], k, slope);
  for (int i = 0; i < 2; ++i) {
    B[i + 3 * i] = k[i];
    B[i + 3 * (2 + i)] = -k[i];
  }
  return 0;
}

static int chambers_x(const nsds_arguments *in, double *K, void *user) {
  (void)in, (void)user;
  K[2] = newton * cylinder_area;
  K[5] = -K[2];
  return 0;
}

static int chambers_q(const nsds_arguments *in, double *K, void *user) {
  double k[2], slope[2];
  (void)user;
  stiffness(in->q[0], k, slope);
  for (int i = 0; i < 2; ++i) K[i] = slope[i] * inflow(in, i);
  return 0;
}

static int chambers_v(const nsds_arguments *in, double *K, void *user) {
  double k[2], slope[2];
  (void)user;
  stiffness(in->q[0], k, slope);
  K[0] = -k[0] * cylinder_area;
  K[1] = k[1] * cylinder_area;
  return 0;
}

/* ---- the valve ------------------------------------------------------------------------------- */

static int valve(const nsds_arguments *in, double *g, void *user) {
  double k[2], slope[2], u = in->lambda[0];
  (void)user;
  stiffness(in->q[0], k, slope);
  for (int i = 0; i < 2; ++i, u = -u)
    g[i] =
        k[i] * (opening(u) * orifice(cylinder_supply - in->x[i]) - opening(-u) * orifice(in->x[i]));
  return 0;
}

static int valve_lambda(const nsds_arguments *in, double *B, void *user) {
  double k[2], slope[2], u = in->lambda[0], side = 1.0;
  (void)user;
  stiffness(in->q[0], k, slope);
  for (int i = 0; i < 2; ++i, u = -u, side = -side)
    B[i] = side * k[i] *
           (opening_slope(u) * orifice(cylinder_supply - in->x[i]) +
            opening_slope(-u) * orifice(in->x[i]));
  return 0;
}

static int valve_x(const nsds_arguments *in, double *K, void *user) {
  double k[2], slope[2], u = in->lambda[0];
  (void)user;
  stiffness(in->q[0], k, slope);
  for (int i = 0; i < 2; ++i, u = -u)
    K[i + 3 * i] = -k[i] * (opening(u) * orifice_slope(cylinder_supply - in->x[i]) +
                            opening(-u) * orifice_slope(in->x[i]));
  return 0;
}

static int valve_q(const nsds_arguments *in, double *K, void *user) {
  double k[2], slope[2], g[3];
  stiffness(in->q[0], k, slope);
  valve(in, g, user);
  for (int i = 0; i < 2; ++i) K[i] = g[i] * slope[i] / k[i];
  return 0;
}

double cylinder_programme(double t) {
  return t < 0.1 ? 0.0 : t < 1.4 ? 1.0 : t < 1.7 ? 0.0 : t < 2.4 ? -1.0 : t < 3.0 ? 0.0 : -1.0;
}

static int programme(const nsds_arguments *in, double *y, void *user) {
  (void)user;
  y[0] = in->lambda[0] -
         cylinder_programme(in->t - 1e-9); /* a step that ends at a switch is before it */
  return 0;
}

/* dh/dlambda of the programme, dh/dq of the surface. */
static int one(const nsds_arguments *in, double *out, void *user) {
  (void)in, (void)user;
  out[0] = 1.0;
  return 0;
}

double relay_valve_reference(double t) { return t < 0.2 ? 0.1 : t < 1.4 ? 0.3 : 0.18; }

static int surface(const nsds_arguments *in, double *y, void *user) {
  const double w = relay_valve_rate;
  (void)user;
  double force = newton * cylinder_area * (in->x[0] - in->x[1]) - cylinder_load;
  y[0] = in->q[0] - relay_valve_reference(in->t - 1e-9) + 2.0 / w * in->v[0] +
         (force - cylinder_damping * in->v[0]) / (cylinder_mass * w * w);
  return 0;
}

static int surface_x(const nsds_arguments *in, double *C, void *user) {
  const double w = relay_valve_rate;
  (void)in, (void)user;
  C[0] = newton * cylinder_area / (cylinder_mass * w * w);
  C[1] = -C[0];
  return 0;
}

static int surface_v(const nsds_arguments *in, double *E, void *user) {
  const double w = relay_valve_rate;
  (void)in, (void)user;
  E[0] = 2.0 / w - cylinder_damping / (cylinder_mass * w * w);
  return 0;
}

/* ---- scenes ---------------------------------------------------------------------------------- */

/* What both scenes share; half the pressure of the supply in the mean. */
static cylinder_scene cylinder(nsds_model *model, double q) {
  static const double unit = 1.0, below = -1.0;
  double step = 0.5 * cylinder_load / (newton * cylinder_area), mean = 0.5 * cylinder_supply;
  cylinder_scene s = {
      .chambers = nsds_first_order_linear(
          model, &(nsds_first_order_linear_def){.name = "chambers",
                                                .n = 2,
                                                .x0 = (double[]){mean + step, mean - step}}),
      .piston = nsds_lagrangian_linear(
          model, &(nsds_lagrangian_linear_def){.name = "piston",
                                               .ndof = 1,
                                               .q0 = &q,
                                               .mass = &cylinder_mass,
                                               .damping = &cylinder_damping,
                                               .fext = (double[]){-cylinder_load}})};
  nsds_relation *relation =
      nsds_mixed_relation(model, &(nsds_mixed_relation_def){.name = "cylinder",
                                                            .ny = 4,
                                                            .nx = 2,
                                                            .nq = 1,
                                                            .output_fn = limits,
                                                            .jac_output_x_fn = limits_x,
                                                            .jac_output_q_fn = nsds_zero,
                                                            .jac_output_v_fn = nsds_zero,
                                                            .input_fn = chambers,
                                                            .jac_input_lambda_fn = chambers_lambda,
                                                            .jac_input_x_fn = chambers_x,
                                                            .jac_input_q_fn = chambers_q,
                                                            .jac_input_v_fn = chambers_v});
  s.limits = nsds_connect(model, relation, nsds_complementarity(model), 2,
                          (nsds_ds *[]){s.chambers, s.piston});
  nsds_law *stop = nsds_newton_impact(model, 0.1);
  s.low = nsds_connect(
      model,
      nsds_lagrangian_linear_relation(model,
                                      &(nsds_lagrangian_linear_relation_def){
                                          .name = "lower stop", .ny = 1, .nq = 1, .H = &unit}),
      stop, 1, &s.piston);
  s.high = nsds_connect(
      model,
      nsds_lagrangian_linear_relation(
          model,
          &(nsds_lagrangian_linear_relation_def){
              .name = "upper stop", .ny = 1, .nq = 1, .H = &below, .b = &cylinder_stroke}),
      stop, 1, &s.piston);
  return s;
}

static nsds_mixed_relation_def valve_def(void) {
  return (nsds_mixed_relation_def){.name = "valve",
                                   .ny = 1,
                                   .nx = 2,
                                   .nq = 1,
                                   .jac_output_x_fn = nsds_zero,
                                   .jac_output_q_fn = nsds_zero,
                                   .jac_output_v_fn = nsds_zero,
                                   .input_fn = valve,
                                   .jac_input_lambda_fn = valve_lambda,
                                   .jac_input_x_fn = valve_x,
                                   .jac_input_q_fn = valve_q};
}

cylinder_scene scene_cylinder(nsds_model *model) {
  cylinder_scene s = cylinder(model, 0.05);
  nsds_mixed_relation_def def = valve_def();
  def.output_fn = programme;
  def.jac_output_lambda_fn = one;
  s.valve = nsds_connect(model, nsds_mixed_relation(model, &def), nsds_equality(model), 2,
                         (nsds_ds *[]){s.chambers, s.piston});
  return s;
}

cylinder_scene scene_relay_valve(nsds_model *model) {
  static const double low = -1.0, high = 1.0;
  cylinder_scene s = cylinder(model, 0.1);
  nsds_mixed_relation_def def = valve_def();
  def.output_fn = surface;
  def.jac_output_x_fn = surface_x;
  def.jac_output_q_fn = one;
  def.jac_output_v_fn = surface_v;
  s.valve = nsds_connect(model, nsds_mixed_relation(model, &def), nsds_relay(model, 1, &low, &high),
                         2, (nsds_ds *[]){s.chambers, s.piston});
  return s;
}
