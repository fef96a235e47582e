#ifndef NSDS_SRC_QPS_NAMES_H
#define NSDS_SRC_QPS_NAMES_H

#include "base/base.h"

/* A word of a text, not ended by NUL. */
typedef struct nsds_qps_word {
  const char *at;
  size_t size;
} nsds_qps_word;

/* Names with their numbers 0, 1, ... in the order of their first use; starts as zeros. */
typedef struct nsds_qps_names {
  nsds_qps_word *name;
  int *place; /* hash table of numbers plus one; 0: free */
  size_t names, places;
  int count;
} nsds_qps_names;

static inline bool nsds_qps_same(nsds_qps_word a, const char *b) {
  return a.size == strlen(b) && memcmp(a.at, b, a.size) == 0;
}

/* Returns the number of a name; -1: not known. */
int nsds_qps_find(const nsds_qps_names *t, nsds_qps_word name);

/* Adds a new name. */
nsds_status nsds_qps_add(nsds_context *context, nsds_qps_names *t, nsds_qps_word name);

void nsds_qps_names_release(nsds_context *context, nsds_qps_names *t);

#endif
