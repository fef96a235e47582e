/*
 * HDF5 files through a few calls that check names, classes, lengths and finite values. A data set
 * may not claim more numbers than it has in the file.
 *
 * Every build reads files from memory without libhdf5 (hdf5_image.h). A library built with its
 * headers writes files with libhdf5; elsewhere nsds_h5_create() refuses. The first file that is
 * written loads libhdf5 (hdf5_library.h). Loaded at the start, libhdf5 and its own libraries would
 * more than double the libraries of every program. The library keeps global state and prints errors
 * by default. Between nsds_h5_create() and nsds_h5_close() a lock is therefore held, and printing
 * is off.
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

/* Returns the first failure. Without a failure, writes a created file to its path. */
nsds_status nsds_h5_close(nsds_h5 *h5);

nsds_status nsds_h5_put_group(nsds_h5 *h5, const char *name);
nsds_status nsds_h5_put_ints(nsds_h5 *h5, const char *name, size_t count, const int *value);
nsds_status nsds_h5_put_reals(nsds_h5 *h5, const char *name, size_t count, const double *value);
nsds_status nsds_h5_put_texts(nsds_h5 *h5, const char *name, size_t count, const char *const *text);

/* Adds an attribute to a data set or group, "/" for the file. */
nsds_status nsds_h5_note_text(nsds_h5 *h5, const char *object, const char *name, const char *text);
nsds_status nsds_h5_note_number(nsds_h5 *h5, const char *object, const char *name, uint64_t value);

#endif
