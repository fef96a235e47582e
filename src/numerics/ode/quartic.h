/*
 * Polynomials of degree 4 on [0, 1] in Bernstein form: p(u) = sum of b_k C(4, k) u^k (1 - u)^(4-k).
 * The number of roots in (0, 1) is the number of changes of sign in b, or less by an even number
 * (variation diminishing).
 *
 * Source: Farouki, The Bernstein polynomial basis, CAGD 29, 2012, section 5.
 */
#ifndef NSDS_SRC_QUARTIC_H
#define NSDS_SRC_QUARTIC_H

#include <nsds/base.h>

/* Computes the quartic through the values at u = 0, 1/4, 1/2, 3/4, 1. */
void nsds_quartic_through(const double value[5], double b[5]);

double nsds_quartic_value(const double b[5], double u);
double nsds_quartic_slope(const double b[5], double u); /* dp/du */

/* Returns the number of changes of sign in b, without zeros. */
int nsds_quartic_variations(const double b[5]);

/* Finds the places in (0, 1) where p' changes its sign, increasing; returns their number, <= 3. p
 * is monotone between them. */
int nsds_quartic_turns(const double b[5], double turn[3]);

/* Returns a root in [low, high], to about ten digits, if p differs in sign at the ends; else the
 * middle. */
double nsds_quartic_root(const double b[5], double low, double high);

#endif
