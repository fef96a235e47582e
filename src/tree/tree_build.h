#ifndef NSDS_SRC_TREE_BUILD_H
#define NSDS_SRC_TREE_BUILD_H

#include "tree/tree.h"

/* Makes the tree of all bodies in space, perhaps none. `jointed`: only of bodies with joints that have no
 * prescribed velocities and no integrator, scheme or step ratio of their own. NULL: out of memory. */
nsds_tree *nsds_tree_make(nsds_model *model, bool jointed);

/* Returns true for interactions that trees may have as joints. */
bool nsds_tree_may_join(const nsds_interaction *ia);

#endif
