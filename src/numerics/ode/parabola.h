#ifndef NSDS_SRC_PARABOLA_H
#define NSDS_SRC_PARABOLA_H

#include "numerics/ode/ode_internal.h"

/* Lists the watched functions that may change their side on the panel in search.open. The others
 * keep their side, which their parabolas tell. Returns true if the listed functions have been
 * sampled, too. If the last step or the functions are no parabolas, all functions are listed. */
bool nsds_parabola_look(nsds_ode *ode, double from, double to);

#endif
