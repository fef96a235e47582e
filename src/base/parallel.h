/*
 * Work in parts that do not depend on each other, done by the threads of a context. The parts
 * depend on the work alone, so that sums over parts have the same bits for any number of threads.
 */
#ifndef NSDS_SRC_PARALLEL_H
#define NSDS_SRC_PARALLEL_H

#include "base/base.h"

enum { nsds_most_parts = 64, nsds_most_threads = 256 };

/* Returns the number of parts for `count` things: at least `least` things in each. */
static inline int nsds_parts(int count, int least) {
  int parts = count / least;
  return parts < 1 ? 1 : parts > nsds_most_parts ? nsds_most_parts : parts;
}

/* Returns the first of `count` things in a part. The part ends where the next one begins. */
static inline int nsds_part_begin(int count, int part, int parts) {
  return (int)((int64_t)count * part / parts);
}

/* Does part number `part` of `parts`. The function must not fail, allocate or log. */
typedef void (*nsds_part_fn)(void *self, int part, int parts);

/* Does several parts; without a context, in this thread. */
void nsds_share_parts(const nsds_context *context, int parts, nsds_part_fn work, void *self);
/* Does all parts. */
static inline void nsds_share_out(const nsds_context *context, int parts, nsds_part_fn work,
                                  void *self) {
  if (parts == 1) work(self, 0, 1);
  else nsds_share_parts(context, parts, work, self);
}

/*
 * Decides if work is shared. Threads lose time if they wait for a thread that is not running,
 * because other programs want its processor. Sharing also loses if pieces of work are shorter than
 * the wait for each other. After a loss of a millisecond the caller does all work for a while. Only
 * the time shows a loss.
 */
typedef struct nsds_team {
  int left;      /* pieces of work until sharing begins again; 0: sharing */
  int pause;     /* length of the last pause; 0: long ago */
  int shared;    /* pieces since the pause */
  double excess; /* seconds lost by sharing, less part of the gain */
} nsds_team;

/* Returns true if the next piece of work is to be shared. */
bool nsds_team_shares(nsds_team *team);
/* Judges a shared piece of work: it took `took` seconds, and `alone` in one thread. */
void nsds_team_judge(nsds_team *team, double took, double alone);

void nsds_copy_shared(const nsds_context *context, double *to, const double *from, int n);

/* Returns the time of a clock that nobody sets. */
double nsds_seconds(void);

#endif
