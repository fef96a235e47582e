/*
 * Scenes that are about what a program does between steps and in them: steps in stages, events in two
 * halves, steps that fail and are made again, events and samplers of a program, a change of solver; and a
 * few models that the other scenes leave out: a rod that jams, gears, loops of joints, bodies of contact
 * sets with a gamma of their own, controls of rates.
 */
#include "any_joint.h"
#include "events.h"
#include "golden.h"
#include "linkages.h"
#include "scenes.h"
#include "static_schemes.h"

#include <math.h>

static const double weight = 9.81;

static nsds_simulation *drive(nsds_model *model, const golden *g) {
  if (g->def.second_order.kind != NSDS_SCHEME_UNSAID) return golden_start(model, g);
  return nsds_event_driven(model, &(nsds_event_driven_def){.t1 = 1e3, .output_period = g->def.h});
}

/* ---- bodies over a floor, with friction and a ball joint between the last two ---- */

static nsds_ds *body(nsds_model *model, const double *x, const double *v) {
  const double J[9] = {[0] = 0.004, [4] = 0.005, [8] = 0.006};
  return nsds_rigid_body(model,
                         &(nsds_rigid_body_def){.mass = 1.0,
                                                .inertia = J,
                                                .q0 = (double[]){x[0], x[1], x[2], 1, 0, 0, 0},
                                                .v0 = v,
                                                .gravity = {0, 0, -weight}});
}

static bool refuses; /* the force of the drive below */

static int push(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = -3.0 + in->t;
  return refuses;
}

/* p[0]: gamma of the second body's own; 0: the simulation's */
static nsds_simulation *three_bodies(nsds_model *model, const golden *g) {
  nsds_ds *ds[3];
  refuses = false;
  for (int k = 0; k < 3; ++k)
    ds[k] = body(model, (double[]){0.3 * k, 0, 0.12 + 0.1 * k}, (double[]){1.0 - k, 0, 0, 0, 2, k});
  nsds_law *law =
      nsds_newton_impact_friction(model, &(nsds_newton_impact_friction_def){.mu = 0.3, .e_n = 0.3});
  const nsds_plane floor = {{0, 0, 1}, 0};
  golden_found.rows = 3;
  golden_found.set = nsds_spheres(model, &(nsds_spheres_def){.law = law,
                                                             .count = 3,
                                                             .ds = ds,
                                                             .radius = 0.1,
                                                             .nplane = 1,
                                                             .plane = &floor,
                                                             .reach = 0.05});
  any_joint_def joint = {.kind = NSDS_JOINT_BALL, .ds = {ds[2], ds[1]}, .point = {0.45, 0, 0.27}};
  nsds_connect(model, any_joint(model, &joint), nsds_equality(model), 2, joint.ds);
  nsds_ds *pushed = nsds_lagrangian_linear(
      model, &(nsds_lagrangian_linear_def){
                 .ndof = 1, .q0 = (double[]){0.2}, .mass = (double[]){1.0}, .fext_fn = push});
  nsds_relation *gap = nsds_lagrangian_linear_relation(
      model, &(nsds_lagrangian_linear_relation_def){.ny = 1, .nq = 1, .H = (double[]){1.0}});
  nsds_connect(model, gap, nsds_newton_impact(model, 0.5), 1, &pushed);
  if (g->p[0] > 0.0) nsds_ds_discretise(ds[1], nsds_moreau_jean(0.5, g->p[0]));
  return drive(model, g);
}

/* Every third step is given up, and each is then made in stages before the one that is counted. */
static nsds_status in_stages(nsds_model *model, nsds_simulation *simulation, long step) {
  (void)model;
  nsds_status status = nsds_step_begin(simulation);
  if (!status) status = nsds_step_solve(simulation);
  if (!status && step % 3 == 0) return nsds_step_reject(simulation);
  while (!status && (status = nsds_step_update(simulation)) == NSDS_AGAIN)
    status = nsds_step_solve(simulation);
  if (step % 3 == 1 && !status) return nsds_step_reject(simulation);
  return status ? status : nsds_step_accept(simulation);
}

static nsds_status in_halves(nsds_model *model, nsds_simulation *simulation, long step) {
  (void)model;
  nsds_status status = nsds_event_meet(simulation);
  if (status) return status;
  return step % 3 == 0 ? nsds_step_reject(simulation) : nsds_event_process(simulation);
}

/* Every fourth step fails first: the model is as it was, and the step is made again. */
static nsds_status with_failures(nsds_model *model, nsds_simulation *simulation, long step) {
  if (step % 4 != 2) return NSDS_OK;
  refuses = true;
  nsds_status status = nsds_step(simulation);
  refuses = false;
  if (status < 0) nsds_error_clear(nsds_model_context(model));
  return status < 0 ? NSDS_OK : status;
}

static int kick(nsds_simulation *simulation, void *user) {
  (void)simulation;
  nsds_ds *ds = user;
  double v[6];
  for (int k = 0; k < nsds_nv(ds); ++k) v[k] = nsds_v(ds)[k];
  v[0] += 0.3;
  return nsds_set_state(ds, NULL, v);
}

static nsds_simulation *kicked(nsds_model *model, const golden *g) {
  nsds_simulation *s = three_bodies(model, g);
  if (!s) return NULL;
  nsds_simulation_sample(
      s, &(nsds_sampler_def){
             .period = 0.031, .phase = 0.01, .sample = kick, .user = nsds_ds_at(model, 0)});
  for (int k = 1; k <= 3; ++k)
    nsds_simulation_at(
        s, &(nsds_event_def){.time = 0.043 * k, .call = kick, .user = nsds_ds_at(model, k - 1)});
  return s;
}

static nsds_status other_solver(nsds_model *model, nsds_simulation *simulation, long step) {
  (void)model;
  if (step == 20) return nsds_simulation_set_solver(simulation, "nsgs", 1e-8);
  if (step == 60) return nsds_simulation_set_solver(simulation, "auto", 1e-10);
  return step == 80 ? nsds_simulation_set_end(simulation, 900.0) : NSDS_OK;
}

/* ---- a rod whose end slides on the floor and jams ---- */

/* n: one rod with a relation, 1: as a capsule of a contact set */
static nsds_simulation *jamming(nsds_model *model, const golden *g) {
  const double angle = 2.2, at[3] = {cos(angle), sin(angle) + (g->n ? 0.05 : 0.0), angle};
  nsds_ds *ds = nsds_rigid_body_2d(model, &(nsds_rigid_body_2d_def){.mass = 1.0,
                                                                    .inertia = 1.0 / 3.0,
                                                                    .q0 = at,
                                                                    .v0 = (double[]){3.0, 0, 0},
                                                                    .gravity = {0, -weight}});
  nsds_law *law = nsds_newton_impact_friction(
      model, &(nsds_newton_impact_friction_def){.dimension = 2, .mu = g->p[0]});
  const nsds_shape_def shape[2] = {{.kind = NSDS_CAPSULE, .ds = ds, .radius = 0.05, .half = {1.0}},
                                   {.kind = NSDS_HALF_SPACE, .plane = {.normal = {0, 1}}}};
  golden_found.rows = 2;
  if (g->n)
    golden_found.set = nsds_shapes(
        model, &(nsds_shapes_def){.dimension = 2, .law = law, .nshape = 2, .shape = shape});
  else
    nsds_connect(
        model,
        nsds_sphere_plane_relation(
            model,
            &(nsds_sphere_plane_relation_def){.dimension = 2, .center = {-1.0}, .normal = {0, 1}}),
        law, 1, &ds);
  return drive(model, g);
}

/* ---- gears, and a ring of bars whose joints say the same twice ---- */

static nsds_simulation *gears(nsds_model *model, const golden *g) {
  const double J[9] = {[0] = 0.01, [4] = 0.01, [8] = 0.02}, axis = 1.0;
  nsds_ds *ds[2];
  for (int k = 0; k < 2; ++k) {
    ds[k] = nsds_rigid_body(
        model, &(nsds_rigid_body_def){.mass = 1.0,
                                      .inertia = J,
                                      .q0 = (double[]){0.3 * k, 0, 0, 1, 0, 0, 0},
                                      .v0 = (double[]){0, 0, 0, 0, 0, k ? -4.0 : 2.0}});
    any_joint_def hinge = {
        .kind = NSDS_JOINT_HINGE, .ds = {ds[k]}, .point = {0.3 * k, 0, 0}, .axis = {0, 0, axis}};
    nsds_connect(model, any_joint(model, &hinge), nsds_equality(model), 1, hinge.ds);
    hinge.kind = ANY_ANGLE;
    hinge.offset = 0.5;
    hinge.reversed = true;
    if (k == 0)
      nsds_connect(model, any_joint(model, &hinge), nsds_newton_impact(model, 0.6), 1, hinge.ds);
  }
  any_joint_def gear = {
      .kind = NSDS_JOINT_GEAR, .ds = {ds[0], ds[1]}, .axis = {0, 0, axis}, .teeth = {20, 10}};
  nsds_connect(model, any_joint(model, &gear), nsds_equality(model), 2, gear.ds);
  return drive(model, g);
}

static ring_scene ring;

static nsds_simulation *ring_of_bars(nsds_model *model, const golden *g) {
  scene_ring_of_bars(model, &ring, g->n);
  return drive(model, g);
}

/* ---- first order: a control that reads dx/dt; parts of steps of zero-order hold ---- */

static int brake(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = -0.5 * in->xdot[0] - 0.1 * in->x[1];
  return 0;
}

static int brake_x(const nsds_arguments *in, double *out, void *user) {
  (void)in, (void)user;
  out[1] = -0.1;
  return 0;
}

static int brake_xdot(const nsds_arguments *in, double *out, void *user) {
  (void)in, (void)user;
  out[0] = -0.5;
  return 0;
}

static int spiral(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = in->x[1] - 0.1 * in->x[0] * in->x[0] * in->x[0];
  out[1] = -4.0 * in->x[0];
  return 0;
}

static int spiral_x(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = -0.3 * in->x[0] * in->x[0];
  out[1] = -4.0;
  out[2] = 1.0;
  return 0;
}

/* n: parts of a step of zero-order hold; 0: a control of rates by Euler-Moreau */
static nsds_simulation *controlled(nsds_model *model, const golden *g) {
  const double x0[2] = {0.8, 0.0};
  nsds_ds *ds =
      g->n ? nsds_first_order_linear(model,
                                     &(nsds_first_order_linear_def){
                                         .n = 2, .x0 = x0, .A = (double[]){-0.1, -4.0, 1.0, 0.0}})
           : nsds_first_order(model, &(nsds_first_order_def){.n = 2,
                                                             .x0 = x0,
                                                             .f_fn = spiral,
                                                             .jac_f_x_fn = spiral_x,
                                                             .control.n = 1,
                                                             .control.map = (double[]){1.0, 0.2},
                                                             .control.fn = brake,
                                                             .control.jac_x_fn = brake_x,
                                                             .control.jac_xdot_fn = brake_xdot});
  nsds_relation *relation = nsds_first_order_linear_relation(
      model, &(nsds_first_order_linear_relation_def){
                 .ny = 1, .nx = 2, .C = (double[]){1.0, 0.0}, .B = (double[]){1.0, 0.0}});
  nsds_connect(model, relation, nsds_relay(model, 1, (double[]){-0.4}, (double[]){0.4}), 1, &ds);
  if (g->n) nsds_ds_discretise(ds, nsds_with_step_ratio(nsds_zero_order_hold(), g->n));
  return golden_start(model, g);
}

/* a scene that says no scheme is event-driven */
#define STEPS(...)                                                                                 \
  .machine = true, .def = {.t1 = 1e3, .h = 4e-3, .second_order = MOREAU_JEAN(0.5, 1.0), __VA_ARGS__}
#define EVENTS .machine = true, .def = {.h = 0.02}
const golden golden_calls[] = {
    {"call_stages", 120, three_bodies, in_stages, STEPS(.max_halvings = 0)},
    {"call_stages_projected", 60, three_bodies, in_stages,
     STEPS(.projection = {.kind = NSDS_PROJECTION_COMBINED})},
    {"call_failures", 120, three_bodies, with_failures, STEPS(.max_halvings = 0)},
    {"call_kicks", 120, kicked, STEPS(.max_halvings = 0)},
    {"call_other_solver", 120, three_bodies, other_solver, STEPS(.max_halvings = 0)},
    {"call_own_gamma", 120, three_bodies, STEPS(.max_halvings = 0), .p = {0.6}},
    {"call_event_halves", 60, three_bodies, in_halves, EVENTS},
    {"call_event_failures", 60, three_bodies, with_failures, EVENTS},
    {"call_event_kicks", 60, kicked, EVENTS},
    {"jamming", 40, jamming, EVENTS, .p = {2.0}},
    {"jamming_set", 40, jamming, EVENTS, .n = 1, .p = {2.0}},
    {"jamming_steps", 100, jamming, STEPS(.max_halvings = 0), .p = {2.0}},
    {"gears", 150, gears, STEPS(.max_halvings = 0)},
    {"gears_projected", 80, gears, STEPS(.projection = {.kind = NSDS_PROJECTION_DIRECT})},
    {"event_gears", 60, gears, EVENTS},
    {"event_ring_of_bars", 30, ring_of_bars, EVENTS},
    {"event_ring_once", 30, ring_of_bars, EVENTS, .n = 1},
    {"control_of_rates", 200, controlled, .def = {.h = 5e-3, .first_order = EULER_MOREAU(0.7)}},
    {"hold_in_parts", 200, controlled, .machine = true,
     .def = {.h = 2e-2, .first_order = ZERO_ORDER_HOLD}, .n = 3},
};
const int golden_calls_count = sizeof golden_calls / sizeof *golden_calls;
