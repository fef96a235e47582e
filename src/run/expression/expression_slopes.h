/*
 * Exact derivatives of expressions, as terms of the same store.
 *
 * abs and sign have the derivative 0 at 0, and functions with steps have 0 everywhere. The
 * derivative of a root is 0 if both the root and the derivative below it are 0: sqrt(v1^2 + v2^2)
 * has a derivative at rest.
 */
#ifndef NSDS_RUN_EXPRESSION_SLOPES_H
#define NSDS_RUN_EXPRESSION_SLOPES_H

#include "run/expression/expression_tree.h"

#include <nsds/base.h>

/* The derivatives d of n terms by a variable. NSDS_ERROR_SIZE if the store would get more than
 * `most` nodes, NSDS_ERROR_MEMORY if memory is out; `d` then means nothing, and nothing is
 * reported. */
nsds_status nsds_term_slopes(nsds_expressions *all, const nsds_term *term, int n,
                             const double *variable, int most, nsds_term *d);

#endif
