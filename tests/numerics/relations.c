#include "relations.h"
#include "families.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double positive(void) { return 0.05 + fabs(random_number()); }

/* Unit vector. */
static void direction(int n, double *e) {
  double size = 0.0;
  do {
    size = 0.0;
    for (int i = 0; i < n; ++i) {
      e[i] = random_number();
      size += e[i] * e[i];
    }
  } while (!(size > 1e-2));
  for (int i = 0; i < n; ++i) e[i] /= sqrt(size);
}

static const char *const names[kind_count] = {
    "equality(1)",      "equality(3)", "nonnegative(2)", "box(3)",
    "half-open box(2)", "fixed(1)",    "disc(1)",        "disc(2)",
    "disc(4)",          "cone(2)",     "cone(3)",        "Coulomb(2)",
    "Coulomb(3)",       "rolling(3)",  "rolling(5)",     "polyhedron(3)"};

const char *sample_block_name(int which) { return names[which]; }

static const nsds_set_kind sets[kind_count] = {
    NSDS_SET_EQUALITY, NSDS_SET_EQUALITY, NSDS_SET_NONNEGATIVE, NSDS_SET_BOX,
    NSDS_SET_BOX,      NSDS_SET_BOX,      NSDS_SET_DISC,        NSDS_SET_DISC,
    NSDS_SET_DISC,     NSDS_SET_CONE,     NSDS_SET_CONE,        NSDS_SET_COULOMB,
    NSDS_SET_COULOMB,  NSDS_SET_ROLLING,  NSDS_SET_ROLLING,     NSDS_SET_POLYHEDRON};
static const int sizes[kind_count] = {1, 3, 2, 3, 2, 1, 1, 2, 4, 2, 3, 2, 3, 3, 5, 3};

void sample_block_create(sample_block *s, int which) {
  memset(s, 0, sizeof *s);
  s->block = (nsds_block){.set = sets[which],
                          .size = sizes[which],
                          .mu = 1.5 * fabs(random_number()),
                          .mu_rolling = 0.5 * fabs(random_number()),
                          .radius = positive()};
  for (int i = 0; i < most_block_rows; ++i) {
    s->lower[i] = random_number();
    s->upper[i] = s->lower[i] + (which == 5 ? 0.0 : positive());
    if (which == 4 && i == 0) s->upper[i] = INFINITY;
    if (which == 4 && i == 1) s->lower[i] = -INFINITY;
  }
  int m = s->block.size;
  s->block.lower = s->lower;
  s->block.upper = s->upper;
  if (s->block.set != NSDS_SET_POLYHEDRON) return;
  s->block.nfacet = 8; /* around the origin, one facet twice */
  s->block.H = s->H;
  s->block.K = s->K;
  for (int k = 0; k < 8; ++k) {
    double e[most_block_rows];
    direction(m, e);
    for (int j = 0; j < m; ++j) s->H[k + 8 * j] = k == 7 ? 2.0 * s->H[8 * j] : e[j] * (1.0 + k);
    s->K[k] = k == 7 ? 2.0 * s->K[0] : -positive();
  }
}

/* ---- pairs ---- */

static void rows(const nsds_block *block, int state, double *z, double *w) {
  for (int i = 0; i < block->size; ++i) {
    double lower = block->set == NSDS_SET_BOX           ? block->lower[i]
                   : block->set == NSDS_SET_NONNEGATIVE ? 0.0
                                                        : -INFINITY;
    double upper = block->set == NSDS_SET_BOX ? block->upper[i] : INFINITY;
    int at = (state + i) % 3; /* lower, upper, between */
    if (at == 0 && isinf(lower)) at = 2;
    if (at == 1 && isinf(upper)) at = 2;
    w[i] = at == 0 ? positive() : at == 1 ? -positive() : 0.0;
    if (at == 0) z[i] = lower;
    else if (at == 1) z[i] = upper;
    else if (isinf(lower) && isinf(upper)) z[i] = random_number();
    else if (isinf(upper)) z[i] = lower + positive();
    else if (isinf(lower)) z[i] = upper - positive();
    else z[i] = lower + (upper - lower) * 0.5 * (1.0 + random_number());
  }
}

/* The rows first .. first + count - 1: inside the disc with w = 0, or on its edge with w against z.
 */
static void disc_part(int first, int count, double limit, bool slides, double *z, double *w) {
  double e[most_block_rows], speed = slides ? positive() : 0.0;
  double length = slides ? limit : limit * 0.9 * fabs(random_number());
  direction(count, e);
  for (int i = 0; i < count; ++i) {
    z[first + i] = length * e[i];
    w[first + i] = -speed * e[i];
  }
}

static void cone_pair(const nsds_block *block, int state, double *z, double *w) {
  int m = block->size, rolling = block->set == NSDS_SET_ROLLING ? (m - 1) / 2 : 0;
  bool shifted = block->set != NSDS_SET_CONE;
  z[0] = positive();
  disc_part(1, m - 1 - rolling, block->mu * z[0], state == 2 || state == 4, z, w);
  if (rolling > 0)
    disc_part(m - rolling, rolling, block->mu_rolling * z[0], state == 3 || state == 4, z, w);
  double speed = 0.0;
  for (int i = 1; i < m; ++i) speed += w[i] * w[i];
  w[0] = shifted ? 0.0 : block->mu * sqrt(speed);
  if (state != 0) return;
  speed = 0.0;
  for (int i = 1; i < m; ++i) {
    w[i] = random_number();
    speed += w[i] * w[i];
  }
  w[0] = positive() + (shifted ? 0.0 : block->mu * sqrt(speed));
  for (int i = 0; i < m; ++i) z[i] = 0.0;
}

static double slack(const nsds_block *block, int facet, const double *z) {
  double sum = -block->K[facet];
  for (int j = 0; j < block->size; ++j) sum += block->H[facet + j * block->nfacet] * z[j];
  return sum;
}

/* From the origin, which lies inside, to the first facet in a random direction. */
static void polyhedron_pair(const nsds_block *block, int state, double *z, double *w) {
  double e[most_block_rows], reach = INFINITY, zero[most_block_rows] = {0.0};
  int facet = -1;
  while (facet < 0) {
    direction(block->size, e);
    for (int k = 0; k < block->nfacet; ++k) {
      double slope = slack(block, k, e) + block->K[k];
      if (!(slope < -1e-3) || slack(block, k, zero) / -slope >= reach) continue;
      reach = slack(block, k, zero) / -slope;
      facet = k;
    }
  }
  bool touches = state % 2 == 0;
  double speed = positive();
  for (int j = 0; j < block->size; ++j) {
    z[j] = (touches ? reach : 0.5 * reach) * e[j];
    w[j] = touches ? speed * block->H[facet + j * block->nfacet] : 0.0;
  }
}

void sample_relation(const nsds_block *block, int state, double *z, double *w) {
  switch (block->set) {
  case NSDS_SET_EQUALITY:
  case NSDS_SET_NONNEGATIVE:
  case NSDS_SET_BOX: rows(block, state, z, w); break;
  case NSDS_SET_DISC: disc_part(0, block->size, block->radius, state % 2 == 0, z, w); break;
  case NSDS_SET_CONE:
  case NSDS_SET_COULOMB: cone_pair(block, state % 3, z, w); break;
  case NSDS_SET_ROLLING: cone_pair(block, state % 5, z, w); break;
  case NSDS_SET_POLYHEDRON: polyhedron_pair(block, state, z, w); break;
  }
}

void sample_point(const nsds_block *block, double *z) {
  double w[most_block_rows];
  sample_relation(block, (int)(1e3 * fabs(random_number())), z, w);
}

void sample_matrix(int n, int rank, double decades, double shift, double *M) {
  double *A = malloc((size_t)n * (size_t)(rank > 0 ? rank : 1) * sizeof *A);
  if (!A) abort();
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < rank; ++k)
      A[i + k * n] = random_number() * pow(10.0, rank > 1 ? -0.5 * decades * k / (rank - 1) : 0.0);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      double sum = i == j ? shift : 0.0;
      for (int k = 0; k < rank; ++k) sum += A[i + k * n] * A[j + k * n];
      M[i + (size_t)j * (size_t)n] = sum;
    }
  free(A);
}

static void *allocate(size_t count, size_t size) {
  void *memory = calloc(count + 1, size);
  if (!memory) abort();
  return memory;
}

void mixed_create(mixed *p, int nblock, int which, int rank, double decades, double shift) {
  memset(p, 0, sizeof *p);
  p->sample = allocate((size_t)nblock, sizeof *p->sample);
  p->block = allocate((size_t)nblock, sizeof *p->block);
  int n = 0;
  for (int a = 0; a < nblock; ++a) {
    sample_block_create(&p->sample[a], which < 0 ? a % kind_count : which);
    p->block[a] = p->sample[a].block;
    n += p->block[a].size;
  }
  size_t rows = (size_t)n;
  p->M = allocate(rows * rows, sizeof(double));
  p->q = allocate(rows, sizeof(double));
  p->z = allocate(rows, sizeof(double));
  p->w = allocate(rows, sizeof(double));
  sample_matrix(n, rank < 0 ? n : rank, decades, shift, p->M);
  for (int a = 0, row = 0; a < nblock; row += p->block[a++].size)
    sample_relation(&p->block[a], (int)(1e3 * fabs(random_number())), p->z + row, p->w + row);
  for (int i = 0; i < n; ++i) p->q[i] = p->w[i];
  for (size_t j = 0; j < rows; ++j)
    for (size_t i = 0; i < rows; ++i) p->q[i] -= p->M[i + j * rows] * p->z[j];
  p->problem = (nsds_problem){.n = n,
                              .nblock = nblock,
                              .block = p->block,
                              .M = {.storage = NSDS_DENSE, .n = n, .x = p->M, .symmetric = true},
                              .q = p->q};
}

void mixed_destroy(mixed *p) {
  void *memory[] = {p->sample, p->block, p->M, p->q, p->z, p->w};
  for (size_t k = 0; k < sizeof memory / sizeof *memory; ++k) free(memory[k]);
}
