/*
 * Arenas and places; see arena.h. Each size of pieces has a class with a list of free ones. Chunks
 * double up to a megabyte.
 */
#include "base/arena.h"

#include "base/context.h"

enum { smallest_chunk = 4096, largest_chunk = 1 << 20, places_in_chunk = 64 };

static size_t arena_bytes(unsigned lines) {
  if (lines == UINT_MAX) return SIZE_MAX;
  return (size_t)(lines > 0 ? lines : 1) * nsds_arena_line;
}

static nsds_arena_class *find_class(nsds_arena *arena, size_t bytes) {
  for (size_t k = 0; k < arena->nclass; ++k)
    if (arena->class[k].bytes == bytes) return &arena->class[k];
  return NULL;
}

static nsds_status add_class(nsds_context *context, nsds_arena *arena, size_t bytes) {
  nsds_status status = nsds_grow(context, &arena->class, &arena->class_capacity, arena->nclass + 1,
                                 sizeof *arena->class);
  if (!status) arena->class[arena->nclass++] = (nsds_arena_class){.bytes = bytes};
  return status;
}

static nsds_status add_chunk(nsds_context *context, nsds_arena *arena, size_t bytes) {
  size_t size = (size_t)smallest_chunk << (arena->nchunk < 8 ? arena->nchunk : 8);
  if (size > largest_chunk) size = largest_chunk;
  if (size < bytes) size = bytes;
  nsds_status status = nsds_grow(context, &arena->chunk, &arena->chunk_capacity, arena->nchunk + 1,
                                 sizeof *arena->chunk);
  if (status) return status;
  void *chunk = nsds_alloc(context, "a chunk of pieces", size, 1);
  if (!chunk) return NSDS_ERROR_MEMORY;
  arena->chunk[arena->nchunk++] = chunk;
  arena->next = chunk;
  arena->left = size;
  return NSDS_OK;
}

nsds_status nsds_arena_reserve(nsds_context *context, nsds_arena *arena, size_t count,
                               unsigned lines) {
  const nsds_arena_class *class = find_class(arena, arena_bytes(lines));
  size_t bytes = count * arena_bytes(lines);
  bool small = bytes < largest_chunk || bytes <= arena->left;
  return small || (class && class->free) ? NSDS_OK : add_chunk(context, arena, bytes);
}

void *nsds_arena_take(nsds_context *context, nsds_arena *arena, unsigned lines) {
  size_t bytes = arena_bytes(lines);
  nsds_arena_class *class = find_class(arena, bytes);
  if (class && class->free) {
    void *piece = class->free;
    memcpy(&class->free, piece, sizeof class->free);
    return memset(piece, 0, bytes);
  }
  if (!class && add_class(context, arena, bytes)) return NULL; /* a give must not need memory */
  if (arena->left < bytes && add_chunk(context, arena, bytes)) return NULL;
  void *piece = arena->next;
  arena->next += bytes;
  arena->left -= bytes;
  return piece;
}

void nsds_arena_give(nsds_arena *arena, void *piece, unsigned lines) {
  if (!piece) return;
  nsds_arena_class *class = find_class(arena, arena_bytes(lines));
  memcpy(piece, &class->free, sizeof class->free);
  class->free = piece;
}

void nsds_arena_destroy(nsds_context *context, nsds_arena *arena) {
  for (size_t k = 0; k < arena->nchunk; ++k) nsds_release(context, arena->chunk[k]);
  nsds_release(context, arena->chunk);
  nsds_release(context, arena->class);
  *arena = (nsds_arena){0};
}

/* ---- places ---------------------------------------------------------------------------------- */

static size_t pitch(size_t bytes) {
  return (bytes + nsds_generations - 1) / nsds_generations * nsds_generations;
}

/* Makes room in the ring for every place, so that giving back needs no memory. */
static nsds_status grow_ring(nsds_context *context, nsds_places *places, size_t count) {
  if (count <= places->free_capacity) return NSDS_OK;
  size_t capacity = 2 * count;
  void **ring = NSDS_NEW_ARRAY(context, void *, capacity);
  if (!ring) return NSDS_ERROR_MEMORY;
  for (size_t k = 0; k < places->nfree; ++k)
    ring[k] = places->free[(places->first_free + k) % places->free_capacity];
  nsds_release(context, places->free);
  places->free = ring;
  places->free_capacity = capacity;
  places->first_free = 0;
  return NSDS_OK;
}

static char *aligned(void *chunk) {
  return nsds_handle_place((char *)chunk + nsds_generations - 1);
}

void *nsds_place_take(nsds_context *context, nsds_places *places, size_t bytes) {
  size_t step = pitch(bytes);
  bool full = places->nchunk == 0 || places->used == places_in_chunk;
  if (places->nfree > 0 && full) {
    nsds_place *place = places->free[places->first_free];
    unsigned char generation = place->generation;
    places->first_free = (places->first_free + 1) % places->free_capacity;
    --places->nfree;
    memset(place, 0, step);
    place->generation = generation;
    place->alive = true;
    return place;
  }
  if (grow_ring(context, places, places->total + 1)) return NULL;
  if (full) {
    if (nsds_grow(context, &places->chunk, &places->chunk_capacity, places->nchunk + 1,
                  sizeof *places->chunk))
      return NULL;
    void *chunk =
        nsds_alloc(context, "a chunk of places", places_in_chunk * step + nsds_generations, 1);
    if (!chunk) return NULL;
    places->chunk[places->nchunk++] = chunk;
    places->used = 0;
  }
  nsds_place *place = (void *)(aligned(places->chunk[places->nchunk - 1]) + places->used++ * step);
  ++places->total;
  place->alive = true;
  return place;
}

void nsds_place_give(nsds_places *places, void *object) {
  nsds_place *place = object;
  place->alive = false;
  ++place->generation;
  places->free[(places->first_free + places->nfree) % places->free_capacity] = place;
  ++places->nfree;
}

void nsds_places_destroy(nsds_context *context, nsds_places *places) {
  for (size_t k = 0; k < places->nchunk; ++k) nsds_release(context, places->chunk[k]);
  nsds_release(context, places->chunk);
  nsds_release(context, places->free);
  *places = (nsds_places){0};
}
