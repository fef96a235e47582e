#ifndef NSDS_SRC_DEPENDENT_H
#define NSDS_SRC_DEPENDENT_H

#include "kernel/assembly/one_step.h"

/* Once the factors of W are there: which equalities follow from others at the accepted
 * state. Linearising silences these until they are sought again. */
nsds_status nsds_one_step_leave_out(nsds_one_step *o);
/* The same once the problem has not been solved: it stays as it is, to be looked at. */
nsds_status nsds_one_step_seek_dependent(nsds_one_step *o);

#endif
