#ifndef NSDS_SRC_CERTIFY_UNITS_H
#define NSDS_SRC_CERTIFY_UNITS_H

#include <nsds/problem.h>

/*
 * Returns d of row i, whose diagonal vanishes, in the unit of w_i / z_i (certify_units.c). First
 * choice is max_j |M_ij M_ji| / |M_jj|, the diagonal of its Schur complement on row j. If no M_jj
 * or no product remains, the choice is max_j sqrt(|M_ij M_ji|), then max_j |M_ij|, then 1.
 */
double nsds_unit_without_diagonal(const nsds_matrix *M, int row);

#endif
