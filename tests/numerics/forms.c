/*
 * One matrix in every storage: compressed columns, products, certificates and answers agree with the
 * dense one, also where blocks are missing on the diagonal, edges have no columns and blocks no rows.
 */
#include "numerics/decoupled.h"
#include "numerics/linear/matrix.h"
#include "numerics/solver_internal.h"
#include "cmocka_setup.h"
#include "families.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { n = 6, most_entries = n * n };

/* Rows 0..1, 2..2, 3..5. */
static const int cut[4] = {0, 2, 3, 6};

/* The same M in a few ways; block rows hold the blocks that are not zero alone. */
typedef struct form {
  nsds_problem problem;
  nsds_block_rows rows;
  nsds_factored factored;
  int p[n + 1], i[most_entries], first[4], column[9], start[9], first_edge[4];
  double x[most_entries], Y[most_entries], zero[most_entries];
  const double *D[3];
  nsds_edge edge[9];
} form;

static double entry(const double *M, int i, int j) { return M[i + j * n]; }

static bool is_zero_block(const double *M, int a, int b) {
  for (int j = cut[b]; j < cut[b + 1]; ++j)
    for (int i = cut[a]; i < cut[a + 1]; ++i)
      if (entry(M, i, j) != 0.0) return false;
  return true;
}

static void make_columns(form *f, const double *M) {
  int used = 0;
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < n; ++i)
      if (entry(M, i, j) != 0.0) f->i[used] = i, f->x[used++] = entry(M, i, j);
    f->p[j + 1] = used;
  }
  f->problem.M = (nsds_matrix){.storage = NSDS_CSC, .n = n, .p = f->p, .i = f->i, .x = f->x};
}

static void make_rows(form *f, const double *M) {
  int used = 0, entries = 0;
  for (int a = 0; a < 3; ++a) {
    for (int b = 0; b < 3; ++b) {
      if (is_zero_block(M, a, b)) continue;
      f->column[used] = b;
      f->start[used++] = entries;
      for (int j = cut[b]; j < cut[b + 1]; ++j)
        for (int i = cut[a]; i < cut[a + 1]; ++i) f->x[entries++] = entry(M, i, j);
    }
    f->first[a + 1] = used;
  }
  f->rows = (nsds_block_rows){.nrow_block = 3,
                              .row = cut,
                              .first = f->first,
                              .column = f->column,
                              .start = f->start,
                              .x = f->x};
  f->problem.M = (nsds_matrix){.storage = NSDS_BLOCK_ROWS, .n = n, .blocks = &f->rows};
}

/* M = H Y with Y = 1 and one column group; an edge without columns in each block row. Where `own` what
 * is on the diagonal comes as D, with that much less in H Y, and the last block row has none. */
static void make_factors(form *f, const double *M, bool own) {
  int used = 0, entries = 0;
  for (int a = 0; a < 3; ++a) {
    int m = cut[a + 1] - cut[a];
    double *H = f->x + entries, *Y = f->Y + entries, *D = f->zero + entries;
    for (int c = 0; c < n; ++c)
      for (int r = 0; r < m; ++r) H[r + c * m] = entry(M, cut[a] + r, c);
    for (int r = 0; r < m; ++r)
      for (int c = 0; c < n; ++c) Y[c + r * n] = c == cut[a] + r;
    entries += m * n;
    if (own && a < 2) {
      f->D[a] = D;
      for (int c = 0; c < m; ++c)
        for (int r = 0; r < m; ++r) {
          D[r + c * m] = H[r + (cut[a] + c) * m];
          H[r + (cut[a] + c) * m] = 0.0;
        }
    }
    f->edge[used++] = (nsds_edge){.column = 0, .size = n, .H = H, .Y = Y};
    f->edge[used++] = (nsds_edge){.column = n, .size = 0, .H = H, .Y = Y};
    f->first_edge[a + 1] = used;
  }
  f->factored = (nsds_factored){.nrow_block = 3,
                                .ncolumn = n,
                                .row = cut,
                                .first_edge = f->first_edge,
                                .edge = f->edge,
                                .D = own ? f->D : NULL};
  f->problem.M = (nsds_matrix){.storage = NSDS_FACTORED, .n = n, .factored = &f->factored};
}

/* Form k of M: dense, columns, block rows, factors in two ways; false past the last. */
static bool make_form(form *f, int k, const double *M, const double *q, const nsds_block *block,
                      int nblock) {
  memset(f, 0, sizeof *f);
  f->problem = (nsds_problem){.n = n, .nblock = nblock, .block = block, .q = q};
  switch (k) {
  case 0: f->problem.M = (nsds_matrix){.storage = NSDS_DENSE, .n = n, .x = M}; return true;
  case 1: make_columns(f, M); return true;
  case 2: make_rows(f, M); return true;
  case 3: make_factors(f, M, false); return true;
  case 4: make_factors(f, M, true); return true;
  default: return false;
  }
}

/* Blocks of rows 1..6, with empty ones of every kind between. */
static const nsds_block blocks[] = {
    {.set = NSDS_SET_NONNEGATIVE, .size = 0}, {.set = NSDS_SET_NONNEGATIVE, .size = 2},
    {.set = NSDS_SET_EQUALITY, .size = 0},    {.set = NSDS_SET_EQUALITY, .size = 1},
    {.set = NSDS_SET_BOX, .size = 0},         {.set = NSDS_SET_POLYHEDRON, .size = 0},
    {.set = NSDS_SET_NONNEGATIVE, .size = 3}, {.set = NSDS_SET_NONNEGATIVE, .size = 0}};
enum { nblock = sizeof blocks / sizeof *blocks };

/* M of sort 0: symmetric, dominant. 1: not symmetric, dominant. 2: a middle row whose diagonal
 * vanishes, coupled to the others. 3: block rows without a block on the diagonal, 4: a row of zeros. */
static void make_matrix(double *M, int sort) {
  random_seed((unsigned)sort + 17);
  for (int j = 0; j < n; ++j)
    for (int i = 0; i <= j; ++i) {
      double above = random_number(), below = sort == 0 ? above : random_number();
      M[i + j * n] = above;
      M[j + i * n] = i == j ? 4.0 : below;
    }
  for (int j = 0; j < n; ++j) M[j + j * n] = 4.0;
  if (sort == 2)
    for (int j = 0; j < n; ++j) {
      M[2 + j * n] = j == 2 ? 0.0 : 1.0 + j;
      M[j + 2 * n] = j == 2 ? 0.0 : -1.0 - j;
    }
  for (int i = 2; i < n; ++i)
    for (int j = 2; j < n; ++j)
      if (sort == 3 && (i < 3) == (j < 3)) M[i + j * n] = 0.0;
  for (int j = 0; sort == 4 && j < n; ++j) M[2 + j * n] = M[j + 2 * n] = 0.0;
}

enum { sorts = 5 };

static void forms_agree(void **unused) {
  (void)unused;
  for (int sort = 0; sort < sorts; ++sort) {
    double M[most_entries], q[n], z[n];
    nsds_certificate first;
    make_matrix(M, sort);
    for (int i = 0; i < n; ++i) q[i] = random_number(), z[i] = fabs(random_number());
    form f;
    for (int k = 0; make_form(&f, k, M, q, blocks, nblock); ++k) {
      double dense[most_entries], w[n];
      assert_status(nsds_problem_check(NULL, &f.problem), NSDS_OK);
      nsds_problem_to_dense(&f.problem, dense);
      for (int e = 0; e < most_entries; ++e) assert_true(fabs(dense[e] - M[e]) < 1e-14);
      double *work = calloc(nsds_problem_work(&f.problem) + 1, sizeof *work);
      nsds_problem_multiply(&f.problem, z, w, work);
      for (int i = 0; i < n; ++i) {
        double sum = q[i];
        for (int j = 0; j < n; ++j) sum += entry(M, i, j) * z[j];
        assert_true(fabs(w[i] - sum) < 1e-13);
      }
      nsds_certificate found;
      nsds_certify(&f.problem, z, work, &found);
      if (k == 0) first = found;
      if (fabs(found.residual - first.residual) > 1e-12 * first.residual)
        fail_msg("sort %d, form %d: residual %.17g, dense %.17g", sort, k, found.residual,
                 first.residual);
      assert_int_equal(found.worst_block, first.worst_block);
      free(work);
    }
  }
}

/* Compressed columns hold M, have every diagonal entry, and rows that increase. */
static void columns_of_every_form(void **unused) {
  (void)unused;
  for (int sort = 0; sort < sorts; ++sort) {
    double M[most_entries];
    const double q[n] = {0};
    make_matrix(M, sort);
    form f;
    for (int k = 0; make_form(&f, k, M, q, blocks, nblock); ++k) {
      int *work = calloc(nsds_problem_csc_work(&f.problem) + 1, sizeof *work), p[n + 1];
      int i[most_entries];
      double x[most_entries], dense[most_entries] = {0};
      nsds_problem_to_csc(&f.problem, p, NULL, NULL, work);
      nsds_problem_to_csc(&f.problem, p, i, x, work);
      for (int j = 0; j < n; ++j) {
        bool diagonal = false;
        for (int e = p[j]; e < p[j + 1]; ++e) {
          assert_true(e == p[j] || i[e] > i[e - 1]);
          dense[i[e] + j * n] = x[e];
          diagonal = diagonal || i[e] == j;
        }
        if (f.problem.M.storage != NSDS_CSC) assert_true(diagonal);
      }
      for (int e = 0; e < most_entries; ++e) assert_true(fabs(dense[e] - M[e]) < 1e-14);
      free(work);
    }
  }
}

/* Every method that takes a form finds the one solution of the dominant problems in it. */
static void answers_of_every_form(void **unused) {
  (void)unused;
  nsds_context *context = nsds_context_create(NULL);
  int solved[8] = {0};
  for (int sort = 0; sort < 2; ++sort) {
    double M[most_entries], q[n], answer[n] = {0};
    make_matrix(M, sort);
    for (int i = 0; i < n; ++i) q[i] = 3.0 * random_number();
    form f;
    for (int k = 0; make_form(&f, k, M, q, blocks, nblock); ++k) {
      const nsds_solver_row *row;
      for (int r = 0; (row = nsds_solver_table(r)) && !row->global; ++r) {
        nsds_solver *solver = nsds_solver_create(context, row->name);
        double z[n] = {0}, w[n];
        nsds_solver_info info;
        nsds_status status = nsds_solve(solver, &f.problem, z, w, &info);
        bool refused = info.outcome == NSDS_REFUSED;
        if (status && !refused)
          fail_msg("sort %d, form %d, %s: %s", sort, k, row->name, nsds_outcome_text(info.outcome));
        if (r == 0 && k == 0) memcpy(answer, z, sizeof answer);
        for (int i = 0; !refused && i < n; ++i) assert_true(fabs(z[i] - answer[i]) < 1e-7);
        solved[k] += !refused;
        nsds_error_clear(context);
        nsds_solver_destroy(solver);
      }
    }
  }
  for (int k = 0; k < 5; ++k) assert_true(solved[k] > 10);
  nsds_context_destroy(context);
}

/* As UMFPACK wants the rows of a column. */
static void indices_are_sorted(void **state) {
  (void)state;
  int index[] = {5, 2, 9, -1, 2000000000, 0, -2000000000, 7};
  for (int count = 0; count <= 8; ++count) {
    int sum = 0, sorted = 0;
    for (int k = 0; k < count; ++k) sum ^= index[k];
    nsds_sort_indices(count, index);
    for (int k = 0; k < count; ++k) {
      sorted ^= index[k];
      assert_true(k == 0 || index[k - 1] < index[k]);
    }
    assert_int_equal(sorted, sum);
  }
}

/* Rows that one entry ties in one direction are not solved as if they stood alone. */
static void one_entry_ties_two_rows(void **state) {
  (void)state;
  enum { rows = 3 };
  nsds_context *context = nsds_context_create(NULL);
  nsds_solver *solver = nsds_solver_create(context, "auto");
  nsds_block block[rows];
  for (int a = 0; a < rows; ++a) block[a] = (nsds_block){.set = NSDS_SET_NONNEGATIVE, .size = 1};
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < rows; ++j) {
      if (i == j) continue;
      double M[rows * rows] = {[0] = 1.0, [4] = 1.0, [8] = 1.0}, z[rows], w[rows];
      const double q[rows] = {-1.0, -1.0, -1.0};
      M[i + j * rows] = 0.75;
      nsds_problem problem = {.n = rows,
                              .M = {.storage = NSDS_DENSE, .n = rows, .x = M},
                              .q = q,
                              .nblock = rows,
                              .block = block};
      nsds_solver_info info;
      double dense[rows * rows];
      assert_false(nsds_few_apart(&problem, dense));
      for (int k = 0; k < rows; ++k) z[k] = 0.0;
      assert_int_equal(nsds_solve(solver, &problem, z, w, &info), NSDS_OK);
      for (int k = 0; k < rows; ++k) assert_true(fabs(z[k] - (k == i ? 0.25 : 1.0)) < 1e-12);
    }
  nsds_solver_destroy(solver);
  nsds_context_destroy(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(forms_agree),
      cmocka_unit_test(columns_of_every_form),
      cmocka_unit_test(answers_of_every_form),
      cmocka_unit_test(indices_are_sorted),
      cmocka_unit_test(one_entry_ties_two_rows),
  };
  return cmocka_run_group_tests_name("numerics.forms", tests, NULL, NULL);
}
