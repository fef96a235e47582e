/*
 * Broad phase: which of many balls come near each other, in a time proportional to their number
 * whatever their sizes. Memory is taken once.
 */
#ifndef NSDS_SRC_GRID_H
#define NSDS_SRC_GRID_H

#include "kernel/modeling/modeling.h"

typedef struct nsds_grid_item {
  double x[3], radius; /* the caller's: x before nsds_grid_fill(), radius before _open() */
  int64_t cell[3];
  int level, next; /* its grid; the next item in the same list */
} nsds_grid_item;

typedef struct nsds_grid {
  int count;
  nsds_grid_item *item;
  double reach;     /* as it was opened with */
  double width[64]; /* of the cells, by level */
  uint64_t used;    /* levels on which there are items */
  int *head;        /* first item of a list of cells */
  size_t table;     /* entries of head, a power of two */
} nsds_grid;

/* What is done with a pair; a status other than NSDS_OK ends the search. */
typedef nsds_status (*nsds_grid_meet)(void *user, int i, int j);

/* Memory for `count` items, whose radii are set before nsds_grid_open(). */
nsds_status nsds_grid_create(nsds_grid *grid, nsds_context *context, int count);
void nsds_grid_release(nsds_grid *grid, nsds_context *context);

/* Chooses levels: items are to be found together up to a distance r_i + r_j + reach. */
void nsds_grid_open(nsds_grid *grid, double reach);

/* Puts all items into their cells. */
void nsds_grid_fill(nsds_grid *grid);

/* Items that may be near item i, among those pairs of which i is the finder: over all i every pair
 * comes once. Pairs further apart come too. */
nsds_status nsds_grid_partners(const nsds_grid *grid, int i, nsds_grid_meet meet, void *user);

/* Items that may be near a ball that is not in the grid; meet() is given `i` and the item. */
nsds_status nsds_grid_near(const nsds_grid *grid, const double *x, double radius, int i,
                           nsds_grid_meet meet, void *user);

#endif
