/*
 * FCLIB files of rolling friction, local and global, and with one triangle of M.
 */
#include "fclib_sample.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if NSDS_HAVE_HDF5

static const char path[] = "fclib_forms.hdf5";

/* ---- rolling friction, one triangle ---- */

#define EYE(n)                                                                                     \
  " 2 " #n " " #n " 1\nbanner\ntriplet: " #n "-by-" #n                                             \
  ", nzmax: 5 nnz: 3\n0 0 : 1\n1 1 : 2\n2 2 : 3\n"

static void test_rolling(void **unused) {
  (void)unused;
  static const char *const texts[] = {"3 1" EYE(3) "1 2 3 0.5 0.125",
                                      "5 1" EYE(5) "1 2 3 4 5 0.5 0.125",
                                      "3 1" EYE(3) EYE(3) "1 2 3  4 5 6  0.5 0.125"};
  nsds_context *context = nsds_context_create(NULL);
  for (size_t k = 0; k < COUNT(texts); ++k) {
    nsds_problem_file *file = must_read(context, texts[k], NSDS_FORMAT_AUTO);
    const nsds_global_problem *global = nsds_problem_file_global(file);
    const nsds_problem *local = nsds_problem_file_problem(file);
    if (global) nsds_global_write(context, global, path, NSDS_FORMAT_AUTO);
    else nsds_problem_write(context, local, path, NSDS_FORMAT_AUTO);
    nsds_problem_file *found = nsds_problem_read(context, path);
    if (!found) fail_msg("%s", nsds_error_message(context));
    assert_string_equal(nsds_problem_file_kind(found), nsds_problem_file_kind(file));
    const nsds_block *block =
        global ? nsds_problem_file_global(found)->block : nsds_problem_file_problem(found)->block;
    assert_int_equal(block->set, NSDS_SET_ROLLING);
    assert_true(block->mu == 0.5 && block->mu_rolling == 0.125);
    if (local) assert_same_problem(local, nsds_problem_file_problem(found));
    nsds_problem_file_destroy(found);
    nsds_problem_file_destroy(file);
  }
  nsds_context_destroy(context);
}

static void keep_log(nsds_log_level level, const char *message, void *user) {
  if (level == NSDS_LOG_WARNING) snprintf(user, 256, "%s", message);
}

#define GLOBAL "/fclib_global"

static void make_triangle(nsds_context *context, bool lower) {
  const item items[] = {{GLOBAL, GROUP},
                        {GLOBAL "/spacedim", INTS(2)},
                        {GLOBAL "/M", GROUP},
                        {GLOBAL "/M/m", INTS(2)},
                        {GLOBAL "/M/n", INTS(2)},
                        {GLOBAL "/M/nz", INTS(3)},
                        {GLOBAL "/M/i", INTS(0, lower ? 1 : 0, 1)},
                        {GLOBAL "/M/p", INTS(0, lower ? 0 : 1, 1)},
                        {GLOBAL "/M/x", REALS(4, 1, 5)},
                        {GLOBAL "/H", GROUP},
                        {GLOBAL "/H/m", INTS(2)},
                        {GLOBAL "/H/n", INTS(2)},
                        {GLOBAL "/H/nz", INTS(2)},
                        {GLOBAL "/H/i", INTS(0, 1)},
                        {GLOBAL "/H/p", INTS(0, 1)},
                        {GLOBAL "/H/x", REALS(1, 1)},
                        {GLOBAL "/vectors", GROUP},
                        {GLOBAL "/vectors/f", REALS(1, 2)},
                        {GLOBAL "/vectors/w", REALS(3, 4)},
                        {GLOBAL "/vectors/mu", REALS(0.5)}};
  make_items(context, path, items, COUNT(items), NULL, NULL);
}

/* The global check would refuse M otherwise, as not symmetric. */
static void test_triangle(void **unused) {
  (void)unused;
  for (int lower = 0; lower < 2; ++lower) {
    char said[256] = "";
    nsds_context *context =
        nsds_context_create(&(nsds_context_def){.log = keep_log, .log_user = said});
    make_triangle(context, lower);
    nsds_problem_file *file = nsds_problem_read(context, path);
    if (!file) fail_msg("%s", nsds_error_message(context));
    const nsds_global_problem *problem = nsds_problem_file_global(file);
    assert_int_equal(nsds_global_check(context, problem), NSDS_OK);
    nsds_problem mass = {.n = 2, .M = problem->M};
    double *M = dense_of(&mass);
    assert_same_reals(M, (double[]){4, 1, 1, 5}, 4);
    free(M);
    assert_says(said, GLOBAL "/M", lower ? "lower" : "upper", "symmetric", NULL);
    assert_string_equal(nsds_problem_file_storage(file), "half triplet");
    assert_int_equal(nsds_global_write(context, problem, path, NSDS_FORMAT_AUTO), NSDS_OK);
    said[0] = '\0';
    nsds_problem_file *again = nsds_problem_read(context, path);
    assert_int_equal(nsds_problem_file_matrix(again)->p[2], 4);
    assert_string_equal(said, "");
    nsds_problem_file_destroy(again);
    nsds_problem_file_destroy(file);
    nsds_context_destroy(context);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_rolling),
      cmocka_unit_test(test_triangle),
  };
  int failed = cmocka_run_group_tests_name("io.fclib_forms", tests, NULL, NULL);
  remove(path);
  return failed;
}

#else

int main(void) {
  printf("skipped: built without HDF5\n");
  return 0;
}

#endif
