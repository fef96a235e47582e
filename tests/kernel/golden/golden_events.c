/*
 * Scenes of event-driven simulation: impacts of all laws, friction that sticks and slips, joints,
 * relays, contact sets that are followed, windows, and a snapshot from before the first step. A step
 * of a scene leads to the next event.
 */
#include "any_joint.h"
#include "circuits.h"
#include "cradle.h"
#include "events.h"
#include "golden.h"
#include "scenes.h"
#include "switching.h"
#include "static_schemes.h"

static const double weight = 9.81;

/* scene->def gives the period of output, h, and whether steps are implicit, theta = 1. */
static nsds_simulation *events(nsds_model *model, const golden *g) {
  return nsds_event_driven(
      model,
      &(nsds_event_driven_def){.t1 = 1e3,
                               .output_period = g->def.h,
                               .integrator = g->def.second_order.theta == 1.0 ? "esdirk" : NULL,
                               .relative_tolerance = 1e-8});
}

/* ---- impacts ---- */

static nsds_simulation *room(nsds_model *model, const golden *g) {
  scene_room(model, weight, 0.5, 1.0, 1.2, g->p[0]);
  return events(model, g);
}

static nsds_simulation *cradle(nsds_model *model, const golden *g) {
  scene_newton_cradle(model, (cradle_law)g->n, 2, 0.02);
  return events(model, g);
}

static nsds_simulation *string(nsds_model *model, const golden *g) {
  scene_string_pendulum(model, 6.0, 0.3);
  return events(model, g);
}

static nsds_simulation *rocking(nsds_model *model, const golden *g) {
  scene_rocking_block(model, 0.15, 0.0);
  return events(model, g);
}

static nsds_simulation *stiff(nsds_model *model, const golden *g) {
  scene_stiff_chain(model, 4, 0.5);
  return events(model, g);
}

static nsds_simulation *woodpecker(nsds_model *model, const golden *g) {
  scene_woodpecker(model);
  return events(model, g);
}

static nsds_simulation *column(nsds_model *model, const golden *g) {
  static bead_scene scene;
  scene_bead_column(model, &scene, g->n, 0.1, 1.0, 0.25, 0.5);
  return events(model, g);
}

/* From the third event on a window is passed every tenth step. */
static nsds_status pass_window(nsds_model *model, nsds_simulation *simulation, long step) {
  (void)model;
  return step % 10 == 3 ? nsds_event_window(simulation, 0.05, 20) : NSDS_OK;
}

/* ---- friction of point masses: slip, stick, slip ---- */

/* A push that grows to both sides in turn: t in parts of 0.8 s, a parabola in each. */
static int push(const nsds_arguments *in, double *out, void *user) {
  const double *most = user;
  double part = in->t / 0.8, whole = (double)(long)part, s = part - whole;
  double size = most[0] * 4.0 * s * (1.0 - s);
  out[0] = (long)whole % 2 ? -size : size;
  if (in->nq == 3) out[1] = 0.6 * out[0] + most[1] * s;
  out[in->nq - 1] = -weight;
  return 0;
}

/* n = 2: along a line; n = 3: on a plane, where slip begins in directions that turn. p: the friction
 * coefficient, and the velocity of the belt under it. */
static nsds_simulation *pushed(nsds_model *model, const golden *g) {
  static const double most[] = {7.0, 2.0};
  const double eye[9] = {[0] = 1.0, [4] = 1.0, [8] = 1.0}, square[4] = {1, 0, 0, 1};
  const double H3[9] = {0, 1, 0, 0, 0, 1, 1, 0, 0}, H2[4] = {0, 1, 1, 0};
  nsds_ds *ds =
      nsds_lagrangian_linear(model, &(nsds_lagrangian_linear_def){.ndof = g->n,
                                                                  .mass = g->n == 3 ? eye : square,
                                                                  .v0 = (double[]){0.5, 0.0, 0.0},
                                                                  .fext_fn = push,
                                                                  .user = (void *)most});
  nsds_relation *touch = nsds_lagrangian_linear_relation(
      model,
      &(nsds_lagrangian_linear_relation_def){.ny = g->n, .nq = g->n, .H = g->n == 3 ? H3 : H2});
  nsds_law *law = nsds_newton_impact_friction(
      model,
      &(nsds_newton_impact_friction_def){.dimension = g->n, .mu = g->p[0], .slip = {-g->p[1]}});
  nsds_connect(model, touch, law, 1, &ds);
  return events(model, g);
}

/* ---- friction of bodies in space ---- */

static nsds_ds *body(nsds_model *model, const double *q, const double *v) {
  const double J[9] = {[0] = 0.02, [4] = 0.03, [8] = 0.04};
  return nsds_rigid_body(
      model, &(nsds_rigid_body_def){
                 .mass = 1.0, .inertia = J, .q0 = q, .v0 = v, .gravity = {0, 0, -weight}});
}

static nsds_law *rough(nsds_model *model, int n, double mu, double e) {
  if (n == 1)
    return nsds_fremond_impact_friction(model,
                                        &(nsds_fremond_impact_friction_def){.mu = mu, .e_n = e});
  return nsds_newton_impact_friction(model, &(nsds_newton_impact_friction_def){.mu = mu, .e_n = e});
}

/* Two balls and a corner of a body that fall, spin and meet. n: the law. */
static nsds_simulation *spinning(nsds_model *model, const golden *g) {
  nsds_ds *ds[2] = {
      body(model, (double[]){0, 0, 0.3, 1, 0, 0, 0}, (double[]){1.0, 0.2, -0.5, 0, -10, 4}),
      body(model, (double[]){0.6, 0.05, 0.25, 0.8, 0, 0.6, 0}, (double[]){-0.5, 0, 0, 2, 1, 3})};
  nsds_law *law = rough(model, g->n, 0.3, 0.4);
  nsds_relation *floor = nsds_sphere_plane_relation(
      model, &(nsds_sphere_plane_relation_def){.radius = 0.1, .normal = {0, 0, 1}});
  nsds_relation *corner = nsds_sphere_plane_relation(
      model, &(nsds_sphere_plane_relation_def){
                 .radius = 0.02, .center = {0.12, 0.05, 0.1}, .normal = {0, 0, 1}});
  nsds_relation *pair =
      nsds_sphere_sphere_relation(model, &(nsds_sphere_sphere_relation_def){.radius = {0.1, 0.1}});
  nsds_connect(model, floor, law, 1, &ds[0]);
  nsds_connect(model, floor, law, 1, &ds[1]);
  nsds_connect(model, corner, law, 1, &ds[1]);
  nsds_connect(model, pair, law, 2, ds);
  return events(model, g);
}

/* Two links on hinges, with a stop and dry friction, whose end meets the floor. */
static nsds_simulation *linkage(nsds_model *model, const golden *g) {
  const double x[2] = {0.25, 0.75};
  nsds_ds *ds[2];
  for (int k = 0; k < 2; ++k) {
    ds[k] = body(model, (double[]){x[k], 0, 0.6, 1, 0, 0, 0}, NULL);
    any_joint_def hinge = {.kind = NSDS_JOINT_HINGE,
                           .ds = {ds[k], k ? ds[0] : NULL},
                           .point = {0.5 * k, 0, 0.6},
                           .axis = {0, 1, 0}};
    nsds_connect(model, any_joint(model, &hinge), nsds_equality(model), k + 1, hinge.ds);
    hinge.kind = ANY_ANGLE;
    hinge.offset = 0.4;
    if (k)
      nsds_connect(model, any_joint(model, &hinge), nsds_newton_impact(model, 0.3), 2, hinge.ds);
    else
      nsds_connect(model, any_joint(model, &hinge),
                   nsds_relay(model, 1, (double[]){-0.2}, (double[]){0.2}), 1, hinge.ds);
  }
  nsds_relation *tip = nsds_sphere_plane_relation(
      model, &(nsds_sphere_plane_relation_def){
                 .radius = 0.02, .center = {0.25, 0, 0}, .normal = {0, 0, 1}});
  nsds_connect(model, tip, rough(model, 0, 0.3, 0.2), 1, &ds[1]);
  return events(model, g);
}

/* ---- contact sets ---- */

/* n = 0: a box that tumbles over a half space; n > 0: so many spheres that meet as well. */
static nsds_simulation *followed(nsds_model *model, const golden *g) {
  nsds_shape_def shape[9] = {{.kind = NSDS_HALF_SPACE, .plane = {{0, 0, 1}, 0}}};
  int count = g->n ? g->n : 1;
  for (int k = 0; k < count; ++k) {
    nsds_ds *ds = body(model, (double[]){0.3 * k, 0.02 * k, 0.4 + 0.05 * k, 1, 0, 0, 0},
                       (double[]){0.5 - 0.4 * k, 0, 0, 2.0, -1.0, 1.0});
    shape[k + 1] = (nsds_shape_def){.kind = g->n ? NSDS_SPHERE : NSDS_BOX,
                                    .ds = ds,
                                    .radius = g->n ? 0.1 : 0.0,
                                    .half = {0.2, 0.15, 0.1}};
  }
  nsds_law *law = g->p[0] > 0.0 ? rough(model, 0, g->p[0], 0.3) : nsds_newton_impact(model, 0.5);
  golden_found.rows = g->p[0] > 0.0 ? 3 : 1;
  golden_found.set = nsds_shapes(
      model, &(nsds_shapes_def){.law = law, .nshape = count + 1, .shape = shape, .reach = 0.05});
  return events(model, g);
}

/* ---- first order, prescribed velocities ---- */

static nsds_simulation *relay(nsds_model *model, const golden *g) {
  if (g->n == 0) scene_filippov(model, 0.3, 0.7);
  if (g->n == 1) scene_relay_oscillator(model);
  if (g->n == 2) scene_belt(model, &(belt_def){1.0, 1.0, 0.1, 0.2, 0.5, 0.0});
  if (g->n == 3) scene_rlcd(model, 1e-2, 1e-6, 1e3, 10.0, 0.0);
  if (g->n == 4) scene_diode_bridge(model, 1e-2, 1e-6, 1e3, 10.0);
  return events(model, g);
}

static int shake(const nsds_arguments *in, double *out, void *user) {
  double part = in->t / 0.1, s = part - (double)(long)part;
  (void)user;
  out[0] = (long)part % 2 ? -4.0 * s * (1.0 - s) : 4.0 * s * (1.0 - s);
  return 0;
}

/* A ball on a table that is moved. */
static nsds_simulation *shaken(nsds_model *model, const golden *g) {
  nsds_ds *ds[2];
  ds[0] =
      nsds_lagrangian_linear(model, &(nsds_lagrangian_linear_def){.ndof = 1,
                                                                  .mass = (double[]){5.0},
                                                                  .fext = (double[]){-5.0 * weight},
                                                                  .prescribed.n = 1,
                                                                  .prescribed.index = (int[]){0},
                                                                  .prescribed.fn = shake});
  ds[1] = nsds_lagrangian_linear(model,
                                 &(nsds_lagrangian_linear_def){.ndof = 1,
                                                               .q0 = (double[]){0.05},
                                                               .mass = (double[]){2.0},
                                                               .fext = (double[]){-2.0 * weight}});
  nsds_relation *gap = nsds_lagrangian_linear_relation(
      model, &(nsds_lagrangian_linear_relation_def){.ny = 1, .nq = 2, .H = (double[]){-1.0, 1.0}});
  nsds_connect(model, gap, nsds_newton_impact(model, 0.4), 2, ds);
  return events(model, g);
}

/* ---- a snapshot from before the first step ---- */

static nsds_snapshot *first;

static nsds_status return_to_start(nsds_model *model, nsds_simulation *simulation, long step) {
  if (step == 0) {
    nsds_snapshot_destroy(first);
    first = nsds_snapshot_take(simulation);
    return first ? nsds_simulation_save(simulation) : nsds_error(nsds_model_context(model));
  }
  if (step == 20) return nsds_simulation_restore(simulation);
  return step == 30 ? nsds_snapshot_restore(simulation, first) : NSDS_OK;
}

static void forget_start(void) {
  nsds_snapshot_destroy(first);
  first = NULL;
}

#define EVENTS(...) .machine = true, .def = {__VA_ARGS__}
const golden golden_events[] = {
    {"event_room", 30, room, EVENTS(.h = 0.05), .p = {0.7}},
    {"event_accumulation", 60, room, EVENTS(.h = 0.1), .p = {0.4}},
    {"event_windows", 40, room, pass_window, EVENTS(.h = 0.1), .p = {0.8}},
    {"event_cradle_newton", 40, cradle, EVENTS(.h = 0.02), .n = CRADLE_NEWTON},
    {"event_cradle_poisson", 40, cradle, EVENTS(.h = 0.02), .n = CRADLE_POISSON},
    {"event_cradle_distributing", 40, cradle, EVENTS(.h = 0.02), .n = CRADLE_DISTRIBUTING},
    {"event_string", 40, string, EVENTS(.h = 0.05)},
    {"event_rocking", 40, rocking, EVENTS(.h = 0.05)},
    {"event_stiff", 30, stiff, EVENTS(.h = 0.02)},
    {"event_stiff_implicit", 30, stiff, EVENTS(.h = 0.02, .second_order = MOREAU_JEAN(1.0, 1.0))},
    {"event_woodpecker", 120, woodpecker, EVENTS(.h = 0.01)},
    {"event_column", 60, column, EVENTS(.h = 0.02), .n = 4},
    {"event_slip_line", 120, pushed, EVENTS(.h = 0.05), .n = 2, .p = {0.4}},
    {"event_slip_belt", 120, pushed, EVENTS(.h = 0.05), .n = 2, .p = {0.4, 0.3}},
    {"event_slip_plane", 120, pushed, EVENTS(.h = 0.05), .n = 3, .p = {0.5}},
    {"event_slip_plane_belt", 120, pushed, EVENTS(.h = 0.05), .n = 3, .p = {0.5, 0.3}},
    {"event_spinning", 120, spinning, EVENTS(.h = 0.02)},
    {"event_spinning_fremond", 120, spinning, EVENTS(.h = 0.02), .n = 1},
    {"event_linkage", 60, linkage, EVENTS(.h = 0.02)},
    {"event_set_box", 60, followed, EVENTS(.h = 0.02)},
    {"event_set_box_rough", 40, followed, EVENTS(.h = 0.02), .p = {0.4}},
    {"event_set_spheres", 60, followed, EVENTS(.h = 0.02), .n = 4, .p = {0.3}},
    {"event_filippov", 60, relay, EVENTS(.h = 0.01), .n = 0},
    {"event_relay_oscillator", 100, relay, EVENTS(.h = 0.1), .n = 1},
    {"event_belt", 100, relay, EVENTS(.h = 0.2), .n = 2},
    {"event_rlcd", 100, relay, EVENTS(.h = 1e-4), .n = 3},
    {"event_diode_bridge", 100, relay, EVENTS(.h = 1e-4), .n = 4},
    {"event_shaken", 80, shaken, EVENTS(.h = 0.02)},
    {"event_from_start", 60, spinning, return_to_start, forget_start, EVENTS(.h = 0.02)},
    {"event_set_from_start", 70, followed, return_to_start, forget_start, EVENTS(.h = 0.05), .n = 3,
     .p = {0.3}},
};
const int golden_events_count = sizeof golden_events / sizeof *golden_events;
