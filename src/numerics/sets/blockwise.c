/*
 * Block sets over whole vectors, and the metric, see blockwise.h.
 */
#include "numerics/sets/blockwise.h"

#include "numerics/linear/edge.h"
#include "numerics/linear/matrix.h"
#include "numerics/sets/sets.h"

void nsds_project(const nsds_problem *problem, const double *x, double *p) {
  for (int a = 0, row = 0; a < problem->nblock; row += problem->block[a++].size)
    nsds_set_project(&problem->block[a], x + row, p + row);
}

void nsds_project_step(const nsds_problem *problem, double alpha, const double *r, const double *z,
                       const double *g, double *p) {
  for (int i = 0; i < problem->n; ++i) p[i] = z[i] - alpha * r[i] * g[i];
  nsds_project(problem, p, p);
}

void nsds_shift(const nsds_problem *problem, const double *w, double *shifted) {
  for (int a = 0, row = 0; a < problem->nblock; row += problem->block[a++].size)
    nsds_set_shift(&problem->block[a], w + row, shifted + row);
}

/* ---- diagonal and largest entries of the rows ---- */

static void blockwise_note(double *d, double *most, int i, int j, double x) {
  if (i == j) d[i] = x;
  if (fabs(x) > most[i]) most[i] = fabs(x);
}

static void scan_columns(const nsds_matrix *M, double *d, double *most) {
  for (int j = 0; j < M->n; ++j) {
    nsds_column c = nsds_matrix_column(M, j);
    for (int k = 0; k < c.count; ++k) blockwise_note(d, most, nsds_column_row(c, k), j, c.x[k]);
  }
}

/* Looks at the diagonal blocks only. */
static void scan_factored(const nsds_factored *f, double *d, double *most) {
  for (int a = 0; a < f->nrow_block; ++a) {
    int first = f->row[a], m = f->row[a + 1] - first;
    for (int i = 0; i < m; ++i)
      for (int j = 0; j < m; ++j)
        blockwise_note(d, most, first + i, first + j, nsds_own_entry(f, a, i, j));
  }
}

static void scan_block_rows(const nsds_block_rows *f, double *d, double *most) {
  for (int a = 0; a < f->nrow_block; ++a)
    for (int k = f->first[a]; k < f->first[a + 1]; ++k) {
      int row = f->row[a], column = f->row[f->column[k]];
      int rows = f->row[a + 1] - row, columns = f->row[f->column[k] + 1] - column;
      const double *x = f->x + f->start[k];
      for (int j = 0; j < columns; ++j)
        for (int i = 0; i < rows; ++i)
          blockwise_note(d, most, row + i, column + j, x[i + j * rows]);
    }
}

/* Computes d = diagonal, most = largest absolute entries of the rows. */
static void scan(const nsds_problem *problem, double *d, double *most) {
  size_t bytes = (size_t)problem->n * sizeof *d;
  if (problem->n == 0) return;
  memset(d, 0, bytes);
  memset(most, 0, bytes);
  switch (problem->M.storage) {
  case NSDS_DENSE:
  case NSDS_CSC: scan_columns(&problem->M, d, most); break;
  case NSDS_FACTORED: scan_factored(problem->M.factored, d, most); break;
  case NSDS_BLOCK_ROWS: scan_block_rows(problem->M.blocks, d, most); break;
  }
}

/* ---- metric ---- */

/* Returns the mean of the positive d[0..n), or `none` if there are none. */
static double mean_known(const double *d, int n, double none) {
  double sum = 0.0;
  int known = 0;
  for (int i = 0; i < n; ++i) {
    sum += d[i];
    known += d[i] > 0.0;
  }
  return known ? sum / known : none;
}

void nsds_metric_of(const nsds_problem *problem, double *r) {
  for (int a = 0, row = 0; a < problem->nblock; row += problem->block[a++].size) {
    const nsds_block *block = &problem->block[a];
    if (block->set & nsds_separable_sets) continue;
    double mean = mean_known(r + row, block->size, 0.0);
    for (int i = row; i < row + block->size; ++i) r[i] = mean;
  }
  double mean = mean_known(r, problem->n, 1.0);
  for (int i = 0; i < problem->n; ++i) r[i] = 1.0 / (r[i] > 0.0 ? r[i] : mean);
}

void nsds_metric(const nsds_problem *problem, double *r, double *work) {
  scan(problem, r, work);
  for (int i = 0; i < problem->n; ++i) r[i] = r[i] != 0.0 ? fabs(r[i]) : work[i];
  nsds_metric_of(problem, r);
}
