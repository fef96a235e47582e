#ifndef NSDS_SRC_HDF5_READ_H
#define NSDS_SRC_HDF5_READ_H

#include "io/hdf5_file.h"

/* Each is followed by nsds_h5_close(), also after a failure. The data are not copied. */
nsds_status nsds_h5_open(nsds_context *context, const char *path, const char *data, size_t size,
                         nsds_h5 *h5);
/* Records "path: name: ..." with NSDS_ERROR_FORMAT; returns the first failure. */
nsds_status nsds_h5_fail(nsds_h5 *h5, const char *name, const char *format, ...) NSDS_PRINTF(3, 4);
/* Whether there is an object of this absolute name. */
bool nsds_h5_has(nsds_h5 *h5, const char *name);
/* One integer in min..max. */
nsds_status nsds_h5_int(nsds_h5 *h5, const char *name, int min, int max, int *value);
/* At least `least` integers, all that are there, into *value, to be released by the caller;
 * *count says how many. */
nsds_status nsds_h5_ints(nsds_h5 *h5, const char *name, size_t least, int **value, size_t *count);
nsds_status nsds_h5_reals(nsds_h5 *h5, const char *name, size_t least, double **value,
                          size_t *count);
/* Whether there are exactly `count` reals; asked before memory is taken for something as long. */
nsds_status nsds_h5_length(nsds_h5 *h5, const char *name, size_t count);
/* Exactly `count` finite reals. */
nsds_status nsds_h5_vector(nsds_h5 *h5, const char *name, size_t count, double **value);

#endif
