#ifndef NSDS_SRC_ROUND_PAIR_H
#define NSDS_SRC_ROUND_PAIR_H

#include "kernel/contact/collision.h"
#include "kernel/modeling/contact_data.h"

/* Two cores with one pair of nearest points, at least one of them round. */
typedef struct nsds_round_pair {
  nsds_core *core[2];
  bool fixed;        /* the second core is scenery */
  double tangent[3]; /* direction near the first tangent; 0: chosen from the normal */
} nsds_round_pair;

/* Returns true if two cores, one of them round, have one pair of nearest points in any position. */
bool nsds_round_pair_is_single(const nsds_core *a, const nsds_core *b);
/* Finds the contact of two cores in their present places. */
void nsds_round_pair_find(const nsds_core *a, const nsds_core *b, nsds_spot *touch);
/* Makes `data` for the operations of contact relations. `found`: H as found, or NULL. */
void nsds_follow_round_pair(nsds_round_pair *pair, nsds_contact_data *data, nsds_context *context,
                            const char *label, int rows, const double *found);

#endif
