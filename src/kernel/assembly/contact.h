#ifndef NSDS_SRC_CONTACT_H
#define NSDS_SRC_CONTACT_H

#include "kernel/assembly/contact_operator.h"

/* Makes contact c of an interaction, and its memory. */
nsds_status nsds_contact_create(nsds_plan *plan, int c, nsds_interaction *ia);
/* Activation and memory of its law. */
void nsds_contact_take_law(nsds_contact *contact);
void nsds_contact_retire(nsds_plan *plan, int c);
/* Adds a contact to counts, or takes it away. */
void nsds_contact_count(nsds_counts *count, const nsds_contact *contact, int by);
/* It is not there any more, or not yet as it is described; its memory stays. */
void nsds_contact_uncount(nsds_plan *plan, nsds_contact *contact);
/* Memory of contacts first .. end - 1, of a set, and of their entries, what they had where that is
 * enough; each may be as large as `like`. */
nsds_status nsds_found_reserve(nsds_plan *plan, int first, int end, const nsds_contact *like);
/* Places the arrays of a contact of a set in its memory. Returns what it is followed with, where the plan
 * does that; else NULL. */
nsds_followed *nsds_contact_lay_found(const nsds_plan *plan, nsds_contact *contact);
/* Places the arrays of the entry of a contact found, in its memory. */
void nsds_entry_lay_found(const nsds_contact_operator *op, const nsds_contact *contact,
                          nsds_entry *entry);
/* Makes the entry of a contact in an operator. */
nsds_status nsds_entry_create(const nsds_contact_operator *op, const nsds_contact *contact,
                              nsds_entry *entry);
void nsds_entry_retire(nsds_plan *plan, nsds_entry *entry);
/* H, D and offset of an affine contact in an operator, once its coefficients are new. */
nsds_status nsds_entry_load(const nsds_plan *plan, const nsds_contact *contact, nsds_entry *entry);
/* The law's compliance on top of D; keeps what it was. */
nsds_status nsds_entry_add_law(const nsds_contact *contact, nsds_entry *entry, double weight);

#endif
