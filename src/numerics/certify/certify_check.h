/*
 * Verdicts of the certifier for given sums.
 */
#ifndef NSDS_SRC_CERTIFY_CHECK_H
#define NSDS_SRC_CERTIFY_CHECK_H

#include "certify_sums.h"

#include <float.h>

/* Squares of numbers below sqrt(DBL_MIN) = 1.5e-154 vanish, and with them every norm a method can
 * form: no relative accuracy can be asked of rows whose terms lie there. */
static const double nsds_certified_underflow = 1.4916681462400413e-154 / DBL_EPSILON;

/* The largest e_i / s_i so far, and its block in the end. */
typedef struct nsds_worst {
  double ratio, e, s;
  int row, block;
  bool coupled; /* rows judged together have been met that may run off */
} nsds_worst;

/* Into how many parts the blocks are cut that threads share, and the first row of each, up to
 * nsds_most_parts of them. */
int nsds_certify_parts(const nsds_context *context, const nsds_problem *problem, int *first_row);

/* All blocks, shared among the threads of the context. Errors in w up to `slack` are no errors;
 * NULL: all are. */
void nsds_certify_blocks(const nsds_context *context, const nsds_problem *problem, const double *z,
                         const nsds_sums *sums, const double *slack, nsds_worst *worst);

#endif
