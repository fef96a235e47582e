#ifndef NSDS_SRC_NATIVE_MATRIX_H
#define NSDS_SRC_NATIVE_MATRIX_H

#include "io/problem_file.h"

/* Reads the matrix M of a file of the format nsds. */
nsds_status nsds_native_matrix(nsds_text *text, int n, nsds_problem_file *file);
/* Reads a sparse matrix of a file of the format nsds; `name` is its name in messages. */
nsds_status nsds_native_sparse(nsds_text *text, const char *name, int nrow, int ncolumn, int **p,
                               int **i, double **x);

#endif
