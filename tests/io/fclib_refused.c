/*
 * FCLIB files that are refused, by name of what is wrong in them: data sets of the wrong kind, size
 * or content, parts left out, more announced than there is, damaged bytes; problems without a place
 * in the layout. Nothing of libhdf5 stays open.
 */
#include "fclib_sample.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if NSDS_HAVE_HDF5

static const char path[] = "fclib_refused.hdf5";

typedef struct bad {
  item instead;
  const char *expected; /* in the message, beside the name */
} bad;

static const bad replaced[] = {
    {{LOCAL "/spacedim", INTS(4)}, "from 2 to 3"},
    {{LOCAL "/spacedim", INTS(3, 3)}, "one integer"},
    {{LOCAL "/spacedim", REALS(3)}, "expected integers"},
    {{LOCAL "/spacedim", GROUP}, "expected a data set"},
    {{LOCAL "/W/m", INTS(-3)}, "from 0"},
    {{LOCAL "/W/m", INTS(200000000)}, "to 100000000"},
    {{LOCAL "/W/n", INTS(4)}, "from 3 to 3"},
    {{LOCAL "/W/nz", INTS(-3)}, "from -2"},
    {{LOCAL "/W/p", INTS(0, 2, 4)}, "expected 4 numbers, found 3"},
    {{LOCAL "/W/p", INTS(1, 2, 4, 6)}, "found 1 at 0"},
    {{LOCAL "/W/p", INTS(0, 4, 2, 6)}, "found 2 at 2"},
    {{LOCAL "/W/p", INTS(0, 2, 4, 8)}, "from 0 to 7"},
    {{LOCAL "/W/i", REALS(1, 0, 0, 1, 1, 2)}, "expected integers"},
    {{LOCAL "/W/x", REALS(1, 4, 2, NAN, -3, 6)}, "finite numbers, found nan at 3"},
    {{LOCAL "/W/x", INTS(1, 4, 2, 5, -3, 6)}, "expected reals"},
    {{LOCAL "/V/m", INTS(2)}, "from 3 to 3"},
    {{LOCAL "/V/n", INTS(3)}, "from 2 to 2"},
    {{LOCAL "/V/nz", INTS(4)}, NULL},
    {{LOCAL "/R/p", INTS(0, 2, 99)}, "from 0 to 3"},
    {{LOCAL "/vectors/q", REALS(-1, 2)}, "expected 3 numbers, found 2"},
    {{LOCAL "/vectors/q", REALS(-1, 2, INFINITY)}, "found inf at 2"},
    {{LOCAL "/vectors/mu", REALS(0.25, 0.5)}, "expected 1 numbers, found 2"},
    {{LOCAL "/vectors/mu", REALS(-0.25)}, "no negative coefficient, found -0.25"},
    {{LOCAL "/vectors/s", REALS(1)}, "expected 2 numbers, found 1"},
    {{"/solution/r", REALS(1, 2, 3, 4)}, "expected 3 numbers, found 4"},
    {{"/solution/l", REALS(NAN, 0)}, "finite"},
    {{"/guesses/number_of_guesses", INTS(100000000)}, NULL},
    {{"/guesses/number_of_guesses", INTS(-1)}, "from 0"},
};

static void refuse(nsds_context *context, meter *m, const char *name, const char *expected) {
  m->largest = 0;
  nsds_problem_file *file = nsds_problem_read(context, path, NSDS_FORMAT_AUTO);
  if (file) fail_msg("was read: %s", name);
  assert_int_equal(nsds_error(context), NSDS_ERROR_FORMAT);
  assert_says(nsds_error_message(context), path, name, "expected", expected, NULL);
  assert_true(m->largest < 1 << 17);
  nsds_error_clear(context);
}

static void test_replaced(void **unused) {
  (void)unused;
  meter m = {0};
  nsds_context *context = metered_context(&m);
  for (size_t k = 0; k < COUNT(replaced); ++k) {
    const char *name = replaced[k].instead.name;
    make_file(context, path, &replaced[k].instead, NULL);
    if (strcmp(name, "/guesses/number_of_guesses") == 0 && !replaced[k].expected)
      name = "/guesses/3"; /* the first that is not there */
    if (strcmp(name, LOCAL "/V/nz") == 0) name = LOCAL "/V/p";
    refuse(context, &m, name, replaced[k].expected);
  }
  make_file(context, path, &(item){LOCAL "/W/i", INTS(1, 0, 0, 3, 1, 2)}, NULL);
  refuse(context, &m, LOCAL "/W", "found (1,3)");
  make_file(context, path, &(item){LOCAL "/V/p", INTS(0, -1, 0)}, NULL);
  refuse(context, &m, LOCAL "/V", "found (1,-1)");
  nsds_context_destroy(context);
  assert_int_equal(m.live, 0);
}

static void test_left_out(void **unused) {
  (void)unused;
  static const struct {
    const char *left_out, *name, *expected;
  } cases[] = {{LOCAL, "/", "fclib_local"},
               {LOCAL "/spacedim", LOCAL "/spacedim", "found none"},
               {LOCAL "/W", LOCAL "/W/m", "found none"},
               {LOCAL "/W/x", LOCAL "/W/x", "found none"},
               {LOCAL "/V", LOCAL, "both V and R or none, found R"},
               {LOCAL "/R", LOCAL, "both V and R or none, found V"},
               {LOCAL "/vectors", LOCAL "/vectors/q", "found none"},
               {LOCAL "/vectors/s", LOCAL "/vectors/s", "found none"},
               {"/solution/l", "/solution/l", "found none"},
               {"/guesses/number_of_guesses", "/guesses/number_of_guesses", "found none"},
               {"/guesses/2", "/guesses/2", "expected 2 guesses with a vector r, found 1"}};
  meter m = {0};
  nsds_context *context = metered_context(&m);
  for (size_t k = 0; k < COUNT(cases); ++k) {
    make_file(context, path, NULL, cases[k].left_out);
    refuse(context, &m, cases[k].name, cases[k].expected);
  }
  make_file(context, path, NULL, "/solution/r"); /* a solution without impulses is none */
  nsds_problem_file *file = nsds_problem_read(context, path, NSDS_FORMAT_AUTO);
  assert_non_null(file);
  assert_null(nsds_problem_file_solution(file));
  nsds_problem_file_destroy(file);
  nsds_context_destroy(context);
  assert_int_equal(m.live, 0);
}

static void test_no_problem(void **unused) {
  (void)unused;
  nsds_context *context = nsds_context_create(NULL);
  nsds_h5 h5;
  nsds_h5_create(context, path, &h5);
  nsds_h5_put_group(&h5, "/fclib_other");
  nsds_h5_close(&h5);
  assert_null(nsds_problem_read(context, path, NSDS_FORMAT_AUTO));
  assert_int_equal(nsds_error(context), NSDS_ERROR_FORMAT);
  assert_says(nsds_error_message(context), "fclib_local", "fclib_global", NULL);
  nsds_error_clear(context);
  put_file(path, "3\n0\n", 4);
  assert_null(nsds_problem_read(context, path, NSDS_FORMAT_FCLIB));
  assert_int_equal(nsds_error(context), NSDS_ERROR_FORMAT);
  assert_says(nsds_error_message(context), path, "expected an HDF5 file", NULL);
  nsds_error_clear(context);
  assert_null(nsds_problem_read(context, "no_such_file.hdf5", NSDS_FORMAT_FCLIB));
  assert_int_equal(nsds_error(context), NSDS_ERROR_IO);
  nsds_context_destroy(context);
}

/* Data sets that say they hold a lot, of which nothing was written. */
static void test_announced(void **unused) {
  (void)unused;
  static const char name[] = LOCAL "/vectors/q";
  meter m = {0};
  nsds_context *context = metered_context(&m);
  for (int chunked = 0; chunked < 2; ++chunked) {
    make_file(context, path, NULL, name);
    hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT), plist = H5Pcreate(H5P_DATASET_CREATE);
    hid_t space = H5Screate_simple(1, (hsize_t[]){400000000}, NULL);
    if (chunked) {
      H5Pset_chunk(plist, 1, (hsize_t[]){200000000});
      H5Pset_deflate(plist, 9);
    }
    hid_t set = H5Dcreate2(file, name, H5T_IEEE_F64LE, space, H5P_DEFAULT, plist, H5P_DEFAULT);
    assert_true(set >= 0);
    H5Dclose(set);
    H5Sclose(space);
    H5Pclose(plist);
    H5Fclose(file);
    refuse(context, &m, name, "400000000 numbers are announced");
  }
  nsds_context_destroy(context);
  assert_int_equal(m.live, 0);
}

/* ---- damaged files ---- */

static void test_truncated(void **unused) {
  (void)unused;
  meter m = {0};
  nsds_context *context = metered_context(&m);
  make_file(context, path, NULL, NULL);
  size_t size;
  char *data = get_file(path, &size);
  for (size_t cut = 8; cut < size; cut += 97) {
    put_file(path, data, cut);
    assert_null(nsds_problem_read(context, path, NSDS_FORMAT_AUTO));
    assert_int_equal(nsds_error(context), NSDS_ERROR_FORMAT);
    nsds_error_clear(context);
  }
  free(data);
  nsds_context_destroy(context);
  assert_int_equal(m.live, 0);
}

/* Bytes changed at random, always in the same way: read or refused. */
static void test_damaged(void **unused) {
  (void)unused;
  uint64_t state = 11;
  meter m = {0};
  nsds_context *context = metered_context(&m);
  make_file(context, path, NULL, NULL);
  size_t size;
  char *data = get_file(path, &size), *copy = malloc(size);
  assert_non_null(copy);
  for (int round = 0; round < 400; ++round) {
    memcpy(copy, data, size);
    for (int k = 0; k < 1 + round % 8; ++k) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      copy[8 + (state >> 33) % (size - 8)] = (char)(state >> 20);
    }
    put_file(path, copy, size);
    nsds_problem_file *file = nsds_problem_read(context, path, NSDS_FORMAT_AUTO);
    if (file)
      assert_int_equal(nsds_problem_check(context, nsds_problem_file_problem(file)), NSDS_OK);
    assert_true(file ? !nsds_error(context) : nsds_error(context) == NSDS_ERROR_FORMAT);
    nsds_problem_file_destroy(file);
    nsds_error_clear(context);
  }
  free(copy);
  free(data);
  nsds_context_destroy(context);
  assert_int_equal(m.live, 0);
}

/* ---- writing ---- */

static void test_not_written(void **unused) {
  (void)unused;
  static const double M[] = {4, 2, 0, 7, 0, 1, 5, -3, 0, 8, 0, 0, 6,
                             9, 0, 7, 0, 9, 1, 2, 0,  8, 0, 0, 3};
  static const double q[] = {-1, 2, -3, -4, 5};
  double x[25];
  memcpy(x, M, sizeof x);
  nsds_block block[] = {{.set = NSDS_SET_COULOMB, .size = 3},
                        {.set = NSDS_SET_EQUALITY, .size = 2}};
  nsds_problem problem = {
      .n = 5, .nblock = 2, .block = block, .q = q, .M = {.storage = NSDS_DENSE, .n = 5, .x = x}};
  nsds_context *context = nsds_context_create(NULL);
  x[4] = 1.0; /* M(4,0), where M(0,4) is 0 */
  assert_int_equal(nsds_problem_write(context, &problem, NULL, "refused.hdf5", 0),
                   NSDS_ERROR_UNSUPPORTED);
  assert_says(nsds_error_message(context), "M(4,0) is 1, M(0,4) is 0", NULL);
  nsds_error_clear(context);
  block[0] = (nsds_block){.set = NSDS_SET_NONNEGATIVE, .size = 2};
  block[1] = (nsds_block){.set = NSDS_SET_COULOMB, .size = 3};
  assert_int_equal(nsds_problem_write(context, &problem, NULL, "refused.hdf5", 0),
                   NSDS_ERROR_UNSUPPORTED);
  assert_says(nsds_error_message(context), "block[0] is NONNEGATIVE of size 2", "and EQUALITY",
              NULL);
  nsds_error_clear(context);
  assert_int_equal(nsds_problem_write(context, &problem, NULL, "no/such/folder.hdf5", 0),
                   NSDS_ERROR_UNSUPPORTED);
  nsds_error_clear(context);
  x[4] = 0.0;
  block[0] = (nsds_block){.set = NSDS_SET_COULOMB, .size = 3};
  block[1] = (nsds_block){.set = NSDS_SET_EQUALITY, .size = 2};
  assert_int_equal(nsds_problem_write(context, &problem, NULL, "no/such/folder.hdf5", 0),
                   NSDS_ERROR_IO);
  nsds_context_destroy(context);
}

/* Runs last: all that came before has closed what it opened. */
static void test_nothing_open(void **open_before) {
  assert_int_equal(count_open(), *(long *)*open_before);
}

int main(void) {
  H5open();
  long open_before = count_open();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_replaced),
      cmocka_unit_test(test_left_out),
      cmocka_unit_test(test_no_problem),
      cmocka_unit_test(test_announced),
      cmocka_unit_test(test_truncated),
      cmocka_unit_test(test_damaged),
      cmocka_unit_test(test_not_written),
      cmocka_unit_test_prestate(test_nothing_open, &open_before),
  };
  int failed = cmocka_run_group_tests_name("io.fclib_refused", tests, NULL, NULL);
  remove(path);
  return failed;
}

#else

int main(void) {
  printf("skipped: built without HDF5\n");
  return 0;
}

#endif
