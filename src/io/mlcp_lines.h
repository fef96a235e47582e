#ifndef NSDS_SRC_MLCP_LINES_H
#define NSDS_SRC_MLCP_LINES_H

#include "io/problem_file.h"

/* Reads a whole file of the format mlcp with one row on each line. */
nsds_status nsds_read_mlcp_lines(nsds_text *text, nsds_problem_file *file);
/* Finishes an MLCP with n unknowns u and m pairs. Makes a square problem of the entries, with m
 * complementarity rows behind its equality rows, and reads q from the text. */
nsds_status nsds_square_mlcp(nsds_text *text, int n, int m, nsds_triplets *entries,
                             nsds_problem_file *file);

#endif
