/* Y of an edge of the factored operator: stored, or the gains of its columns times H^T. */
#ifndef NSDS_SRC_EDGE_H
#define NSDS_SRC_EDGE_H

#include "product.h"

#include <nsds/problem.h>
#include <stddef.h>

/* Velocity c of row i; the block row has m rows. */
static inline double nsds_edge_y(const nsds_factored *f, const nsds_edge *e, int m, int c, int i) {
  if (e->Y) return e->Y[c + (size_t)i * (size_t)e->size];
  return f->gain[e->column + c] * e->H[i + (size_t)c * (size_t)m];
}

/* v += Y z, of `rows` rows from `first` on; v and z are theirs alone. */
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

/* y += column j of H_as Y_bs, of block rows of `rows` and `columns` rows. */
static inline void nsds_add_pair(const nsds_factored *f, const nsds_edge *ea, int rows,
                                 const nsds_edge *eb, int columns, int j, double *y) {
  if (eb->Y) {
    nsds_add_product(rows, ea->size, ea->H, rows, eb->Y + (size_t)j * (size_t)eb->size, y);
    return;
  }
  const double *H = ea->H;
  for (int c = 0; c < ea->size; ++c, H += rows) {
    double factor = nsds_edge_y(f, eb, columns, c, j);
    for (int i = 0; i < rows; ++i) y[i] += H[i] * factor;
  }
}

#endif
