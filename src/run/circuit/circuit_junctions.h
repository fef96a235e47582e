/* Junctions of diodes in the model of a circuit. */
#ifndef NSDS_RUN_CIRCUIT_JUNCTIONS_H
#define NSDS_RUN_CIRCUIT_JUNCTIONS_H

#include "run/circuit/circuit_parts.h"

/* Connects all junctions; z: the solution at the start, which gives their first voltages. */
nsds_status nsds_junctions_connect(nsds_circuit_model *m, const double *z);
/* Returns the current that lambda of a row stands for. */
double nsds_junctions_current(const nsds_circuit_model *m, int row, double lambda);

#endif
