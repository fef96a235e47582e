/* Measures of a job: single numbers of a column over an interval, collected while it runs. */
#ifndef NSDS_RUN_MEASURE_H
#define NSDS_RUN_MEASURE_H

#include "run/job/keeper.h"

#include <nsds/base.h>

typedef enum nsds_measure_kind {
  NSDS_MEASURE_MEAN,
  NSDS_MEASURE_RMS,
  NSDS_MEASURE_MAX,
  NSDS_MEASURE_MIN,
  NSDS_MEASURE_PEAK_TO_PEAK,
  NSDS_MEASURE_INTEGRAL,
  NSDS_MEASURE_PERIOD, /* mean time between rising passages of `level` */
  NSDS_MEASURE_FINAL   /* the last value in the interval */
} nsds_measure_kind;

typedef struct nsds_measure {
  char *name;
  nsds_measure_kind kind;
  double from, to; /* the interval [s] */
  double level;    /* of a period, in the unit of the value */
  /* the result so far */
  bool begun;
  double t, x;                  /* of the last point */
  double time, sum, high, low;  /* length of the interval so far, integral, extremes */
  double first_pass, last_pass; /* of a period: when */
  long passes;                  /* and how many */
} nsds_measure;

typedef struct nsds_measures {
  int count, capacity;
  nsds_measure *item;
} nsds_measures;

/* Adds one; the name is copied. Returns the number of the measure, or -1 when memory is out. */
int nsds_measures_add(nsds_context *context, nsds_measures *measures, const char *name,
                      nsds_measure_kind kind, double from, double to, double level);

/* Finds the kind by its name, such as "mean" or "rms"; false if there is none. */
bool nsds_measure_kind_of(const char *name, nsds_measure_kind *kind);

/* Takes the value at a time, not before the last one. Straight lines lead from point to point. Two
 * points of one time are a jump. */
void nsds_measure_take(nsds_measure *measure, double t, double x);

/* Takes the value x at the end of an implicit step. Integrals are those of the step's quadrature:
 * `share` of the length counts with the value `middle` of an inner stage, the rest with x. Then
 * means balance the charge of capacitors. */
void nsds_measure_step(nsds_measure *measure, double t, double share, double middle, double x);

/* Takes the area of an impulse at a time; it counts in means and integrals. */
void nsds_measure_add(nsds_measure *measure, double t, double area);

/* Numbers of one measure that a saved state holds. */
enum { nsds_measure_kept = 10 };
void nsds_measures_keep(nsds_measures *measures, nsds_keeper *keeper);

/* NaN if nothing is known. */
double nsds_measure_value(const nsds_measure *measure);
void nsds_measures_free(nsds_measures *measures);

#endif
