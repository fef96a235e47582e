/* A law with two parameters, one that cannot be made, and two solvers, the second of which has no solve. */
#include <nsds/plugin.h>

#include <math.h>
#include <stdlib.h>

/* -bound <= lambda <= bound, with dy/dt zero inside; compliance beside it. */
typedef struct clutch {
  double lower, upper, compliance;
} clutch;

static void clutch_block(void *self, nsds_block *block) {
  clutch *c = self;
  block->set = NSDS_SET_BOX;
  block->lower = &c->lower;
  block->upper = &c->upper;
}

static void clutch_compliance(void *self, double *D, int ld) {
  (void)ld;
  D[0] += ((clutch *)self)->compliance;
}

static void clutch_destroy(void *self) { free(self); }

static const nsds_law_ops clutch_ops = {.type = "clutch",
                                        .block = clutch_block,
                                        .compliance = clutch_compliance,
                                        .destroy = clutch_destroy};

static nsds_status make_clutch(nsds_context *context, int nz, const double *z,
                               nsds_custom_law_def *def) {
  (void)nz;
  if (z[0] < 0.0)
    return nsds_report(context, NSDS_ERROR_VALUE, "clutch: the bound is %g; it must be >= 0", z[0]);
  clutch *c = malloc(sizeof *c);
  if (!c) return NSDS_ERROR_MEMORY;
  *c = (clutch){-z[0], z[0], z[1]};
  *def =
      (nsds_custom_law_def){.ops = &clutch_ops, .self = c, .size = 1, .level = NSDS_LEVEL_VELOCITY};
  return NSDS_OK;
}

static nsds_status make_nothing(nsds_context *context, int nz, const double *z,
                                nsds_custom_law_def *def) {
  (void)context, (void)nz, (void)z, (void)def;
  return NSDS_OK;
}

/* Projected Gauss-Seidel for boxes and dense M. */
static nsds_status sweep(void *self, nsds_solver_task *task, double *z) {
  const nsds_problem *p = task->problem;
  (void)self;
  for (int k = 0; k < 2000 && !nsds_solver_stop(task, k, NAN); ++k)
    for (int i = 0, b = 0; i < p->n; ++i, ++b) {
      double w = p->q[i], m = p->M.x[i + (size_t)i * (size_t)p->n];
      for (int j = 0; j < p->n; ++j) w += p->M.x[i + (size_t)j * (size_t)p->n] * z[j];
      z[i] = fmin(p->block[b].upper[0], fmax(p->block[b].lower[0], z[i] - w / m));
    }
  return NSDS_OK;
}

static const nsds_solver_ops sweeps = {
    .name = "plugin_sweeps", .sets = NSDS_SET_BOX, .storages = NSDS_DENSE, .solve = sweep};
static const nsds_solver_ops lame = {
    .name = "plugin_lame", .sets = NSDS_SET_BOX, .storages = NSDS_DENSE};

static const nsds_plugin_law_entry laws[] = {{"clutch", 2, make_clutch},
                                             {"nothing", 0, make_nothing}};
static const nsds_solver_ops *const solvers[] = {&sweeps, &lame};

NSDS_PLUGIN_TABLE(.nlaw = 2, .law = laws, .nsolver = 2, .solver = solvers)
