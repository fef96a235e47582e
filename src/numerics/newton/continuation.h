/*
 * Two paths for the proximal iteration of nonsmooth_newton, for contacts with Coulomb friction,
 * which go on where Newton's method fails.
 *
 * The central path belongs to a friction problem made regular, and is followed through its folds.
 * With s = (mu z_N, z_T) and a multiplier l of each contact inside Lorentz cones, the center at
 * height h is
 *
 *     M z + q + e R^-1 z = L(l),   L(l) = (mu (l_0 - |l_T|_h), l_T),   s o l = h (1, 0).
 *
 * |l_T|_h is De Saxce's shift, smoothed by less as h falls. For e > 0 there is a solution for any q
 * (Klarbring & Pang, SIAM J. Optim. 8, 1998). Because the problem is not monotone, h need not fall
 * all the way to it. So h is an unknown, and steps have one length along the path (Keller's
 * pseudo-arclength, in: Applications of Bifurcation Theory, 1977). The predictor goes along the
 * tangent. Newton's steps in Nesterov and Todd's scaling (Math. Oper. Res. 22, 1997) then lead back
 * to the center within the plane across the tangent. The scaling and the height weigh s and l, so
 * that no unit and no mass enters. Tangent and step are two solutions with one matrix.
 *
 * This path leads from any start to a point near solutions far out along self-stresses, with all
 * contacts at once. In the end rounding, amplified by 1 / e, stops the fall of h.
 *
 * The other path consists of solutions of a proximal problem with Coulomb friction as its weight e
 * falls, with the center held,
 *
 *     M z + q + e R^-1 (z - c) = w,   w = (z - x) / rho.
 *
 * The variables x of Alart and Curnier's equation fix z and w: z is x on sticking contacts and 0 on
 * open ones. In x the solutions are a curve of smooth pieces: contacts open, stick or slide. The
 * curve is followed piece by piece (pivoting, except for the directions of sliding). The unknowns
 * include log e, because the curve turns: if a problem has several solutions, e must rise before it
 * can fall. Full Newton steps lose the curve there.
 */
#ifndef NSDS_SRC_PATHS_H
#define NSDS_SRC_PATHS_H

#include "numerics/sets/cone_algebra.h"
#include "numerics/newton/equations.h"

enum {
  nsds_path_arrays = 19, /* of n entries, for one path */
  nsds_path_rows = 3     /* most rows of a contact */
};

/* Room for one path. */
typedef struct nsds_path_room {
  double *memory;       /* nsds_path_arrays * n */
  nsds_cone_pair *pair; /* of each contact, twice */
  unsigned char *state; /* of each contact */
} nsds_path_room;

typedef struct nsds_path_contact {
  int k, m, row; /* number, number of rows, first row */
  double mu, R;
} nsds_path_contact;

static inline nsds_path_contact nsds_path_contact_of(const nsds_equations *law, int k) {
  const nsds_unit *unit = &law->sweeps.unit[k];
  double root = law->at.root[unit->row];
  return (nsds_path_contact){k, unit->block.size, unit->row, unit->block.mu, root * root};
}

#endif
