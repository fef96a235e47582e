#ifndef NSDS_SRC_LOCAL_H
#define NSDS_SRC_LOCAL_H

#include "kernel/modeling/modeling.h"

/*
 * An interaction's relation at a state. Doubles of scratch for any of these calls: */
size_t nsds_local_work(const nsds_interaction *ia);
/* Q, V (or X), Z and scale * lambda, concatenated in `work`; lambda NULL is zero. */
nsds_arguments nsds_gather(const nsds_interaction *ia, const nsds_state *at, const double *lambda,
                           double scale, double *work);
/* The gradient of a second-order relation in velocities, m x nv, at `in`; `work` has m nq and room
 * for the largest T. */
nsds_status nsds_gradient(const nsds_interaction *ia, const nsds_arguments *in, double *H,
                          double *work);
/* H_s = (dh/dq)_s T_s of one system; T has room for its map. */
nsds_status nsds_through_map(const nsds_ds *ds, int m, const nsds_arguments *in, const double *Jq,
                             double *H, double *T);
/* y and dy/dt at a state. */
nsds_status nsds_local_output(const nsds_interaction *ia, const nsds_state *at, double *y,
                              double *ydot, double *work);
/* The same at the model's state, to be shown: finite, or a failure. */
nsds_status nsds_local_show(nsds_interaction *ia, double *work);
/* Of an interaction at a state: d^2y/dt^2 at dV/dt = 0, of first-order ones dy/dt at dX/dt = 0. By
 * differences over times of about `step` where the relation does not say; meanwhile the state is
 * moved, and moved back. `work` has nsds_bias_work() doubles. */
size_t nsds_bias_work(const nsds_interaction *ia);
nsds_status nsds_bias_difference(const nsds_interaction *ia, nsds_state *at, double step, int side,
                                 double *bias, double *work);
nsds_status nsds_bias(const nsds_interaction *ia, nsds_state *at, double step, int side,
                      double *bias, double *work);

#endif
