#ifndef NSDS_SRC_ROWS_AT_ZERO_H
#define NSDS_SRC_ROWS_AT_ZERO_H

#include "kernel/events/event_rows.h"

/* What is at zero at the trial state, besides what has been marked so. With `outside` the program
 * may have moved what was closed. */
void nsds_rows_touch(nsds_event_rows *s, bool outside);
/* What gaps that should be zero are off by: others are known no better. */
void nsds_rows_doubt(nsds_event_rows *s);
/* After an impact, whether rows of degree 1 are still at zero. */
void nsds_rows_touch_speeds(nsds_event_rows *s);

#endif
