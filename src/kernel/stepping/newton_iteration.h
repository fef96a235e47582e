#ifndef NSDS_SRC_NEWTON_ITERATION_H
#define NSDS_SRC_NEWTON_ITERATION_H

#include "kernel/stepping/time_stepping.h"

/* Values of relations and residuals of systems at the iterate. Where systems make parts of the step
 * these depend on the inputs. */
nsds_status nsds_newton_evaluate(nsds_plan *plan);
/* Free unknowns of the systems that are not affine, and relations, at the iterate. */
nsds_status nsds_newton_linearise(nsds_plan *plan, nsds_one_step *o);
/* The same at the first iterate of a step, where joints that follow from others are left out. */
nsds_status nsds_newton_linearise_first(nsds_time_stepping_driver *d);
/* Whether the iteration has converged. Where it has not, d->reached becomes NSDS_PASS_TESTED, and
 * another iteration is counted. */
nsds_status nsds_newton_test(nsds_time_stepping_driver *d);

#endif
