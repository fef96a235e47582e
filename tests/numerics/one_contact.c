/*
 * One frictional contact: a million random problems solved exactly and certified, and compared with
 * the damped Newton method; degenerate cases; 2D against 3D.
 *
 * NSDS_ONE_CONTACT_PROBLEMS in the environment sets another number of problems.
 */
#include "numerics/certify/certify.h"
#include "numerics/sweeps/local_newton.h"
#include "numerics/sweeps/local_solver.h"
#include "numerics/sweeps/one_contact.h"
#include "cmocka_setup.h"
#include "families.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double residual(int m, double mu, const double *M, const double *q, const double *z) {
  nsds_block block = {.set = NSDS_SET_COULOMB, .size = m, .mu = mu};
  nsds_problem problem = {
      .n = m, .nblock = 1, .block = &block, .M = {.storage = NSDS_DENSE, .n = m, .x = M}, .q = q};
  double work[8 * 3];
  int worst;
  return nsds_certified_residual(NULL, &problem, z, work, &worst);
}

/* V diag(d) V^T with V orthonormal, d from 1 down over `decades` powers of ten. */
static void random_spd(double decades, double scale, double *M) {
  double V[9], d[3] = {1.0, pow(10.0, -decades * fabs(random_number())), pow(10.0, -decades)};
  for (int j = 0; j < 3; ++j) {
    double size = 0.0;
    for (int i = 0; i < 3; ++i) V[i + 3 * j] = random_number();
    for (int k = 0; k < j; ++k) {
      double t = 0.0;
      for (int i = 0; i < 3; ++i) t += V[i + 3 * j] * V[i + 3 * k];
      for (int i = 0; i < 3; ++i) V[i + 3 * j] -= t * V[i + 3 * k];
    }
    for (int i = 0; i < 3; ++i) size += V[i + 3 * j] * V[i + 3 * j];
    for (int i = 0; i < 3; ++i) V[i + 3 * j] /= sqrt(size);
  }
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      M[i + 3 * j] = 0.0;
      for (int k = 0; k < 3; ++k) M[i + 3 * j] += scale * V[i + 3 * k] * d[k] * V[j + 3 * k];
    }
}

typedef struct statistics {
  long state[4], newton_failed, other, compared;
  double worst, worst_difference;
} statistics;

static void compare(statistics *s, double mu, const double *M, const double *q, double decades) {
  nsds_block block = {.set = NSDS_SET_COULOMB, .size = 3, .mu = mu};
  nsds_local local;
  double z[3] = {0.0}, newton[3] = {0.0}, difference = 0.0, size = 0.0;
  nsds_local_prepare(&local, &block, M);
  nsds_contact_state state = nsds_one_contact_3d(&local.contact, mu, q, z);
  ++s->state[state];
  if (state == NSDS_CONTACT_UNSOLVED) return;
  s->worst = fmax(s->worst, residual(3, mu, M, q, z));
  if (!nsds_local_newton(&local, q, newton) || residual(3, mu, M, q, newton) > 1e-12) {
    ++s->newton_failed;
    return;
  }
  ++s->compared;
  for (int i = 0; i < 3; ++i) {
    difference += (z[i] - newton[i]) * (z[i] - newton[i]);
    size += z[i] * z[i];
  }
  difference = size > 0.0 ? sqrt(difference / size) : sqrt(difference);
  /* two certified answers may differ where M is nearly singular, or where mu M_NT is so large that
   * the problem has several solutions */
  if (difference > 1e-8 * pow(10.0, fmax(0.0, decades - 5.0))) ++s->other;
  else s->worst_difference = fmax(s->worst_difference, difference);
}

static void test_many_contacts(void **unused) {
  (void)unused;
  const char *wanted = getenv("NSDS_ONE_CONTACT_PROBLEMS");
  long count = wanted ? atol(wanted) : 1000000;
  statistics s = {.worst = 0.0};
  random_seed(21);
  for (long k = 0; k < count; ++k) {
    double M[9], q[3], decades = 4.0 * (1.0 + random_number()), mu = 1.0 + random_number();
    random_spd(decades, pow(10.0, 3.0 * random_number()), M);
    for (int i = 0; i < 3; ++i) q[i] = random_number() * pow(10.0, random_number());
    if (k % 2) q[0] = -fabs(q[0]);
    compare(&s, mu, M, q, decades);
  }
  print_message("             %ld problems: %ld open, %ld stick, %ld slide, %ld unsolved; worst "
                "residual %.1e\n",
                count, s.state[0], s.state[1], s.state[2], s.state[3], s.worst);
  print_message(
      "             Newton: %ld not solved, %ld the same up to %.1e, %ld another solution, "
      "certified as well\n",
      s.newton_failed, s.compared - s.other, s.worst_difference, s.other);
  assert_int_equal(s.state[NSDS_CONTACT_UNSOLVED], 0);
  assert_true(s.worst <= 1e-11);
  assert_true(s.compared > count / 2);
  assert_true(s.other < count / 50);
}

/* The start decides the frame, not the answer. */
static void test_start_does_not_matter(void **unused) {
  (void)unused;
  random_seed(22);
  for (int k = 0; k < 20000; ++k) {
    nsds_contact_matrix c;
    double q[3] = {-fabs(random_number()), random_number(), random_number()}, mu = 0.5;
    double cold[3] = {0.0}, warm[3] = {1.0, random_number(), random_number()};
    random_spd(1.0, 1.0, c.M); /* coupling too weak for several solutions */
    for (int i = 1; i < 3; ++i) {
      c.M[i] *= 0.3;
      c.M[3 * i] *= 0.3;
    }
    nsds_contact_prepare(&c, 3);
    nsds_contact_state a = nsds_one_contact_3d(&c, mu, q, cold);
    assert_int_equal(nsds_one_contact_3d(&c, mu, q, warm), a);
    for (int i = 0; i < 3; ++i) assert_true(fabs(warm[i] - cold[i]) <= 1e-10 * (1.0 + cold[0]));
  }
}

static void expect(const double *M, double mu, const double *q, nsds_contact_state state,
                   const double *answer) {
  nsds_contact_matrix c;
  double z[3] = {0.0};
  memcpy(c.M, M, sizeof c.M);
  nsds_contact_prepare(&c, 3);
  assert_int_equal(nsds_one_contact_3d(&c, mu, q, z), state);
  for (int i = 0; answer && i < 3; ++i) assert_true(fabs(z[i] - answer[i]) <= 1e-14);
  if (state != NSDS_CONTACT_UNSOLVED) assert_true(residual(3, mu, M, q, z) <= 1e-14);
}

static void test_cases_by_hand(void **unused) {
  (void)unused;
  const double I[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  expect(I, 0.5, (double[]){1, 5, 5}, NSDS_CONTACT_OPEN, (double[]){0, 0, 0});
  expect(I, 0.5, (double[]){0, 5, 5}, NSDS_CONTACT_OPEN, (double[]){0, 0, 0});
  expect(I, 0.5, (double[]){-2, 0.6, -0.8}, NSDS_CONTACT_STICK, (double[]){2, -0.6, 0.8});
  expect(I, 0.5, (double[]){-2, 0, 0}, NSDS_CONTACT_STICK, (double[]){2, 0, 0});
  expect(I, 0.5, (double[]){-2, 3, 4}, NSDS_CONTACT_SLIDE, (double[]){2, -0.6, -0.8});
  expect(I, 0.5, (double[]){-2, 0, 4}, NSDS_CONTACT_SLIDE, (double[]){2, 0, -1});
  expect(I, 0.0, (double[]){-2, 3, 4}, NSDS_CONTACT_SLIDE, (double[]){2, 0, 0});
  expect(I, 0.0, (double[]){-2, 0, 0}, NSDS_CONTACT_STICK, (double[]){2, 0, 0});
  const double principal[9] = {1, 0, 0, 0, 2, 0, 0, 0, 8}; /* d1 != d2, R_T along an axis */
  expect(principal, 0.5, (double[]){-2, 4, 0}, NSDS_CONTACT_SLIDE, (double[]){2, -1, 0});
  expect(principal, 0.5, (double[]){-2, 0, -16}, NSDS_CONTACT_SLIDE, (double[]){2, 0, 1});
  const double coupled[9] = {2, 0.5, 0, 0.5, 1, 0, 0, 0, 1}; /* e = (-1, 0): z_N (2 - 0.25) = 7 */
  expect(coupled, 0.5, (double[]){-7, 10, 0}, NSDS_CONTACT_SLIDE, (double[]){4, -2, 0});
  const double flat[9] = {1, 0, 0, 0, 0, 0, 0, 0, 0}; /* no compliance along the plane */
  expect(flat, 0.5, (double[]){-2, 3, 4}, NSDS_CONTACT_SLIDE, (double[]){2, -0.6, -0.8});
  const double none[9] = {0};
  expect(none, 0.5, (double[]){-2, 3, 4}, NSDS_CONTACT_UNSOLVED, NULL);
  expect(I, 0.5, (double[]){-2, NAN, 4}, NSDS_CONTACT_UNSOLVED, NULL);
}

/* An M that is not symmetric, positive definite nevertheless. */
static void test_unsymmetric(void **unused) {
  (void)unused;
  random_seed(24);
  for (int k = 0; k < 20000; ++k) {
    nsds_contact_matrix c;
    double q[3] = {-fabs(random_number()), random_number(), random_number()}, z[3] = {0.0};
    random_spd(1.0, 1.0, c.M);
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < i; ++j) {
        double t = 0.1 * random_number();
        c.M[i + 3 * j] += t;
        c.M[j + 3 * i] -= t;
      }
    nsds_contact_prepare(&c, 3);
    assert_true(nsds_one_contact_3d(&c, 0.4, q, z) != NSDS_CONTACT_UNSOLVED);
    assert_true(residual(3, 0.4, c.M, q, z) <= 1e-13);
  }
}

/* Without anything across, the contact in 3D is that in 2D. */
static void test_two_dimensions(void **unused) {
  (void)unused;
  random_seed(25);
  for (int k = 0; k < 50000; ++k) {
    nsds_contact_matrix two, three;
    double a = random_number(), b = random_number(), t = 0.9 * random_number(),
           mu = 1.0 + random_number();
    double q[3] = {b, 3.0 * random_number(), 0.0}, z[2] = {0.0}, z3[3] = {0.0};
    double M2[4] = {1.0 + a * a, t * sqrt(1.0 + a * a), t * sqrt(1.0 + a * a), 1.0};
    double M3[9] = {M2[0], M2[1], 0, M2[2], M2[3], 0, 0, 0, 1};
    memcpy(two.M, M2, sizeof M2);
    memcpy(three.M, M3, sizeof M3);
    nsds_contact_prepare(&two, 2);
    nsds_contact_prepare(&three, 3);
    nsds_contact_state state = nsds_one_contact_2d(&two, mu, q, z);
    assert_true(state != NSDS_CONTACT_UNSOLVED);
    assert_true(residual(2, mu, M2, q, z) <= 1e-14);
    assert_true(nsds_one_contact_3d(&three, mu, q, z3) != NSDS_CONTACT_UNSOLVED);
    assert_true(residual(3, mu, M3, q, z3) <= 1e-13);
    if (mu * fabs(M2[1]) < 0.9 * M2[0]) /* one solution */
      assert_true(fabs(z3[0] - z[0]) + fabs(z3[1] - z[1]) + fabs(z3[2]) <= 1e-11 * (1.0 + z[0]));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_many_contacts),  cmocka_unit_test(test_start_does_not_matter),
      cmocka_unit_test(test_cases_by_hand),  cmocka_unit_test(test_unsymmetric),
      cmocka_unit_test(test_two_dimensions),
  };
  return cmocka_run_group_tests_name("numerics.one_contact", tests, NULL, NULL);
}
