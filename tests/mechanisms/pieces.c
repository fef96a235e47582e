/*
 * Drivers beside each other in pieces: where errors of time stepping grow from event to event, or events
 * are closer than its steps, the whole motion does not converge with steps that can be afforded. Then time
 * stepping begins anew at 65 states of the event-driven motion, and must agree with the next one. A piece in
 * which it does not is cut into 64 in the same way, once more.
 */
#include "mechanisms.h"

#include <math.h>
#include <stdlib.h>

enum { PARTS = 64, LEVELS = 7, COARSEST = 8 };

static const double least = 1e-9, largest_bound = 1e-3;

static double off(const double *a, const double *b, int n) {
  double d = 0.0;
  for (int i = 0; i < n; ++i)
    if (!(fabs(a[i] - b[i]) <= d)) d = fabs(a[i] - b[i]);
  return d;
}

/* Both begin at a and end at b; nq coordinates. */
static bool piece_agrees(const mechanism *m, const state *a, const state *b, double t0, double t1,
                         int nq, double *difference) {
  double q[2][MOST_Q];
  limit l = {0};
  for (int k = 0; k < LEVELS; ++k) {
    double *now = q[k % 2];
    if (!stretch(m, a, t0, t1, COARSEST << 2 * k, now)) return false;
    *difference = off(now, b->q, nq);
    if (k == 0) continue;
    limit_add(&l, off(now, q[(k + 1) % 2], nq), least);
    if (k >= 2 && l.bound <= largest_bound && *difference <= l.bound) return true;
  }
  return false;
}

bool pieces_agree(const mechanism *m, double *worst, double *when) {
  static state whole[PARTS + 1], fine[PARTS * PARTS + 1];
  built b = build(m, false);
  int nq = b.nq;
  nsds_model_destroy(b.model);
  bool have_fine = false;
  double length = m->t1 / PARTS, short_length = length / PARTS;
  *worst = 0.0;
  if (!states_of(m, PARTS, whole)) return false;
  for (int k = 0; k < PARTS; ++k) {
    double d, from = k * length;
    if (piece_agrees(m, &whole[k], &whole[k + 1], from, from + length, nq, &d)) continue;
    have_fine = have_fine || states_of(m, PARTS * PARTS, fine);
    if (!have_fine) return false;
    for (int i = 0; i < PARTS; ++i) {
      const state *at = &fine[k * PARTS + i];
      double t = from + i * short_length;
      if (piece_agrees(m, at, at + 1, t, t + short_length, nq, &d)) continue;
      *worst = d;
      *when = t;
      return false;
    }
  }
  return true;
}
