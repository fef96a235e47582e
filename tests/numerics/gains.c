/*
 * The factored operator whose edges have the gains of their columns in place of Y: the same matrix
 * in all forms and products, and the same answers of every solver that takes it.
 */
#include "bodies.h"
#include "cmocka_setup.h"
#include "meter.h"

#include <nsds/extend_solver.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A scene, and the same one with gains; some edges may keep their Y. */
typedef struct twins {
  bodies b;
  scene with_Y, with_gain;
  double *gain;
} twins;

/* Every `kept`th edge keeps its Y; 0: none does. */
static bool twins_create(twins *t, int which, nsds_set_kind set, int kept) {
  if (!bodies_create(&t->b, which)) return false;
  scene_create(&t->with_Y, &t->b);
  scene_create(&t->with_gain, &t->b);
  t->gain = calloc((size_t)t->with_Y.factored.ncolumn, sizeof *t->gain);
  for (int body = 0; body < t->b.nbody; ++body)
    for (int c = 0; c < 6; ++c)
      t->gain[6 * body + c] = 1.0 / (c < 3 ? t->b.mass[body] : t->b.inertia[body]);
  int edges = t->with_Y.first_edge[t->b.ncontact];
  for (int e = 0; e < edges; ++e)
    if (kept == 0 || e % kept != 0) t->with_gain.edge[e].Y = NULL;
  t->with_gain.factored.gain = t->gain;
  for (int a = 0; a < t->b.ncontact; ++a) t->with_Y.block[a].set = t->with_gain.block[a].set = set;
  return true;
}

static void twins_destroy(twins *t) {
  free(t->gain);
  scene_destroy(&t->with_Y);
  scene_destroy(&t->with_gain);
  bodies_destroy(&t->b);
}

static double *room(size_t count) { return calloc(count + 1, sizeof(double)); }

static void assert_near(const double *x, const double *y, size_t n, const char *what) {
  double most = 0.0;
  for (size_t i = 0; i < n; ++i) most = fmax(most, fabs(y[i]));
  for (size_t i = 0; i < n; ++i)
    if (!(fabs(x[i] - y[i]) <= 1e-14 * most))
      fail_msg("%s[%zu]: %.17g and %.17g", what, i, x[i], y[i]);
}

/* Products, explicit forms and certificates. */
static void test_matrix(void **unused) {
  (void)unused;
  twins t;
  for (int kept = 0; kept <= 3; kept += 3)
    for (int which = 0; twins_create(&t, which, NSDS_SET_COULOMB, kept); ++which) {
      const nsds_problem *p = &t.with_Y.problem, *g = &t.with_gain.problem;
      size_t n = (size_t)p->n;
      double *z = room(n), *w = room(n), *v = room(n), *M = room(n * n), *N = room(n * n);
      double *work = room(nsds_problem_work(p));
      assert_status(nsds_problem_check(NULL, g), NSDS_OK);
      for (size_t i = 0; i < n; ++i) z[i] = sin(1.0 + (double)i);
      nsds_problem_multiply(p, z, w, work);
      nsds_problem_multiply(g, z, v, work);
      assert_near(v, w, n, "M z + q");
      nsds_problem_to_dense(p, M);
      nsds_problem_to_dense(g, N);
      assert_near(N, M, n * n, "M");
      nsds_certificate a, b;
      nsds_certify(p, z, work, &a);
      nsds_certify(g, z, work, &b);
      assert_near(work, w, n, "certified w");
      assert_true(fabs(a.residual - b.residual) <= 1e-12 * a.residual);
      double *memory[] = {z, w, v, M, N, work};
      for (size_t k = 0; k < sizeof memory / sizeof *memory; ++k) free(memory[k]);
      twins_destroy(&t);
    }
}

static nsds_outcome solve(const char *name, const nsds_problem *problem, double *z, double *w) {
  nsds_context *context = nsds_context_create(NULL);
  nsds_solver *solver = nsds_solver_create(context, name);
  nsds_solver_info info;
  assert_status(nsds_solver_set(solver, "tolerance", 1e-10), NSDS_OK);
  nsds_solve(solver, problem, z, w, &info);
  assert_status(nsds_error(context), NSDS_OK);
  nsds_solver_destroy(solver);
  nsds_context_destroy(context);
  return info.outcome;
}

/* What one says is solved the certificate of the other one holds to be. */
static void check_method(const char *name, const twins *t) {
  const nsds_problem *p = &t->with_Y.problem, *g = &t->with_gain.problem;
  double *z = room((size_t)p->n), *w = room((size_t)p->n), *work = room(nsds_problem_work(p));
  nsds_outcome one = solve(name, p, z, w);
  memset(z, 0, (size_t)p->n * sizeof *z);
  nsds_outcome other = solve(name, g, z, w);
  nsds_certificate c;
  nsds_certify(p, z, work, &c);
  if (one != other || (one == NSDS_SOLVED && !(c.residual <= 1.001e-10)))
    fail_msg("%s, %s: %s with Y, %s with gains; residual %g", name, t->b.name,
             nsds_outcome_text(one), nsds_outcome_text(other), c.residual);
  free(z);
  free(w);
  free(work);
}

static void test_every_method(void **unused) {
  (void)unused;
  enum { largest = 120 };
  static const nsds_set_kind sets[] = {NSDS_SET_COULOMB, NSDS_SET_CONE, NSDS_SET_NONNEGATIVE,
                                       NSDS_SET_EQUALITY};
  static const int scenes[] = {0, 1, 2, 3, 4, 10, 14};
  twins t;
  for (size_t s = 0; s < sizeof sets / sizeof *sets; ++s)
    for (size_t k = 0; k < sizeof scenes / sizeof *scenes; ++k)
      for (int kept = 0; kept <= 3; kept += 3) {
        assert_true(twins_create(&t, scenes[k], sets[s], kept));
        assert_true(t.with_Y.problem.n <= largest);
        for (int r = 0; nsds_solver_table(r) && !nsds_solver_table(r)->global; ++r) {
          const nsds_solver_row *row = nsds_solver_table(r);
          if (row->sets & (unsigned)sets[s]) check_method(row->name, &t);
        }
        twins_destroy(&t);
      }
}

/* A thousand contacts and more: packed side by side, by colours. */
static void test_wide(void **unused) {
  (void)unused;
  enum { bodies_in_row = 1200 };
  static int row[bodies_in_row + 1], first_edge[bodies_in_row + 1];
  static nsds_edge edge[2 * bodies_in_row];
  static nsds_block block[bodies_in_row];
  static double H[2 * bodies_in_row][18], Y[2 * bodies_in_row][18], gain[6 * bodies_in_row];
  static double q[3 * bodies_in_row], z[2][3 * bodies_in_row], w[3 * bodies_in_row];
  int edges = 0;
  for (int c = 0; c < 6 * bodies_in_row; ++c) gain[c] = 1.0 + 0.5 * sin(c);
  for (int a = 0; a < bodies_in_row; ++a) {
    for (int body = a; body >= 0 && body > a - 2; --body, ++edges) {
      for (int k = 0; k < 18; ++k) H[edges][k] = (k % 4 == 0) + 0.2 * cos(3.0 * k + edges);
      for (int i = 0; i < 3; ++i)
        for (int c = 0; c < 6; ++c) Y[edges][c + 6 * i] = gain[6 * body + c] * H[edges][i + 3 * c];
      edge[edges] = (nsds_edge){.column = 6 * body, .size = 6, .H = H[edges]};
    }
    block[a] = (nsds_block){.set = NSDS_SET_COULOMB, .size = 3, .mu = 0.4};
    q[3 * a] = -1.0 - sin(a);
    row[a + 1] = 3 * (a + 1);
    first_edge[a + 1] = edges;
  }
  nsds_factored f = {.nrow_block = bodies_in_row,
                     .ncolumn = 6 * bodies_in_row,
                     .row = row,
                     .first_edge = first_edge,
                     .edge = edge,
                     .gain = gain};
  nsds_problem p = {
      .n = 3 * bodies_in_row,
      .nblock = bodies_in_row,
      .block = block,
      .q = q,
      .M = {.storage = NSDS_FACTORED, .n = 3 * bodies_in_row, .factored = &f, .symmetric = true}};
  assert_int_equal(solve("nsgs", &p, z[0], w), NSDS_SOLVED);
  for (int e = 0; e < edges; ++e) edge[e].Y = Y[e];
  f.gain = NULL;
  assert_int_equal(solve("nsgs", &p, z[1], w), NSDS_SOLVED);
  for (int i = 0; i < p.n; ++i) assert_true(fabs(z[0][i] - z[1][i]) <= 1e-7);
}

/* A gain below zero is no 1 / W: M is what it is, and sweeps do not take its root. */
static void test_negative_gains_have_no_root(void **unused) {
  (void)unused;
  twins t;
  double z[64] = {0}, w[64];
  assert_true(twins_create(&t, 4, NSDS_SET_COULOMB, 0));
  assert_true(t.with_Y.problem.n <= 64);
  for (int c = 0; c < t.with_Y.factored.ncolumn; c += 5) t.gain[c] = -1e-3;
  nsds_outcome outcome = solve("nsgs", &t.with_gain.problem, z, w);
  for (int i = 0; i < t.with_gain.problem.n; ++i) assert_true(isfinite(z[i]));
  assert_true(outcome == NSDS_SOLVED || outcome == NSDS_NOT_CONVERGED);
  twins_destroy(&t);
}

/* Looks at what it is given, and leaves z = 0. */
static nsds_status look(void *self, nsds_solver_task *task, double *z) {
  int *looked = self;
  const nsds_factored *f = task->problem->M.factored;
  (void)z;
  assert_null(f->gain);
  for (int k = 0; k < f->first_edge[f->nrow_block]; ++k) assert_non_null(f->edge[k].Y);
  double M[64 * 64];
  nsds_problem_to_dense(task->problem, M);
  ++*looked;
  return NSDS_OK;
}

static void test_own_solvers_are_given_Y(void **unused) {
  (void)unused;
  int looked = 0;
  nsds_context *context = nsds_context_create(NULL);
  const nsds_solver_ops own = {.name = "own",
                               .sets = NSDS_SET_COULOMB,
                               .storages = NSDS_FACTORED,
                               .user = &looked,
                               .solve = look};
  assert_status(nsds_solver_register(context, &own), NSDS_OK);
  nsds_solver *solver = nsds_solver_create(context, "own");
  for (int kept = 0; kept <= 3; kept += 3) {
    twins t;
    double z[64] = {0}, w[64];
    assert_true(twins_create(&t, 4, NSDS_SET_COULOMB, kept));
    assert_true(t.with_gain.problem.n <= 64);
    nsds_solve(solver, &t.with_gain.problem, z, w, NULL);
    twins_destroy(&t);
  }
  assert_status(nsds_error(context), NSDS_OK);
  assert_int_equal(looked, 2);
  nsds_solver_destroy(solver);
  nsds_context_destroy(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_matrix),
      cmocka_unit_test(test_every_method),
      cmocka_unit_test(test_wide),
      cmocka_unit_test(test_negative_gains_have_no_root),
      cmocka_unit_test(test_own_solvers_are_given_Y),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
