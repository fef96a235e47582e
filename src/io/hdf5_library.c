/*
 * libhdf5 is loaded by the name that it had when this library was built, see hdf5_library.h. The
 * library stays loaded, because it has registered functions for the end of the program.
 */
#include "io/hdf5_library.h"

#include "base/context.h"

#if NSDS_HAVE_HDF5

#include <dlfcn.h>

static nsds_status refuse_library(nsds_context *context, const char *path, const char *why) {
  return nsds_fail(
      context, NSDS_ERROR_UNSUPPORTED,
      "%s: HDF5 files are written with libhdf5, and %s cannot be loaded (%s); install the "
      "package that has it, or write text (the format nsds, CSV)",
      path, NSDS_HDF5_SONAME, why ? why : "no reason is given");
}

/* Finds the address of a name; sets *missing if there is none. POSIX says that functions and
 * objects have addresses of one kind, C does not. */
static void find_symbol(void *library, const char *name, void *place, const char **missing) {
  void *found = dlsym(library, name);
  if (!found) *missing = name;
  memcpy(place, &found, sizeof found);
}

static const char *hdf5_library_find_all(void *library, void *numbers, nsds_h5_calls *found) {
  const char *missing = NULL;
#define FIND(name) find_symbol(library, #name, &found->name, &missing);
#define FIND_NUMBER(name) find_symbol(numbers, #name, &found->name, &missing);
  NSDS_H5_FUNCTIONS(FIND)
  NSDS_H5_NUMBERS(FIND_NUMBER)
#undef FIND_NUMBER
#undef FIND
  return missing;
}

/* Returns true if the program is linked with this very libhdf5. Such a program may have its own
 * copies of the numbers, and libhdf5 then uses those: they must be taken from the program. */
static bool is_linked(void *library, void *program) {
  void *own = program ? dlsym(program, "H5open") : NULL;
  return own && own == dlsym(library, "H5open");
}

nsds_status nsds_h5_load(nsds_context *context, const char *path, nsds_h5_calls *calls) {
  if (calls->H5open) return NSDS_OK;
  void *library = dlopen(NSDS_HDF5_SONAME, RTLD_NOW | RTLD_LOCAL);
  if (!library) return refuse_library(context, path, dlerror());
  void *program = dlopen(NULL, RTLD_NOW);
  nsds_h5_calls found;
  const char *missing =
      hdf5_library_find_all(library, is_linked(library, program) ? program : library, &found);
  if (!missing && found.H5open() < 0) missing = "H5open() fails";
  if (program) dlclose(program);
  if (missing) {
    dlclose(library);
    return refuse_library(context, path, missing);
  }
  *calls = found;
  return NSDS_OK;
}

#else

/* A C file must declare something. */
extern const int nsds_without_hdf5;

#endif
