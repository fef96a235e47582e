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

#endif
