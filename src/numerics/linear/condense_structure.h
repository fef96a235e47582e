#ifndef NSDS_SRC_CONDENSE_STRUCTURE_H
#define NSDS_SRC_CONDENSE_STRUCTURE_H

#include "numerics/linear/condense.h"

/* Nodes, order and room for the values, anew where the structure or the limit is another. e->apt says
 * whether there is something to eliminate and factors and S would not have many more entries than M,
 * nor, of a large dense M, take as long as its factors. */
nsds_status nsds_condense_prepare(nsds_condenser *e, const nsds_problem *problem);
/* Calls `entry` for the entries of a matrix stored otherwise than in factors. */
typedef void nsds_entry_fn(nsds_condenser *e, int i, int j, double x);
/* Calls `entry` for the entries of a matrix stored otherwise than in factors. */
void nsds_condense_each(nsds_condenser *e, const nsds_matrix *M, nsds_entry_fn *entry);
/* Calls `meet` for all pairs of edges k, l, of block rows a, b, that meet at a column group, and with
 * k = l = -1 for block rows with a D. */
typedef void nsds_meet_fn(nsds_condenser *e, const nsds_factored *f, int a, int k, int b, int l);
void nsds_condense_meet(nsds_condenser *e, const nsds_factored *f, nsds_meet_fn *meet);

#endif
