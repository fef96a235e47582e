/*
 * Whether an impact that the event-driven run could not solve has no solution. Its problem is made anew from
 * the state before it: with C the rows of contacts at zero, in the metric of M and without what joints and
 * drives see of them,
 *
 *     w = b + C C^T p,   b by Newton's law of impact
 *
 * and each contact open, stuck, or slipping in a direction between two others that are next to each other.
 * In each of these modes the laws are linear, but for the cone of friction in space, in whose place stands a
 * polyhedron around it. A mode is excluded by Farkas' lemma: y with y^T A <= 0 and y^T c > 0, found by the
 * simplex method and then checked. All modes of all contacts have to be.
 */
#include "mechanisms.h"

#include <math.h>
#include <string.h>

enum { SECTORS = 16, MOST_CONTACTS = 3, MOST_P = 3 * MOST_CONTACTS, ROWS = 64, COLUMNS = 160 };

static const double at_zero = 1e-9, open = 1e-6, margin = 1e-6;

typedef struct touch {
  int size, sectors;
  double C[3][MOST_V], b[3], mu;
} touch;

typedef struct impact {
  int contacts, n, nv;
  int first[MOST_CONTACTS];
  touch contact[MOST_CONTACTS];
} impact;

/* A p = c in the first rows, or >= c where `least`. */
typedef struct constraints {
  int rows, n;
  double A[ROWS][MOST_P], c[ROWS];
  bool least[ROWS];
} constraints;

/* ---- linear programs ------------------------------------------------------------------------- */

typedef struct tableau {
  int m, n, artificial;
  double T[ROWS + 1][COLUMNS + 1]; /* the costs last, right sides behind the columns */
  int basis[ROWS];
  double sign[ROWS];
} tableau;

/* p = p+ - p-, surplus, artificial variables whose sum is least. */
static bool start_tableau(const constraints *s, tableau *t) {
  int surplus = 2 * s->n;
  t->m = s->rows;
  t->artificial = surplus + s->rows;
  t->n = t->artificial + s->rows;
  if (t->n > COLUMNS) return false;
  memset(t->T, 0, sizeof t->T);
  for (int i = 0; i < t->m; ++i) {
    double *row = t->T[i], sign = t->sign[i] = s->c[i] < 0.0 ? -1.0 : 1.0;
    for (int j = 0; j < s->n; ++j) row[j] = sign * s->A[i][j], row[s->n + j] = -row[j];
    if (s->least[i]) row[surplus + i] = -sign;
    row[t->artificial + i] = 1.0;
    row[COLUMNS] = sign * s->c[i];
    t->basis[i] = t->artificial + i;
    for (int j = 0; j < t->artificial; ++j) t->T[ROWS][j] -= row[j];
    t->T[ROWS][COLUMNS] -= row[COLUMNS];
  }
  return true;
}

static void pivot(tableau *t, int row, int column) {
  double value = t->T[row][column];
  for (int j = 0; j <= COLUMNS; ++j) t->T[row][j] /= value;
  for (int i = 0; i <= ROWS; ++i) {
    double factor = i == row || (i >= t->m && i < ROWS) ? 0.0 : t->T[i][column];
    for (int j = 0; factor != 0.0 && j <= COLUMNS; ++j) t->T[i][j] -= factor * t->T[row][j];
  }
  t->basis[row] = column;
}

/* Bland's rule. */
static bool minimise(tableau *t) {
  for (int count = 0; count < 2000; ++count) {
    int column = 0, row = -1;
    while (column < t->n && !(t->T[ROWS][column] < -1e-11)) ++column;
    if (column == t->n) return true;
    for (int i = 0; i < t->m; ++i) {
      if (!(t->T[i][column] > 1e-11)) continue;
      double now = t->T[i][COLUMNS] / t->T[i][column];
      double best = row < 0 ? HUGE_VAL : t->T[row][COLUMNS] / t->T[row][column];
      if (now < best || (now == best && t->basis[i] < t->basis[row])) row = i;
    }
    if (row < 0) return false;
    pivot(t, row, column);
  }
  return false;
}

/* Farkas' y is in the costs of the artificial variables; with the numbers that there were. */
static bool impossible(const constraints *s) {
  static tableau t;
  double value = 0.0, size = 0.0, y[ROWS];
  if (!start_tableau(s, &t) || !minimise(&t)) return false;
  for (int i = 0; i < s->rows; ++i) {
    y[i] = t.sign[i] * (1.0 - t.T[ROWS][t.artificial + i]);
    if (s->least[i] && y[i] < 0.0) y[i] = 0.0;
    value += y[i] * s->c[i];
    size = fmax(size, fabs(s->c[i]));
  }
  for (int j = 0; j < s->n; ++j) {
    double sum = 0.0;
    for (int i = 0; i < s->rows; ++i) sum += y[i] * s->A[i][j];
    if (fabs(sum) > 1e-9) return false;
  }
  return value > margin * size;
}

/* ---- the impact ------------------------------------------------------------------------------ */

static double along(const double *a, const double *b, int n) {
  double s = 0.0;
  for (int i = 0; i < n; ++i) s += a[i] * b[i];
  return s;
}

/* Without the components in orthonormal rows; twice, to rounding. */
static void leave_out(const double (*e)[MOST_V], int count, double *x, int n) {
  for (int pass = 0; pass < 2; ++pass)
    for (int k = 0; k < count; ++k) {
      double s = along(e[k], x, n);
      for (int i = 0; i < n; ++i) x[i] -= s * e[k][i];
    }
}

static void take_in(double (*e)[MOST_V], int *count, const double *row, int n) {
  double x[MOST_V], before = sqrt(along(row, row, n));
  memcpy(x, row, sizeof x);
  leave_out((const double(*)[MOST_V])e, *count, x, n);
  double size = sqrt(along(x, x, n));
  if (*count == n || !(size > 1e-7 * before)) return;
  for (int i = 0; i < n; ++i) e[*count][i] = x[i] / size;
  ++*count;
}

/* What joints and drives see. */
static int lock(const mechanism *m, const rows *r, double (*e)[MOST_V]) {
  int count = 0, dofs = r->nv / m->bodies;
  for (int j = 0; j < r->nv; ++j) {
    double x[MOST_V] = {0.0};
    if (!(m->body[j / dofs].drive.dofs >> j % dofs & 1u)) continue;
    for (int i = 0; i < r->nv; ++i) { /* L x = unit vector */
      double s = i == j;
      for (int k = 0; k < i; ++k) s -= r->L[i][k] * x[k];
      x[i] = s / r->L[i][i];
    }
    take_in(e, &count, x, r->nv);
  }
  for (int k = 0; k < m->links; ++k)
    for (int i = 0; i < r->size[k] && m->link[k].law.kind == EQUALITY; ++i)
      take_in(e, &count, r->Y[r->first[k] + i], r->nv);
  return count;
}

/* One contact, its rows and impulses in units in which the largest row has length 1. */
static bool add_touch(const rows *r, int row, int size, const law *l, const double (*e)[MOST_V],
                      int locked, impact *out) {
  double scale = 0.0;
  if (l->kind == FREMOND || out->contacts == MOST_CONTACTS) return false;
  touch *c = &out->contact[out->contacts];
  *c = (touch){.size = size, .mu = l->mu, .sectors = size == 1 ? 0 : size == 2 ? 2 : SECTORS};
  for (int i = 0; i < size; ++i) {
    double slip = i == 1 ? l->slip : 0.0, speed = r->ydot[row + i] + slip;
    memcpy(c->C[i], r->Y[row + i], sizeof c->C[i]);
    leave_out(e, locked, c->C[i], r->nv);
    c->b[i] = speed + (i == 0 ? l->kind == COMPLEMENTARITY ? 0.0 : l->e : l->e_t) * speed;
    scale = fmax(scale, sqrt(along(r->Y[row + i], r->Y[row + i], r->nv)));
  }
  for (int i = 0; i < size; ++i) {
    c->b[i] /= scale;
    for (int j = 0; j < r->nv; ++j) c->C[i][j] /= scale;
  }
  out->first[out->contacts++] = out->n;
  out->n += size;
  return true;
}

static bool collect_impact(const mechanism *m, const rows *r, impact *out) {
  static double e[MOST_V][MOST_V];
  int locked = lock(m, r, e);
  *out = (impact){.nv = r->nv};
  for (int k = 0; k < m->links; ++k) {
    const law *l = &m->link[k].law;
    if (l->kind == EQUALITY || l->kind == RELAY || r->y[r->first[k]] > open) continue;
    if (r->y[r->first[k]] > at_zero) return false; /* it may take part or not */
    if (!add_touch(r, r->first[k], r->size[k], l, (const double(*)[MOST_V])e, locked, out))
      return false;
  }
  return out->contacts > 0;
}

/* ---- modes ----------------------------------------------------------------------------------- */

static double *add_row(constraints *s, bool least, double c) {
  s->least[s->rows] = least;
  s->c[s->rows] = c;
  memset(s->A[s->rows], 0, sizeof s->A[0]);
  return s->A[s->rows++];
}

/* The combination x of the rows of contact k: x w = 0, or >= 0. */
static void velocity(const impact *p, int k, const double x[3], bool least, constraints *s) {
  const touch *c = &p->contact[k];
  double C[MOST_V] = {0.0}, b = 0.0;
  for (int i = 0; i < c->size; ++i) {
    b += x[i] * c->b[i];
    for (int j = 0; j < p->nv; ++j) C[j] += x[i] * c->C[i][j];
  }
  double *row = add_row(s, least, -b);
  for (int o = 0; o < p->contacts; ++o)
    for (int i = 0; i < p->contact[o].size; ++i)
      row[p->first[o] + i] = along(C, p->contact[o].C[i], p->nv);
}

/* The same of its impulses. */
static void force(const impact *p, int k, const double x[3], bool least, constraints *s) {
  double *row = add_row(s, least, 0.0);
  for (int i = 0; i < p->contact[k].size; ++i) row[p->first[k] + i] = x[i];
}

static void stuck(const impact *p, int k, constraints *s) {
  const touch *c = &p->contact[k];
  for (int i = 0; i < c->size; ++i) velocity(p, k, (double[3]){i == 0, i == 1, i == 2}, false, s);
  force(p, k, (double[3]){1, 0, 0}, true, s);
  for (int d = 0; d < c->sectors; ++d) {
    double a = 2.0 * acos(-1.0) * d / c->sectors;
    force(p, k, (double[3]){c->mu, -cos(a), -sin(a)}, true, s);
  }
}

/* Slip between the directions a - half and a + half, friction between the opposite ones. */
static void slips(const impact *p, int k, int sector, constraints *s) {
  const touch *c = &p->contact[k];
  double a = 2.0 * acos(-1.0) * sector / c->sectors, x = cos(a), y = sin(a);
  double half = acos(-1.0) / c->sectors, least = c->mu * cos(half);
  velocity(p, k, (double[3]){1, 0, 0}, false, s);
  force(p, k, (double[3]){1, 0, 0}, true, s);
  if (c->size == 2) {
    velocity(p, k, (double[3]){0, x, 0}, true, s);
    force(p, k, (double[3]){c->mu, x, 0}, false, s);
    return;
  }
  for (int side = -1; side <= 1; side += 2) { /* inward normals of the sector */
    double n[3] = {0.0, cos(a + side * (half - acos(0.0))), sin(a + side * (half - acos(0.0)))};
    velocity(p, k, n, true, s);
    force(p, k, (double[3]){0.0, -n[1], -n[2]}, true, s);
  }
  force(p, k, (double[3]){c->mu, x, y}, true, s);    /* -p_T along it at most mu p_N, */
  force(p, k, (double[3]){-least, -x, -y}, true, s); /* and at least this */
}

static void add_mode(const impact *p, int k, int mode, constraints *s) {
  const touch *c = &p->contact[k];
  if (mode == 0) {
    for (int i = 0; i < c->size; ++i) force(p, k, (double[3]){i == 0, i == 1, i == 2}, false, s);
    velocity(p, k, (double[3]){1, 0, 0}, true, s);
  } else if (mode == 1) {
    stuck(p, k, s);
  } else {
    slips(p, k, mode - 2, s);
  }
}

static bool every_mode_impossible(const impact *p) {
  static constraints s;
  int mode[MOST_CONTACTS] = {0};
  for (;;) {
    s = (constraints){.n = p->n};
    for (int k = 0; k < p->contacts; ++k) add_mode(p, k, mode[k], &s);
    if (!impossible(&s)) return false;
    int k = 0;
    while (k < p->contacts && ++mode[k] == 2 + p->contact[k].sectors) mode[k++] = 0;
    if (k == p->contacts) return true;
  }
}

bool impact_has_no_solution(const mechanism *m, double *t) {
  static rows r;
  static impact p;
  double q[MOST_Q], v[MOST_V];
  built b = build(m, true);
  nsds_simulation *s = nsds_event_driven(b.model, &(nsds_event_driven_def){.t1 = m->t1});
  nsds_status status = s ? NSDS_OK : NSDS_ERROR_VALUE;
  while (status == NSDS_OK && (status = nsds_event_meet(s)) == NSDS_OK) {
    where(&b, q, v);
    *t = nsds_time(s);
    status = nsds_event_process(s);
  }
  bool failed = status == NSDS_ERROR_SOLVER;
  nsds_model_destroy(b.model);
  if (!failed) return false;
  built twin = build_twin(m);
  bool none = rows_at(m, &twin, q, v, &r) && collect_impact(m, &r, &p) && every_mode_impossible(&p);
  nsds_model_destroy(twin.model);
  return none;
}
