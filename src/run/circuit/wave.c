/*
 * Waveforms as smooth pieces between corners. A pulse has four pieces in a period, from its delay
 * on: rise, top, fall and bottom. Pieces of no length are jumps. The period cuts off what does not
 * fit into it. Two points of one time are a jump as well. Corners closer than rounding are one.
 */
#include "run/circuit/wave.h"

#include <math.h>

static const double pi = 3.14159265358979323846;
static const double rounding = 1e-12; /* of a time, relative to it */

/* ---- pulse ---- */

/* Begin of the period that t lies in. */
static double pulse_begin(const nsds_wave *w, double t) {
  if (!isfinite(w->period)) return w->delay;
  double k = floor((t - w->delay) / w->period);
  return w->delay + (k > 0.0 ? k : 0.0) * w->period;
}

static double pulse_value(const nsds_wave *w, double t, double inside) {
  if (inside < w->delay) return w->low;
  double begin = pulse_begin(w, inside), phase = inside - begin, s = t - begin;
  double top = w->rise + w->width;
  if (phase < w->rise) return w->low + (w->high - w->low) * (s / w->rise);
  if (phase < top) return w->high;
  if (phase < top + w->fall) return w->high + (w->low - w->high) * ((s - top) / w->fall);
  return w->low;
}

static double pulse_next(const nsds_wave *w, double t) {
  double length = w->rise + w->width + w->fall;
  double least = t + rounding * fmax(fabs(t), isfinite(length) ? length : 0.0);
  if (w->delay > least) return w->delay;
  double begin = pulse_begin(w, t);
  for (int turn = 0; turn < 3; ++turn) {
    double corner[] = {begin, begin + w->rise, begin + w->rise + w->width,
                       begin + w->rise + w->width + w->fall};
    for (int k = 0; k < 4; ++k)
      if (corner[k] > least && corner[k] < begin + w->period * (1.0 - rounding)) return corner[k];
    if (!isfinite(w->period)) return INFINITY;
    begin += w->period;
  }
  return begin;
}

/* ---- points ---- */

static double points_value(const nsds_wave *w, double t, double inside) {
  int n = w->count;
  if (inside < w->t[0]) return w->x[0];
  if (inside >= w->t[n - 1]) return w->x[n - 1];
  int low = 0, high = n - 1;
  while (high - low > 1) {
    int middle = (low + high) / 2;
    if (w->t[middle] <= inside) low = middle;
    else high = middle;
  }
  return w->x[low] + (w->x[high] - w->x[low]) * ((t - w->t[low]) / (w->t[high] - w->t[low]));
}

static double points_next(const nsds_wave *w, double t) {
  double least = t + rounding * fabs(t);
  int low = 0, high = w->count; /* the first point above `least` */
  while (low < high) {
    int middle = (low + high) / 2;
    if (w->t[middle] > least) high = middle;
    else low = middle + 1;
  }
  return low < w->count ? w->t[low] : INFINITY;
}

/* ---- all ---- */

static double sine_value(const nsds_wave *w, double t) {
  double s = fmax(t - w->delay, 0.0);
  double damped = w->damping != 0.0 ? exp(-s * w->damping) : 1.0;
  return w->offset + w->amplitude * damped * sin(2.0 * pi * w->frequency * s + w->phase);
}

double nsds_wave_value(const nsds_wave *wave, double t, double inside) {
  switch (wave->kind) {
  case NSDS_WAVE_DC: return wave->dc;
  case NSDS_WAVE_SIN: return sine_value(wave, inside < wave->delay ? wave->delay : t);
  case NSDS_WAVE_PULSE: return pulse_value(wave, t, inside);
  case NSDS_WAVE_PWL: return points_value(wave, t, inside);
  }
  return 0.0;
}

double nsds_wave_next(const nsds_wave *wave, double t) {
  if (wave->kind == NSDS_WAVE_PULSE) return pulse_next(wave, t);
  if (wave->kind == NSDS_WAVE_PWL) return points_next(wave, t);
  if (wave->kind == NSDS_WAVE_SIN && wave->delay > t + rounding * fabs(t)) return wave->delay;
  return INFINITY;
}

double nsds_wave_next_passage(const nsds_wave *wave, double level, double t) {
  double end = nsds_wave_next(wave, t);
  if (wave->kind == NSDS_WAVE_DC) return INFINITY;
  if (wave->kind != NSDS_WAVE_SIN) {
    if (!isfinite(end)) return INFINITY;
    double inside = 0.5 * (t + end), a = nsds_wave_value(wave, t, inside),
           b = nsds_wave_value(wave, end, inside);
    if ((a - level) * (b - level) >= 0.0) return INFINITY;
    double passage = t + (end - t) * ((level - a) / (b - a));
    return passage > t + rounding * fabs(t) ? passage
                                            : INFINITY; /* else it is at t, but for rounding */
  }
  if (wave->damping != 0.0 || wave->frequency <= 0.0 ||
      fabs(level - wave->offset) > fabs(wave->amplitude))
    return INFINITY;
  double up = asin((level - wave->offset) / wave->amplitude), turn = 2.0 * pi;
  double now = 2.0 * pi * wave->frequency * (t - wave->delay) + wave->phase, best = INFINITY;
  if (t < wave->delay) return INFINITY;
  for (int k = 0; k < 2; ++k) {
    double angle = k ? pi - up : up;
    angle += turn * ceil((now - angle) / turn);
    if (angle - now < 1e-9) angle += turn;
    best = fmin(best, t + (angle - now) / (2.0 * pi * wave->frequency));
  }
  return best;
}

double nsds_wave_period(const nsds_wave *wave) {
  if (wave->kind == NSDS_WAVE_PULSE) return wave->period;
  return wave->kind == NSDS_WAVE_SIN && wave->frequency > 0.0 ? 1.0 / wave->frequency : INFINITY;
}

double nsds_wave_size(const nsds_wave *wave) {
  double size = fabs(wave->dc);
  if (wave->kind == NSDS_WAVE_SIN) return fabs(wave->offset) + fabs(wave->amplitude);
  if (wave->kind == NSDS_WAVE_PULSE) return fmax(fabs(wave->low), fabs(wave->high));
  if (wave->kind == NSDS_WAVE_PWL) size = 0.0;
  for (int k = 0; k < wave->count; ++k) size = fmax(size, fabs(wave->x[k]));
  return size;
}
