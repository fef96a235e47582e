#ifndef NSDS_SRC_SYMMETRY_H
#define NSDS_SRC_SYMMETRY_H

#include "io/problem_file.h"

/* Sets problem.M.symmetric if M equals its transpose, entry by entry. */
nsds_status nsds_file_find_symmetry(nsds_problem_file *file);

#endif
