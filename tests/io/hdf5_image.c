/*
 * The reader of HDF5 files: other writers than ours (newer file layout, other byte orders and
 * widths, compact data), what is refused by name, and damaged files that crashed libhdf5.
 */
#include "fclib_sample.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if NSDS_HAVE_HDF5

static const char path[] = "hdf5_image.hdf5";

/* ---- other writers ---- */

typedef struct how {
  bool newest, compact, big_endian, narrow;
} how;

static void put_set(hid_t file, const char *name, const how *h, bool real, hsize_t count,
                    const void *value) {
  hid_t space = H5Screate_simple(1, &count, NULL), plist = H5Pcreate(H5P_DATASET_CREATE);
  hid_t wide = real            ? h->big_endian ? H5T_IEEE_F64BE : H5T_IEEE_F64LE
               : h->big_endian ? H5T_STD_I64BE
                               : H5T_STD_I64LE;
  hid_t narrow = real            ? h->big_endian ? H5T_IEEE_F32BE : H5T_IEEE_F32LE
                 : h->big_endian ? H5T_STD_I8BE
                                 : H5T_STD_I8LE;
  if (h->compact) H5Pset_layout(plist, H5D_COMPACT);
  hid_t set =
      H5Dcreate2(file, name, h->narrow ? narrow : wide, space, H5P_DEFAULT, plist, H5P_DEFAULT);
  assert_true(set >= 0);
  assert_true(H5Dwrite(set, real ? H5T_NATIVE_DOUBLE : H5T_NATIVE_INT, H5S_ALL, H5S_ALL,
                       H5P_DEFAULT, value) >= 0);
  H5Dclose(set);
  H5Pclose(plist);
  H5Sclose(space);
}

#define PUT_INTS(name, ...)                                                                        \
  put_set(file, name, h, false, sizeof((int[]){__VA_ARGS__}) / sizeof(int), (int[]){__VA_ARGS__})
#define PUT_REALS(name, ...)                                                                       \
  put_set(file, name, h, true, sizeof((double[]){__VA_ARGS__}) / sizeof(double),                   \
          (double[]){__VA_ARGS__})

static void write_as(const how *h) {
  hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  if (h->newest) H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
  hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, access);
  static const char *const groups[] = {LOCAL, LOCAL "/W", LOCAL "/vectors"};
  for (int k = 0; k < 3; ++k)
    H5Gclose(H5Gcreate2(file, groups[k], H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  PUT_INTS(LOCAL "/spacedim", 2);
  PUT_INTS(LOCAL "/W/m", 2);
  PUT_INTS(LOCAL "/W/n", 2);
  PUT_INTS(LOCAL "/W/nz", -2);
  PUT_INTS(LOCAL "/W/p", 0, 1, 2);
  PUT_INTS(LOCAL "/W/i", 0, 1);
  PUT_REALS(LOCAL "/W/x", 1.5, 2.5);
  PUT_REALS(LOCAL "/vectors/q", -1.0, 0.25);
  PUT_REALS(LOCAL "/vectors/mu", 0.5);
  H5Fclose(file);
  H5Pclose(access);
}

static void test_writers(void **unused) {
  (void)unused;
  nsds_context *context = nsds_context_create(NULL);
  for (int k = 0; k < 16; ++k) {
    write_as(&(how){k & 1, k & 2, k & 4, k & 8});
    nsds_problem_file *file = nsds_problem_read(context, path, NSDS_FORMAT_AUTO);
    if (!file) fail_msg("%d: %s", k, nsds_error_message(context));
    const nsds_problem *problem = nsds_problem_file_problem(file);
    double *M = dense_of(problem);
    assert_same_reals(M, (double[]){1.5, 0, 0, 2.5}, 4);
    free(M);
    assert_same_reals(problem->q, (double[]){-1.0, 0.25}, 2);
    assert_true(problem->block[0].mu == 0.5);
    nsds_problem_file_destroy(file);
  }
  nsds_context_destroy(context);
}

/* ---- refused by name ---- */

typedef void (*put_fn)(hid_t file, const char *name);

static void put_with(hid_t file, const char *name, hid_t plist, hid_t type, hid_t space) {
  hid_t set = H5Dcreate2(file, name, type, space, H5P_DEFAULT, plist, H5P_DEFAULT);
  assert_true(set >= 0);
  H5Dclose(set);
  H5Sclose(space);
  if (plist != H5P_DEFAULT) H5Pclose(plist);
}

static hid_t three(void) { return H5Screate_simple(1, (hsize_t[]){3}, NULL); }

static void put_chunks(hid_t file, const char *name) {
  hid_t plist = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(plist, 1, (hsize_t[]){2});
  put_with(file, name, plist, H5T_IEEE_F64LE, three());
}

static void put_external(hid_t file, const char *name) {
  hid_t plist = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_external(plist, "/etc/passwd", 0, 24);
  put_with(file, name, plist, H5T_IEEE_F64LE, three());
}

static void put_text(hid_t file, const char *name) {
  hid_t type = H5Tcopy(H5T_C_S1);
  H5Tset_size(type, H5T_VARIABLE);
  put_with(file, name, H5P_DEFAULT, type, three());
  H5Tclose(type);
}

static void put_compound(hid_t file, const char *name) {
  hid_t type = H5Tcreate(H5T_COMPOUND, 8);
  H5Tinsert(type, "x", 0, H5T_IEEE_F64LE);
  put_with(file, name, H5P_DEFAULT, type, three());
  H5Tclose(type);
}

static void put_square(hid_t file, const char *name) {
  put_with(file, name, H5P_DEFAULT, H5T_IEEE_F64LE, H5Screate_simple(2, (hsize_t[]){3, 1}, NULL));
}

static void put_filled(hid_t file, const char *name) {
  hid_t plist = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_fill_value(plist, H5T_NATIVE_DOUBLE, &(double){7.0});
  put_with(file, name, plist, H5T_IEEE_F64LE, three());
}

static void put_soft_link(hid_t file, const char *name) {
  H5Lcreate_soft("/solution/u", file, name, H5P_DEFAULT, H5P_DEFAULT);
}

static void put_external_link(hid_t file, const char *name) {
  H5Lcreate_external("/etc/passwd", "/", file, name, H5P_DEFAULT, H5P_DEFAULT);
}

static void test_refused(void **unused) {
  (void)unused;
  static const struct {
    put_fn put;
    const char *why;
  } cases[] = {{put_chunks, "contiguous numbers (h5repack"},
               {put_external, "contiguous numbers (h5repack"},
               {put_text, "integers or reals"},
               {put_compound, "integers or reals"},
               {put_square, "found an array of rank 2"},
               {put_filled, "numbers that are in the file"},
               {put_soft_link, "soft link"},
               {put_external_link, "link"}};
  nsds_context *context = nsds_context_create(NULL);
  for (size_t k = 0; k < COUNT(cases); ++k) {
    make_file(context, path, NULL, LOCAL "/vectors/q");
    hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    cases[k].put(file, LOCAL "/vectors/q");
    H5Fclose(file);
    if (nsds_problem_read(context, path, NSDS_FORMAT_AUTO)) fail_msg("%s was read", cases[k].why);
    assert_int_equal(nsds_error(context), NSDS_ERROR_FORMAT);
    assert_says(nsds_error_message(context), LOCAL "/vectors/q", cases[k].why, NULL);
    nsds_error_clear(context);
  }
  nsds_context_destroy(context);
}

/* Nothing was written: all are zero, up to as many as the file has bytes. */
static void test_unwritten(void **unused) {
  (void)unused;
  nsds_context *context = nsds_context_create(NULL);
  make_file(context, path, NULL, LOCAL "/vectors/q");
  hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
  put_with(file, LOCAL "/vectors/q", H5P_DEFAULT, H5T_IEEE_F64LE, three());
  H5Fclose(file);
  nsds_problem_file *found = nsds_problem_read(context, path, NSDS_FORMAT_AUTO);
  if (!found) fail_msg("%s", nsds_error_message(context));
  assert_same_reals(nsds_problem_file_problem(found)->q, (double[]){0, 0, 0}, 3);
  nsds_problem_file_destroy(found);
  nsds_context_destroy(context);
}

/* Groups of so many members that their trees have several nodes, then several levels. */
static void test_many_members(void **unused) {
  (void)unused;
  enum { many = 700 };
  nsds_context *context = nsds_context_create(NULL);
  make_file(context, path, &(item){"/guesses/number_of_guesses", INTS(many)}, NULL);
  hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
  const how plain = {0}, *h = &plain;
  char name[64];
  for (int k = 3; k <= many; ++k) {
    snprintf(name, sizeof name, "/guesses/%d", k);
    H5Gclose(H5Gcreate2(file, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    snprintf(name, sizeof name, "/guesses/%d/r", k);
    PUT_REALS(name, k, 0, 0);
    snprintf(name, sizeof name, "/guesses/%d/l", k);
    PUT_REALS(name, 0, -k);
  }
  H5Fclose(file);
  nsds_problem_file *found = nsds_problem_read(context, path, NSDS_FORMAT_AUTO);
  if (!found) fail_msg("%s", nsds_error_message(context));
  assert_int_equal(nsds_problem_file_nguess(found), many);
  for (int k = 3; k <= many; ++k)
    assert_same_reals(nsds_problem_file_guess(found, k - 1)->z, (double[]){k, 0, 0, 0, -k}, 5);
  nsds_problem_file_destroy(found);
  nsds_context_destroy(context);
}

/* More than eight members, in a file that only HDF5 1.8 and newer read. */
static void test_fractal_heap(void **unused) {
  (void)unused;
  nsds_context *context = nsds_context_create(NULL);
  const how newest = {.newest = true}, *h = &newest;
  write_as(h);
  hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
  hid_t file = H5Fopen(path, H5F_ACC_RDWR, access);
  PUT_INTS(LOCAL "/W/nzmax", 2);
  PUT_INTS(LOCAL "/W/rank", 2);
  PUT_REALS(LOCAL "/W/conditioning", 1);
  PUT_REALS(LOCAL "/W/determinant", 1);
  H5Fclose(file);
  H5Pclose(access);
  assert_null(nsds_problem_read(context, path, NSDS_FORMAT_AUTO));
  assert_int_equal(nsds_error(context), NSDS_ERROR_FORMAT);
  assert_says(nsds_error_message(context), LOCAL "/W", "fractal heap", NULL);
  nsds_context_destroy(context);
}

/* ---- damaged ---- */

/* Files in which libhdf5 1.10 crashed, or took the program down: bytes of headers and heaps. */
static void test_damaged_files_crash_libhdf5(void **unused) {
  (void)unused;
  static const char *const names[] = {"h5_CRASH_3182.hdf5", "h5_CRASH_4950.hdf5"};
  problems_folder(); /* skips where there are no data */
  nsds_context *context = nsds_context_create(NULL);
  for (size_t k = 0; k < COUNT(names); ++k) {
    char name[1024];
    snprintf(name, sizeof name, "%s/attacks/%s", NSDS_TEST_DATA, names[k]);
    nsds_problem_file *file = nsds_problem_read(context, name, NSDS_FORMAT_AUTO);
    assert_true(file ? !nsds_error(context) : nsds_error(context) != NSDS_OK);
    nsds_problem_file_destroy(file);
    nsds_error_clear(context);
  }
  nsds_context_destroy(context);
}

/* Every byte of a small file set to one of a few values. */
static void test_every_byte(void **unused) {
  (void)unused;
  static const unsigned char values[] = {0x00, 0x01, 0x7f, 0x80, 0xff};
  meter m = {0};
  nsds_context *context = metered_context(&m);
  make_file(context, path, NULL, "/guesses");
  size_t size;
  char *data = get_file(path, &size);
  for (size_t at = 0; at < size; ++at) {
    char before = data[at];
    data[at] = (char)values[at % COUNT(values)];
    nsds_problem_file *file =
        nsds_problem_read_memory(context, "bytes", data, size, NSDS_FORMAT_FCLIB);
    assert_true(file ? !nsds_error(context) : nsds_error(context) == NSDS_ERROR_FORMAT);
    nsds_problem_file_destroy(file);
    nsds_error_clear(context);
    data[at] = before;
  }
  free(data);
  nsds_context_destroy(context);
  assert_int_equal(m.live, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_writers),      cmocka_unit_test(test_refused),
      cmocka_unit_test(test_many_members), cmocka_unit_test(test_fractal_heap),
      cmocka_unit_test(test_unwritten),    cmocka_unit_test(test_damaged_files_crash_libhdf5),
      cmocka_unit_test(test_every_byte),
  };
  int failed = cmocka_run_group_tests_name("io.hdf5_image", tests, NULL, NULL);
  remove(path);
  return failed;
}

#else

int main(void) {
  printf("skipped: built without HDF5\n");
  return 0;
}

#endif
