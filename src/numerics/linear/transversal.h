/*
 * Scales of rows and columns that no choice of units changes: they make the entries of a largest
 * product, one in each row and column, about 1, and no entry larger.
 */
#ifndef NSDS_SRC_TRANSVERSAL_H
#define NSDS_SRC_TRANSVERSAL_H

#include <stdbool.h>
#include <stddef.h>

/* Numbers of scratch for n rows. */
enum { nsds_transversal_work = 3, nsds_transversal_iwork = 2 };

/* Exponents of two that scale the rows and columns of a dense matrix, n x n, column by column.
 * False where every product of entries, one in each row and column, is zero: the matrix is
 * singular. The arrays have n + 1 entries, the scratch so many times n + 1. */
bool nsds_transversal(int n, const double *a, int *row, int *column, double *work, int *iwork);

#endif
