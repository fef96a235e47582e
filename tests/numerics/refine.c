/*
 * Redundant rows: what a refiner keeps of a matrix gives the bits of a fresh search, and the quick
 * test of full rank agrees with orthogonal factors. Least solutions and solutions inside their
 * bounds obey the laws.
 */
#include "numerics/refine_inside.h"
#include "cmocka_setup.h"
#include "families.h"
#include "numerics/linear/full_rank.h"
#include "numerics/linear/orthogonal.h"
#include "numerics/sets/sets.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { most_rows = 24 };

/* ---- the quick test -------------------------------------------------------------------------- */

/* A = B B^T + ridge; B has `rank` columns, of which few entries are not zero if `sparse`. */
static void draw_gram(int n, int rank, bool sparse, double ridge, double *A) {
  double B[most_rows][2 * most_rows];
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < rank; ++k)
      B[i][k] = sparse && abs(i - k) > 1 && random_number() < 0.8 ? 0.0 : random_number();
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) {
      double sum = i == j ? ridge : 0.0;
      for (int k = 0; k < rank; ++k) sum += B[i][k] * B[j][k];
      A[i + j * n] = sum;
    }
}

static void test_full_rank_agrees_with_orthogonal_factors(void **unused) {
  enum { trials = 4000 };
  static double A[most_rows * most_rows], Q[most_rows * most_rows], tau[3 * most_rows];
  double work[most_rows];
  int pivot[most_rows], quick = 0, full = 0;
  (void)unused;
  random_seed(7);
  for (int trial = 0; trial < trials; ++trial) {
    int n = 1 + (int)uniform(0.0, most_rows), rank = trial % 2 ? n : (int)uniform(0.0, n + 1.0);
    double ridge = trial % 3 ? 0.0 : pow(10.0, uniform(-14.0, 0.0));
    draw_gram(n, rank, trial % 5 < 3, ridge, A);
    for (int j = 0; trial % 7 == 0 && j < n; ++j) { /* columns in other units, not symmetric */
      double unit = pow(10.0, uniform(-3.0, 3.0));
      for (int i = 0; i < n; ++i) A[i + j * n] *= unit;
    }
    memcpy(Q, A, sizeof A);
    bool found = nsds_orthogonal_factor(n, Q, 1e-10, pivot, tau) == n;
    bool seen = (nsds_least_singular_value(n, A, work) > 1e-8);
    assert_true(found || !seen);
    quick += seen;
    full += found;
  }
  assert_true(quick > full / 2); /* most full ranks are seen quickly */
}

static void test_full_rank_of_chains_is_seen(void **unused) {
  double A[most_rows * most_rows] = {0}, work[most_rows];
  (void)unused;
  for (int i = 0; i < most_rows; ++i) { /* beads on each other */
    A[i + i * most_rows] = i ? 2.0 : 1.0;
    if (i) A[i + (i - 1) * most_rows] = A[i - 1 + i * most_rows] = -1.0;
  }
  assert_true((nsds_least_singular_value(most_rows, A, work) > 1e-8));
}

static void test_full_rank_of_damaged_matrices_is_not_seen(void **unused) {
  double zero[4] = {0}, nan[4] = {1.0, NAN, 0.0, 1.0}, late[4] = {1.0, 0.0, 0.0, NAN};
  double infinite[4] = {1.0, 0.0, INFINITY, 1.0}, exchanged[4] = {0.0, 1.0, 1.0, 0.0}, work[2];
  double steep[4] = {1e-9, 1.0, 1.0, 0.0}; /* entries grow by 1e9 */
  (void)unused;
  assert_false((nsds_least_singular_value(2, zero, work) > 1e-8));
  assert_false((nsds_least_singular_value(2, nan, work) > 1e-8));
  assert_false((nsds_least_singular_value(2, late, work) > 1e-8));
  assert_false((nsds_least_singular_value(2, infinite, work) > 1e-8));
  assert_false((nsds_least_singular_value(2, exchanged, work) > 1e-8));
  assert_false((nsds_least_singular_value(2, steep, work) > 1e-8));
}

/* ---- what is kept ---------------------------------------------------------------------------- */

/* A drawn problem whose matrix stays for some solves. */
typedef struct drawn {
  int n, nblock;
  nsds_block block[most_rows];
  double lower[most_rows], upper[most_rows];
  double M[most_rows * most_rows], q[most_rows], z[most_rows], w[most_rows];
  nsds_problem problem;
} drawn;

/* Scalar rows and contacts in the plane and in space, some with rolling friction; without friction
 * if `scalar`. */
static void draw_structure(drawn *d, bool scalar) {
  static const nsds_set_kind scalars[] = {NSDS_SET_EQUALITY, NSDS_SET_NONNEGATIVE, NSDS_SET_BOX};
  int rows = 2 + (int)uniform(0.0, most_rows - 5.0);
  d->n = d->nblock = 0;
  while (d->n < rows) {
    int size = scalar ? 1 : 1 + (int)uniform(0.0, 3.0);
    bool rolls = size > 1 && uniform(0.0, 1.0) < 0.4;
    nsds_block *block = &d->block[d->nblock++];
    d->lower[d->n] = -0.2;
    d->upper[d->n] = 0.2;
    if (rolls) size = 2 * size - 1;
    *block = (nsds_block){.set = rolls      ? NSDS_SET_ROLLING
                                 : size > 1 ? NSDS_SET_COULOMB
                                            : scalars[(int)uniform(0.0, 3.0)],
                          .size = size,
                          .mu = uniform(0.1, 1.0),
                          .mu_rolling = uniform(0.05, 0.5),
                          .lower = &d->lower[d->n],
                          .upper = &d->upper[d->n]};
    d->n += size;
  }
  d->problem = (nsds_problem){.n = d->n,
                              .nblock = d->nblock,
                              .block = d->block,
                              .q = d->q,
                              .M = {.storage = NSDS_DENSE, .n = d->n, .x = d->M}};
}

/* Draws M with a rank that is often below n. */
static void draw_matrix(drawn *d, uint64_t stamp) {
  int rank = random_number() < 0.0 ? 2 * d->n : (int)uniform(1.0, d->n + 1.0);
  draw_gram(d->n, rank, false, 0.0, d->M);
  d->problem.M.stamp = stamp;
}

/* Changes M by up to 1 % of its entries, or by as much as makes two rows dependent. */
static void move_matrix(drawn *d, uint64_t stamp) {
  double turn = pow(10.0, uniform(-8.0, -2.0));
  int n = d->n, a = (int)uniform(0.0, n), b = (int)uniform(0.0, n);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j <= i; ++j)
      d->M[i + j * n] = d->M[j + i * n] *= i == j ? 1.0 : 1.0 + turn * random_number();
  for (int i = 0; turn < 1e-6 && i < n; ++i) d->M[a + i * n] = d->M[b + i * n];
  for (int i = 0; turn < 1e-6 && i < n; ++i) d->M[i + a * n] = d->M[i + b * n];
  d->problem.M.stamp = stamp;
}

/* Draws the forces of a contact that carries something. A part slips, or sticks with 0.3 of its
 * bound. */
static void draw_friction(drawn *d, const nsds_block *block, int i) {
  nsds_part part[2];
  int count = nsds_set_parts(block, part);
  d->z[i] = uniform(0.5, 1.0);
  for (int a = 0; a < count; ++a) {
    double turn = 0.5 * (int)uniform(0.0, 4.0);
    double t[2] = {part[a].count > 1 ? cos(turn) : turn < 1.0 ? 1.0 : -1.0, sin(turn)};
    bool slips = uniform(0.0, 1.0) < 0.4;
    for (int k = 0; k < part[a].count; ++k) {
      int row = i + part[a].first + k;
      d->z[row] = part[a].slope * d->z[i] * t[k] * (slips ? 1.0 : 0.3);
      if (slips) d->w[row] = -t[k];
    }
  }
}

/* Draws z and w that obey the laws, and q = w - M z. Slipping contacts keep their direction if it is
 * given again: t is drawn from a few. */
static void draw_solution(drawn *d) {
  for (int a = 0, i = 0; a < d->nblock; i += d->block[a++].size) {
    int state = (int)uniform(0.0, 4.0); /* most rows are closed */
    for (int k = 0; k < d->block[a].size; ++k) d->z[i + k] = d->w[i + k] = 0.0;
    if (d->block[a].size > 1) {
      if (state == 0) d->w[i] = 1.0;
      else draw_friction(d, &d->block[a], i);
    } else if (state > 0 || d->block[a].set == NSDS_SET_EQUALITY) {
      d->z[i] = uniform(0.05, 0.15);
    } else {
      bool bounded = d->block[a].set == NSDS_SET_BOX;
      d->z[i] = bounded ? d->lower[i] : 0.0;
      d->w[i] = 1.0;
    }
  }
  for (int i = 0; i < d->n; ++i) {
    d->q[i] = d->w[i];
    for (int j = 0; j < d->n; ++j) d->q[i] -= d->M[i + j * d->n] * d->z[j];
  }
}

/* Compares with a fresh refiner; returns true if the rows depend on each other. */
static bool check_against_fresh(nsds_context *context, nsds_refiner *kept, const drawn *d) {
  double z[2][most_rows], w[2][most_rows];
  bool spare[2][most_rows], result[2];
  nsds_refiner fresh = {0};
  assert_status(nsds_refiner_reserve(&fresh, context, most_rows), NSDS_OK);
  for (int k = 0; k < 2; ++k) {
    memcpy(z[k], d->z, sizeof d->z);
    memcpy(w[k], d->w, sizeof d->w);
    nsds_problem problem = d->problem;
    if (k == 1) problem.M.stamp = 0;
    result[k] = nsds_refine_least(k ? &fresh : kept, &problem, z[k], w[k], spare[k]);
  }
  assert_int_equal(result[0], result[1]);
  assert_int_equal(kept->least, fresh.least);
  assert_memory_equal(z[0], z[1], (size_t)d->n * sizeof(double));
  assert_memory_equal(spare[0], spare[1], (size_t)d->n * sizeof(bool));
  nsds_refiner_release(&fresh);
  return result[0];
}

/* Draws sequences of solves in which the matrix, the kinds of rows and the directions of slip stay
 * or change, in any order. */
static void test_kept_ranks_are_those_of_a_fresh_search(void **unused) {
  const char *given = getenv("NSDS_REFINE_SEQUENCES");
  long sequences = given ? atol(given) : 300, dependent = 0, solves = 0;
  nsds_context *context = nsds_context_create(NULL);
  nsds_refiner kept = {0};
  uint64_t stamp = 0;
  static drawn d;
  (void)unused;
  assert_status(nsds_refiner_reserve(&kept, context, most_rows), NSDS_OK);
  random_seed(11);
  for (long sequence = 0; sequence < sequences; ++sequence) {
    draw_structure(&d, sequence % 3 == 0);
    d.problem.M.pattern = (uint64_t)sequence + 1;
    draw_matrix(&d, ++stamp);
    draw_solution(&d);
    for (int solve = 0; solve < 12; ++solve, ++solves) {
      double which = uniform(0.0, 1.0);
      if (which < 0.1) draw_matrix(&d, ++stamp);
      else if (which < 0.3) move_matrix(&d, ++stamp);
      if (which < 0.6) draw_solution(&d);
      dependent += check_against_fresh(context, &kept, &d);
    }
  }
  print_message("%ld solves, %ld with dependent rows\n", solves, dependent);
  assert_true(dependent > solves / 10 && dependent < solves);
  nsds_refiner_release(&kept);
  nsds_context_destroy(context);
}

/* The length of the forces that the last search compared. */
static double length_of(const nsds_refiner *r, const double *z) {
  double square = 0.0;
  for (int b = 0; b < r->closed; ++b) square += pow(z[r->row[b]] / r->length[r->row[b]], 2.0);
  return sqrt(square);
}

/* Checks that z obeys the laws with the motion w that was drawn. */
static void check_solution(const nsds_refiner *r, const drawn *d, const double *z) {
  nsds_certificate certificate;
  nsds_certify(&d->problem, z, r->work, &certificate);
  assert_true(certificate.residual <= 1e-12);
  for (int i = 0; i < d->n; ++i) {
    double w = d->q[i];
    for (int j = 0; j < d->n; ++j) w += d->M[i + j * d->n] * z[j];
    assert_true(fabs(w - d->w[i]) < 1e-7);
  }
}

/* The least distance of parts that stick, with a load, to their bound. */
static double room_of(const drawn *d, const double *z) {
  double room = INFINITY;
  for (int a = 0, i = 0; a < d->nblock; i += d->block[a++].size) {
    nsds_part part[2];
    int count = d->block[a].size > 1 && d->z[i] > 0.0 ? nsds_set_parts(&d->block[a], part) : 0;
    for (int k = 0; k < count; ++k) {
      int row = i + part[k].first;
      double length = part[k].count > 1 ? hypot(z[row], z[row + 1]) : fabs(z[row]);
      if (d->w[row] == 0.0) room = fmin(room, z[i] - length / part[k].slope);
    }
  }
  return room;
}

/* Slip and rolling, each of which sticks or slips, in dependent rows. */
static void test_friction_shares_its_load(void **unused) {
  nsds_context *context = nsds_context_create(NULL);
  nsds_refiner r = {0};
  static drawn d;
  int least = 0, inside = 0;
  (void)unused;
  assert_status(nsds_refiner_reserve(&r, context, most_rows), NSDS_OK);
  random_seed(12);
  for (int trial = 0; trial < 600; ++trial) {
    double z[most_rows], w[most_rows];
    draw_structure(&d, false);
    draw_matrix(&d, 0);
    draw_solution(&d);
    memcpy(z, d.z, sizeof z);
    memcpy(w, d.w, sizeof w);
    if (!nsds_refine_least(&r, &d.problem, z, w, NULL)) continue;
    check_solution(&r, &d, z);
    if (r.least) assert_true(length_of(&r, z) <= length_of(&r, d.z) * (1.0 + 1e-9));
    least += r.least;
    memcpy(z, d.z, sizeof z);
    memcpy(w, d.w, sizeof w);
    if (!nsds_refine_inside(&r, &d.problem, z, w, NULL, true, 0.0)) continue;
    check_solution(&r, &d, z);
    assert_true(room_of(&d, z) > 0.0);
    ++inside;
  }
  print_message("%d least, %d inside\n", least, inside);
  assert_true(least > 100 && inside > 100);
  nsds_refiner_release(&r);
  nsds_context_destroy(context);
}

/* Problem of two scalar rows; in its units the eigenvalues of M are 1 -/+ c. */
static void test_definite_matrices_are_known(void **unused) {
  nsds_context *context = nsds_context_create(NULL);
  nsds_refiner r = {0};
  double c = 0.75, M[4] = {2.0, -2.0 * c, -2.0 * c, 2.0}, q[2], z[2] = {1.0, 2.0}, w[2] = {0};
  nsds_block block[2] = {{.set = NSDS_SET_NONNEGATIVE, .size = 1},
                         {.set = NSDS_SET_NONNEGATIVE, .size = 1}};
  nsds_problem p = {.n = 2,
                    .nblock = 2,
                    .block = block,
                    .q = q,
                    .M = {.storage = NSDS_DENSE, .n = 2, .x = M, .stamp = 1, .pattern = 1}};
  static const struct {
    double c;
    bool definite, near; /* in the end; near the reference */
  } cases[] = {{0.75, true, false}, {0.75 + 1e-3, true, true}, {-0.75, true, false},
               {0.75, true, false}, {1.0, false, false},       {0.5, false, false}};
  (void)unused;
  assert_status(nsds_refiner_reserve(&r, context, 2), NSDS_OK);
  for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k, ++p.M.stamp) {
    double reference = r.found.reference[1];
    M[1] = M[2] = -2.0 * cases[k].c;
    for (int i = 0; i < 2; ++i) q[i] = -(M[i] * z[0] + M[i + 2] * z[1]);
    assert_false(nsds_refiner_is_definite(&r, &p.M));
    assert_int_equal(nsds_refine_least(&r, &p, z, w, NULL), cases[k].c == 1.0);
    assert_int_equal(nsds_refiner_is_definite(&r, &p.M), cases[k].definite);
    if (cases[k].near) assert_true(r.found.reference[1] == reference);
    else if (cases[k].definite) assert_true(r.found.reference[1] == M[1]);
    z[0] = 1.0;
    z[1] = 2.0;
  }
  p.M.pattern = 2; /* the singular matrix is forgotten with its structure */
  assert_false(nsds_refine_least(&r, &p, z, w, NULL));
  assert_true(nsds_refiner_is_definite(&r, &p.M));
  nsds_refiner_release(&r);
  nsds_context_destroy(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_full_rank_agrees_with_orthogonal_factors),
      cmocka_unit_test(test_full_rank_of_chains_is_seen),
      cmocka_unit_test(test_full_rank_of_damaged_matrices_is_not_seen),
      cmocka_unit_test(test_kept_ranks_are_those_of_a_fresh_search),
      cmocka_unit_test(test_friction_shares_its_load),
      cmocka_unit_test(test_definite_matrices_are_known),
  };
  return cmocka_run_group_tests_name("numerics.refine", tests, NULL, NULL);
}
