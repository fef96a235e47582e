/* Impacts of second-order systems: jumps of velocities at a time at which gaps close. */
#ifndef NSDS_SRC_ADAPTIVE_IMPACT_H
#define NSDS_SRC_ADAPTIVE_IMPACT_H

#include "kernel/adaptive/adaptive_driver.h"

/* Makes the problems of impacts and of drift of a model with second-order systems, before the plan is updated. */
nsds_status nsds_impact_prepare(nsds_adaptive_driver *d);
/* Evaluates y and dy/dt at the present state, and closes gaps that have come to zero. If one of them would go on closing,
 * gives the velocities behind the impact. */
nsds_status nsds_impact_strike(nsds_adaptive_driver *d);
/* Leads the gaps of joints and closed contacts back to zero where the way has bent. */
nsds_status nsds_impact_correct_drift(nsds_adaptive_driver *d);
/* Returns the time within which the first open gap closes at its present rate; HUGE_VAL: none. */
double nsds_impact_ahead(const nsds_adaptive_driver *d);

#endif
