#ifndef NSDS_SRC_NEWTON_ITERATION_H
#define NSDS_SRC_NEWTON_ITERATION_H

#include "kernel/stepping/time_stepping_driver.h"

/* Evaluates relations, and residuals of systems, at the iterate. Residuals of systems with a step
 * ratio depend on the inputs. */
nsds_status nsds_newton_evaluate(nsds_plan *plan);
/* Linearises relations, and computes free unknowns of systems that are not affine, at the
 * iterate. */
nsds_status nsds_newton_linearise(nsds_plan *plan, nsds_one_step *o);
/* Does the same at the first iterate of a step, and leaves out joints that follow from others. */
nsds_status nsds_newton_linearise_first(nsds_time_stepping_driver *d);
/* Tests the iterate and sets info.newton_converged. If another iteration is needed, counts it and
 * sets d->reached to NSDS_PASS_TESTED. */
nsds_status nsds_newton_test(nsds_time_stepping_driver *d);

#endif
