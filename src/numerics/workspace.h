/*
 * Arrays that are reserved and freed together: one piece of memory, cut.
 */
#ifndef NSDS_SRC_WORKSPACE_H
#define NSDS_SRC_WORKSPACE_H

#include "base.h"

typedef struct nsds_workspace {
  char *memory;
  size_t capacity; /* bytes */
} nsds_workspace;

/* An array to be cut: its pointer's address, its entries and their size. */
typedef struct nsds_cut {
  void *array;
  size_t count, size;
} nsds_cut;

#define NSDS_CUT(array, count)                                                                     \
  { &(array), (size_t)(count), sizeof *(array) }

/* Points all arrays into the workspace, grown where it is too small. The same counts as before give
 * the same arrays with what they hold; new memory is zero. */
#define NSDS_CUT_ALL(context, workspace, cuts)                                                     \
  nsds_workspace_cut((context), (workspace), sizeof(cuts) / sizeof *(cuts), (cuts))
nsds_status nsds_workspace_cut(nsds_context *context, nsds_workspace *workspace, size_t ncut,
                               const nsds_cut *cut);

void nsds_workspace_release(nsds_workspace *workspace, nsds_context *context);

/* Points `count` arrays of n doubles into `memory`; returns what is left of it. */
#define NSDS_SHARE(memory, n, parts)                                                               \
  nsds_share((memory), (size_t)(n), sizeof(parts) / sizeof *(parts), (parts))
static inline double *nsds_share(double *memory, size_t n, size_t count, double **const *part) {
  for (size_t k = 0; k < count; ++k) *part[k] = memory + k * n;
  return memory + count * n;
}

#endif
