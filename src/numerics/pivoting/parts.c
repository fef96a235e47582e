/* Independent parts of a problem, see parts.h. */
#include "parts.h"

nsds_status nsds_parts_reserve(nsds_context *context, nsds_parts *p, const nsds_problem *problem,
                               int rows) {
  size_t n = (size_t)problem->n, blocks = (size_t)problem->nblock, m = (size_t)rows;
  nsds_status status;
  if ((status = NSDS_ENSURE(context, p->integers, p->integers_capacity, 4 * blocks + 2 * n + 2)) ||
      (status = NSDS_ENSURE(context, p->block, p->block_capacity, blocks)) ||
      (status = NSDS_ENSURE(context, p->q, p->q_capacity, n)) ||
      (status = NSDS_ENSURE(context, p->M, p->M_capacity, m * m + 1)) ||
      (status = NSDS_ENSURE(context, p->p, p->p_capacity, m + 1)) ||
      (status = NSDS_ENSURE(context, p->i, p->i_capacity, m * m + 1)))
    return status;
  p->first = p->integers;
  p->member = p->first + blocks + 1;
  p->row = p->member + blocks;
  p->global = p->row + blocks + 1;
  p->local = p->global + n;
  return NSDS_OK;
}

/* ---- components ---- */

static int find_root(int *parent, int a) {
  while (parent[a] != a) a = parent[a] = parent[parent[a]];
  return a;
}

static void join(int *parent, int a, int b) {
  a = find_root(parent, a);
  b = find_root(parent, b);
  if (a < b) parent[b] = a;
  else parent[a] = b;
}

/* parent[a]: the smallest block of a's component. */
static void join_all(const nsds_problem *problem, const double *dense, const nsds_csc_form *csc,
                     int *parent, const int *block_of) {
  int n = problem->n;
  for (int a = 0; a < problem->nblock; ++a) parent[a] = a;
  for (int j = 0; j < n; ++j) {
    int from = dense ? 0 : csc->p[j], to = dense ? n : csc->p[j + 1];
    for (int t = from; t < to; ++t) {
      double x = dense ? dense[(size_t)t + (size_t)j * (size_t)n] : csc->x[t];
      if (x != 0.0) join(parent, block_of[dense ? t : csc->i[t]], block_of[j]);
    }
  }
  for (int a = 0; a < problem->nblock; ++a) parent[a] = find_root(parent, a);
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

nsds_status nsds_parts_find(nsds_context *context, nsds_parts *p, const nsds_problem *problem,
                            const double *dense, const nsds_csc_form *csc) {
  nsds_status status = nsds_parts_reserve(context, p, problem, 0);
  if (status) return status;
  int nblock = problem->nblock, *block_of = p->global, *parent = p->local + problem->n;
  p->row[0] = 0;
  for (int a = 0; a < nblock; ++a) {
    p->row[a + 1] = p->row[a] + problem->block[a].size;
    for (int i = p->row[a]; i < p->row[a + 1]; ++i) block_of[i] = a;
  }
  join_all(problem, dense, csc, parent, block_of);
  sort_blocks(p, problem, parent);
  p->most_rows = 0;
  for (int k = 0; k < p->count; ++k) {
    int rows = 0;
    for (int t = p->first[k]; t < p->first[k + 1]; ++t) rows += problem->block[p->member[t]].size;
    if (rows > p->most_rows) p->most_rows = rows;
  }
  return NSDS_OK;
}

/* ---- one part ---- */

static void copy_dense(nsds_parts *p, int m, int n, const double *dense) {
  for (int j = 0; j < m; ++j)
    for (int i = 0; i < m; ++i)
      p->M[(size_t)i + (size_t)j * (size_t)m] =
          dense[(size_t)p->global[i] + (size_t)p->global[j] * (size_t)n];
}

static void copy_csc(nsds_parts *p, int m, const nsds_csc_form *csc) {
  memset(p->M, 0, (size_t)m * (size_t)m * sizeof *p->M);
  for (int j = 0; j < m; ++j)
    for (int t = csc->p[p->global[j]]; t < csc->p[p->global[j] + 1]; ++t)
      if (csc->x[t] != 0.0) p->M[(size_t)p->local[csc->i[t]] + (size_t)j * (size_t)m] = csc->x[t];
}

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

const nsds_problem *nsds_parts_take(nsds_parts *p, const nsds_problem *problem, int k,
                                    const double *dense, const nsds_csc_form *csc) {
  take_rows(p, problem, k);
  int m = p->problem.n;
  bool whole = dense && p->count == 1;
  if (!whole && dense) copy_dense(p, m, problem->n, dense);
  if (!whole && !dense) copy_csc(p, m, csc);
  p->problem.M = (nsds_matrix){
      .storage = NSDS_DENSE, .n = m, .x = whole ? dense : p->M, .symmetric = problem->M.symmetric};
  return &p->problem;
}

/* Column j of the part behind the `count` entries there are; returns their number then. */
static int take_column(nsds_parts *p, int n, int j, int count, const double *dense,
                       const nsds_csc_form *csc) {
  int from = dense ? 0 : csc->p[j], to = dense ? p->problem.n : csc->p[j + 1];
  for (int t = from; t < to; ++t) {
    double x = dense ? dense[(size_t)p->global[t] + (size_t)j * (size_t)n] : csc->x[t];
    if (x == 0.0) continue;
    p->i[count] = dense ? t : p->local[csc->i[t]];
    p->M[count++] = x;
  }
  return count;
}

nsds_status nsds_parts_take_sparse(nsds_context *context, nsds_parts *p,
                                   const nsds_problem *problem, int k, const double *dense,
                                   const nsds_csc_form *csc) {
  take_rows(p, problem, k);
  int m = p->problem.n, count = 0;
  size_t most = dense ? (size_t)m * (size_t)m : 0;
  nsds_status status;
  for (int j = 0; !dense && j < m; ++j)
    most += (size_t)(csc->p[p->global[j] + 1] - csc->p[p->global[j]]);
  if ((status = NSDS_ENSURE(context, p->p, p->p_capacity, m + 1)) ||
      (status = NSDS_ENSURE(context, p->i, p->i_capacity, most + 1)) ||
      (status = NSDS_ENSURE(context, p->M, p->M_capacity, most + 1)))
    return status;
  p->p[0] = 0;
  for (int j = 0; j < m; ++j)
    p->p[j + 1] = count = take_column(p, problem->n, p->global[j], count, dense, csc);
  p->problem.M = (nsds_matrix){.storage = NSDS_CSC,
                               .n = m,
                               .p = p->p,
                               .i = p->i,
                               .x = p->M,
                               .symmetric = problem->M.symmetric};
  return NSDS_OK;
}

void nsds_parts_release(nsds_context *context, nsds_parts *p) {
  nsds_release(context, p->integers);
  nsds_release(context, p->block);
  nsds_release(context, p->q);
  nsds_release(context, p->M);
  nsds_release(context, p->p);
  nsds_release(context, p->i);
}
