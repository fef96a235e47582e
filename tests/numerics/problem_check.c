/*
 * nsds_problem_check() and nsds_global_check() on garbage: whatever stands in arrays whose lengths
 * are known, nothing is read outside of them. Each array has its own piece of memory, of just its
 * length, so that the address sanitizer sees it.
 */
#include "cmocka_setup.h"
#include "families.h"

#include <limits.h>
#include <math.h>
#include <nsds/global.h>
#include <stdlib.h>
#include <string.h>

static void expect_refusal(const nsds_problem *problem, nsds_status status, const char *word) {
  nsds_context *context = nsds_context_create(NULL);
  assert_status(nsds_problem_check(context, problem), status);
  if (!strstr(nsds_error_message(context), word))
    fail_msg("\"%s\" not in \"%s\"", word, nsds_error_message(context));
  nsds_context_destroy(context);
}

static void *copy(const void *from, size_t bytes) {
  void *to = malloc(bytes);
  assert_non_null(to);
  return memcpy(to, from, bytes);
}

/* ---- three rows over three bodies ---- */

enum { rows = 3 };

typedef struct graph {
  int *row, *first_edge;
  nsds_edge *edge;
  double *value, *q;
  nsds_block *block;
  nsds_factored factored;
  nsds_problem problem;
} graph;

static void graph_create(graph *g) {
  const int starts[rows + 1] = {0, 1, 2, 3};
  const double one[16] = {1.0, 1.0, 1.0}; /* as many as any block row may have */
  nsds_block nonnegative = {.set = NSDS_SET_NONNEGATIVE, .size = 1};
  g->row = copy(starts, sizeof starts);
  g->first_edge = copy(starts, sizeof starts);
  g->value = copy(one, sizeof one);
  g->q = copy(one, rows * sizeof *one);
  g->edge = calloc(rows, sizeof *g->edge);
  g->block = calloc(rows, sizeof *g->block);
  for (int k = 0; k < rows; ++k) {
    g->edge[k] = (nsds_edge){k, 1, g->value + k, g->value + k};
    g->block[k] = nonnegative;
  }
  g->factored = (nsds_factored){rows, rows, g->row, g->first_edge, g->edge, NULL, NULL};
  g->problem = (nsds_problem){.n = rows,
                              .nblock = rows,
                              .block = g->block,
                              .M = {.storage = NSDS_FACTORED, .n = rows, .factored = &g->factored},
                              .q = g->q};
}

static void graph_destroy(graph *g) {
  void *memory[] = {g->row, g->first_edge, g->value, g->q, g->edge, g->block};
  for (size_t k = 0; k < sizeof memory / sizeof *memory; ++k) free(memory[k]);
}

static void edges_are_not_read_before_rows_are_checked(void **state) {
  (void)state;
  graph g;
  graph_create(&g);
  assert_status(nsds_problem_check(NULL, &g.problem), NSDS_OK);
  g.row[1] = 500000;
  expect_refusal(&g.problem, NSDS_ERROR_VALUE,
                 "M.factored.row[2] is 2, smaller than M.factored.row[1] = 500000");
  g.row[1] = 1;
  g.first_edge[1] = 500000;
  expect_refusal(&g.problem, NSDS_ERROR_VALUE, "M.factored.first_edge[2] is 2, smaller");
  graph_destroy(&g);
}

static void first_edge_begins_at_zero(void **state) {
  (void)state;
  graph g;
  graph_create(&g);
  g.first_edge[0] = 1;
  expect_refusal(&g.problem, NSDS_ERROR_VALUE, "M.factored.first_edge[0] is 1; it must be 0");
  g.first_edge[0] = -1;
  expect_refusal(&g.problem, NSDS_ERROR_VALUE, "M.factored.first_edge[0] is -1; it must be 0");
  graph_destroy(&g);
}

static void columns_of_an_edge_do_not_overflow(void **state) {
  (void)state;
  graph g;
  graph_create(&g);
  g.edge[2].size = INT_MAX;
  expect_refusal(&g.problem, NSDS_ERROR_SIZE, "edge[2] spans columns 2..2147483648; there are 3");
  g.edge[2].size = 1;
  g.factored.ncolumn = -1;
  expect_refusal(&g.problem, NSDS_ERROR_SIZE, "ncolumn is -1");
  graph_destroy(&g);
}

static void column_groups_do_not_overlap(void **state) {
  (void)state;
  graph g;
  graph_create(&g);
  double two[2] = {1.0, 1.0};
  g.edge[1] = (nsds_edge){1, 2, two, two};
  expect_refusal(&g.problem, NSDS_ERROR_SIZE, "edge[1] spans columns 1..2 and edge[2] 2..2");
  g.edge[2] = (nsds_edge){1, 1, g.value, g.value};
  expect_refusal(&g.problem, NSDS_ERROR_SIZE, "the same columns or none in common");
  g.edge[2] = (nsds_edge){1, 2, two, two};
  assert_status(nsds_problem_check(NULL, &g.problem), NSDS_OK);
  g.first_edge[2] = 3; /* both in one block row */
  expect_refusal(&g.problem, NSDS_ERROR_VALUE, "edge[1] and edge[2] of block row 1 are both of");
  graph_destroy(&g);
}

/* Bounds are as long as the block, which the sum of the sizes has to allow first. */
static void sizes_are_summed_before_bounds_are_read(void **state) {
  (void)state;
  graph g;
  graph_create(&g);
  double *bound = calloc(1, sizeof *bound);
  g.block[1] = (nsds_block){.set = NSDS_SET_BOX, .size = INT_MAX, .lower = bound, .upper = bound};
  expect_refusal(&g.problem, NSDS_ERROR_SIZE, "the block sizes sum to 2147483649, but n is 3");
  free(bound);
  graph_destroy(&g);
}

static int garbage(void) {
  const int some[] = {INT_MIN, -500000, -1, 0, 1, 2, 3, 4, 500000, INT_MAX - 1, INT_MAX};
  return some[(int)(fabs(random_number()) * 1000.0) % (int)(sizeof some / sizeof *some)];
}

/* Two entries of the integers are garbage; numbers of what an array points to stay. */
static void factored_garbage_is_survived(void **state) {
  (void)state;
  random_seed(1);
  for (int trial = 0; trial < 20000; ++trial) {
    graph g;
    graph_create(&g);
    int *place[4 * rows];
    for (int k = 0; k < rows; ++k) {
      place[4 * k] = &g.row[k + 1];
      place[4 * k + 1] = &g.first_edge[k];
      place[4 * k + 2] = &g.edge[k].column;
      place[4 * k + 3] = &g.block[k].size;
    }
    for (int k = 0; k < 2; ++k)
      *place[(int)(fabs(random_number()) * 1000.0) % (4 * rows)] = garbage();
    nsds_problem_check(NULL, &g.problem); /* whatever it says */
    graph_destroy(&g);
  }
}

static void csc_garbage_is_survived(void **state) {
  (void)state;
  random_seed(2);
  graph g;
  graph_create(&g);
  for (int trial = 0; trial < 20000; ++trial) {
    const int starts[rows + 1] = {0, 1, 2, 3}, index[rows] = {0, 1, 2};
    int *p = copy(starts, sizeof starts), *i = copy(index, sizeof index);
    g.problem.M = (nsds_matrix){.storage = NSDS_CSC, .n = rows, .p = p, .i = i, .x = g.value};
    p[(int)(fabs(random_number()) * 1000.0) % rows] = garbage();
    i[(int)(fabs(random_number()) * 1000.0) % rows] = garbage();
    nsds_problem_check(NULL, &g.problem);
    free(p);
    free(i);
  }
  graph_destroy(&g);
}

static void block_row_garbage_is_survived(void **state) {
  (void)state;
  random_seed(3);
  graph g;
  graph_create(&g);
  for (int trial = 0; trial < 20000; ++trial) {
    const int starts[rows + 1] = {0, 1, 2, 3};
    int *row = copy(starts, sizeof starts), *first = copy(starts, sizeof starts);
    int *column = copy(starts, rows * sizeof *starts), *start = copy(starts, rows * sizeof *starts);
    nsds_block_rows B = {rows, row, first, column, start, g.value};
    g.problem.M = (nsds_matrix){.storage = NSDS_BLOCK_ROWS, .n = rows, .blocks = &B};
    row[(int)(fabs(random_number()) * 1000.0) % (rows + 1)] = garbage();
    first[(int)(fabs(random_number()) * 1000.0) % rows] = garbage();
    column[(int)(fabs(random_number()) * 1000.0) % rows] = garbage();
    nsds_problem_check(NULL, &g.problem);
    free(row);
    free(first);
    free(column);
    free(start);
  }
  graph_destroy(&g);
}

/* ---- the global problem ---- */

static void global_starts_that_decrease_are_not_walked(void **state) {
  (void)state;
  nsds_context *context = nsds_context_create(NULL);
  const double M[9] = {2, 0, 0, 0, 2, 0, 0, 0, 2}, one[3] = {1, 1, 1};
  const int index[3] = {0, 1, 2}, starts[4] = {0, 1, 2, 3};
  nsds_block block = {.set = NSDS_SET_COULOMB, .size = 3, .mu = 0.3};
  random_seed(4);
  for (int trial = 0; trial < 5000; ++trial) {
    int *p = copy(starts, sizeof starts), *i = copy(index, sizeof index);
    double *h = copy(one, sizeof one);
    nsds_global_problem g = {.nv = 3,
                             .n = 3,
                             .nblock = 1,
                             .block = &block,
                             .M = {.storage = NSDS_DENSE, .n = 3, .x = M},
                             .H = {3, 3, p, i, h},
                             .f = one,
                             .w = one};
    assert_status(nsds_global_check(context, &g), NSDS_OK);
    p[1] = trial ? garbage() : 500000;
    nsds_status status = nsds_global_check(context, &g);
    if (trial == 0) {
      assert_status(status, NSDS_ERROR_VALUE);
      assert_non_null(
          strstr(nsds_error_message(context), "nsds_global_problem: H.p[2] is 2, smaller than"));
    }
    nsds_error_clear(context);
    free(p);
    free(i);
    free(h);
  }
  nsds_context_destroy(context);
}

/* z >= 1 and z <= 0. */
static void empty_polyhedron_is_refused(void **state) {
  (void)state;
  const double H[2] = {1.0, -1.0}, K[2] = {1.0, 0.0}, touching[2] = {1.0, -1.0}, one[1] = {1.0};
  nsds_block block = {.set = NSDS_SET_POLYHEDRON, .size = 1, .nfacet = 2, .H = H, .K = K};
  nsds_problem problem = {.n = 1,
                          .nblock = 1,
                          .block = &block,
                          .M = {.storage = NSDS_DENSE, .n = 1, .x = one},
                          .q = one};
  expect_refusal(&problem, NSDS_ERROR_VALUE, "block[0] has no point");
  block.K = touching; /* z >= 1 and z <= 1 */
  assert_status(nsds_problem_check(NULL, &problem), NSDS_OK);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(edges_are_not_read_before_rows_are_checked),
      cmocka_unit_test(first_edge_begins_at_zero),
      cmocka_unit_test(columns_of_an_edge_do_not_overflow),
      cmocka_unit_test(column_groups_do_not_overlap),
      cmocka_unit_test(sizes_are_summed_before_bounds_are_read),
      cmocka_unit_test(factored_garbage_is_survived),
      cmocka_unit_test(csc_garbage_is_survived),
      cmocka_unit_test(block_row_garbage_is_survived),
      cmocka_unit_test(global_starts_that_decrease_are_not_walked),
      cmocka_unit_test(empty_polyhedron_is_refused),
  };
  return cmocka_run_group_tests_name("numerics.problem_check", tests, NULL, NULL);
}
