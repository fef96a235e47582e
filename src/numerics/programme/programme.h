/*
 * Convex quadratic programmes for the interior point method: presolve (trim.h), units
 * (programme_rest.h), the path of the homogeneous embedding (embedding.h). Slacks and multipliers of
 * the path tell which rows are at their bounds. The equations of the other rows are solved to
 * rounding. If the path ends at a ray, the ray is refined in the same way. The certifier decides
 * whether it proves that there is no solution.
 */
#ifndef NSDS_SRC_PROGRAMME_H
#define NSDS_SRC_PROGRAMME_H

#include "numerics/programme/embedding.h"
#include "numerics/programme/programme_rest.h"
#include "numerics/programme/trim.h"
#include "numerics/watch.h"

typedef struct nsds_programme {
  nsds_solver *solver;
  const nsds_problem *problem;
  nsds_programme_rows whole, given; /* as it is; the change of z that is looked for */
  nsds_trim trim;
  nsds_programme_rest rest;
  nsds_embedding path;
  double *q, *lower, *upper; /* of `given`; of `whole`, then of `given` */
  signed char *sign;
  int *side;                              /* 2 n: scratch of the signs */
  signed char *place;                     /* n: at the lower (-1) or upper bound (1), or free (0) */
  double *point, *centre, *change, *size; /* n: in the units of the rest */
  double proximal;                        /* of the equations of free rows, about the center */
  double *z, *y;                          /* n: of the whole: a point, a proof */
  double *base, *latest;                  /* n: the z to be changed; the last point of the path */
} nsds_programme;

/* Returns true if the problem is a programme that signs make symmetric; reserves for it. */
nsds_status nsds_programme_reserve(nsds_programme *t, nsds_solver *solver,
                                   const nsds_problem *problem, bool *serves);

/* Solves from zero; the watch keeps the best point. *done: it has been solved, proven unsolvable or
 * interrupted, or seems to have no solution. `closer`: a first call has not solved it, and more may be
 * tried. */
nsds_status nsds_programme_solve(nsds_programme *t, nsds_watch *watch, bool closer, bool *done);

#endif
