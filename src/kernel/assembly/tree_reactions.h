#ifndef NSDS_SRC_TREE_REACTIONS_H
#define NSDS_SRC_TREE_REACTIONS_H

#include "kernel/assembly/problems.h"

/* Computes y, dy/dt, impulses and forces of the joints of the plan's tree at the trial state. */
nsds_status nsds_tree_reactions(nsds_one_step *o);
/* Computes y and dy/dt of the joints, and what they bear. `load`: 6 by bodies, what a body needs and no
 * row gives. P: by rows of the model. */
nsds_status nsds_tree_reactions_share(nsds_plan *plan, const double *load, double *P);

#endif
