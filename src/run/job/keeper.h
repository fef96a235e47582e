/* Numbers of a run that saved states and snapshots hold: one walk over them puts them away and
 * takes them back. */
#ifndef NSDS_RUN_KEEPER_H
#define NSDS_RUN_KEEPER_H

#include <math.h>
#include <stdbool.h>
#include <string.h>

typedef struct nsds_keeper {
  double *at; /* the next number */
  bool back;  /* numbers are taken back */
} nsds_keeper;

static inline void nsds_keep_numbers(nsds_keeper *k, double *x, int count) {
  if (count <= 0) return;
  if (k->back) memcpy(x, k->at, (size_t)count * sizeof *x);
  else memcpy(k->at, x, (size_t)count * sizeof *x);
  k->at += count;
}

static inline void nsds_keep_number(nsds_keeper *k, double *x) { nsds_keep_numbers(k, x, 1); }

/* A count; a snapshot of another program may hold anything, so it stays within bounds. */
static inline void nsds_keep_count(nsds_keeper *k, long *x, double least, double most) {
  double value = (double)*x;
  nsds_keep_numbers(k, &value, 1);
  if (k->back) *x = value >= least ? (long)fmin(value, most) : (long)least;
}

static inline void nsds_keep_bool(nsds_keeper *k, bool *x) {
  double value = *x;
  nsds_keep_numbers(k, &value, 1);
  if (k->back) *x = value == 1.0;
}

#endif
