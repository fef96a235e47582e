/* Compact tableau for pivoting methods, see tableau.h. */
#include "tableau.h"

#include <float.h>

/* Ratios that count as tied, and what rounding leaves of a right-hand side. */
static const double tie = 1e-12;
static const double rounding = 256 * DBL_EPSILON;

size_t nsds_tableau_doubles(int n) { return (size_t)n * (size_t)(n + 4); }

size_t nsds_tableau_integers(int n) { return 4 * (size_t)n + 2; }

nsds_tableau nsds_tableau_lay_out(int n, double *doubles, int *integers) {
  size_t m = (size_t)n;
  return (nsds_tableau){.n = n,
                        .m = n,
                        .columns = n,
                        .stride = n + 1,
                        .T = doubles,
                        .rhs = doubles + m * (m + 1),
                        .size = doubles + m * (m + 2),
                        .scale = doubles + m * (m + 3),
                        .basic = integers,
                        .nonbasic = integers + m,
                        .place = integers + 2 * m + 1};
}

static double power_of_two_near_inverse(double x) {
  if (!(x > 0.0) || !isfinite(x)) return 1.0;
  int exponent;
  frexp(x, &exponent);
  return ldexp(1.0, -exponent);
}

static double power_of_two_near_inverse_root(double x) {
  if (!(x > 0.0) || !isfinite(x)) return 1.0;
  int exponent;
  frexp(x, &exponent);
  return ldexp(1.0, -(exponent / 2));
}

/* Largest scaled entry of the row and the column of each pair. */
static void largest_entries(const nsds_tableau *t, double *most) {
  int n = t->n;
  memset(most, 0, (size_t)n * sizeof *most);
  for (int i = 0; i < n; ++i) {
    const double *row = nsds_tableau_row(t, i);
    for (int j = 0; j < n; ++j) {
      double a = fabs(row[j]) * t->scale[i] * t->scale[j];
      most[i] = fmax(most[i], a);
      most[j] = fmax(most[j], a);
    }
  }
}

static bool is_free(const nsds_tableau *t, int i) { return t->free && t->free[i]; }

/* Rows and columns of free pairs to entries up to about 1, each by itself. */
static void scale_free(nsds_tableau *t) {
  int n = t->n;
  for (int i = 0; i < n; ++i) {
    double most = 0.0, *row = nsds_tableau_row(t, i);
    if (!is_free(t, i)) continue;
    for (int j = 0; j < n; ++j) most = fmax(most, fabs(row[j]));
    double scale = power_of_two_near_inverse(most);
    for (int j = 0; j < n; ++j) row[j] *= scale;
    t->rhs[i] *= scale;
  }
  for (int j = 0; j < n; ++j) {
    double most = 0.0;
    if (!is_free(t, j)) continue;
    for (int i = 0; i < n; ++i) most = fmax(most, fabs(nsds_tableau_row(t, i)[j]));
    double scale = power_of_two_near_inverse(most);
    for (int i = 0; i < n; ++i) nsds_tableau_row(t, i)[j] *= scale;
  }
}

/* A unit diagonal, and where it is no measure of its row and column, as with relays, entries up to
 * about 1 (Ruiz, RAL-TR-2001-034). */
static void find_scales(nsds_tableau *t) {
  enum { passes = 6 };
  for (int i = 0; i < t->n; ++i)
    t->scale[i] =
        is_free(t, i) ? 1.0 : power_of_two_near_inverse_root(fabs(nsds_tableau_row(t, i)[i]));
  for (int k = 0; k < passes; ++k) {
    bool done = true;
    largest_entries(t, t->size);
    for (int i = 0; i < t->n; ++i) {
      if (is_free(t, i) || t->size[i] == 0.0 || (t->size[i] >= 0.25 && t->size[i] <= 4.0)) continue;
      t->scale[i] *= power_of_two_near_inverse_root(t->size[i]);
      done = false;
    }
    if (done) return;
  }
}

bool nsds_tableau_measure(nsds_tableau *t) {
  double least = 0.0;
  for (int r = 0; r < t->m; ++r) least = fmin(least, t->rhs[r]);
  double size = power_of_two_near_inverse(-least);
  for (int r = 0; r < t->m; ++r) {
    t->rhs[r] *= size;
    t->size[r] = fabs(t->rhs[r]);
  }
  return least < 0.0;
}

void nsds_tableau_start(nsds_tableau *t) {
  int n = t->n;
  double most = 0.0;
  if (t->free) scale_free(t);
  find_scales(t);
  for (int i = 0; i < n; ++i) {
    double *row = nsds_tableau_row(t, i);
    for (int j = 0; j < n; ++j) row[j] = -row[j] * t->scale[i] * t->scale[j];
    t->rhs[i] *= t->scale[i];
    most = fmax(most, fabs(t->rhs[i]));
    nsds_tableau_set_basic(t, i, i);
    nsds_tableau_set_nonbasic(t, i, n + i);
  }
  double size = power_of_two_near_inverse(most);
  for (int i = 0; i < n; ++i) {
    t->rhs[i] *= size;
    t->size[i] = fabs(t->rhs[i]);
  }
}

/* Entry of row r of B^-1 in the column of variable y_j. */
static double inverse_entry(const nsds_tableau *t, int r, int y) {
  int c = t->place[y];
  return c >= 0 ? nsds_tableau_row(t, r)[c] : (c == -1 - r ? 1.0 : 0.0);
}

/* A rhs that may be rounding: `size` overestimates over many pivots. Anew from B^-1 and the start,
 * where that is known. */
static void settle(nsds_tableau *t, int r) {
  double value = 0.0, terms = 0.0;
  for (int y = 0; t->start && y < t->n; ++y) {
    double term = t->start[y] != 0.0 ? inverse_entry(t, r, y) * t->start[y] : 0.0;
    value += term;
    terms += fabs(term);
  }
  t->rhs[r] = fabs(value) <= rounding * terms ? 0.0 : value;
  if (t->start) t->size[r] = terms;
}

void nsds_tableau_pivot(nsds_tableau *t, int p, int e) {
  double *restrict top = nsds_tableau_row(t, p);
  double inverse = 1.0 / top[e];
  for (int c = 0; c < t->columns; ++c) top[c] *= inverse;
  top[e] = inverse;
  t->rhs[p] *= inverse;
  t->size[p] *= fabs(inverse);
  for (int r = 0; r < t->m; ++r) {
    double *restrict row = nsds_tableau_row(t, r), f = row[e];
    if (r == p || f == 0.0) continue;
    row[e] = 0.0;
    for (int c = 0; c < t->columns; ++c) row[c] -= f * top[c];
    t->rhs[r] -= f * t->rhs[p];
    t->size[r] = fmax(t->size[r], fabs(f) * t->size[p]);
  }
  int leaving = t->basic[p];
  nsds_tableau_set_basic(t, p, t->nonbasic[e]);
  nsds_tableau_set_nonbasic(t, e, leaving);
  for (int r = 0; r < t->m; ++r)
    if (t->rhs[r] != 0.0 && fabs(t->rhs[r]) <= rounding * t->size[r]) settle(t, r);
}

void nsds_tableau_name_basic_y(nsds_tableau *t) {
  int n = t->n;
  for (int r = 0; r < t->m; ++r) {
    int k = t->basic[r] - n;
    if (k < 0) continue;
    int column = t->place[k];
    nsds_tableau_set_basic(t, r, k);
    nsds_tableau_set_nonbasic(t, column, n + k);
  }
}

/* True when row r divided by a is lexicographically less than row s divided by b. */
static bool lexicographically_less(const nsds_tableau *t, const unsigned char *skip, int r,
                                   double a, int s, double b) {
  for (int y = 0; y < t->n; ++y) {
    if (skip && skip[y]) continue;
    double u = inverse_entry(t, r, y) / a, v = inverse_entry(t, s, y) / b;
    if (fabs(u - v) > tie * fmax(1.0, fmax(fabs(u), fabs(v)))) return u < v;
  }
  return r < s;
}

int nsds_tableau_blocking_row(const nsds_tableau *t, const unsigned char *skip, int e, int first) {
  int best = -1;
  double least = INFINITY;
  for (int r = 0; r < t->m; ++r) {
    double a = nsds_tableau_row(t, r)[e];
    if (!(a > nsds_pivot_zero)) continue;
    double ratio = fmax(t->rhs[r], 0.0) / a;
    double margin = tie * fmax(1.0, fabs(least));
    if (best < 0 || ratio < least - margin) {
      best = r;
      least = ratio;
      continue;
    }
    if (ratio > least + margin || t->basic[best] == first) continue;
    if (t->basic[r] == first ||
        lexicographically_less(t, skip, r, a, best, nsds_tableau_row(t, best)[e])) {
      best = r;
      least = fmin(least, ratio);
    }
  }
  return best;
}
