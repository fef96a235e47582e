/* libhdf5, loaded when it is needed: the names of the functions and numbers that writing takes. */
#ifndef NSDS_SRC_HDF5_LIBRARY_H
#define NSDS_SRC_HDF5_LIBRARY_H

#include "io/hdf5_file.h"

#if NSDS_HAVE_HDF5

#define NSDS_H5_FUNCTIONS(X)                                                                       \
  X(H5open)                                                                                        \
  X(H5Eget_auto2)                                                                                  \
  X(H5Eset_auto2)                                                                                  \
  X(H5Pcreate)                                                                                     \
  X(H5Pset_fapl_core)                                                                              \
  X(H5Pset_obj_track_times)                                                                        \
  X(H5Pclose)                                                                                      \
  X(H5Fcreate)                                                                                     \
  X(H5Fflush)                                                                                      \
  X(H5Fget_file_image)                                                                             \
  X(H5Fclose)                                                                                      \
  X(H5Gcreate2)                                                                                    \
  X(H5Gclose)                                                                                      \
  X(H5Screate_simple)                                                                              \
  X(H5Sclose)                                                                                      \
  X(H5Dcreate2)                                                                                    \
  X(H5Dwrite)                                                                                      \
  X(H5Dclose)                                                                                      \
  X(H5Screate)                                                                                     \
  X(H5Tcopy)                                                                                       \
  X(H5Tset_size)                                                                                   \
  X(H5Tset_cset)                                                                                   \
  X(H5Tclose)                                                                                      \
  X(H5Acreate_by_name)                                                                             \
  X(H5Awrite)                                                                                      \
  X(H5Aclose)

/* The numbers behind the macros H5P_FILE_ACCESS, H5T_NATIVE_INT and so on; valid after H5open(). */
#define NSDS_H5_NUMBERS(X)                                                                         \
  X(H5P_CLS_FILE_ACCESS_ID_g)                                                                      \
  X(H5P_CLS_DATASET_CREATE_ID_g)                                                                   \
  X(H5T_STD_I32LE_g)                                                                               \
  X(H5T_IEEE_F64LE_g)                                                                              \
  X(H5T_NATIVE_INT_g)                                                                              \
  X(H5T_NATIVE_DOUBLE_g)                                                                           \
  X(H5T_STD_U64LE_g)                                                                               \
  X(H5T_NATIVE_UINT64_g)                                                                           \
  X(H5T_C_S1_g)

typedef struct nsds_h5_calls {
#define NSDS_H5_FUNCTION(name) __typeof__(&name) name;
#define NSDS_H5_NUMBER(name) const hid_t *name;
  NSDS_H5_FUNCTIONS(NSDS_H5_FUNCTION)
  NSDS_H5_NUMBERS(NSDS_H5_NUMBER)
#undef NSDS_H5_FUNCTION
#undef NSDS_H5_NUMBER
} nsds_h5_calls;

/* Fills the table, unless it is full; the caller holds the lock. NSDS_ERROR_UNSUPPORTED: libhdf5 is
 * missing, or differs from the one that this library was built with. */
nsds_status nsds_h5_load(nsds_context *context, const char *path, nsds_h5_calls *calls);

#endif

#endif
