/*
 * Verdicts in the scale of the data. Bodies in a row between walls that approach each other: the
 * velocities w of the contacts have the sum -c whatever the reactions are, so one of k contacts is
 * violated by c / k at least. No reactions, however large beside the load, and no light body may hide
 * that. With the walls apart the same row has a solution. Data are dyadic, so that c is exact.
 *
 *   numerics_scale [COUNT [TEST]]     so many rows, and a third of it of other problems; one test alone
 */
#include "cmocka_setup.h"
#include "families.h"

#include <nsds/extend_solver.h>
#include <nsds/solver.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __SANITIZE_ADDRESS__
static int count = 30;
#else
static int count = 150;
#endif

static const double tolerances[] = {1e-4, 1e-6, 1e-8, 1e-10, 1e-12};
enum { ntolerance = sizeof tolerances / sizeof *tolerances };

static int draw(int n) {
  int k = (int)(0.5 * (random_number() + 1.0) * n);
  return k < n ? k : n - 1;
}

static nsds_problem dense(int n, const double *M, const double *q, int nblock,
                          const nsds_block *block) {
  return (nsds_problem){.n = n,
                        .nblock = nblock,
                        .block = block,
                        .M = {.storage = NSDS_DENSE, .n = n, .x = M},
                        .q = q};
}

typedef struct verdict {
  nsds_outcome outcome;
  bool proved;
  nsds_solver_info info;
} verdict;

static verdict solve(const char *name, const nsds_problem *p, double tolerance, double *z) {
  nsds_context *context = nsds_context_create(NULL);
  nsds_solver *solver = nsds_solver_create(context, name);
  verdict v = {.outcome = NSDS_REFUSED};
  double *w = calloc((size_t)p->n + 1, sizeof *w),
         *work = calloc(nsds_problem_work(p) + 1, sizeof *work);
  assert_non_null(solver);
  assert_status(nsds_problem_check(context, p), NSDS_OK);
  assert_status(nsds_solver_set(solver, "tolerance", tolerance), NSDS_OK);
  memset(z, 0, (size_t)p->n * sizeof *z);
  nsds_solve(solver, p, z, w, &v.info);
  const double *proof = nsds_solver_proof(solver);
  v.outcome = v.info.outcome;
  v.proved = proof && nsds_certify_no_solution(p, proof, work);
  free(work);
  free(w);
  nsds_solver_destroy(solver);
  nsds_context_destroy(context);
  return v;
}

/* ---- a few by hand ---- */

/* Two bodies of unlike mass between walls that approach each other: w_N has the sum -2. */
static void walls_that_close_on_unlike_masses_have_no_solution(void **unused) {
  (void)unused;
  for (int power = 0; power <= 40; power += 5)
    for (int size = 1; size <= 2; ++size) {
      double light = ldexp(1.0, power / 2), heavy = ldexp(1.0, -power / 2), M[36] = {0.0};
      double q[6] = {0.0}, z[6];
      nsds_block block[3];
      int n = 3 * size;
      for (int k = 0; k < 3; ++k)
        block[k] = (nsds_block){
            .set = size > 1 ? NSDS_SET_COULOMB : NSDS_SET_NONNEGATIVE, .size = size, .mu = 0.25};
      q[0] = q[2 * size] = -1.0;
      for (int t = 0; t < size; ++t) {
        int row[3] = {t, size + t, 2 * size + t};
        double entry[9] = {light, -light, 0.0, -light, light + heavy, -heavy, 0.0, -heavy, heavy};
        for (int i = 0; i < 3; ++i)
          for (int j = 0; j < 3; ++j) M[row[i] + row[j] * n] = entry[3 * i + j];
      }
      nsds_problem p = dense(n, M, q, 3, block);
      for (int t = 0; t < ntolerance; ++t) {
        verdict v = solve("auto", &p, tolerances[t], z);
        assert_int_equal(v.outcome, NSDS_NO_SOLUTION);
        assert_true(v.proved && v.info.proof_reach > 1e20);
      }
    }
}

/* Three contacts in the plane that close by 1.5e-5 beside velocities of 21: nsgs "solved" this with a
 * residual of 0 and reactions of 5e8. */
static void a_small_closing_speed_is_not_excused(void **unused) {
  (void)unused;
  double M[36] = {145.0625,  -96.0, -145.0625, -51.03125,  -51.03125,  99.03125,
                  -96.0,     64.0,  96.0,      32.0,       32.0,       -64.0,
                  -145.0625, 96.0,  145.0625,  51.03125,   51.03125,   -99.03125,
                  -51.03125, 32.0,  51.03125,  25.015625,  25.015625,  -41.015625,
                  -51.03125, 32.0,  51.03125,  25.015625,  25.015625,  -41.015625,
                  99.03125,  -64.0, -99.03125, -41.015625, -41.015625, 73.015625};
  double q[6] = {21.24999237060547, -5.0, -21.25000762939453, -8.75, -8.75, 11.25}, z[6];
  const nsds_block block[] = {{.set = NSDS_SET_COULOMB, .size = 2},
                              {.set = NSDS_SET_COULOMB, .size = 2, .mu = 0.25},
                              {.set = NSDS_SET_COULOMB, .size = 2}};
  nsds_problem p = dense(6, M, q, 3, block);
  for (int r = 0; nsds_solver_table(r) && !nsds_solver_table(r)->global; ++r)
    for (double t = 1e-7; t > 1e-14; t *= 0.1)
      assert_int_not_equal(solve(nsds_solver_table(r)->name, &p, t, z).outcome, NSDS_SOLVED);
}

/* Lemke's method ended on a ray in these units, and found the answer with the last column times 2^18. */
static void a_ray_of_bad_units_is_an_answer(void **unused) {
  (void)unused;
  const nsds_block block[] = {{.set = NSDS_SET_EQUALITY, .size = 2},
                              {.set = NSDS_SET_NONNEGATIVE, .size = 2}};
  const double exact[4] = {-0x1p-15, -0.12890625, 0.0, 237568.0};
  double M[16] = {16,  -4096, 16384, 131072, -0.0078125, 2,       -8, -32,
                  -64, 16384, 0,     0,      -0x1p-28,   0x1p-21, 0,  0};
  double q[4] = {0.0003662109375, 0.01953125, 0.03125, -0.125}, z[4];
  nsds_problem p = dense(4, M, q, 2, block);
  for (int k = 0; k < 2; ++k)
    for (int t = 0; t < ntolerance; ++t) {
      verdict v = solve(k ? "lemke" : "auto", &p, tolerances[t], z);
      assert_int_equal(v.outcome, NSDS_SOLVED);
      for (int i = 0; i < 4; ++i) assert_true(fabs(z[i] - exact[i]) <= 1e-12 * fabs(exact[i]));
    }
}

/* Four rows whose exact answer lemke missed in some units: every scaling must find it. */
static void units_make_no_ray(void **unused) {
  (void)unused;
  const nsds_block block[] = {{.set = NSDS_SET_EQUALITY, .size = 2},
                              {.set = NSDS_SET_NONNEGATIVE, .size = 2}};
  random_seed(71);
  for (int round = 0; round < 200; ++round) {
    /* w = 0, 0, 0 and w_3 > 0 at z = (-1, -1, 0, 1), in units of powers of two */
    double M[16] = {2, 1, 1, 8, 1, 1, -1, -2, -4, 1, 0, 0, -1, 1, 0, 0}, q[4] = {1, 2, 1, 7};
    double z[4], row[4], column[4];
    for (int i = 0; i < 4; ++i) {
      row[i] = ldexp(1.0, draw(61) - 30);
      column[i] = ldexp(1.0, draw(61) - 30);
    }
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j) M[i + 4 * j] *= row[i] * column[j];
    for (int i = 0; i < 4; ++i) q[i] *= row[i];
    nsds_problem p = dense(4, M, q, 2, block), plain = p;
    double M0[16] = {2, 1, 1, 8, 1, 1, -1, -2, -4, 1, 0, 0, -1, 1, 0, 0}, q0[4] = {1, 2, 1, 7},
           y[4];
    plain.M.x = M0;
    plain.q = q0;
    double one[4] = {1, 1, 1, 1};
    plain.scale = one;
    p.scale = row;
    verdict a = solve("lemke", &plain, 1e-10, y), b = solve("lemke", &p, 1e-10, z);
    assert_int_equal(a.outcome, b.outcome);
    if (a.outcome != NSDS_SOLVED) continue;
    for (int i = 0; i < 4; ++i) assert_true(z[i] * column[i] == y[i]);
  }
}

/* min |x|^2 / 2 with x_1 = 0, x_1 + a x_2 = 1: x = (0, 1/a), multipliers +-1/a^2. */
static void nearly_parallel_equalities_have_a_solution(void **unused) {
  (void)unused;
  const nsds_block block = {.set = NSDS_SET_EQUALITY, .size = 4};
  for (double a = 1e-6; a > 5e-10; a *= 0.1)
    for (int t = 1; t < ntolerance; ++t) {
      double M[16] = {1, 0, -1, -1, 0, 1, 0, -a, 1, 0, 0, 0, 1, a, 0, 0}, q[4] = {0, 0, 0, 1}, z[4];
      nsds_problem p = dense(4, M, q, 1, &block);
      verdict v = solve("auto", &p, tolerances[t], z);
      assert_int_equal(v.outcome, NSDS_SOLVED);
      assert_true(fabs(z[0]) <= 1e-6 && fabs(z[1] * a - 1.0) <= 1e-6);
      assert_true(fabs(z[3] * a * a + 1.0) <= 1e-5);
    }
}

/* w = -1 in both rows, whatever z = (x, x) is. */
static void huge_reactions_excuse_nothing(void **unused) {
  (void)unused;
  double M[4] = {1, -1, -1, 1}, q[2] = {-1, -1}, work[64];
  const nsds_block block = {.set = NSDS_SET_NONNEGATIVE, .size = 2};
  nsds_problem p = dense(2, M, q, 1, &block);
  assert_true(nsds_problem_work(&p) <= sizeof work / sizeof *work);
  for (double x = 1.0; x < 1e15; x *= 1e3) {
    nsds_certificate c;
    nsds_certify(&p, (double[]){x, x}, work, &c);
    assert_true(fabs(c.violation - 1.0) < 1e-11 && c.violation_row >= 0);
    assert_true(fabs(c.reaction / x - 1.0) < 1e-12);
  }
}

/* The violation is that of a changed w or z, in every set; and a scale given is taken. */
static void the_violation_is_the_change_that_mends(void **unused) {
  (void)unused;
  double M[9] = {2, 0, 0, 0, 2, 0, 0, 0, 2}, work[128], scale[3] = {4, 4, 4};
  const double q[3] = {-2, 0.5, 0};
  const nsds_block sets[] = {{.set = NSDS_SET_COULOMB, .size = 3, .mu = 0.5},
                             {.set = NSDS_SET_EQUALITY, .size = 3}};
  for (int k = 0; k < 2; ++k) {
    nsds_certificate c;
    nsds_problem p = dense(3, M, q, 1, &sets[k]);
    assert_true(nsds_problem_work(&p) <= sizeof work / sizeof *work);
    nsds_certify(&p, (double[]){1, -0.25, 0}, work, &c);
    assert_true(c.violation == 0.0);
    nsds_certify(&p, (double[]){1 + 1e-3, -0.25, 0}, work, &c); /* w_N = 2e-3, s = 2 */
    assert_true(fabs(c.violation - 1e-3) < 1e-9);
    p.scale = scale;
    nsds_certify(&p, (double[]){1 + 1e-3, -0.25, 0}, work, &c);
    assert_true(fabs(c.violation - 0.5e-3) < 1e-9);
  }
}

/* ---- rows of bodies ---- */

typedef struct chain {
  int contacts, size;
  double *M, *q;
  nsds_block *block;
  nsds_problem problem;
  double closing, load; /* sum of w_N is -closing; load: largest |q| */
} chain;

static double dyadic(double x) {
  int exponent;
  double part = frexp(x, &exponent);
  return ldexp(rint(ldexp(part, 12)), exponent - 12);
}

static void chain_create(chain *c, int bodies, double decades, int size, double closing) {
  int k = bodies + 1, n = k * size;
  *c = (chain){.contacts = k,
               .size = size,
               .M = calloc((size_t)n * (size_t)n, sizeof(double)),
               .q = calloc((size_t)n, sizeof(double)),
               .block = calloc((size_t)k, sizeof(nsds_block)),
               .closing = closing};
  assert_true(c->M && c->q && c->block);
  double mass = 0.0, v = 0.0;
  for (int a = 0; a < k; ++a) {
    c->block[a] = (nsds_block){.set = size == 1 ? NSDS_SET_NONNEGATIVE : NSDS_SET_COULOMB,
                               .size = size,
                               .mu = 0.25 * draw(5)};
    double next = a == bodies ? 0.0 : ldexp(1.0, (int)(decades * 3.3 * random_number() * 0.5));
    double after = a == bodies ? -closing : ldexp((double)(draw(65) - 32), -5);
    int row = a * size;
    for (int t = 0; t < size; ++t) {
      int i = row + t;
      c->M[i + i * n] = mass + next;
      if (a < bodies) c->M[i + (i + size) * n] = c->M[i + size + i * n] = -next;
    }
    c->q[row] = after - v;
    for (int t = 1; t < size; ++t) c->q[row + t] = ldexp((double)(draw(65) - 32), -5);
    for (int t = 0; t < size; ++t) c->load = fmax(c->load, fabs(c->q[row + t]));
    mass = next;
    v = after;
  }
  c->problem = dense(n, c->M, c->q, k, c->block);
  c->problem.M.symmetric = true;
}

static void chain_destroy(chain *c) {
  free(c->M);
  free(c->q);
  free(c->block);
}

static nsds_status answer_with(void *self, nsds_solver_task *task, double *z) {
  memcpy(z, self, (size_t)task->problem->n * sizeof *z);
  return NSDS_OK;
}

/* Rounding of w does not decide on an answer whose violation is close to the limit. Reactions of a
 * thousand loads hide some 1e-13 of the load. */
static void rounding_decides_no_close_verdict(void **unused) {
  enum { most = 30 };
  static const double beside[] = {1.0 - 1e-6, 1.0 + 1e-6};
  int met = 0;
  (void)unused;
  for (int round = 0; round < count; ++round) {
    nsds_context *context = nsds_context_create(NULL);
    double z[most + 1], w[most + 1] = {0}, found[most + 1];
    chain c;
    chain_create(&c, 1 + draw(most), 2.0, 1, 0.0);
    int n = c.contacts;
    for (int i = 0; i < n; ++i) {
      c.M[i + i * n] += 0x1p-12; /* regular: what does not meet the limit can be refined */
      z[i] = 1e3 + random_number();
      c.q[i] = 1e-9 * random_number();
    }
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) c.q[i] -= c.M[i + j * n] * z[j];
    nsds_solver_ops ops = {.name = "known",
                           .sets = NSDS_SET_NONNEGATIVE,
                           .storages = NSDS_DENSE,
                           .solve = answer_with,
                           .user = z};
    assert_status(nsds_solver_register(context, &ops), NSDS_OK);
    nsds_solver *solver = nsds_solver_create(context, "known");
    double *work = calloc(nsds_problem_work(&c.problem), sizeof *work);
    assert_true(solver && work);
    nsds_certificate known;
    nsds_certify(&c.problem, z, work, &known);
    for (int k = 0; k < 2; ++k) {
      nsds_solver_info info;
      memset(found, 0, sizeof found);
      assert_status(nsds_solver_set(solver, "tolerance", beside[k] * known.violation), NSDS_OK);
      nsds_solve(solver, &c.problem, found, w, &info);
      bool refined = info.violation < 0.5 * known.violation;
      if (info.violation != known.violation && !refined)
        fail_msg("chain %d, tolerance %.9g: %s with %.9g, it is %.9g", round,
                 beside[k] * known.violation, nsds_outcome_text(info.outcome), info.violation,
                 known.violation);
      met += k == 1 && !refined;
    }
    free(work);
    nsds_solver_destroy(solver);
    nsds_context_destroy(context);
    chain_destroy(&c);
  }
  assert_int_equal(met, count);
}

/* Some contact must be violated by more than the limit in the largest scale that a row has. */
static bool counts(const chain *c, double tolerance) {
  return c->closing / c->contacts > nsds_violation_limit(&c->problem, tolerance) * c->load;
}

typedef struct squeezed {
  int rows, judged, false_solved, proved, solved;
} squeezed;

static void judge_squeezed(const chain *c, const char *method, squeezed *found) {
  double *z = calloc((size_t)c->problem.n, sizeof *z);
  for (int t = 0; t < ntolerance; ++t) {
    verdict v = solve(method, &c->problem, tolerances[t], z);
    if (v.outcome == NSDS_NO_SOLUTION)
      assert_true(v.proved || strcmp(v.info.solver, "enumeration") == 0);
    found->proved += v.outcome == NSDS_NO_SOLUTION;
    found->solved += v.outcome == NSDS_SOLVED;
    if (!counts(c, tolerances[t])) continue;
    ++found->judged;
    if (v.outcome != NSDS_SOLVED) continue;
    ++found->false_solved;
    printf("             row %d of %d contacts, %s at %g: solved, closing %g\n", found->rows,
           c->contacts, method, tolerances[t], c->closing);
  }
  free(z);
  ++found->rows;
}

/* Long rows with friction are judged strictly if they give their scale. */
static void squeezed_rows_are_not_solved(void **unused) {
  (void)unused;
  static const char *const methods[] = {"auto", "auto", "nsgs", "semismooth_newton", "lemke"};
  squeezed found = {0};
  random_seed(72);
  for (int round = 0; round < count; ++round) {
    int most = round % 20 ? 12 : 60, size = 1 + draw(3);
    const char *method = methods[round % 5];
    chain c;
    if (size > 1 && round % 5 > 2) method = "nonsmooth_newton";
    double closing = dyadic(pow(10.0, -6.0 * (random_number() + 1.0))), scale[183];
    chain_create(&c, 1 + draw(most), 8.0 * fabs(random_number()), size, closing);
    judge_squeezed(&c, method, &found);
    for (int i = 0; i < c.problem.n; ++i) scale[i] = c.load;
    if (nsds_violation_limit(&c.problem, 1e-8) > 1e-8) {
      c.problem.scale = scale;
      judge_squeezed(&c, method, &found);
    }
    chain_destroy(&c);
  }
  printf(
      "             %d rows: %d verdicts judged, %d false \"solved\"; %d proofs, %d solved of %d\n",
      found.rows, found.judged, found.false_solved, found.proved, found.solved,
      found.rows * ntolerance);
  assert_int_equal(found.false_solved, 0);
}

static void opening_rows_are_solved(void **unused) {
  (void)unused;
  int given_up = 0, all = 0;
  random_seed(73);
  for (int round = 0; round < count; ++round) {
    chain c;
    double opening = dyadic(pow(10.0, -6.0 * (random_number() + 1.0)));
    chain_create(&c, 1 + draw(round % 20 ? 12 : 60), 8.0 * fabs(random_number()), 1 + draw(3),
                 -opening);
    double *z = calloc((size_t)c.problem.n, sizeof *z);
    for (int t = 0; t < ntolerance; ++t) {
      verdict v = solve("auto", &c.problem, tolerances[t], z);
      if (v.outcome == NSDS_NO_SOLUTION)
        fail_msg("row %d of %d contacts that opens by %g has no solution at %g", round, c.contacts,
                 opening, tolerances[t]);
      ++all;
      given_up += v.outcome != NSDS_SOLVED;
    }
    free(z);
    chain_destroy(&c);
  }
  printf("             %d verdicts on rows that open: %d given up\n", all, given_up);
  assert_true(50 * given_up <= all);
}

/* ---- units ---- */

enum { most = 24, few = 8 };

typedef struct small {
  int n, nblock;
  double M[most * most], q[most], scale[most], lower[most], upper[most];
  nsds_block block[3];
} small;

/* Small integers: P, P0, semidefinite of any rank, or of no class. Some rows are equalities, some have
 * two bounds. */
static void small_create(small *s, int largest) {
  int type = draw(4), rank = 1 + draw(largest / 2);
  double A[most * most], B[most];
  s->n = 2 + draw(largest - 1);
  int n = s->n, e = draw(3) == 0 ? 1 + draw(n - 1) : 0, boxes = draw(4) == 0 ? draw(n - e + 1) : 0;
  for (int k = 0; k < most * most; ++k) A[k] = draw(7) - 3;
  for (int k = 0; k < most; ++k) B[k] = draw(7) - 3;
  for (int i = 0; i < n; ++i) {
    s->q[i] = draw(9) - 5;
    s->scale[i] = 4.0;
    s->lower[i] = -draw(3);
    s->upper[i] = 1 + draw(3);
    for (int j = 0; j < n; ++j) {
      double sum = type == 3 ? draw(7) - 3 : type == 2 && i > j ? draw(5) - 2 : 0.0;
      for (int k = 0; k < rank && type < 2; ++k) sum += A[i + most * k] * A[j + most * k];
      if (type == 1) sum += (i < j ? 1.0 : -1.0) * (i != j) * B[i < j ? i : j];
      s->M[i + n * j] = sum + (type == 2 && i == j ? draw(3) : 0.0);
    }
  }
  s->block[0] = (nsds_block){.set = NSDS_SET_EQUALITY, .size = e};
  s->block[1] = (nsds_block){.set = NSDS_SET_NONNEGATIVE, .size = n - e - boxes};
  s->block[2] = (nsds_block){.set = NSDS_SET_BOX, .size = boxes};
}

static nsds_problem problem_of(small *s) {
  int boxes = s->block[2].size;
  s->block[2].lower = s->lower + s->n - boxes;
  s->block[2].upper = s->upper + s->n - boxes;
  nsds_problem p = dense(s->n, s->M, s->q, boxes > 0 ? 3 : 2, s->block);
  p.scale = s->scale;
  return p;
}

/* Multiplies rows by powers of two, and columns by others. */
static void give_units(small *t, double *column) {
  for (int i = 0; i < t->n; ++i) {
    int row = draw(121) - 60, power = draw(121) - 60;
    column[i] = ldexp(1.0, power);
    t->q[i] = ldexp(t->q[i], row);
    t->scale[i] = ldexp(t->scale[i], row);
    t->lower[i] = ldexp(t->lower[i], -power);
    t->upper[i] = ldexp(t->upper[i], -power);
    for (int j = 0; j < t->n; ++j) {
      t->M[i + t->n * j] = ldexp(t->M[i + t->n * j], row);
      t->M[j + t->n * i] = ldexp(t->M[j + t->n * i], power);
    }
  }
}

/* The same verdict in all units, whichever it is; answers of pivoting to the bit. */
static void units_change_no_verdict(void **unused) {
  (void)unused;
  static const char *const methods[] = {"auto", "lemke", "enumeration"};
  int problems = count / 3, found[6] = {0}, bits = 0, changed = 0;
  random_seed(74);
  for (int round = 0; round < problems; ++round) {
    small s;
    bool large = round % 4 == 3;
    small_create(&s, large ? most : few);
    small t = s;
    double column[most];
    give_units(&t, column);
    nsds_problem a = problem_of(&s), b = problem_of(&t);
    for (int m = 0; m < 3; ++m) {
      double z[most], y[most];
      if (m == 2 && s.n > few) continue;
      verdict before = solve(methods[m], &a, 1e-8, z), after = solve(methods[m], &b, 1e-8, y);
      ++found[before.outcome];
      if (before.outcome != after.outcome) {
        ++changed;
        printf("             problem %d of %d rows, %s: %s, in other units %s; %s / %s\n", round,
               s.n, methods[m], nsds_outcome_text(before.outcome), nsds_outcome_text(after.outcome),
               before.info.path, after.info.path);
      }
      if (before.outcome != NSDS_SOLVED || after.outcome != NSDS_SOLVED || m == 0) continue;
      for (int i = 0; i < s.n; ++i)
        if (y[i] * column[i] != z[i])
          fail_msg("problem %d of %d rows, %s: entry %d is %.17g, in other units %.17g", round, s.n,
                   methods[m], i, z[i], y[i] * column[i]);
      ++bits;
    }
  }
  printf("             %d problems, three methods: %d solved, %d without a solution, %d open, %d "
         "rays, %d "
         "changed by units; %d answers of pivoting the same to the bit\n",
         problems, found[NSDS_SOLVED], found[NSDS_NO_SOLUTION], found[NSDS_NOT_CONVERGED],
         found[NSDS_RAY], changed, bits);
  assert_int_equal(changed, 0);
}

static int count_calls(int iteration, double residual, void *user) {
  (void)iteration, (void)residual;
  ++*(long *)user;
  return 0;
}

/* Problem 1771 of those above, in other units: within the presolve of auto a path of Lemke's method
 * cycles. It took the pivots of all 301 paths that auto allows at the end, which lasted minutes. */
static void a_path_that_cycles_leaves_pivots_to_others(void **unused) {
  (void)unused;
  enum { problem = 1771, pivots_of_path = 1000 + 20 * most };
  small s, t;
  double column[most], z[most] = {0.0}, w[most];
  long calls = 0;
  random_seed(74);
  for (int round = 0; round <= problem; ++round) {
    small_create(&s, round % 4 == 3 ? most : few);
    t = s;
    give_units(&t, column);
  }
  nsds_problem p = problem_of(&t);
  nsds_context *context = nsds_context_create(NULL);
  nsds_solver *solver = nsds_solver_create(context, "auto");
  nsds_solver_info info;
  nsds_solver_set(solver, "tolerance", 1e-8);
  nsds_solver_set_progress(solver, count_calls, &calls);
  assert_status(nsds_solve(solver, &p, z, w, &info), NSDS_OK);
  assert_true(calls < 10 * pivots_of_path);
  nsds_solver_destroy(solver);
  nsds_context_destroy(context);
}

/* M v = 0 with v > 0 and q.v < 0: no method may call that solved. */
static void no_method_solves_what_has_no_solution(void **unused) {
  (void)unused;
  int problems = count / 3, calls = 0;
  random_seed(75);
  for (int round = 0; round < problems; ++round) {
    int n = 2 + draw(6);
    double M[few * few] = {0.0}, q[few], z[few], sum = 0.0;
    for (int k = 0; k < n - 1; ++k) {
      double a[few], last = 0.0;
      for (int i = 0; i < n - 1; ++i) last -= a[i] = draw(9) - 4;
      a[n - 1] = last;
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) M[i + n * j] += a[i] * a[j];
    }
    for (int i = 0; i < n; ++i) sum += q[i] = draw(9) - 4;
    q[n - 1] -= sum + ldexp(1.0, -draw(6));
    nsds_block block = {.set = NSDS_SET_NONNEGATIVE, .size = n};
    nsds_problem p = dense(n, M, q, 1, &block);
    p.M.symmetric = true;
    for (int r = 0; nsds_solver_table(r) && !nsds_solver_table(r)->global; ++r)
      for (int t = 0; t < ntolerance; ++t) {
        verdict v = solve(nsds_solver_table(r)->name, &p, tolerances[t], z);
        if (v.outcome == NSDS_SOLVED)
          fail_msg("problem %d is solved by %s at %g: residual %g, violation %g", round,
                   nsds_solver_table(r)->name, tolerances[t], v.info.residual, v.info.violation);
        ++calls;
      }
  }
  printf("             %d problems without a solution, %d calls: none solved\n", problems, calls);
}

int main(int argc, char **argv) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(walls_that_close_on_unlike_masses_have_no_solution),
      cmocka_unit_test(a_small_closing_speed_is_not_excused),
      cmocka_unit_test(a_ray_of_bad_units_is_an_answer),
      cmocka_unit_test(units_make_no_ray),
      cmocka_unit_test(nearly_parallel_equalities_have_a_solution),
      cmocka_unit_test(huge_reactions_excuse_nothing),
      cmocka_unit_test(the_violation_is_the_change_that_mends),
      cmocka_unit_test(rounding_decides_no_close_verdict),
      cmocka_unit_test(squeezed_rows_are_not_solved),
      cmocka_unit_test(opening_rows_are_solved),
      cmocka_unit_test(units_change_no_verdict),
      cmocka_unit_test(a_path_that_cycles_leaves_pivots_to_others),
      cmocka_unit_test(no_method_solves_what_has_no_solution),
  };
  if (argc > 1) count = atoi(argv[1]);
  if (argc > 2) cmocka_set_test_filter(argv[2]);
  return cmocka_run_group_tests_name("numerics.scale", tests, NULL, NULL);
}
