/*
 * Collects the results of a search in the order of its parts, which threads share. The number of
 * results is unknown before. Each part has room for its last results and a share of the free
 * memory. If a part runs out of room, the search runs once more with room for the counted results.
 * Memory grows to the largest number.
 */
#ifndef NSDS_SRC_SEARCH_PARTS_H
#define NSDS_SRC_SEARCH_PARTS_H

#include "base/parallel.h"

typedef struct nsds_harvest {
  uint64_t *item; /* `count` items, once all parts are done */
  int count;
  size_t capacity;
  size_t start[nsds_most_parts + 1], found[nsds_most_parts];
} nsds_harvest;

/* Runs a search whose parts call nsds_harvest_add(). With more than `most` items count is most + 1,
 * and some items are missing. */
nsds_status nsds_harvest_run(nsds_harvest *h, nsds_context *context, int parts, int most,
                             nsds_part_fn search, void *self);
void nsds_harvest_release(nsds_harvest *h, nsds_context *context);

/* Adds an item of a part. Without room the item is only counted. */
static inline void nsds_harvest_add(nsds_harvest *h, int part, uint64_t item) {
  size_t at = h->start[part] + h->found[part]++;
  if (at < h->start[part + 1]) h->item[at] = item;
}

#endif
