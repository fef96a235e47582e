#ifndef NSDS_SRC_SPARSE_TEXT_H
#define NSDS_SRC_SPARSE_TEXT_H

#include "io/problem_file.h"

/* Reads a matrix of triplets or compressed columns, for nsds_read_matrix(). */
nsds_status nsds_read_sparse(nsds_text *text, int nrow, int ncolumn, nsds_triplets *entries,
                             nsds_problem_file *file);

/* Calls nsds_file_compress() for entries from a text. */
nsds_status nsds_text_compress(nsds_text *text, nsds_problem_file *file,
                               const nsds_triplets *entries);

#endif
