/*
 * Friction problems at the hard end: hyperstatic, with many more rows than velocities, nearly
 * dependent contacts and masses far apart. A family, a number of contacts to aim at and a seed give
 * a problem, the same on every run:
 *
 *     stack      towers of cubes, heavier upwards
 *     wall       bricks in a bond with half bricks at the ends, each of a density of its own
 *     arch       wedges held by friction, arches of different densities
 *     dominoes   after the fall
 *     heap       boxes dropped into a box
 *     spheres    spheres of different masses dropped into a box
 *     dependent  random contacts of random bodies, each given several times, nearly
 *
 * Scenes are brought to where they are with a few sweeps a step, certified or not; what counts is
 * the problem of the next step.
 */
#ifndef NSDS_BENCH_HARD_PILES_H
#define NSDS_BENCH_HARD_PILES_H

#include "blocks.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum hard_family {
  HARD_STACK,
  HARD_WALL,
  HARD_ARCH,
  HARD_DOMINOES,
  HARD_HEAP,
  HARD_SPHERES,
  HARD_DEPENDENT,
  hard_families
} hard_family;

static const char *const hard_family_name[hard_families] = {
    "stack", "wall", "arch", "dominoes", "heap", "spheres", "dependent"};

/* A problem with what it borrows. */
typedef struct hard_pile {
  nsds_model *model; /* of a scene */
  nsds_simulation *simulation;
  nsds_problem problem;
  nsds_factored factored; /* of algebra */
  void *memory;
  double mass_ratio, mu;
  uint64_t random;
} hard_pile;

/* ---- chance ---- */

static inline double hard_random(hard_pile *p) {
  p->random ^= p->random << 13;
  p->random ^= p->random >> 7;
  p->random ^= p->random << 17;
  return ldexp((double)(p->random >> 11), -53);
}

static inline double hard_between(hard_pile *p, double low, double high) {
  return low + (high - low) * hard_random(p);
}

/* ---- scenes ---- */

static inline nsds_verdict hard_take(nsds_simulation *s, const nsds_solver_info *info, void *user) {
  (void)s, (void)info, (void)user;
  return NSDS_ACCEPT;
}

/* So many steps, then the problem of the next one. Sweeps lead bodies out of overlap as they did when the results of
 * these problems were published. */
static inline bool hard_advance(hard_pile *p, double h, int steps, double sweeps) {
  p->simulation = nsds_time_stepping(
      p->model, &(nsds_time_stepping_def){.t1 = (steps + 2) * h,
                                          .h = h,
                                          .newton = {.max_iterations = 2, .accept = true},
                                          .tolerance = 1e-8,
                                          .overlap_sweeps = 8,
                                          .check_solver = hard_take});
  if (!p->simulation || nsds_simulation_set_solver(p->simulation, "nsgs", 0.0)) return false;
  nsds_solver_set(nsds_simulation_solver(p->simulation), "acceleration", 0.0);
  nsds_solver_set(nsds_simulation_solver(p->simulation), "max_iterations", sweeps);
  for (int k = 0; k < steps; ++k)
    if (nsds_step(p->simulation) < 0) return false;
  if (nsds_step_begin(p->simulation)) return false;
  const nsds_problem *problem = nsds_simulation_problem(p->simulation);
  if (!problem) return false;
  p->problem = *problem;
  return true;
}

static inline void hard_box(blocks *b, const double low[3], const double high[3]) {
  double corner[8][3];
  for (int k = 0; k < 8; ++k)
    for (int i = 0; i < 3; ++i) corner[k][i] = k >> i & 1 ? high[i] : low[i];
  blocks_add(b, (const double(*)[3])corner, 0, NULL);
}

static const double hard_density = 1000.0;
static const double hard_overlap = 1e-7;

static inline void hard_stack(hard_pile *p, blocks *b, int contacts) {
  int count = contacts / 4 < most_blocks ? contacts / 4 : most_blocks;
  int towers = 1 + count / 20 / (1 + (int)(3.0 * hard_random(p))), height = count / towers;
  for (int t = 0; t < towers; ++t)
    for (int k = 0; k < height; ++k) {
      double x = 3.0 * t + hard_between(p, -0.1, 0.1), y = hard_between(p, -0.1, 0.1);
      double z = k - (k + 1) * hard_overlap;
      b->density = hard_density * pow(p->mass_ratio, (double)k / height);
      hard_box(b, (const double[]){x - 0.5, y - 0.5, z},
               (const double[]){x + 0.5, y + 0.5, z + 1.0});
    }
}

static inline void hard_wall(hard_pile *p, blocks *b, int contacts) {
  bool touch = hard_random(p) < 0.5; /* neighbours in a row */
  int bricks = contacts / (touch ? 12 : 8), columns = 2 + (int)sqrt(bricks / 2.0);
  int rows = 1 + bricks / columns;
  double gap = touch ? -0.5 * hard_overlap : 1e-3;
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < columns + r % 2; ++c) {
      double low = fmax(2.0 * c - r % 2, 0.0), high = fmin(2.0 * c - r % 2 + 2.0, 2.0 * columns);
      double z = r - (r + 1) * hard_overlap;
      b->density = hard_density * pow(p->mass_ratio, hard_random(p));
      hard_box(b, (const double[]){low + gap, 0.0, z}, (const double[]){high - gap, 1.0, z + 1.0});
    }
}

static inline void hard_arch(hard_pile *p, blocks *b, int contacts) {
  bool touch = hard_random(p) < 0.5; /* each other: a vault */
  int wedges = 7 + 2 * (int)(10.0 * hard_random(p));
  double thickness = hard_between(p, 0.15, 0.4);
  int arches = 1 + contacts / (touch ? 8 * wedges : 4 * (wedges + 1));
  for (int k = 0; k < arches && b->count + wedges <= most_blocks; ++k) {
    b->density = hard_density * pow(p->mass_ratio, hard_random(p));
    blocks_arch(b, wedges, thickness, (touch ? 0.3 - hard_overlap : 0.5) * k, 0);
  }
}

/* A random rotation of a box, by its corners. */
static inline void hard_turned_box(hard_pile *p, blocks *b, const double at[3],
                                   const double half[3]) {
  double e[4], corner[8][3], size = 0.0, v0[6] = {0};
  for (int i = 0; i < 4; ++i) {
    e[i] = hard_between(p, -1.0, 1.0);
    size += e[i] * e[i];
  }
  double w = e[0] / sqrt(size), x = e[1] / sqrt(size), y = e[2] / sqrt(size), z = e[3] / sqrt(size);
  const double R[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
                          {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
                          {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}};
  for (int k = 0; k < 8; ++k)
    for (int i = 0; i < 3; ++i) {
      corner[k][i] = at[i];
      for (int j = 0; j < 3; ++j) corner[k][i] += R[i][j] * (k >> j & 1 ? half[j] : -half[j]);
    }
  /* a left-handed order of corners never comes: R is a rotation */
  blocks_add(b, (const double(*)[3])corner, 0, v0);
}

static inline int hard_edge(int count) {
  int edge = 1;
  while (edge * edge * edge < count) ++edge;
  return edge;
}

static inline void hard_heap(hard_pile *p, blocks *b, int contacts) {
  int count = contacts / 6 < most_blocks ? contacts / 6 : most_blocks, edge = hard_edge(count);
  for (int k = 0; k < count; ++k) {
    const double at[3] = {1.1 * (k % edge + 0.5), 1.1 * (k / edge % edge + 0.5),
                          1.1 * (k / edge / edge + 0.5)};
    const double half[3] = {hard_between(p, 0.15, 0.3), hard_between(p, 0.15, 0.3),
                            hard_between(p, 0.15, 0.3)};
    b->density = hard_density * pow(p->mass_ratio, hard_random(p));
    hard_turned_box(p, b, at, half);
  }
}

static inline bool hard_spheres(hard_pile *p, int contacts) {
  int count = (int)(contacts / 2.3), edge = hard_edge(count);
  double width = 1.1 * edge;
  const nsds_plane box[] = {
      {{0, 0, 1}, 0}, {{1, 0, 0}, 0}, {{-1, 0, 0}, -width}, {{0, 1, 0}, 0}, {{0, -1, 0}, -width}};
  nsds_ds **ds = (nsds_ds **)malloc((size_t)count * sizeof *ds);
  for (int k = 0; ds && k < count; ++k) {
    double mass = pow(p->mass_ratio, hard_random(p)), J[9] = {0}, q[7] = {0, 0, 0, 1, 0, 0, 0};
    const int c[3] = {k % edge, k / edge % edge, k / edge / edge};
    for (int i = 0; i < 3; ++i) {
      q[i] = 1.1 * (c[i] + 0.5) + hard_between(p, -0.04, 0.04);
      J[4 * i] = 0.1 * mass;
    }
    ds[k] = nsds_rigid_body(
        p->model,
        &(nsds_rigid_body_def){.mass = mass, .inertia = J, .q0 = q, .gravity = {0, 0, -9.81}});
  }
  nsds_contact_set *set = nsds_spheres(
      p->model, &(nsds_spheres_def){.name = "spheres",
                                    .law = nsds_newton_impact_friction(
                                        p->model, &(nsds_newton_impact_friction_def){.mu = p->mu}),
                                    .count = count,
                                    .ds = ds,
                                    .radius = 0.5,
                                    .nplane = 5,
                                    .plane = box});
  free(ds);
  return set != NULL;
}

/* Walls around a heap of so many boxes. */
static inline void hard_walls(hard_pile *p, blocks *b, int contacts) {
  int count = contacts / 6 < most_blocks ? contacts / 6 : most_blocks;
  double width = 1.1 * hard_edge(count);
  const nsds_plane plane[] = {
      {{1, 0, 0}, 0}, {{-1, 0, 0}, -width}, {{0, 1, 0}, 0}, {{0, -1, 0}, -width}};
  (void)p;
  for (int k = 0; k < 4; ++k)
    nsds_shapes_add(b->contacts, &(nsds_shape_def){.kind = NSDS_HALF_SPACE, .plane = plane[k]});
}

static inline bool hard_scene(hard_pile *p, hard_family family, int contacts) {
  static blocks b;
  p->model = nsds_model_create(NULL);
  if (!p->model) return false;
  if (family == HARD_SPHERES)
    return hard_spheres(p, contacts) &&
           hard_advance(p, 5e-3, 100 * (int)cbrt(contacts / 2.3), 30.0);
  blocks_open(&b, p->model, 1, &(nsds_material){.mu = p->mu});
  switch (family) {
  case HARD_STACK: hard_stack(p, &b, contacts); return hard_advance(p, 5e-3, 2, 100.0);
  case HARD_WALL: hard_wall(p, &b, contacts); return hard_advance(p, 5e-3, 2, 100.0);
  case HARD_ARCH: hard_arch(p, &b, contacts); return hard_advance(p, 2e-3, 2, 100.0);
  case HARD_DOMINOES: {
    int count = contacts / 7 + 3;
    double pitch = hard_between(p, 0.014, 0.03);
    blocks_dominoes(&b, count, pitch, 6.0);
    return hard_advance(p, 1e-3, 300 + 40 * count, 50.0);
  }
  default:
    hard_walls(p, &b, contacts);
    hard_heap(p, &b, contacts);
    return hard_advance(p, 5e-3, 100 * (int)cbrt(contacts / 6.0), 30.0);
  }
}

/* ---- algebra ---- */

/* The rows of a contact with a frame at x: velocity of a body with its centre at the origin. */
static inline void hard_rows(const double frame[3][3], const double x[3], double sign, double *H) {
  for (int i = 0; i < 3; ++i) {
    const double *e = frame[i];
    const double turn[3] = {x[1] * e[2] - x[2] * e[1], x[2] * e[0] - x[0] * e[2],
                            x[0] * e[1] - x[1] * e[0]};
    for (int c = 0; c < 3; ++c) {
      H[i + 3 * c] = sign * e[c];
      H[i + 3 * (3 + c)] = sign * turn[c];
    }
  }
}

static inline void hard_frame(hard_pile *p, double frame[3][3]) {
  for (int i = 0; i < 3; ++i) {
    double size = 0.0;
    for (int c = 0; c < 3; ++c) frame[i][c] = hard_between(p, -1.0, 1.0);
    for (int j = 0; j < i; ++j) {
      double t = 0.0;
      for (int c = 0; c < 3; ++c) t += frame[i][c] * frame[j][c];
      for (int c = 0; c < 3; ++c) frame[i][c] -= t * frame[j][c];
    }
    for (int c = 0; c < 3; ++c) size += frame[i][c] * frame[i][c];
    for (int c = 0; c < 3; ++c) frame[i][c] /= sqrt(size);
  }
}

/* q = H v with v random: contacts close, and v = 0 would be free of them. */
static inline bool hard_dependent(hard_pile *p, int contacts) {
  int copies = 2 + (int)(4.0 * hard_random(p));
  int bodies = contacts / copies / 4 + 2, nv = 6 * bodies, n = 3 * contacts;
  double near = pow(10.0, hard_between(p, -12.0, -2.0));
  size_t numbers = 36 * 2 * (size_t)contacts + 2 * (size_t)n + 2 * (size_t)nv;
  size_t bytes = numbers * sizeof(double) + 2 * (size_t)contacts * sizeof(nsds_edge) +
                 (size_t)contacts * sizeof(nsds_block) + 2 * ((size_t)contacts + 1) * sizeof(int);
  double *next = (double *)(p->memory = calloc(1, bytes));
  if (!next) return false;
  double *q = next, *scale = q + n, *v = scale + n, *gain = v + nv, *values = gain + nv;
  nsds_edge *edge = (nsds_edge *)(values + 72 * (size_t)contacts);
  nsds_block *law = (nsds_block *)(edge + 2 * (size_t)contacts);
  int *row = (int *)(law + contacts), *first = row + contacts + 1;
  for (int k = 0; k < nv; ++k) v[k] = hard_between(p, -1.0, 1.0);
  for (int k = 0; k < bodies; ++k) {
    double inverse = pow(p->mass_ratio, -hard_random(p));
    for (int c = 0; c < 6; ++c) gain[6 * k + c] = c < 3 ? inverse : 2.5 * inverse;
  }
  double frame[3][3], x[2][3];
  int body[2] = {0, 1};
  for (int a = 0; a < contacts; ++a) {
    if (a % copies == 0) {
      hard_frame(p, frame);
      body[0] = (int)(bodies * hard_random(p));
      body[1] = (int)((bodies + 2) * hard_random(p)); /* some meet the ground */
    }
    for (int s = 0; s < 2; ++s)
      for (int c = 0; c < 3; ++c)
        x[s][c] = a % copies == 0 ? hard_between(p, -1.0, 1.0)
                                  : x[s][c] + near * hard_between(p, -1.0, 1.0);
    first[a + 1] = first[a];
    row[a + 1] = row[a] + 3;
    law[a] = (nsds_block){.set = NSDS_SET_COULOMB, .size = 3, .mu = p->mu};
    for (int s = 0; s < 2; ++s) {
      if (s == 1 && (body[1] >= bodies || body[1] == body[0])) continue;
      double *H = values + 72 * (size_t)a + 36 * (size_t)s, *Y = H + 18;
      hard_rows((const double(*)[3])frame, x[s], s == 0 ? 1.0 : -1.0, H);
      for (int c = 0; c < 6; ++c)
        for (int i = 0; i < 3; ++i) {
          Y[c + 6 * i] = gain[6 * body[s] + c] * H[i + 3 * c];
          q[3 * a + i] += H[i + 3 * c] * v[6 * body[s] + c];
          scale[3 * a + i] += fabs(H[i + 3 * c] * v[6 * body[s] + c]);
        }
      edge[first[a + 1]++] = (nsds_edge){6 * body[s], 6, H, Y};
    }
  }
  p->factored = (nsds_factored){contacts, nv, row, first, edge, NULL, NULL};
  p->problem = (nsds_problem){
      .n = n,
      .nblock = contacts,
      .block = law,
      .q = q,
      .scale = scale,
      .M = {.storage = NSDS_FACTORED, .n = n, .factored = &p->factored, .symmetric = true}};
  return true;
}

/* ---- all ---- */

/* False where it could not be made; the message of a scene is in its model's context. */
static inline bool hard_pile_make(hard_pile *p, hard_family family, int contacts, unsigned seed) {
  *p = (hard_pile){.random = UINT64_C(0x9E3779B97F4A7C15) * (seed * 8u + (unsigned)family + 1u)};
  for (int k = 0; k < 8; ++k) hard_random(p);
  p->mass_ratio = pow(10.0, hard_between(p, 0.0, 12.0));
  p->mu = hard_between(p, 0.2, 1.0);
  return family == HARD_DEPENDENT ? hard_dependent(p, contacts) : hard_scene(p, family, contacts);
}

/* Number of contacts to aim at with a seed: 100 to 1000. */
static inline int hard_contacts(hard_family family, unsigned seed) {
  hard_pile p = {.random = UINT64_C(0xD1B54A32D192ED03) * (seed * 8u + (unsigned)family + 1u)};
  for (int k = 0; k < 8; ++k) hard_random(&p);
  return (int)(100.0 * pow(10.0, hard_random(&p)));
}

static inline void hard_pile_free(hard_pile *p) {
  nsds_model_destroy(p->model);
  free(p->memory);
  *p = (hard_pile){0};
}

#endif
