/*
 * The class of a mechanism. Time stepping is made with steps h, h/4, h/16, and finer where these do
 * not tell, until a bound of its distance to the limit is seen (limit.c).
 *
 * AGREE       event-driven motion is within that bound, which is at most 0.02 of the way gone; or within
 *             such bounds piece by piece (pieces.c)
 * NOT_UNIQUE  it is not, and where the motions part forces are not unique, and the motion depends on
 *             them (unique.c)
 * NO_SOLUTION the run ends with an impact for which the laws have none (no_solution.c); what comes before agrees
 * SENSITIVE   perturbations of 1e-6, 1e-8 and 1e-10 each change the event-driven motion by half the
 *             difference of the drivers, or more
 * UNCLASSED   anything else, a failed run included
 */
#include "mechanisms.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LEVELS = 4, COARSEST = 8 * SAMPLES, PERTURBATIONS = 6 };

static const double least = 5e-7; /* what event-driven motion may be off by itself */

static bool unclassed(verdict *out, const char *message) {
  out->outcome = UNCLASSED;
  snprintf(out->message, sizeof out->message, "%s", message);
  return false;
}

/* How far coordinates go, at least 1. */
static double way(const motion *x) {
  double far = 1.0;
  for (int k = 0; k <= SAMPLES; ++k)
    for (int i = 0; i < x->nq; ++i) far = fmax(far, fabs(x->q[k][i] - x->q[0][i]));
  return far;
}

static bool agrees(const mechanism *m, const motion *events, verdict *out) {
  static motion steps[2];
  limit l = {0};
  for (int k = 0; k < LEVELS; ++k) {
    motion *now = &steps[k % 2];
    time_stepping(m, COARSEST << 2 * k, now);
    if (!now->good) return unclassed(out, now->message);
    out->difference = apart(events, now, 0.0, NULL);
    if (k == 0) continue;
    limit_add(&l, apart(now, &steps[(k + 1) % 2], 0.0, NULL), least);
    out->bound = l.bound;
    if (k >= 2 && l.bound <= 0.02 * way(events) && out->difference <= l.bound) return true;
  }
  double off, t;
  out->pieces = true;
  if (pieces_agree(m, &off, &t)) return true;
  snprintf(out->message, sizeof out->message, "the motions part by %.3g at t = %.9g", off, t);
  bool decide = forces_decide(m, events, t - 2.0 * m->t1 / SAMPLES, t + m->t1 / SAMPLES);
  out->outcome = decide ? NOT_UNIQUE : UNCLASSED;
  return false;
}

/* The least over three sizes of the largest change that a perturbation of this size makes. */
static double sensitivity(const mechanism *m, const motion *events) {
  static motion other;
  double smallest = HUGE_VAL;
  for (double eps = 1e-6; eps > 5e-11; eps *= 1e-2) {
    double largest = 0.0;
    for (uint64_t k = 1; k <= PERTURBATIONS; ++k) {
      mechanism p = perturbed(m, eps, k);
      event_driven(&p, &other);
      if (other.good) largest = fmax(largest, apart(events, &other, 0.0, NULL));
    }
    smallest = fmin(smallest, largest);
  }
  return smallest;
}

/* The motion before an impact that has no solution, which is let alone with all that is close to it. */
static void classify_before(mechanism *m, motion *events, verdict *out) {
  double t = 0.0;
  if (!impact_has_no_solution(m, &t)) return;
  char message[sizeof out->message];
  snprintf(message, sizeof message, "%s", out->message);
  m->t1 = 0.99 * t;
  if (t > 0.0) event_driven(m, events);
  if (t > 0.0 && !(events->good && agrees(m, events, out))) return;
  out->outcome = NO_SOLUTION;
  snprintf(out->message, sizeof out->message, "%s", message);
}

void classify(uint64_t seed, verdict *out) {
  static mechanism m;
  static motion events;
  memset(out, 0, sizeof *out);
  draw(&m, seed);
  snprintf(out->kind, sizeof out->kind, "%s%s%s", m.shape,
           m.world == PLANE   ? ", plane"
           : m.world == SPACE ? ", space"
                              : "",
           m.at_rest ? ", at rest" : "");
  bool good = find_end(&m, &events);
  if (good) event_driven(&m, &events);
  out->events = events.events;
  if (!events.good) {
    unclassed(out, events.message);
    classify_before(&m, &events, out);
    return;
  }
  if (agrees(&m, &events, out)) return;
  if (out->outcome == NOT_UNIQUE || out->difference == 0.0) return;
  out->sensitivity = sensitivity(&m, &events);
  if (out->sensitivity >= 0.5 * out->difference) out->outcome = SENSITIVE;
}
