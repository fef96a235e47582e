/* Currents of elements, read off a solution. */
#ifndef NSDS_RUN_CURRENTS_H
#define NSDS_RUN_CURRENTS_H

#include "run/circuit/stepper.h"

/* The current of element k from n+ to n-, with its leak and what the element beside it carries. */
double nsds_current_of(const nsds_equations *equations, const nsds_instant *at, int k);

#endif
