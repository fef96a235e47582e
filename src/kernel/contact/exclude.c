/*
 * Pairs of bodies that do not meet: numbers of their systems in one key, in an increasing list.
 */
#include "kernel/contact/exclude.h"

#include "base/context.h"

#include <string.h>

enum { scenery = -1 };

static uint64_t key_of(const nsds_ds *a, const nsds_ds *b) {
  uint32_t i = (uint32_t)(a ? a->index : scenery), j = (uint32_t)(b ? b->index : scenery);
  return i < j ? (uint64_t)i << 32 | j : (uint64_t)j << 32 | i;
}

/* The first place whose key is not smaller. */
static size_t place_of(const nsds_shape_set *s, uint64_t key) {
  size_t low = 0, high = s->nexcluded;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (s->excluded[middle] < key) low = middle + 1;
    else high = middle;
  }
  return low;
}

static bool exclude_has(const nsds_shape_set *s, size_t place, uint64_t key) {
  return place < s->nexcluded && s->excluded[place] == key;
}

bool nsds_shapes_excluded(const nsds_shape_set *s, const nsds_ds *a, const nsds_ds *b) {
  uint64_t key = key_of(a, b);
  return exclude_has(s, place_of(s, key), key);
}

nsds_status nsds_exclude(nsds_shape_set *s, const nsds_ds *a, const nsds_ds *b, bool apart) {
  uint64_t key = key_of(a, b);
  size_t place = place_of(s, key), behind = s->nexcluded - place;
  if (exclude_has(s, place, key) == apart) return NSDS_OK;
  ++s->model->now.change; /* contacts are searched again */
  if (!apart) {
    memmove(s->excluded + place, s->excluded + place + 1, (behind - 1) * sizeof key);
    --s->nexcluded;
    return NSDS_OK;
  }
  nsds_status status = nsds_grow(s->model->context, &s->excluded, &s->excluded_capacity,
                                 s->nexcluded + 1, sizeof *s->excluded);
  if (status) return status;
  memmove(s->excluded + place + 1, s->excluded + place, behind * sizeof key);
  s->excluded[place] = key;
  ++s->nexcluded;
  return NSDS_OK;
}
