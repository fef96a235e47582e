/*
 * Common parts of the readers and writers of local and global FCLIB problems. A matrix is a group
 * {m, n, nz, nzmax, p, i, x}. nz is the storage: -2 compressed rows, -1 compressed columns,
 * otherwise the number of triplets, with rows in i and columns in p.
 */
#ifndef NSDS_SRC_FCLIB_H
#define NSDS_SRC_FCLIB_H

#include "io/hdf5_file.h"
#include "io/problem_file.h"

/* The group of a problem. Rolling coefficients mu_r among the vectors make it a rolling one. */
typedef struct nsds_fclib_group {
  const char *name; /* "/fclib_local", ... */
  bool rolling;
  int d; /* spacedim: rows of a contact, 2 or 3, with rolling 3 or 5 */
} nsds_fclib_group;

#endif
