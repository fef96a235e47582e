/*
 * An FCLIB file written data set by data set, whole, with one data set replaced, or with a part
 * left out; and what libhdf5 has open.
 */
#ifndef NSDS_TEST_IO_FCLIB_SAMPLE_H
#define NSDS_TEST_IO_FCLIB_SAMPLE_H

#include "support.h"

#include "io/hdf5_file.h"

#if NSDS_HAVE_HDF5

typedef struct item {
  const char *name;
  size_t count;
  const int *ints;
  const double *reals; /* neither: a group */
} item;

#define INTS(...) sizeof((int[]){__VA_ARGS__}) / sizeof(int), (const int[]){__VA_ARGS__}, NULL
#define REALS(...)                                                                                 \
  sizeof((double[]){__VA_ARGS__}) / sizeof(double), NULL, (const double[]) { __VA_ARGS__ }
#define GROUP 0, NULL, NULL
#define LOCAL "/fclib_local"

void put_item(nsds_h5 *h5, const item *what);

/* Writes the items without what lies in `left_out`, with `instead` in the place of the item of its
 * name; both may be NULL. */
void make_items(nsds_context *context, const char *path, const item *items, size_t count,
                const item *instead, const char *left_out);

/* Writes the sample to `path` without `left_out`, with `instead` in the place of the item of its
 * name; both may be NULL. It holds one contact in 3D and two equalities,
 *
 *     W = [4 1 0; 2 5 0; 0 -3 6],  V = [7 0; 0 8; 9 0],  R = [1 0; 2 3],
 *     q = (-1, 2, -3),  s = (-4, 5),  mu = 0.25,
 *
 * a solution and two guesses. */
void make_file(nsds_context *context, const char *path, const item *instead, const char *left_out);

/* Things of libhdf5 that are open. */
long count_open(void);

#endif
#endif
