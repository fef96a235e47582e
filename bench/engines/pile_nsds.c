/*
 * Our side: with sweeps so many of the block Gauss-Seidel method in every step, as an engine works,
 * without 40 of them while the pile settles, then every step certified to 1e-4 (pile_count()).
 * Prints also contacts, the largest residual of the steps timed and sweeps per step.
 */
#include "../pile_scene.h"
#include "engine.h"

typedef struct world {
  nsds_model *model;
  nsds_simulation *simulation;
  long settling, made, sweeps;
  double residual;
  int wanted;
  int unsolved;
} world;

static nsds_verdict look_at(nsds_simulation *s, const nsds_solver_info *info, void *user) {
  world *w = (world *)user;
  bool timed = w->made >= w->settling;
  if (timed) w->sweeps += info->iterations;
  return timed && !w->wanted ? pile_count(s, info, &w->unsolved) : NSDS_ACCEPT;
}

static void *build(int n, int sweeps) {
  static world w;
  w.model = nsds_model_create(NULL);
  w.settling = lround(pile_rest(n) / pile_h);
  w.wanted = sweeps;
  pile_scene(w.model, n);
  w.simulation = nsds_time_stepping(w.model, &(nsds_time_stepping_def){.t1 = 1e9,
                                                                       .h = pile_h,
                                                                       .tolerance = 1e-4,
                                                                       .check_solver = look_at,
                                                                       .check_solver_user = &w});
  if (!w.simulation) return NULL;
  pile_sweep(w.simulation, sweeps ? sweeps : 40);
  if (sweeps) nsds_solver_set(nsds_simulation_solver(w.simulation), "tolerance", 0.0); /* all */
  return &w;
}

static int step(void *self) {
  world *w = (world *)self;
  if (w->made == w->settling && !w->wanted) pile_sweep(w->simulation, pile_sweeps);
  if (nsds_step(w->simulation)) {
    fprintf(stderr, "%s\n", nsds_error_message(nsds_model_context(w->model)));
    return 0;
  }
  if (w->made++ >= w->settling)
    w->residual = fmax(w->residual, nsds_simulation_info(w->simulation)->solver.residual);
  return 1;
}

static void look(void *self, int k, double x[3], double *kinetic) {
  const world *w = (const world *)self;
  nsds_ds *ds = nsds_ds_at(w->model, k);
  for (int i = 0; i < 3; ++i) x[i] = nsds_q(ds)[i];
  *kinetic = nsds_kinetic_energy(ds);
  if (k > 0) return;
  if (!w->wanted) printf("unsolved %d\n", w->unsolved);
  printf("contacts %d\nresidual %.2g\nsweeps %.4g\n", nsds_simulation_info(w->simulation)->active,
         w->residual, (double)w->sweeps / (double)(w->made - w->settling));
}

int main(int argc, char **argv) {
  const engine e = {build, step, look};
  return engine_main(argc, argv, &e);
}
