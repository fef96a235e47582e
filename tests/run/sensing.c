/*
 * Sensors of model files: a box on the ground, an arm on a hinge, and the sensors that know their weight, height and
 * acceleration. Both drivers, measures, units, the expansion; what is refused.
 */
#include "run_test.h"

static const char scene[] =
    "nsds: 1\nsystems:\n"
    "  box: {type: rigid_body, mass: 2, inertia: {diagonal: [0.1, 0.2, 0.2]}, "
    "gravity: [0, 0, -9.81],\n"
    "        q0: [0, 0, 0.25, 1, 0, 0, 0], shapes: [{type: box, half: [0.5, 0.25, 0.25]}]}\n"
    "  arm: {type: rigid_body, mass: 1.5, inertia: {diagonal: [0.1, 0.1, 0.1]}, "
    "gravity: [0, 0, -9.81],\n"
    "        q0: [0.5, 3, 2, 1, 0, 0, 0]}\n"
    "interactions:\n"
    "  elbow: {systems: arm, relation: {type: hinge, axis: [0, 1, 0], point: [0, 3, 2]}}\n"
    "contacts:\n"
    "  ground: {type: shapes, materials: [{mu: 0.5}], "
    "scenery: [{type: half_space, normal: [0, 0, 1]}]}\n"
    "sensors:\n"
    "  imu: {type: imu, body: box, point: [0.1, 0, 0], quaternion: [1, 1, 0, 0]}\n"
    "  feet: {type: contact_force, body: box, contacts: ground}\n"
    "  eye: {type: range, contacts: ground, body: arm, axis: [0, 0, -1]}\n"
    "  bend: {type: joint, joint: elbow}\n"
    "  load: {type: joint_force, joint: elbow, body: arm, point: [-0.5, 0, 0], axes: body}\n"
    "  tip: {type: acceleration, body: arm, point: [0.5, 0, 0], axes: body}\n"
    "  hand: {type: motion, body: arm, point: [0.5, 0, 0]}\n"
    "  mark: {type: place, body: arm}\n"
    "simulation: {%s}\n"
    "outputs: {columns: [\"imu.value[1]\", \"feet.value[2]\", \"eye.value[0]\", "
    "\"bend.value[0]\", \"bend.value[1]\",\n  \"bend.value[2]\", \"load.value[0]\", "
    "\"load.value[2]\", \"tip.value[0]\", \"tip.value[2]\",\n  \"hand.value[4]\", "
    "\"mark.value[2]\", elbow.angle]}\n"
    "measures: {weight: {kind: mean, of: \"feet.value[2]\"}}\n";

static double value(const nsds_job *job, const char *name) {
  for (int k = 0; k < nsds_job_column_count(job); ++k)
    if (strcmp(nsds_job_column_name(job, k), name) == 0) return nsds_job_row(job)[k];
  fail_msg("there is no column %s", name);
  return NAN;
}

static nsds_job *job_of_text(nsds_context *context, const char *words) {
  return nsds_job_create(
      context, &(nsds_job_def){.file = "test.yaml", .text = words, .kind = NSDS_JOB_MODEL_FILE});
}

/* c'' = m g l cos c / (J + m l^2) of an arm that falls; the joint bears the rest. */
static void values_by_name(void **state) {
  (void)state;
  static const char *const drivers[] = {"type: time_stepping, t1: 0.4, h: 1e-4",
                                        "type: time_stepping, t1: 0.4, h: 1e-4, coordinates: joint",
                                        "type: event_driven, t1: 0.4, output_period: 0.1"};
  const double g = 9.81, m = 1.5, l = 0.5;
  for (size_t k = 0; k < sizeof drivers / sizeof *drivers; ++k) {
    char words[2500];
    snprintf(words, sizeof words, scene, drivers[k]);
    nsds_context *context = nsds_context_create(NULL);
    nsds_job *job = job_of_text(context, words);
    if (!job) fail_msg("%s", nsds_error_message(context));
    job_to_the_end(context, job);
    double c = value(job, "bend.value[0]"), w = value(job, "bend.value[1]");
    double second = m * g * l * cos(c) / (0.1 + m * l * l), slack = k < 2 ? 3e-2 : 1e-5;
    assert_close("imu", value(job, "imu.value[1]"), g, 1e-7); /* turned about the first axis */
    assert_close("feet", value(job, "feet.value[2]"), 2.0 * g, 1e-7);
    assert_close("weight", measure_of(job, "weight"), 2.0 * g, 1e-6);
    assert_close("eye", value(job, "eye.value[0]"), value(job, "mark.value[2]") / cos(c), 1e-9);
    assert_close("angle", c, value(job, "elbow.angle"), 0.0);
    assert_close("turning", w, value(job, "hand.value[4]"), 1e-12);
    assert_close("second", value(job, "bend.value[2]"), second, slack);
    assert_close("along", value(job, "load.value[0]"), -m * (l * w * w + g * sin(c)), 3.0 * slack);
    assert_close("across", value(job, "load.value[2]"), m * (g * cos(c) - l * second), slack);
    assert_close("tip along", value(job, "tip.value[0]"), -2.0 * l * w * w, slack);
    assert_close("tip across", value(job, "tip.value[2]"), -2.0 * l * second, slack);
    assert_string_equal(nsds_job_column_unit(job, 1), "m/s^2");
    assert_string_equal(nsds_job_column_unit(job, 2), "N");
    assert_string_equal(nsds_job_column_unit(job, 5), "rad/s");
    nsds_job_destroy(job);
    nsds_context_destroy(context);
  }
}

static void wrong_sensors_are_refused(void **state) {
  (void)state;
  static const struct {
    const char *sensor, *words;
  } wrong[] = {{"{type: imu, body: bix}", "there is no system \"bix\", did you mean \"box\"?"},
               {"{type: imu}", "needs the key body"},
               {"{type: compass, body: box}", "compass"},
               {"{type: imu, body: box, axes: world}", "axes"},
               {"{type: joint, joint: pin}", "coordinate"},
               {"{type: joint, joint: box}", "there is no interaction \"box\""},
               {"{type: range, contacts: ground}", "there is no contact set \"ground\""},
               {"{type: imu, body: box, point: [1, 2]}", "point"},
               {"{type: imu, body: mass}", "nsds_rigid_body"}};
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; ++k) {
    char words[1000];
    snprintf(words, sizeof words,
             "nsds: 1\nsystems:\n"
             "  box: {type: rigid_body, mass: 2, inertia: {diagonal: [1, 1, 1]}}\n"
             "  mass: {type: lagrangian_linear, ndof: 1, mass: [[1]]}\n"
             "interactions: {pin: {systems: box, relation: {type: ball}}}\n"
             "sensors:\n  s: %s\n"
             "simulation: {type: time_stepping, t1: 1, h: 0.1}\n",
             wrong[k].sensor);
    nsds_context *context = nsds_context_create(NULL);
    if (job_of_text(context, words)) fail_msg("%s is accepted", wrong[k].sensor);
    const char *message = nsds_error_message(context);
    if (!strstr(message, wrong[k].words) || !strstr(message, "test.yaml:"))
      fail_msg("\"%s\" does not contain \"%s\" and a place", message, wrong[k].words);
    nsds_context_destroy(context);
  }
}

static void unknown_values_name_the_known(void **state) {
  (void)state;
  char words[2500], *at;
  snprintf(words, sizeof words, scene, "type: time_stepping, t1: 0.1, h: 1e-3");
  at = strstr(words, "feet.value[2]");
  memcpy(at, "feet.value[6]", strlen("feet.value[6]"));
  nsds_context *context = nsds_context_create(NULL);
  assert_null(job_of_text(context, words));
  assert_non_null(strstr(nsds_error_message(context), "feet.value[0] to feet.value[5]"));
  nsds_context_destroy(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(values_by_name),
                                     cmocka_unit_test(wrong_sensors_are_refused),
                                     cmocka_unit_test(unknown_values_name_the_known)};
  return cmocka_run_group_tests_name("run.sensing", tests, NULL, NULL);
}
