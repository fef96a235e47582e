/* A context that counts its allocations, see meter.h. */
#include "meter.h"

#include <stdlib.h>

static void *metered_alloc(size_t size, void *user) {
  meter *m = user;
  if (++m->count == m->fail_at) return NULL;
  void *memory = malloc(size);
  if (memory) ++m->live;
  return memory;
}

static void metered_release(void *memory, void *user) {
  --((meter *)user)->live;
  free(memory);
}

nsds_context *metered_context(meter *m) {
  return nsds_context_create(
      &(nsds_context_def){.alloc = metered_alloc, .release = metered_release, .alloc_user = m});
}
