/*
 * The key `acts`, drives and couplers of model files: a file with every part moves like the same model in C.
 * Samplers set targets, the expansion runs alike, and wrong files say what is wrong.
 */
#include "../kernel/acting_arm.h"
#include "run_test.h"

static nsds_job *file_of(nsds_context *context, const char *words) {
  nsds_job *job = nsds_job_create(
      context, &(nsds_job_def){.file = "test.yaml", .text = words, .kind = NSDS_JOB_MODEL_FILE});
  if (!job) fail_msg("%s", nsds_error_message(context));
  return job;
}

static double column(const nsds_job *job, const char *name) {
  for (int k = 0; k < nsds_job_column_count(job); ++k)
    if (strcmp(nsds_job_column_name(job, k), name) == 0) return nsds_job_row(job)[k];
  fail_msg("there is no column %s", name);
  return NAN;
}

/* The machine of acting_arm.h. */
#define SOLID                                                                                      \
  "{type: rigid_body, mass: 1, inertia: {diagonal: [0.02, 0.03, 0.04]}, gravity: [0, 0, -9.81], "  \
  "q0: "
#define FLAT "{type: rigid_body_2d, mass: 1, inertia: 0.05, gravity: [0, -9.81], q0: "
static const char machine[] =
    "nsds: 1\nsystems:\n"
    "  b0: " SOLID "[0.25, 0, 0, 1, 0, 0, 0]}\n"
    "  b1: " SOLID "[0.75, 0, 0, 1, 0, 0, 0]}\n"
    "  b2: " SOLID "[1.25, 0, 0, 1, 0, 0, 0]}\n"
    "  b3: " SOLID "[1.75, 1, 0, 1, 0, 0, 0]}\n"
    "  b4: " SOLID "[2.25, 1, 0, 1, 0, 0, 0]}\n"
    "  b5: " FLAT "[0.5, 0, 0]}\n"
    "  b6: " FLAT "[1.5, 0, 0]}\n"
    "interactions:\n"
    "  shoulder:\n"
    "    systems: b0\n"
    "    relation: {type: hinge, axis: [0, -1, 0]}\n"
    "    acts: {stiffness: 30, damping: 0.5, friction: 0.2, armature: 0.1, lower: -0.4, upper: 3, "
    "restitution: 0.4}\n"
    "  elbow:\n"
    "    systems: [b1, b0]\n"
    "    relation: {type: hinge, point: [0.5, 0, 0], axis: [0, -1, 0.3]}\n"
    "    acts: {drive: {stiffness: 2e4, damping: 50, target: 0.7, most: 20}}\n"
    "  wrist:\n"
    "    systems: [b2, b1]\n"
    "    relation: {type: ball, point: [1, 0, 0]}\n"
    "    acts: {coordinate: swing, axis: [1, 0, 0], lower: 0, upper: 0.5, stiffness: 0.1}\n"
    "  slide:\n"
    "    systems: b3\n"
    "    relation: {type: prismatic, axis: [0, 0, 1]}\n"
    "    acts: {lower: -0.2, stop_stiffness: 500}\n"
    "  knee:\n"
    "    systems: [b6, b5]\n"
    "    relation: {type: hinge, point: [1, 0]}\n"
    "    acts: {friction: 0.1, upper: 9, drive: {damping: 3, rate: 4}}\n"
    "  hip: {systems: b5, relation: {type: hinge}}\n"
    "  wheel: {systems: b4, relation: {type: hinge, axis: [0, 1, 0]}}\n"
    "  rack:\n"
    "    systems: [b3, b4]\n"
    "    relation:\n"
    "      type: coupler\n"
    "      terms:\n"
    "        - {coordinate: displacement, of: 1, weight: 1, axis: [0, 0, 1]}\n"
    "        - {coordinate: angle, of: 2, weight: 0.1, axis: [0, 1, 0]}\n"
    "simulation: {%s}\n"
    "outputs: {columns: [elbow.angle, elbow.drive.lambda1, elbow.drive.angle, shoulder.rotor.q1, "
    "shoulder.lower.y1,"
    " wrist.upper.y1, slide.lower.lambda1, knee.drive.angular_velocity, rack.y1, "
    "elbow.drive.target, knee.angle]}\n";

static double joint_angle(const nsds_interaction *ia) {
  nsds_joint_motion motion;
  assert_int_equal(nsds_joint_read(ia, &motion), NSDS_OK);
  return motion.angle;
}

/* Interactions have another order, so that rounding differs. */
static void a_file_is_the_machine_in_c(void **state) {
  (void)state;
  static const char *const simulations[] = {
      "type: time_stepping, t1: 0.4, h: 2e-3, projection: {kind: direct}",
      "type: event_driven, t1: 0.4, output_period: 0.01"};
  for (int events = 0; events < 2; ++events) {
    char text[sizeof machine + 100];
    snprintf(text, sizeof text, machine, simulations[events]);
    nsds_context *context = nsds_context_create(NULL);
    nsds_job *job = file_of(context, text);
    job_to_the_end(context, job);
    nsds_model *m = nsds_model_create(context);
    acting_arm a = acting_make(m);
    nsds_simulation *s =
        events ? nsds_event_driven(m, &(nsds_event_driven_def){.t1 = 0.4, .output_period = 0.01})
               : nsds_time_stepping(
                     m, &(nsds_time_stepping_def){
                            .t1 = 0.4, .h = 2e-3, .projection.kind = NSDS_PROJECTION_DIRECT});
    assert_int_equal(nsds_run(s), NSDS_END);
    assert_close("elbow", column(job, "elbow.angle"), joint_angle(a.elbow.drive), 1e-7);
    assert_close("elbow again", column(job, "elbow.drive.angle"), joint_angle(a.elbow.drive), 1e-7);
    assert_close("target", column(job, "elbow.drive.target"), 0.7, 0.0);
    assert_close("rotor", column(job, "shoulder.rotor.q1"), nsds_q(a.shoulder.rotor)[0], 1e-7);
    assert_close("lower", column(job, "shoulder.lower.y1"), nsds_y(a.shoulder.lower)[0], 1e-7);
    assert_close("cone", column(job, "wrist.upper.y1"), nsds_y(a.wrist.upper)[0], 1e-6);
    assert_close("soft stop", column(job, "slide.lower.lambda1"), nsds_lambda(a.slide.lower)[0],
                 1e-4);
    assert_close("rack", column(job, "rack.y1"), 0.0, 1e-8);
    nsds_joint_motion knee;
    assert_int_equal(nsds_joint_read(a.knee.drive, &knee), NSDS_OK);
    assert_close("knee", column(job, "knee.drive.angular_velocity"), knee.angular_velocity, 1e-6);
    assert_close("knee", column(job, "knee.angle"), knee.angle, 1e-6);
    assert_null(a.slide.upper);
    nsds_job_destroy(job);
    nsds_model_destroy(m);
    nsds_context_destroy(context);
  }
}

/* A drive of a relation of its own, with a relay, whose target an event and a sampler set. */
static void samplers_set_targets(void **state) {
  (void)state;
  nsds_context *context = nsds_context_create(NULL);
  nsds_job *job = file_of(
      context,
      "nsds: 1\nsystems:\n"
      "  rotor: {type: rigid_body_2d, mass: 1, inertia: 0.1}\n"
      "interactions:\n"
      "  axle: {systems: rotor, relation: {type: hinge}}\n"
      "  motor: {systems: rotor, relation: {type: joint_drive, coordinate: angle, stiffness: 100, "
      "damping: 8},"
      " law: {type: relay, lower: -50, upper: 50}}\n"
      "samplers:\n  steer: {type: set, period: 0.1, set: {motor.target: \"t < 1 ? 7 : -2\"}}\n"
      "events:\n  - {time: 0.5, set: {motor.force: 3}}\n"
      "simulation: {type: time_stepping, t1: 3, h: 5e-3}\n"
      "outputs: {columns: [axle.angle, motor.target, motor.force, motor.lambda1]}\n"
      "measures:\n  most: {kind: max, of: axle.angle}\n  force: {kind: max, of: "
      "abs(motor.lambda1)}\n");
  job_to_the_end(context, job);
  assert_close("angle", column(job, "axle.angle"), -2.0 + 3.0 / 100.0, 1e-6);
  assert_close("target", column(job, "motor.target"), -2.0, 0.0);
  assert_close("force", column(job, "motor.force"), 3.0, 0.0);
  assert_close("most", measure_of(job, "most"), 6.6, 0.6);
  assert_close("largest force", measure_of(job, "force"), 50.0, 1e-9);
  nsds_job_destroy(job);
  nsds_context_destroy(context);
}

/* Universal and planar joints, and a screw of a cylindrical one: a nut of 2 kg on a lead of 0.1 m. */
static void other_joints_and_a_screw(void **state) {
  (void)state;
  nsds_context *context = nsds_context_create(NULL);
  nsds_job *job = file_of(
      context,
      "nsds: 1\nsystems:\n"
      "  nut: {type: rigid_body, mass: 2, inertia: [[0.01, 0, 0], [0, 0.01, 0], [0, 0, 0.01]], "
      "gravity: [0, 0, -9.81]}\n"
      "  puck: {type: rigid_body, mass: 2, inertia: [[0.01, 0, 0], [0, 0.01, 0], [0, 0, 0.01]],"
      " gravity: [0, 0, -9.81], v0: [1, 2, 0, 0, 0, 3]}\n"
      "  cross: {type: rigid_body, mass: 2, inertia: [[0.01, 0, 0], [0, 0.01, 0], [0, 0, 0.01]]}\n"
      "interactions:\n"
      "  guide: {systems: nut, relation: {type: cylindrical, axis: [0, 0, 1]}}\n"
      "  screw:\n    systems: nut\n    relation: {type: coupler, terms: ["
      "{coordinate: angle, of: 1, weight: 0.1/(2*pi), axis: [0, 0, 1]},"
      " {coordinate: displacement, of: 1, weight: -1, axis: [0, 0, 1]}]}\n"
      "  table: {systems: puck, relation: {type: planar, axis: [0, 0, 1]}}\n"
      "  gimbal:\n    systems: cross\n"
      "    relation: {type: universal, axis: [1, 0, 0], other_axis: [0, 1, 0]}\n"
      "    acts: {coordinate: first, drive: {force: 0.02}, upper: 10, stop_stiffness: 1}\n"
      "  yoke: {systems: cross, relation: {type: joint_drive, coordinate: second, axis: [1, 0, 0], "
      "other_axis: [0, 1, 0], force: -0.03}}\n"
      "simulation: {type: event_driven, t1: 0.5}\n"
      "outputs: {columns: [guide.velocity, guide.angle, guide.displacement, puck.q1, puck.q2, "
      "puck.q3, gimbal.drive.angle, yoke.angle]}\n");
  job_to_the_end(context, job);
  double pitch = 2.0 * 3.141592653589793 / 0.1, a = -2.0 * 9.81 / (2.0 + 0.01 * pitch * pitch);
  assert_close("velocity", column(job, "guide.velocity"), 0.5 * a, 1e-8);
  assert_close("angle", column(job, "guide.angle"), 0.125 * a * pitch, 1e-6);
  assert_close("displacement", column(job, "guide.displacement"), 0.125 * a, 1e-8);
  assert_close("puck", column(job, "puck.q1"), 0.5, 1e-8);
  assert_close("puck", column(job, "puck.q2"), 1.0, 1e-8);
  assert_close("puck", column(job, "puck.q3"), 0.0, 1e-8);
  assert_close("first", column(job, "gimbal.drive.angle"), 0.125 * 2.0, 1e-7);
  assert_close("second", column(job, "yoke.angle"), -0.125 * 3.0, 1e-7);
  nsds_job_destroy(job);
  nsds_context_destroy(context);
}

static void wrong_files_are_refused(void **state) {
  (void)state;
  static const struct {
    const char *edge, *words;
  } wrong[] = {
      {"{systems: a, relation: {type: ball}, acts: {friction: 1}}",
       "acts needs the key coordinate"},
      {"{systems: a, relation: {type: hinge, axis: [0, 0, 1]}, acts: {friction: -1}}", "friction"},
      {"{systems: a, relation: {type: hinge, axis: [0, 0, 1]}, acts: {lower: 2, upper: 1}}",
       "lower is 2"},
      {"{systems: a, relation: {type: hinge, axis: [0, 0, 1]}, acts: {drive: {stifness: 1}}}",
       "stifness"},
      {"{systems: [a, b, c], relation: {type: gear, axis: [0, 0, 1], teeth: [1, 2]}, acts: "
       "{coordinate: angle}}",
       "one or two bodies"},
      {"{systems: [a, b, c], relation: {type: joint_drive, coordinate: angle, axis: [0, 0, 1]}}",
       "takes at most 2 systems; there are 3"},
      {"{systems: a, relation: {type: coupler, terms: [{coordinate: angle, of: 2, weight: 1, axis: "
       "[0, 0, 1]}]}}",
       "of is 2"},
      {"{systems: a, relation: {type: coupler, terms: [{coordinate: angle, of: 1, weight: 0, axis: "
       "[0, 0, 1]}]}}",
       "weight of term 0 is 0"},
      {"{systems: a, law: {type: equality}, relation: {type: coupler, terms: [{coordinate: angle, "
       "of: 1, weight: 1,"
       " axis: [0, 0, 1]}]}}",
       "without the key law"},
      {"{systems: a, relation: {type: joint_coordinate, coordinate: swing, axis: [0, 0, 1]}}",
       "needs the key law"},
  };
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; ++k) {
    char text[1000];
    snprintf(text, sizeof text,
             "nsds: 1\nsystems:\n"
             "  a: {type: rigid_body, mass: 1, inertia: {diagonal: [1, 1, 1]}}\n"
             "  b: {type: rigid_body, mass: 1, inertia: {diagonal: [1, 1, 1]}}\n"
             "  c: {type: rigid_body, mass: 1, inertia: {diagonal: [1, 1, 1]}}\n"
             "interactions:\n  e: %s\n"
             "simulation: {type: time_stepping, t1: 1, h: 0.1}\n",
             wrong[k].edge);
    nsds_context *context = nsds_context_create(NULL);
    nsds_job *job = nsds_job_create(
        context, &(nsds_job_def){.file = "test.yaml", .text = text, .kind = NSDS_JOB_MODEL_FILE});
    if (job) fail_msg("%s is accepted", wrong[k].edge);
    const char *message = nsds_error_message(context);
    if (!strstr(message, wrong[k].words))
      fail_msg("\"%s\" does not contain \"%s\"", message, wrong[k].words);
    if (!strstr(message, "test.yaml:")) fail_msg("\"%s\" has no place", message);
    nsds_context_destroy(context);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_file_is_the_machine_in_c), cmocka_unit_test(samplers_set_targets),
      cmocka_unit_test(other_joints_and_a_screw), cmocka_unit_test(wrong_files_are_refused)};
  return cmocka_run_group_tests_name("run.acts", tests, NULL, NULL);
}
