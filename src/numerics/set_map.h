/*
 * An equation equivalent to the law of a block, phi(z, w) = 0, with an element of its generalised
 * derivative: for Newton methods.
 */
#ifndef NSDS_SRC_SET_MAP_H
#define NSDS_SRC_SET_MAP_H

#include "base.h"

#include <nsds/problem.h>

/*
 * phi (m), A = d phi / dz and B = d phi / dw (m x m, column-major; both NULL: phi alone); m at most
 * NSDS_COUPLED_ROWS.
 *
 * COULOMB, ROLLING  Alart & Curnier: with x = z - rho w and p_N = max(0, x_N),
 *                   phi_N = z_N - p_N, phi_T = z_T - (x_T shortened to mu p_N), R likewise
 * the others        the natural map z - P_C(z - rho w)
 *
 * rho (m) > 0 has one value for the tangential and one for the rolling rows of friction blocks, and
 * one for all rows of DISC, CONE and POLYHEDRON.
 */
void nsds_set_map(const nsds_block *block, const double *rho, const double *z, const double *w,
                  double *phi, double *A, double *B);

/* rho_i = 1 / the largest diagonal entry of M (m x m, column-major) among the rows that share it; 1
 * where that is not positive. */
void nsds_set_map_scale(const nsds_block *block, const double *M, double *rho);

#endif
