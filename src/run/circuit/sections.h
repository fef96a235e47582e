/* Sections of a circuit that hang on diodes and switches alone. */
#ifndef NSDS_RUN_SECTIONS_H
#define NSDS_RUN_SECTIONS_H

#include "run/circuit/circuit_equations.h"

/* Marks one potential of each such section, by unknowns. NSDS_ERROR_MEMORY */
nsds_status nsds_sections_tie(const nsds_equations *equations, bool *tied);

#endif
