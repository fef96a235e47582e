#ifndef NSDS_SRC_REFINE_INSIDE_H
#define NSDS_SRC_REFINE_INSIDE_H

#include "numerics/refine.h"

/*
 * Searches for another solution, from the z of nsds_refine_least(), in which a row is at a bound
 * only if it is so in all solutions. The search begins if a sticking contact is at the bound of its
 * friction, or if one `came` to it. Returns true if the solution is found, with a residual of at
 * most `most` or of rounding. Otherwise z stays.
 */
bool nsds_refine_inside(nsds_refiner *r, const nsds_problem *problem, double *z, double *w,
                        bool *spare, bool came, double most);

#endif
