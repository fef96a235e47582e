/*
 * Our side of the event-driven cases: STEPS are times of the grid, the events between them come on
 * top. VARIANT names the integrator; `lsodar`,
 * the peer's, stands for our default. Besides the final state the programs print
 *
 *   events N       events handled, times of the grid among them
 *   tolerance X    to which final states agree, where that is not script/bench's
 *   error q X      where a closed form is known: largest deviation at times of the grid
 *   stiff N        times of the grid at which nsds_event_info::stiff was set
 */
#ifndef NSDS_BENCH_DRIVEN_H
#define NSDS_BENCH_DRIVEN_H

#include "bench.h"
#include "falling.h"

#include <nsds/nsds.h>

#include <string.h>

typedef struct driven {
  nsds_model *model;
  nsds_simulation *simulation;
  long stiff;
  double agreement; /* 0: script/bench's */
  falling watched;  /* of 0 beads where there is nothing to compare with */
} driven;

/* Takes over the model; def->t1 and the integrator are set here. */
static inline void *driven_start(nsds_model *model, long steps, const char *variant,
                                 nsds_event_driven_def def, falling watched) {
  def.t1 = (double)(steps + 1) * def.output_period;
  def.integrator = variant[0] && strcmp(variant, "lsodar") != 0 ? variant : NULL;
  driven *d = (driven *)calloc(1, sizeof *d);
  nsds_simulation *simulation = d ? nsds_event_driven(model, &def) : NULL;
  if (!simulation || !falling_reserve(&watched, steps)) {
    fprintf(stderr, "%s\n", d ? nsds_error_message(nsds_model_context(model)) : "out of memory");
    nsds_model_destroy(model);
    free(d);
    return NULL;
  }
  *d = (driven){.model = model, .simulation = simulation, .watched = watched};
  return d;
}

static inline int driven_run(void *self, long steps) {
  driven *d = (driven *)self;
  nsds_status status = NSDS_OK;
  for (long k = 0; k < steps && status == NSDS_OK;) {
    status = nsds_step(d->simulation);
    const nsds_event_info *event = nsds_simulation_event(d->simulation);
    if (!(event->kind & NSDS_EVENT_GRID)) continue;
    d->stiff += event->stiff;
    for (int i = 0; i < d->watched.n; ++i) {
      const nsds_ds *ds = nsds_ds_at(d->model, i);
      falling_note(&d->watched, k, i, nsds_q(ds)[0], nsds_v(ds)[0]);
    }
    ++k;
  }
  if (status == NSDS_OK) return 1;
  fprintf(stderr, "%s\n",
          status < 0 ? nsds_error_message(nsds_model_context(d->model)) : nsds_status_text(status));
  return 0;
}

static inline void driven_report(void *self) {
  const driven *d = (const driven *)self;
  for (int k = 0; k < nsds_ds_count(d->model); ++k) {
    const nsds_ds *ds = nsds_ds_at(d->model, k);
    for (int i = 0; i < nsds_nq(ds); ++i) bench_value(nsds_q(ds)[i]);
    for (int i = 0; i < nsds_nv(ds); ++i) bench_value(nsds_v(ds)[i]);
  }
  printf("events %ld\nstiff %ld\n", nsds_step_count(d->simulation), d->stiff);
  if (d->agreement > 0.0) printf("tolerance %g\n", d->agreement);
  if (d->watched.n > 0) falling_report(&d->watched);
}

static inline void driven_destroy(void *self) {
  driven *d = (driven *)self;
  falling_free(&d->watched);
  nsds_model_destroy(d->model);
  free(d);
}

/* For cases that are not solved to rounding, where backends agree less. */
static inline void *driven_agree(void *self, double agreement) {
  if (self) ((driven *)self)->agreement = agreement;
  return self;
}

static inline int driven_main(int argc, char **argv,
                              void *(*build)(const char *size, long steps, const char *variant)) {
  const bench_case c = {build, driven_run, driven_report, driven_destroy};
  return bench_main(argc, argv, &c);
}

#endif
