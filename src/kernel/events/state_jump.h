#ifndef NSDS_SRC_STATE_JUMP_H
#define NSDS_SRC_STATE_JUMP_H

#include "kernel/events/event_rows.h"

/* Lets states beside a singular M jump to values that the laws allow. Find the modes
 * of the rows anew after this call. */
nsds_status nsds_states_jump(nsds_event_rows *s, nsds_solver_info *info);

#endif
