/*
 * A matrix in a text file: the number of its storage, rows, columns, and then
 *
 *   0 dense           rows and columns again, then the entries column by column
 *   1 sparse blocks   see blocks_text.c
 *   2 sparse          see sparse_text.c
 */
#include "io/matrix_text.h"

#include "base/context.h"
#include "io/blocks_text.h"
#include "io/columns.h"
#include "io/sparse_text.h"
#include "io/text.h"

/* Reads all entries, zeros included. */
static nsds_status read_dense_entries(nsds_text *text, int nrow, int ncolumn, size_t count,
                                      nsds_triplets *entries) {
  text->status = nsds_triplets_create(text->context, nrow, ncolumn, count, entries);
  for (size_t k = 0; k < count && !text->status; ++k) {
    entries->row[k] = (int)(k % (size_t)nrow);
    entries->column[k] = (int)(k / (size_t)nrow);
  }
  return nsds_text_reals(text, "the matrix", count, entries->x);
}

static nsds_status read_dense(nsds_text *text, int nrow, int ncolumn, nsds_triplets *entries,
                              nsds_problem_file *file) {
  int again;
  size_t count = (size_t)nrow * (size_t)ncolumn;
  nsds_text_int(text, "the number of rows of the dense matrix", nrow, nrow, &again);
  nsds_text_int(text, "the number of columns of the dense matrix", ncolumn, ncolumn, &again);
  if (nsds_text_room(text, "the dense matrix", count)) return text->status;
  if (entries) return read_dense_entries(text, nrow, ncolumn, count, entries);
  file->storage = "dense";
  file->x = NSDS_NEW_ARRAY(file->context, double, count);
  if (!file->x) return text->status = NSDS_ERROR_MEMORY;
  return nsds_text_reals(text, "M", count, file->x);
}

nsds_status nsds_peek_matrix(const nsds_text *text, int *storage, int *nrow, int *ncolumn) {
  nsds_text ahead = *text;
  *storage = *nrow = *ncolumn = 0;
  nsds_text_int(&ahead, "the storage of a matrix", 0, 2, storage);
  nsds_text_int(&ahead, "its number of rows", 0, nsds_file_limit, nrow);
  return nsds_text_int(&ahead, "its number of columns", 0, nsds_file_limit, ncolumn);
}

nsds_status nsds_read_matrix(nsds_text *text, int nrow, int ncolumn, nsds_triplets *entries,
                             nsds_problem_file *file) {
  int storage, size;
  nsds_text_int(text, "the storage of the matrix (0 dense, 1 sparse blocks, 2 sparse)", 0, 2,
                &storage);
  nsds_text_int(text, "the number of rows of the matrix", nrow, nrow, &size);
  nsds_text_int(text, "the number of columns of the matrix", ncolumn, ncolumn, &size);
  if (text->status) return text->status;
  switch (storage) {
  case 0: return read_dense(text, nrow, ncolumn, entries, file);
  case 1: return nsds_read_blocks(text, nrow, ncolumn, entries, file);
  default: return nsds_read_sparse(text, nrow, ncolumn, entries, file);
  }
}
