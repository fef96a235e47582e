/*
 * What the certifier sums up over the rows of M.
 */
#ifndef NSDS_SRC_CERTIFY_SUMS_H
#define NSDS_SRC_CERTIFY_SUMS_H

#include "base/base.h"

#include <nsds/problem.h>

/* Arrays of n: w = M z + q, s = |M| |z| + |q|, d = |diagonal of M|. */
typedef struct nsds_sums {
  double *w, *s, *d;
} nsds_sums;

/* Scratch, for the factored storage alone, whose sums threads of the context share: 2 ncolumn
 * entries. */
void nsds_compute_sums(const nsds_context *context, const nsds_problem *problem, const double *z,
                       nsds_sums t, double *scratch);

#endif
