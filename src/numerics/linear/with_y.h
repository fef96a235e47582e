/*
 * A problem as programs read it: all edges of the factored operator have their Y.
 */
#ifndef NSDS_SRC_WITH_Y_H
#define NSDS_SRC_WITH_Y_H

#include "numerics/store.h"

#include <nsds/problem.h>

/* Begins zeroed. */
typedef struct nsds_with_y {
  nsds_store store; /* holds the arrays */
  nsds_problem problem;
  nsds_factored factored;
  nsds_edge *edge;
  double *Y;
} nsds_with_y;

/* The problem itself where nothing is missing, else a copy that lives in `w` until the next call
 * and points to what the problem points to; NULL: out of memory. */
const nsds_problem *nsds_give_y(nsds_context *context, nsds_with_y *w, const nsds_problem *problem);
void nsds_with_y_release(nsds_with_y *w);

#endif
