/*
 * Broad phase: finds which of many balls come near each other. The time is proportional to their
 * number, for any sizes. Memory is reserved once.
 */
#ifndef NSDS_SRC_GRID_H
#define NSDS_SRC_GRID_H

#include "kernel/modeling/modeling.h"

typedef struct nsds_grid_item {
  double x[3], radius; /* set by the caller: x before nsds_grid_fill(), radius before _open() */
  int64_t cell[3];
  int level, next; /* its level; the next item in the same list */
} nsds_grid_item;

typedef struct nsds_grid {
  int count;
  nsds_grid_item *item;
  double reach;     /* of nsds_grid_open() */
  double width[64]; /* of the cells, by level */
  uint64_t used;    /* levels with items */
  int *head;        /* first item of a list of cells */
  size_t table;     /* entries of head, a power of two */
} nsds_grid;

/* Receives a pair; a status other than NSDS_OK ends the search. */
typedef nsds_status (*nsds_grid_meet)(void *user, int i, int j);

/* Reserves memory for `count` items. Set the radii before nsds_grid_open(). */
nsds_status nsds_grid_create(nsds_grid *grid, nsds_context *context, int count);
void nsds_grid_release(nsds_grid *grid, nsds_context *context);

/* Chooses levels so that items are found together up to a distance r_i + r_j + reach. */
void nsds_grid_open(nsds_grid *grid, double reach);

void nsds_grid_fill(nsds_grid *grid);

/* Meets the items that may be near item i, among the pairs that i finds. Over all i every pair
 * comes once; some pairs are further apart. */
nsds_status nsds_grid_partners(const nsds_grid *grid, int i, nsds_grid_meet meet, void *user);

/* Meets the items that may be near a ball outside the grid. meet() receives `i` and the item. */
nsds_status nsds_grid_near(const nsds_grid *grid, const double *x, double radius, int i,
                           nsds_grid_meet meet, void *user);

#endif
