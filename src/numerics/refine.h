/*
 * A solution of a small dense problem, taken to rounding; and, where its rows depend on each other so
 * that the same motion has many, the one of least sum of squares.
 *
 * Sets: equality, nonnegative, box, and Coulomb's law. Other problems stay as they are.
 */
#ifndef NSDS_SRC_REFINE_H
#define NSDS_SRC_REFINE_H

#include "numerics/problem_check.h"
#include "numerics/store.h"

/* More rows than these stay as they are. */
enum { nsds_most_refined = 256 };

typedef struct nsds_refiner {
  nsds_store store;
  int n;            /* rows that there is room for */
  double *unit;     /* A has ones on its diagonal in these */
  double *J, *step; /* of Newton's method */
  double *tau;
  double *z, *kept; /* tried; as they were */
  double *work;     /* of the certifier */
  int *pivot;
  /* the choice among solutions, in the rows that are kept at w = 0: */
  int closed, *row;
  double *E, *B, *g, *y, *x, *root, *rest;
  double *direction; /* n: t of tangents that slip */
  unsigned char *kind;
  bool least; /* the last z is the least one */
} nsds_refiner;

nsds_status nsds_refiner_reserve(nsds_refiner *r, nsds_context *context, int n);
void nsds_refiner_release(nsds_refiner *r);

/* What a row does. */
enum { NSDS_ROW_OPEN, NSDS_ROW_FREE, NSDS_ROW_PUSHES, NSDS_ROW_STICKS, NSDS_ROW_SLIPS };

/* z and w = M z + q to rounding, where the certificate is smaller for it; w is written in any case. The residual
 * that is left, infinite where nothing was done. */
double nsds_refine(nsds_refiner *r, const nsds_problem *problem, double *z, double *w);

/*
 * Among the solutions with the same rows at w = 0, slipping in the same directions, the z of the least
 * sum of squares over the rows that do not slip. Returns whether the rows depend on each other; z stays
 * where no better one was found. spare (n, may be NULL): rows that take no part, z = 0, though w = 0.
 */
bool nsds_refine_least(nsds_refiner *r, const nsds_problem *problem, double *z, double *w,
                       bool *spare);

/* refine.c, of which these are steps: the closed rows of a solution, E, and its factors in B; the rank, or
 * the number of closed rows where they do not depend on each other. Rows and friction of the set at
 * closed row b, its bounds. The least that takes r->z back to E z = g. z of all rows from r->z; whether it holds, its
 * residual being rounding or up to `most`, else z is what was kept. */
int nsds_refiner_factor(nsds_refiner *r, const nsds_problem *p, const double *z, const double *w);
int nsds_refiner_set(const nsds_refiner *r, const nsds_problem *p, int b, double *mu);
void nsds_refiner_bounds(const nsds_refiner *r, const nsds_problem *p, int b, double *lower,
                         double *upper);
void nsds_refiner_correct(nsds_refiner *r);
void nsds_refiner_spread(const nsds_refiner *r, const nsds_problem *p, double *z);
bool nsds_refiner_accept(nsds_refiner *r, const nsds_problem *problem, double *z, double *w,
                         double most);

#endif
