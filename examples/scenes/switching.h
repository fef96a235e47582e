/*
 * Systems switched by relays: first-order systems whose right-hand side jumps, shared by examples,
 * tests and benchmarks.
 */
#ifndef NSDS_SCENES_SWITCHING_H
#define NSDS_SCENES_SWITCHING_H

#include <nsds/nsds.h>

/* A system with one interaction for all of its relays. */
typedef struct relay_scene {
  nsds_ds *system;
  nsds_interaction *relay;
} relay_scene;

/* dx_i/dt = -2 sign(x_i), i = 1, 2: each arrives at zero in finite time and stays. */
relay_scene scene_relay_simple(nsds_model *model, double x1, double x2);

/*
 * Relay feedback dx/dt = A x - b sign(x_1) of a third-order system with an unstable focus, whose
 * motion slides along x_1 = 0 in part of every turn. x(0) = (0, 1/2, 0).
 * Source: M. di Bernardo, K. H. Johansson, F. Vasca: Self-oscillations and sliding in relay
 * feedback systems. Int. J. Bifurcation and Chaos 11 (2001).
 */
relay_scene scene_relay_oscillator(nsds_model *model);

/*
 * Filippov's example of a centre reached after infinitely many turns in finite time,
 *     dx_1/dt = -sign(x_1) + 2 sign(x_2),   dx_2/dt = -2 sign(x_1) - sign(x_2);
 * |x_1| + |x_2| falls at the rate 2.
 * Source: A. F. Filippov: Differential Equations with Discontinuous Righthand Sides. Kluwer, 1988.
 */
relay_scene scene_filippov(nsds_model *model, double x1, double x2);

/*
 * Twisting control of a double integrator against a disturbance d(t) = sin(5 t)/2,
 *     dx_1/dt = x_2,   dx_2/dt = d - 2 sign(x_1) - sign(x_2),
 * which brings x_1 and x_2 to zero in finite time and keeps them there. The relative degree of x_1
 * is 2, of which nsds_time_stepping() warns. Source: A. Levant: Sliding order and sliding accuracy
 * in sliding mode control. Int. J. Control 58 (1993).
 */
relay_scene scene_twisting(nsds_model *model, double x1, double x2);

/*
 * Two genes whose products inhibit each other above the threshold 4, and their own expression above
 * 8, dx_a/dt = k s(x_a - 8) s(x_b - 4) - g x_a,   dx_b/dt = k s(x_b - 8) s(x_a - 4) - g x_b with s
 * = 1 below and 0 above zero, k = 40, g = 4.5; lambda holds the four steps in this order. Motions
 * slide along the thresholds of 8.
 * Source: H. de Jong, J.-L. Gouze et al.: Qualitative simulation of genetic regulatory networks
 * using piecewise-linear models. Bull. Math. Biology 66 (2004).
 */
relay_scene scene_gene_network(nsds_model *model, double xa, double xb);

#endif
