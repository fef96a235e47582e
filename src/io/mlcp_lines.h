#ifndef NSDS_SRC_MLCP_LINES_H
#define NSDS_SRC_MLCP_LINES_H

#include "io/problem_file.h"

/* A whole file of the format mlcp whose rows stand line by line. */
nsds_status nsds_read_mlcp_lines(nsds_text *text, nsds_problem_file *file);
/* The rest of an MLCP with n unknowns u and m pairs: a square problem of the entries, which has m
 * complementarity rows behind its equality rows, and q from the text. */
nsds_status nsds_square_mlcp(nsds_text *text, int n, int m, nsds_triplets *entries,
                             nsds_problem_file *file);

#endif
