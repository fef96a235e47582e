#ifndef NSDS_SRC_MARK_H
#define NSDS_SRC_MARK_H

#include "numerics/ode/ode_internal.h"

/* Reserves memory for a mark of this integration. */
nsds_status nsds_ode_mark_reserve(const nsds_ode *ode, nsds_ode_mark *mark);
/* Takes the mark. Nothing may have happened since the start. */
void nsds_ode_mark_take(const nsds_ode *ode, nsds_ode_mark *mark);
/* Returns to the marked start. Returns false if the mark was not taken, or a resize came since. */
bool nsds_ode_mark_recall(nsds_ode *ode, const nsds_ode_mark *mark);
/* Returns x at the mark, n entries; NULL if the mark cannot be recalled. */
const double *nsds_ode_mark_state(const nsds_ode *ode, const nsds_ode_mark *mark);

#endif
