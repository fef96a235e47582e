#ifndef NSDS_SRC_GLOBAL_TEXT_H
#define NSDS_SRC_GLOBAL_TEXT_H

#include "io/problem_file.h"

/* Reads a whole file with a global problem. */
nsds_status nsds_read_global_text(nsds_text *text, nsds_problem_file *file);

#endif
