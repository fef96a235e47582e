/*
 * Shared by the explicit forms of a matrix: their columns, making columns of entries, and
 * components of graphs.
 */
#ifndef NSDS_SRC_MATRIX_H
#define NSDS_SRC_MATRIX_H

#include "base/base.h"
#include "numerics/linear/edge.h"
#include "base/union_find.h"

#include <nsds/problem.h>

/* Column j of a dense or CSC matrix: `count` entries x in rows i; i is NULL if the rows are
 * consecutive. */
typedef struct nsds_column {
  int count;
  const int *i;
  const double *x;
} nsds_column;

static inline nsds_column nsds_matrix_column(const nsds_matrix *M, int j) {
  if (M->storage == NSDS_DENSE) return (nsds_column){M->n, NULL, M->x + (size_t)j * (size_t)M->n};
  return (nsds_column){M->p[j + 1] - M->p[j], M->i + M->p[j], M->x + M->p[j]};
}

static inline int nsds_column_row(nsds_column c, int k) { return c.i ? c.i[k] : k; }

/* Returns the place of the entry in a row, or the place where a missing entry would stand. */
static inline int nsds_column_place(nsds_column c, int row) {
  int low = 0, high = c.i ? c.count : 0;
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (c.i[middle] < row) low = middle + 1;
    else high = middle;
  }
  return c.i ? low : row;
}

static inline double nsds_matrix_entry(const nsds_matrix *M, int i, int j) {
  nsds_column c = nsds_matrix_column(M, j);
  int k = nsds_column_place(c, i);
  return k < c.count && nsds_column_row(c, k) == i ? c.x[k] : 0.0;
}

/* Returns the average number of entries in a row. For the factored operator the rows that meet in a
 * column give it. */
double nsds_matrix_entries_per_row(const nsds_matrix *M);

/* Returns true if a CSC matrix seems symmetric except for signs; looks at one entry of each
 * column. */
bool nsds_matrix_by_signs(const nsds_matrix *M);

/* Computes v = Y z in the columns that edges meet. */
void nsds_find_velocities(const nsds_factored *f, const double *z, double *v);

typedef struct nsds_sparse_entry {
  int row, column;
  double value;
} nsds_sparse_entry;

typedef struct nsds_entries {
  int count;
  nsds_sparse_entry *entry;
} nsds_entries;

static inline void nsds_add_entry(nsds_entries *to, int row, int column, double value) {
  to->entry[to->count++] = (nsds_sparse_entry){row, column, value};
}

/* Converts entries to compressed columns, keeping their order in each column; p has ncolumn + 1
 * places. */
void nsds_to_columns(const nsds_entries *from, int ncolumn, int *p, int *i, double *x);

void nsds_sort_indices(int count, int *i);

/* Numbers the components of a graph (union_find.h) by their smallest members. On entry of[k] holds
 * parents, on return the number c of k's component. The members of c are member[start[c]] ..
 * member[start[c + 1] - 1], increasing; start has n + 1 places. Returns the number of
 * components. */
int nsds_components(int n, int *of, int *start, int *member);

/* Writes a CSC matrix into a dense one, n x n. */
void nsds_scatter(int n, const int *p, const int *i, const double *x, double *dense);

#endif
