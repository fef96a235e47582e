/*
 * Preloaded into a command, makes its malloc() fail: NSDS_FAIL_AT=K the K-th allocation, NSDS_FAIL_ON=1 all later ones
 * too. NSDS_COUNT_TO=FILE writes the number of allocations to a file in the end.
 */
#include "../kernel/interpose.h"

#include <stdio.h>
#include <stdlib.h>

__attribute__((constructor)) static void begin(void) {
  const char *at = getenv("NSDS_FAIL_AT");
  interpose.fail_at = at ? atol(at) : 0;
  interpose.fail_on = getenv("NSDS_FAIL_ON") != NULL;
  interpose.armed = true;
}

__attribute__((destructor)) static void end(void) {
  interpose.armed = false;
  const char *path = getenv("NSDS_COUNT_TO");
  FILE *file = path ? fopen(path, "w") : NULL;
  if (!file) return;
  fprintf(file, "%ld\n", interpose.calls);
  fclose(file);
}
