/*
 * FCLIB files are read in every build: contact.hdf5, written by libhdf5, holds the contact of the
 * text below. Writing needs HDF5.
 */
#include "support.h"

#include <stdio.h>
#include <stdlib.h>

static const char text[] = "3\n1\n0\n3\n3\n3 3\n2 0 0\n0 1 0\n0 0 1\n-1 0.25 0\n0.5\n";

static void test_same_problem(void **unused) {
  (void)unused;
  nsds_context *context = nsds_context_create(NULL);
  nsds_problem_file *of_text = must_read(context, text, NSDS_FORMAT_FRICTION);
  nsds_problem_file *of_hdf5 =
      nsds_problem_read(context, NSDS_TEST_SOURCE "/contact.hdf5", NSDS_FORMAT_AUTO);
  if (!of_hdf5) fail_msg("%s", nsds_error_message(context));
  const nsds_problem *a = nsds_problem_file_problem(of_text);
  const nsds_problem *b = nsds_problem_file_problem(of_hdf5);
  assert_int_equal(nsds_problem_check(context, b), NSDS_OK);
  assert_int_equal(b->n, 3);
  assert_int_equal(b->nblock, 1);
  assert_int_equal(b->block[0].set, NSDS_SET_COULOMB);
  assert_true(b->block[0].mu == 0.5);
  double *A = dense_of(a), *B = dense_of(b);
  assert_memory_equal(A, B, 9 * sizeof *A);
  assert_memory_equal(a->q, b->q, 3 * sizeof *a->q);
  free(A);
  free(B);
  nsds_problem_file_destroy(of_text);
  nsds_problem_file_destroy(of_hdf5);
  nsds_context_destroy(context);
}

static void test_writing(void **unused) {
  (void)unused;
  nsds_context *context = nsds_context_create(NULL);
  nsds_problem_file *file = must_read(context, text, NSDS_FORMAT_FRICTION);
  nsds_status status = nsds_problem_write(context, nsds_problem_file_problem(file), NULL,
                                          "reading.hdf5", NSDS_FORMAT_AUTO);
  assert_int_equal(status, NSDS_HAVE_HDF5 ? NSDS_OK : NSDS_ERROR_UNSUPPORTED);
  if (status) assert_says(nsds_error_message(context), "reading.hdf5", "NSDS_WITH_HDF5", NULL);
  remove("reading.hdf5");
  nsds_problem_file_destroy(file);
  nsds_context_destroy(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_same_problem),
      cmocka_unit_test(test_writing),
  };
  return cmocka_run_group_tests_name("io.fclib_reading", tests, NULL, NULL);
}
