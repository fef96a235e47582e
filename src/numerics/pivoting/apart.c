/* Rows of their own; see apart.h. */
#include "apart.h"
#include "bounds.h"
#include "edge.h"

enum { word_bits = 64 };

/* Words for a bit per column of the operator. */
static size_t words(const nsds_factored *f) { return (size_t)f->ncolumn / word_bits + 1; }

nsds_status nsds_apart_reserve(nsds_apart *a, nsds_store *store, const nsds_problem *problem) {
  if (problem->M.storage != NSDS_FACTORED) return NSDS_OK;
  const nsds_cut cut[] = {NSDS_CUT(a->seen, words(problem->M.factored)),
                          NSDS_CUT(a->diagonal, problem->n)};
  return NSDS_HOLD(store, cut);
}

/* M_bb of a block row of one row; NaN where one of its column groups was met before. */
static double only_entry(nsds_apart *a, const nsds_factored *f, int b) {
  double sum = f->D && f->D[b] ? f->D[b][0] : 0.0;
  for (const nsds_edge *e = f->edge + f->first_edge[b], *end = f->edge + f->first_edge[b + 1];
       e < end; ++e) {
    uint64_t *word = &a->seen[e->column / word_bits], bit = UINT64_C(1) << (e->column % word_bits);
    if (*word & bit) return NAN;
    *word |= bit;
    for (int k = 0; k < e->size; ++k) sum += e->H[k] * nsds_edge_y(f, e, 1, k, 0);
  }
  return sum;
}

static bool look(nsds_apart *a, const nsds_factored *f) {
  memset(a->seen, 0, words(f) * sizeof *a->seen);
  for (int b = 0; b < f->nrow_block; ++b) {
    if (f->row[b + 1] - f->row[b] != 1) return false;
    a->diagonal[b] = only_entry(a, f, b);
    if (!(a->diagonal[b] > 0.0)) return false;
  }
  return true;
}

bool nsds_apart_solve(nsds_apart *a, const nsds_problem *problem, double *z) {
  if (problem->M.storage != NSDS_FACTORED) return false;
  if (problem->M.stamp == 0 || problem->M.stamp != a->stamp) {
    a->apart = look(a, problem->M.factored);
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
