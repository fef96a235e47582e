#ifndef NSDS_SRC_PLAN_CHECK_H
#define NSDS_SRC_PLAN_CHECK_H

#include "kernel/assembly/plan.h"

/* Fail where they cannot work with the schemes of the plan. */
nsds_status nsds_plan_check_slot(const nsds_plan *plan, nsds_slot *slot);
nsds_status nsds_plan_check_interaction(const nsds_plan *plan, const nsds_interaction *ia);
/* Whether the solver takes the sets of all laws. */
nsds_status nsds_plan_check_solver(const nsds_plan *plan, const nsds_solver *solver);
nsds_status nsds_plan_check_law(const nsds_plan *plan, const nsds_law *law, const char *owner);

#endif
