#ifndef NSDS_SRC_MLCP_TEXT_H
#define NSDS_SRC_MLCP_TEXT_H

#include "io/problem_file.h"

/* Reads a whole file of the format mlcp. */
nsds_status nsds_read_mlcp(nsds_text *text, nsds_problem_file *file);

#endif
