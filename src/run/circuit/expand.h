/* Expands a netlist: from sections to elements. */
#ifndef NSDS_RUN_EXPAND_H
#define NSDS_RUN_EXPAND_H

#include "run/circuit/elements.h"

/* Reads the whole netlist into elements, columns and measures; settings override parameters. */
nsds_status nsds_circuit_expand(nsds_elements *elements, int nsettings,
                                const nsds_job_setting *settings);

#endif
