#ifndef NSDS_SRC_FCLIB_GLOBAL_H
#define NSDS_SRC_FCLIB_GLOBAL_H

#include "io/hdf5_file.h"
#include "io/problem_file.h"

/* Reads the group of a global problem into file->global. */
nsds_status nsds_fclib_read_global(nsds_h5 *h5, const char *name, nsds_problem_file *file);
nsds_status nsds_write_fclib_global(nsds_context *context, const nsds_global_problem *problem,
                                    const nsds_notes *notes, const char *path);

#endif
