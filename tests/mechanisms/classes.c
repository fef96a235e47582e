/*
 * The class of a mechanism. Time stepping is made with steps h, h/4, h/16, and finer where these do
 * not tell. Of d_k, the difference of the motions with h_{k-1} and h_k, and the rate r = d_k / d_{k-1} at
 * which it falls, the distance to the limit is
 *
 *     d_k (r + r^2 + ...) = d_k r / (1 - r)
 *
 * AGREE       event-driven motion is as near as three times that, with r between 1/4, order one, and 0.6
 * NOT_UNIQUE  it is not, and where the motions part forces are not unique, and the motion depends on
 *             them (unique.c)
 * SENSITIVE   perturbations of 1e-6, 1e-8 and 1e-10 each change the event-driven motion by half the
 *             difference of the drivers, or more
 * UNCLASSED   anything else, a failed run included
 */
#include "mechanisms.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LEVELS = 5, COARSEST = 8 * SAMPLES, PERTURBATIONS = 6 };

static const double least = 5e-7; /* what event-driven motion may be off by itself */
static const double largest_bound = 0.02;

static bool unclassed(verdict *out, const char *message) {
  out->outcome = UNCLASSED;
  snprintf(out->message, sizeof out->message, "%s", message);
  return false;
}

static bool agrees(const mechanism *m, const motion *events, verdict *out) {
  static motion steps[2];
  double before = 0.0;
  for (int k = 0; k < LEVELS; ++k) {
    motion *now = &steps[k % 2];
    time_stepping(m, COARSEST << 2 * k, now);
    out->levels = k + 1;
    if (!now->good) return unclassed(out, now->message);
    out->difference = apart(events, now, 0.0, NULL);
    if (k == 0) continue;
    double d = apart(now, &steps[(k + 1) % 2], 0.0, NULL), r = d / before;
    before = d;
    if (k < 2) continue;
    r = fmax(r, 0.25);
    out->bound = least + (r <= 0.6 ? 3.0 * d * r / (1.0 - r) : 0.0);
    if ((r <= 0.6 || d < least) && out->bound <= largest_bound && out->difference <= out->bound)
      return true;
  }
  int when;
  apart(events, &steps[(LEVELS - 1) % 2], fmax(1e-6, 0.01 * out->difference), &when);
  double t = when * m->t1 / SAMPLES;
  if (forces_decide(m, events, t - 4.0 * m->t1 / SAMPLES, t)) out->outcome = NOT_UNIQUE;
  else out->outcome = UNCLASSED;
  snprintf(out->message, sizeof out->message, "the motions part at t = %.6g", t);
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
    return;
  }
  if (agrees(&m, &events, out)) return;
  if (out->outcome == NOT_UNIQUE || out->difference == 0.0) return;
  out->sensitivity = sensitivity(&m, &events);
  if (out->sensitivity >= 0.5 * out->difference) out->outcome = SENSITIVE;
}
