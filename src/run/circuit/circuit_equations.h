/* The equations of a circuit: modified nodal analysis. */
#ifndef NSDS_RUN_CIRCUIT_EQUATIONS_H
#define NSDS_RUN_CIRCUIT_EQUATIONS_H

#include "run/circuit/elements.h"

#include <nsds/solver.h>

/*
 *   w = base z + dynamic dz/dt + sources,   z: node potentials, then currents of branches
 *
 * Rows of nodes are sums of currents that leave, rows of branches -(v+ - v-) and what the element
 * adds. Bounds are those of the currents; potentials have none.
 */
typedef struct nsds_equations {
  const nsds_elements *elements;
  int n, nnode; /* unknowns; of them potentials */
  int *node;    /* unknown of a node; -1: ground or reference of a section */
  int *branch;  /* unknown of an element's current; -1: none */
  int nstate;
  int *state; /* of an element: its capacitor voltage or inductor current; -1 */
  int *owner; /* element of a state */
  int count;  /* entries */
  int *p, *i;
  double *base, *dynamic;
  int njunction;
  int *junction; /* elements */
} nsds_equations;

/* Makes the equations; `reference` says of each node whether it stands for the ground. */
nsds_status nsds_equations_make(nsds_equations *equations, const nsds_elements *elements,
                                const bool *reference);
void nsds_equations_free(nsds_equations *equations);

/* Mutual inductance [H]. */
double nsds_equations_mutual(const nsds_elements *elements, const nsds_coupling *coupling);

/* Voltage from n+ to n- of an element, or between its nodes k and k + 1. */
double nsds_equations_voltage(const nsds_equations *equations, const double *z,
                              const nsds_element *element, int k);

/* Names the node or element of row k, for messages, and its place in the netlist. */
const char *nsds_equations_row_name(const nsds_equations *equations, int row, const char **kind,
                                    nsds_place *place);

#endif
