/* Chains, see chain.h. */
#include "numerics/newton/chain.h"

#include "base/base.h"
#include "numerics/store.h"

/* ---- the paths ---- */

/* Finds the rows of column j other than j, -1 for none; false if there are more than two. */
static bool chain_neighbours(const nsds_csc_form *f, int j, int *near) {
  int count = 0;
  near[0] = near[1] = -1;
  for (int k = f->p[j]; k < f->p[j + 1]; ++k) {
    if (f->i[k] == j) continue;
    if (count == 2) return false;
    near[count++] = f->i[k];
  }
  return true;
}

static bool is_neighbour(const nsds_csc_form *f, int j, int row) {
  int near[2];
  return chain_neighbours(f, j, near) && (near[0] == row || near[1] == row);
}

/* Appends the path that starts at the end row j; false if the pattern is not symmetric. */
static bool chain_walk(const nsds_csc_form *f, int j, int *order, int *count) {
  int last = -1, near[2];
  while (j >= 0) {
    if (last >= 0 && !is_neighbour(f, j, last)) return false;
    order[(*count)++] = j;
    chain_neighbours(f, j, near);
    int next = near[0] != last ? near[0] : near[1];
    last = j;
    j = next;
  }
  return true;
}

/* Each path is walked from the end with the smaller number. No walk enters a ring. */
static bool find_paths(const nsds_csc_form *f, int *order) {
  int count = 0, near[2], n = f->n;
  if (f->p[n] > 3 * n) return false;
  for (int j = 0; j < n; ++j)
    if (!chain_neighbours(f, j, near)) return false;
  for (int j = 0; j < n; ++j) {
    chain_neighbours(f, j, near);
    if (near[1] >= 0) continue;
    int start = count;
    if (!chain_walk(f, j, order, &count)) return false;
    if (order[count - 1] < j) count = start; /* already there */
  }
  return count == n;
}

nsds_status nsds_chain_reserve(nsds_store *store, nsds_chain *chain, const nsds_csc_form *form) {
  size_t n = (size_t)form->n;
  if (NSDS_LIKELY(chain->pattern == form->pattern)) return NSDS_OK;
  chain->pattern = 0;
  nsds_status status = NSDS_HOLD_ONE(store, chain->order, 2 * n);
  if (status) return status;
  chain->paths = find_paths(form, chain->order);
  const nsds_cut cut[] = {NSDS_CUT(chain->diagonal, n), NSDS_CUT(chain->before, n),
                          NSDS_CUT(chain->after, n), NSDS_CUT(chain->run, n)};
  if (chain->paths && (status = NSDS_HOLD(store, cut))) return status;
  chain->pattern = form->pattern;
  return NSDS_OK;
}

/* ---- the problem ---- */

/* Sorts the entries by place; false if an off-diagonal one is positive or a diagonal one is not. */
static bool chain_split(const nsds_chain *chain, const nsds_csc_form *f) {
  int n = f->n;
  memset(chain->before, 0, (size_t)n * sizeof(double));
  memset(chain->after, 0, (size_t)n * sizeof(double));
  for (int t = 0; t < n; ++t) {
    int j = chain->order[t];
    for (int k = f->p[j]; k < f->p[j + 1]; ++k) {
      double x = f->x[k];
      if (f->i[k] == j ? !(x > 0.0) : !(x <= 0.0)) return false;
      if (f->i[k] == j) chain->diagonal[t] = x;
      else if (t > 0 && f->i[k] == chain->order[t - 1]) chain->after[t - 1] = x;
      else chain->before[t + 1] = x;
    }
  }
  return true;
}

static nsds_chain_run single(const nsds_chain *chain, const double *q, int t) {
  double d = chain->diagonal[t];
  nsds_chain_run run = {
      t, t, {-q[chain->order[t]] / d, -chain->before[t] / d, -chain->after[t] / d}, {0}};
  memcpy(run.b, run.a, sizeof run.a);
  return run;
}

/* Joins s, which follows r, to r; false when the matrix is not positive definite. */
static bool chain_join(nsds_chain_run *r, const nsds_chain_run *s) {
  double pivot = 1.0 - r->b[2] * s->a[1];
  if (!(pivot > 0.0)) return false;
  /* r's last and s's first in terms of the outer neighbors */
  double last[3] = {(r->b[0] + r->b[2] * s->a[0]) / pivot, r->b[1] / pivot,
                    r->b[2] * s->a[2] / pivot};
  double first[3] = {s->a[0] + s->a[1] * last[0], s->a[1] * last[1], s->a[2] + s->a[1] * last[2]};
  for (int k = 0; k < 3; ++k) {
    r->a[k] = (k < 2 ? r->a[k] : 0.0) + r->a[2] * first[k];
    r->b[k] = (k != 1 ? s->b[k] : 0.0) + s->b[1] * last[k];
  }
  r->last = s->last;
  return true;
}

/* Puts row t on the stack, joined to the run that ends before it. Returns false as chain_join()
 * does. */
static bool chain_add_row(nsds_chain *chain, const double *q, int t, int *runs) {
  nsds_chain_run row = single(chain, q, t);
  if (*runs > 0 && chain->run[*runs - 1].last == t - 1)
    return chain_join(&chain->run[*runs - 1], &row);
  chain->run[(*runs)++] = row;
  return true;
}

/* Returns w of row t, which is not active, between the top runs. */
static double w_of(const nsds_chain *chain, const double *q, int t, int runs) {
  double w = q[chain->order[t]];
  if (runs > 0 && chain->run[runs - 1].first == t + 1)
    w += chain->after[t] * chain->run[--runs].a[0];
  if (runs > 0 && chain->run[runs - 1].last == t - 1)
    w += chain->before[t] * chain->run[runs - 1].b[0];
  return w;
}

/* Adds the rows before the top run that its growth has made active. */
static bool extend_back(nsds_chain *chain, const double *q, int *runs) {
  for (;;) {
    nsds_chain_run top = chain->run[*runs - 1];
    int t = top.first - 1;
    if (t < 0 || !(w_of(chain, q, t, *runs) < 0.0)) return true;
    --*runs;
    if (!chain_add_row(chain, q, t, runs) || !chain_join(&chain->run[*runs - 1], &top))
      return false;
  }
}

bool nsds_chain_solve(nsds_chain *chain, const nsds_csc_form *form, const double *q,
                      unsigned char *active) {
  int runs = 0, n = form->n;
  if (!chain->paths || chain->pattern != form->pattern || !chain_split(chain, form)) return false;
  for (int t = 0; t < n; ++t) {
    if (!(w_of(chain, q, t, runs) < 0.0)) continue;
    if (!chain_add_row(chain, q, t, &runs) || !extend_back(chain, q, &runs)) return false;
  }
  for (int t = 0; t < n; ++t) active[t] = 0;
  for (int r = 0; r < runs; ++r)
    for (int t = chain->run[r].first; t <= chain->run[r].last; ++t) active[chain->order[t]] = 1;
  return true;
}
