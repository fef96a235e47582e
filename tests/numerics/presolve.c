/*
 * Equalities that are eliminated before any method runs: bodies in trees and loops of joints, with
 * blocks of every set on them. What is eliminated satisfies the algebra of condense.h in every storage;
 * answers and proofs are those of the whole problem; what is not safe to eliminate is solved as
 * without.
 */
#include "bodies.h"
#include "cmocka_setup.h"
#include "numerics/linear/condense.h"
#include "numerics/linear/condense_structure.h"
#include "numerics/solver_internal.h"
#include "numerics/store.h"
#include "families.h"
#include "meter.h"
#include "relations.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { most_bodies = 40, velocities = 6, most_blocks = 120, most_rows = 400, most_edges = 240 };

/* Joints and blocks on bodies; H by edges, Y = W^-1 H^T, with a solution z, w. */
typedef struct linkage {
  nsds_problem problem;
  nsds_factored factored;
  sample_block sample[most_blocks];
  nsds_block block[most_blocks];
  nsds_edge edge[most_edges];
  int row[most_blocks + 1], first_edge[most_blocks + 1], column[most_edges];
  double *H[most_edges], *Y[most_edges];
  double W[most_bodies][velocities * velocities]; /* W^-1 */
  double z[most_rows], w[most_rows], q[most_rows];
  int bodies, edges;
} linkage;

static linkage *linkage_open(int count, double skew) {
  linkage *l = calloc(1, sizeof *l);
  assert_non_null(l);
  l->bodies = count;
  for (int b = 0; b < count; ++b) {
    sample_matrix(velocities, velocities, 1.0, 0.3, l->W[b]);
    for (int j = 0; j < velocities; ++j)
      for (int i = 0; i < j; ++i) {
        double turn = skew * random_number();
        l->W[b][i + j * velocities] += turn;
        l->W[b][j + i * velocities] -= turn;
      }
  }
  return l;
}

static void linkage_close(linkage *l) {
  for (int k = 0; k < l->edges; ++k) {
    free(l->H[k]);
    free(l->Y[k]);
  }
  free(l);
}

static void add_edge(linkage *l, int rows, int body) {
  int k = l->edges++;
  l->H[k] = calloc((size_t)rows * velocities, sizeof *l->H[k]);
  l->Y[k] = calloc((size_t)rows * velocities, sizeof *l->Y[k]);
  l->column[k] = body * velocities;
  for (int i = 0; i < rows * velocities; ++i) l->H[k][i] = random_number();
}

/* A block over one or two bodies; body -1 is the ground. */
static void add_block(linkage *l, int set, int rows, int one, int other) {
  int a = l->problem.nblock++;
  if (set < 0) l->block[a] = (nsds_block){.set = NSDS_SET_EQUALITY, .size = rows};
  else {
    sample_block_create(&l->sample[a], set);
    l->block[a] = l->sample[a].block;
  }
  l->row[a] = l->problem.n;
  l->first_edge[a] = l->edges;
  if (one >= 0) add_edge(l, l->block[a].size, one);
  if (other >= 0) add_edge(l, l->block[a].size, other);
  l->problem.n += l->block[a].size;
  l->row[a + 1] = l->problem.n;
  l->first_edge[a + 1] = l->edges;
}

/* Y, and q = w - M z of a pair that satisfies the laws. */
static void finish(linkage *l) {
  int n = l->problem.n;
  for (int a = 0; a < l->problem.nblock; ++a)
    for (int k = l->first_edge[a]; k < l->first_edge[a + 1]; ++k) {
      int m = l->block[a].size, body = l->column[k] / velocities;
      memset(l->Y[k], 0, (size_t)m * velocities * sizeof *l->Y[k]);
      for (int i = 0; i < m; ++i)
        for (int c = 0; c < velocities; ++c)
          for (int d = 0; d < velocities; ++d)
            l->Y[k][c + i * velocities] += l->W[body][c + d * velocities] * l->H[k][i + d * m];
      l->edge[k] = (nsds_edge){l->column[k], velocities, l->H[k], l->Y[k]};
    }
  l->factored = (nsds_factored){.nrow_block = l->problem.nblock,
                                .ncolumn = velocities * l->bodies,
                                .row = l->row,
                                .first_edge = l->first_edge,
                                .edge = l->edge};
  l->problem.block = l->block;
  l->problem.q = l->q;
  l->problem.M = (nsds_matrix){.storage = NSDS_FACTORED, .n = n, .factored = &l->factored};
  for (int a = 0; a < l->problem.nblock; ++a) {
    double *z = l->z + l->row[a], *w = l->w + l->row[a];
    for (int i = 0; i < l->block[a].size; ++i) z[i] = random_number(), w[i] = 0.0;
    if (l->block[a].set != NSDS_SET_EQUALITY) sample_relation(&l->block[a], a % 3, z, w);
  }
  double *Mz = calloc((size_t)n + 1, sizeof *Mz);
  double *work = calloc(nsds_problem_work(&l->problem), sizeof *work);
  memset(l->q, 0, sizeof l->q);
  nsds_problem_multiply(&l->problem, l->z, Mz, work);
  for (int i = 0; i < n; ++i) l->q[i] = l->w[i] - Mz[i];
  free(Mz);
  free(work);
}

/* A tree of joints of 1 to 3 rows, with blocks of a kind (-1: all kinds) on some bodies. */
static linkage *tree(int links, int blocks, int which, double skew) {
  linkage *l = linkage_open(links, skew);
  for (int b = 0; b < links; ++b)
    add_block(l, -1, 1 + b % 3, b, b == 0 ? -1 : (int)(uniform(0.0, b - 1e-9)));
  for (int k = 0; k < blocks; ++k)
    add_block(l, which < 0 ? (5 * k) % kind_count : which, 0, k % links,
              k % 4 == 3 ? (k + 1) % links : -1);
  finish(l);
  return l;
}

/* ---- solving ---- */

typedef struct result {
  nsds_solver_info info;
  nsds_status status;
  double z[most_rows], w[most_rows];
  bool proved; /* by a proof that is checked */
} result;

static void solve(const nsds_problem *problem, double presolve, result *r) {
  nsds_context *context = nsds_context_create(NULL);
  nsds_solver *solver = nsds_solver_create(context, "auto");
  assert_status(nsds_solver_set(solver, "presolve", presolve), NSDS_OK);
  memset(r, 0, sizeof *r);
  r->status = nsds_solve(solver, problem, r->z, r->w, &r->info);
  const double *y = nsds_solver_proof(solver);
  double *work = calloc(nsds_problem_work(problem) + 1, sizeof *work);
  r->proved = y && nsds_certify_no_solution(problem, y, work);
  free(work);
  nsds_solver_destroy(solver);
  nsds_context_destroy(context);
}

static void assert_solved(const nsds_problem *problem, const char *what) {
  result r;
  solve(problem, 1.0, &r);
  nsds_certificate c = certify(problem, r.z);
  if (r.status != NSDS_OK || !(c.residual <= 1e-10))
    fail_msg("%s: %s, %g, %s", what, nsds_outcome_text(r.info.outcome), c.residual, r.info.path);
}

static void assert_same(const nsds_problem *problem) {
  result with, without;
  solve(problem, 1.0, &with);
  solve(problem, 0.0, &without);
  assert_int_equal(with.status, without.status);
  assert_memory_equal(with.z, without.z, sizeof with.z);
}

/* Whether the equalities of the problem are eliminated. */
static bool eliminates(const nsds_problem *problem, int *parts) {
  nsds_context *context = nsds_context_create(NULL);
  nsds_condenser e = {.store = {.context = context}};
  assert_status(nsds_condense_prepare(&e, problem), NSDS_OK);
  bool done = e.apt && nsds_condense_factor(&e, problem);
  if (parts) *parts = e.rest.npart;
  nsds_store_release(&e.store);
  nsds_context_destroy(context);
  return done;
}

/* ---- the algebra ---- */

/* For any z_C: the recovered z has w_E = 0, and w_C = S z_C + r; for any y_C (M^T y)_E = 0. */
static void check_algebra(const nsds_problem *problem) {
  nsds_context *context = nsds_context_create(NULL);
  nsds_condenser e = {.store = {.context = context}};
  size_t n = (size_t)problem->n;
  double *r = calloc(n, sizeof *r), *z = calloc(n, sizeof *z), *w = calloc(n, sizeof *w);
  double *y = calloc(n, sizeof *y), *M = calloc(n * n, sizeof *M);
  double *work = calloc(nsds_problem_work(problem), sizeof *work);
  assert_status(nsds_condense_prepare(&e, problem), NSDS_OK);
  assert_true(e.apt);
  assert_true(nsds_condense_factor(&e, problem));
  memcpy(r, problem->q, n * sizeof *r);
  for (size_t i = 0; i < n; ++i) z[i] = y[i] = random_number();
  nsds_condense_reduce(&e, r);
  nsds_condense_recover(&e, r, z);
  nsds_condense_recover_proof(&e, y);
  nsds_problem_multiply(problem, z, w, work);
  nsds_problem_to_dense(problem, M);
  for (int a = 0; a < e.nnode; ++a)
    for (int i = e.row[a]; i < e.row[a] + e.size[a]; ++i) {
      double terms = fabs(problem->q[i]), should = 0.0, g = 0.0;
      for (size_t j = 0; j < n; ++j) terms += fabs(M[(size_t)i + j * n] * z[j]);
      for (size_t j = 0; j < n; ++j) g += M[j + (size_t)i * n] * y[j];
      if (a < e.nout) {
        assert_true(fabs(g) <= 1e-11 * terms + 1e-11);
      } else {
        const double *S =
            e.rest.S + e.rest.part_start[e.rest.part[a]] + e.rest.place[a] + i - e.row[a];
        should = r[i];
        for (int b = e.nout; b < e.nnode; ++b)
          for (int k = 0; k < e.size[b] && e.rest.part[b] == e.rest.part[a]; ++k)
            should += S[(ptrdiff_t)(e.rest.place[b] + k) * e.rest.part_rows[e.rest.part[a]]] *
                      z[e.row[b] + k];
      }
      assert_true(fabs(w[i] - should) <= 1e-11 * terms);
    }
  nsds_store_release(&e.store);
  nsds_context_destroy(context);
  free(r), free(z), free(w), free(y), free(M), free(work);
}

static void test_algebra(void **unused) {
  (void)unused;
  static const nsds_storage kinds[] = {NSDS_FACTORED, NSDS_DENSE, NSDS_CSC, NSDS_BLOCK_ROWS};
  random_seed(1);
  for (int round = 0; round < 12; ++round) {
    linkage *l = tree(4 + 2 * round, 3, -1, round % 2 ? 0.2 : 0.0);
    for (int k = 0; k < 4; ++k) {
      converted c;
      converted_create(&c, &l->problem, kinds[k]);
      check_algebra(&c.problem);
      converted_destroy(&c);
    }
    linkage_close(l);
  }
}

/* ---- every set ---- */

static void test_every_set(void **unused) {
  (void)unused;
  static const nsds_storage kinds[] = {NSDS_FACTORED, NSDS_DENSE, NSDS_CSC, NSDS_BLOCK_ROWS};
  random_seed(2);
  for (int round = 0; round < 60; ++round)
    for (int which = -1; which < kind_count; ++which) {
      linkage *l = tree(8 + round % 20, 1 + round % 5, which, 0.0);
      converted c;
      converted_create(&c, &l->problem, kinds[round % 4]);
      assert_true(eliminates(&c.problem, NULL));
      assert_solved(&c.problem, which < 0 ? "all kinds" : sample_block_name(which));
      converted_destroy(&c);
      linkage_close(l);
    }
}

/* ---- structure ---- */

/* Pairs of equality nodes that meet in M. */
static int pairs(const linkage *l) {
  int count = 0;
  for (int a = 0; a < l->problem.nblock; ++a)
    for (int b = 0; b < a; ++b) {
      bool meet = false;
      for (int k = l->first_edge[a]; k < l->first_edge[a + 1]; ++k)
        for (int j = l->first_edge[b]; j < l->first_edge[b + 1]; ++j)
          meet = meet || l->column[k] == l->column[j];
      count += meet;
    }
  return count;
}

static void test_tree_without_fill(void **unused) {
  (void)unused;
  random_seed(3);
  for (int round = 0; round < 100; ++round) {
    linkage *l = tree(2 + round % 38, 0, -1, 0.0);
    nsds_context *context = nsds_context_create(NULL);
    nsds_condenser e = {.store = {.context = context}};
    assert_status(nsds_condense_prepare(&e, &l->problem), NSDS_OK);
    assert_int_equal(e.start[e.nout], pairs(l));
    nsds_store_release(&e.store);
    nsds_context_destroy(context);
    linkage_close(l);
  }
}

/* Rings and ladders: joints from each body to the next ones, and back to the first. */
static void test_loops(void **unused) {
  (void)unused;
  random_seed(4);
  for (int round = 0; round < 60; ++round) {
    int links = 3 + round % 30, reach = 1 + round % 2;
    linkage *l = linkage_open(links, 0.0);
    for (int b = 0; b < links; ++b)
      for (int k = 1; k <= reach; ++k) add_block(l, -1, 2, b, (b + k) % links);
    for (int k = 0; k < 3; ++k) add_block(l, (round + k) % kind_count, 0, (k * 5) % links, -1);
    finish(l);
    assert_true(eliminates(&l->problem, NULL));
    check_algebra(&l->problem);
    assert_solved(&l->problem, "loops");
    linkage_close(l);
  }
}

/* Mechanisms side by side are parts of their own. */
static void test_parts(void **unused) {
  (void)unused;
  random_seed(5);
  int parts;
  linkage *l = linkage_open(36, 0.0);
  for (int b = 0; b < 36; ++b) add_block(l, -1, 3, b, b % 3 == 0 ? -1 : b - 1);
  for (int b = 2; b < 36; b += 3) add_block(l, 12, 0, b, b - 1);
  finish(l);
  assert_true(eliminates(&l->problem, &parts));
  assert_int_equal(parts, 12);
  assert_solved(&l->problem, "parts");
  linkage_close(l);
}

/* ---- rows that depend on each other, or say nothing ---- */

/* One joint twice: left to the methods as it is. */
static void test_redundant(void **unused) {
  (void)unused;
  random_seed(6);
  for (int round = 0; round < 20; ++round) {
    linkage *l = tree(3 + round, 2, -1, 0.0);
    add_block(l, -1, l->block[1].size, 1, 0);
    int a = l->problem.nblock - 1;
    for (int e = 0; e < 2; ++e)
      memcpy(l->H[l->first_edge[a] + e], l->H[l->first_edge[1] + e],
             (size_t)l->block[1].size * velocities * sizeof(double));
    for (int e = 0; e < 2; ++e) l->column[l->first_edge[a] + e] = l->column[l->first_edge[1] + e];
    finish(l);
    assert_false(eliminates(&l->problem, NULL));
    assert_same(&l->problem);
    linkage_close(l);
  }
}

/* Rows without a motion carry nothing, as those of joints that are silenced. */
static void test_silent(void **unused) {
  (void)unused;
  random_seed(7);
  result r;
  linkage *l = tree(8, 3, -1, 0.0);
  int m = l->block[2].size, row = l->row[2] + m - 1;
  assert_int_equal(m, 3);
  for (int k = l->first_edge[2]; k < l->first_edge[3]; ++k)
    for (int c = 0; c < velocities; ++c) l->H[k][m - 1 + c * m] = 0.0;
  finish(l);
  assert_true(eliminates(&l->problem, NULL));
  assert_solved(&l->problem, "silent row");
  solve(&l->problem, 1.0, &r);
  assert_true(r.z[row] == 0.0);
  l->q[row] = 0.5;
  solve(&l->problem, 1.0, &r);
  assert_int_equal(r.status, NSDS_ERROR_SOLVER);
  linkage_close(l);
}

/* A contact that joints hold is left to the methods: of its row of S only rounding is left. */
static void test_held_contact(void **unused) {
  (void)unused;
  random_seed(8);
  linkage *l = linkage_open(1, 0.0);
  add_block(l, -1, 6, 0, -1);
  add_block(l, 2, 0, 0, -1);
  finish(l);
  assert_false(eliminates(&l->problem, NULL));
  assert_same(&l->problem);
  linkage_close(l);
}

/* ---- units, and matrices that are no joints' ---- */

static void test_scaled_rows(void **unused) {
  (void)unused;
  random_seed(9);
  for (int round = 0; round < 60; ++round) {
    linkage *l = tree(4 + round % 12, 2, 2 + round % 2, 0.0);
    for (int a = 0; a < l->problem.nblock; ++a) {
      if (l->block[a].set != NSDS_SET_EQUALITY) continue;
      double unit = pow(10.0, uniform(-6.0, 6.0));
      for (int k = l->first_edge[a]; k < l->first_edge[a + 1]; ++k)
        for (int i = 0; i < l->block[a].size * velocities; ++i) l->H[k][i] *= unit;
    }
    finish(l);
    assert_true(eliminates(&l->problem, NULL));
    assert_solved(&l->problem, "scaled rows");
    linkage_close(l);
  }
}

static void test_other_blocks(void **unused) {
  (void)unused;
  random_seed(10);
  nsds_block block[2] = {{.set = NSDS_SET_EQUALITY, .size = 2},
                         {.set = NSDS_SET_NONNEGATIVE, .size = 1}};
  double indefinite[] = {1, 2, 0.1, 2, 1, 0.1, 0.1, 0.1, 3}, q[] = {1, -1, -1};
  double turned[] = {1, 5, 0.1, -5, 1, 0.1, 0.1, 0.1, 3};
  double saddle[] = {0, 1, 0.1, 1, 0, 0.1, 0.1, 0.1, 3};
  nsds_problem problem = {.n = 3,
                          .nblock = 2,
                          .block = block,
                          .M = {.storage = NSDS_DENSE, .n = 3, .x = indefinite},
                          .q = q};
  assert_false(eliminates(&problem, NULL));
  problem.M.x = saddle;
  assert_false(eliminates(&problem, NULL));
  problem.M.x = turned; /* its symmetric part is definite */
  assert_true(eliminates(&problem, NULL));
  check_algebra(&problem);
}

/* An uncertain q is for the methods, which know what to do with it. */
static void test_uncertain_q(void **unused) {
  (void)unused;
  random_seed(11);
  double error[most_rows];
  linkage *l = tree(6, 3, -1, 0.0);
  for (int i = 0; i < l->problem.n; ++i) error[i] = 1e-12;
  l->problem.q_error = error;
  assert_same(&l->problem);
  linkage_close(l);
}

/* ---- no solution ---- */

/* A body between two walls that close on it, on joints to others. */
static void test_proofs(void **unused) {
  (void)unused;
  random_seed(12);
  int proved = 0;
  for (int round = 0; round < 60; ++round) {
    result r;
    linkage *l = tree(2 + round % 10, 0, -1, 0.0);
    for (int wall = 0; wall < 2; ++wall) add_block(l, 12, 0, l->bodies - 1, -1);
    int a = l->problem.nblock - 2;
    assert_int_equal(l->block[a].set, NSDS_SET_COULOMB);
    for (int c = 0; c < velocities; ++c) l->H[l->edges - 1][3 * c] = -l->H[l->edges - 2][3 * c];
    finish(l);
    l->q[l->row[a]] = -1.0;
    l->q[l->row[a + 1]] = -0.5;
    assert_true(eliminates(&l->problem, NULL));
    solve(&l->problem, 1.0, &r);
    assert_int_equal(r.status, NSDS_ERROR_SOLVER);
    proved += r.info.outcome == NSDS_NO_SOLUTION && r.proved;
    linkage_close(l);
  }
  assert_true(proved >= 50);
}

/* ---- conduct ---- */

/* With room for all blocks, fewer of them need none. */
static void test_no_allocation(void **unused) {
  (void)unused;
  random_seed(13);
  meter m = {0};
  nsds_context *context = metered_context(&m);
  nsds_solver *solver = nsds_solver_create(context, "auto");
  linkage *l = tree(13, 6, 12, 0.0);
  double z[most_rows] = {0.0}, w[most_rows];
  assert_status(nsds_solver_reserve(solver, &l->problem), NSDS_OK);
  long before = m.count;
  for (int left = l->problem.nblock; left > 13; --left) {
    nsds_problem fewer = l->problem;
    nsds_factored part = l->factored;
    part.nrow_block = fewer.nblock = left;
    fewer.n = fewer.M.n = l->row[left];
    fewer.M.factored = &part;
    fewer.M.pattern = (uint64_t)left;
    if (nsds_solve(solver, &fewer, z, w, NULL) == NSDS_OK) assert_int_equal(m.count, before);
  }
  linkage_close(l);
  nsds_solver_destroy(solver);
  nsds_context_destroy(context);
}

/* Room for a problem without equalities is none for one with them. */
static void test_room_for_equalities(void **unused) {
  (void)unused;
  random_seed(13);
  meter m = {0};
  nsds_context *context = metered_context(&m);
  nsds_solver *solver = nsds_solver_create(context, "auto");
  linkage *l = tree(13, 6, 12, 0.0);
  nsds_block free[most_blocks];
  static const double lower[3] = {-1, -1, -1}, upper[3] = {1, 1, 1};
  nsds_problem other = l->problem;
  other.block = free;
  for (int a = 0; a < other.nblock; ++a) {
    free[a] = l->block[a];
    if (free[a].set != NSDS_SET_EQUALITY) continue;
    free[a].set = NSDS_SET_BOX;
    free[a].lower = lower;
    free[a].upper = upper;
  }
  double z[most_rows] = {0.0}, w[most_rows];
  assert_status(nsds_solver_reserve(solver, &other), NSDS_OK);
  assert_status(nsds_solver_reserve(solver, &l->problem), NSDS_OK);
  long before = m.count;
  assert_status(nsds_solve(solver, &l->problem, z, w, NULL), NSDS_OK);
  assert_int_equal(m.count, before);
  linkage_close(l);
  nsds_solver_destroy(solver);
  nsds_context_destroy(context);
}

static int stop(int iteration, double residual, void *user) {
  (void)iteration, (void)residual, (void)user;
  return 1;
}

static void test_interrupted(void **unused) {
  (void)unused;
  random_seed(14);
  nsds_context *context = nsds_context_create(NULL);
  nsds_solver *solver = nsds_solver_create(context, "auto");
  nsds_solver_set_progress(solver, stop, NULL);
  linkage *l = tree(30, 30, -1, 0.0);
  double z[most_rows] = {0.0}, w[most_rows];
  nsds_solver_info info;
  nsds_status status = nsds_solve(solver, &l->problem, z, w, &info);
  for (int i = 0; i < l->problem.n; ++i) assert_true(isfinite(z[i]));
  if (status) assert_int_equal(info.outcome, NSDS_INTERRUPTED);
  linkage_close(l);
  nsds_solver_destroy(solver);
  nsds_context_destroy(context);
}

static int stop_and_count(int iteration, double residual, void *user) {
  (void)iteration, (void)residual;
  return ++*(int *)user;
}

/* Parts are asked for between each other, and none is begun after a stop. */
static void test_stopped_between_parts(void **unused) {
  (void)unused;
  random_seed(16);
  int calls = 0, parts;
  nsds_context *context = nsds_context_create(NULL);
  nsds_solver *solver = nsds_solver_create(context, "auto");
  linkage *l = linkage_open(36, 0.0);
  for (int b = 0; b < 36; ++b) add_block(l, -1, 3, b, b % 3 == 0 ? -1 : b - 1);
  for (int b = 2; b < 36; b += 3) add_block(l, 2, 0, b, b - 1);
  finish(l);
  assert_true(eliminates(&l->problem, &parts));
  assert_int_equal(parts, 12);
  double z[most_rows] = {0.0}, w[most_rows];
  nsds_solver_info info;
  nsds_solver_set_progress(solver, stop_and_count, &calls);
  assert_status(nsds_solve(solver, &l->problem, z, w, &info), NSDS_ERROR_SOLVER);
  assert_int_equal(info.outcome, NSDS_INTERRUPTED);
  assert_int_equal(calls, 1);
  for (int i = 0; i < l->problem.n; ++i) assert_true(isfinite(z[i]));
  linkage_close(l);
  nsds_solver_destroy(solver);
  nsds_context_destroy(context);
}

/* Values have to keep the limit of memory, whatever was found without it. */
static void test_memory_limit(void **unused) {
  (void)unused;
  random_seed(17);
  nsds_context *context = nsds_context_create(NULL);
  nsds_condenser e = {.store = {.context = context}};
  linkage *l = tree(20, 3, -1, 0.0);
  l->problem.M.pattern = 5;
  const double limit[] = {0.0, 100.0, 0.0, 1e6};
  for (int k = 0; k < 4; ++k) {
    e.most_bytes = limit[k];
    assert_status(nsds_condense_prepare(&e, &l->problem), NSDS_OK);
    assert_true(e.apt == (limit[k] != 100.0));
  }
  linkage_close(l);
  nsds_store_release(&e.store);
  nsds_context_destroy(context);
}

/* One number of a structure for several storages: each is looked at anew. */
static void test_other_storage(void **unused) {
  (void)unused;
  static const nsds_storage kinds[] = {NSDS_CSC, NSDS_FACTORED, NSDS_BLOCK_ROWS, NSDS_DENSE};
  random_seed(19);
  nsds_context *context = nsds_context_create(NULL);
  nsds_solver *solver = nsds_solver_create(context, "auto");
  linkage *l = tree(12, 4, 2, 0.0);
  double z[most_rows] = {0.0}, w[most_rows];
  for (int k = 0; k < 8; ++k) {
    converted c;
    converted_create(&c, &l->problem, kinds[k % 4]);
    c.problem.M.pattern = c.problem.M.stamp = 3;
    memset(z, 0, sizeof z);
    assert_status(nsds_solve(solver, &c.problem, z, w, NULL), NSDS_OK);
    assert_true(certify(&l->problem, z).residual <= 1e-10);
    converted_destroy(&c);
  }
  linkage_close(l);
  nsds_solver_destroy(solver);
  nsds_context_destroy(context);
}

/* A large dense M without any zeros is for BLAS. */
static void test_large_dense(void **unused) {
  (void)unused;
  random_seed(18);
  enum { n = 700, joint = 100 };
  double *M = malloc((size_t)n * n * sizeof *M), *q = calloc(n, sizeof *q);
  nsds_block block[n / joint];
  assert_true(M && q);
  for (int k = 0; k < n * n; ++k) M[k] = random_number() + (k % (n + 1) == 0 ? 3.0 * n : 0.0);
  for (int a = 0; a < n / joint; ++a)
    block[a] = (nsds_block){.set = NSDS_SET_EQUALITY, .size = joint};
  block[n / joint - 1].set = NSDS_SET_NONNEGATIVE;
  nsds_problem problem = {.n = n,
                          .nblock = n / joint,
                          .block = block,
                          .M = {.storage = NSDS_DENSE, .n = n, .x = M},
                          .q = q};
  assert_false(eliminates(&problem, NULL));
  nsds_block single[240]; /* rows by themselves cost more */
  for (int a = 0; a < 240; ++a)
    single[a] = (nsds_block){.set = a < 120 ? NSDS_SET_EQUALITY : NSDS_SET_NONNEGATIVE, .size = 1};
  nsds_problem smaller = problem;
  smaller.n = smaller.M.n = smaller.nblock = 240;
  smaller.block = single;
  assert_false(eliminates(&smaller, NULL));
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i)
      if (i / joint != j / joint) M[i + n * j] = 0.0;
  assert_true(eliminates(&problem, NULL));
  free(M);
  free(q);
}

/* A matrix with the stamp of the one before is not factored again; another q is another problem. */
static void test_same_matrix(void **unused) {
  (void)unused;
  random_seed(15);
  nsds_context *context = nsds_context_create(NULL);
  nsds_solver *solver = nsds_solver_create(context, "auto");
  linkage *l = tree(10, 3, -1, 0.0);
  double z[most_rows] = {0.0}, w[most_rows];
  l->problem.M.stamp = l->problem.M.pattern = 7;
  for (int round = 0; round < 5; ++round) {
    assert_status(nsds_solve(solver, &l->problem, z, w, NULL), NSDS_OK);
    assert_true(certify(&l->problem, z).residual <= 1e-10);
    for (int i = 0; i < l->problem.n; ++i) l->q[i] *= 1.1;
    if (round == 2) finish(l), l->problem.M.stamp = l->problem.M.pattern = 8;
  }
  linkage_close(l);
  nsds_solver_destroy(solver);
  nsds_context_destroy(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_algebra),
                                     cmocka_unit_test(test_every_set),
                                     cmocka_unit_test(test_tree_without_fill),
                                     cmocka_unit_test(test_loops),
                                     cmocka_unit_test(test_parts),
                                     cmocka_unit_test(test_redundant),
                                     cmocka_unit_test(test_silent),
                                     cmocka_unit_test(test_held_contact),
                                     cmocka_unit_test(test_scaled_rows),
                                     cmocka_unit_test(test_other_blocks),
                                     cmocka_unit_test(test_uncertain_q),
                                     cmocka_unit_test(test_proofs),
                                     cmocka_unit_test(test_no_allocation),
                                     cmocka_unit_test(test_room_for_equalities),
                                     cmocka_unit_test(test_interrupted),
                                     cmocka_unit_test(test_stopped_between_parts),
                                     cmocka_unit_test(test_memory_limit),
                                     cmocka_unit_test(test_other_storage),
                                     cmocka_unit_test(test_large_dense),
                                     cmocka_unit_test(test_same_matrix)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
