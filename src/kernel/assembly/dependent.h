#ifndef NSDS_SRC_DEPENDENT_H
#define NSDS_SRC_DEPENDENT_H

#include "kernel/assembly/one_step.h"

/* Finds equalities that follow from others at the accepted state; the factors of W must be there.
 * Linearising silences these equalities until the next search. */
nsds_status nsds_dependent_leave_out(nsds_one_step *o);
/* Searches after a failed solve and forms the problem at the iterate complete, for inspection. */
nsds_status nsds_dependent_seek(nsds_one_step *o);

#endif
