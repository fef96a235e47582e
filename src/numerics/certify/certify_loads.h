/*
 * Reactions that answer no load. Along a direction in which M nearly vanishes a reaction may grow
 * until every residual relative to its terms is small. Methods do run off there, above all with
 * friction and other laws of several rows. Reactions answer the load of the rows that M ties to
 * them. Other rows are no excuse.
 */
#ifndef NSDS_SRC_CERTIFY_LOADS_H
#define NSDS_SRC_CERTIFY_LOADS_H

#include "base/base.h"

#include <nsds/problem.h>

/* Terms count up to this multiple of the load, in the unit of |q_i| / sqrt(d_i), the same in all
 * rows. A tolerance of 1e-8 still sees a thousandth of the load. */
static const double nsds_outsized = 1e5;

/* An error e beside the load l counts as at least (e / l)^2 over this number. A tolerance of 1e-6
 * sees a hundredth of the load; tolerances up to 1e-8 see no more than by the terms. */
static const double nsds_visible = 1e2;

/* Terms beyond this multiple of the load are no answer to the load. */
static const double nsds_diverged = 1e10;

/* Beyond this multiple, rounding hides whether terms answer the load. */
static const double nsds_drowned = 1e13;

/*
 * Loads by connected components of M; rows that a set couples belong together. A load is the
 * largest |q_i| / sqrt(d_i) of the component, or sqrt(d_i) |z_i| of a bounded set. Such reactions
 * cannot run off, and act on others as a load does. Every load is at least a millionth of the load
 * of the whole problem, unless it is 0.
 */
typedef struct nsds_loads {
  const double *of; /* n, in the work; NULL if no terms exceed `limit` times their load */
  double ratio;     /* largest s_i / sqrt(d_i) of unbounded sets over its load, if not 0 */
  double terms;     /* largest s_i / sqrt(d_i) of unbounded sets */
  double load;      /* of the whole problem */
} nsds_loads;

/* Measures loads. `work` comes from nsds_certified_residual() of z; the slack of certify.c in it is
 * kept. `coupled`: only s_i of sets whose rows are judged together count. */
nsds_loads nsds_certify_loads(const nsds_context *context, const nsds_problem *problem,
                              const double *z, double *work, bool coupled, double limit);

/* Returns false if all terms are so small beside the load of the whole problem that
 * nsds_certify_loads() with this limit finds no terms beyond it. */
bool nsds_certify_may_exceed(const nsds_problem *problem, const double *work, double limit);

/* Cuts the blocks into parts for threads and writes the first row of each part. Returns the number
 * of parts, at most nsds_most_parts. */
int nsds_cut_blocks(const nsds_context *context, const nsds_problem *problem, int *first_row);

#endif
