/*
 * The rows of a convex quadratic programme that presolve leaves, in units of their own
 * (programme_units.h). The
 * pattern of M has a number that stays while the pattern does, so that its analysis is made once.
 */
#ifndef NSDS_SRC_PROGRAMME_REST_H
#define NSDS_SRC_PROGRAMME_REST_H

#include "numerics/programme/programme_rows.h"
#include "numerics/programme/trim.h"
#include "numerics/store.h"

typedef struct nsds_programme_rest {
  nsds_programme_rows rows; /* of the arrays below */
  int *p, *i;
  double *x, *q, *lower, *upper;
  signed char *sign;
  int *row, *place_of;        /* row of the whole of each row, and back; -1: it has left */
  double *of_z, *of_w;        /* units */
  double *work;               /* n */
  int *kept_p, *kept_i, kept; /* the pattern that has the number, and its rows */
  uint64_t pattern;
} nsds_programme_rest;

/* Reserves for n rows of so many entries, diagonal entries included. */
nsds_status nsds_programme_rest_reserve(nsds_programme_rest *r, nsds_store *store, size_t n,
                                        size_t entries);

/* Makes the rest of `given`, after `trim`; NULL: of all rows. */
void nsds_programme_rest_make(nsds_programme_rest *r, const nsds_programme_rows *given,
                              const nsds_trim *trim);

#endif
