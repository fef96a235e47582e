/* Rows of found contacts on bodies that also have joints, see turned_rows.c. */
#ifndef NSDS_SRC_TURNED_ROWS_H
#define NSDS_SRC_TURNED_ROWS_H

#include "kernel/assembly/plan.h"

/* Finds the bodies with interactions whose rows turn with them, and reserves room for the attitudes of all bodies, if any are
 * needed. */
nsds_status nsds_turned_rows_reserve(nsds_plan *plan);

/* Notes that the rows of all found contacts are formed at the attitudes in the model's q. */
void nsds_turned_rows_begin(nsds_plan *plan);

/* Turns H of found contacts to the attitudes at which joints are linearized, and computes Y of
 * contacts with a fixed gain. */
nsds_status nsds_turned_rows_follow(nsds_plan *plan);

#endif
