/* Event-driven simulation in the catalogue. */
#ifndef NSDS_SRC_EVENT_TYPE_H
#define NSDS_SRC_EVENT_TYPE_H

#include <nsds/catalogue.h>

extern const nsds_type nsds_event_driven_type;

#endif
