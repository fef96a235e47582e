/*
 * HDF5 files through a few calls that check what they get: names, classes, lengths, finite values,
 * and that a data set claims no more numbers than it has in the file.
 *
 * Files are read from memory without libhdf5 (hdf5_image.h), in every build, and written with it,
 * where the library was built with its headers; nsds_h5_create() refuses elsewhere.
 * libhdf5 is loaded by the first file that is written (hdf5_library.h): with what it brings along it would
 * more than double the libraries that every program loads at its start. It keeps global state and prints
 * errors by default: between nsds_h5_create() and nsds_h5_close() a lock is held and printing is off.
 */
#ifndef NSDS_SRC_HDF5_FILE_H
#define NSDS_SRC_HDF5_FILE_H

#include "io/hdf5_image.h"

#if NSDS_HAVE_HDF5
#include <hdf5.h>
#endif

typedef struct nsds_h5 {
  nsds_context *context;
  const char *path;
  nsds_h5_image image; /* reading */
  nsds_status status;  /* first failure, recorded in the context */
#if NSDS_HAVE_HDF5
  hid_t file; /* writing */
  bool created;
  H5E_auto2_t print; /* error printing of the program */
  void *print_data;
#endif
} nsds_h5;

nsds_status nsds_h5_create(nsds_context *context, const char *path, nsds_h5 *h5);

/* Returns the first failure. Without one, what was created is written to the path now. */
nsds_status nsds_h5_close(nsds_h5 *h5);

nsds_status nsds_h5_put_group(nsds_h5 *h5, const char *name);
nsds_status nsds_h5_put_ints(nsds_h5 *h5, const char *name, size_t count, const int *value);
nsds_status nsds_h5_put_reals(nsds_h5 *h5, const char *name, size_t count, const double *value);

#endif
