/*
 * SIGKILL at random moments, while a snapshot is saved again and again and while a run saves one every
 * step. Another process goes on from the file, and ends with the bytes of a run that nobody disturbed.
 *
 *   reliability_kills [--all]
 */
#include "support.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const char file_saved[] = "kills_saved.nsds", file_end[] = "kills_end.nsds";
enum { bodies = 12, steps = 60 };

/* ---- the run: bodies that fall on each other, under a sampled wind ---- */

static int wind(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  out[0] = in->z[0] - 9.81;
  return 0;
}

static int sample(nsds_simulation *simulation, void *user) {
  (void)simulation;
  nsds_ds *ds = user;
  return nsds_ds_set_z(ds, 1, (double[]){sin(20.0 * nsds_q(ds)[0])}) != NSDS_OK;
}

typedef struct falling {
  nsds_model *model;
  nsds_simulation *simulation;
} falling;

static falling make_falling(void) {
  falling f = {nsds_model_create(NULL), NULL};
  nsds_ds *ds[bodies];
  nsds_relation *floor = nsds_lagrangian_linear_relation(
      f.model, &(nsds_lagrangian_linear_relation_def){.ny = 1, .nq = 1, .H = (double[]){1.0}});
  nsds_relation *pair = nsds_lagrangian_linear_relation(
      f.model,
      &(nsds_lagrangian_linear_relation_def){.ny = 1, .nq = 2, .H = (double[]){-1.0, 1.0}});
  nsds_law *law = nsds_newton_impact(f.model, 0.6);
  for (int k = 0; k < bodies; ++k) {
    const double q0 = 0.02 * (k + 1), v0 = 0.05 * (k % 3), mass = 1.0 + 0.1 * k, z = 0.0;
    ds[k] = nsds_lagrangian_linear(
        f.model,
        &(nsds_lagrangian_linear_def){
            .ndof = 1, .q0 = &q0, .v0 = &v0, .mass = &mass, .fext_fn = wind, .nz = 1, .z = &z});
    if (k == 0) nsds_connect(f.model, floor, law, 1, ds);
    else nsds_connect(f.model, pair, law, 2, &ds[k - 1]);
  }
  f.simulation = nsds_time_stepping(f.model, &(nsds_time_stepping_def){.t1 = 10.0, .h = 5e-3});
  nsds_simulation_sample(
      f.simulation,
      &(nsds_sampler_def){.period = 0.02, .phase = 0.007, .sample = sample, .user = ds[0]});
  return f;
}

static nsds_status step_to(falling f, long count, bool saves) {
  nsds_status status = NSDS_OK;
  while (!status && nsds_step_count(f.simulation) < count) {
    status = nsds_step(f.simulation);
    if (!status && saves) status = nsds_snapshot_save(f.simulation, file_saved);
  }
  return status;
}

/* ---- processes ---- */

/* Runs, and saves every step. */
static void child_running(void) {
  falling f = make_falling();
  nsds_status status = step_to(f, steps, true);
  nsds_model_destroy(f.model);
  exit(status != NSDS_OK);
}

/* Saves the same state until it is killed. */
static void child_saving(void) {
  falling f = make_falling();
  nsds_status status = step_to(f, steps / 2, false);
  while (!status) status = nsds_snapshot_save(f.simulation, file_saved);
  exit(1);
}

/* Goes on from the file, where there is one, to the end. */
static void child_resuming(void) {
  falling f = make_falling();
  nsds_status status = NSDS_OK;
  if (access(file_saved, F_OK) == 0) status = nsds_snapshot_load(f.simulation, file_saved);
  if (!status) status = step_to(f, steps, false);
  if (!status) status = nsds_snapshot_save(f.simulation, file_end);
  if (status) printf("resuming: %s\n", nsds_error_message(nsds_model_context(f.model)));
  nsds_model_destroy(f.model);
  exit(status != NSDS_OK);
}

static pid_t begin_child(void (*work)(void)) {
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) work();
  return child;
}

/* Whether the child was still there to be killed. */
static bool kill_after(pid_t child, double seconds) {
  int status = 0;
  nanosleep(&(struct timespec){(time_t)seconds, (long)(1e9 * (seconds - floor(seconds)))}, NULL);
  kill(child, SIGKILL);
  waitpid(child, &status, 0);
  return WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
}

static bool finish_child(pid_t child) {
  int status = 1;
  waitpid(child, &status, 0);
  return status == 0;
}

static bool same_end(const char *undisturbed, size_t size) {
  static char bytes[1 << 16];
  FILE *file = fopen(file_end, "rb");
  size_t count = file ? fread(bytes, 1, sizeof bytes, file) : 0;
  if (file) fclose(file);
  return count == size && memcmp(bytes, undisturbed, size) == 0;
}

static double seconds_of(void (*work)(void)) {
  struct timespec start, end;
  clock_gettime(CLOCK_MONOTONIC, &start);
  finish_child(begin_child(work));
  clock_gettime(CLOCK_MONOTONIC, &end);
  return (double)(end.tv_sec - start.tv_sec) + 1e-9 * (double)(end.tv_nsec - start.tv_nsec);
}

static struct { long kills, unresumed, other; } sum;

/* So many kills that have met the child alive. */
static void kill_often(void (*work)(void), double longest, int count, const char *undisturbed,
                       size_t size) {
  uint64_t seed = 11;
  for (int killed = 0, tried = 0; killed < count && tried < 20 * count; ++tried) {
    remove(file_saved);
    remove(file_end);
    if (!kill_after(begin_child(work), random_in(&seed, 0.0, longest))) continue;
    ++killed;
    ++sum.kills;
    if (!finish_child(begin_child(child_resuming))) ++sum.unresumed;
    else if (!same_end(undisturbed, size)) ++sum.other;
  }
}

int main(int argc, char **argv) {
  bool all = argc == 2 && strcmp(argv[1], "--all") == 0;
  if (argc > 1 && !all) {
    fprintf(stderr, "usage: %s [--all]\n", argv[0]);
    return 2;
  }
  static char undisturbed[1 << 16];
  remove(file_saved);
  double longest = seconds_of(child_running);
  remove(file_saved);
  finish_child(begin_child(child_resuming)); /* from the start: nobody disturbs it */
  FILE *file = fopen(file_end, "rb");
  size_t size = file ? fread(undisturbed, 1, sizeof undisturbed, file) : 0;
  if (file) fclose(file);
  int count = all ? 100 : 5;
  if (size > 0) {
    kill_often(child_running, longest, count, undisturbed, size);
    kill_often(child_saving, longest, count, undisturbed, size);
  }
  remove(file_saved);
  remove(file_end);
  remove("kills_saved.nsds.new");
  printf("kills: %ld while running and saving, %ld runs that did not go on, %ld with other bytes\n",
         sum.kills, sum.unresumed, sum.other);
  return sum.kills != 2 * count || sum.unresumed || sum.other;
}
