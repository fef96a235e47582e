/*
 * Spheres packed as a cubic lattice in a box, each a little off its place and touching its neighbours: three
 * contacts to a sphere, from the first step on.
 */
#ifndef NSDS_BENCH_PACKED_H
#define NSDS_BENCH_PACKED_H

#include "bench.h"
#include "pile.h"

#include <nsds/nsds.h>

static const double packed_pitch = 0.99, packed_play = 0.002, packed_h = 1e-3;

static inline void packed_scene(nsds_model *model, int edge) {
  const double J[9] = {pile_inertia, 0, 0, 0, pile_inertia, 0, 0, 0, pile_inertia};
  const double width = packed_pitch * (edge - 1) + 2.0 * pile_radius;
  const nsds_plane box[] = {
      {{0, 0, 1}, 0}, {{1, 0, 0}, 0}, {{-1, 0, 0}, -width}, {{0, 1, 0}, 0}, {{0, -1, 0}, -width}};
  int n = edge * edge * edge;
  nsds_ds **ds = (nsds_ds **)malloc((size_t)n * sizeof *ds);
  for (int k = 0; ds && k < n; ++k) {
    const int c[] = {k % edge, k / edge % edge, k / edge / edge};
    double q[7] = {0, 0, 0, 1, 0, 0, 0};
    for (int i = 0; i < 3; ++i)
      q[i] = pile_radius + packed_pitch * c[i] + packed_play * sin(1.0 + 7.0 * k + 3.0 * i);
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

static inline nsds_verdict packed_take(nsds_simulation *s, const nsds_solver_info *info,
                                       void *user) {
  (void)s, (void)info, (void)user;
  return NSDS_ACCEPT;
}

/* So many sweeps by colours in each step, whatever their residual; NULL on failure. */
static inline nsds_simulation *packed_start(nsds_model *model, int sweeps) {
  nsds_simulation *s =
      nsds_time_stepping(model, &(nsds_time_stepping_def){.t1 = 1e9,
                                                          .h = packed_h,
                                                          .solver = "nsgs",
                                                          .tolerance = 1e-4,
                                                          .check_solver = packed_take});
  nsds_solver *solver = s ? nsds_simulation_solver(s) : NULL;
  bool sound = solver && !nsds_solver_set(solver, "max_iterations", sweeps) &&
               !nsds_solver_set(solver, "order", 4) && !nsds_solver_set(solver, "tolerance", 0.0);
  return sound ? s : NULL;
}

#endif
