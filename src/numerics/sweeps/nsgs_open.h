#ifndef NSDS_SRC_NSGS_OPEN_H
#define NSDS_SRC_NSGS_OPEN_H

#include "numerics/sweeps/nsgs.h"

/* Cuts the problem into units and packs and prepares their local problems; `regularization` is the
 * part of its largest diagonal entry that is added to the diagonal of M_aa. Uses the scratch of the
 * solver, whose store holds what is made. */
nsds_status nsds_sweeps_open(nsds_sweeps *s, nsds_solver *solver, const nsds_problem *problem,
                             nsds_arrangement arrangement, double regularization);
/* The local problems with another regularisation. */
void nsds_sweeps_regularize(nsds_sweeps *s, double part);

#endif
