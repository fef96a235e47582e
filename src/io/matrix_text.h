#ifndef NSDS_SRC_MATRIX_TEXT_H
#define NSDS_SRC_MATRIX_TEXT_H

#include "io/problem_file.h"

/* Reads a matrix in any of the text storages. If `entries` is NULL, a square matrix goes into the
 * file. Otherwise its entries are made; the caller owns them, also after a failure. */
nsds_status nsds_read_matrix(nsds_text *text, int nrow, int ncolumn, nsds_triplets *entries,
                             nsds_problem_file *file);
/* Reads the first three numbers of the next matrix; a failure is not recorded in the text. */
nsds_status nsds_peek_matrix(const nsds_text *text, int *storage, int *nrow, int *ncolumn);

#endif
