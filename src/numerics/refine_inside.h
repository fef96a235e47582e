#ifndef NSDS_SRC_REFINE_INSIDE_H
#define NSDS_SRC_REFINE_INSIDE_H

#include "numerics/refine.h"

/*
 * From such a z, where a contact that sticks is at the bound of its friction, or one `came` to it:
 * another solution in which only those rows are at a bound that are so in all solutions. Returns whether
 * there is one, or none is needed to know that; z stays otherwise. Its residual is at most `most`, or
 * rounding.
 */
bool nsds_refine_inside(nsds_refiner *r, const nsds_problem *problem, double *z, double *w,
                        bool *spare, bool came, double most);

#endif
