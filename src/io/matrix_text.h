#ifndef NSDS_SRC_MATRIX_TEXT_H
#define NSDS_SRC_MATRIX_TEXT_H

#include "io/problem_file.h"

/* A matrix in any of the text storages. A square one
 * goes into the file where `entries` is NULL, otherwise its entries are made, which are the
 * caller's also after a failure. */
nsds_status nsds_read_matrix(nsds_text *text, int nrow, int ncolumn, nsds_triplets *entries,
                             nsds_problem_file *file);
/* The first three numbers of the matrix that comes next; a failure is not one of the text. */
nsds_status nsds_peek_matrix(const nsds_text *text, int *storage, int *nrow, int *ncolumn);

#endif
