/* The time-stepping driver's own part; its steps are in time_step.c. */
#ifndef NSDS_SRC_TIME_STEPPING_H
#define NSDS_SRC_TIME_STEPPING_H

#include "kernel/assembly/displacement.h"
#include "kernel/assembly/overlap_correction.h"
#include "kernel/simulation/simulation.h"

/* How far the end of a pass has come: made again after a failure, it goes on from there. */
typedef enum nsds_pass_reached {
  NSDS_PASS_SOLVED,  /* nothing of it is done */
  NSDS_PASS_APPLIED, /* the velocities of the iterate are there */
  NSDS_PASS_TESTED   /* and are not those of the end */
} nsds_pass_reached;

struct nsds_time_stepping_driver;

/* Takes one step or a piece of it, from t to t_next, h long: it is accepted, or rejected with a status. */
typedef nsds_status nsds_take_step(struct nsds_time_stepping_driver *d, double t, double t_next,
                                   double h);

typedef struct nsds_time_stepping_driver {
  nsds_simulation base; /* first */
  nsds_time_stepping_def def;
  nsds_scheme scheme;      /* of its steps */
  nsds_scheme first;       /* the same with theta of first-order systems */
  nsds_scheme lambda_step; /* of the step that finds the initial lambda */
  nsds_one_step velocity;  /* the one-step problem */
  bool half_explicit;      /* D1-minus: */
  int pass;                /* of the three of a step, the one under way */
  double *passed;          /* impulses of those done: p, impulse; lambda at the end; displacement */
  size_t passed_capacity;
  bool projects, combined;
  nsds_displacement position; /* where it projects */
  unsigned char
      *closed; /* combined, D1-minus: at the first row of each copy, whether it is active */
  size_t closed_capacity;
  bool leads_out;            /* of overlap, bodies of contact sets */
  nsds_overlap overlap;      /* then */
  bool newton;               /* this step is a Newton iteration */
  nsds_pass_reached reached; /* of its pass */
  nsds_versions begun;       /* of the model, for which the initial lambda was found */
  bool lambda_found;         /* the step under way has found it, and takes it back if it fails */
  nsds_saved before_lambda;  /* the state before that */
  nsds_take_step *take;      /* what a step is cut into: pieces, by step_halving.c */
  nsds_saved whole;          /* start of a step that may be cut into pieces */
  double *sum;               /* impulses over the pieces: p (nv), impulse (ny) */
  size_t sum_capacity;
} nsds_time_stepping_driver;

static inline nsds_time_stepping_driver *nsds_time_stepping_of(nsds_simulation *sim) {
  return (nsds_time_stepping_driver *)(void *)sim;
}

/* Of the next step. */
static inline void nsds_set_interval(nsds_time_stepping_driver *d, double t, double t_next,
                                     double h) {
  d->scheme.t = d->first.t = t;
  d->scheme.t_next = d->first.t_next = t_next;
  d->scheme.h = d->first.h = h;
}

/* The first lambda is not that of the state, or is no longer wanted. */
static inline void nsds_lambda_forget(nsds_time_stepping_driver *d) { d->lambda_found = false; }

#endif
