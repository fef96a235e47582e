#ifndef NSDS_SRC_SLOT_MASS_H
#define NSDS_SRC_SLOT_MASS_H

#include "kernel/assembly/plan.h"

/* Whether M is positive definite, of second-order systems where it varies; else an error
 * that names the system. */
bool nsds_slot_mass_varies(const nsds_slot *slot);
nsds_status nsds_slot_check_mass(const nsds_slot *slot, double t);
nsds_status nsds_plan_check_masses(const nsds_plan *plan, nsds_status otherwise);

#endif
