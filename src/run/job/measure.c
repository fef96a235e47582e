/*
 * Means and the like of values that come point by point. Between points the value goes along a
 * straight line, whose integral and whose integral of squares are exact:
 *
 *   int x dt = h (a + b) / 2,   int x^2 dt = h (a^2 + a b + b^2) / 3
 *
 * Over an implicit step the integral is that of its stages instead, I h, and that of squares is
 *
 *   h (I^2 + (b - a)^2 / 12)
 *
 * Currents of capacitors without resistance are late by a part of the step, at both ends alike. If
 * the interval of the measure ends within a step, the difference from the straight line counts in
 * proportion.
 */
#include "run/job/measure.h"

#include "base/text/words.h"

#include <math.h>

static const struct {
  const char *name;
  nsds_measure_kind kind;
} kinds[] = {{"mean", NSDS_MEASURE_MEAN},      {"avg", NSDS_MEASURE_MEAN},
             {"rms", NSDS_MEASURE_RMS},        {"max", NSDS_MEASURE_MAX},
             {"min", NSDS_MEASURE_MIN},        {"pp", NSDS_MEASURE_PEAK_TO_PEAK},
             {"integ", NSDS_MEASURE_INTEGRAL}, {"integral", NSDS_MEASURE_INTEGRAL},
             {"period", NSDS_MEASURE_PERIOD},  {"final", NSDS_MEASURE_FINAL}};

bool nsds_measure_kind_of(const char *name, nsds_measure_kind *kind) {
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; ++k)
    if (nsds_same_word(name, kinds[k].name)) {
      *kind = kinds[k].kind;
      return true;
    }
  return false;
}

int nsds_measures_add(nsds_context *context, nsds_measures *measures, const char *name,
                      nsds_measure_kind kind, double from, double to, double level) {
  if (nsds_room(context, &measures->item, &measures->capacity, measures->count + 1,
                sizeof *measures->item))
    return -1;
  char *copy = nsds_copy_word(context, name);
  if (!copy) return -1;
  measures->item[measures->count] =
      (nsds_measure){.name = copy, .kind = kind, .from = from, .to = to, .level = level};
  return measures->count++;
}

/* The integral of the line from a to b over h, as the measure needs it. */
static double integral_of(const nsds_measure *m, double h, double a, double b) {
  return m->kind == NSDS_MEASURE_RMS ? h * (a * a + a * b + b * b) / 3.0 : h * (a + b) / 2.0;
}

/* The straight piece from (t, a) on over h to b, all of it in the interval. */
static void take_piece(nsds_measure *m, double t, double h, double a, double b) {
  m->time += h;
  m->sum += integral_of(m, h, a, b);
  m->high = fmax(m->high, fmax(a, b));
  m->low = fmin(m->low, fmin(a, b));
  if (a < m->level && b >= m->level) {
    m->last_pass = b > a && h > 0.0 ? t + h * (m->level - a) / (b - a) : t;
    if (m->passes++ == 0) m->first_pass = m->last_pass;
  }
}

void nsds_measure_step(nsds_measure *m, double t, double share, double middle, double x) {
  double t0 = m->t, x0 = m->x, h = t - t0;
  bool begun = m->begun;
  nsds_measure_take(m, t, x);
  double inside = fmin(t, m->to) - fmax(t0, m->from);
  if (!begun || !(inside > 0.0)) return;
  double mean = share * middle + (1.0 - share) * x, slope = x - x0, stages = mean * h;
  if (m->kind == NSDS_MEASURE_RMS) stages = h * (mean * mean + slope * slope / 12.0);
  m->sum += (stages - integral_of(m, h, x0, x)) * (inside / h);
}

void nsds_measure_take(nsds_measure *m, double t, double x) {
  if (!m->begun) {
    *m = (nsds_measure){.name = m->name,
                        .kind = m->kind,
                        .from = m->from,
                        .to = m->to,
                        .level = m->level,
                        .begun = true,
                        .t = t,
                        .x = x,
                        .high = -INFINITY,
                        .low = INFINITY};
    if (t >= m->from && t <= m->to) take_piece(m, t, 0.0, x, x);
    return;
  }
  double t0 = m->t, x0 = m->x, h = t - t0;
  double begin = fmax(t0, m->from), end = fmin(t, m->to);
  if (end >= begin) {
    double a = h > 0.0 ? x0 + (x - x0) * ((begin - t0) / h) : x0;
    double b = h > 0.0 ? x0 + (x - x0) * ((end - t0) / h) : x;
    take_piece(m, begin, end - begin, a, b);
  }
  if (t <= m->to || t0 < m->to) m->t = t, m->x = x;
}

void nsds_measure_add(nsds_measure *m, double t, double area) {
  bool sums = m->kind == NSDS_MEASURE_MEAN || m->kind == NSDS_MEASURE_INTEGRAL;
  if (sums && m->begun && t >= m->from && t <= m->to) m->sum += area;
}

double nsds_measure_value(const nsds_measure *m) {
  if (!m->begun || m->high < m->low) return NAN;
  switch (m->kind) {
  case NSDS_MEASURE_MEAN: return m->time > 0.0 ? m->sum / m->time : m->x;
  case NSDS_MEASURE_RMS: return m->time > 0.0 ? sqrt(fmax(m->sum / m->time, 0.0)) : fabs(m->x);
  case NSDS_MEASURE_MAX: return m->high;
  case NSDS_MEASURE_MIN: return m->low;
  case NSDS_MEASURE_PEAK_TO_PEAK: return m->high - m->low;
  case NSDS_MEASURE_INTEGRAL: return m->sum;
  case NSDS_MEASURE_PERIOD:
    return m->passes > 1 ? (m->last_pass - m->first_pass) / (double)(m->passes - 1) : NAN;
  case NSDS_MEASURE_FINAL: return m->x;
  }
  return NAN;
}

void nsds_measures_keep(nsds_measures *measures, nsds_keeper *keeper) {
  for (int k = 0; k < measures->count; ++k) {
    nsds_measure *m = &measures->item[k];
    double *const numbers[] = {&m->t,    &m->x,   &m->time,       &m->sum,
                               &m->high, &m->low, &m->first_pass, &m->last_pass};
    for (size_t n = 0; n < sizeof numbers / sizeof *numbers; ++n)
      nsds_keep_number(keeper, numbers[n]);
    nsds_keep_bool(keeper, &m->begun);
    nsds_keep_count(keeper, &m->passes, 0.0, 1e15);
  }
}

void nsds_measures_free(nsds_measures *measures) {
  for (int k = 0; k < measures->count; ++k) nsds_free(measures->item[k].name);
  nsds_free(measures->item);
  *measures = (nsds_measures){0};
}
