#ifndef NSDS_SRC_NSGS_OPEN_H
#define NSDS_SRC_NSGS_OPEN_H

#include "numerics/sweeps/sweeps.h"

/* Cuts the problem into units and packs and prepares their local problems. Adds the part
 * `regularization` of the largest diagonal entry of M_aa to the diagonal of M_aa. Uses the scratch
 * of the solver; the solver's store holds the results. */
nsds_status nsds_sweeps_open(nsds_sweeps *s, nsds_solver *solver, const nsds_problem *problem,
                             nsds_arrangement arrangement, double regularization);
/* Prepares the local problems again with another regularisation. */
void nsds_sweeps_regularize(nsds_sweeps *s, double part);

#endif
