/*
 * Robots in the style of models that people have: classes of defaults, meshes, general actuators, keyframes, packages,
 * transmissions, joints that follow others. Each loads, tells what it leaves out, and holds its pose for a second.
 */
#include "run_test.h"

typedef struct style {
  const char *file, *name, *value; /* a setting beside the file */
  const char *more, *other;        /* another one; NULL: none */
  int columns;                     /* so many are compared: places and joints, no sensors */
  double moved;                    /* most of each [m, rad] */
  const char *told[9];             /* all that is told, in order */
} style;

static const style styles[] = {
    {.file = "quadruped_classes.xml",
     .name = "keyframe",
     .value = "home",
     .columns = 15,
     .moved = 0.05,
     .told = {"the margin of 0.001 m becomes a radius around the geom (13 times in the file)"}},
    {.file = "arm_meshes.xml",
     .name = "keyframe",
     .value = "home",
     .columns = 9,
     .moved = 0.02,
     .told = {NULL}},
    {.file = "leg_loop.xml",
     .name = "t1",
     .value = "0.05",
     .columns = 4,
     .moved = 0.1,
     .told = {NULL}},
    {.file = "ur_like.urdf",
     .name = "drive_stiffness",
     .value = "5000",
     .more = "drive_damping",
     .other = "200",
     .columns = 6,
     .moved = 0.02,
     .told = {"the mesh \"package://ur_like/meshes/visual/base.dae\" is not drawn",
              "the attribute xmlns:xacro of <robot>",
              "the attribute velocity of <limit> has no effect (6 times in the file)",
              "<safety_controller> has no effect (6 times in the file)",
              "<transmission> has no effect (6 times in the file)",
              "<gazebo> has no effect (2 times in the file)"}},
    {.file = "gripper_like.urdf",
     .name = "drive_stiffness",
     .value = "50",
     .more = "drive_damping",
     .other = "1",
     .columns = 6,
     .moved = 0.01,
     .told = {"the attribute velocity of <limit> has no effect (6 times in the file)"}},
    {.file = "base_like.urdf",
     .name = "drive_damping",
     .value = "1",
     .columns = 5,
     .moved = 1e-3,
     .told = {"the attribute velocity of <limit> has no effect (2 times in the file)",
              "<gazebo> has no effect"}}};

static void check_told(const nsds_job *job, const style *s) {
  int count = 0;
  while (count < 9 && s->told[count]) ++count;
  for (int k = 0; k < nsds_job_warning_count(job) || k < count; ++k) {
    const char *found = nsds_job_warning(job, k);
    if (!found || k >= count || !strstr(found, s->told[k]))
      fail_msg("%s: \"%s\" is told; expected: \"%s\"", s->file, found ? found : "",
               k < count ? s->told[k] : "");
  }
}

static void check_style(const style *s) {
  char path[300];
  const nsds_job_setting settings[] = {{s->name, s->value}, {s->more, s->other}};
  double start[64];
  snprintf(path, sizeof path, NSDS_TEST_SOURCE "/tests/run/robot_styles/%s", s->file);
  nsds_context *context = nsds_context_create(NULL);
  nsds_job *job = nsds_job_create(context, &(nsds_job_def){.file = path,
                                                           .nsettings = s->more ? 2 : 1,
                                                           .settings = settings,
                                                           .untrusted = true});
  if (!job) fail_msg("%s", nsds_error_message(context));
  check_told(job, s);
  memcpy(start, nsds_job_row(job), (size_t)(s->columns + 1) * sizeof *start);
  nsds_status status = NSDS_OK;
  while (status == NSDS_OK) status = nsds_job_step(job);
  if (status != NSDS_END) fail_msg("%s: %s", s->file, nsds_error_message(context));
  for (int k = 1; k <= s->columns; ++k)
    if (!(fabs(nsds_job_row(job)[k] - start[k]) <= s->moved))
      fail_msg("%s: %s goes from %g to %g", s->file, nsds_job_column_name(job, k), start[k],
               nsds_job_row(job)[k]);
  nsds_job_destroy(job);
  nsds_context_destroy(context);
}

static void robots_hold_their_pose(void **unused) {
  (void)unused;
  for (size_t k = 0; k < sizeof styles / sizeof *styles; ++k) check_style(&styles[k]);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(robots_hold_their_pose)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
