/* The facts that a refiner keeps of a matrix, see nsds_refiner_found in refine.h. Only this file writes it. */
#ifndef NSDS_SRC_REFINE_FOUND_H
#define NSDS_SRC_REFINE_FOUND_H

#include "numerics/refine.h"

/* For entries of about 1; a smaller rest is rounding. */
static const double nsds_dependent = 1e-10;

static inline double nsds_refine_entry(const nsds_problem *p, int i, int j) {
  return p->M.x[i + (ptrdiff_t)j * p->n];
}

/* Begins with the matrix of a problem, and forgets another one. */
void nsds_found_take(nsds_refiner *r, const nsds_problem *p);
/* Returns true if the problem can be treated; then `unit` is its own. */
bool nsds_found_is_treated(nsds_refiner *r, const nsds_problem *p);
/* Returns true if the matrix is known to be definite. */
bool nsds_found_is_definite(nsds_refiner *r, const nsds_problem *p);
/* Returns true if the rank of E is known: the kinds of all rows and the directions of slip are those
 * of the last search. */
bool nsds_found_is_known(const nsds_refiner *r, int n);
/* Finds the rank of E, with factors if E lacks full rank. */
void nsds_found_seek(nsds_refiner *r, int n);

#endif
