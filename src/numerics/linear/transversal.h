/*
 * Scales of rows and columns that do not depend on units. Choose one entry in each row and column,
 * with the largest product: the scales make these entries about 1, and no entry larger.
 */
#ifndef NSDS_SRC_TRANSVERSAL_H
#define NSDS_SRC_TRANSVERSAL_H

#include <stdbool.h>
#include <stddef.h>

/* Numbers of scratch per row. */
enum { nsds_transversal_work = 3, nsds_transversal_iwork = 2 };

/* Computes exponents of two that scale the rows and columns of a dense n x n matrix, stored by
 * columns. Returns false if every transversal has a zero: the matrix is singular. `row` and
 * `column` have n + 1 entries, `work` and `iwork` n + 1 times the numbers above. */
bool nsds_transversal(int n, const double *a, int *row, int *column, double *work, int *iwork);

#endif
