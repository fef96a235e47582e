/*
 * An equation equivalent to the law of a block, phi(z, w) = 0, with an element of its generalised
 * derivative: for Newton methods.
 */
#ifndef NSDS_SRC_SET_MAP_H
#define NSDS_SRC_SET_MAP_H

#include "base/base.h"

#include <nsds/problem.h>

/* The equations to choose from. Sets without the chosen equation take the natural map. */
typedef enum nsds_map {
  NSDS_MAP_ALART_CURNIER, /* COULOMB, ROLLING: with x = z - rho w and p_N = max(0, x_N), phi_N = z_N
                             - p_N, phi_T = z_T - (x_T shortened to mu p_N), R likewise */
  NSDS_MAP_NATURAL,       /* z - P_C(z - rho (w + shift)) */
  NSDS_MAP_FISCHER        /* NONNEGATIVE, BOX, CONE, COULOMB: Fischer & Burmeister */
} nsds_map;

/*
 * Computes phi (m), A = d phi / dz and B = d phi / dw (m x m, column-major; both NULL: phi alone).
 * m is at most NSDS_COUPLED_ROWS.
 *
 * rho (m) > 0 has one value for all rows of DISC, CONE and POLYHEDRON. For friction blocks, Alart &
 * Curnier's equation has one rho each for the normal, tangential and rolling rows. Other equations
 * have one rho for all rows.
 */
void nsds_set_map(nsds_map map, const nsds_block *block, const double *rho, const double *z,
                  const double *w, double *phi, double *A, double *B);

/* Computes rho_i = 1 / the largest diagonal entry of M (m x m, column-major) among the rows that
 * share it; 1 if that is not positive. */
void nsds_set_map_scale(const nsds_block *block, const double *M, double *rho);

#endif
