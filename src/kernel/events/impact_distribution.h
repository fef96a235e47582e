#ifndef NSDS_SRC_IMPACT_DISTRIBUTION_H
#define NSDS_SRC_IMPACT_DISTRIBUTION_H

#include "kernel/events/event_rows.h"

/* Room for impacts by the distributing law, where a row has that. */
nsds_status nsds_distribution_reserve(nsds_event_rows *s);
void nsds_distribution_destroy(nsds_event_rows *s);

#endif
