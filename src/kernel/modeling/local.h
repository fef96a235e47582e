#ifndef NSDS_SRC_LOCAL_H
#define NSDS_SRC_LOCAL_H

#include "kernel/modeling/modeling.h"

/* Returns the doubles of scratch for any of the calls below, which evaluate an interaction's
 * relation at a state. */
size_t nsds_local_work(const nsds_interaction *ia);
/* Gathers Q, V (or X), Z and scale * lambda in `work`. lambda NULL is zero. */
nsds_arguments nsds_gather(const nsds_interaction *ia, const nsds_state *at, const double *lambda,
                           double scale, double *work);
/* Computes the gradient of a second-order relation in velocities, m x nv, at `in`. `work` has m nq
 * and room for the largest T. */
nsds_status nsds_gradient(const nsds_interaction *ia, const nsds_arguments *in, double *H,
                          double *work);
/* Returns the part of `work` that nsds_gather() leaves free. */
static inline double *nsds_behind_gathered(const nsds_interaction *ia, double *work) {
  return work + ia->relation->nq + ia->nv + ia->nZ + 1 + ia->m;
}
/* Computes the same gradient at a state, where lambda acts. */
static inline nsds_status nsds_gradient_at(const nsds_interaction *ia, const nsds_state *at,
                                           const double *lambda, double *H, double *work) {
  nsds_arguments in = nsds_gather(ia, at, lambda, 1.0, work);
  return nsds_gradient(ia, &in, H, nsds_behind_gathered(ia, work));
}
/* Computes H_s = (dh/dq)_s T_s of one system. T has room for the system's map. */
nsds_status nsds_through_map(const nsds_ds *ds, int m, const nsds_arguments *in, const double *Jq,
                             double *H, double *T);
/* Computes y and dy/dt at a state. */
nsds_status nsds_local_output(const nsds_interaction *ia, const nsds_state *at, double *y,
                              double *ydot, double *work);
/* Computes y and dy/dt of the model's state. Fails if they are not finite. */
nsds_status nsds_local_show(nsds_interaction *ia, double *work);
/* Returns the doubles of `work` for the two calls below. */
size_t nsds_bias_work(const nsds_interaction *ia);
/* Computes the bias of an interaction at a state by differences over times of about `step`:
 * d^2y/dt^2 at dV/dt = 0; dy/dt at dX/dt = 0 for first-order relations. Moves the state meanwhile,
 * and moves it back. */
nsds_status nsds_bias_difference(const nsds_interaction *ia, nsds_state *at, double step, int side,
                                 double *bias, double *work);
/* Computes the same bias by the relation's own operation; by differences if there is none. */
nsds_status nsds_bias(const nsds_interaction *ia, nsds_state *at, double step, int side,
                      double *bias, double *work);

#endif
