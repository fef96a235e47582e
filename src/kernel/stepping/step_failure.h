#ifndef NSDS_SRC_STEP_FAILURE_H
#define NSDS_SRC_STEP_FAILURE_H

#include "kernel/stepping/time_stepping.h"

/* Says that the problem was not solved. The next try leaves out joints that follow from others, if it
 * is they. */
nsds_status nsds_fail_unsolved(nsds_time_stepping_driver *d, const nsds_solver_info *info);
/* No method is given numbers of which it can make nothing: says where `row` comes from. */
nsds_status nsds_fail_problem_overflow(nsds_simulation *sim, int row);

#endif
