/*
 * What is written is read again, bit for bit: every format with every storage it takes, numbers
 * that need all their digits; equal problems give equal files; what a format cannot hold is
 * refused.
 */
#define _XOPEN_SOURCE 700
#include "support.h"

#include <float.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

enum { most_rows = 12 };

/* A problem in the storage asked for, with the arrays it points to. */
typedef struct sample {
  nsds_problem problem;
  nsds_block block[most_rows];
  double q[most_rows], x[most_rows * most_rows], blocks_x[most_rows * most_rows];
  int p[most_rows + 1], i[most_rows * most_rows];
  int row[most_rows + 1], first[most_rows + 1], column[most_rows * most_rows];
  int start[most_rows * most_rows];
  nsds_block_rows rows;
  double H[most_rows], Y[most_rows];
  nsds_edge edge[most_rows];
  int first_edge[most_rows + 1];
  nsds_factored factored;
} sample;

static uint64_t state;

static uint64_t draw(void) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return state >> 11;
}

/* Some with few digits, some with all, some at the ends of the range. */
static double number(void) {
  static const double special[] = {0.0,  -0.0,    1.0,     -1.0 / 3.0,
                                   0.1,  DBL_MIN, DBL_MAX, -DBL_TRUE_MIN,
                                   1e22, 5e-324,  2.0,     1.0 + DBL_EPSILON};
  uint64_t kind = draw() % 4;
  if (kind == 0) return special[draw() % COUNT(special)];
  double unit = (double)draw() / 9007199254740992.0 - 0.5;
  return kind == 1 ? round(100.0 * unit) / 8.0 : ldexp(unit, (int)(draw() % 200) - 100);
}

/* Entry (i, j) is present: all on the diagonal, the others every third. */
static bool present(int i, int j) { return i == j || (i + 2 * j) % 3 == 0; }

static void fill_dense(sample *s) {
  int n = s->problem.n;
  for (int k = 0; k < n * n; ++k) s->x[k] = number();
  s->problem.M = (nsds_matrix){.storage = NSDS_DENSE, .n = n, .x = s->x};
}

static void fill_columns(sample *s) {
  int n = s->problem.n, used = 0;
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < n; ++i) {
      if (!present(i, j)) continue;
      s->i[used] = i;
      s->x[used++] = number();
    }
    s->p[j + 1] = used;
  }
  s->problem.M = (nsds_matrix){.storage = NSDS_CSC, .n = n, .x = s->x, .p = s->p, .i = s->i};
}

/* Block rows cut like the blocks of the problem. */
static void fill_blocks(sample *s) {
  int nblock = s->problem.nblock, used = 0, entries = 0;
  for (int a = 0; a < nblock; ++a) s->row[a + 1] = s->row[a] + s->problem.block[a].size;
  for (int a = 0; a < nblock; ++a) {
    for (int b = 0; b < nblock; ++b) {
      if (!present(a, b)) continue;
      s->column[used] = b;
      s->start[used++] = entries;
      for (int k = s->problem.block[a].size * s->problem.block[b].size; k > 0; --k)
        s->blocks_x[entries++] = number();
    }
    s->first[a + 1] = used;
  }
  s->rows = (nsds_block_rows){.nrow_block = nblock,
                              .row = s->row,
                              .first = s->first,
                              .column = s->column,
                              .start = s->start,
                              .x = s->blocks_x};
  s->problem.M = (nsds_matrix){.storage = NSDS_BLOCK_ROWS, .n = s->problem.n, .blocks = &s->rows};
}

/* One column group of one entry: a matrix of rank one. */
static void fill_factored(sample *s) {
  int nblock = s->problem.nblock, n = s->problem.n;
  for (int i = 0; i < n; ++i) s->H[i] = s->Y[i] = (double)(int)(draw() % 19) - 9.0;
  for (int a = 0; a < nblock; ++a) {
    s->row[a + 1] = s->row[a] + s->problem.block[a].size;
    s->first_edge[a + 1] = a + 1;
    s->edge[a] = (nsds_edge){.size = 1, .H = s->H + s->row[a], .Y = s->Y + s->row[a]};
  }
  s->factored = (nsds_factored){.nrow_block = nblock,
                                .ncolumn = 1,
                                .row = s->row,
                                .first_edge = s->first_edge,
                                .edge = s->edge};
  s->problem.M = (nsds_matrix){.storage = NSDS_FACTORED, .n = n, .factored = &s->factored};
}

static void fill(sample *s, int nblock, nsds_storage storage) {
  s->problem.block = s->block;
  s->problem.nblock = nblock;
  s->problem.q = s->q;
  for (int a = 0; a < nblock; ++a) s->problem.n += s->block[a].size;
  for (int i = 0; i < s->problem.n; ++i) s->q[i] = number();
  switch (storage) {
  case NSDS_DENSE: fill_dense(s); break;
  case NSDS_CSC: fill_columns(s); break;
  case NSDS_BLOCK_ROWS: fill_blocks(s); break;
  case NSDS_FACTORED: fill_factored(s); break;
  }
}

/* kind 0: LCP, 1: MLCP of several blocks, 2 and 3: friction in that dimension. */
static sample *make(int kind, nsds_storage storage) {
  static const int sizes[] = {2, 1, 3, 1};
  int nblock = kind == 0 ? 1 : 4;
  sample *s = calloc(1, sizeof *s);
  assert_non_null(s);
  for (int a = 0; a < nblock; ++a) {
    nsds_block *block = &s->block[a];
    if (kind == 0) *block = (nsds_block){.set = NSDS_SET_NONNEGATIVE, .size = 5};
    if (kind == 1)
      *block =
          (nsds_block){.set = a % 2 ? NSDS_SET_NONNEGATIVE : NSDS_SET_EQUALITY, .size = sizes[a]};
    if (kind > 1)
      *block = (nsds_block){.set = NSDS_SET_COULOMB, .size = kind, .mu = fabs(number())};
  }
  fill(s, nblock, storage);
  return s;
}

static const nsds_storage storages[] = {NSDS_DENSE, NSDS_CSC, NSDS_BLOCK_ROWS, NSDS_FACTORED};

static void write_and_read(nsds_context *context, const nsds_problem *problem, const char *path,
                           const char *kind) {
  if (nsds_problem_write(context, problem, NULL, path, NSDS_FORMAT_AUTO))
    fail_msg("%s", nsds_error_message(context));
  nsds_problem_file *file = nsds_problem_read(context, path, NSDS_FORMAT_AUTO);
  if (!file) fail_msg("%s", nsds_error_message(context));
  const nsds_problem *found = nsds_problem_file_problem(file);
  assert_string_equal(nsds_problem_file_kind(file), kind);
  assert_same_problem(problem, found);
  if (problem->M.storage != NSDS_FACTORED) assert_int_equal(found->M.storage, problem->M.storage);
  nsds_problem_file_destroy(file);
}

static void test_text(void **unused) {
  (void)unused;
  static const char *const kinds[] = {"lcp", "mlcp", "fc2d", "fc3d"};
  nsds_context *context = nsds_context_create(NULL);
  for (int round = 0; round < 40; ++round)
    for (int kind = 0; kind < 4; ++kind)
      for (size_t k = 0; k < COUNT(storages); ++k) {
        sample *s = make(kind, storages[k]);
        write_and_read(context, &s->problem, "roundtrip.dat", kinds[kind]);
        free(s);
      }
  remove("roundtrip.dat");
  nsds_context_destroy(context);
}

/* Blocks without rows are left out, wherever they stand. */
static void test_empty_blocks(void **unused) {
  (void)unused;
  nsds_context *context = nsds_context_create(NULL);
  sample s = {.block = {{.set = NSDS_SET_EQUALITY},
                        {.set = NSDS_SET_NONNEGATIVE, .size = 2},
                        {.set = NSDS_SET_NONNEGATIVE},
                        {.set = NSDS_SET_EQUALITY, .size = 1},
                        {.set = NSDS_SET_NONNEGATIVE}}};
  fill(&s, 5, NSDS_DENSE);
  assert_int_equal(
      nsds_problem_write(context, &s.problem, NULL, "roundtrip_empty.dat", NSDS_FORMAT_MLCP),
      NSDS_OK);
  nsds_problem_file *file = nsds_problem_read(context, "roundtrip_empty.dat", NSDS_FORMAT_AUTO);
  assert_non_null(file);
  const nsds_problem *found = nsds_problem_file_problem(file);
  assert_int_equal(found->nblock, 2);
  assert_int_equal(found->block[0].size, 2);
  assert_int_equal(found->block[1].set, NSDS_SET_EQUALITY);
  nsds_problem_file_destroy(file);
  nsds_problem none = {.M = {.storage = NSDS_DENSE}};
  write_and_read(context, &none, "roundtrip_empty.dat", "lcp");
  remove("roundtrip_empty.dat");
  nsds_context_destroy(context);
}

static void test_equal_bytes(void **unused) {
  (void)unused;
  static const char *const paths[] = {
    "roundtrip_1.dat",
    "roundtrip_2.dat",
#if NSDS_HAVE_HDF5
    "roundtrip_1.hdf5",
    "roundtrip_2.hdf5",
#endif
  };
  nsds_context *context = nsds_context_create(NULL);
  sample *s = make(3, NSDS_CSC);
  for (size_t k = 0; k < COUNT(paths); k += 2) {
    size_t size[2];
    char *data[2];
    for (size_t j = 0; j < 2; ++j) {
      assert_int_equal(
          nsds_problem_write(context, &s->problem, NULL, paths[k + j], NSDS_FORMAT_AUTO), NSDS_OK);
      data[j] = get_file(paths[k + j], &size[j]);
      remove(paths[k + j]);
    }
    assert_int_equal(size[0], size[1]);
    assert_memory_equal(data[0], data[1], size[0]);
    free(data[0]);
    free(data[1]);
  }
  free(s);
  nsds_context_destroy(context);
}

/* ---- refused ---- */

static void refuse(nsds_context *context, const nsds_problem *problem, nsds_format format,
                   nsds_status status, const char *word, const char *other) {
  assert_int_equal(nsds_problem_write(context, problem, NULL, "refused.dat", format), status);
  assert_says(nsds_error_message(context), word, other, NULL);
  nsds_error_clear(context);
  FILE *file = fopen("refused.dat", "rb");
  assert_null(file);
}

static void test_refused(void **unused) {
  (void)unused;
  nsds_context *context = nsds_context_create(NULL);
  sample *lcp = make(0, NSDS_DENSE);
  sample *mlcp = make(1, NSDS_DENSE);
  sample *friction = make(3, NSDS_DENSE);
  remove("refused.dat");
  refuse(context, &mlcp->problem, NSDS_FORMAT_LCP, NSDS_ERROR_UNSUPPORTED, "block[0] is EQUALITY",
         "NONNEGATIVE");
  refuse(context, &friction->problem, NSDS_FORMAT_MLCP, NSDS_ERROR_UNSUPPORTED,
         "block[0] is COULOMB of size 3", "the format mlcp");
  refuse(context, &lcp->problem, NSDS_FORMAT_FRICTION, NSDS_ERROR_UNSUPPORTED,
         "block[0] is NONNEGATIVE of size 5", "COULOMB");
  refuse(context, &lcp->problem, (nsds_format)11, NSDS_ERROR_ARGUMENT, "format is 11", "");
  refuse(context, &lcp->problem, NSDS_FORMAT_GLOBAL, NSDS_ERROR_UNSUPPORTED, "velocities", "");
  refuse(context, &lcp->problem, NSDS_FORMAT_MLCP_LINES, NSDS_ERROR_UNSUPPORTED, "write mlcp", "");
  refuse(context, &lcp->problem, NSDS_FORMAT_QPS, NSDS_ERROR_UNSUPPORTED, "give nsds", "");
  refuse(context, &friction->problem, NSDS_FORMAT_ROLLING, NSDS_ERROR_UNSUPPORTED,
         "block[0] is COULOMB of size 3", "ROLLING");
  refuse(context, &friction->problem, NSDS_FORMAT_RELAY, NSDS_ERROR_UNSUPPORTED,
         "block[0] is COULOMB of size 3", "BOX");
  mlcp->block[2] = (nsds_block){.set = NSDS_SET_DISC, .size = 3};
  refuse(context, &mlcp->problem, NSDS_FORMAT_MLCP, NSDS_ERROR_UNSUPPORTED, "block[2] is DISC",
         "NONNEGATIVE");
  lcp->x[7] = NAN;
  refuse(context, &lcp->problem, NSDS_FORMAT_AUTO, NSDS_ERROR_VALUE, "finite", "");
  assert_int_equal(nsds_problem_write(context, &friction->problem, NULL, "no/such/folder.dat", 0),
                   NSDS_ERROR_IO);
  assert_says(nsds_error_message(context), "no/such/folder.dat", "cannot be opened for writing",
              NULL);
  nsds_error_clear(context);
  assert_int_equal(nsds_problem_write(context, NULL, NULL, "x", 0), NSDS_ERROR_ARGUMENT);
  assert_int_equal(nsds_problem_write(context, &lcp->problem, NULL, NULL, 0), NSDS_ERROR_ARGUMENT);
  assert_int_equal(nsds_problem_write(NULL, &lcp->problem, NULL, "x", 0), NSDS_ERROR_ARGUMENT);
  free(lcp);
  free(mlcp);
  free(friction);
  nsds_context_destroy(context);
}

/* No file may grow beyond some bytes: what a full disk does. */
static void test_full(void **unused) {
  (void)unused;
  static const char *const paths[] = {
    "full.dat",
#if NSDS_HAVE_HDF5
    "full.hdf5",
#endif
  };
  struct rlimit before;
  void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
  assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
  nsds_context *context = nsds_context_create(NULL);
  sample *s = make(3, NSDS_DENSE);
  for (size_t k = 0; k < COUNT(paths); ++k) {
    assert_int_equal(
        setrlimit(RLIMIT_FSIZE, &(struct rlimit){.rlim_cur = 100, .rlim_max = before.rlim_max}), 0);
    nsds_status status = nsds_problem_write(context, &s->problem, NULL, paths[k], NSDS_FORMAT_AUTO);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    assert_int_equal(status, NSDS_ERROR_IO);
    assert_says(nsds_error_message(context), paths[k], NULL);
    nsds_error_clear(context);
    remove(paths[k]);
  }
  free(s);
  nsds_context_destroy(context);
  signal(SIGXFSZ, handler);
}

/* One contact in the plane with a rolling coefficient that looks like a flag behind friction in
 * space: the text is still that of rolling friction. */
static void test_rolling_like_a_flag(void **unused) {
  (void)unused;
  static const double M[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, q[3] = {-1, 0.2, 3};
  nsds_context *context = nsds_context_create(NULL);
  for (int mu = 0; mu <= 2; ++mu) {
    const nsds_block block = {.set = NSDS_SET_ROLLING, .size = 3, .mu = 0.5, .mu_rolling = mu};
    const nsds_problem p = {
        .n = 3, .nblock = 1, .block = &block, .M = {.storage = NSDS_DENSE, .n = 3, .x = M}, .q = q};
    assert_int_equal(nsds_problem_write(context, &p, NULL, "rolling.dat", NSDS_FORMAT_AUTO),
                     NSDS_OK);
    nsds_problem_file *file = nsds_problem_read(context, "rolling.dat", NSDS_FORMAT_AUTO);
    assert_non_null(file);
    const nsds_block *read = nsds_problem_file_problem(file)->block;
    assert_int_equal(read->set, NSDS_SET_ROLLING);
    assert_true(read->mu == 0.5 && read->mu_rolling == mu);
    nsds_problem_file_destroy(file);
  }
  remove("rolling.dat");
  nsds_context_destroy(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_text),        cmocka_unit_test(test_empty_blocks),
      cmocka_unit_test(test_equal_bytes), cmocka_unit_test(test_refused),
      cmocka_unit_test(test_full),        cmocka_unit_test(test_rolling_like_a_flag),
  };
  return cmocka_run_group_tests_name("io.roundtrip", tests, NULL, NULL);
}
