#ifndef NSDS_SRC_HDF5_READ_H
#define NSDS_SRC_HDF5_READ_H

#include "io/hdf5_file.h"

/* Opens the data, without a copy. Call nsds_h5_close() afterwards, also after a failure. */
nsds_status nsds_h5_open(nsds_context *context, const char *path, const char *data, size_t size,
                         nsds_h5 *h5);
/* Records "path: name: ..." with NSDS_ERROR_FORMAT; returns the first failure. */
nsds_status nsds_h5_fail(nsds_h5 *h5, const char *name, const char *format, ...) NSDS_PRINTF(3, 4);
/* Returns true if there is an object of this absolute name. */
bool nsds_h5_has(nsds_h5 *h5, const char *name);
/* Reads one integer in min..max. */
nsds_status nsds_h5_int(nsds_h5 *h5, const char *name, int min, int max, int *value);
/* Reads all integers, at least `least`, into *value, which the caller releases. *count is their
 * number. */
nsds_status nsds_h5_ints(nsds_h5 *h5, const char *name, size_t least, int **value, size_t *count);
/* Does the same for finite reals. */
nsds_status nsds_h5_reals(nsds_h5 *h5, const char *name, size_t least, double **value,
                          size_t *count);
/* Fails unless there are exactly `count` reals. Call it before you take memory of that length. */
nsds_status nsds_h5_length(nsds_h5 *h5, const char *name, size_t count);
/* Reads exactly `count` finite reals. */
nsds_status nsds_h5_vector(nsds_h5 *h5, const char *name, size_t count, double **value);

#endif
