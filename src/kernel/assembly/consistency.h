/* Algebraic equations at the start of a simulation; see consistency.c. */
#ifndef NSDS_SRC_CONSISTENCY_H
#define NSDS_SRC_CONSISTENCY_H

#include "kernel/assembly/plan.h"

/* For a plan with all its numbers, at the initial state. */
nsds_status nsds_check_consistency(nsds_plan *plan);

#endif
