#ifndef NSDS_SRC_STEP_FAILURE_H
#define NSDS_SRC_STEP_FAILURE_H

#include "kernel/stepping/time_stepping_driver.h"

/* Reports that the problem was not solved. If dependent joints are the cause, the next try leaves
 * them out. */
nsds_status nsds_fail_unsolved(nsds_time_stepping_driver *d, const nsds_solver_info *info);
/* Reports that q of the problem is not finite, and names the contact of `row`. */
nsds_status nsds_fail_problem_overflow(nsds_simulation *sim, int row);

#endif
