/*
 * Whole steps of spheres packed as a cubic lattice in a box, each a little off its place and
 * touching its neighbours, three contacts to a sphere; with one thread and with two in turns, and
 * the memory of the whole program by contacts.
 *
 *   pile_threads SPHERES SWEEPS ROUNDS
 *
 * prints contacts, KB per contact (largest resident set), then for each round the milliseconds of a
 * step by the wall clock with one thread and with two, and their ratio. Steps are detection,
 * assembly, so many sweeps by colours, certificates and motion.
 */
#include "bench.h"

#include "pile.h"

#include <nsds/nsds.h>
#include <sys/resource.h>

enum { settling = 3, steps = 5 };
static const double pitch = 0.99, play = 0.002, step_size = 1e-3;

static nsds_verdict take(nsds_simulation *s, const nsds_solver_info *info, void *user) {
  (void)s, (void)info, (void)user;
  return NSDS_ACCEPT;
}

static void create(nsds_model *model, int edge) {
  const double J[9] = {pile_inertia, 0, 0, 0, pile_inertia, 0, 0, 0, pile_inertia};
  const double width = pitch * (edge - 1) + 2.0 * pile_radius;
  const nsds_plane box[] = {
      {{0, 0, 1}, 0}, {{1, 0, 0}, 0}, {{-1, 0, 0}, -width}, {{0, 1, 0}, 0}, {{0, -1, 0}, -width}};
  int n = edge * edge * edge;
  nsds_ds **ds = (nsds_ds **)malloc((size_t)n * sizeof *ds);
  for (int k = 0; ds && k < n; ++k) {
    const int c[] = {k % edge, k / edge % edge, k / edge / edge};
    double q[7] = {0, 0, 0, 1, 0, 0, 0};
    for (int i = 0; i < 3; ++i)
      q[i] = pile_radius + pitch * c[i] + play * sin(1.0 + 7.0 * k + 3.0 * i);
    ds[k] = nsds_rigid_body(
        model, &(nsds_rigid_body_def){
                   .mass = 1.0, .inertia = J, .q0 = q, .gravity = {0, 0, -pile_gravity}});
  }
  nsds_spheres(model, &(nsds_spheres_def){
                          .law = nsds_newton_impact_friction(
                              model, &(nsds_newton_impact_friction_def){.mu = pile_friction}),
                          .count = n,
                          .ds = ds,
                          .radius = pile_radius,
                          .nplane = 5,
                          .plane = box});
  free(ds);
}

/* Milliseconds of a step. */
static double time_of(nsds_simulation *s, nsds_context *context, int threads) {
  if (nsds_context_set_threads(context, threads) || nsds_step(s)) return NAN;
  double start = bench_now();
  for (int k = 0; k < steps; ++k)
    if (nsds_step(s)) return NAN;
  return 1e3 * (bench_now() - start) / steps;
}

int main(int argc, char **argv) {
  int n = argc == 4 ? atoi(argv[1]) : 0, sweeps = n > 0 ? atoi(argv[2]) : 0;
  if (n < 1 || sweeps < 1) {
    fprintf(stderr, "usage: %s SPHERES SWEEPS ROUNDS\n", argv[0]);
    return 2;
  }
  nsds_model *model = nsds_model_create(NULL);
  nsds_context *context = nsds_model_context(model);
  create(model, (int)lround(cbrt(n)));
  nsds_simulation *s = nsds_time_stepping(
      model,
      &(nsds_time_stepping_def){
          .t1 = 1e9, .h = step_size, .solver = "nsgs", .tolerance = 1e-4, .check_solver = take});
  nsds_solver *solver = s ? nsds_simulation_solver(s) : NULL;
  bool sound = solver && !nsds_solver_set(solver, "max_iterations", sweeps) &&
               !nsds_solver_set(solver, "order", 4) && !nsds_solver_set(solver, "tolerance", 0.0);
  for (int k = 0; sound && k < settling; ++k) sound = nsds_step(s) == NSDS_OK;
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  int contacts = sound ? nsds_simulation_info(s)->active : 0;
  if (sound)
    printf("contacts %d\nmemory %.3g\n", contacts, (double)usage.ru_maxrss / (double)contacts);
  for (int round = 0; sound && round < atoi(argv[3]); ++round) {
    double one = time_of(s, context, 1), two = time_of(s, context, 2);
    sound = isfinite(one + two);
    printf("step %.4g %.4g %.3g\n", one, two, one / two);
  }
  if (!sound) fprintf(stderr, "%s\n", nsds_error_message(context));
  nsds_model_destroy(model);
  return !sound;
}
