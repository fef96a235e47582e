/*
 * The linear map of the contacts of a plan at a point: H, Y and D by contacts (entries). Y = G H^T
 * has the gain G of the systems: W^-1 of the scheme, or M^-1 at an instant. One-step problems are
 * made over an operator; event-driven simulation also has an operator without such a problem.
 */
#ifndef NSDS_SRC_OPERATORS_H
#define NSDS_SRC_OPERATORS_H

#include "kernel/assembly/entries.h"
#include "kernel/assembly/plan.h"

/* Bits of an id: contacts whose rows come and go one by one, and with D. */
static const uint64_t nsds_several = UINT64_C(1) << 63, nsds_has_d = UINT64_C(1) << 62;

struct nsds_contact_operator {
  nsds_plan *plan;
  nsds_contact_operator *next; /* next operator of the plan */
  bool own_gain;               /* the gain is M^-1 at a state; else that of the scheme */
  nsds_gain *gain;             /* ngain, by slots, with a gain of its own */
  int ngain;
  uint64_t rearranged; /* nsds_systems::rearranged, for which gains are of these systems */
  bool without_gain;   /* there is no Y: the systems' matrices are in the problem */
  bool displaces;      /* rows are gaps, unknowns displacements: displacement.h */
  bool coordinates;    /* displaces: the gain is (T^T T)^-1 in place of M^-1 */
  nsds_entry *entry;   /* by contacts */
  uint64_t *id;        /* by contacts: changes with the contact's part of the structure */
  uint64_t ids;        /* given so far */
  uint64_t stamp;      /* new when M = H Y + D of a problem changes in any way */
  size_t entry_capacity, id_capacity;
};

/* Tells solvers that M has changed. No other operator of the plan has the stamp: they share a solver, which
 * keeps factors by stamps. */
static inline void nsds_contact_operator_restamp(nsds_contact_operator *op) {
  op->stamp = ++op->plan->stamps;
}
/* Returns the number of rows that each copy of the law contributes. */
static inline int nsds_contact_operator_copy_rows(const nsds_contact_operator *op,
                                                  const nsds_contact *contact) {
  return op->displaces ? contact->law->ngap : contact->size;
}

#endif
