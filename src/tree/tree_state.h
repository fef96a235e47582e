#ifndef NSDS_SRC_TREE_STATE_H
#define NSDS_SRC_TREE_STATE_H

#include "tree/tree.h"

/* Computes q, with angles in (-pi, pi], and u of the state Q, V of all systems. `ds` and `joint` (NULL:
 * free) are those of the bodies. */
void nsds_tree_read(nsds_tree *tree, nsds_ds *const *ds, nsds_interaction *const *joint,
                    const double *Q, const double *V, double *q, double *u);

#endif
