/* Algebraic equations at the start of a simulation; see consistency.c. */
#ifndef NSDS_SRC_CONSISTENCY_H
#define NSDS_SRC_CONSISTENCY_H

#include "kernel/assembly/plan.h"

/* Checks the initial state, once the plan has all its numbers. */
nsds_status nsds_consistency_check(nsds_plan *plan);

#endif
