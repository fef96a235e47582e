/* Independent parts of a problem, see parts.h. */
#include "parts.h"
#include "matrix.h"

nsds_status nsds_parts_reserve(nsds_store *store, nsds_parts *p, const nsds_problem *problem,
                               size_t entries) {
  size_t n = (size_t)problem->n, blocks = (size_t)problem->nblock;
  const nsds_cut cut[] = {
      NSDS_CUT(p->first, blocks + 1), NSDS_CUT(p->member, blocks), NSDS_CUT(p->row, blocks + 1),
      NSDS_CUT(p->parent, blocks),    NSDS_CUT(p->block, blocks),  NSDS_CUT(p->global, n),
      NSDS_CUT(p->local, n),          NSDS_CUT(p->p, n + 1),       NSDS_CUT(p->q, n),
      NSDS_CUT(p->i, entries),        NSDS_CUT(p->M, entries)};
  return NSDS_HOLD(store, cut);
}

/* ---- components ---- */

/* parent[a]: the smallest block of a's component. */
static void join_all(const nsds_problem *problem, const nsds_matrix *M, int *parent,
                     const int *block_of) {
  int left = problem->nblock;
  for (int a = 0; a < problem->nblock; ++a) parent[a] = a;
  for (int j = 0; j < problem->n && left > 1; ++j) {
    nsds_column c = nsds_matrix_column(M, j);
    for (int k = 0; k < c.count; ++k)
      left -= c.x[k] != 0.0 && nsds_unite(parent, block_of[nsds_column_row(c, k)], block_of[j]);
  }
  for (int a = 0; a < problem->nblock; ++a) parent[a] = nsds_root(parent, a);
}

/* Sorts the blocks by component; roots are the smallest members, so parts are in order of them. */
static void sort_blocks(nsds_parts *p, const nsds_problem *problem, int *parent) {
  int nblock = problem->nblock, count = 0;
  memset(p->first, 0, ((size_t)nblock + 1) * sizeof *p->first);
  for (int a = 0; a < nblock; ++a) { /* a root comes before its members */
    parent[a] = parent[a] == a ? count++ : parent[parent[a]];
    ++p->first[parent[a] + 1];
  }
  p->count = count;
  for (int k = 0; k < count; ++k) p->first[k + 1] += p->first[k];
  for (int a = 0; a < nblock; ++a) p->member[p->first[parent[a]]++] = a;
  memmove(p->first + 1, p->first, (size_t)count * sizeof *p->first);
  p->first[0] = 0;
}

nsds_status nsds_parts_find(nsds_store *store, nsds_parts *p, const nsds_problem *problem,
                            const nsds_matrix *M) {
  size_t n = (size_t)problem->n;
  nsds_status status =
      nsds_parts_reserve(store, p, problem, M->storage == NSDS_DENSE ? n * n : (size_t)M->p[n]);
  if (status) return status;
  int *block_of = p->global;
  p->row[0] = 0;
  for (int a = 0; a < problem->nblock; ++a) {
    p->row[a + 1] = p->row[a] + problem->block[a].size;
    for (int i = p->row[a]; i < p->row[a + 1]; ++i) block_of[i] = a;
  }
  join_all(problem, M, p->parent, block_of);
  sort_blocks(p, problem, p->parent);
  return NSDS_OK;
}

/* ---- one part ---- */

/* Blocks, rows and q. */
static void take_rows(nsds_parts *p, const nsds_problem *problem, int k) {
  int m = 0, nblock = p->first[k + 1] - p->first[k];
  for (int t = 0; t < nblock; ++t) {
    int a = p->member[p->first[k] + t];
    p->block[t] = problem->block[a];
    for (int i = p->row[a]; i < p->row[a + 1]; ++i) {
      p->q[m] = problem->q[i];
      p->local[i] = m;
      p->global[m++] = i;
    }
  }
  p->problem = (nsds_problem){.n = m, .nblock = nblock, .block = p->block, .q = p->q};
}

/* Of a dense column the rows of the part, of a sparse one all entries but zeros. */
static int take_column(nsds_parts *p, nsds_column c, int count) {
  int terms = c.i ? c.count : p->problem.n;
  for (int t = 0; t < terms; ++t) {
    double x = c.x[c.i ? t : p->global[t]];
    if (x == 0.0) continue;
    p->i[count] = c.i ? p->local[c.i[t]] : t;
    p->M[count++] = x;
  }
  return count;
}

const nsds_problem *nsds_parts_take(nsds_parts *p, const nsds_problem *problem, int k,
                                    const nsds_matrix *M) {
  take_rows(p, problem, k);
  int m = p->problem.n;
  p->p[0] = 0;
  for (int j = 0; j < m; ++j)
    p->p[j + 1] = take_column(p, nsds_matrix_column(M, p->global[j]), p->p[j]);
  p->problem.M = (nsds_matrix){.storage = NSDS_CSC,
                               .n = m,
                               .p = p->p,
                               .i = p->i,
                               .x = p->M,
                               .symmetric = problem->M.symmetric};
  return &p->problem;
}
