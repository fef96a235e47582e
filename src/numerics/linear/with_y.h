/*
 * A problem as users' functions read it: all edges of the factored operator have their Y.
 */
#ifndef NSDS_SRC_WITH_Y_H
#define NSDS_SRC_WITH_Y_H

#include "numerics/store.h"

#include <nsds/problem.h>

/* Must be zeroed at first. */
typedef struct nsds_with_y {
  nsds_store store; /* holds the arrays */
  nsds_problem problem;
  nsds_factored factored;
  nsds_edge *edge;
  double *Y;
} nsds_with_y;

/* Returns the problem itself if no Y is missing, else a copy in `w`, valid until the next call,
 * that points to the problem's arrays. NULL: out of memory. */
const nsds_problem *nsds_give_y(nsds_context *context, nsds_with_y *w, const nsds_problem *problem);
void nsds_with_y_release(nsds_with_y *w);

#endif
