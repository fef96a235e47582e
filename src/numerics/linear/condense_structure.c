/* Nodes, their order and their later neighbors, see condense.h. */
#include "numerics/linear/condense_structure.h"

#include "base/union_find.h"
#include "numerics/sets/bounds.h"
#include "numerics/store.h"

/* Largest equality node, and largest in sparse matrices. Larger nodes are for other factors, as are
 * dynamics of systems beside their contacts in sparse matrices. */
enum { most_node = 256, most_sparse_node = 12 };

/* Largest number of other rows, and for dense M; largest number of entries of S, as of 512 rows in
 * one part. */
enum { most_rows = 1 << 14, most_dense_rows = 1 << 9, most_reduced = 1 << 18 };

/* Factors and S may have this many times the entries of M, and always `allowed` entries. */
static const double fill_factors = 8.0, fill_reduced = 4.0, allowed = 4096.0;

/* Time of an operation over one of dense BLAS; less than `few_operations` do not matter. Each
 * changed block costs `of_block` more. */
static const double slower = 10.0, few_operations = 2e6, of_block = 20.0;

/* ---- entries of M ---- */

void nsds_condense_each(nsds_condenser *e, const nsds_matrix *M, nsds_entry_fn *entry) {
  const nsds_block_rows *B = M->blocks;
  if (M->storage == NSDS_DENSE)
    for (int j = 0; j < M->n; ++j)
      for (int i = 0; i < M->n; ++i) {
        double x = M->x[i + (ptrdiff_t)j * M->n];
        if (x != 0.0) entry(e, i, j, x);
      }
  if (M->storage == NSDS_CSC)
    for (int j = 0; j < M->n; ++j)
      for (int k = M->p[j]; k < M->p[j + 1]; ++k) entry(e, M->i[k], j, M->x[k]);
  if (M->storage != NSDS_BLOCK_ROWS) return;
  for (int a = 0; a < B->nrow_block; ++a)
    for (int k = B->first[a]; k < B->first[a + 1]; ++k) {
      int m = B->row[a + 1] - B->row[a], first = B->row[B->column[k]];
      int count = m * (B->row[B->column[k] + 1] - first);
      for (int t = 0; t < count; ++t)
        entry(e, B->row[a] + t % m, first + t / m, B->x[B->start[k] + t]);
    }
}

void nsds_condense_meet(nsds_condenser *e, const nsds_factored *f, nsds_meet_fn *meet) {
  for (int b = 0; b < f->nrow_block; ++b) {
    if (f->D && f->D[b]) meet(e, f, b, -1, b, -1);
    for (int l = f->first_edge[b]; l < f->first_edge[b + 1]; ++l)
      for (int k = e->work.head[f->edge[l].column]; k >= 0; k = e->work.link[k])
        meet(e, f, e->work.owner[k], k, b, l);
  }
}

/* ---- nodes ---- */

/* Returns true if a block is cut into its rows: no set ties them, and the matrix says which of them
 * meet. Equalities stay together. */
static bool is_cut_into_rows(const nsds_problem *problem, const nsds_block *block) {
  return problem->M.storage != NSDS_FACTORED && block->set != NSDS_SET_EQUALITY &&
         ((unsigned)block->set & nsds_bound_sets);
}

static void add_row_to_nodes(nsds_condenser *e, int row, bool begins, bool out) {
  if (begins) {
    e->work.raw_row[e->nnode] = row;
    e->work.raw_size[e->nnode] = 0;
    e->work.out[e->nnode] = out;
    e->nout += out;
    ++e->nnode;
  }
  ++e->work.raw_size[e->nnode - 1];
  e->node_of[row] = e->nnode - 1;
}

/* Makes nodes of runs of equalities, and of runs of other rows, within a block row of factored
 * storage, else within a block. */
static void list_nodes(nsds_condenser *e, const nsds_problem *problem) {
  const nsds_factored *f = problem->M.storage == NSDS_FACTORED ? problem->M.factored : NULL;
  int row = 0, next = 0;
  bool last = false;
  e->nnode = e->nout = 0;
  for (int a = 0; a < problem->nblock; ++a) {
    const nsds_block *block = &problem->block[a];
    bool out = block->set == NSDS_SET_EQUALITY, cut = is_cut_into_rows(problem, block);
    for (int i = 0; i < block->size; ++i, ++row) {
      bool begins = f ? row == 0 || out != last : i == 0 || cut;
      for (; f && next < f->nrow_block && f->row[next] <= row; ++next) {
        begins = true;
        e->work.first_node[next] = e->nnode;
      }
      add_row_to_nodes(e, row, begins, out);
      last = out;
    }
  }
  for (; f && next <= f->nrow_block; ++next) e->work.first_node[next] = e->nnode;
}

/* Lists the edges of each column group, in the order of their numbers. */
static void condense_list_edges(nsds_condenser *e, const nsds_factored *f) {
  int count = f->first_edge[f->nrow_block];
  for (int k = 0; k < count; ++k) e->work.head[f->edge[k].column] = -1;
  for (int a = f->nrow_block - 1; a >= 0; --a)
    for (int k = f->first_edge[a + 1] - 1; k >= f->first_edge[a]; --k) {
      int *head = &e->work.head[f->edge[k].column];
      e->work.owner[k] = a;
      e->work.link[k] = *head;
      *head = k;
    }
}

/* ---- neighbors ---- */

/* Counts a pair. Equalities count their neighbors on either side, other nodes join one part. */
static void count_pair(nsds_condenser *e, int a, int b) {
  e->work.entries += (double)e->work.raw_size[a] * e->work.raw_size[b];
  if (a == b) return;
  if (e->work.out[a]) ++e->work.first_neighbour[a + 1];
  if (e->work.out[b]) ++e->work.first_neighbour[b + 1];
  if (!e->work.out[a] && !e->work.out[b]) nsds_unite(e->work.parent, a, b);
}

static void write_pair(nsds_condenser *e, int a, int b) {
  if (a == b) return;
  if (e->work.out[a]) e->work.neighbour[e->work.mark[a]++] = b;
  if (e->work.out[b]) e->work.neighbour[e->work.mark[b]++] = a;
}

static void count_entry(nsds_condenser *e, int i, int j, double x) {
  (void)x;
  count_pair(e, e->node_of[i], e->node_of[j]);
}

static void write_entry(nsds_condenser *e, int i, int j, double x) {
  (void)x;
  write_pair(e, e->node_of[i], e->node_of[j]);
}

static void count_meeting(nsds_condenser *e, const nsds_factored *f, int a, int k, int b, int l) {
  (void)f, (void)k, (void)l;
  for (int x = e->work.first_node[a]; x < e->work.first_node[a + 1]; ++x)
    for (int y = e->work.first_node[b]; y < e->work.first_node[b + 1]; ++y) count_pair(e, x, y);
}

static void write_meeting(nsds_condenser *e, const nsds_factored *f, int a, int k, int b, int l) {
  (void)f, (void)k, (void)l;
  for (int x = e->work.first_node[a]; x < e->work.first_node[a + 1]; ++x)
    for (int y = e->work.first_node[b]; y < e->work.first_node[b + 1]; ++y) write_pair(e, x, y);
}

static nsds_status list_neighbours(nsds_condenser *e, const nsds_problem *problem) {
  const nsds_matrix *M = &problem->M;
  bool factored = M->storage == NSDS_FACTORED;
  e->work.entries = 0.0;
  for (int a = 0; a <= e->nnode; ++a) e->work.first_neighbour[a] = 0;
  for (int a = 0; a < e->nnode; ++a) e->work.parent[a] = a;
  for (int a = 0, row = 0; a < problem->nblock; row += problem->block[a++].size)
    for (int i = 1;
         !((unsigned)problem->block[a].set & nsds_bound_sets) && i < problem->block[a].size; ++i)
      nsds_unite(e->work.parent, e->node_of[row], e->node_of[row + i]);
  if (factored) nsds_condense_meet(e, M->factored, count_meeting);
  else nsds_condense_each(e, M, count_entry);
  for (int a = 0; a < e->nnode; ++a) {
    e->work.first_neighbour[a + 1] += e->work.first_neighbour[a];
    e->work.mark[a] = e->work.first_neighbour[a];
  }
  nsds_status status =
      NSDS_HOLD_ONE(&e->store, e->work.neighbour, e->work.first_neighbour[e->nnode] + 1);
  if (status) return status;
  if (factored) nsds_condense_meet(e, M->factored, write_meeting);
  else nsds_condense_each(e, M, write_entry);
  return NSDS_OK;
}

/* ---- order ---- */

/* Searches the equalities breadth-first from `root`, appends them to queue[] and marks them.
 * Returns the number of nodes in queue[]. */
static int search_from(nsds_condenser *e, int root, int count, int seen) {
  int next = count;
  e->work.queue[count++] = root;
  e->work.mark[root] = seen;
  for (; next < count; ++next) {
    int a = e->work.queue[next];
    for (int k = e->work.first_neighbour[a]; k < e->work.first_neighbour[a + 1]; ++k) {
      int b = e->work.neighbour[k];
      if (!e->work.out[b] || e->work.mark[b] == seen) continue;
      e->work.mark[b] = seen;
      e->work.queue[count++] = b;
    }
  }
  return count;
}

/* Numbers the nodes: equalities from the leaves of a search to its root, then the others. The root
 * is the node farthest from the first one, so that rings and ladders have narrow fronts. */
static void number_nodes(nsds_condenser *e) {
  int count = 0, other = e->nout;
  for (int a = 0; a < e->nnode; ++a) e->work.mark[a] = 0;
  for (int a = 0; a < e->nnode; ++a) {
    if (!e->work.out[a] || e->work.mark[a] == 2) continue;
    int end = search_from(e, a, count, 1);
    count = search_from(e, e->work.queue[end - 1], count, 2);
  }
  for (int k = 0; k < count; ++k) e->work.final[e->work.queue[count - 1 - k]] = k;
  for (int a = 0; a < e->nnode; ++a)
    if (!e->work.out[a]) e->work.final[a] = other++;
  for (int a = 0; a < e->nnode; ++a) {
    e->row[e->work.final[a]] = e->work.raw_row[a];
    e->size[e->work.final[a]] = e->work.raw_size[a];
  }
  for (int i = 0; i < e->n; ++i) e->node_of[i] = e->work.final[e->node_of[i]];
}

/* ---- later neighbors ---- */

static void sort_numbers(int n, int *x) {
  for (int gap = n / 2; gap > 0; gap /= 2)
    for (int i = gap; i < n; ++i) {
      int value = x[i], j = i;
      for (; j >= gap && x[j - gap] > value; j -= gap) x[j] = x[j - gap];
      x[j] = value;
    }
}

/* Adds node b, met by k, if it comes later and is new. */
static nsds_status meet_later(nsds_condenser *e, int k, int b, int *count) {
  if (b <= k || e->work.mark[b] == k) return NSDS_OK;
  e->work.mark[b] = k;
  const nsds_cut cut[] = {NSDS_CUT(e->later, *count + 1), NSDS_CUT(e->offset, *count + 1)};
  nsds_status status = NSDS_HOLD(&e->store, cut);
  if (!status) e->later[(*count)++] = b;
  return status;
}

/* Lists the later neighbors of node k, and those of earlier nodes whose first later neighbor is
 * k. */
static nsds_status list_later(nsds_condenser *e, int k, int raw, int *count) {
  nsds_status status = NSDS_OK;
  for (int t = e->work.first_neighbour[raw]; !status && t < e->work.first_neighbour[raw + 1]; ++t)
    status = meet_later(e, k, e->work.final[e->work.neighbour[t]], count);
  for (int c = e->work.child[k]; !status && c >= 0; c = e->work.sibling[c])
    for (int t = e->start[c]; !status && t < e->start[c + 1]; ++t)
      status = meet_later(e, k, e->later[t], count);
  return status;
}

/* Returns the largest number of values with which an elimination pays. */
static double condense_most_values(const nsds_condenser *e) {
  return fill_factors * e->work.entries + allowed;
}

/* Ends early if there are more values: elimination in this order may fill up. */
static nsds_status list_all_later(nsds_condenser *e) {
  int count = 0;
  e->nvalue = 0;
  e->operations = 0.0;
  for (int a = 0; a < e->nnode; ++a) e->work.mark[a] = -1;
  for (int k = 0; k < e->nout; ++k) e->work.child[k] = -1;
  for (int k = 0; k < e->nout && (double)e->nvalue <= condense_most_values(e); ++k) {
    int first = e->start[k] = count, m = e->size[k];
    nsds_status status = list_later(e, k, e->work.queue[e->nout - 1 - k], &count);
    if (status) return status;
    e->start[k + 1] = count;
    sort_numbers(count - first, e->later + first);
    e->width[k] = 0;
    for (int t = first; t < count; ++t) {
      e->offset[t] = e->width[k];
      e->width[k] += e->size[e->later[t]];
    }
    if (count > first && e->later[first] < e->nout) {
      e->work.sibling[k] = e->work.child[e->later[first]];
      e->work.child[e->later[first]] = k;
    }
    e->panel[k] = e->nvalue;
    double rows = (double)m + e->width[k], blocks = count - first;
    e->operations += 2.0 * m * rows * rows + of_block * blocks * blocks;
    e->nvalue += (size_t)m * ((size_t)m + 2 * (size_t)e->width[k]);
  }
  return NSDS_OK;
}

/* ---- parts of S ---- */

static void list_parts(nsds_condenser *e) {
  int *parent = e->work.queue, nout = e->nout; /* by final numbers */
  for (int a = 0; a < e->nnode; ++a)
    e->work.mark[e->work.final[a]] = e->work.final[e->work.parent[a]];
  for (int a = nout; a < e->nnode; ++a) parent[a] = e->work.mark[a];
  for (int k = 0; k < nout; ++k)
    for (int t = e->start[k]; t + 1 < e->start[k + 1]; ++t)
      if (e->later[t] >= nout) nsds_unite(parent, e->later[t], e->later[t + 1]);
  e->rest.npart = 0;
  e->rest.nS = 0;
  for (int a = nout; a < e->nnode; ++a) {
    int root = nsds_root(parent, a);
    if (root == a) {
      e->rest.part[a] = e->rest.npart;
      e->rest.part_rows[e->rest.npart++] = 0;
    } else e->rest.part[a] = e->rest.part[root];
    e->rest.place[a] = e->rest.part_rows[e->rest.part[a]];
    e->rest.part_rows[e->rest.part[a]] += e->size[a];
  }
  for (int p = 0; p < e->rest.npart; ++p) {
    e->rest.part_start[p] = e->rest.nS;
    e->rest.nS += (size_t)e->rest.part_rows[p] * (size_t)e->rest.part_rows[p];
  }
}

/* ---- all of it ---- */

static nsds_status hold_rows(nsds_condenser *e, const nsds_problem *problem) {
  size_t n = (size_t)problem->n + 1;
  const nsds_cut cut[] = {NSDS_CUT(e->row, n),
                          NSDS_CUT(e->size, n),
                          NSDS_CUT(e->node_of, n),
                          NSDS_CUT(e->start, n),
                          NSDS_CUT(e->width, n),
                          NSDS_CUT(e->panel, n),
                          NSDS_CUT(e->rest.part, n),
                          NSDS_CUT(e->rest.place, n),
                          NSDS_CUT(e->rest.part_rows, n),
                          NSDS_CUT(e->rest.part_start, n),
                          NSDS_CUT(e->diagonal, n),
                          NSDS_CUT(e->silent, n),
                          NSDS_CUT(e->work.shape, 2 * (size_t)problem->nblock + 1),
                          NSDS_CUT(e->work.raw_row, n),
                          NSDS_CUT(e->work.raw_size, n),
                          NSDS_CUT(e->work.final, n),
                          NSDS_CUT(e->work.first_neighbour, n),
                          NSDS_CUT(e->work.queue, n),
                          NSDS_CUT(e->work.parent, n),
                          NSDS_CUT(e->work.mark, n),
                          NSDS_CUT(e->work.child, n),
                          NSDS_CUT(e->work.sibling, n),
                          NSDS_CUT(e->work.out, n)};
  nsds_status status = NSDS_HOLD(&e->store, cut);
  if (status || problem->M.storage != NSDS_FACTORED) return status;
  const nsds_factored *f = problem->M.factored;
  size_t edges = (size_t)f->first_edge[f->nrow_block] + 1;
  const nsds_cut factored[] = {NSDS_CUT(e->work.head, f->ncolumn + 1),
                               NSDS_CUT(e->work.link, edges), NSDS_CUT(e->work.owner, edges),
                               NSDS_CUT(e->work.first_node, f->nrow_block + 1)};
  return NSDS_HOLD(&e->store, factored);
}

/* Returns true if blocks and structure have not changed. Dense matrices must have the same stamp,
 * since their zeros count. */
static bool is_known(const nsds_condenser *e, const nsds_problem *problem) {
  const nsds_matrix *M = &problem->M;
  if (e->work.limit != e->most_bytes || e->work.storage != M->storage) return false;
  bool structure = M->pattern != 0 && M->pattern == e->work.pattern && M->storage != NSDS_DENSE;
  bool matrix = M->stamp != 0 && M->stamp == e->stamp;
  bool same = (structure || matrix) && e->n == problem->n && e->work.nblock == problem->nblock;
  for (int a = 0; same && a < e->work.nblock; ++a)
    same = e->work.shape[2 * a] == (int)problem->block[a].set &&
           e->work.shape[2 * a + 1] == problem->block[a].size;
  return same;
}

static void note_structure(nsds_condenser *e, const nsds_problem *problem) {
  e->n = problem->n;
  e->work.nblock = problem->nblock;
  e->work.pattern = problem->M.pattern;
  e->work.limit = e->most_bytes;
  e->work.storage = problem->M.storage;
  for (int a = 0; a < e->work.nblock; ++a) {
    e->work.shape[2 * a] = (int)problem->block[a].set;
    e->work.shape[2 * a + 1] = problem->block[a].size;
  }
}

static bool is_small_enough(const nsds_condenser *e, const nsds_problem *problem) {
  nsds_storage storage = problem->M.storage;
  bool sparse = storage == NSDS_CSC || storage == NSDS_BLOCK_ROWS;
  int most = sparse ? most_sparse_node : most_node, others = e->n;
  for (int a = 0; a < e->nnode; ++a) {
    if (e->work.out[a] && e->work.raw_size[a] > most) return false;
    if (e->work.out[a]) others -= e->work.raw_size[a];
  }
  return e->nout > 0 && others <= (storage == NSDS_DENSE ? most_dense_rows : most_rows);
}

/* Reserves values even if this problem is not apt: a smaller one with the same equalities may
 * be. */
static nsds_status condense_hold_values(nsds_condenser *e, bool dense) {
  double factors = condense_most_values(e);
  double reduced = fmin(fill_reduced * e->work.entries + allowed, most_reduced);
  double bytes = (double)sizeof *e->value * (double)(e->nvalue + e->rest.nS), n = e->n;
  double operations = dense ? fmax(2.0 / 3.0 * n * n * n / slower, few_operations) : INFINITY;
  e->apt =
      (double)e->nvalue <= factors && (double)e->rest.nS <= reduced && e->operations <= operations;
  if (e->most_bytes > 0.0 && bytes > e->most_bytes) {
    e->apt = false;
    return NSDS_OK;
  }
  const nsds_cut cut[] = {NSDS_CUT(e->value, fmin((double)e->nvalue, factors) + 1.0),
                          NSDS_CUT(e->rest.S, fmin((double)e->rest.nS, reduced) + 1.0)};
  return NSDS_HOLD(&e->store, cut);
}

nsds_status nsds_condense_prepare(nsds_condenser *e, const nsds_problem *problem) {
  if (is_known(e, problem)) return NSDS_OK;
  e->work.pattern = e->stamp = 0;
  e->apt = false;
  nsds_status status = hold_rows(e, problem);
  if (status) return status;
  note_structure(e, problem);
  list_nodes(e, problem);
  if (!is_small_enough(e, problem)) return NSDS_OK;
  if (problem->M.storage == NSDS_FACTORED) condense_list_edges(e, problem->M.factored);
  status = list_neighbours(e, problem);
  if (status) return status;
  number_nodes(e);
  status = list_all_later(e);
  if (status) return status;
  if ((double)e->nvalue <= condense_most_values(e)) list_parts(e);
  else e->rest.nS = most_reduced;
  return condense_hold_values(e, problem->M.storage == NSDS_DENSE);
}
