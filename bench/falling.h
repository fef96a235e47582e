/*
 * Beads of equal mass that fall one above the other on a floor, from event to event in long double:
 * parabolas between impacts, of which no two are simultaneous. Event-driven cases of balls and
 * beads note their states at times of the grid and compare them with that, on either side.
 */
#ifndef NSDS_BENCH_FALLING_H
#define NSDS_BENCH_FALLING_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { parabolas_most = 64 };

typedef struct parabolas {
  int n;
  long impacts;
  long double radius, e, g, t;
  long double q[parabolas_most], v[parabolas_most];
} parabolas;

/* Gap i: of bead i to the one below, or the floor. */
static inline long double parabolas_gap(const parabolas *p, int i) {
  return i == 0 ? p->q[0] - p->radius : p->q[i] - p->q[i - 1] - 2.0L * p->radius;
}

static inline long double parabolas_rate(const parabolas *p, int i) {
  return i == 0 ? p->v[0] : p->v[i] - p->v[i - 1];
}

static inline void parabolas_move(parabolas *p, long double s) {
  for (int i = 0; i < p->n; ++i) {
    p->q[i] += s * (p->v[i] - 0.5L * p->g * s);
    p->v[i] -= p->g * s;
  }
  p->t += s;
}

/* How long until gap i closes; relative to each other beads fly straight. */
static inline long double parabolas_closing(const parabolas *p, int i) {
  long double y = parabolas_gap(p, i), dy = parabolas_rate(p, i);
  if (y < 0.0L) y = 0.0L;
  if (i > 0) return dy < 0.0L ? -y / dy : INFINITY;
  long double root = sqrtl(dy * dy + 2.0L * p->g * y);
  return dy <= 0.0L ? 2.0L * y / (root - dy) : (dy + root) / p->g;
}

static inline void parabolas_impact(parabolas *p, int i) {
  long double dv = -(1.0L + p->e) * parabolas_rate(p, i);
  if (i == 0) p->v[0] += dv;
  else {
    p->v[i] += 0.5L * dv;
    p->v[i - 1] -= 0.5L * dv;
  }
  ++p->impacts;
}

static inline void parabolas_advance(parabolas *p, long double t) {
  for (;;) {
    long double s = t - p->t, next = s;
    int which = -1;
    for (int i = 0; i < p->n; ++i) {
      long double closing = parabolas_closing(p, i);
      if (closing < next) next = closing, which = i;
    }
    parabolas_move(p, next);
    if (which < 0) return;
    parabolas_impact(p, which);
  }
}

static inline void parabolas_start(parabolas *p, int n, double radius, double bottom, double pitch,
                                   double e) {
  p->n = n;
  p->impacts = 0;
  p->radius = radius;
  p->e = e;
  p->g = 9.81; /* as the programs have it */
  p->t = 0.0L;
  for (int i = 0; i < n; ++i) {
    p->q[i] = bottom + i * pitch;
    p->v[i] = 0.0L;
  }
}

/* ---- states at times of the grid ---- */

typedef struct falling {
  int n; /* 0: nothing is noted */
  double radius, bottom, pitch, e, h;
  double *q, *v; /* n for each time */
  long count;
} falling;

static inline int falling_reserve(falling *f, long steps) {
  if (f->n == 0) return 1;
  f->q = (double *)malloc((size_t)steps * (size_t)f->n * sizeof *f->q);
  f->v = (double *)malloc((size_t)steps * (size_t)f->n * sizeof *f->v);
  return f->q && f->v;
}

static inline void falling_free(falling *f) {
  free(f->q);
  free(f->v);
}

/* Of bead i at the k-th time, h being the first. */
static inline void falling_note(falling *f, long k, int i, double q, double v) {
  f->q[k * f->n + i] = q;
  f->v[k * f->n + i] = v;
  f->count = k + 1;
}

static inline void falling_report(const falling *f) {
  parabolas p;
  double q = 0.0, v = 0.0;
  parabolas_start(&p, f->n, f->radius, f->bottom, f->pitch, f->e);
  for (long k = 0; k < f->count; ++k) {
    parabolas_advance(&p, (long double)(k + 1) * f->h);
    for (int i = 0; i < f->n; ++i) {
      q = fmax(q, fabs((double)(f->q[k * f->n + i] - p.q[i])));
      v = fmax(v, fabs((double)(f->v[k * f->n + i] - p.v[i])));
    }
  }
  printf("error q %.3g\nerror v %.3g\n", q, v);
}

#endif
