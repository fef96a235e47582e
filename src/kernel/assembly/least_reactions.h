#ifndef NSDS_SRC_LEAST_REACTIONS_H
#define NSDS_SRC_LEAST_REACTIONS_H

#include "kernel/assembly/problems.h"

#include <string.h>

nsds_status nsds_one_step_reserve_least(nsds_one_step *o);
/* Keeps the impulses from which the solver starts, before it solves. */
static inline void nsds_one_step_keep_start(nsds_one_step *o) {
  int n = o->problem.n;
  if (n > 1 && n <= nsds_least_rows && o->least.z &&
      !nsds_refiner_is_definite(&o->least.refiner, &o->problem.M))
    memcpy(o->least.z + nsds_least_rows, o->z, (size_t)n * sizeof *o->z);
}
/* Replaces the solution by the one of least squares. */
void nsds_least_reactions_find(nsds_one_step *o, nsds_solver_info *info);
static inline void nsds_one_step_least(nsds_one_step *o, nsds_solver_info *info) {
  if (o->problem.n > 1 && !nsds_refiner_is_definite(&o->least.refiner, &o->problem.M))
    nsds_least_reactions_find(o, info);
}

#endif
