/*
 * HDF5 files, see hdf5_file.h.
 */
#include "hdf5_file.h"

#if NSDS_HAVE_HDF5

#include <errno.h>
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Deflate, the densest of the usual filters, makes one byte of at most this many. */
static const double largest_ratio = 1032.0;

/* ---- open and close ---- */

static void enter(nsds_context *context, const char *path, nsds_h5 *h5) {
  pthread_mutex_lock(&lock);
  *h5 = (nsds_h5){.context = context, .path = path, .file = -1};
  H5Eget_auto2(H5E_DEFAULT, &h5->print, &h5->print_data);
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
}

nsds_status nsds_h5_open(nsds_context *context, const char *path, nsds_h5 *h5) {
  enter(context, path, h5);
  FILE *file = fopen(path, "rb"); /* the reason why not, in words */
  if (!file)
    return h5->status =
               nsds_fail(context, NSDS_ERROR_IO, "%s: cannot be opened: %s", path, strerror(errno));
  fclose(file);
  h5->file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
  if (h5->file < 0)
    h5->status =
        nsds_fail(context, NSDS_ERROR_FORMAT,
                  "%s: expected an HDF5 file; it is another one, truncated or damaged", path);
  return h5->status;
}

/* The file is made in memory and written by save(): libhdf5 does not recover from a full disk, its
 * file stays open and the program crashes at exit. */
nsds_status nsds_h5_create(nsds_context *context, const char *path, nsds_h5 *h5) {
  enter(context, path, h5);
  h5->created = true;
  hid_t plist = H5Pcreate(H5P_FILE_ACCESS);
  if (plist >= 0 && H5Pset_fapl_core(plist, 1 << 16, false) >= 0)
    h5->file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, plist);
  if (plist >= 0) H5Pclose(plist);
  if (h5->file < 0)
    h5->status = nsds_fail(context, NSDS_ERROR_IO, "%s: libhdf5 cannot make a file", path);
  return h5->status;
}

static nsds_status save_bytes(const nsds_h5 *h5, const void *bytes, size_t size) {
  FILE *file = fopen(h5->path, "wb");
  if (!file)
    return nsds_fail(h5->context, NSDS_ERROR_IO, "%s: cannot be written: %s", h5->path,
                     strerror(errno));
  bool failed = fwrite(bytes, 1, size, file) != size;
  if (fclose(file) != 0) failed = true;
  if (!failed) return NSDS_OK;
  return nsds_fail(h5->context, NSDS_ERROR_IO, "%s: cannot be completed: %s", h5->path,
                   strerror(errno));
}

static nsds_status save(const nsds_h5 *h5) {
  ssize_t size = -1;
  if (H5Fflush(h5->file, H5F_SCOPE_GLOBAL) >= 0) size = H5Fget_file_image(h5->file, NULL, 0);
  if (size <= 0)
    return nsds_fail(h5->context, NSDS_ERROR_IO, "%s: libhdf5 cannot make the file", h5->path);
  void *bytes = nsds_alloc(h5->context, (size_t)size, 1);
  if (!bytes) return NSDS_ERROR_MEMORY;
  nsds_status status;
  if (H5Fget_file_image(h5->file, bytes, (size_t)size) == size)
    status = save_bytes(h5, bytes, (size_t)size);
  else status = nsds_fail(h5->context, NSDS_ERROR_IO, "%s: libhdf5 cannot make the file", h5->path);
  nsds_release(h5->context, bytes);
  return status;
}

nsds_status nsds_h5_close(nsds_h5 *h5) {
  if (h5->created && !h5->status) h5->status = save(h5);
  if (h5->file >= 0) H5Fclose(h5->file);
  H5Eset_auto2(H5E_DEFAULT, h5->print, h5->print_data);
  pthread_mutex_unlock(&lock);
  return h5->status;
}

nsds_status nsds_h5_fail(nsds_h5 *h5, const char *name, const char *format, ...) {
  if (h5->status) return h5->status;
  char what[256];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(what, sizeof what, format, arguments);
  va_end(arguments);
  return h5->status = nsds_fail(h5->context, NSDS_ERROR_FORMAT, "%s: %s: %s", h5->path, name, what);
}

/* A link may only be asked for when all groups above it are there. */
bool nsds_h5_has(nsds_h5 *h5, const char *name) {
  char prefix[128];
  for (size_t k = 1; k <= strlen(name) && k < sizeof prefix; ++k) {
    if (name[k] != '/' && name[k] != '\0') continue;
    memcpy(prefix, name, k);
    prefix[k] = '\0';
    if (H5Lexists(h5->file, prefix, H5P_DEFAULT) <= 0) return false;
  }
  return true;
}

/* ---- a data set and what it promises ---- */

typedef struct dataset {
  hid_t id, type, space, plist;
  size_t count;
} dataset;

static void close_dataset(const dataset *d) {
  if (d->plist >= 0) H5Pclose(d->plist);
  if (d->space >= 0) H5Sclose(d->space);
  if (d->type >= 0) H5Tclose(d->type);
  if (d->id >= 0) H5Dclose(d->id);
}

/* Bytes of one chunk in memory; 0 where the data set has none. */
static double chunk_bytes(const dataset *d, double element) {
  hsize_t size[H5S_MAX_RANK];
  if (H5Pget_layout(d->plist) != H5D_CHUNKED) return 0.0;
  int rank = H5Pget_chunk(d->plist, H5S_MAX_RANK, size);
  double bytes = element;
  for (int k = 0; k < rank; ++k) bytes *= (double)size[k];
  return bytes;
}

/* Whether the bytes in the file can stand for the memory that reading takes. Numbers that are not
 * in the file, all equal to a fill value, may not be more than the file has bytes. */
static bool plausible(const nsds_h5 *h5, const dataset *d, double count) {
  double element = (double)H5Tget_size(d->type), stored = (double)H5Dget_storage_size(d->id);
  H5D_layout_t layout = H5Pget_layout(d->plist);
  hsize_t whole = 0;
  if (H5Fget_filesize(h5->file, &whole) < 0) return false;
  if (stored > (double)whole) stored = (double)whole;
  if (layout == H5D_VIRTUAL || H5Pget_external_count(d->plist) != 0) return false;
  if (H5Pget_nfilters(d->plist) > 0) stored *= largest_ratio;
  double chunk = chunk_bytes(d, element), most = fmax(stored, (double)whole);
  return element * count <= most && chunk <= fmax(most, 1 << 20);
}

static nsds_status open_dataset(nsds_h5 *h5, const char *name, H5T_class_t class, dataset *d) {
  *d = (dataset){-1, -1, -1, -1, 0};
  if (h5->status) return h5->status;
  if (nsds_h5_has(h5, name)) d->id = H5Dopen2(h5->file, name, H5P_DEFAULT);
  if (d->id < 0) return nsds_h5_fail(h5, name, "expected a data set, found none");
  d->type = H5Dget_type(d->id);
  d->space = H5Dget_space(d->id);
  d->plist = H5Dget_create_plist(d->id);
  if (d->type < 0 || d->space < 0 || d->plist < 0)
    return nsds_h5_fail(h5, name, "expected a data set, found a damaged one");
  if (H5Tget_class(d->type) != class)
    return nsds_h5_fail(h5, name, "expected %s, found another type",
                        class == H5T_INTEGER ? "integers" : "reals");
  hssize_t count = H5Sget_simple_extent_npoints(d->space);
  if (H5Sget_simple_extent_ndims(d->space) > 1 || count < 0)
    return nsds_h5_fail(h5, name, "expected one row of numbers, found an array of rank %d",
                        H5Sget_simple_extent_ndims(d->space));
  if (!plausible(h5, d, (double)count))
    return nsds_h5_fail(h5, name, "expected %lld numbers, but the file holds %llu bytes of them",
                        (long long)count, (unsigned long long)H5Dget_storage_size(d->id));
  d->count = (size_t)count;
  return NSDS_OK;
}

/* All numbers of a data set; size is that of one of them in memory. */
static nsds_status read_all(nsds_h5 *h5, const char *name, H5T_class_t class, hid_t memory_type,
                            size_t size, size_t least, void **value, size_t *count) {
  dataset d;
  *value = NULL;
  if (!open_dataset(h5, name, class, &d)) {
    *count = d.count;
    if (d.count < least) nsds_h5_fail(h5, name, "expected %zu numbers, found %zu", least, d.count);
    else if (!(*value = nsds_alloc(h5->context, d.count, size))) h5->status = NSDS_ERROR_MEMORY;
    else if (d.count > 0 && H5Dread(d.id, memory_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, *value) < 0)
      nsds_h5_fail(h5, name, "expected %zu numbers, but they could not be read", d.count);
  }
  close_dataset(&d);
  return h5->status;
}

/* ---- reading ---- */

nsds_status nsds_h5_length(nsds_h5 *h5, const char *name, size_t count) {
  dataset d;
  if (!open_dataset(h5, name, H5T_FLOAT, &d) && d.count != count)
    nsds_h5_fail(h5, name, "expected %zu numbers, found %zu", count, d.count);
  close_dataset(&d);
  return h5->status;
}

nsds_status nsds_h5_ints(nsds_h5 *h5, const char *name, size_t least, int **value, size_t *count) {
  void *read;
  read_all(h5, name, H5T_INTEGER, H5T_NATIVE_INT, sizeof **value, least, &read, count);
  *value = read;
  return h5->status;
}

nsds_status nsds_h5_reals(nsds_h5 *h5, const char *name, size_t least, double **value,
                          size_t *count) {
  void *read;
  read_all(h5, name, H5T_FLOAT, H5T_NATIVE_DOUBLE, sizeof **value, least, &read, count);
  *value = read;
  return h5->status;
}

nsds_status nsds_h5_int(nsds_h5 *h5, const char *name, int min, int max, int *value) {
  int *read;
  size_t count;
  if (!nsds_h5_ints(h5, name, 1, &read, &count)) {
    *value = read[0];
    if (count != 1 || *value < min || *value > max)
      nsds_h5_fail(h5, name, "expected one integer from %d to %d, found %zu, the first is %d", min,
                   max, count, *value);
  }
  nsds_release(h5->context, read);
  return h5->status;
}

nsds_status nsds_h5_vector(nsds_h5 *h5, const char *name, size_t count, double **value) {
  size_t found = 0;
  if (nsds_h5_reals(h5, name, count, value, &found)) return h5->status;
  if (found != count)
    return nsds_h5_fail(h5, name, "expected %zu numbers, found %zu", count, found);
  for (size_t k = 0; k < count; ++k)
    if (!isfinite((*value)[k]))
      return nsds_h5_fail(h5, name, "expected finite numbers, found %g at %zu", (*value)[k], k);
  return NSDS_OK;
}

/* ---- writing ---- */

static nsds_status unwritten(nsds_h5 *h5, const char *name) {
  return h5->status =
             nsds_fail(h5->context, NSDS_ERROR_IO, "%s: %s cannot be written", h5->path, name);
}

nsds_status nsds_h5_put_group(nsds_h5 *h5, const char *name) {
  if (h5->status) return h5->status;
  hid_t group = H5Gcreate2(h5->file, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  return group < 0 || H5Gclose(group) < 0 ? unwritten(h5, name) : NSDS_OK;
}

/* Without the time of writing, so that equal problems give equal files. */
static nsds_status put(nsds_h5 *h5, const char *name, size_t count, hid_t file_type,
                       hid_t memory_type, const void *value) {
  if (h5->status) return h5->status;
  hsize_t size = count;
  hid_t plist = H5Pcreate(H5P_DATASET_CREATE), space = H5Screate_simple(1, &size, NULL), id = -1;
  bool good = plist >= 0 && space >= 0 && H5Pset_obj_track_times(plist, 0) >= 0;
  if (good) id = H5Dcreate2(h5->file, name, file_type, space, H5P_DEFAULT, plist, H5P_DEFAULT);
  good = id >= 0;
  if (good && count > 0)
    good = H5Dwrite(id, memory_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, value) >= 0;
  if (id >= 0 && H5Dclose(id) < 0) good = false;
  if (space >= 0) H5Sclose(space);
  if (plist >= 0) H5Pclose(plist);
  return good ? NSDS_OK : unwritten(h5, name);
}

nsds_status nsds_h5_put_ints(nsds_h5 *h5, const char *name, size_t count, const int *value) {
  return put(h5, name, count, H5T_STD_I32LE, H5T_NATIVE_INT, value);
}

nsds_status nsds_h5_put_reals(nsds_h5 *h5, const char *name, size_t count, const double *value) {
  return put(h5, name, count, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, value);
}

#endif
