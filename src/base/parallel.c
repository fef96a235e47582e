/* Threads of OpenMP, if the library is built with it; else all parts run one after the other. */
#define _POSIX_C_SOURCE 200809L /* clock_gettime() */
#include "base/parallel.h"

#include "base/context.h"

#include <time.h>

double nsds_seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- does sharing pay? ----------------------------------------------------------------------- */

/* Loss that ends sharing, and the largest gain that counts against it [s]. */
static const double most_lost = 1e-3, most_won = 2e-4;

/* Pieces of work; doubled if no more pieces than that were shared afterwards. */
enum { first_pause = 256, longest_pause = 65536 };

bool nsds_team_shares(nsds_team *team) {
  if (team->left > 0) --team->left;
  return team->left == 0;
}

void nsds_team_judge(nsds_team *team, double took, double alone) {
  if (team->shared++ == 0 && took < most_lost) return; /* threads may have been asleep */
  team->excess = fmax(team->excess + took - alone, -most_won);
  if (team->shared > team->pause) team->pause = 0;
  if (!(team->excess > most_lost)) return;
  team->pause = team->pause == 0 ? first_pause : 2 * team->pause;
  if (team->pause > longest_pause) team->pause = longest_pause;
  *team = (nsds_team){.left = team->pause, .pause = team->pause};
}

/* ---- work ------------------------------------------------------------------------------------ */

static void in_this_thread(int parts, nsds_part_fn work, void *self) {
  for (int part = 0; part < parts; ++part) work(self, part, parts);
}

void nsds_share_parts(const nsds_context *context, int parts, nsds_part_fn work, void *self) {
#if defined(_OPENMP)
  int threads = context ? nsds_context_threads(context) : 1;
  if (threads == 1 || !nsds_team_shares(nsds_context_team(context))) {
    in_this_thread(parts, work, self);
    return;
  }
  double start = nsds_seconds(),
         each = INFINITY; /* time of a part, in a thread that did not wait */
  /* Few parts use the same number of threads too: another number would make another team. */
#pragma omp parallel num_threads(threads) reduction(min : each)
  {
    double begin = nsds_seconds();
    int done = 0;
#pragma omp for schedule(static) nowait
    for (int part = 0; part < parts; ++part) {
      work(self, part, parts);
      ++done;
    }
    if (done > 0) each = (nsds_seconds() - begin) / done;
  }
  nsds_team_judge(nsds_context_team(context), nsds_seconds() - start, each * parts);
#else
  (void)context;
  in_this_thread(parts, work, self);
#endif
}

typedef struct copy {
  double *to;
  const double *from;
  int n;
} copy;

static void parallel_copy_part(void *self, int part, int parts) {
  const copy *c = self;
  int begin = nsds_part_begin(c->n, part, parts), end = nsds_part_begin(c->n, part + 1, parts);
  if (end > begin) memcpy(c->to + begin, c->from + begin, (size_t)(end - begin) * sizeof *c->to);
}

void nsds_copy_shared(const nsds_context *context, double *to, const double *from, int n) {
  enum { least = 4096 };
  copy c = {.to = to, .from = from, .n = n};
  nsds_share_out(context, nsds_parts(n, least), parallel_copy_part, &c);
}
