#ifndef NSDS_SRC_ENTRY_H
#define NSDS_SRC_ENTRY_H

#include "kernel/assembly/operators.h"

/* Returns the lines of memory of an entry of a contact like this one of a set. */
unsigned nsds_entry_found_lines(const nsds_contact_operator *op, const nsds_contact *like);
/* Gives an entry a piece of memory of so many lines; its arrays are to be placed again. */
nsds_status nsds_entry_grow(const nsds_contact_operator *op, nsds_entry *entry, unsigned lines);
/* Places the arrays of the entry of a found contact in its memory. */
void nsds_entry_lay_found(const nsds_contact_operator *op, const nsds_contact *contact,
                          nsds_entry *entry);
nsds_status nsds_entry_create(const nsds_contact_operator *op, const nsds_contact *contact,
                              nsds_entry *entry);
void nsds_entry_retire(nsds_plan *plan, nsds_entry *entry);
/* Loads H, D and offset of an affine contact with new coefficients into its entry. */
nsds_status nsds_entry_load(const nsds_plan *plan, const nsds_contact *contact, nsds_entry *entry);
/* Adds the law's compliance to D and keeps what was added. */
nsds_status nsds_entry_add_law(const nsds_contact *contact, nsds_entry *entry, double weight);

#endif
