/*
 * Friction problems of the pile (pile.h) as FCLIB files: of the steps at a quarter, a half and all
 * of the time in which it comes to rest, and of the fifth after.
 *
 *   pile_problem SPHERES FOLDER          FOLDER/pile-SPHERES-K.hdf5, K = 1 to 4; prints the
 * contacts
 */
#include "pile_scene.h"

enum { moments = 4 };

static double moment(int n, int k) {
  const double part[moments] = {0.25, 0.5, 1.0, 1.0};
  return part[k] * pile_rest(n) + (k == moments - 1 ? 5 * pile_h : 0.0);
}

/* The last solve before `t`. */
static nsds_status write_at(nsds_context *context, nsds_simulation *s, double t, const char *path) {
  nsds_status status = NSDS_OK;
  while (!status && nsds_time(s) < t - 0.5 * pile_h) status = nsds_step(s);
  const nsds_problem *problem = nsds_simulation_problem(s);
  if (!status) status = nsds_problem_write(context, problem, NULL, path, NSDS_FORMAT_FCLIB);
  if (!status) printf("%s: %d contacts\n", path, problem->nblock);
  return status;
}

int main(int argc, char **argv) {
  int n = argc == 3 ? atoi(argv[1]) : 0;
  if (n < 1) {
    fprintf(stderr, "usage: pile_problem SPHERES FOLDER\n");
    return 2;
  }
  nsds_model *model = nsds_model_create(NULL);
  pile_scene(model, n);
  nsds_simulation *s = nsds_time_stepping(
      model, &(nsds_time_stepping_def){
                 .t1 = 1e9, .h = pile_h, .tolerance = 1e-4, .check_solver = pile_take});
  nsds_status status = s ? NSDS_OK : NSDS_ERROR_STATE;
  if (s) pile_sweep(s, 40.0);
  for (int k = 0; !status && k < moments; ++k) {
    char path[512];
    snprintf(path, sizeof path, "%s/pile-%d-%d.hdf5", argv[2], n, k + 1);
    status = write_at(nsds_model_context(model), s, moment(n, k), path);
  }
  if (status) fprintf(stderr, "%s\n", nsds_error_message(nsds_model_context(model)));
  nsds_model_destroy(model);
  return status != NSDS_OK;
}
