/*
 * Tests if M equals its transpose. The walk goes through columns (or block rows) in order. Entries
 * (r, j) with j > r come in the order in which column r holds its entries below the diagonal. One
 * pointer for each column therefore finds each partner.
 */
#include "io/symmetry.h"

#include "base/context.h"

static bool dense_symmetric(const double *x, int n) {
  for (size_t j = 0; j < (size_t)n; ++j)
    for (size_t i = 0; i < j; ++i)
      if (x[i + j * (size_t)n] != x[j + i * (size_t)n]) return false;
  return true;
}

static bool columns_symmetric(int n, const int *p, const int *i, const double *x, int *next) {
  memcpy(next, p, (size_t)n * sizeof *next);
  for (int j = 0; j < n; ++j) {
    for (int k = p[j]; k < p[j + 1]; ++k) {
      int r = i[k];
      if (r >= j) break;
      if (next[r] == p[r + 1] || i[next[r]] != j || x[next[r]] != x[k]) return false;
      ++next[r];
    }
    while (next[j] < p[j + 1] && i[next[j]] <= j) ++next[j];
  }
  for (int j = 0; j < n; ++j)
    if (next[j] < p[j + 1]) return false;
  return true;
}

/* Returns true if the block (a, b), stored at ab, is the transpose of (b, a), stored at ba. */
static bool transposed(const nsds_block_rows *B, int a, int b, int ab, int ba) {
  int rows = B->row[a + 1] - B->row[a], columns = B->row[b + 1] - B->row[b];
  const double *x = B->x + B->start[ab], *y = B->x + B->start[ba];
  for (int j = 0; j < columns; ++j)
    for (int i = 0; i < rows; ++i)
      if (x[i + j * rows] != y[j + i * columns]) return false;
  return true;
}

/* Works as columns_symmetric(), with block rows instead of columns. */
static bool blocks_symmetric(const nsds_block_rows *B, int *next) {
  int n = B->nrow_block;
  memcpy(next, B->first, (size_t)n * sizeof *next);
  for (int a = 0; a < n; ++a) {
    for (int k = B->first[a]; k < B->first[a + 1] && B->column[k] < a; ++k) {
      int b = B->column[k];
      if (next[b] == B->first[b + 1] || B->column[next[b]] != a) return false;
      if (!transposed(B, a, b, k, next[b])) return false;
      ++next[b];
    }
    for (; next[a] < B->first[a + 1] && B->column[next[a]] <= a; ++next[a])
      if (B->column[next[a]] == a && !transposed(B, a, a, next[a], next[a])) return false;
  }
  for (int a = 0; a < n; ++a)
    if (next[a] < B->first[a + 1]) return false;
  return true;
}

nsds_status nsds_file_find_symmetry(nsds_problem_file *file) {
  nsds_matrix *M = &file->problem.M;
  if (M->storage == NSDS_DENSE) {
    M->symmetric = dense_symmetric(M->x, M->n);
    return NSDS_OK;
  }
  if (M->storage == NSDS_FACTORED) return NSDS_OK; /* trusts the file */
  int count = M->storage == NSDS_BLOCK_ROWS ? M->blocks->nrow_block : M->n;
  int *next = NSDS_NEW_ARRAY(file->context, int, count);
  if (!next) return NSDS_ERROR_MEMORY;
  M->symmetric = M->storage == NSDS_BLOCK_ROWS ? blocks_symmetric(M->blocks, next)
                                               : columns_symmetric(M->n, M->p, M->i, M->x, next);
  nsds_release(file->context, next);
  return NSDS_OK;
}
