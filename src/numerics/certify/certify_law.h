/*
 * How far z and w are from obeying the laws, in the scale of each row.
 */
#ifndef NSDS_SRC_CERTIFY_LAW_H
#define NSDS_SRC_CERTIFY_LAW_H

#include <nsds/problem.h>

/* An answer: z + low (NULL: zeros), w, and by rows the diagonal d that certify.c shares, the scale
 * and the terms |q| + |M| |z|, which replace a scale of 0. */
typedef struct nsds_claim {
  const nsds_problem *problem;
  const double *z, *low, *w, *d, *scale, *terms;
} nsds_claim;

/*
 * Returns the least t for which the law of rows i .. of a block holds exactly at some z + dz, w + dw
 * with
 *
 *     |dw_i| <= t scale_i,    d_i |dz_i| <= t scale_i
 *
 * or a little more; NaN if a number is not finite. Tangential rows are measured by their norm.
 * Rows that stand alone are judged one by one, others as a whole, from i = 0.
 */
double nsds_law_error(const nsds_claim *claim, const nsds_block *block, int first, int i);

/* Returns the part of that error which errors of w of this size in each row explain, at most. */
double nsds_law_slack(const nsds_claim *claim, const nsds_block *block, const double *error,
                      int first, int i);

/* Returns true if each row of the block stands alone. */
bool nsds_law_is_alone(const nsds_block *block);

#endif
