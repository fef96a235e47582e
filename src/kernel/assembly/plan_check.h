#ifndef NSDS_SRC_PLAN_CHECK_H
#define NSDS_SRC_PLAN_CHECK_H

#include "kernel/assembly/plan.h"

/* Fails if the system cannot work with the schemes of the plan. */
nsds_status nsds_plan_check_slot(const nsds_plan *plan, nsds_slot *slot);
/* Fails if the interaction cannot work with the schemes of the plan. */
nsds_status nsds_plan_check_interaction(const nsds_plan *plan, const nsds_interaction *ia);
/* Fails if the solver does not take the sets of all laws. */
nsds_status nsds_plan_check_solver(const nsds_plan *plan, const nsds_solver *solver);
nsds_status nsds_plan_check_law(const nsds_plan *plan, const nsds_law *law, const char *owner);

#endif
