/*
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
#ifndef NSDS_SRC_SOLUTION_PATH_H
#define NSDS_SRC_SOLUTION_PATH_H

#include "equations.h"

typedef struct nsds_solution_path {
  double *memory;
  unsigned char *state; /* of each contact */
} nsds_solution_path;

/* For problems that nsds_central_path_serves(). */
nsds_status nsds_solution_path_reserve(nsds_solution_path *path, nsds_store *store,
                                       const nsds_sweeps *sweeps);

/* From near the solution z (n) for law->e and law->centre on, at most `limit` factorisations; leaves
 * the last point in z. *over: the solve is. */
nsds_status nsds_solution_path_follow(nsds_solution_path *path, nsds_equations *law, int limit,
                                      double *z, bool *over);

#endif
