/* Reads directives: .options, .tran, .ic, .print, .measure. */
#ifndef NSDS_RUN_READ_DIRECTIVE_H
#define NSDS_RUN_READ_DIRECTIVE_H

#include "run/circuit/instance.h"

/* Reads .options and .tran of the whole netlist; elements depend on them. */
nsds_status nsds_directives_early(const nsds_instance *instance);

/* Reads directives that name nodes and elements: .ic, .print, .save, .measure; adds columns and
 * measures to the job. Without .print there is a column for each node and for each current of V and
 * L. */
nsds_status nsds_directives_late(const nsds_instance *instance);

/* Fails if a card that begins with a point is no directive, or may not stand in a subcircuit. */
nsds_status nsds_directive_check(const nsds_instance *instance, const nsds_card *card);

#endif
