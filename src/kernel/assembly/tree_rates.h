/* Bodies in joint coordinates at an instant, see tree_rates.c. */
#ifndef NSDS_SRC_TREE_RATES_H
#define NSDS_SRC_TREE_RATES_H

#include "kernel/assembly/lifting.h"

/* Puts the bodies of the tree in the state q, v of all systems on their joints. */
void nsds_tree_rates_settle(const nsds_plan *plan, double *q, double *v);
/* Replaces the rates of the bodies in v_free, as if they were free, by those with their joints. Factors
 * the masses at the trial state, which is put on the joints. */
nsds_status nsds_tree_rates_find(nsds_plan *plan);
/* Adds x times the gain of row i of a contact to v, of all systems. `regular`: not to systems with a
 * singular M. */
void nsds_tree_rates_push(const nsds_plan *plan, const nsds_contact *contact,
                          const nsds_entry *entry, int i, double x, bool regular, double *v);
/* Returns row i of one contact times the gain of row j of another. At least one contact is lifted.
 * `regular`: without systems with a singular M. */
double nsds_tree_rates_product(const nsds_plan *plan, const nsds_contact *contact,
                               const nsds_entry *entry, int i, const nsds_contact *other,
                               const nsds_entry *second, int j, bool regular);

#endif
