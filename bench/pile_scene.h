/* Our side of the pile (pile.h): the model, and how it is brought to rest without being timed. */
#ifndef NSDS_BENCH_PILE_SCENE_H
#define NSDS_BENCH_PILE_SCENE_H

#include "stepping.h"

#include "pile.h"

/* `edge` spheres along an edge of the box. */
static inline nsds_contact_set *pile_scene_of(nsds_model *model, int n, int edge) {
  const double J[9] = {pile_inertia, 0, 0, 0, pile_inertia, 0, 0, 0, pile_inertia};
  const double width = pile_pitch * edge;
  const nsds_plane box[] = {
      {{0, 0, 1}, 0}, {{1, 0, 0}, 0}, {{-1, 0, 0}, -width}, {{0, 1, 0}, 0}, {{0, -1, 0}, -width}};
  nsds_ds **ds = (nsds_ds **)malloc((size_t)n * sizeof *ds);
  for (int k = 0; ds && k < n; ++k) {
    double q[7] = {0, 0, 0, 1, 0, 0, 0};
    pile_place(edge, k, q);
    ds[k] = nsds_rigid_body(
        model, &(nsds_rigid_body_def){
                   .mass = 1.0, .inertia = J, .q0 = q, .gravity = {0, 0, -pile_gravity}});
  }
  nsds_contact_set *set = nsds_spheres(
      model,
      &(nsds_spheres_def){.name = "pile",
                          .law = nsds_newton_impact_friction(
                              model, &(nsds_newton_impact_friction_def){.mu = pile_friction}),
                          .count = n,
                          .ds = ds,
                          .radius = pile_radius,
                          .nplane = 5,
                          .plane = box});
  free(ds);
  return set;
}

static inline nsds_contact_set *pile_scene(nsds_model *model, int n) {
  return pile_scene_of(model, n, pile_edge(n));
}

static inline nsds_verdict pile_take(nsds_simulation *s, const nsds_solver_info *info, void *user) {
  (void)s, (void)info, (void)user;
  return NSDS_ACCEPT;
}

/* Block Gauss-Seidel. */
static inline void pile_sweep(nsds_simulation *s, double most) {
  nsds_simulation_set_solver(s, "nsgs", 0.0);
  nsds_solver_set(nsds_simulation_solver(s), "max_iterations", most);
}

static const double pile_sweeps = 5000.0; /* most, of a step that is to be certified */

/* What so many have not solved is taken as it is, and counted in the int `user`. */
static inline nsds_verdict pile_count(nsds_simulation *s, const nsds_solver_info *info,
                                      void *user) {
  (void)s;
  if (info->outcome == NSDS_SOLVED) return NSDS_CONTINUE;
  ++*(int *)user;
  return NSDS_ACCEPT;
}

/* Falls and settles with a fixed number of sweeps per step, as engines do, up to time t. */
static inline nsds_status pile_settle(nsds_model *model, double t, double sweeps) {
  nsds_simulation *s = nsds_time_stepping(
      model, &(nsds_time_stepping_def){
                 .t1 = t, .h = pile_h, .tolerance = 1e-4, .check_solver = pile_take});
  if (!s) return NSDS_ERROR_STATE;
  pile_sweep(s, sweeps);
  nsds_status status = nsds_run(s);
  nsds_simulation_destroy(s);
  return status == NSDS_END ? NSDS_OK : status;
}

#endif
