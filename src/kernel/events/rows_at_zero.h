#ifndef NSDS_SRC_ROWS_AT_ZERO_H
#define NSDS_SRC_ROWS_AT_ZERO_H

#include "kernel/events/event_rows.h"

/* What is at zero at the trial state, besides what has been marked so. With `outside` the program
 * may have moved what was closed. */
void nsds_modes_touch(nsds_smooth *s, bool outside);
/* What gaps that should be zero are off by: others are known no better. */
void nsds_modes_doubt(nsds_smooth *s);
/* After an impact, whether rows of degree 1 are still at zero. */
void nsds_modes_touch_speeds(nsds_smooth *s);
/* Gaps below this are rounding. */
double nsds_modes_resolution(const nsds_smooth *s, const nsds_row *row);
/* sum |H| of a row times the largest values there have been. */
typedef enum nsds_size_of {
  NSDS_SIZE_OF_PLACES,
  NSDS_SIZE_OF_RATES,
  NSDS_SIZE_OF_SPEEDS
} nsds_size_of;
/* sum |H| of a row times the largest places, rates or speeds that there have been. */
double nsds_modes_size(const nsds_smooth *s, const nsds_row *row, nsds_size_of what);
/* What rounding of dy/dt and of y is measured against. */
double nsds_modes_terms(const nsds_smooth *s, const nsds_row *row);
double nsds_modes_gap_terms(const nsds_smooth *s, const nsds_row *row);

#endif
