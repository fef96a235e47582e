#ifndef NSDS_SRC_PROBLEM_TEXT_H
#define NSDS_SRC_PROBLEM_TEXT_H

#include "io/problem_file.h"

/* Reads a whole file of text in any format. Records failures; the object is then as new. */
nsds_status nsds_read_text(nsds_text *text, nsds_format format, nsds_problem_file *file);

#endif
