/*
 * Convex quadratic programmes
 *
 *     min 1/2 x'Hx + c'x,   lower <= x <= upper,   rows of A x = b or A x >= b
 *
 * Family and seed give a programme, the same on every run:
 *
 *     random      sparse H and A, a planted solution
 *     weak        a diagonal H, of 1, 1e-6 and 0, between bounds
 *     control     a linear system steered to zero over a horizon, controls and states bounded
 *     portfolio   factors of risk, sum of shares 1, no share negative
 *     degenerate  rows of A twice, rows at their bound without a multiplier, H of half the rank
 */
#ifndef NSDS_BENCH_QP_H
#define NSDS_BENCH_QP_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct qp_entry {
  int i, j;
  double x;
} qp_entry;

/* Entries by columns, rows increasing. */
typedef struct qp_matrix {
  int n, m, count, room; /* columns, rows */
  qp_entry *entry;
} qp_matrix;

typedef struct qp {
  int n, m;
  qp_matrix H, A;
  double *c, *b, *lower, *upper; /* infinite: no bound */
  double *planted;               /* a solution x; NULL: not known */
  bool *equal;                   /* rows of A */
  uint64_t chance;
} qp;

static const char *const qp_family[] = {"random", "weak", "control", "portfolio", "degenerate"};
enum { qp_families = sizeof qp_family / sizeof *qp_family };

static inline double qp_part(qp *p) { /* xorshift, in [0, 1) */
  p->chance ^= p->chance << 13;
  p->chance ^= p->chance >> 7;
  p->chance ^= p->chance << 17;
  return (double)(p->chance >> 11) * 0x1p-53;
}
static inline double qp_unit(qp *p) { return 2.0 * qp_part(p) - 1.0; }
static inline int qp_index(qp *p, int n) { return (int)(qp_part(p) * n); }

static inline void *qp_memory(size_t count, size_t size) {
  void *memory = calloc(count ? count : 1, size);
  if (!memory) exit(EXIT_FAILURE);
  return memory;
}
static inline double *qp_numbers(int n) { return (double *)qp_memory((size_t)n, sizeof(double)); }

static inline void qp_add(qp_matrix *A, int i, int j, double x) {
  if (A->count == A->room) {
    A->room = 2 * A->room + 64;
    A->entry = (qp_entry *)realloc(A->entry, (size_t)A->room * sizeof *A->entry);
    if (!A->entry) exit(EXIT_FAILURE);
  }
  A->entry[A->count++] = (qp_entry){i, j, x};
}

static inline int qp_before(const void *a, const void *b) {
  const qp_entry *x = (const qp_entry *)a, *y = (const qp_entry *)b;
  return x->j != y->j ? (x->j > y->j) - (x->j < y->j) : (x->i > y->i) - (x->i < y->i);
}

/* Sorts, and adds up what stands in one place. */
static inline void qp_pack(qp_matrix *A) {
  int count = 0;
  if (A->count > 0) qsort(A->entry, (size_t)A->count, sizeof *A->entry, qp_before);
  for (int k = 0; k < A->count; ++k) {
    qp_entry *last = count > 0 ? &A->entry[count - 1] : NULL, now = A->entry[k];
    if (last && last->i == now.i && last->j == now.j) last->x += now.x;
    else A->entry[count++] = now;
  }
  A->count = count;
}

/* y += A x, and terms of each row if wanted; `across`: of the transpose. */
static inline void qp_multiply(const qp_matrix *A, bool across, double factor, const double *x,
                               double *y, double *terms) {
  for (int k = 0; k < A->count; ++k) {
    int i = across ? A->entry[k].j : A->entry[k].i, j = across ? A->entry[k].i : A->entry[k].j;
    double term = factor * A->entry[k].x * x[j];
    y[i] += term;
    if (terms) terms[i] += fabs(term);
  }
}

static inline void qp_begin(qp *p, int n, int m) {
  p->n = p->H.n = p->H.m = p->A.n = n;
  p->m = p->A.m = m;
  p->c = qp_numbers(n);
  p->lower = qp_numbers(n);
  p->upper = qp_numbers(n);
  p->b = qp_numbers(m);
  p->equal = (bool *)qp_memory((size_t)m, sizeof(bool));
  for (int j = 0; j < n; ++j) p->lower[j] = -(p->upper[j] = INFINITY);
}

static inline void qp_free(qp *p) {
  free(p->c);
  free(p->b);
  free(p->lower);
  free(p->upper);
  free(p->equal);
  free(p->planted);
  free(p->H.entry);
  free(p->A.entry);
}

/* c and b such that a drawn x with drawn multipliers solves; a part of the rows is at its bound, of these
 * `idle` without a multiplier. */
static inline void qp_plant(qp *p, double idle) {
  double *x = qp_numbers(p->n), *y = qp_numbers(p->m);
  for (int j = 0; j < p->n; ++j) {
    x[j] = qp_unit(p);
    bool held = isfinite(p->lower[j]) && qp_part(p) < 0.3, low = qp_part(p) < 0.5;
    if (held) x[j] = low ? p->lower[j] : p->upper[j];
    if (held) p->c[j] += (low ? 1.0 : -1.0) * (qp_part(p) < idle ? 0.0 : qp_part(p));
  }
  qp_multiply(&p->A, false, 1.0, x, p->b, NULL);
  for (int i = 0; i < p->m; ++i) {
    bool active = p->equal[i] || qp_part(p) < 0.5;
    if (p->equal[i]) y[i] = qp_unit(p);
    else if (active) y[i] = qp_part(p) < idle ? 0.0 : qp_part(p);
    else p->b[i] -= qp_part(p);
  }
  qp_multiply(&p->H, false, -1.0, x, p->c, NULL);
  qp_multiply(&p->A, true, 1.0, y, p->c, NULL);
  p->planted = x;
  free(y);
}

static inline void qp_sparse_rows(qp *p, int from, int to, int entries) {
  for (int i = from; i < to; ++i)
    for (int k = 0; k < entries; ++k) qp_add(&p->A, i, qp_index(p, p->n), qp_unit(p));
}

/* H += a a' for sparse rows a. */
static inline void qp_curve(qp *p, int rows, int entries) {
  int j[8];
  double a[8];
  for (int r = 0; r < rows; ++r) {
    for (int k = 0; k < entries; ++k) j[k] = qp_index(p, p->n), a[k] = qp_unit(p);
    for (int k = 0; k < entries; ++k)
      for (int l = 0; l < entries; ++l) qp_add(&p->H, j[k], j[l], a[k] * a[l]);
  }
}

static inline void qp_random(qp *p, int n) {
  qp_begin(p, n, n / 2);
  qp_curve(p, n, 3);
  for (int j = 0; j < n; ++j) qp_add(&p->H, j, j, 1e-2);
  for (int i = 0; i < p->m; ++i) p->equal[i] = qp_part(p) < 0.2;
  qp_sparse_rows(p, 0, p->m, 4);
  qp_pack(&p->A);
  qp_pack(&p->H);
  qp_plant(p, 0.0);
}

static inline void qp_weak(qp *p, int n) {
  qp_begin(p, n, n / 2);
  for (int j = 0; j < n; ++j) {
    double chance = qp_part(p);
    qp_add(&p->H, j, j, chance < 0.3 ? 0.0 : chance < 0.6 ? 1e-6 : 1.0);
    p->lower[j] = -1.0 - qp_part(p);
    p->upper[j] = 1.0 + qp_part(p);
  }
  for (int i = 0; i < p->m; ++i) p->equal[i] = qp_part(p) < 0.3;
  qp_sparse_rows(p, 0, p->m, 4);
  qp_pack(&p->A);
  qp_plant(p, 0.0);
}

/* States after each step, then controls, of each step together: s(k+1) = s(k) + F s(k) + G u(k). */
static inline void qp_control(qp *p, int n) {
  enum { states = 8, controls = 3, each = states + controls };
  int steps = n / each + 2;
  double F[states * states], G[states * controls];
  for (int k = 0; k < states * states; ++k) F[k] = 0.1 * qp_unit(p);
  for (int k = 0; k < states * controls; ++k) G[k] = qp_unit(p);
  qp_begin(p, steps * each, steps * states);
  for (int k = 0; k < steps; ++k)
    for (int i = 0; i < states; ++i) {
      int row = k * states + i;
      p->equal[row] = true;
      qp_add(&p->A, row, k * each + i, -1.0);
      for (int j = 0; j < states; ++j) {
        double f = F[i + states * j] + (i == j);
        if (k > 0) qp_add(&p->A, row, (k - 1) * each + j, f);
        else p->b[row] -= f * 2.0 * qp_unit(p);
      }
      for (int j = 0; j < controls; ++j)
        qp_add(&p->A, row, k * each + states + j, G[i + states * j]);
    }
  for (int j = 0; j < p->n; ++j) {
    bool state = j % each < states;
    qp_add(&p->H, j, j, state ? 1.0 : 0.1);
    p->upper[j] = state ? 20.0 : 0.3;
    p->lower[j] = -p->upper[j];
  }
  qp_pack(&p->A);
}

/* Shares, then factors: risk x'Dx + y'y, y = F'x. */
static inline void qp_portfolio(qp *p, int n) {
  int factors = n / 50 + 1;
  qp_begin(p, n + factors, factors + 1);
  for (int j = 0; j < n; ++j) {
    qp_add(&p->H, j, j, qp_part(p) * sqrt(factors));
    p->lower[j] = 0.0;
    p->c[j] = -qp_unit(p);
    qp_add(&p->A, factors, j, 1.0);
    for (int k = 0; k < factors; ++k)
      if (qp_part(p) < 0.5) qp_add(&p->A, k, j, qp_unit(p));
  }
  for (int k = 0; k < factors; ++k) {
    qp_add(&p->H, n + k, n + k, 1.0);
    qp_add(&p->A, k, n + k, -1.0);
  }
  for (int i = 0; i < p->m; ++i) p->equal[i] = true;
  p->b[factors] = 1.0;
  qp_pack(&p->A);
}

static inline void qp_degenerate(qp *p, int n) {
  int once = n / 3;
  qp_begin(p, n, 2 * once);
  for (int r = 0; r < n / 2; ++r) { /* neighbours, and one from elsewhere */
    int j[3] = {2 * r, 2 * r + 1, qp_index(p, n)};
    double a[3] = {qp_unit(p), qp_unit(p), qp_unit(p)};
    for (int k = 0; k < 9; ++k) qp_add(&p->H, j[k / 3], j[k % 3], a[k / 3] * a[k % 3]);
  }
  for (int j = 0; j < n; ++j) {
    p->lower[j] = -1.0;
    p->upper[j] = 1.0;
  }
  for (int i = 0; i < once; ++i) p->equal[i] = p->equal[once + i] = qp_part(p) < 0.2;
  qp_sparse_rows(p, 0, once, 4);
  for (int k = 0, count = p->A.count; k < count; ++k)
    qp_add(&p->A, p->A.entry[k].i + once, p->A.entry[k].j, p->A.entry[k].x);
  qp_pack(&p->A);
  qp_pack(&p->H);
  qp_plant(p, 0.5);
  for (int i = 0; i < once; ++i) p->b[once + i] = p->b[i] = fmax(p->b[i], p->b[once + i]);
}

static inline bool qp_draw(qp *p, const char *family, int seed, int least, int most) {
  *p = (qp){.chance = 0x9e3779b97f4a7c15u * (uint64_t)(seed + 1)};
  for (int k = 0; k < 16; ++k) qp_part(p);
  int n = (int)(least * pow((double)most / least, qp_part(p)));
  if (!strcmp(family, "random")) qp_random(p, n);
  else if (!strcmp(family, "weak")) qp_weak(p, n);
  else if (!strcmp(family, "control")) qp_control(p, n);
  else if (!strcmp(family, "portfolio")) qp_portfolio(p, n);
  else if (!strcmp(family, "degenerate")) qp_degenerate(p, n);
  else return false;
  return true;
}

/* ---- programs ---- */

typedef struct qp_answer {
  double *x, *y;
  double seconds;
  int steps;
  const char *by;
} qp_answer;

/* Fills x and y, and says how long it took, of several times the least. */
typedef void qp_solver(const qp *p, double tolerance, qp_answer *answer);

/* ---- the yardstick ---- */

static inline double qp_larger(double a, double b) { return a > b || isnan(a) ? a : b; }

/* The largest error of the conditions of optimality of x and y: rows of A and bounds that are violated,
 * multipliers of a wrong sign, and products of gaps and multipliers; each beside the largest term of its kind, or
 * 1. What the bounds of x must bear is what the gradient leaves. */
static inline double qp_error(const qp *p, const double *x, const double *y) {
  double *g = qp_numbers(p->n), *r = qp_numbers(p->m), *size = qp_numbers(p->n);
  double *of_row = qp_numbers(p->m), dual = 1.0, primal = 1.0, worst = 0.0;
  qp_multiply(&p->H, false, 1.0, x, g, size);
  qp_multiply(&p->A, true, -1.0, y, g, size);
  qp_multiply(&p->A, false, 1.0, x, r, of_row);
  for (int j = 0; j < p->n; ++j) {
    g[j] += p->c[j];
    dual = qp_larger(size[j], qp_larger(fabs(p->c[j]), dual));
  }
  for (int i = 0; i < p->m; ++i) primal = qp_larger(of_row[i], primal);
  for (int j = 0; j < p->n; ++j) {
    double room = g[j] > 0.0 ? x[j] - p->lower[j] : p->upper[j] - x[j], g_j = fabs(g[j]) / dual;
    double outside = fmax(fmax(p->lower[j] - x[j], x[j] - p->upper[j]), 0.0);
    worst = qp_larger(g_j * fmin(fabs(room) / primal, 1.0), qp_larger(outside / primal, worst));
  }
  for (int i = 0; i < p->m; ++i) {
    double gap = (r[i] - p->b[i]) / primal, y_i = y[i] / dual;
    worst = qp_larger(p->equal[i] ? fabs(gap) : fabs(gap) * fmin(fabs(y_i), 1.0), worst);
    if (!p->equal[i]) worst = qp_larger(fmax(-gap, -y_i), worst);
  }
  free(g);
  free(r);
  free(size);
  free(of_row);
  return worst;
}

/* Solves, and prints a line. */
static inline void qp_print(const qp *p, const char *name, int seed, double tolerance,
                            qp_solver *solve) {
  qp_answer a = {.x = qp_numbers(p->n), .y = qp_numbers(p->m), .by = "-"};
  solve(p, tolerance, &a);
  printf("%s %d %d %d %.6f %d %.1e %s\n", name, seed, p->n, p->m, a.seconds, a.steps,
         qp_error(p, a.x, a.y), a.by);
  fflush(stdout);
  free(a.x);
  free(a.y);
}

/* FAMILY FIRST LAST LEAST MOST TOLERANCE: a line for each seed. `draw` knows more families. */
static inline int qp_main(int argc, char **argv,
                          bool (*draw)(qp *p, const char *family, int seed, int least, int most),
                          qp_solver *solve) {
  if (argc != 7) return 2;
  for (int seed = atoi(argv[2]); seed <= atoi(argv[3]); ++seed) {
    qp p;
    int least = atoi(argv[4]), most = atoi(argv[5]);
    if (!qp_draw(&p, argv[1], seed, least, most) && !draw(&p, argv[1], seed, least, most)) return 2;
    qp_print(&p, argv[1], seed, atof(argv[6]), solve);
    qp_free(&p);
  }
  return 0;
}

#endif
