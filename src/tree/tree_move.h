#ifndef NSDS_SRC_TREE_MOVE_H
#define NSDS_SRC_TREE_MOVE_H

#include "tree/tree.h"

/* Checks q, and u unless it is NULL, for `call`. */
nsds_status nsds_tree_check(const nsds_tree *tree, const char *call, const double *q,
                            const double *u);
/* Computes the unit quaternion of a rotation. */
void nsds_tree_quaternion(const double *R, double *p);
/* Computes places, S and v of all links. u NULL: zero. */
void nsds_tree_move(nsds_tree *tree, const double *q, const double *u);

#endif
