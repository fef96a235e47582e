#ifndef NSDS_SRC_SPARSE_TEXT_H
#define NSDS_SRC_SPARSE_TEXT_H

#include "io/problem_file.h"

/* A matrix of triplets or compressed columns, for nsds_read_matrix(). */
nsds_status nsds_read_sparse(nsds_text *text, int nrow, int ncolumn, nsds_triplets *entries,
                             nsds_problem_file *file);

/* nsds_file_compress() for entries that come from a text. */
nsds_status nsds_text_compress(nsds_text *text, nsds_problem_file *file,
                               const nsds_triplets *entries);

#endif
