/*
 * Wrong calls as a table: each gives its status and a message that names the call itself and its
 * argument, to its context or, where it has none, to nobody's; after it the solvers solve a problem
 * with a known solution as before.
 */
#include "cmocka_setup.h"
#include "numerics/global/global_state.h"
#include "numerics/ode/ode.h"

#include <math.h>
#include <nsds/global.h>
#include <nsds/io.h>
#include <nsds/nonlinear.h>
#include <nsds/solver.h>
#include <string.h>

typedef struct bench {
  nsds_context *context;
  nsds_solver *lemke;
  nsds_solver *reduction, *admm;
  double x[8];
} bench;

static const nsds_block two = {.set = NSDS_SET_NONNEGATIVE, .size = 2};
static const double m[] = {2.0, 1.0, 1.0, 2.0}, q[] = {-5.0, -6.0};
/* z = (4/3, 7/3) */
static const nsds_problem lcp = {
    .n = 2, .nblock = 1, .block = &two, .M = {.storage = NSDS_DENSE, .n = 2, .x = m}, .q = q};

/* v = (r - 1, 0): a mass pushed against a wall, and one that is not: r = 1 holds it. */
static const double mass[] = {1.0, 0.0, 0.0, 1.0}, f[] = {-1.0, 0.0}, one[] = {1.0}, none[] = {0.0};
static const int starts[] = {0, 1}, first[] = {0};
static const nsds_block single = {.set = NSDS_SET_NONNEGATIVE, .size = 1};
static const nsds_global_problem pushed = {
    .nv = 2,
    .n = 1,
    .nblock = 1,
    .block = &single,
    .M = {.storage = NSDS_DENSE, .n = 2, .x = mass},
    .H = {.nrow = 2, .ncol = 1, .p = starts, .i = first, .x = one},
    .f = f,
    .w = none};

static nsds_status made(const void *object) { return object ? NSDS_OK : NSDS_ERROR_ARGUMENT; }

#define ORPHANS(X)                                                                                 \
  X(no_inner, ARGUMENT, "nsds_solver_inner: solver is NULL", made(nsds_solver_inner(NULL)))

#define OWNED(X)                                                                                   \
  X(inner_of_admm, ARGUMENT, "nsds_solver_inner: solver \"global_admm\" has no inner solver",      \
    made(nsds_solver_inner(b->admm)))                                                              \
  X(half_an_iteration, VALUE, "valid are whole numbers of",                                        \
    nsds_solver_set(b->lemke, "max_iterations", 1.5))                                              \
  X(global_text_without_cones, UNSUPPORTED, "holds COULOMB or ROLLING blocks of one size",         \
    nsds_global_write(b->context, &pushed, NULL, "refused.dat", NSDS_FORMAT_GLOBAL))               \
  X(ode_of_nothing, ARGUMENT, "nsds_ode_create: problem is NULL",                                  \
    made(nsds_ode_create(b->context, NULL, NULL)))

#define FUNCTION(name, status, words, ...)                                                         \
  static nsds_status name##_(bench *b) {                                                           \
    (void)b;                                                                                       \
    return __VA_ARGS__;                                                                            \
  }
#define ORPHAN(name, status, words, ...) {#name, name##_, NSDS_ERROR_##status, true, words},
#define OF_CONTEXT(name, status, words, ...) {#name, name##_, NSDS_ERROR_##status, false, words},
ORPHANS(FUNCTION)
OWNED(FUNCTION)

static const struct misuse {
  const char *name;
  nsds_status (*commit)(bench *b);
  nsds_status expected;
  bool orphan;
  const char *words;
} misuses[] = {ORPHANS(ORPHAN) OWNED(OF_CONTEXT)};

static void solves(bench *b) {
  double z[2] = {0}, w[2], v[2] = {0}, r[1] = {0}, u[1];
  assert_status(nsds_solve(b->lemke, &lcp, z, w, NULL), NSDS_OK);
  assert_true(fabs(z[0] - 4.0 / 3.0) < 1e-9 && fabs(z[1] - 7.0 / 3.0) < 1e-9);
  assert_status(nsds_global_solve(b->reduction, &pushed, v, r, u, NULL, NULL), NSDS_OK);
  assert_true(fabs(r[0] - 1.0) < 1e-9 && fabs(v[0]) < 1e-9 && fabs(u[0]) < 1e-9);
  assert_status(nsds_global_solve(b->admm, &pushed, v, r, u, NULL, NULL), NSDS_OK);
  assert_true(fabs(r[0] - 1.0) < 1e-6 && fabs(v[0]) < 1e-6);
}

static void refused(void **state) {
  (void)state;
  for (size_t k = 0; k < sizeof misuses / sizeof *misuses; ++k) {
    const struct misuse *wrong = &misuses[k];
    bench b = {.context = nsds_context_create(NULL)};
    b.lemke = nsds_solver_create(b.context, "lemke");
    b.reduction = nsds_solver_create(b.context, "global_reduction");
    b.admm = nsds_solver_create(b.context, "global_admm");
    assert_status(nsds_error(b.context), NSDS_OK);
    nsds_error_clear(NULL);
    nsds_status status = wrong->commit(&b);
    const char *message = nsds_error_message(wrong->orphan ? NULL : b.context);
    if (status != wrong->expected || !strstr(message, wrong->words))
      fail_msg("%s: status %d, message \"%s\"", wrong->name, status, message);
    assert_status(nsds_error(b.context), wrong->orphan ? NSDS_OK : wrong->expected);
    nsds_error_clear(b.context);
    solves(&b);
    nsds_solver_destroy(b.lemke);
    nsds_solver_destroy(b.reduction);
    nsds_solver_destroy(b.admm);
    nsds_context_destroy(b.context);
  }
}

/* ---- a function that does not keep its word ---- */

/* F = z - 1, until it has been asked `calls` times; then it has no value, also where it had one. */
static int forgetful(const double *z, double *out, void *user) {
  int *calls = user;
  out[0] = z[0] - 1.0;
  return --*calls < 0;
}

static void function_without_value_where_it_had_one(void **state) {
  (void)state;
  nsds_context *context = nsds_context_create(NULL);
  nsds_solver *solver = nsds_solver_create(context, "enumeration");
  int solved = 0, refusals = 0;
  for (int calls = 1; calls < 12; ++calls) {
    double z = 5.0, w = 0.0;
    int left = calls;
    nsds_nonlinear_problem problem = {
        .n = 1, .nblock = 1, .block = &single, .F = forgetful, .user = &left};
    nsds_error_clear(context);
    nsds_status status = nsds_nonlinear_solve(solver, &problem, 0, &z, &w, NULL);
    if (status == NSDS_OK) {
      assert_true(fabs(z - 1.0) < 1e-8);
      ++solved;
    } else if (status == NSDS_ERROR_CALLBACK)
      refusals += strstr(nsds_error_message(context), "has no finite value") != NULL;
    else assert_status(status, NSDS_ERROR_SOLVER);
    assert_true(isfinite(z));
  }
  assert_true(solved > 0 && refusals > 0);
  nsds_solver_destroy(solver);
  nsds_context_destroy(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(refused),
      cmocka_unit_test(function_without_value_where_it_had_one),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
