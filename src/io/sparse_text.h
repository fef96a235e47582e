#ifndef NSDS_SRC_SPARSE_TEXT_H
#define NSDS_SRC_SPARSE_TEXT_H

#include "io/problem_file.h"

/* A matrix of triplets or compressed columns, for nsds_read_matrix(). */
nsds_status nsds_read_sparse(nsds_text *text, int nrow, int ncolumn, nsds_triplets *entries,
                             nsds_problem_file *file);

#endif
