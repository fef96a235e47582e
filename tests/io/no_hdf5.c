/*
 * Preloaded into the command, so that libhdf5 is not there: NSDS_TEST_HDF5 "absent" lets no library of
 * such a name be loaded, "other" hands out one that lacks what is wanted. Whatever it is asked for is
 * told on standard error.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *dlopen(const char *name, int flags) {
  void *(*next)(const char *, int);
  void *found = dlsym(RTLD_NEXT, "dlopen");
  memcpy(&next, &found, sizeof next);
  const char *how = getenv("NSDS_TEST_HDF5");
  if (!name || !how || !strstr(name, "hdf5")) return next(name, flags);
  fprintf(stderr, "loads %s\n", name);
  if (strcmp(how, "absent") == 0) return next("libnsds_no_such_library.so", flags);
  return strcmp(how, "other") == 0 ? next("libm.so.6", flags) : next(name, flags);
}
