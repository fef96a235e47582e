/*
 * A pyramid of spheres in one step, on many processes. The lowest of LAYERS layers has LAYERS x LAYERS spheres and is
 * fixed; every other sphere rests on four below. The unknowns are the impulses of all contacts with friction,
 *
 *     w = H M^-1 H^T z + H (v - h g),    one Coulomb block for each contact.
 *
 * Each process owns the contacts in a slab of the pyramid, and knows the spheres that they meet. The program prints
 * how the problem was solved, and the force on the fixed layer beside the weight.
 *
 *     mpirun -n 2 pyramid_mpi [LAYERS]
 */
#include <nsds/mpi.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { columns = 6, rows = 3, most_contacts = 4 };
static const double h = 1e-3, gravity = 9.81, friction = 0.3;

typedef struct pyramid {
  int layers, rank, size;
  int nblock, nedge, ncolumn;
  int *local; /* number of a sphere on this process, -1: not here */
  nsds_block *block;
  nsds_edge *edge;
  int *row, *first_edge;
  double *H, *gain, *q, *z, *w;
  long long *number, *id;
} pyramid;

/* Number of the first sphere of a layer. */
static int first_of(int layers, int layer) {
  int first = 0;
  for (int k = 0; k < layer; ++k) first += (layers - k) * (layers - k);
  return first;
}

static int sphere_at(int layers, int layer, int i, int j) {
  return first_of(layers, layer) + i * (layers - layer) + j;
}

/* The process of the contacts under a sphere: slabs across i, with about equal numbers of spheres. */
static int owner_of(const pyramid *p, int layer, int i) {
  double place = (i + 0.5 * layer + 0.5) / p->layers, side = fmin(place, 1.0 - place);
  double part = 4.0 * side * side * side; /* of the volume up to there */
  if (place > 0.5) part = 1.0 - part;
  int rank = (int)(part * p->size);
  return rank < p->size ? rank : p->size - 1;
}

/* Adds a sphere to the contact: H v is the velocity at its surface, `sign` times, along n and two tangents. The
 * lever goes from the center against `sign` times n. Mass and radius are 1, the inertia is 2/5. */
static void add_sphere(pyramid *p, int sphere, double sign, double t[rows][rows]) {
  double *H = p->H + (size_t)p->nedge * rows * columns;
  if (p->local[sphere] < 0) {
    p->local[sphere] = p->ncolumn;
    for (int c = 0; c < columns; ++c, ++p->ncolumn) {
      p->number[p->ncolumn] = (long long)sphere * columns + c;
      p->gain[p->ncolumn] = c < 3 ? 1.0 : 2.5;
    }
  }
  for (int i = 0; i < rows; ++i) {
    double lever[3] = {-sign * t[0][0], -sign * t[0][1], -sign * t[0][2]};
    const double *d = t[i];
    double turn[3] = {lever[1] * d[2] - lever[2] * d[1], lever[2] * d[0] - lever[0] * d[2],
                      lever[0] * d[1] - lever[1] * d[0]};
    for (int c = 0; c < 3; ++c) {
      H[i + c * rows] = sign * d[c];
      H[i + (c + 3) * rows] = sign * turn[c];
    }
  }
  p->edge[p->nedge++] = (nsds_edge){.column = p->local[sphere], .size = columns, .H = H};
}

/* Adds the contact of a sphere with one below, which is fixed if that is -1. */
static void add_contact(pyramid *p, int sphere, int below, const double n[3], int which) {
  double x = n[2], y = -n[0], size = hypot(x, y); /* across n, in the plane of x and z */
  double t[rows][rows] = {{n[0], n[1], n[2]}, {x / size, 0.0, y / size}, {0.0}};
  t[2][0] = n[1] * t[1][2] - n[2] * t[1][1];
  t[2][1] = n[2] * t[1][0] - n[0] * t[1][2];
  t[2][2] = n[0] * t[1][1] - n[1] * t[1][0];
  int a = p->nblock++;
  p->block[a] = (nsds_block){.set = NSDS_SET_COULOMB, .size = rows, .mu = friction};
  p->id[a] = (long long)sphere * most_contacts + which;
  add_sphere(p, sphere, 1.0, t);
  if (below >= 0) add_sphere(p, below, -1.0, t);
  p->row[a + 1] = p->row[a] + rows;
  p->first_edge[a + 1] = p->nedge;
  /* Both spheres fall alike: only fixed ones are approached. */
  for (int i = 0; i < rows; ++i) p->q[p->row[a] + i] = below >= 0 ? 0.0 : -h * gravity * t[i][2];
}

static void add_contacts(pyramid *p, int layer, int i, int j) {
  int sphere = sphere_at(p->layers, layer, i, j);
  for (int k = 0; k < most_contacts; ++k) {
    int di = k / 2, dj = k % 2;
    const double n[3] = {0.5 - di, 0.5 - dj, sqrt(0.5)};
    int below = layer > 1 ? sphere_at(p->layers, layer - 1, i + di, j + dj) : -1;
    add_contact(p, sphere, below, n, k);
  }
}

/* Calls `add` for each sphere whose contacts are here; returns how many contacts these are. */
static int visit(pyramid *p, bool add) {
  int count = 0;
  for (int layer = 1; layer < p->layers; ++layer)
    for (int i = 0; i < p->layers - layer; ++i) {
      if (owner_of(p, layer, i) != p->rank) continue;
      count += (p->layers - layer) * most_contacts;
      for (int j = 0; add && j < p->layers - layer; ++j) add_contacts(p, layer, i, j);
    }
  return count;
}

/* Returns false if memory is out. */
static bool pyramid_create(pyramid *p, int layers, int rank, int size) {
  *p = (pyramid){.layers = layers, .rank = rank, .size = size};
  int spheres = first_of(layers, layers);
  size_t n = (size_t)visit(p, false) + 1;
  p->local = malloc((size_t)spheres * sizeof *p->local);
  p->block = calloc(n, sizeof *p->block), p->edge = calloc(2 * n, sizeof *p->edge);
  p->row = calloc(n, sizeof *p->row), p->first_edge = calloc(n, sizeof *p->first_edge);
  p->H = calloc(2 * n * rows * columns, sizeof *p->H);
  p->gain = calloc(2 * n * columns, sizeof *p->gain);
  p->number = calloc(2 * n * columns, sizeof *p->number), p->id = calloc(n, sizeof *p->id);
  p->q = calloc(n * rows, sizeof *p->q), p->z = calloc(n * rows, sizeof *p->z);
  p->w = calloc(n * rows, sizeof *p->w);
  if (!p->local || !p->block || !p->edge || !p->row || !p->first_edge || !p->H || !p->gain ||
      !p->number || !p->id || !p->q || !p->z || !p->w)
    return false;
  for (int k = 0; k < spheres; ++k) p->local[k] = -1;
  visit(p, true);
  return true;
}

static void pyramid_destroy(pyramid *p) {
  free(p->local), free(p->block), free(p->edge), free(p->row), free(p->first_edge), free(p->H);
  free(p->gain), free(p->number), free(p->id), free(p->q), free(p->z), free(p->w);
}

static nsds_status solve(nsds_mpi *mpi, pyramid *p, nsds_mpi_info *info) {
  nsds_factored M = {.nrow_block = p->nblock,
                     .ncolumn = p->ncolumn,
                     .row = p->row,
                     .first_edge = p->first_edge,
                     .edge = p->edge,
                     .gain = p->gain};
  int n = p->row[p->nblock];
  nsds_problem problem = {.n = n,
                          .nblock = p->nblock,
                          .block = p->block,
                          .q = p->q,
                          .M = {.storage = NSDS_FACTORED, .n = n, .factored = &M}};
  nsds_mpi_part part = {.problem = &problem, .number = p->number, .block = p->id};
  nsds_mpi_options options = {.reproducible = true};
  return nsds_mpi_solve(mpi, &part, &options, p->z, p->w, info);
}

/* Prints the report of the first process, and the force on fixed spheres that each process knows. */
static void report(const pyramid *p, const nsds_mpi_info *info) {
  double force = 0.0;
  int spheres = first_of(p->layers, p->layers) - p->layers * p->layers;
  for (int a = 0; a < p->nblock; ++a) {
    const nsds_edge *e = &p->edge[p->first_edge[a]];
    for (int i = 0; p->first_edge[a + 1] - p->first_edge[a] == 1 && i < rows; ++i)
      force += e->H[i + 2 * rows] * p->z[p->row[a] + i] / h; /* column 2: along z */
  }
  if (p->rank == 0)
    printf("%s in %d sweeps, residual %.1e, %d colors, %lld exchanges, %lld messages, %lld bytes, "
           "%lld reductions\n",
           nsds_outcome_text(info->outcome), info->iterations, info->residual, info->colors,
           info->exchanges, info->messages, info->bytes, info->reductions);
  printf("process %d: %d contacts, %d spheres, %.9f of the weight\n", p->rank, p->nblock,
         p->ncolumn / columns, force / (gravity * spheres));
}

int main(int argc, char **argv) {
  int layers = argc > 1 ? atoi(argv[1]) : 10;
  nsds_context *context = nsds_context_create(NULL);
  nsds_mpi *mpi = nsds_mpi_create(context, NULL);
  pyramid p = {0};
  nsds_mpi_info info;
  if (!mpi || layers < 2 || layers > 500) {
    fprintf(stderr, "usage: pyramid_mpi [LAYERS], from 2 to 500; %s\n",
            nsds_error_message(context));
    return 1;
  }
  bool made = pyramid_create(&p, layers, nsds_mpi_rank(mpi), nsds_mpi_size(mpi));
  nsds_status status = nsds_mpi_agree(mpi, made ? NSDS_OK : NSDS_ERROR_MEMORY);
  if (!status) status = solve(mpi, &p, &info);
  if (!status || status == NSDS_ERROR_SOLVER) report(&p, &info);
  else fprintf(stderr, "rank %d: %s\n", p.rank, nsds_error_message(context));
  pyramid_destroy(&p);
  nsds_mpi_destroy(mpi);
  nsds_context_destroy(context);
  return status ? 1 : 0;
}
