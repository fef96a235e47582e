/* Open addressing by the hash of Fowler, Noll and Vo; slots double when the table is half full. */
#include "base/text/names.h"

#include "base/text/words.h"

#include <string.h>

static uint32_t hash_of(const char *name) {
  uint32_t h = 2166136261u;
  for (; *name; ++name) h = (h ^ (unsigned char)*name) * 16777619u;
  return h;
}

/* Returns the slot of a name, or the empty slot for the name. */
static int name_slot(const nsds_names *names, const char *name) {
  int k = (int)(hash_of(name) & (uint32_t)(names->nslot - 1));
  while (names->slot[k] && strcmp(names->name[names->slot[k] - 1], name) != 0)
    k = (k + 1) & (names->nslot - 1);
  return k;
}

int nsds_names_find(const nsds_names *names, const char *name) {
  return names->nslot ? names->slot[name_slot(names, name)] - 1 : -1;
}

static nsds_status grow_slots(nsds_context *context, nsds_names *names) {
  int nslot = names->nslot ? 2 * names->nslot : 64;
  int *slot = nsds_alloc(context, "a table of names", (size_t)nslot, sizeof *slot);
  if (!slot) return NSDS_ERROR_MEMORY;
  nsds_free(names->slot);
  names->slot = slot;
  names->nslot = nslot;
  for (int k = 0; k < names->count; ++k) names->slot[name_slot(names, names->name[k])] = k + 1;
  return NSDS_OK;
}

static bool names_have_room(nsds_context *context, nsds_names *names) {
  int count = names->count + 1;
  if (2 * count > names->nslot && grow_slots(context, names)) return false;
  return !nsds_room(context, &names->name, &names->capacity, count, sizeof *names->name);
}

int nsds_names_add(nsds_context *context, nsds_names *names, const char *name) {
  int known = nsds_names_find(names, name);
  if (known >= 0) return known;
  if (!names_have_room(context, names)) return -1;
  const char *kept = names->borrows ? name : nsds_copy_word(context, name);
  if (!kept) return -1;
  names->name[names->count++] = kept;
  names->slot[name_slot(names, kept)] = names->count;
  return names->count - 1;
}

void nsds_names_free(nsds_names *names) {
  for (int k = 0; k < names->count && !names->borrows; ++k)
    nsds_free((void *)(uintptr_t)names->name[k]);
  nsds_free(names->name);
  nsds_free(names->slot);
  *names = (nsds_names){.borrows = names->borrows};
}
