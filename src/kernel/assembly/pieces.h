/*
 * Arrays of a contact or an entry, in one piece of the plan's arena.
 */
#ifndef NSDS_SRC_PIECES_H
#define NSDS_SRC_PIECES_H

#include "base/arena.h"
#include "kernel/assembly/plan.h"

/* Places arrays in one piece: a NULL base counts, any other base hands out addresses. Pointers come
 * first, then doubles, then smaller types, so that everything is aligned. */
typedef struct nsds_pieces {
  char *base;
  size_t at;
} nsds_pieces;

static inline void *nsds_pieces_take(nsds_pieces *p, size_t count, size_t size) {
  void *here = p->base ? p->base + p->at : NULL;
  p->at += count * size;
  return here;
}

static inline double *nsds_pieces_doubles(nsds_pieces *p, size_t count) {
  return count > 0 ? nsds_pieces_take(p, count, sizeof(double)) : NULL;
}

/* Returns a piece of `wanted` lines in place of a smaller one. */
static inline void *nsds_arena_regrow(nsds_plan *plan, void *memory, unsigned *lines,
                                      unsigned wanted) {
  nsds_arena_give(&plan->memory.arena, memory, *lines);
  memory = nsds_arena_take(plan->context, &plan->memory.arena, wanted);
  *lines = memory ? wanted : 0;
  return memory;
}

#endif
