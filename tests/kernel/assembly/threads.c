/*
 * Different models are independent: runs made at the same time in several threads give the bits of
 * runs made alone, and errors stay with their model. Meant for the thread sanitizer as well.
 */
#include "scenes.h"
#include "support.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { thread_count = 4 };

static int pendulum(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = in->z[0] * sin(in->q[0]);
  return 0;
}

static int pendulum_q(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = in->z[0] * cos(in->q[0]);
  return 0;
}

typedef struct job {
  int number;
  uint64_t hash;
  nsds_status status, wrong;
  char message[512], orphan[512];
} job;

/* No assertions in here: they belong to the main thread. */
static void *work(void *argument) {
  job *j = argument;
  bead_scene *scene = malloc(sizeof *scene);
  nsds_model *model = nsds_model_create(NULL);
  if (!scene || !model) return NULL;
  scene_bead_column(model, scene, 4 + 10 * (j->number % 2), 0.1, 0.5, 0.25, 0.8);
  nsds_lagrangian(model, &(nsds_lagrangian_def){.ndof = 1,
                                                .q0 = (double[]){1.0 + j->number},
                                                .mass = (double[]){1.0},
                                                .fint.fn = pendulum,
                                                .fint.jac_q_fn = pendulum_q,
                                                .fint.jac_v_fn = nsds_zero,
                                                .nz = 1,
                                                .z = (double[]){9.0 + j->number}});
  scene_cam_forced(model, 300.0 + 100.0 * j->number, NSDS_TEST_CAM_PLUGIN);
  nsds_simulation *simulation =
      nsds_time_stepping(model, &(nsds_time_stepping_def){.t1 = 0.5, .h = 1e-3});
  j->hash = 0;
  while ((j->status = nsds_step(simulation)) == NSDS_OK) j->hash = state_hash(model, j->hash);
  /* an error of this model, and one that has no model to go to */
  j->wrong = nsds_simulation_set_h(simulation, -1.0 - j->number);
  snprintf(j->message, sizeof j->message, "%s", nsds_error_message(nsds_model_context(model)));
  nsds_step(NULL);
  snprintf(j->orphan, sizeof j->orphan, "%s", nsds_error_message(NULL));
  nsds_model_destroy(model);
  free(scene);
  return NULL;
}

static void models_in_threads(void **state) {
  (void)state;
  job alone[thread_count] = {{0}}, together[thread_count] = {{0}};
  pthread_t thread[thread_count];
  for (int k = 0; k < thread_count; ++k) {
    alone[k].number = together[k].number = k;
    work(&alone[k]);
  }
  for (int k = 0; k < thread_count; ++k)
    assert_int_equal(pthread_create(&thread[k], NULL, work, &together[k]), 0);
  for (int k = 0; k < thread_count; ++k) assert_int_equal(pthread_join(thread[k], NULL), 0);
  for (int k = 0; k < thread_count; ++k) {
    assert_int_equal(alone[k].status, NSDS_END);
    assert_int_equal(together[k].status, NSDS_END);
    assert_true(alone[k].hash == together[k].hash);
    assert_int_equal(together[k].wrong, NSDS_ERROR_VALUE);
    char value[32];
    snprintf(value, sizeof value, "h is %d;", -1 - k);
    const char *words[] = {"nsds_simulation_set_h", value};
    assert_words(together[k].message, words, 2);
    const char *orphan[] = {"nsds_step", "simulation is NULL"};
    assert_words(together[k].orphan, orphan, 2);
    for (int i = 0; i < k; ++i) assert_true(alone[i].hash != alone[k].hash);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(models_in_threads),
  };
  return cmocka_run_group_tests_name("kernel.threads", tests, NULL, NULL);
}
