#ifndef NSDS_SRC_HDF5_DATA_H
#define NSDS_SRC_HDF5_DATA_H

#include "io/hdf5_image.h"

/* Returns NULL or the fault. After a wrong type or size, the fields hold what the file has. */
const char *nsds_h5_open_dataset(const nsds_h5_image *image, uint64_t address,
                                 nsds_h5_dataset *dataset);
/* Gets number k; false for an integer that an int does not hold. */
bool nsds_h5_get_int(const nsds_h5_dataset *dataset, size_t k, int *value);
double nsds_h5_get_real(const nsds_h5_dataset *dataset, size_t k);

#endif
