/* Runs of every kind, see runs.h. */
#include "runs.h"

#include "bodies.h"
#include "circuits.h"
#include "cradle.h"
#include "events.h"
#include "linkages.h"
#include "mechanisms.h"
#include "scenes.h"
#include "switching.h"

#include <math.h>

static const double gravity = 9.81;

/* Without a grid of its own where h is 0. */
static nsds_simulation *by_events(nsds_model *model, double t1, double h) {
  return nsds_event_driven(model, &(nsds_event_driven_def){.t1 = t1, .output_period = h});
}

static nsds_simulation *by_steps(nsds_model *model, double h) {
  return nsds_time_stepping(model, &(nsds_time_stepping_def){.t1 = 1e3 * h, .h = h});
}

/* ---- bodies on the ground -------------------------------------------------------------------- */

static nsds_ds *body(nsds_model *model, const double q[7], const double v[6]) {
  return nsds_rigid_body(
      model, &(nsds_rigid_body_def){.mass = 1.0,
                                    .inertia = (double[]){4e-3, 0, 0, 0, 4e-3, 0, 0, 0, 4e-3},
                                    .q0 = q,
                                    .v0 = v,
                                    .gravity = {0, 0, -gravity}});
}

static nsds_law *friction(nsds_model *model, double mu, double e) {
  return nsds_newton_impact_friction(model, &(nsds_newton_impact_friction_def){.mu = mu, .e_n = e});
}

static nsds_simulation *tumbling_ball(nsds_model *model) {
  nsds_ds *ball =
      body(model, (double[]){0.01, 0.02, 0.4, 1, 0, 0, 0}, (double[]){0.5, 0.1, 0, 1, 2, 3});
  nsds_relation *gap = nsds_sphere_plane_relation(
      model, &(nsds_sphere_plane_relation_def){.rows = 3, .radius = 0.1, .normal = {0, 0, 1}});
  nsds_connect(model, gap, friction(model, 0.4, 0.5), 1, &ball);
  return by_events(model, 2.0, 0.05);
}

static void boxes(nsds_model *model, int count) {
  nsds_shape_def shape[8] = {{.kind = NSDS_HALF_SPACE, .plane = {.normal = {0, 0, 1}}}};
  for (int k = 0; k < count; ++k) {
    const double q[7] = {0.03 * k, 0.02 * k, 0.13 + 0.27 * k, 0.96, 0.2, 0.16, 0.1166190379};
    double length = sqrt(q[3] * q[3] + q[4] * q[4] + q[5] * q[5] + q[6] * q[6]), unit[7];
    for (int i = 0; i < 7; ++i) unit[i] = i < 3 ? q[i] : q[i] / length;
    shape[k + 1] = (nsds_shape_def){.kind = NSDS_BOX,
                                    .ds = body(model, unit, (double[]){0.3, 0, -0.5, 0.2, 1, 0}),
                                    .half = {0.1, 0.08, 0.06}};
  }
  nsds_shapes(model, &(nsds_shapes_def){
                         .law = friction(model, 0.4, 0.2), .nshape = count + 1, .shape = shape});
}

static nsds_simulation *boxes_by_steps(nsds_model *model) {
  boxes(model, 3);
  return by_steps(model, 5e-3);
}

static nsds_simulation *boxes_by_events(nsds_model *model) {
  boxes(model, 2);
  return by_events(model, 1.0, 0.02);
}

static void spheres(nsds_model *model) {
  enum { count = 5 };
  nsds_ds *ds[count];
  for (int k = 0; k < count; ++k)
    ds[k] = body(model, (double[]){0.22 * k, 0, 0.1 + 0.02 * k, 1, 0, 0, 0},
                 (double[]){-0.1 * k, 0, 0, 0, 0.1, 0});
  nsds_spheres(model, &(nsds_spheres_def){.law = friction(model, 0.3, 0.4),
                                          .count = count,
                                          .ds = ds,
                                          .radius = 0.1,
                                          .nplane = 1,
                                          .plane = &(nsds_plane){{0, 0, 1}, 0}});
}

static nsds_simulation *spheres_by_steps(nsds_model *model) {
  spheres(model);
  return by_steps(model, 5e-3);
}

static nsds_simulation *spheres_by_events(nsds_model *model) {
  spheres(model);
  return by_events(model, 1.0, 0.01);
}

/* Two bodies on a ball joint and a hinge, the lower one above the floor. */
static void swing(nsds_model *model) {
  nsds_ds *ds[2];
  for (int k = 0; k < 2; ++k)
    ds[k] = body(model, (double[]){0.2 + 0.4 * k, 0, 0, 1, 0, 0, 0}, (double[6]){0.0});
  nsds_joint_def ball = {.kind = NSDS_JOINT_BALL, .ds = {ds[0]}};
  nsds_joint_def hinge = {
      .kind = NSDS_JOINT_HINGE, .ds = {ds[0], ds[1]}, .point = {0.4, 0, 0}, .axis = {0, 1, 0}};
  nsds_connect(model, nsds_joint(model, &ball), nsds_equality(model), 1, ball.ds);
  nsds_connect(model, nsds_joint(model, &hinge), nsds_equality(model), 2, hinge.ds);
  nsds_relation *gap = nsds_sphere_plane_relation(
      model, &(nsds_sphere_plane_relation_def){
                 .rows = 3, .radius = 0.05, .normal = {0, 0, 1}, .offset = -0.5});
  nsds_connect(model, gap, friction(model, 0.3, 0.3), 1, &ds[1]);
}

static nsds_simulation *swing_by_steps(nsds_model *model) {
  swing(model);
  return nsds_time_stepping(
      model, &(nsds_time_stepping_def){
                 .t1 = 10.0, .h = 4e-3, .projection = {.kind = NSDS_PROJECTION_DIRECT}});
}

static nsds_simulation *swing_by_events(nsds_model *model) {
  swing(model);
  return by_events(model, 2.0, 0.02);
}

/* ---- a ball that is controlled and kicked ---------------------------------------------------- */

static int control(nsds_simulation *s, void *user) {
  (void)s;
  nsds_ds *ball = user;
  return nsds_ds_set_z(ball, 1, (double[]){-2.0 * nsds_v(ball)[0]});
}

static int kick(nsds_simulation *s, void *user) {
  (void)s;
  return nsds_set_state(user, NULL, (double[]){3.0});
}

static int push(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = -gravity + in->z[0];
  return 0;
}

static nsds_ds *add_controlled(nsds_model *model) {
  nsds_ds *ball =
      nsds_lagrangian_linear(model, &(nsds_lagrangian_linear_def){.ndof = 1,
                                                                  .q0 = (double[]){1.0},
                                                                  .mass = (double[]){1.0},
                                                                  .fext_fn = push,
                                                                  .nz = 1,
                                                                  .z = (double[]){0.0}});
  nsds_relation *gap = nsds_lagrangian_linear_relation(
      model, &(nsds_lagrangian_linear_relation_def){.ny = 1, .nq = 1, .H = (double[]){1.0}});
  nsds_connect(model, gap, nsds_newton_impact(model, 0.7), 1, &ball);
  return ball;
}

static nsds_simulation *schedule(nsds_simulation *s, nsds_ds *ball) {
  nsds_simulation_sample(
      s, &(nsds_sampler_def){.name = "control", .period = 0.13, .sample = control, .user = ball});
  for (int k = 1; k <= 3; ++k)
    nsds_simulation_at(
        s, &(nsds_event_def){.name = "kick", .time = 0.11 * k, .call = kick, .user = ball});
  return s;
}

static nsds_simulation *controlled_by_steps(nsds_model *model) {
  nsds_ds *ball = add_controlled(model);
  return schedule(by_steps(model, 0.02), ball);
}

static nsds_simulation *controlled_by_events(nsds_model *model) {
  nsds_ds *ball = add_controlled(model);
  return schedule(by_events(model, 4.0, 0.02), ball);
}

/* ---- circuits -------------------------------------------------------------------------------- */

/* dx/dt = -x + lambda, a relay whose parameter a sampler turns. */
static int turn(nsds_simulation *s, void *user) {
  double a = cos(7.0 * nsds_time(s));
  return nsds_ds_set_z(user, 1, &a);
}

static int drive(const nsds_arguments *in, double *f, void *user) {
  (void)user;
  f[0] = -in->x[0] + 0.5 * in->z[0] + 0.2 * in->x[1];
  f[1] = -0.3 * in->x[0];
  return 0;
}

static int drive_x(const nsds_arguments *in, double *J, void *user) {
  (void)in, (void)user;
  J[0] = -1.0;
  J[1] = -0.3;
  J[2] = 0.2;
  J[3] = 0.0;
  return 0;
}

static nsds_ds *add_relay(nsds_model *model) {
  nsds_ds *system = nsds_first_order(model, &(nsds_first_order_def){.n = 2,
                                                                    .x0 = (double[]){0.6, 0.2},
                                                                    .f_fn = drive,
                                                                    .jac_f_x_fn = drive_x,
                                                                    .nz = 1,
                                                                    .z = (double[]){0.3}});
  nsds_relation *relation = nsds_first_order_linear_relation(
      model, &(nsds_first_order_linear_relation_def){
                 .ny = 1, .nx = 2, .C = (double[]){1.0, 0.0}, .B = (double[]){1.0, 0.0}});
  nsds_connect(model, relation, nsds_relay(model, 1, (double[]){-0.4}, (double[]){0.4}), 1,
               &system);
  return system;
}

static nsds_simulation *add_turns(nsds_simulation *s, nsds_ds *system) {
  nsds_simulation_sample(
      s, &(nsds_sampler_def){.name = "turn", .period = 0.07, .sample = turn, .user = system});
  nsds_simulation_at(s,
                     &(nsds_event_def){.name = "once", .time = 0.33, .call = turn, .user = system});
  return s;
}

static nsds_simulation *relay_by_steps(nsds_model *model) {
  nsds_ds *system = add_relay(model);
  return add_turns(by_steps(model, 0.02), system);
}

static nsds_simulation *relay_by_events(nsds_model *model) {
  nsds_ds *system = add_relay(model);
  return add_turns(by_events(model, 4.0, 0.02), system);
}

static nsds_simulation *bridge_by_events(nsds_model *model) {
  scene_diode_bridge(model, 1e-2, 1e-6, 1e3, 10.0);
  return by_events(model, 1e-2, 3e-5);
}

static nsds_simulation *bridge_by_steps(nsds_model *model) {
  scene_filtered_bridge(model, 1e-2, 1e-6, 1e3, 3e-7, 10.0);
  return by_steps(model, 1e-6);
}

static nsds_simulation *oscillator(nsds_model *model) {
  scene_relay_oscillator(model);
  return by_events(model, 5.0, 0.0);
}

static nsds_simulation *filippov(nsds_model *model) {
  scene_filippov(model, 1.0, 0.5);
  return by_events(model, 2.0, 0.05);
}

/* ---- impacts, friction and linkages of the examples ------------------------------------------ */

/* A block on a belt that sticks and slips, beside a ball that bounces and comes to rest by
 * Poisson's law. */
static nsds_simulation *block_and_ball(nsds_model *model) {
  nsds_ds *block = nsds_lagrangian_linear(
      model, &(nsds_lagrangian_linear_def){.ndof = 2,
                                           .q0 = (double[]){0.0, 0.0},
                                           .mass = (double[]){1, 0, 0, 1},
                                           .stiffness = (double[]){1, 0, 0, 0},
                                           .fext = (double[]){0.0, -gravity}});
  nsds_relation *foot = nsds_lagrangian_linear_relation(
      model, &(nsds_lagrangian_linear_relation_def){.ny = 2, .nq = 2, .H = (double[]){0, 1, 1, 0}});
  nsds_law *rough = nsds_newton_impact_friction(
      model, &(nsds_newton_impact_friction_def){.dimension = 2, .mu = 0.2, .slip = {0.5}});
  nsds_connect(model, foot, rough, 1, &block);
  nsds_ds *ball = nsds_lagrangian_linear(
      model,
      &(nsds_lagrangian_linear_def){
          .ndof = 1, .q0 = (double[]){0.2}, .mass = (double[]){1.0}, .fext = (double[]){-gravity}});
  nsds_relation *gap = nsds_lagrangian_linear_relation(
      model, &(nsds_lagrangian_linear_relation_def){.ny = 1, .nq = 1, .H = (double[]){1.0}});
  nsds_connect(model, gap, nsds_poisson_impact(model, 0.5), 1, &ball);
  return by_events(model, 30.0, 0.1);
}

static nsds_simulation *woodpecker(nsds_model *model) {
  scene_woodpecker(model);
  return by_events(model, 1.0, 0.0);
}

static nsds_simulation *rocking(nsds_model *model) {
  scene_rocking_block(model, 0.1, 0.5);
  return by_events(model, 3.0, 0.05);
}

static nsds_simulation *string(nsds_model *model) {
  scene_string_pendulum(model, 2.0, 0.3);
  return by_events(model, 3.0, 0.05);
}

static nsds_simulation *cradle(nsds_model *model) {
  scene_newton_cradle(model, CRADLE_POISSON, 1, 0.0);
  return by_events(model, 3.0, 0.05);
}

static nsds_simulation *pendulum(nsds_model *model) {
  scene_double_pendulum(model);
  return by_events(model, 2.0, 0.02);
}

static nsds_simulation *crank(nsds_model *model) {
  scene_slider_crank(model);
  return by_events(model, 0.2, 1e-3);
}

static nsds_simulation *four_bar(nsds_model *model) {
  static four_bar_scene scene;
  scene_four_bar(model, &scene);
  return by_events(model, 1.0, 0.02);
}

static nsds_simulation *top(nsds_model *model) {
  scene_spinning_top(model);
  return by_events(model, 1.0, 0.02);
}

/* Implicit steps from the first flight on. */
static nsds_simulation *stiff_chain(nsds_model *model) {
  scene_stiff_chain(model, 4, 0.5);
  return by_events(model, 1.0, 0.02);
}

static const run_scene scenes[] = {
    {"tumbling ball, events", 40, tumbling_ball, false, false},
    {"boxes, steps", 40, boxes_by_steps, true, false},
    {"boxes, events", 40, boxes_by_events, false, false},
    {"spheres, steps", 40, spheres_by_steps, false, false},
    {"spheres, events", 80, spheres_by_events, true, false},
    {"swing, steps", 40, swing_by_steps, true, false},
    {"swing, events", 60, swing_by_events, false, false},
    {"controlled ball, steps", 40, controlled_by_steps, false, true},
    {"controlled ball, events", 60, controlled_by_events, true, true},
    {"relay, steps", 40, relay_by_steps, true, true},
    {"relay, events", 60, relay_by_events, false, true},
    {"bridge, steps", 60, bridge_by_steps, false, false},
    {"bridge, events", 60, bridge_by_events, false, false},
    {"oscillator, events", 40, oscillator, false, false},
    {"filippov, events", 50, filippov, false, false},
    {"block and ball, events", 60, block_and_ball, true, false},
    {"woodpecker, events", 30, woodpecker, false, false},
    {"rocking block, events", 50, rocking, false, false},
    {"string pendulum, events", 50, string, false, false},
    {"cradle, events", 60, cradle, false, false},
    {"double pendulum, events", 50, pendulum, false, false},
    {"slider crank, events", 60, crank, false, false},
    {"four bars, events", 50, four_bar, false, false},
    {"top, events", 50, top, false, false},
    {"stiff chain, events", 40, stiff_chain, false, false},
};

const run_scene *run_scene_at(int k) {
  int count = (int)(sizeof scenes / sizeof *scenes);
  return k >= 0 && k < count ? &scenes[k] : NULL;
}
