/* The solution of redundant rows that keeps the symmetry of a problem. */
#ifndef NSDS_SRC_REFINE_EVEN_H
#define NSDS_SRC_REFINE_EVEN_H

#include "numerics/refine.h"

enum { nsds_most_even = 48 }; /* rows of a problem */

/* Like nsds_refine_least(). If rows depend on each other and some contact slips, motions may differ
 * too. Then z is sought anew from an even start, and stays if nothing is found. No search is made,
 * and z stays, if the same contacts pushed and slipped with the impulses `before`; NULL: nobody
 * knows. */
bool nsds_refine_evenly(nsds_refiner *r, const nsds_problem *problem, const double *before,
                        double *z, double *w, bool *spare);

#endif
