#ifndef NSDS_SRC_HDF5_LINKS_H
#define NSDS_SRC_HDF5_LINKS_H

#include "io/hdf5_image.h"

/* Finds the object header of an absolute name; false if there is none. If not NULL, *why is a
 * feature of the group that is not read. */
bool nsds_h5_find(const nsds_h5_image *image, const char *name, uint64_t *address,
                  const char **why);

#endif
