#ifndef NSDS_SRC_PROBLEM_H
#define NSDS_SRC_PROBLEM_H

#include "numerics/problem_check.h"

nsds_status nsds_refuse(const nsds_subject *s, nsds_status status, const char *format, ...)
    NSDS_PRINTF(3, 4);
/* Checks set, size and parameters of a block. */
nsds_status nsds_check_block(const nsds_subject *s, const nsds_block *block);
/* Checks the sets, and that their sizes sum to n. */
nsds_status nsds_check_blocks(const nsds_subject *s, int nblock, const nsds_block *blocks, int n);
/* Checks storage and entries of M; M->n must be valid. */
nsds_status nsds_check_matrix(const nsds_subject *s, const nsds_matrix *M);
/* Checks that n numbers are finite, if n > 0. */
nsds_status nsds_check_numbers(const nsds_subject *s, const char *name, const double *x, int n);
/* Checks compressed columns: starts, increasing indices within a column, finite values. */
nsds_status nsds_check_columns(const nsds_subject *s, const char *name, int nrow, int ncolumn,
                               const int *p, const int *i, const double *x);
/* Checks that starts[0 .. count] begins with 0 and does not decrease; returns `status`
 * otherwise. */
nsds_status nsds_check_starts(const nsds_subject *s, nsds_status status, const char *name,
                              const int *starts, int count);

#endif
