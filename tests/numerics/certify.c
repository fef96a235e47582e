/*
 * The certificate of every set in every storage: right answers pass, wrong ones are caught in their
 * own block, units do not matter, an uncertain q is allowed for, and the figures of the literature
 * are what their formulas say.
 */
#include "bodies.h"
#include "numerics/certify/certify.h"
#include "numerics/watch.h"
#include "cmocka_setup.h"
#include "families.h"
#include "relations.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const nsds_storage all_storages[4] = {NSDS_DENSE, NSDS_CSC, NSDS_BLOCK_ROWS, NSDS_FACTORED};

static nsds_certificate certify_stored(const nsds_problem *problem, nsds_storage storage,
                                       const double *z) {
  converted c;
  converted_create(&c, problem, storage);
  assert_status(nsds_problem_check(NULL, &c.problem), NSDS_OK);
  nsds_certificate result = certify(&c.problem, z);
  converted_destroy(&c);
  return result;
}

static void test_right_answers_pass(void **unused) {
  (void)unused;
  random_seed(11);
  for (int which = -1; which < kind_count; ++which)
    for (int round = 0; round < 30; ++round) {
      mixed p;
      mixed_create(&p, which < 0 ? 2 * kind_count : 4, which, -1, 2.0, 0.1);
      for (int s = 0; s < 3; ++s) {
        nsds_certificate c = certify_stored(&p.problem, all_storages[s], p.z);
        assert_true(c.residual <= 1e-13);
        assert_true(c.standard <= 1e-13);
      }
      mixed_destroy(&p);
    }
}

/* Every row moved off the answer, in either direction. */
static void test_wrong_answers_are_caught(void **unused) {
  (void)unused;
  random_seed(12);
  for (int which = 0; which < kind_count; ++which)
    for (int round = 0; round < 30; ++round) {
      mixed p;
      mixed_create(&p, 3, which, -1, 1.0, 0.5);
      for (int i = 0; i < p.problem.n; ++i) {
        double right = p.z[i];
        for (int sign = -1; sign <= 1; sign += 2) {
          p.z[i] = right + sign * 1e-3;
          nsds_certificate c = certify(&p.problem, p.z);
          if (!(c.residual > 1e-7 && c.standard > 1e-7))
            fail_msg("%s, row %d: residual %g, standard %g", sample_block_name(which), i,
                     c.residual, c.standard);
        }
        p.z[i] = NAN;
        assert_true(isinf(certify(&p.problem, p.z).residual));
        p.z[i] = -INFINITY;
        assert_true(isinf(certify(&p.problem, p.z).residual));
        p.z[i] = right;
      }
      mixed_destroy(&p);
    }
}

/* Blocks that do not touch each other: the wrong one is named. */
static void test_the_worst_block_is_named(void **unused) {
  (void)unused;
  random_seed(13);
  mixed p;
  mixed_create(&p, kind_count, -1, 0, 0.0, 1.0);
  for (int a = 0, row = 0; a < kind_count; row += p.block[a++].size) {
    double right = p.z[row];
    p.z[row] += 0.01;
    for (int s = 0; s < 3; ++s)
      assert_int_equal(certify_stored(&p.problem, all_storages[s], p.z).worst_block, a);
    p.z[row] = right;
  }
  mixed_destroy(&p);
}

/* S z and S^-1 w with one factor to each group of rows that has a unit, sets scaled alike, leave
 * the residual as it is, to the bit for powers of four: their roots are exact. */
static void scale_block(sample_block *s, nsds_block *block, int first, mixed *p, int exponent) {
  int m = block->size, n = p->problem.n;
  double factor[most_block_rows] = {0.0};
  for (int i = 0; i < m; ++i) factor[i] = ldexp(1.0, 2 * exponent);
  if (block->set == NSDS_SET_CONE || block->set == NSDS_SET_COULOMB ||
      block->set == NSDS_SET_ROLLING) {
    int rolling = block->set == NSDS_SET_ROLLING ? (m - 1) / 2 : 0;
    for (int i = 1; i < m; ++i) factor[i] = ldexp(1.0, 2 * (exponent + (i < m - rolling ? 1 : 3)));
    block->mu = ldexp(block->mu, -2);
    block->mu_rolling = ldexp(block->mu_rolling, -6);
  }
  block->radius /= factor[0];
  for (int i = 0; i < m; ++i) {
    s->lower[i] /= factor[i];
    s->upper[i] /= factor[i];
    for (int k = 0; k < block->nfacet; ++k) s->H[k + i * block->nfacet] *= factor[i];
    p->z[first + i] /= factor[i];
    p->q[first + i] *= factor[i];
    for (int j = 0; j < n; ++j) {
      p->M[first + i + (size_t)j * (size_t)n] *= factor[i];
      p->M[j + (size_t)(first + i) * (size_t)n] *= factor[i];
    }
  }
}

static void test_units_do_not_matter(void **unused) {
  (void)unused;
  random_seed(14);
  for (int round = 0; round < 20; ++round) {
    mixed p;
    mixed_create(&p, kind_count, -1, -1, 1.0, 0.1);
    for (int a = 0; a < kind_count; ++a) { /* bounds and facets stay with their samples */
      p.block[a].lower = p.sample[a].lower;
      p.block[a].upper = p.sample[a].upper;
      p.block[a].H = p.sample[a].H;
      p.block[a].K = p.sample[a].K;
    }
    for (int i = 0; i < p.problem.n; ++i) p.z[i] += 0.1 * random_number();
    nsds_certificate before = certify(&p.problem, p.z);
    for (int a = 0, row = 0; a < kind_count; row += p.block[a++].size)
      scale_block(&p.sample[a], &p.block[a], row, &p, a * 5 % 17 - 8);
    nsds_certificate after = certify(&p.problem, p.z);
    assert_true(after.residual == before.residual);
    assert_int_equal(after.worst_block, before.worst_block);
    for (int i = 0; i < p.problem.n; ++i) {
      p.q[i] = ldexp(p.q[i], -31);
      for (int j = 0; j < p.problem.n; ++j) p.M[i + j * p.problem.n] *= ldexp(1.0, -31);
    }
    after = certify(&p.problem, p.z);
    assert_true(fabs(after.residual - before.residual) <= 1e-14 * before.residual);
    mixed_destroy(&p);
  }
}

/* q off by its own accuracy is forgiven; by more is not. z = 0 for a q of rounding. */
static void test_uncertain_q(void **unused) {
  (void)unused;
  random_seed(15);
  for (int which = 0; which < kind_count; ++which)
    for (int round = 0; round < 30; ++round) {
      mixed p;
      double error[64];
      mixed_create(&p, 3, which, -1, 1.0, 0.5);
      for (int i = 0; i < p.problem.n; ++i) {
        p.q[i] += 1e-6 * random_number();
        error[i] = 1.01e-6;
      }
      double strict = certify(&p.problem, p.z).residual;
      p.problem.q_error = error;
      assert_true(certify(&p.problem, p.z).residual <= 1e-13);
      for (int i = 0; i < p.problem.n; ++i) error[i] = 1e-12;
      assert_true(certify(&p.problem, p.z).residual <= strict);
      assert_true(certify(&p.problem, p.z).residual >= 0.99 * strict - 1e-10);
      p.z[0] = NAN;
      assert_true(isinf(certify(&p.problem, p.z).residual));
      mixed_destroy(&p);
    }
}

/* ||z - P(z - w - shift)|| / max(||q||, ||z||, ||w||), by hand. */
static void test_standard_of_friction(void **unused) {
  (void)unused;
  double M[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, q[3] = {0, 0, 0}, z[3] = {0, 0, 0};
  nsds_block block = {.set = NSDS_SET_COULOMB, .size = 3, .mu = 1.0};
  nsds_problem p = {
      .n = 3, .nblock = 1, .block = &block, .M = {.storage = NSDS_DENSE, .n = 3, .x = M}, .q = q};
  q[0] = -2.0; /* z = 0, w = q: z - w = (2, 0, 0), which is in the cone: error 2, over 2 */
  assert_true(fabs(certify(&p, z).standard - 1.0) < 1e-15);
  z[0] = 4.0; /* w = (2, 0, 0): z - w = (2, 0, 0): error 2, over ||z|| = 4 */
  assert_true(fabs(certify(&p, z).standard - 0.5) < 1e-15);
  z[0] = 0.0;
  q[0] = -1.0;
  q[1] = 3.0;
  q[2] = 4.0; /* shifted w = (4, 3, 4): z - w = (-4, -3, -4), projected to (0.5, -0.3, -0.4) */
  assert_true(fabs(certify(&p, z).standard - sqrt(0.5) / sqrt(26.0)) < 1e-15);
  for (int i = 0; i < 3; ++i) q[i] *= 1e-20; /* below the machine epsilon: undivided */
  assert_true(fabs(certify(&p, z).standard - sqrt(0.5) * 1e-20) < 1e-35);
  block.set = NSDS_SET_POLYHEDRON; /* not friction: over ||q||, however small */
  block.nfacet = 0;
  assert_true(fabs(certify(&p, z).standard - 1.0) < 1e-15);
}

/* A multiplier, whose row has no diagonal, is no rounding; what stands beside it is. */
static void test_rows_without_diagonal_are_not_noise(void **unused) {
  (void)unused;
  const nsds_block block[3] = {{.set = NSDS_SET_EQUALITY, .size = 1},
                               {.set = NSDS_SET_EQUALITY, .size = 1},
                               {.set = NSDS_SET_NONNEGATIVE, .size = 1}};
  const double M[9] = {2, 1, 0, -1, 0, 0, 0, 0, 1}, q[3] = {1, -2, 0}, z[3] = {2, 5, 1e-20};
  double work[64], clean[3];
  nsds_problem problem = {
      .n = 3, .nblock = 3, .block = block, .q = q, .M = {.n = 3, .storage = NSDS_DENSE, .x = M}};
  int worst;
  assert_true(nsds_problem_work(&problem) <= sizeof work / sizeof *work);
  nsds_certified_residual(NULL, &problem, z, work, &worst);
  assert_true(nsds_remove_noise(&problem, work, z, clean));
  assert_true(clean[0] == 2 && clean[1] == 5 && clean[2] == 0);
}

/* Scenes of rigid bodies in all four storages: the same figures up to rounding. */
/* A body between two walls, any clamping force possible: beside a force of 1e12 loads that cannot
 * be balanced look like rounding. */
static void test_clamping_does_not_hide_the_load(void **unused) {
  (void)unused;
  nsds_block block[2] = {{.set = NSDS_SET_COULOMB, .size = 2, .mu = 0.5},
                         {.set = NSDS_SET_COULOMB, .size = 2, .mu = 0.5}};
  double M[16] = {1, 0, -1, 0, 0, 1, 0, -1, -1, 0, 1, 0, 0, -1, 0, 1};
  double q[4] = {-1, 0, 1, 0};
  nsds_problem problem = {
      .n = 4, .nblock = 2, .block = block, .q = q, .M = {.n = 4, .storage = NSDS_DENSE, .x = M}};
  assert_true(certify(&problem, (double[]){1e3 + 1, 0, 1e3, 0}).residual <= 1e-15);
  q[2] = -1; /* approaches both walls at once */
  assert_true(certify(&problem, (double[]){1e3, 0, 1e3, 0}).residual > 1e-4);
  assert_true(isinf(certify(&problem, (double[]){1e12, 0, 1e12, 0}).residual));
}

static void test_storages_agree(void **unused) {
  (void)unused;
  bodies b;
  for (int k = 0; bodies_create(&b, k); ++k) {
    scene s;
    scene_create(&s, &b);
    int n = s.problem.n;
    double *z = calloc((size_t)n, sizeof *z);
    for (int i = 0; i < n; ++i) z[i] = i % 3 ? 0.1 * random_number() : fabs(random_number());
    nsds_certificate first = certify_stored(&s.problem, NSDS_DENSE, z);
    for (int t = 1; t < 4; ++t) { /* factored: sizes before cancellation are larger */
      nsds_certificate c = certify_stored(&s.problem, all_storages[t], z);
      assert_true(fabs(c.standard - first.standard) <= 1e-13 * first.standard);
      if (t < 3) assert_true(fabs(c.residual - first.residual) <= 1e-13 * first.residual);
      else assert_true(c.residual <= first.residual * (1.0 + 1e-13) && c.residual > 0.0);
    }
    free(z);
    scene_destroy(&s);
    bodies_destroy(&b);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_right_answers_pass),
      cmocka_unit_test(test_wrong_answers_are_caught),
      cmocka_unit_test(test_the_worst_block_is_named),
      cmocka_unit_test(test_units_do_not_matter),
      cmocka_unit_test(test_uncertain_q),
      cmocka_unit_test(test_standard_of_friction),
      cmocka_unit_test(test_clamping_does_not_hide_the_load),
      cmocka_unit_test(test_rows_without_diagonal_are_not_noise),
      cmocka_unit_test(test_storages_agree),
  };
  return cmocka_run_group_tests_name("numerics.certify", tests, NULL, NULL);
}
