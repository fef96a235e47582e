#ifndef NSDS_SRC_NEWTON_BLUR_H
#define NSDS_SRC_NEWTON_BLUR_H

#include "kernel/stepping/time_stepping_driver.h"

/* Marks in plan->blurred what does not resolve the last increment: unknowns of the force of
 * a system, or rows of a relation. The iterate stays as it is, but the scratch of the systems does
 * not. */
void nsds_blur_of_system(nsds_plan *plan, nsds_slot *slot);
void nsds_blur_of_relation(nsds_plan *plan, nsds_contact *contact, const nsds_entry *entry);
/* Begins with no mark, and forgets all marks. */
void nsds_blur_begin(nsds_plan *plan);
void nsds_blur_end(nsds_plan *plan);

#endif
