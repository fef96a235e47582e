#ifndef NSDS_SRC_CROSSING_RELATION_H
#define NSDS_SRC_CROSSING_RELATION_H

#include "kernel/modeling/contact_relation.h"

/* Two straight edges that cross, with a radius around each. */
typedef struct nsds_crossing_pair {
  bool fixed;                          /* the second edge is scenery */
  double side;                         /* 1 or -1: the normal is side d1 x d2 / |d1 x d2| */
  double place[2][3], direction[2][3]; /* a point and the unit direction, in the bodies */
  double radius[2];
  double tangent[3]; /* direction near the first tangent; 0: chosen from the normal */
} nsds_crossing_pair;

/* The nearest points of the lines a + s d of two edges. */
typedef struct nsds_crossing {
  double normal[3], sine; /* n = side d1 x d2 / sine; sine = |d1 x d2| */
  double along[2];        /* s of the nearest points */
  double distance;        /* n . (X1 - X2) */
} nsds_crossing;

/* Finds the nearest points of two lines that are not parallel. */
void nsds_crossing_find(const double *a1, const double *d1, const double *a2, const double *d2,
                        double side, nsds_crossing *c);
/* Makes `data` for the operations of contact relations. `found`: H as found, or NULL. */
void nsds_follow_crossing(nsds_crossing_pair *pair, nsds_contact_data *data, nsds_context *context,
                          const char *label, int rows, const double *found);

#endif
