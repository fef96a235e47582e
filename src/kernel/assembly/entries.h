/*
 * Entries: a contact in one problem. entry.c makes them, the tables of nsds_contact_ops fill them.
 */
#ifndef NSDS_SRC_ENTRIES_H
#define NSDS_SRC_ENTRIES_H

#include "kernel/assembly/contacts.h"

#include <nsds/solver.h>

/* Additions of entries, kept apart because most contacts have none. */
typedef struct nsds_entry_more {
  double *law_D;             /* m x m: the law's part of D; NULL: none */
  double *bounds;            /* of sets scaled to impulses */
  unsigned char *on;         /* ncopy: active copies; NULL: all or none are active */
  double *packed, *packed_D; /* H and Y, and D, of the active copies or the rows in use */
  double *X;                 /* of a lifted contact, by edges: H of the problem; else NULL */
} nsds_entry_more;

/* A contact in one problem. */
struct nsds_entry {
  double *H;      /* m x nv at this problem's point; the contact's own if affine */
  double *Y;      /* by edges: gain times input matrix; NULL: gain times H^T, or no gain */
  double *D;      /* m x m or NULL: dh/dlambda and the law's part */
  double *offset; /* m: constant part of the linearised row; NULL: zero */
  nsds_edge
      *edge; /* event-driven: nedge, over all rows; of a lifted contact nds, without Y; else NULL */
  const nsds_entry_more *more;
  void *memory;
  unsigned lines; /* of the arena, in `memory` */
  int rows;       /* of the active copies */
};

/* Returns H of a contact by its edges in problems. */
static inline double *nsds_entry_rows(const nsds_contact *contact, const nsds_entry *entry) {
  return contact->is.lifted ? entry->more->X : entry->H;
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
