/*
 * Writing: problems without a place in a format, each set by its name; calls that are refused; files
 * that cannot be completed; entries at one place whose sum is no number.
 */
#include "io/columns.h"
#include "fclib_sample.h"

#include <nsds/global.h>

#include <stdio.h>
#include <string.h>

static const double zeros[8];
static const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};

/* Blocks of n rows in all, and the identity, of up to three rows. */
static nsds_problem problem_of(const nsds_block *block, int count, int n) {
  return (nsds_problem){.n = n,
                        .nblock = count,
                        .block = block,
                        .q = zeros,
                        .M = {.storage = NSDS_DENSE, .n = n, .x = identity}};
}

static void each_set_is_named(void **unused) {
  (void)unused;
  static const double K[1] = {-1.0}, H[3] = {1.0, 1.0, 1.0};
  static const double low[3] = {-1, -1, -1}, high[3] = {1, 1, 1};
  static const struct {
    nsds_block block;
    const char *name;
  } cases[] = {
      {{.set = NSDS_SET_EQUALITY, .size = 3}, "EQUALITY"},
      {{.set = NSDS_SET_BOX, .size = 3, .lower = low, .upper = high}, "BOX"},
      {{.set = NSDS_SET_DISC, .size = 3, .radius = 1}, "DISC"},
      {{.set = NSDS_SET_CONE, .size = 3, .mu = 1}, "CONE"},
      {{.set = NSDS_SET_COULOMB, .size = 3, .mu = 1}, "COULOMB"},
      {{.set = NSDS_SET_ROLLING, .size = 3, .mu = 1}, "ROLLING"},
      {{.set = NSDS_SET_POLYHEDRON, .size = 3, .nfacet = 1, .H = H, .K = K}, "POLYHEDRON"}};
  nsds_context *context = nsds_context_create(NULL);
  for (size_t k = 0; k < COUNT(cases); ++k) {
    nsds_problem problem = problem_of(&cases[k].block, 1, 3);
    char words[48];
    snprintf(words, sizeof words, "block[0] is %s of size 3", cases[k].name);
    assert_int_equal(nsds_problem_write(context, &problem, NULL, "writing.dat", NSDS_FORMAT_LCP),
                     NSDS_ERROR_UNSUPPORTED);
    assert_says(nsds_error_message(context), words, "holds NONNEGATIVE blocks", NULL);
    nsds_error_clear(context);
  }
  nsds_context_destroy(context);
}

/* Blocks of one format differ; rows of none are nowhere in the way. */
static void mixed_blocks(void **unused) {
  (void)unused;
  const nsds_block plane_and_space[2] = {{.set = NSDS_SET_COULOMB, .size = 2, .mu = 0.25},
                                         {.set = NSDS_SET_COULOMB, .size = 3, .mu = 0.5}};
  const nsds_block rolling[2] = {{.set = NSDS_SET_ROLLING, .size = 3, .mu = 0.25},
                                 {.set = NSDS_SET_ROLLING, .size = 5, .mu = 0.5}};
  const nsds_block both[2] = {{.set = NSDS_SET_COULOMB, .size = 3},
                              {.set = NSDS_SET_ROLLING, .size = 3}};
  static const char *const paths[] = {"writing.dat", "writing.hdf5"};
  nsds_context *context = nsds_context_create(NULL);
  for (size_t k = 0; k < 1 + NSDS_HAVE_HDF5; ++k)
    for (int c = 0; c < 3; ++c) {
      const nsds_block *block = c == 0 ? plane_and_space : c == 1 ? rolling : both;
      int n = block[0].size + block[1].size;
      nsds_problem problem = problem_of(block, 2, n);
      static double M[64];
      memset(M, 0, sizeof M);
      for (int i = 0; i < n; ++i) M[i + i * n] = 1.0;
      problem.M.x = M;
      nsds_format text = c == 0 ? NSDS_FORMAT_FRICTION : NSDS_FORMAT_ROLLING;
      assert_int_equal(nsds_problem_write(context, &problem, NULL, paths[k], k ? 0 : text),
                       NSDS_ERROR_UNSUPPORTED);
      assert_says(nsds_error_message(context), paths[k], "] is ", NULL);
      nsds_error_clear(context);
    }
  const nsds_block sparse[3] = {{.set = NSDS_SET_NONNEGATIVE, .size = 0},
                                {.set = NSDS_SET_COULOMB, .size = 3, .mu = 0.5},
                                {.set = NSDS_SET_ROLLING, .size = 5, .mu = 0.5}};
  nsds_problem problem = problem_of(sparse, 2, 3);
  assert_int_equal(nsds_problem_write(context, &problem, NULL, "writing.dat", 0), NSDS_OK);
  nsds_problem_file *file = nsds_problem_read(context, "writing.dat", NSDS_FORMAT_AUTO);
  assert_string_equal(nsds_problem_file_kind(file), "fc3d");
  assert_true(nsds_problem_file_problem(file)->block[0].mu == 0.5);
  nsds_problem_file_destroy(file);
  remove("writing.dat");
  nsds_context_destroy(context);
}

/* ---- calls ----------------------------------------------------------------------------------- */

static const int p[4] = {0, 1, 2, 3}, rows[3] = {0, 1, 2};
static const nsds_block contact = {.set = NSDS_SET_COULOMB, .size = 3, .mu = 0.25};
static const nsds_global_problem global = {.nv = 3,
                                           .n = 3,
                                           .nblock = 1,
                                           .block = &contact,
                                           .M = {.storage = NSDS_DENSE, .n = 3, .x = identity},
                                           .H = {3, 3, p, rows, identity},
                                           .G = {.nrow = 3},
                                           .f = zeros,
                                           .w = zeros};

static void calls_are_refused(void **unused) {
  (void)unused;
  nsds_context *context = nsds_context_create(NULL);
  assert_int_equal(nsds_global_write(NULL, &global, NULL, "x", 0), NSDS_ERROR_ARGUMENT);
  assert_string_equal(nsds_error_message(NULL), "nsds_global_write: context is NULL");
  assert_int_equal(nsds_global_write(context, NULL, NULL, "x", 0), NSDS_ERROR_ARGUMENT);
  assert_string_equal(nsds_error_message(context), "nsds_global_write: problem is NULL");
  nsds_error_clear(context);
  assert_int_equal(nsds_global_write(context, &global, NULL, NULL, 0), NSDS_ERROR_ARGUMENT);
  assert_string_equal(nsds_error_message(context), "nsds_global_write: path is NULL");
  nsds_error_clear(context);
  assert_int_equal(nsds_global_write(context, &global, NULL, "x", (nsds_format)77),
                   NSDS_ERROR_UNSUPPORTED);
  assert_says(nsds_error_message(context), "the format unknown has no place for a global", NULL);
  nsds_error_clear(context);
  nsds_global_problem bad = global;
  bad.nv = -1;
  assert_int_equal(nsds_global_write(context, &bad, NULL, "x", 0), NSDS_ERROR_SIZE);
  nsds_error_clear(context);
  const nsds_block mixed[2] = {contact, {.set = NSDS_SET_NONNEGATIVE, .size = 0}};
  const nsds_block other[2] = {{.set = NSDS_SET_COULOMB, .size = 2},
                               {.set = NSDS_SET_DISC, .size = 1}};
  bad = global;
  bad.block = other;
  bad.nblock = 2;
  for (size_t k = 0; k < 1 + NSDS_HAVE_HDF5; ++k) {
    assert_int_equal(nsds_global_write(context, &bad, NULL, k ? "x.hdf5" : "x.dat",
                                       k ? NSDS_FORMAT_AUTO : NSDS_FORMAT_GLOBAL),
                     NSDS_ERROR_UNSUPPORTED);
    assert_says(nsds_error_message(context), "block[1] is DISC of size 1", NULL);
    nsds_error_clear(context);
  }
  bad.block = mixed; /* no rows, nothing in the way */
  assert_int_equal(nsds_global_write(context, &bad, NULL, "writing.dat", 0), NSDS_OK);
  nsds_problem_file *file = nsds_problem_read(context, "writing.dat", NSDS_FORMAT_AUTO);
  assert_int_equal(nsds_problem_file_global(file)->nblock, 1);
  nsds_problem_file_destroy(file);
  remove("writing.dat");
  nsds_context_destroy(context);
}

static char told[400];

static void tell(nsds_log_level level, const char *message, void *user) {
  (void)user;
  if (level == NSDS_LOG_WARNING) snprintf(told, sizeof told, "%s", message);
}

/* A format without a place for scale, q_error or points says so; the format that is chosen by itself keeps sizes. */
static void what_is_left_out_is_told(void **unused) {
  (void)unused;
  const double M[] = {2.0}, q[] = {-1.0}, size[] = {3.0};
  const nsds_block block = {.set = NSDS_SET_NONNEGATIVE, .size = 1};
  nsds_context *context = nsds_context_create(&(nsds_context_def){.log = tell});
  for (int kind = 0; kind < 8; ++kind) {
    bool scale = kind & 1, error = kind & 2, points = kind & 4;
    const nsds_problem problem = {.n = 1,
                                  .nblock = 1,
                                  .block = &block,
                                  .M = {.storage = NSDS_DENSE, .n = 1, .x = M},
                                  .q = q,
                                  .scale = scale ? size : NULL,
                                  .q_error = error ? size : NULL};
    const nsds_notes notes = {.nguess = points, .guess = &(nsds_stored_point){.z = q}};
    told[0] = '\0';
    assert_int_equal(nsds_problem_write(context, &problem, &notes, "left.lcp", NSDS_FORMAT_LCP),
                     NSDS_OK);
    assert_true((strstr(told, " scale") != NULL) == scale);
    assert_true((strstr(told, " q_error") != NULL) == error);
    assert_true((strstr(told, " points") != NULL) == points);
    assert_true((told[0] != '\0') == (kind > 0));
    told[0] = '\0';
    assert_int_equal(nsds_problem_write(context, &problem, NULL, "left.lcp", NSDS_FORMAT_AUTO),
                     NSDS_OK);
    nsds_problem_file *file = nsds_problem_read(context, "left.lcp", NSDS_FORMAT_AUTO);
    const nsds_problem *back = nsds_problem_file_problem(file);
    assert_true((back->scale != NULL) == scale && (back->q_error != NULL) == error);
    assert_string_equal(told, "");
    nsds_problem_file_destroy(file);
  }
  remove("left.lcp");
  nsds_context_destroy(context);
}

static nsds_context *logged;
static nsds_problem_file *kept;
static int asked;

static void within(nsds_log_level level, const char *message, void *user) {
  (void)level;
  (void)message;
  (void)user;
  if (asked++) return;
  nsds_problem problem = problem_of(&contact, 1, 3);
  nsds_problem_file_destroy(kept);
  assert_int_equal(nsds_problem_write(logged, &problem, NULL, "x", 0), NSDS_ERROR_STATE);
  assert_int_equal(nsds_global_write(logged, &global, NULL, "x", 0), NSDS_ERROR_STATE);
}

/* In the log handler of a context nothing is written and no file is destroyed. */
static void nothing_is_written_in_a_hook(void **unused) {
  (void)unused;
  logged = nsds_context_create(&(nsds_context_def){.log = within});
  kept = must_read(logged, "1 0 1 1 1 1 2 -1", NSDS_FORMAT_AUTO);
  assert_null(nsds_problem_read(logged, "no such file", NSDS_FORMAT_AUTO));
  assert_int_equal(asked, 1);
  assert_string_equal(nsds_problem_file_kind(kept), "lcp");
  nsds_problem_file_destroy(kept);
  nsds_context_destroy(logged);
}

/* ---- files that cannot be written ------------------------------------------------------------ */

static void a_device_and_a_folder_that_is_not_there(void **unused) {
  (void)unused;
  FILE *full = fopen("/dev/full", "wb");
  if (!full) skip();
  fclose(full);
  nsds_context *context = nsds_context_create(NULL);
  nsds_problem problem = problem_of(&contact, 1, 3);
  assert_int_equal(nsds_problem_write(context, &problem, NULL, "/dev/full", NSDS_FORMAT_FRICTION),
                   NSDS_ERROR_IO);
  assert_says(nsds_error_message(context), "/dev/full: cannot be written: it is a device", NULL);
  nsds_error_clear(context);
  assert_int_equal(nsds_global_write(context, &global, NULL, "/dev/full", NSDS_FORMAT_GLOBAL),
                   NSDS_ERROR_IO);
  assert_says(nsds_error_message(context), "/dev/full: cannot be written: it is a device", NULL);
  nsds_error_clear(context);
  assert_int_equal(nsds_global_write(context, &global, NULL, "no/such/folder.dat", 0),
                   NSDS_ERROR_IO);
  assert_says(nsds_error_message(context),
              "no/such/folder.dat.new: cannot be opened for writing: ", NULL);
  nsds_context_destroy(context);
}

/* ---- sums and sizes beyond all numbers ------------------------------------------------------- */

static void too_many_entries(void **unused) {
  (void)unused;
  nsds_context *context = nsds_context_create(NULL);
  nsds_triplets entries;
  assert_int_equal(nsds_triplets_create(context, 1, 1, (size_t)1 << 31, &entries),
                   NSDS_ERROR_UNSUPPORTED);
  assert_string_equal(nsds_error_message(context), "a sparse matrix of 2147483648 entries: there "
                                                   "may be up to 2147483647");
  nsds_triplets_release(context, &entries);
  nsds_context_destroy(context);
}

/* H of a global text with two entries of 1e308 at one place. */
static void sums_in_texts(void **unused) {
  (void)unused;
  nsds_context *context = nsds_context_create(NULL);
  assert_null(read_string(context,
                          "2 1  0 1 1 1 1 3  2 1 2 1\nbanner\n"
                          "triplet: 1-by-2, nzmax: 2 nnz: 2, 1-norm: 1\n 0 0 : 1e308 0 0 : 1e308\n"
                          "0  0 0  0.5",
                          NSDS_FORMAT_GLOBAL));
  assert_int_equal(nsds_error(context), NSDS_ERROR_FORMAT);
  assert_says(nsds_error_message(context), "entries at one place with a finite sum", NULL);
  nsds_context_destroy(context);
}

#if NSDS_HAVE_HDF5

#define GLOBAL "/fclib_global"
#define LARGE 1e308

static void refused_items(const item *items, size_t count, const char *words) {
  nsds_context *context = nsds_context_create(NULL);
  make_items(context, "writing.hdf5", items, count, NULL, NULL);
  assert_null(nsds_problem_read(context, "writing.hdf5", NSDS_FORMAT_AUTO));
  assert_int_equal(nsds_error(context), NSDS_ERROR_FORMAT);
  assert_says(nsds_error_message(context), words, NULL);
  remove("writing.hdf5");
  nsds_context_destroy(context);
}

static void sums_in_fclib(void **unused) {
  (void)unused;
  const item local[] = {{LOCAL, GROUP},
                        {LOCAL "/spacedim", INTS(2)},
                        {LOCAL "/W", GROUP},
                        {LOCAL "/W/m", INTS(2)},
                        {LOCAL "/W/n", INTS(2)},
                        {LOCAL "/W/nz", INTS(2)},
                        {LOCAL "/W/p", INTS(1, 1)},
                        {LOCAL "/W/i", INTS(1, 1)},
                        {LOCAL "/W/x", REALS(LARGE, LARGE)},
                        {LOCAL "/vectors", GROUP},
                        {LOCAL "/vectors/q", REALS(0, 0)},
                        {LOCAL "/vectors/mu", REALS(1)}};
  refused_items(local, COUNT(local), "expected entries at one place with a finite sum");
  const item whole[] = {{GLOBAL, GROUP},
                        {GLOBAL "/spacedim", INTS(2)},
                        {GLOBAL "/M", GROUP},
                        {GLOBAL "/M/m", INTS(1)},
                        {GLOBAL "/M/n", INTS(1)},
                        {GLOBAL "/M/nz", INTS(2)},
                        {GLOBAL "/M/p", INTS(0, 0)},
                        {GLOBAL "/M/i", INTS(0, 0)},
                        {GLOBAL "/M/x", REALS(LARGE, LARGE)},
                        {GLOBAL "/vectors", GROUP},
                        {GLOBAL "/vectors/f", REALS(0)}};
  refused_items(whole, COUNT(whole), GLOBAL "/M: expected entries at one place with a finite sum");
}

/* Three rows are no contacts in the plane. */
static void rows_that_are_no_contacts(void **unused) {
  (void)unused;
  const item local[] = {{LOCAL, GROUP},
                        {LOCAL "/spacedim", INTS(2)},
                        {LOCAL "/W", GROUP},
                        {LOCAL "/W/m", INTS(3)},
                        {LOCAL "/W/n", INTS(3)},
                        {LOCAL "/W/nz", INTS(1)},
                        {LOCAL "/W/p", INTS(1)},
                        {LOCAL "/W/i", INTS(1)},
                        {LOCAL "/W/x", REALS(1)},
                        {LOCAL "/vectors", GROUP},
                        {LOCAL "/vectors/q", REALS(0, 0, 0)},
                        {LOCAL "/vectors/mu", REALS(1)}};
  refused_items(local, COUNT(local), LOCAL "/W/m: expected a multiple of spacedim, 2, found 3");
}

/* What libhdf5 cannot add is told with its name, and nothing more is written after it. */
static void names_that_are_taken(void **unused) {
  (void)unused;
  nsds_context *context = nsds_context_create(NULL);
  for (int kind = 0; kind < 3; ++kind) {
    nsds_h5 h5;
    assert_int_equal(nsds_h5_create(context, "writing.hdf5", &h5), NSDS_OK);
    assert_int_equal(nsds_h5_put_group(&h5, "/a"), NSDS_OK);
    if (kind == 0) nsds_h5_put_group(&h5, "/a");
    if (kind == 1) nsds_h5_put_ints(&h5, "/a", 3, rows);
    if (kind == 2) nsds_h5_put_reals(&h5, "/a", 3, zeros);
    assert_int_equal(nsds_error(context), NSDS_ERROR_IO);
    assert_string_equal(nsds_error_message(context), "writing.hdf5: /a cannot be written");
    nsds_error_clear(context);
    assert_int_equal(nsds_h5_put_group(&h5, "/b"), NSDS_ERROR_IO);
    assert_int_equal(nsds_h5_put_ints(&h5, "/b", 3, rows), NSDS_ERROR_IO);
    assert_int_equal(nsds_h5_close(&h5), NSDS_ERROR_IO);
    assert_null(fopen("writing.hdf5", "rb"));
    assert_int_equal(H5Fget_obj_count((hid_t)H5F_OBJ_ALL, H5F_OBJ_ALL), 0);
  }
  nsds_context_destroy(context);
}

/* An empty name is no file for libhdf5 either. */
static void a_file_without_name(void **unused) {
  (void)unused;
  nsds_context *context = nsds_context_create(NULL);
  nsds_problem problem = problem_of(&contact, 1, 3);
  assert_int_equal(nsds_problem_write(context, &problem, NULL, "", NSDS_FORMAT_FCLIB),
                   NSDS_ERROR_IO);
  nsds_error_clear(context);
  assert_int_equal(nsds_global_write(context, &global, NULL, "", NSDS_FORMAT_FCLIB), NSDS_ERROR_IO);
  assert_int_equal(H5Fget_obj_count((hid_t)H5F_OBJ_ALL, H5F_OBJ_ALL), 0);
  nsds_context_destroy(context);
}

#endif

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(each_set_is_named),
    cmocka_unit_test(mixed_blocks),
    cmocka_unit_test(calls_are_refused),
    cmocka_unit_test(what_is_left_out_is_told),
    cmocka_unit_test(nothing_is_written_in_a_hook),
    cmocka_unit_test(a_device_and_a_folder_that_is_not_there),
    cmocka_unit_test(too_many_entries),
    cmocka_unit_test(sums_in_texts),
#if NSDS_HAVE_HDF5
    cmocka_unit_test(sums_in_fclib),
    cmocka_unit_test(rows_that_are_no_contacts),
    cmocka_unit_test(names_that_are_taken),
    cmocka_unit_test(a_file_without_name),
#endif
  };
  return cmocka_run_group_tests_name("io.writing", tests, NULL, NULL);
}
