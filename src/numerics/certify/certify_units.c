/*
 * Units of rows whose diagonal vanishes. Under z -> S z, w -> T w with positive diagonals S and T,
 * |M_ij M_ji| / |M_jj| is multiplied by T_i / S_i, as a nonzero |M_ii| is. So no choice of units
 * changes a verdict.
 */
#include "numerics/certify/certify_units.h"

#include "numerics/linear/matrix.h"

#include <math.h>

/* ---- entries of M ---- */

static int certify_units_block_of(const int *row, int count, int i) {
  int low = 0, high = count - 1;
  while (low < high) {
    int middle = (low + high + 1) / 2;
    if (row[middle] <= i) low = middle;
    else high = middle - 1;
  }
  return low;
}

static double block_rows_entry(const nsds_block_rows *B, int i, int j) {
  int a = certify_units_block_of(B->row, B->nrow_block, i),
      b = certify_units_block_of(B->row, B->nrow_block, j);
  int m = B->row[a + 1] - B->row[a];
  for (int k = B->first[a]; k < B->first[a + 1]; ++k)
    if (B->column[k] == b) return B->x[B->start[k] + (i - B->row[a]) + m * (j - B->row[b])];
  return 0.0;
}

static double factored_entry(const nsds_factored *f, int i, int j) {
  int a = certify_units_block_of(f->row, f->nrow_block, i),
      b = certify_units_block_of(f->row, f->nrow_block, j);
  int m = f->row[a + 1] - f->row[a], r = i - f->row[a], c = j - f->row[b];
  double certify_units_entry = a == b && f->D && f->D[a] ? f->D[a][r + c * m] : 0.0;
  for (const nsds_edge *h = f->edge + f->first_edge[a]; h < f->edge + f->first_edge[a + 1]; ++h)
    for (const nsds_edge *y = f->edge + f->first_edge[b]; y < f->edge + f->first_edge[b + 1]; ++y)
      for (int k = 0; y->column == h->column && k < h->size; ++k)
        certify_units_entry +=
            h->H[r + k * m] *
            (y->Y ? y->Y[k + c * y->size]
                  : f->gain[y->column + k] * y->H[c + k * (f->row[b + 1] - f->row[b])]);
  return certify_units_entry;
}

static double certify_units_entry(const nsds_matrix *M, int i, int j) {
  switch (M->storage) {
  case NSDS_DENSE:
  case NSDS_CSC: return nsds_matrix_entry(M, i, j);
  case NSDS_FACTORED: return factored_entry(M->factored, i, j);
  case NSDS_BLOCK_ROWS: return block_rows_entry(M->blocks, i, j);
  }
  return 0.0;
}

/* ---- one row ---- */

typedef struct unit {
  double schur, pair, row;
} unit;

/* Adds row j, with m = M_ij and back = M_ji. */
static void certify_units_meet(unit *u, const nsds_matrix *M, int j, double m, double back) {
  m = fabs(m);
  back = fabs(back);
  u->row = fmax(u->row, m);
  if (m == 0.0 || back == 0.0) return;
  double diagonal = fabs(certify_units_entry(M, j, j));
  if (diagonal > 0.0) u->schur = fmax(u->schur, m / diagonal * back);
  u->pair = fmax(u->pair, sqrt(m) * sqrt(back));
}

/* Adds the rows of column i. Entries M_ij without M_ji are a last resort. */
static void meet_column(unit *u, const nsds_matrix *M, int i) {
  for (int k = M->p[i]; k < M->p[i + 1]; ++k) {
    int j = M->i[k];
    if (j != i && M->x[k] != 0.0)
      certify_units_meet(u, M, j, M->symmetric ? M->x[k] : certify_units_entry(M, i, j), M->x[k]);
  }
  for (int k = 0; u->row == 0.0 && k < M->p[M->n]; ++k)
    if (M->i[k] == i) u->row = fmax(u->row, fabs(M->x[k]));
}

double nsds_unit_without_diagonal(const nsds_matrix *M, int row) {
  unit u = {0.0, 0.0, 0.0};
  if (M->storage == NSDS_CSC) meet_column(&u, M, row);
  for (int j = 0; M->storage != NSDS_CSC && j < M->n; ++j)
    if (j != row)
      certify_units_meet(&u, M, j, certify_units_entry(M, row, j), certify_units_entry(M, j, row));
  double best = u.schur > 0.0 ? u.schur : u.pair > 0.0 ? u.pair : u.row;
  return best > 0.0 && best < INFINITY ? best : 1.0;
}
