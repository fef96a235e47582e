/* Finds faults of a circuit before it runs: loops of sources, cutsets, sections without ground. */
#ifndef NSDS_RUN_TOPOLOGY_H
#define NSDS_RUN_TOPOLOGY_H

#include "run/circuit/elements.h"

/* Checks the circuit, and finds a node of each section without ground that stands for it:
 * `reference`, by node. */
nsds_status nsds_topology_check(const nsds_elements *elements, bool *reference);

#endif
