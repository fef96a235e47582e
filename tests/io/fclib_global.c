/*
 * Global friction problems in FCLIB files: a sample read number by number, whole, changed and
 * cut; generated problems written, read back and solved; what has no place in a file. With a path
 * as its argument the program writes a sample there.
 */
#include "fclib_sample.h"
#include "globals.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if NSDS_HAVE_HDF5

#define GLOBAL "/fclib_global"

static const char path[] = "fclib_global.hdf5";

/* A body in the plane, turning prevented: M = [2 0 0.5; 0 2 0; 0.5 0 1] in rows, not sorted within
 * a row, with room for more; H = [0 1; 1 0; 0.5 1] in columns; G = (0, 0, 1) in triplets. */
static const item base[] = {
    {GLOBAL, GROUP},
    {GLOBAL "/spacedim", INTS(2)},
    {GLOBAL "/M", GROUP},
    {GLOBAL "/M/nzmax", INTS(6)},
    {GLOBAL "/M/m", INTS(3)},
    {GLOBAL "/M/n", INTS(3)},
    {GLOBAL "/M/nz", INTS(-2)},
    {GLOBAL "/M/p", INTS(0, 2, 3, 5)},
    {GLOBAL "/M/i", INTS(2, 0, 1, 0, 2, 99)},
    {GLOBAL "/M/x", REALS(0.5, 2, 2, 0.5, 1, 99)},
    {GLOBAL "/H", GROUP},
    {GLOBAL "/H/nzmax", INTS(4)},
    {GLOBAL "/H/m", INTS(3)},
    {GLOBAL "/H/n", INTS(2)},
    {GLOBAL "/H/nz", INTS(-1)},
    {GLOBAL "/H/p", INTS(0, 2, 4)},
    {GLOBAL "/H/i", INTS(1, 2, 0, 2)},
    {GLOBAL "/H/x", REALS(1, 0.5, 1, 1)},
    {GLOBAL "/G", GROUP},
    {GLOBAL "/G/nzmax", INTS(1)},
    {GLOBAL "/G/m", INTS(3)},
    {GLOBAL "/G/n", INTS(1)},
    {GLOBAL "/G/nz", INTS(1)},
    {GLOBAL "/G/p", INTS(0)},
    {GLOBAL "/G/i", INTS(2)},
    {GLOBAL "/G/x", REALS(1)},
    {GLOBAL "/vectors", GROUP},
    {GLOBAL "/vectors/f", REALS(3, -4, 0)},
    {GLOBAL "/vectors/w", REALS(0.25, 0.5)},
    {GLOBAL "/vectors/mu", REALS(0.3)},
    {GLOBAL "/vectors/b", REALS(0.125)},
    {"/solution", GROUP},
    {"/solution/v", REALS(1, 2, 3)},
    {"/solution/u", REALS(4, 5)},
    {"/solution/r", REALS(6, 7)},
    {"/solution/l", REALS(8)},
    {"/guesses", GROUP},
    {"/guesses/number_of_guesses", INTS(1)},
    {"/guesses/1", GROUP},
    {"/guesses/1/r", REALS(0, 1)},
    {"/guesses/1/l", REALS(2)},
};

static void make_sample(nsds_context *context, const item *instead, const char *left_out) {
  make_items(context, path, base, COUNT(base), instead, left_out);
}

static nsds_problem_file *read_global(nsds_context *context) {
  nsds_problem_file *file = nsds_problem_read(context, path, NSDS_FORMAT_AUTO);
  if (!file) fail_msg("%s", nsds_error_message(context));
  assert_string_equal(nsds_problem_file_kind(file), "global friction");
  assert_null(nsds_problem_file_problem(file));
  assert_non_null(nsds_problem_file_global(file));
  return file;
}

static void assert_columns(const nsds_csc *A, int ncol, const int *p, const int *i,
                           const double *x) {
  assert_int_equal(A->ncol, ncol);
  assert_memory_equal(A->p, p, ((size_t)ncol + 1) * sizeof *p);
  assert_memory_equal(A->i, i, (size_t)p[ncol] * sizeof *i);
  assert_same_reals(A->x, x, (size_t)p[ncol]);
}

static void test_sample(void **unused) {
  (void)unused;
  meter m = {0};
  nsds_context *context = metered_context(&m);
  make_sample(context, NULL, NULL);
  nsds_problem_file *file = read_global(context);
  const nsds_global_problem *q = nsds_problem_file_global(file);
  assert_int_equal(nsds_global_check(context, q), NSDS_OK);
  assert_int_equal(q->nv, 3);
  nsds_csc M = {3, 3, q->M.p, q->M.i, q->M.x};
  assert_columns(&M, 3, (int[]){0, 2, 3, 5}, (int[]){0, 2, 1, 0, 2}, (double[]){2, 0.5, 2, 0.5, 1});
  assert_true(q->M.symmetric);
  assert_columns(&q->H, 2, (int[]){0, 2, 4}, (int[]){1, 2, 0, 2}, (double[]){1, 0.5, 1, 1});
  assert_columns(&q->G, 1, (int[]){0, 1}, (int[]){2}, (double[]){1});
  assert_same_reals(q->f, (double[]){3, -4, 0}, 3);
  assert_same_reals(q->w, (double[]){0.25, 0.5}, 2);
  assert_same_reals(q->b, (double[]){0.125}, 1);
  assert_int_equal(q->nblock, 1);
  assert_true(q->block[0].set == NSDS_SET_COULOMB && q->block[0].size == 2);
  assert_true(q->block[0].mu == 0.3);
  assert_string_equal(nsds_problem_file_storage(file), "rows");
  assert_ptr_equal(nsds_problem_file_matrix(file)->x, q->M.x);
  const nsds_stored_point *point = nsds_problem_file_solution(file);
  assert_same_reals(point->v, (double[]){1, 2, 3}, 3);
  assert_same_reals(point->z, (double[]){6, 7, 8}, 3);
  assert_same_reals(point->w, (double[]){4, 5, 0}, 3);
  assert_int_equal(nsds_problem_file_nguess(file), 1);
  point = nsds_problem_file_guess(file, 0);
  assert_null(point->v);
  assert_same_reals(point->z, (double[]){0, 1, 2}, 3);
  nsds_problem_file_destroy(file);
  make_sample(context, NULL, GLOBAL "/G"); /* b is then not looked at */
  file = read_global(context);
  assert_int_equal(nsds_problem_file_global(file)->p, 0);
  nsds_problem_file_destroy(file);
  nsds_context_destroy(context);
  assert_int_equal(m.live, 0);
}

/* ---- refused ---- */

static const struct {
  item instead;
  const char *expected;
} replaced[] = {
    {{GLOBAL "/spacedim", INTS(1)}, "from 2 to 3"},
    {{GLOBAL "/M/n", INTS(4)}, "from 3 to 3"},
    {{GLOBAL "/M/x", REALS(0.5, 2, NAN, 0.5, 1)}, "found nan at 2"},
    {{GLOBAL "/H/m", INTS(2)}, "from 3 to 3"},
    {{GLOBAL "/H/nz", INTS(-4)}, "from -2"},
    {{GLOBAL "/H/p", INTS(0, 2)}, "expected 3 numbers, found 2"},
    {{GLOBAL "/G/m", INTS(4)}, "from 3 to 3"},
    {{GLOBAL "/G/x", INTS(1)}, "expected reals"},
    {{GLOBAL "/vectors/f", REALS(3, -4)}, "expected 3 numbers, found 2"},
    {{GLOBAL "/vectors/f", REALS(3, -4, INFINITY)}, "found inf at 2"},
    {{GLOBAL "/vectors/w", REALS(1, 2, 3)}, "expected 2 numbers, found 3"},
    {{GLOBAL "/vectors/mu", REALS(0.3, 0.3)}, "expected 1 numbers, found 2"},
    {{GLOBAL "/vectors/mu", REALS(-0.3)}, "no negative coefficient"},
    {{GLOBAL "/vectors/b", REALS(1, 2)}, "expected 1 numbers, found 2"},
    {{"/solution/v", REALS(1, 2)}, "expected 3 numbers, found 2"},
    {{"/solution/l", REALS(1, 2)}, "expected 1 numbers, found 2"},
};

static void refuse(nsds_context *context, meter *m, const char *name, const char *expected) {
  m->largest = 0;
  if (nsds_problem_read(context, path, NSDS_FORMAT_AUTO)) fail_msg("was read: %s", name);
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
    make_sample(context, &replaced[k].instead, NULL);
    refuse(context, &m, replaced[k].instead.name, replaced[k].expected);
  }
  make_sample(context, &(item){GLOBAL "/spacedim", INTS(3)}, NULL);
  refuse(context, &m, GLOBAL "/H/n", "multiple of spacedim, 3, found 2");
  make_sample(context, &(item){GLOBAL "/H/i", INTS(1, 3, 0, 2)}, NULL);
  refuse(context, &m, GLOBAL "/H", "found (3,0)");
  make_sample(context, &(item){GLOBAL "/H/n", INTS(100000000)}, NULL);
  refuse(context, &m, GLOBAL "/H/p", "found 3");
  make_sample(context, &(item){GLOBAL "/G/n", INTS(100000000)}, NULL);
  refuse(context, &m, GLOBAL "/vectors/b", "found 1");
  nsds_context_destroy(context);
  assert_int_equal(m.live, 0);
}

static void test_left_out(void **unused) {
  (void)unused;
  static const char *const parts[][2] = {{GLOBAL "/spacedim", GLOBAL "/spacedim"},
                                         {GLOBAL "/M", GLOBAL "/M/m"},
                                         {GLOBAL "/M/x", GLOBAL "/M/x"},
                                         {GLOBAL "/H", GLOBAL "/H/m"},
                                         {GLOBAL "/G/i", GLOBAL "/G/i"},
                                         {GLOBAL "/vectors", GLOBAL "/vectors/f"},
                                         {GLOBAL "/vectors/w", GLOBAL "/vectors/w"},
                                         {GLOBAL "/vectors/mu", GLOBAL "/vectors/mu"},
                                         {GLOBAL "/vectors/b", GLOBAL "/vectors/b"},
                                         {"/solution/l", "/solution/l"}};
  meter m = {0};
  nsds_context *context = metered_context(&m);
  for (size_t k = 0; k < COUNT(parts); ++k) {
    make_sample(context, NULL, parts[k][0]);
    refuse(context, &m, parts[k][1], "found none");
  }
  nsds_context_destroy(context);
  assert_int_equal(m.live, 0);
  assert_int_equal(count_open(), 0);
}

/* ---- round trips ---- */

static void assert_same_sparse(const nsds_csc *A, const nsds_csc *B) {
  assert_int_equal(A->ncol, B->ncol);
  if (A->ncol == 0) return;
  assert_int_equal(A->nrow, B->nrow);
  assert_columns(A, B->ncol, B->p, B->i, B->x);
}

/* Written and read back: the same numbers, and the same answer. */
static void round_trip(nsds_context *context, const nsds_global_problem *q) {
  if (nsds_global_write(context, q, NULL, path, NSDS_FORMAT_AUTO))
    fail_msg("%s", nsds_error_message(context));
  nsds_problem_file *file = read_global(context);
  const nsds_global_problem *found = nsds_problem_file_global(file);
  assert_int_equal(found->nv, q->nv);
  assert_int_equal(found->n, q->n);
  assert_int_equal(found->p, q->p);
  nsds_csc M = {q->nv, q->nv, q->M.p, q->M.i, q->M.x};
  nsds_csc again = {q->nv, q->nv, found->M.p, found->M.i, found->M.x};
  if (q->M.storage == NSDS_CSC) assert_same_sparse(&again, &M);
  assert_same_sparse(&found->H, &q->H);
  assert_same_sparse(&found->G, &q->G);
  assert_same_reals(found->f, q->f, (size_t)q->nv);
  assert_same_reals(found->w, q->w, (size_t)q->n);
  if (q->p > 0) assert_same_reals(found->b, q->b, (size_t)q->p);
  assert_int_equal(found->nblock, q->nblock);
  for (int a = 0; a < q->nblock; ++a) {
    assert_int_equal(found->block[a].set, q->block[a].set);
    assert_int_equal(found->block[a].size, q->block[a].size);
    assert_true(found->block[a].mu == q->block[a].mu);
  }
  size_t nv = (size_t)q->nv, n = (size_t)q->n, p = (size_t)q->p;
  double *v = calloc(nv + 2 * n + p + 1, sizeof *v);
  assert_non_null(v);
  nsds_solver *solver = nsds_solver_create(context, "global");
  assert_int_equal(nsds_global_solve(solver, found, v, v + nv, v + nv + n, v + nv + 2 * n, NULL),
                   NSDS_OK);
  nsds_solver_destroy(solver);
  free(v);
  nsds_problem_file_destroy(file);
}

static void test_round_trip(void **unused) {
  (void)unused;
  meter m = {0};
  nsds_context *context = metered_context(&m);
  world t;
  bodies b;
  for (int k = 0; k < 8; ++k) {
    bodies_create(&b, k);
    for (int tied = 0; tied < 2; ++tied) {
      world_of_bodies(&t, &b, tied && b.nbody > 1);
      round_trip(context, &t.problem);
      world_destroy(&t);
    }
    bodies_destroy(&b);
  }
  world_of_links(&t, 6);
  round_trip(context, &t.problem);
  world_destroy(&t);
  world_of_bar(&t, 12, 3);
  t.problem.M = (nsds_matrix){.storage = NSDS_DENSE, .n = t.problem.nv, .x = t.M};
  round_trip(context, &t.problem);
  world_destroy(&t);
  world_start(&t, "no contacts", 2, 0, 0, 0);
  t.M[0] = t.M[3] = 1.0;
  world_finish(&t);
  round_trip(context, &t.problem);
  world_destroy(&t);
  nsds_context_destroy(context);
  assert_int_equal(m.live, 0);
}

static void test_no_place(void **unused) {
  (void)unused;
  nsds_context *context = nsds_context_create(NULL);
  world t;
  world_of_links(&t, 3);
  static const nsds_format formats[] = {NSDS_FORMAT_LCP, NSDS_FORMAT_MLCP, NSDS_FORMAT_FRICTION};
  for (size_t k = 0; k < COUNT(formats); ++k) {
    assert_int_equal(nsds_global_write(context, &t.problem, NULL, "global.dat", formats[k]),
                     NSDS_ERROR_UNSUPPORTED);
    assert_says(nsds_error_message(context), "global.dat", nsds_format_text(formats[k]),
                "; valid are nsds, fclib (a name ending", NULL);
    nsds_error_clear(context);
  }
  assert_int_equal(nsds_global_write(context, &t.problem, NULL, "global.dat", NSDS_FORMAT_GLOBAL),
                   NSDS_ERROR_UNSUPPORTED);
  nsds_error_clear(context);
  t.block[1].set = NSDS_SET_NONNEGATIVE;
  assert_int_equal(nsds_global_write(context, &t.problem, NULL, path, NSDS_FORMAT_FCLIB),
                   NSDS_ERROR_UNSUPPORTED);
  assert_says(nsds_error_message(context), "block[1]", "COULOMB", NULL);
  nsds_error_clear(context);
  t.f[0] = NAN;
  assert_int_equal(nsds_global_write(context, &t.problem, NULL, path, NSDS_FORMAT_FCLIB),
                   NSDS_ERROR_VALUE);
  nsds_error_clear(context);
  assert_int_equal(nsds_global_write(context, NULL, NULL, path, NSDS_FORMAT_FCLIB),
                   NSDS_ERROR_ARGUMENT);
  world_destroy(&t);
  nsds_context_destroy(context);
}

static bool read_path(nsds_context *context, const void *unused) {
  (void)unused;
  nsds_problem_file *file = nsds_problem_read(context, path, NSDS_FORMAT_AUTO);
  nsds_problem_file_destroy(file);
  return file != NULL;
}

static bool write_path(nsds_context *context, const void *problem) {
  return nsds_global_write(context, problem, NULL, path, NSDS_FORMAT_FCLIB) == NSDS_OK;
}

static void test_faults(void **unused) {
  (void)unused;
  nsds_context *context = nsds_context_create(NULL);
  make_sample(context, NULL, NULL);
  sweep_faults(read_path, NULL);
  nsds_problem_file *file = read_global(context);
  sweep_faults(write_path, nsds_problem_file_global(file));
  nsds_problem_file_destroy(file);
  nsds_context_destroy(context);
}

static int write_sample(const char *to) {
  nsds_context *context = nsds_context_create(NULL);
  make_sample(context, NULL, NULL);
  nsds_problem_file *file = read_global(context);
  int failed =
      nsds_global_write(context, nsds_problem_file_global(file), NULL, to, NSDS_FORMAT_FCLIB);
  nsds_problem_file_destroy(file);
  nsds_context_destroy(context);
  remove(path);
  return failed != 0;
}

int main(int argc, char **argv) {
  if (argc > 1) return write_sample(argv[1]);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_sample),   cmocka_unit_test(test_replaced),
      cmocka_unit_test(test_left_out), cmocka_unit_test(test_round_trip),
      cmocka_unit_test(test_no_place), cmocka_unit_test(test_faults),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

int main(void) {
  puts("skipped: built without HDF5");
  return 0;
}

#endif
