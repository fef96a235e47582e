/*
 * Convex quadratic programmes for the interior point method: presolve (trim.h), units
 * (programme_units.h), the path of the homogeneous embedding (embedding.h). From the path, rows are
 * held at their bounds or freed as slacks and multipliers tell, and the equations of the free rows are
 * solved to rounding. If the path ends at a ray, the ray is refined in the same way, and proves that
 * there is no solution once the certifier has checked it.
 */
#ifndef NSDS_SRC_PROGRAMME_H
#define NSDS_SRC_PROGRAMME_H

#include "numerics/programme/embedding.h"
#include "numerics/programme/trim.h"
#include "numerics/watch.h"

typedef struct nsds_programme {
  nsds_solver *solver;
  const nsds_problem *problem;
  /* As it is; the change of z that is looked for; trimmed, in its units. */
  nsds_programme_rows whole, given, rest;
  nsds_trim trim;
  nsds_embedding path;
  double *q, *lower, *upper; /* n each: of `whole`, `rest`, `given` */
  signed char *sign;         /* of `whole`, `rest` */
  int *side;                 /* 2 n: scratch of the signs */
  int *p, *i;                /* of `rest` */
  double *x;
  int *kept_p, *kept_i, kept; /* the pattern that has a number, and its rows */
  uint64_t pattern;
  int *row, *place_of; /* n: row of `whole` of a row of `rest`, and back, -1: it has left */
  double *of_z, *of_w; /* n: units */
  signed char *place;  /* n: at the lower (-1) or upper bound (1), or free (0) */
  double *point, *centre, *change, *size; /* n: in the units of `rest` */
  double proximal;                        /* of the equations of free rows, about the centre */
  double *z, *y;                          /* n: of the whole: a point, a proof */
  double *base, *latest;                  /* n: the z to be changed; the last point of the path */
} nsds_programme;

/* Returns true if the problem is a programme that signs make symmetric; reserves for it. */
nsds_status nsds_programme_reserve(nsds_programme *t, nsds_solver *solver,
                                   const nsds_problem *problem, bool *serves);

/* Solves from zero; the watch keeps the best point. *done: it has been solved, proven unsolvable or
 * interrupted. */
nsds_status nsds_programme_solve(nsds_programme *t, nsds_watch *watch, bool *done);

#endif
