/*
 * Our side of the cases that advance a model by nsds_step(): a case only builds the model and
 * ends its build function with stepping_start().
 */
#ifndef NSDS_BENCH_STEPPING_H
#define NSDS_BENCH_STEPPING_H

#include "bench.h"

#include <nsds/nsds.h>

typedef struct stepping {
  nsds_model *model;
  nsds_simulation *simulation;
} stepping;

/* Takes over the model; def->t1 is set here. */
static inline void *stepping_start(nsds_model *model, long steps, nsds_time_stepping_def def) {
  def.t1 = def.t0 + (double)steps * def.h;
  stepping *s = (stepping *)malloc(sizeof *s);
  nsds_simulation *simulation = s ? nsds_time_stepping(model, &def) : NULL;
  if (!simulation) {
    fprintf(stderr, "%s\n", s ? nsds_error_message(nsds_model_context(model)) : "out of memory");
    nsds_model_destroy(model);
    free(s);
    return NULL;
  }
  *s = (stepping){model, simulation};
  return s;
}

static inline int stepping_run(void *self, long steps) {
  const stepping *s = (const stepping *)self;
  nsds_status status = NSDS_OK;
  for (long k = 0; k < steps && status == NSDS_OK; ++k) status = nsds_step(s->simulation);
  if (status == NSDS_OK) return 1;
  fprintf(stderr, "%s\n",
          status < 0 ? nsds_error_message(nsds_model_context(s->model)) : nsds_status_text(status));
  return 0;
}

/* Coordinates and velocities, or states, of all systems, in order of creation. */
static inline void stepping_report(void *self) {
  const stepping *s = (const stepping *)self;
  for (int k = 0; k < nsds_ds_count(s->model); ++k) {
    const nsds_ds *ds = nsds_ds_at(s->model, k);
    for (int i = 0; i < nsds_nq(ds); ++i) bench_value(nsds_q(ds)[i]);
    for (int i = 0; i < nsds_nv(ds); ++i) bench_value(nsds_v(ds)[i]);
    for (int i = 0; i < nsds_nx(ds); ++i) bench_value(nsds_x(ds)[i]);
  }
}

static inline void stepping_destroy(void *self) {
  stepping *s = (stepping *)self;
  nsds_model_destroy(s->model);
  free(s);
}

/* main() of a case of this kind. */
static inline int stepping_main(int argc, char **argv,
                                void *(*build)(const char *size, long steps, const char *variant)) {
  const bench_case c = {build, stepping_run, stepping_report, stepping_destroy};
  return bench_main(argc, argv, &c);
}

#endif
