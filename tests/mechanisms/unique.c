/*
 * Are forces unique, and does the motion depend on which are taken? At a state let C be the rows that
 * stay closed: joints, pressing contacts, slip and dry friction at rest. Forces x of these rows, with
 * friction of sliding contacts, mu x_N against the slip, accelerate rows by
 *
 *     A = C M^-1 G,   G = C^T with the columns of sliding contacts n - mu t
 *
 * A direction d with A d = 0 leads from one solution to others. It is shown to decide the motion
 * where M^-1 G d is not zero, and the forces found may go along it: a contact that it takes part in
 * presses, or d does not pull; what sticks is inside its bounds. An impact has impulses for forces,
 * and closed are contacts with y = 0.
 */
#include "mechanisms.h"

#include <math.h>
#include <string.h>

enum { MOST_CLOSED = 96 };

/* The closed rows: of a combination of rows of the links, C in the metric, and G. */
typedef struct closed {
  int n, nv;
  double C[MOST_CLOSED][MOST_V], G[MOST_CLOSED][MOST_V];
  double force[MOST_CLOSED], low[MOST_CLOSED], high[MOST_CLOSED]; /* of the row, and its bounds */
} closed;

static void add(closed *c, const rows *r, int row, double force, double low, double high) {
  if (c->n == MOST_CLOSED) return;
  memcpy(c->C[c->n], r->Y[row], sizeof c->C[0]);
  memcpy(c->G[c->n], r->Y[row], sizeof c->G[0]);
  c->force[c->n] = force;
  c->low[c->n] = low;
  c->high[c->n++] = high;
}

static const double at_zero = 1e-6;

static void add_contact(closed *c, const rows *r, const law *l, int row, int size,
                        const instant *at) {
  double slip[2] = {0.0, 0.0}, speed = 0.0, most = l->mu * at->force[row];
  if (r->y[row] > at_zero || (!at->impact && fabs(r->ydot[row]) > at_zero)) return;
  if (at->force[row] <= 0.0 && at->impact) return;
  add(c, r, row, at->force[row], 0.0, HUGE_VAL);
  for (int i = 1; i < size; ++i) {
    slip[i - 1] = r->ydot[row + i] + (i == 1 ? l->slip : 0.0);
    speed = hypot(speed, slip[i - 1]);
  }
  for (int i = 1; i < size && speed <= at_zero; ++i)
    add(c, r, row + i, at->force[row + i], -most / (size > 2 ? sqrt(2.0) : 1.0),
        most / (size > 2 ? sqrt(2.0) : 1.0));
  for (int i = 1; i < size && speed > at_zero; ++i)
    for (int j = 0; j < r->nv; ++j)
      c->G[c->n - 1][j] -= l->mu * slip[i - 1] / speed * r->Y[row + i][j];
}

static void collect(const mechanism *m, const rows *r, const instant *at, closed *c) {
  c->n = 0;
  c->nv = r->nv;
  for (int k = 0; k < m->links; ++k) {
    const law *l = &m->link[k].law;
    int row = r->first[k];
    if (l->kind == EQUALITY)
      for (int i = 0; i < r->size[k]; ++i) add(c, r, row + i, 0.0, -HUGE_VAL, HUGE_VAL);
    else if (l->kind != RELAY) add_contact(c, r, l, row, r->size[k], at);
    else if (fabs(r->ydot[row]) <= at_zero && !at->impact)
      add(c, r, row, at->force[row], -l->force, l->force);
  }
}

static double norm(const double *x, int n) {
  double s = 0.0;
  for (int i = 0; i < n; ++i) s += x[i] * x[i];
  return sqrt(s);
}

/* Rows of length 1: what they are measured in does not matter. */
static void scale(closed *c) {
  for (int i = 0; i < c->n; ++i) {
    double size = norm(c->C[i], c->nv);
    if (size == 0.0) continue;
    for (int j = 0; j < c->nv; ++j) c->C[i][j] /= size, c->G[i][j] /= size;
    c->force[i] *= size, c->low[i] *= size, c->high[i] *= size;
  }
}

/* Whether forces may go along d, or against it. */
static bool admissible(const closed *c, const double *d, double sign) {
  double room = 1e-9;
  for (int i = 0; i < c->n; ++i) room = fmax(room, 1e-9 * fabs(c->force[i]));
  for (int i = 0; i < c->n; ++i) {
    double step = sign * d[i];
    if (step > 1e-6 && !(c->force[i] < c->high[i] - room)) return false;
    if (step < -1e-6 && !(c->force[i] > c->low[i] + room)) return false;
  }
  return true;
}

static bool decides(const closed *c, double *d) {
  double push[MOST_V] = {0.0}, size = norm(d, c->n);
  for (int i = 0; i < c->n; ++i) d[i] /= size;
  for (int i = 0; i < c->n; ++i)
    for (int j = 0; j < c->nv; ++j) push[j] += d[i] * c->G[i][j];
  return norm(push, c->nv) > 1e-5 && (admissible(c, d, 1.0) || admissible(c, d, -1.0));
}

/* Elimination with complete pivoting; each column without a pivot gives a direction of the kernel. */
static bool kernel_decides(const closed *c) {
  static double A[MOST_CLOSED][MOST_CLOSED];
  int n = c->n, order[MOST_CLOSED], rank = 0;
  for (int i = 0; i < n; ++i) {
    order[i] = i;
    for (int j = 0; j < n; ++j) {
      A[i][j] = 0.0;
      for (int k = 0; k < c->nv; ++k) A[i][j] += c->C[i][k] * c->G[j][k];
    }
  }
  for (; rank < n; ++rank) {
    int row = rank, column = rank;
    for (int i = rank; i < n; ++i)
      for (int j = rank; j < n; ++j)
        if (fabs(A[i][j]) > fabs(A[row][column])) row = i, column = j;
    if (fabs(A[row][column]) < 1e-7) break;
    for (int j = 0; j < n; ++j) {
      double t = A[row][j];
      A[row][j] = A[rank][j], A[rank][j] = t;
    }
    for (int i = 0; i < n; ++i) {
      double t = A[i][column];
      A[i][column] = A[i][rank], A[i][rank] = t;
    }
    int o = order[column];
    order[column] = order[rank], order[rank] = o;
    for (int i = 0; i < n; ++i) {
      if (i == rank) continue;
      double f = A[i][rank] / A[rank][rank];
      for (int j = rank; j < n; ++j) A[i][j] -= f * A[rank][j];
    }
  }
  for (int column = rank; column < n; ++column) {
    double d[MOST_CLOSED] = {0.0};
    d[order[column]] = 1.0;
    for (int i = 0; i < rank; ++i) d[order[i]] = -A[i][column] / A[i][i];
    if (decides(c, d)) return true;
  }
  return false;
}

bool forces_decide(const mechanism *m, const motion *events, double from, double to) {
  static rows r;
  static closed c;
  bool found = false;
  built twin = build_twin(m);
  for (int k = 0; k < events->instants && !found; ++k) {
    const instant *at = &events->instant[k];
    if (at->t < from || at->t > to || !rows_at(m, &twin, at->q, at->v, &r)) continue;
    collect(m, &r, at, &c);
    scale(&c);
    found = kernel_decides(&c);
  }
  nsds_model_destroy(twin.model);
  return found;
}
