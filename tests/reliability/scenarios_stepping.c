/*
 * Time stepping beyond the stored scenes: schemes, projections, step ratios, mixed relations, joints,
 * operators with data of their own, stages, saved states, snapshots, changes between steps.
 */
#include "bodies.h"
#include "hydraulics.h"
#include "linkages.h"
#include "scenarios.h"
#include "scenes.h"

#include <stdio.h>
#include <unistd.h>

#define PLAY(symbol, maker, after) static const play symbol = {maker, after};

static nsds_simulation *step_by(nsds_model *model, nsds_time_stepping_def def) {
  if (def.t1 == 0.0) def.t1 = 100.0;
  return nsds_time_stepping(model, &def);
}

/* ---- other schemes ---- */

static const double two_masses[4] = {1.0, 0.2, 0.2, 2.0}, springs[4] = {40.0, -20.0, -20.0, 30.0};

static int pull(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = -3.0 - in->t;
  out[1] = -4.0;
  return 0;
}

static void pulled(nsds_model *model) {
  nsds_ds *ds = nsds_lagrangian_linear(
      model, &(nsds_lagrangian_linear_def){.ndof = 2,
                                           .q0 = (double[]){0.05, 0.02},
                                           .v0 = (double[]){-1.0, -0.5},
                                           .mass = two_masses,
                                           .damping = (double[]){0.1, 0.0, 0.0, 0.1},
                                           .stiffness = springs,
                                           .fext_fn = pull});
  nsds_relation *gap = nsds_lagrangian_linear_relation(
      model, &(nsds_lagrangian_linear_relation_def){
                 .ny = 2, .nq = 2, .H = (double[]){1.0, 0.0, 0.0, 1.0}});
  nsds_connect(model, gap, nsds_newton_impact(model, 0.5), 1, &ds);
}

static nsds_simulation *schatzman_paoli(nsds_model *model) {
  pulled(model);
  return step_by(model,
                 (nsds_time_stepping_def){.h = 0.01, .second_order = nsds_schatzman_paoli(0.5)});
}
PLAY(play_schatzman_paoli, schatzman_paoli, NULL)

static int stiffening(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = 10.0 * in->q[0] + in->q[0] * in->q[0] * in->q[0] + 3.0;
  out[1] = 5.0 * in->q[1] + 0.1 * in->v[1] + 4.0;
  return 0;
}

static int stiffening_q(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = 10.0 + 3.0 * in->q[0] * in->q[0];
  out[3] = 5.0;
  return 0;
}

static int stiffening_v(const nsds_arguments *in, double *out, void *user) {
  (void)in, (void)user;
  out[3] = 0.1;
  return 0;
}

static int varying_mass(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = 2.0 + 0.5 * in->q[1];
  out[3] = 1.0;
  return 0;
}

static int steer(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = -0.5 * in->v[0] + 0.1 * in->t;
  return 0;
}

static int steer_v(const nsds_arguments *in, double *out, void *user) {
  (void)in, (void)user;
  out[0] = -0.5;
  return 0;
}

static int steer_map(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = 1.0;
  out[1] = 0.2 * in->q[0];
  return 0;
}

static int steer_map_q(const nsds_arguments *in, double *out, void *user) {
  (void)in, (void)user;
  out[1] = 0.2;
  return 0;
}

/* All operators of nsds_lagrangian() that the stored scenes do not have. */
static nsds_ds *bent(nsds_model *model) {
  return nsds_lagrangian(model, &(nsds_lagrangian_def){.name = "bent",
                                                       .ndof = 2,
                                                       .q0 = (double[]){0.03, 0.01},
                                                       .v0 = (double[]){-1.0, -0.5},
                                                       .mass_fn = varying_mass,
                                                       .fint.fn = stiffening,
                                                       .fint.jac_q_fn = stiffening_q,
                                                       .fint.jac_v_fn = stiffening_v,
                                                       .fext_fn = pull,
                                                       .control.n = 1,
                                                       .control.map_fn = steer_map,
                                                       .control.jac_map_q_fn = steer_map_q,
                                                       .control.fn = steer,
                                                       .control.jac_q_fn = nsds_zero,
                                                       .control.jac_v_fn = steer_v});
}

static void bent_on_floor(nsds_model *model) {
  nsds_ds *ds = bent(model);
  nsds_relation *gap = nsds_lagrangian_linear_relation(
      model, &(nsds_lagrangian_linear_relation_def){
                 .ny = 2, .nq = 2, .H = (double[]){1.0, 0.0, 0.0, 1.0}});
  nsds_connect(model, gap, nsds_newton_impact(model, 0.5), 1, &ds);
}

static nsds_simulation *d1_minus(nsds_model *model) {
  bent_on_floor(model);
  return step_by(model, (nsds_time_stepping_def){.h = 0.005, .second_order = nsds_d1_minus()});
}
PLAY(play_d1_minus, d1_minus, NULL)

static nsds_simulation *rattle(nsds_model *model) {
  bent_on_floor(model);
  return step_by(model, (nsds_time_stepping_def){.h = 0.005, .second_order = nsds_rattle()});
}
PLAY(play_rattle, rattle, NULL)

static nsds_simulation *halved(nsds_model *model) {
  bent_on_floor(model);
  return step_by(model, (nsds_time_stepping_def){.h = 0.01,
                                                 .first_order = nsds_euler_moreau(0.6),
                                                 .second_order = nsds_moreau_jean(0.6, 0.5),
                                                 .max_halvings = 2,
                                                 .update_prediction = true});
}
PLAY(play_halved, halved, NULL)

static nsds_simulation *in_parts(nsds_model *model) {
  bent_on_floor(model);
  nsds_ds_discretise(nsds_ds_at(model, 0), nsds_with_step_ratio(nsds_moreau_jean(0.7, 1.0), 3));
  return step_by(model, (nsds_time_stepping_def){.h = 0.01});
}
PLAY(play_in_parts, in_parts, NULL)

/* ---- mixed relations; relations of coefficients that vary ---- */

static nsds_simulation *cylinder(nsds_model *model) {
  scene_cylinder(model);
  return step_by(model, (nsds_time_stepping_def){.h = 1e-3});
}
PLAY(play_cylinder, cylinder, NULL)

static int varying(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = 1.0 + 0.1 * in->t;
  out[1] = 0.2 * in->z[0];
  return 0;
}

static int varying_D(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = 0.5 + 0.01 * in->t;
  return 0;
}

static int varying_e(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = 0.3 * cos(5.0 * in->t);
  return 0;
}

static int turning(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = out[3] = -1.0;
  out[1] = -1.0 - 0.1 * in->t;
  out[2] = 1.0;
  return 0;
}

static nsds_simulation *varying_circuit(nsds_model *model) {
  nsds_ds *ds = nsds_first_order_linear(
      model, &(nsds_first_order_linear_def){.n = 2,
                                            .x0 = (double[]){0.5, 0.2},
                                            .A_fn = turning,
                                            .b_fn = varying,
                                            .control.n = 1,
                                            .control.map = (double[]){0.0, 1.0},
                                            .control.fn = varying_e,
                                            .nz = 1,
                                            .z = (double[]){0.4}});
  nsds_relation *relation = nsds_first_order_linear_relation(
      model, &(nsds_first_order_linear_relation_def){.ny = 1,
                                                     .nx = 2,
                                                     .nZ = 2,
                                                     .C_fn = varying,
                                                     .D_fn = varying_D,
                                                     .B_fn = varying,
                                                     .F_fn = varying,
                                                     .e_fn = varying_e,
                                                     .nz = 1,
                                                     .z = (double[]){-0.1}});
  nsds_connect(model, relation, nsds_relay(model, 1, (double[]){-1.0}, (double[]){1.0}), 1, &ds);
  return step_by(model, (nsds_time_stepping_def){.h = 0.02});
}

static void change_parameters(story *s) {
  nsds_ds *ds = nsds_ds_at(s->model, 0);
  STORY_READ(s, nsds_ds_set_z(ds, 1, (double[]){0.9}));
  STORY_READ(s, nsds_set_x(ds, (double[]){0.1, -0.1}));
  STORY_READ(s, nsds_set_r(ds, (double[]){0.1, 0.0}));
  STORY_READ(s, nsds_simulation_set_h(s->simulation, 0.01));
  STORY_READ(s,
             isnan(nsds_y(nsds_interaction_at(s->model, 0))[0]) ? nsds_error(s->context) : NSDS_OK);
  story_steps(s, nsds_step_count(s->simulation) + 5);
}
PLAY(play_varying, varying_circuit, change_parameters)

/* ---- rigid bodies: joints, forces and moments, projection ---- */

static nsds_simulation *four_bar(nsds_model *model) {
  static four_bar_scene scene;
  scene_four_bar(model, &scene);
  return step_by(
      model, (nsds_time_stepping_def){.h = 2e-3, .projection = {.kind = NSDS_PROJECTION_DIRECT}});
}
PLAY(play_four_bar, four_bar, NULL)

static nsds_simulation *pendulum(nsds_model *model) {
  scene_double_pendulum(model);
  return step_by(
      model, (nsds_time_stepping_def){.h = 5e-3, .projection = {.kind = NSDS_PROJECTION_COMBINED}});
}
PLAY(play_pendulum, pendulum, NULL)

static nsds_simulation *slider_crank(nsds_model *model) {
  scene_slider_crank(model);
  return step_by(
      model, (nsds_time_stepping_def){.h = 1e-5, .projection = {.kind = NSDS_PROJECTION_DIRECT}});
}
PLAY(play_slider_crank, slider_crank, NULL)

static const double inertia[9] = {0.03, 0.005, -0.002, 0.005, 0.05, 0.01, -0.002, 0.01, 0.04};

static int drag(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  for (int k = 0; k < 3; ++k) out[k] = -0.2 * in->v[k] * in->z[0] + 0.1 * in->q[k];
  out[2] -= 9.81;
  return 0;
}

static int drag_q(const nsds_arguments *in, double *out, void *user) {
  (void)in, (void)user;
  for (int k = 0; k < 3; ++k) out[k + 3 * k] = 0.1;
  return 0;
}

static int drag_v(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  for (int k = 0; k < 3; ++k) out[k + 3 * k] = -0.2 * in->z[0];
  return 0;
}

static int damp(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  for (int k = 0; k < 3; ++k) out[k] = -0.01 * in->v[3 + k];
  return 0;
}

static int damp_v(const nsds_arguments *in, double *out, void *user) {
  (void)in, (void)user;
  for (int k = 0; k < 3; ++k) out[k + 3 * (3 + k)] = -0.01;
  return 0;
}

/* An edge of the body against the floor. */
static int corner(const nsds_arguments *in, nsds_body_contact *contact, void *user) {
  const double own[3] = {0.1, 0.0, -0.1};
  (void)user;
  nsds_to_world(in->q, own, contact->point);
  for (int k = 0; k < 3; ++k) contact->point[k] += in->q[k];
  contact->gap = contact->point[2];
  contact->normal[2] = 1.0;
  return 0;
}

static int turn(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = 0.5 + in->t;
  return 0;
}

static nsds_simulation *spinning(nsds_model *model) {
  nsds_ds *ds[2];
  for (int k = 0; k < 2; ++k)
    ds[k] = nsds_rigid_body(model,
                            &(nsds_rigid_body_def){.mass = 1.0,
                                                   .inertia = inertia,
                                                   .q0 = (double[]){0.4 * k, 0, 0.12, 1, 0, 0, 0},
                                                   .v0 = (double[]){0, 0, -1, 1, 2, k ? 0.5 : 5.0},
                                                   .force.fn = drag,
                                                   .force.jac_q_fn = drag_q,
                                                   .force.jac_v_fn = drag_v,
                                                   .moment.fn = damp,
                                                   .moment.jac_q_fn = nsds_zero,
                                                   .moment.jac_v_fn = damp_v,
                                                   .moment.in_world = k == 1,
                                                   .explicit_gyroscopic = k == 1,
                                                   .prescribed.n = k == 0,
                                                   .prescribed.index = k == 0 ? (int[]){5} : NULL,
                                                   .prescribed.fn = k == 0 ? turn : NULL,
                                                   .nz = 1,
                                                   .z = (double[]){1.0}});
  nsds_relation *floor =
      nsds_contact_relation(model, &(nsds_contact_relation_def){.rows = 3, .contact_fn = corner});
  nsds_law *law = nsds_fremond_impact_friction(
      model, &(nsds_fremond_impact_friction_def){.mu = 0.3, .e_n = 0.5});
  for (int k = 0; k < 2; ++k) nsds_connect(model, floor, law, 1, &ds[k]);
  return step_by(model, (nsds_time_stepping_def){.h = 5e-3});
}
PLAY(play_spinning, spinning, NULL)

/* ---- what a program does between steps ---- */

static void build_ball(story *s) {
  scene_bouncing_ball(s->model, 1.0, 0.1, 0.105, 0.9);
  nsds_ds *disc = nsds_rigid_body_2d(
      s->model,
      &(nsds_rigid_body_2d_def){
          .mass = 1.0, .inertia = 0.005, .q0 = (double[]){0, 0.15, 0}, .gravity = {0, -9.81}});
  (void)disc;
  s->simulation = step_by(s->model, (nsds_time_stepping_def){.h = 5e-3});
}

/* Each thing made alone, in a model that goes on: what could not be made leaves no trace. */
static void tell_additions(story *s) {
  nsds_ds *ds = NULL;
  nsds_relation *gap = NULL;
  nsds_law *law = NULL;
  nsds_interaction *floor = NULL;
  story_build(s, build_ball);
  story_steps(s, 4);
  STORY_READ(s, story_made(s, ds = bent(s->model)));
  STORY_READ(s, story_made(s, gap = nsds_lagrangian_linear_relation(
                                  s->model, &(nsds_lagrangian_linear_relation_def){
                                                .ny = 2,
                                                .nq = 2,
                                                .H = (double[]){1.0, 0.0, 0.0, 1.0},
                                                .b = (double[]){0.01, 0.01}})));
  STORY_READ(s, story_made(s, law = nsds_newton_impact(s->model, 0.5)));
  STORY_READ(s, story_made(s, floor = nsds_connect(s->model, gap, law, 1, &ds)));
  STORY_READ(s, nsds_interaction_set_name(floor, "late"));
  STORY_READ(s, nsds_interaction_set_z(floor, 1, (double[]){0.0}));
  story_steps(s, 7);
  STORY_READ(s, nsds_set_state(ds, (double[]){0.01, 0.02}, NULL));
  STORY_READ(s, nsds_interaction_set_z(floor, 1, (double[]){1.0}));
  STORY_READ(s, isnan(nsds_y(floor)[0]) ? nsds_error(s->context) : NSDS_OK);
  STORY(s, nsds_simulation_set_solver(s->simulation, "lemke", 1e-9));
  story_steps(s, 9);
  STORY(s, nsds_solver_set(nsds_simulation_solver(s->simulation), "max_iterations", 50));
  STORY_READ(s, nsds_disconnect(floor));
  STORY(s, nsds_relation_destroy(gap));
  story_steps(s, 11);
  nsds_ds *guest = NULL;
  STORY_READ(s,
             story_made(s, guest = nsds_rigid_body_2d(
                               s->model, &(nsds_rigid_body_2d_def){.mass = 1.0, .inertia = 0.1})));
  STORY_READ(s, nsds_set_body_force(guest, (double[]){1.0, 0.0}, NULL, NSDS_FRAME_BODY));
  story_steps(s, 12);
  STORY(s, nsds_ds_destroy(guest));
  story_steps(s, 14);
  double error = 0.0;
  STORY_READ(
      s, ((void)(error = nsds_simulation_velocity_error(s->simulation)), nsds_error(s->context)));
  story_mark_doubles(s, &error, isnan(error) ? 0 : 1);
}

/* Operators with data of their own. */
static int weigh(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = -in->z[0];
  return 0;
}

static void build_own_data(story *s) {
  const nsds_operator_data data = {.function = weigh, .nz = 1, .z = (double[]){9.0}};
  nsds_ds *ds =
      nsds_lagrangian_linear(s->model, &(nsds_lagrangian_linear_def){.ndof = 1,
                                                                     .q0 = (double[]){0.01},
                                                                     .mass = (double[]){1.0},
                                                                     .fext_fn = weigh,
                                                                     .ndata = 1,
                                                                     .data = &data});
  nsds_relation *gap = nsds_lagrangian_linear_relation(
      s->model, &(nsds_lagrangian_linear_relation_def){.ny = 1, .nq = 1, .H = (double[]){1.0}});
  nsds_connect(s->model, gap, nsds_newton_impact(s->model, 0.5), 1, &ds);
  s->simulation = step_by(s->model, (nsds_time_stepping_def){.h = 5e-3});
}

static void tell_own_data(story *s) {
  story_build(s, build_own_data);
  story_steps(s, 10);
  STORY(s, nsds_ds_set_operator_z(nsds_ds_at(s->model, 0), weigh, 1, (double[]){12.0}));
  story_steps(s, 20);
}

/* ---- stages, saved states, snapshots ---- */

static void build_bent(story *s) { s->simulation = halved(s->model); }

/* Of the first problem of the step, into z. */
static void solve_and_give_up(story *s, double *z) {
  STORY(s, nsds_step_begin(s->simulation));
  STORY(s, nsds_step_solve(s->simulation));
  if (s->over) return;
  int n = nsds_simulation_problem(s->simulation)->n;
  if (n > 0) memcpy(z, nsds_simulation_solution(s->simulation), (size_t)n * sizeof *z);
  STORY(s, nsds_step_reject(s->simulation));
}

static void one_step_in_stages(story *s, const double *z) {
  STORY(s, nsds_step_begin(s->simulation));
  do {
    if (z) STORY(s, nsds_step_take(s->simulation, z));
    else STORY(s, nsds_step_solve(s->simulation));
    z = NULL;
    STORY(s, nsds_step_update(s->simulation));
  } while (!s->over && s->status == NSDS_AGAIN);
  STORY(s, nsds_step_accept(s->simulation));
  story_mark_state(s);
}

static void tell_stages(story *s) {
  story_build(s, build_bent);
  for (int k = 0; k < 8 && !s->over; ++k) {
    double z[8];
    solve_and_give_up(s, z);
    one_step_in_stages(s, k % 2 ? z : NULL);
  }
}

static void tell_saved(story *s) {
  char path[64];
  snprintf(path, sizeof path, "scenario_%ld.nsds", (long)getpid());
  story_build(s, build_bent);
  story_steps(s, 3);
  STORY(s, nsds_simulation_save(s->simulation));
  STORY(s, nsds_snapshot_save(s->simulation, path));
  story_steps(s, 6);
  STORY_READ(s, nsds_simulation_restore(s->simulation));
  story_mark_state(s);
  story_steps(s, 5);
  STORY_READ(s, nsds_snapshot_load(s->simulation, path));
  story_mark_state(s);
  story_steps(s, 6);
  remove(path);
}

/* ---- samplers, user events, check_solver ---- */

static int sample(nsds_simulation *simulation, void *user) {
  (void)simulation;
  nsds_ds *ds = user;
  return nsds_ds_set_z(ds, 1, (double[]){8.0 + nsds_q(ds)[0]}) != NSDS_OK;
}

static int stroke(nsds_simulation *simulation, void *user) {
  (void)simulation;
  return nsds_set_state(user, NULL, (double[]){-0.3}) != NSDS_OK;
}

static nsds_verdict agree(nsds_simulation *simulation, const nsds_solver_info *info, void *user) {
  (void)simulation, (void)info, (void)user;
  return NSDS_CONTINUE;
}

static int told_progress(int iteration, double residual, void *user) {
  (void)iteration, (void)residual, (void)user;
  return 0;
}

static int weighed(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = -in->z[0];
  return 0;
}

static nsds_simulation *sampled(nsds_model *model) {
  nsds_ds *ds = nsds_lagrangian_linear(model, &(nsds_lagrangian_linear_def){.ndof = 1,
                                                                            .q0 = (double[]){0.01},
                                                                            .mass = (double[]){1.0},
                                                                            .fext_fn = weighed,
                                                                            .nz = 1,
                                                                            .z = (double[]){8.0}});
  nsds_relation *gap = nsds_lagrangian_linear_relation(
      model, &(nsds_lagrangian_linear_relation_def){.ny = 1, .nq = 1, .H = (double[]){1.0}});
  nsds_connect(model, gap, nsds_newton_impact(model, 0.5), 1, &ds);
  nsds_simulation *s =
      step_by(model, (nsds_time_stepping_def){.h = 5e-3, .solver = "nsgs", .check_solver = agree});
  nsds_simulation_sample(
      s, &(nsds_sampler_def){.period = 0.012, .phase = 0.003, .sample = sample, .user = ds});
  nsds_simulation_at(s, &(nsds_event_def){.time = 0.0204, .call = stroke, .user = ds});
  if (s) nsds_solver_set_progress(nsds_simulation_solver(s), told_progress, NULL);
  return s;
}
PLAY(play_sampled, sampled, NULL)

#define STEPS(title, ahead, count, symbol)                                                         \
  { .name = title, .tell = scenario_play, .self = &symbol, .skipped = ahead, .steps = count }
const scenario scenarios_stepping[] = {
    STEPS("schatzman_paoli", 0, 25, play_schatzman_paoli),
    STEPS("d1_minus", 0, 10, play_d1_minus),
    STEPS("rattle", 0, 10, play_rattle),
    STEPS("halved", 0, 10, play_halved),
    STEPS("in_parts", 0, 5, play_in_parts),
    STEPS("cylinder", 0, 8, play_cylinder),
    STEPS("varying", 0, 15, play_varying),
    STEPS("four_bar", 0, 6, play_four_bar),
    STEPS("pendulum_combined", 0, 6, play_pendulum),
    STEPS("slider_crank", 0, 8, play_slider_crank),
    STEPS("spinning", 0, 6, play_spinning),
    {.name = "sampled",
     .tell = scenario_play,
     .self = &play_sampled,
     .steps = 40,
     .eventful = true},
    {.name = "additions", .tell = tell_additions},
    {.name = "own_data", .tell = tell_own_data},
    {.name = "stages", .tell = tell_stages},
    {.name = "saved", .tell = tell_saved},
    {.name = NULL},
};
