/*
 * Problems of at most three rows whose sets are bounds: all complementary systems are tried in
 * turn, in closed form. If no solution is found, one may exist all the same: rows with units far
 * apart hide it.
 */
#ifndef NSDS_SRC_DIRECT_H
#define NSDS_SRC_DIRECT_H

#include <nsds/problem.h>

enum { nsds_direct_rows = 3 };

/* Writes the best z of up to `limit` systems, beginning with the one that z shows. Returns the
 * largest violation over the size of a row's terms; infinity if there is no z. M is dense. */
double nsds_direct_try(const nsds_problem *problem, const double *M, int limit, double *z,
                       int *tried);

/* The same in units that do not depend on those of rows and columns (canonical.h). */
double nsds_direct_in_units(const nsds_problem *problem, const double *M, int limit, double *z,
                            int *tried);

#endif
