#ifndef NSDS_SRC_CONTACT_H
#define NSDS_SRC_CONTACT_H

#include "kernel/assembly/plan.h"

nsds_status nsds_contact_create(nsds_plan *plan, int c, nsds_interaction *ia);
/* Takes activation and memory of the law into the contact. */
void nsds_contact_take_law(nsds_contact *contact);
/* Returns true if a copy of the law is that of a spring that bears a force. */
bool nsds_contact_bears(const nsds_contact *contact, int copy);
/* Returns true if a copy of the law, at y and dy/dt of its rows, closes. A loaded spring is closed: its
 * gap is zero, so that the law alone would open it as soon as its systems part. */
static inline bool nsds_contact_closes(const nsds_contact *contact, int copy, const double *y,
                                       const double *ydot, double tau, double slack) {
  return contact->active(contact->law_self, y, ydot, tau, slack) ||
         (contact->is.compliant && nsds_contact_bears(contact, copy));
}
/* Returns dy/dt before the step of a contact of a set. */
const double *nsds_contact_found_rate(const nsds_contact *contact);
/* Returns dy/dt before the step, as a law remembers it. */
static inline const double *nsds_contact_rate(const nsds_plan *plan, const nsds_contact *contact) {
  return NSDS_UNLIKELY(contact->found.set && contact->found.before >= 0)
             ? nsds_contact_found_rate(contact)
             : plan->model->state.ydot + contact->y0;
}
void nsds_contact_retire(nsds_plan *plan, int c);
/* Adds a contact to the counts (by = 1) or removes the contact (by = -1). */
void nsds_contact_count(nsds_counts *count, nsds_contact *contact, int by);
/* Takes a contact out of the counts, before its removal or new description. The memory stays. */
void nsds_contact_uncount(nsds_plan *plan, nsds_contact *contact);
/* Reserves memory for contacts first .. end - 1 of a set and for their entries, each as large as
 * `like`. Large enough memory stays as it is. */
nsds_status nsds_found_reserve(nsds_plan *plan, int first, int end, const nsds_contact *like);
/* Places the arrays of a contact of a set in its memory. Returns the interaction by which the plan
 * follows the contact, or NULL. */
nsds_followed *nsds_contact_lay_found(const nsds_plan *plan, nsds_contact *contact);

#endif
