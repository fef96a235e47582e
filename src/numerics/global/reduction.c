/*
 * The local problem, see reduction.h.
 *
 * The responses A h to the pieces h of H cost one solve for many clusters at once, because clusters
 * do not interact. Solve number t takes the t-th coordinate of every cluster. A coordinate is a
 * unit vector of the velocities if the cluster has fewer velocities than pieces, otherwise a piece.
 */
#include "numerics/global/reduction.h"

#include "base/union_find.h"
#include "numerics/global/saddle.h"
#include "numerics/linear/matrix.h"
#include "numerics/sets/bounds.h"
#include "numerics/solver_internal.h"
#include "numerics/store.h"

#include <float.h>

static const double rounding = 4 * DBL_EPSILON; /* of a local velocity, against its terms */
static const double held = 64 * DBL_EPSILON;    /* of a response, against that without joints */

/*
 * ---- clusters ----
 *
 * Union-find over the columns of M and G finds the clusters. Neighboring velocities that meet the
 * same blocks are then put together, so that a body stays one cluster if M is diagonal.
 */

/* Number of velocities of a cluster, number of its pieces, and the smaller of the two: its number
 * of coordinates. */
static int cluster_size(const nsds_clusters *t, int c) { return t->start[c + 1] - t->start[c]; }
static int cluster_pieces(const nsds_clusters *t, int c) { return t->first[c + 1] - t->first[c]; }
static bool by_velocities(const nsds_clusters *t, int c) {
  return cluster_size(t, c) < cluster_pieces(t, c);
}
static int reduction_coordinates(const nsds_clusters *t, int c) {
  return by_velocities(t, c) ? cluster_size(t, c) : cluster_pieces(t, c);
}

static void unite_by_mass(int *parent, const nsds_matrix *M) {
  for (int j = 0; j < M->n; ++j) {
    nsds_column c = nsds_matrix_column(M, j);
    for (int k = 0; k < c.count; ++k)
      if (c.i || c.x[k] != 0.0) nsds_unite(parent, nsds_column_row(c, k), j);
  }
}

static void unite_by_columns(int *parent, const nsds_csc *A) {
  for (int j = 0; j < A->ncol; ++j)
    for (int k = A->p[j] + 1; k < A->p[j + 1]; ++k) nsds_unite(parent, A->i[k - 1], A->i[k]);
}

static uint64_t mixed(uint64_t k) { /* splitmix64 */
  k = (k + 1) * 0x9e3779b97f4a7c15u;
  k = (k ^ (k >> 30)) * 0xbf58476d1ce4e5b9u;
  k = (k ^ (k >> 27)) * 0x94d049bb133111ebu;
  return k ^ (k >> 31);
}

/* Adds up a random number for each block that a cluster meets, at the root of the cluster. */
static void find_signatures(nsds_clusters *t, const nsds_global_problem *problem) {
  int *last = t->local;
  const nsds_csc *H = &problem->H;
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

/* Returns the piece of row j in cluster c, and makes it if there is none yet. mark[c] holds the
 * last piece. */
static nsds_reduction_piece *reduction_piece_of(nsds_clusters *t, int j, int c) {
  int k = t->mark[c];
  if (k < 0 || t->piece[k].row != j) {
    k = t->mark[c] = t->npiece++;
    t->piece[k] = (nsds_reduction_piece){.row = j, .cluster = c};
  }
  return &t->piece[k];
}

static void split_row(nsds_clusters *t, const nsds_csc *H, int j) {
  int before = t->npiece, first = H->p[j];
  for (int k = H->p[j]; k < H->p[j + 1]; ++k) ++reduction_piece_of(t, j, t->of[H->i[k]])->count;
  for (int q = before; q < t->npiece; ++q) {
    t->piece[q].first = first;
    first += t->piece[q].count;
    t->piece[q].count = 0;
  }
  for (int k = H->p[j]; k < H->p[j + 1]; ++k) {
    nsds_reduction_piece *piece = reduction_piece_of(t, j, t->of[H->i[k]]);
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
  t->begin[0] = 0;
  for (int c = 0; c < t->count; ++c) t->begin[c + 1] = t->begin[c] + reduction_coordinates(t, c);
}

nsds_status nsds_clusters_find(nsds_clusters *t, nsds_store *store,
                               const nsds_global_problem *problem) {
  size_t nv = (size_t)problem->nv, n = (size_t)problem->n;
  size_t count = n > 0 ? (size_t)problem->H.p[n] : 0;
  const nsds_cut cut[] = {
      NSDS_CUT(t->of, nv),        NSDS_CUT(t->local, nv),    NSDS_CUT(t->start, nv + 1),
      NSDS_CUT(t->member, nv),    NSDS_CUT(t->piece, count), NSDS_CUT(t->row_piece, n + 1),
      NSDS_CUT(t->first, nv + 1), NSDS_CUT(t->list, count),  NSDS_CUT(t->entry, count),
      NSDS_CUT(t->x, count),      NSDS_CUT(t->sum, nv),      NSDS_CUT(t->mark, nv),
      NSDS_CUT(t->begin, nv + 1)};
  nsds_status status = NSDS_HOLD(store, cut);
  if (status) return status;
  for (int k = 0; k < problem->nv; ++k) t->of[k] = k;
  unite_by_mass(t->of, &problem->M);
  unite_by_columns(t->of, &problem->G);
  unite_by_blocks(t, problem);
  t->count = nsds_components(problem->nv, t->of, t->start, t->member);
  for (int k = 0; k < problem->nv; ++k) t->local[t->member[k]] = k - t->start[t->of[t->member[k]]];
  find_pieces(t, problem);
  return NSDS_OK;
}

/* ---- size ---- */

enum { small_cluster = 64 }; /* velocities: a few bodies, whose Y costs less than the rows of W */

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
    entries += pieces * (factored ? reduction_coordinates(&t->clusters, c) : pieces);
  }
  return entries <= limit * fmax(limit, t->problem.n);
}

/* ---- blocks ---- */

/* Cuts the rows into blocks. A changed cut makes the factored form another one. */
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
  const nsds_cut cut[] = {
      NSDS_CUT(t->block, n), NSDS_CUT(t->row, n + 1), NSDS_CUT(t->block_of, n),
      NSDS_CUT(t->q, n),     NSDS_CUT(t->q_error, n), NSDS_CUT(t->first_edge, n + 1),
      NSDS_CUT(t->p, n + 1), NSDS_CUT(t->v, nv + p),  NSDS_CUT(t->mark, nv)};
  nsds_status status = NSDS_HOLD(store, cut);
  if (status) return status;
  cut_blocks(t, problem);
  t->problem.n = problem->n;
  t->problem.block = t->block;
  t->problem.q = t->q;
  t->problem.q_error = t->q_error;
  return NSDS_OK;
}

/* ---- the factored form ---- */

/* Orders the edges by block rows and finds the edge of each piece. */
static void find_edges(nsds_reduction *t) {
  nsds_clusters *k = &t->clusters;
  int count = 0;
  for (int c = 0; c < k->count; ++c) t->mark[c] = -1;
  for (int a = 0; a < t->problem.nblock; ++a) {
    t->first_edge[a] = count;
    for (int q = k->row_piece[t->row[a]]; q < k->row_piece[t->row[a + 1]]; ++q) {
      int c = k->piece[q].cluster;
      if (t->mark[c] < t->first_edge[a]) {
        t->mark[c] = count;
        t->edge[count++] = (nsds_edge){.column = k->begin[c], .size = reduction_coordinates(k, c)};
      }
      k->piece[q].edge = t->mark[c];
    }
  }
  t->first_edge[t->problem.nblock] = count;
}

/* Gets memory for H and Y of all edges, with zeros. */
static nsds_status hold_values(nsds_reduction *t, nsds_store *store) {
  size_t count = 0;
  for (int a = 0; a < t->problem.nblock; ++a)
    for (int e = t->first_edge[a]; e < t->first_edge[a + 1]; ++e)
      count += 2 * (size_t)t->block[a].size * (size_t)t->edge[e].size;
  nsds_status status = NSDS_HOLD_ONE(store, t->value, count);
  if (status) return status;
  double *value = t->value;
  memset(value, 0, count * sizeof *value);
  for (int a = 0; a < t->problem.nblock; ++a)
    for (int e = t->first_edge[a]; e < t->first_edge[a + 1]; ++e) {
      size_t part = (size_t)t->block[a].size * (size_t)t->edge[e].size;
      t->edge[e].H = value;
      t->edge[e].Y = value + part;
      value += 2 * part;
    }
  return NSDS_OK;
}

/* Row of H of a piece, entries `step` apart, and its column of Y. */
static double *reduction_row_of(nsds_reduction *t, const nsds_reduction_piece *piece, int *step) {
  int a = t->block_of[piece->row];
  *step = t->block[a].size;
  return t->value + (t->edge[piece->edge].H - t->value) + (piece->row - t->row[a]);
}
static double *reduction_column_of(nsds_reduction *t, const nsds_reduction_piece *piece) {
  const nsds_edge *edge = &t->edge[piece->edge];
  int i = piece->row - t->row[t->block_of[piece->row]];
  return t->value + (edge->Y - t->value) + (size_t)i * (size_t)edge->size;
}

/* Writes piece number `place` of a cluster in the coordinates of the cluster. */
static void put_piece(nsds_reduction *t, int c, int place) {
  const nsds_clusters *k = &t->clusters;
  const nsds_reduction_piece *piece = &k->piece[k->list[k->first[c] + place]];
  int step;
  double *H = reduction_row_of(t, piece, &step);
  if (!by_velocities(k, c)) H[place * step] = 1.0;
  else
    for (int e = piece->first; e < piece->first + piece->count; ++e)
      H[k->entry[e] * step] = k->x[e];
}

/* Writes coordinate s of a cluster as a right-hand side. */
static void put_coordinate(nsds_reduction *t, int c, int s) {
  const nsds_clusters *k = &t->clusters;
  const int *member = k->member + k->start[c];
  const nsds_reduction_piece *piece = &k->piece[k->list[k->first[c] + s]];
  if (by_velocities(k, c)) t->v[member[s]] = 1.0;
  else
    for (int e = piece->first; e < piece->first + piece->count; ++e)
      t->v[member[k->entry[e]]] = k->x[e];
}

/* Takes the response to coordinate s, in t->v. In velocities, each piece gets its share of the
 * response. Otherwise Y gets the response along each piece. */
static void take_response(nsds_reduction *t, int c, int s) {
  const nsds_clusters *k = &t->clusters;
  const int *member = k->member + k->start[c], *list = k->list + k->first[c];
  bool velocities = by_velocities(k, c);
  for (int place = 0; place < cluster_pieces(k, c); ++place) {
    const nsds_reduction_piece *piece = &k->piece[list[place]];
    double *Y = reduction_column_of(t, velocities ? piece : &k->piece[list[s]]);
    for (int e = piece->first; e < piece->first + piece->count; ++e)
      if (!velocities) Y[place] += k->x[e] * t->v[member[k->entry[e]]];
      else if (k->entry[e] == s)
        for (int l = 0; l < cluster_size(k, c); ++l) Y[l] += t->v[member[l]] * k->x[e];
  }
}

static void find_responses(nsds_reduction *t, const nsds_global_problem *problem) {
  const nsds_clusters *k = &t->clusters;
  int most = 0;
  for (int c = 0; c < k->count; ++c) {
    most = reduction_coordinates(k, c) > most ? reduction_coordinates(k, c) : most;
    for (int place = 0; place < cluster_pieces(k, c); ++place) put_piece(t, c, place);
  }
  for (int s = 0; s < most; ++s) {
    memset(t->v, 0, (size_t)(problem->nv + problem->p) * sizeof *t->v);
    for (int c = 0; c < k->count; ++c)
      if (s < reduction_coordinates(k, c)) put_coordinate(t, c, s);
    nsds_eliminate(&t->elimination, t->v);
    for (int c = 0; c < k->count; ++c)
      if (s < reduction_coordinates(k, c)) take_response(t, c, s);
  }
}

/* Returns h diag(M)^-1 h of a piece h: what it would give without joints, or less. */
static double free_gain(const nsds_reduction *t, const nsds_reduction_piece *piece) {
  const nsds_clusters *k = &t->clusters;
  const int *member = k->member + k->start[piece->cluster];
  double sum = 0.0;
  for (int e = piece->first; e < piece->first + piece->count; ++e) {
    double x = k->x[e] * t->elimination.saddle.scale[member[k->entry[e]]];
    sum += x * x;
  }
  return sum;
}

/* Clears pieces that joints hold. The rest of their response is rounding, of which no method may make
 * a proof. A is semidefinite, so that no other row moves such a piece. */
static void clear_held_pieces(nsds_reduction *t) {
  const nsds_clusters *k = &t->clusters;
  for (int q = 0; q < k->npiece; ++q) {
    const nsds_reduction_piece *piece = &k->piece[q];
    int step, size = t->edge[piece->edge].size;
    double *H = reduction_row_of(t, piece, &step), *Y = reduction_column_of(t, piece), gain = 0.0;
    for (int l = 0; l < size; ++l) gain += H[l * step] * Y[l];
    if (gain > held * free_gain(t, piece)) continue;
    for (int l = 0; l < size; ++l) H[l * step] = Y[l] = 0.0;
  }
}

static nsds_status make_factored(nsds_reduction *t, nsds_store *store,
                                 const nsds_global_problem *problem) {
  nsds_clusters *k = &t->clusters;
  nsds_status status = NSDS_HOLD_ONE(store, t->edge, k->npiece);
  if (status) return status;
  find_edges(t);
  if ((status = hold_values(t, store))) return status;
  find_responses(t, problem);
  if (problem->p > 0) clear_held_pieces(t);
  t->factored = (nsds_factored){.nrow_block = t->problem.nblock,
                                .ncolumn = k->begin[k->count],
                                .row = t->row,
                                .first_edge = t->first_edge,
                                .edge = t->edge};
  return NSDS_OK;
}

/* ---- the whole ---- */

/* Makes compressed columns from the factored form, which is in `problem`. */
static nsds_status reduction_make_columns(nsds_reduction *t, nsds_store *store) {
  nsds_status status = NSDS_HOLD_ONE(store, t->work, nsds_problem_csc_work(&t->problem));
  if (status) return status;
  nsds_problem_to_csc(&t->problem, t->p, NULL, NULL, t->work);
  const nsds_cut cut[] = {NSDS_CUT(t->i, t->p[t->problem.n]), NSDS_CUT(t->x, t->p[t->problem.n])};
  if ((status = NSDS_HOLD(store, cut))) return status;
  nsds_problem_to_csc(&t->problem, t->p, t->i, t->x, t->work);
  return NSDS_OK;
}

nsds_status nsds_reduction_operator(nsds_reduction *t, nsds_store *store,
                                    const nsds_global_problem *problem, bool factored,
                                    uint64_t stamp) {
  nsds_status status = NSDS_OK;
  nsds_matrix *M = &t->problem.M;
  if (t->made == stamp && factored == (M->storage == NSDS_FACTORED)) return NSDS_OK;
  if (t->made != stamp) {
    t->made = 0;
    status = make_factored(t, store, problem);
    if (status) return status;
    t->made = stamp;
  }
  *M = (nsds_matrix){.storage = NSDS_FACTORED,
                     .n = problem->n,
                     .factored = &t->factored,
                     .symmetric = true,
                     .stamp = 2 * stamp};
  if (factored) return NSDS_OK;
  status = reduction_make_columns(t, store);
  if (status) return status;
  *M = (nsds_matrix){.storage = NSDS_CSC,
                     .n = problem->n,
                     .p = t->p,
                     .i = t->i,
                     .x = t->x,
                     .symmetric = true,
                     .stamp = 2 * stamp + 1};
  return NSDS_OK;
}

/* Puts |f| + |G| |lambda| into t->v: the terms of M v, which may cancel. */
static void find_loads(nsds_reduction *t, const nsds_global_problem *problem,
                       const double *lambda) {
  const nsds_csc *G = &problem->G;
  for (int i = 0; i < problem->nv; ++i) t->v[i] = fabs(problem->f[i]);
  for (int j = 0; j < problem->p; ++j)
    for (int k = G->p[j]; k < G->p[j + 1]; ++k) t->v[G->i[k]] += fabs(G->x[k] * lambda[j]);
}

/* Returns what rounding of v in the elimination of joints gives in row j: that of the largest load in
 * the cluster, in roots of energies. Needs find_loads(). */
static double error_of_joints(const nsds_reduction *t, int j) {
  const nsds_clusters *k = &t->clusters;
  double sum = 0.0;
  for (int q = k->row_piece[j]; q < k->row_piece[j + 1]; ++q) {
    const nsds_reduction_piece *piece = &k->piece[q];
    double most = 0.0;
    for (int s = k->start[piece->cluster]; s < k->start[piece->cluster + 1]; ++s)
      most = fmax(most, t->v[k->member[s]] * t->elimination.saddle.scale[k->member[s]]);
    sum += sqrt(free_gain(t, piece)) * most;
  }
  return held * sum;
}

void nsds_reduction_constant(nsds_reduction *t, const nsds_global_problem *problem, const double *v,
                             const double *lambda) {
  nsds_global_local(problem, v, t->q, t->q_error);
  if (problem->p == 0) return;
  find_loads(t, problem, lambda);
  for (int j = 0; j < problem->n; ++j) t->q_error[j] = fmax(t->q_error[j], error_of_joints(t, j));
}

void nsds_global_local(const nsds_global_problem *problem, const double *v, double *u,
                       double *error) {
  const nsds_csc *H = &problem->H;
  for (int j = 0; j < problem->n; ++j) {
    double size = fabs(problem->w[j]);
    u[j] = problem->w[j];
    for (int k = H->p[j]; k < H->p[j + 1]; ++k) {
      double term = H->x[k] * v[H->i[k]];
      u[j] += term;
      size += fabs(term);
    }
    if (error) error[j] = rounding * size;
  }
}
