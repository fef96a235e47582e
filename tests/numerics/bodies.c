/*
 * Scenes: a ball on the ground, stacks and walls of boxes with four contacts to a face (more
 * contact forces than equations), a pile of balls in a box, a box pushed along the ground.
 */
#include "bodies.h"
#include "families.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *allocate(size_t count, size_t size) {
  void *memory = calloc(count ? count : 1, size);
  if (!memory) abort();
  return memory;
}

enum { most_bodies = 200, most_contacts = 1200 };

static void start(bodies *b, const char *name, int size) {
  memset(b, 0, sizeof *b);
  snprintf(b->name, sizeof b->name, "%s(%d)", name, size);
  b->mass = allocate(most_bodies, sizeof(double));
  b->inertia = allocate(most_bodies, sizeof(double));
  b->centre = allocate(3 * most_bodies, sizeof(double));
  b->velocity = allocate(6 * most_bodies, sizeof(double));
  b->pair = allocate(most_contacts, sizeof *b->pair);
  b->point = allocate(3 * most_contacts, sizeof(double));
  b->normal = allocate(3 * most_contacts, sizeof(double));
  b->mu = allocate(most_contacts, sizeof(double));
}

void bodies_destroy(bodies *b) {
  void *memory[] = {b->mass, b->inertia, b->centre, b->velocity,
                    b->pair, b->point,   b->normal, b->mu};
  for (size_t k = 0; k < sizeof memory / sizeof *memory; ++k) free(memory[k]);
}

static int add_body(bodies *b, double x, double y, double z, double mass) {
  int k = b->nbody++;
  b->mass[k] = mass;
  b->inertia[k] = 0.2 * mass;
  b->centre[3 * k] = x;
  b->centre[3 * k + 1] = y;
  b->centre[3 * k + 2] = z;
  b->velocity[6 * k + 2] = -9.81e-3;
  return k;
}

static void add_contact(bodies *b, int first, int second, const double *point, const double *normal,
                        double mu) {
  int k = b->ncontact++;
  double size = sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
  b->pair[k][0] = first;
  b->pair[k][1] = second;
  for (int i = 0; i < 3; ++i) {
    b->point[3 * k + i] = point[i];
    b->normal[3 * k + i] = normal[i] / size;
  }
  b->mu[k] = mu;
}

static const double up[3] = {0, 0, 1};

/* Four contacts in the corners of a face at height z around (x, y). */
static void add_face(bodies *b, int upper, int lower, double x, double y, double z, double wx,
                     double wy, double mu) {
  for (int k = 0; k < 4; ++k) {
    double point[3] = {x + (k & 1 ? wx : -wx), y + (k & 2 ? wy : -wy), z};
    add_contact(b, upper, lower, point, up, mu);
  }
}

static void ball(bodies *b, double vx) {
  start(b, "ball", (int)(10 * vx));
  int k = add_body(b, 0, 0, 0.5, 1);
  b->velocity[6 * k] = vx;
  double origin[3] = {0, 0, 0};
  add_contact(b, k, -1, origin, up, 0.3);
}

static void stack(bodies *b, int n, double mu, double push) {
  start(b, "stack of boxes", n);
  for (int k = 0; k < n; ++k) {
    add_body(b, 0.02 * random_number(), 0.02 * random_number(), 0.5 + k, 1.0 + 0.5 * (k % 3));
    add_face(b, k, k - 1, 0, 0, k, 0.45, 0.45, mu);
  }
  b->velocity[6 * (n - 1)] = push;
}

/* Bricks of width 2 over each other's joints, `wide` in a row. */
static void wall(bodies *b, int wide, int high, double mu, double push) {
  start(b, "wall", wide * high);
  int below = -1;
  for (int h = 0; h < high; ++h) {
    int first = b->nbody;
    for (int k = 0; k < wide; ++k) {
      double x = 2.0 * k + (h % 2);
      int brick = add_body(b, x, 0, 0.5 + h, 1);
      b->inertia[brick] = 0.4;
      if (h == 0) {
        add_face(b, brick, -1, x, 0, 0, 0.95, 0.45, mu);
        continue;
      }
      for (int side = -1; side <= 1; side += 2) {
        int other = k + (h % 2 ? (side + 1) / 2 : (side - 1) / 2);
        if (other < 0 || other >= wide) continue;
        add_face(b, brick, below + other, x + 0.5 * side, 0, h, 0.45, 0.45, mu);
      }
      if (k > 0) {
        double point[3] = {x - 1.0, 0, 0.5 + h}, normal[3] = {1, 0, 0};
        add_contact(b, brick, brick - 1, point, normal, mu);
      }
    }
    below = first;
  }
  b->velocity[6 * (b->nbody - 1)] = push;
}

static double distance(const double *a, const double *b) {
  return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) +
              (a[2] - b[2]) * (a[2] - b[2]));
}

/* Balls of diameter 1 in a shaken lattice, each touching what is near, thrown about. */
static void pile(bodies *b, int side, double mu, double speed) {
  start(b, "pile of balls", side);
  for (int x = 0; x < side; ++x)
    for (int y = 0; y < side; ++y)
      for (int z = 0; z < side; ++z) {
        int k = add_body(b, x + 0.05 * random_number(), y + 0.05 * random_number(),
                         z + 0.5 + 0.05 * random_number(), 1 + 0.9 * random_number());
        for (int i = 0; i < 6; ++i) b->velocity[6 * k + i] += speed * random_number();
        double point[3] = {b->centre[3 * k], b->centre[3 * k + 1], 0};
        if (z == 0) add_contact(b, k, -1, point, up, mu);
        for (int j = 0; j < k; ++j) {
          const double *c = b->centre + 3 * k, *d = b->centre + 3 * j;
          if (distance(c, d) > 1.02) continue;
          double normal[3], middle[3];
          for (int i = 0; i < 3; ++i) {
            normal[i] = c[i] - d[i];
            middle[i] = 0.5 * (c[i] + d[i]);
          }
          add_contact(b, k, j, middle, normal, mu);
        }
      }
}

/* Masses from 1 to 10^decades upwards, the heaviest on top. */
static void heavy_top(bodies *b, int n, double decades) {
  start(b, "heavy top", n);
  for (int k = 0; k < n; ++k) {
    add_body(b, 0, 0, 0.5 + k, pow(10.0, decades * k / (n - 1)));
    add_face(b, k, k - 1, 0, 0, k, 0.45, 0.45, 0.4);
  }
  b->velocity[6 * (n - 1)] = 1e-3;
}

bool bodies_create(bodies *b, int k) {
  random_seed((unsigned)k + 911);
  switch (k) {
  case 0: ball(b, 0.0); return true;
  case 1: ball(b, 1.0); return true;
  case 2: stack(b, 1, 0.3, 0.01); return true;
  case 3: stack(b, 2, 0.8, 0.0); return true;
  case 4: stack(b, 5, 0.5, 0.05); return true;
  case 5: stack(b, 10, 0.0, 0.01); return true;
  case 6: stack(b, 12, 1.2, 0.0); return true;
  case 7: wall(b, 3, 4, 0.5, 0.02); return true;
  case 8: wall(b, 6, 6, 0.3, 0.0); return true;
  case 9: wall(b, 6, 8, 0.7, 0.5); return true;
  case 10: pile(b, 2, 0.5, 0.1); return true;
  case 11: pile(b, 4, 0.3, 0.02); return true;
  case 12: pile(b, 5, 0.8, 0.0); return true;
  case 13: pile(b, 5, 1.5, 1.0); return true;
  case 14: heavy_top(b, 4, 2.0); return true;
  case 15: heavy_top(b, 6, 3.0); return true;
  default: return false;
  }
}

/* ---- the problem ---- */

static void cross(const double *a, const double *b, double *c) {
  c[0] = a[1] * b[2] - a[2] * b[1];
  c[1] = a[2] * b[0] - a[0] * b[2];
  c[2] = a[0] * b[1] - a[1] * b[0];
}

/* Rows normal, tangent, tangent. */
static void frame(const double *n, double *f) {
  double other[3] = {0, 0, 0};
  other[fabs(n[0]) < 0.6 ? 0 : 1] = 1.0;
  memcpy(f, n, 3 * sizeof *f);
  cross(n, other, f + 3);
  double size = sqrt(f[3] * f[3] + f[4] * f[4] + f[5] * f[5]);
  for (int i = 3; i < 6; ++i) f[i] /= size;
  cross(n, f + 3, f + 6);
}

/* H (3 x 6) and Y = W^-1 H^T (6 x 3) of one body at one contact. */
static void fill_edge(const bodies *b, int contact, int body, double sign, double *H, double *Y) {
  double f[9], arm[3], turn[3];
  frame(b->normal + 3 * contact, f);
  for (int i = 0; i < 3; ++i) arm[i] = b->point[3 * contact + i] - b->centre[3 * body + i];
  for (int r = 0; r < 3; ++r) {
    cross(arm, f + 3 * r, turn);
    for (int c = 0; c < 3; ++c) {
      H[r + 3 * c] = sign * f[3 * r + c];
      H[r + 3 * (c + 3)] = sign * turn[c];
      Y[c + 6 * r] = H[r + 3 * c] / b->mass[body];
      Y[c + 3 + 6 * r] = H[r + 3 * (c + 3)] / b->inertia[body];
    }
  }
}

void scene_create(scene *s, const bodies *b) {
  size_t nc = (size_t)b->ncontact;
  memset(s, 0, sizeof *s);
  s->block = allocate(nc, sizeof *s->block);
  s->row = allocate(nc + 1, sizeof(int));
  s->first_edge = allocate(nc + 1, sizeof(int));
  s->edge = allocate(2 * nc, sizeof *s->edge);
  s->values = allocate(72 * nc, sizeof(double));
  s->q = allocate(3 * nc, sizeof(double));
  s->speed = allocate(3 * nc, sizeof(double));
  int edges = 0;
  for (int a = 0; a < b->ncontact; ++a) {
    s->block[a] = (nsds_block){.set = NSDS_SET_COULOMB, .size = 3, .mu = b->mu[a]};
    for (int k = 0; k < 2; ++k) {
      int body = b->pair[a][k];
      if (body < 0) continue;
      double *H = s->values + 36 * (size_t)edges, *Y = H + 18;
      fill_edge(b, a, body, k == 0 ? 1.0 : -1.0, H, Y);
      s->edge[edges++] = (nsds_edge){.column = 6 * body, .size = 6, .H = H, .Y = Y};
      for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 6; ++c) {
          double term = H[r + 3 * c] * b->velocity[6 * body + c];
          s->q[3 * a + r] += term;
          s->speed[3 * a + r] += fabs(term);
        }
    }
    s->row[a + 1] = 3 * (a + 1);
    s->first_edge[a + 1] = edges;
  }
  s->factored = (nsds_factored){.nrow_block = b->ncontact,
                                .ncolumn = 6 * b->nbody,
                                .row = s->row,
                                .first_edge = s->first_edge,
                                .edge = s->edge};
  s->problem = (nsds_problem){.n = 3 * b->ncontact,
                              .nblock = b->ncontact,
                              .block = s->block,
                              .M = {.storage = NSDS_FACTORED,
                                    .n = 3 * b->ncontact,
                                    .factored = &s->factored,
                                    .symmetric = true},
                              .q = s->q,
                              .scale = s->speed};
}

void scene_destroy(scene *s) {
  void *memory[] = {s->block, s->row, s->first_edge, s->edge, s->values, s->q, s->speed};
  for (size_t k = 0; k < sizeof memory / sizeof *memory; ++k) free(memory[k]);
}

/* ---- storages ---- */

static void to_block_rows(converted *c, const nsds_problem *problem) {
  int nb = problem->nblock, n = problem->n;
  double *dense = allocate((size_t)n * (size_t)n, sizeof *dense);
  nsds_problem_to_dense(problem, dense);
  c->row = allocate((size_t)nb + 1, sizeof(int));
  c->first = allocate((size_t)nb + 1, sizeof(int));
  c->column = allocate((size_t)nb * (size_t)nb, sizeof(int));
  c->start = allocate((size_t)nb * (size_t)nb, sizeof(int));
  c->x = allocate((size_t)n * (size_t)n, sizeof(double));
  for (int a = 0; a < nb; ++a) c->row[a + 1] = c->row[a] + problem->block[a].size;
  int blocks = 0, count = 0;
  for (int a = 0; a < nb; ++a) {
    for (int b = 0; b < nb; ++b) {
      bool zero = true;
      int begin = count;
      for (int j = c->row[b]; j < c->row[b + 1]; ++j)
        for (int i = c->row[a]; i < c->row[a + 1]; ++i) {
          double x = dense[(size_t)i + (size_t)j * (size_t)n];
          zero = zero && x == 0.0;
          c->x[count++] = x;
        }
      if (zero) {
        count = begin;
        continue;
      }
      c->column[blocks] = b;
      c->start[blocks++] = begin;
    }
    c->first[a + 1] = blocks;
  }
  free(dense);
  c->rows = (nsds_block_rows){nb, c->row, c->first, c->column, c->start, c->x};
  c->problem.M.blocks = &c->rows;
}

static void to_csc(converted *c, const nsds_problem *problem) {
  int *work = allocate(nsds_problem_csc_work(problem), sizeof(int));
  c->p = allocate((size_t)problem->n + 1, sizeof(int));
  nsds_problem_to_csc(problem, c->p, NULL, NULL, work);
  c->i = allocate((size_t)c->p[problem->n], sizeof(int));
  c->x = allocate((size_t)c->p[problem->n], sizeof(double));
  nsds_problem_to_csc(problem, c->p, c->i, c->x, work);
  free(work);
  c->problem.M.p = c->p;
  c->problem.M.i = c->i;
  c->problem.M.x = c->x;
}

/* Half of the diagonal block of m rows, taken out of the columns Y. */
static double *split_diagonal(double *Y, int n, int row, int m) {
  double *D = allocate((size_t)(m * m), sizeof *D);
  for (int j = 0; j < m; ++j)
    for (int i = 0; i < m; ++i) {
      double *y = Y + (size_t)(row + i) + (size_t)j * (size_t)n;
      D[i + j * m] = 0.5 * *y;
      *y -= D[i + j * m];
    }
  return D;
}

/* M = I Y + D: one column group of all rows that every block meets; D in every second block. */
static void to_factored(converted *c, const nsds_problem *problem) {
  int nb = problem->nblock, n = problem->n;
  size_t rows = (size_t)n, count = 0;
  c->D = allocate((size_t)nb, sizeof *c->D);
  c->row = allocate((size_t)nb + 1, sizeof(int));
  c->first = allocate((size_t)nb + 1, sizeof(int));
  c->edge = allocate((size_t)nb, sizeof *c->edge);
  c->x = allocate(2 * rows * rows, sizeof(double));
  nsds_problem_to_dense(problem, c->x);
  double *H = c->x + rows * rows;
  for (int a = 0; a < nb; ++a) {
    int m = problem->block[a].size, row = c->row[a];
    for (int i = 0; i < m; ++i) H[count + (size_t)(i + (row + i) * m)] = 1.0;
    double *Y = c->x + rows * (size_t)row;
    if (a % 2 == 0) c->D[a] = split_diagonal(Y, n, row, m);
    c->edge[a] = (nsds_edge){.size = n, .H = H + count, .Y = Y};
    count += rows * (size_t)m;
    c->row[a + 1] = row + m;
    c->first[a + 1] = a + 1;
  }
  c->factored = (nsds_factored){.nrow_block = nb,
                                .ncolumn = n,
                                .row = c->row,
                                .first_edge = c->first,
                                .edge = c->edge,
                                .D = (const double *const *)c->D};
  c->problem.M.factored = &c->factored;
}

void converted_create(converted *c, const nsds_problem *problem, nsds_storage storage) {
  memset(c, 0, sizeof *c);
  c->problem = *problem;
  if (problem->M.storage == storage) return;
  c->problem.M = (nsds_matrix){.storage = storage,
                               .n = problem->n,
                               .symmetric = problem->M.symmetric,
                               .stamp = problem->M.stamp};
  if (storage == NSDS_BLOCK_ROWS) to_block_rows(c, problem);
  if (storage == NSDS_CSC) to_csc(c, problem);
  if (storage == NSDS_FACTORED) to_factored(c, problem);
  if (storage == NSDS_DENSE) {
    c->x = allocate((size_t)problem->n * (size_t)problem->n, sizeof(double));
    nsds_problem_to_dense(problem, c->x);
    c->problem.M.x = c->x;
  }
}

void converted_destroy(converted *c) {
  for (int a = 0; c->D && a < c->problem.nblock; ++a) free(c->D[a]);
  free(c->D);
  void *memory[] = {c->x, c->p, c->i, c->row, c->first, c->column, c->start, c->edge};
  for (size_t k = 0; k < sizeof memory / sizeof *memory; ++k) free(memory[k]);
}
