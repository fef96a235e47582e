#ifndef NSDS_SRC_NSGS_OPERATOR_H
#define NSDS_SRC_NSGS_OPERATOR_H

#include "numerics/sweeps/nsgs.h"

/* All items, colour by colour, the parts of a colour shared among the threads of the context. */
void nsds_sweeps_run(const nsds_sweeps *s, nsds_run_fn run, void *self);
/* y from z; z put into the sets, y following. */
void nsds_sweeps_refresh(const nsds_sweeps *s, const double *z, double *y);
void nsds_sweeps_project(const nsds_sweeps *s, double *z, double *y);
/* One update of a unit, over- or underrelaxed by omega, y following; returns the square of its
 * change. */
double nsds_unit_update(const nsds_sweeps *s, int a, nsds_local_kind kind, double omega, double *z,
                        double *y);
/* The stream of the assembled rows. */
nsds_status nsds_sweeps_list_rows(nsds_sweeps *s, nsds_solver *solver);
#endif
