/* Columns of an n x n matrix on a sparse pattern, or dense (p NULL): the place of a column's values
 * among all, and their rows. */
#ifndef NSDS_SRC_SHAPE_COLUMN_H
#define NSDS_SRC_SHAPE_COLUMN_H

#include <stddef.h>

typedef struct nsds_shape_column {
  const int *i;    /* NULL: dense */
  int first, last; /* first value, and one past the last */
} nsds_shape_column;

static inline nsds_shape_column nsds_shape_column_at(const int *p, const int *i, int n, int j) {
  int first = p ? p[j] : j * n;
  return (nsds_shape_column){.i = p ? i : NULL, .first = first, .last = p ? p[j + 1] : first + n};
}

static inline int nsds_shape_column_row(const nsds_shape_column *column, int k) {
  return column->i ? column->i[k] : k - column->first;
}

/* Returns the number of values of all columns. */
static inline size_t nsds_value_count(const int *p, int n) {
  return p ? (size_t)p[n] : (size_t)n * (size_t)n;
}

#endif
