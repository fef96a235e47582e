#ifndef NSDS_SRC_CONDENSE_STRUCTURE_H
#define NSDS_SRC_CONDENSE_STRUCTURE_H

#include "numerics/linear/condense.h"

/* Makes nodes, order and room for values anew if the structure or the limit has changed. The flag
 * e->apt says that there is something to eliminate, with few entries in S and in factors. For a
 * large dense M the flag also says that elimination is faster than factoring M. */
nsds_status nsds_condense_prepare(nsds_condenser *e, const nsds_problem *problem);
typedef void nsds_entry_fn(nsds_condenser *e, int i, int j, double x);
/* Calls `entry` for the entries of a matrix, except in factored storage. */
void nsds_condense_each(nsds_condenser *e, const nsds_matrix *M, nsds_entry_fn *entry);
typedef void nsds_meet_fn(nsds_condenser *e, const nsds_factored *f, int a, int k, int b, int l);
/* Calls `meet` for all pairs of edges k, l, of block rows a, b, that meet at a column group. For a
 * block row with a D the call has k = l = -1. */
void nsds_condense_meet(nsds_condenser *e, const nsds_factored *f, nsds_meet_fn *meet);

#endif
