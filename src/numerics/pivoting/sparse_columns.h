/*
 * A sparse matrix that grows column by column.
 */
#ifndef NSDS_SRC_SPARSE_COLUMNS_H
#define NSDS_SRC_SPARSE_COLUMNS_H

#include "store.h"

/* Entries first[k] .. first[k+1]-1 of column k. */
typedef struct nsds_sparse_columns {
  int count;
  int *first, *i;
  double *a;
} nsds_sparse_columns;

/* Memory for so many columns and entries. */
nsds_status nsds_sparse_columns_reserve(nsds_store *store, nsds_sparse_columns *columns,
                                        size_t count, size_t entries);

/* Starts an empty column behind the others, with room for so many entries. */
nsds_status nsds_sparse_columns_open(nsds_store *store, nsds_sparse_columns *columns, int room);

/* Adds an entry to the last column. */
static inline void nsds_sparse_columns_add(nsds_sparse_columns *columns, int i, double a) {
  int at = columns->first[columns->count]++;
  columns->i[at] = i;
  columns->a[at] = a;
}

#endif
