/* A quick test that spares a search for the rank. */
#ifndef NSDS_SRC_FULL_RANK_H
#define NSDS_SRC_FULL_RANK_H

/*
 * Returns a number below the least singular value of the square matrix A (n x n, column-major), in
 * units of its longest column; 0: nothing is known. If the number is larger than `tolerance`,
 * nsds_orthogonal_factor() finds rank n with this tolerance. Overwrites A by factors L U; `work` has
 * n places.
 */
double nsds_least_singular_value(int n, double *A, double *work);

#endif
