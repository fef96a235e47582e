#ifndef NSDS_SRC_SLOT_MASS_H
#define NSDS_SRC_SLOT_MASS_H

#include "kernel/assembly/plan.h"

/* Returns true if the mass matrix of a second-order system varies. */
bool nsds_slot_mass_varies(const nsds_slot *slot);
/* Fails if M varies and is not positive definite. The message names the system. */
nsds_status nsds_slot_check_mass(const nsds_slot *slot, double t);
/* Checks every system at the end of the step. `otherwise` is the failure of the step. */
nsds_status nsds_plan_check_masses(const nsds_plan *plan, nsds_status otherwise);

#endif
