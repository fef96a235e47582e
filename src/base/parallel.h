/*
 * Work in parts that do not depend on each other, done by the threads of a context. The parts
 * depend on the work alone, so that also what is summed up part by part has the same bits for any
 * number of threads.
 */
#ifndef NSDS_SRC_PARALLEL_H
#define NSDS_SRC_PARALLEL_H

#include "base/base.h"

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

/* Does several parts; without a context in this thread. */
void nsds_share_parts(const nsds_context *context, int parts, nsds_part_fn work, void *self);
/* Does all parts. */
static inline void nsds_share_out(const nsds_context *context, int parts, nsds_part_fn work,
                                  void *self) {
  if (parts == 1) work(self, 0, 1);
  else nsds_share_parts(context, parts, work, self);
}

/*
 * Whether work is shared at all. Threads that have to wait for one that is not running, as other
 * programs want its processor, or whose pieces of work are smaller than it takes to wait for each
 * other, lose time: where that has come to a millisecond all work is the caller's for a while.
 * Nothing but the time shows it.
 */
typedef struct nsds_team {
  int left;      /* pieces of work until it is shared again; 0: it is */
  int pause;     /* length of the last pause; 0: long ago */
  int shared;    /* pieces since then */
  double excess; /* seconds lost by sharing, less some of what it has won */
} nsds_team;

/* Before a piece of work: whether it is to be shared. */
bool nsds_team_shares(nsds_team *team);
/* After one that was: it took so long, and would have taken `alone` in one thread. */
void nsds_team_judge(nsds_team *team, double took, double alone);

void nsds_copy_shared(const nsds_context *context, double *to, const double *from, int n);

/* Of a clock that nobody sets. */
double nsds_seconds(void);

#endif
