#ifndef NSDS_SRC_IMPACT_DISTRIBUTION_H
#define NSDS_SRC_IMPACT_DISTRIBUTION_H

#include "kernel/events/event_rows.h"

/* The impulses z of the chosen rows by the distributing law, with A and b = dy/dt-, and what it
 * leaves open of velocities, relative. */
nsds_status nsds_distribute(nsds_event_rows *s, bool inelastic, double *residual);
/* Room for the impacts of laws that are not Newton's. */
nsds_status nsds_distribution_reserve(nsds_event_rows *s);
void nsds_distribution_destroy(nsds_event_rows *s);

#endif
