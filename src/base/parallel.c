/* Threads of OpenMP, where the library is built with it; else all parts one after the other. */
#include "parallel.h"

static void in_this_thread(int parts, nsds_part_fn work, void *self) {
  for (int part = 0; part < parts; ++part) work(self, part, parts);
}

#if defined(_OPENMP)
void nsds_share_out(const nsds_context *context, int parts, nsds_part_fn work, void *self) {
  int threads = context ? nsds_context_threads(context) : 1;
  if (threads == 1 || parts == 1) {
    in_this_thread(parts, work, self);
    return;
  }
  /* The same number of threads for few parts too: another one would be another team. */
#pragma omp parallel for num_threads(threads) schedule(static)
  for (int part = 0; part < parts; ++part) work(self, part, parts);
}
#else
void nsds_share_out(const nsds_context *context, int parts, nsds_part_fn work, void *self) {
  (void)context;
  in_this_thread(parts, work, self);
}
#endif

typedef struct copy {
  double *to;
  const double *from;
  int n;
} copy;

static void copy_part(void *self, int part, int parts) {
  const copy *c = self;
  int begin = nsds_part_begin(c->n, part, parts), end = nsds_part_begin(c->n, part + 1, parts);
  if (end > begin) memcpy(c->to + begin, c->from + begin, (size_t)(end - begin) * sizeof *c->to);
}

void nsds_copy_shared(const nsds_context *context, double *to, const double *from, int n) {
  enum { least = 4096 };
  copy c = {.to = to, .from = from, .n = n};
  nsds_share_out(context, nsds_parts(n, least), copy_part, &c);
}
