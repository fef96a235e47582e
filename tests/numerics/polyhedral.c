/*
 * Pivoting over polyhedral sets: `lemke` on polyhedra with every kind of facet, on plane friction
 * and on mixtures, against known answers, block Gauss-Seidel and the certificate; bounded sets and
 * games, which it always solves.
 */
#include "bodies.h"
#include "cmocka_setup.h"
#include "families.h"
#include "relations.h"

#include <nsds/io.h>
#include <nsds/solver.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char pivoting[] = "lemke";
static const nsds_storage all_storages[4] = {NSDS_DENSE, NSDS_CSC, NSDS_BLOCK_ROWS, NSDS_FACTORED};

enum { most_rows = 96, most_blocks = 48, most_facets = 40 };

/* A dense problem in fixed arrays, with an answer. */
typedef struct sample {
  int n, nblock, nfacets;
  nsds_block block[most_blocks];
  sample_block store[most_blocks];
  double H[most_facets * most_rows], K[most_facets * most_blocks];
  double M[most_rows * most_rows], q[most_rows], z[most_rows], w[most_rows];
  nsds_problem problem;
} sample;

static double positive(void) { return 0.05 + fabs(random_number()); }

static int pick(int count) { return (int)(fabs(random_number()) * 0.999999 * count); }

/* A block of sample_block_create(), in the relation. */
static void add_known(sample *s, int which) {
  sample_block *store = &s->store[s->nblock];
  sample_block_create(store, which);
  sample_relation(&store->block, pick(30), s->z + s->n, s->w + s->n);
  s->block[s->nblock++] = store->block;
  s->n += store->block.size;
}

typedef enum shape { AT_RANDOM, REDUNDANT, IMPLIED_EQUALITY, LINEALITY, SEGMENT, VERTEX } shape;

/* A polyhedron through a random z, which is on some of its facets, and w in the normal cone:
 * redundant facets there, pairs of opposite facets, facets that leave a subspace free, a segment,
 * or a vertex with more facets than rows. */
static void add_polyhedron(sample *s, int m, shape form) {
  nsds_block *block = &s->block[s->nblock];
  double *H = s->H + s->nfacets, *K = s->K + most_facets * s->nblock;
  double *z = s->z + s->n, *w = s->w + s->n;
  int rank = form == LINEALITY ? m / 2 : form == SEGMENT ? 1 : m;
  int count = form == SEGMENT ? 2 : form == VERTEX ? 2 * m + 3 : 1 + pick(3 * m);
  double basis[12][12], inward[12];
  for (int j = 0; j < m; ++j) inward[j] = random_number();
  for (int k = 0; k < rank; ++k)
    for (int j = 0; j < m; ++j) basis[k][j] = random_number();
  for (int j = 0; j < m; ++j) {
    z[j] = 2.0 * random_number();
    w[j] = 0.0;
  }
  for (int f = 0; f < count; ++f) {
    bool again = f > 0 && ((form == REDUNDANT && f % 2) || (form == IMPLIED_EQUALITY && f == 1) ||
                           form == SEGMENT);
    double factor = form == REDUNDANT ? 1.0 + f : -1.0, size = pow(10.0, pick(3) - 1);
    double h[12] = {0.0}, inside = 0.0;
    for (int j = 0; j < m; ++j) {
      for (int k = 0; k < rank; ++k) h[j] += random_number() * basis[k][j];
      inside += h[j] * inward[j];
    }
    if (inside < 0.0) size = -size;
    for (int j = 0; j < m; ++j)
      H[f + count * j] = again ? factor * H[f - 1 + count * j] : size * h[j];
  }
  for (int f = 0; f < count; ++f) {
    bool pair = form == IMPLIED_EQUALITY && f < 2;
    bool same = form == REDUNDANT && f % 2, active = form == VERTEX || pair || pick(2);
    double sum = 0.0, length = 0.0;
    for (int j = 0; j < m; ++j) {
      sum += H[f + count * j] * z[j];
      length += fabs(H[f + count * j]);
    }
    K[f] = sum - (active ? 0.0 : positive() * length);
    if (same) K[f] = K[f - 1] * (1.0 + f) - (pick(2) ? 0.0 : 0.1 * length);
    if (form == SEGMENT && f == 1) K[f] = sum - positive() * length;
    active = K[f] == sum || (same && fabs(sum - K[f]) < 1e-12 * length);
    double push = active && pick(3) ? positive() / (length + 1e-3) : 0.0;
    for (int j = 0; j < m; ++j) w[j] += push * H[f + count * j];
  }
  *block = (nsds_block){.set = NSDS_SET_POLYHEDRON, .size = m, .nfacet = count, .H = H, .K = K};
  s->nfacets += count * m;
  ++s->nblock;
  s->n += m;
}

static void add_box(sample *s, double *bounds, double half) {
  bounds[0] = -half;
  bounds[1] = half;
  s->block[s->nblock++] =
      (nsds_block){.set = NSDS_SET_BOX, .size = 1, .lower = bounds, .upper = bounds + 1};
  ++s->n;
}

/* A A^T + shift + skew part, and q so that z and w are an answer. */
static void add_matrix(sample *s, int rank, double shift, double skew) {
  int n = s->n;
  sample_matrix(n, rank, 0.5, shift, s->M);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < i; ++j) {
      double t = skew * random_number();
      s->M[i + j * n] += t;
      s->M[j + i * n] -= t;
    }
  for (int i = 0; i < n; ++i) s->q[i] = s->w[i];
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) s->q[i] -= s->M[i + j * n] * s->z[j];
}

static const nsds_problem *finish(sample *s) {
  s->problem = (nsds_problem){.n = s->n,
                              .nblock = s->nblock,
                              .block = s->block,
                              .M = {.storage = NSDS_DENSE, .n = s->n, .x = s->M},
                              .q = s->q};
  return &s->problem;
}

static sample *fresh(void) {
  sample *s = calloc(1, sizeof *s);
  if (!s) abort();
  return s;
}

static nsds_status run(const char *name, const nsds_problem *problem, nsds_storage storage,
                       double *z, double *w, nsds_solver_info *info) {
  nsds_context *context = nsds_context_create(NULL);
  nsds_solver *solver = nsds_solver_create(context, name);
  converted c;
  converted_create(&c, problem, storage);
  assert_non_null(solver);
  assert_status(nsds_problem_check(context, &c.problem), NSDS_OK);
  for (int i = 0; i < problem->n; ++i) z[i] = 0.0;
  nsds_status status = nsds_solve(solver, &c.problem, z, w, info);
  for (int i = 0; i < problem->n; ++i) assert_true(isfinite(z[i]));
  assert_string_equal(nsds_error_message(context), "");
  converted_destroy(&c);
  nsds_solver_destroy(solver);
  nsds_context_destroy(context);
  return status;
}

static void must_solve(const char *name, sample *s, nsds_storage storage, bool unique,
                       const char *what) {
  double z[most_rows], w[most_rows], largest = 0.0;
  nsds_solver_info info;
  if (run(name, finish(s), storage, z, w, &info))
    fail_msg("%s, %s, storage %d: %s, residual %g after %d", name, what, (int)storage,
             nsds_outcome_text(info.outcome), info.residual, info.iterations);
  for (int i = 0; i < s->n; ++i) largest = fmax(largest, fabs(s->z[i]));
  for (int i = 0; unique && i < s->n; ++i)
    if (!(fabs(z[i] - s->z[i]) <= 1e-8 * (1.0 + largest)))
      fail_msg("%s, %s: z differs by %g", name, what, fabs(z[i] - s->z[i]));
}

/* ---- polyhedra ---- */

static const char *const shape_name[] = {"at random", "redundant", "implied equality",
                                         "lineality", "segment",   "vertex"};

static void test_polyhedra(void **unused) {
  (void)unused;
  random_seed(101);
  for (int round = 0; round < 300; ++round)
    for (int form = 0; form < 6; ++form) {
      sample *s = fresh();
      for (int a = 0; a < 1 + round % 3; ++a) add_polyhedron(s, 1 + pick(6), (shape)form);
      bool monotone = round % 2;
      add_matrix(s, monotone ? (s->n + 1) / 2 : s->n, monotone ? 0.0 : 0.1, 0.3 * (round % 4));
      must_solve(pivoting, s, all_storages[round % 4], !monotone, shape_name[form]);
      free(s);
    }
}

static const int polyhedral_kinds[] = {0, 1, 2, 3, 4, 5, 6, 9, 15, 11, 13};

enum { all_kinds = 11, without_friction = 9 };

static void test_known_answers(void **unused) {
  (void)unused;
  random_seed(102);
  for (int round = 0; round < 200; ++round)
    for (int k = 0; k < 2; ++k) {
      sample *s = fresh();
      int kinds = k == 0 || round % 2 ? without_friction : all_kinds, blocks = 1 + pick(16);
      for (int a = 0; a < blocks; ++a) add_known(s, polyhedral_kinds[pick(kinds)]);
      bool friction = kinds == all_kinds;
      add_matrix(s, s->n, 0.3, friction ? 0.0 : 0.2);
      must_solve(pivoting, s, all_storages[round % 4], !friction, "mixture");
      free(s);
    }
}

/* Over bounded sets there is always a solution, and the path from a vertex finds it. */
static void test_bounded_sets(void **unused) {
  (void)unused;
  random_seed(103);
  for (int round = 0; round < 300; ++round) {
    sample *s = fresh();
    double bounds[2 * most_blocks];
    int blocks = 2 + pick(12);
    for (int a = 0; a < blocks; ++a) add_box(s, bounds + 2 * a, positive());
    for (int j = 0; j < s->n; ++j) {
      s->q[j] = random_number();
      for (int i = 0; i < s->n; ++i) s->M[i + j * s->n] = random_number();
    }
    must_solve(pivoting, s, all_storages[round % 4], false, "boxes");
    free(s);
  }
}

/* Bimatrix games, rows of both players interleaved: a ray is never met. `auto` has a tenth of a
 * second's work for each. */
static void test_games(void **unused) {
  (void)unused;
  random_seed(109);
  for (int round = 0; round < 200; ++round) {
    int n = 2 + pick(29);
    double z[most_rows], w[most_rows];
    bool first[most_rows];
    for (int k = 0; k < 2; ++k) {
      sample *s = fresh();
      s->n = n;
      s->block[0] = (nsds_block){.set = NSDS_SET_NONNEGATIVE, .size = n};
      s->nblock = 1;
      for (int i = 0; i < n; ++i) first[i] = i != 1 && (i % 2 == 0 || i > 2 * round % n);
      for (int i = 0; i < n; ++i) {
        s->q[i] = -positive();
        for (int j = 0; j < n; ++j) s->M[i + j * n] = first[i] != first[j] ? positive() : 0.0;
      }
      nsds_solver_info info;
      if (run(k == 0 ? pivoting : "auto", finish(s), all_storages[round % 4], z, w, &info))
        fail_msg("round %d: %s, %s", round, nsds_outcome_text(info.outcome), info.path);
      free(s);
    }
  }
}

/* The largest error of z in an oblique box -1 <= T z <= 1, over the terms of w: w = T^T x, where x >= 0 at
 * the lower facets, x <= 0 at the upper ones, else x = 0. */
static long double error_in_oblique_box(const nsds_problem *p, const double *z) {
  int m = p->n;
  long double x[3], A[3][3], terms = 0.0L, most = 0.0L, d = 0.0L;
  for (int i = 0; i < m; ++i) {
    x[i] = p->q[i];
    terms += fabsl(x[i]);
    for (int j = 0; j < m; ++j) {
      long double entry = p->M.x[i + m * j];
      x[i] += entry * z[j];
      terms += fabsl(entry * z[j]);
      d = fmaxl(d, fabsl(entry));
      A[i][j] = p->block->H[2 * j + 2 * m * i];
    }
  }
  for (int k = 0; k < m; ++k) /* T is nearly the identity */
    for (int i = 0; i < m; ++i) {
      long double factor = A[i][k] / A[k][k];
      if (i == k) continue;
      for (int j = k; j < m; ++j) A[i][j] -= factor * A[k][j];
      x[i] -= factor * x[k];
    }
  for (int i = 0; i < m; ++i) {
    long double at = 0.0L;
    for (int j = 0; j < m; ++j) at += (long double)p->block->H[2 * i + 2 * m * j] * z[j];
    most = fmaxl(most, fabsl(fmaxl(fminl(x[i] / A[i][i], d * (at + 1)), d * (at - 1))));
  }
  return most > 0.0L ? most / terms : 0.0L;
}

/* An oblique box around 0 always has a solution, however small q is beside the terms that M z has
 * there: a twisting controller at rest. M of rank one; the first is one that was refused. */
static void test_rounding_at_rest(void **unused) {
  (void)unused;
  random_seed(107);
  for (int round = 0; round < 20; ++round) {
    double a[3] = {0.05, 1.0}, b[3] = {1.0, 0.3}, q[3] = {4.857e-18, -5.551e-17}, M[9], H[18];
    double K[6] = {-1.0, -1.0, -1.0, -1.0, -1.0, -1.0}, scaled[3], z[3], w[3];
    int m = round == 0 ? 2 : 2 + pick(2);
    nsds_block block = {.set = NSDS_SET_POLYHEDRON, .size = m, .nfacet = 2 * m, .H = H, .K = K};
    for (int i = 0; i < m; ++i)
      for (int j = 0; j < m; ++j) {
        double h = round == 0 ? (i == 0 && j == 1 ? -0.05 : 0.0) : 0.3 * random_number();
        H[2 * i + 2 * m * j] = (i == j) + h;
        H[2 * i + 1 + 2 * m * j] = -H[2 * i + 2 * m * j];
      }
    for (int i = 0; i < m && round > 0; ++i) {
      a[i] = random_number();
      b[i] = random_number();
      q[i] = 1e-16 * random_number();
    }
    for (int i = 0; i < m; ++i)
      for (int j = 0; j < m; ++j) M[i + m * j] = a[i] * b[j];
    for (int power = -13; power <= 30; ++power) {
      nsds_context *context = nsds_context_create(NULL);
      nsds_solver *solver = nsds_solver_create(context, NULL);
      nsds_problem p = {.n = m,
                        .nblock = 1,
                        .block = &block,
                        .q = scaled,
                        .M = {.storage = NSDS_DENSE, .n = m, .x = M}};
      nsds_solver_info info;
      for (int i = 0; i < m; ++i) scaled[i] = pow(10.0, power) * q[i];
      memset(z, 0, sizeof z);
      assert_status(nsds_solver_set(solver, "tolerance", 1e-10), NSDS_OK);
      if (nsds_solve(solver, &p, z, w, &info) != NSDS_OK)
        fail_msg("round %d, 10^%d: %s, residual %g", round, power, info.path, info.residual);
      if (!(error_in_oblique_box(&p, z) <= 1e-10L))
        fail_msg("round %d, 10^%d: error %Lg", round, power, error_in_oblique_box(&p, z));
      nsds_solver_destroy(solver);
      nsds_context_destroy(context);
    }
  }
}

/* Contacts of a system with `dofs` degrees of freedom: M = H H^T, q = H v. */
static void add_contacts(sample *s, int contacts, int dofs, double mu, bool rolling) {
  double H[most_rows][most_rows], v[most_rows];
  for (int j = 0; j < dofs; ++j) v[j] = random_number();
  for (int a = 0; a < contacts; ++a) {
    int m = rolling ? 3 : 2;
    s->block[s->nblock++] = (nsds_block){.set = rolling ? NSDS_SET_ROLLING : NSDS_SET_COULOMB,
                                         .size = m,
                                         .mu = mu,
                                         .mu_rolling = 0.3 * mu};
    s->n += m;
  }
  int n = s->n;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < dofs; ++j) H[i][j] = random_number();
  for (int i = 0; i < n; ++i) {
    s->q[i] = 0.0;
    for (int d = 0; d < dofs; ++d) s->q[i] += H[i][d] * v[d];
    for (int j = 0; j < n; ++j) {
      s->M[i + j * n] = 0.0;
      for (int d = 0; d < dofs; ++d) s->M[i + j * n] += H[i][d] * H[j][d];
    }
  }
}

/* Solutions of problems with friction need not be unique: where w differs from that of block
 * Gauss-Seidel, both are certified, and it happens rarely. */
static void test_friction(void **unused) {
  (void)unused;
  random_seed(104);
  int compared = 0, differ = 0;
  for (int round = 0; round < 400; ++round) {
    sample *s = fresh();
    double mu = 1.5 * (round % 16) / 15.0, z[most_rows], w[most_rows], u[most_rows];
    nsds_solver_info info;
    add_contacts(s, 1 + pick(14), 2 + pick(20), mu, round % 3 == 0);
    must_solve("lemke", s, all_storages[round % 4], false, "friction");
    run("lemke", &s->problem, NSDS_DENSE, z, w, &info);
    if (run("nsgs", &s->problem, NSDS_DENSE, z, u, &info) == NSDS_OK) {
      double most = 0.0, size = 0.0;
      for (int i = 0; i < s->n; ++i) {
        most = fmax(most, fabs(w[i] - u[i]));
        size = fmax(size, fabs(s->q[i]));
      }
      ++compared;
      differ += most > 1e-6 * size;
      if (mu == 0.0) assert_true(most <= 1e-6 * size);
    }
    free(s);
  }
  print_message("             another solution in %d of %d\n", differ, compared);
  assert_true(compared >= 390 && differ <= 20);
}

static void test_friction_files(void **unused) {
  (void)unused;
  static const char *const names[] = {"FrictionContactProblem00031", "FrictionContactProblem00374",
                                      "fc2d_granularflowonwall_00667_00000"};
  for (int k = 0; k < 3; ++k) {
    char path[512];
    snprintf(path, sizeof path, "%s/problems/fc2d/%s.dat", NSDS_TEST_DATA, names[k]);
    FILE *present = fopen(path, "r");
    if (!present) {
      print_message("             no file \"%s\"\n", path);
      skip();
    }
    fclose(present);
    nsds_context *context = nsds_context_create(NULL);
    nsds_problem_file *file = nsds_problem_read(context, path, NSDS_FORMAT_AUTO);
    assert_non_null(file);
    const nsds_problem *problem = nsds_problem_file_problem(file);
    size_t n = (size_t)problem->n;
    double *z = calloc(4 * n, sizeof *z), *w = z + n, *v = w + n, *u = v + n, size = 0.0;
    nsds_solver *lemke = nsds_solver_create(context, "lemke");
    nsds_solver *nsgs = nsds_solver_create(context, "nsgs");
    assert_status(nsds_solve(lemke, problem, z, w, NULL), NSDS_OK);
    assert_status(nsds_solve(nsgs, problem, v, u, NULL), NSDS_OK);
    for (size_t i = 0; i < n; ++i) size = fmax(size, fabs(problem->q[i]));
    for (size_t i = 0; i < n; ++i) assert_true(fabs(w[i] - u[i]) <= 1e-9 * size);
    free(z);
    nsds_solver_destroy(lemke);
    nsds_solver_destroy(nsgs);
    nsds_problem_file_destroy(file);
    nsds_context_destroy(context);
  }
}

/* ---- verdicts ---- */

/* M vanishes along a direction in the recession cone, along which q falls: no solution. */
static void test_rays(void **unused) {
  (void)unused;
  random_seed(105);
  for (int round = 0; round < 100; ++round) {
    sample *s = fresh();
    int m = 2 + pick(5), count = 1 + pick(2 * m);
    double v[12], H[24 * 12], K[24], slope = 0.0, size = 0.0, A[12 * 12], z[12], w[12];
    for (int j = 0; j < m; ++j) {
      v[j] = random_number();
      size += v[j] * v[j];
    }
    for (int f = 0; f < count; ++f) {
      double inside = 0.0;
      for (int j = 0; j < m; ++j) inside += (H[f + count * j] = random_number()) * v[j];
      for (int j = 0; inside < 0.0 && j < m; ++j) H[f + count * j] = -H[f + count * j];
      K[f] = random_number();
    }
    for (int i = 0; i < m; ++i) {
      double along = 0.0;
      for (int j = 0; j < m; ++j) along += (A[i + m * j] = random_number()) * v[j];
      for (int j = 0; j < m; ++j) A[i + m * j] -= along * v[j] / size;
    }
    for (int i = 0; i < m; ++i)
      for (int j = 0; j < m; ++j)
        for (int l = 0; l < m; ++l) s->M[i + m * j] += A[l + m * i] * A[l + m * j];
    for (int j = 0; j < m; ++j) slope += (s->q[j] = random_number()) * v[j];
    for (int j = 0; j < m; ++j) s->q[j] -= (slope + 0.5 * size) * v[j] / size;
    s->block[0] =
        (nsds_block){.set = NSDS_SET_POLYHEDRON, .size = m, .nfacet = count, .H = H, .K = K};
    s->nblock = 1;
    s->n = m;
    nsds_solver_info info;
    assert_status(run(pivoting, finish(s), NSDS_DENSE, z, w, &info), NSDS_ERROR_SOLVER);
    if (info.outcome != NSDS_RAY && info.outcome != NSDS_NO_SOLUTION)
      fail_msg("%s: %s", pivoting, nsds_outcome_text(info.outcome));
    free(s);
  }
}

/* A polyhedron without a point, z >= 1 and z <= 0, leaves no solution. */
static void test_empty(void **unused) {
  (void)unused;
  double H[] = {1.0, -1.0}, K[] = {1.0, 0.0}, M[] = {1.0, 0.5, 0.5, 1.0}, q[] = {-1.0, -1.0};
  const nsds_block block[] = {{.set = NSDS_SET_POLYHEDRON, .size = 1, .nfacet = 2, .H = H, .K = K},
                              {.set = NSDS_SET_NONNEGATIVE, .size = 1}};
  const nsds_problem problem = {
      .n = 2, .nblock = 2, .block = block, .M = {.storage = NSDS_DENSE, .n = 2, .x = M}, .q = q};
  nsds_context *context = nsds_context_create(NULL);
  double z[2] = {0.0}, w[2];
  nsds_solver_info info;
  nsds_solver *solver = nsds_solver_create(context, pivoting);
  assert_status(nsds_solve(solver, &problem, z, w, &info), NSDS_ERROR_SOLVER);
  assert_int_equal(info.outcome, NSDS_NO_SOLUTION);
  nsds_solver_destroy(solver);
  nsds_context_destroy(context);
}

/* Round cones are refused; with a vanishing threshold they are as simple as the others. */
static void test_round_sets(void **unused) {
  (void)unused;
  static const nsds_set_kind sets[] = {NSDS_SET_DISC, NSDS_SET_CONE, NSDS_SET_COULOMB,
                                       NSDS_SET_ROLLING};
  static const int sizes[] = {3, 4, 3, 5};
  random_seed(106);
  for (int which = 0; which < 4; ++which)
    for (int flat = 0; flat < 2; ++flat) {
      sample *s = fresh();
      double threshold = flat ? 0.0 : 0.4, z[most_rows], w[most_rows];
      for (int a = 0; a < 3; ++a) {
        s->block[a] = (nsds_block){.set = sets[which],
                                   .size = sizes[which],
                                   .mu = threshold,
                                   .mu_rolling = threshold,
                                   .radius = threshold};
        s->n += sizes[which];
      }
      s->nblock = 3;
      sample_matrix(s->n, s->n, 0.0, 0.5, s->M);
      for (int i = 0; i < s->n; ++i) s->q[i] = -positive();
      nsds_solver_info info;
      run(pivoting, finish(s), NSDS_DENSE, z, w, &info);
      assert_int_equal(info.outcome, flat ? NSDS_SOLVED : NSDS_REFUSED);
      free(s);
    }
}

/* Far more rows than a dense matrix may have, in parts of a few blocks that lie interleaved. */
static void test_parts(void **unused) {
  (void)unused;
  enum { parts = 3000, blocks = 3, contacts = parts * blocks, n = 2 * contacts };
  random_seed(107);
  nsds_block *block = calloc(contacts, sizeof *block);
  int *p = calloc(n + 1, sizeof *p), *i = calloc(n * 2 * blocks, sizeof *i);
  double *x = calloc(n * 2 * blocks, sizeof *x), *q = calloc(3 * n, sizeof *q);
  double *z = q + n, *w = z + n, M[4 * blocks * blocks];
  for (int k = 0; k < parts; ++k) {
    sample_matrix(2 * blocks, 2 * blocks, 0.5, 0.1, M);
    for (int c = 0; c < 2 * blocks; ++c)
      for (int r = 0; r < 2 * blocks; ++r) {
        int at = 2 * blocks * (2 * (k + parts * (c / 2)) + c % 2) + r;
        i[at] = 2 * (k + parts * (r / 2)) + r % 2;
        x[at] = M[r + c * 2 * blocks];
      }
  }
  for (int j = 0; j < n; ++j) {
    p[j + 1] = 2 * blocks * (j + 1);
    q[j] = random_number();
  }
  for (int a = 0; a < contacts; ++a)
    block[a] = (nsds_block){.set = NSDS_SET_COULOMB, .size = 2, .mu = 0.3};
  nsds_problem problem = {.n = n,
                          .nblock = contacts,
                          .block = block,
                          .M = {.storage = NSDS_CSC, .n = n, .p = p, .i = i, .x = x},
                          .q = q};
  nsds_context *context = nsds_context_create(NULL);
  nsds_solver *solver = nsds_solver_create(context, "lemke");
  assert_status(nsds_problem_check(context, &problem), NSDS_OK);
  assert_status(nsds_solve(solver, &problem, z, w, NULL), NSDS_OK);
  nsds_solver_destroy(solver);
  nsds_context_destroy(context);
  free(block);
  free(p);
  free(i);
  free(x);
  free(q);
}

/* ---- sparse ---- */

/* A chain of blocks with a banded M, far beyond what takes a tableau: the answers of the tableau,
 * which dense storage has, and of the sparse method must agree where there is one. */
typedef struct chain {
  nsds_problem problem;
  sample_block *store;
  nsds_block *block;
  double *M, *q, *z, *w;
} chain;

static void chain_create(chain *c, int nblock, int kinds, double shift, double skew) {
  enum { band = 5 };
  size_t most = 8 * (size_t)nblock;
  int n = 0;
  memset(c, 0, sizeof *c);
  c->store = calloc((size_t)nblock, sizeof *c->store);
  c->block = calloc((size_t)nblock, sizeof *c->block);
  c->q = calloc(3 * most, sizeof *c->q);
  c->z = c->q + most;
  c->w = c->z + most;
  for (int a = 0; a < nblock; n += c->block[a++].size) {
    sample_block_create(&c->store[a], polyhedral_kinds[pick(kinds)]);
    c->block[a] = c->store[a].block;
    sample_relation(&c->block[a], pick(30), c->z + n, c->w + n);
  }
  double *L = calloc((size_t)n * band, sizeof *L);
  c->M = calloc((size_t)n * (size_t)n, sizeof *c->M);
  for (int k = 0; k < n * band; ++k) L[k] = random_number();
  for (int i = 0; i < n; ++i)
    for (int j = i - band + 1; j <= i; ++j) {
      if (j < 0) continue;
      double sum = i == j ? shift : 0.0, t = i == j ? 0.0 : skew * random_number();
      for (int k = i; k < j + band && k < n; ++k) sum += L[i + n * (k - i)] * L[j + n * (k - j)];
      c->M[i + (size_t)j * (size_t)n] = sum + t;
      c->M[j + (size_t)i * (size_t)n] = sum - t;
    }
  for (int i = 0; i < n; ++i) c->q[i] = c->w[i];
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) c->q[i] -= c->M[i + (size_t)j * (size_t)n] * c->z[j];
  free(L);
  c->problem = (nsds_problem){.n = n,
                              .nblock = nblock,
                              .block = c->block,
                              .M = {.storage = NSDS_DENSE, .n = n, .x = c->M},
                              .q = c->q};
}

static void chain_destroy(chain *c) {
  free(c->store);
  free(c->block);
  free(c->M);
  free(c->q);
}

static void test_sparse(void **unused) {
  (void)unused;
  random_seed(109);
  for (int round = 0; round < 8; ++round)
    for (int k = 0; k < 2; ++k) {
      bool friction = k == 1 && round % 4 == 0;
      chain c;
      chain_create(&c, 150, friction ? all_kinds : without_friction, round % 3 ? 0.2 : 1e-6,
                   friction ? 0.0 : 0.3);
      size_t n = (size_t)c.problem.n;
      double *z = calloc(2 * n, sizeof *z), *w = z + n;
      for (int s = 0; s < 4; ++s) {
        nsds_solver_info info;
        if (run(pivoting, &c.problem, all_storages[s], z, w, &info))
          fail_msg("%s, storage %d: %s, residual %g after %d", pivoting, s,
                   nsds_outcome_text(info.outcome), info.residual, info.iterations);
        for (size_t i = 0; !friction && round % 3 && i < n; ++i)
          assert_true(fabs(z[i] - c.z[i]) <= 1e-8 * (1.0 + fabs(c.z[i])));
      }
      free(z);
      chain_destroy(&c);
    }
}

/* A ray, and equalities whose rows are singular by themselves. */
static void test_sparse_verdicts(void **unused) {
  (void)unused;
  enum { n = 600 };
  double *M = calloc(n * n, sizeof *M), *q = calloc(3 * n, sizeof *q), *z = q + n, *w = z + n;
  nsds_block block[2] = {{.set = NSDS_SET_NONNEGATIVE, .size = n}};
  nsds_problem problem = {
      .n = n, .nblock = 1, .block = block, .M = {.storage = NSDS_DENSE, .n = n, .x = M}, .q = q};
  nsds_solver_info info;
  for (int i = 0; i < n; ++i) { /* a ring of springs: free to move as a whole */
    M[i + n * i] = 2.0;
    M[i + n * ((i + 1) % n)] = M[(i + 1) % n + n * i] = -1.0;
    q[i] = i % 7 == 0 ? 1.0 : -0.5;
  }
  run(pivoting, &problem, NSDS_CSC, z, w, &info);
  assert_int_equal(info.outcome, NSDS_RAY);
  block[0].size = n - 1;
  block[1] = (nsds_block){.set = NSDS_SET_EQUALITY, .size = 1};
  problem.nblock = 2;
  M[n * n - 1] = 0.0; /* held together by a multiplier without a diagonal */
  for (int i = 0; i < n - 1; ++i) {
    q[i] = i % 7 == 0 ? 1.0 : -0.5;
    M[i + n * (n - 1)] = -1.0;
    M[n - 1 + n * i] = 1.0;
  }
  q[n - 1] = -10.0;
  assert_status(run(pivoting, &problem, NSDS_CSC, z, w, &info), NSDS_OK);
  free(M);
  free(q);
}

/* Rows of one part whose q differ by many orders of magnitude. */
static void test_small_right_hand_sides(void **unused) {
  (void)unused;
  random_seed(108);
  for (int round = 0; round < 100; ++round) {
    sample *s = fresh();
    add_contacts(s, 4, 10, 0.5, false);
    for (int i = 0; i < s->n; ++i) {
      s->M[i + s->n * i] += 0.3;
      for (int j = 0; j < s->n; ++j)
        if ((i < 4) != (j < 4)) s->M[i + s->n * j] *= i / 4 == 1 && j < 2 ? 0.1 : 0.0;
      if (i < 4) s->q[i] *= 1e-15;
    }
    must_solve("lemke", s, NSDS_DENSE, false, "small q");
    free(s);
  }
}

/* ---- what `auto` takes ---- */

/* A string under load above a floor, in blocks of three rows that are polyhedra: too long for sweeps.
 * Lemke's method follows while its table is small; what is longer is left to the methods after it. */
static const char *auto_on_a_string(int blocks, int *iterations) {
  enum { size = 3 };
  static const double H[size * size] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, K[size] = {0};
  int n = size * blocks, count = 0;
  nsds_block *block = calloc((size_t)blocks, sizeof *block);
  int *p = calloc((size_t)n + 1, sizeof *p), *i = calloc(3 * (size_t)n, sizeof *i);
  double *x = calloc(3 * (size_t)n, sizeof *x), *v = calloc(3 * (size_t)n, sizeof *v);
  for (int a = 0; a < blocks; ++a)
    block[a] =
        (nsds_block){.set = NSDS_SET_POLYHEDRON, .size = size, .nfacet = size, .H = H, .K = K};
  for (int j = 0; j < n; ++j) {
    for (int r = j > 0 ? j - 1 : 0; r <= j + 1 && r < n; ++r) {
      i[count] = r;
      x[count++] = r == j ? 2.0 : -1.0;
    }
    p[j + 1] = count;
    v[j] = j < n / 2 ? -1e-3 : 1e-3;
  }
  const nsds_problem problem = {
      .n = n,
      .nblock = blocks,
      .block = block,
      .q = v,
      .M = {.storage = NSDS_CSC, .n = n, .p = p, .i = i, .x = x, .symmetric = true}};
  nsds_context *context = nsds_context_create(NULL);
  nsds_solver *solver = nsds_solver_create(context, "auto");
  nsds_solver_info info;
  assert_int_equal(nsds_solve(solver, &problem, v + n, v + 2 * n, &info), NSDS_OK);
  *iterations = info.iterations;
  nsds_solver_destroy(solver);
  nsds_context_destroy(context);
  free(block), free(p), free(i), free(x), free(v);
  return info.solver;
}

static void auto_takes_the_method_that_is_meant_for_so_many_rows(void **unused) {
  (void)unused;
  int iterations;
  assert_string_equal(auto_on_a_string(60, &iterations), "lemke");
  assert_string_equal(auto_on_a_string(700, &iterations), "nonsmooth_newton");
  assert_in_range(iterations, 1, 1200); /* 563 by one BLAS: about one for each block */
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_polyhedra),
      cmocka_unit_test(test_known_answers),
      cmocka_unit_test(test_bounded_sets),
      cmocka_unit_test(test_friction),
      cmocka_unit_test(test_friction_files),
      cmocka_unit_test(test_rays),
      cmocka_unit_test(test_empty),
      cmocka_unit_test(test_round_sets),
      cmocka_unit_test(test_parts),
      cmocka_unit_test(test_small_right_hand_sides),
      cmocka_unit_test(test_sparse),
      cmocka_unit_test(test_sparse_verdicts),
      cmocka_unit_test(test_games),
      cmocka_unit_test(test_rounding_at_rest),
      cmocka_unit_test(auto_takes_the_method_that_is_meant_for_so_many_rows),
  };
  return cmocka_run_group_tests_name("numerics.polyhedral", tests, NULL, NULL);
}
