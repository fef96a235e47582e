#ifndef NSDS_SRC_TRACKED_CONTACT_H
#define NSDS_SRC_TRACKED_CONTACT_H

#include "kernel/assembly/plan.h"

void nsds_contact_follow(nsds_contact *contact, nsds_followed *followed,
                         const nsds_contact_point *point);
/* Updates the places of the contacts of sets at the model's state, for programs that read them. */
void nsds_follow_places(nsds_plan *plan);
/* Computes the unused fraction of the reach of sets after a motion from q0 to the trial state; 1
 * without sets. At 0 contacts may be near that no search has found. */
nsds_status nsds_follow_left(const nsds_plan *plan, const double *q0, double *left);
/* Returns a number that is positive until sets have to find contacts anew at the trial state, though
 * there is reach left. */
double nsds_follow_margin(const nsds_plan *plan);
nsds_status nsds_check_followed(const nsds_contact_set *set);

/* Reserves work to evaluate the contacts found. */
nsds_status nsds_follow_reserve(nsds_plan *plan);

#endif
