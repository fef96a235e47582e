/* Advances a circuit in time. */
#ifndef NSDS_RUN_STEPPER_H
#define NSDS_RUN_STEPPER_H

#include "run/circuit/circuit_model.h"
#include "run/circuit/circuit_scales.h"
#include "run/circuit/modes.h"

/* The arrays of one state in time. */
typedef struct nsds_instant {
  double t;
  double solved,
      inside;       /* time that sources were taken at, and one within the piece of their waves */
  double *z, *w;    /* solution */
  double *x, *rate; /* states and their derivatives */
} nsds_instant;

typedef struct nsds_stepper {
  nsds_context *context;
  const nsds_elements *elements;
  nsds_equations equations;
  nsds_modes modes;
  nsds_instant now, middle, trial; /* end of the last step; its first stage; its start */
  nsds_instant jump;    /* the end of the first settling step, whose impulses last jump_length */
  double jump_length;   /* [s]; 0: the last advance did not settle */
  double middle_weight; /* of the last advance: share of its length that `middle` stands for */
  double *scale;        /* largest |x| so far */
  double *flux;         /* of states that are currents: work of jumps [V s] */
  double largest, settling; /* longest step; length of the steps that settle [s] */
  bool locate, jump_told;
  nsds_circuit_scales scales;
  long steps, settled;       /* made; times that the circuit settled */
  nsds_circuit_model kernel; /* the circuit as a model */
  double watched;            /* time of when `settled` was last looked at [s] */
  long seen;                 /* settled pairs of the simulation so far */
  nsds_circuit_owner owner;  /* its `step` is called from the first step after the start on */
  bool started;
} nsds_stepper;

/* Takes the elements and finds the state at the start. `owner` is told of the steps that follow. On
 * failure the context has the message. */
nsds_status nsds_stepper_make(nsds_stepper *stepper, nsds_context *context,
                              const nsds_elements *elements, const bool *reference,
                              const nsds_circuit_owner *owner);
void nsds_stepper_free(nsds_stepper *stepper);

/* One accepted step, not beyond the end of the analysis. */
nsds_status nsds_stepper_advance(nsds_stepper *stepper);

#endif
