/*
 * FCLIB files made here: matrices in the three storages, equality rows, stored points; what is
 * wrong in them is refused by name; damaged files, files that announce too much, several threads.
 */
#include "support.h"

#include "hdf5_file.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if NSDS_HAVE_HDF5

/* libhdf5 1.10 leaks a little when it refuses a damaged file. What is ours to close is counted
 * instead, see count_open(). */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void) { return "leak:libhdf5"; }

/* Things of libhdf5 that are open. */
static long count_open(void) {
  static const H5I_type_t types[] = {H5I_FILE,      H5I_GROUP,   H5I_DATATYPE,
                                     H5I_DATASPACE, H5I_DATASET, H5I_GENPROP_LST};
  long count = 0;
  for (size_t k = 0; k < COUNT(types); ++k) {
    hsize_t members = 0;
    if (H5Inmembers(types[k], &members) >= 0) count += (long)members;
  }
  return count;
}

/* ---- a file, data set by data set ---- */

/* One contact in 3D and two equalities:
 * W = [4 1 0; 2 5 0; 0 -3 6], V = [7 0; 0 8; 9 0], R = [1 0; 2 3]. */
typedef struct item {
  const char *name;
  size_t count;
  const int *ints;
  const double *reals; /* neither: a group */
} item;

#define INTS(...) sizeof((int[]){__VA_ARGS__}) / sizeof(int), (const int[]){__VA_ARGS__}, NULL
#define REALS(...)                                                                                 \
  sizeof((double[]){__VA_ARGS__}) / sizeof(double), NULL, (const double[]) { __VA_ARGS__ }
#define GROUP 0, NULL, NULL
#define LOCAL "/fclib_local"

static const item base[] = {
    {LOCAL, GROUP},
    {LOCAL "/spacedim", INTS(3)},
    {LOCAL "/W", GROUP}, /* rows, not sorted within a row, with room for more */
    {LOCAL "/W/nzmax", INTS(7)},
    {LOCAL "/W/m", INTS(3)},
    {LOCAL "/W/n", INTS(3)},
    {LOCAL "/W/nz", INTS(-2)},
    {LOCAL "/W/p", INTS(0, 2, 4, 6)},
    {LOCAL "/W/i", INTS(1, 0, 0, 1, 1, 2, 99)},
    {LOCAL "/W/x", REALS(1, 4, 2, 5, -3, 6, 99)},
    {LOCAL "/V", GROUP}, /* triplets: p is the column */
    {LOCAL "/V/nzmax", INTS(3)},
    {LOCAL "/V/m", INTS(3)},
    {LOCAL "/V/n", INTS(2)},
    {LOCAL "/V/nz", INTS(3)},
    {LOCAL "/V/p", INTS(0, 1, 0)},
    {LOCAL "/V/i", INTS(0, 1, 2)},
    {LOCAL "/V/x", REALS(7, 8, 9)},
    {LOCAL "/R", GROUP}, /* columns */
    {LOCAL "/R/nzmax", INTS(3)},
    {LOCAL "/R/m", INTS(2)},
    {LOCAL "/R/n", INTS(2)},
    {LOCAL "/R/nz", INTS(-1)},
    {LOCAL "/R/p", INTS(0, 2, 3)},
    {LOCAL "/R/i", INTS(0, 1, 1)},
    {LOCAL "/R/x", REALS(1, 2, 3)},
    {LOCAL "/vectors", GROUP},
    {LOCAL "/vectors/q", REALS(-1, 2, -3)},
    {LOCAL "/vectors/mu", REALS(0.25)},
    {LOCAL "/vectors/s", REALS(-4, 5)},
    {"/solution", GROUP},
    {"/solution/u", REALS(1, 2, 3)},
    {"/solution/r", REALS(4, 5, 6)},
    {"/solution/l", REALS(7, 8)},
    {"/guesses", GROUP},
    {"/guesses/number_of_guesses", INTS(2)},
    {"/guesses/1", GROUP},
    {"/guesses/1/r", REALS(0, 0, 1)},
    {"/guesses/1/l", REALS(0, 2)},
    {"/guesses/2", GROUP},
    {"/guesses/2/u", REALS(3, 0, 0)},
    {"/guesses/2/r", REALS(0, 4, 0)},
    {"/guesses/2/l", REALS(0, 5)},
};

static const char path[] = "fclib_test.hdf5";

static void put_item(nsds_h5 *h5, const item *what) {
  if (what->ints) nsds_h5_put_ints(h5, what->name, what->count, what->ints);
  else if (what->reals) nsds_h5_put_reals(h5, what->name, what->count, what->reals);
  else nsds_h5_put_group(h5, what->name);
}

/* Whether `name` is `left_out` or lies in it. */
static bool lies_in(const char *name, const char *left_out) {
  size_t size = left_out ? strlen(left_out) : 0;
  return left_out && strncmp(name, left_out, size) == 0 && (!name[size] || name[size] == '/');
}

/* The base without `left_out`, with `instead` in the place of the item of its name. */
static void make_file(nsds_context *context, const item *instead, const char *left_out) {
  nsds_h5 h5;
  nsds_h5_create(context, path, &h5);
  for (size_t k = 0; k < COUNT(base); ++k) {
    if (lies_in(base[k].name, left_out)) continue;
    put_item(&h5, instead && strcmp(instead->name, base[k].name) == 0 ? instead : &base[k]);
  }
  assert_int_equal(nsds_h5_close(&h5), NSDS_OK);
}

/* ---- good files ---- */

static const double M[] = {4, 2, 0, 7, 0, 1, 5, -3, 0, 8, 0, 0, 6,
                           9, 0, 7, 0, 9, 1, 2, 0,  8, 0, 0, 3};
static const double q[] = {-1, 2, -3, -4, 5};

static void test_mixed(void **unused) {
  (void)unused;
  nsds_context *context = nsds_context_create(NULL);
  make_file(context, NULL, NULL);
  nsds_problem_file *file = nsds_problem_read(context, path);
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
  make_file(context, NULL, NULL);
  nsds_problem_file *file = nsds_problem_read(context, path);
  const nsds_problem *problem = nsds_problem_file_problem(file);
  nsds_problem dense = *problem;
  dense.M = (nsds_matrix){.storage = NSDS_DENSE, .n = 5, .x = M};
  const nsds_problem *both[] = {problem, &dense};
  for (int k = 0; k < 2; ++k) {
    if (nsds_problem_write(context, both[k], "fclib_again.hdf5", NSDS_FORMAT_AUTO))
      fail_msg("%s", nsds_error_message(context));
    nsds_problem_file *again = nsds_problem_read(context, "fclib_again.hdf5");
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
    nsds_problem_file *file = nsds_problem_read(context, path);
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

/* ---- refused ---- */

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
  nsds_problem_file *file = nsds_problem_read(context, path);
  if (file) fail_msg("was read: %s", name);
  assert_int_equal(nsds_error(context), NSDS_ERROR_FORMAT);
  assert_says(nsds_error_message(context), path, name, "expected", expected, NULL);
  assert_true(m->largest < 1 << 16);
  nsds_error_clear(context);
}

static void test_replaced(void **unused) {
  (void)unused;
  meter m = {0};
  nsds_context *context = metered_context(&m);
  for (size_t k = 0; k < COUNT(replaced); ++k) {
    const char *name = replaced[k].instead.name;
    make_file(context, &replaced[k].instead, NULL);
    if (strcmp(name, "/guesses/number_of_guesses") == 0 && !replaced[k].expected)
      name = "/guesses/3"; /* the first that is not there */
    if (strcmp(name, LOCAL "/V/nz") == 0) name = LOCAL "/V/p";
    refuse(context, &m, name, replaced[k].expected);
  }
  make_file(context, &(item){LOCAL "/W/i", INTS(1, 0, 0, 3, 1, 2)}, NULL);
  refuse(context, &m, LOCAL "/W", "found (1,3)");
  make_file(context, &(item){LOCAL "/V/p", INTS(0, -1, 0)}, NULL);
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
    make_file(context, NULL, cases[k].left_out);
    refuse(context, &m, cases[k].name, cases[k].expected);
  }
  make_file(context, NULL, "/solution/r"); /* a solution without impulses is none */
  nsds_problem_file *file = nsds_problem_read(context, path);
  assert_non_null(file);
  assert_null(nsds_problem_file_solution(file));
  nsds_problem_file_destroy(file);
  nsds_context_destroy(context);
  assert_int_equal(m.live, 0);
}

static void test_global(void **unused) {
  (void)unused;
  nsds_context *context = nsds_context_create(NULL);
  nsds_h5 h5;
  nsds_h5_create(context, path, &h5);
  nsds_h5_put_group(&h5, "/fclib_global");
  nsds_h5_close(&h5);
  assert_null(nsds_problem_read(context, path));
  assert_int_equal(nsds_error(context), NSDS_ERROR_UNSUPPORTED);
  assert_says(nsds_error_message(context), "global", "fclib_local", NULL);
  nsds_error_clear(context);
  put_file(path, "3\n0\n", 4);
  assert_null(nsds_problem_read_as(context, path, NSDS_FORMAT_FCLIB));
  assert_int_equal(nsds_error(context), NSDS_ERROR_FORMAT);
  assert_says(nsds_error_message(context), path, "expected an HDF5 file", NULL);
  nsds_error_clear(context);
  assert_null(nsds_problem_read_as(context, "no_such_file.hdf5", NSDS_FORMAT_FCLIB));
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
    make_file(context, NULL, name);
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
    refuse(context, &m, name, "expected 400000000 numbers");
  }
  nsds_context_destroy(context);
  assert_int_equal(m.live, 0);
}

static void test_lists_refused(void **unused) {
  (void)unused;
  double x[25];
  memcpy(x, M, sizeof x);
  nsds_block block[] = {{.set = NSDS_SET_COULOMB, .size = 3},
                        {.set = NSDS_SET_EQUALITY, .size = 2}};
  nsds_problem problem = {
      .n = 5, .nblock = 2, .block = block, .q = q, .M = {.storage = NSDS_DENSE, .n = 5, .x = x}};
  nsds_context *context = nsds_context_create(NULL);
  x[4] = 1.0; /* M(4,0), where M(0,4) is 0 */
  assert_int_equal(nsds_problem_write(context, &problem, "refused.hdf5", 0),
                   NSDS_ERROR_UNSUPPORTED);
  assert_says(nsds_error_message(context), "M(4,0) is 1, M(0,4) is 0", NULL);
  nsds_error_clear(context);
  block[0] = (nsds_block){.set = NSDS_SET_EQUALITY, .size = 2};
  block[1] = (nsds_block){.set = NSDS_SET_COULOMB, .size = 3};
  assert_int_equal(nsds_problem_write(context, &problem, "refused.hdf5", 0),
                   NSDS_ERROR_UNSUPPORTED);
  assert_says(nsds_error_message(context), "block[1] is COULOMB", "behind them EQUALITY", NULL);
  nsds_error_clear(context);
  assert_int_equal(nsds_problem_write(context, &problem, "no/such/folder.hdf5", 0),
                   NSDS_ERROR_UNSUPPORTED);
  nsds_error_clear(context);
  x[4] = 0.0;
  block[0] = (nsds_block){.set = NSDS_SET_COULOMB, .size = 3};
  block[1] = (nsds_block){.set = NSDS_SET_EQUALITY, .size = 2};
  assert_int_equal(nsds_problem_write(context, &problem, "no/such/folder.hdf5", 0), NSDS_ERROR_IO);
  nsds_context_destroy(context);
}

static bool read_path(nsds_context *context, const void *unused) {
  (void)unused;
  nsds_problem_file *file = nsds_problem_read(context, path);
  nsds_problem_file_destroy(file);
  return file != NULL;
}

static bool write_path(nsds_context *context, const void *problem) {
  return nsds_problem_write(context, problem, path, NSDS_FORMAT_FCLIB) == NSDS_OK;
}

static void test_faults(void **unused) {
  (void)unused;
  nsds_context *context = nsds_context_create(NULL);
  make_file(context, NULL, NULL);
  sweep_faults(read_path, NULL);
  nsds_problem_file *file = nsds_problem_read(context, path);
  sweep_faults(write_path, nsds_problem_file_problem(file));
  nsds_problem_file_destroy(file);
  nsds_context_destroy(context);
}

/* ---- damaged files, the surroundings ---- */

static void test_truncated(void **unused) {
  (void)unused;
  meter m = {0};
  nsds_context *context = metered_context(&m);
  make_file(context, NULL, NULL);
  size_t size;
  char *data = get_file(path, &size);
  for (size_t cut = 8; cut < size; cut += 97) {
    put_file(path, data, cut);
    assert_null(nsds_problem_read(context, path));
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
  make_file(context, NULL, NULL);
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
    nsds_problem_file *file = nsds_problem_read(context, path);
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
  assert_null(nsds_problem_read(context, path));
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
    nsds_problem_file *file = nsds_problem_read(context, path);
    read += file != NULL;
    nsds_problem_file_destroy(file);
  }
  nsds_context_destroy(context);
  return (void *)read;
}

static void test_threads(void **unused) {
  (void)unused;
  nsds_context *context = nsds_context_create(NULL);
  make_file(context, NULL, NULL);
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

/* Runs last: all that came before has closed what it opened. */
static void test_nothing_open(void **open_before) {
  assert_int_equal(count_open(), *(long *)*open_before);
}

int main(void) {
  H5open();
  long open_before = count_open();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_mixed),     cmocka_unit_test(test_written),
      cmocka_unit_test(test_storages),  cmocka_unit_test(test_replaced),
      cmocka_unit_test(test_left_out),  cmocka_unit_test(test_global),
      cmocka_unit_test(test_announced), cmocka_unit_test(test_lists_refused),
      cmocka_unit_test(test_faults),    cmocka_unit_test(test_truncated),
      cmocka_unit_test(test_damaged),   cmocka_unit_test(test_printing),
      cmocka_unit_test(test_threads),   cmocka_unit_test_prestate(test_nothing_open, &open_before),
  };
  int failed = cmocka_run_group_tests_name("io.fclib", tests, NULL, NULL);
  remove(path);
  return failed;
}

#else

/* Without HDF5 the message says so, for reading by content and for writing by name. */
static void test_absent(void **unused) {
  (void)unused;
  static const char path[] = "fclib_absent.hdf5";
  nsds_context *context = nsds_context_create(NULL);
  put_file(path, "\x89HDF\r\n\x1a\n and no more", 20);
  assert_null(nsds_problem_read(context, path));
  assert_int_equal(nsds_error(context), NSDS_ERROR_UNSUPPORTED);
  assert_says(nsds_error_message(context), path, "libhdf5-dev", "NSDS_WITH_HDF5=ON", NULL);
  nsds_error_clear(context);
  nsds_problem problem = {.M = {.storage = NSDS_DENSE}};
  assert_int_equal(nsds_problem_write(context, &problem, path, NSDS_FORMAT_AUTO),
                   NSDS_ERROR_UNSUPPORTED);
  remove(path);
  nsds_context_destroy(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_absent)};
  return cmocka_run_group_tests_name("io.fclib", tests, NULL, NULL);
}

#endif
