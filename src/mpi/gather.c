/*
 * The whole problem on one process, or chosen blocks of it. Each process writes its blocks as numbers, one
 * after the other:
 *
 *     identifier, set, rows m, mu, number of edges, whether D is there
 *     lower and upper bounds of boxes; q, z; D
 *     each edge: number of its first column, its columns n, H (m x n), Y (n x m)
 *
 * Rank 0 puts the blocks into the order of their identifiers. So the problem and its answer are the same for
 * any number of processes. Edges must have numbers that follow each other.
 *
 * Chosen blocks c with z of all others held:
 *
 *     w_c = M_cc z_c + q_c',   q_c' = (M z + q)_c - M_cc z_c at the present z
 */
#include "mpi/gather.h"

#include <limits.h>
#include <nsds/extend.h>
#include <stdlib.h>
#include <string.h>

enum { head = 6 };

typedef struct gathered {
  nsds_whole *whole;
  const nsds_mpi_part *part;
  const bool *chosen;                      /* blocks of this process; NULL: all */
  const double *w;                         /* of chosen blocks: M z + q */
  int mine, all;                           /* numbers of this process, and of all; blocks of all */
  int *count, *offset, *rows, *row_offset; /* by ranks */
  int own_rows;
  double *own; /* answer of own blocks */
  double *sent, *got, *answer;
} gathered;

/* A block in the numbers that have come. */
typedef struct gathered_block {
  const double *at;
  double id;
  int row; /* where its answer goes */
} gathered_block;

/* ---- writing ---- */

static bool is_sent(const gathered *t, int a) { return !t->chosen || t->chosen[a]; }

static size_t numbers_of_block(const nsds_factored *f, const nsds_block *b, int a) {
  size_t m = (size_t)b->size, count = head + 2 * m;
  if (b->set == NSDS_SET_BOX) count += 2 * m;
  if (f->D && f->D[a]) count += m * m;
  for (int k = f->first_edge[a]; k < f->first_edge[a + 1]; ++k)
    count += 2 + 2 * m * (size_t)f->edge[k].size;
  return count;
}

static double *put_numbers(double *to, const double *from, size_t count) {
  if (count > 0) memcpy(to, from, count * sizeof *to);
  return to + count;
}

static double *write_edge(const gathered *t, const nsds_edge *e, int m, double *to) {
  const nsds_factored *f = t->whole->problem.M.factored;
  *to++ = (double)t->part->number[e->column];
  *to++ = e->size;
  to = put_numbers(to, e->H, (size_t)m * (size_t)e->size);
  for (int j = 0; j < m; ++j)
    for (int c = 0; c < e->size; ++c)
      *to++ = e->Y ? e->Y[c + j * e->size] : f->gain[e->column + c] * e->H[j + c * m];
  return to;
}

static void write_blocks(const gathered *t, const double *z, long long first) {
  const nsds_problem *p = &t->whole->problem;
  const nsds_factored *f = p->M.factored;
  double *to = t->sent;
  const double *q = t->chosen ? t->w : p->q;
  for (int a = 0; a < p->nblock; ++a) {
    if (!is_sent(t, a)) continue;
    const nsds_block *b = &p->block[a];
    size_t m = (size_t)b->size;
    bool full = f->D && f->D[a];
    *to++ = (double)(t->part->block ? t->part->block[a] : first + a);
    *to++ = b->set;
    *to++ = b->size;
    *to++ = b->mu;
    *to++ = f->first_edge[a + 1] - f->first_edge[a];
    *to++ = full;
    if (b->set == NSDS_SET_BOX) to = put_numbers(put_numbers(to, b->lower, m), b->upper, m);
    to = put_numbers(put_numbers(to, q + f->row[a], m), z + f->row[a], m);
    if (full) to = put_numbers(to, f->D[a], m * m);
    for (int k = f->first_edge[a]; k < f->first_edge[a + 1]; ++k)
      to = write_edge(t, &f->edge[k], b->size, to);
  }
}

/* Columns that do not follow each other have no group in the whole problem. */
static bool has_groups(const gathered *t) {
  const nsds_factored *f = t->whole->problem.M.factored;
  for (int k = 0; k < f->first_edge[f->nrow_block]; ++k)
    for (int c = 1; c < f->edge[k].size; ++c)
      if (t->part->number[f->edge[k].column + c] != t->part->number[f->edge[k].column] + c)
        return false;
  return true;
}

/* ---- reading ---- */

/* The whole problem on rank 0. */
typedef struct whole_problem {
  int nblock, nedge, ncolumn, ngroup;
  gathered_block *of;
  nsds_block *block;
  nsds_edge *edge;
  int *row, *first_edge, *start;
  double *group, *q, *z, *w;
  const double **D;
} whole_problem;

static int compare_gathered(const void *a, const void *b) {
  double x = ((const gathered_block *)a)->id, y = ((const gathered_block *)b)->id;
  return (x > y) - (x < y);
}

static int gathered_group_order(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static const double *behind_head(const double *at) {
  int m = (int)at[2];
  bool box = (int)at[1] == NSDS_SET_BOX, full = at[5] != 0.0;
  return at + head + 2 * m + (box ? 2 * m : 0) + (full ? m * m : 0);
}

static const double *next_edge(const double *edge, int m) {
  return edge + 2 + 2 * m * (int)edge[1];
}

/* Goes through the blocks as they came; returns how many there are. */
static int scan_blocks(const gathered *t, whole_problem *w, bool writes) {
  const double *at = t->got, *end = t->got + t->all;
  int blocks = 0, edges = 0, row = 0;
  for (; at < end; ++blocks) {
    int m = (int)at[2];
    if (writes) w->of[blocks] = (gathered_block){.at = at, .id = at[0], .row = row};
    const double *edge = behind_head(at);
    for (int k = 0; k < (int)at[4]; ++k, ++edges, edge = next_edge(edge, m))
      if (writes) memcpy(w->group + 2 * (ptrdiff_t)edges, edge, 2 * sizeof *edge);
    row += m;
    at = edge;
  }
  w->nblock = blocks;
  w->nedge = edges;
  return row;
}

/* Numbers the groups of columns from 0 on. Returns false if sizes of a group differ. */
static bool number_gathered(whole_problem *w) {
  qsort(w->group, (size_t)w->nedge, 2 * sizeof *w->group, gathered_group_order);
  int kept = 0;
  w->ncolumn = 0;
  for (int k = 0; k < w->nedge; ++k) {
    double *g = w->group + 2 * (ptrdiff_t)k, *last = w->group + 2 * (ptrdiff_t)(kept - 1);
    if (kept > 0 && g[0] == last[0]) {
      if (g[1] != last[1]) return false;
      continue;
    }
    if (kept > 0 && g[0] < last[0] + last[1]) return false;
    memmove(w->group + 2 * (ptrdiff_t)kept, g, 2 * sizeof *g);
    w->start[kept++] = w->ncolumn;
    w->ncolumn += (int)w->group[2 * (ptrdiff_t)(kept - 1) + 1];
  }
  w->ngroup = kept;
  return true;
}

static int gathered_column(const whole_problem *w, double number) {
  const double *at =
      bsearch(&number, w->group, (size_t)w->ngroup, 2 * sizeof number, gathered_group_order);
  return w->start[(at - w->group) / 2];
}

static void read_gathered(whole_problem *w, int a) {
  const double *at = w->of[a].at;
  int m = (int)at[2], edges = (int)at[4];
  w->block[a] = (nsds_block){.set = (nsds_set_kind)(int)at[1], .size = m, .mu = at[3]};
  const double *next = at + head;
  if (w->block[a].set == NSDS_SET_BOX) {
    w->block[a].lower = next;
    w->block[a].upper = next + m;
    next += 2 * m;
  }
  memcpy(w->q + w->row[a], next, (size_t)m * sizeof *w->q);
  memcpy(w->z + w->row[a], next + m, (size_t)m * sizeof *w->z);
  w->D[a] = at[5] != 0.0 ? next + 2 * m : NULL;
  w->row[a + 1] = w->row[a] + m;
  w->first_edge[a + 1] = w->first_edge[a] + edges;
  const double *edge = behind_head(at);
  for (int k = 0; k < edges; ++k, edge = next_edge(edge, m)) {
    int size = (int)edge[1];
    w->edge[w->first_edge[a] + k] = (nsds_edge){.column = gathered_column(w, edge[0]),
                                                .size = size,
                                                .H = edge + 2,
                                                .Y = edge + 2 + (ptrdiff_t)m * size};
  }
}

static bool hold_whole(nsds_context *context, whole_problem *w, int rows) {
  size_t blocks = (size_t)w->nblock + 1, edges = (size_t)w->nedge + 1, n = (size_t)rows + 1;
  static const char what[] = "a gathered problem";
  w->of = nsds_alloc(context, what, blocks, sizeof *w->of);
  w->block = nsds_alloc(context, what, blocks, sizeof *w->block);
  w->edge = nsds_alloc(context, what, edges, sizeof *w->edge);
  w->row = nsds_alloc(context, what, blocks, sizeof *w->row);
  w->first_edge = nsds_alloc(context, what, blocks, sizeof *w->first_edge);
  w->start = nsds_alloc(context, what, edges, sizeof *w->start);
  w->group = nsds_alloc(context, what, 2 * edges, sizeof *w->group);
  w->q = nsds_alloc(context, what, n, sizeof *w->q);
  w->z = nsds_alloc(context, what, n, sizeof *w->z);
  w->w = nsds_alloc(context, what, n, sizeof *w->w);
  w->D = nsds_alloc(context, what, blocks, sizeof *w->D);
  return w->of && w->block && w->edge && w->row && w->first_edge && w->start && w->group && w->q &&
         w->z && w->w && w->D;
}

static void release_whole(whole_problem *w) {
  nsds_free(w->of), nsds_free(w->block), nsds_free(w->edge), nsds_free(w->row);
  nsds_free(w->first_edge), nsds_free(w->start), nsds_free(w->group), nsds_free(w->q);
  nsds_free(w->z), nsds_free(w->w), nsds_free((void *)w->D);
}

/* Replaces M z + q by q. */
static void take_away_own(const nsds_problem *problem, whole_problem *w, double *work) {
  nsds_problem_multiply(problem, w->z, w->w, work);
  for (int i = 0; i < problem->n; ++i) w->q[i] -= w->w[i] - w->q[i];
}

/* Solves the problem of rank 0. An unsolved problem is no failure: the certificate tells. q of chosen
 * blocks has come as M z + q. */
static nsds_status solve_gathered(nsds_context *context, whole_problem *w, bool whole,
                                  double tolerance) {
  nsds_factored M = {.nrow_block = w->nblock,
                     .ncolumn = w->ncolumn,
                     .row = w->row,
                     .first_edge = w->first_edge,
                     .edge = w->edge,
                     .D = w->D};
  int n = w->row[w->nblock];
  nsds_problem problem = {.n = n,
                          .nblock = w->nblock,
                          .block = w->block,
                          .q = w->q,
                          .M = {.storage = NSDS_FACTORED, .n = n, .factored = &M}};
  nsds_solver *solver = nsds_solver_create(context, "auto");
  double *work =
      nsds_alloc(context, "a gathered problem", nsds_problem_work(&problem) + 1, sizeof *work);
  nsds_solver_info info;
  nsds_status status = solver && work ? NSDS_OK : NSDS_ERROR_MEMORY;
  if (!status && !whole) take_away_own(&problem, w, work);
  if (!status) status = nsds_solver_set(solver, "tolerance", tolerance);
  if (!status) status = nsds_solve(solver, &problem, w->z, w->w, &info);
  nsds_solver_destroy(solver);
  nsds_free(work);
  return status == NSDS_ERROR_SOLVER ? NSDS_OK : status;
}

/* Reads and solves; writes the answer in the order in which blocks came. */
static nsds_status read_and_solve(const gathered *t, double tolerance) {
  nsds_context *context = t->whole->mpi->context;
  whole_problem w = {0};
  int rows = scan_blocks(t, &w, false);
  nsds_status status = hold_whole(context, &w, rows) ? NSDS_OK : NSDS_ERROR_MEMORY;
  bool known = false;
  if (!status) {
    scan_blocks(t, &w, true);
    qsort(w.of, (size_t)w.nblock, sizeof *w.of, compare_gathered);
    known = number_gathered(&w);
  }
  for (int a = 0; known && a < w.nblock; ++a) read_gathered(&w, a);
  if (known) status = solve_gathered(context, &w, t->chosen == NULL, tolerance);
  for (int a = 0; known && !status && a < w.nblock; ++a)
    memcpy(t->answer + w.of[a].row, w.z + w.row[a],
           (size_t)(w.row[a + 1] - w.row[a]) * sizeof(double));
  release_whole(&w);
  return known || status ? status : NSDS_ERROR_UNSUPPORTED;
}

/* ---- both ---- */

static nsds_status hold_gathered(gathered *t) {
  nsds_mpi *mpi = t->whole->mpi;
  const nsds_problem *p = &t->whole->problem;
  size_t mine = 0, ranks = (size_t)mpi->size;
  int own_rows = 0;
  for (int a = 0; a < p->nblock; ++a) {
    if (!is_sent(t, a)) continue;
    mine += numbers_of_block(p->M.factored, &p->block[a], a);
    own_rows += p->block[a].size;
  }
  t->mine = mine < INT_MAX ? (int)mine : -1;
  t->count = nsds_mpi_indices(mpi, 4 * ranks);
  t->sent = nsds_mpi_numbers(mpi, mine + 1);
  t->own = nsds_mpi_numbers(mpi, (size_t)own_rows + 1);
  nsds_status status = nsds_mpi_agree(
      mpi, t->count && t->sent && t->own && t->mine >= 0 ? NSDS_OK : NSDS_ERROR_MEMORY);
  if (status) return status;
  t->offset = t->count + ranks;
  t->rows = t->offset + ranks;
  t->row_offset = t->rows + ranks;
  t->own_rows = own_rows;
  MPI_Gather(&t->mine, 1, MPI_INT, t->count, 1, MPI_INT, 0, mpi->comm);
  MPI_Gather(&own_rows, 1, MPI_INT, t->rows, 1, MPI_INT, 0, mpi->comm);
  long long all = 0, rows = 0;
  for (int r = 0; mpi->rank == 0 && r < mpi->size; ++r) {
    t->offset[r] = (int)all;
    t->row_offset[r] = (int)rows;
    all += t->count[r];
    rows += t->rows[r];
    if (all > INT_MAX) status = NSDS_ERROR_SIZE;
  }
  t->all = (int)all;
  if (mpi->rank == 0 && !status) {
    t->got = nsds_mpi_numbers(mpi, (size_t)all + 1);
    t->answer = nsds_mpi_numbers(mpi, (size_t)rows + 1);
    if (!t->got || !t->answer) status = NSDS_ERROR_MEMORY;
  }
  return nsds_mpi_agree(mpi, status);
}

/* Writes the answer of own blocks to z. */
static void take_gathered(const gathered *t, double *z) {
  const nsds_problem *p = &t->whole->problem;
  const double *from = t->own;
  for (int a = 0; a < p->nblock; ++a) {
    if (!is_sent(t, a)) continue;
    memcpy(z + p->M.factored->row[a], from, (size_t)p->block[a].size * sizeof *z);
    from += p->block[a].size;
  }
}

nsds_status nsds_gather_and_solve(nsds_whole *whole, const nsds_mpi_part *part, const bool *chosen,
                                  const double *w, double tolerance, double *z) {
  nsds_mpi *mpi = whole->mpi;
  const nsds_problem *p = &whole->problem;
  gathered t = {.whole = whole, .part = part, .chosen = chosen, .w = w};
  double apart = !has_groups(&t);
  nsds_mpi_most(mpi, 1, &apart);
  if (apart > 0.0) return NSDS_OK;
  long long here = p->nblock, end = 0;
  MPI_Scan(&here, &end, 1, MPI_LONG_LONG, MPI_SUM, mpi->comm);
  nsds_status status = hold_gathered(&t);
  if (!status) {
    write_blocks(&t, z, end - here);
    MPI_Gatherv(t.sent, t.mine, MPI_DOUBLE, t.got, t.count, t.offset, MPI_DOUBLE, 0, mpi->comm);
    if (mpi->rank == 0) status = read_and_solve(&t, tolerance);
    int known = status != NSDS_ERROR_UNSUPPORTED;
    if (!known) status = NSDS_OK;
    MPI_Bcast(&known, 1, MPI_INT, 0, mpi->comm);
    status = nsds_mpi_agree(mpi, status);
    if (!status && known) {
      MPI_Scatterv(t.answer, t.rows, t.row_offset, MPI_DOUBLE, t.own, t.own_rows, MPI_DOUBLE, 0,
                   mpi->comm);
      take_gathered(&t, z);
    }
  }
  nsds_free(t.count), nsds_free(t.sent), nsds_free(t.own), nsds_free(t.got), nsds_free(t.answer);
  return status;
}
