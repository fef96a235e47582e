/*
 * Free rows of a tableau, y_f = 0 with x_f of any sign, before pivots among the others: their
 * variables are made basic and never leave, by pivots with complete pivoting on the free rows and
 * columns (the Schur complement), then by principal pivots together with one other pair each, as a
 * constraint without a diagonal of its own needs. Redundant equalities are dropped.
 */
#ifndef NSDS_SRC_FREE_ROWS_H
#define NSDS_SRC_FREE_ROWS_H

#include "solver_internal.h"
#include "tableau.h"

/*
 * Leaves the bounded pairs alone in the tableau. Pairs that were pivoted with a free one have
 * changed their names y and x so that all y are basic again; they are `flipped` (n). `held`: a free
 * variable that other rows feel could not be made basic, and stays 0. NSDS_NO_SOLUTION where the
 * equalities are inconsistent, NSDS_NOT_CONVERGED where they cannot be met that way or `limit`
 * pivots do not do, NSDS_INTERRUPTED; the tableau is of no use after that.
 */
nsds_outcome nsds_free_rows_eliminate(nsds_tableau *t, const nsds_solver *solver, int limit,
                                      unsigned char *flipped, bool *held, int *pivots);

#endif
