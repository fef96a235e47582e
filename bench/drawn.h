/*
 * Drawn problems: family and seed give a problem, the same on every run. Those of algebra have a
 * known answer: a matrix, a z in the sets and a w in their normal cones are drawn, and q = w - M z;
 * the others are contact problems of scenes (hard_piles.h, pile_scene.h).
 *
 *     matrix    definite, singular, unsymmetric (monotone), saddle (no diagonal in half of the
 * rows), indefinite, grid (five-point Laplacian), bodies (contacts of random bodies) sets      rows
 * of R and R+, boxes, discs, cones, Coulomb's cones in the plane and in space, rolling friction,
 * polyhedra, or a mixture
 *
 * Sizes are spread evenly over the orders of magnitude, from one row to what the family allows.
 */
#ifndef NSDS_BENCH_DRAWN_H
#define NSDS_BENCH_DRAWN_H

#include "bench.h" /* first: it asks for the clock */

#include "hard_piles.h"
#include "pile_scene.h"

typedef enum drawn_matrix {
  DRAWN_DEFINITE,
  DRAWN_SINGULAR,
  DRAWN_UNSYMMETRIC,
  DRAWN_SADDLE,
  DRAWN_INDEFINITE,
  DRAWN_GRID,
  DRAWN_BODIES,
  DRAWN_SCENE, /* of family `scene` of hard_piles.h */
  DRAWN_PILE
} drawn_matrix;

enum {
  drawn_mixed = NSDS_SET_EQUALITY | NSDS_SET_NONNEGATIVE,
  drawn_bounds = drawn_mixed | NSDS_SET_BOX,
  drawn_all = drawn_bounds | NSDS_SET_DISC | NSDS_SET_CONE | NSDS_SET_COULOMB | NSDS_SET_ROLLING |
              NSDS_SET_POLYHEDRON,
  drawn_plane = 1024, /* Coulomb with two rows */
  drawn_most_rows = 5 /* of a block */
};

static const struct drawn_family {
  const char *name, *kind;
  drawn_matrix matrix;
  unsigned sets;
  int most; /* rows, of scenes contacts, of piles spheres */
  hard_family scene;
} drawn_family[] = {
    {"lcp-definite", "lcp", DRAWN_DEFINITE, NSDS_SET_NONNEGATIVE, 400, 0},
    {"lcp-singular", "lcp", DRAWN_SINGULAR, NSDS_SET_NONNEGATIVE, 400, 0},
    {"lcp-unsymmetric", "lcp", DRAWN_UNSYMMETRIC, NSDS_SET_NONNEGATIVE, 400, 0},
    {"lcp-indefinite", "lcp", DRAWN_INDEFINITE, NSDS_SET_NONNEGATIVE, 60, 0},
    {"lcp-grid", "lcp", DRAWN_GRID, NSDS_SET_NONNEGATIVE, 6000, 0},
    {"lcp-bodies", "lcp", DRAWN_BODIES, NSDS_SET_NONNEGATIVE, 3000, 0},
    {"mlcp-singular", "mlcp", DRAWN_SINGULAR, drawn_mixed, 400, 0},
    {"mlcp-saddle", "mlcp", DRAWN_SADDLE, drawn_mixed, 400, 0},
    {"boxes-unsymmetric", "mlcp", DRAWN_UNSYMMETRIC, drawn_bounds, 400, 0},
    {"boxes-grid", "mlcp", DRAWN_GRID, NSDS_SET_BOX, 6000, 0},
    {"cones-definite", "cones", DRAWN_DEFINITE, NSDS_SET_CONE, 400, 0},
    {"cones-bodies", "cones", DRAWN_BODIES, NSDS_SET_CONE, 3000, 0},
    {"all-singular", "cones", DRAWN_SINGULAR, drawn_all, 400, 0},
    {"all-bodies", "cones", DRAWN_BODIES, drawn_all, 3000, 0},
    {"rolling-bodies", "cones", DRAWN_BODIES, NSDS_SET_ROLLING, 3000, 0},
    {"plane-bodies", "friction", DRAWN_BODIES, NSDS_SET_COULOMB | drawn_plane, 3000, 0},
    {"space-bodies", "friction", DRAWN_BODIES, NSDS_SET_COULOMB, 3000, 0},
    {"space-singular", "friction", DRAWN_SINGULAR, NSDS_SET_COULOMB, 400, 0},
    {"pile", "scenes", DRAWN_PILE, 0, 300, 0},
    {"stack", "scenes", DRAWN_SCENE, 0, 300, HARD_STACK},
    {"wall", "scenes", DRAWN_SCENE, 0, 300, HARD_WALL},
    {"arch", "scenes", DRAWN_SCENE, 0, 300, HARD_ARCH},
    {"dominoes", "scenes", DRAWN_SCENE, 0, 150, HARD_DOMINOES},
    {"heap", "scenes", DRAWN_SCENE, 0, 300, HARD_HEAP},
    {"spheres", "scenes", DRAWN_SCENE, 0, 300, HARD_SPHERES},
    {"dependent", "scenes", DRAWN_SCENE, 0, 300, HARD_DEPENDENT}};

enum { drawn_families = sizeof drawn_family / sizeof *drawn_family };

/* A problem with what it borrows. */
typedef struct drawn {
  nsds_problem problem;
  const struct drawn_family *family;
  hard_pile scene; /* its model, and chance for all families */
  nsds_factored factored;
  void *own[16];
  int owns;
} drawn;

static inline void *drawn_own(drawn *d, size_t count, size_t size) {
  void *memory = calloc(count ? count : 1, size);
  if (!memory || d->owns == (int)(sizeof d->own / sizeof *d->own)) {
    fprintf(stderr, "out of memory\n");
    exit(EXIT_FAILURE);
  }
  return d->own[d->owns++] = memory;
}

static inline double *drawn_numbers(drawn *d, size_t count) {
  return (double *)drawn_own(d, count, sizeof(double));
}

static inline double drawn_unit(drawn *d) { return hard_between(&d->scene, -1.0, 1.0); }
static inline double drawn_part(drawn *d) { return hard_random(&d->scene); }

static inline double drawn_positive(drawn *d) { return hard_between(&d->scene, 0.1, 1.0); }

static inline int drawn_size(drawn *d, double least, double most) {
  return (int)(least * pow(most / least, drawn_part(d)) + 0.5);
}

/* ---- sets with an answer ---- */

/* A direction of `size` entries. */
static inline void drawn_direction(drawn *d, int size, double *x) {
  double norm = 0.0;
  for (int i = 0; i < size; ++i) norm = hypot(norm, x[i] = drawn_unit(d));
  for (int i = 0; i < size; ++i) x[i] /= norm;
}

/* A row at a bound with w = away (> 0, seldom 0), or inside. */
static inline void drawn_row(drawn *d, const nsds_block *b, double *z, double *w) {
  double chance = drawn_part(d), away = drawn_part(d) < 0.1 ? 0.0 : drawn_positive(d);
  *w = 0.0;
  if (b->set == NSDS_SET_EQUALITY) *z = drawn_unit(d);
  else if (b->set == NSDS_SET_NONNEGATIVE) {
    *z = chance < 0.5 ? 0.0 : drawn_positive(d);
    if (chance < 0.5) *w = away;
  } else {
    *z = chance < 0.3 ? b->lower[0] : chance < 0.6 ? b->upper[0] : 0.0;
    if (chance < 0.6) *w = chance < 0.3 ? away : -away;
  }
}

/* Cones: left, inside or on the border; slip against the direction of the force. */
static inline void drawn_cone(drawn *d, const nsds_block *b, double *z, double *w) {
  double chance = drawn_part(d), height = drawn_positive(d), slip = drawn_positive(d);
  double tangent[drawn_most_rows], least = 0.0;
  bool rolling = b->set == NSDS_SET_ROLLING;
  int sliding = rolling ? (b->size == 5 ? 2 : 1) : b->size - 1;
  drawn_direction(d, sliding, tangent);
  if (rolling) drawn_direction(d, b->size - 1 - sliding, tangent + sliding);
  for (int i = 0; i < b->size; ++i) z[i] = w[i] = 0.0;
  if (chance < 0.7) z[0] = height;
  for (int i = 1; i < b->size; ++i) {
    double mu = i <= sliding ? b->mu : b->mu_rolling;
    z[i] = mu * z[0] * (chance < 0.35 ? drawn_part(d) : 1.0) * tangent[i - 1];
    if (chance >= 0.35) w[i] = -slip * tangent[i - 1];
  }
  if (chance >= 0.35) least = b->mu * slip + (rolling ? b->mu_rolling * slip : 0.0);
  if (b->set == NSDS_SET_CONE) w[0] = least;
  if (chance >= 0.7) w[0] += height;
}

static inline void drawn_disc(drawn *d, const nsds_block *b, double *z, double *w) {
  bool border = drawn_part(d) < 0.5;
  double size = b->radius * (border ? 1.0 : drawn_part(d)), slip = border ? drawn_positive(d) : 0.0;
  drawn_direction(d, b->size, z);
  for (int i = 0; i < b->size; ++i) {
    w[i] = -slip * z[i];
    z[i] *= size;
  }
}

/* Facets through z push, others are away. */
static inline void drawn_polyhedron(drawn *d, nsds_block *b, double *H, double *K, double *z,
                                    double *w) {
  for (int i = 0; i < b->size; ++i) {
    z[i] = drawn_unit(d);
    w[i] = 0.0;
  }
  for (int k = 0; k < b->nfacet; ++k) {
    bool active = drawn_part(d) < 0.4;
    double push = active ? drawn_positive(d) : 0.0;
    K[k] = active ? 0.0 : -drawn_positive(d);
    for (int i = 0; i < b->size; ++i) {
      double h = H[k + b->nfacet * i] = drawn_unit(d);
      K[k] += h * z[i];
      w[i] += push * h;
    }
  }
  b->H = H;
  b->K = K;
}

static inline int drawn_rows(drawn *d, nsds_set_kind set, bool plane) {
  switch (set) {
  case NSDS_SET_COULOMB: return plane ? 2 : 3;
  case NSDS_SET_ROLLING: return drawn_part(d) < 0.5 ? 3 : 5;
  case NSDS_SET_CONE:
  case NSDS_SET_DISC:
  case NSDS_SET_POLYHEDRON: return 2 + (int)(2.0 * drawn_part(d));
  default: return 1;
  }
}

static inline nsds_set_kind drawn_set(drawn *d, unsigned sets) {
  for (;;) {
    unsigned set = 1u << (int)(8.0 * drawn_part(d));
    if (set & sets) return (nsds_set_kind)set;
  }
}

/* Blocks of about n rows with an answer, z and w. */
static inline void drawn_blocks(drawn *d, int n, double *z, double *w) {
  unsigned sets = d->family->sets;
  double *spare = drawn_numbers(d, 32 * (size_t)n);
  nsds_block *all = (nsds_block *)drawn_own(d, (size_t)n, sizeof *all);
  int rows = 0, count = 0;
  while (rows < n) {
    nsds_block *b = &all[count++];
    double *zb = z + rows, *wb = w + rows;
    *b = (nsds_block){.set = drawn_set(d, sets)};
    b->size = drawn_rows(d, b->set, (sets & drawn_plane) != 0);
    b->mu = b->mu_rolling = b->radius = hard_between(&d->scene, 0.1, 1.0);
    if (b->set == NSDS_SET_POLYHEDRON) {
      b->nfacet = b->size + 2;
      drawn_polyhedron(d, b, spare, spare + 16, zb, wb);
    } else if (b->set == NSDS_SET_DISC) drawn_disc(d, b, zb, wb);
    else if (b->size > 1) drawn_cone(d, b, zb, wb);
    else {
      spare[0] = -drawn_positive(d);
      spare[1] = drawn_positive(d);
      b->lower = spare;
      b->upper = spare + 1;
      drawn_row(d, b, zb, wb);
    }
    spare += 32;
    rows += b->size;
  }
  d->problem.n = d->problem.M.n = rows;
  d->problem.nblock = count;
  d->problem.block = all;
}

/* ---- matrices ---- */

/* A A^T / rank, with a skew part, or of rows that alone have a diagonal. */
static inline void drawn_dense(drawn *d) {
  drawn_matrix kind = d->family->matrix;
  size_t n = (size_t)d->problem.n, rank = kind == DRAWN_SINGULAR ? n / 2 + 1 : n + 2;
  double *A = drawn_numbers(d, n * rank), *M = drawn_numbers(d, n * n);
  for (size_t k = 0; k < n * rank; ++k) A[k] = drawn_unit(d);
  for (size_t j = 0; j < n; ++j)
    for (size_t k = 0; k < rank; ++k) {
      double a = A[j + k * n] / (double)rank;
      for (size_t i = 0; i < n; ++i) M[i + j * n] += A[i + k * n] * a;
    }
  for (size_t j = 0; j < n; ++j)
    for (size_t i = 0; i < n; ++i) {
      bool low = i >= n / 2, left = j >= n / 2;
      if (kind == DRAWN_INDEFINITE) M[i + j * n] = drawn_unit(d);
      if (kind == DRAWN_SADDLE && low && left) M[i + j * n] = 0.0;
      if (kind == DRAWN_SADDLE && low != left && i > j) {
        M[i + j * n] = drawn_unit(d);
        M[j + i * n] = -M[i + j * n];
      }
      if (kind == DRAWN_UNSYMMETRIC && i > j) {
        double skew = drawn_unit(d);
        M[i + j * n] += skew;
        M[j + i * n] -= skew;
      }
    }
  d->problem.M.storage = NSDS_DENSE;
  d->problem.M.x = M;
  d->problem.M.symmetric = kind == DRAWN_DEFINITE || kind == DRAWN_SINGULAR;
}

/* Rows of a square grid, node beside node. */
static inline void drawn_grid(drawn *d) {
  int n = d->problem.n, edge = (int)ceil(sqrt((double)n)), count = 0;
  int *p = (int *)drawn_own(d, (size_t)n + 1, sizeof *p);
  int *at = (int *)drawn_own(d, 5 * (size_t)n, sizeof *at);
  double *x = drawn_numbers(d, 5 * (size_t)n);
  for (int j = 0; j < n; ++j) {
    const int step[5] = {-edge, -1, 0, 1, edge};
    for (int k = 0; k < 5; ++k) {
      int i = j + step[k];
      bool beside = k != 1 && k != 3 ? true : i / edge == j / edge;
      if (i < 0 || i >= n || !beside) continue;
      at[count] = i;
      x[count++] = k == 2 ? 4.0 : -1.0;
    }
    p[j + 1] = count;
  }
  d->problem.M =
      (nsds_matrix){.storage = NSDS_CSC, .n = n, .p = p, .i = at, .x = x, .symmetric = true};
}

/* Every block meets two random bodies of six velocities, or one. */
static inline void drawn_bodies(drawn *d) {
  int count = d->problem.nblock, n = d->problem.n;
  double load = hard_between(&d->scene, 0.5, 3.0), ratio = pow(10.0, 4.0 * drawn_part(d));
  int bodies = 2 + (int)(n / (6.0 * load));
  int *row = (int *)drawn_own(d, (size_t)count + 1, sizeof *row);
  int *first = (int *)drawn_own(d, (size_t)count + 1, sizeof *first);
  nsds_edge *edge = (nsds_edge *)drawn_own(d, 2 * (size_t)count, sizeof *edge);
  double *next = drawn_numbers(d, 24 * (size_t)n), *gain = drawn_numbers(d, (size_t)bodies);
  for (int k = 0; k < bodies; ++k) gain[k] = pow(ratio, -drawn_part(d));
  for (int a = 0; a < count; ++a) {
    int m = d->problem.block[a].size, body = (int)(bodies * drawn_part(d));
    row[a + 1] = row[a] + m;
    first[a + 1] = first[a];
    for (int s = 0; s < 2; ++s) {
      double *H = next, *Y = H + 6 * m;
      if (s == 1) body = (body + 1 + (int)(2.0 * drawn_part(d))) % (bodies + 1);
      if (body == bodies) continue; /* the ground */
      for (int c = 0; c < 6; ++c)
        for (int i = 0; i < m; ++i) {
          H[i + m * c] = drawn_unit(d);
          Y[c + 6 * i] = gain[body] * H[i + m * c];
        }
      edge[first[a + 1]++] = (nsds_edge){6 * body, 6, H, Y};
      next = Y + 6 * m;
    }
  }
  d->factored = (nsds_factored){count, 6 * bodies, row, first, edge, NULL, NULL};
  d->problem.M =
      (nsds_matrix){.storage = NSDS_FACTORED, .n = n, .factored = &d->factored, .symmetric = true};
}

/* ---- all ---- */

static inline void drawn_algebra(drawn *d) {
  int n = drawn_size(d, 1.0, d->family->most);
  double *z = drawn_numbers(d, (size_t)n + drawn_most_rows);
  double *w = drawn_numbers(d, (size_t)n + drawn_most_rows);
  drawn_blocks(d, n, z, w);
  n = d->problem.n;
  if (d->family->matrix == DRAWN_GRID) drawn_grid(d);
  else if (d->family->matrix == DRAWN_BODIES) drawn_bodies(d);
  else drawn_dense(d);
  double *q = drawn_numbers(d, (size_t)n), *work = drawn_numbers(d, nsds_problem_work(&d->problem));
  d->problem.q = q; /* zeros: the product alone */
  nsds_problem_multiply(&d->problem, z, work, work + n);
  for (int i = 0; i < n; ++i) q[i] = w[i] - work[i];
}

/* Spheres at a part of the time in which they come to rest. */
static inline bool drawn_pile(drawn *d, int spheres, double part) {
  d->scene.model = nsds_model_create(NULL);
  if (!d->scene.model) return false;
  pile_scene(d->scene.model, spheres);
  return hard_advance(&d->scene, pile_h, (int)(part * pile_rest(spheres) / pile_h), 40.0);
}

/* False where it could not be made, or has no contacts. */
static inline bool drawn_make(drawn *d, int family, unsigned seed) {
  *d = (drawn){.family = &drawn_family[family],
               .scene.random = UINT64_C(0x9E3779B97F4A7C15) * (64u * seed + (unsigned)family + 1u)};
  for (int k = 0; k < 8; ++k) drawn_part(d);
  if (d->family->matrix < DRAWN_SCENE) {
    drawn_algebra(d);
    return true;
  }
  bool made =
      d->family->matrix == DRAWN_PILE
          ? drawn_pile(d, drawn_size(d, 2.0, d->family->most), hard_between(&d->scene, 0.3, 1.2))
          : hard_pile_make(&d->scene, d->family->scene, drawn_size(d, 10.0, d->family->most), seed);
  d->problem = d->scene.problem;
  return made && d->problem.n > 0;
}

/* ---- small ones of a given size ---- */

/* Dense problems with no property that most methods ask for, `rows` each:
 *
 *     boxes-gaussian, boxes-integer    finite boxes and any M and q, of normal or whole numbers
 *     game                             bimatrix games: M = [0, A; B, 0] with A, B > 0, and q = -1
 *     planted, planted-integer         an answer at which a third of the rows have z = w = 0
 */
typedef enum drawn_small {
  SMALL_BOXES_GAUSSIAN,
  SMALL_BOXES_INTEGER,
  SMALL_GAME,
  SMALL_PLANTED,
  SMALL_PLANTED_INTEGER
} drawn_small;

static const struct drawn_family drawn_small_family[] = {
    {"boxes-gaussian", "small", DRAWN_INDEFINITE, NSDS_SET_BOX, 0, 0},
    {"boxes-integer", "small", DRAWN_INDEFINITE, NSDS_SET_BOX, 0, 0},
    {"game", "small", DRAWN_INDEFINITE, NSDS_SET_NONNEGATIVE, 0, 0},
    {"planted", "small", DRAWN_INDEFINITE, NSDS_SET_NONNEGATIVE, 0, 0},
    {"planted-integer", "small", DRAWN_INDEFINITE, NSDS_SET_NONNEGATIVE, 0, 0}};

enum { drawn_small_families = sizeof drawn_small_family / sizeof *drawn_small_family };

static inline double drawn_normal(drawn *d) {
  double radius = sqrt(-2.0 * log(1.0 - drawn_part(d)));
  return radius * cos(6.283185307179586 * drawn_part(d));
}

/* A whole number between -most and most. */
static inline double drawn_whole(drawn *d, int most) {
  return floor((2.0 * most + 1.0) * drawn_part(d)) - most;
}

static inline double drawn_any(drawn *d, bool whole) {
  return whole ? drawn_whole(d, 5) : drawn_normal(d);
}

static inline void drawn_small_boxes(drawn *d, bool whole, double *q, nsds_block *box) {
  int n = d->problem.n;
  double *lower = drawn_numbers(d, (size_t)n), *upper = drawn_numbers(d, (size_t)n);
  for (int i = 0; i < n; ++i) {
    q[i] = drawn_any(d, whole);
    lower[i] = drawn_any(d, whole);
    upper[i] = lower[i] + (whole ? fabs(drawn_whole(d, 5)) : fabs(drawn_normal(d)));
  }
  *box = (nsds_block){.set = NSDS_SET_BOX, .size = n, .lower = lower, .upper = upper};
}

/* q = w - M z with z > 0, w > 0 or neither in a third of the rows each. */
static inline void drawn_small_planted(drawn *d, bool whole, const double *M, double *q) {
  int n = d->problem.n;
  for (int j = 0; j < n; ++j) {
    double size = whole ? 1.0 + floor(5.0 * drawn_part(d)) : drawn_positive(d);
    if (j % 3 == 0) q[j] += size;
    for (int i = 0; j % 3 == 1 && i < n; ++i) q[i] -= M[i + j * n] * size;
  }
}

static inline void drawn_small_make(drawn *d, drawn_small kind, int n, unsigned seed) {
  bool whole = kind == SMALL_BOXES_INTEGER || kind == SMALL_PLANTED_INTEGER;
  *d = (drawn){.family = &drawn_small_family[kind],
               .scene.random = UINT64_C(0x9E3779B97F4A7C15) * (64u * seed + 32u + (unsigned)kind)};
  for (int k = 0; k < 8; ++k) drawn_part(d);
  double *M = drawn_numbers(d, (size_t)n * (size_t)n), *q = drawn_numbers(d, (size_t)n);
  nsds_block *rows = (nsds_block *)drawn_own(d, 1, sizeof *rows);
  d->problem = (nsds_problem){.n = n, .nblock = 1, .block = rows, .q = q};
  d->problem.M = (nsds_matrix){.storage = NSDS_DENSE, .n = n, .x = M};
  *rows = (nsds_block){.set = NSDS_SET_NONNEGATIVE, .size = n};
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) {
      bool across = (i < n / 2) != (j < n / 2);
      M[i + j * n] = kind != SMALL_GAME ? drawn_any(d, whole) : across ? drawn_positive(d) : 0.0;
    }
  if (kind <= SMALL_BOXES_INTEGER) drawn_small_boxes(d, whole, q, rows);
  else if (kind >= SMALL_PLANTED) drawn_small_planted(d, whole, M, q);
  else
    for (int i = 0; i < n; ++i) q[i] = -1.0;
}

/* ---- a large sparse one ---- */

/* The membrane over (-2, 2)^2 with 0 on the border that lies on a ball of radius 1, whose surface
 * goes on as a cone: edge x edge nodes. */
static inline void drawn_obstacle(drawn *d, int edge) {
  static const struct drawn_family family = {"obstacle", "large", DRAWN_GRID, NSDS_SET_BOX, 0, 0};
  static const double slope_from = 0.9; /* radius */
  int n = edge * edge;
  double h = 4.0 / (edge + 1);
  *d = (drawn){.family = &family, .problem = {.n = n, .nblock = 1}};
  double *q = drawn_numbers(d, (size_t)n), *lower = drawn_numbers(d, (size_t)n);
  double *upper = drawn_numbers(d, (size_t)n), top = sqrt(1.0 - slope_from * slope_from);
  nsds_block *nodes = (nsds_block *)drawn_own(d, 1, sizeof *nodes);
  for (int k = 0; k < n; ++k) {
    double r = hypot(h * (k % edge + 1) - 2.0, h * (double)(k / edge + 1) - 2.0);
    lower[k] = r < slope_from ? sqrt(1.0 - r * r) : top - (r - slope_from) * slope_from / top;
    upper[k] = INFINITY;
  }
  *nodes = (nsds_block){.set = NSDS_SET_BOX, .size = n, .lower = lower, .upper = upper};
  d->problem.block = nodes;
  d->problem.q = q;
  drawn_grid(d);
}

/* A wide pile of so many spheres at rest. */
static inline bool drawn_rest(drawn *d, int spheres) {
  *d = (drawn){.family = drawn_family, .scene.model = nsds_model_create(NULL)};
  while (d->family->matrix != DRAWN_PILE) ++d->family;
  if (!d->scene.model) return false;
  pile_scene_of(d->scene.model, spheres, pile_wide_edge(spheres));
  bool made = hard_advance(&d->scene, pile_h, (int)(pile_wide_settled / pile_h), 40.0);
  d->problem = d->scene.problem;
  return made && d->problem.n > 0;
}

static inline void drawn_free(drawn *d) {
  hard_pile_free(&d->scene);
  while (d->owns > 0) free(d->own[--d->owns]);
}

#endif
