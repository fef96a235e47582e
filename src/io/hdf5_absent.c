/*
 * What a build without HDF5 answers where a file is to be written; reading needs none.
 */
#include "base/context.h"
#include "io/hdf5_file.h"

#if !NSDS_HAVE_HDF5

nsds_status nsds_h5_create(nsds_context *context, const char *path, nsds_h5 *h5) {
  *h5 = (nsds_h5){.context = context, .path = path};
  return h5->status =
             nsds_fail(context, NSDS_ERROR_UNSUPPORTED,
                       "%s: FCLIB files are written with HDF5, and this libnsds was built without "
                       "it; install libhdf5-dev and configure with -DNSDS_WITH_HDF5=ON",
                       path);
}

nsds_status nsds_h5_close(nsds_h5 *h5) { return h5->status; }

nsds_status nsds_h5_put_group(nsds_h5 *h5, const char *name) {
  (void)name;
  return h5->status;
}

nsds_status nsds_h5_put_ints(nsds_h5 *h5, const char *name, size_t count, const int *value) {
  (void)name, (void)count, (void)value;
  return h5->status;
}

nsds_status nsds_h5_put_reals(nsds_h5 *h5, const char *name, size_t count, const double *value) {
  (void)name, (void)count, (void)value;
  return h5->status;
}

#endif
