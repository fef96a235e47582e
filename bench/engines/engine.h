/*
 * What the programs beside physics engines print: PROGRAM N SWEEPS STEPS drops the pile of pile.h,
 * lets it come to rest and times STEPS steps; 0 sweeps: certified steps of our side. Twenty
 * steps more are looked at: overlap, approach and friction are what the laws of contact forbid, of
 * these the deepest and the means of what is worst in a step; drift is the change of energy over
 * the steps that were timed.
 */
#ifndef NSDS_BENCH_ENGINE_H
#define NSDS_BENCH_ENGINE_H

#include "../bench.h"

#include <string.h>

#include "../pile.h"

enum { engine_looks = 20 };

typedef struct engine_body {
  double x[3], v[3], W[3]; /* centre, velocity, angular velocity, in the axes of the world */
} engine_body;

/* A world: built for n spheres and so many sweeps, stepped, looked at. */
typedef struct engine {
  void *(*build)(int n, int sweeps);
  int (*step)(void *world, int looked_at); /* the forces of contacts are kept; 0: failed */
  void (*look)(void *world, int k, engine_body *body);
  /* largest |F_t| - mu F_n over the contacts of a step that is looked at, by the largest F_n */
  double (*cone)(void *world);
  void (*report)(void *world); /* more lines; NULL: none */
} engine;

/* What is wrong with a pile. */
typedef struct engine_state {
  double overlap;  /* deepest, in radii */
  double approach; /* largest speed at which what overlaps goes on into each other, in g h */
  double kinetic, energy;
} engine_state;

/* Overlaps before a step, velocities at its end. */
static inline void engine_meet(engine_state *s, double gap, double speed) {
  s->overlap = fmax(s->overlap, -gap / pile_radius);
  if (gap <= 0.0) s->approach = fmax(s->approach, -speed / (pile_gravity * pile_h));
}

static inline engine_state engine_look(const engine_body *before, const engine_body *now, int n) {
  engine_state s = {0, 0, 0, 0};
  double width = pile_width(n), r = pile_radius;
  for (int i = 0; i < n; ++i) {
    const double *a = before[i].x, *va = now[i].v;
    engine_meet(&s, a[2] - r, va[2]);
    for (int k = 0; k < 2; ++k) {
      engine_meet(&s, a[k] - r, va[k]);
      engine_meet(&s, width - r - a[k], -va[k]);
    }
    for (int j = 0; j < i; ++j) {
      double d[3], square = 0.0, speed = 0.0;
      for (int k = 0; k < 3; ++k) {
        d[k] = a[k] - before[j].x[k];
        square += d[k] * d[k];
        speed += d[k] * (va[k] - now[j].v[k]);
      }
      if (square > 0.0 && square < 4.0 * r * r)
        engine_meet(&s, sqrt(square) - 2.0 * r, speed / sqrt(square));
    }
    for (int k = 0; k < 3; ++k)
      s.kinetic += 0.5 * va[k] * va[k] + 0.5 * pile_inertia * now[i].W[k] * now[i].W[k];
    s.energy += pile_gravity * now[i].x[2];
  }
  s.energy += s.kinetic;
  return s;
}

static inline void engine_take(const engine *e, void *world, int n, engine_body *body) {
  for (int k = 0; k < n; ++k) e->look(world, k, body + k);
}

static inline int engine_main(int argc, char **argv, const engine *e) {
  int n = argc > 3 ? atoi(argv[1]) : 0, sweeps = argc > 3 ? atoi(argv[2]) : 0;
  long steps = argc > 3 ? atol(argv[3]) : 0, settling = lround(pile_settled(n) / pile_h);
  if (n < 1 || sweeps < 0 || steps < 1) {
    fprintf(stderr, "usage: %s N SWEEPS STEPS\n", argv[0]);
    return 2;
  }
  void *world = e->build(n, sweeps);
  engine_body *before = (engine_body *)malloc(2 * (size_t)n * sizeof *before), *now = before + n;
  if (!world || !before) return 1;
  for (long k = 0; k < settling; ++k)
    if (!e->step(world, 0)) return 1;
  engine_take(e, world, n, before);
  double energy = engine_look(before, before, n).energy, start = bench_now();
  for (long k = 0; k < steps; ++k)
    if (!e->step(world, 0)) return 1;
  printf("ms %.4g\n", 1e3 * (bench_now() - start) / (double)steps);
  engine_take(e, world, n, before);
  engine_state s = engine_look(before, before, n);
  double approach = 0.0, cone = 0.0, deepest = 0.0, kinetic = s.kinetic, lost = s.energy - energy;
  for (int k = 0; k < engine_looks; ++k) {
    if (!e->step(world, 1)) return 1;
    engine_take(e, world, n, now);
    s = engine_look(before, now, n);
    approach += s.approach / engine_looks;
    cone += e->cone(world) / engine_looks;
    deepest = fmax(deepest, s.overlap);
    memcpy(before, now, (size_t)n * sizeof *now);
  }
  /* by the energy that lifts all spheres by a radius */
  double unit = n * pile_gravity * pile_radius * (double)steps * pile_h;
  printf("penetration %.3g\napproach %.3g\ncone %.3g\nkinetic %.3g\ndrift %.3g\n", deepest,
         approach, cone, kinetic, lost / unit);
  if (e->report) e->report(world);
  free(before);
  return 0;
}

#endif
