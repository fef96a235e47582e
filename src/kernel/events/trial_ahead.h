/* The trial state a short time ahead of an event, and back. */
#ifndef NSDS_SRC_EVENTS_TRIAL_AHEAD_H
#define NSDS_SRC_EVENTS_TRIAL_AHEAD_H

#include "kernel/events/event_rows.h"

/* Reserves the memory. */
nsds_status nsds_trial_reserve(nsds_event_rows *s);
/* Keeps the trial state, from which ways ahead begin. */
void nsds_trial_keep(nsds_event_rows *s);
/* Moves from the kept state at the time t by the rates of the trial state. The time h is cut at the next
 * scheduled event. */
nsds_status nsds_trial_go(nsds_event_rows *s, double t, double h);
/* Returns to the kept state at the time t. */
void nsds_trial_return(nsds_event_rows *s, double t);

#endif
