/*
 * Problems without a solution: reactions that run off answer no load, and what they do not touch is
 * no excuse for them, a disc with a threshold of a million beside them say. M r = 0 = M^T r with r in
 * C and q.r < 0 leaves no z: w.r = q.r, which no w in the dual cone has; on a Coulomb block r is
 * normal, and w_N the same as without the shift. M is of integers, so that it is singular exactly.
 */
#include "bodies.h"
#include "cmocka_setup.h"
#include "families.h"

#include <nsds/solver.h>

#include <math.h>
#include <string.h>

enum { most = 24, most_blocks = 6 };

typedef struct programme {
  nsds_block block[most_blocks];
  double M[most * most], q[most], r[most];
  nsds_problem problem;
} programme;

static int integer(int n) {
  int k = (int)(0.5 * (random_number() + 1.0) * n);
  return k < n ? k : n - 1;
}

/* One block of each of `parts` kinds: nonnegative, cone, Coulomb, or any. */
static void add_blocks(programme *p, int which) {
  nsds_problem *problem = &p->problem;
  int parts = 1 + integer(3);
  for (int k = 0; k < parts; ++k) {
    nsds_set_kind set[] = {NSDS_SET_NONNEGATIVE, NSDS_SET_CONE, NSDS_SET_COULOMB};
    nsds_block b = {.set = set[which < 3 ? which : integer(3)], .size = 3, .mu = 0.5};
    for (int i = 0; i < 3; ++i)
      p->r[problem->n++] = b.set == NSDS_SET_NONNEGATIVE || i == 0 ? integer(3) > 0 : 0;
    p->block[problem->nblock++] = b;
  }
  p->r[0] = 1.0;
}

/* M = sum g g^T with g.r = 0, and q.r < 0. */
static void fill(programme *p) {
  int n = p->problem.n, rank = 1 + integer(n), at = 0;
  double size = 0.0, along = 0.0;
  for (int k = 0; k < rank; ++k) {
    double g[most], sum = 0.0;
    for (int i = 0; i < n; ++i) {
      g[i] = integer(5) - 2;
      sum += g[i] * p->r[i];
    }
    g[at] -= sum;
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i) p->M[i + j * most] += g[i] * g[j];
  }
  for (int i = 0; i < n; ++i) {
    p->q[i] = random_number();
    size += p->r[i];
    along += p->q[i] * p->r[i];
  }
  for (int i = 0; i < n; ++i) p->q[i] -= (along + 0.2 + fabs(random_number())) * p->r[i] / size;
}

/* A block that meets no other: with |z| up to 1e6. */
static void add_disc(programme *p) {
  nsds_problem *problem = &p->problem;
  p->block[problem->nblock++] = (nsds_block){.set = NSDS_SET_DISC, .size = 2, .radius = 1e6};
  for (int i = 0; i < 2; ++i, ++problem->n) {
    p->M[problem->n * (most + 1)] = 1.0;
    p->q[problem->n] = 3e6 * random_number();
  }
}

static void close_problem(programme *p) {
  nsds_problem *problem = &p->problem;
  for (int j = 0; j < problem->n; ++j)
    memmove(p->M + j * problem->n, p->M + j * most, (size_t)problem->n * sizeof *p->M);
  problem->M = (nsds_matrix){.storage = NSDS_DENSE, .n = problem->n, .x = p->M, .symmetric = true};
  problem->block = p->block;
  problem->q = p->q;
}

static nsds_outcome outcome_of(const char *name, const nsds_problem *p, double *z) {
  nsds_context *context = nsds_context_create(NULL);
  nsds_solver *solver = nsds_solver_create(context, name);
  double w[most];
  nsds_solver_info info;
  memset(z, 0, most * sizeof *z);
  assert_int_equal(nsds_solver_set(solver, "max_iterations", 1000.0), NSDS_OK);
  nsds_solve(solver, p, z, w, &info);
  nsds_solver_destroy(solver);
  nsds_context_destroy(context);
  return info.outcome;
}

static void an_uncoupled_disc_is_no_excuse(void **unused) {
  (void)unused;
  static const char *const method[] = {
      "auto", "nsgs", "nonsmooth_newton", "projected_gradient", "interior_point", "admm"};
  random_seed(5);
  for (int trial = 0; trial < 64; ++trial) {
    programme p = {.problem = {0}};
    double z[most], largest = 0.0;
    add_blocks(&p, trial % 4);
    fill(&p);
    if (trial % 8 < 4) add_disc(&p);
    close_problem(&p);
    for (size_t k = 0; k < sizeof method / sizeof *method; ++k) {
      if (outcome_of(method[k], &p.problem, z) != NSDS_SOLVED) continue;
      for (int i = 0; i < p.problem.n; ++i) largest = fmax(largest, fabs(z[i]));
      fail_msg("%s, trial %d: solved at z = %g", method[k], trial, largest);
    }
  }
}

/* Two contacts that push against each other, M = g g^T with g = (1, -1) on the normals, and the
 * point that a method ends at; beside it a disc, in every storage. */
static void what_has_run_off_is_told(void **unused) {
  (void)unused;
  programme p = {.problem = {0}};
  double z[most] = {[0] = 4e15, [3] = 4e15}, work[256];
  for (int k = 0; k < 2; ++k) p.block[k] = (nsds_block){.set = NSDS_SET_CONE, .size = 3, .mu = 0.5};
  p.problem.n = 6;
  p.problem.nblock = 2;
  for (int i = 0; i < 6; ++i) p.M[i * (most + 1)] = 1.0;
  p.M[3] = p.M[3 * most] = -1.0;
  p.q[0] = p.q[3] = -1.0;
  add_disc(&p);
  close_problem(&p);
  static const nsds_storage storage[] = {NSDS_DENSE, NSDS_CSC, NSDS_BLOCK_ROWS, NSDS_FACTORED};
  for (int k = 0; k < 4; ++k) {
    converted c;
    nsds_certificate certificate;
    converted_create(&c, &p.problem, storage[k]);
    assert_true(nsds_problem_work(&c.problem) <= sizeof work / sizeof *work);
    nsds_certify(&c.problem, z, work, &certificate);
    assert_true(isinf(certificate.residual) && certificate.diverged);
    converted_destroy(&c);
  }
}

/* Reactions as large as before, of a load of their own: an answer, also beside a disc. */
static void large_loads_are_answered(void **unused) {
  (void)unused;
  for (int discs = 0; discs < 2; ++discs) {
    programme p = {.problem = {0}};
    double z[most], work[256];
    nsds_certificate certificate;
    p.block[0] = (nsds_block){.set = NSDS_SET_COULOMB, .size = 3, .mu = 0.5};
    p.problem.n = 3;
    p.problem.nblock = 1;
    for (int i = 0; i < 3; ++i) p.M[i * (most + 1)] = 2.0;
    p.q[0] = -8e15;
    p.q[1] = 1e15;
    if (discs) add_disc(&p);
    close_problem(&p);
    assert_int_equal(outcome_of("auto", &p.problem, z), NSDS_SOLVED);
    assert_true(fabs(z[0] / 4e15 - 1.0) < 1e-12);
    nsds_certify(&p.problem, z, work, &certificate);
    assert_true(certificate.residual < 1e-12);
  }
}

/* Two bodies of 1e7 kg squeeze one of 1 kg: reactions of 1e7 times the load of their rows. */
static void a_light_body_between_heavy_ones_is_solved(void **unused) {
  (void)unused;
  const double ratio = 1e-7;
  double M[4] = {1.0 + ratio, -1.0, -1.0, 1.0 + ratio}, q[2] = {-1.0, -1.0}, z[most];
  nsds_block block = {.set = NSDS_SET_NONNEGATIVE, .size = 2};
  nsds_problem p = {.n = 2,
                    .nblock = 1,
                    .block = &block,
                    .M = {.storage = NSDS_DENSE, .n = 2, .x = M, .symmetric = true},
                    .q = q};
  assert_int_equal(outcome_of("auto", &p, z), NSDS_SOLVED);
  for (int i = 0; i < 2; ++i) assert_true(fabs(z[i] * ratio - 1.0) < 1e-8);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(an_uncoupled_disc_is_no_excuse),
      cmocka_unit_test(what_has_run_off_is_told),
      cmocka_unit_test(large_loads_are_answered),
      cmocka_unit_test(a_light_body_between_heavy_ones_is_solved),
  };
  return cmocka_run_group_tests_name("numerics.run_off", tests, NULL, NULL);
}
