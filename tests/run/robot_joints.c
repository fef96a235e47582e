/*
 * Robots of examples/robots in joint coordinates: they stand as in maximal coordinates, with small
 * problems solved from the impulses of the last step.
 */
#include "run_test.h"

#include <nsds/simulation.h>
#include <stdlib.h>

typedef struct written {
  size_t size;
  char text[200000];
} written;

static void keep(const char *piece, void *user) {
  written *w = user;
  size_t size = strlen(piece);
  assert_true(w->size + size < sizeof w->text);
  memcpy(w->text + w->size, piece, size + 1);
  w->size += size;
}

/* The model file of a robot in a keyframe, in the coordinates that are wanted. */
static nsds_job *stand(nsds_context *context, const char *robot, const char *keyframe, bool joint) {
  static written w;
  char path[400];
  const nsds_job_setting setting[] = {{"t1", "0.5"}, {"keyframe", keyframe}};
  static const char own[] = "coordinates: joint", maximal[] = "coordinates: maximal";
  snprintf(path, sizeof path, NSDS_TEST_SOURCE "/examples/robots/%s", robot);
  nsds_job *job =
      nsds_job_create(context, &(nsds_job_def){.file = path, .nsettings = 2, .settings = setting});
  if (!job) fail_msg("%s", nsds_error_message(context));
  w.size = 0;
  assert_int_equal(nsds_job_import(job, keep, &w), NSDS_OK);
  nsds_job_destroy(job);
  char *at = strstr(w.text, own);
  assert_non_null(at);
  if (!joint) {
    memmove(at + strlen(maximal), at + strlen(own), strlen(at + strlen(own)) + 1);
    memcpy(at, maximal, strlen(maximal));
  }
  job = nsds_job_create(context, &(nsds_job_def){.file = "robot.yaml",
                                                 .text = w.text,
                                                 .kind = NSDS_JOB_MODEL_FILE,
                                                 .nsettings = 1,
                                                 .settings = setting});
  if (!job) fail_msg("%s", nsds_error_message(context));
  return job;
}

/* Newton's method did not end where dampers of a humanoid came to rest. */
static void a_humanoid_stands(void **state) {
  (void)state;
  double height[2];
  for (int joint = 0; joint < 2; ++joint) {
    nsds_context *context = nsds_context_create(NULL);
    nsds_job *job = stand(context, "humanoid.xml", "crouch", joint);
    nsds_simulation *simulation = nsds_job_simulation(job);
    nsds_status status;
    int steps = 0, by_newton = 0;
    while (steps < (joint ? 250 : 100) && (status = nsds_step(simulation)) == NSDS_OK) {
      const nsds_solver_info *info = &nsds_simulation_info(simulation)->solver;
      by_newton += info->solver && strcmp(info->solver, "nonsmooth_newton") == 0;
      assert_true(info->residual <= 1e-10);
      ++steps;
      if (steps == 100) height[joint] = nsds_q(nsds_ds_at(nsds_job_model(job), 0))[2];
    }
    if (status < 0) fail_msg("%s", nsds_error_message(context));
    if (joint) assert_true(by_newton > 240);
    nsds_job_destroy(job);
    nsds_context_destroy(context);
  }
  assert_close("height", height[1], height[0], 1e-3);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_humanoid_stands)};
  return cmocka_run_group_tests_name("run.robot_joints", tests, NULL, NULL);
}
