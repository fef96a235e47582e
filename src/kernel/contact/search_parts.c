/*
 * Divides memory among the parts of a search: room for their last results and a share of the rest.
 * The results then move together, part by part.
 */
#include "kernel/contact/search_parts.h"

#include "base/context.h"
#include "base/parallel.h"

/* Divides the memory by the last results, with equal shares of the rest. Returns false if they do
 * not fit. */
static bool search_parts_divide(nsds_harvest *h, int parts) {
  size_t sum = 0;
  for (int p = 0; p < parts; ++p) sum += h->found[p];
  if (sum > h->capacity) return false;
  size_t share = (h->capacity - sum) / (size_t)parts;
  h->start[0] = 0;
  for (int p = 0; p < parts; ++p) {
    h->start[p + 1] = h->start[p] + h->found[p] + share;
    h->found[p] = 0;
  }
  return true;
}

static bool all_had_room(const nsds_harvest *h, int parts) {
  for (int p = 0; p < parts; ++p)
    if (h->found[p] > h->start[p + 1] - h->start[p]) return false;
  return true;
}

static size_t sum_found(const nsds_harvest *h, int parts) {
  size_t sum = 0;
  for (int p = 0; p < parts; ++p) sum += h->found[p];
  return sum;
}

nsds_status nsds_harvest_run(nsds_harvest *h, nsds_context *context, int parts, int most,
                             nsds_part_fn search, void *self) {
  if (!search_parts_divide(h, parts)) { /* other parts than in the last search */
    for (int p = 0; p < parts; ++p) h->found[p] = 0;
    search_parts_divide(h, parts);
  }
  nsds_share_out(context, parts, search, self);
  size_t sum = sum_found(h, parts);
  h->count = sum > (size_t)most ? most + 1 : (int)sum;
  if (h->count > most) return NSDS_OK;
  if (!all_had_room(h, parts)) {
    nsds_status status = nsds_grow(context, &h->item, &h->capacity, sum, sizeof *h->item);
    if (status) return status;
    search_parts_divide(h, parts);
    nsds_share_out(context, parts, search, self);
  }
  sum = 0;
  for (int p = 0; p < parts; sum += h->found[p++]) /* no part starts before the last one's end */
    if (sum < h->start[p])
      memmove(h->item + sum, h->item + h->start[p], h->found[p] * sizeof *h->item);
  return NSDS_OK;
}

void nsds_harvest_release(nsds_harvest *h, nsds_context *context) {
  nsds_release(context, h->item);
}
