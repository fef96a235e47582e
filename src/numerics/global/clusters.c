/*
 * Clusters by union-find over the columns of M and G. Neighbouring velocities that meet the same
 * blocks are then put together, so that a body stays one cluster where M is diagonal.
 */
#include "clusters.h"
#include "matrix.h"

/* ---- parts of M and G ---- */

static void unite_by_mass(int *parent, const nsds_matrix *M) {
  for (int j = 0; j < M->n; ++j) {
    nsds_column c = nsds_matrix_column(M, j);
    for (int k = 0; k < c.count; ++k)
      if (c.i || c.x[k] != 0.0) nsds_unite(parent, nsds_column_row(c, k), j);
  }
}

static void unite_by_columns(int *parent, const nsds_sparse *A) {
  for (int j = 0; j < A->ncolumn; ++j)
    for (int k = A->p[j] + 1; k < A->p[j + 1]; ++k) nsds_unite(parent, A->i[k - 1], A->i[k]);
}

/* ---- velocities that meet the same blocks ---- */

static uint64_t mixed(uint64_t k) { /* splitmix64 */
  k = (k + 1) * 0x9e3779b97f4a7c15u;
  k = (k ^ (k >> 30)) * 0xbf58476d1ce4e5b9u;
  k = (k ^ (k >> 27)) * 0x94d049bb133111ebu;
  return k ^ (k >> 31);
}

/* Sum over the blocks that a cluster meets of a number drawn for each; at its root. */
static void find_signatures(nsds_clusters *t, const nsds_global_problem *problem) {
  int *last = t->local;
  const nsds_sparse *H = &problem->H;
  for (int k = 0; k < problem->nv; ++k) {
    last[k] = -1;
    t->sum[k] = 0;
  }
  for (int a = 0, row = 0; a < problem->nblock; ++a)
    for (int end = row + problem->block[a].size; row < end; ++row)
      for (int k = H->p[row]; k < H->p[row + 1]; ++k) {
        int c = nsds_root(t->of, H->i[k]);
        if (last[c] == a) continue;
        last[c] = a;
        t->sum[c] += mixed((uint64_t)a);
      }
}

static void unite_by_blocks(nsds_clusters *t, const nsds_global_problem *problem) {
  if (problem->n == 0) return;
  find_signatures(t, problem);
  for (int k = 1; k < problem->nv; ++k) {
    int a = nsds_root(t->of, k - 1), b = nsds_root(t->of, k);
    if (a != b && t->sum[a] != 0 && t->sum[a] == t->sum[b]) nsds_unite(t->of, a, b);
  }
}

/* Numbers the clusters by their first velocity. */
static void number(nsds_clusters *t, int nv) {
  t->count = 0;
  for (int k = 0; k < nv; ++k) { /* a root comes before its members */
    int first = nsds_root(t->of, k);
    t->mark[k] = first == k ? t->count++ : t->mark[first];
  }
  memcpy(t->of, t->mark, (size_t)nv * sizeof *t->of);
  memset(t->start, 0, ((size_t)nv + 1) * sizeof *t->start);
  for (int k = 0; k < nv; ++k) t->local[k] = t->start[t->of[k] + 1]++;
  for (int c = 0; c < t->count; ++c) t->start[c + 1] += t->start[c];
  for (int k = 0; k < nv; ++k) t->member[t->start[t->of[k]] + t->local[k]] = k;
}

/* ---- pieces ---- */

/* The piece of row j in cluster c, made where there is none yet; mark[c] holds the last one. */
static nsds_piece *piece_of(nsds_clusters *t, int j, int c) {
  int k = t->mark[c];
  if (k < 0 || t->piece[k].row != j) {
    k = t->mark[c] = t->npiece++;
    t->piece[k] = (nsds_piece){.row = j, .cluster = c};
  }
  return &t->piece[k];
}

static void split_row(nsds_clusters *t, const nsds_sparse *H, int j) {
  int before = t->npiece, first = H->p[j];
  for (int k = H->p[j]; k < H->p[j + 1]; ++k) ++piece_of(t, j, t->of[H->i[k]])->count;
  for (int q = before; q < t->npiece; ++q) {
    t->piece[q].first = first;
    first += t->piece[q].count;
    t->piece[q].count = 0;
  }
  for (int k = H->p[j]; k < H->p[j + 1]; ++k) {
    nsds_piece *piece = piece_of(t, j, t->of[H->i[k]]);
    t->entry[piece->first + piece->count] = t->local[H->i[k]];
    t->x[piece->first + piece->count++] = H->x[k];
  }
}

static void find_pieces(nsds_clusters *t, const nsds_global_problem *problem) {
  t->npiece = 0;
  for (int c = 0; c < t->count; ++c) t->mark[c] = -1;
  t->row_piece[0] = 0;
  for (int j = 0; j < problem->n; ++j) {
    split_row(t, &problem->H, j);
    t->row_piece[j + 1] = t->npiece;
  }
  memset(t->first, 0, ((size_t)t->count + 1) * sizeof *t->first);
  for (int q = 0; q < t->npiece; ++q) ++t->first[t->piece[q].cluster + 1];
  for (int c = 0; c < t->count; ++c) t->first[c + 1] += t->first[c];
  memcpy(t->mark, t->first, (size_t)t->count * sizeof *t->mark);
  for (int q = 0; q < t->npiece; ++q) t->list[t->mark[t->piece[q].cluster]++] = q;
}

nsds_status nsds_clusters_find(nsds_clusters *t, nsds_store *store,
                               const nsds_global_problem *problem) {
  size_t nv = (size_t)problem->nv, n = (size_t)problem->n;
  size_t count = n > 0 ? (size_t)problem->H.p[n] : 0;
  const nsds_cut cut[] = {
      NSDS_CUT(t->of, nv),        NSDS_CUT(t->local, nv),    NSDS_CUT(t->start, nv + 1),
      NSDS_CUT(t->member, nv),    NSDS_CUT(t->piece, count), NSDS_CUT(t->row_piece, n + 1),
      NSDS_CUT(t->first, nv + 1), NSDS_CUT(t->list, count),  NSDS_CUT(t->entry, count),
      NSDS_CUT(t->x, count),      NSDS_CUT(t->sum, nv),      NSDS_CUT(t->mark, nv)};
  nsds_status status = NSDS_HOLD(store, cut);
  if (status) return status;
  for (int k = 0; k < problem->nv; ++k) t->of[k] = k;
  unite_by_mass(t->of, &problem->M);
  unite_by_columns(t->of, &problem->G);
  unite_by_blocks(t, problem);
  number(t, problem->nv);
  find_pieces(t, problem);
  return NSDS_OK;
}
