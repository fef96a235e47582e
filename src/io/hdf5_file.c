/*
 * HDF5 files written with libhdf5, see hdf5_file.h. A build without HDF5 refuses to write a file;
 * reading does not need HDF5.
 */
#include "io/hdf5_file.h"

#include "base/context.h"
#include "base/new_file.h"
#include "io/hdf5_library.h"

#if NSDS_HAVE_HDF5

#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* The value of H5F_ACC_TRUNC without the calls that it makes. A call of these aborts if the
 * versions of library and headers differ. */
static const unsigned truncate_file = 0x0002u;

/* The functions of libhdf5; set once, under the lock. */
static nsds_h5_calls lib;
#endif

/* ---- open and close ---- */

/* The file is made in memory, and save() writes it. The library does not recover from a full disk:
 * its file stays open, and the program crashes at exit. */
nsds_status nsds_h5_create(nsds_context *context, const char *path, nsds_h5 *h5) {
#if NSDS_HAVE_HDF5
  pthread_mutex_lock(&lock);
  *h5 = (nsds_h5){.context = context, .path = path, .file = -1};
  h5->status = nsds_h5_load(context, path, &lib);
  if (h5->status) {
    pthread_mutex_unlock(&lock);
    return h5->status;
  }
  h5->created = true;
  lib.H5Eget_auto2(H5E_DEFAULT, &h5->print, &h5->print_data);
  lib.H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  hid_t plist = lib.H5Pcreate(*lib.H5P_CLS_FILE_ACCESS_ID_g);
  if (plist >= 0 && lib.H5Pset_fapl_core(plist, 1 << 16, false) >= 0)
    h5->file = lib.H5Fcreate(path, truncate_file, H5P_DEFAULT, plist);
  if (plist >= 0) lib.H5Pclose(plist);
  if (h5->file < 0)
    h5->status = nsds_fail(context, NSDS_ERROR_IO, "%s: libhdf5 cannot make a file", path);
#else
  *h5 = (nsds_h5){.context = context, .path = path};
  h5->status =
      nsds_fail(context, NSDS_ERROR_UNSUPPORTED,
                "%s: HDF5 files are written with libhdf5, and this libnsds was built without "
                "it; install libhdf5-dev and configure with -DNSDS_WITH_HDF5=ON, or write text",
                path);
#endif
  return h5->status;
}

#if NSDS_HAVE_HDF5
static nsds_status save_bytes(const nsds_h5 *h5, const void *bytes, size_t size) {
  nsds_new_file f;
  nsds_status status = nsds_new_file_open(&f, h5->context, NULL, h5->path);
  if (status) return status;
  fwrite(bytes, 1, size, f.file);
  return nsds_new_file_close(&f, true);
}

static nsds_status save(const nsds_h5 *h5) {
  ssize_t size = -1;
  if (lib.H5Fflush(h5->file, H5F_SCOPE_GLOBAL) >= 0)
    size = lib.H5Fget_file_image(h5->file, NULL, 0);
  if (size <= 0)
    return nsds_fail(h5->context, NSDS_ERROR_IO, "%s: libhdf5 cannot make the file", h5->path);
  void *bytes = nsds_alloc(h5->context, "the file", (size_t)size, 1);
  if (!bytes) return NSDS_ERROR_MEMORY;
  nsds_status status;
  if (lib.H5Fget_file_image(h5->file, bytes, (size_t)size) == size)
    status = save_bytes(h5, bytes, (size_t)size);
  else status = nsds_fail(h5->context, NSDS_ERROR_IO, "%s: libhdf5 cannot make the file", h5->path);
  nsds_release(h5->context, bytes);
  return status;
}

#endif

nsds_status nsds_h5_close(nsds_h5 *h5) {
#if NSDS_HAVE_HDF5
  if (!h5->created) return h5->status;
  if (!h5->status) h5->status = save(h5);
  if (h5->file >= 0) lib.H5Fclose(h5->file);
  lib.H5Eset_auto2(H5E_DEFAULT, h5->print, h5->print_data);
  pthread_mutex_unlock(&lock);
#endif
  return h5->status;
}

/* ---- writing ---- */

#if NSDS_HAVE_HDF5
static nsds_status unwritten(nsds_h5 *h5, const char *name) {
  return h5->status =
             nsds_fail(h5->context, NSDS_ERROR_IO, "%s: %s cannot be written", h5->path, name);
}

/* Leaves out the time of writing, so that equal data give equal files. */
static nsds_status hdf5_file_put(nsds_h5 *h5, const char *name, size_t count,
                                 const hid_t *file_type, const hid_t *memory_type,
                                 const void *value) {
  if (h5->status) return h5->status;
  hsize_t size = count;
  hid_t plist = lib.H5Pcreate(*lib.H5P_CLS_DATASET_CREATE_ID_g),
        space = lib.H5Screate_simple(1, &size, NULL), id = -1;
  bool good = plist >= 0 && space >= 0 && lib.H5Pset_obj_track_times(plist, 0) >= 0;
  if (good) id = lib.H5Dcreate2(h5->file, name, *file_type, space, H5P_DEFAULT, plist, H5P_DEFAULT);
  good = id >= 0;
  if (good && count > 0)
    good = lib.H5Dwrite(id, *memory_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, value) >= 0;
  if (id >= 0 && lib.H5Dclose(id) < 0) good = false;
  if (space >= 0) lib.H5Sclose(space);
  if (plist >= 0) lib.H5Pclose(plist);
  return good ? NSDS_OK : unwritten(h5, name);
}

/* A type of UTF-8 texts of so many bytes, or of any length; to be closed. */
static hid_t new_text_type(size_t size) {
  hid_t type = lib.H5Tcopy(*lib.H5T_C_S1_g);
  if (type >= 0 && lib.H5Tset_size(type, size) >= 0 && lib.H5Tset_cset(type, H5T_CSET_UTF8) >= 0)
    return type;
  if (type >= 0) lib.H5Tclose(type);
  return -1;
}

/* An attribute with one value. */
static nsds_status put_note(nsds_h5 *h5, const char *object, const char *name,
                            const hid_t *file_type, const hid_t *memory_type, const void *value) {
  if (h5->status) return h5->status;
  hid_t space = lib.H5Screate(H5S_SCALAR), id = -1;
  if (space >= 0)
    id = lib.H5Acreate_by_name(h5->file, object, name, *file_type, space, H5P_DEFAULT, H5P_DEFAULT,
                               H5P_DEFAULT);
  bool good = id >= 0 && lib.H5Awrite(id, *memory_type, value) >= 0;
  if (id >= 0 && lib.H5Aclose(id) < 0) good = false;
  if (space >= 0) lib.H5Sclose(space);
  return good ? NSDS_OK : unwritten(h5, name);
}
#endif

nsds_status nsds_h5_put_group(nsds_h5 *h5, const char *name) {
  (void)name;
  if (h5->status) return h5->status;
#if NSDS_HAVE_HDF5
  hid_t group = lib.H5Gcreate2(h5->file, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  if (group < 0 || lib.H5Gclose(group) < 0) return unwritten(h5, name);
#endif
  return NSDS_OK;
}

nsds_status nsds_h5_put_ints(nsds_h5 *h5, const char *name, size_t count, const int *value) {
#if NSDS_HAVE_HDF5
  return hdf5_file_put(h5, name, count, lib.H5T_STD_I32LE_g, lib.H5T_NATIVE_INT_g, value);
#else
  (void)name, (void)count, (void)value;
  return h5->status;
#endif
}

nsds_status nsds_h5_put_reals(nsds_h5 *h5, const char *name, size_t count, const double *value) {
#if NSDS_HAVE_HDF5
  return hdf5_file_put(h5, name, count, lib.H5T_IEEE_F64LE_g, lib.H5T_NATIVE_DOUBLE_g, value);
#else
  (void)name, (void)count, (void)value;
  return h5->status;
#endif
}

nsds_status nsds_h5_put_texts(nsds_h5 *h5, const char *name, size_t count,
                              const char *const *text) {
#if NSDS_HAVE_HDF5
  if (h5->status) return h5->status;
  hid_t type = new_text_type(H5T_VARIABLE);
  if (type < 0) return unwritten(h5, name);
  hdf5_file_put(h5, name, count, &type, &type, text);
  lib.H5Tclose(type);
#else
  (void)name, (void)count, (void)text;
#endif
  return h5->status;
}

nsds_status nsds_h5_note_text(nsds_h5 *h5, const char *object, const char *name, const char *text) {
#if NSDS_HAVE_HDF5
  if (h5->status) return h5->status;
  hid_t type = new_text_type(strlen(text) + 1);
  if (type < 0) return unwritten(h5, name);
  put_note(h5, object, name, &type, &type, text);
  lib.H5Tclose(type);
#else
  (void)object, (void)name, (void)text;
#endif
  return h5->status;
}

nsds_status nsds_h5_note_number(nsds_h5 *h5, const char *object, const char *name, uint64_t value) {
#if NSDS_HAVE_HDF5
  return put_note(h5, object, name, lib.H5T_STD_U64LE_g, lib.H5T_NATIVE_UINT64_g, &value);
#else
  (void)object, (void)name, (void)value;
  return h5->status;
#endif
}
