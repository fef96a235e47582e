#ifndef NSDS_SRC_REACTIONS_H
#define NSDS_SRC_REACTIONS_H

#include "kernel/events/event_rows.h"

/* Computes the forces that hold prescribed velocities at the trial state. */
nsds_status nsds_find_reactions(nsds_event_rows *s);
/* Computes the sum H^T lambda of all rows and joints on the system of slot k, from rates: M a - F. */
nsds_status nsds_force_of_all(nsds_event_rows *s, int k, double *p);
/* Computes y, dy/dt, forces and impulses of the joints of the plan's tree, from rates of this state.
 * `event`: rows have impulses, which p has too; p gets those of the joints. */
nsds_status nsds_find_joint_forces(nsds_event_rows *s, bool event);

#endif
