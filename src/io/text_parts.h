#ifndef NSDS_SRC_TEXT_PARTS_H
#define NSDS_SRC_TEXT_PARTS_H

#include "io/problem_file.h"

/* Reads coefficients of contacts of size d into the blocks, and the flag 0 or 1 that may follow. */
nsds_status nsds_text_contacts(nsds_text *text, int d, int count, bool rolling,
                               nsds_problem_file *file);
nsds_status nsds_text_flag(nsds_text *text);
/* Reads n upper bounds, none of them below the lower one. */
nsds_status nsds_text_upper(nsds_text *text, int n, const double *lower, double *upper);

#endif
