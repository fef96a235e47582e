#ifndef NSDS_SRC_BLOCKS_TEXT_H
#define NSDS_SRC_BLOCKS_TEXT_H

#include "io/problem_file.h"

/* Reads a matrix of blocks, for nsds_read_matrix(). */
nsds_status nsds_read_blocks(nsds_text *text, int nrow, int ncolumn, nsds_triplets *entries,
                             nsds_problem_file *file);

#endif
