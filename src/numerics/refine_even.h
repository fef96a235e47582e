/* The solution of redundant rows that keeps the symmetry of a problem. */
#ifndef NSDS_SRC_REFINE_EVEN_H
#define NSDS_SRC_REFINE_EVEN_H

#include "numerics/refine.h"

/* Like nsds_refine_least(). If rows depend on each other and some contact slips, motions may also
 * differ: then z is sought anew from an even start, and stays if nothing is found. */
bool nsds_refine_evenly(nsds_refiner *r, const nsds_problem *problem, double *z, double *w,
                        bool *spare);

#endif
