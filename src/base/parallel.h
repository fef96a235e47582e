/*
 * Work in parts that do not depend on each other, done by the threads of a context. The parts
 * depend on the work alone, so that also what is summed up part by part has the same bits for any
 * number of threads.
 */
#ifndef NSDS_SRC_PARALLEL_H
#define NSDS_SRC_PARALLEL_H

#include "base.h"

enum { nsds_most_parts = 64, nsds_most_threads = 256 };

/* How many parts `count` things are cut into: at least `least` things in each. */
static inline int nsds_parts(int count, int least) {
  int parts = count / least;
  return parts < 1 ? 1 : parts > nsds_most_parts ? nsds_most_parts : parts;
}

/* The first of `count` things in a part; those of the part end where the next begins. */
static inline int nsds_part_begin(int count, int part, int parts) {
  return (int)((int64_t)count * part / parts);
}

/* Part number `part` of `parts`. Nothing here may fail, allocate or log. */
typedef void (*nsds_part_fn)(void *self, int part, int parts);

/* Does all parts; NULL: in this thread. */
void nsds_share_out(const nsds_context *context, int parts, nsds_part_fn work, void *self);

void nsds_copy_shared(const nsds_context *context, double *to, const double *from, int n);

#endif
