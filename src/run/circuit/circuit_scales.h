/* Sizes of a circuit's voltages and currents, and what is too large. */
#ifndef NSDS_RUN_CIRCUIT_SCALES_H
#define NSDS_RUN_CIRCUIT_SCALES_H

#include "run/circuit/circuit_equations.h"

typedef struct nsds_circuit_scales {
  double voltage, current; /* the largest so far [V], [A] */
  double source;           /* the largest voltage of sources and start values [V] */
  double longest;          /* of steps [s]; INFINITY: the netlist says nothing */
} nsds_circuit_scales;

/* Begins with sources, start values and periods. */
nsds_circuit_scales nsds_scales_begin(const nsds_elements *elements);
/* Takes a solution. */
void nsds_scales_take(nsds_circuit_scales *scales, const nsds_equations *equations,
                      const double *z);
/* Returns the size that errors of a state are compared with; `largest` is its largest value so far. */
double nsds_scales_state(const nsds_circuit_scales *scales, const nsds_equations *equations,
                         int state, double largest);
/* Refuses a voltage far beyond all sources. */
nsds_status nsds_scales_check(const nsds_circuit_scales *scales, const nsds_equations *equations,
                              const double *z, double t);

/* Returns true if the state is a current. */
bool nsds_state_is_current(const nsds_equations *equations, int state);

#endif
