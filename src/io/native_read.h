#ifndef NSDS_SRC_NATIVE_READ_H
#define NSDS_SRC_NATIVE_READ_H

#include "io/problem_file.h"

/* Reads a whole file of the format nsds. */
nsds_status nsds_read_native(nsds_text *text, nsds_problem_file *file);

#endif
