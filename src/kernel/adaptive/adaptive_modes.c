/*
 * In its mode a row of a law has lambda at a bound, or between its bounds with w = 0. A mode ends where w of a row at a
 * bound changes its sign, or lambda between the bounds comes to one. A switch is moved where its margin becomes negative.
 * An open gap of a second-order system holds lambda at zero until y falls through zero, by the cubic through y and dy/dt
 * at both ends.
 */
#include "kernel/adaptive/adaptive_modes.h"

#include "base/base.h"
#include "kernel/adaptive/adaptive_stage.h"
#include "kernel/adaptive/adaptive_switches.h"

#include <math.h>

void nsds_adaptive_take_modes(nsds_adaptive_driver *d, const double *z) {
  const nsds_implicit_rows *r = &d->stage.rows;
  for (int k = 0; k < r->ny; ++k) {
    double lambda = z[r->nx + k];
    d->mode[k] = lambda <= r->lower[k]   ? NSDS_MODE_LOWER
                 : lambda >= r->upper[k] ? NSDS_MODE_UPPER
                                         : NSDS_MODE_BETWEEN;
  }
}

/* How far row k is from the end of its mode, >= 0 as long as it lasts. */
static double mode_margin(const nsds_adaptive_driver *d, int k, const nsds_adaptive_instant *at) {
  const nsds_implicit_rows *r = &d->stage.rows;
  double lambda = at->z[r->nx + k];
  if (d->mode[k] == NSDS_MODE_BETWEEN) /* INFINITY of a row without bounds */
    return nsds_smaller(lambda - r->lower[k], r->upper[k] - lambda);
  return d->mode[k] == NSDS_MODE_LOWER ? at->w[k] : -at->w[k];
}

void nsds_adaptive_part_gaps(nsds_adaptive_driver *d) {
  const nsds_implicit_rows *r = &d->stage.rows;
  for (int k = 0; nsds_adaptive_moves(d) && k < r->ny; ++k)
    if (r->motion.kind[k] == NSDS_ROW_OF_GAP && d->mode[k] != NSDS_MODE_BETWEEN)
      d->bodies.closed[k] = 0;
  nsds_switches_bounds(d);
}

/* The cubic with values y and rates s at 0 and h, at t. */
static double cubic_at(const double y[2], const double s[2], double h, double t) {
  double u = t / h, v = 1.0 - u;
  return v * v * ((1.0 + 2.0 * u) * y[0] + u * h * s[0]) +
         u * u * ((1.0 + 2.0 * v) * y[1] - v * h * s[1]);
}

/* Returns the time at which a gap that is below zero at h has fallen through zero; 0: it was never open. */
static double fall_of_gap(const double y[2], const double s[2], double h) {
  enum { looks = 16, halvings = 60 };
  double low = 0.0, high = h;
  if (y[0] <= 0.0) {
    if (s[0] <= 0.0) return 0.0;
    for (int k = 1; k < looks && low == 0.0; ++k) { /* it rises first */
      double t = h * ldexp(1.0, -k);
      if (cubic_at(y, s, h, t) > 0.0) low = t;
    }
    if (low == 0.0) return 0.0;
  }
  for (int k = 0; k < halvings; ++k) {
    double middle = 0.5 * (low + high);
    if (cubic_at(y, s, h, middle) > 0.0) low = middle;
    else high = middle;
  }
  return 0.5 * (low + high);
}

/* Finds the first open gap that has fallen through zero at `at`, unless a mode has ended before. */
static void first_gap(const nsds_adaptive_driver *d, const nsds_adaptive_instant *at, double length,
                      nsds_mode_end *first) {
  for (int k = 0; k < d->stage.rows.ny; ++k) {
    const double y[2] = {d->now.gap[k], at->gap[k]};
    const double s[2] = {d->now.w[k], at->w[k]};
    if (!nsds_gap_is_open(d, k) || !(y[1] < 0.0 && s[1] < 0.0)) continue;
    double t = fall_of_gap(y, s, length);
    if (first->row < 0 || t < first->t) *first = (nsds_mode_end){k, t, t, y[1]};
  }
}

/* Finds the first mode that has ended at `at`, which is the time `length` from the start. */
static nsds_mode_end first_end(const nsds_adaptive_driver *d, const nsds_adaptive_instant *at,
                               double length) {
  const nsds_implicit_rows *r = &d->stage.rows;
  const double least = 1e-9; /* of the row's largest value: rounding ends no mode */
  nsds_mode_end first = {.row = -1, .t = length, .guess = length};
  for (int k = 0; k < r->ny; ++k) {
    if (r->lower[k] == r->upper[k]) continue;
    double after = mode_margin(d, k, at);
    if (!(after < 0.0)) continue;
    bool between = d->mode[k] == NSDS_MODE_BETWEEN;
    if (after > -least * d->bounds[between ? k : r->ny + k]) continue;
    double start = mode_margin(d, k, &d->now);
    double t = start <= 0.0 ? 0.0 : length * (start / (start - after));
    if (first.row < 0 || t < first.t) first = (nsds_mode_end){k, t, t, after};
  }
  for (int k = 0; k < d->switches.count; ++k) { /* switches count behind the rows */
    double after = nsds_switch_margin_at(d, k, at);
    if (!(after < 0.0)) continue;
    double start = nsds_switch_margin_at(d, k, &d->now);
    double t = start <= 0.0 ? 0.0 : length * (start / (start - after));
    if (isinf(start)) t = 0.0;
    if (first.row < 0 || t < first.t) first = (nsds_mode_end){r->ny + k, t, t, after};
  }
  if (nsds_adaptive_moves(d)) first_gap(d, at, length, &first);
  return first;
}

nsds_mode_end nsds_adaptive_find_end(nsds_adaptive_driver *d, double h) {
  if (d->stage.rows.ny == 0) return (nsds_mode_end){.row = -1, .t = h, .guess = h};
  nsds_mode_end middle = first_end(d, &d->middle, nsds_gamma_stage * h),
                end = first_end(d, &d->trial, h);
  bool gap = end.row >= 0 && end.row < d->stage.rows.ny && nsds_gap_is_open(d, end.row);
  bool again = end.row >= 0 && end.row == d->course.tried.row && end.t > 0.0 && !gap;
  if (again && end.margin > d->course.tried.margin && h < d->course.tried.t) {
    double t = h - end.margin * (h - d->course.tried.t) / (end.margin - d->course.tried.margin);
    if (t > 0.0 && t < h) end.guess = t;
  }
  d->course.tried = (nsds_ended_mode){end.row, h, end.margin};
  return middle.row >= 0 && middle.t < end.guess ? middle : end;
}
