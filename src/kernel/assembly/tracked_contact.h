#ifndef NSDS_SRC_TRACKED_CONTACT_H
#define NSDS_SRC_TRACKED_CONTACT_H

#include "kernel/assembly/plan.h"

void nsds_contact_follow(nsds_contact *contact, nsds_followed *followed,
                         const nsds_contact_point *point);
/* Where the contacts of sets are at the model's state, for programs that read it. */
void nsds_follow_places(nsds_plan *plan);
/* How much of what sets reach is left for bodies to move from q0 to the trial state, 1 being all of
 * it, before contacts may be near that have not been found; 1 where there are no sets. */
nsds_status nsds_follow_left(const nsds_plan *plan, const double *q0, double *left);
/* Whether the contacts of a set can be followed; fails where they cannot. */
nsds_status nsds_check_followed(const nsds_contact_set *set);

#endif
