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
