/*
 * Nonlinear problems over every set: known answers, closed forms, quadratic convergence, Jacobians
 * given and by differences, domains of F, and what is refused. Public headers alone.
 */
#include "cmocka_setup.h"
#include "families.h"
#include "meter.h"

#include <nsds/nonlinear.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { most = 32 };

static nsds_context *context;
static nsds_solver *solver;

static int open_all(void **state) {
  (void)state;
  context = nsds_context_create(NULL);
  solver = nsds_solver_create(context, NULL);
  return 0;
}

static int close_all(void **state) {
  (void)state;
  nsds_solver_destroy(solver);
  nsds_context_destroy(context);
  return 0;
}

/* ---- Kojima and Shindo's problem: two solutions, at one of which z and w are both zero ---- */

static int kojima(const double *z, double *F, void *user) {
  double a = z[0], b = z[1], c = z[2], d = z[3];
  (void)user;
  F[0] = 3 * a * a + 2 * a * b + 2 * b * b + c + 3 * d - 6;
  F[1] = 2 * a * a + a + b * b + 10 * c + 2 * d - 2;
  F[2] = 3 * a * a + a * b + 2 * b * b + 2 * c + 9 * d - 9;
  F[3] = a * a + 3 * b * b + 2 * c + 3 * d - 3;
  return 0;
}

static int kojima_jacobian(const double *z, double *J, void *user) {
  double a = z[0], b = z[1];
  const double values[16] = {6 * a + 2 * b,
                             4 * a + 1,
                             6 * a + b,
                             2 * a,
                             2 * a + 4 * b,
                             2 * b,
                             a + 4 * b,
                             6 * b,
                             1,
                             10,
                             2,
                             2,
                             3,
                             2,
                             9,
                             3};
  (void)user;
  memcpy(J, values, sizeof values);
  return 0;
}

static const nsds_block four_rows = {.set = NSDS_SET_NONNEGATIVE, .size = 4};
static const nsds_nonlinear_problem kojima_problem = {
    .n = 4, .nblock = 1, .block = &four_rows, .F = kojima, .jacobian = kojima_jacobian};

static void kojima_and_shindo(void **state) {
  const double degenerate[4] = {1.2247448713915890, 0, 0, 0.5}, regular[4] = {1, 0, 3, 0};
  int found[2] = {0, 0};
  (void)state;
  random_seed(5);
  for (int k = 0; k < 40; ++k) {
    double z[4], w[4], F[4], off[2] = {0, 0};
    nsds_solver_info info;
    for (int i = 0; i < 4; ++i) z[i] = 2.0 * (1.0 + random_number());
    assert_int_equal(nsds_nonlinear_solve(solver, &kojima_problem, 0, z, w, &info), NSDS_OK);
    assert_true(info.residual <= 1e-10 && info.outcome == NSDS_SOLVED);
    kojima(z, F, NULL);
    assert_memory_equal(w, F, sizeof F);
    for (int i = 0; i < 4; ++i) {
      off[0] = fmax(off[0], fabs(z[i] - degenerate[i]));
      off[1] = fmax(off[1], fabs(z[i] - regular[i]));
    }
    assert_true(fmin(off[0], off[1]) < 1e-8);
    ++found[off[1] < off[0]];
  }
  assert_true(found[0] > 0 && found[1] > 0);
}

/* ---- known answers over every set ---- */

/* F(z) = w* + A (z - z*) + (z - z*)^3, A positive definite and not symmetric. */
typedef struct known {
  int n;
  double A[most * most], z[most], w[most];
  int p[most + 1], i[most * most];
} known;

static int known_F(const double *z, double *F, void *user) {
  const known *f = user;
  for (int i = 0; i < f->n; ++i) {
    F[i] = f->w[i] + pow(z[i] - f->z[i], 3);
    for (int j = 0; j < f->n; ++j) F[i] += f->A[i + j * f->n] * (z[j] - f->z[j]);
  }
  return 0;
}

static int known_jacobian(const double *z, double *J, void *user) {
  const known *f = user;
  memcpy(J, f->A, (size_t)(f->n * f->n) * sizeof *J);
  for (int i = 0; i < f->n; ++i) J[i + i * f->n] += 3 * pow(z[i] - f->z[i], 2);
  return 0;
}

static void draw(known *f, int n) {
  f->n = n;
  for (int k = 0; k < n * n; ++k) f->A[k] = 0.0;
  for (int i = 0; i < n; ++i) {
    f->A[i + i * n] += 1.0;
    for (int j = 0; j < i; ++j) { /* skew: as far from symmetric as it goes */
      double x = random_number();
      f->A[i + j * n] += x;
      f->A[j + i * n] -= x;
    }
  }
  f->p[0] = 0;
  for (int j = 0; j < n; ++j) {
    f->p[j + 1] = (j + 1) * n;
    for (int i = 0; i < n; ++i) f->i[i + j * n] = i;
  }
}

/* One block of each set with z in it and -w in the normal cone there. */
static const double lower[3] = {-1.0, -1.0, -INFINITY}, upper[3] = {1.0, 1.0, INFINITY};
static const double corner[4] = {1.0, 0.0, 0.0, 1.0}, away[2] = {0.0, 0.5};
static const struct {
  nsds_block block;
  double z[5], w[5];
} cases[] = {
    {{.set = NSDS_SET_EQUALITY, .size = 2}, {1.5, -2.0}, {0.0, 0.0}},
    {{.set = NSDS_SET_NONNEGATIVE, .size = 3}, {2.0, 0.0, 0.0}, {0.0, 1.0, 0.0}},
    {{.set = NSDS_SET_BOX, .size = 3, .lower = lower, .upper = upper},
     {-1.0, 1.0, 3.0},
     {0.5, -0.5, 0.0}},
    {{.set = NSDS_SET_DISC, .size = 2, .radius = 1.0}, {0.6, 0.8}, {-1.2, -1.6}},
    {{.set = NSDS_SET_CONE, .size = 3, .mu = 1.0}, {1.0, 0.6, 0.8}, {1.0, -0.6, -0.8}},
    /* slides along -z_T, w_N = 0; sticks; has left */
    {{.set = NSDS_SET_COULOMB, .size = 3, .mu = 0.5}, {2.0, 0.6, 0.8}, {0.0, -0.3, -0.4}},
    {{.set = NSDS_SET_COULOMB, .size = 3, .mu = 0.5}, {2.0, 0.1, 0.1}, {0.0, 0.0, 0.0}},
    {{.set = NSDS_SET_COULOMB, .size = 2, .mu = 0.5}, {0.0, 0.0}, {1.0, 0.7}},
    {{.set = NSDS_SET_ROLLING, .size = 5, .mu = 0.5, .mu_rolling = 0.1},
     {2.0, 0.6, 0.8, 0.12, 0.16},
     {0.0, -0.3, -0.4, -0.6, -0.8}},
    {{.set = NSDS_SET_POLYHEDRON, .size = 2, .nfacet = 2, .H = corner, .K = away},
     {1.0, 0.5},
     {0.0, 2.0}},
};
enum { ncase = sizeof cases / sizeof *cases };

/* The problem of all blocks from `first` on of which `chosen` holds. */
static nsds_nonlinear_problem compose(known *f, unsigned chosen, nsds_block *block) {
  int n = 0, nblock = 0;
  double z[most], w[most];
  for (int k = 0; k < ncase; ++k) {
    if (!(chosen >> k & 1u)) continue;
    block[nblock++] = cases[k].block;
    for (int i = 0; i < cases[k].block.size; ++i, ++n) {
      z[n] = cases[k].z[i];
      w[n] = cases[k].w[i];
    }
  }
  draw(f, n);
  memcpy(f->z, z, sizeof z);
  memcpy(f->w, w, sizeof w);
  return (nsds_nonlinear_problem){.n = n,
                                  .nblock = nblock,
                                  .block = block,
                                  .F = known_F,
                                  .jacobian = known_jacobian,
                                  .user = f};
}

static void solve_known(const nsds_nonlinear_problem *problem, const known *f,
                        nsds_solver_info *info) {
  double z[most], w[most];
  random_seed(17);
  for (int i = 0; i < f->n; ++i) z[i] = 3.0 * random_number();
  assert_int_equal(nsds_nonlinear_solve(solver, problem, 0, z, w, info), NSDS_OK);
  for (int i = 0; i < f->n; ++i) {
    assert_true(fabs(z[i] - f->z[i]) < 1e-7);
    assert_true(fabs(w[i] - f->w[i]) < 1e-7);
  }
}

static void every_set(void **state) {
  known f;
  nsds_block block[ncase];
  nsds_solver_info info;
  (void)state;
  random_seed(3);
  for (unsigned chosen = 1; chosen < 1u << ncase; ++chosen) {
    nsds_nonlinear_problem problem = compose(&f, chosen, block);
    solve_known(&problem, &f, &info);
  }
}

static void forms_of_the_jacobian(void **state) {
  known f;
  nsds_block block[ncase];
  nsds_solver_info dense, columns, differences;
  (void)state;
  random_seed(4);
  nsds_nonlinear_problem problem = compose(&f, 0x3ff, block);
  solve_known(&problem, &f, &dense);
  problem.p = f.p;
  problem.i = f.i;
  solve_known(&problem, &f, &columns);
  /* rounding may decide whether the last step is needed */
  assert_true(abs(dense.iterations - columns.iterations) <= 1);
  problem.p = problem.i = NULL;
  problem.jacobian = NULL;
  solve_known(&problem, &f, &differences);
  assert_true(abs(dense.iterations - differences.iterations) <= 2);
}

/* Of affine F one step is the problem itself. */
static int affine(const double *z, double *F, void *user) {
  (void)user;
  F[0] = 2 * z[0] + z[1] - 5;
  F[1] = z[0] + 2 * z[1] - 6;
  return 0;
}

static void one_step_where_affine(void **state) {
  double z[2] = {0, 0}, w[2];
  nsds_nonlinear_problem problem = {.n = 2,
                                    .nblock = 1,
                                    .block = &(nsds_block){.set = NSDS_SET_NONNEGATIVE, .size = 2},
                                    .F = affine};
  nsds_solver_info info;
  (void)state;
  assert_int_equal(nsds_nonlinear_solve(solver, &problem, 0, z, w, &info), NSDS_OK);
  assert_true(fabs(z[0] - 4.0 / 3.0) < 1e-14 && fabs(z[1] - 7.0 / 3.0) < 1e-14);
  assert_int_equal(info.iterations, 1);
}

/* ---- closed forms ---- */

/*
 * Cournot's market: firm i sells z_i at the price P = Q^(-1/g) of all sales Q and pays c_i for a
 * piece, w_i = c_i - P - z_i dP/dQ. Those that sell share alike if their costs are alike:
 * Q^(1/g) = (1 - 1 / (g N)) / c; one whose cost is above the price sells nothing.
 */
static const double elasticity = 1.2;
enum { firms = 6 };

static int cournot(const double *z, double *F, void *user) {
  const double *cost = user;
  double Q = 0.0;
  for (int i = 0; i < firms; ++i) Q += z[i];
  if (!(Q > 0.0)) return 1; /* no price */
  double price = pow(Q, -1.0 / elasticity);
  for (int i = 0; i < firms; ++i) F[i] = cost[i] - price * (1.0 - z[i] / (elasticity * Q));
  return 0;
}

static void market(void **state) {
  double cost[firms] = {0.1, 0.1, 0.1, 0.1, 0.1, 50.0}, w[firms];
  double z[firms] = {3, 0, 0, 0, 0, 1}, N = firms - 1;
  double all = pow((1.0 - 1.0 / (elasticity * N)) / 0.1, elasticity);
  nsds_nonlinear_problem problem = {.n = firms,
                                    .nblock = 1,
                                    .block =
                                        &(nsds_block){.set = NSDS_SET_NONNEGATIVE, .size = firms},
                                    .F = cournot,
                                    .user = cost};
  (void)state;
  assert_int_equal(nsds_nonlinear_solve(solver, &problem, 0, z, w, NULL), NSDS_OK);
  for (int i = 0; i < firms - 1; ++i) assert_true(fabs(z[i] - all / N) < 1e-8 * all);
  assert_true(z[firms - 1] == 0.0);
  assert_true(fabs(w[firms - 1] - (50.0 - pow(all, -1.0 / elasticity))) < 1e-8);
}

/* A root behind an exponential, as of a diode: Newton's full steps overflow. */
static int diode(const double *z, double *F, void *user) {
  (void)user;
  F[0] = 1e-12 * (exp(z[0] / 0.025) - 1.0) - (5.0 - z[0]) / 100.0;
  return 0;
}

static void diode_current(void **state) {
  double w;
  nsds_nonlinear_problem problem = {
      .n = 1, .nblock = 1, .block = &(nsds_block){.set = NSDS_SET_EQUALITY, .size = 1}, .F = diode};
  (void)state;
  for (double start = -5.0; start <= 20.0; start += 2.5) {
    double z = start, u = 0.6;
    nsds_solver_info info;
    for (int k = 0; k < 60; ++k) u = 0.025 * log((5.0 - u) / 100.0 / 1e-12 + 1.0); /* contracts */
    nsds_status status = nsds_nonlinear_solve(solver, &problem, 1000, &z, &w, &info);
    if (start > 17.75) { /* exp(z / 0.025) is no number */
      assert_int_equal(status, NSDS_ERROR_CALLBACK);
      assert_true(z == start);
      nsds_error_clear(context);
      continue;
    }
    assert_int_equal(status, NSDS_OK);
    assert_true(fabs(z - u) < 1e-9);
  }
}

/* ---- order ---- */

static void quadratic_convergence(void **state) {
  double before = 0.0;
  int fast = 0;
  (void)state;
  for (int steps = 1; steps <= 6; ++steps) {
    double z[4] = {1.3, 0.2, 3.4, 0.1}, w[4], error = 0.0;
    const double answer[4] = {1, 0, 3, 0};
    nsds_nonlinear_solve(solver, &kojima_problem, steps, z, w, NULL);
    for (int i = 0; i < 4; ++i) error = fmax(error, fabs(z[i] - answer[i]));
    if (steps > 1 && before < 0.1 && before > 1e-7) {
      assert_true(error <= 2.0 * before * before);
      ++fast;
    }
    before = error;
  }
  assert_true(fast >= 2 && before < 1e-11);
}

/* ---- what is refused, fails or is interrupted ---- */

static nsds_status refused(const nsds_nonlinear_problem *problem, const char *says) {
  double z[4] = {1, 2, 3, 4}, w[4] = {0};
  nsds_status status = nsds_nonlinear_solve(solver, problem, 0, z, w, NULL);
  assert_non_null(strstr(nsds_error_message(context), says));
  assert_true(z[0] == 1 && z[3] == 4);
  nsds_error_clear(context);
  return status;
}

static void senseless_problems(void **state) {
  nsds_nonlinear_problem problem = kojima_problem;
  const int p[5] = {0, 1, 2, 3, 4}, falling[5] = {0, 2, 1, 3, 4}, i[4] = {0, 1, 2, 2},
            far[4] = {0, 1, 9, 3};
  (void)state;
  problem.n = 3;
  assert_int_equal(refused(&problem, "sizes sum to 4, but n is 3"), NSDS_ERROR_SIZE);
  problem.n = -1;
  assert_int_equal(refused(&problem, "n is -1"), NSDS_ERROR_SIZE);
  problem = kojima_problem;
  problem.F = NULL;
  assert_int_equal(refused(&problem, "F is NULL"), NSDS_ERROR_ARGUMENT);
  problem = kojima_problem;
  problem.p = p;
  assert_int_equal(refused(&problem, "i is NULL, p is not"), NSDS_ERROR_ARGUMENT);
  problem.i = i;
  assert_int_equal(refused(&problem, "no entry (3,3)"), NSDS_ERROR_VALUE);
  problem.i = far;
  assert_int_equal(refused(&problem, "is 9 in column 2"), NSDS_ERROR_VALUE);
  problem.p = falling;
  assert_int_equal(refused(&problem, "p[2] is 1"), NSDS_ERROR_VALUE);
  problem.p = p;
  problem.jacobian = NULL;
  assert_int_equal(refused(&problem, "jacobian is NULL and p is not"), NSDS_ERROR_ARGUMENT);
  assert_int_equal(refused(NULL, "problem"), NSDS_ERROR_ARGUMENT);
  double z[4] = {1, 2, 3, 4}, w[4];
  assert_int_equal(nsds_nonlinear_solve(solver, &kojima_problem, -3, z, w, NULL), NSDS_ERROR_VALUE);
  assert_non_null(strstr(nsds_error_message(context), "max_steps is -3"));
  nsds_error_clear(context);
  assert_int_equal(nsds_nonlinear_solve(NULL, &kojima_problem, 0, NULL, NULL, NULL),
                   NSDS_ERROR_ARGUMENT);
}

/* Indices are looked at before anything is read through them, by methods too that take columns. */
static void columns_of_garbage(void **state) {
  enum { n = 2000 };
  nsds_solver *newton = nsds_solver_create(context, "semismooth_newton");
  const nsds_block block = {.set = NSDS_SET_NONNEGATIVE, .size = n};
  nsds_nonlinear_problem problem = {
      .n = n, .nblock = 1, .block = &block, .F = kojima, .jacobian = kojima_jacobian};
  int *p = calloc(n + 1, sizeof *p), *i = calloc(n, sizeof *i);
  double *z = calloc(n, sizeof *z), *w = calloc(n, sizeof *w);
  (void)state;
  assert_true(p && i && z && w);
  for (int k = 0; k < n; ++k) p[k + 1] = k + 1, i[k] = k + 1000000000;
  problem.p = p;
  problem.i = i;
  assert_int_equal(nsds_nonlinear_solve(newton, &problem, 0, z, w, NULL), NSDS_ERROR_VALUE);
  assert_non_null(strstr(nsds_error_message(context), "jacobian.i[0] is 1000000000"));
  nsds_error_clear(context);
  free(p);
  free(i);
  free(z);
  free(w);
  problem.p = problem.i = NULL;
  problem.n = 50000;
  problem.block = &(nsds_block){.set = NSDS_SET_NONNEGATIVE, .size = 50000};
  double one;
  assert_int_equal(nsds_nonlinear_solve(newton, &problem, 0, &one, &one, NULL), NSDS_ERROR_SIZE);
  assert_non_null(strstr(nsds_error_message(context), "the Jacobian is dense and n is 50000"));
  nsds_error_clear(context);
  nsds_solver_destroy(newton);
}

/* F, or the Jacobian, that returns `said` from call `from` on; and one that uses the solver at work. */
typedef struct moody {
  int calls, from, said;
  nsds_status within;
} moody;

static int moody_F(const double *z, double *F, void *user) {
  moody *m = user;
  double x[4] = {0}, w[4];
  m->within = nsds_nonlinear_solve(solver, &kojima_problem, 0, x, w, NULL);
  nsds_error_clear(context);
  kojima(z, F, NULL);
  return ++m->calls >= m->from ? m->said : 0;
}

static int moody_jacobian(const double *z, double *J, void *user) {
  moody *m = user;
  kojima_jacobian(z, J, NULL);
  if (m->said == 3) J[5] = NAN;
  return m->said == 2;
}

static void functions_that_fail(void **state) {
  moody m = {.from = 1, .said = -7};
  nsds_nonlinear_problem problem = kojima_problem;
  (void)state;
  problem.F = moody_F;
  problem.user = &m;
  assert_int_equal(refused(&problem, "F returned -7"), NSDS_ERROR_CALLBACK);
  assert_int_equal(m.within, NSDS_ERROR_STATE);
  m = (moody){.from = 1, .said = 1};
  assert_int_equal(refused(&problem, "no finite value at the start"), NSDS_ERROR_CALLBACK);
  m = (moody){.from = 2, .said = -1};
  assert_int_equal(refused(&problem, "F returned -1"), NSDS_ERROR_CALLBACK);
  m = (moody){.from = 1000};
  problem.jacobian = moody_jacobian;
  for (m.said = 2; m.said <= 3; ++m.said)
    assert_int_equal(refused(&problem, "Jacobian has no finite value"), NSDS_ERROR_CALLBACK);
  double z[4] = {1, 2, 3, 4}, w[4];
  m = (moody){.from = 2, .said = 1}; /* nowhere but at the start */
  problem.jacobian = kojima_jacobian;
  assert_int_equal(nsds_nonlinear_solve(solver, &problem, 0, z, w, NULL), NSDS_ERROR_SOLVER);
  assert_true(z[0] == 1 && z[3] == 4);
}

/* z^2 + 1 = 0: the best point is returned, and no more than the truth said of it. */
static int rootless(const double *z, double *F, void *user) {
  (void)user;
  F[0] = z[0] * z[0] + 1.0;
  return 0;
}

/* -1 - z^2 >= 0 for no z: nor have the linear problems a solution, which proves nothing. */
static int negative(const double *z, double *F, void *user) {
  (void)user;
  F[0] = -1.0 - z[0] * z[0];
  return 0;
}

static int stop(int iteration, double residual, void *user) {
  (void)iteration, (void)residual;
  return ++*(int *)user > 0;
}

static void unsolved(void **state) {
  double z = 3.0, w;
  nsds_block block = {.set = NSDS_SET_EQUALITY, .size = 1};
  nsds_nonlinear_problem problem = {.n = 1, .nblock = 1, .block = &block, .F = rootless};
  nsds_solver_info info;
  (void)state;
  assert_int_equal(nsds_nonlinear_solve(solver, &problem, 0, &z, &w, &info), NSDS_ERROR_SOLVER);
  assert_int_equal(info.outcome, NSDS_NOT_CONVERGED);
  assert_true(info.residual > 0.1 && w == z * z + 1.0);
  assert_int_equal(nsds_error(context), NSDS_OK);

  const nsds_block nonnegative = {.set = NSDS_SET_NONNEGATIVE, .size = 1};
  nsds_nonlinear_problem empty = {.n = 1, .nblock = 1, .block = &nonnegative, .F = negative};
  z = 3.0;
  assert_int_equal(nsds_nonlinear_solve(solver, &empty, 0, &z, &w, &info), NSDS_ERROR_SOLVER);
  assert_int_equal(info.outcome, NSDS_NOT_CONVERGED);

  int asked = 0;
  nsds_solver_set_progress(solver, stop, &asked);
  z = 3.0;
  nsds_nonlinear_solve(solver, &problem, 0, &z, &w, &info);
  assert_int_equal(info.outcome, NSDS_INTERRUPTED);
  assert_int_equal(asked, 1);
  nsds_solver_set_progress(solver, NULL, NULL);

  nsds_solver *lemke = nsds_solver_create(context, "lemke");
  nsds_block disc = {.set = NSDS_SET_DISC, .size = 3, .radius = 1.0};
  problem = (nsds_nonlinear_problem){
      .n = 4, .nblock = 2, .block = (nsds_block[]){block, disc}, .F = kojima};
  double four[4] = {1, 1, 1, 1}, image[4];
  assert_int_equal(nsds_nonlinear_solve(lemke, &problem, 0, four, image, &info), NSDS_ERROR_SOLVER);
  assert_int_equal(info.outcome, NSDS_REFUSED);
  nsds_solver_destroy(lemke);
}

static void without_rows(void **state) {
  nsds_nonlinear_problem problem = {.F = affine};
  nsds_solver_info info;
  (void)state;
  assert_int_equal(nsds_nonlinear_solve(solver, &problem, 0, NULL, NULL, &info), NSDS_OK);
  assert_true(info.residual == 0.0);
}

/* Whatever allocation fails: a status, nothing leaked, and z as it was. */
static void no_memory(void **state) {
  (void)state;
  for (long at = 1;; ++at) {
    meter m = {0};
    nsds_context *metered = metered_context(&m);
    nsds_solver *own = nsds_solver_create(metered, "lemke");
    double z[4] = {1, 2, 3, 4}, w[4];
    m.fail_at = m.count + at;
    nsds_status status = nsds_nonlinear_solve(own, &kojima_problem, 0, z, w, NULL);
    bool reached = m.count >= m.fail_at;
    m.fail_at = 0;
    nsds_solver_destroy(own);
    nsds_context_destroy(metered);
    assert_int_equal(m.live, 0);
    if (!reached) {
      assert_int_equal(status, NSDS_OK);
      break;
    }
    assert_int_equal(status, NSDS_ERROR_MEMORY);
    assert_true(z[0] == 1 && z[3] == 4);
  }
}

/* F ends where it begins: the Jacobian is that of backward differences, and the answer is at z = 1. */
static int ends_at_two(const double *z, double *F, void *user) {
  (void)user;
  F[0] = z[0] - 1.0;
  return z[0] > 2.0;
}

static void differences_go_backward_at_the_end_of_the_domain(void **state) {
  const nsds_block row = {.set = NSDS_SET_NONNEGATIVE, .size = 1};
  const nsds_nonlinear_problem problem = {.n = 1, .nblock = 1, .block = &row, .F = ends_at_two};
  double z[1] = {2.0}, w[1];
  (void)state;
  assert_int_equal(nsds_nonlinear_solve(solver, &problem, 0, z, w, NULL), NSDS_OK);
  assert_true(fabs(z[0] - 1.0) < 1e-9 && fabs(w[0]) < 1e-9);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(differences_go_backward_at_the_end_of_the_domain),
      cmocka_unit_test(kojima_and_shindo),
      cmocka_unit_test(every_set),
      cmocka_unit_test(forms_of_the_jacobian),
      cmocka_unit_test(one_step_where_affine),
      cmocka_unit_test(market),
      cmocka_unit_test(diode_current),
      cmocka_unit_test(quadratic_convergence),
      cmocka_unit_test(senseless_problems),
      cmocka_unit_test(columns_of_garbage),
      cmocka_unit_test(functions_that_fail),
      cmocka_unit_test(unsolved),
      cmocka_unit_test(without_rows),
      cmocka_unit_test(no_memory),
  };
  return cmocka_run_group_tests(tests, open_all, close_all);
}
