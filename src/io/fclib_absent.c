/*
 * What a build without HDF5 answers to FCLIB files.
 */
#include "problem_file.h"

#if !NSDS_HAVE_HDF5

static nsds_status refuse(nsds_context *context, const char *path) {
  return nsds_fail(context, NSDS_ERROR_UNSUPPORTED,
                   "%s: FCLIB files are HDF5, and this libnsds was built without it; install "
                   "libhdf5-dev and configure with -DNSDS_WITH_HDF5=ON",
                   path);
}

nsds_status nsds_read_fclib(const char *name, const char *data, size_t size,
                            nsds_problem_file *file) {
  (void)data;
  (void)size;
  return refuse(file->context, name);
}

nsds_status nsds_write_fclib(nsds_context *context, const nsds_problem *problem, const char *path) {
  (void)problem;
  return refuse(context, path);
}

nsds_status nsds_write_fclib_global(nsds_context *context, const nsds_global_problem *problem,
                                    const char *path) {
  (void)problem;
  return refuse(context, path);
}

#endif
