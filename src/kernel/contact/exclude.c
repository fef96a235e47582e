/*
 * Pairs of bodies that do not meet. The numbers of two systems make a key in an increasing list.
 * Numbers stay when other systems go.
 */
#include "kernel/contact/exclude.h"

#include "base/context.h"

#include <string.h>

static uint64_t key_of(const nsds_ds *a, const nsds_ds *b) {
  uint32_t i = a ? a->number : 0, j = b ? b->number : 0; /* 0: scenery */
  return i < j ? (uint64_t)i << 32 | j : (uint64_t)j << 32 | i;
}

/* Returns the first place whose key is not smaller. */
static size_t place_of(const nsds_shape_set *s, uint64_t key) {
  size_t low = 0, high = s->excluded.n;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (s->excluded.pair[middle] < key) low = middle + 1;
    else high = middle;
  }
  return low;
}

static bool exclude_has(const nsds_shape_set *s, size_t place, uint64_t key) {
  return place < s->excluded.n && s->excluded.pair[place] == key;
}

bool nsds_shapes_excluded(const nsds_shape_set *s, const nsds_ds *a, const nsds_ds *b) {
  uint64_t key = key_of(a, b);
  return exclude_has(s, place_of(s, key), key);
}

nsds_status nsds_exclude(nsds_shape_set *s, const nsds_ds *a, const nsds_ds *b, bool apart) {
  uint64_t key = key_of(a, b);
  size_t place = place_of(s, key), behind = s->excluded.n - place;
  if (exclude_has(s, place, key) == apart) return NSDS_OK;
  ++s->model->now.change; /* contacts are searched again */
  if (!apart) {
    memmove(s->excluded.pair + place, s->excluded.pair + place + 1, (behind - 1) * sizeof key);
    --s->excluded.n;
    return NSDS_OK;
  }
  nsds_status status = nsds_grow(s->model->context, &s->excluded.pair, &s->excluded.capacity,
                                 s->excluded.n + 1, sizeof *s->excluded.pair);
  if (status) return status;
  memmove(s->excluded.pair + place + 1, s->excluded.pair + place, behind * sizeof key);
  s->excluded.pair[place] = key;
  ++s->excluded.n;
  return NSDS_OK;
}

void nsds_forget_excluded(nsds_shape_set *s, const nsds_ds *gone) {
  size_t kept = 0;
  for (size_t k = 0; k < s->excluded.n; ++k) {
    uint64_t key = s->excluded.pair[k];
    if ((uint32_t)key != gone->number && (uint32_t)(key >> 32) != gone->number)
      s->excluded.pair[kept++] = key;
  }
  s->excluded.n = kept;
}
