#ifndef NSDS_SRC_FCLIB_MATRIX_H
#define NSDS_SRC_FCLIB_MATRIX_H

#include "io/hdf5_file.h"
#include "io/problem_file.h"

/* Writes "group/member" to a buffer that lives to the end of the block. */
const char *nsds_fclib_join(char *name, size_t size, const char *group, const char *member);
#define NSDS_FCLIB_NAME(group, member) nsds_fclib_join((char[128]){0}, 128, (group), (member))
/* Reads the nrow x ncolumn matrix of a group. With nrow -1 the matrix is square of any size,
 * otherwise ncolumn -1 means any number of columns. The storage in the file goes to *storage. */
nsds_status nsds_fclib_read_matrix(nsds_h5 *h5, const char *group, int nrow, int ncolumn,
                                   nsds_triplets *entries, const char **storage);
nsds_status nsds_fclib_put_int(nsds_h5 *h5, const char *group, const char *member, int value);
/* Writes a group with compressed columns. */
nsds_status nsds_fclib_put_matrix(nsds_h5 *h5, const char *group, int nrow, int ncolumn,
                                  const int *p, const int *i, const double *x);

#endif
