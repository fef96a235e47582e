#ifndef NSDS_SRC_IMPACT_DISTRIBUTION_H
#define NSDS_SRC_IMPACT_DISTRIBUTION_H

#include "kernel/events/event_rows.h"

/* Reserves memory for impacts by the distributing law, if a row has this law. */
nsds_status nsds_distribution_reserve(nsds_event_rows *s);
void nsds_distribution_destroy(nsds_event_rows *s);

#endif
