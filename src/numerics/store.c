/* Pieces of memory, cut into arrays, and objects that are freed with them, see store.h. */
#include "numerics/store.h"

#include "base/base.h"
#include "base/context.h"

enum {
  alignment = 16, /* of each array: the largest that any type here needs */
  most_renewed = 8
};

/* An object or a piece in a store. */
typedef struct nsds_holding {
  struct nsds_holding *next;
  void *object; /* NULL: this is a piece */
  void (*destroy)(void *object);
} nsds_holding;

/* The header before the arrays. */
typedef struct piece {
  nsds_holding holding;
  size_t count[]; /* entries for which each array has room */
} piece;

static size_t rounded_up(size_t bytes) { return (bytes + alignment - 1) / alignment * alignment; }

static size_t header(size_t ncut) { return rounded_up(sizeof(piece) + ncut * sizeof(size_t)); }

/* Returns the room for array k of a piece; it grows as in nsds_grow(). */
static size_t store_room(const piece *old, size_t k, size_t count) {
  size_t before = old ? old->count[k] : 0, more = nsds_grown(before);
  return count <= before ? before : count > more ? count : more;
}

static void store_drop(nsds_store *store, piece *old) {
  nsds_holding **place = &store->first;
  if (!old) return;
  while (*place != &old->holding) place = &(*place)->next;
  *place = old->holding.next;
  nsds_release(store->context, old);
}

static nsds_status store_grow(nsds_store *store, piece *old, size_t ncut, const nsds_cut *cut) {
  size_t bytes = header(ncut);
  for (size_t k = 0; k < ncut; ++k)
    bytes += rounded_up(store_room(old, k, cut[k].count) * cut[k].size);
  piece *fresh = nsds_alloc(store->context, cut[0].name, bytes, 1);
  if (!fresh) return NSDS_ERROR_MEMORY;
  char *place = (char *)fresh + header(ncut), *before;
  for (size_t k = 0; k < ncut; ++k) {
    fresh->count[k] = store_room(old, k, cut[k].count);
    memcpy(&before, cut[k].array, sizeof before);
    if (old) memcpy(place, before, old->count[k] * cut[k].size);
    memcpy(cut[k].array, &place, sizeof place);
    place += rounded_up(fresh->count[k] * cut[k].size);
  }
  fresh->holding.next = store->first;
  store->first = &fresh->holding;
  store_drop(store, old);
  return NSDS_OK;
}

static piece *store_piece_of(size_t ncut, const nsds_cut *cut) {
  char *first;
  memcpy(&first, cut[0].array, sizeof first);
  return first ? (void *)(first - header(ncut)) : NULL;
}

static bool store_fits(const piece *old, size_t ncut, const nsds_cut *cut) {
  bool fits = old != NULL;
  for (size_t k = 0; fits && k < ncut; ++k) fits = cut[k].count <= old->count[k];
  return fits;
}

nsds_status nsds_store_hold(nsds_store *store, size_t ncut, const nsds_cut *cut) {
  piece *old = store_piece_of(ncut, cut);
  return store_fits(old, ncut, cut) ? NSDS_OK : store_grow(store, old, ncut, cut);
}

nsds_status nsds_store_renew(nsds_store *store, size_t ncut, const nsds_cut *cut) {
  piece *old = store_piece_of(ncut, cut);
  char *none = NULL;
  nsds_cut wanted[most_renewed] = {{NULL, 0, 0, NULL}};
  if (store_fits(old, ncut, cut)) return NSDS_OK;
  for (size_t k = 0; k < ncut; ++k) {
    wanted[k] = cut[k];
    wanted[k].count = store_room(old, k, cut[k].count);
    memcpy(cut[k].array, &none, sizeof none);
  }
  store_drop(store, old);
  return store_grow(store, NULL, ncut, wanted);
}

void nsds_store_release(nsds_store *store) {
  for (nsds_holding *holding = store->first, *next; holding; holding = next) {
    next = holding->next;
    if (holding->object) holding->destroy(holding->object);
    nsds_release(store->context, holding);
  }
  store->first = NULL;
}

nsds_status nsds_store_adopt(nsds_store *store, void *object, void (*destroy)(void *object)) {
  nsds_holding *holding = object ? NSDS_NEW(store->context, nsds_holding) : NULL;
  if (object && !holding) destroy(object);
  if (!holding) return NSDS_ERROR_MEMORY;
  *holding = (nsds_holding){store->first, object, destroy};
  store->first = holding;
  return NSDS_OK;
}
