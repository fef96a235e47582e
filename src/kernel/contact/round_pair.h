#ifndef NSDS_SRC_ROUND_PAIR_H
#define NSDS_SRC_ROUND_PAIR_H

#include "kernel/contact/collision.h"
#include "kernel/contact/round_parts.h"
#include "kernel/modeling/contact_data.h"

/* Two cores that touch by two parts, or at their only nearest points. */
typedef struct nsds_round_pair {
  int dimension;
  nsds_core *core[2];
  const nsds_part_pair *parts; /* NULL: nearest points */
  bool fixed;                  /* the second core is scenery */
  double tangent[3];           /* direction near the first tangent; 0: chosen from the normal */
} nsds_round_pair;

/* Returns true if two cores, one of them round, have one pair of nearest points in any position. */
bool nsds_round_pair_is_single(const nsds_core *a, const nsds_core *b);
/* Finds the contact of two cores in their present places. */
void nsds_round_pair_find(const nsds_core *a, const nsds_core *b, nsds_spot *touch);
/* Places the cores of a pair where bodies with coordinates q of the first and of the second one are. */
void nsds_round_pair_place(const nsds_round_pair *pair, const double *q, const double *other);
/* Makes `data` for the operations of contact relations. `found`: H as found, or NULL. */
void nsds_follow_round_pair(nsds_round_pair *pair, nsds_contact_data *data, nsds_context *context,
                            const char *label, int rows, const double *found);

#endif
