/*
 * The central path of a friction problem made regular, followed through its folds. With
 * s = (mu z_N, z_T) and a multiplier l of each contact inside Lorentz cones, the centre at height h
 * is
 *
 *     M z + q + e R^-1 z = L(l),   L(l) = (mu (l_0 - |l_T|_h), l_T),   s o l = h (1, 0),
 *
 * |l_T|_h De Saxce's shift, smoothed by less as h falls. For e > 0 there is a solution for any q
 * (Klarbring & Pang, SIAM J. Optim. 8, 1998), but the path to it need not fall all the way: the
 * problem is not monotone. So h is an unknown, and steps are of one length along the path (Keller's
 * pseudo-arclength, in: Applications of Bifurcation Theory, 1977): predictor along the tangent,
 * Newton's steps in Nesterov and Todd's scaling (Math. Oper. Res. 22, 1997) back to the centre
 * within the plane across it. Where s and l are weighed by the scaling and the height, no unit and
 * no mass enters. Tangent and step are two solutions with one matrix.
 *
 * This comes from anywhere to a point near solutions far out along self-stresses, with all contacts
 * at once; in the end rounding, amplified by 1 / e, sets an end to the fall of h.
 */
#ifndef NSDS_SRC_CENTRAL_PATH_H
#define NSDS_SRC_CENTRAL_PATH_H

#include "cone_algebra.h"
#include "equations.h"

typedef struct nsds_central_path {
  double *memory;
  nsds_cone_pair *pair;
} nsds_central_path;

/* Whether all units are contacts with friction. */
bool nsds_central_path_serves(const nsds_sweeps *sweeps);

nsds_status nsds_central_path_reserve(nsds_central_path *kept, nsds_store *store,
                                      const nsds_sweeps *sweeps);

/* Follows the path as far as it leads, by the steps in velocities of the equations, and offers its
 * points to the watch; the centre of the equations is 0 then. *over where the solve is. */
nsds_status nsds_central_path_follow(nsds_central_path *kept, nsds_equations *law, bool *over);

#endif
