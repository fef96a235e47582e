/*
 * Orthonormal columns: rank, least squares and kernel of a dense square matrix, by Householder
 * reflections with column pivoting. Use it for matrices that LU finds singular, or nearly so, with
 * entries up to about 1.
 *
 * A is n x n, column-major, and overwritten by the factors; `pivot` has n places, `tau` 3 n.
 */
#ifndef NSDS_SRC_ORTHOGONAL_H
#define NSDS_SRC_ORTHOGONAL_H

/* Factors A and returns the rank. A diagonal entry of R up to `tolerance` times the first counts as
 * zero. */
int nsds_orthogonal_factor(int n, double *A, double tolerance, int *pivot, double *tau);

/* Solves with the factors: replaces b by the x of least norm among those of least ||A x - b||. */
void nsds_orthogonal_solve(int n, const double *A, int rank, const int *pivot, double *tau,
                           double *b);

/* Writes column k of an orthonormal basis of the kernel, k < n - rank, to y. */
void nsds_orthogonal_kernel(int n, const double *A, int rank, const int *pivot, double *tau, int k,
                            double *y);

/* Computes h = (I - Q Q^T) h for the orthonormal columns of Q, m x count, and the coefficients c.
 * Returns the square of the length of h. By Gram and Schmidt; calling it twice is enough. */
double nsds_orthogonalise(int m, int count, const double *Q, double *h, double *c);

#endif
