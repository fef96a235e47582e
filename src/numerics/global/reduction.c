/*
 * The local problem, see reduction.h.
 *
 * The responses A h to the pieces h of H cost one solve for many clusters at once, as these do not
 * see each other: solve number t takes the t-th right-hand side of every cluster. These are the
 * unit vectors where a cluster has fewer velocities than pieces, so that A_c comes out, and the
 * pieces elsewhere.
 */
#include "reduction.h"
#include "bounds.h"
#include "matrix.h"
#include "solver_internal.h"

#include <float.h>

static const double rounding = 4 * DBL_EPSILON; /* of an entry of q, against its terms */

/*
 * ---- clusters ----
 *
 * By union-find over the columns of M and G. Neighbouring velocities that meet the same blocks are
 * then put together, so that a body stays one cluster where M is diagonal.
 */

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

/* Velocities of a cluster, its number of pieces. */
static int cluster_size(const nsds_clusters *t, int c) { return t->start[c + 1] - t->start[c]; }
static int cluster_pieces(const nsds_clusters *t, int c) { return t->first[c + 1] - t->first[c]; }

/* ---- size ---- */

enum { small_cluster = 64 }; /* velocities: a few bodies, whose Y costs less than W's rows */

bool nsds_reduction_prefers_factors(const nsds_reduction *t) {
  int most = 0;
  for (int c = 0; c < t->clusters.count; ++c) {
    int size = cluster_size(&t->clusters, c);
    if (cluster_pieces(&t->clusters, c) > 0 && size > most) most = size;
  }
  return most <= small_cluster;
}

bool nsds_reduction_fits(const nsds_reduction *t, bool factored) {
  double entries = 0.0, limit = nsds_dense_limit;
  for (int c = 0; c < t->clusters.count; ++c) {
    double pieces = cluster_pieces(&t->clusters, c);
    entries += pieces * (factored ? cluster_size(&t->clusters, c) : pieces);
  }
  return entries <= limit * fmax(limit, t->problem.n);
}

/* ---- blocks ---- */

/* Another cut than before is another factored form. */
static void cut_blocks(nsds_reduction *t, const nsds_global_problem *problem) {
  int count = 0, row = 0;
  for (int a = 0; a < problem->nblock; ++a) {
    const nsds_block *block = &problem->block[a];
    int step = block->set & nsds_bound_sets ? 1 : block->size;
    for (int i = 0; i < block->size; i += step, ++count) {
      if (t->row[count] != row) t->made = 0;
      t->row[count] = row;
      t->block[count] = step == 1 ? nsds_row_of_block(block, i) : *block;
      for (int end = row + step; row < end; ++row) t->block_of[row] = count;
    }
  }
  if (t->problem.nblock != count) t->made = 0;
  t->row[count] = row;
  t->problem.nblock = count;
}

nsds_status nsds_reduction_open(nsds_reduction *t, nsds_store *store,
                                const nsds_global_problem *problem) {
  size_t nv = (size_t)problem->nv, n = (size_t)problem->n, p = (size_t)problem->p;
  const nsds_cut cut[] = {NSDS_CUT(t->block, n),    NSDS_CUT(t->row, n + 1),
                          NSDS_CUT(t->block_of, n), NSDS_CUT(t->q, n),
                          NSDS_CUT(t->q_error, n),  NSDS_CUT(t->first_edge, n + 1),
                          NSDS_CUT(t->p, n + 1),    NSDS_CUT(t->v, nv + p),
                          NSDS_CUT(t->y, nv),       NSDS_CUT(t->mark, nv + n)};
  nsds_status status = NSDS_HOLD(store, cut);
  if (status) return status;
  cut_blocks(t, problem);
  t->problem.n = problem->n;
  t->problem.block = t->block;
  t->problem.q = t->q;
  t->problem.q_error = t->q_error;
  return NSDS_OK;
}

/* ---- responses ---- */

/* Takes the response y (within the cluster) to a piece. */
typedef void (*sink)(nsds_reduction *t, int piece, const double *y);

static int solves_of(const nsds_clusters *k, int c) {
  int size = cluster_size(k, c), pieces = cluster_pieces(k, c);
  return size < pieces ? size : pieces;
}

/* What depends on the clusters alone. */
static nsds_status reserve(nsds_reduction *t, nsds_store *store) {
  const nsds_clusters *k = &t->clusters;
  size_t count = 0;
  for (int c = 0; c < k->count; ++c) {
    size_t size = (size_t)cluster_size(k, c);
    if (size < (size_t)cluster_pieces(k, c)) count += size * size;
  }
  const nsds_cut cut[] = {NSDS_CUT(t->place, k->count), NSDS_CUT(t->inverse, count),
                          NSDS_CUT(t->edge, k->npiece), NSDS_CUT(t->piece_edge, k->npiece)};
  nsds_status status = NSDS_HOLD(store, cut);
  count = 0;
  for (int c = 0; c < k->count && !status; ++c) {
    size_t size = (size_t)cluster_size(k, c);
    bool by_units = size < (size_t)cluster_pieces(k, c);
    t->place[c] = by_units ? count : SIZE_MAX;
    if (by_units) count += size * size;
  }
  return status;
}

static void put_right_hand_side(nsds_reduction *t, int c, int s) {
  const nsds_clusters *k = &t->clusters;
  const int *member = k->member + k->start[c];
  if (t->place[c] != SIZE_MAX) {
    t->v[member[s]] = 1.0;
    return;
  }
  const nsds_piece *piece = &k->piece[k->list[k->first[c] + s]];
  for (int e = piece->first; e < piece->first + piece->count; ++e)
    t->v[member[k->entry[e]]] = k->x[e];
}

static void take_solution(nsds_reduction *t, int c, int s, sink take) {
  const nsds_clusters *k = &t->clusters;
  const int *member = k->member + k->start[c];
  int size = cluster_size(k, c);
  bool by_units = t->place[c] != SIZE_MAX;
  double *y = by_units ? t->inverse + t->place[c] + (size_t)s * (size_t)size : t->y;
  for (int l = 0; l < size; ++l) y[l] = t->v[member[l]];
  if (!by_units) take(t, k->list[k->first[c] + s], y);
}

/* The responses of a cluster whose A_c is known. */
static void respond(nsds_reduction *t, int c, sink take) {
  const nsds_clusters *k = &t->clusters;
  int size = cluster_size(k, c);
  const double *A = t->inverse + t->place[c];
  for (int q = k->first[c]; q < k->first[c + 1]; ++q) {
    const nsds_piece *piece = &k->piece[k->list[q]];
    memset(t->y, 0, (size_t)size * sizeof *t->y);
    for (int e = piece->first; e < piece->first + piece->count; ++e)
      for (int l = 0; l < size; ++l) t->y[l] += A[l + (size_t)k->entry[e] * (size_t)size] * k->x[e];
    take(t, k->list[q], t->y);
  }
}

static void find_responses(nsds_reduction *t, const nsds_global_problem *problem, sink take) {
  const nsds_clusters *k = &t->clusters;
  int most = 0;
  for (int c = 0; c < k->count; ++c) most = solves_of(k, c) > most ? solves_of(k, c) : most;
  for (int s = 0; s < most; ++s) {
    memset(t->v, 0, (size_t)(problem->nv + problem->p) * sizeof *t->v);
    for (int c = 0; c < k->count; ++c)
      if (s < solves_of(k, c)) put_right_hand_side(t, c, s);
    nsds_eliminate(&t->elimination, t->v);
    for (int c = 0; c < k->count; ++c)
      if (s < solves_of(k, c)) take_solution(t, c, s, take);
  }
  for (int c = 0; c < k->count; ++c)
    if (t->place[c] != SIZE_MAX) respond(t, c, take);
}

/* ---- the factored form ---- */

/* Edges in order of the block rows, and the edge of each piece. */
static nsds_status find_edges(nsds_reduction *t, nsds_store *store) {
  const nsds_clusters *k = &t->clusters;
  int count = 0;
  size_t values = 0;
  for (int c = 0; c < k->count; ++c) t->mark[c] = -1;
  for (int a = 0; a < t->problem.nblock; ++a) {
    int rows = t->block[a].size;
    t->first_edge[a] = count;
    for (int q = k->row_piece[t->row[a]]; q < k->row_piece[t->row[a] + rows]; ++q) {
      int c = k->piece[q].cluster, size = cluster_size(k, c);
      if (t->mark[c] < t->first_edge[a]) {
        t->mark[c] = count;
        t->edge[count++] = (nsds_edge){.column = k->start[c], .size = size};
        values += 2 * (size_t)rows * (size_t)size;
      }
      t->piece_edge[q] = t->mark[c];
    }
  }
  t->first_edge[t->problem.nblock] = count;
  const nsds_cut cut[] = {NSDS_CUT(t->value, values)};
  nsds_status status = NSDS_HOLD(store, cut);
  if (status) return status;
  double *value = t->value;
  memset(value, 0, values * sizeof *value);
  for (int a = 0; a < t->problem.nblock; ++a)
    for (int e = t->first_edge[a]; e < t->first_edge[a + 1]; ++e) {
      size_t part = (size_t)t->block[a].size * (size_t)t->edge[e].size;
      t->edge[e].H = value;
      t->edge[e].Y = value + part;
      value += 2 * part;
    }
  return NSDS_OK;
}

static void put_into_edge(nsds_reduction *t, int q, const double *y) {
  const nsds_piece *piece = &t->clusters.piece[q];
  const nsds_edge *edge = &t->edge[t->piece_edge[q]];
  int a = t->block_of[piece->row], m = t->block[a].size, i = piece->row - t->row[a];
  double *H = t->value + (edge->H - t->value), *Y = t->value + (edge->Y - t->value);
  for (int e = piece->first; e < piece->first + piece->count; ++e)
    H[i + t->clusters.entry[e] * m] = t->clusters.x[e];
  memcpy(Y + (size_t)i * (size_t)edge->size, y, (size_t)edge->size * sizeof *Y);
}

static nsds_status make_factored(nsds_reduction *t, nsds_store *store,
                                 const nsds_global_problem *problem) {
  nsds_status status = find_edges(t, store);
  if (status) return status;
  find_responses(t, problem, put_into_edge);
  t->factored = (nsds_factored){.nrow_block = t->problem.nblock,
                                .ncolumn = problem->nv,
                                .row = t->row,
                                .first_edge = t->first_edge,
                                .edge = t->edge};
  t->problem.M = (nsds_matrix){
      .storage = NSDS_FACTORED, .n = problem->n, .factored = &t->factored, .symmetric = true};
  return NSDS_OK;
}

/* ---- compressed columns ---- */

/* Column j of W has a row for every piece in the clusters of row j, and itself. */
static nsds_status find_pattern(nsds_reduction *t, nsds_store *store, int n) {
  const nsds_clusters *k = &t->clusters;
  size_t most = (size_t)n;
  int count = 0;
  for (int c = 0; c < k->count; ++c)
    most += (size_t)cluster_pieces(k, c) * (size_t)cluster_pieces(k, c);
  const nsds_cut cut[] = {NSDS_CUT(t->i, most), NSDS_CUT(t->x, most)};
  nsds_status status = NSDS_HOLD(store, cut);
  if (status) return status;
  for (int j = 0; j < n; ++j) t->mark[j] = -1;
  for (int j = 0; j < n; ++j) {
    t->p[j] = count;
    int first = k->row_piece[j], pieces = k->row_piece[j + 1] - first;
    if (pieces == 0) t->i[count++] = j;
    for (int q = first; q < first + pieces; ++q)
      for (int c = k->piece[q].cluster, l = k->first[c]; l < k->first[c + 1]; ++l) {
        int i = k->piece[k->list[l]].row;
        if (t->mark[i] == j) continue;
        t->mark[i] = j;
        t->i[count++] = i;
      }
    if (pieces < 2) continue; /* increasing within a cluster */
    nsds_sort_indices(count - t->p[j], t->i + t->p[j]);
  }
  t->p[n] = count;
  memset(t->x, 0, (size_t)count * sizeof *t->x);
  return NSDS_OK;
}

static double *entry_of(const nsds_reduction *t, int i, int j) {
  nsds_column c = {t->p[j + 1] - t->p[j], t->i + t->p[j], NULL};
  return &t->x[t->p[j] + nsds_column_place(c, i)];
}

static void put_into_columns(nsds_reduction *t, int q, const double *y) {
  const nsds_clusters *k = &t->clusters;
  int c = k->piece[q].cluster;
  for (int l = k->first[c]; l < k->first[c + 1]; ++l) {
    const nsds_piece *other = &k->piece[k->list[l]];
    double sum = 0.0;
    for (int e = other->first; e < other->first + other->count; ++e)
      sum += k->x[e] * y[k->entry[e]];
    *entry_of(t, other->row, k->piece[q].row) += sum;
  }
}

static void make_symmetric(const nsds_reduction *t) {
  for (int j = 0; j < t->problem.n; ++j)
    for (int k = t->p[j]; t->i[k] < j; ++k) {
      double *other = entry_of(t, j, t->i[k]);
      *other = t->x[k] = 0.5 * (t->x[k] + *other);
    }
}

static nsds_status make_columns(nsds_reduction *t, nsds_store *store,
                                const nsds_global_problem *problem) {
  nsds_status status = find_pattern(t, store, problem->n);
  if (status) return status;
  find_responses(t, problem, put_into_columns);
  make_symmetric(t);
  t->problem.M = (nsds_matrix){
      .storage = NSDS_CSC, .n = problem->n, .x = t->x, .p = t->p, .i = t->i, .symmetric = true};
  return NSDS_OK;
}

/* ---- the whole ---- */

nsds_status nsds_reduction_operator(nsds_reduction *t, nsds_store *store,
                                    const nsds_global_problem *problem, bool factored,
                                    uint64_t stamp) {
  if (t->made == stamp && factored == (t->problem.M.storage == NSDS_FACTORED)) return NSDS_OK;
  t->made = 0;
  nsds_status status = reserve(t, store);
  if (!status) status = (factored ? make_factored : make_columns)(t, store, problem);
  if (status) return status;
  t->made = stamp;
  t->problem.M.stamp = 2 * stamp + factored;
  return NSDS_OK;
}

void nsds_reduction_vector(nsds_reduction *t, const nsds_global_problem *problem, const double *v) {
  for (int j = 0; j < problem->n; ++j) {
    double q = problem->w[j], size = fabs(q);
    for (int k = problem->H.p[j]; k < problem->H.p[j + 1]; ++k) {
      double term = problem->H.x[k] * v[problem->H.i[k]];
      q += term;
      size += fabs(term);
    }
    t->q[j] = q;
    t->q_error[j] = rounding * size;
  }
}
