/*
 * Convex quadratic programmes (qp.h) after the published descriptions of problems in the collection of
 * Maros and Meszaros (Optim. Methods Softw. 11, 1999) that are given by formulas, at any size:
 *
 *     flow2, flow3  flows on a grid, divergence given (AUG2D, AUG3D), with and without bounds
 *     boundary      control of the Poisson equation on a square by its boundary values (CONT)
 *     tangle        rows that meet columns far apart (CVXQP)
 *     horizon       optimal control without bounds over a long horizon (DTOC3)
 *     budget        two dense rows (HUES-MOD); odd seeds in other units (HUESTIS)
 *     ksip          half a continuum of rows with 20 columns (KSIP)
 *     convex        the nearest sequence with differences of one sign (LISWET, YAO)
 *     powell        bounds on neighbours that turn (POWELL20)
 *     smooth        a sequence with first and second differences between bounds (STADAT)
 *     states        states without curvature (UBH1)
 *     tower         curvature of few columns, dense rows with integers (BOYD1)
 *     sparse        twice as many rows as columns, few entries in a row (BOYD2)
 *     full          half of H full (EXDATA)
 *     blocks        H of overlapping dense blocks (STCQP)
 *     shares        full H and one row (DUAL); wide (PRIMAL) for odd seeds
 */
#ifndef NSDS_BENCH_QP_KNOWN_H
#define NSDS_BENCH_QP_KNOWN_H

#include "qp_hard.h"

static const char *const qp_known_family[] = {
    "flow2",  "flow3",  "boundary", "tangle", "horizon", "budget", "ksip",   "convex",
    "powell", "smooth", "states",   "tower",  "sparse",  "full",   "blocks", "shares"};
enum { qp_known_families = sizeof qp_known_family / sizeof *qp_known_family };

static inline void qp_all_equal(qp *p) {
  for (int i = 0; i < p->m; ++i) p->equal[i] = true;
}

/* Flow of each edge of a grid of k^d nodes; odd seeds: x >= 0 with a price, seeds 2 and 3 of 4: half of
 * the edges without curvature. */
static inline void qp_flow(qp *p, int k, int d, int seed) {
  int nodes = d == 3 ? k * k * k : k * k, edges = d * nodes, j = 0;
  qp_begin(p, edges + d * nodes / k, nodes);
  for (int node = 0; node < nodes; ++node)
    for (int a = 0, stride = 1; a < d; ++a, stride *= k, ++j) {
      int place = node / stride % k;
      qp_add(&p->A, node, j, 1.0);
      if (place > 0) qp_add(&p->A, node - stride, j, -1.0);
    }
  for (int a = 0, stride = 1; a < d; ++a, stride *= k)
    for (int node = 0; node < nodes; ++node)
      if (node / stride % k == k - 1) qp_add(&p->A, node, j++, -1.0);
  for (int e = 0; e < p->n; ++e) {
    if (seed % 4 < 2 || e % 2 == 0) qp_add(&p->H, e, e, 1.0);
    if (seed % 2) p->lower[e] = 0.0, p->c[e] = seed % 4 == 1 ? -1.0 : 1.0;
  }
  for (int i = 0; i < nodes; ++i) p->b[i] = seed % 2 ? 1.0 : qp_unit(p);
  qp_all_equal(p);
}

/* State y on a grid of (k+1)^2 points, controlled by its boundary: -Laplace y = 20 inside, y <= 0.371,
 * normal derivative is the control (even seeds: y at the boundary); seeds 2 and 3 of 4: without costs. */
static inline void qp_boundary(qp *p, int k, int seed) {
  int side = k + 1, inside = (k - 1) * (k - 1), rows = inside, columns = side * side, row = 0;
  double h = 1.0 / k;
  bool normal = seed % 2;
  if (normal) rows += 4 * (k - 1);
  qp_begin(p, columns + (normal ? 4 * (k - 1) : 0), rows);
  for (int y = 1; y < k; ++y)
    for (int x = 1; x < k; ++x, ++row) {
      int at = x + side * y;
      qp_add(&p->A, row, at, 4.0);
      qp_add(&p->A, row, at - 1, -1.0);
      qp_add(&p->A, row, at + 1, -1.0);
      qp_add(&p->A, row, at - side, -1.0);
      qp_add(&p->A, row, at + side, -1.0);
      p->b[row] = (normal ? 8.0 : -20.0) * h * h;
    }
  for (int t = 1, u = columns; normal && t < k; ++t) {
    int at[4] = {t, t + side * k, side * t, k + side * t},
        in[4] = {t + side, t + side * (k - 1), 1 + side * t, k - 1 + side * t};
    for (int s = 0; s < 4; ++s, ++row, ++u) {
      qp_add(&p->A, row, at[s], 1.0);
      qp_add(&p->A, row, in[s], -1.0);
      qp_add(&p->A, row, u, h);
    }
  }
  for (int y = 0; y <= k; ++y)
    for (int x = 0; x <= k; ++x) {
      int at = x + side * y;
      double cost = h * h, goal = 1.0 + 2.0 * (h * x * (h * x - 1.0) + h * y * (h * y - 1.0));
      p->upper[at] = normal ? 3.2 : 0.371;
      p->lower[at] = -10.0;
      if (seed % 4 < 2) qp_add(&p->H, at, at, cost);
      p->c[at] = -cost * (seed % 4 < 2 ? goal : 1.0);
    }
  for (int u = columns; u < p->n; ++u) {
    p->lower[u] = 1.6;
    p->upper[u] = 2.3;
    qp_add(&p->H, u, u, 0.01 * h);
  }
  qp_all_equal(p);
}

/* seed % 3: n / 4, n / 2 or 3 n / 4 rows. */
static inline void qp_tangle(qp *p, int n, int seed) {
  qp_begin(p, n, (1 + seed % 3) * n / 4);
  for (int k = 1; k <= n; ++k) {
    int j[3] = {k - 1, (2 * k - 1) % n, (3 * k - 1) % n};
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < 3; ++b) qp_add(&p->H, j[a], j[b], (double)k);
  }
  double *x = qp_numbers(n);
  for (int j = 0; j < n; ++j) x[j] = qp_index(p, 3) ? 1.0 : 0.1;
  for (int i = 1; i <= p->m; ++i) {
    qp_add(&p->A, i - 1, i - 1, 1.0);
    qp_add(&p->A, i - 1, (4 * i - 1) % n, 2.0);
    qp_add(&p->A, i - 1, (5 * i - 1) % n, 3.0);
    p->b[i - 1] = x[i - 1] + 2.0 * x[(4 * i - 1) % n] + 3.0 * x[(5 * i - 1) % n];
  }
  free(x);
  for (int j = 0; j < n; ++j) p->lower[j] = 0.1, p->upper[j] = 10.0;
  qp_all_equal(p);
}

static inline void qp_horizon(qp *p, int steps) {
  double s = 1.0 / steps;
  qp_begin(p, 3 * steps, 2 * steps);
  for (int t = 0; t < steps; ++t) { /* x of the end, y of the end, u */
    int at = 3 * t;
    qp_add(&p->A, 2 * t, at, -1.0);
    qp_add(&p->A, 2 * t + 1, at + 1, -1.0);
    if (t > 0) {
      qp_add(&p->A, 2 * t, at - 3, 1.0);
      qp_add(&p->A, 2 * t, at - 2, s);
      qp_add(&p->A, 2 * t + 1, at - 3, -s);
      qp_add(&p->A, 2 * t + 1, at - 2, 1.0);
    } else {
      p->b[0] = -15.0;
      p->b[1] = -5.0;
    }
    qp_add(&p->A, 2 * t + 1, at + 2, s);
    qp_add(&p->H, at, at, 4.0 * s);
    qp_add(&p->H, at + 1, at + 1, 2.0 * s);
    qp_add(&p->H, at + 2, at + 2, 12.0 * s);
  }
  qp_all_equal(p);
}

static inline void qp_budget(qp *p, int n, int seed) {
  double unit = seed % 2 ? 1e6 : 1.0;
  qp_begin(p, n, 2);
  for (int j = 0; j < n; ++j) {
    double r = (j + 1.0) / n;
    qp_add(&p->A, 0, j, unit * pow(r, 3.0) * 1e2 + unit);
    qp_add(&p->A, 1, j, unit * r);
    qp_add(&p->H, j, j, 2e-4 * n / (1.0 + r));
    p->lower[j] = 0.0;
  }
  p->b[0] = 1835.2 * unit;
  p->b[1] = 55.0 * unit;
  qp_all_equal(p);
}

static inline void qp_ksip(qp *p, int rows) {
  enum { columns = 20 };
  qp_begin(p, columns, rows);
  for (int j = 0; j < columns; ++j) {
    qp_add(&p->H, j, j, 1.0);
    p->c[j] = 1.0 / (j + 1.0);
  }
  for (int i = 0; i < rows; ++i) {
    double t = (double)i / (rows - 1);
    for (int j = 0; j < columns; ++j) qp_add(&p->A, i, j, j ? pow(t, j) : 1.0);
    p->b[i] = tan(t);
  }
}

/* seed: the sequence, and the order of the differences for seeds from 8 on. */
static inline void qp_convex(qp *p, int n, int seed) {
  static const double pick[5][5] = {
      {1.0, -1.0}, {1.0, -2.0, 1.0}, {1.0, -3.0, 3.0, -1.0}, {1.0, -4.0, 6.0, -4.0, 1.0}};
  int k = seed < 8 ? 2 : 1 + seed % 4;
  qp_begin(p, n + k, n);
  for (int j = 0; j < n + k; ++j) {
    double t = (double)j / (n - 1), g = 0.0;
    if (seed % 8 == 0) g = sin(4.0 * t);
    if (seed % 8 == 1) g = sqrt(t);
    if (seed % 8 == 2) g = 1.0 / (0.1 + 0.9 * t);
    if (seed % 8 == 3) g = sin(1.5707963267948966 * t);
    if (seed % 8 == 4) g = cos(1.5707963267948966 * t);
    if (seed % 8 == 5) g = t * t;
    if (seed % 8 == 6) g = t * t * t;
    if (seed % 8 == 7) g = pow(t, 4.0);
    p->c[j] = -(g + (seed % 8 ? 0.1 * sin((double)j) : 0.0));
    qp_add(&p->H, j, j, 1.0);
  }
  for (int i = 0; i < n; ++i)
    for (int a = 0; a <= k; ++a) qp_add(&p->A, i, i + k - a, pick[k - 1][a]);
}

static inline void qp_powell(qp *p, int n) {
  qp_begin(p, n, n);
  for (int k = 1; k <= n; ++k) {
    int next = k % n, last = k == n;
    qp_add(&p->H, k - 1, k - 1, 1.0);
    qp_add(&p->A, k - 1, next, k % 2 ? -1.0 : 1.0);
    qp_add(&p->A, k - 1, k - 1, k % 2 ? 1.0 : -1.0);
    if (last) {
      p->b[k - 1] = n - 0.5;
      continue;
    }
    p->b[k - 1] = k - 0.5 - (k % 2 ? 2.0 * k : 0.0) + (k % 2 ? 1.0 : 0.0);
  }
}

static inline void qp_smooth(qp *p, int n, int seed) {
  qp_begin(p, n, 2 * n - 3);
  for (int j = 0; j < n; ++j) {
    double t = (double)j / n;
    p->lower[j] = 0.0;
    qp_add(&p->H, j, j, 1.0);
    p->c[j] = -(1.0 + (seed % 2 ? 1e3 : 1.0) * t * (1.0 - t) + 0.05 * qp_unit(p));
  }
  for (int j = 0; j + 1 < n; ++j) {
    qp_add(&p->A, j, j + 1, 1.0);
    qp_add(&p->A, j, j, -1.0);
    p->b[j] = -0.01;
  }
  for (int j = 0; j + 2 < n; ++j) {
    qp_add(&p->A, n - 1 + j, j + 2, -1.0);
    qp_add(&p->A, n - 1 + j, j + 1, 2.0);
    qp_add(&p->A, n - 1 + j, j, -1.0);
    p->b[n - 1 + j] = seed % 3 ? 0.0 : -1e-5;
  }
}

/* Three pairs of states, three controls with curvature, as in a transfer between two points. */
static inline void qp_states(qp *p, int steps) {
  double h = 1.0 / steps;
  qp_begin(p, 9 * (steps + 1), 6 * steps + 6);
  for (int t = 0; t < steps; ++t)
    for (int s = 0; s < 3; ++s) {
      int x = 9 * t + s, v = x + 3, u = x + 6, row = 6 * t + s;
      qp_add(&p->A, row, x + 9, 1.0);
      qp_add(&p->A, row, x, -1.0);
      qp_add(&p->A, row, v, -0.5 * h);
      qp_add(&p->A, row, v + 9, -0.5 * h);
      qp_add(&p->A, row + 3, v + 9, 1.0);
      qp_add(&p->A, row + 3, v, -1.0);
      qp_add(&p->A, row + 3, u, -0.5 * h);
      qp_add(&p->A, row + 3, u + 9, -0.5 * h);
    }
  for (int s = 0; s < 6; ++s) {
    p->lower[s] = p->upper[s] = s < 3 ? 10.0 * (s - 1) : 1.0 - s;
    qp_add(&p->A, 6 * steps + s, 9 * steps + s, 1.0);
  }
  for (int t = 0; t <= steps; ++t)
    for (int s = 6; s < 9; ++s) {
      qp_add(&p->H, 9 * t + s, 9 * t + s, 2.0 * h);
      p->lower[9 * t + s] = -1e2;
      p->upper[9 * t + s] = 1e2;
    }
  qp_all_equal(p);
}

static inline void qp_tower(qp *p, int n) {
  enum { rows = 18 };
  qp_begin(p, n, rows);
  for (int j = 0; j < n; ++j) {
    p->lower[j] = 0.0;
    p->upper[j] = 1e6;
    p->c[j] = -qp_part(p) * 10.0;
    qp_add(&p->H, j, j, 1e-5 + 1e-2 * qp_part(p) * qp_part(p));
    qp_add(&p->A, 0, j, -1.0);
    for (int k = 0; k < 5; ++k)
      qp_add(&p->A, 1 + qp_index(p, rows - 1), j, -floor(1.0 + 1e3 * qp_part(p)) / 8.0);
  }
  for (int i = 0; i < rows; ++i) p->b[i] = i ? -2e3 * n / 16.0 : -10.0 * n;
}

static inline void qp_sparse(qp *p, int n) {
  qp_begin(p, n, 2 * n);
  for (int j = 0; j < n; ++j) {
    p->lower[j] = 0.0;
    p->upper[j] = 1e5;
    p->c[j] = qp_index(p, 4) ? 0.0 : qp_decades(p, -1.0, 2.0);
  }
  for (int i = 0; i < 2 * n; ++i) {
    int at = i / 2;
    if (i % 2) {
      qp_add(&p->A, i, at, 1.0);
      qp_add(&p->A, i, (at + 1) % n, -0.5);
      p->b[i] = -1.0 * qp_index(p, 10);
    } else {
      qp_add(&p->A, i, at, qp_decades(p, -1.0, 1.0));
      qp_add(&p->A, i, at < 200 ? at : qp_index(p, 200), 1.0);
      p->b[i] = qp_index(p, 4) ? 0.0 : qp_whole(p, 20);
    }
  }
  qp_add(&p->H, 0, 0, 2e-2);
  qp_add(&p->H, 1, 1, 2e-2);
}

static inline void qp_full(qp *p, int n) {
  int bent = n / 2;
  double *a = qp_numbers(4 * bent);
  qp_begin(p, n, n + 1);
  for (int k = 0; k < 4 * bent; ++k) a[k] = qp_unit(p);
  for (int i = 0; i < bent; ++i)
    for (int j = 0; j < bent; ++j) {
      double sum = i == j ? 1e-3 : 0.0;
      for (int k = 0; k < 4; ++k) sum += a[i + k * bent] * a[j + k * bent];
      qp_add(&p->H, i, j, sum);
    }
  free(a);
  for (int j = 0; j < n; ++j) {
    p->lower[j] = j < bent ? 0.0 : -INFINITY;
    qp_add(&p->A, j, j, 1.0);
    if (j < bent) qp_add(&p->A, j, bent + j, 1.0), p->c[j] = qp_unit(p);
    else qp_add(&p->A, j, j - bent, -1.0);
    if (j < bent) qp_add(&p->A, n, j, 1.0);
    if (j >= bent) p->c[j] = 0.1;
    p->b[j] = j < bent ? 0.0 : -1.0 / n;
  }
  p->b[n] = 1.0;
  p->equal[n] = true;
}

static inline void qp_blocks(qp *p, int n) {
  qp_begin(p, n, n / 2);
  for (int k = 0; k + 1 < n; k += 8)
    for (int i = k; i < k + 10 && i < n; ++i)
      for (int j = k; j < k + 10 && j < n; ++j) qp_add(&p->H, i, j, i == j ? 10.0 : 1.0);
  for (int i = 0; i < p->m; ++i)
    for (int k = 0; k < 4; ++k) qp_add(&p->A, i, (2 * i + k * k * 7) % n, 1.0);
  for (int j = 0; j < n; ++j) {
    p->c[j] = qp_unit(p) * 10.0;
    p->upper[j] = 2.0;
    p->lower[j] = 0.0;
  }
  for (int i = 0; i < p->m; ++i) p->b[i] = 2.0;
  qp_equal_share(p, 0.5);
}

static inline void qp_shares(qp *p, int n, int seed) {
  int m = n / 4 + 1;
  bool wide = seed % 2;
  qp_begin(p, wide ? n + m : n, wide ? m + 1 : 1);
  for (int j = 0; wide && j < n; ++j) {
    for (int i = 0; i < m; ++i)
      if (qp_index(p, 3)) qp_add(&p->A, i, j, qp_unit(p));
    qp_add(&p->A, m, j, 1.0);
    p->lower[j] = 0.0;
  }
  for (int i = 0; wide && i < m; ++i) {
    qp_add(&p->H, n + i, n + i, 1.0);
    qp_add(&p->A, i, n + i, -1.0);
  }
  double *a = qp_numbers(n * m);
  for (int k = 0; k < n * m; ++k) a[k] = qp_unit(p);
  for (int i = 0; !wide && i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      double sum = 0.0;
      for (int k = 0; k < m; ++k) sum += a[k + i * m] * a[k + j * m];
      qp_add(&p->H, i, j, sum);
    }
    qp_add(&p->A, 0, i, 1.0);
    p->lower[i] = 0.0;
    p->upper[i] = 0.625;
  }
  free(a);
  p->b[wide ? m : 0] = 1.0;
  qp_all_equal(p);
}

/* Makes a programme of a family. `size`: rows and columns together, about. */
static inline bool qp_known_draw(qp *p, const char *family, int seed, int size) {
  int k = 0;
  while (k < qp_known_families && strcmp(family, qp_known_family[k])) ++k;
  if (k == qp_known_families) return false;
  *p = (qp){.chance = 0x9e3779b97f4a7c15u * (uint64_t)(seed + 1) + (uint64_t)(k + 100)};
  for (int i = 0; i < 16; ++i) qp_part(p);
  switch (k) {
  case 0: qp_flow(p, (int)sqrt(size / 3.0) + 2, 2, seed); break;
  case 1: qp_flow(p, (int)cbrt(size / 4.0) + 2, 3, seed); break;
  case 2: qp_boundary(p, (int)sqrt(size / 2.0) + 2, seed); break;
  case 3: qp_tangle(p, size / 2 + 4, seed); break;
  case 4: qp_horizon(p, size / 5 + 1); break;
  case 5: qp_budget(p, size + 2, seed); break;
  case 6: qp_ksip(p, size + 2); break;
  case 7: qp_convex(p, size / 2 + 5, seed); break;
  case 8: qp_powell(p, size / 4 * 2 + 4); break;
  case 9: qp_smooth(p, size / 3 + 4, seed); break;
  case 10: qp_states(p, size / 15 + 1); break;
  case 11: qp_tower(p, size + 20); break;
  case 12: qp_sparse(p, size / 3 + 3); break;
  case 13: qp_full(p, size / 4 * 2 + 2); break;
  case 14: qp_blocks(p, size / 3 * 2 + 4); break;
  default: qp_shares(p, size + 2, seed); break;
  }
  qp_pack(&p->A);
  qp_pack(&p->H);
  return true;
}

/* As qp_hard_draw(). */
static inline bool qp_any_draw(qp *p, const char *family, int seed, int least, int most) {
  if (qp_hard_draw(p, family, seed, least, most)) return true;
  return qp_known_draw(p, family, seed, most);
}

#endif
