/*
 * What an instance of a method holds, freed with it in one go: arrays, and objects of their own.
 *
 * Arrays that are needed together are cut from one piece of memory. The piece is found by the first
 * of them; all are NULL at the beginning and nobody else changes the pointers.
 */
#ifndef NSDS_SRC_STORE_H
#define NSDS_SRC_STORE_H

#include "base/base.h"

/* What a solve may still take. `exceeded`: something was not begun, as it would have taken more. */
typedef struct nsds_allowance {
  double deadline; /* of nsds_seconds(); 0: none */
  double bytes;    /* of a form of M with factors; 0: as many as there are */
  double formed;   /* of these, what a form takes */
  bool exceeded;
  bool late; /* at least once for want of time */
} nsds_allowance;

typedef struct nsds_store {
  nsds_context *context;
  nsds_allowance *allowance; /* or NULL */
  struct nsds_holding *first;
} nsds_store;

void nsds_store_release(nsds_store *store);

/* The object becomes the store's, and is destroyed at once where there is no memory for that; NULL,
 * which could not be made, is a failure too. */
nsds_status nsds_store_adopt(nsds_store *store, void *object, void (*destroy)(void *object));

/* An array to be cut: its pointer's address, its entries and their size. */
typedef struct nsds_cut {
  void *array;
  size_t count, size;
  const char *name;
} nsds_cut;

#define NSDS_CUT(array, count)                                                                     \
  { &(array), (size_t)(count), sizeof *(array), #array }

/* Room for all of the arrays, which keep what they hold; new memory is zero. Calls for one piece
 * name the same arrays. */
#define NSDS_HOLD(store, cuts) nsds_store_hold((store), sizeof(cuts) / sizeof *(cuts), (cuts))
#define NSDS_HOLD_ONE(store, array, count)                                                         \
  nsds_store_hold((store), 1, &(nsds_cut)NSDS_CUT(array, count))
nsds_status nsds_store_hold(nsds_store *store, size_t ncut, const nsds_cut *cut);

/* The same for what is written anew: the old piece is given back before it grows, so that the two
 * are never there together. On failure there is none. */
#define NSDS_RENEW_ONE(store, array, count)                                                        \
  nsds_store_renew((store), &(nsds_cut)NSDS_CUT(array, count))
nsds_status nsds_store_renew(nsds_store *store, const nsds_cut *cut);

/* Points `count` arrays of n doubles into `memory`; returns what is left of it. */
#define NSDS_SHARE(memory, n, parts)                                                               \
  nsds_share((memory), (size_t)(n), sizeof(parts) / sizeof *(parts), (parts))
static inline double *nsds_share(double *memory, size_t n, size_t count, double **const *part) {
  for (size_t k = 0; k < count; ++k) *part[k] = memory + k * n;
  return memory + count * n;
}

/* Something is not begun, as it would take more than there is; true. */
static inline bool nsds_allowance_refuse(nsds_allowance *a, bool late) {
  a->late = a->late || late;
  return a->exceeded = true;
}
static inline void nsds_allowance_forgive(nsds_allowance *a) { a->exceeded = false; }

#endif
