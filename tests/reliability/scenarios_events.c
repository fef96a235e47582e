/*
 * Event-driven simulation: every integrator, law and kind of row, contact sets, halves of events,
 * windows, samplers and user events.
 */
#include "cradle.h"
#include "events.h"
#include "hydraulics.h"
#include "scenarios.h"
#include "scenes.h"
#include "soft_motor.h"
#include "switching.h"

#define PLAY(symbol, maker, after) static const play symbol = {maker, after};

static nsds_simulation *drive(nsds_model *model, nsds_event_driven_def def) {
  if (def.t1 == 0.0) def.t1 = 100.0;
  return nsds_event_driven(model, &def);
}

/* ---- scenes of the examples ---- */

static nsds_simulation *room(nsds_model *model) {
  scene_room(model, 9.81, 0.5, -1.0, 0.7, 0.9);
  return drive(model, (nsds_event_driven_def){.output_period = 0.5});
}
PLAY(play_room, room, NULL)

static nsds_simulation *string_dormand(nsds_model *model) {
  scene_string_pendulum(model, 5.2, 0.3);
  return drive(model, (nsds_event_driven_def){.output_period = 0.3, .relative_tolerance = 1e-5});
}
PLAY(play_string, string_dormand, NULL)

static nsds_simulation *string_arkode(nsds_model *model) {
  scene_string_pendulum(model, 5.2, 0.3);
  return drive(model, (nsds_event_driven_def){.integrator = "arkode",
                                              .output_period = 0.3,
                                              .relative_tolerance = 1e-5});
}
PLAY(play_string_arkode, string_arkode, NULL)

static nsds_simulation *string_cvode(nsds_model *model) {
  scene_string_pendulum(model, 5.2, 0.3);
  return drive(model, (nsds_event_driven_def){
                          .integrator = "cvode", .output_period = 0.3, .relative_tolerance = 1e-6});
}
PLAY(play_string_cvode, string_cvode, NULL)

static nsds_simulation *soft_motor(nsds_model *model) {
  scene_soft_motor(model);
  return drive(model, (nsds_event_driven_def){.output_period = 0.1, .relative_tolerance = 1e-5});
}
PLAY(play_soft_motor, soft_motor, NULL)

static nsds_simulation *rocking(nsds_model *model) {
  scene_rocking_block(model, 0.05, 0.0);
  return drive(model, (nsds_event_driven_def){.relative_tolerance = 1e-5});
}
PLAY(play_rocking, rocking, NULL)

static nsds_simulation *belt(nsds_model *model) {
  scene_belt(model, &(belt_def){.stiffness = 1.0, .most = 1.0, .fall = 0.1, .speed = 0.5});
  return drive(model, (nsds_event_driven_def){.output_period = 1.0, .relative_tolerance = 1e-5});
}
PLAY(play_belt, belt, NULL)

static nsds_simulation *stiff(nsds_model *model) {
  scene_stiff_chain(model, 4, 0.5);
  return drive(model, (nsds_event_driven_def){.integrator = "arkode",
                                              .output_period = 0.05,
                                              .relative_tolerance = 1e-4});
}
PLAY(play_stiff, stiff, NULL)

static nsds_simulation *woodpecker(nsds_model *model) {
  scene_woodpecker(model);
  return drive(model, (nsds_event_driven_def){.relative_tolerance = 1e-4});
}
PLAY(play_woodpecker, woodpecker, NULL)

static nsds_simulation *cradle(nsds_model *model, cradle_law law) {
  scene_newton_cradle(model, law, 2, 0.01);
  return drive(model, (nsds_event_driven_def){.output_period = 0.3, .relative_tolerance = 1e-5});
}

/* All data of each event, and a solver of impulses. */
static nsds_simulation *woodpecker_data(nsds_model *model) {
  scene_woodpecker(model);
  return drive(model, (nsds_event_driven_def){.output_period = 0.02,
                                              .relative_tolerance = 1e-5,
                                              .impact_solver = "nsgs",
                                              .problems = 3,
                                              .history = 3});
}

static void read_all(story *s) {
  nsds_event_row_state row;
  nsds_event_problem_info info;
  double x[6];
  for (int k = 0; k < 6 && !s->over; ++k) {
    STORY(s, nsds_event_meet(s->simulation));
    if (!s->over) STORY_READ(s, nsds_event_row_at(s->simulation, 0, &row));
    STORY(s, nsds_event_process(s->simulation));
    for (int r = 0; r < nsds_event_row_count(s->simulation) && !s->over; ++r)
      STORY_READ(s, nsds_event_row_at(s->simulation, r, &row));
    if (!s->over) STORY_READ(s, nsds_event_force(s->simulation, nsds_ds_at(s->model, 0), x));
    if (!s->over) STORY_READ(s, nsds_ds_rates(nsds_ds_at(s->model, 0), 0.0, x, NULL));
    if (nsds_event_problem_count(s->simulation) > 0 && !s->over)
      STORY_READ(s, nsds_event_problem_at(s->simulation, 0, &info));
    story_mark_state(s);
  }
  if (!s->over) STORY(s, nsds_event_set_impact_solver(s->simulation, "lemke", 0.0));
  story_steps(s, nsds_step_count(s->simulation) + 3);
}
PLAY(play_woodpecker_data, woodpecker_data, read_all)

static nsds_simulation *cradle_poisson(nsds_model *model) { return cradle(model, CRADLE_POISSON); }
PLAY(play_cradle_poisson, cradle_poisson, NULL)

static nsds_simulation *cradle_distributing(nsds_model *model) {
  return cradle(model, CRADLE_DISTRIBUTING);
}
PLAY(play_cradle_distributing, cradle_distributing, NULL)

static nsds_simulation *filippov(nsds_model *model) {
  scene_filippov(model, 0.3, 0.7);
  return drive(model, (nsds_event_driven_def){.output_period = 0.2});
}
PLAY(play_filippov, filippov, NULL)

static cam_arcs_scene cam;

static nsds_simulation *cam_arcs(nsds_model *model) {
  scene_cam_arcs(model, &cam, 358.0);
  nsds_simulation *s = drive(model, (nsds_event_driven_def){.relative_tolerance = 1e-5});
  return s && scene_cam_turn(s, &cam) == NSDS_OK ? s : NULL;
}
PLAY(play_cam_arcs, cam_arcs, NULL)

/* ---- a bent first-order system under a saturation, as an event-driven run, with its mass ---- */

static int heavy(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = 2.0 + 0.1 * in->t;
  out[3] = 1.0;
  return 0;
}

static int swirl(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = 2.0 * in->x[1] - in->x[0];
  out[1] = -2.0 * in->x[0] - in->x[1] * in->x[1] * in->x[1] + in->z[0];
  return 0;
}

static int swirl_x(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = -1.0;
  out[1] = -2.0;
  out[2] = 2.0;
  out[3] = -3.0 * in->x[1] * in->x[1];
  return 0;
}

static int sampled(nsds_simulation *simulation, void *user) {
  double z = 0.5 - nsds_x(user)[0];
  (void)simulation;
  return nsds_ds_set_z(user, 1, &z) != NSDS_OK;
}

static nsds_simulation *swirling(nsds_model *model) {
  nsds_ds *ds = nsds_first_order(model, &(nsds_first_order_def){.n = 2,
                                                                .x0 = (double[]){0.4, -0.3},
                                                                .mass_fn = heavy,
                                                                .f_fn = swirl,
                                                                .jac_f_x_fn = swirl_x,
                                                                .nz = 1,
                                                                .z = (double[]){1.0}});
  nsds_relation *relation = nsds_first_order_linear_relation(
      model, &(nsds_first_order_linear_relation_def){
                 .ny = 1, .nx = 2, .C = (double[]){1.0, 0.2}, .B = (double[]){1.0, 0.0}});
  nsds_connect(model, relation, nsds_saturation(model, 1, (double[]){-0.4}, (double[]){0.4}, 5.0),
               1, &ds);
  nsds_simulation *s =
      drive(model, (nsds_event_driven_def){.output_period = 0.5, .relative_tolerance = 1e-5});
  nsds_simulation_sample(s, &(nsds_sampler_def){.period = 0.7, .sample = sampled, .user = ds});
  return s;
}
PLAY(play_swirling, swirling, NULL)

/* ---- bodies with contact sets: spheres and shapes fall on planes, with friction ---- */

static const double upright[9] = {0.01, 0, 0, 0, 0.01, 0, 0, 0, 0.01};

static nsds_ds *ball_at(nsds_model *model, double x, double z, double v) {
  return nsds_rigid_body(model, &(nsds_rigid_body_def){.mass = 1.0,
                                                       .inertia = upright,
                                                       .q0 = (double[]){x, 0, z, 1, 0, 0, 0},
                                                       .v0 = (double[]){v, 0, 0, 0, 0, 0},
                                                       .gravity = {0, 0, -9.81}});
}

static nsds_simulation *meeting(nsds_model *model) {
  nsds_ds *ds[3] = {ball_at(model, 0.0, 0.11, 1.0), ball_at(model, 0.35, 0.1, 0.0),
                    ball_at(model, 0.1, 0.6, 0.0)};
  nsds_law *law =
      nsds_newton_impact_friction(model, &(nsds_newton_impact_friction_def){.mu = 0.2, .e_n = 0.3});
  nsds_spheres(model, &(nsds_spheres_def){.law = law,
                                          .count = 3,
                                          .ds = ds,
                                          .radius = 0.1,
                                          .nplane = 1,
                                          .plane = &(nsds_plane){.normal = {0, 0, 1}}});
  return drive(model, (nsds_event_driven_def){.output_period = 0.2, .relative_tolerance = 1e-5});
}
PLAY(play_meeting, meeting, NULL)

static int push(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = 0.5 * in->t;
  out[2] = -in->z[0];
  return 0;
}

static nsds_simulation *tumbling(nsds_model *model) {
  nsds_ds *ds =
      nsds_rigid_body(model, &(nsds_rigid_body_def){.mass = 1.0,
                                                    .inertia = upright,
                                                    .q0 = (double[]){0, 0, 0.12, 0.8, 0.6, 0, 0},
                                                    .force.fn = push,
                                                    .force.jac_q_fn = nsds_zero,
                                                    .force.jac_v_fn = nsds_zero,
                                                    .nz = 1,
                                                    .z = (double[]){9.81}});
  const nsds_shape_def shape[2] = {{.kind = NSDS_CAPSULE, .ds = ds, .radius = 0.05, .half = {0.1}},
                                   {.kind = NSDS_HALF_SPACE, .plane = {.normal = {0, 0, 1}}}};
  const nsds_material material = {.mu = 0.1, .e_n = 0.4, .e_t = 0.0};
  nsds_shapes(model, &(nsds_shapes_def){
                         .nmaterial = 1, .material = &material, .nshape = 2, .shape = shape});
  return drive(model, (nsds_event_driven_def){.output_period = 0.2, .relative_tolerance = 1e-5});
}
PLAY(play_tumbling, tumbling, NULL)

/* A box and a disc slide over the edge of a table: contacts change their features. */
static nsds_simulation *over_the_edge(nsds_model *model) {
  nsds_ds *box = nsds_rigid_body_2d(model, &(nsds_rigid_body_2d_def){.mass = 1.0,
                                                                     .inertia = 0.05,
                                                                     .q0 = (double[]){-0.2, 0.1, 0},
                                                                     .v0 = (double[]){1.0, 0, 0},
                                                                     .gravity = {0, -9.81}});
  nsds_ds *disc =
      nsds_rigid_body_2d(model, &(nsds_rigid_body_2d_def){.mass = 0.5,
                                                          .inertia = 0.01,
                                                          .q0 = (double[]){-0.2, 0.4, 0},
                                                          .v0 = (double[]){0.7, 0, 0},
                                                          .gravity = {0, -9.81}});
  const nsds_shape_def shape[3] = {{.kind = NSDS_BOX, .half = {0.5, 0.5}, .position = {-0.5, -0.5}},
                                   {.kind = NSDS_BOX, .ds = box, .half = {0.3, 0.1}},
                                   {.kind = NSDS_SPHERE, .ds = disc, .radius = 0.1}};
  const nsds_material material = {.mu = 0.1, .e_n = 0.3};
  nsds_shapes(
      model,
      &(nsds_shapes_def){
          .dimension = 2, .nmaterial = 1, .material = &material, .nshape = 3, .shape = shape});
  return drive(model, (nsds_event_driven_def){.output_period = 0.1, .relative_tolerance = 1e-5});
}
PLAY(play_over_the_edge, over_the_edge, NULL)

/* A ball that slides and rolls to rest on a floor, and strikes an ellipsoid. */
static nsds_simulation *rolling(nsds_model *model) {
  nsds_ds *ds[2] = {ball_at(model, 0.0, 0.1, 1.0), ball_at(model, 0.35, 0.09, 0.0)};
  const nsds_shape_def shape[3] = {{.kind = NSDS_SPHERE, .ds = ds[0], .radius = 0.1},
                                   {.kind = NSDS_ELLIPSOID, .ds = ds[1], .half = {0.12, 0.1, 0.09}},
                                   {.kind = NSDS_HALF_SPACE, .plane = {.normal = {0, 0, 1}}}};
  const nsds_material material = {.mu = 0.2, .mu_rolling = 0.005, .e_n = 0.3};
  nsds_shapes(
      model,
      &(nsds_shapes_def){
          .nmaterial = 1, .material = &material, .rolling = true, .nshape = 3, .shape = shape});
  return drive(model, (nsds_event_driven_def){.output_period = 0.1, .relative_tolerance = 1e-5});
}
PLAY(play_rolling, rolling, NULL)

/* ---- a nonlinear system with a singular M, held by a diode ---- */

static int cubic(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = -in->x[0] + in->x[1] + 2.0 * sin(3.0 * in->t);
  out[1] = in->x[0] - in->x[1] - in->x[1] * in->x[1] * in->x[1];
  return 0;
}

static int cubic_x(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = -1.0;
  out[1] = out[2] = 1.0;
  out[3] = -1.0 - 3.0 * in->x[1] * in->x[1];
  return 0;
}

static nsds_simulation *bent(nsds_model *model) {
  nsds_ds *ds = nsds_first_order(model, &(nsds_first_order_def){.n = 2,
                                                                .mass = (double[]){1, 0, 0, 0},
                                                                .x0 = (double[]){0.5, 0.4},
                                                                .f_fn = cubic,
                                                                .jac_f_x_fn = cubic_x});
  nsds_relation *relation = nsds_first_order_linear_relation(
      model, &(nsds_first_order_linear_relation_def){.ny = 1,
                                                     .nx = 2,
                                                     .C = (double[]){0.0, 1.0},
                                                     .B = (double[]){0.0, 1.0},
                                                     .e = (double[]){-0.45}});
  nsds_connect(model, relation, nsds_complementarity(model), 1, &ds);
  return drive(model, (nsds_event_driven_def){.output_period = 0.5, .relative_tolerance = 1e-5});
}
PLAY(play_bent, bent, NULL)

/* ---- driven: prescribed velocities under contact ---- */

static int shaking(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = 0.6 * cos(6.0 * in->t);
  return 0;
}

static nsds_simulation *shaken(nsds_model *model) {
  nsds_ds *ds = nsds_lagrangian_linear(
      model, &(nsds_lagrangian_linear_def){.ndof = 2,
                                           .q0 = (double[]){0.0, 0.05},
                                           .mass = (double[]){1.0, 0.0, 0.0, 2.0},
                                           .fext = (double[]){0.0, -5.0},
                                           .prescribed.n = 1,
                                           .prescribed.index = (int[]){0},
                                           .prescribed.fn = shaking});
  nsds_relation *gap = nsds_lagrangian_linear_relation(
      model, &(nsds_lagrangian_linear_relation_def){.ny = 1, .nq = 2, .H = (double[]){-1.0, 1.0}});
  nsds_connect(model, gap, nsds_newton_impact(model, 0.5), 1, &ds);
  return drive(model, (nsds_event_driven_def){.output_period = 0.5, .relative_tolerance = 1e-5});
}
PLAY(play_shaken, shaken, NULL)

/* ---- a tree in joint coordinates, hysteresis, events of the program ---- */

/* Two bars on hinges, the second of which strikes the floor with its ball and slides. */
static nsds_simulation *bars(nsds_model *model) {
  const double inertia[9] = {0.02, 0, 0, 0, 0.02, 0, 0, 0, 0.001};
  nsds_ds *bar[2];
  for (int k = 0; k < 2; ++k) {
    const double q0[7] = {0.5 * k + 0.25, 0.0, 0.6, 1.0, 0.0, 0.0, 0.0};
    bar[k] = nsds_rigid_body(
        model, &(nsds_rigid_body_def){
                   .mass = 1.0, .inertia = inertia, .q0 = q0, .gravity = {0, 0, -9.81}});
    nsds_joint_def def = {.kind = NSDS_JOINT_HINGE,
                          .ds = {bar[k], k ? bar[0] : NULL},
                          .point = {0.5 * k, 0.0, 0.6},
                          .axis = {0.0, 1.0, 0.0}};
    nsds_relation *hinge = nsds_joint(model, &def);
    nsds_connect(model, hinge, nsds_equality(model), k + 1, def.ds);
  }
  const nsds_shape_def shape[2] = {
      {.kind = NSDS_SPHERE, .ds = bar[1], .radius = 0.05, .position = {0.25, 0.0, 0.0}},
      {.kind = NSDS_HALF_SPACE, .plane = {.normal = {0, 0, 1}}}};
  const nsds_material material = {.mu = 0.3, .e_n = 0.4};
  nsds_shapes(model, &(nsds_shapes_def){
                         .nmaterial = 1, .material = &material, .nshape = 2, .shape = shape});
  return drive(model, (nsds_event_driven_def){.output_period = 0.2,
                                              .coordinates = NSDS_COORDINATES_JOINT,
                                              .relative_tolerance = 1e-5});
}
PLAY(play_bars, bars, NULL)

/* A heater that goes on below 19 and off above 21 degrees: between them both states obey the law. */
static nsds_simulation *thermostat(nsds_model *model) {
  nsds_ds *house = nsds_first_order_linear(
      model, &(nsds_first_order_linear_def){
                 .n = 1, .x0 = (double[]){22.0}, .A = (double[]){-0.1}, .b = (double[]){0.5}});
  nsds_relation *heater = nsds_first_order_linear_relation(
      model, &(nsds_first_order_linear_relation_def){.ny = 1,
                                                     .nx = 1,
                                                     .C = (double[]){1.0},
                                                     .D = (double[]){-2.0},
                                                     .e = (double[]){-19.0},
                                                     .B = (double[]){3.0}});
  nsds_connect(model, heater, nsds_relay(model, 1, (double[]){0.0}, (double[]){1.0}), 1, &house);
  return drive(model, (nsds_event_driven_def){.output_period = 2.0, .relative_tolerance = 1e-5});
}
PLAY(play_thermostat, thermostat, NULL)

/* Throws the ball of room() up again. */
static int thrown(nsds_simulation *simulation, void *user) {
  (void)simulation;
  nsds_ds *ball = user;
  const double v = 2.0;
  return nsds_set_state(ball, nsds_q(ball), &v) != NSDS_OK;
}

static nsds_simulation *thrown_again(nsds_model *model) {
  nsds_simulation *s = room(model);
  nsds_ds *ball = nsds_ds_at(model, 0);
  for (int k = 1; s && k < 4; ++k)
    nsds_simulation_at(s, &(nsds_event_def){.time = 0.4 * k, .call = thrown, .user = ball});
  return s;
}
PLAY(play_thrown, thrown_again, NULL)

/* ---- halves of events, given up and made again; windows; saved states ---- */

static nsds_status give_up(nsds_simulation *s) {
  nsds_status status = nsds_event_meet(s);
  return status ? status : nsds_step_reject(s);
}

static void in_halves(story *s) {
  for (int k = 0; k < 4 && !s->over; ++k) {
    STORY(s, give_up(s->simulation));
    STORY(s, nsds_event_meet(s->simulation));
    STORY(s, nsds_event_process(s->simulation));
    story_mark_state(s);
  }
  STORY(s, nsds_simulation_save(s->simulation));
  story_steps(s, nsds_step_count(s->simulation) + 2);
  STORY_READ(s, nsds_simulation_restore(s->simulation));
  story_steps(s, nsds_step_count(s->simulation) + 3);
  STORY(s, nsds_event_window(s->simulation, 0.05, 4));
  story_mark_state(s);
  story_steps(s, nsds_step_count(s->simulation) + 2);
}
PLAY(play_halves, string_dormand, in_halves)
PLAY(play_halves_meeting, meeting, in_halves)
PLAY(play_halves_soft_motor, soft_motor, in_halves)
PLAY(play_halves_edge, over_the_edge, in_halves)
PLAY(play_halves_rolling, rolling, in_halves)
PLAY(play_halves_bent, bent, in_halves)
PLAY(play_halves_bars, bars, in_halves)
PLAY(play_halves_thermostat, thermostat, in_halves)

#define EVENTS(title, count, symbol)                                                               \
  { .name = title, .tell = scenario_play, .self = &symbol, .steps = count }
/* SUNDIALS 6 uses what malloc() has not given. */
#define SUNDIALS(title, count, symbol)                                                             \
  { .name = title, .tell = scenario_play, .self = &symbol, .steps = count, .foreign = true }
const scenario scenarios_events[] = {
    EVENTS("event_room", 10, play_room),
    EVENTS("event_string", 6, play_string),
    EVENTS("event_rocking", 4, play_rocking),
    EVENTS("event_soft_motor", 8, play_soft_motor),
    EVENTS("event_rolling", 4, play_rolling),
    EVENTS("event_bent", 6, play_bent),
    EVENTS("event_bars", 6, play_bars),
    EVENTS("event_thermostat", 8, play_thermostat),
    {.name = "event_thrown",
     .tell = scenario_play,
     .self = &play_thrown,
     .steps = 6,
     .eventful = true},
    EVENTS("event_halves_bars", 1, play_halves_bars),
    EVENTS("event_halves_thermostat", 1, play_halves_thermostat),
    EVENTS("event_halves_rolling", 2, play_halves_rolling),
    EVENTS("event_halves_bent", 1, play_halves_bent),
    EVENTS("event_belt", 6, play_belt),
    EVENTS("event_woodpecker", 5, play_woodpecker),
    EVENTS("event_woodpecker_data", 2, play_woodpecker_data),
    EVENTS("event_cradle_poisson", 4, play_cradle_poisson),
    EVENTS("event_cradle_distributing", 4, play_cradle_distributing),
    EVENTS("event_filippov", 12, play_filippov),
    {.name = "event_cam_arcs",
     .tell = scenario_play,
     .self = &play_cam_arcs,
     .steps = 8,
     .eventful = true},
    {.name = "event_swirling",
     .tell = scenario_play,
     .self = &play_swirling,
     .steps = 8,
     .eventful = true},
    EVENTS("event_meeting", 8, play_meeting),
    EVENTS("event_tumbling", 6, play_tumbling),
    EVENTS("event_over_the_edge", 8, play_over_the_edge),
    EVENTS("event_shaken", 6, play_shaken),
    EVENTS("event_halves", 1, play_halves),
    EVENTS("event_halves_meeting", 1, play_halves_meeting),
    EVENTS("event_halves_soft_motor", 1, play_halves_soft_motor),
    EVENTS("event_halves_edge", 1, play_halves_edge),
#if NSDS_HAVE_SUNDIALS
    SUNDIALS("event_string_arkode", 4, play_string_arkode),
    SUNDIALS("event_string_cvode", 4, play_string_cvode),
    SUNDIALS("event_stiff_arkode", 4, play_stiff),
#endif
    {.name = NULL},
};
