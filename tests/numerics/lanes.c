/*
 * Contacts taken four at a time are those taken one by one: sweeps over lattices of balls of which
 * some touch the ground, with every kind of local problem, and the solution of them.
 */
#include "bodies.h"
#include "cmocka_setup.h"
#include "families.h"
#include "numerics/sweeps/sweeps.h"
#include "numerics/sweeps/nsgs_open.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double random_real(double low, double high) {
  return low + (high - low) * 0.5 * (1.0 + random_number());
}

typedef struct lattice {
  bodies b;
  scene s;
} lattice;

static void touch(bodies *b, int ball, int other, int axis) {
  int a = b->ncontact++;
  double size = 0.0, *n = b->normal + 3 * a;
  b->pair[a][0] = ball;
  b->pair[a][1] = other;
  b->mu[a] = a % 17 == 0 ? 0.0 : random_real(0.1, 0.9);
  for (int i = 0; i < 3; ++i) {
    n[i] = (i == axis) + 0.1 * random_number();
    size += n[i] * n[i];
  }
  for (int i = 0; i < 3; ++i) {
    n[i] /= sqrt(size);
    b->point[3 * a + i] = b->centre[3 * ball + i] - 0.5 * n[i];
  }
}

/* m^3 balls, each on those before it or the ground. */
static void lattice_create(lattice *l, int m, double spread) {
  size_t n = (size_t)(m * m * m);
  bodies *b = &l->b;
  *b = (bodies){.nbody = (int)n,
                .mass = calloc(n, sizeof(double)),
                .inertia = calloc(n, sizeof(double)),
                .centre = calloc(3 * n, sizeof(double)),
                .velocity = calloc(6 * n, sizeof(double)),
                .pair = calloc(3 * n, sizeof *b->pair),
                .point = calloc(9 * n, sizeof(double)),
                .normal = calloc(9 * n, sizeof(double)),
                .mu = calloc(3 * n, sizeof(double))};
  for (int k = 0; k < b->nbody; ++k) {
    b->mass[k] = random_real(0.5, 2.0);
    b->inertia[k] = 0.1 * b->mass[k];
    for (int i = 0; i < 6; ++i) b->velocity[6 * k + i] = spread * random_number();
    b->velocity[6 * k + 2] -= 0.05;
    if (k % m > 0) touch(b, k, k - 1, 0);
    if (k / m % m > 0) touch(b, k, k - m, 1);
    touch(b, k, k >= m * m ? k - m * m : -1, 2);
  }
  scene_create(&l->s, b);
}

static void lattice_destroy(lattice *l) {
  bodies *b = &l->b;
  void *memory[] = {b->mass, b->inertia, b->centre, b->velocity,
                    b->pair, b->point,   b->normal, b->mu};
  scene_destroy(&l->s);
  for (size_t k = 0; k < sizeof memory / sizeof *memory; ++k) free(memory[k]);
}

/* Whether contacts of the problem are taken four at a time. */
static bool is_wide(const nsds_problem *problem, nsds_arrangement arrangement) {
  nsds_context *context = nsds_context_create(NULL);
  nsds_solver *solver = nsds_solver_create(context, "nsgs");
  nsds_sweeps s = {.context = context};
  assert_status(nsds_sweeps_open(&s, solver, problem, arrangement, 0.0), NSDS_OK);
  bool wide = s.wide;
  nsds_solver_destroy(solver);
  nsds_context_destroy(context);
  return wide;
}

/* The same problem but for rounding in one factor Y, by which the gains are no longer diagonal; not
 * in the first contact's, which may be without effect. */
static void disturb(scene *s) {
  double *Y = s->values + (s->edge[s->first_edge[1]].Y - s->values);
  for (int i = 0; i < 18; ++i) Y[i] *= 1.0 + 1e-13 * (i % 5);
}

static double *swept(const nsds_problem *problem, int sweeps, double local, double relaxation) {
  nsds_context *context = nsds_context_create(NULL);
  nsds_solver *solver = nsds_solver_create(context, "nsgs");
  double *z = calloc((size_t)problem->n, sizeof *z), *w = calloc((size_t)problem->n, sizeof *w);
  const struct {
    const char *name;
    double value;
  } option[] = {{"order", 4.0},    {"acceleration", 0.0},     {"momentum", 0.0},
                {"proximal", 0.0}, {"tolerance", 0.0},        {"max_iterations", sweeps},
                {"local", local},  {"relaxation", relaxation}};
  for (size_t k = 0; k < sizeof option / sizeof *option; ++k)
    assert_status(nsds_solver_set(solver, option[k].name, option[k].value), NSDS_OK);
  assert_status(nsds_solve(solver, problem, z, w, NULL), NSDS_ERROR_SOLVER);
  free(w);
  nsds_solver_destroy(solver);
  nsds_context_destroy(context);
  return z;
}

static void count(const lattice *l, const double *z, int *open, int *stuck, int *sliding) {
  *open = *stuck = *sliding = 0;
  for (int a = 0; a < l->b.ncontact; ++a, z += 3) {
    double limit = l->b.mu[a] * z[0];
    if (z[0] == 0.0) ++*open;
    else if (hypot(z[1], z[2]) < (1.0 - 1e-6) * limit) ++*stuck;
    else ++*sliding;
  }
}

/* The answer after some sweeps four at a time, which one by one give too. Neither is certified
 * before the last sweep, whose point is the answer. */
static double *compare(lattice *l, int sweeps, double local, double relaxation) {
#if defined(__GNUC__)
  assert_true(is_wide(&l->s.problem, NSDS_SWEEP_COLOURED));
#endif
  double largest = 0.0, *z = swept(&l->s.problem, sweeps, local, relaxation);
  disturb(&l->s);
  assert_false(is_wide(&l->s.problem, NSDS_SWEEP_COLOURED));
  double *other = swept(&l->s.problem, sweeps, local, relaxation);
  for (int i = 0; i < l->s.problem.n; ++i) largest = fmax(largest, fabs(other[i]));
  assert_true(largest > 0.0);
  for (int i = 0; i < l->s.problem.n; ++i)
    if (!(fabs(z[i] - other[i]) <= 1e-9 * largest))
      fail_msg("local %g, relaxation %g: z[%d] is %.17g, one by one %.17g", local, relaxation, i,
               z[i], other[i]);
  free(other);
  return z;
}

static void test_sweeps(void **unused) {
  (void)unused;
  enum { sweeps = 6 };
  for (int local = 0; local < 4; ++local)
    for (int relaxed = 0; relaxed < 2; ++relaxed) {
      lattice l;
      random_seed(91);
      lattice_create(&l, 10, 0.1);
      assert_false(is_wide(&l.s.problem, NSDS_SWEEP_NATURAL));
      double *z = compare(&l, sweeps, local, relaxed ? 1.3 : 1.0);
      int open, stuck, sliding;
      count(&l, z, &open, &stuck, &sliding);
      assert_true(open > 300 && stuck > 300 && sliding > 300);
      free(z);
      lattice_destroy(&l);
    }
}

/* Contacts whose M is singular, tangents without effect, and ones without any effect. */
static void test_singular(void **unused) {
  (void)unused;
  lattice l;
  random_seed(92);
  lattice_create(&l, 10, 0.1);
  for (int a = 0; a < l.b.ncontact; ++a) {
    if (a % 401 == 0) l.s.q[3 * a] = 0.1;
    for (int k = l.s.first_edge[a]; k < l.s.first_edge[a + 1]; ++k) {
      double *H = l.s.values + (l.s.edge[k].H - l.s.values);
      double *Y = l.s.values + (l.s.edge[k].Y - l.s.values);
      for (int i = 0; i < 3; ++i)
        for (int c = 0; c < 6; ++c)
          if ((a % 5 == 0 && i == 2) || (a % 7 == 0 && i > 0) || a % 401 == 0)
            H[i + 3 * c] = Y[c + 6 * i] = 0.0;
    }
  }
  free(compare(&l, 4, 0.0, 1.0));
  lattice_destroy(&l);
}

/* All lengths of the last group of bunches and of its last bunch, certified. */
static void test_lengths(void **unused) {
  (void)unused;
  lattice l;
  random_seed(93);
  lattice_create(&l, 8, 0.02);
  scene *s = &l.s;
  int wide = 0, n = l.b.ncontact;
  nsds_context *context = nsds_context_create(NULL);
  nsds_solver *solver = nsds_solver_create(context, "nsgs");
  assert_status(nsds_solver_set(solver, "order", 4.0), NSDS_OK);
  assert_status(nsds_solver_set(solver, "tolerance", 1e-3), NSDS_OK);
  double *z = calloc((size_t)(3 * n), sizeof *z), *w = calloc((size_t)(3 * n), sizeof *w);
  for (int count = n; count > 0; count -= count > n - 140 ? 3 : 61) {
    s->problem.nblock = s->factored.nrow_block = count;
    s->problem.n = s->problem.M.n = 3 * count;
    nsds_solver_info info;
    memset(z, 0, (size_t)(3 * n) * sizeof *z);
    wide += is_wide(&s->problem, NSDS_SWEEP_COLOURED);
    nsds_status status = nsds_solve(solver, &s->problem, z, w, &info);
    if (status) fail_msg("%d contacts: residual %g", count, info.residual);
  }
#if defined(__GNUC__)
  assert_true(wide > 45);
#endif
  free(z);
  free(w);
  nsds_solver_destroy(solver);
  nsds_context_destroy(context);
  lattice_destroy(&l);
}

/* Contacts that do not meet, each solved by one sweep, from a direction in which the equation of
 * sliding has slope zero, but no root. */
static void test_critical_direction(void **unused) {
  (void)unused;
  enum { contacts = 128 };
  /* H H^T = [1 0 1/2; 0 1 3/10; 1/2 3/10 3/2] */
  static const double H[18] = {1.0, 0.0, 0.5, 0.0, 1.0, 0.3, 0.0, 0.0, 1.0770329614269007};
  static double Y[18], q[3 * contacts], z[3 * contacts], w[3 * contacts];
  static nsds_edge edge[contacts];
  static nsds_block block[contacts];
  static int row[contacts + 1];
  static int first_edge[contacts + 1];
  for (int i = 0; i < 3; ++i)
    for (int c = 0; c < 6; ++c) Y[c + 6 * i] = H[i + 3 * c];
  for (int a = 0; a < contacts; ++a) {
    edge[a] = (nsds_edge){.column = 6 * a, .size = 6, .H = H, .Y = Y};
    block[a] = (nsds_block){.set = NSDS_SET_COULOMB, .size = 3, .mu = 0.5};
    row[a + 1] = 3 * (a + 1);
    first_edge[a + 1] = a + 1;
    memcpy(q + 3 * a, (double[]){-1.0, -0.75, -4.0}, 3 * sizeof *q);
    memcpy(z + 3 * a, (double[]){1.0, 0.5, 0.0}, 3 * sizeof *z);
  }
  const nsds_factored factored = {contacts, 6 * contacts, row, first_edge, edge, NULL, NULL};
  const nsds_problem problem = {
      .n = 3 * contacts,
      .q = q,
      .nblock = contacts,
      .block = block,
      .M = {.storage = NSDS_FACTORED, .n = 3 * contacts, .factored = &factored}};
#if defined(__GNUC__)
  assert_true(is_wide(&problem, NSDS_SWEEP_COLOURED));
#endif
  nsds_context *context = nsds_context_create(NULL);
  nsds_solver *solver = nsds_solver_create(context, "nsgs");
  assert_status(nsds_solver_set(solver, "order", 4.0), NSDS_OK);
  assert_status(nsds_solver_set(solver, "max_iterations", 1.0), NSDS_OK);
  assert_status(nsds_solver_set(solver, "tolerance", 1e-12), NSDS_OK);
  nsds_solver_info info;
  if (nsds_solve(solver, &problem, z, w, &info)) fail_msg("residual %g", info.residual);
  nsds_solver_destroy(solver);
  nsds_context_destroy(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_critical_direction),
                                     cmocka_unit_test(test_sweeps), cmocka_unit_test(test_singular),
                                     cmocka_unit_test(test_lengths)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
