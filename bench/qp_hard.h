/*
 * Convex quadratic programmes (qp.h) that are hard for their data, with known optimal points. Each
 * family has the trouble of some files in the collection of Maros and Meszaros:
 *
 *     units      rows and columns in units that differ by 1e8
 *     stairs     periods that hand over to the next, b mostly zero; few curved columns
 *     covers     inequalities that hold with equality at zero; most columns zero
 *     trusses    many more columns than rows, in pairs of opposite sign; no single dual solution
 *     redundant  duplicate, singleton and empty rows, fixed and empty columns
 *     network    flows, capacities; the equalities add up to zero
 *     dependent  equalities that follow from others
 *     free       free columns, H of low rank, ranges
 *     blend      entries over four decades in each row, a tiny H
 *     dense      a few dense columns and rows
 *
 * x, y and reduced costs are chosen first, c and b follow. In most families all data are whole
 * numbers, so both are exact. qp_spoil() makes a programme infeasible or unbounded.
 */
#ifndef NSDS_BENCH_QP_HARD_H
#define NSDS_BENCH_QP_HARD_H

#include "qp.h"

static const char *const qp_hard_family[] = {"units",     "stairs",  "covers",    "trusses",
                                             "redundant", "network", "dependent", "free",
                                             "blend",     "dense"};
enum { qp_hard_families = sizeof qp_hard_family / sizeof *qp_hard_family };

static inline double qp_whole(qp *p, int most) { return 1.0 + qp_index(p, most); }
static inline double qp_sign(qp *p) { return qp_part(p) < 0.5 ? -1.0 : 1.0; }
static inline double qp_decades(qp *p, double from, double to) {
  return pow(10.0, from + (to - from) * qp_part(p));
}

/* ---- the optimal point ---- */

/* Returns x_j, with its reduced cost in *cost. `low`: share of columns at their lower bounds;
 * `idle`: share of the multipliers at bounds that vanish. */
static inline double qp_place(qp *p, int j, double low, double idle, double *cost) {
  double l = p->lower[j], u = p->upper[j], chance = qp_part(p);
  bool vanishes = qp_part(p) < idle;
  *cost = 0.0;
  if (l == u) return *cost = qp_whole(p, 9) * qp_sign(p), l;
  if (isfinite(l) && chance < low) return *cost = vanishes ? 0.0 : qp_whole(p, 9), l;
  if (isfinite(u) && chance > 0.8) return *cost = vanishes ? 0.0 : -qp_whole(p, 9), u;
  if (isfinite(l) && isfinite(u)) return 0.5 * (l + u);
  if (isfinite(l)) return l + qp_whole(p, 9);
  return isfinite(u) ? u - qp_whole(p, 9) : qp_whole(p, 9) * qp_sign(p);
}

/* Makes b and c for a drawn optimal point; rows with b = 0 already balanced stay so. */
static inline void qp_settle(qp *p, double low, double idle) {
  double *x = qp_numbers(p->n), *y = qp_numbers(p->m);
  qp_pack(&p->A);
  qp_pack(&p->H);
  for (int j = 0; j < p->n; ++j) x[j] = qp_place(p, j, low, idle, &p->c[j]);
  for (int i = 0; i < p->m; ++i) p->b[i] = 0.0;
  qp_multiply(&p->A, false, 1.0, x, p->b, NULL);
  for (int i = 0; i < p->m; ++i) {
    if (p->equal[i]) y[i] = qp_whole(p, 9) * qp_sign(p);
    else if (qp_part(p) < 0.7) y[i] = qp_part(p) < idle ? 0.0 : qp_whole(p, 9);
    else p->b[i] -= qp_whole(p, 9);
  }
  qp_multiply(&p->H, false, -1.0, x, p->c, NULL);
  qp_multiply(&p->A, true, 1.0, y, p->c, NULL);
  p->planted = x;
  free(y);
}

static inline double qp_power(qp *p, int most) {
  return ldexp(1.0, qp_index(p, 2 * most + 1) - most);
}

/* Gives rows and columns other units, powers of two up to 2^most and down to its inverse. */
static inline void qp_rescale(qp *p, int rows, int columns) {
  double *r = qp_numbers(p->m), *s = qp_numbers(p->n);
  for (int i = 0; i < p->m; ++i) r[i] = qp_power(p, rows);
  for (int j = 0; j < p->n; ++j) s[j] = qp_power(p, columns);
  for (int k = 0; k < p->A.count; ++k) p->A.entry[k].x *= r[p->A.entry[k].i] * s[p->A.entry[k].j];
  for (int k = 0; k < p->H.count; ++k) p->H.entry[k].x *= s[p->H.entry[k].i] * s[p->H.entry[k].j];
  for (int i = 0; i < p->m; ++i) p->b[i] *= r[i];
  for (int j = 0; j < p->n; ++j) {
    p->c[j] *= s[j];
    p->lower[j] /= s[j];
    p->upper[j] /= s[j];
    p->planted[j] /= s[j];
  }
  free(r);
  free(s);
}

/* ---- parts of programmes ---- */

/* x >= 0, but `boxes` of the columns between bounds, and `unbound` free. */
static inline void qp_bounds(qp *p, double boxes, double unbound) {
  for (int j = 0; j < p->n; ++j) {
    double chance = qp_part(p);
    p->lower[j] = chance < unbound ? -INFINITY : 0.0;
    if (chance > 1.0 - boxes) p->upper[j] = 2.0 * qp_whole(p, 5);
  }
}

static inline void qp_whole_rows(qp *p, int from, int to, int entries) {
  for (int i = from; i < to; ++i)
    for (int k = 0; k < entries; ++k)
      qp_add(&p->A, i, qp_index(p, p->n), qp_whole(p, 4) * qp_sign(p));
}

/* H gets squares of differences and sums of two columns, of this size. */
static inline void qp_bend(qp *p, int count, double size) {
  for (int k = 0; k < count; ++k) {
    int i = qp_index(p, p->n), j = qp_index(p, p->n);
    double sign = qp_sign(p);
    qp_add(&p->H, i, i, size);
    if (i == j) continue;
    qp_add(&p->H, j, j, size);
    qp_add(&p->H, i, j, sign * size);
    qp_add(&p->H, j, i, sign * size);
  }
}

static inline void qp_equal_share(qp *p, double share) {
  for (int i = 0; i < p->m; ++i) p->equal[i] = qp_part(p) < share;
}

/* ---- families ---- */

static inline void qp_units(qp *p, int size) {
  qp_begin(p, 2 * size / 3, size / 3);
  qp_bounds(p, 0.2, 0.15);
  qp_equal_share(p, 0.5);
  qp_whole_rows(p, 0, p->m, 4);
  qp_bend(p, p->n / 4, 0.125);
  qp_settle(p, 0.4, 0.1);
  qp_rescale(p, 14, 14);
}

static inline void qp_stairs(qp *p, int size) {
  enum { columns = 9, rows = 6 };
  int periods = size / (columns + rows) + 1;
  qp_begin(p, periods * columns, periods * rows);
  qp_bounds(p, 0.1, 0.0);
  for (int t = 0; t < periods; ++t)
    for (int r = 0; r < rows; ++r) {
      int i = t * rows + r;
      p->equal[i] = r < 4;
      for (int k = 0; k < 3; ++k)
        qp_add(&p->A, i, t * columns + qp_index(p, columns), qp_whole(p, 3) * qp_sign(p));
      for (int k = 0; k < 2 && t > 0; ++k)
        qp_add(&p->A, i, (t - 1) * columns + qp_index(p, columns), -qp_whole(p, 2) / 4.0);
    }
  qp_bend(p, p->n / 10 + 1, 1.0);
  qp_settle(p, 0.5, 0.1);
  qp_rescale(p, 7, 5);
}

static inline void qp_covers(qp *p, int size) {
  qp_begin(p, 2 * size / 3, size / 3);
  qp_bounds(p, 0.0, 0.0);
  qp_equal_share(p, 0.2);
  qp_whole_rows(p, 0, p->m, 4);
  qp_bend(p, p->n / 20 + 1, 1.0);
  qp_settle(p, 0.85, 0.3);
}

static inline void qp_trusses(qp *p, int size) {
  int m = size / 9 + 1, bars = 4 * m;
  qp_begin(p, 2 * bars, m);
  qp_bounds(p, 0.0, 0.0);
  qp_equal_share(p, 1.0);
  for (int j = 0; j < bars; ++j)
    for (int k = 0; k < 4; ++k) {
      double a = floor(1e4 * qp_unit(p)) / 1e4;
      int i = (j + k * k * (1 + j % 3)) % m;
      qp_add(&p->A, i, j, a);
      qp_add(&p->A, i, bars + j, -a);
    }
  qp_bend(p, 3, 1e-2);
  qp_settle(p, 0.9, 0.2);
}

static inline void qp_redundant(qp *p, int size) {
  int part = size / 12 + 1, m = 5 * part;
  qp_begin(p, 6 * part, m);
  qp_bounds(p, 0.2, 0.05);
  qp_equal_share(p, 0.5);
  for (int j = 0; j < p->n; ++j)
    if (qp_part(p) < 0.1) p->lower[j] = p->upper[j] = qp_whole(p, 5) - 3.0;
  qp_whole_rows(p, 0, 3 * part, 4);
  for (int k = 0, count = p->A.count; k < count; ++k) { /* multiples of the first */
    qp_entry e = p->A.entry[k];
    if (e.i < part) qp_add(&p->A, 3 * part + e.i, e.j, e.x * (p->equal[e.i] ? -2.0 : 0.5));
  }
  for (int i = 0; i < part; ++i) p->equal[3 * part + i] = p->equal[i];
  for (int i = 4 * part; i < m; ++i) /* singleton rows; one in eight empty */
    if (qp_index(p, 8)) qp_add(&p->A, i, qp_index(p, p->n), qp_whole(p, 8) * qp_sign(p));
  qp_bend(p, p->n / 8, 0.5);
  qp_settle(p, 0.5, 0.2);
  for (int i = 0; i < part; ++i) p->b[3 * part + i] = p->b[i] * (p->equal[i] ? -2.0 : 0.5);
}

static inline void qp_network(qp *p, int size) {
  int nodes = size / 4 + 2;
  qp_begin(p, 3 * nodes, nodes);
  qp_bounds(p, 0.4, 0.0);
  qp_equal_share(p, 1.0);
  for (int j = 0; j < p->n; ++j) {
    int from = j % nodes, to = (from + 1 + (j < nodes ? 0 : qp_index(p, nodes - 1))) % nodes;
    qp_add(&p->A, from, j, 1.0);
    if (to != from) qp_add(&p->A, to, j, -1.0);
  }
  for (int j = 0; j < p->n; j += 7) qp_add(&p->H, j, j, 0.0625);
  qp_settle(p, 0.6, 0.2);
}

static inline void qp_dependent(qp *p, int size) {
  int part = size / 18 + 2;
  qp_begin(p, 12 * part, 6 * part);
  qp_bounds(p, 0.1, 0.05);
  qp_equal_share(p, 1.0);
  qp_whole_rows(p, 0, 4 * part, 3);
  int count = p->A.count;
  for (int i = 4 * part; i < p->m; ++i) /* sums of three others */
    for (int r = 0; r < 3; ++r) {
      int other = qp_index(p, 4 * part);
      double factor = qp_sign(p) * qp_whole(p, 2);
      for (int k = 0; k < count; ++k)
        if (p->A.entry[k].i == other) qp_add(&p->A, i, p->A.entry[k].j, factor * p->A.entry[k].x);
    }
  qp_bend(p, p->n / 10, 1.0);
  qp_settle(p, 0.6, 0.1);
}

static inline void qp_free_columns(qp *p, int size) {
  qp_begin(p, 2 * size / 3, size / 3);
  qp_bounds(p, 0.2, 0.5);
  qp_equal_share(p, 0.3);
  qp_whole_rows(p, 0, p->m, 4);
  for (int k = 0, count = p->A.count; k < count;
       ++k) { /* ranges: rows twice, the second negative */
    qp_entry e = p->A.entry[k];
    if (e.i < p->m / 8) qp_add(&p->A, p->m - 1 - e.i, e.j, -e.x);
  }
  for (int i = 0; i < p->m / 8; ++i) p->equal[i] = p->equal[p->m - 1 - i] = false;
  for (int r = 0; r < p->n / 5; ++r) { /* of a third of the rank */
    int j[3] = {qp_index(p, p->n), qp_index(p, p->n), qp_index(p, p->n)};
    double a[3] = {qp_sign(p), 2.0 * qp_sign(p), qp_sign(p)};
    for (int k = 0; k < 9; ++k) qp_add(&p->H, j[k / 3], j[k % 3], a[k / 3] * a[k % 3]);
  }
  qp_settle(p, 0.4, 0.1);
}

static inline void qp_blend(qp *p, int size) {
  qp_begin(p, 2 * size / 3, size / 3);
  qp_equal_share(p, 0.5);
  for (int j = 0; j < p->n; ++j) {
    p->lower[j] = 0.0;
    if (qp_part(p) < 0.3) p->upper[j] = qp_decades(p, 0.0, 2.0);
  }
  for (int i = 0; i < p->m; ++i)
    for (int k = 0; k < 6; ++k)
      qp_add(&p->A, i, qp_index(p, p->n), qp_sign(p) * qp_decades(p, -2.0, 2.0));
  qp_bend(p, p->n / 6 + 1, 1e-6);
  qp_settle(p, 0.7, 0.05);
}

static inline void qp_dense_lines(qp *p, int size) {
  enum { lines = 3 };
  qp_begin(p, 3 * size / 4 + lines, size / 4 + lines);
  qp_bounds(p, 0.2, 0.0);
  qp_equal_share(p, 0.4);
  qp_whole_rows(p, lines, p->m, 3);
  for (int k = 0; k < lines; ++k) {
    for (int i = lines; i < p->m; ++i)
      if (qp_index(p, 3)) qp_add(&p->A, i, k, qp_whole(p, 3));
    for (int j = lines; j < p->n; ++j)
      if (qp_index(p, 3)) qp_add(&p->A, k, j, qp_whole(p, 3));
  }
  for (int j = lines; j < p->n; j += 3) qp_add(&p->H, j, j, 1e-6);
  qp_settle(p, 0.6, 0.1);
}

/* Draws a programme with about `least` to `most` rows and columns together. */
static inline bool qp_hard_draw(qp *p, const char *family, int seed, int least, int most) {
  static void (*const make[])(qp *, int) = {
      qp_units,   qp_stairs,    qp_covers,       qp_trusses, qp_redundant,
      qp_network, qp_dependent, qp_free_columns, qp_blend,   qp_dense_lines};
  int k = 0;
  while (k < qp_hard_families && strcmp(family, qp_hard_family[k])) ++k;
  if (k == qp_hard_families) return false;
  *p = (qp){.chance = 0x9e3779b97f4a7c15u * (uint64_t)(seed + 1) + (uint64_t)k};
  for (int i = 0; i < 16; ++i) qp_part(p);
  make[k](p, (int)(least * pow((double)most / least, qp_part(p))));
  return true;
}

/* ---- without a solution ---- */

static inline double *qp_longer(double *x, int n, double last) {
  x = (double *)realloc(x, ((size_t)n + 1) * sizeof *x);
  if (!x) exit(EXIT_FAILURE);
  x[n] = last;
  return x;
}

/* Adds a row that contradicts a few others, by a margin of 1 to 1e-3 of their b. */
static inline void qp_make_infeasible(qp *p) {
  double sum = 0.0, size = 0.0;
  int count = p->A.count, rows = 1 + qp_index(p, 4);
  for (int r = 0; r < rows && p->m > 0; ++r) {
    int i = qp_index(p, p->m);
    double weight = qp_whole(p, 3);
    for (int k = 0; k < count; ++k)
      if (p->A.entry[k].i == i) qp_add(&p->A, p->m, p->A.entry[k].j, -weight * p->A.entry[k].x);
    sum += weight * p->b[i];
    size += fabs(weight * p->b[i]);
  }
  double margin = (size > 0.0 ? size : 1.0) * qp_decades(p, -3.0, 0.0);
  p->b = qp_longer(p->b, p->m, margin - sum);
  p->equal = (bool *)realloc(p->equal, (size_t)p->m + 1);
  if (!p->equal) exit(EXIT_FAILURE);
  p->equal[p->m++] = false;
  p->A.m = p->m;
  qp_pack(&p->A);
}

/* Adds a column that can grow with a few others for ever, at a gain. */
static inline void qp_make_unbounded(qp *p) {
  double sum = 0.0, size = 0.0;
  bool *bent = (bool *)qp_memory((size_t)p->n, sizeof *bent);
  int count = p->A.count, columns = 1 + qp_index(p, 4);
  for (int k = 0; k < p->H.count; ++k) bent[p->H.entry[k].j] = true;
  for (int r = 0; r < 20 && columns > 0; ++r) {
    int j = qp_index(p, p->n);
    double weight = qp_whole(p, 3);
    if (bent[j] || isfinite(p->upper[j])) continue;
    for (int k = 0; k < count; ++k)
      if (p->A.entry[k].j == j) qp_add(&p->A, p->A.entry[k].i, p->n, -weight * p->A.entry[k].x);
    sum += weight * p->c[j];
    size += fabs(weight * p->c[j]);
    bent[j] = true;
    --columns;
  }
  free(bent);
  p->c = qp_longer(p->c, p->n, -sum - (size > 0.0 ? size : 1.0) * qp_decades(p, -3.0, 0.0));
  p->lower = qp_longer(p->lower, p->n, 0.0);
  p->upper = qp_longer(p->upper, p->n, INFINITY);
  ++p->n;
  p->H.n = p->H.m = p->A.n = p->n;
  qp_pack(&p->A);
}

#endif
