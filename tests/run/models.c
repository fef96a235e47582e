/*
 * The model files of examples/models beside the same models made in C by examples/scenes: the same bits where
 * coefficients are numbers, matrices or functions of plugins; 1e-9 over 100 steps where they are expressions.
 */
#include "run_test.h"

#include <nsds/nsds.h>

#include "billiards.h"
#include "blocks.h"
#include "bodies.h"
#include "circuits.h"
#include "cradle.h"
#include "events.h"
#include "grains.h"
#include "hydraulics.h"
#include "linkages.h"
#include "mechanisms.h"
#include "scenes.h"
#include "smc.h"
#include "switched_circuits.h"
#include "switching.h"

/* A program's model and simulation. */
typedef nsds_simulation *(*twin_fn)(nsds_model *model);

/* ---- twins ---- */

static nsds_simulation *bouncing_ball(nsds_model *m) {
  scene_bouncing_ball(m, 1.0, 0.1, 1.0, 0.9);
  return nsds_time_stepping(
      m, &(nsds_time_stepping_def){
             .t1 = 10.0, .h = 0.005, .second_order = nsds_moreau_jean(0.5, 1.0)});
}

static nsds_simulation *bead_column(nsds_model *m) {
  static bead_scene scene;
  scene_bead_column(m, &scene, 10, 0.1, 1.0, 0.25, 0.9);
  return nsds_time_stepping(m, &(nsds_time_stepping_def){.t1 = 2.0, .h = 5e-4});
}

static nsds_simulation *bouncing_ball_events(nsds_model *m) {
  scene_room(m, 9.81, 1.0, 0.0, 0.0, 0.8);
  return nsds_event_driven(m, &(nsds_event_driven_def){.t1 = 5.0, .output_period = 0.01});
}

static nsds_simulation *bowling_ball(nsds_model *m) {
  scene_bowling_ball(m);
  return nsds_time_stepping(m, &(nsds_time_stepping_def){.t1 = 3.0, .h = 2e-3});
}

static nsds_simulation *rlcd(nsds_model *m) {
  scene_rlcd(m, 1e-2, 1e-6, 1e3, 10.0, 0.0);
  return nsds_time_stepping(
      m, &(nsds_time_stepping_def){.t1 = 5e-3, .h = 1e-5, .first_order = nsds_euler_moreau(0.5)});
}

static nsds_simulation *diode_bridge(nsds_model *m) {
  scene_diode_bridge(m, 1e-2, 1e-6, 1e3, 10.0);
  return nsds_time_stepping(
      m, &(nsds_time_stepping_def){
             .t1 = 5e-3, .h = 1e-6, .first_order = nsds_full_theta_gamma(0.5, 0.5)});
}

static nsds_simulation *diode_bridge_adaptive(nsds_model *m) {
  scene_diode_bridge(m, 1e-2, 1e-6, 1e3, 10.0);
  return nsds_adaptive(m, &(nsds_adaptive_def){.t1 = 5e-3, .tolerance = 1e-6});
}

static nsds_simulation *filtered_bridge(nsds_model *m) {
  scene_filtered_bridge(m, 1e-2, 1e-6, 1e3, 3e-7, 10.0);
  return nsds_time_stepping(m, &(nsds_time_stepping_def){.t1 = 5e-3, .h = 1e-6});
}

static nsds_simulation *relay_oscillator(nsds_model *m) {
  scene_relay_oscillator(m);
  return nsds_time_stepping(m, &(nsds_time_stepping_def){.t1 = 100.0, .h = 1e-2});
}

static nsds_simulation *filippov(nsds_model *m) {
  scene_filippov(m, 0.3, 0.7);
  return nsds_time_stepping(m, &(nsds_time_stepping_def){.t1 = 0.7, .h = 1e-4});
}

static nsds_simulation *filippov_events(nsds_model *m) {
  scene_filippov(m, 0.3, 0.7);
  return nsds_event_driven(m, &(nsds_event_driven_def){.t1 = 0.7, .output_period = 5e-3});
}

static nsds_simulation *twisting(nsds_model *m) {
  scene_twisting(m, 1.0, 0.5);
  return nsds_time_stepping(
      m, &(nsds_time_stepping_def){.t1 = 6.0, .h = 1e-3, .first_order = nsds_euler_moreau(1.0)});
}

static nsds_simulation *gene_network(nsds_model *m) {
  scene_gene_network(m, 0.2, 1.5);
  return nsds_time_stepping(m, &(nsds_time_stepping_def){.t1 = 1.5, .h = 1e-3});
}

static nsds_simulation *sample_and_hold(nsds_model *m) {
  scene_sample_and_hold(m);
  return nsds_time_stepping(
      m, &(nsds_time_stepping_def){.t1 = 0.02, .h = 2e-6, .first_order = nsds_euler_moreau(1.0)});
}

static int double_load(nsds_simulation *s, void *user) {
  (void)s;
  return nsds_ds_set_z(user, 1, (double[]){0.4}) ? -1 : 0;
}

static nsds_simulation *buck(nsds_model *m) {
  switched_scene scene = scene_buck_converter(m, 0.2);
  nsds_simulation *s = nsds_time_stepping(
      m, &(nsds_time_stepping_def){.t1 = 6e-3, .h = 5e-8, .first_order = nsds_euler_moreau(1.0)});
  nsds_simulation_at(s,
                     &(nsds_event_def){.time = 3e-3, .call = double_load, .user = scene.circuit});
  return s;
}

static nsds_simulation *smc(nsds_model *m) {
  static smc_scene scene;
  scene_smc(m, &scene, 1e-4, 1.0, 1e-2, smc_explicit_control);
  return scene.simulation;
}

static smc_scene implicit_scene; /* its controller is a model of its own */

static nsds_simulation *smc_implicit(nsds_model *m) {
  scene_smc(m, &implicit_scene, 1e-4, 1.0, 1e-2, smc_implicit_control);
  return implicit_scene.simulation;
}

static nsds_simulation *spinning_top(nsds_model *m) {
  scene_spinning_top(m);
  return nsds_time_stepping(m, &(nsds_time_stepping_def){.t1 = 1.4, .h = 5e-6});
}

static nsds_simulation *double_pendulum(nsds_model *m) {
  scene_double_pendulum(m);
  return nsds_time_stepping(m, &(nsds_time_stepping_def){.t1 = 5.0, .h = 5e-5});
}

static nsds_simulation *slider_crank(nsds_model *m) {
  scene_slider_crank(m);
  return nsds_time_stepping(
      m, &(nsds_time_stepping_def){
             .t1 = 0.1, .h = 5e-6, .projection = {.kind = NSDS_PROJECTION_DIRECT}});
}

static nsds_simulation *woodpecker(nsds_model *m) {
  scene_woodpecker(m);
  return nsds_event_driven(m, &(nsds_event_driven_def){.t1 = 1.0, .output_period = 5e-4});
}

static nsds_simulation *cam_follower(nsds_model *m) {
  scene_cam_forced(m, 358.0, CAM_FOLLOWER_PLUGIN);
  return nsds_time_stepping(m, &(nsds_time_stepping_def){.t1 = 2.0, .h = 1e-4});
}

static nsds_simulation *cam_fixed(nsds_model *m) {
  scene_cam_rheonomous(m, 358.0);
  return nsds_time_stepping(m, &(nsds_time_stepping_def){.t1 = 2.0, .h = 1e-4});
}

static cam_arcs_scene arcs;

static nsds_simulation *cam_events(nsds_model *m) {
  scene_cam_arcs(m, &arcs, 358.0);
  nsds_simulation *s =
      nsds_event_driven(m, &(nsds_event_driven_def){.t1 = 2.0, .output_period = 5e-4});
  scene_cam_turn(s, &arcs);
  return s;
}

static nsds_simulation *pendulum_events(nsds_model *m) {
  scene_string_pendulum(m, sqrt(4.0 * 9.81), 0.0);
  return nsds_event_driven(m, &(nsds_event_driven_def){.t1 = 6.0, .output_period = 0.005});
}

static nsds_simulation *rocking_block(nsds_model *m) {
  scene_rocking_block(m, 0.15, 0.0);
  return nsds_event_driven(m, &(nsds_event_driven_def){.t1 = 5.0, .output_period = 0.005});
}

static nsds_simulation *stick_slip(nsds_model *m) {
  static const belt_def belt = {4.0, 2.0, 0.3, 0.5, 0.5, 0.0};
  scene_belt(m, &belt);
  return nsds_event_driven(m, &(nsds_event_driven_def){.t1 = 20.0, .output_period = 0.01});
}

static nsds_simulation *newton_cradle(nsds_model *m) {
  scene_newton_cradle(m, CRADLE_DISTRIBUTING, 2, 0.06);
  return nsds_event_driven(
      m, &(nsds_event_driven_def){.t1 = 4.0, .output_period = 0.01, .largest_step = 2e-3});
}

static nsds_simulation *pendulum_slider(nsds_model *m) {
  scene_pendulum_slider(m);
  return nsds_time_stepping(m, &(nsds_time_stepping_def){.t1 = 1.0, .h = 1e-4});
}

static nsds_simulation *hydraulic_cylinder(nsds_model *m) {
  scene_cylinder(m);
  return nsds_time_stepping(m, &(nsds_time_stepping_def){.t1 = 4.0, .h = 2e-4});
}

static nsds_simulation *relay_valve(nsds_model *m) {
  scene_relay_valve(m);
  return nsds_time_stepping(m, &(nsds_time_stepping_def){.t1 = 2.6, .h = 2e-4});
}

static nsds_simulation *four_bar(nsds_model *m) {
  static four_bar_scene scene;
  scene_four_bar(m, &scene);
  return nsds_time_stepping(
      m, &(nsds_time_stepping_def){
             .t1 = 2.0 * 2.0 * 3.14159265358979323846 / scene.rate,
             .h = 1e-4,
             .projection = {.kind = NSDS_PROJECTION_DIRECT, .tolerance = 1e-12}});
}

static nsds_simulation *hanging_chain(nsds_model *m) {
  static hanging_scene scene;
  scene_hanging_chain(m, &scene, 24, 1.2);
  return nsds_time_stepping(m,
                            &(nsds_time_stepping_def){.t1 = 12.0,
                                                      .h = 2e-3,
                                                      .projection = {.kind = NSDS_PROJECTION_DIRECT,
                                                                     .tolerance = 1e-11}});
}

static nsds_verdict take(nsds_simulation *simulation, const nsds_solver_info *info, void *user) {
  (void)simulation, (void)info, (void)user;
  return NSDS_ACCEPT;
}

/* As examples/sphere_pile.c has it, which has no scene. */
static nsds_simulation *sphere_pile(nsds_model *m) {
  enum { n = 1000, edge = 10 };
  static nsds_ds *ball[n];
  const double J[9] = {[0] = 0.1, [4] = 0.1, [8] = 0.1}, pitch = 1.25, width = pitch * edge;
  for (int k = 0; k < n; ++k) {
    double q[7] = {[3] = 1.0};
    const int cell[3] = {k % edge, k / edge % edge, k / edge / edge};
    for (int i = 0; i < 3; ++i)
      q[i] = pitch * (cell[i] + 0.5) + 0.1 * sin(12.9898 * (3.0 * k + i) + 78.233 * i);
    ball[k] = nsds_rigid_body(
        m,
        &(nsds_rigid_body_def){.mass = 1.0, .inertia = J, .q0 = q, .gravity = {0.0, 0.0, -9.81}});
  }
  const nsds_plane box[] = {{{0, 0, 1}, 0.0},
                            {{1, 0, 0}, 0.0},
                            {{-1, 0, 0}, -width},
                            {{0, 1, 0}, 0.0},
                            {{0, -1, 0}, -width}};
  nsds_law *law = nsds_newton_impact_friction(m, &(nsds_newton_impact_friction_def){.mu = 0.5});
  nsds_spheres(m,
               &(nsds_spheres_def){
                   .law = law, .count = n, .ds = ball, .radius = 0.5, .nplane = 5, .plane = box});
  nsds_simulation *s = nsds_time_stepping(
      m, &(nsds_time_stepping_def){
             .t1 = 3.0, .h = 5e-3, .solver = "nsgs", .tolerance = 1e-4, .check_solver = take});
  nsds_solver_set(nsds_simulation_solver(s), "acceleration", 0.0);
  nsds_solver_set(nsds_simulation_solver(s), "max_iterations", 100);
  return s;
}

static nsds_simulation *rotating_drum(nsds_model *m) {
  static drum_scene scene;
  scene_drum(m, &scene, 400);
  nsds_simulation *s = nsds_time_stepping(
      m, &(nsds_time_stepping_def){
             .t1 = 6.0, .h = 2e-3, .solver = "nsgs", .tolerance = 1e-4, .check_solver = take});
  nsds_solver_set(nsds_simulation_solver(s), "acceleration", 0.0);
  nsds_solver_set(nsds_simulation_solver(s), "momentum", 15.0);
  nsds_solver_set(nsds_simulation_solver(s), "max_iterations", 100);
  return s;
}

static nsds_simulation *pool(nsds_model *m) {
  scene_billiards(m, 8.0, 0.01);
  return nsds_event_driven(m, &(nsds_event_driven_def){.t1 = 2.5, .output_period = 0.005});
}

static nsds_simulation *box_stack(nsds_model *m) {
  static blocks b;
  blocks_open(&b, m, 1, &(nsds_material){.mu = 0.5});
  blocks_stack(&b, 10, 0.12);
  return nsds_time_stepping(m, &(nsds_time_stepping_def){.t1 = 5.0, .h = 5e-3});
}

static nsds_simulation *dominoes(nsds_model *m) {
  static blocks b;
  blocks_open(&b, m, 1, &(nsds_material){.mu = 0.2});
  blocks_dominoes(&b, 24, 0.02, 6.0);
  return nsds_time_stepping(m, &(nsds_time_stepping_def){.t1 = 0.9, .h = 5e-4, .tolerance = 1e-6});
}

static nsds_simulation *arch(nsds_model *m) {
  static blocks b;
  blocks_open(&b, m, 3, (const nsds_material[]){{.mu = 1.0}, {.mu = 0.5}, {.mu = 0.25}});
  blocks_arch(&b, 13, 0.3, 0.0, 1);
  blocks_arch(&b, 13, 0.3, -1.0, 2);
  return nsds_time_stepping(m, &(nsds_time_stepping_def){.t1 = 1.2, .h = 2e-3, .tolerance = 1e-8});
}

/* ---- comparing ---- */

typedef struct twin {
  const char *file;
  twin_fn make;
  int steps;        /* compared */
  double tolerance; /* relative to the largest entry, or 1; 0: bits */
} twin;

static const twin twins[] = {
    {"bouncing_ball", bouncing_ball, 2000, 0.0},
    {"bead_column", bead_column, 4000, 0.0},
    {"bouncing_ball_events", bouncing_ball_events, 600, 0.0},
    {"bowling_ball", bowling_ball, 1500, 0.0},
    {"rlcd_circuit", rlcd, 500, 0.0},
    {"diode_bridge", diode_bridge, 5000, 0.0},
    {"diode_bridge_adaptive", diode_bridge_adaptive, 5000, 0.0},
    {"filtered_bridge", filtered_bridge, 5000, 0.0},
    {"relay_oscillator", relay_oscillator, 10000, 0.0},
    {"filippov", filippov, 7000, 0.0},
    {"filippov_events", filippov_events, 200, 0.0},
    {"twisting_control", twisting, 100, 1e-9},
    {"gene_network", gene_network, 1500, 1e-9},
    {"sample_and_hold", sample_and_hold, 10000, 1e-9},
    {"buck_converter", buck, 70000, 1e-9},
    {"sliding_mode_control", smc, 10000, 1e-9},
    {"sliding_mode_implicit", smc_implicit, 9999, 1e-9},
    {"spinning_top", spinning_top, 20000, 0.0},
    {"double_pendulum", double_pendulum, 20000, 0.0},
    {"slider_crank", slider_crank, 5000, 0.0},
    {"woodpecker", woodpecker, 2000, 0.0},
    {"cam_follower", cam_follower, 20000, 0.0},
    {"cam_follower_fixed", cam_fixed, 10000, 1e-9},
    {"cam_follower_events", cam_events, 1000, 1e-9},
    {"pendulum_events", pendulum_events, 1200, 1e-9},
    {"rocking_block", rocking_block, 1000, 1e-9},
    {"stick_slip", stick_slip, 2000, 1e-9},
    {"newton_cradle", newton_cradle, 100, 1e-9},
    {"pendulum_slider", pendulum_slider, 1000, 1e-9},
    {"hydraulic_cylinder", hydraulic_cylinder, 1000, 1e-9},
    {"relay_valve", relay_valve, 1000, 1e-9},
    {"four_bar", four_bar, 1000, 1e-9},
    {"hanging_chain", hanging_chain, 100, 1e-9},
    {"sphere_pile", sphere_pile, 30, 0.0},
    {"rotating_drum", rotating_drum, 60, 0.0},
    {"billiards", pool, 100, 0.0},
    {"dominoes", dominoes, 100, 1e-9},
    {"box_stack", box_stack, 200, 0.0},
    {"arch", arch, 100, 0.0},
};

static bool same(const double *a, const double *b, int n, double tolerance) {
  double scale = 0.0;
  if (!a || !b) return !a && !b;
  if (tolerance == 0.0) return memcmp(a, b, (size_t)n * sizeof *a) == 0;
  for (int k = 0; k < n; ++k) scale = fmax(scale, fabs(a[k]));
  for (int k = 0; k < n; ++k)
    if (!(fabs(a[k] - b[k]) <= tolerance * fmax(scale, 1.0))) return false;
  return true;
}

static void compare_models(const twin *t, const nsds_model *a, const nsds_model *b, double time) {
  assert_int_equal(nsds_ds_count(a), nsds_ds_count(b));
  assert_int_equal(nsds_interaction_count(a), nsds_interaction_count(b));
  for (int k = 0; k < nsds_ds_count(a); ++k) {
    const nsds_ds *x = nsds_ds_at(a, k), *y = nsds_ds_at(b, k);
    assert_int_equal(nsds_nq(x), nsds_nq(y));
    assert_int_equal(nsds_nx(x), nsds_nx(y));
    if (!same(nsds_q(x), nsds_q(y), nsds_nq(x), t->tolerance) ||
        !same(nsds_v(x), nsds_v(y), nsds_nv(x), t->tolerance) ||
        !same(nsds_x(x), nsds_x(y), nsds_nx(x), t->tolerance))
      fail_msg("%s: system %d differs at t = %.17g", t->file, k, time);
  }
  for (int k = 0; k < nsds_interaction_count(a); ++k) {
    const nsds_interaction *x = nsds_interaction_at(a, k), *y = nsds_interaction_at(b, k);
    assert_int_equal(nsds_interaction_size(x), nsds_interaction_size(y));
    if (nsds_is_active(x) != nsds_is_active(y))
      fail_msg("%s: interaction %d is active in one alone at t = %.17g", t->file, k, time);
    if (t->tolerance == 0.0 && !same(nsds_lambda(x), nsds_lambda(y), nsds_interaction_size(x), 0.0))
      fail_msg("%s: lambda %d differs at t = %.17g", t->file, k, time);
  }
}

/* As many contacts, and as many active ones; with the same bits the same ones in the same order. */
static void compare_contacts(const twin *t, const nsds_model *a, const nsds_model *b, double time) {
  nsds_contact_iterator x = nsds_model_contacts(a), y = nsds_model_contacts(b);
  nsds_contact_info c, d;
  int balance = 0;
  bool more, other;
  do {
    more = nsds_next_contact(&x, &c);
    other = nsds_next_contact(&y, &d);
    if (more && other) balance += (int)c.active - (int)d.active;
    bool moved = more && other && t->tolerance == 0.0 && (c.key != d.key || c.active != d.active);
    if (more != other || moved) fail_msg("%s: contacts differ at t = %.17g", t->file, time);
  } while (more && other);
  if (balance) fail_msg("%s: %d contacts more are active at t = %.17g", t->file, balance, time);
}

static char *read_text(const char *path) {
  FILE *f = fopen(path, "rb");
  if (!f) fail_msg("%s cannot be read", path);
  char *text = calloc(1, 1 << 20);
  size_t got = fread(text, 1, (1 << 20) - 1, f);
  fclose(f);
  assert_true(got > 0);
  return text;
}

static void compare_twin(const twin *t) {
  char path[512], name[512];
  snprintf(path, sizeof path, NSDS_TEST_SOURCE "/examples/models/%s.yaml", t->file);
  snprintf(name, sizeof name, "%s/%s.yaml", NSDS_TEST_PLUGINS, t->file);
  char *text = read_text(path);
  nsds_context *context = nsds_context_create(NULL), *other = nsds_context_create(NULL);
  nsds_job *job = nsds_job_create(
      context, &(nsds_job_def){.file = name, .text = text, .kind = NSDS_JOB_MODEL_FILE});
  if (!job) fail_msg("%s", nsds_error_message(context));
  nsds_model *model = nsds_model_create(other);
  nsds_simulation *s = t->make(model);
  if (!s) fail_msg("%s", nsds_error_message(other));
  nsds_status a = NSDS_OK, b = NSDS_OK;
  for (int k = 0; k < t->steps && a == NSDS_OK; ++k) {
    a = nsds_step(nsds_job_simulation(job));
    b = nsds_step(s);
    if (a < 0 || a != b)
      fail_msg("%s: step %d: %s | %s", t->file, k, nsds_error_message(context),
               nsds_error_message(other));
    if (nsds_time(s) != nsds_time(nsds_job_simulation(job)) && t->tolerance == 0.0)
      fail_msg("%s: times differ after step %d", t->file, k);
    compare_models(t, nsds_job_model(job), model, nsds_time(s));
    compare_contacts(t, nsds_job_model(job), model, nsds_time(s));
  }
  nsds_job_destroy(job);
  nsds_model_destroy(model);
  nsds_context_destroy(context);
  nsds_context_destroy(other);
  free(text);
}

/* The same comparison sees that a ball is not as elastic. */
static void differences_are_seen(void **state) {
  (void)state;
  nsds_context *context = nsds_context_create(NULL);
  nsds_job *job = nsds_job_create(
      context, &(nsds_job_def){.file = NSDS_TEST_SOURCE "/examples/models/bouncing_ball.yaml",
                               .nsettings = 1,
                               .settings = &(nsds_job_setting){"e", "0.90000000001"}});
  nsds_model *model = nsds_model_create(context);
  nsds_simulation *s = bouncing_ball(model);
  bool equal = true;
  for (int k = 0; k < 200; ++k) {
    nsds_step(s);
    nsds_step(nsds_job_simulation(job));
    equal = equal &&
            same(nsds_v(nsds_ds_at(model, 0)), nsds_v(nsds_ds_at(nsds_job_model(job), 0)), 1, 0.0);
  }
  assert_false(equal);
  nsds_job_destroy(job);
  nsds_model_destroy(model);
  nsds_context_destroy(context);
}

static void models_and_programs_agree(void **state) {
  (void)state;
  for (size_t k = 0; k < sizeof twins / sizeof *twins; ++k) {
    printf("%s\n", twins[k].file);
    fflush(stdout);
    compare_twin(&twins[k]);
  }
  smc_free(&implicit_scene);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(differences_are_seen),
                                     cmocka_unit_test(models_and_programs_agree)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
