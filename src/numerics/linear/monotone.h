#ifndef NSDS_SRC_MONOTONE_H
#define NSDS_SRC_MONOTONE_H

#include <stdbool.h>

/* Returns true if the symmetric part of a dense M is positive semidefinite up to rounding. `work`
 * has n (n + 1) entries. Numbers that are not finite give false. */
bool nsds_seems_monotone(int n, const double *M, double *work);

#endif
