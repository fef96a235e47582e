/*
 * Small scenes of schemes and options of time stepping: Schatzman-Paoli, D1-minus, parts of steps,
 * systems with a scheme of their own, singular mass matrices, relations of both orders, projection,
 * friction between interactions, and steps in pieces. Most functions are polynomials.
 */
#include "bodies.h"
#include "golden.h"
#include "hydraulics.h"
#include "linkages.h"
#include "static_schemes.h"

#include <math.h>

static const double weight = 9.81;

/* ---- linear chains of points between stops, for schemes on positions and half-explicit ones ---- */

/* n: 0 unilateral with e = p[0], 1 with a link that is an equality too */
static nsds_simulation *points(nsds_model *model, const golden *g) {
  nsds_ds *ds[3];
  nsds_law *law = nsds_newton_impact(model, g->p[0]);
  for (int k = 0; k < 3; ++k) {
    double q = 0.2 + 0.3 * k, v = 0.3 - 0.4 * k, mass = 1.0 + 0.5 * k, force = -weight * mass;
    double spring = 40.0 * k, damper = 0.1 * k;
    ds[k] = nsds_lagrangian_linear(model, &(nsds_lagrangian_linear_def){.ndof = 1,
                                                                        .q0 = &q,
                                                                        .v0 = &v,
                                                                        .mass = &mass,
                                                                        .stiffness = &spring,
                                                                        .damping = &damper,
                                                                        .fext = &force});
  }
  nsds_relation *floor = nsds_lagrangian_linear_relation(
      model, &(nsds_lagrangian_linear_relation_def){.ny = 1, .nq = 1, .H = (double[]){1.0}});
  nsds_relation *gap = nsds_lagrangian_linear_relation(
      model, &(nsds_lagrangian_linear_relation_def){
                 .ny = 1, .nq = 2, .H = (double[]){-1.0, 1.0}, .b = (double[]){-0.1}});
  nsds_relation *rod = nsds_lagrangian_linear_relation(
      model, &(nsds_lagrangian_linear_relation_def){
                 .ny = 1, .nq = 2, .H = (double[]){-1.0, 1.0}, .b = (double[]){-0.3}});
  nsds_connect(model, floor, law, 1, ds);
  nsds_connect(model, gap, law, 2, ds);
  if (g->n) nsds_connect(model, rod, nsds_equality(model), 2, ds + 1);
  else nsds_connect(model, gap, law, 2, ds + 1);
  return golden_start(model, g);
}

/* Two masses on springs that harden, the first between two stops. */
static int harden(const nsds_arguments *in, double *out, void *user) {
  double a = in->q[0], d = in->q[1] - in->q[0];
  (void)user;
  out[1] = 60.0 * d + 400.0 * d * d * d + 0.05 * in->v[1];
  out[0] = 30.0 * a + 200.0 * a * a * a - 60.0 * d - 400.0 * d * d * d;
  return 0;
}

static int harden_q(const nsds_arguments *in, double *out, void *user) {
  double a = in->q[0], d = in->q[1] - in->q[0], k = 60.0 + 1200.0 * d * d;
  (void)user;
  out[0] = 30.0 + 600.0 * a * a + k;
  out[1] = out[2] = -k;
  out[3] = k;
  return 0;
}

static int harden_v(const nsds_arguments *in, double *out, void *user) {
  (void)in, (void)user;
  out[3] = 0.05;
  return 0;
}

/* n: parts of each step; p: theta and gamma of its own */
static nsds_simulation *hardening(nsds_model *model, const golden *g) {
  nsds_ds *ds =
      nsds_lagrangian(model, &(nsds_lagrangian_def){.ndof = 2,
                                                    .q0 = (double[]){0.05, 0.3},
                                                    .v0 = (double[]){1.0, -0.5},
                                                    .mass = (double[]){1.0, 0.1, 0.1, 0.5},
                                                    .fint.fn = harden,
                                                    .fint.jac_q_fn = harden_q,
                                                    .fint.jac_v_fn = harden_v});
  nsds_relation *stops = nsds_lagrangian_linear_relation(
      model,
      &(nsds_lagrangian_linear_relation_def){
          .ny = 2, .nq = 2, .H = (double[]){1.0, -1.0, 0.0, 0.0}, .b = (double[]){0.1, 0.1}});
  nsds_connect(model, stops, nsds_newton_impact(model, 0.5), 1, &ds);
  if (g->n || g->p[0])
    nsds_ds_discretise(ds, nsds_with_step_ratio(nsds_moreau_jean(g->p[0] > 0.0 ? g->p[0] : 0.5,
                                                                 g->p[1] > 0.0 ? g->p[1] : 1.0),
                                                g->n > 0 ? g->n : 1));
  return golden_start(model, g);
}

/* ---- first order: singular M, variants of the schemes, parts of steps ---- */

static int drive(const nsds_arguments *in, double *out, void *user) {
  double part = in->t / 0.5, s = part - (double)(long)part;
  (void)user;
  out[1] = ((long)part % 2 ? -4.0 : 4.0) * s * (1.0 - s) * 3.0;
  return 0;
}

/* A capacitor behind a node without capacity, which a diode, n = 0, a relay, 1, or nothing, 2, holds.
 * p[0] = 1: M is sparse. */
static nsds_simulation *node(nsds_model *model, const golden *g) {
  const double mass[] = {0.1, 0, 0, 0}, A[] = {-2.0, 2.0, 2.0, -5.0}, x = 0.1;
  const nsds_csc sparse = {2, 2, (int[]){0, 1, 1}, (int[]){0}, &mass[0]};
  nsds_ds *ds = nsds_first_order_linear(
      model, &(nsds_first_order_linear_def){.n = 2,
                                            .x0 = (double[]){x, 0.4 * x},
                                            .mass = g->p[0] ? NULL : mass,
                                            .mass_sparse = g->p[0] ? &sparse : NULL,
                                            .A = A,
                                            .b_fn = drive});
  nsds_relation *relation = nsds_first_order_linear_relation(
      model, &(nsds_first_order_linear_relation_def){
                 .ny = 1, .nx = 2, .C = (double[]){0.0, 1.0}, .B = (double[]){0.0, 1.0}});
  if (g->n == 0) nsds_connect(model, relation, nsds_complementarity(model), 1, &ds);
  if (g->n == 1)
    nsds_connect(model, relation, nsds_relay(model, 1, (double[]){-0.5}, (double[]){0.5}), 1, &ds);
  return golden_start(model, g);
}

/* A nonlinear one whose second equation is 0 = x_1 - x_2 - x_2^3 + lambda. */
static int implicit_f(const nsds_arguments *in, double *out, void *user) {
  double s = in->x[1];
  (void)user;
  out[0] = -in->x[0] - in->x[1] + 1.5;
  out[1] = in->x[0] - s - s * s * s;
  return 0;
}

static int implicit_x(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = out[2] = -1.0;
  out[1] = 1.0;
  out[3] = -1.0 - 3.0 * in->x[1] * in->x[1];
  return 0;
}

static nsds_simulation *implicit(nsds_model *model, const golden *g) {
  nsds_ds *ds = nsds_first_order(model, &(nsds_first_order_def){.n = 2,
                                                                .mass = (double[]){1, 0, 0, 0},
                                                                .f_fn = implicit_f,
                                                                .jac_f_x_fn = implicit_x});
  nsds_relation *relation = nsds_first_order_linear_relation(
      model, &(nsds_first_order_linear_relation_def){.ny = 1,
                                                     .nx = 2,
                                                     .C = (double[]){0.0, 1.0},
                                                     .B = (double[]){0.0, 1.0},
                                                     .e = (double[]){-0.3}});
  nsds_connect(model, relation,
               g->n ? nsds_relay(model, 1, (double[]){-0.4}, (double[]){0.4})
                    : nsds_complementarity(model),
               1, &ds);
  return golden_start(model, g);
}

static int swing_f(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = in->x[1];
  out[1] = (1.0 - in->x[0] * in->x[0]) * in->x[1] - in->x[0] + 0.2 * in->t;
  return 0;
}

static int swing_x(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[1] = -2.0 * in->x[0] * in->x[1] - 1.0;
  out[2] = 1.0;
  out[3] = 1.0 - in->x[0] * in->x[0];
  return 0;
}

/* n: parts of each step */
static nsds_simulation *swinging(nsds_model *model, const golden *g) {
  nsds_ds *ds = nsds_first_order(
      model, &(nsds_first_order_def){
                 .n = 2, .x0 = (double[]){0.5, 1.0}, .f_fn = swing_f, .jac_f_x_fn = swing_x});
  nsds_relation *relation = nsds_first_order_linear_relation(
      model, &(nsds_first_order_linear_relation_def){
                 .ny = 1, .nx = 2, .C = (double[]){0.5, 1.0}, .B = (double[]){0.0, 1.0}});
  nsds_connect(model, relation, nsds_relay(model, 1, (double[]){-0.3}, (double[]){0.3}), 1, &ds);
  if (g->n) nsds_ds_discretise(ds, nsds_with_step_ratio(nsds_euler_moreau(0.5), g->n));
  return golden_start(model, g);
}

/* Two linear systems, the second with the scheme named by n. */
static nsds_simulation *two_schemes(nsds_model *model, const golden *g) {
  nsds_ds *ds[2];
  for (int k = 0; k < 2; ++k)
    ds[k] = nsds_first_order_linear(
        model, &(nsds_first_order_linear_def){.n = 2,
                                              .x0 = (double[]){0.8 - k, 0.3},
                                              .A = (double[]){-0.5, -2.0, 2.0, -0.5},
                                              .b = (double[]){0.2, 0.1 * k}});
  nsds_ds_set_integrator(ds[1], nsds_integrator_named(g->n ? "Euler-Moreau" : "zero-order hold"));
  nsds_relation *relation = nsds_first_order_linear_relation(
      model, &(nsds_first_order_linear_relation_def){
                 .ny = 1, .nx = 4, .C = (double[]){1, 0, -1, 0}, .B = (double[]){1, 0, -1, 0}});
  nsds_connect(model, relation, nsds_relay(model, 1, (double[]){-0.5}, (double[]){0.5}), 2, ds);
  return golden_start(model, g);
}

/* ---- relations of both orders ---- */

/* A motor that lifts a mass off the ground: current and speed are tied by equality rows; a relay,
 * n = 1, or a diode, n = 2, stands between source and coil, dry friction at the mass, n = 3. */
static nsds_simulation *motor(nsds_model *model, const golden *g) {
  nsds_ds *ds[2];
  ds[0] = nsds_first_order_linear(
      model, &(nsds_first_order_linear_def){
                 .n = 1, .mass = (double[]){0.05}, .A = (double[]){-1.0}, .b = (double[]){3.0}});
  ds[1] = nsds_lagrangian_linear(model, &(nsds_lagrangian_linear_def){.ndof = 1,
                                                                      .q0 = (double[]){0.1},
                                                                      .mass = (double[]){0.5},
                                                                      .stiffness = (double[]){8.0},
                                                                      .damping = (double[]){0.1},
                                                                      .fext = (double[]){-1.0}});
  nsds_relation *tie = nsds_mixed_linear_relation(
      model, &(nsds_mixed_linear_relation_def){.ny = 2,
                                               .nx = 1,
                                               .nq = 1,
                                               .C = (double[]){1.0, 0.0},
                                               .E = (double[]){0.0, 1.0},
                                               .D = (double[]){-1.0, 0.0, 0.0, -1.0},
                                               .B = (double[]){0.0, -0.5},
                                               .L = (double[]){0.5, 0.0}});
  nsds_relation *valve =
      nsds_mixed_linear_relation(model, &(nsds_mixed_linear_relation_def){.ny = 1,
                                                                          .nx = 1,
                                                                          .nq = 1,
                                                                          .C = (double[]){1.0},
                                                                          .H = (double[]){0.4},
                                                                          .E = (double[]){0.2},
                                                                          .e = (double[]){-0.3},
                                                                          .B = (double[]){1.0}});
  nsds_relation *drag = nsds_mixed_linear_relation(
      model, &(nsds_mixed_linear_relation_def){
                 .ny = 1, .nq = 1, .E = (double[]){1.0}, .L = (double[]){1.0}});
  nsds_relation *ground = nsds_lagrangian_linear_relation(
      model, &(nsds_lagrangian_linear_relation_def){.ny = 1, .nq = 1, .H = (double[]){1.0}});
  nsds_law *relay = nsds_relay(model, 1, (double[]){-1.5}, (double[]){1.5});
  nsds_connect(model, tie, nsds_equality(model), 2, ds);
  nsds_connect(model, ground, nsds_newton_impact(model, 0.4), 1, ds + 1);
  if (g->n == 1) nsds_connect(model, valve, relay, 2, ds);
  if (g->n == 2) nsds_connect(model, valve, nsds_complementarity(model), 2, ds);
  if (g->n == 3) nsds_connect(model, drag, relay, 1, ds + 1);
  return golden_start(model, g);
}

static nsds_simulation *cylinder(nsds_model *model, const golden *g) {
  if (g->n) scene_relay_valve(model);
  else scene_cylinder(model);
  return golden_start(model, g);
}

/* ---- bodies: joints, projection, friction, steps that are halved ---- */

static four_bar_scene bars;
static hanging_scene hanging;
static ring_scene ring;

static nsds_simulation *linked(nsds_model *model, const golden *g) {
  bars = (four_bar_scene){.length = {0.2, 0.5, 0.4},
                          .base = 0.5,
                          .mass = {1.0, 2.0, 1.5},
                          .inertia = {0.01, 0.05, 0.03},
                          .point = {0.2, 0.1},
                          .rate = 6.0,
                          .start = 0.4};
  if (g->n == 0) scene_four_bar(model, &bars);
  if (g->n == 1) scene_hanging_chain(model, &hanging, 8, 0.6);
  if (g->n == 2) scene_ring_of_bars(model, &ring, false);
  if (g->n == 3) scene_double_pendulum(model);
  if (g->n == 4) scene_slider_crank(model);
  if (g->n == 5) scene_spinning_top(model);
  if (g->n == 6) scene_bowling_ball(model);
  return golden_start(model, g);
}

/* Bodies of three kinds of inertia tumble over a floor, forces of the start of a step or implicit. */
static nsds_simulation *tumbling(nsds_model *model, const golden *g) {
  const double skew[9] = {0.03, 0.005, -0.002, 0.005, 0.05, 0.01, -0.002, 0.01, 0.04};
  const double plain[9] = {[0] = 0.004, [4] = 0.004, [8] = 0.004};
  nsds_law *law =
      g->p[0] ? nsds_fremond_impact_friction(
                    model, &(nsds_fremond_impact_friction_def){.mu = 0.3, .e_n = 0.4})
              : nsds_newton_impact_friction(
                    model, &(nsds_newton_impact_friction_def){.mu = 0.3, .e_n = 0.4, .e_t = 0.1});
  nsds_ds *ds[2];
  for (int k = 0; k < 2; ++k) {
    ds[k] = nsds_rigid_body(
        model, &(nsds_rigid_body_def){.mass = 1.0,
                                      .inertia = k ? skew : plain,
                                      .q0 = (double[]){0.3 * k, 0, 0.2 + 0.1 * k, 0.8, 0, 0.6, 0},
                                      .v0 = (double[]){0.5 - k, 0, 0, 3, 4, 5},
                                      .gravity = {0, 0, -weight},
                                      .explicit_gyroscopic = g->n});
    nsds_relation *ground = nsds_sphere_plane_relation(
        model, &(nsds_sphere_plane_relation_def){
                   .radius = 0.1, .center = {0.05 * k, 0, 0}, .normal = {0, 0, 1}});
    nsds_connect(model, ground, law, 1, ds + k);
  }
  nsds_relation *pair =
      nsds_sphere_sphere_relation(model, &(nsds_sphere_sphere_relation_def){.radius = {0.1, 0.1}});
  nsds_connect(model, pair, law, 2, ds);
  return golden_start(model, g);
}

#define OF(...) .def = {__VA_ARGS__}
#define BODIES(...) .machine = true, .def = {__VA_ARGS__}
#define SPACE_METRIC NSDS_METRIC_COORDINATES
const golden golden_schemes[] = {
    {"schatzman_paoli", 800, points, OF(.h = 2e-3, .second_order = SCHATZMAN_PAOLI(0.5)),
     .p = {0.5}},
    {"schatzman_paoli_rod", 400, points, OF(.h = 2e-3, .second_order = SCHATZMAN_PAOLI(0.7)),
     .n = 1},
    {"d1_minus", 800, points, OF(.h = 2e-3, .second_order = D1_MINUS), .p = {0.5}},
    {"d1_minus_rod", 400, points, OF(.h = 2e-3, .second_order = D1_MINUS), .n = 1, .p = {0.3}},
    {"d1_minus_nonlinear", 600, hardening, OF(.h = 2e-3, .second_order = D1_MINUS)},
    {"rattle", 800, points, OF(.h = 2e-3, .second_order = RATTLE), .p = {0.5}},
    {"rattle_rod", 400, points, OF(.h = 2e-3, .second_order = RATTLE), .n = 1, .p = {0.3}},
    {"rattle_nonlinear", 600, hardening, OF(.h = 2e-3, .second_order = RATTLE)},
    {"moreau_points", 800, points, OF(.h = 2e-3), .p = {0.5}},
    {"moreau_rod", 400, points, OF(.h = 2e-3), .n = 1, .p = {0.3}},
    {"step_ratio", 400, hardening, OF(.h = 5e-3), .n = 4},
    {"own_theta", 400, hardening, OF(.h = 5e-3), .p = {0.8, 0.5}},
    {"step_ratio_own_theta", 300, hardening, OF(.h = 5e-3), .n = 3, .p = {0.7}},
    {"update_prediction", 400, hardening, OF(.h = 5e-3, .update_prediction = true)},
    {"predict_far", 400, hardening,
     OF(.h = 5e-3, .second_order = MOREAU_JEAN(0.5, 0.5), .activation = ACTIVATION(2.0, 1e-12))},
    {"node_diode", 400, node, OF(.h = 5e-3, .first_order = EULER_MOREAU(1.0)), .n = 0},
    {"node_diode_sparse", 400, node, OF(.h = 5e-3, .first_order = EULER_MOREAU(1.0)), .n = 0,
     .p = {1.0}},
    {"node_relay", 400, node, OF(.h = 5e-3, .first_order = EULER_MOREAU(1.0)), .n = 1},
    {"node_relay_full", 400, node, OF(.h = 5e-3, .first_order = FULL_THETA_GAMMA(1.0, 1.0)),
     .n = 1},
    {"node_free", 200, node, OF(.h = 5e-3, .first_order = EULER_MOREAU(1.0)), .n = 2},
    {"implicit_diode", 300, implicit, OF(.h = 5e-3, .first_order = EULER_MOREAU(1.0))},
    {"implicit_relay", 300, implicit, OF(.h = 5e-3, .first_order = EULER_MOREAU(1.0)), .n = 1},
    {"swinging", 500, swinging, OF(.h = 1e-2)},
    {"swinging_parts", 300, swinging, OF(.h = 2e-2), .n = 5},
    {"input_at_theta", 300, swinging,
     OF(.h = 1e-2, .first_order = EULER_MOREAU_WITH(0.5, NSDS_OPTION_INPUT_AT_THETA))},
    {"f_at_theta", 300, swinging,
     OF(.h = 1e-2, .first_order = EULER_MOREAU_WITH(0.5, NSDS_OPTION_F_AT_THETA))},
    {"f_at_theta_gamma", 300, swinging,
     OF(.h = 1e-2, .first_order = THETA_GAMMA_WITH(0.5, 0.7, NSDS_OPTION_F_AT_THETA))},
    {"two_schemes_hold", 400, two_schemes, .machine = true, OF(.h = 1e-2)},
    {"two_schemes_euler", 400, two_schemes, .machine = true,
     OF(.h = 1e-2, .first_order = ZERO_ORDER_HOLD), .n = 1},
    {"motor", 400, motor, OF(.h = 2e-3)},
    {"motor_relay", 400, motor, OF(.h = 2e-3), .n = 1},
    {"motor_diode", 400, motor, OF(.h = 2e-3), .n = 2},
    {"motor_friction", 400, motor, OF(.h = 2e-3), .n = 3},
    {"motor_full", 400, motor,
     OF(.h = 2e-3, .first_order = FULL_THETA_GAMMA(0.5, 0.5),
        .second_order = MOREAU_JEAN(0.5, 0.5)),
     .n = 1},
    {"cylinder", 150, cylinder, BODIES(.h = 2e-3)},
    {"relay_valve", 150, cylinder, BODIES(.h = 2e-3), .n = 1},
    {"four_bar", 150, linked, BODIES(.h = 2e-3), .n = 0},
    {"four_bar_projected", 100, linked,
     BODIES(.h = 2e-3, .projection = {.kind = NSDS_PROJECTION_DIRECT}), .n = 0},
    {"hanging_chain", 100, linked, BODIES(.h = 2e-3), .n = 1},
    {"hanging_chain_in_joints", 100, linked,
     BODIES(.h = 2e-3, .coordinates = NSDS_COORDINATES_JOINT), .n = 1},
    {"hanging_chain_in_joints_projected", 80, linked,
     BODIES(.h = 2e-3, .coordinates = NSDS_COORDINATES_JOINT,
            .projection = {.kind = NSDS_PROJECTION_DIRECT}),
     .n = 1},
    {"hanging_chain_projected", 80, linked,
     BODIES(.h = 2e-3, .projection = {.kind = NSDS_PROJECTION_DIRECT, .metric = SPACE_METRIC}),
     .n = 1},
    {"ring_of_bars", 80, linked, BODIES(.h = 2e-3), .n = 2},
    {"pendulum_in_space", 400, linked, BODIES(.h = 5e-3), .n = 3},
    {"pendulum_projected", 300, linked,
     BODIES(.h = 5e-3, .projection = {.kind = NSDS_PROJECTION_DIRECT}), .n = 3},
    {"pendulum_combined", 300, linked,
     BODIES(.h = 5e-3, .projection = {.kind = NSDS_PROJECTION_COMBINED}), .n = 3},
    {"slider_crank", 300, linked, BODIES(.h = 1e-4), .n = 4},
    {"slider_crank_combined", 200, linked,
     BODIES(.h = 1e-4, .projection = {.kind = NSDS_PROJECTION_COMBINED, .metric = SPACE_METRIC}),
     .n = 4},
    {"spinning_top", 200, linked, BODIES(.h = 1e-3), .n = 5},
    {"bowling_ball", 200, linked, BODIES(.h = 1e-2), .n = 6},
    {"tumbling", 300, tumbling, BODIES(.h = 2e-3)},
    {"tumbling_explicit", 300, tumbling, BODIES(.h = 2e-3), .n = 1},
    {"tumbling_fremond", 300, tumbling, BODIES(.h = 2e-3), .p = {1.0}},
    {"halved_newton", 60, linked, BODIES(.h = 0.03, .newton = {.max_iterations = 4}), .n = 3},
    {"halved_tumbling", 60, tumbling, BODIES(.h = 2e-2, .newton = {.max_iterations = 3})},
    {"halved_hardening", 100, hardening, OF(.h = 5e-2, .newton = {.max_iterations = 3})},
    {"halved_swinging", 100, swinging, OF(.h = 0.2, .newton = {.max_iterations = 3})},
    {"halved_predicted", 60, tumbling,
     BODIES(.h = 2e-2, .newton = {.max_iterations = 3}, .max_halvings = 1)},
    {"halved_projected", 40, linked,
     BODIES(.h = 0.03, .newton = {.max_iterations = 4},
            .projection = {.kind = NSDS_PROJECTION_DIRECT}),
     .n = 3},
};
const int golden_schemes_count = sizeof golden_schemes / sizeof *golden_schemes;
