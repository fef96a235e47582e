#ifndef NSDS_SRC_ROW_CARRYOVER_H
#define NSDS_SRC_ROW_CARRYOVER_H

#include "base/context.h"
#include "kernel/events/event_rows.h"

/* Room for n rows put aside. */
static inline nsds_status nsds_rows_reserve_aside(nsds_event_rows *s, int n) {
  return nsds_grow(s->plan->context, &s->aside.row, &s->aside.capacity, (size_t)n,
                   sizeof *s->aside.row);
}
/* Puts n rows aside, whose memory the next list of rows takes over. */
void nsds_rows_put_aside(nsds_event_rows *s, const nsds_row *row, int n);
/* The present rows take over what rows put aside remember. */
void nsds_rows_take_back(nsds_event_rows *s);
/* Rows whose lambda in the model's state is between its bounds count as at zero: after a window. */
void nsds_rows_mark_loaded(nsds_event_rows *s);

#endif
