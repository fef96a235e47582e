/* The time-stepping driver's own part; its steps are in time_step.c. */
#ifndef NSDS_SRC_TIME_STEPPING_DRIVER_H
#define NSDS_SRC_TIME_STEPPING_DRIVER_H

#include "kernel/assembly/displacement.h"
#include "kernel/assembly/overlap_correction.h"
#include "kernel/stepping/rattle_places.h"
#include "kernel/simulation/simulation.h"

#include <nsds/catalogue.h>

extern const nsds_type nsds_time_stepping_type, nsds_newton_type, nsds_activation_type;

/* Progress of the end of a pass. Called again after a failure, the end continues from there. */
typedef enum nsds_pass_reached {
  NSDS_PASS_SOLVED,  /* nothing is done yet */
  NSDS_PASS_APPLIED, /* the velocities of the iterate are known */
  NSDS_PASS_TESTED   /* and have not converged */
} nsds_pass_reached;

typedef struct nsds_time_stepping_driver {
  nsds_simulation base; /* first */
  nsds_time_stepping_def def;
  nsds_scheme scheme;      /* of the steps */
  nsds_scheme first;       /* the same with theta of first-order systems */
  nsds_scheme lambda_step; /* of the step that finds the initial lambda */
  nsds_one_step velocity;  /* the one-step problem */
  bool in_passes;          /* D1-minus and RATTLE: steps have passes of their own */
  nsds_second_half halves; /* RATTLE steps: the second problem, what passes leave to each other */
  nsds_one_step *solving;  /* the problem under way: velocity, or that of the second half */
  int pass;                /* current pass: of D1-minus 0, 1, 2; of RATTLE nsds_rattle_pass */
  double *passed;          /* sums of passes done: p, impulse; lambda at the end; displacement */
  size_t passed_capacity;
  bool projects, combined;
  nsds_displacement position; /* if projects */
  /* At the first row of each copy: is it active? Used by projections and D1-minus. */
  unsigned char *closed;
  /* `closed` once the projection decides which contacts are; NULL: laws decide. */
  const unsigned char *chosen;
  size_t closed_capacity;
  bool leads_out;            /* moves bodies of contact sets out of overlap */
  nsds_overlap overlap;      /* if leads_out */
  bool newton;               /* this step takes Newton iterations */
  nsds_pass_reached reached; /* of the current pass */
  nsds_versions begun;       /* model for which the initial lambda was found */
  bool lambda_found;         /* the current step has found lambda; takes it back on failure */
  nsds_saved before_lambda;  /* state before lambda_found */
  nsds_saved whole;          /* start of a step that may be cut into pieces */
  double *sum;               /* impulses over the pieces: p (nv), impulse (ny) */
  size_t sum_capacity;
} nsds_time_stepping_driver;

static inline nsds_time_stepping_driver *nsds_time_stepping_of(nsds_simulation *sim) {
  return (nsds_time_stepping_driver *)(void *)sim;
}

static inline bool nsds_is_rattle(const nsds_time_stepping_driver *d) {
  return d->velocity.form == &nsds_rattle_places;
}

/* Sets the interval of the next step. */
static inline void nsds_set_interval(nsds_time_stepping_driver *d, double t, double t_next,
                                     double h) {
  d->scheme.t = d->first.t = t;
  d->scheme.t_next = d->first.t_next = t_next;
  d->scheme.h = d->first.h = h;
}

/* Forgets that the current step has found the initial lambda. */
static inline void nsds_lambda_forget(nsds_time_stepping_driver *d) { d->lambda_found = false; }

#endif
