/*
 * What the readers and writers of local and of global FCLIB problems share. A matrix is a
 * group {m, n, nz, nzmax, p, i, x}; nz says how it is stored: -2 compressed rows, -1 compressed
 * columns, otherwise the number of triplets, with rows in i and columns in p.
 */
#ifndef NSDS_SRC_FCLIB_H
#define NSDS_SRC_FCLIB_H

#include "io/hdf5_file.h"
#include "io/problem_file.h"

/* "group/member" in a buffer that lives to the end of the block. */
const char *nsds_fclib_join(char *name, size_t size, const char *group, const char *member);
#define NSDS_FCLIB_NAME(group, member) nsds_fclib_join((char[128]){0}, 128, (group), (member))

/* The matrix of a group, nrow x ncolumn; square of any size where nrow is -1, otherwise with any
 * number of columns where ncolumn is -1. *storage: how the file stores it. */
nsds_status nsds_fclib_read_matrix(nsds_h5 *h5, const char *group, int nrow, int ncolumn,
                                   nsds_triplets *entries, const char **storage);

nsds_status nsds_fclib_put_int(nsds_h5 *h5, const char *group, const char *member, int value);

/* A group with compressed columns. */
nsds_status nsds_fclib_put_matrix(nsds_h5 *h5, const char *group, int nrow, int ncolumn,
                                  const int *p, const int *i, const double *x);

/* The vectors `first` (m entries) and `second` (p entries) of a group, one after the other. */
nsds_status nsds_fclib_read_joined(nsds_h5 *h5, const char *group, const char *first, int m,
                                   const char *second, int p, double *joined);

/* The group of a problem; with rolling coefficients mu_r among its vectors it is a rolling one. */
typedef struct nsds_fclib_group {
  const char *name; /* "/fclib_local", ... */
  bool rolling;
  int d; /* spacedim: rows of a contact, 2 or 3, with rolling 3 or 5 */
} nsds_fclib_group;

nsds_status nsds_fclib_open_group(nsds_h5 *h5, const char *name, nsds_fclib_group *group);

/* Coefficients, into the first `contacts` blocks. */
nsds_status nsds_fclib_read_contacts(nsds_h5 *h5, const nsds_fclib_group *group,
                                     nsds_problem_file *file, int contacts);

/* The coefficients of the contacts among the blocks, into the vectors of a group. */
nsds_status nsds_fclib_put_contacts(nsds_h5 *h5, const char *vectors, const nsds_problem *problem);

/* /solution and /guesses with r, u (m entries), l (p) and, where nv > 0, v. */
nsds_status nsds_fclib_read_points(nsds_h5 *h5, nsds_problem_file *file, int nv, int m, int p);

/* Writes these groups. Entry k of r and l is entry row[k] of z, or k where row is NULL; `x` has room for
 * m + p numbers. */
nsds_status nsds_fclib_put_points(nsds_h5 *h5, const nsds_notes *notes, int nv, int m, int p,
                                  const int *row, double *x);

/* What the group of a global problem holds, into file->global. */
nsds_status nsds_fclib_read_global(nsds_h5 *h5, const char *name, nsds_problem_file *file);

#endif
