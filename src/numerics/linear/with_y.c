/* Y of the edges that have gains in place of it, see with_y.h. */
#include "numerics/linear/with_y.h"

#include "numerics/linear/edge.h"
#include "numerics/store.h"

static int with_y_rows(const nsds_factored *f, int a) { return f->row[a + 1] - f->row[a]; }

static size_t count_missing(const nsds_factored *f) {
  size_t count = 0;
  for (int a = 0; a < f->nrow_block; ++a)
    for (int k = f->first_edge[a]; k < f->first_edge[a + 1]; ++k)
      if (!f->edge[k].Y) count += (size_t)with_y_rows(f, a) * (size_t)f->edge[k].size;
  return count;
}

static void with_y_fill(nsds_with_y *w, const nsds_factored *f) {
  double *next = w->Y;
  for (int a = 0; a < f->nrow_block; ++a)
    for (int k = f->first_edge[a]; k < f->first_edge[a + 1]; ++k) {
      const nsds_edge *e = &f->edge[k];
      w->edge[k] = *e;
      if (e->Y) continue;
      w->edge[k].Y = next;
      for (int i = 0; i < with_y_rows(f, a); ++i)
        for (int c = 0; c < e->size; ++c) *next++ = nsds_edge_y(f, e, with_y_rows(f, a), c, i);
    }
}

const nsds_problem *nsds_give_y(nsds_context *context, nsds_with_y *w,
                                const nsds_problem *problem) {
  const nsds_factored *f =
      problem->M.storage == NSDS_FACTORED && problem->n > 0 ? problem->M.factored : NULL;
  size_t missing = f && f->gain ? count_missing(f) : 0;
  if (missing == 0) return problem;
  w->store.context = context;
  const nsds_cut cut[] = {NSDS_CUT(w->edge, f->first_edge[f->nrow_block]), NSDS_CUT(w->Y, missing)};
  if (NSDS_HOLD(&w->store, cut)) return NULL;
  with_y_fill(w, f);
  w->factored = *f;
  w->factored.edge = w->edge;
  w->factored.gain = NULL;
  w->problem = *problem;
  w->problem.M.factored = &w->factored;
  return &w->problem;
}

void nsds_with_y_release(nsds_with_y *w) { nsds_store_release(&w->store); }
