/*
 * Units of the rows of a convex quadratic programme, powers of two. z and w of one row have different
 * units, so that the signs of M stay. First the entries of M become about 1 (Ruiz: RAL-TR-2001-034),
 * then q and the bounds of both sides.
 */
#ifndef NSDS_SRC_PROGRAMME_UNITS_H
#define NSDS_SRC_PROGRAMME_UNITS_H

#include "numerics/programme/programme_rows.h"

/* Chooses units of z and w; `work` has n entries. */
void nsds_programme_find_units(const nsds_programme_rows *rows, double *of_z, double *of_w,
                               double *work);

#endif
