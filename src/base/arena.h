/*
 * Memory for objects that come and go. An arena hands out zeroed pieces from growing chunks and
 * takes them back into lists by size. After the high-water mark nothing is allocated. Pieces never
 * move. Memory goes back to the context when the arena is destroyed.
 *
 * A place is a piece with a generation. A handle is the address of a place plus the generation in
 * the low bits. Handles of removed objects are therefore recognized, even if the place is in use
 * again. A generation comes back after `nsds_generations` removals from the same place.
 */
#ifndef NSDS_SRC_ARENA_H
#define NSDS_SRC_ARENA_H

#include "base/base.h"

#include <limits.h>
#include <stdlib.h>

enum { nsds_generations = 256 };

typedef struct nsds_arena_class {
  size_t bytes;
  void *free; /* the first of a list threaded through the pieces */
} nsds_arena_class;

typedef struct nsds_arena {
  void **chunk;
  size_t nchunk, chunk_capacity;
  char *next; /* unused part of the last chunk */
  size_t left;
  nsds_arena_class *class;
  size_t nclass, class_capacity;
} nsds_arena;

/* Sizes of pieces are counted in lines, so that few sizes serve all. */
enum { nsds_arena_line = 16 }; /* bytes, and the alignment of a piece */
static inline unsigned nsds_arena_lines(size_t bytes) {
  size_t lines = bytes / nsds_arena_line + (bytes % nsds_arena_line > 0);
  return lines < UINT_MAX ? (unsigned)lines : UINT_MAX;
}

/* Returns a zeroed piece; NULL with the error recorded. There is no piece of UINT_MAX lines. */
void *nsds_arena_take(nsds_context *context, nsds_arena *arena, unsigned lines);
/* Takes back a piece of that size; NULL is allowed. */
void nsds_arena_give(nsds_arena *arena, void *piece, unsigned lines);
/* Makes room for `count` pieces that are taken next, if these are many: one chunk holds them all. */
nsds_status nsds_arena_reserve(nsds_context *context, nsds_arena *arena, size_t count,
                               unsigned lines);
void nsds_arena_destroy(nsds_context *context, nsds_arena *arena);

/* First member of every object in a place. */
typedef struct nsds_place {
  unsigned char generation;
  bool alive;
} nsds_place;

/* Objects of one size with handles. */
typedef struct nsds_places {
  void **chunk;
  size_t nchunk, chunk_capacity;
  size_t used; /* places taken from the last chunk */
  void **free; /* ring: the place that has been free for longest is taken first */
  size_t nfree, first_free, free_capacity;
  size_t total;
} nsds_places;

/* Returns a zeroed object of `bytes` bytes, always the same for one nsds_places; NULL with the
 * error recorded. */
void *nsds_place_take(nsds_context *context, nsds_places *places, size_t bytes);
/* Gives back an object, which stays readable until its place is taken again. The handle is stale at
 * once. */
void nsds_place_give(nsds_places *places, void *object);
void nsds_places_destroy(nsds_context *context, nsds_places *places);

static inline void *nsds_place_handle(void *object) {
  return object ? (char *)object + ((nsds_place *)object)->generation : NULL;
}

/* Returns the place that a handle points into, even if its object is gone. */
static inline void *nsds_handle_place(const void *handle) {
  return (void *)((uintptr_t)handle & ~(uintptr_t)(nsds_generations - 1));
}

static inline bool nsds_handle_alive(const void *handle) {
  const nsds_place *place = nsds_handle_place(handle);
  return place && place->alive &&
         place->generation == (unsigned char)((uintptr_t)handle & (nsds_generations - 1));
}

#endif
