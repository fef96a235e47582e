/*
 * The matrices of the format nsds, with rows and columns counted from 0:
 *
 *     dense NUMBER...                        row by row
 *     sparse { ROW COLUMN NUMBER }           entries in any order; those at one place are added up
 *     blocks [CUT] { block ROW COLUMN NUMBER... }
 *                                            block rows, then block columns in order, each dense
 *     factored [symmetric] COLUMNS [CUT]     M = H Y + D, see nsds_factored
 *         { edge ROW FIRST SIZE H NUMBER... [Y NUMBER...] }
 *         { D ROW NUMBER... }                ROW counts block rows
 *         [gain NUMBER...]
 *     CUT = cut COUNT SIZE...                rows of each block row; default: those of the blocks
 *
 * M may have any storage. M of a global problem, H and G are dense or sparse.
 */
#include "io/native_matrix.h"

#include "base/context.h"
#include "io/columns.h"
#include "io/text.h"

#include <stdio.h>

/* ---- sparse and dense ---- */

static void native_entries(nsds_text *text, const char *name, nsds_triplets *entries) {
  int nrow = entries->nrow, ncolumn = entries->ncolumn;
  for (size_t k = 0; k < entries->count && !text->status; ++k) {
    if (nrow == 0 || ncolumn == 0) {
      nsds_text_expected(text, "no entry in %s, which has %d rows and %d columns", name, nrow,
                         ncolumn);
      return;
    }
    nsds_text_int(text, "the row of an entry", 0, nrow - 1, &entries->row[k]);
    nsds_text_int(text, "the column of an entry", 0, ncolumn - 1, &entries->column[k]);
    nsds_text_reals(text, "the value of an entry", 1, &entries->x[k]);
  }
}

/* Takes the entries of a dense matrix that are not zero. */
static void dense_entries(nsds_text *text, const char *name, nsds_triplets *entries) {
  size_t used = 0;
  for (int i = 0; i < entries->nrow; ++i)
    for (int j = 0; j < entries->ncolumn && !text->status; ++j) {
      nsds_text_reals(text, name, 1, &entries->x[used]);
      entries->row[used] = i;
      entries->column[used] = j;
      used += entries->x[used] != 0.0;
    }
  entries->count = used;
}

nsds_status nsds_native_sparse(nsds_text *text, const char *name, int nrow, int ncolumn, int **p,
                               int **i, double **x) {
  nsds_triplets entries = {0};
  bool dense = nsds_text_take(text, "dense");
  if (!dense && !nsds_text_take(text, "sparse"))
    return nsds_text_expected(text, "dense or sparse, the storage of %s", name);
  size_t count = dense ? (size_t)nrow * (size_t)ncolumn : (nsds_text_numbers_ahead(text) + 2) / 3;
  if (nsds_text_room(text, name, dense ? count : (size_t)ncolumn)) return text->status;
  text->status = nsds_triplets_create(text->context, nrow, ncolumn, count + dense, &entries);
  if (!text->status) {
    entries.count = count;
    if (dense) dense_entries(text, name, &entries);
    else native_entries(text, name, &entries);
  }
  if (!text->status) text->status = nsds_compress(text->context, &entries, p, i, x);
  nsds_triplets_release(text->context, &entries);
  if (text->status != NSDS_ERROR_FORMAT || text->failed_at) return text->status;
  text->status = NSDS_OK;
  return nsds_text_expected(text, "before this, entries of %s at one place with a finite sum",
                            name);
}

static nsds_status native_dense(nsds_text *text, int n, nsds_problem_file *file) {
  size_t count = (size_t)n * (size_t)n;
  if (nsds_text_room(text, "M", count)) return text->status;
  file->storage = "dense";
  file->x = NSDS_NEW_ARRAY(text->context, double, count);
  if (!file->x) return text->status = NSDS_ERROR_MEMORY;
  return nsds_text_table(text, "M", n, n, file->x);
}

/* ---- many small dense matrices ---- */

/* Numbers in one array with room for all words that can still come. */
typedef struct number_pool {
  double *x;
  size_t used, capacity;
} number_pool;

static nsds_status open_pool(nsds_text *text, number_pool *pool, double **x) {
  pool->capacity = nsds_text_words_ahead(text, NULL);
  *x = pool->x = NSDS_NEW_ARRAY(text->context, double, pool->capacity);
  return pool->x ? NSDS_OK : (text->status = NSDS_ERROR_MEMORY);
}

/* Reads the next matrix, stored column by column; NULL after a failure. */
static double *pool_table(nsds_text *text, number_pool *pool, const char *what, int nrow,
                          int ncolumn) {
  double *x = pool->x + pool->used;
  size_t count = (size_t)nrow * (size_t)ncolumn;
  if (nsds_text_room(text, what, count)) return NULL;
  if (count > pool->capacity - pool->used) {
    nsds_text_expected(text, "%s, %zu numbers, more than there are words", what, count);
    return NULL;
  }
  pool->used += count;
  return nsds_text_table(text, what, nrow, ncolumn, x) ? NULL : x;
}

/* ---- rows cut into block rows ---- */

static int count_cut(nsds_text *text, const nsds_problem_file *file) {
  int count = file->problem.nblock;
  if (!nsds_text_take(text, "cut")) return count;
  nsds_text_int(text, "the number of block rows", 0, nsds_file_limit, &count);
  nsds_text_room(text, "the sizes of the block rows", (size_t)count);
  return count;
}

/* Reads row[0..count]; makes an equal array of zeros. `cut` says that the sizes follow. */
static nsds_status read_cut(nsds_text *text, int n, bool cut, int count, nsds_problem_file *file,
                            int **row, int **first) {
  if (text->status) return text->status;
  *row = NSDS_NEW_ARRAY(text->context, int, (size_t)count + 1);
  if (*row) *first = NSDS_NEW_ARRAY(text->context, int, (size_t)count + 1);
  if (!*first) return text->status = NSDS_ERROR_MEMORY;
  for (int a = 0; a < count && !text->status; ++a) {
    int left = n - (*row)[a], size = cut ? 0 : file->block[a].size;
    if (cut) nsds_text_int(text, "the size of a block row", a + 1 < count ? 0 : left, left, &size);
    (*row)[a + 1] = (*row)[a] + size;
  }
  if (!text->status && (*row)[count] != n)
    nsds_text_expected(text, "before this, block rows of together %d rows", n);
  return text->status;
}

/* ---- block rows ---- */

/* Reads the place of the next block, which must follow the last one. */
static void block_place(nsds_text *text, int count, int *row, int *column) {
  int a = 0, b = 0;
  nsds_text before = *text;
  nsds_text_int(text, "the block row of a block", *row < 0 ? 0 : *row, count - 1, &a);
  nsds_text_int(text, "the block column of a block", 0, count - 1, &b);
  if (!text->status && a == *row && b <= *column) {
    *text = before;
    nsds_text_expected(text, "a block behind (%d,%d): in order of rows, then of columns", *row,
                       *column);
  }
  *row = a;
  *column = b;
}

static nsds_status native_block(nsds_text *text, nsds_problem_file *file, int count, int k,
                                number_pool *pool, int place[2]) {
  const int *row = file->blocks.row;
  char name[48];
  block_place(text, count, &place[0], &place[1]);
  if (text->status) return text->status;
  int a = place[0], b = place[1], m = row[a + 1] - row[a], c = row[b + 1] - row[b];
  snprintf(name, sizeof name, "block (%d,%d), entry ", a, b);
  ++file->blocks.first[a + 1];
  file->blocks.column[k] = b;
  file->blocks.start[k] = (int)pool->used;
  pool_table(text, pool, name, m, c);
  return text->status;
}

static nsds_status native_blocks(nsds_text *text, int n, nsds_problem_file *file) {
  bool cut = nsds_text_at(text, "cut");
  int count = count_cut(text, file), k = 0, place[2] = {-1, -1};
  size_t most = nsds_text_words_ahead(text, "block");
  number_pool pool = {0};
  file->storage = "blocks";
  if (read_cut(text, n, cut, count, file, &file->blocks.row, &file->blocks.first))
    return text->status;
  file->blocks.column = NSDS_NEW_ARRAY(text->context, int, most);
  if (file->blocks.column) file->blocks.start = NSDS_NEW_ARRAY(text->context, int, most);
  if (!file->blocks.start) return text->status = NSDS_ERROR_MEMORY;
  if (open_pool(text, &pool, &file->x)) return text->status;
  while (!text->status && nsds_text_take(text, "block"))
    native_block(text, file, count, k++, &pool, place);
  if (!nsds_text_at(text, "q")) nsds_text_expected(text, "block or q");
  for (int a = 0; a < count; ++a) file->blocks.first[a + 1] += file->blocks.first[a];
  file->blocks.shown = (nsds_block_rows){.nrow_block = count,
                                         .row = file->blocks.row,
                                         .first = file->blocks.first,
                                         .column = file->blocks.column,
                                         .start = file->blocks.start,
                                         .x = file->x};
  return text->status;
}

/* ---- factored ---- */

static void read_edge(nsds_text *text, nsds_problem_file *file, int *a, nsds_edge *edge,
                      number_pool *pool, bool *gain) {
  nsds_factored *f = &file->factored.shown;
  nsds_text_int(text, "the block row of an edge, none before the last", *a, f->nrow_block - 1, a);
  nsds_text_int(text, "the first column of an edge", 0, f->ncolumn, &edge->column);
  if (text->status) return;
  nsds_text_int(text, "the number of columns of an edge", 0, f->ncolumn - edge->column,
                &edge->size);
  if (nsds_text_word(text, "H")) return;
  int m = file->factored.row[*a + 1] - file->factored.row[*a];
  edge->H = pool_table(text, pool, "H", m, edge->size);
  if (nsds_text_take(text, "Y")) edge->Y = pool_table(text, pool, "Y", edge->size, m);
  else *gain = true;
  ++file->factored.first[*a + 1];
}

static void read_diagonal(nsds_text *text, nsds_problem_file *file, int *a, number_pool *pool) {
  const nsds_factored *f = &file->factored.shown;
  nsds_text_int(text, "the block row of D, increasing", *a + 1, f->nrow_block - 1, a);
  if (text->status) return;
  int m = file->factored.row[*a + 1] - file->factored.row[*a];
  file->factored.D[*a] = pool_table(text, pool, "D", m, m);
}

static nsds_status factor_parts(nsds_text *text, nsds_problem_file *file, number_pool *pool) {
  nsds_factored *f = &file->factored.shown;
  int a = 0, d = -1, k = 0;
  bool gain = false;
  while (!text->status && nsds_text_take(text, "edge"))
    read_edge(text, file, &a, &file->factored.edge[k++], pool, &gain);
  while (!text->status && nsds_text_take(text, "D")) read_diagonal(text, file, &d, pool);
  if (gain && !nsds_text_at(text, "gain"))
    return nsds_text_expected(text, "gain, as there is an edge without Y");
  if (nsds_text_take(text, "gain")) f->gain = pool_table(text, pool, "gain", f->ncolumn, 1);
  else if (!nsds_text_at(text, "q"))
    nsds_text_expected(text, "%sD, gain or q", d < 0 ? "edge, " : "");
  for (int b = 0; b < f->nrow_block; ++b) file->factored.first[b + 1] += file->factored.first[b];
  f->row = file->factored.row;
  f->first_edge = file->factored.first;
  f->edge = file->factored.edge;
  f->D = d >= 0 ? file->factored.D : NULL;
  return text->status;
}

static nsds_status native_factored(nsds_text *text, int n, nsds_problem_file *file) {
  nsds_factored *f = &file->factored.shown;
  number_pool pool = {0};
  file->storage = "factored";
  file->factored.symmetric = nsds_text_take(text, "symmetric");
  nsds_text_int(text, "the number of columns of H", 0, nsds_file_limit, &f->ncolumn);
  bool cut = nsds_text_at(text, "cut");
  f->nrow_block = count_cut(text, file);
  if (read_cut(text, n, cut, f->nrow_block, file, &file->factored.row, &file->factored.first))
    return text->status;
  nsds_context *context = text->context;
  file->factored.edge = NSDS_NEW_ARRAY(context, nsds_edge, nsds_text_words_ahead(text, "edge"));
  if (file->factored.edge)
    file->factored.D = NSDS_NEW_ARRAY(context, const double *, f->nrow_block);
  if (!file->factored.D) return text->status = NSDS_ERROR_MEMORY;
  return open_pool(text, &pool, &file->factored.x) ? text->status : factor_parts(text, file, &pool);
}

/* ---- any ---- */

nsds_status nsds_native_matrix(nsds_text *text, int n, nsds_problem_file *file) {
  if (nsds_text_take(text, "dense")) return native_dense(text, n, file);
  if (nsds_text_take(text, "blocks")) return native_blocks(text, n, file);
  if (nsds_text_take(text, "factored")) return native_factored(text, n, file);
  if (!nsds_text_at(text, "sparse"))
    return nsds_text_expected(text, "dense, sparse, blocks or factored, the storage of M");
  file->storage = "triplet";
  return nsds_native_sparse(text, "M", n, n, &file->p, &file->i, &file->x);
}
