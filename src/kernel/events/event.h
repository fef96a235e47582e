#ifndef NSDS_SRC_EVENT_H
#define NSDS_SRC_EVENT_H

#include "kernel/events/event_driven.h"

/* The operations of the driver. */
nsds_status nsds_event_advance(nsds_simulation *sim, double t_next, double h);
nsds_status nsds_event_pass_window(nsds_simulation *sim, double length, int steps);
nsds_status nsds_event_pass_to(nsds_simulation *sim);
nsds_status nsds_event_pass_through(nsds_simulation *sim);
void nsds_event_give_up(nsds_simulation *sim);

#endif
