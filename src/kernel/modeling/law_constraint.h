#ifndef NSDS_SRC_LAW_CONSTRAINT_H
#define NSDS_SRC_LAW_CONSTRAINT_H

#include <stdbool.h>

/* Whether the gap that is expected counts as closed: of all bundled laws with a gap. */
bool nsds_gap_closes(void *self, const double *y, const double *ydot, double tau, double slack);

#endif
