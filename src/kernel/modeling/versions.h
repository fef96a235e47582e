/*
 * Versions of a model. Code that keeps results of the graph, of values or of a search also keeps
 * the versions that it has seen. nsds_versions_missed() tells the changes since.
 */
#ifndef NSDS_SRC_VERSIONS_H
#define NSDS_SRC_VERSIONS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct nsds_versions {
  uint64_t graph;    /* raised when systems or interactions come or go; 0: nothing has been seen */
  uint64_t values;   /* the last stamp given to a change of states or parameters */
  uint64_t change;   /* the last stamp given to any change */
  uint64_t searches; /* of a plan: for contacts of sets, so far */
} nsds_versions;

enum { NSDS_NEW_GRAPH = 1, NSDS_NEW_VALUES = 2, NSDS_NEW_CHANGE = 4, NSDS_NEW_SEARCH = 8 };

/* Returns the changes among `of`, the kinds on which the caller depends. */
static inline unsigned nsds_versions_missed(const nsds_versions *seen, const nsds_versions *now,
                                            unsigned of) {
  unsigned missed = 0;
  if (seen->graph != now->graph || seen->graph == 0) missed |= NSDS_NEW_GRAPH;
  if (seen->values < now->values) missed |= NSDS_NEW_VALUES;
  if (seen->change != now->change) missed |= NSDS_NEW_CHANGE;
  if (seen->searches != now->searches) missed |= NSDS_NEW_SEARCH;
  return missed & of;
}

/* Returns true if an object's stamp is newer than another stamp. */
static inline bool nsds_is_newer(uint64_t stamp, uint64_t since) { return stamp > since; }

#endif
