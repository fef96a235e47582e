/*
 * The memory of an instance of a method, freed in one go: arrays, and objects.
 *
 * Arrays that are needed together are cut from one piece of memory. The first array finds the
 * piece. All pointers are NULL at first, and only the store changes them.
 */
#ifndef NSDS_SRC_STORE_H
#define NSDS_SRC_STORE_H

#include "base/base.h"

/* Time and memory that a solve may still take. `exceeded`: something was not begun, as it would
 * have taken more. */
typedef struct nsds_allowance {
  double deadline; /* in nsds_seconds(); 0: none */
  double bytes;    /* for a form of M with factors; 0: no limit */
  double formed;   /* bytes taken by a form */
  bool exceeded;
  bool late; /* at least once for lack of time */
} nsds_allowance;

typedef struct nsds_store {
  nsds_context *context;
  nsds_allowance *allowance; /* or NULL */
  struct nsds_holding *first;
} nsds_store;

void nsds_store_release(nsds_store *store);

/* Hands an object to the store. Without memory for that, the object is destroyed at once. NULL, an
 * object that could not be created, is a failure too. */
nsds_status nsds_store_adopt(nsds_store *store, void *object, void (*destroy)(void *object));

/* An array to be cut: address of its pointer, number and size of its entries. */
typedef struct nsds_cut {
  void *array;
  size_t count, size;
  const char *name;
} nsds_cut;

#define NSDS_CUT(array, count)                                                                     \
  { &(array), (size_t)(count), sizeof *(array), #array }

/* Makes room for all of the arrays, which keep their content; new memory is zero. Calls for the
 * same piece must name the same arrays. */
#define NSDS_HOLD(store, cuts) nsds_store_hold((store), sizeof(cuts) / sizeof *(cuts), (cuts))
#define NSDS_HOLD_ONE(store, array, count)                                                         \
  nsds_store_hold((store), 1, &(nsds_cut)NSDS_CUT(array, count))
nsds_status nsds_store_hold(nsds_store *store, size_t ncut, const nsds_cut *cut);

/* Does the same for arrays that are written anew. The old piece is freed before the new one is
 * taken, so that both never exist together. After a failure there is none. */
#define NSDS_RENEW(store, cuts) nsds_store_renew((store), sizeof(cuts) / sizeof *(cuts), (cuts))
#define NSDS_RENEW_ONE(store, array, count)                                                        \
  nsds_store_renew((store), 1, &(nsds_cut)NSDS_CUT(array, count))
nsds_status nsds_store_renew(nsds_store *store, size_t ncut, const nsds_cut *cut);

/* Points `count` arrays of n doubles into `memory`; returns the rest of `memory`. */
#define NSDS_SHARE(memory, n, parts)                                                               \
  nsds_share((memory), (size_t)(n), sizeof(parts) / sizeof *(parts), (parts))
static inline double *nsds_share(double *memory, size_t n, size_t count, double **const *part) {
  for (size_t k = 0; k < count; ++k) *part[k] = memory + k * n;
  return memory + count * n;
}

/* Notes that something is not begun for lack of time or memory; returns true. */
static inline bool nsds_allowance_refuse(nsds_allowance *a, bool late) {
  a->late = a->late || late;
  return a->exceeded = true;
}
static inline void nsds_allowance_forgive(nsds_allowance *a) { a->exceeded = false; }

#endif
