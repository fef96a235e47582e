/*
 * Contacts that close on bodies, drawn: H^T y = 0 for positive normal forces y, and q.y < 0. No
 * velocity makes all of them part, so there is no solution, whatever the friction; with q.y > 0
 * the same bodies have one. None of the first may be called solved at any tolerance in use.
 *
 *   test_numerics_jams [COUNT]     so many of each instead of a few
 */
#include "cmocka_setup.h"
#include "families.h"

#include <nsds/solver.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __SANITIZE_ADDRESS__
static int count = 40;
#else
static int count = 200;
#endif

enum { most_contacts = 16, most_rows = 5 * most_contacts, most_columns = 12 };

typedef struct jam {
  nsds_block block[most_contacts];
  double H[most_rows][most_columns], W[most_columns]; /* W: of inverse masses */
  double M[most_rows * most_rows], q[most_rows];
  double facets[most_contacts][4 * 3], ends[most_contacts][4]; /* of pyramids in place of cones */
  int columns;
  nsds_problem problem;
} jam;

static int draw(int n) {
  int k = (int)(0.5 * (random_number() + 1.0) * n);
  return k < n ? k : n - 1;
}

typedef enum { CONES, ROLLING, PYRAMIDS } kinds;

/* |z_k| <= mu z_N + a cohesion, some of them. */
static void make_pyramid(jam *j, nsds_block *block) {
  double *H = j->facets[block - j->block], *K = j->ends[block - j->block];
  block->set = NSDS_SET_POLYHEDRON;
  block->nfacet = 2 * (block->size - 1);
  block->H = H;
  block->K = K;
  for (int f = 0; f < block->nfacet; ++f) {
    H[f] = block->mu;
    H[f + (1 + f / 2) * block->nfacet] = f % 2 ? 1.0 : -1.0;
    K[f] = draw(2) ? 0.0 : -uniform(0.0, 0.5);
  }
}

/* A contact of the bodies with columns from `first` to `end`; its first row. */
static int add_contact(jam *j, int size, kinds laws, int first, int end) {
  int row = j->problem.n;
  nsds_set set = laws == ROLLING ? NSDS_SET_ROLLING
                 : size == 1     ? NSDS_SET_NONNEGATIVE
                                 : NSDS_SET_COULOMB;
  nsds_block *block = &j->block[j->problem.nblock++];
  *block = (nsds_block){.set = set,
                        .size = size,
                        .mu = uniform(0.05, 1.2),
                        .mu_rolling = laws == ROLLING ? uniform(0.01, 0.3) : 0.0};
  if (laws == PYRAMIDS) make_pyramid(j, block);
  for (int i = row; i < row + size; ++i) {
    for (int c = first; c < end; ++c) j->H[i][c] = random_number();
    j->q[i] = random_number();
  }
  j->problem.n += size;
  return row;
}

/* Normals that a positive sum takes to zero, exactly in every second group, and q.y = `closing`. */
static void add_group(jam *j, int size, kinds laws, double closing) {
  int columns = 1 + draw(4), contacts = 2 + draw(3), row = 0, first = j->columns;
  double weight = 0.0, sum = 0.0, y[most_contacts];
  bool exact = draw(2) == 0;
  for (int k = 0; k < contacts; ++k) {
    row = add_contact(j, size, laws, first, first + columns);
    y[k] = exact ? 1.0 : uniform(0.2, 2.0);
    if (exact)
      for (int c = first; c < first + columns; ++c)
        j->H[row][c] = ldexp(rint(ldexp(j->H[row][c], 12)), -12);
    sum += y[k] * j->q[row];
    weight += y[k];
  }
  for (int c = first; c < first + columns; ++c) {
    j->H[row][c] = 0.0;
    for (int k = 0; k < contacts - 1; ++k)
      j->H[row][c] -= y[k] / y[contacts - 1] * j->H[row - size * (contacts - 1 - k)][c];
    j->W[c] = exact ? 1.0 : uniform(0.3, 3.0);
  }
  for (int k = 0; k < contacts; ++k) j->q[row - size * k] += (closing - sum) / weight;
  j->columns += columns;
}

/* `closing` < 0: jammed. */
static void draw_jam(jam *j, double closing) {
  kinds laws = (kinds)draw(3);
  int size = laws == ROLLING ? (draw(2) ? 5 : 3) : laws == CONES ? 1 + draw(3) : 2 + draw(2);
  memset(j, 0, sizeof *j);
  add_group(j, size, laws, closing);
  if (draw(3) == 0) add_group(j, size, laws, 1.0);
  for (int k = draw(4); k > 0; --k) { /* contacts beside them, of one body or a free one */
    int row = add_contact(j, size, laws, 0, j->columns);
    if (draw(2)) j->q[row] = 3.0;
  }
  int n = j->problem.n;
  for (int b = 0; b < n; ++b)
    for (int a = 0; a < n; ++a)
      for (int c = 0; c < j->columns; ++c) j->M[a + b * n] += j->H[a][c] * j->W[c] * j->H[b][c];
  j->problem.block = j->block;
  j->problem.q = j->q;
  j->problem.M = (nsds_matrix){.storage = NSDS_DENSE, .n = n, .x = j->M, .symmetric = true};
}

static const double tolerances[] = {1e-6, 1e-8, 1e-10};
enum { ntolerance = sizeof tolerances / sizeof *tolerances };

static int solve(const nsds_problem *p, double tolerance, double *z, nsds_solver_info *info) {
  nsds_context *context = nsds_context_create(NULL);
  nsds_solver *solver = nsds_solver_create(context, NULL);
  double w[most_rows];
  memset(z, 0, most_rows * sizeof *z);
  assert_status(nsds_problem_check(context, p), NSDS_OK);
  assert_status(nsds_solver_set(solver, "tolerance", tolerance), NSDS_OK);
  nsds_solve(solver, p, z, w, info);
  nsds_solver_destroy(solver);
  nsds_context_destroy(context);
  return info->outcome;
}

/* A point between two steep planes that lock it by friction: moving up, or with no load at all, it is
 * solved by z = 0. */
static void a_point_between_steep_planes(void **unused) {
  (void)unused;
  const double c = 0.9, s = sqrt(1.0 - 0.9 * 0.9), speed[] = {1.0, 0.0};
  const double H[4][2] = {{c, s}, {s, -c}, {-c, s}, {-s, -c}};
  nsds_block block[2];
  for (int k = 0; k < 2; ++k)
    block[k] = (nsds_block){.set = NSDS_SET_COULOMB, .size = 2, .mu = 0.6};
  for (int k = 0; k < 2; ++k)
    for (int t = 0; t < ntolerance; ++t) {
      double M[16], q[4], z[most_rows];
      for (int a = 0; a < 4; ++a) {
        q[a] = H[a][1] * speed[k];
        for (int b = 0; b < 4; ++b) M[a + 4 * b] = H[a][0] * H[b][0] + H[a][1] * H[b][1];
      }
      nsds_problem p = {.n = 4,
                        .nblock = 2,
                        .block = block,
                        .q = q,
                        .M = {.storage = NSDS_DENSE, .n = 4, .x = M, .symmetric = true}};
      nsds_solver_info info;
      int outcome = solve(&p, tolerances[t], z, &info);
      assert_int_equal(outcome, NSDS_SOLVED);
      for (int i = 0; i < 4; ++i) assert_true(z[i] == 0.0);
    }
}

/* What is no proof is not accepted. */
static void wrong_proofs_are_refused(void **unused) {
  (void)unused;
  double M[16] = {1, 0, -1, 0, 0, 1, 0, 1, -1, 0, 1, 0, 0, 1, 0, 1}, q[4] = {-1, 0.1, -1, 0.1};
  double work[256];
  nsds_block block[2];
  for (int k = 0; k < 2; ++k)
    block[k] = (nsds_block){.set = NSDS_SET_COULOMB, .size = 2, .mu = 0.3};
  nsds_problem p = {.n = 4,
                    .nblock = 2,
                    .block = block,
                    .q = q,
                    .M = {.storage = NSDS_DENSE, .n = 4, .x = M, .symmetric = true}};
  assert_true(nsds_problem_work(&p) <= sizeof work / sizeof *work);
  assert_true(nsds_certify_no_solution(&p, (double[]){1, 0, 1, 0}, work));
  assert_false(nsds_certify_no_solution(&p, (double[]){1, 0, 2, 0}, work));   /* M^T y != 0 */
  assert_false(nsds_certify_no_solution(&p, (double[]){1, 0.1, 1, 0}, work)); /* tangential */
  assert_false(nsds_certify_no_solution(&p, (double[]){-1, 0, -1, 0}, work));
  assert_false(nsds_certify_no_solution(&p, (double[]){NAN, 0, 1, 0}, work));
  q[0] = 1.5; /* opens */
  assert_false(nsds_certify_no_solution(&p, (double[]){1, 0, 1, 0}, work));
}

typedef struct tally {
  int solved[ntolerance], proved[ntolerance];
} tally;

/* Draws `count` problems with this load along y, and solves each at all tolerances. */
static tally draw_and_solve(unsigned seed, double sign, const char *what) {
  tally t = {{0}, {0}};
  random_seed(seed);
  for (int k = 0; k < count; ++k) {
    jam j;
    double z[most_rows];
    nsds_solver_info info;
    draw_jam(&j, sign * uniform(0.2, 2.0));
    for (int i = 0; i < ntolerance; ++i) {
      int outcome = solve(&j.problem, tolerances[i], z, &info);
      t.solved[i] += outcome == NSDS_SOLVED;
      t.proved[i] += outcome == NSDS_NO_SOLUTION;
    }
  }
  for (int i = 0; i < ntolerance; ++i)
    printf("             %s at %g: %d of %d solved, %d proved to have no solution\n", what,
           tolerances[i], t.solved[i], count, t.proved[i]);
  return t;
}

static void jams_are_not_solved(void **unused) {
  (void)unused;
  tally t = draw_and_solve(21, -1.0, "jams");
  for (int i = 0; i < ntolerance; ++i) {
    assert_int_equal(t.solved[i], 0);
    assert_true(100 * t.proved[i] >= 95 * count);
  }
}

/* Some of their other contacts jam. */
static void neighbours_are_solved(void **unused) {
  (void)unused;
  tally t = draw_and_solve(22, 1.0, "neighbours");
  for (int i = 0; i < ntolerance; ++i) assert_true(10 * (t.solved[i] + t.proved[i]) >= 8 * count);
}

int main(int argc, char **argv) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(jams_are_not_solved),
      cmocka_unit_test(a_point_between_steep_planes),
      cmocka_unit_test(wrong_proofs_are_refused),
      cmocka_unit_test(neighbours_are_solved),
  };
  if (argc > 1) count = atoi(argv[1]);
  return cmocka_run_group_tests_name("numerics.jams", tests, NULL, NULL);
}
