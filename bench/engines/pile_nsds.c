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
  nsds_contact_set *set;
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
  w.settling = lround(pile_settled(n) / pile_h);
  w.wanted = sweeps;
  w.set = pile_scene(w.model, n);
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

static int step(void *self, int looked_at) {
  (void)looked_at;
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

static void look(void *self, int k, engine_body *body) {
  const world *w = (const world *)self;
  const nsds_ds *ds = nsds_ds_at(w->model, k);
  const double *q = nsds_q(ds), *v = nsds_v(ds),
               *p = q + 3; /* W in the body: W + 2 u x (u x W + w W) */
  double a[3], b[3];
  for (int i = 0; i < 3; ++i) {
    int j = (i + 1) % 3, l = (i + 2) % 3;
    a[i] = p[1 + j] * v[3 + l] - p[1 + l] * v[3 + j] + p[0] * v[3 + i];
  }
  for (int i = 0; i < 3; ++i) {
    int j = (i + 1) % 3, l = (i + 2) % 3;
    b[i] = p[1 + j] * a[l] - p[1 + l] * a[j];
    body->x[i] = q[i];
    body->v[i] = v[i];
    body->W[i] = v[3 + i] + 2.0 * b[i];
  }
}

static double cone(void *self) {
  const world *w = (const world *)self;
  double worst = 0.0, largest = 0.0;
  nsds_contact_info c;
  for (int k = 0; nsds_contact_set_get(w->set, k, &c) == NSDS_OK; ++k) {
    worst = fmax(worst, hypot(c.force[1], c.force[2]) - pile_friction * c.force[0]);
    largest = fmax(largest, c.force[0]);
  }
  return worst / largest;
}

static void report(void *self) {
  const world *w = (const world *)self;
  printf("unsolved %d\n", w->unsolved);
  printf("contacts %d\nresidual %.2g\nsweeps %.4g\n", nsds_simulation_info(w->simulation)->active,
         w->residual, (double)w->sweeps / (double)(w->made - w->settling));
}

int main(int argc, char **argv) {
  const engine e = {build, step, look, cone, report};
  return engine_main(argc, argv, &e);
}
