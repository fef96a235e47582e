/*
 * A matrix of sparse blocks in a text file:
 *
 *     number of blocks, of block rows, of block columns
 *     the end of each block row, the end of each block column
 *     length of the row pointer, number of block column indices
 *     row pointer: first block of each block row;  block column of each block
 *     for each block: its number, its entries column by column
 *
 * A matrix with equal cuts in both directions and one block at a place becomes block rows. Any
 * other matrix becomes compressed columns.
 */
#include "io/blocks_text.h"

#include "base/context.h"
#include "io/columns.h"
#include "base/text/number.h"
#include "io/sparse_text.h"
#include "io/text.h"

/* The matrix as it stands in the file. Limits define block rows and columns (0 first). Block row I
 * has the blocks first[I] .. first[I + 1] - 1, with their block columns and the places of their
 * entries. */
typedef struct block_layout {
  int nblock, nrow, ncolumn;
  int *row, *cut, *first, *column, *start;
  double *x;
  size_t count; /* entries */
} block_layout;

static int blocks_text_rows_of(const block_layout *b, int I) { return b->row[I + 1] - b->row[I]; }
static int columns_of(const block_layout *b, int k) {
  return b->cut[b->column[k] + 1] - b->cut[b->column[k]];
}

static void release_layout(nsds_context *context, block_layout *b) {
  nsds_release(context, b->row);
  nsds_release(context, b->cut);
  nsds_release(context, b->first);
  nsds_release(context, b->column);
  nsds_release(context, b->start);
  nsds_release(context, b->x);
}

/* ---- structure ---- */

static nsds_status read_counts(nsds_text *text, int nrow, int ncolumn, block_layout *b) {
  nsds_text_int(text, "the number of blocks", 0, nsds_file_limit, &b->nblock);
  int any = b->nblock > 0;
  nsds_text_int(text, "the number of block rows", any || nrow > 0, nsds_file_limit, &b->nrow);
  nsds_text_int(text, "the number of block columns", any || ncolumn > 0, nsds_file_limit,
                &b->ncolumn);
  size_t words = 2 * (size_t)b->nrow + (size_t)b->ncolumn + 2 * (size_t)b->nblock + 3;
  return nsds_text_room(text, "the structure of the blocks", words);
}

static nsds_status take_layout(nsds_text *text, block_layout *b) {
  nsds_context *context = text->context;
  b->row = NSDS_NEW_ARRAY(context, int, (size_t)b->nrow + 1);
  if (b->row) b->cut = NSDS_NEW_ARRAY(context, int, (size_t)b->ncolumn + 1);
  if (b->cut) b->first = NSDS_NEW_ARRAY(context, int, (size_t)b->nrow + 1);
  if (b->first) b->column = NSDS_NEW_ARRAY(context, int, b->nblock);
  if (b->column) b->start = NSDS_NEW_ARRAY(context, int, b->nblock);
  return b->start ? NSDS_OK : (text->status = NSDS_ERROR_MEMORY);
}

/* Reads limit[1..count], not decreasing, the last one equal to `end`. */
static nsds_status read_limits(nsds_text *text, const char *what, int count, int end, int *limit) {
  for (int k = 0; k < count && !text->status; ++k)
    nsds_text_int(text, what, k + 1 == count ? end : limit[k], end, &limit[k + 1]);
  return text->status;
}

static nsds_status blocks_text_read_layout(nsds_text *text, int nrow, int ncolumn,
                                           block_layout *b) {
  int length, zero;
  if (read_counts(text, nrow, ncolumn, b) || take_layout(text, b)) return text->status;
  read_limits(text, "the end of a block row", b->nrow, nrow, b->row);
  read_limits(text, "the end of a block column", b->ncolumn, ncolumn, b->cut);
  nsds_text_int(text, "the length of the row pointer", b->nrow + 1, b->nrow + 1, &length);
  nsds_text_int(text, "the number of block column indices", b->nblock, b->nblock, &length);
  nsds_text_int(text, "the first row pointer", 0, 0, &zero);
  read_limits(text, "a row pointer", b->nrow, b->nblock, b->first);
  return nsds_text_ints(text, "block column", b->nblock, 0, b->ncolumn - 1, b->column);
}

/* ---- entries ---- */

/* Finds the places of the entries. Room is checked block by block, so that nothing overflows: a
 * file has room for fewer entries than an int counts. */
static nsds_status place_entries(nsds_text *text, block_layout *b) {
  for (int I = 0; I < b->nrow && !text->status; ++I)
    for (int k = b->first[I]; k < b->first[I + 1] && !text->status; ++k) {
      b->start[k] = (int)b->count;
      b->count += (size_t)blocks_text_rows_of(b, I) * (size_t)columns_of(b, k);
      nsds_text_room(text, "the blocks", b->count);
    }
  if (text->status) return text->status;
  b->x = NSDS_NEW_ARRAY(text->context, double, b->count);
  return b->x ? NSDS_OK : (text->status = NSDS_ERROR_MEMORY);
}

static nsds_status blocks_text_read_entries(nsds_text *text, const block_layout *b) {
  for (int k = 0; k < b->nblock && !text->status; ++k) {
    char name[32] = "block ";
    int number;
    size_t end = k + 1 < b->nblock ? (size_t)b->start[k + 1] : b->count;
    nsds_text_int(text, "the number of the next block", k, k, &number);
    nsds_write_int(name + strlen(name), k);
    nsds_text_reals(text, name, end - (size_t)b->start[k], b->x + b->start[k]);
  }
  return text->status;
}

/* ---- in memory ---- */

/* Returns true if each block row has its blocks by increasing block column. */
static bool in_order(const block_layout *b) {
  for (int I = 0; I < b->nrow; ++I)
    for (int k = b->first[I] + 1; k < b->first[I + 1]; ++k)
      if (b->column[k] <= b->column[k - 1]) return false;
  return true;
}

/* The new place of each block is its rank by block row, then by block column. */
static void reorder(block_layout *b, const int *order, int *column, int *start) {
  for (int k = 0; k < b->nblock; ++k) {
    column[k] = b->column[order[k]];
    start[k] = b->start[order[k]];
  }
  memcpy(b->column, column, (size_t)b->nblock * sizeof *column);
  memcpy(b->start, start, (size_t)b->nblock * sizeof *start);
}

/* Sorts the blocks of each block row by block column. */
static nsds_status sort_rows(nsds_context *context, block_layout *b) {
  if (in_order(b)) return NSDS_OK;
  size_t count = (size_t)b->nblock, larger = (size_t)(b->nrow > b->ncolumn ? b->nrow : b->ncolumn);
  int *row = NSDS_NEW_ARRAY(context, int, 3 * count), *limit = NULL;
  if (row) limit = NSDS_NEW_ARRAY(context, int, larger + 1);
  if (limit) {
    int *by_column = row + count, *order = by_column + count;
    for (int I = 0; I < b->nrow; ++I)
      for (int k = b->first[I]; k < b->first[I + 1]; ++k) row[k] = I;
    nsds_sort_by(b->column, b->ncolumn, count, NULL, by_column, limit);
    memset(limit, 0, (larger + 1) * sizeof *limit);
    nsds_sort_by(row, b->nrow, count, by_column, order, limit);
    reorder(b, order, row, by_column);
  }
  nsds_status status = limit ? NSDS_OK : NSDS_ERROR_MEMORY;
  nsds_release(context, row);
  nsds_release(context, limit);
  return status;
}

static bool cut_alike(const block_layout *b) {
  return b->nrow == b->ncolumn && memcmp(b->row, b->cut, ((size_t)b->nrow + 1) * sizeof(int)) == 0;
}

static void keep_blocks(nsds_problem_file *file, block_layout *b) {
  file->x = b->x;
  file->blocks.row = b->row;
  file->blocks.first = b->first;
  file->blocks.column = b->column;
  file->blocks.start = b->start;
  file->blocks.shown = (nsds_block_rows){.nrow_block = b->nrow,
                                         .row = b->row,
                                         .first = b->first,
                                         .column = b->column,
                                         .start = b->start,
                                         .x = b->x};
  b->row = b->first = b->column = b->start = NULL;
  b->x = NULL;
}

static nsds_status expand_blocks(nsds_text *text, const block_layout *b, nsds_triplets *entries) {
  size_t used = 0;
  int nrow = b->row[b->nrow], ncolumn = b->cut[b->ncolumn];
  text->status = nsds_triplets_create(text->context, nrow, ncolumn, b->count, entries);
  for (int I = 0; I < b->nrow && !text->status; ++I)
    for (int k = b->first[I]; k < b->first[I + 1]; ++k)
      for (int j = 0; j < columns_of(b, k); ++j)
        for (int i = 0; i < blocks_text_rows_of(b, I); ++i, ++used) {
          entries->row[used] = b->row[I] + i;
          entries->column[used] = b->cut[b->column[k]] + j;
          entries->x[used] = b->x[b->start[k] + i + j * blocks_text_rows_of(b, I)];
        }
  return text->status;
}

static nsds_status store_blocks(nsds_text *text, block_layout *b, nsds_problem_file *file) {
  nsds_triplets entries = {0};
  text->status = sort_rows(file->context, b);
  if (text->status) return text->status;
  if (in_order(b) && cut_alike(b)) {
    keep_blocks(file, b);
    return NSDS_OK;
  }
  if (!expand_blocks(text, b, &entries)) nsds_text_compress(text, file, &entries);
  nsds_triplets_release(file->context, &entries);
  return text->status;
}

nsds_status nsds_read_blocks(nsds_text *text, int nrow, int ncolumn, nsds_triplets *entries,
                             nsds_problem_file *file) {
  block_layout b = {0};
  if (!blocks_text_read_layout(text, nrow, ncolumn, &b) && !place_entries(text, &b) &&
      !blocks_text_read_entries(text, &b)) {
    if (entries) expand_blocks(text, &b, entries);
    else store_blocks(text, &b, file);
  }
  if (!entries) file->storage = "blocks";
  release_layout(file->context, &b);
  return text->status;
}
