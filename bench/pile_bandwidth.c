/*
 * The cost of a sweep over contacts with friction by their number, and what of it is memory: a
 * cubic lattice of balls that turn, each thrown a little, on a floor, swept so many times without
 * certificate or acceleration, beside a triad a = b + s c over as many bytes as the sweep has to
 * read and write (McCalpin: Memory bandwidth and machine balance, 1995).
 *
 *   pile_bandwidth CONTACTS [MOMENTUM]
 *
 * prints contacts, bytes per contact and sweep, ns per contact and sweep, both bandwidths in GB/s
 * and the states of the contacts at the end in per cent. Times are those of the processor, the
 * least of several turns; the one of a sweep is the difference between two solves, one of them
 * longer.
 */
#include "bench.h"

#include <math.h>
#include <nsds/nsds.h>
#include <string.h>

enum { turns = 7, fewer = 81, more = 158 }; /* sweeps: between them nothing is certified */

/* What a sweep reads and writes of a contact where four are packed together (nsgs_wide.c): its part
 * of the pack, z twice, q and a scale. */
static const double bytes_of_contact = 360 + 3 * 24 + 8;

static const double radius = 0.5, inertia = 0.1;

typedef struct lattice {
  nsds_problem problem;
  nsds_factored factored;
  nsds_block *block;
  int *row, *first_edge;
  nsds_edge *edge;
  double *values, *q, *free, *turn; /* 36 values to an edge; free velocities; rotations */
  int ncontact, nedge;
} lattice;

/* Seconds of the processor, whatever else runs. */
static double used(void) { return (double)clock() / CLOCKS_PER_SEC; }

static uint64_t state = UINT64_C(0x9E3779B97F4A7C15);

static double random_number(void) { /* in [-1, 1) */
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return ldexp((double)(state >> 11), -52) - 1.0;
}

static void *allocate(size_t count, size_t size) {
  void *memory = calloc(count, size);
  if (memory) return memory;
  fprintf(stderr, "out of memory\n");
  exit(1);
}

static void cross(const double *a, const double *b, double *c) {
  for (int i = 0; i < 3; ++i)
    c[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

static void normalise(double *x) {
  double length = sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
  for (int i = 0; i < 3; ++i) x[i] /= length;
}

static void axes(const double *x, double *y, double *z) {
  const double other[3] = {fabs(x[0]) < 0.5, fabs(x[0]) >= 0.5, 0.0};
  cross(x, other, y);
  normalise(y);
  cross(x, y, z);
}

static void random_axes(double *R) {
  for (int i = 0; i < 3; ++i) R[i] = random_number();
  normalise(R);
  axes(R, R + 3, R + 6);
}

/* Edge of body k and the directions d of the contact at radius r n from its centre: rows
 * +-(d, R^T (r n x d)). */
static void add_edge(lattice *l, int k, const double *d, double sign, double r) {
  double *H = l->values + 36 * (size_t)l->nedge, *Y = H + 18, arm[3], lever[3];
  const double *R = l->turn + 9 * (size_t)k;
  for (int i = 0; i < 3; ++i) arm[i] = r * d[i];
  for (int a = 0; a < 3; ++a) {
    cross(arm, d + 3 * a, lever);
    for (int c = 0; c < 3; ++c) {
      const double *axis = R + 3 * c;
      H[a + 3 * c] = Y[c + 6 * a] = sign * d[3 * a + c];
      H[a + 9 + 3 * c] = sign * (axis[0] * lever[0] + axis[1] * lever[1] + axis[2] * lever[2]);
      Y[c + 3 + 6 * a] = H[a + 9 + 3 * c] / inertia;
    }
  }
  for (int a = 0; a < 3; ++a)
    for (int c = 0; c < 6; ++c)
      l->q[3 * (size_t)l->ncontact + (size_t)a] +=
          H[a + 3 * c] * l->free[6 * (size_t)k + (size_t)c];
  l->edge[l->nedge++] = (nsds_edge){.column = 6 * k, .size = 6, .H = H, .Y = Y};
}

/* Of body k, with the one at -n from it or with the floor. */
static void add_contact(lattice *l, int k, int other, int axis) {
  double d[9] = {0.1 * random_number(), 0.1 * random_number(), 0.1 * random_number()};
  int a = l->ncontact;
  d[axis] = 1.0;
  normalise(d);
  axes(d, d + 3, d + 6);
  add_edge(l, k, d, 1.0, -radius);
  if (other >= 0) add_edge(l, other, d, -1.0, radius);
  l->block[a] = (nsds_block){.set = NSDS_SET_COULOMB, .size = 3, .mu = 0.5 + 0.2 * random_number()};
  l->row[a + 1] = 3 * (a + 1);
  l->first_edge[a + 1] = l->nedge;
  ++l->ncontact;
}

/* About so many contacts: three to a ball. */
static void create(lattice *l, int wanted) {
  int m = (int)lround(cbrt(wanted / 3.0));
  if (m < 1) m = 1;
  size_t n = (size_t)m * (size_t)m * (size_t)m;
  *l = (lattice){.block = allocate(3 * n, sizeof *l->block),
                 .row = allocate(3 * n + 1, sizeof(int)),
                 .first_edge = allocate(3 * n + 1, sizeof(int)),
                 .edge = allocate(6 * n, sizeof *l->edge),
                 .values = allocate(36 * 6 * n, sizeof(double)),
                 .q = allocate(9 * n, sizeof(double)),
                 .free = allocate(6 * n, sizeof(double)),
                 .turn = allocate(9 * n, sizeof(double))};
  for (size_t k = 0; k < n; ++k) {
    for (int c = 0; c < 6; ++c) l->free[6 * k + (size_t)c] = 0.05 * random_number();
    l->free[6 * k + 2] -= 0.05;
    random_axes(l->turn + 9 * k);
  }
  for (int k = 0; k < (int)n; ++k) {
    if (k % m > 0) add_contact(l, k, k - 1, 0);
    if (k / m % m > 0) add_contact(l, k, k - m, 1);
    add_contact(l, k, k >= m * m ? k - m * m : -1, 2);
  }
  l->factored = (nsds_factored){.nrow_block = l->ncontact,
                                .ncolumn = 6 * (int)n,
                                .row = l->row,
                                .first_edge = l->first_edge,
                                .edge = l->edge};
  l->problem = (nsds_problem){.n = 3 * l->ncontact,
                              .nblock = l->ncontact,
                              .block = l->block,
                              .q = l->q,
                              .M = {.storage = NSDS_FACTORED,
                                    .n = 3 * l->ncontact,
                                    .factored = &l->factored,
                                    .symmetric = true}};
}

static double seconds_of(nsds_solver *solver, const lattice *l, int sweeps, double *z, double *w) {
  nsds_solver_info info;
  memset(z, 0, (size_t)l->problem.n * sizeof *z);
  nsds_solver_set(solver, "max_iterations", sweeps);
  double start = used();
  if (nsds_solve(solver, &l->problem, z, w, &info) != NSDS_ERROR_SOLVER)
    exit(1); /* not by so few */
  return used() - start;
}

/* GB/s of a triad that reads and writes so many bytes, the best of some. */
static double triad(double bytes) {
  size_t n = (size_t)(bytes / 24) + 1, passes = (size_t)(2e8 / bytes) + 1;
  double *a = allocate(n, 8), *b = allocate(n, 8), *c = allocate(n, 8), least = INFINITY;
  for (int turn = 0; turn < turns; ++turn) {
    double start = used();
    for (size_t pass = 0; pass < passes; ++pass)
      for (size_t i = 0; i < n; ++i) a[i] = b[i] + (double)(pass + 1) * c[i];
    least = fmin(least, (used() - start) / (double)passes);
    b[turn] = a[n / 2];
  }
  free(a);
  free(b);
  free(c);
  return 24e-9 * (double)n / least;
}

static void print_states(const lattice *l, const double *z) {
  int open = 0, sliding = 0, n = l->ncontact;
  for (int a = 0; a < n; ++a, z += 3) {
    double limit = l->block[a].mu * z[0];
    open += z[0] == 0.0;
    sliding += z[0] > 0.0 && hypot(z[1], z[2]) > (1.0 - 1e-9) * limit;
  }
  printf("open %.3g\nsliding %.3g\n", 100.0 * open / n, 100.0 * sliding / n);
}

int main(int argc, char **argv) {
  lattice l;
  int wanted = argc > 1 ? atoi(argv[1]) : 0;
  if (wanted < 1) {
    fprintf(stderr, "usage: %s CONTACTS [MOMENTUM]\n", argv[0]);
    return 2;
  }
  create(&l, wanted);
  nsds_context *context = nsds_context_create(NULL);
  nsds_solver *solver = nsds_solver_create(context, "nsgs");
  double *z = allocate((size_t)l.problem.n, 8), *w = allocate((size_t)l.problem.n, 8);
  nsds_solver_set(solver, "tolerance", 0.0);
  nsds_solver_set(solver, "acceleration", 0.0);
  nsds_solver_set(solver, "proximal", 0.0);
  if (nsds_solver_set(solver, "momentum", argc > 2 ? atof(argv[2]) : 0.0)) return 1;
  double least_few = INFINITY, least_many = INFINITY;
  for (int turn = 0; turn < turns; ++turn) {
    least_few = fmin(least_few, seconds_of(solver, &l, fewer, z, w));
    least_many = fmin(least_many, seconds_of(solver, &l, more, z, w));
  }
  double ns = 1e9 * (least_many - least_few) / (more - fewer) / l.ncontact;
  printf("contacts %d\nbytes %g\nns %.4g\nbandwidth %.3g\ntriad %.3g\n", l.ncontact,
         bytes_of_contact, ns, bytes_of_contact / ns, triad(bytes_of_contact * l.ncontact));
  print_states(&l, z);
  return 0;
}
