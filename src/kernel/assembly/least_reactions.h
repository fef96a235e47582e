#ifndef NSDS_SRC_LEAST_REACTIONS_H
#define NSDS_SRC_LEAST_REACTIONS_H

#include "kernel/assembly/one_step.h"

nsds_status nsds_one_step_reserve_least(nsds_one_step *o);
/* Replaces the solution by the one of least squares. */
void nsds_one_step_find_least(nsds_one_step *o, nsds_solver_info *info);
static inline void nsds_one_step_least(nsds_one_step *o, nsds_solver_info *info) {
  if (o->problem.n > 1 && !nsds_refiner_is_definite(&o->least.refiner, &o->problem.M))
    nsds_one_step_find_least(o, info);
}

#endif
