#ifndef NSDS_SRC_ROW_CARRYOVER_H
#define NSDS_SRC_ROW_CARRYOVER_H

#include "base/context.h"
#include "kernel/events/event_rows.h"

static inline nsds_status nsds_rows_reserve_aside(nsds_event_rows *s, int n) {
  return nsds_grow(s->plan->context, &s->aside.row, &s->aside.capacity, (size_t)n,
                   sizeof *s->aside.row);
}
/* Puts n rows aside. The next list of rows takes over their state. */
void nsds_rows_put_aside(nsds_event_rows *s, const nsds_row *row, int n);
/* Takes the state of rows put aside over into the present rows. */
void nsds_rows_take_back(nsds_event_rows *s);
/* Marks rows as at zero, after a window, if lambda in the state of the model is between its
 * bounds. */
void nsds_rows_mark_loaded(nsds_event_rows *s);

#endif
