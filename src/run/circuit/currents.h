/* Currents of elements, read off a solution. */
#ifndef NSDS_RUN_CURRENTS_H
#define NSDS_RUN_CURRENTS_H

#include "run/circuit/stepper.h"

/* Returns the current of element k from n+ to n-, with those of its leak and of the element beside
 * it. */
double nsds_current_of(const nsds_equations *equations, const nsds_instant *at, int k);

#endif
