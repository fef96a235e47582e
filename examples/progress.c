#define _POSIX_C_SOURCE 200809L
#include "progress.h"

#include <stdbool.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void progress(const char *title, double fraction) {
  static double start = -1.0, shown = 0.0;
  static bool visible = false;
  double t = now();
  if (start < 0.0 || fraction <= 0.0) start = t;
  bool last = fraction >= 1.0;
  if (t - start > 2.0 && isatty(STDERR_FILENO) && (last || t - shown > 0.1)) {
    enum { width = 40 };
    char bar[width + 1];
    for (int k = 0; k < width; ++k) bar[k] = k < fraction * width ? '#' : '.';
    bar[width] = '\0';
    fprintf(stderr, "\r%s [%s] %3.0f %%", title, bar, 100.0 * fraction);
    shown = t;
    visible = true;
  }
  if (last && visible) fputc('\n', stderr);
  if (last) {
    start = -1.0;
    visible = false;
  }
}
