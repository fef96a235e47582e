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
/* Returns the size that errors of a state are compared with; `largest` is its largest value so
 * far. */
double nsds_scales_state(const nsds_circuit_scales *scales, const nsds_equations *equations,
                         int state, double largest);
/* Refuses the largest voltage of a solution. */
nsds_status nsds_scales_refuse(const nsds_equations *equations, const double *z, double t);
/* Refuses a voltage far beyond all sources. */
static inline nsds_status nsds_scales_check(const nsds_circuit_scales *s, const nsds_equations *e,
                                            const double *z, double t) {
  const double beyond = 1e8;
  return s->voltage <= beyond * (s->source > 1.0 ? s->source : 1.0) ? NSDS_OK
                                                                    : nsds_scales_refuse(e, z, t);
}

/* Returns true if the state is a current. */
bool nsds_state_is_current(const nsds_equations *equations, int state);

#endif
