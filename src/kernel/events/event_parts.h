#ifndef NSDS_SRC_EVENT_PARTS_H
#define NSDS_SRC_EVENT_PARTS_H

#include "kernel/events/event_rows.h"

/* Cuts a list into its parts; and those into smaller ones where `tied` says of two rows of
 * a part, the present one, that they do not act on each other, by numbers in it. */
nsds_status nsds_rows_split(nsds_event_rows *s, nsds_row_list *list);
nsds_status nsds_rows_refine(nsds_event_rows *s, nsds_row_list *list,
                             bool (*tied)(const nsds_event_rows *s, int i, int j));
/* Part p of a list is the present one. */
void nsds_part_enter(nsds_event_rows *s, const nsds_row_list *list, int p);
/* Memory for parts of this many rows. */
nsds_status nsds_parts_reserve(nsds_event_rows *s, const nsds_row_list *list);
void nsds_parts_release(nsds_event_rows *s);

#endif
