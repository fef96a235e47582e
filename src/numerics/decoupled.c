/* Problems that fall apart, see decoupled.h. */
#include "numerics/decoupled.h"

#include "base/finite.h"
#include "numerics/linear/edge.h"
#include "numerics/sets/bounds.h"
#include "numerics/store.h"
#include "numerics/sweeps/local_solver.h"

#include <stdlib.h>

enum { word_bits = 64 };

/* Returns the number of words with one bit per column of the operator. */
static size_t words(const nsds_factored *f) { return (size_t)f->ncolumn / word_bits + 1; }

nsds_status nsds_apart_reserve(nsds_apart *a, nsds_store *store, const nsds_problem *problem) {
  if (problem->M.storage != NSDS_FACTORED) return NSDS_OK;
  const nsds_cut cut[] = {NSDS_CUT(a->seen, words(problem->M.factored)),
                          NSDS_CUT(a->diagonal, problem->n)};
  return NSDS_HOLD(store, cut);
}

/* Notes the column groups of block row b; false if one of them was met before. */
static bool meets_none(nsds_apart *a, const nsds_factored *f, int b) {
  for (int k = f->first_edge[b]; k < f->first_edge[b + 1]; ++k) {
    int column = f->edge[k].column;
    uint64_t *word = &a->seen[column / word_bits], bit = UINT64_C(1) << (column % word_bits);
    if (*word & bit) return false;
    *word |= bit;
  }
  return true;
}

static bool decoupled_look(nsds_apart *a, const nsds_factored *f) {
  memset(a->seen, 0, words(f) * sizeof *a->seen);
  for (int b = 0; b < f->nrow_block; ++b) {
    if (f->row[b + 1] - f->row[b] != 1) return false;
    a->diagonal[b] = nsds_own_entry(f, b, 0, 0);
    if (!meets_none(a, f, b) || !(a->diagonal[b] > 0.0)) return false;
  }
  return true;
}

bool nsds_apart_solve(nsds_apart *a, const nsds_problem *problem, double *z) {
  if (problem->M.storage != NSDS_FACTORED) return false;
  if (problem->M.stamp == 0 || problem->M.stamp != a->stamp) {
    a->apart = decoupled_look(a, problem->M.factored);
    a->stamp = problem->M.stamp;
  }
  if (!a->apart) return false;
  for (int b = 0, row = 0; b < problem->nblock; ++b) {
    const nsds_block *block = &problem->block[b];
    for (int i = 0; i < block->size; ++i, ++row) {
      double free = -problem->q[row] / a->diagonal[row];
      z[row] = nsds_clip(free, nsds_lower(block, i), nsds_upper(block, i));
    }
  }
  return nsds_first_nonfinite(z, problem->n) < 0;
}

/* ---- a few blocks ---- */

static bool meets_others(const double *M, int n, int row, int size) {
  for (int j = row; j < row + size; ++j)
    for (int i = 0; i < n; ++i) {
      bool other = i < row || i >= row + size;
      if (other && M[i + j * n] != 0.0) return true;
    }
  return false;
}

bool nsds_few_apart(const nsds_problem *problem, double *M) {
  if (problem->n > nsds_few_rows) return false;
  nsds_problem_to_dense(problem, M);
  for (int a = 0, row = 0; problem->nblock > 1 && a < problem->nblock;
       row += problem->block[a++].size)
    if (meets_others(M, problem->n, row, problem->block[a].size)) return false;
  return true;
}

void nsds_few_solve(const nsds_problem *problem, const double *M, double *z) {
  double own[nsds_few_rows * nsds_few_rows];
  for (int a = 0, row = 0; a < problem->nblock; row += problem->block[a++].size) {
    nsds_local local;
    int size = problem->block[a].size;
    if (size == 0) continue;
    for (int j = 0; j < size; ++j)
      memcpy(own + j * size, M + row + (row + j) * problem->n, (size_t)size * sizeof *own);
    nsds_local_prepare(&local, &problem->block[a], own);
    nsds_local_solve(&local, NSDS_LOCAL_EXACT, problem->q + row, z + row);
  }
}
