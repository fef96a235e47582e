/*
 * FCLIB files: matrices in the three storages, equality rows, stored points; written and read
 * again; failing memory, several threads, and what libhdf5 prints.
 */
#include "fclib_sample.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#if NSDS_HAVE_HDF5

static const char path[] = "fclib_test.hdf5";

/* ---- good files ---- */

static const double M[] = {4, 2, 0, 7, 0, 1, 5, -3, 0, 8, 0, 0, 6,
                           9, 0, 7, 0, 9, 1, 2, 0,  8, 0, 0, 3};
static const double q[] = {-1, 2, -3, -4, 5};

static void test_mixed(void **unused) {
  (void)unused;
  nsds_context *context = nsds_context_create(NULL);
  make_file(context, path, NULL, NULL);
  nsds_problem_file *file = nsds_problem_read(context, path, NSDS_FORMAT_AUTO);
  if (!file) fail_msg("%s", nsds_error_message(context));
  const nsds_problem *problem = nsds_problem_file_problem(file);
  assert_string_equal(nsds_problem_file_kind(file), "fc3d");
  assert_string_equal(nsds_problem_file_storage(file), "rows");
  assert_int_equal(nsds_problem_check(context, problem), NSDS_OK);
  assert_int_equal(problem->M.storage, NSDS_CSC);
  assert_int_equal(problem->nblock, 2);
  assert_int_equal(problem->block[0].set, NSDS_SET_COULOMB);
  assert_int_equal(problem->block[0].size, 3);
  assert_true(problem->block[0].mu == 0.25);
  assert_int_equal(problem->block[1].set, NSDS_SET_EQUALITY);
  assert_int_equal(problem->block[1].size, 2);
  double *dense = dense_of(problem);
  assert_same_reals(dense, M, 25);
  free(dense);
  assert_same_reals(problem->q, q, 5);
  const nsds_stored_point *solution = nsds_problem_file_solution(file);
  assert_same_reals(solution->z, (double[]){4, 5, 6, 7, 8}, 5);
  assert_same_reals(solution->w, (double[]){1, 2, 3, 0, 0}, 5);
  assert_int_equal(nsds_problem_file_nguess(file), 2);
  assert_null(nsds_problem_file_guess(file, 0)->w);
  assert_same_reals(nsds_problem_file_guess(file, 0)->z, (double[]){0, 0, 1, 0, 2}, 5);
  assert_same_reals(nsds_problem_file_guess(file, 1)->z, (double[]){0, 4, 0, 0, 5}, 5);
  nsds_problem_file_destroy(file);
  nsds_context_destroy(context);
}

/* Written with V, R and s, in all storages, and read again. */
static void test_written(void **unused) {
  (void)unused;
  nsds_context *context = nsds_context_create(NULL);
  make_file(context, path, NULL, NULL);
  nsds_problem_file *file = nsds_problem_read(context, path, NSDS_FORMAT_AUTO);
  const nsds_problem *problem = nsds_problem_file_problem(file);
  nsds_problem dense = *problem;
  dense.M = (nsds_matrix){.storage = NSDS_DENSE, .n = 5, .x = M};
  const nsds_problem *both[] = {problem, &dense};
  for (int k = 0; k < 2; ++k) {
    if (nsds_problem_write(context, both[k], NULL, "fclib_again.hdf5", NSDS_FORMAT_AUTO))
      fail_msg("%s", nsds_error_message(context));
    nsds_problem_file *again = nsds_problem_read(context, "fclib_again.hdf5", NSDS_FORMAT_AUTO);
    if (!again) fail_msg("%s", nsds_error_message(context));
    assert_same_problem(problem, nsds_problem_file_problem(again));
    assert_null(nsds_problem_file_solution(again));
    assert_int_equal(nsds_problem_file_nguess(again), 0);
    nsds_problem_file_destroy(again);
  }
  remove("fclib_again.hdf5");
  nsds_problem_file_destroy(file);
  nsds_context_destroy(context);
}

/* Every storage of the same W, 2D as well; no V, R, s, points. */
static void test_storages(void **unused) {
  (void)unused;
  static const struct {
    const char *storage;
    int nz, np, n;
    int p[6], i[6];
    double x[6];
  } cases[] = {{"rows", -2, 5, 4, {0, 2, 3, 3, 4}, {0, 1, 1, 2}, {1, 2, 3, 4}},
               {"columns", -1, 5, 4, {0, 1, 3, 4, 4}, {0, 0, 1, 3}, {1, 2, 3, 4}},
               {"triplet", 5, 5, 5, {2, 1, 0, 1, 0}, {3, 0, 0, 1, 0}, {4, 2, 0.5, 3, 0.5}}};
  static const double wanted[] = {1, 0, 0, 0, 2, 3, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0};
  nsds_context *context = nsds_context_create(NULL);
  for (size_t k = 0; k < COUNT(cases); ++k) {
    const item items[] = {{LOCAL, GROUP},
                          {LOCAL "/W", GROUP},
                          {LOCAL "/vectors", GROUP},
                          {LOCAL "/spacedim", INTS(2)},
                          {LOCAL "/W/m", INTS(4)},
                          {LOCAL "/W/n", INTS(4)},
                          {LOCAL "/W/nz", 1, &cases[k].nz, NULL},
                          {LOCAL "/W/p", (size_t)cases[k].np, cases[k].p, NULL},
                          {LOCAL "/W/i", (size_t)cases[k].n, cases[k].i, NULL},
                          {LOCAL "/W/x", (size_t)cases[k].n, NULL, cases[k].x},
                          {LOCAL "/vectors/q", REALS(1, 2, 3, 4)},
                          {LOCAL "/vectors/mu", REALS(0.5, 0)}};
    nsds_h5 h5;
    nsds_h5_create(context, path, &h5);
    for (size_t j = 0; j < COUNT(items); ++j) put_item(&h5, &items[j]);
    assert_int_equal(nsds_h5_close(&h5), NSDS_OK);
    nsds_problem_file *file = nsds_problem_read(context, path, NSDS_FORMAT_AUTO);
    if (!file) fail_msg("%s", nsds_error_message(context));
    assert_string_equal(nsds_problem_file_kind(file), "fc2d");
    assert_string_equal(nsds_problem_file_storage(file), cases[k].storage);
    double *dense = dense_of(nsds_problem_file_problem(file));
    assert_same_reals(dense, wanted, 16);
    free(dense);
    assert_null(nsds_problem_file_solution(file));
    nsds_problem_file_destroy(file);
  }
  nsds_context_destroy(context);
}

static bool read_path(nsds_context *context, const void *unused) {
  (void)unused;
  nsds_problem_file *file = nsds_problem_read(context, path, NSDS_FORMAT_AUTO);
  nsds_problem_file_destroy(file);
  return file != NULL;
}

static bool write_path(nsds_context *context, const void *problem) {
  return nsds_problem_write(context, problem, NULL, path, NSDS_FORMAT_FCLIB) == NSDS_OK;
}

static void test_faults(void **unused) {
  (void)unused;
  nsds_context *context = nsds_context_create(NULL);
  make_file(context, path, NULL, NULL);
  sweep_faults(read_path, NULL);
  nsds_problem_file *file = nsds_problem_read(context, path, NSDS_FORMAT_AUTO);
  sweep_faults(write_path, nsds_problem_file_problem(file));
  nsds_problem_file_destroy(file);
  nsds_context_destroy(context);
}

/* ---- the surroundings ---- */

static herr_t own_print(hid_t stack, void *data) {
  (void)stack;
  ++*(int *)data;
  return 0;
}

/* Errors of libhdf5 are not printed meanwhile, and printed as before afterwards. */
static void test_printing(void **unused) {
  (void)unused;
  int printed = 0;
  H5E_auto2_t handler;
  void *data;
  nsds_context *context = nsds_context_create(NULL);
  H5Eset_auto2(H5E_DEFAULT, own_print, &printed);
  put_file(path, "\x89HDF\r\n\x1a\n and no more", 20);
  assert_null(nsds_problem_read(context, path, NSDS_FORMAT_AUTO));
  assert_int_equal(printed, 0);
  H5Eget_auto2(H5E_DEFAULT, &handler, &data);
  assert_true(handler == own_print);
  assert_ptr_equal(data, &printed);
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  nsds_context_destroy(context);
}

static void *read_often(void *unused) {
  (void)unused;
  nsds_context *context = nsds_context_create(NULL);
  long read = 0;
  for (int k = 0; k < 50; ++k) {
    nsds_problem_file *file = nsds_problem_read(context, path, NSDS_FORMAT_AUTO);
    read += file != NULL;
    nsds_problem_file_destroy(file);
  }
  nsds_context_destroy(context);
  return (void *)read;
}

static void test_threads(void **unused) {
  (void)unused;
  nsds_context *context = nsds_context_create(NULL);
  make_file(context, path, NULL, NULL);
  nsds_context_destroy(context);
  pthread_t thread[4];
  for (size_t k = 0; k < COUNT(thread); ++k)
    assert_int_equal(pthread_create(&thread[k], NULL, read_often, NULL), 0);
  for (size_t k = 0; k < COUNT(thread); ++k) {
    void *read;
    assert_int_equal(pthread_join(thread[k], &read), 0);
    assert_int_equal((long)read, 50);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_mixed),    cmocka_unit_test(test_written),
      cmocka_unit_test(test_storages), cmocka_unit_test(test_faults),
      cmocka_unit_test(test_printing), cmocka_unit_test(test_threads),
  };
  int failed = cmocka_run_group_tests_name("io.fclib", tests, NULL, NULL);
  remove(path);
  return failed;
}

#else

/* Without HDF5 files are read and refused as elsewhere; where one is to be written the message says
 * so. */
static void test_absent(void **unused) {
  (void)unused;
  static const char path[] = "fclib_absent.hdf5";
  nsds_context *context = nsds_context_create(NULL);
  put_file(path, "\x89HDF\r\n\x1a\n and no more", 20);
  assert_null(nsds_problem_read(context, path, NSDS_FORMAT_AUTO));
  assert_int_equal(nsds_error(context), NSDS_ERROR_FORMAT);
  nsds_error_clear(context);
  nsds_problem problem = {.M = {.storage = NSDS_DENSE}};
  assert_int_equal(nsds_problem_write(context, &problem, NULL, path, NSDS_FORMAT_AUTO),
                   NSDS_ERROR_UNSUPPORTED);
  assert_says(nsds_error_message(context), path, "libhdf5-dev", "NSDS_WITH_HDF5=ON", NULL);
  remove(path);
  nsds_context_destroy(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_absent)};
  return cmocka_run_group_tests_name("io.fclib", tests, NULL, NULL);
}

#endif
