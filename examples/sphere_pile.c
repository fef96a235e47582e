/*
 * Spheres dropped as a loose lattice into a box: a contact set finds a few thousand contacts anew
 * in every step.
 *
 *   sphere_pile [FILE.csv [N]]       (default: standard output, 1000 spheres)
 *
 * Writes contacts, sweeps, residual, energy and the deepest overlap over time, and after an empty
 * line where the spheres lie in the end. FILE.pvd beside FILE.csv is a series for ParaView: spheres and
 * contact forces. An engine would stop after so many sweeps; so does this example, and the residual says
 * how far it got.
 */
#include "output.h"
#include "progress.h"

#include <math.h>
#include <stdlib.h>

enum { most_sweeps = 100, steps_per_frame = 20 };

static const double h = 5e-3, end = 3.0, pitch = 1.25, radius = 0.5;

typedef struct pile {
  int n;
  nsds_ds **ball;
  nsds_contact_set *contacts;
} pile;

/* Sphere k of the lattice, a little off its place. */
static nsds_ds *drop(nsds_model *model, int k, int edge) {
  const double J[9] = {[0] = 0.1, [4] = 0.1, [8] = 0.1}; /* 2/5 m r^2 */
  double q[7] = {[3] = 1.0};
  const int cell[3] = {k % edge, k / edge % edge, k / edge / edge};
  for (int i = 0; i < 3; ++i)
    q[i] = pitch * (cell[i] + 0.5) + 0.1 * sin(12.9898 * (3.0 * k + i) + 78.233 * i);
  return nsds_rigid_body(
      model,
      &(nsds_rigid_body_def){.mass = 1.0, .inertia = J, .q0 = q, .gravity = {0.0, 0.0, -9.81}});
}

static pile build(nsds_model *model, int n) {
  pile p = {.n = n, .ball = malloc((size_t)n * sizeof *p.ball)};
  int edge = (int)ceil(cbrt(n) - 1e-9);
  double width = pitch * edge;
  for (int k = 0; p.ball && k < n; ++k) p.ball[k] = drop(model, k, edge);
  const nsds_plane box[] = {{{0, 0, 1}, 0.0},
                            {{1, 0, 0}, 0.0},
                            {{-1, 0, 0}, -width},
                            {{0, 1, 0}, 0.0},
                            {{0, -1, 0}, -width}};
  p.contacts = nsds_spheres(
      model, &(nsds_spheres_def){.name = "pile",
                                 .law = nsds_newton_impact_friction(
                                     model, &(nsds_newton_impact_friction_def){.mu = 0.5}),
                                 .count = n,
                                 .ds = p.ball,
                                 .radius = radius,
                                 .nplane = 5,
                                 .plane = box});
  return p;
}

static nsds_verdict take(nsds_simulation *simulation, const nsds_solver_info *info, void *user) {
  (void)simulation, (void)info, (void)user;
  return NSDS_ACCEPT;
}

/* One row of the table. */
static void report(FILE *out, const pile *p, nsds_simulation *simulation) {
  const nsds_step_info *info = nsds_simulation_info(simulation);
  double energy = 0.0, deepest = 0.0;
  for (int k = 0; k < p->n; ++k) energy += nsds_kinetic_energy(p->ball[k]);
  for (int k = 0; k < nsds_contact_set_count(p->contacts); ++k) {
    nsds_contact_info contact;
    if (!nsds_contact_set_get(p->contacts, k, &contact)) deepest = fmax(deepest, -contact.y[0]);
  }
  fprintf(out, "%.17g,%d,%d,%.3g,%.6g,%.3g\n", nsds_time(simulation), info->active,
          info->solver.iterations, info->solver.residual, energy, deepest);
  char title[128];
  snprintf(title, sizeof title, "%5d contacts, %3d sweeps, residual %.0e", info->active,
           info->solver.iterations, info->solver.residual);
  progress(title, nsds_time(simulation) / end);
}

int main(int argc, char **argv) {
  int n = argc > 2 ? atoi(argv[2]) : 1000;
  if (n < 1) {
    fprintf(stderr, "usage: %s [FILE.csv [N]], N spheres, N >= 1\n", argv[0]);
    return 2;
  }
  FILE *out = output_open(argc, argv);
  nsds_model *model = nsds_model_create(NULL);
  nsds_vtk *frames = output_series(argc, argv, model);
  pile p = build(model, n);
  nsds_simulation *simulation = nsds_time_stepping(
      model, &(nsds_time_stepping_def){
                 .t1 = end, .h = h, .solver = "nsgs", .tolerance = 1e-4, .check_solver = take});
  nsds_solver *solver = nsds_simulation_solver(simulation);
  nsds_solver_set(solver, "acceleration", 0.0); /* momentum alone: a cheaper sweep */
  nsds_solver_set(solver, "max_iterations", most_sweeps);

  fprintf(out, "t [s],contacts,sweeps,residual,kinetic energy [J],deepest overlap [m]\n");
  nsds_status status = NSDS_OK;
  bool fine = output_frame(frames, model, 0.0);
  while (fine && (status = nsds_step(simulation)) == NSDS_OK) {
    report(out, &p, simulation);
    if (nsds_step_count(simulation) % steps_per_frame == 0)
      fine = output_frame(frames, model, nsds_time(simulation));
  }
  fprintf(out, "\n\nx [m],y [m],z [m]\n");
  for (int k = 0; fine && status == NSDS_END && k < n; ++k) {
    const double *q = nsds_q(p.ball[k]);
    fprintf(out, "%.6g,%.6g,%.6g\n", q[0], q[1], q[2]);
  }
  nsds_vtk_destroy(frames);
  free(p.ball);
  return output_close(out, model, status);
}
