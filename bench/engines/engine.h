/*
 * What the programs beside physics engines print: PROGRAM N SWEEPS STEPS drops the pile of pile.h,
 * lets it come to rest and times STEPS steps; 0 sweeps: the certified default of our side.
 */
#ifndef NSDS_BENCH_ENGINE_H
#define NSDS_BENCH_ENGINE_H

#include "../bench.h"

#include "../pile.h"

/* A world: built for n spheres and so many sweeps, stepped, looked at. */
typedef struct engine {
  void *(*build)(int n, int sweeps);
  int (*step)(void *world); /* 0: failed */
  void (*look)(void *world, int k, double x[3], double *kinetic);
} engine;

/* Deepest overlap of centres with the box and, pair by pair, with each other, in radii. */
static inline double engine_overlap(const double *x, int n) {
  double deepest = 0.0, width = pile_width(n), r = pile_radius;
  for (int i = 0; i < n; ++i) {
    const double *a = x + 3 * i;
    deepest = fmax(deepest, r - a[2]);
    for (int k = 0; k < 2; ++k) deepest = fmax(deepest, fmax(r - a[k], a[k] + r - width));
    for (int j = 0; j < i; ++j) {
      const double *b = x + 3 * j, dx = a[0] - b[0], dy = a[1] - b[1], dz = a[2] - b[2];
      double square = dx * dx + dy * dy + dz * dz;
      if (square < 4.0 * r * r) deepest = fmax(deepest, 2.0 * r - sqrt(square));
    }
  }
  return deepest / r;
}

static inline int engine_main(int argc, char **argv, const engine *e) {
  int n = argc > 3 ? atoi(argv[1]) : 0, sweeps = argc > 3 ? atoi(argv[2]) : 0;
  long steps = argc > 3 ? atol(argv[3]) : 0, settling = lround(pile_rest(n) / pile_h);
  if (n < 1 || sweeps < 0 || steps < 1) {
    fprintf(stderr, "usage: %s N SWEEPS STEPS\n", argv[0]);
    return 2;
  }
  void *world = e->build(n, sweeps);
  double *x = (double *)malloc(3 * (size_t)n * sizeof *x), energy = 0.0, start = 0.0;
  if (!world || !x) return 1;
  for (long k = 0; k < settling + steps; ++k) {
    if (k == settling) start = bench_now();
    if (!e->step(world)) return 1;
  }
  printf("ms %.4g\n", 1e3 * (bench_now() - start) / (double)steps);
  for (int k = 0; k < n; ++k) {
    double kinetic = 0.0;
    e->look(world, k, x + 3 * k, &kinetic);
    energy += kinetic;
  }
  printf("penetration %.3g\nenergy %.3g\n", engine_overlap(x, n), energy);
  free(x);
  return 0;
}

#endif
