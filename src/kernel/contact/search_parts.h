/*
 * What the parts of a search find, in the order of the parts, which threads share. How much that
 * will be is not known: a part has room for what it found the last time and a share of what is
 * free; where that is not enough for one of them, the search is made once more with room for what
 * was counted. Memory grows to the largest number found.
 */
#ifndef NSDS_SRC_SEARCH_PARTS_H
#define NSDS_SRC_SEARCH_PARTS_H

#include "base/parallel.h"

typedef struct nsds_harvest {
  uint64_t *item; /* `count` of them, once all parts are done */
  int count;
  size_t capacity;
  size_t start[nsds_most_parts + 1], found[nsds_most_parts];
} nsds_harvest;

/* Runs a search whose parts call nsds_harvest_add(). With more than `most` items count is most + 1,
 * and the items are not all there. */
nsds_status nsds_harvest_run(nsds_harvest *h, nsds_context *context, int parts, int most,
                             nsds_part_fn search, void *self);
void nsds_harvest_release(nsds_harvest *h, nsds_context *context);

/* Another item of a part, which is counted only where there is no room. */
static inline void nsds_harvest_add(nsds_harvest *h, int part, uint64_t item) {
  size_t at = h->start[part] + h->found[part]++;
  if (at < h->start[part + 1]) h->item[at] = item;
}

#endif
