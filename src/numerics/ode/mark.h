#ifndef NSDS_SRC_MARK_H
#define NSDS_SRC_MARK_H

#include "numerics/ode/ode_internal.h"

/* Memory of a mark for this integration. */
nsds_status nsds_ode_mark_reserve(const nsds_ode *ode, nsds_ode_mark *mark);
void nsds_ode_mark_take(const nsds_ode *ode, nsds_ode_mark *mark);
bool nsds_ode_mark_recall(nsds_ode *ode, const nsds_ode_mark *mark);
/* x there, n entries; NULL where it cannot be recalled. */
const double *nsds_ode_mark_state(const nsds_ode *ode, const nsds_ode_mark *mark);

#endif
