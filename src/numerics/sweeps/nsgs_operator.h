#ifndef NSDS_SRC_NSGS_OPERATOR_H
#define NSDS_SRC_NSGS_OPERATOR_H

#include "numerics/sweeps/sweeps.h"

/* Runs all items, color by color. The threads of the context share the parts of a color. */
void nsds_sweeps_run(const nsds_sweeps *s, nsds_run_fn run, void *self);
/* Computes y from z. */
/* Puts z into the sets; y follows. */
void nsds_sweeps_refresh(const nsds_sweeps *s, const double *z, double *y);
void nsds_sweeps_project(const nsds_sweeps *s, double *z, double *y);
/* Updates a unit, over- or underrelaxed by omega; y follows. Returns the square of the change. */
double nsds_unit_update(const nsds_sweeps *s, int a, nsds_local_kind kind, double omega, double *z,
                        double *y);
/* Makes the stream of the assembled rows. */
nsds_status nsds_sweeps_list_rows(nsds_sweeps *s, nsds_solver *solver);
#endif
