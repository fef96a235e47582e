/*
 * A matrix in a text file: the number of its storage, rows, columns, and then
 *
 *   0 dense           rows and columns again, then the entries column by column
 *   1 sparse blocks   see blocks_text.c
 *   2 sparse          see sparse_text.c
 */
#include "problem_file.h"

static nsds_status read_dense(nsds_text *text, int n, nsds_problem_file *file) {
  int again;
  size_t count = (size_t)n * (size_t)n;
  file->storage = "dense";
  nsds_text_int(text, "the number of rows of the dense matrix", n, n, &again);
  nsds_text_int(text, "the number of columns of the dense matrix", n, n, &again);
  if (nsds_text_room(text, "the dense matrix", count)) return text->status;
  file->x = NSDS_NEW_ARRAY(file->context, double, count);
  if (!file->x) return text->status = NSDS_ERROR_MEMORY;
  return nsds_text_reals(text, "M", count, file->x);
}

nsds_status nsds_text_compress(nsds_text *text, nsds_problem_file *file,
                               const nsds_triplets *entries) {
  nsds_status status = nsds_file_compress(file, entries);
  if (status == NSDS_ERROR_FORMAT)
    return nsds_text_expected(text, "before this, entries at one place with a finite sum");
  return text->status = status;
}

nsds_status nsds_read_matrix(nsds_text *text, int n, nsds_problem_file *file) {
  int storage, size;
  nsds_text_int(text, "the storage of the matrix (0 dense, 1 sparse blocks, 2 sparse)", 0, 2,
                &storage);
  nsds_text_int(text, "the number of rows of the matrix", n, n, &size);
  nsds_text_int(text, "the number of columns of the matrix", n, n, &size);
  if (text->status) return text->status;
  switch (storage) {
  case 0: return read_dense(text, n, file);
  case 1: return nsds_read_blocks(text, n, file);
  default: return nsds_read_sparse(text, n, file);
  }
}
