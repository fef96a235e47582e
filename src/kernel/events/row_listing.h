#ifndef NSDS_SRC_ROW_LISTING_H
#define NSDS_SRC_ROW_LISTING_H

#include "kernel/events/event_rows.h"

void nsds_event_rows_create(nsds_plan *plan, nsds_event_rows *s);
void nsds_event_rows_destroy(nsds_event_rows *s);
/* Lists the rows anew if interactions came or went; all modes must then be found. If only contacts
 * were found anew, rows keep their state. */
nsds_status nsds_event_rows_renew(nsds_event_rows *s);
/* Reserves lists of all rows, and problems of all rows of interactions. Found contacts, most of
 * which are open, get problems when they close. */
nsds_status nsds_event_rows_reserve(nsds_event_rows *s);
/* Reserves the coordinates of searches, if there are contact sets. */
nsds_status nsds_rows_reserve_search(nsds_event_rows *s);
nsds_status nsds_event_rows_reserve_parts(nsds_event_rows *s);

#endif
