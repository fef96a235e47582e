/*
 * The memory of packed spheres (packed.h), counted by the allocator of the context.
 *
 *   pile_memory SPHERES STEPS
 *
 * prints contacts and the largest number of bytes that were in use at once.
 */
#include "bench.h"

#include "packed.h"

#include <stddef.h>

typedef struct counted {
  size_t now, peak;
} counted;

/* The size stands before each piece; the piece stays aligned. */
enum { head = 16 };

static void *take(size_t size, void *user) {
  counted *c = (counted *)user;
  char *memory = (char *)malloc(size + head);
  if (!memory) return NULL;
  *(size_t *)(void *)memory = size;
  c->now += size;
  if (c->now > c->peak) c->peak = c->now;
  return memory + head;
}

static void release(void *memory, void *user) {
  counted *c = (counted *)user;
  if (!memory) return;
  char *start = (char *)memory - head;
  c->now -= *(size_t *)(void *)start;
  free(start);
}

int main(int argc, char **argv) {
  int n = argc == 3 ? atoi(argv[1]) : 0, steps = n > 0 ? atoi(argv[2]) : 0;
  if (n < 1 || steps < 1) {
    fprintf(stderr, "usage: %s SPHERES STEPS\n", argv[0]);
    return 2;
  }
  counted c = {0, 0};
  nsds_context *context =
      nsds_context_create(&(nsds_context_def){.alloc = take, .release = release, .alloc_user = &c});
  nsds_model *model = nsds_model_create(context);
  packed_scene(model, (int)lround(cbrt(n)));
  nsds_simulation *s = packed_start(model, 20);
  bool sound = s != NULL;
  for (int k = 0; sound && k < steps; ++k) sound = nsds_step(s) == NSDS_OK;
  if (sound) printf("contacts %d\nbytes %zu\n", nsds_simulation_info(s)->active, c.peak);
  else fprintf(stderr, "%s\n", context ? nsds_error_message(context) : "out of memory");
  nsds_model_destroy(model);
  nsds_context_destroy(context);
  return !sound;
}
