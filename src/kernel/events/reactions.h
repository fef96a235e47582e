#ifndef NSDS_SRC_REACTIONS_H
#define NSDS_SRC_REACTIONS_H

#include "kernel/events/event_rows.h"

/* Computes the forces that hold prescribed velocities at the trial state. */
nsds_status nsds_find_reactions(nsds_event_rows *s);

#endif
