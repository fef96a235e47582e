/*
 * A drum, a quarter full of spheres, turns slowly, w^2 R / g = 0.02. The bed is carried up as one
 * body and flows down in a thin layer along a plane surface: the rolling regime. Its slope is the
 * angle to the vertical of the line from the axis to the centre of mass, since a segment of a
 * circle is symmetric about it; the moment on the drum is on average that of the bed's weight.
 *
 *   rotating_drum [FILE.csv [N]]       (default: standard output, 400 spheres; 500 at most)
 *
 * Writes slope, moments and the drum's work with where it went over time; then, over the last three
 * quarters, the velocity up the slope by the distance from the axis; then where the spheres are in
 * the end, beside FILE.csv also a series for ParaView (points with velocities).
 */
#include "grains.h"
#include "output.h"
#include "progress.h"

#include <math.h>
#include <stdlib.h>

enum { most_sweeps = 100, steps_per_row = 10, steps_per_frame = 50, bins = 18 };

static const double h = 2e-3, end = 6.0, steady = 1.5, pi = 3.14159265358979323846;

static drum_scene drum;

static nsds_verdict take(nsds_simulation *simulation, const nsds_solver_info *info, void *user) {
  (void)simulation, (void)info, (void)user;
  return NSDS_ACCEPT;
}

/* Velocities up the slope at the middle of the bed, by the distance from the axis. */
typedef struct profile {
  double sum[bins];
  long count[bins];
} profile;

static void profile_add(profile *p, double angle) {
  for (int k = 0; k < drum.count; ++k) {
    const double *q = nsds_q(drum.ball[k]), *v = nsds_v(drum.ball[k]);
    double depth = q[0] * sin(angle) - q[2] * cos(angle);
    int bin = (int)(bins * depth / drum.inner);
    bool middle = fabs(q[0] * cos(angle) + q[2] * sin(angle)) < 0.2 * drum.inner;
    if (!middle || depth < 0.0 || bin >= bins) continue;
    p->sum[bin] += v[0] * cos(angle) + v[2] * sin(angle);
    ++p->count[bin];
  }
}

static void write_end(FILE *out, const profile *p) {
  fprintf(out, "\n\nfrom the axis [m],up the slope [m/s],as the drum [m/s]\n");
  for (int k = 0; k < bins; ++k) {
    double depth = (k + 0.5) * drum.inner / bins;
    if (p->count[k]) /* NaN would say no more than a row that is not there */
      fprintf(out, "%.6g,%.6g,%.6g\n", depth, p->sum[k] / (double)p->count[k], drum.rate * depth);
  }
  fprintf(out, "\n\nx [m],y [m],z [m],radius [m],speed [m/s]\n");
  for (int k = 0; k < drum.count; ++k) {
    const double *q = nsds_q(drum.ball[k]), *v = nsds_v(drum.ball[k]);
    fprintf(out, "%.6g,%.6g,%.6g,%.6g,%.6g\n", q[0], q[1], q[2], drum.radius[k],
            sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]));
  }
}

/* Sums over all steps so far, and the work at the last row. */
typedef struct account {
  drum_balance sum;
  double work;
} account;

/* What leads balls out of overlap is paid out of what impacts take. */
static void account_step(account *a, double lifted) {
  const drum_balance b = scene_drum_balance(&drum);
  a->sum.work += b.work;
  a->sum.friction += b.friction;
  a->sum.impacts += b.impacts - lifted;
}

static void row(FILE *out, const drum_state *s, nsds_simulation *simulation, account *a) {
  const nsds_step_info *info = nsds_simulation_info(simulation);
  double moment = (a->sum.work - a->work) / (drum.rate * h * steps_per_row);
  fprintf(out, "%.6g,%.6g,%.6g,%.6g,%.9g,%.9g,%.9g,%.9g,%d,%.3g\n", nsds_time(simulation),
          s->angle * 180.0 / pi, moment, s->weight, a->sum.work, s->energy, a->sum.friction,
          a->sum.impacts, info->active, info->solver.residual);
  a->work = a->sum.work;
}

/* To the end, or to the first frame that cannot be written. */
static nsds_status turn(FILE *out, nsds_simulation *simulation, nsds_model *model,
                        nsds_vtk *frames) {
  account sums = {0};
  profile layers = {0};
  nsds_status status = NSDS_OK;
  bool fine = output_frame(frames, model, 0.0);
  while (fine && (status = nsds_step(simulation)) == NSDS_OK) {
    long step = nsds_step_count(simulation);
    double t = nsds_time(simulation);
    account_step(&sums, nsds_simulation_info(simulation)->lifted);
    if (step % steps_per_row == 0) {
      const drum_state s = scene_drum_state(&drum);
      row(out, &s, simulation, &sums);
      if (t > steady) profile_add(&layers, s.angle);
      progress("rotating_drum", t / end);
    }
    if (step % steps_per_frame == 0) fine = output_frame(frames, model, t);
  }
  if (fine && status == NSDS_END) write_end(out, &layers);
  return status;
}

int main(int argc, char **argv) {
  int n = argc > 2 ? atoi(argv[2]) : 400;
  if (n < 1 || n > drum_most) {
    fprintf(stderr, "usage: %s [FILE.csv [N]], N spheres, 1 to %d\n", argv[0], drum_most);
    return 2;
  }
  FILE *out = output_open(argc, argv);
  nsds_model *model = nsds_model_create(NULL);
  scene_drum(model, &drum, n);
  nsds_vtk *frames = output_series(argc, argv, model);
  nsds_simulation *simulation = nsds_time_stepping(
      model, &(nsds_time_stepping_def){
                 .t1 = end, .h = h, .solver = "nsgs", .tolerance = 1e-4, .check_solver = take});
  nsds_solver *solver = nsds_simulation_solver(simulation);
  nsds_solver_set(solver, "acceleration", 0.0);
  nsds_solver_set(solver, "momentum", 15.0);
  nsds_solver_set(solver, "max_iterations", most_sweeps);

  fprintf(out,
          "t [s],slope [deg],moment of the drum [N m],of the weight [N m],work of the drum [J],"
          "energy [J],friction [J],impacts [J],contacts,residual\n");
  nsds_status status = turn(out, simulation, model, frames);
  nsds_vtk_destroy(frames);
  return output_close(out, model, status);
}
