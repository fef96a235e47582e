/*
 * Verdicts that are right: no point that has run off is certified, no answer is refused for its
 * rounding or its units. A judge in long double, which shares nothing with the library, decides in
 * random problems of all sets with known answers.
 *
 *   numerics_verdicts [COUNT]     so many random problems instead of a few
 */
#include "bodies.h"
#include "cmocka_setup.h"
#include "families.h"
#include "relations.h"

#include <nsds/solver.h>

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static long problems = 3000;

static nsds_problem dense(int n, const double *M, const double *q, int nblock,
                          const nsds_block *block) {
  return (nsds_problem){.n = n,
                        .nblock = nblock,
                        .block = block,
                        .M = {.storage = NSDS_DENSE, .n = n, .x = M},
                        .q = q};
}

/* ---- defects ---- */

static void points_beyond_1e154_are_not_certified(void **unused) {
  (void)unused;
  static const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, q[3] = {-1, 0.5, 0.2};
  static const double H[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, K[3] = {-1, -1, -1};
  static const double lower[3] = {-1, -1, -1}, upper[3] = {INFINITY, INFINITY, INFINITY};
  const nsds_block block[] = {{.set = NSDS_SET_EQUALITY, .size = 3},
                              {.set = NSDS_SET_NONNEGATIVE, .size = 3},
                              {.set = NSDS_SET_BOX, .size = 3, .lower = lower, .upper = upper},
                              {.set = NSDS_SET_DISC, .size = 3, .radius = 1},
                              {.set = NSDS_SET_CONE, .size = 3, .mu = 0.5},
                              {.set = NSDS_SET_COULOMB, .size = 3, .mu = 0.5},
                              {.set = NSDS_SET_POLYHEDRON, .size = 3, .nfacet = 3, .H = H, .K = K}};
  for (size_t b = 0; b < sizeof block / sizeof *block; ++b)
    for (double size = 1e100; size < 1e308; size *= 1e9)
      for (int way = 0; way < 4; ++way) {
        double z[3] = {way & 1 ? -size : size, way & 2 ? size : 0.0, 0.0};
        nsds_problem p = dense(3, identity, q, 1, &block[b]);
        assert_true(certify(&p, z).residual > 1e-3);
        assert_true(certify(&p, z).worst_row >= 0);
      }
}

/* Terms that cancel after they have overflowed. */
static void overflowing_terms_are_not_certified(void **unused) {
  (void)unused;
  static const double M[4] = {1e200, 0, -1e200, 1}, q[2] = {0, 0}, z[2] = {1e150, 1e150};
  const nsds_block block = {.set = NSDS_SET_EQUALITY, .size = 2};
  nsds_problem p = dense(2, M, q, 1, &block);
  assert_true(isinf(certify(&p, z).residual));
}

/* w_0 = z_1 - z_2 = 0, computed from entries that are rounding themselves. */
static void a_row_of_rounding_alone_is_no_error(void **unused) {
  (void)unused;
  const nsds_block block[] = {{.set = NSDS_SET_EQUALITY, .size = 1},
                              {.set = NSDS_SET_NONNEGATIVE, .size = 2},
                              {.set = NSDS_SET_EQUALITY, .size = 1}};
  static const double M[16] = {1, 0, 0, 0, -1, 1, 0, 0, 1, 0, 1, 0, 0, -1, 0, 1};
  static const double q[4] = {0, 1, 0, -1};
  double z[4] = {0, 0, 0, 1};
  nsds_problem p = dense(4, M, q, 3, block);
  assert_true(certify(&p, z).residual == 0.0);
  z[1] = 1e-17;
  assert_true(certify(&p, z).residual <= 1e-13);
  z[1] = 1e-9; /* no rounding of row 1, whose terms are of order one */
  assert_true(certify(&p, z).residual > 1e-10);
}

/* A diagonal that is rounding makes z as uncertain as one likes: it explains nothing. */
static void a_diagonal_of_rounding_explains_no_error(void **unused) {
  (void)unused;
  static const double M[4] = {1, 1, 1, 1e-17}, q[2] = {-1, -1};
  const nsds_block block = {.set = NSDS_SET_EQUALITY, .size = 2};
  nsds_problem p = dense(2, M, q, 1, &block);
  assert_true(certify(&p, (double[]){1, 0}).residual == 0.0);
  assert_true(certify(&p, (double[]){1, 0.5}).residual > 0.1);
  static const double steep[4] = {1e200, 1e200, 1e200, 1e-200};
  p.M.x = steep;
  assert_true(certify(&p, (double[]){-1e-200, 3e-200}).residual > 0.1);
}

/* Row 0 beside a block that holds a load of any size: its garbage is seen as beside a box. */
static void a_load_that_a_set_holds_excuses_nothing(void **unused) {
  (void)unused;
  static const double low[2] = {-0.5, -0.5}, high[2] = {0.5, 0.5}, K[4] = {-0.5, -0.5, -0.5, -0.5};
  static const double H[8] = {1, -1, 0, 0, 0, 0, 1, -1}, slanted[4] = {1, 1, 1, -1};
  static const double apex[2] = {0, 0};
  const struct held {
    nsds_block block;
    double load[5], z[5]; /* q over the load; z where the set ends */
  } held[] = {
      {{.set = NSDS_SET_BOX, .size = 1, .lower = low, .upper = high}, {1}, {-0.5}},
      {{.set = NSDS_SET_DISC, .size = 1, .radius = 0.5}, {1}, {-0.5}},
      {{.set = NSDS_SET_DISC, .size = 2, .radius = 0.5}, {3, 4}, {-0.3, -0.4}},
      {{.set = NSDS_SET_DISC, .size = 3, .radius = 0.5}, {0, 3, 4}, {0, -0.3, -0.4}},
      {{.set = NSDS_SET_COULOMB, .size = 2, .mu = 0.5}, {0, 1}, {1, -0.5}},
      {{.set = NSDS_SET_COULOMB, .size = 3, .mu = 0.5}, {0, 3, 4}, {1, -0.3, -0.4}},
      {{.set = NSDS_SET_COULOMB, .size = 3, .mu = 0.5}, {1, 3, 4}, {0, 0, 0}},
      {{.set = NSDS_SET_CONE, .size = 3, .mu = 0.5}, {2.5, 3, 4}, {1, -0.3, -0.4}},
      {{.set = NSDS_SET_ROLLING, .size = 3, .mu = 0.5, .mu_rolling = 0.25},
       {0, 1, -1},
       {1, -0.5, 0.25}},
      {{.set = NSDS_SET_ROLLING, .size = 5, .mu = 0.5, .mu_rolling = 0.25},
       {0, 3, 4, 4, 3},
       {1, -0.3, -0.4, -0.2, -0.15}},
      {{.set = NSDS_SET_POLYHEDRON, .size = 2, .nfacet = 4, .H = H, .K = K}, {1, 0}, {-0.5, 0.1}},
      {{.set = NSDS_SET_POLYHEDRON, .size = 2, .nfacet = 2, .H = slanted, .K = apex},
       {1, 1},
       {0.5, -0.5}},
  };
  for (size_t k = 0; k < sizeof held / sizeof *held; ++k)
    for (double load = 1e3; load < 1e120; load *= 1e3) {
      enum { most_held = 6 };
      const struct held *h = &held[k];
      int n = 1 + h->block.size;
      double M[most_held * most_held], q[most_held], z[most_held];
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) M[i + n * j] = i == j ? 2.0 : i * j == 0 ? 1.0 : 0.0;
      q[0] = 1.0;
      z[0] = 7.0;
      for (int i = 1; i < n; ++i) {
        z[i] = h->z[i - 1];
        q[i] = h->load[i - 1] * load;
      }
      if (h->block.set == NSDS_SET_COULOMB || h->block.set == NSDS_SET_ROLLING)
        if (z[1] > 0.0) q[1] = -2.0 * z[1] - z[0]; /* in contact */
      nsds_block block[2] = {{.set = NSDS_SET_EQUALITY, .size = 1}, h->block};
      nsds_problem p = dense(n, M, q, 2, block);
      nsds_certificate c = certify(&p, z);
      if (!(c.residual > 0.2)) fail_msg("set %zu, load %g: %g", k, load, c.residual);
    }
}

/* At rest: q is rounding, M singular, and the sets hold what acts. */
static void bounded_sets_at_rest_are_certified(void **unused) {
  (void)unused;
  static const double lower[1] = {2}, upper[1] = {3}, K[4] = {-3, -3, 2, -3};
  static const double H[8] = {1, -1, 0, 0, 0, 0, 1, -1};
  const nsds_block first[] = {{.set = NSDS_SET_BOX, .size = 1, .lower = lower, .upper = upper},
                              {.set = NSDS_SET_COULOMB, .size = 1, .mu = 0.5}};
  static const double pair[4] = {1, -1, -1, 1};
  double q[2] = {1e-17, 0};
  nsds_problem p = dense(2, pair, q, 2, first);
  assert_true(certify(&p, (double[]){2, 2}).residual <= 1e-13);
  assert_true(certify(&p, (double[]){2, 1}).residual > 1e-3);
  const nsds_block second[] = {{.set = NSDS_SET_POLYHEDRON, .size = 2, .nfacet = 4, .H = H, .K = K},
                               {.set = NSDS_SET_COULOMB, .size = 2, .mu = 2}};
  static const double four[16] = {1, 0, 0, -1, 0, 1, -1, 0, 0, -1, 1, 0, -1, 0, 0, 1};
  double small[4] = {1e-17, 0, 0, 0};
  p = dense(4, four, small, 2, second);
  assert_true(certify(&p, (double[]){0.5, 2, 2, 0.5}).residual <= 1e-13);
  /* in an unbounded set the same reactions answer no load of this size */
  small[0] = 1e-12;
  assert_true(certify(&p, (double[]){0.5, 2, 2, 0.5}).residual <= 1e-10);
  nsds_block open[2] = {second[0], second[1]};
  open[0].nfacet = 0;
  p.block = open;
  assert_true(certify(&p, (double[]){0.5, 2, 2, 0.5}).diverged);
}

/* Forces that a saddle point ties together: the residual of rows without a diagonal is the same in
 * all units. */
static void rows_without_diagonal_know_no_units(void **unused) {
  (void)unused;
  random_seed(31);
  for (int round = 0; round < 2000; ++round) {
    enum { half = 3, n = 2 * half };
    double M[n * n] = {0.0}, q[n], z[n];
    for (int i = 0; i < half; ++i) {
      M[i + i * n] = 1.0 + fabs(random_number());
      for (int j = half; j < n; ++j) {
        M[i + j * n] = random_number();
        M[j + i * n] = -M[i + j * n];
      }
    }
    for (int i = 0; i < n; ++i) {
      q[i] = random_number();
      z[i] = random_number();
    }
    const nsds_block block = {.set = NSDS_SET_NONNEGATIVE, .size = n};
    nsds_problem p = dense(n, M, q, 1, &block);
    double before = certify(&p, z).residual;
    for (int i = 0; i < n; ++i) { /* units of z and of w apart: of one row each */
      int of_z = (int)(50 * random_number()), of_w = (int)(50 * random_number());
      z[i] = ldexp(z[i], of_z);
      q[i] = ldexp(q[i], of_w);
      for (int j = 0; j < n; ++j) {
        M[j + i * n] = ldexp(M[j + i * n], -of_z);
        M[i + j * n] = ldexp(M[i + j * n], of_w);
      }
    }
    assert_true(certify(&p, z).residual == before);
  }
}

/* The verdict says which row fails, by what, beside which terms. */
static void a_refused_answer_says_why(void **unused) {
  (void)unused;
  static const double M[4] = {2, 0, 0, 1}, q[2] = {-2, -3};
  const nsds_block block = {.set = NSDS_SET_NONNEGATIVE, .size = 2};
  nsds_problem p = dense(2, M, q, 1, &block);
  nsds_certificate c = certify(&p, (double[]){1, 2});
  assert_int_equal(c.worst_row, 1);
  assert_true(c.error == 1.0 && c.scale == 5.0 && !c.diverged);
  nsds_context *context = nsds_context_create(NULL);
  nsds_solver *solver = nsds_solver_create(context, "nsgs");
  nsds_solver_info info;
  double z[2] = {0, 0}, w[2];
  assert_status(nsds_solver_set(solver, "max_iterations", 1), NSDS_OK);
  assert_status(nsds_solver_set(solver, "relaxation", 0.5), NSDS_OK);
  assert_status(nsds_solve(solver, &p, z, w, &info), NSDS_ERROR_SOLVER);
  assert_true(info.worst_row >= 0 && info.worst_error > 0.0 && info.worst_scale > 0.0);
  assert_status(nsds_solver_set(solver, "max_iterations", 100), NSDS_OK);
  assert_status(nsds_solve(solver, &p, z, w, &info), NSDS_OK);
  assert_int_equal(info.worst_row, -1);
  nsds_solver_destroy(solver);
  nsds_context_destroy(context);
}

static void options_that_count_refuse_fractions(void **unused) {
  (void)unused;
  nsds_context *context = nsds_context_create(NULL);
  for (int k = 0; nsds_solver_table(k) && !nsds_solver_table(k)->global; ++k) {
    nsds_solver *solver = nsds_solver_create(context, nsds_solver_table(k)->name);
    assert_status(nsds_solver_set(solver, "max_iterations", 1.5), NSDS_ERROR_VALUE);
    assert_non_null(strstr(nsds_last_message(context), "whole numbers"));
    assert_status(nsds_solver_set(solver, "max_iterations", 2), NSDS_OK);
    nsds_solver_destroy(solver);
    nsds_error_clear(context);
  }
  nsds_context_destroy(context);
}

/* ---- a judge of its own ---- */

typedef long double wide;

enum { most_rows = 64 };

/* Nearest point of { H y >= K }, H in the variables y = root z: Hildreth's dual ascent. */
static void nearest_in_polyhedron(const nsds_block *b, const wide *root, wide *y) {
  wide multiplier[12] = {0.0L};
  for (int sweep = 0; sweep < 20000; ++sweep) {
    wide moved = 0.0L;
    for (int k = 0; k < b->nfacet; ++k) {
      wide gap = -(wide)b->K[k], size = 0.0L;
      for (int i = 0; i < b->size; ++i) {
        wide h = b->H[k + i * b->nfacet] / root[i];
        gap += h * y[i];
        size += h * h;
      }
      if (size == 0.0L) continue;
      wide step = -gap / size;
      if (step < -multiplier[k]) step = -multiplier[k];
      multiplier[k] += step;
      for (int i = 0; i < b->size; ++i) y[i] += step * b->H[k + i * b->nfacet] / root[i];
      moved = fmaxl(moved, fabsl(step) * sqrtl(size));
    }
    if (moved <= 1e-19L) return;
  }
}

static wide norm_of(const wide *x, int n) {
  wide most = 0.0L, sum = 0.0L;
  for (int i = 0; i < n; ++i) most = fmaxl(most, fabsl(x[i]));
  for (int i = 0; i < n && most > 0.0L; ++i) sum += x[i] / most * (x[i] / most);
  return most * sqrtl(sum);
}

static void shorten(wide *x, int n, wide limit) {
  wide size = norm_of(x, n);
  for (int i = 0; i < n && size > limit; ++i) x[i] *= limit / size;
}

/* y = the nearest point of the cone || y_part || <= mu y_0 of one or two parts: y_0 by bisection on
 * the derivative of the squared distance, which increases. */
static void nearest_in_cone(int nparts, const int *count, const wide *mu, wide *y) {
  wide low = 0.0L, high = fabsl(y[0]), size[2] = {0.0L, 0.0L};
  for (int k = 0, at = 1; k < nparts; at += count[k++]) {
    size[k] = norm_of(y + at, count[k]);
    high += mu[k] * size[k];
  }
  for (int step = 0; step < 200; ++step) {
    wide middle = 0.5L * (low + high), slope = middle - y[0];
    for (int k = 0; k < nparts; ++k) slope -= mu[k] * fmaxl(size[k] - mu[k] * middle, 0.0L);
    if (slope > 0.0L) high = middle;
    else low = middle;
  }
  y[0] = low;
  for (int k = 0, at = 1; k < nparts; at += count[k++]) shorten(y + at, count[k], mu[k] * low);
}

/* e of one block in the variables of one unit, and s. Groups share d. */
static wide judge_block(const nsds_block *b, const wide *d, const wide *w, const double *z,
                        const wide *s, wide *size) {
  int m = b->size, rolling = b->set == NSDS_SET_ROLLING ? (m - 1) / 2 : 0;
  wide root[most_block_rows], y[most_block_rows], terms[most_block_rows], speed[2] = {0.0L, 0.0L};
  bool cone = b->set == NSDS_SET_CONE || b->set == NSDS_SET_COULOMB || b->set == NSDS_SET_ROLLING;
  for (int i = 0; i < m; ++i) {
    int first = b->set == NSDS_SET_DISC ? 0
                : !cone                 ? i
                : i == 0                ? 0
                : i < m - rolling       ? 1
                                        : m - rolling;
    int end = b->set == NSDS_SET_DISC ? m
              : !cone || i == 0       ? i + 1
              : i < m - rolling       ? m - rolling
                                      : m;
    wide most = 0.0L;
    for (int j = first; j < end; ++j) most = fmaxl(most, d[j]);
    root[i] = sqrtl(most);
    terms[i] = s[i] / root[i];
  }
  *size = norm_of(terms, m);
  wide v0 = w[0];
  if (cone && b->set != NSDS_SET_CONE) {
    speed[0] = norm_of(w + 1, m - 1 - rolling);
    speed[1] = norm_of(w + m - rolling, rolling);
    v0 += b->mu * speed[0] + b->mu_rolling * speed[1];
  }
  for (int i = 0; i < m; ++i) y[i] = root[i] * z[i] - (i == 0 ? v0 : w[i]) / root[i];
  if (b->set == NSDS_SET_POLYHEDRON) nearest_in_polyhedron(b, root, y);
  else if (b->set == NSDS_SET_DISC) shorten(y, m, root[0] * b->radius);
  else {
    int count[2] = {m - 1 - rolling, rolling};
    wide mu[2] = {m > 1 ? b->mu * root[1] / root[0] : 0.0L,
                  rolling ? b->mu_rolling * root[m - 1] / root[0] : 0.0L};
    nearest_in_cone(rolling ? 2 : m > 1, count, mu, y);
  }
  for (int i = 0; i < m; ++i) y[i] = root[i] * z[i] - y[i];
  return norm_of(y, m);
}

static wide judge_row(const nsds_block *b, int i, wide d, wide w, wide z) {
  if (b->set == NSDS_SET_EQUALITY) return fabsl(w);
  wide lower = b->set == NSDS_SET_BOX ? b->lower[i] : 0.0L;
  wide upper = b->set == NSDS_SET_BOX ? b->upper[i] : INFINITY;
  return fabsl(fmaxl(fminl(w, d * (z - lower)), d * (z - upper)));
}

/* The residual of docs/numerics.md, from the dense matrix; diagonals do not vanish here. Errors up
 * to `explained` times what rounding in z does to w are none. */
static wide judge(const nsds_problem *p, const double *z, wide explained) {
  int n = p->n;
  wide w[most_rows], s[most_rows], d[most_rows], slack[most_rows], worst = 0.0L;
  for (int i = 0; i < n; ++i) {
    w[i] = p->q[i];
    s[i] = fabsl(w[i]);
    d[i] = fabsl((wide)p->M.x[i + i * n]);
    for (int j = 0; j < n; ++j) {
      wide term = (wide)p->M.x[i + j * n] * z[j];
      w[i] += term;
      s[i] += fabsl(term);
    }
  }
  for (int i = 0; i < n; ++i) {
    slack[i] = 0.0L;
    for (int j = 0; j < n; ++j) slack[i] += fabsl((wide)p->M.x[i + j * n]) * s[j] / d[j];
    slack[i] *= explained;
  }
  for (int a = 0, row = 0; a < p->nblock; row += p->block[a++].size) {
    const nsds_block *b = &p->block[a];
    unsigned alone = NSDS_SET_EQUALITY | NSDS_SET_NONNEGATIVE | NSDS_SET_BOX;
    if ((unsigned)b->set & alone) {
      for (int i = 0; i < b->size; ++i) {
        wide e = judge_row(b, i, d[row + i], w[row + i], z[row + i]);
        if (e > slack[row + i] && e > 0.0L) worst = fmaxl(worst, e / s[row + i]);
      }
    } else if (b->size > 0) {
      wide size, known[most_block_rows],
          e = judge_block(b, d + row, w + row, z + row, s + row, &size);
      for (int i = 0; i < b->size; ++i) known[i] = slack[row + i] / sqrtl(d[row + i]);
      if (e > 4.0L * norm_of(known, b->size) && e > 0.0L) worst = fmaxl(worst, e / size);
    }
  }
  return worst;
}

/* ---- random problems ---- */

/* z -> z / c, w -> c w with c = 4^exponent for all rows of block a. */
static void change_unit(mixed *p, int a, int first, int exponent) {
  nsds_block *b = &p->block[a];
  sample_block *s = &p->sample[a];
  int n = p->problem.n;
  b->radius = ldexp(b->radius, -exponent);
  for (int i = 0; i < b->size; ++i) {
    s->lower[i] = ldexp(s->lower[i], -exponent);
    s->upper[i] = ldexp(s->upper[i], -exponent);
    for (int k = 0; k < b->nfacet; ++k)
      s->H[k + i * b->nfacet] = ldexp(s->H[k + i * b->nfacet], exponent);
    p->z[first + i] = ldexp(p->z[first + i], -exponent);
    p->q[first + i] = ldexp(p->q[first + i], exponent);
    for (int j = 0; j < n; ++j) {
      p->M[first + i + j * n] = ldexp(p->M[first + i + j * n], exponent);
      p->M[j + (first + i) * n] = ldexp(p->M[j + (first + i) * n], exponent);
    }
  }
}

/* Units of up to 30 decades, and a common factor of M and q. */
static void change_units(mixed *p) {
  int n = p->problem.n, common = (int)(40 * random_number());
  for (int a = 0; a < p->problem.nblock; ++a) {
    p->block[a].lower = p->sample[a].lower;
    p->block[a].upper = p->sample[a].upper;
    p->block[a].H = p->sample[a].H;
    p->block[a].K = p->sample[a].K;
  }
  for (int a = 0, row = 0; a < p->problem.nblock; row += p->block[a++].size)
    change_unit(p, a, row, 2 * (int)(12 * random_number()));
  for (int k = 0; k < n * n; ++k) p->M[k] = ldexp(p->M[k], common);
  for (int i = 0; i < n; ++i) p->q[i] = ldexp(p->q[i], common);
}

typedef struct counts {
  long certified, refused, solved, unsolved;
} counts;

static const double tolerance = 1e-8;

/* The library's verdict on z and the judge's: neither may be alone. */
static bool agree(const nsds_problem *p, const double *z, counts *sum) {
  nsds_certificate c = certify(p, z);
  if (c.residual <= tolerance) ++sum->certified;
  else ++sum->refused;
  if (c.diverged) return judge(p, z, 0.0L) > 0.0L;
  if (c.residual <= tolerance) return judge(p, z, 64 * (wide)DBL_EPSILON) <= 1.01L * tolerance;
  return judge(p, z, 0.0L) > 0.99L * tolerance;
}

static void random_problem(nsds_context *context, nsds_solver *solver, long round, counts *sum) {
  mixed p;
  int nblock = 1 + (int)(4 * fabs(random_number())),
      which = round % 3 ? -1 : (int)(round / 3 % kind_count);
  int rank = round % 5 ? -1 : 3;
  mixed_create(&p, nblock, which, rank, 6 * fabs(random_number()), round % 7 ? 0.1 : 1e-6);
  change_units(&p);
  assert_status(nsds_problem_check(context, &p.problem), NSDS_OK);
  int n = p.problem.n;
  double z[most_rows], w[most_rows];
  if (!(certify(&p.problem, p.z).residual <= 1e-12)) /* the known answer: no false no */
    fail_msg("problem %ld: the answer has residual %g", round, certify(&p.problem, p.z).residual);
  if (!agree(&p.problem, p.z, sum)) fail_msg("problem %ld: the answer is judged otherwise", round);
  for (int k = 0; k < 3; ++k) { /* off by more and less */
    for (int i = 0; i < n; ++i)
      z[i] = p.z[i] * (1.0 + pow(10.0, -2 - 4 * k) * random_number()) +
             (k == 0 ? 1e-3 * random_number() * p.z[0] : 0.0);
    if (!agree(&p.problem, z, sum)) fail_msg("problem %ld: z at random is judged otherwise", round);
  }
  static const nsds_storage storage[4] = {NSDS_DENSE, NSDS_CSC, NSDS_BLOCK_ROWS, NSDS_FACTORED};
  converted c;
  converted_create(&c, &p.problem, storage[round % 4]);
  nsds_certificate again = certify(&c.problem, p.z);
  if (!(again.residual <= 1e-12))
    fail_msg("problem %ld: the answer has residual %g in storage %ld", round, again.residual,
             round % 4);
  memset(z, 0, sizeof z);
  nsds_solver_info info;
  nsds_status status = nsds_solve(solver, &c.problem, z, w, &info);
  converted_destroy(&c);
  if (status == NSDS_OK) ++sum->solved;
  else {
    ++sum->unsolved;
    printf("             problem %ld is not solved: %s by %s, residual %g\n", round,
           nsds_outcome_text(info.outcome), info.solver, info.residual);
  }
  if (status == NSDS_OK && !(judge(&p.problem, z, 64 * (wide)DBL_EPSILON) <= 1.01L * tolerance))
    fail_msg("problem %ld: solved by %s with %g, the judge finds %Lg", round, info.solver,
             info.residual, judge(&p.problem, z, 64 * (wide)DBL_EPSILON));
  mixed_destroy(&p);
}

static void verdicts_on_random_problems_are_right(void **unused) {
  (void)unused;
  nsds_context *context = nsds_context_create(NULL);
  nsds_solver *solver = nsds_solver_create(context, NULL);
  assert_status(nsds_solver_set(solver, "tolerance", tolerance), NSDS_OK);
  counts sum = {0};
  random_seed(37);
  for (long k = 0; k < problems; ++k) random_problem(context, solver, k, &sum);
  printf("             %ld problems: %ld points certified, %ld refused; %ld solved, %ld not\n",
         problems, sum.certified, sum.refused, sum.solved, sum.unsolved);
  nsds_solver_destroy(solver);
  nsds_context_destroy(context);
}

int main(int argc, char **argv) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(points_beyond_1e154_are_not_certified),
      cmocka_unit_test(overflowing_terms_are_not_certified),
      cmocka_unit_test(a_row_of_rounding_alone_is_no_error),
      cmocka_unit_test(a_diagonal_of_rounding_explains_no_error),
      cmocka_unit_test(a_load_that_a_set_holds_excuses_nothing),
      cmocka_unit_test(bounded_sets_at_rest_are_certified),
      cmocka_unit_test(rows_without_diagonal_know_no_units),
      cmocka_unit_test(a_refused_answer_says_why),
      cmocka_unit_test(options_that_count_refuse_fractions),
      cmocka_unit_test(verdicts_on_random_problems_are_right),
  };
  if (argc > 1) problems = atol(argv[1]);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
