#ifndef NSDS_SRC_FCLIB_READ_H
#define NSDS_SRC_FCLIB_READ_H

#include "io/problem_file.h"

/* Reads a whole HDF5 file in FCLIB's layout from memory. Records failures; the object is then as
 * new. */
nsds_status nsds_read_fclib(const char *name, const char *data, size_t size,
                            nsds_problem_file *file);

#endif
