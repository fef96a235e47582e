/**
 * @file matrix.h
 * @brief Matrices that you give to the library: sparse matrices, triplets, and small matrices by
 *         rows.
 */
#ifndef NSDS_MATRIX_H
#define NSDS_MATRIX_H

#include <nsds/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * A sparse matrix in compressed columns. The receiver borrows the arrays. A definition of a system
 * needs them during the call, a problem as long as you use it. If there are no columns, all
 * pointers may be NULL.
 */
typedef struct nsds_csc {
  int nrow;        /**< rows */
  int ncol;        /**< columns */
  const int *p;    /**< ncol + 1 column starts */
  const int *i;    /**< p[ncol] row indices, strictly increasing within a column */
  const double *x; /**< p[ncol] values */
} nsds_csc;

/** An entry of a sparse matrix. */
typedef struct nsds_triplet {
  int row;      /**< >= 0 */
  int col;      /**< >= 0 */
  double value; /**< entries at one place add up */
} nsds_triplet;

/**
 * Makes compressed columns from triplets in any order, and sums triplets at one place. Lend p, i
 * and x with room for ncol + 1, count and count entries; *out then points to these arrays.
 * NSDS_ERROR_SIZE: a count below zero, or a place outside of nrow x ncol; *out is not changed.
 */
NSDS_API nsds_status nsds_triplets_to_csc(int nrow, int ncol, int count,
                                          const nsds_triplet *triplet, int *p, int *i, double *x,
                                          nsds_csc *out);

/** Copies nrow x ncol values, given row by row, into `columns`, column by column. Returns
 *  `columns`. */
NSDS_API const double *nsds_by_rows(int nrow, int ncol, const double *rows, double *columns);

/**
 * A small matrix written row by row in the source, for the column-major fields of definitions:
 *
 *     .A = NSDS_ROWS(2, 3,   1.0, 2.0, 3.0,
 *                            4.0, 5.0, 6.0)
 *
 * Sizes are constants. The code compiles only if you give nrow * ncol values. The matrix lives as
 * long as the block that contains it.
 */
#define NSDS_ROWS(nrow, ncol, ...)                                                                 \
  nsds_by_rows((nrow), (ncol), (const double[]){__VA_ARGS__},                                      \
               (double[sizeof((const double[]){__VA_ARGS__}) == (nrow) * (ncol) * sizeof(double)   \
                           ? (nrow) * (ncol)                                                       \
                           : -1]){0})

#ifdef __cplusplus
}
#endif
#endif
