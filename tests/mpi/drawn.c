#include "drawn.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

double draw(uint64_t *seed) {
  *seed += 0x9E3779B97F4A7C15ull;
  uint64_t x = *seed;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ull;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBull;
  return (double)((x ^ (x >> 31)) >> 11) * 0x1p-53;
}

static double between(uint64_t *seed, double a, double b) { return a + (b - a) * draw(seed); }

static double *numbers(size_t n) { return calloc(n + 1, sizeof(double)); }

static int *indices(size_t n) { return calloc(n + 1, sizeof(int)); }

enum { columns = 6, most_rows = 3 };

/* ---- friction ---- */

static nsds_block draw_block(uint64_t *seed, double *lower, double *upper) {
  double kind = draw(seed);
  lower[0] = -between(seed, 0.1, 1.0), upper[0] = between(seed, 0.1, 1.0);
  if (kind < 0.6) return (nsds_block){.set = NSDS_SET_COULOMB, .size = 3, .mu = draw(seed)};
  if (kind < 0.7) return (nsds_block){.set = NSDS_SET_COULOMB, .size = 2, .mu = draw(seed)};
  if (kind < 0.85) return (nsds_block){.set = NSDS_SET_NONNEGATIVE, .size = 1};
  if (kind < 0.93) return (nsds_block){.set = NSDS_SET_EQUALITY, .size = 1};
  return (nsds_block){.set = NSDS_SET_BOX, .size = 1, .lower = lower, .upper = upper};
}

/* Adds the edge of a block to a body. */
static void draw_edge(drawn *d, uint64_t *seed, int k, int m, int body) {
  double *H = d->H + (size_t)k * most_rows * columns;
  for (int at = 0; at < m * columns; ++at) H[at] = between(seed, -1.0, 1.0);
  d->edge[k] = (nsds_edge){.column = body * columns, .size = columns, .H = H};
}

/* q = p - H v with p in the dual cone makes v a velocity that meets all laws without reactions. */
static void draw_q(drawn *d, uint64_t *seed, int a, const double *v) {
  const nsds_block *b = &d->block[a];
  double *q = d->q + d->row[a], slip = 0.0;
  for (int i = 0; i < b->size; ++i) {
    q[i] = b->set == NSDS_SET_EQUALITY ? 0.0 : between(seed, -0.3, 0.3);
    if (i > 0) slip = hypot(slip, q[i]);
  }
  if (b->set == NSDS_SET_COULOMB) q[0] = b->mu * slip + 0.1 * draw(seed);
  if (b->set == NSDS_SET_NONNEGATIVE) q[0] = fabs(q[0]);
  for (int k = d->first_edge[a]; k < d->first_edge[a + 1]; ++k)
    for (int c = 0; c < columns; ++c)
      for (int i = 0; i < b->size; ++i)
        q[i] -= d->edge[k].H[i + c * b->size] * v[d->edge[k].column + c];
}

void draw_friction(drawn *d, uint64_t seed, int bodies, int size) {
  int blocks = bodies + bodies / 3, rows = most_rows * blocks, ncolumn = columns * bodies;
  bool runs = draw(&seed) < 0.5;
  *d = (drawn){.block = calloc((size_t)blocks, sizeof *d->block),
               .edge = calloc(2 * (size_t)blocks, sizeof *d->edge),
               .row = indices((size_t)blocks + 1),
               .first_edge = indices((size_t)blocks + 1),
               .owner = indices((size_t)blocks),
               .H = numbers((size_t)rows * columns * 2),
               .gain = numbers((size_t)ncolumn),
               .q = numbers((size_t)rows),
               .lower = numbers((size_t)blocks),
               .upper = numbers((size_t)blocks),
               .z = numbers((size_t)rows),
               .D = numbers(9 * (size_t)blocks),
               .at = calloc((size_t)blocks, sizeof *d->at)};
  double *v = numbers((size_t)ncolumn);
  for (int c = 0; c < ncolumn; ++c) {
    d->gain[c] = between(&seed, 0.2, 2.0);
    v[c] = between(&seed, -1.0, 1.0);
  }
  for (int a = 0; a < blocks; ++a) {
    int one = a < bodies ? a : (int)(draw(&seed) * bodies), k = d->first_edge[a];
    int other = a < bodies ? a + 1 : (int)(draw(&seed) * bodies);
    d->block[a] = draw_block(&seed, &d->lower[a], &d->upper[a]);
    int m = d->block[a].size;
    d->row[a + 1] = d->row[a] + m;
    draw_edge(d, &seed, k++, m, one);
    if (other < bodies && other != one) draw_edge(d, &seed, k++, m, other);
    d->first_edge[a + 1] = k;
    if (draw(&seed) < 0.3) {
      d->at[a] = d->D + 9 * a;
      for (int i = 0; i < m; ++i) d->D[9 * a + i * (m + 1)] = draw(&seed);
    }
    draw_q(d, &seed, a, v);
    d->owner[a] = runs ? a * size / blocks : (int)(draw(&seed) * size);
  }
  free(v);
  d->factored = (nsds_factored){.nrow_block = blocks,
                                .ncolumn = ncolumn,
                                .row = d->row,
                                .first_edge = d->first_edge,
                                .edge = d->edge,
                                .D = d->at,
                                .gain = d->gain};
  int n = d->row[blocks];
  d->problem = (nsds_problem){
      .n = n,
      .nblock = blocks,
      .block = d->block,
      .q = d->q,
      .M = {.storage = NSDS_FACTORED, .n = n, .factored = &d->factored, .symmetric = true}};
}

/* ---- piles ---- */

enum { pile_contacts = 13 }; /* of a sphere with others and the floor, counted once */

/* Puts spheres of radius 0.45 to 0.55 on a lattice, at random distances from its points. */
static void place_spheres(uint64_t *seed, int bodies, int wide, double *x, double *radius) {
  for (int b = 0; b < bodies; ++b) {
    double *at = x + 3 * (size_t)b;
    int layer = b / (wide * wide), i = b / wide % wide, j = b % wide;
    at[0] = i + 0.5 * (layer % 2) + between(seed, -0.1, 0.1);
    at[1] = j + 0.5 * (layer % 2) + between(seed, -0.1, 0.1);
    at[2] = 0.75 * layer + 0.5 + between(seed, -0.1, 0.1);
    radius[b] = between(seed, 0.45, 0.55);
  }
}

/* Writes H of a sphere that touches along the normal n: sign times n and two tangents, and the torques. */
static void draw_touch(double *H, double sign, double radius, const double n[3]) {
  double t[3][3] = {{n[0], n[1], n[2]}}, size;
  int least = fabs(n[0]) < 0.6 ? 0 : 1;
  for (int i = 0; i < 3; ++i) t[1][i] = (i == least) - n[least] * n[i];
  size = hypot(hypot(t[1][0], t[1][1]), t[1][2]);
  for (int i = 0; i < 3; ++i) t[1][i] /= size;
  for (int i = 0; i < 3; ++i)
    t[2][i] = n[(i + 1) % 3] * t[1][(i + 2) % 3] - n[(i + 2) % 3] * t[1][(i + 1) % 3];
  for (int r = 0; r < most_rows; ++r)
    for (int c = 0; c < 3; ++c) {
      int a = (c + 1) % 3, b = (c + 2) % 3;
      H[r + c * most_rows] = sign * t[r][c];
      H[r + (c + 3) * most_rows] = -radius * (n[a] * t[r][b] - n[b] * t[r][a]);
    }
}

/* Adds a contact of sphere `one` with `other`, or the floor (-1). */
static void draw_contact(drawn *d, double mu, int one, int other, const double *radius,
                         const double n[3]) {
  int a = d->factored.nrow_block++, k = d->first_edge[a];
  d->block[a] = (nsds_block){.set = NSDS_SET_COULOMB, .size = most_rows, .mu = mu};
  d->row[a + 1] = d->row[a] + most_rows;
  for (int e = 0; e < (other < 0 ? 1 : 2); ++e, ++k) {
    int body = e == 0 ? one : other;
    double *H = d->H + (size_t)k * most_rows * columns;
    draw_touch(H, e == 0 ? 1.0 : -1.0, radius[body], n);
    d->edge[k] = (nsds_edge){.column = body * columns, .size = columns, .H = H};
  }
  d->first_edge[a + 1] = k;
}

static void find_pile_contacts(drawn *d, double mu, int bodies, const double *x,
                               const double *radius) {
  for (int b = 0; b < bodies; ++b) {
    const double *at = x + 3 * (size_t)b, up[3] = {0.0, 0.0, 1.0};
    if (at[2] < radius[b] + 0.05) draw_contact(d, mu, b, -1, radius, up);
    for (int o = 0; o < b; ++o) {
      double n[3], size = 0.0;
      for (int i = 0; i < 3; ++i) size = hypot(size, n[i] = at[i] - x[3 * (size_t)o + i]);
      if (size > radius[b] + radius[o] + 0.02) continue;
      for (int i = 0; i < 3; ++i) n[i] /= size;
      draw_contact(d, mu, b, o, radius, n);
    }
  }
}

void draw_pile(drawn *d, uint64_t seed, int wide, int layers, int size) {
  int bodies = wide * wide * layers;
  size_t blocks = pile_contacts * (size_t)bodies, rows = most_rows * blocks;
  double *x = numbers(3 * (size_t)bodies), *radius = numbers((size_t)bodies);
  double *v = numbers(columns * (size_t)bodies), mu = between(&seed, 0.2, 0.8);
  *d = (drawn){.block = calloc(blocks, sizeof *d->block),
               .edge = calloc(2 * blocks, sizeof *d->edge),
               .row = indices(blocks + 1),
               .first_edge = indices(blocks + 1),
               .owner = indices(blocks),
               .H = numbers(2 * rows * columns),
               .gain = numbers(columns * (size_t)bodies),
               .q = numbers(rows),
               .z = numbers(rows),
               .at = calloc(blocks, sizeof *d->at)};
  place_spheres(&seed, bodies, wide, x, radius);
  find_pile_contacts(d, mu, bodies, x, radius);
  for (int c = 0; c < columns * bodies; ++c) {
    double r = radius[c / columns], mass = 8.0 * r * r * r;
    d->gain[c] = c % columns < 3 ? 1.0 / mass : 2.5 / (mass * r * r);
    v[c] = (c % columns == 2 ? -1.0 : 0.0) + between(&seed, -0.3, 0.3);
  }
  int n = d->row[d->factored.nrow_block];
  for (int a = 0; a < d->factored.nrow_block; ++a) {
    for (int k = d->first_edge[a]; k < d->first_edge[a + 1]; ++k)
      for (int c = 0; c < columns; ++c)
        for (int i = 0; i < most_rows; ++i)
          d->q[d->row[a] + i] += d->edge[k].H[i + c * most_rows] * v[d->edge[k].column + c];
    d->owner[a] = (int)((long long)a * size / d->factored.nrow_block);
  }
  d->factored.ncolumn = columns * bodies;
  d->factored.row = d->row, d->factored.first_edge = d->first_edge, d->factored.edge = d->edge;
  d->factored.D = d->at, d->factored.gain = d->gain;
  d->problem = (nsds_problem){
      .n = n,
      .nblock = d->factored.nrow_block,
      .block = d->block,
      .q = d->q,
      .M = {.storage = NSDS_FACTORED, .n = n, .factored = &d->factored, .symmetric = true}};
  free(x), free(radius), free(v);
}

/* ---- matrices ---- */

static void open_matrix(drawn *d, int n, int entries) {
  size_t rows = (size_t)n;
  *d = (drawn){.block = calloc(rows + 1, sizeof *d->block),
               .p = indices(rows + 1),
               .i = indices((size_t)entries),
               .owner = indices(rows),
               .q = numbers(rows),
               .lower = numbers(rows),
               .upper = numbers(rows),
               .x = numbers((size_t)entries),
               .z = numbers(rows)};
}

static void close_matrix(drawn *d, int n) {
  d->problem = (nsds_problem){
      .n = n,
      .nblock = n,
      .block = d->block,
      .q = d->q,
      .M = {.storage = NSDS_CSC, .n = n, .p = d->p, .i = d->i, .x = d->x, .symmetric = true}};
}

void draw_membrane(drawn *d, uint64_t seed, int edge, double thin, int size) {
  int n = edge * edge, count = 0;
  open_matrix(d, n, 5 * n);
  for (int j = 0; j < n; ++j) {
    const int step[5] = {-edge, -1, 0, 1, edge};
    const double entry[5] = {-1.0, -thin, 2.0 + 2.0 * thin, -thin, -1.0};
    double h = 4.0 / (edge + 1), x = h * (j % edge + 1) - 2.0, y = h * (double)(j / edge + 1) - 2.0;
    for (int k = 0; k < 5; ++k) {
      int i = j + step[k];
      if (i < 0 || i >= n || ((k == 1 || k == 3) && i / edge != j / edge)) continue;
      d->i[count] = i;
      d->x[count++] = entry[k];
    }
    d->p[j + 1] = count;
    d->lower[j] = 1.0 - 0.5 * (x * x + y * y);
    d->upper[j] = INFINITY;
    d->block[j] =
        (nsds_block){.set = NSDS_SET_BOX, .size = 1, .lower = &d->lower[j], .upper = &d->upper[j]};
    d->owner[j] = (int)((long long)j * size / n);
  }
  (void)seed;
  close_matrix(d, n);
}

void draw_graph(drawn *d, uint64_t seed, int n, int size) {
  double *dense = numbers((size_t)n * (size_t)n);
  int count = 0, empty = (int)(draw(&seed) * (size + 1)); /* this process has no row */
  for (int j = 0; j < n; ++j) {
    dense[j + j * n] += between(&seed, 1e-3, 0.1);
    for (int k = 0; k < 3; ++k) {
      int i = (int)(draw(&seed) * n);
      double x = between(&seed, 0.1, 2.0);
      if (i == j) continue;
      dense[i + j * n] -= x, dense[j + i * n] -= x;
      dense[i + i * n] += x, dense[j + j * n] += x;
    }
  }
  open_matrix(d, n, n * n);
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < n; ++i)
      if (dense[i + j * n] != 0.0) {
        d->i[count] = i;
        d->x[count++] = dense[i + j * n];
      }
    d->p[j + 1] = count;
    d->q[j] = draw(&seed) < 0.3 ? 0.0 : between(&seed, -1.0, 1.0);
    d->lower[j] = draw(&seed) < 0.2 ? -INFINITY : -draw(&seed);
    d->upper[j] = draw(&seed) < 0.2 ? INFINITY : draw(&seed);
    double kind = draw(&seed);
    d->block[j] =
        kind < 0.1 ? (nsds_block){.set = NSDS_SET_EQUALITY, .size = 1}
        : kind < 0.3
            ? (nsds_block){.set = NSDS_SET_NONNEGATIVE, .size = 1}
            : (nsds_block){
                  .set = NSDS_SET_BOX, .size = 1, .lower = &d->lower[j], .upper = &d->upper[j]};
    d->owner[j] = (int)((long long)j * size / n);
    if (d->owner[j] == empty && size > 1) d->owner[j] = empty + 1 < size ? empty + 1 : empty - 1;
  }
  free(dense);
  close_matrix(d, n);
}

void drawn_free(drawn *d) {
  free(d->block), free(d->edge), free(d->row), free(d->first_edge), free(d->p), free(d->i);
  free(d->owner), free(d->H), free(d->gain), free(d->q), free(d->lower), free(d->upper);
  free(d->x), free(d->z), free(d->D), free(d->at);
}

/* ---- parts ---- */

static void cut_factored(drawn_part *t, const drawn *d) {
  const nsds_factored *f = &d->factored;
  int *local = malloc(((size_t)f->ncolumn + 1) * sizeof *local), ncolumn = 0, nb = 0, edges = 0;
  for (int c = 0; c < f->ncolumn; ++c) local[c] = -1;
  t->edge = calloc((size_t)f->first_edge[f->nrow_block] + 1, sizeof *t->edge);
  t->gain = numbers((size_t)f->ncolumn);
  t->number = calloc((size_t)f->ncolumn + 1, sizeof *t->number);
  t->row = indices((size_t)f->nrow_block + 1);
  t->first_edge = indices((size_t)f->nrow_block + 1);
  t->at = calloc((size_t)f->nrow_block + 1, sizeof *t->at);
  for (int a = 0; a < f->nrow_block; ++a) {
    if (t->from[f->row[a]] < 0) continue;
    for (int k = f->first_edge[a]; k < f->first_edge[a + 1]; ++k) {
      nsds_edge e = f->edge[k];
      for (int c = 0; c < e.size && local[e.column] < 0; ++c) {
        t->gain[ncolumn + c] = f->gain[e.column + c];
        t->number[ncolumn + c] = e.column + c;
        if (c < e.size - 1) continue;
        local[e.column] = ncolumn;
        ncolumn += e.size;
      }
      e.column = local[e.column];
      t->edge[edges++] = e;
    }
    t->at[nb] = f->D[a];
    t->row[nb + 1] = t->row[nb] + d->block[a].size;
    t->first_edge[++nb] = edges;
  }
  free(local);
  t->factored = (nsds_factored){.nrow_block = nb,
                                .ncolumn = ncolumn,
                                .row = t->row,
                                .first_edge = t->first_edge,
                                .edge = t->edge,
                                .D = t->at,
                                .gain = t->gain};
}

static void cut_columns(drawn_part *t, const drawn *d) {
  int n = 0, count = 0;
  size_t entries = (size_t)d->p[d->problem.n];
  t->p = indices((size_t)d->problem.n + 1);
  t->x = numbers(entries);
  t->number = calloc(entries + 1, sizeof *t->number);
  for (int j = 0; j < d->problem.n; ++j) {
    if (t->from[j] < 0) continue;
    for (int k = d->p[j]; k < d->p[j + 1]; ++k) {
      t->number[count] = d->i[k];
      t->x[count++] = d->x[k];
    }
    t->p[++n] = count;
  }
}

void drawn_cut(drawn_part *t, const drawn *d, int rank) {
  const nsds_problem *p = &d->problem;
  size_t rows = (size_t)p->n, blocks = (size_t)p->nblock;
  *t = (drawn_part){.block = calloc(blocks + 1, sizeof *t->block),
                    .q = numbers(rows),
                    .z = numbers(rows),
                    .w = numbers(rows),
                    .from = indices(rows),
                    .id = calloc(blocks + 1, sizeof *t->id)};
  int n = 0, nb = 0;
  for (int a = 0, row = 0; a < p->nblock; row += p->block[a++].size)
    for (int i = 0; i < p->block[a].size; ++i) t->from[row + i] = d->owner[a] == rank ? 0 : -1;
  if (p->M.storage == NSDS_FACTORED) cut_factored(t, d);
  else cut_columns(t, d);
  for (int a = 0, row = 0; a < p->nblock; row += p->block[a++].size) {
    if (d->owner[a] != rank) continue;
    t->id[nb] = 1000 + 7 * (long long)a;
    t->block[nb++] = p->block[a];
    for (int i = 0; i < p->block[a].size; ++i, ++n) {
      t->q[n] = p->q[row + i];
      t->from[n] = row + i; /* rows before n have been read */
    }
  }
  t->problem = (nsds_problem){.n = n, .nblock = nb, .block = t->block, .q = t->q, .M = p->M};
  t->problem.M.n = n;
  t->problem.M.p = t->p, t->problem.M.x = t->x, t->problem.M.i = NULL;
  t->problem.M.factored = &t->factored;
  t->part = (nsds_mpi_part){.problem = &t->problem, .number = t->number, .block = t->id};
}

void drawn_part_free(drawn_part *t) {
  free(t->block), free(t->edge), free(t->row), free(t->first_edge), free(t->p), free(t->from);
  free(t->gain), free(t->q), free(t->x), free(t->z), free(t->w), free(t->at), free(t->number);
  free(t->id);
}

void drawn_scatter(const drawn_part *t, const double *whole, double *z) {
  for (int i = 0; i < t->problem.n; ++i) z[i] = whole[t->from[i]];
}

void drawn_gather(const drawn_part *t, const double *z, int n, double *whole) {
  memset(whole, 0, (size_t)n * sizeof *whole);
  for (int i = 0; i < t->problem.n; ++i) whole[t->from[i]] = z[i];
}
