#ifndef NSDS_SRC_OVERLAP_CCD_H
#define NSDS_SRC_OVERLAP_CCD_H

#include "kernel/contact/core.h"

/* Finds the axis of least overlap. Returns false if there is none. */
bool nsds_ccd_axis(const nsds_core *a, const nsds_core *b, double *n);

#endif
