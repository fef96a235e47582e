#ifndef NSDS_SRC_PLAN_MEMORY_H
#define NSDS_SRC_PLAN_MEMORY_H

#include "kernel/assembly/plan.h"

/* Reserves room for `contacts` contacts and for all rows of the model. */
nsds_status nsds_plan_reserve(nsds_plan *plan, size_t contacts);
/* Reserves v_last, for steps of several passes. */
nsds_status nsds_plan_reserve_last(nsds_plan *plan);
/* Reserves the memory in which stepping/newton_blur.c asks functions about an increment. */
enum { nsds_probe_arrays = 8 };
nsds_status nsds_plan_reserve_probe(nsds_plan *plan);

#endif
