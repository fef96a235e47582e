/*
 * Reactions that answer no load. Along a direction in which M nearly vanishes a reaction may grow
 * until every residual relative to its terms is small; with the laws of several rows, friction
 * above all, methods do run off there. What reactions have to answer is the load of the rows that M
 * ties to theirs: what they do not touch is no excuse.
 */
#ifndef NSDS_SRC_CERTIFY_LOADS_H
#define NSDS_SRC_CERTIFY_LOADS_H

#include "base/base.h"

#include <nsds/problem.h>

/* In the unit that q_i^2 / d_i has in all rows: up to this part of the load terms count, so that a
 * tolerance of 1e-8 still sees a thousandth of the load; */
static const double nsds_outsized = 1e5;

/* an error e beside the load l counts as (e / l)^2 over this at least, so that one of 1e-6 sees a hundredth
 * of the load and tolerances of 1e-8 and less see no more than by the terms; */
static const double nsds_visible = 1e2;

/* terms beyond this one are no answer to it, */
static const double nsds_diverged = 1e10;

/* and beside those beyond this one rounding hides whether they are. */
static const double nsds_drowned = 1e13;

/*
 * Loads by connected components of M, the rows of a block that its set couples being tied too: the
 * largest |q_i| / sqrt(d_i) there, or sqrt(d_i) |z_i| of a bounded set, in which nothing can run
 * off and which acts on the others as a load does; at least a millionth of the load of the
 * whole problem.
 */
typedef struct nsds_loads {
  const double *of; /* n, in the work; NULL where no terms exceed `limit` times their load */
  double ratio;     /* then the largest s_i / sqrt(d_i) of unbounded sets over its load, if not 0 */
  double terms;     /* the largest of these */
  double load;      /* of the whole problem */
} nsds_loads;

/* work: as nsds_certified_residual() of z has left it, what rounding allows (certify.c) included.
 * `coupled`: s_i of sets alone whose rows are judged together. */
nsds_loads nsds_certify_loads(const nsds_context *context, const nsds_problem *problem,
                              const double *z, double *work, bool coupled, double limit);

/* Into how many parts the blocks are cut that threads share, and the first row of each, up to
 * nsds_most_parts of them. */
int nsds_cut_blocks(const nsds_context *context, const nsds_problem *problem, int *first_row);

#endif
