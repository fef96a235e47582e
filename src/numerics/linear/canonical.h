/*
 * Scales that make equivalent matrices equal. If rows and columns of A are multiplied by powers of
 * two, and the data b with the rows, row_i A_ij column_j and row_i b_i keep their bits. Only in
 * connected parts without data a common factor of row and 1 / column may differ.
 */
#ifndef NSDS_SRC_CANONICAL_H
#define NSDS_SRC_CANONICAL_H

#include <stdbool.h>

/* A square matrix by columns; i NULL: dense, with n entries in each column. */
typedef struct nsds_columns_view {
  int n;
  const int *first, *i;
  const double *a;
} nsds_columns_view;

/* Writes powers of two with entries up to about 1. `seen` has 2 n entries, `most` n. */
void nsds_canonical_scales(const nsds_columns_view *A, const double *b, double *row, double *column,
                           double *most, unsigned char *seen);

#endif
