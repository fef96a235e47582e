/*
 * fuzz_seeds TEXT HDF5: writes the seeds of the fuzzers into two folders, small texts of every
 * format and storage, and the FCLIB files that some of them and the sample of the tests become.
 */
#include "fclib_sample.h"
#include "texts.h"

#include <stdio.h>
#include <string.h>

static void put_hdf5(nsds_context *context, const char *text, const char *path) {
  nsds_problem_file *file = must_read(context, text, NSDS_FORMAT_AUTO);
  const nsds_global_problem *global = nsds_problem_file_global(file);
  if (global) nsds_global_write(context, global, NULL, path, NSDS_FORMAT_FCLIB);
  else nsds_problem_write(context, nsds_problem_file_problem(file), NULL, path, NSDS_FORMAT_FCLIB);
  nsds_error_clear(context); /* LCP, MLCP and relays have no place in FCLIB */
  nsds_problem_file_destroy(file);
}

#if NSDS_HAVE_HDF5
/* A file in the newest layout, with the problem of another. */
static void put_newest(const char *from, const char *to) {
  hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
  hid_t source = H5Fopen(from, H5F_ACC_RDONLY, H5P_DEFAULT);
  hid_t file = H5Fcreate(to, H5F_ACC_TRUNC, H5P_DEFAULT, access);
  static const char *const groups[] = {"/fclib_local", "/solution", "/guesses"};
  for (size_t k = 0; k < COUNT(groups); ++k)
    H5Ocopy(source, groups[k], file, groups[k], H5P_DEFAULT, H5P_DEFAULT);
  H5Fclose(file);
  H5Fclose(source);
  H5Pclose(access);
}
#endif

int main(int argc, char **argv) {
  if (argc != 3) {
    fprintf(stderr, "usage: fuzz_seeds TEXT_FOLDER HDF5_FOLDER\n");
    return 2;
  }
  nsds_context *context = nsds_context_create(NULL);
  char path[1024];
  for (size_t k = 0; k < COUNT(good_texts); ++k) {
    snprintf(path, sizeof path, "%s/%02zu.dat", argv[1], k);
    put_file(path, good_texts[k], strlen(good_texts[k]));
#if NSDS_HAVE_HDF5
    snprintf(path, sizeof path, "%s/%02zu.hdf5", argv[2], k);
    put_hdf5(context, good_texts[k], path);
#endif
  }
#if NSDS_HAVE_HDF5
  snprintf(path, sizeof path, "%s/sample.hdf5", argv[2]);
  make_file(context, path, NULL, NULL);
  char newest[1024];
  snprintf(newest, sizeof newest, "%s/newest.hdf5", argv[2]);
  put_newest(path, newest);
#endif
  nsds_context_destroy(context);
  return 0;
}
