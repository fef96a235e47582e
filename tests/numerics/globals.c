#include "globals.h"
#include "families.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *allocate(size_t count, size_t size) {
  void *memory = calloc(count + 1, size);
  if (!memory) abort();
  return memory;
}

void world_start(world *t, const char *name, int nv, int n, int p, int nblock) {
  memset(t, 0, sizeof *t);
  snprintf(t->name, sizeof t->name, "%s", name);
  t->M = allocate((size_t)nv * (size_t)nv, sizeof(double));
  t->H = allocate((size_t)nv * (size_t)n, sizeof(double));
  t->G = allocate((size_t)nv * (size_t)p, sizeof(double));
  t->f = allocate((size_t)nv, sizeof(double));
  t->w = allocate((size_t)n, sizeof(double));
  t->b = allocate((size_t)p, sizeof(double));
  t->v = allocate((size_t)nv, sizeof(double));
  t->r = allocate((size_t)n, sizeof(double));
  t->u = allocate((size_t)n, sizeof(double));
  t->block = allocate((size_t)nblock, sizeof *t->block);
  t->sample = allocate((size_t)nblock, sizeof *t->sample);
  t->problem = (nsds_global_problem){.nv = nv,
                                     .n = n,
                                     .p = p,
                                     .nblock = nblock,
                                     .block = t->block,
                                     .f = t->f,
                                     .w = t->w,
                                     .b = t->b};
  t->v[0] = NAN;
}

static nsds_csc compress(world *t, int which, int nrow, int ncolumn, const double *x) {
  size_t count = 0;
  for (size_t k = 0; k < (size_t)nrow * (size_t)ncolumn; ++k) count += x[k] != 0.0;
  int *p = t->index[2 * which] = allocate((size_t)ncolumn + 1, sizeof(int));
  int *i = t->index[2 * which + 1] = allocate(count, sizeof(int));
  double *value = t->value[which] = allocate(count, sizeof(double));
  for (int j = 0; j < ncolumn; ++j) {
    p[j + 1] = p[j];
    for (int k = 0; k < nrow; ++k) {
      double entry = x[(size_t)k + (size_t)j * (size_t)nrow];
      if (entry == 0.0) continue;
      i[p[j + 1]] = k;
      value[p[j + 1]++] = entry;
    }
  }
  return (nsds_csc){nrow, ncolumn, p, i, value};
}

void world_finish(world *t) {
  nsds_global_problem *problem = &t->problem;
  nsds_csc M = compress(t, 0, problem->nv, problem->nv, t->M);
  problem->M = (nsds_matrix){.storage = NSDS_CSC, .n = problem->nv, .p = M.p, .i = M.i, .x = M.x};
  problem->H = compress(t, 1, problem->nv, problem->n, t->H);
  problem->G = compress(t, 2, problem->nv, problem->p, t->G);
}

void world_destroy(world *t) {
  void *memory[] = {t->M, t->H, t->G, t->f, t->w, t->b, t->v, t->r, t->u, t->block, t->sample};
  for (size_t k = 0; k < sizeof memory / sizeof *memory; ++k) free(memory[k]);
  for (int k = 0; k < 6; ++k) free(t->index[k]);
  for (int k = 0; k < 3; ++k) free(t->value[k]);
}

/* ---- families ---- */

void world_of_bodies(world *t, const bodies *b, bool tied) {
  scene s;
  int nv = 6 * b->nbody;
  scene_create(&s, b);
  world_start(t, b->name, nv, s.problem.n, tied ? b->nbody - 1 : 0, b->ncontact);
  for (int k = 0; k < nv; ++k) {
    double mass = k % 6 < 3 ? b->mass[k / 6] : b->inertia[k / 6];
    t->M[(size_t)k * ((size_t)nv + 1)] = mass;
    t->f[k] = mass * b->velocity[k];
  }
  for (int a = 0; a < b->ncontact; ++a) {
    t->block[a] = s.block[a];
    for (int e = s.first_edge[a]; e < s.first_edge[a + 1]; ++e)
      for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 6; ++c)
          t->H[(size_t)(s.edge[e].column + c) + (size_t)(3 * a + r) * (size_t)nv] =
              s.edge[e].H[r + 3 * c];
  }
  for (int j = 0; j < t->problem.p; ++j) {
    t->G[(size_t)(6 * j) + (size_t)j * (size_t)nv] = 1.0;
    t->G[(size_t)(6 * j + 6) + (size_t)j * (size_t)nv] = -1.0;
  }
  scene_destroy(&s);
  world_finish(t);
}

/* y += A x or y += A^T x */
static void add_product(const double *A, int nrow, int ncolumn, bool transpose, const double *x,
                        double sign, double *y) {
  for (int j = 0; j < ncolumn; ++j)
    for (int i = 0; i < nrow; ++i) {
      double a = A[(size_t)i + (size_t)j * (size_t)nrow];
      if (transpose) y[j] += sign * a * x[i];
      else y[i] += sign * a * x[j];
    }
}

/* f, w and b from v, r, u and lambda. */
static void make_answer(world *t, const double *lambda) {
  const nsds_global_problem *q = &t->problem;
  memcpy(t->w, t->u, (size_t)q->n * sizeof(double));
  add_product(t->M, q->nv, q->nv, false, t->v, 1.0, t->f);
  add_product(t->H, q->nv, q->n, false, t->r, -1.0, t->f);
  add_product(t->G, q->nv, q->p, false, lambda, -1.0, t->f);
  add_product(t->H, q->nv, q->n, true, t->v, -1.0, t->w);
  add_product(t->G, q->nv, q->p, true, t->v, -1.0, t->b);
}

static void fill_random(double *A, int nrow, int column, int first, int size) {
  for (int i = first; i < first + size; ++i)
    A[(size_t)i + (size_t)column * (size_t)nrow] = random_number();
}

void world_at_random(world *t, int nbody, int nblock, int which, int p, int dependent) {
  sample_block samples[64];
  int first[65] = {0}, n = 0;
  for (int a = 0; a < nblock; ++a) {
    sample_block_create(&samples[a], which < 0 ? a % kind_count : which);
    n += samples[a].block.size;
  }
  for (int k = 0; k < nbody; ++k) first[k + 1] = first[k] + 1 + k % 6;
  int nv = first[nbody];
  world_start(t, which < 0 ? "all sets" : sample_block_name(which), nv, n, p, nblock);
  for (int k = 0; k < nbody; ++k) {
    double M[36];
    int size = first[k + 1] - first[k];
    sample_matrix(size, size, 1.0, 1.0, M);
    for (int j = 0; j < size; ++j)
      for (int i = 0; i < size; ++i)
        t->M[(size_t)(first[k] + i) + (size_t)(first[k] + j) * (size_t)nv] = M[i + j * size];
  }
  for (int a = 0, row = 0; a < nblock; ++a) {
    int one = (5 * a + 3) % nbody, other = (3 * a + 1) % nbody;
    t->sample[a] = samples[a];
    t->block[a] = samples[a].block;
    t->block[a].lower = t->sample[a].lower;
    t->block[a].upper = t->sample[a].upper;
    t->block[a].H = t->sample[a].H;
    t->block[a].K = t->sample[a].K;
    sample_relation(&t->block[a], a, t->r + row, t->u + row);
    for (int end = row + t->block[a].size; row < end; ++row) {
      fill_random(t->H, nv, row, first[one], first[one + 1] - first[one]);
      fill_random(t->H, nv, row, first[other], first[other + 1] - first[other]);
    }
  }
  double lambda[64] = {0};
  for (int j = 0; j < p; ++j) {
    int one = j % nbody, other = (j + 1) % nbody;
    lambda[j] = random_number();
    for (int i = 0; j >= p - dependent && i < nv; ++i)
      t->G[(size_t)i + (size_t)j * (size_t)nv] =
          2.0 * t->G[(size_t)i + (size_t)(j - 1) * (size_t)nv] - t->G[(size_t)i];
    if (j >= p - dependent) continue;
    fill_random(t->G, nv, j, first[one], first[one + 1] - first[one]);
    fill_random(t->G, nv, j, first[other], first[other + 1] - first[other]);
  }
  for (int k = 0; k < nv; ++k) t->v[k] = random_number();
  make_answer(t, lambda);
  world_finish(t);
}

void world_of_links(world *t, int links) {
  int nv = 3 * links;
  world_start(t, "links", nv, 4, 2 * (links - 1), 2);
  for (int k = 0; k < nv; ++k) {
    t->M[(size_t)k * ((size_t)nv + 1)] = k % 3 == 2 ? 1.0 / 12.0 : 1.0;
    if (k % 3 == 1) t->f[k] = -9.81e-2;
  }
  /* Joints: the right end (0.5) of one link moves as the left end of the next. */
  for (int k = 0; k + 1 < links; ++k) {
    double *x = t->G + (size_t)(2 * k) * (size_t)nv + 3 * k, *y = x + nv;
    x[0] = 1.0;
    x[3] = -1.0;
    y[1] = y[4] = 1.0;
    y[2] = y[5] = 0.5;
    y[4] = -1.0;
  }
  for (int end = 0; end < 2; ++end) {
    int body = end ? links - 1 : 0;
    double *normal = t->H + (size_t)(2 * end) * (size_t)nv + 3 * body, *slide = normal + nv;
    t->block[end] = (nsds_block){.set = NSDS_SET_COULOMB, .size = 2, .mu = 0.3};
    normal[1] = 1.0;
    normal[2] = end ? 0.5 : -0.5;
    slide[0] = 1.0;
    slide[2] = end ? 0.1 : -0.1;
  }
  t->f[0] = 0.05;
  world_finish(t);
}

void world_of_bar(world *t, int n, int every) {
  int contacts = n / every;
  world_start(t, "bar", 2 * n, 2 * contacts, 0, contacts);
  for (int k = 0; k < 2 * n; ++k) {
    double *column = t->M + (size_t)k * (size_t)(2 * n);
    column[k] = 3.0;
    if (k >= 2) column[k - 2] = -1.0;
    if (k + 2 < 2 * n) column[k + 2] = -1.0;
    t->f[k] = k % 2 ? -1.0 : 0.3 * sin(k);
  }
  for (int a = 0; a < contacts; ++a) {
    t->block[a] = (nsds_block){.set = NSDS_SET_COULOMB, .size = 2, .mu = 0.2 + 0.1 * (a % 3)};
    t->H[(size_t)(2 * every * a + 1) + (size_t)(2 * a) * (size_t)(2 * n)] = 1.0;
    t->H[(size_t)(2 * every * a) + (size_t)(2 * a + 1) * (size_t)(2 * n)] = 1.0;
  }
  world_finish(t);
}
