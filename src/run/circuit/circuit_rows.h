/* The rows of a circuit in a model that have a law. */
#ifndef NSDS_RUN_CIRCUIT_ROWS_H
#define NSDS_RUN_CIRCUIT_ROWS_H

#include "run/circuit/circuit_parts.h"

static const double nsds_tie = 1e-3; /* conductance that gives a section its potential [S] */

/* y = e + d lambda - (v+ - v-); the current `sign` lambda flows from n+ to n- */
typedef struct nsds_circuit_row {
  nsds_circuit_model *model;
  int mode;        /* of a diode or switch; -1: a potential that is held or tied */
  int plus, minus; /* places in x; -1: the ground */
  double sign, d, e;
} nsds_circuit_row;

/* Connect diodes and switches; potentials that are held at rest; ties. */
nsds_status nsds_rows_connect_modes(nsds_circuit_model *m);
nsds_status nsds_rows_connect_holds(nsds_circuit_model *m);
nsds_status nsds_rows_connect_ties(nsds_circuit_model *m);
/* Makes a relation that is not connected: the circuit stays until the model goes, whatever is
 * removed. */
nsds_status nsds_rows_keep(nsds_circuit_model *m);

/* Tells if a switch is on before the first step. */
bool nsds_rows_begin_on(const nsds_circuit_model *m, const nsds_element *element);

#endif
