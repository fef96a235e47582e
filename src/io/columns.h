#ifndef NSDS_SRC_COLUMNS_H
#define NSDS_SRC_COLUMNS_H

#include "io/problem_file.h"

nsds_status nsds_triplets_create(nsds_context *context, int nrow, int ncolumn, size_t count,
                                 nsds_triplets *entries);
void nsds_triplets_release(nsds_context *context, nsds_triplets *entries);
/* Makes compressed columns, rows increasing, in new arrays. The caller owns the arrays, also after
 * a failure. NSDS_ERROR_FORMAT, not recorded, means that entries at one place add up to a number
 * that is not finite. */
nsds_status nsds_compress(nsds_context *context, const nsds_triplets *entries, int **p, int **i,
                          double **x);
/* Does the same for a square matrix, into file->p, i, x. */
nsds_status nsds_file_compress(nsds_problem_file *file, const nsds_triplets *entries);
/* Sorts from[0..count), or 0..count-1 if from is NULL, into `order` by key 0 .. nkey - 1, equal
 * keys in the order given. `start` has nkey + 1 zeros on entry, and the start of each key on
 * return. */
void nsds_sort_by(const int *key, int nkey, size_t count, const int *from, int *order, int *start);
nsds_status nsds_columns_of(nsds_context *context, const nsds_problem *problem,
                            nsds_columns *columns);
void nsds_columns_release(nsds_context *context, nsds_columns *columns);

#endif
