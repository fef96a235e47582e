/*
 * Direct enumeration for at most three rows, see direct.h (Cottle, Pang & Stone 1992, 1.3:
 * complementary cones).
 *
 * Each row has z_i at its lower bound, at its upper bound, or w_i = 0. Every choice leaves a linear
 * system of at most three unknowns. The principal systems decide, unless they are singular. Then
 * the nonprincipal ones cover the vertices of the degenerate cones: z_B unknown, the others at a
 * bound, rows R with w_R = 0, |R| = |B|. The search starts with the choice that the given z shows,
 * so that the nearest of several solutions is found again.
 */
#include "numerics/pivoting/direct.h"

#include "numerics/linear/canonical.h"
#include "numerics/linear/factor.h"
#include "numerics/sets/bounds.h"

#include <float.h>

#include <stdlib.h>

enum { most_rows = nsds_direct_rows };

typedef struct small_problem {
  int n;
  const double *M; /* n x n */
  const double *q;
  double lower[most_rows], upper[most_rows];
  unsigned all;     /* bits of all rows */
  unsigned free;    /* rows without bounds */
  unsigned fixed;   /* rows with equal bounds */
  unsigned both;    /* rows with two different finite bounds */
  unsigned only_up; /* rows with an upper bound alone */
} small_problem;

/* Bits of the unknown z, and of the other z that are at their upper bound. */
typedef struct choice {
  unsigned unknown, upper;
} choice;

typedef struct candidate {
  double z[most_rows];
  double error; /* largest scaled violation */
} candidate;

/* The best candidate, and the number of systems tried. */
typedef struct search {
  candidate best;
  int tried, limit;
} search;

/* Rounding of sums of at most four terms and of the pivots of three rows. */
static const double rounding = 16 * DBL_EPSILON;

/* Smaller numbers have no relative accuracy. */
static const double underflow = DBL_MIN / DBL_EPSILON;

static int count_bits(unsigned set) { return (int)((set & 1) + (set >> 1 & 1) + (set >> 2 & 1)); }

/* Returns the largest violation of the law, over the rounding scale of its row. */
static double violation(const small_problem *s, const double *z) {
  double worst = 0.0;
  for (int i = 0; i < s->n; ++i) {
    double w = s->q[i], scale = fabs(w) + underflow;
    for (int j = 0; j < s->n; ++j) {
      double t = s->M[i + j * s->n] * z[j];
      w += t;
      scale += fabs(t);
    }
    bool held = (z[i] == s->lower[i] && w > 0.0) || (z[i] == s->upper[i] && w < 0.0);
    if (!held && !(fabs(w) <= worst * scale)) worst = fabs(w) / scale;
  }
  return isnan(worst) ? INFINITY : worst;
}

/* Solves a x = b in place; a constant k unrolls the loops. Returns false if a pivot is no larger
 * than the rounding of its terms. */
static inline bool direct_eliminate(const int k, double *a, double *b) {
  int pivot[most_rows];
  double last[most_rows]; /* last column, with its rows interchanged */
  double given[most_rows * most_rows];
  for (int i = 0; i < k * k; ++i) given[i] = a[i];
  if (!nsds_small_lu(k, a, pivot)) return false;
  for (int c = 1; c < k; ++c) {
    for (int i = 0; i < k; ++i) last[i] = given[i + c * k];
    for (int i = 0; i < k; ++i) {
      double swapped = last[i];
      last[i] = last[pivot[i]];
      last[pivot[i]] = swapped;
    }
    double terms = fabs(last[c]);
    for (int i = 0; i < c; ++i) terms += fabs(a[c + i * k] * a[i + c * k]);
    if (!(fabs(a[c + c * k]) > rounding * terms)) return false;
  }
  nsds_small_lu_solve(k, a, pivot, b);
  return true;
}

/* Solves w_R = 0 for the unknown z; false if singular to rounding. */
static bool solve_minor(const small_problem *s, unsigned R, choice c, double *z) {
  double a[most_rows * most_rows], b[most_rows];
  int column[most_rows], k = 0, rows = 0, n = s->n;
  for (int j = 0; j < n; ++j) {
    z[j] = 0.0;
    if (c.unknown >> j & 1) column[k++] = j;
    else if (!(s->free >> j & 1)) z[j] = c.upper >> j & 1 ? s->upper[j] : s->lower[j];
  }
  for (int i = 0; i < n; ++i) {
    if (!(R >> i & 1)) continue;
    double sum = s->q[i];
    for (int j = 0; j < n; ++j) sum += s->M[i + j * n] * z[j];
    for (int j = 0; j < k; ++j) a[rows + j * k] = s->M[i + column[j] * n];
    b[rows++] = -sum;
  }
  bool regular = k == 0 || (k == 1   ? direct_eliminate(1, a, b)
                            : k == 2 ? direct_eliminate(2, a, b)
                                     : direct_eliminate(3, a, b));
  for (int j = 0; regular && j < k; ++j) z[column[j]] = b[j];
  return regular;
}

/* Tries (R, c) and keeps the best candidate. Returns true if that solves to rounding, or the limit
 * is reached. */
static bool try_minor(const small_problem *s, unsigned R, choice c, search *found) {
  candidate t;
  if (found->tried >= found->limit) return true;
  ++found->tried;
  if (!solve_minor(s, R, c, t.z)) return false;
  for (int i = 0; i < s->n; ++i)
    if (!(s->free >> i & 1)) t.z[i] = nsds_clip(t.z[i], s->lower[i], s->upper[i]);
  t.error = violation(s, t.z);
  if (t.error < found->best.error) found->best = t;
  return found->best.error <= rounding;
}

/* Tries the principal system of a choice, or the nonprincipal ones. */
static bool try_choice(const small_problem *s, choice c, bool principal, search *found) {
  if (principal) return try_minor(s, c.unknown, c, found);
  bool tried = (c.unknown & s->free) == s->free && !(c.unknown & s->fixed);
  for (unsigned R = 0; R <= s->all; ++R) {
    if ((R == c.unknown && tried) || count_bits(R) != count_bits(c.unknown)) continue;
    if (try_minor(s, R, c, found)) return true;
  }
  return false;
}

static bool try_all(const small_problem *s, bool principal, search *found) {
  for (unsigned B = 0; B <= s->all; ++B) {
    if (principal && ((B & s->free) != s->free || (B & s->fixed))) continue;
    unsigned two = s->both & ~B, up = 0;
    do { /* all subsets of `two` */
      choice c = {B, up | (s->only_up & ~B)};
      if (try_choice(s, c, principal, found)) return true;
      up = (up - two) & two;
    } while (up);
  }
  return false;
}

static small_problem direct_describe(const nsds_problem *problem, const double *M) {
  small_problem s = {.n = problem->n, .M = M, .q = problem->q, .all = (1u << problem->n) - 1};
  nsds_row_bounds(problem, s.lower, s.upper);
  for (int i = 0; i < s.n; ++i) {
    unsigned bit = 1u << i;
    bool below = s.lower[i] > -INFINITY, above = s.upper[i] < INFINITY;
    if (!below && !above) s.free |= bit;
    else if (!below) s.only_up |= bit;
    else if (above) *(s.lower[i] < s.upper[i] ? &s.both : &s.fixed) |= bit;
  }
  return s;
}

static choice choice_of(const small_problem *s, const double *z) {
  choice c = {s->free, s->only_up};
  for (int i = 0; i < s->n; ++i) {
    unsigned bit = 1u << i;
    if ((s->fixed | s->free) & bit) continue;
    if (z[i] > s->lower[i] && z[i] < s->upper[i]) c.unknown |= bit;
    else if (s->both & bit && z[i] >= s->upper[i]) c.upper |= bit;
  }
  c.upper &= ~c.unknown;
  return c;
}

double nsds_direct_try(const nsds_problem *problem, const double *M, int limit, double *z,
                       int *tried) {
  small_problem s = direct_describe(problem, M);
  search found = {.best = {.error = INFINITY}, .limit = limit};
  if (!try_choice(&s, choice_of(&s, z), true, &found) && !try_all(&s, true, &found))
    try_all(&s, false, &found);
  for (int i = 0; i < s.n; ++i) z[i] = found.best.z[i];
  *tried = found.tried;
  return found.best.error;
}

double nsds_direct_in_units(const nsds_problem *problem, const double *M, int limit, double *z,
                            int *tried) {
  double row[most_rows], column[most_rows], most[most_rows], q[most_rows];
  double lower[most_rows], upper[most_rows], A[most_rows * most_rows];
  unsigned char seen[2 * most_rows];
  int n = problem->n;
  nsds_row_bounds(problem, lower, upper);
  nsds_canonical_scales(&(nsds_columns_view){.n = n, .a = M}, problem->q, row, column, most, seen);
  for (int j = 0; j < n; ++j) {
    q[j] = row[j] * problem->q[j];
    z[j] /= column[j];
    lower[j] /= column[j];
    upper[j] /= column[j];
    for (int i = 0; i < n; ++i) A[i + j * n] = M[i + j * n] * row[i] * column[j];
  }
  const nsds_block bounds = {.set = NSDS_SET_BOX, .size = n, .lower = lower, .upper = upper};
  const nsds_problem same = {.n = n, .nblock = 1, .block = &bounds, .q = q};
  double error = nsds_direct_try(&same, A, limit, z, tried);
  for (int j = 0; j < n; ++j) z[j] *= column[j];
  return error;
}
