/*
 * The local problem, see reduction.h.
 *
 * The responses A h to the pieces h of H cost one solve for many clusters at once, as these do not
 * see each other: solve number t takes the t-th right-hand side of every cluster. These are the
 * unit vectors where a cluster has fewer velocities than pieces, so that A_c comes out, and the
 * pieces elsewhere.
 */
#include "reduction.h"
#include "solver_internal.h"

#include <float.h>

/* ---- size ---- */

enum { small_cluster = 64 };

nsds_status nsds_reduction_open(nsds_reduction *t, nsds_context *context,
                                const nsds_global_problem *problem) {
  return nsds_clusters_find(&t->clusters, context, problem);
}

bool nsds_reduction_prefers_factors(const nsds_reduction *t) {
  int most = 0;
  for (int c = 0; c < t->clusters.count; ++c) {
    int size = nsds_cluster_size(&t->clusters, c);
    if (nsds_cluster_pieces(&t->clusters, c) > 0 && size > most) most = size;
  }
  return most <= small_cluster;
}

bool nsds_reduction_fits(const nsds_reduction *t, const nsds_global_problem *problem,
                         bool factored) {
  double entries = 0.0, limit = nsds_dense_limit;
  for (int c = 0; c < t->clusters.count; ++c) {
    double pieces = nsds_cluster_pieces(&t->clusters, c);
    entries += pieces * (factored ? nsds_cluster_size(&t->clusters, c) : pieces);
  }
  return entries <= limit * fmax(limit, problem->n);
}

/* ---- blocks ---- */

static bool stands_alone(const nsds_block *block) {
  return block->set & (NSDS_SET_EQUALITY | NSDS_SET_NONNEGATIVE | NSDS_SET_BOX);
}

nsds_status nsds_reduction_cut(nsds_reduction *t, nsds_context *context,
                               const nsds_global_problem *problem) {
  nsds_status status = NSDS_ENSURE(context, t->block, t->block_capacity, problem->n);
  if (!status) status = NSDS_ENSURE(context, t->row, t->row_capacity, (size_t)problem->n + 1);
  if (status) return status;
  int count = 0, row = 0;
  for (int a = 0; a < problem->nblock; ++a) {
    const nsds_block *block = &problem->block[a];
    int step = stands_alone(block) ? 1 : block->size;
    for (int i = 0; i < block->size; i += step, row += step) {
      t->row[count] = row;
      t->block[count] = *block;
      t->block[count].size = step;
      if (block->set == NSDS_SET_BOX) {
        t->block[count].lower += i;
        t->block[count].upper += i;
      }
      ++count;
    }
  }
  t->row[count] = row;
  t->problem = (nsds_problem){.n = problem->n, .nblock = count, .block = t->block};
  return NSDS_OK;
}

/* ---- responses ---- */

/* Takes the response y (within the cluster) to a piece. */
typedef void (*sink)(nsds_reduction *t, int piece, const double *y);

static int solves_of(const nsds_clusters *k, int c) {
  int size = nsds_cluster_size(k, c), pieces = nsds_cluster_pieces(k, c);
  return size < pieces ? size : pieces;
}

static nsds_status reserve_inverses(nsds_reduction *t, nsds_context *context) {
  const nsds_clusters *k = &t->clusters;
  size_t count = 0;
  nsds_status status = NSDS_ENSURE(context, t->place, t->place_capacity, k->count);
  for (int c = 0; c < k->count && !status; ++c) {
    size_t size = (size_t)nsds_cluster_size(k, c);
    bool by_units = nsds_cluster_size(k, c) < nsds_cluster_pieces(k, c);
    t->place[c] = by_units ? count : SIZE_MAX;
    if (by_units) count += size * size;
  }
  return status ? status : NSDS_ENSURE(context, t->inverse, t->inverse_capacity, count);
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
  int size = nsds_cluster_size(k, c);
  bool by_units = t->place[c] != SIZE_MAX;
  double *y = by_units ? t->inverse + t->place[c] + (size_t)s * (size_t)size : t->y;
  for (int l = 0; l < size; ++l) y[l] = t->v[member[l]];
  if (!by_units) take(t, k->list[k->first[c] + s], y);
}

/* The responses of a cluster whose A_c is known. */
static void respond(nsds_reduction *t, int c, sink take) {
  const nsds_clusters *k = &t->clusters;
  int size = nsds_cluster_size(k, c);
  const double *A = t->inverse + t->place[c];
  for (int q = k->first[c]; q < k->first[c + 1]; ++q) {
    const nsds_piece *piece = &k->piece[k->list[q]];
    memset(t->y, 0, (size_t)size * sizeof *t->y);
    for (int e = piece->first; e < piece->first + piece->count; ++e)
      for (int l = 0; l < size; ++l) t->y[l] += A[l + (size_t)k->entry[e] * (size_t)size] * k->x[e];
    take(t, k->list[q], t->y);
  }
}

static nsds_status find_responses(nsds_reduction *t, nsds_context *context,
                                  const nsds_global_problem *problem, sink take) {
  const nsds_clusters *k = &t->clusters;
  nsds_status status = reserve_inverses(t, context);
  int most = 0;
  for (int c = 0; c < k->count; ++c) most = solves_of(k, c) > most ? solves_of(k, c) : most;
  for (int s = 0; s < most && !status; ++s) {
    memset(t->v, 0, (size_t)(problem->nv + problem->p) * sizeof *t->v);
    for (int c = 0; c < k->count; ++c)
      if (s < solves_of(k, c)) put_right_hand_side(t, c, s);
    nsds_eliminate(&t->elimination, t->v);
    for (int c = 0; c < k->count; ++c)
      if (s < solves_of(k, c)) take_solution(t, c, s, take);
  }
  for (int c = 0; c < k->count && !status; ++c)
    if (t->place[c] != SIZE_MAX) respond(t, c, take);
  return status;
}

/* ---- the factored form ---- */

/* Edges in order of the block rows, and the edge of each piece. */
static nsds_status find_edges(nsds_reduction *t, nsds_context *context) {
  const nsds_clusters *k = &t->clusters;
  int count = 0;
  size_t values = 0;
  for (int c = 0; c < k->count; ++c) t->mark[c] = -1;
  for (int a = 0; a < t->problem.nblock; ++a) {
    int rows = t->block[a].size;
    t->first_edge[a] = count;
    for (int q = k->row_piece[t->row[a]]; q < k->row_piece[t->row[a] + rows]; ++q) {
      int c = k->piece[q].cluster, size = nsds_cluster_size(k, c);
      if (t->mark[c] < t->first_edge[a]) {
        t->mark[c] = count;
        t->edge[count++] = (nsds_edge){.column = k->start[c], .size = size};
        values += 2 * (size_t)rows * (size_t)size;
      }
      t->piece_edge[q] = t->mark[c];
    }
  }
  t->first_edge[t->problem.nblock] = count;
  nsds_status status = NSDS_ENSURE(context, t->value, t->value_capacity, values + 1);
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

/* The block row of a row, which lie in order. */
static int block_of(const nsds_reduction *t, int row) {
  int low = 0, high = t->problem.nblock - 1;
  while (low < high) {
    int middle = low + (high - low + 1) / 2;
    if (t->row[middle] <= row) low = middle;
    else high = middle - 1;
  }
  return low;
}

static void put_into_edge(nsds_reduction *t, int q, const double *y) {
  const nsds_piece *piece = &t->clusters.piece[q];
  const nsds_edge *edge = &t->edge[t->piece_edge[q]];
  int a = block_of(t, piece->row), m = t->block[a].size, i = piece->row - t->row[a];
  double *H = t->value + (edge->H - t->value), *Y = t->value + (edge->Y - t->value);
  for (int e = piece->first; e < piece->first + piece->count; ++e)
    H[i + t->clusters.entry[e] * m] = t->clusters.x[e];
  memcpy(Y + (size_t)i * (size_t)edge->size, y, (size_t)edge->size * sizeof *Y);
}

static nsds_status factored_operator(nsds_reduction *t, nsds_context *context,
                                     const nsds_global_problem *problem) {
  size_t pieces = (size_t)t->clusters.npiece;
  nsds_status status =
      NSDS_ENSURE(context, t->first_edge, t->first_edge_capacity, (size_t)t->problem.nblock + 1);
  if (!status) status = NSDS_ENSURE(context, t->edge, t->edge_capacity, pieces);
  if (!status) status = NSDS_ENSURE(context, t->piece_edge, t->piece_edge_capacity, pieces);
  if (!status) status = find_edges(t, context);
  if (!status) status = find_responses(t, context, problem, put_into_edge);
  t->factored = (nsds_factored){.nrow_block = t->problem.nblock,
                                .ncolumn = problem->nv,
                                .row = t->row,
                                .first_edge = t->first_edge,
                                .edge = t->edge};
  t->problem.M = (nsds_matrix){
      .storage = NSDS_FACTORED, .n = problem->n, .factored = &t->factored, .symmetric = true};
  return status;
}

/* ---- compressed columns ---- */

/* Calls of `meet` for every row that column j of W meets, itself among them. */
static void each_neighbour(nsds_reduction *t, int j,
                           void (*meet)(nsds_reduction *t, int j, int i)) {
  const nsds_clusters *k = &t->clusters;
  t->mark[j] = j;
  meet(t, j, j);
  for (int q = k->row_piece[j]; q < k->row_piece[j + 1]; ++q) {
    int c = k->piece[q].cluster;
    for (int l = k->first[c]; l < k->first[c + 1]; ++l) {
      int i = k->piece[k->list[l]].row;
      if (t->mark[i] == j) continue;
      t->mark[i] = j;
      meet(t, j, i);
    }
  }
}

static void count_entry(nsds_reduction *t, int j, int i) {
  (void)i;
  ++t->p[j + 1];
}

/* The pattern is symmetric: column i gets its rows j in increasing order. */
static void put_entry(nsds_reduction *t, int j, int i) { t->i[t->p[i]++] = j; }

static nsds_status find_pattern(nsds_reduction *t, nsds_context *context, int n) {
  nsds_status status = NSDS_ENSURE(context, t->p, t->p_capacity, (size_t)n + 1);
  if (status) return status;
  memset(t->p, 0, ((size_t)n + 1) * sizeof *t->p);
  for (int j = 0; j < n; ++j) t->mark[j] = -1;
  for (int j = 0; j < n; ++j) each_neighbour(t, j, count_entry);
  for (int j = 0; j < n; ++j) t->p[j + 1] += t->p[j];
  size_t entries = (size_t)t->p[n] + 1;
  status = NSDS_ENSURE(context, t->i, t->i_capacity, entries);
  if (!status) status = NSDS_ENSURE(context, t->x, t->x_capacity, entries);
  if (status) return status;
  for (int j = 0; j < n; ++j) t->mark[j] = -1;
  for (int j = 0; j < n; ++j) each_neighbour(t, j, put_entry);
  for (int j = n; j > 0; --j) t->p[j] = t->p[j - 1];
  t->p[0] = 0;
  memset(t->x, 0, (size_t)t->p[n] * sizeof *t->x);
  return NSDS_OK;
}

static double *entry_of(const nsds_reduction *t, int i, int j) {
  int low = t->p[j], high = t->p[j + 1] - 1;
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (t->i[middle] < i) low = middle + 1;
    else high = middle;
  }
  return &t->x[low];
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

static nsds_status explicit_operator(nsds_reduction *t, nsds_context *context,
                                     const nsds_global_problem *problem) {
  nsds_status status = find_pattern(t, context, problem->n);
  if (!status) status = find_responses(t, context, problem, put_into_columns);
  if (!status) make_symmetric(t);
  t->problem.M = (nsds_matrix){
      .storage = NSDS_CSC, .n = problem->n, .x = t->x, .p = t->p, .i = t->i, .symmetric = true};
  return status;
}

/* ---- the whole ---- */

nsds_status nsds_reduction_operator(nsds_reduction *t, nsds_context *context,
                                    const nsds_global_problem *problem, bool factored) {
  size_t nv = (size_t)problem->nv, n = (size_t)problem->n;
  nsds_status status;
  if ((status = NSDS_ENSURE(context, t->q, t->q_capacity, n)) ||
      (status = NSDS_ENSURE(context, t->q_error, t->q_error_capacity, n)) ||
      (status = NSDS_ENSURE(context, t->v, t->v_capacity, nv + (size_t)problem->p + 1)) ||
      (status = NSDS_ENSURE(context, t->y, t->y_capacity, nv + 1)) ||
      (status = NSDS_ENSURE(context, t->mark, t->mark_capacity, nv + n)))
    return status;
  status = nsds_reduction_cut(t, context, problem);
  if (!status)
    status =
        factored ? factored_operator(t, context, problem) : explicit_operator(t, context, problem);
  t->problem.q = t->q;
  t->problem.q_error = t->q_error;
  return status;
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
    t->q_error[j] = 4 * DBL_EPSILON * size;
  }
}

void nsds_reduction_release(nsds_reduction *t, nsds_context *context) {
  nsds_elimination_release(&t->elimination, context);
  nsds_clusters_release(&t->clusters, context);
  void *memory[] = {t->block, t->q,     t->q_error, t->row, t->first_edge, t->piece_edge,
                    t->edge,  t->value, t->p,       t->i,   t->x,          t->inverse,
                    t->place, t->v,     t->y,       t->mark};
  for (size_t k = 0; k < sizeof memory / sizeof *memory; ++k) nsds_release(context, memory[k]);
}
