/*
 * Two paths that lead the proximal iteration of nonsmooth_newton on where Newton's method does not, for problems of contacts
 * with Coulomb friction.
 *
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
 *
 * Solutions of a proximal problem with Coulomb friction as its weight e falls, the centre held,
 *
 *     M z + q + e R^-1 (z - c) = w,   w = (z - x) / rho,
 *
 * z being x on sticking contacts and 0 on open ones, x the variables of Alart and Curnier's
 * equation, which fix z and w, and in which the solutions are a curve of smooth pieces: contacts
 * open, stick or slide. It is followed piece by piece (pivoting, but for the directions of
 * sliding), log e an unknown like the others, as it turns: where a problem has several solutions e
 * has to rise before it can fall. Full Newton steps lose it there.
 */
#ifndef NSDS_SRC_PATHS_H
#define NSDS_SRC_PATHS_H

#include "numerics/sets/cone_algebra.h"
#include "numerics/newton/equations.h"

enum {
  nsds_path_arrays = 19, /* of n entries, that following one takes */
  nsds_path_rows = 3     /* most of a contact */
};

/* Room for following one of them. */
typedef struct nsds_path_room {
  double *memory;       /* nsds_path_arrays * n */
  nsds_cone_pair *pair; /* of each contact, twice */
  unsigned char *state; /* of each contact */
} nsds_path_room;

typedef struct nsds_path_contact {
  int k, m, row; /* number, rows, the first of them */
  double mu, R;
} nsds_path_contact;

static inline nsds_path_contact nsds_path_contact_of(const nsds_equations *law, int k) {
  const nsds_unit *unit = &law->sweeps.unit[k];
  double root = law->at.root[unit->row];
  return (nsds_path_contact){k, unit->block.size, unit->row, unit->block.mu, root * root};
}

#endif
