/*
 * The scene of pile_ts and of the engines beside it (pile_bullet.cpp, pile_ode.cpp), C11 and C++:
 * unit-mass spheres of radius 0.5 dropped as a loose cubic lattice, each a little off its place,
 * into a box of the lattice's width, open above.
 */
#ifndef NSDS_BENCH_PILE_H
#define NSDS_BENCH_PILE_H

#include <math.h>
#include <stdint.h>

static const double pile_radius = 0.5, pile_inertia = 0.1, pile_friction = 0.5, pile_h = 5e-3,
                    pile_gravity = 9.81, pile_pitch = 1.25, pile_play = 0.1;

/* Time at which the pile has come down, though parts of it may yield [s], and at which these rest
 * as well but for single spheres; they grow with its height. */
static inline double pile_rest(int n) { return 0.5 * cbrt((double)n); }
static inline double pile_settled(int n) { return 0.8 * cbrt((double)n); }

/* Spheres along an edge of the lattice, and the width of the box. */
static inline int pile_edge(int n) {
  int m = 1;
  while (m * m * m < n) ++m;
  return m;
}
static inline double pile_width(int n) { return pile_pitch * pile_edge(n); }

/* A wide pile is ten layers high whatever its size, and rests when one of a thousand does. */
static inline int pile_wide_edge(int n) { return (int)ceil(sqrt(0.1 * n)); }
static const double pile_wide_settled = 8.0; /* [s] */

/* Where sphere k starts, m along an edge; the box is [0, m pitch]^2 above z = 0. */
static inline void pile_place(int m, int k, double x[3]) {
  const int c[3] = {k % m, k / m % m, k / m / m};
  uint64_t random = UINT64_C(0x9E3779B97F4A7C15) * (uint64_t)(k + 1);
  for (int i = 0; i < 3; ++i) {
    random ^= random << 13;
    random ^= random >> 7;
    random ^= random << 17;
    x[i] = pile_pitch * (c[i] + 0.5) + pile_play * (ldexp((double)(random >> 11), -52) - 1.0);
  }
}
static inline void pile_start(int n, int k, double x[3]) { pile_place(pile_edge(n), k, x); }

#endif
