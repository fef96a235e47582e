/*
 * At most three rows whose sets are bounds: all complementary systems in turn, in closed form. It
 * finds solutions and shows nothing where it finds none: rows with units far apart hide them.
 */
#ifndef NSDS_SRC_DIRECT_H
#define NSDS_SRC_DIRECT_H

#include <nsds/problem.h>

enum { nsds_direct_rows = 3 };

/* The best z of up to `limit` systems, beginning with the one that z shows; returns its largest
 * violation over the size of a row's terms, infinity if there is none. M: dense. */
double nsds_direct_try(const nsds_problem *problem, const double *M, int limit, double *z,
                       int *tried);

#endif
