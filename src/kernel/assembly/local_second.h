#ifndef NSDS_SRC_LOCAL_SECOND_H
#define NSDS_SRC_LOCAL_SECOND_H

#include "kernel/assembly/plan.h"

extern const nsds_contact_ops nsds_contact_second;
/* Returns true for an interaction with one affine row, by far the most frequent case. */
static inline bool nsds_contact_is_plain(const nsds_contact *contact) {
  return contact->ops == &nsds_contact_second && contact->is.affine && contact->m == 1 &&
         !contact->found.set;
}
/* Computes y and dy/dt of `count` such interactions. Returns 0 if all are finite, else NaN. */
double nsds_plain_outputs(const nsds_state *at, const nsds_contact *contact, int count);
/* Computes Q*, where the rows of a system's interactions are linearized. */
nsds_status nsds_local_predict(const nsds_plan *plan, const nsds_slot *slot, double *Q);
/* Writes the input matrix of a relation whose forces are r = H^T lambda. */
void nsds_load_transpose(const nsds_plan *plan, const nsds_contact *contact,
                         const nsds_entry *entry, int k, double *Y);

#endif
