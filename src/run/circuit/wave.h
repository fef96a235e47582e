/* Waveforms of sources: constant, SIN, PULSE, PWL. */
#ifndef NSDS_RUN_WAVE_H
#define NSDS_RUN_WAVE_H

#include <float.h>
#include <math.h>
#include <stdbool.h>

typedef enum nsds_wave_kind {
  NSDS_WAVE_DC,
  NSDS_WAVE_SIN,
  NSDS_WAVE_PULSE,
  NSDS_WAVE_PWL
} nsds_wave_kind;

typedef struct nsds_wave {
  nsds_wave_kind kind;
  double dc;
  double low, high, delay, rise, fall, width, period;  /* PULSE [s]; period INFINITY: once */
  double offset, amplitude, frequency, damping, phase; /* SIN; phase in rad, delay as above */
  int count;                                           /* PWL: points */
  double *t, *x;
} nsds_wave;

/* The value at t on the smooth piece that `inside` lies in. A step never goes beyond a corner. The
 * middle of a step is `inside`: at a jump the step before it and the step after it see their own
 * side. */
double nsds_wave_value(const nsds_wave *wave, double t, double inside);

/* The value at the end t of a step: at a corner that of the piece before, however t is rounded. */
static inline double nsds_wave_at_end(const nsds_wave *wave, double t) {
  const double rounding = 16.0 * DBL_EPSILON;
  return wave->kind == NSDS_WAVE_DC ? wave->dc : nsds_wave_value(wave, t, t - rounding * fabs(t));
}

/* The first corner after t; INFINITY: there is none. */
double nsds_wave_next(const nsds_wave *wave, double t);

/* Returns the first time after t when the wave passes a level between its corners; INFINITY: not
 * before the next corner. */
double nsds_wave_next_passage(const nsds_wave *wave, double level, double t);

/* The largest |value|. */
double nsds_wave_size(const nsds_wave *wave);

/* The period; INFINITY: there is none. */
double nsds_wave_period(const nsds_wave *wave);

#endif
