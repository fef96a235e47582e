#ifndef NSDS_SRC_HDF5_LINKS_H
#define NSDS_SRC_HDF5_LINKS_H

#include "io/hdf5_image.h"

/* The object header of an absolute name; false where there is none. *why: NULL, or
 * what the group has that is not read. */
bool nsds_h5_find(const nsds_h5_image *image, const char *name, uint64_t *address,
                  const char **why);

#endif
