/* Y of an edge of the factored operator: stored, or the gains of its columns times H^T. */
#ifndef NSDS_SRC_EDGE_H
#define NSDS_SRC_EDGE_H

#include "numerics/linear/product.h"

#include <nsds/problem.h>
#include <stddef.h>

/* Returns velocity c due to row i; the block row has m rows. */
static inline double nsds_edge_y(const nsds_factored *f, const nsds_edge *e, int m, int c, int i) {
  if (e->Y) return e->Y[c + (ptrdiff_t)i * e->size];
  return f->gain[e->column + c] * e->H[i + (ptrdiff_t)c * m];
}

/* Adds Y z to v, for `rows` rows from `first` on; z has these rows only. */
static inline void nsds_edge_add(const nsds_factored *f, const nsds_edge *e, int m, int first,
                                 int rows, const double *z, double *v) {
  if (e->Y) {
    nsds_add_product(e->size, rows, e->Y + (size_t)first * (size_t)e->size, e->size, z, v);
    return;
  }
  const double *gain = f->gain + e->column, *H = e->H + first;
  for (int c = 0; c < e->size; ++c, H += m) {
    double sum = 0.0;
    for (int i = 0; i < rows; ++i) sum += H[i] * z[i];
    v[c] += gain[c] * sum;
  }
}

/* Returns entry (i, j) of M within block row a. */
static inline double nsds_own_entry(const nsds_factored *f, int a, int i, int j) {
  int m = f->row[a + 1] - f->row[a];
  double sum = f->D && f->D[a] ? f->D[a][i + j * m] : 0.0;
  for (int k = f->first_edge[a]; k < f->first_edge[a + 1]; ++k)
    for (int c = 0; c < f->edge[k].size; ++c)
      sum += f->edge[k].H[i + c * m] * nsds_edge_y(f, &f->edge[k], m, c, j);
  return sum;
}

/* A range of the velocities of an edge; velocities with zeros in all rows of H may be left out. */
typedef struct nsds_edge_part {
  int begin, end;
} nsds_edge_part;

static inline nsds_edge_part nsds_whole_edge(const nsds_edge *e) {
  return (nsds_edge_part){0, e->size};
}

static inline nsds_edge_part nsds_edge_span(const nsds_edge *e, int rows) {
  const size_t m = rows > 0 ? (size_t)rows : 1, count = (size_t)rows * (size_t)e->size;
  size_t begin = 0, end = count;
  while (begin < count && e->H[begin] == 0.0) ++begin;
  while (end > begin && e->H[end - 1] == 0.0) --end;
  return (nsds_edge_part){(int)(begin / m), (int)((end + m - 1) / m)};
}

/* Adds column j of H_as Y_bs over these velocities to y. The block rows have `rows` and `columns`
 * rows. */
static inline void nsds_add_pair(const nsds_factored *f, const nsds_edge *ea, int rows,
                                 nsds_edge_part span, const nsds_edge *eb, int columns, int j,
                                 double *y) {
  const double *H = ea->H + (size_t)span.begin * (size_t)rows;
  if (eb->Y) {
    const double *Y = eb->Y + (size_t)j * (size_t)eb->size + span.begin;
    nsds_add_product(rows, span.end - span.begin, H, rows, Y, y);
    return;
  }
  for (int c = span.begin; c < span.end; ++c, H += rows) {
    double factor = nsds_edge_y(f, eb, columns, c, j);
    for (int i = 0; i < rows; ++i) y[i] += H[i] * factor;
  }
}

#endif
