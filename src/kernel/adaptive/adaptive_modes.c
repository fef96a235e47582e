/*
 * In its mode a row of a law has lambda at a bound, or between its bounds with w = 0. A mode ends where w of a row at a
 * bound changes its sign, or lambda between the bounds comes to one. A switch is moved where its margin becomes negative.
 */
#include "kernel/adaptive/adaptive_modes.h"

#include "kernel/adaptive/adaptive_stage.h"
#include "kernel/adaptive/adaptive_switches.h"

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
    return fmin(lambda - r->lower[k], r->upper[k] - lambda);
  return d->mode[k] == NSDS_MODE_LOWER ? at->w[k] : -at->w[k];
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
  return first;
}

nsds_mode_end nsds_adaptive_find_end(nsds_adaptive_driver *d, double h) {
  if (d->stage.rows.ny == 0) return (nsds_mode_end){.row = -1, .t = h, .guess = h};
  nsds_mode_end middle = first_end(d, &d->middle, nsds_gamma_stage * h),
                end = first_end(d, &d->trial, h);
  bool again = end.row >= 0 && end.row == d->ended.row && end.t > 0.0;
  if (again && end.margin > d->ended.margin && h < d->ended.t) {
    double t = h - end.margin * (h - d->ended.t) / (end.margin - d->ended.margin);
    if (t > 0.0 && t < h) end.guess = t;
  }
  d->ended = (nsds_ended_mode){end.row, h, end.margin};
  return middle.row >= 0 && middle.t < end.guess ? middle : end;
}
