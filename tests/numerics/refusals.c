/*
 * What problems and calls of the numerics room are refused, and with which words: object, argument,
 * value and what would be valid. A refused call changes nothing.
 */
#include "cmocka_setup.h"
#include "meter.h"

#include <nsds/extend_solver.h>
#include <nsds/global.h>
#include <nsds/nonlinear.h>

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static nsds_context *context;

static int open_context(void **unused) {
  (void)unused;
  context = nsds_context_create(NULL);
  return context == NULL;
}

static int close_context(void **unused) {
  (void)unused;
  nsds_context_destroy(context);
  return 0;
}

/* The status is an error with these words in its message, which is then forgotten. */
static void refuses(nsds_status got, nsds_status expected, const char *words) {
  const char *message = nsds_error_message(context);
  if (got != expected || nsds_error(context) != expected || !strstr(message, words))
    fail_msg("%d, \"%s\"; expected are %d, \"%s\"", (int)got, message, (int)expected, words);
  nsds_error_clear(context);
}

/* The same of a call that got no context. */
static void refuses_null(nsds_status got, const char *message) {
  assert_int_equal(got, NSDS_ERROR_ARGUMENT);
  assert_string_equal(nsds_error_message(NULL), message);
}

/* ---- problems -------------------------------------------------------------------------------- */

static void check_refuses(const nsds_problem *problem, nsds_status status, const char *words) {
  refuses(nsds_problem_check(context, problem), status, words);
}

static const double one[1] = {1.0}, zeros[64];

/* One block of a set, and M the identity or larger than it matters. */
static void block_refused(nsds_block block, nsds_status status, const char *words) {
  static double identity[40 * 40];
  for (int i = 0; i < block.size && i < 40; ++i) identity[i + i * block.size] = 1.0;
  const nsds_problem problem = {.n = block.size,
                                .nblock = 1,
                                .block = &block,
                                .q = zeros,
                                .M = {.storage = NSDS_DENSE, .n = block.size, .x = identity}};
  check_refuses(&problem, status, words);
  memset(identity, 0, sizeof identity);
}

static void blocks_are_checked(void **unused) {
  (void)unused;
  const double up[2] = {1.0, INFINITY}, down[2] = {-1.0, -INFINITY};
  const double low[2] = {0.0, 2.0}, high[2] = {0.0, 1.0}, nan[2] = {NAN, 0.0};
  block_refused((nsds_block){.set = NSDS_SET_BOX, .size = 2, .upper = up}, NSDS_ERROR_ARGUMENT,
                "block[0].lower is NULL");
  block_refused((nsds_block){.set = NSDS_SET_BOX, .size = 2, .lower = down}, NSDS_ERROR_ARGUMENT,
                "block[0].upper is NULL");
  block_refused((nsds_block){.set = NSDS_SET_BOX, .size = 2, .lower = low, .upper = high},
                NSDS_ERROR_VALUE, "block[0] has lower[1] = 2 and upper[1] = 1; valid is lower <= ");
  block_refused((nsds_block){.set = NSDS_SET_BOX, .size = 2, .lower = nan, .upper = up},
                NSDS_ERROR_VALUE, "lower[0] = nan");
  block_refused((nsds_block){.set = NSDS_SET_BOX, .size = 2, .lower = up, .upper = up},
                NSDS_ERROR_VALUE, "lower[1] = inf and upper[1] = inf");
  block_refused((nsds_block){.set = NSDS_SET_BOX, .size = 2, .lower = down, .upper = down},
                NSDS_ERROR_VALUE, "lower[1] = -inf and upper[1] = -inf");
  static const struct {
    nsds_set_kind set;
    int sizes[4]; /* all refused, the list ends with 0 */
    const char *valid;
  } sizes[] = {{NSDS_SET_DISC, {33, 0}, "1 to 32"},
               {NSDS_SET_CONE, {33, 0}, "1 to 32"},
               {NSDS_SET_COULOMB, {1, 4, 0}, "2 or 3"},
               {NSDS_SET_ROLLING, {2, 4, 6, 0}, "3 or 5"},
               {NSDS_SET_POLYHEDRON, {33, 0}, "at most 32"}};
  for (size_t k = 0; k < sizeof sizes / sizeof *sizes; ++k)
    for (const int *size = sizes[k].sizes; *size; ++size) {
      char words[80];
      snprintf(words, sizeof words, "block[0].size is %d; with this set it must be %s", *size,
               sizes[k].valid);
      block_refused((nsds_block){.set = sizes[k].set, .size = *size}, NSDS_ERROR_SIZE, words);
    }
  block_refused((nsds_block){.set = NSDS_SET_DISC, .size = 2, .radius = -1.0}, NSDS_ERROR_VALUE,
                "block[0].radius is -1; it must be finite and not negative");
  block_refused((nsds_block){.set = NSDS_SET_CONE, .size = 2, .mu = NAN}, NSDS_ERROR_VALUE,
                "block[0].mu is nan");
  block_refused((nsds_block){.set = NSDS_SET_COULOMB, .size = 2, .mu = INFINITY}, NSDS_ERROR_VALUE,
                "block[0].mu is inf");
  block_refused((nsds_block){.set = NSDS_SET_ROLLING, .size = 5, .mu = -0.5}, NSDS_ERROR_VALUE,
                "block[0].mu is -0.5");
  block_refused((nsds_block){.set = NSDS_SET_ROLLING, .size = 5, .mu_rolling = -2.0},
                NSDS_ERROR_VALUE, "block[0].mu_rolling is -2");
  block_refused((nsds_block){.set = NSDS_SET_POLYHEDRON, .size = 2, .nfacet = -1}, NSDS_ERROR_SIZE,
                "block[0].nfacet is -1; valid is 0 to 1073741823");
  block_refused((nsds_block){.set = NSDS_SET_POLYHEDRON, .size = 2, .nfacet = INT_MAX / 2 + 1},
                NSDS_ERROR_SIZE, "block[0].nfacet is 1073741824");
  block_refused((nsds_block){.set = NSDS_SET_POLYHEDRON, .size = 2, .nfacet = 1, .K = zeros},
                NSDS_ERROR_ARGUMENT, "block[0].H is NULL");
  block_refused((nsds_block){.set = NSDS_SET_POLYHEDRON, .size = 2, .nfacet = 1, .H = zeros},
                NSDS_ERROR_ARGUMENT, "block[0].K is NULL");
  block_refused((nsds_block){.set = (nsds_set_kind)3, .size = 1}, NSDS_ERROR_UNSUPPORTED,
                "block[0].set is 3; it must be one of the values of nsds_set_kind");
}

static void sizes_are_checked(void **unused) {
  (void)unused;
  const nsds_block row = {.set = NSDS_SET_NONNEGATIVE, .size = 1};
  const nsds_problem good = {.n = 1,
                             .nblock = 1,
                             .block = &row,
                             .q = zeros,
                             .M = {.storage = NSDS_DENSE, .n = 1, .x = one}};
  assert_status(nsds_problem_check(context, &good), NSDS_OK);
  nsds_problem bad = good;
  bad.n = -1;
  check_refuses(&bad, NSDS_ERROR_SIZE, "n is -1 and nblock is 1; neither may be negative");
  bad = good;
  bad.nblock = -2;
  check_refuses(&bad, NSDS_ERROR_SIZE, "n is 1 and nblock is -2; neither may be negative");
  const nsds_block many = {.set = NSDS_SET_NONNEGATIVE, .size = 50000};
  bad = (nsds_problem){
      .n = 50000, .nblock = 1, .block = &many, .M = {.storage = NSDS_DENSE, .n = 50000, .x = one}};
  check_refuses(&bad, NSDS_ERROR_SIZE,
                "M is dense and M.n is 50000; valid are up to 46340 rows, larger ones in another");
  bad = good;
  for (size_t k = 0; k < 3; ++k) {
    const double error[3] = {-1.0, NAN, INFINITY};
    bad.q_error = &error[k];
    char words[80];
    snprintf(words, sizeof words, "q_error[0] is %g", error[k]);
    check_refuses(&bad, NSDS_ERROR_VALUE, words);
  }
  bad.q_error = one;
  assert_status(nsds_problem_check(context, &bad), NSDS_OK);
}

/* Two rows that share the two columns of one body. */
typedef struct pair_of_rows {
  nsds_problem problem;
  nsds_factored f;
  nsds_block block[2];
  nsds_edge edge[2];
  int row[3], first[3];
} pair_of_rows;

static void pair_open(pair_of_rows *p) {
  static const double H[2] = {1.0, 2.0}, Y[2] = {0.5, 0.25};
  *p = (pair_of_rows){.row = {0, 1, 2}, .first = {0, 1, 2}};
  for (int k = 0; k < 2; ++k) {
    p->block[k] = (nsds_block){.set = NSDS_SET_NONNEGATIVE, .size = 1};
    p->edge[k] = (nsds_edge){.column = 0, .size = 2, .H = H, .Y = Y};
  }
  p->f = (nsds_factored){
      .nrow_block = 2, .ncolumn = 2, .row = p->row, .first_edge = p->first, .edge = p->edge};
  p->problem = (nsds_problem){.n = 2,
                              .nblock = 2,
                              .block = p->block,
                              .q = zeros,
                              .M = {.storage = NSDS_FACTORED, .n = 2, .factored = &p->f}};
  assert_status(nsds_problem_check(context, &p->problem), NSDS_OK);
}

static void factors_are_checked(void **unused) {
  (void)unused;
  pair_of_rows p;
  pair_open(&p);
  p.problem.M.factored = NULL;
  check_refuses(&p.problem, NSDS_ERROR_ARGUMENT, "M.factored is NULL");
  pair_open(&p);
  p.f.nrow_block = -1;
  check_refuses(&p.problem, NSDS_ERROR_SIZE,
                "M.factored.nrow_block is -1; it must not be negative");
  pair_open(&p);
  p.f.row = NULL;
  check_refuses(&p.problem, NSDS_ERROR_ARGUMENT, "M.factored.row is NULL");
  pair_open(&p);
  p.f.first_edge = NULL;
  check_refuses(&p.problem, NSDS_ERROR_ARGUMENT, "M.factored.first_edge is NULL");
  pair_open(&p);
  p.f.ncolumn = -1;
  check_refuses(&p.problem, NSDS_ERROR_SIZE, "M.factored.ncolumn is -1");
  pair_open(&p);
  p.f.edge = NULL;
  check_refuses(&p.problem, NSDS_ERROR_ARGUMENT, "M.factored.edge is NULL");
  pair_open(&p);
  p.row[2] = 3;
  check_refuses(&p.problem, NSDS_ERROR_SIZE, "M.factored.row spans 3 rows, but n is 2");
  pair_open(&p);
  p.edge[1].H = NULL;
  check_refuses(&p.problem, NSDS_ERROR_ARGUMENT, "M.factored.edge[1].H is NULL");
  pair_open(&p);
  p.edge[1].Y = NULL;
  check_refuses(&p.problem, NSDS_ERROR_ARGUMENT,
                "M.factored.edge[1].Y is NULL, and so is M.factored.gain; give one of them");
  p.f.gain = (const double[2]){1.0, INFINITY};
  check_refuses(&p.problem, NSDS_ERROR_VALUE, "M.factored.gain[1] is inf; it must be finite");
  pair_open(&p);
  p.edge[0].size = -1;
  check_refuses(&p.problem, NSDS_ERROR_SIZE, "M.factored.edge[0] spans columns 0..-2");
  pair_open(&p);
  p.edge[0].column = -1;
  check_refuses(&p.problem, NSDS_ERROR_SIZE, "M.factored.edge[0] spans columns -1..0");
  pair_open(&p);
  p.edge[0].Y = (const double[2]){0.0, NAN};
  check_refuses(&p.problem, NSDS_ERROR_VALUE, "M.factored.edge[0].Y[1] is nan");
  pair_open(&p);
  p.edge[0].H = (const double[2]){0.0, NAN};
  check_refuses(&p.problem, NSDS_ERROR_VALUE, "M.factored.edge[0].H[1] is nan");
  pair_open(&p);
  p.f.D = (const double *const[2]){NULL, (const double[1]){INFINITY}};
  check_refuses(&p.problem, NSDS_ERROR_VALUE, "M.factored.D[1](0,0) is inf");
}

/* An edge without columns counts for nothing; a problem may be checked without a context. */
static void empty_edges_and_no_context(void **unused) {
  (void)unused;
  pair_of_rows p;
  pair_open(&p);
  p.edge[1].size = 0;
  assert_status(nsds_problem_check(context, &p.problem), NSDS_OK);
  assert_status(nsds_problem_check(NULL, &p.problem), NSDS_OK);
  pair_open(&p);
  p.first[1] = 2; /* both edges are of the first row */
  check_refuses(&p.problem, NSDS_ERROR_VALUE,
                "M.factored.edge[0] and edge[1] of block row 0 are both of columns 0..1");
  assert_status(nsds_problem_check(NULL, &p.problem), NSDS_ERROR_VALUE);
  assert_non_null(strstr(nsds_error_message(NULL), "a block row has one edge per column group"));

  meter m = {0};
  nsds_context *metered = metered_context(&m);
  m.fail_at = m.count + 1;
  pair_open(&p);
  assert_status(nsds_problem_check(metered, &p.problem), NSDS_ERROR_MEMORY);
  assert_int_equal(nsds_error(metered), NSDS_ERROR_MEMORY);
  nsds_context_destroy(metered);
}

static void block_rows_are_checked(void **unused) {
  (void)unused;
  static const int row[2] = {0, 1}, first[2] = {0, 1}, column[1] = {0}, start[1] = {0};
  const int before[1] = {-4};
  const nsds_block_rows good = {
      .nrow_block = 1, .row = row, .first = first, .column = column, .start = start, .x = one};
  const nsds_block block = {.set = NSDS_SET_NONNEGATIVE, .size = 1};
  nsds_block_rows B = good;
  nsds_problem problem = {.n = 1,
                          .nblock = 1,
                          .block = &block,
                          .q = zeros,
                          .M = {.storage = NSDS_BLOCK_ROWS, .n = 1, .blocks = &B}};
  assert_status(nsds_problem_check(context, &problem), NSDS_OK);
  B.column = NULL;
  check_refuses(&problem, NSDS_ERROR_ARGUMENT, "M.blocks.column is NULL");
  B = good;
  B.start = NULL;
  check_refuses(&problem, NSDS_ERROR_ARGUMENT, "M.blocks.start is NULL");
  B = good;
  B.x = NULL;
  check_refuses(&problem, NSDS_ERROR_ARGUMENT, "M.blocks.x is NULL");
  B = good;
  B.start = before;
  check_refuses(&problem, NSDS_ERROR_VALUE, "M.blocks.start[0] is -4; it must not be negative");
  problem.M.blocks = NULL;
  check_refuses(&problem, NSDS_ERROR_ARGUMENT, "M.blocks is NULL");
}

static void columns_are_checked(void **unused) {
  (void)unused;
  static const int p[2] = {0, 1}, i[1] = {0};
  const nsds_block block = {.set = NSDS_SET_NONNEGATIVE, .size = 1};
  nsds_problem problem = {.n = 1,
                          .nblock = 1,
                          .block = &block,
                          .q = zeros,
                          .M = {.storage = NSDS_CSC, .n = 1, .p = p, .i = i, .x = one}};
  assert_status(nsds_problem_check(context, &problem), NSDS_OK);
  problem.M.i = NULL;
  check_refuses(&problem, NSDS_ERROR_ARGUMENT, "M.i is NULL");
  problem.M.i = i;
  problem.M.x = NULL;
  check_refuses(&problem, NSDS_ERROR_ARGUMENT, "M.x is NULL");
  problem.M.p = NULL;
  check_refuses(&problem, NSDS_ERROR_ARGUMENT, "M.p is NULL");
}

/* ---- solvers --------------------------------------------------------------------------------- */

static const nsds_block one_row = {.set = NSDS_SET_NONNEGATIVE, .size = 1};
static const double minus_two[1] = {-2.0}, four[1] = {4.0};
/* z = 1/2 */
static const nsds_problem half = {.n = 1,
                                  .nblock = 1,
                                  .block = &one_row,
                                  .q = minus_two,
                                  .M = {.storage = NSDS_DENSE, .n = 1, .x = four}};

static void solvers_refuse_null(void **unused) {
  (void)unused;
  double z[1] = {0.0}, w[1];
  assert_null(nsds_solver_create(NULL, "lemke"));
  assert_string_equal(nsds_error_message(NULL), "nsds_solver_create: context is NULL");
  refuses_null(nsds_solver_set(NULL, "tolerance", 1.0), "nsds_solver_set: solver is NULL");
  assert_true(isnan(nsds_solver_get(NULL, "tolerance")));
  assert_string_equal(nsds_error_message(NULL), "nsds_solver_get: solver is NULL");
  refuses_null(nsds_solver_reserve(NULL, &half), "nsds_solver_reserve: solver is NULL");
  refuses_null(nsds_solve(NULL, &half, z, w, NULL), "nsds_solve: solver is NULL");
  refuses_null(nsds_problem_check(NULL, NULL), "nsds_problem_check: problem is NULL");
  assert_null(nsds_solver_get_row(NULL));
  nsds_solver_set_progress(NULL, NULL, NULL);
  nsds_solver_destroy(NULL);
  assert_string_equal(nsds_outcome_text((nsds_outcome)77), "unknown outcome");
  assert_string_equal(nsds_outcome_text(NSDS_RAY), "secondary ray");

  nsds_solver *solver = nsds_solver_create(context, "lemke");
  refuses(nsds_solver_reserve(solver, NULL), NSDS_ERROR_ARGUMENT, "reserve: problem is NULL");
  refuses(nsds_solve(solver, NULL, z, w, NULL), NSDS_ERROR_ARGUMENT, "nsds_solve: problem is NULL");
  refuses(nsds_solve(solver, &half, NULL, w, NULL), NSDS_ERROR_ARGUMENT, "nsds_solve: z is NULL");
  refuses(nsds_solve(solver, &half, z, NULL, NULL), NSDS_ERROR_ARGUMENT, "nsds_solve: w is NULL");
  nsds_problem forgotten = half;
  forgotten.M.n = 0;
  refuses(nsds_solve(solver, &forgotten, z, w, NULL), NSDS_ERROR_SIZE, "M.n is 0, but n is");
  refuses(nsds_solver_set(solver, NULL, 1.0), NSDS_ERROR_ARGUMENT, "has no option \"(NULL)\"; it");
  assert_status(nsds_solve(solver, &half, z, w, NULL), NSDS_OK); /* nothing has changed */
  assert_true(fabs(z[0] - 0.5) < 1e-12);
  nsds_solver_destroy(solver);
}

/* Every name that was one once says what does its work now. */
static void names_of_old(void **unused) {
  (void)unused;
  static const char *const names[][2] = {{"direct", "use \"enumeration\""},
                                         {"cao_ferris", "use \"lemke\""},
                                         {"pgs", "option \"plain\""},
                                         {"proximal_newton", "option \"hyperstatic\""},
                                         {"extragradient", "examples/solvers/extragradient.c"},
                                         {"hyperplane_projection", "interior_point"},
                                         {"fixed_point_projection", "projected_gradient"},
                                         {"conjugate_projected_gradient", "projected_gradient"},
                                         {"tresca", "examples/solvers/tresca.c"},
                                         {"panagiotopoulos", "nsgs"},
                                         {"de_saxce", "nsgs"},
                                         {"aclm", "nsgs"},
                                         {"proximal_point", "option \"proximal\""}};
  for (size_t k = 0; k < sizeof names / sizeof *names; ++k) {
    assert_null(nsds_solver_create(context, names[k][0]));
    refuses(nsds_error(context), NSDS_ERROR_ARGUMENT, names[k][1]);
  }
}

/* What a solver that is at work is asked from its progress function. */
typedef struct within {
  nsds_solver *solver, *global;
  int asked;
} within;

static int ask_within(int iteration, double residual, void *user) {
  within *a = user;
  double x[1];
  (void)iteration;
  (void)residual;
  if (a->asked++) return 0;
  if (a->solver) {
    assert_status(nsds_solver_set(a->solver, "tolerance", 0.5), NSDS_ERROR_STATE);
    assert_status(nsds_solver_reserve(a->solver, &half), NSDS_ERROR_STATE);
    assert_status(nsds_solve(a->solver, &half, x, x, NULL), NSDS_ERROR_STATE);
    nsds_solver_set_progress(a->solver, NULL, NULL);
    nsds_solver_destroy(a->solver);
  } else {
    const nsds_global_problem none = {0};
    assert_status(nsds_solver_set(a->global, "tolerance", 0.5), NSDS_ERROR_STATE);
    assert_status(nsds_global_solve(a->global, &none, x, x, x, x, NULL), NSDS_ERROR_STATE);
    nsds_solver_set_progress(a->global, NULL, NULL);
    nsds_solver_destroy(a->global);
  }
  return 0;
}

static void solvers_at_work_are_left_alone(void **unused) {
  (void)unused;
  const double M[4] = {2.0, 1.0, 1.0, 2.0}, q[2] = {-5.0, -6.0};
  const nsds_block block = {.set = NSDS_SET_NONNEGATIVE, .size = 2};
  const nsds_problem problem = {
      .n = 2, .nblock = 1, .block = &block, .q = q, .M = {.storage = NSDS_DENSE, .n = 2, .x = M}};
  double z[2] = {0.0, 0.0}, w[2];
  within a = {.solver = nsds_solver_create(context, "nsgs")};
  nsds_solver_set_progress(a.solver, ask_within, &a);
  assert_status(nsds_solve(a.solver, &problem, z, w, NULL), NSDS_OK);
  assert_true(a.asked > 1); /* the progress function stayed */
  assert_true(fabs(z[0] - 4.0 / 3.0) < 1e-8 && fabs(z[1] - 7.0 / 3.0) < 1e-8);
  refuses(nsds_error(context), NSDS_ERROR_STATE,
          "nsds_solver_set: solver \"nsgs\" is at work; call it after nsds_solve() has returned");
  assert_true(nsds_solver_get(a.solver, "tolerance") < 0.5);
  nsds_solver_destroy(a.solver);
}

/* ---- one row: answers beyond all numbers go the way of others -------------------------------- */

static void one_row_of_auto(void **unused) {
  (void)unused;
  nsds_solver *solver = nsds_solver_create(context, NULL);
  static const struct {
    double M, q, z;
    nsds_set_kind set;
    nsds_status status;
  } cases[] = {
      {4.0, -2.0, 0.5, NSDS_SET_NONNEGATIVE, NSDS_OK},
      {4.0, 2.0, 0.0, NSDS_SET_NONNEGATIVE, NSDS_OK},
      {4.0, 0.0, 0.0, NSDS_SET_EQUALITY, NSDS_OK},
      {-4.0, 2.0, 0.5, NSDS_SET_EQUALITY, NSDS_OK},
      {0.0, -1.0, 0.0, NSDS_SET_NONNEGATIVE, NSDS_ERROR_SOLVER}, /* w = -1 for any z */
      {-1.0, -1.0, 0.0, NSDS_SET_NONNEGATIVE, NSDS_ERROR_SOLVER},
      {1e-300, -1e300, 0.0, NSDS_SET_NONNEGATIVE, NSDS_ERROR_SOLVER}, /* z = 1e600 */
  };
  for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
    const nsds_block block = {.set = cases[k].set, .size = 1};
    const nsds_problem problem = {.n = 1,
                                  .nblock = 1,
                                  .block = &block,
                                  .q = &cases[k].q,
                                  .M = {.storage = NSDS_DENSE, .n = 1, .x = &cases[k].M}};
    nsds_solver_info info;
    double z[1] = {0.0}, w[1];
    assert_status(nsds_solve(solver, &problem, z, w, &info), cases[k].status);
    assert_int_equal(info.outcome == NSDS_SOLVED, cases[k].status == NSDS_OK);
    if (cases[k].status == NSDS_OK) assert_true(z[0] == cases[k].z);
    assert_true(isfinite(z[0]) && isfinite(w[0]));
  }
  nsds_solver_destroy(solver);
}

/* ---- global solvers -------------------------------------------------------------------------- */

static void global_solvers_refuse_null(void **unused) {
  (void)unused;
  double x[4] = {0.0};
  assert_null(nsds_solver_inner(NULL));
  assert_string_equal(nsds_error_message(NULL), "nsds_solver_inner: solver is NULL");
  const nsds_global_problem none = {0};
  refuses_null(nsds_global_solve(NULL, &none, x, x, x, x, NULL),
               "nsds_global_solve: solver is NULL");

  nsds_solver *solver = nsds_solver_create(context, "global");
  refuses(nsds_global_solve(solver, NULL, x, x, x, x, NULL), NSDS_ERROR_ARGUMENT,
          "nsds_global_solve: problem is NULL");
  const nsds_global_problem sizes = {.nv = 1, .n = 1, .p = 1};
  static const char *const missing[4] = {"v is NULL", "r is NULL", "u is NULL", "lambda is NULL"};
  for (int k = 0; k < 4; ++k) {
    double *given[4] = {x, x, x, x};
    given[k] = NULL;
    refuses(nsds_global_solve(solver, &sizes, given[0], given[1], given[2], given[3], NULL),
            NSDS_ERROR_ARGUMENT, missing[k]);
  }
  nsds_solver_destroy(solver);
}

static const nsds_block sticky = {.set = NSDS_SET_COULOMB, .size = 2, .mu = 0.5};

/* A body of mass 2 that falls onto the ground with f = (-2, 0.1): r = -f, v = 0. */
static void a_global_solver_at_work_is_left_alone(void **unused) {
  (void)unused;
  static const int p[3] = {0, 1, 2}, i[2] = {0, 1};
  static const double M[4] = {2.0, 0.0, 0.0, 2.0}, H[2] = {1.0, 1.0}, f[2] = {-2.0, 0.1};
  const nsds_global_problem problem = {.nv = 2,
                                       .n = 2,
                                       .nblock = 1,
                                       .block = &sticky,
                                       .M = {.storage = NSDS_DENSE, .n = 2, .x = M},
                                       .H = {2, 2, p, i, H},
                                       .G = {.nrow = 2},
                                       .f = f,
                                       .w = zeros};
  assert_status(nsds_global_check(context, &problem), NSDS_OK);
  double v[2] = {0}, r[2] = {0}, u[2] = {0};
  within a = {.global = nsds_solver_create(context, "global_admm")};
  nsds_solver_set_progress(a.global, ask_within, &a);
  assert_status(nsds_global_solve(a.global, &problem, v, r, u, NULL, NULL), NSDS_OK);
  assert_true(a.asked > 1);
  assert_true(fabs(r[0] - 2.0) < 1e-7 && fabs(r[1] + 0.1) < 1e-7 && fabs(v[0]) < 1e-7);
  refuses(nsds_error(context), NSDS_ERROR_STATE,
          "solver \"global_admm\" is at work; call it after nsds_global_solve()");
  nsds_solver_destroy(a.global);
}

static void global_sizes_are_checked(void **unused) {
  (void)unused;
  static const struct {
    nsds_global_problem problem;
    const char *words;
  } cases[] = {{{.nv = -1}, "nv is -1"},
               {{.n = -1}, "n is -1"},
               {{.p = -3}, "p is -3"},
               {{.nblock = -1}, "nblock is -1"}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k)
    refuses(nsds_global_check(context, &cases[k].problem), NSDS_ERROR_SIZE, cases[k].words);
}

/* ---- nonlinear problems ---------------------------------------------------------------------- */

static int square(const double *z, double *F, void *user) { /* z = 2 */
  (void)user;
  F[0] = z[0] * z[0] - 4.0;
  return 0;
}

static int slope(const double *z, double *J, void *user) {
  (void)user;
  J[0] = 2.0 * z[0];
  return 0;
}

static void nonlinear_problems_are_checked(void **unused) {
  (void)unused;
  static const int p[2] = {0, 1}, i[1] = {0};
  nsds_solver *solver = nsds_solver_create(context, NULL);
  const nsds_nonlinear_problem good = {.n = 1, .nblock = 1, .block = &one_row, .F = square};
  nsds_nonlinear_problem bad = good;
  double z[1] = {5.0}, w[1];
  refuses_null(nsds_nonlinear_solve(NULL, &good, 0, z, w, NULL),
               "nsds_nonlinear_solve: solver is NULL");
  refuses(nsds_nonlinear_solve(solver, NULL, 0, z, w, NULL), NSDS_ERROR_ARGUMENT,
          "nsds_nonlinear_solve: problem is NULL");
  refuses(nsds_nonlinear_solve(solver, &good, 0, NULL, w, NULL), NSDS_ERROR_ARGUMENT, "z is NULL");
  refuses(nsds_nonlinear_solve(solver, &good, 0, z, NULL, NULL), NSDS_ERROR_ARGUMENT, "w is NULL");
  refuses(nsds_nonlinear_solve(solver, &good, -1, z, w, NULL), NSDS_ERROR_VALUE,
          "max_steps is -1; valid is 0, for ");
  bad.n = -1;
  refuses(nsds_nonlinear_solve(solver, &bad, 0, z, w, NULL), NSDS_ERROR_SIZE,
          "n is -1 and nblock is 1; neither may be negative");
  bad = good;
  bad.nblock = -1;
  refuses(nsds_nonlinear_solve(solver, &bad, 0, z, w, NULL), NSDS_ERROR_SIZE, "nblock is -1");
  bad = good;
  bad.F = NULL;
  refuses(nsds_nonlinear_solve(solver, &bad, 0, z, w, NULL), NSDS_ERROR_ARGUMENT, "F is NULL");
  bad = good;
  bad.p = p;
  refuses(nsds_nonlinear_solve(solver, &bad, 0, z, w, NULL), NSDS_ERROR_ARGUMENT,
          "i is NULL, p is not; give both or none");
  bad.p = NULL;
  bad.i = i;
  refuses(nsds_nonlinear_solve(solver, &bad, 0, z, w, NULL), NSDS_ERROR_ARGUMENT,
          "p is NULL, i is not; give both or none");
  bad.p = p;
  refuses(nsds_nonlinear_solve(solver, &bad, 0, z, w, NULL), NSDS_ERROR_ARGUMENT,
          "jacobian is NULL and p is not");
  bad.jacobian = slope;
  assert_status(nsds_nonlinear_solve(solver, &bad, 0, z, w, NULL), NSDS_OK);
  assert_true(fabs(z[0] - 2.0) < 1e-9);
  bad = (nsds_nonlinear_problem){.n = 50000, .F = square};
  refuses(nsds_nonlinear_solve(solver, &bad, 0, z, w, NULL), NSDS_ERROR_SIZE,
          "the Jacobian is dense and n is 50000; valid are up to 46340 rows");
  nsds_solver_destroy(solver);
}

/* ---- solvers of a user's own ----------------------------------------------------------------- */

static nsds_context *heard_context;
static nsds_status heard_status;

static nsds_status no_answer(void *self, nsds_solver_task *task, double *z) {
  (void)self;
  (void)task;
  (void)z;
  return NSDS_OK;
}

static const nsds_solver_ops own = {
    .name = "own", .sets = NSDS_SET_NONNEGATIVE, .storages = NSDS_DENSE, .solve = no_answer};

static void hear(nsds_log_level level, const char *message, void *user) {
  (void)level;
  (void)message;
  (void)user;
  heard_status = nsds_solver_register(heard_context, &own);
  assert_null(nsds_solver_create(heard_context, NULL));
}

/* In the log handler of a context nothing is registered or made. */
static void nothing_is_made_in_a_hook(void **unused) {
  (void)unused;
  heard_context = nsds_context_create(&(nsds_context_def){.log = hear});
  assert_null(nsds_solver_create(heard_context, "sorcery"));
  assert_int_equal(heard_status, NSDS_ERROR_STATE);
  assert_null(nsds_solver_registered(heard_context, 0));
  nsds_error_clear(heard_context);
  assert_status(nsds_solver_register(heard_context, &own), NSDS_OK);
  assert_string_equal(nsds_solver_registered(heard_context, 0)->name, "own");
  nsds_context_destroy(heard_context);
  assert_null(nsds_solver_registered(NULL, 0));
  refuses_null(nsds_solver_register(NULL, &own), "nsds_solver_register: context is NULL");
  refuses(nsds_solver_register(context, NULL), NSDS_ERROR_ARGUMENT,
          "nsds_solver_register: ops is NULL");
  assert_false(nsds_solver_stop(NULL, 1, 1.0));
  assert_false(nsds_solver_stop(&(nsds_solver_task){0}, 1, 1.0));
}

/* ---- answers that are refused ---------------------------------------------------------------- */

static double drawn_number(unsigned *seed) {
  *seed = *seed * 1664525u + 1013904223u;
  return (double)(*seed >> 8) / 8388608.0 - 1.0;
}

/* A refused answer has the violation that nsds_certify() finds, whether the answer is judged or a method has given up;
 * w is M z + q. An answer that is not finite stays as it is, with residual and violation inf. */
static void refused_answers_have_a_violation(void **unused) {
  (void)unused;
  enum { most = 6 };
  unsigned seed = 7;
  int refused = 0;
  for (int turn = 0; turn < 2000; ++turn) {
    int n = 1 + turn % most, kind = turn / most % 3; /* z drawn, one sweep, z not finite */
    double M[most * most], q[most], scale[most], z[most], w[most], work[100];
    for (int i = 0; i < n; ++i)
      for (int j = 0; j <= i; ++j)
        M[i + j * n] = M[j + i * n] = i == j ? 1.5 * n : drawn_number(&seed);
    for (int i = 0; i < n; ++i)
      q[i] = drawn_number(&seed), z[i] = fabs(drawn_number(&seed)), scale[i] = 1e3;
    const nsds_block block = {.set = NSDS_SET_NONNEGATIVE, .size = n};
    const nsds_problem problem = {.n = n,
                                  .nblock = 1,
                                  .block = &block,
                                  .M = {.storage = NSDS_DENSE, .n = n, .x = M},
                                  .q = q,
                                  .scale = turn % 2 ? scale : NULL};
    assert_true(nsds_problem_work(&problem) <= sizeof work / sizeof *work);
    nsds_solver *solver = nsds_solver_create(context, kind == 1 ? "nsgs" : NULL);
    assert_non_null(solver);
    if (kind == 1) nsds_solver_set(solver, "max_iterations", 1.0);
    if (kind == 2) z[turn % n] = turn % 4 ? NAN : INFINITY;
    nsds_solver_info info;
    nsds_status status = kind == 1 ? nsds_solve(solver, &problem, z, w, &info)
                                   : nsds_judge_answer(solver, &problem, z, w, &info);
    nsds_certificate certificate;
    nsds_certify(&problem, z, work, &certificate);
    if (kind == 2) {
      assert_int_equal(status, NSDS_ERROR_SOLVER);
      assert_true(isinf(info.residual) && isinf(info.violation));
      assert_false(isfinite(z[turn % n]));
    } else if (status) {
      ++refused;
      assert_int_equal(info.outcome, NSDS_NOT_CONVERGED);
      assert_true(info.residual > 0.0 && info.violation > 0.0);
      assert_true(fabs(info.violation - certificate.violation) <= 1e-9 * certificate.violation);
      for (int i = 0; i < n; ++i) assert_true(w[i] == work[i]);
    }
    nsds_error_clear(context);
    nsds_solver_destroy(solver);
  }
  assert_true(refused > 1000);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(refused_answers_have_a_violation),
      cmocka_unit_test(blocks_are_checked),
      cmocka_unit_test(sizes_are_checked),
      cmocka_unit_test(factors_are_checked),
      cmocka_unit_test(empty_edges_and_no_context),
      cmocka_unit_test(block_rows_are_checked),
      cmocka_unit_test(columns_are_checked),
      cmocka_unit_test(solvers_refuse_null),
      cmocka_unit_test(names_of_old),
      cmocka_unit_test(solvers_at_work_are_left_alone),
      cmocka_unit_test(one_row_of_auto),
      cmocka_unit_test(global_solvers_refuse_null),
      cmocka_unit_test(a_global_solver_at_work_is_left_alone),
      cmocka_unit_test(global_sizes_are_checked),
      cmocka_unit_test(nonlinear_problems_are_checked),
      cmocka_unit_test(nothing_is_made_in_a_hook),
  };
  return cmocka_run_group_tests_name("numerics.refusals", tests, open_context, close_context);
}
