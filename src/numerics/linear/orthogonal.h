/*
 * Orthonormal columns: rank, least squares and kernel of a dense square matrix, by Householder
 * reflections with column pivoting. For matrices that LU finds singular, or nearly so; with entries
 * up to about 1.
 *
 * A diagonal entry of R up to `tolerance` times the first counts as zero. A is n x n, column-major,
 * and is overwritten; `pivot` has n places, `work` 2 n.
 */
#ifndef NSDS_SRC_ORTHOGONAL_H
#define NSDS_SRC_ORTHOGONAL_H

/* b = the x of least norm among those of least ||A x - b||; returns the rank of A. */
int nsds_orthogonal_solve(int n, double *A, double *b, double tolerance, int *pivot, double *work);

/* The columns of A behind the rank, which is returned, become an orthonormal basis of the kernel of
 * the transpose of A; 0 rows have rank 0. */
int nsds_orthogonal_kernel(int n, double *A, double tolerance, int *pivot, double *work);

/* h = (I - Q Q^T) h for the orthonormal columns of Q, m x count, the coefficients to c; returns the
 * length of h. By Gram and Schmidt; twice is enough. */
double nsds_orthogonalise(int m, int count, const double *Q, double *h, double *c);

#endif
