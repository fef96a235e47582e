/* Names of rows and columns of a QPS file, by open addressing in a table that is at most half full. */
#include "io/qps_names.h"

#include "base/context.h"

enum { least_places = 64 };

/* Returns the place of a name, or the free place where it belongs. */
static int *qps_slot(const nsds_qps_names *t, nsds_qps_word name) {
  uint64_t hash = 0xcbf29ce484222325u;
  for (size_t k = 0; k < name.size; ++k) hash = (hash ^ (unsigned char)name.at[k]) * 0x100000001b3u;
  size_t k = (size_t)(hash ^ (hash >> 32)) & (t->places - 1);
  for (; t->place[k] > 0; k = (k + 1) & (t->places - 1)) {
    nsds_qps_word there = t->name[t->place[k] - 1];
    if (there.size == name.size && memcmp(there.at, name.at, name.size) == 0) break;
  }
  return &t->place[k];
}

int nsds_qps_find(const nsds_qps_names *t, nsds_qps_word name) {
  return t->count > 0 ? *qps_slot(t, name) - 1 : -1;
}

static nsds_status qps_enlarge(nsds_context *context, nsds_qps_names *t) {
  size_t places = t->places > 0 ? 2 * t->places : least_places;
  nsds_release(context, t->place);
  t->places = 0;
  t->place = NSDS_NEW_ARRAY(context, int, places);
  if (!t->place) return NSDS_ERROR_MEMORY;
  t->places = places;
  for (int k = 0; k < t->count; ++k) *qps_slot(t, t->name[k]) = k + 1;
  return NSDS_OK;
}

nsds_status nsds_qps_add(nsds_context *context, nsds_qps_names *t, nsds_qps_word name) {
  size_t count = (size_t)t->count + 1;
  nsds_status status = nsds_grow(context, &t->name, &t->names, count, sizeof *t->name);
  if (!status && 2 * count > t->places) status = qps_enlarge(context, t);
  if (status) return status;
  t->name[t->count] = name;
  *qps_slot(t, name) = ++t->count;
  return NSDS_OK;
}

void nsds_qps_names_release(nsds_context *context, nsds_qps_names *t) {
  nsds_release(context, t->name);
  nsds_release(context, t->place);
  *t = (nsds_qps_names){0};
}
