/*
 * The sets: projections by the inequality that characterises them, the shift, the natural map at
 * points in the relation, and the equations of Newton methods against difference quotients.
 */
#include "cmocka_setup.h"
#include "families.h"
#include "numerics/sets/polyhedron.h"
#include "numerics/sets/set_map.h"
#include "numerics/sets/sets.h"
#include "relations.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846

static double dot(int n, const double *a, const double *b) {
  double sum = 0.0;
  for (int i = 0; i < n; ++i) sum += a[i] * b[i];
  return sum;
}

static double norm(int n, const double *x) { return sqrt(dot(n, x, x)); }

/* How far x lies outside the set, by its definition. */
static double outside(const nsds_block *block, const double *x) {
  int m = block->size, rolling = block->set == NSDS_SET_ROLLING ? (m - 1) / 2 : 0;
  double worst = 0.0;
  switch (block->set) {
  case NSDS_SET_EQUALITY: return 0.0;
  case NSDS_SET_NONNEGATIVE:
    for (int i = 0; i < m; ++i) worst = fmax(worst, -x[i]);
    return worst;
  case NSDS_SET_BOX:
    for (int i = 0; i < m; ++i)
      worst = fmax(worst, fmax(block->lower[i] - x[i], x[i] - block->upper[i]));
    return worst;
  case NSDS_SET_DISC: return fmax(0.0, norm(m, x) - block->radius);
  case NSDS_SET_CONE:
  case NSDS_SET_COULOMB:
  case NSDS_SET_ROLLING:
    worst = fmax(-x[0], norm(m - 1 - rolling, x + 1) - block->mu * x[0]);
    if (rolling) worst = fmax(worst, norm(rolling, x + m - rolling) - block->mu_rolling * x[0]);
    return fmax(0.0, worst);
  case NSDS_SET_POLYHEDRON:
    for (int k = 0; k < block->nfacet; ++k) {
      double sum = 0.0;
      for (int j = 0; j < m; ++j) sum += block->H[k + j * block->nfacet] * x[j];
      worst = fmax(worst, block->K[k] - sum);
    }
    return worst;
  }
  return INFINITY;
}

/* p = P(x) exactly when p lies in C and (x - p).(y - p) <= 0 for every y in C. */
static void check_projection(const nsds_block *block, const double *x) {
  double p[most_block_rows], again[most_block_rows], y[most_block_rows],
      size = norm(block->size, x);
  int m = block->size;
  nsds_set_project(block, x, p);
  size += norm(m, p);
  assert_true(outside(block, p) <= 1e-14 * (1.0 + size));
  nsds_set_project(block, p, again);
  for (int i = 0; i < m; ++i) assert_true(fabs(again[i] - p[i]) <= 1e-14 * (1.0 + size));
  for (int k = 0; k < 40; ++k) {
    double sum = 0.0;
    sample_point(block, y);
    for (int i = 0; i < m; ++i) sum += (x[i] - p[i]) * (y[i] - p[i]);
    assert_true(sum <= 1e-13 * (1.0 + size) * (1.0 + size));
  }
  memcpy(again, x, sizeof again);
  nsds_set_project(block, again, again);
  assert_memory_equal(again, p, (size_t)m * sizeof *p);
}

static void test_projections(void **unused) {
  (void)unused;
  random_seed(1);
  for (int which = 0; which < kind_count; ++which)
    for (int round = 0; round < 300; ++round) {
      sample_block s;
      double x[most_block_rows], scale = pow(10.0, 2.0 * random_number());
      sample_block_create(&s, which);
      for (int i = 0; i < most_block_rows; ++i) x[i] = scale * random_number();
      check_projection(&s.block, x);
      for (int i = 1; i < most_block_rows; ++i) x[i] = 0.0; /* on the axis */
      check_projection(&s.block, x);
    }
}

static void test_projections_by_hand(void **unused) {
  (void)unused;
  double p[5];
  nsds_block cone = {.set = NSDS_SET_COULOMB, .size = 3, .mu = 1.0};
  nsds_set_project(&cone, (double[]){0.0, 3.0, 4.0}, p); /* half way to (5, 3, 4) */
  assert_true(fabs(p[0] - 2.5) < 1e-15 && fabs(p[1] - 1.5) < 1e-15 && fabs(p[2] - 2.0) < 1e-15);
  nsds_set_project(&cone, (double[]){-5.0, 3.0, 4.0}, p); /* on the polar cone */
  assert_true(p[0] == 0.0 && p[1] == 0.0 && p[2] == 0.0);
  cone.mu = 0.0; /* a half line */
  nsds_set_project(&cone, (double[]){2.0, 3.0, 4.0}, p);
  assert_true(p[0] == 2.0 && p[1] == 0.0 && p[2] == 0.0);
  nsds_set_project(&cone, (double[]){-2.0, 3.0, 4.0}, p);
  assert_true(p[0] == 0.0 && p[1] == 0.0 && p[2] == 0.0);
  nsds_block rolling = {.set = NSDS_SET_ROLLING, .size = 5, .mu = 1.0, .mu_rolling = 2.0};
  nsds_set_project(&rolling, (double[]){0.0, 3.0, 0.0, 0.0, 4.0}, p); /* p_N = (3 + 8) / 6 */
  assert_true(fabs(p[0] - 11.0 / 6.0) < 1e-15 && fabs(p[1] - 11.0 / 6.0) < 1e-15);
  assert_true(fabs(p[4] - 11.0 / 3.0) < 1e-15 && p[2] == 0.0 && p[3] == 0.0);
  nsds_block disc = {.set = NSDS_SET_DISC, .size = 2, .radius = 0.0};
  nsds_set_project(&disc, (double[]){3.0, 4.0}, p);
  assert_true(p[0] == 0.0 && p[1] == 0.0);
  cone.mu = 0.5; /* without overflow or underflow on the way */
  nsds_set_project(&cone, (double[]){1e300, 3e300, 4e300}, p);
  assert_true(fabs(p[0] / 2.8e300 - 1.0) < 1e-14);
  nsds_set_project(&cone, (double[]){1e-300, 3e-300, 4e-300}, p);
  assert_true(fabs(p[0] / 2.8e-300 - 1.0) < 1e-14);
  nsds_set_project(&cone, (double[]){1.0, NAN, 0.0}, p);
  assert_true(isnan(p[0]) || isnan(p[1]));
}

/* p_N of the rolling cone against a search, the other parts being clipped. */
static void test_rolling_against_search(void **unused) {
  (void)unused;
  random_seed(3);
  for (int round = 0; round < 500; ++round) {
    sample_block s;
    double x[5], p[5];
    sample_block_create(&s, 14);
    for (int i = 0; i < 5; ++i) x[i] = 3.0 * random_number();
    double t = norm(2, x + 1), r = norm(2, x + 3), low = 0.0, high = 20.0;
    for (int k = 0; k < 200; ++k) {
      double a = low + (high - low) / 3.0, b = high - (high - low) / 3.0;
      double fa = (a - x[0]) * (a - x[0]) + pow(fmax(0.0, t - s.block.mu * a), 2) +
                  pow(fmax(0.0, r - s.block.mu_rolling * a), 2);
      double fb = (b - x[0]) * (b - x[0]) + pow(fmax(0.0, t - s.block.mu * b), 2) +
                  pow(fmax(0.0, r - s.block.mu_rolling * b), 2);
      if (fa < fb) high = b;
      else low = a;
    }
    nsds_set_project(&s.block, x, p);
    assert_true(fabs(p[0] - low) < 1e-6);
  }
}

/* A box, once as bounds and once as facets; and a cone with many facets that cannot all be active.
 */
static void test_polyhedra(void **unused) {
  (void)unused;
  random_seed(4);
  enum { m = 4, facets = 2 * m };
  double H[facets * m] = {0.0}, K[facets], lower[m], upper[m], x[m], p[m], q[m];
  for (int i = 0; i < m; ++i) {
    lower[i] = random_number();
    upper[i] = lower[i] + fabs(random_number());
    H[2 * i + i * facets] = 3.0;
    K[2 * i] = 3.0 * lower[i];
    H[2 * i + 1 + i * facets] = -0.1;
    K[2 * i + 1] = -0.1 * upper[i];
  }
  nsds_block box = {.set = NSDS_SET_BOX, .size = m, .lower = lower, .upper = upper};
  nsds_block same = {.set = NSDS_SET_POLYHEDRON, .size = m, .nfacet = facets, .H = H, .K = K};
  for (int round = 0; round < 200; ++round) {
    for (int i = 0; i < m; ++i) x[i] = 4.0 * random_number();
    nsds_set_project(&box, x, p);
    nsds_set_project(&same, x, q);
    for (int i = 0; i < m; ++i) assert_true(fabs(p[i] - q[i]) < 1e-14);
  }
  enum { sides = 64 };
  double C[sides * 3], zero[sides] = {0.0};
  for (int k = 0; k < sides; ++k) { /* z_N >= e.z_T: a cone with mu = 1 and flat sides */
    C[k] = 1.0;
    C[k + sides] = cos(2.0 * PI * k / sides);
    C[k + 2 * sides] = sin(2.0 * PI * k / sides);
  }
  nsds_block flat = {.set = NSDS_SET_POLYHEDRON, .size = 3, .nfacet = sides, .H = C, .K = zero};
  for (int round = 0; round < 500; ++round) {
    for (int i = 0; i < 3; ++i) x[i] = random_number();
    nsds_set_project(&flat, x, p);
    assert_true(outside(&flat, p) < 1e-14);
    double rest[3] = {x[0] - p[0], x[1] - p[1], x[2] - p[2]};
    assert_true(fabs(dot(3, rest, p)) < 1e-14); /* in the polar cone and orthogonal to p */
    for (int k = 0; k < sides; ++k) {
      double angle = 2.0 * PI * (k + 0.5) / sides, length = 1.0 / cos(PI / sides);
      double edge[3] = {1.0, -length * cos(angle), -length * sin(angle)};
      assert_true(outside(&flat, edge) < 1e-14 && dot(3, rest, edge) < 1e-14);
    }
  }
  double up[2] = {1.0, -1.0}, apart[2] = {1.0, 1.0}; /* z >= 1 and -z >= 1 */
  nsds_block empty = {.set = NSDS_SET_POLYHEDRON, .size = 1, .nfacet = 2, .H = up, .K = apart};
  assert_false(nsds_polyhedron_project(&empty, NULL, x, p, NULL));
  assert_true(isnan(p[0]));
  nsds_block whole = {.set = NSDS_SET_POLYHEDRON, .size = 3};
  assert_true(nsds_polyhedron_project(&whole, NULL, x, p, NULL));
  assert_memory_equal(p, x, 3 * sizeof *p);
}

/* Equalities A p = A x of any rank, whose least p is what x has of the rows of A; with one more that
 * bounds x from below, and one that contradicts another. */
static void check_least(int n, int rank) {
  enum { most = 24 };
  double A[(most + 1) * most], b[most + 1], x[most], p[most], left[most * most];
  double work[2 * most * most + 5 * most];
  int facet[most];
  bool met;
  for (int k = 0; k < n * rank; ++k) left[k] = random_number();
  for (int j = 0; j < n; ++j) {
    double right[most];
    x[j] = random_number();
    for (int k = 0; k < rank; ++k) right[k] = random_number();
    for (int i = 0; i < n; ++i) A[i + j * (n + 1)] = dot(rank, left + i * rank, right);
    A[n + j * (n + 1)] = j == 0;
  }
  for (int i = 0; i <= n; ++i) {
    b[i] = 0.0;
    for (int j = 0; j < n; ++j) b[i] += A[i + j * (n + 1)] * x[j];
  }
  nsds_block block = {.set = NSDS_SET_POLYHEDRON, .size = n, .nfacet = n + 1, .H = A, .K = b};
  for (int bounded = 0; bounded < 2; ++bounded) {
    b[n] = bounded ? x[0] : -INFINITY;
    assert_true(nsds_polyhedron_work(n) <= sizeof work / sizeof *work);
    assert_int_equal(nsds_polyhedron_least(&block, n, p, facet, work, &met), NSDS_SOLVED);
    assert_true(met);
    double size = norm(n, x);
    for (int i = 0; i < n; ++i) {
      double gap = -b[i];
      for (int j = 0; j < n; ++j) gap += A[i + j * (n + 1)] * p[j];
      assert_true(fabs(gap) < 1e-12 * size);
      x[i] -= p[i];
    }
    assert_true(bounded ? x[0] <= 1e-12 * size && dot(n, x, p) > -1e-12 * size * size
                        : fabs(dot(n, x, p)) < 1e-12 * size * size);
    for (int i = 0; i < n; ++i) x[i] += p[i];
  }
  for (int j = 0; j < n; ++j) A[n - 1 + j * (n + 1)] = A[j * (n + 1)];
  b[n - 1] = b[0] + 1.0;
  if (n == 1) return;
  assert_int_equal(nsds_polyhedron_least(&block, n, p, facet, work, &met), NSDS_NO_SOLUTION);
  assert_false(met);
}

static void test_least_points(void **state) {
  (void)state;
  random_seed(24);
  for (int n = 1; n <= 24; ++n)
    for (int rank = 1; rank <= n; rank += 1 + n / 8) check_least(n, rank);
}

static void test_shift(void **unused) {
  (void)unused;
  double s[5];
  nsds_block b = {.set = NSDS_SET_COULOMB, .size = 3, .mu = 0.5};
  nsds_set_shift(&b, (double[]){1.0, 3.0, -4.0}, s);
  assert_true(s[0] == 3.5 && s[1] == 3.0 && s[2] == -4.0);
  b = (nsds_block){.set = NSDS_SET_ROLLING, .size = 3, .mu = 0.5, .mu_rolling = 2.0};
  nsds_set_shift(&b, (double[]){1.0, -3.0, 4.0}, s);
  assert_true(s[0] == 1.0 + 1.5 + 8.0 && s[1] == -3.0 && s[2] == 4.0);
  b.set = NSDS_SET_CONE;
  nsds_set_shift(&b, (double[]){1.0, -3.0, 4.0}, s);
  assert_true(s[0] == 1.0);
}

static void natural_map(const nsds_block *block, double rho, const double *z, const double *w,
                        double *e) {
  double same[most_block_rows];
  for (int i = 0; i < block->size; ++i) same[i] = rho;
  nsds_set_map(NSDS_MAP_NATURAL, block, same, z, w, e, NULL, NULL);
}

/* Zero in the relation for every rho, not zero beside it. */
static void test_natural_map(void **unused) {
  (void)unused;
  random_seed(5);
  for (int which = 0; which < kind_count; ++which)
    for (int round = 0; round < 300; ++round) {
      sample_block s;
      double z[most_block_rows], w[most_block_rows], e[most_block_rows];
      sample_block_create(&s, which);
      sample_relation(&s.block, round, z, w);
      int m = s.block.size;
      for (double rho = 1e-2; rho < 1e3; rho *= 10.0) {
        natural_map(&s.block, rho, z, w, e);
        assert_true(norm(m, e) <= 1e-14 * (1.0 + rho) * (1.0 + norm(m, z) + norm(m, w)));
      }
      w[0] += 1e-3;
      z[0] += 1e-3; /* the law is monotone: not both can move up */
      natural_map(&s.block, 1.0, z, w, e);
      assert_true(norm(m, e) >= 1e-6);
    }
}

static void test_zero_solves(void **unused) {
  (void)unused;
  random_seed(6);
  int found[2] = {0, 0};
  for (int which = 0; which < kind_count; ++which)
    for (int round = 0; round < 200; ++round) {
      sample_block s;
      double zero[most_block_rows] = {0.0}, w[most_block_rows], e[most_block_rows];
      sample_block_create(&s, which);
      for (int i = 0; i < s.block.size; ++i) w[i] = random_number();
      if (round % 3 == 0) sample_relation(&s.block, 0, e, w);
      if (round % 7 == 0) memset(w, 0, sizeof w);
      natural_map(&s.block, 1.0, zero, w, e);
      bool solves = norm(s.block.size, e) == 0.0;
      assert_int_equal(nsds_set_zero_solves(&s.block, w, NULL), solves);
      ++found[solves];
      double error[most_block_rows];
      for (int i = 0; i < s.block.size; ++i) error[i] = 10.0;
      natural_map(&s.block, 1.0, zero, zero, e);
      if (norm(s.block.size, e) == 0.0) assert_true(nsds_set_zero_solves(&s.block, w, error));
    }
  assert_true(found[0] > 500 && found[1] > 500);
}

/* phi = 0 in the relation; A and B against differences where phi is smooth. */
static void check_set_map(nsds_map map) {
  random_seed(7);
  for (int which = 0; which < kind_count; ++which) {
    int smooth = 0;
    for (int round = 0; round < 300; ++round) {
      sample_block s;
      double z[most_block_rows], w[most_block_rows], phi[most_block_rows], rho[most_block_rows];
      double M[most_block_rows * most_block_rows], A[most_block_rows * most_block_rows],
          B[most_block_rows * most_block_rows];
      sample_block_create(&s, which);
      int m = s.block.size;
      sample_matrix(m, m, 1.0, 0.1, M);
      nsds_set_map_scale(&s.block, M, rho);
      for (int i = 1; map != NSDS_MAP_ALART_CURNIER && i < m; ++i) rho[i] = rho[0];
      sample_relation(&s.block, round, z, w);
      nsds_set_map(map, &s.block, rho, z, w, phi, NULL, NULL);
      assert_true(norm(m, phi) <= 1e-12 * (1.0 + norm(m, z) + 10.0 * norm(m, w)));
      for (int i = 0; i < m; ++i) {
        z[i] = 2.0 * random_number();
        w[i] = 0.2 * random_number();
      }
      nsds_set_map(map, &s.block, rho, z, w, phi, A, B);
      bool agrees = true;
      for (int j = 0; j < 2 * m; ++j) {
        double *x = j < m ? z + j : w + j - m, kept = *x, h = 1e-6, up[most_block_rows],
               down[most_block_rows];
        *x = kept + h;
        nsds_set_map(map, &s.block, rho, z, w, up, NULL, NULL);
        *x = kept - h;
        nsds_set_map(map, &s.block, rho, z, w, down, NULL, NULL);
        *x = kept;
        for (int i = 0; i < m; ++i) {
          double slope = (up[i] - down[i]) / (2.0 * h), mine = (j < m ? A : B)[i + (j % m) * m];
          agrees = agrees && fabs(slope - mine) <= 1e-5 * (1.0 + fabs(slope));
        }
      }
      smooth += agrees; /* a kink within 1e-6 is rare */
    }
    assert_true(smooth >= 298);
  }
}

static void test_set_map(void **unused) {
  (void)unused;
  for (int map = NSDS_MAP_ALART_CURNIER; map <= NSDS_MAP_FISCHER; ++map)
    check_set_map((nsds_map)map);
}

/* s P_C(x) = P_sC(s x) up to rounding, and the given block is as it was. */
static void check_scaled(const sample_block *s, double factor) {
  const nsds_block *block = &s->block;
  int m = block->size;
  size_t need = nsds_block_scale_size(block);
  double memory[2 * most_block_rows + 64], x[most_block_rows], p[most_block_rows],
      y[most_block_rows];
  assert_true(need < sizeof memory / sizeof *memory);
  memory[need] = 123.0;
  nsds_block before = *block, after = nsds_block_scale(block, factor, need > 0 ? memory : NULL);
  assert_true(memory[need] == 123.0);
  assert_memory_equal(&before, block, sizeof before);
  assert_true(after.set == block->set && after.size == m && after.mu == block->mu &&
              after.mu_rolling == block->mu_rolling && after.H == block->H);
  for (int i = 0; block->set == NSDS_SET_BOX && i < m; ++i)
    assert_true(isinf(after.lower[i]) == isinf(block->lower[i]) &&
                isinf(after.upper[i]) == isinf(block->upper[i]));
  for (int i = 0; i < m; ++i) x[i] = 3.0 * random_number();
  nsds_set_project(block, x, p);
  for (int i = 0; i < m; ++i) x[i] *= factor;
  nsds_set_project(&after, x, y);
  assert_true(outside(&after, y) <= 1e-12 * factor * (1.0 + norm(m, p)));
  for (int i = 0; i < m; ++i)
    assert_true(fabs(y[i] - factor * p[i]) <= 1e-12 * factor * (1.0 + norm(m, p)));
}

static void test_scaled_sets(void **unused) {
  (void)unused;
  random_seed(9);
  for (int which = 0; which < kind_count; ++which)
    for (int round = 0; round < 200; ++round) {
      sample_block s;
      sample_block_create(&s, which);
      check_scaled(&s, pow(10.0, 6.0 * random_number()));
      check_scaled(&s, 1.0);
    }
}

/* By hand: which fields are scaled, which are not, and where nothing is needed. */
static void test_scaled_by_hand(void **unused) {
  (void)unused;
  const double lower[3] = {-INFINITY, -2.0, 0.0}, upper[3] = {1.0, INFINITY, 0.0};
  double memory[6];
  nsds_block box = {.set = NSDS_SET_BOX, .size = 3, .lower = lower, .upper = upper};
  assert_int_equal(nsds_block_scale_size(&box), 6);
  nsds_block scaled = nsds_block_scale(&box, 0.25, memory);
  assert_true(scaled.lower[0] == -INFINITY && scaled.lower[1] == -0.5 && scaled.lower[2] == 0.0);
  assert_true(scaled.upper[0] == 0.25 && scaled.upper[1] == INFINITY && scaled.upper[2] == 0.0);
  const double H[4] = {1.0, -1.0, 2.0, 1.0}, K[2] = {-3.0, 5.0};
  nsds_block polyhedron = {.set = NSDS_SET_POLYHEDRON, .size = 2, .nfacet = 2, .H = H, .K = K};
  assert_int_equal(nsds_block_scale_size(&polyhedron), 2);
  scaled = nsds_block_scale(&polyhedron, 2.0, memory);
  assert_true(scaled.K == memory && scaled.K[0] == -6.0 && scaled.K[1] == 10.0 && scaled.H == H);
  nsds_block disc = {.set = NSDS_SET_DISC, .size = 2, .radius = 1.5};
  assert_int_equal(nsds_block_scale_size(&disc), 0);
  assert_true(nsds_block_scale(&disc, 4.0, NULL).radius == 6.0);
  nsds_block rolling = {
      .set = NSDS_SET_ROLLING, .size = 5, .mu = 0.5, .mu_rolling = 0.1, .radius = 7.0};
  assert_int_equal(nsds_block_scale_size(&rolling), 0);
  scaled = nsds_block_scale(&rolling, 4.0, NULL);
  assert_true(scaled.mu == 0.5 && scaled.mu_rolling == 0.1 && scaled.radius == 7.0);
  nsds_block none = {.set = NSDS_SET_BOX, .size = 0};
  assert_int_equal(nsds_block_scale_size(&none), 0);
  assert_int_equal(nsds_block_scale(&none, 2.0, NULL).size, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_projections),
      cmocka_unit_test(test_projections_by_hand),
      cmocka_unit_test(test_rolling_against_search),
      cmocka_unit_test(test_polyhedra),
      cmocka_unit_test(test_least_points),
      cmocka_unit_test(test_shift),
      cmocka_unit_test(test_natural_map),
      cmocka_unit_test(test_zero_solves),
      cmocka_unit_test(test_set_map),
      cmocka_unit_test(test_scaled_sets),
      cmocka_unit_test(test_scaled_by_hand),
  };
  return cmocka_run_group_tests_name("numerics.sets", tests, NULL, NULL);
}
