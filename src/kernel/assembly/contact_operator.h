/*
 * The linear map of the contacts of a plan at a point: H, Y and D by contacts (entries). Y = G H^T
 * has the gain G of the systems: W^-1 of the scheme, or M^-1 at an instant. One-step problems are
 * made over an operator; event-driven simulation also has an operator without such a problem.
 */
#ifndef NSDS_SRC_CONTACT_OPERATOR_H
#define NSDS_SRC_CONTACT_OPERATOR_H

#include "kernel/assembly/plan.h"

/* Bits of an id: contacts of several copies, and with D. */
static const uint64_t nsds_several = UINT64_C(1) << 63, nsds_has_d = UINT64_C(1) << 62;

struct nsds_contact_operator {
  nsds_plan *plan;
  nsds_contact_operator *next; /* next operator of the plan */
  bool instant;                /* the gain is M^-1 at an instant; else the scheme's */
  nsds_gain *gain;             /* ngain, by slots, of an instant */
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
static inline void nsds_operator_restamp(nsds_contact_operator *op) {
  op->stamp = ++op->plan->stamps;
}
/* Creates an operator over the plan, with gains of its own (M^-1) if `own_gain`. */
void nsds_operator_create(nsds_plan *plan, bool own_gain, nsds_contact_operator *op);
void nsds_operator_destroy(nsds_contact_operator *op);
nsds_status nsds_operator_resize(nsds_contact_operator *op, size_t contacts);
/* Gives contact c a new id, because its structure has changed. */
void nsds_operator_number(const nsds_contact_operator *op, int c, uint64_t id);
void nsds_operator_renumber(nsds_contact_operator *op, int c);
/* Computes Y of contact c from H. */
void nsds_operator_edges(const nsds_contact_operator *op, int c);
/* Computes the operator's own gains, M^-1 at a state, and Y of the affine contacts. */
nsds_status nsds_operator_instant(nsds_contact_operator *op, const nsds_state *at);
/* Returns the number of rows that each copy of the law contributes. */
static inline int nsds_operator_copy_rows(const nsds_contact_operator *op,
                                          const nsds_contact *contact) {
  return op->displaces ? contact->law->ngap : contact->size;
}

/* Returns edge k of a contact, over all rows. */
static inline nsds_edge nsds_entry_edge(const nsds_contact *contact, const nsds_entry *entry,
                                        int k) {
  const nsds_reach *reach = contact->reach;
  size_t at = 0;
  for (int e = 0; e < k; ++e) at += (size_t)contact->m * (size_t)reach[e].size;
  return (nsds_edge){.column = reach[k].column,
                     .size = reach[k].size,
                     .H = entry->H + at,
                     .Y = entry->Y ? entry->Y + at : NULL};
}

#endif
