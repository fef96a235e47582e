/*
 * FCLIB files of rolling friction, local and global, and with one triangle of M.
 */
#include "fclib_sample.h"

#include <math.h>
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
    nsds_problem_file *file =
        must_read(context, texts[k], k ? NSDS_FORMAT_AUTO : NSDS_FORMAT_ROLLING);
    const nsds_global_problem *global = nsds_problem_file_global(file);
    const nsds_problem *local = nsds_problem_file_problem(file);
    if (global) nsds_global_write(context, global, NULL, path, NSDS_FORMAT_AUTO);
    else nsds_problem_write(context, local, NULL, path, NSDS_FORMAT_AUTO);
    nsds_problem_file *found = nsds_problem_read(context, path, NSDS_FORMAT_AUTO);
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

static void *counted_alloc(size_t size, void *user) {
  ++*(long *)user;
  return malloc(size);
}

static void counted_release(void *memory, void *user) {
  --*(long *)user;
  free(memory);
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
    long live = 0;
    nsds_context *context = nsds_context_create(&(nsds_context_def){.log = keep_log,
                                                                    .log_user = said,
                                                                    .alloc = counted_alloc,
                                                                    .release = counted_release,
                                                                    .alloc_user = &live});
    long before = live;
    make_triangle(context, lower);
    nsds_problem_file *file = nsds_problem_read(context, path, NSDS_FORMAT_AUTO);
    if (!file) fail_msg("%s", nsds_error_message(context));
    const nsds_global_problem *problem = nsds_problem_file_global(file);
    assert_int_equal(nsds_global_check(context, problem), NSDS_OK);
    nsds_problem mass = {.n = 2, .M = problem->M};
    double *M = dense_of(&mass);
    assert_same_reals(M, (double[]){4, 1, 1, 5}, 4);
    free(M);
    assert_says(said, GLOBAL "/M", lower ? "lower" : "upper", "symmetric", NULL);
    assert_string_equal(nsds_problem_file_storage(file), "half triplet");
    assert_int_equal(nsds_global_write(context, problem, NULL, path, NSDS_FORMAT_AUTO), NSDS_OK);
    said[0] = '\0';
    nsds_problem_file *again = nsds_problem_read(context, path, NSDS_FORMAT_AUTO);
    assert_int_equal(nsds_problem_file_matrix(again)->p[2], 4);
    assert_string_equal(said, "");
    nsds_problem_file_destroy(again);
    nsds_problem_file_destroy(file);
    assert_int_equal(live, before);
    nsds_context_destroy(context);
  }
}

/* ---- equality rows between contacts ---- */

/* Rows of the problem: joint, contact, joint of no rows, contact, joint; the file has both contacts
 * first. */
static void test_joints_between_contacts(void **unused) {
  (void)unused;
  static const int row[7] = {1, 2, 4, 5, 0, 3, 6};
  static const nsds_block block[] = {{.set = NSDS_SET_EQUALITY, .size = 1},
                                     {.set = NSDS_SET_COULOMB, .size = 2, .mu = 0.25},
                                     {.set = NSDS_SET_EQUALITY, .size = 1},
                                     {.set = NSDS_SET_EQUALITY},
                                     {.set = NSDS_SET_COULOMB, .size = 2, .mu = 0.5},
                                     {.set = NSDS_SET_EQUALITY, .size = 1}};
  double M[49], q[7], z[7], w[7], again_w[7];
  for (int i = 0; i < 7; ++i) {
    for (int j = 0; j < 7; ++j) M[i + 7 * j] = i == j ? 5.0 + i : 1.0 / (1 + i + j);
    q[i] = i - 3.0 / 7;
    z[i] = 1.0 / (3 + i);
    w[i] = block[i == 0 ? 0 : 1].set == NSDS_SET_EQUALITY || i == 3 || i == 6 ? 0.0 : 0.1 * i;
  }
  const nsds_problem problem = {
      .n = 7, .nblock = 6, .block = block, .M = {.storage = NSDS_DENSE, .n = 7, .x = M}, .q = q};
  const nsds_stored_point point = {.z = z, .w = w};
  const nsds_notes notes = {.solution = &point, .guess = &point, .nguess = 1};
  nsds_context *context = nsds_context_create(NULL);
  if (nsds_problem_write(context, &problem, &notes, path, NSDS_FORMAT_AUTO))
    fail_msg("%s", nsds_error_message(context));
  nsds_problem_file *file = nsds_problem_read(context, path, NSDS_FORMAT_AUTO);
  if (!file) fail_msg("%s", nsds_error_message(context));
  const nsds_problem *found = nsds_problem_file_problem(file);
  assert_int_equal(found->nblock, 3);
  assert_true(found->block[0].mu == 0.25 && found->block[1].mu == 0.5);
  assert_int_equal(found->block[2].size, 3);
  double *dense = dense_of(found);
  for (int i = 0; i < 7; ++i) {
    for (int j = 0; j < 7; ++j) assert_true(dense[i + 7 * j] == M[row[i] + 7 * row[j]]);
    assert_true(found->q[i] == q[row[i]]);
    again_w[i] = w[row[i]];
  }
  free(dense);
  const nsds_stored_point *points[] = {nsds_problem_file_solution(file),
                                       nsds_problem_file_guess(file, 0)};
  for (int k = 0; k < 2; ++k) {
    for (int i = 0; i < 7; ++i) assert_true(points[k]->z[i] == z[row[i]]);
    assert_same_reals(points[k]->w, again_w, 7);
  }
  nsds_problem_file_destroy(file);
  M[0 + 7 * 4] = 9.0; /* of a joint and a contact, named as the problem has them */
  assert_int_equal(nsds_problem_write(context, &problem, NULL, path, NSDS_FORMAT_AUTO),
                   NSDS_ERROR_UNSUPPORTED);
  assert_says(nsds_error_message(context), "M(0,4) is 9, M(4,0) is 0.2", NULL);
  nsds_context_destroy(context);
}

/* Joints and contacts of bodies, whose M = H M^-1 H^T is summed in another order for (i, j) than for
 * (j, i): the entries differ by rounding. The file holds their mean. */
static void joints_that_differ_by_rounding_are_written(void **unused) {
  (void)unused;
  enum { models = 300, rows = 9, bodies = 4, columns = 6 * bodies };
  static const nsds_block block[] = {{.set = NSDS_SET_EQUALITY, .size = 3},
                                     {.set = NSDS_SET_COULOMB, .size = 3, .mu = 0.25},
                                     {.set = NSDS_SET_COULOMB, .size = 3, .mu = 0.5}};
  nsds_context *context = nsds_context_create(NULL);
  unsigned state = 5;
  int differ = 0;
  for (int m = 0; m < models; ++m) {
    double H[rows][columns], inverse[columns], M[rows * rows], q[rows];
    for (int i = 0; i < rows; ++i) {
      q[i] = -1.0;
      for (int k = 0; k < columns; ++k)
        H[i][k] = (double)((state = state * 1103515245u + 12345u) >> 8) * 0x1p-23 - 1.0;
    }
    for (int k = 0; k < columns; ++k) inverse[k] = pow(10.0, k % 7 - 3) / (1.0 + k);
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < rows; ++j) {
        double sum = 0.0;
        for (int k = 0; k < columns; ++k) sum += (H[i][k] * inverse[k]) * H[j][k];
        M[i + rows * j] = sum;
        if (j < i && M[i + rows * j] != M[j + rows * i]) ++differ;
      }
    const nsds_problem problem = {.n = rows,
                                  .nblock = 3,
                                  .block = block,
                                  .q = q,
                                  .M = {.storage = NSDS_DENSE, .n = rows, .x = M}};
    if (nsds_problem_write(context, &problem, NULL, path, NSDS_FORMAT_AUTO))
      fail_msg("%s", nsds_error_message(context));
    nsds_problem_file *file = nsds_problem_read(context, path, NSDS_FORMAT_AUTO);
    if (!file) fail_msg("%s", nsds_error_message(context));
    double *found = dense_of(nsds_problem_file_problem(file));
    for (int i = 0; i < rows; ++i) /* the file has the contacts first */
      for (int j = 0; j < rows; ++j) {
        int a = (i + 6) % rows, b = (j + 6) % rows;
        double size = sqrt(M[i + rows * i] * M[j + rows * j]);
        assert_true(fabs(found[a + rows * b] - M[i + rows * j]) <= 1e-13 * size);
        if ((i < 3) != (j < 3)) assert_true(found[a + rows * b] == found[b + rows * a]);
      }
    free(found);
    nsds_problem_file_destroy(file);
    M[0 + rows * 5] += 1e-9 * sqrt(M[0] * M[5 + rows * 5]); /* more than rounding */
    assert_int_equal(nsds_problem_write(context, &problem, NULL, path, NSDS_FORMAT_AUTO),
                     NSDS_ERROR_UNSUPPORTED);
    nsds_error_clear(context);
  }
  assert_true(differ > models);
  nsds_context_destroy(context);
}

static bool write_moved(nsds_context *context, const void *subject) {
  return !nsds_problem_write(context, subject, NULL, path, NSDS_FORMAT_FCLIB);
}

static void memory_is_short(void **unused) {
  (void)unused;
  static const nsds_block block[] = {{.set = NSDS_SET_EQUALITY, .size = 1},
                                     {.set = NSDS_SET_COULOMB, .size = 2, .mu = 0.25}};
  static const double M[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, q[3] = {1, 2, 3};
  const nsds_problem problem = {
      .n = 3, .nblock = 2, .block = block, .M = {.storage = NSDS_DENSE, .n = 3, .x = M}, .q = q};
  sweep_faults(write_moved, &problem);
}

/* A global problem with its points. */
static void test_global_points(void **unused) {
  (void)unused;
  static const char text[] =
      "nsds 1 velocities 2 equalities 1\nblocks coulomb 2 mu 0.5\nM dense 2 0 0 3\n"
      "H dense 1 0 0 1\nG dense 1 1\nf 1 2\nw 3 4\nb 5\n"
      "guess z 1 2 3 v 4 5\nsolution z 6 7 8 w 9 10 0\nend";
  nsds_context *context = nsds_context_create(NULL);
  nsds_problem_file *file = must_read(context, text, NSDS_FORMAT_AUTO);
  if (nsds_global_write(context, nsds_problem_file_global(file), nsds_problem_file_notes(file),
                        path, NSDS_FORMAT_AUTO))
    fail_msg("%s", nsds_error_message(context));
  nsds_problem_file *found = nsds_problem_read(context, path, NSDS_FORMAT_AUTO);
  const nsds_notes *notes = nsds_problem_file_notes(found);
  assert_int_equal(notes->nguess, 1);
  assert_same_reals(notes->guess[0].z, (double[]){1, 2, 3}, 3);
  assert_same_reals(notes->guess[0].v, (double[]){4, 5}, 2);
  assert_null(notes->guess[0].w);
  assert_same_reals(notes->solution->z, (double[]){6, 7, 8}, 3);
  assert_same_reals(notes->solution->w, (double[]){9, 10, 0}, 3);
  assert_null(notes->solution->v);
  nsds_problem_file_destroy(found);
  nsds_problem_file_destroy(file);
  nsds_context_destroy(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(joints_that_differ_by_rounding_are_written),
      cmocka_unit_test(test_joints_between_contacts),
      cmocka_unit_test(test_global_points),
      cmocka_unit_test(memory_is_short),
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
