/*
 * Distributed problems beside whole ones. Every process draws the whole problem, and cuts its part.
 *
 *   test_mpi [DRAWS [FIRST_SEED [PILES [WIDE [LAYERS]]]]]
 *   test_mpi pieces     only the memory of pieces of a problem
 *
 * - nsds_mpi_certify() gives the figures of nsds_certify() on the whole, at any point;
 * - the certifier of the whole accepts answers of nsds_mpi_solve();
 * - reproducible answers have the bits of one process alone;
 * - a failure of one process is a failure of all, with its message.
 *
 * A process that finds a fault ends the run. So does a watchdog. With NSDS_TEST_DIE in its environment, the
 * last process kills itself after a second, and mpirun must end the others.
 */
#define _DEFAULT_SOURCE /* alarm() */
#include "drawn.h"

#include <math.h>
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CHECK(condition)                                                                           \
  do {                                                                                             \
    if (!(condition)) fault(__LINE__, #condition);                                                 \
  } while (0)

static unsigned long long seed_now;
static int rank, size;
static nsds_context *context_now;
static nsds_mpi_options options_now; /* of the checks of answers and bits */

static void fault(int line, const char *condition) {
  fprintf(stderr, "test_mpi.c:%d: rank %d, seed %llu: %s; %s\n", line, rank, seed_now, condition,
          nsds_error_message(context_now));
  MPI_Abort(MPI_COMM_WORLD, 1);
}

static void gather(const drawn_part *t, const double *z, int n, double *whole) {
  drawn_gather(t, z, n, whole);
  MPI_Allreduce(MPI_IN_PLACE, whole, n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

static bool is_near(double a, double b, double accuracy) {
  if (a == b) return true; /* infinite ones too */
  return fabs(a - b) <= accuracy * fmax(fabs(a), fabs(b));
}

/* ---- certificates ---- */

/* Both are sums of rounded terms, whose size is `terms` beside the figure. Data that others bring may
 * rise by another part of 1e-6 on compressed columns. */
static bool same_figure(double a, double b, double terms, bool factored) {
  return is_near(a, b, factored ? 1e-9 : 3e-6) || fabs(a - b) <= 1e-13 * terms;
}

static void compare_certificates(nsds_mpi *mpi, const drawn *d, const drawn_part *t,
                                 const double *whole) {
  nsds_certificate one, all;
  bool factored = d->problem.M.storage == NSDS_FACTORED;
  double *work = malloc((nsds_problem_work(&d->problem) + 1) * sizeof *work), *w = t->w;
  double *gathered = malloc(((size_t)d->problem.n + 1) * sizeof *gathered);
  nsds_certify(&d->problem, whole, work, &one);
  drawn_scatter(t, whole, t->z);
  CHECK(nsds_mpi_certify(mpi, &t->part, t->z, w, &all) == NSDS_OK);
  if (getenv("NSDS_TEST_SHOW") && rank == 0)
    printf("%llu: residual %g %g violation %g %g standard %g %g reaction %g %g\n", seed_now,
           one.residual, all.residual, one.violation, all.violation, one.standard, all.standard,
           one.reaction, all.reaction);
  CHECK(same_figure(one.residual, all.residual, 1.0, true));
  CHECK(one.diverged == all.diverged || all.worst_block < 0);
  CHECK(same_figure(one.violation, all.violation, fmax(1.0, one.reaction), factored));
  CHECK(same_figure(one.standard, all.standard, fmax(1.0, one.reaction), true));
  CHECK(same_figure(one.reaction, all.reaction, 0.0, factored));
  gather(t, w, d->problem.n, gathered);
  for (int i = 0; i < d->problem.n; ++i)
    CHECK(fabs(gathered[i] - work[i]) <= 1e-13 * work[d->problem.n + i]);
  free(work), free(gathered);
}

/* At zero, at points in and off the sets, small and large, and at points out of all proportion. */
static void compare_points(nsds_mpi *mpi, const drawn *d, const drawn_part *t, uint64_t seed) {
  static const double sizes[] = {0.0, 1e-9, 1.0, 1e3, 1e8, 1e12};
  double *z = malloc(((size_t)d->problem.n + 1) * sizeof *z);
  for (size_t k = 0; k < sizeof sizes / sizeof *sizes; ++k) {
    for (int i = 0; i < d->problem.n; ++i) z[i] = sizes[k] * (2.0 * draw(&seed) - 1.0);
    compare_certificates(mpi, d, t, z);
  }
  free(z);
}

/* ---- answers ---- */

static void check_answer(nsds_mpi *mpi, const drawn *d, drawn_part *t, double tolerance) {
  nsds_mpi_info info;
  nsds_certificate c;
  nsds_mpi_options options = options_now;
  options.tolerance = tolerance;
  size_t n = (size_t)d->problem.n;
  double *z = calloc(n + 1, sizeof *z);
  double *work = malloc((nsds_problem_work(&d->problem) + 1) * sizeof *work);
  memset(t->z, 0, (size_t)t->problem.n * sizeof *z);
  nsds_status status = nsds_mpi_solve(mpi, &t->part, &options, t->z, t->w, &info);
  if (getenv("NSDS_TEST_SHOW") && rank == 0)
    printf("%llu: status %d, %d iterations, %d by Newton, residual %g violation %g, colors %d, "
           "exchanges %lld, "
           "messages %lld, bytes %lld, reductions %lld\n",
           seed_now, (int)status, info.iterations, info.newton, info.residual, info.violation,
           info.colors, info.exchanges, info.messages, info.bytes, info.reductions);
  CHECK(status == NSDS_OK && info.outcome == NSDS_SOLVED);
  gather(t, t->z, d->problem.n, z);
  nsds_certify(&d->problem, z, work, &c);
  CHECK(c.residual <= tolerance * 1.001);
  CHECK(c.violation <= nsds_violation_limit(&d->problem, tolerance) * 1.001);
  CHECK(same_figure(c.residual, info.residual, 1.0, true));
  compare_certificates(mpi, d, t, z);
  free(z), free(work);
}

/* The same bits as one process alone, which holds the whole. */
static void check_bits(nsds_context *context, nsds_mpi *mpi, drawn *d, drawn_part *t) {
  MPI_Comm self = MPI_COMM_SELF;
  nsds_mpi *alone = nsds_mpi_create(context, &self);
  nsds_mpi_options options = options_now;
  nsds_mpi_info info, info_alone;
  options.tolerance = 1e-10;
  options.reproducible = true;
  drawn_part one;
  size_t n = (size_t)d->problem.n;
  double *z = calloc(n + 1, sizeof *z);
  CHECK(alone != NULL && nsds_mpi_size(alone) == 1);
  memset(t->z, 0, (size_t)t->problem.n * sizeof *z);
  CHECK(nsds_mpi_solve(mpi, &t->part, &options, t->z, t->w, &info) == NSDS_OK);
  int *owner = d->owner;
  d->owner = calloc(n + 1, sizeof *owner);
  drawn_cut(&one, d, 0);
  CHECK(nsds_mpi_solve(alone, &one.part, &options, one.z, one.w, &info_alone) == NSDS_OK);
  CHECK(info.iterations == info_alone.iterations && info.colors == info_alone.colors);
  gather(t, t->z, d->problem.n, z);
  for (size_t i = 0; i < n; ++i) z[i] += 0.0, one.z[i] += 0.0; /* -0 is not gathered */
  CHECK(memcmp(z, one.z, n * sizeof *z) == 0);
  free(d->owner), free(z);
  d->owner = owner;
  drawn_part_free(&one);
  nsds_mpi_destroy(alone);
}

/* ---- failures ---- */

static void expect(nsds_context *context, nsds_status status, nsds_status expected,
                   const char *words) {
  if (status != expected || !strstr(nsds_error_message(context), words))
    fprintf(stderr, "rank %d: status %d, message \"%s\", expected \"%s\"\n", rank, (int)status,
            nsds_error_message(context), words);
  CHECK(status == expected && strstr(nsds_error_message(context), words));
  bool all_see = strstr(nsds_error_message(context), "on all processes") != NULL;
  CHECK(rank == size - 1 || strstr(nsds_error_message(context), "rank ") || all_see);
  nsds_error_clear(context);
}

/* The last process gives something wrong. */
static void check_failures(nsds_context *context, nsds_mpi *mpi, uint64_t seed) {
  drawn d;
  drawn_part t;
  nsds_mpi_options options = {.tolerance = 1e-8};
  bool last = rank == size - 1;
  draw_friction(&d, seed, 3 * size + 9, size);
  for (int a = 0; a < d.problem.nblock; ++a) d.owner[a] = a * size / d.problem.nblock;
  drawn_cut(&t, &d, rank);
  double kept = t.q[0];
  if (last) t.q[0] = NAN;
  expect(context, nsds_mpi_solve(mpi, &t.part, NULL, t.z, t.w, NULL), NSDS_ERROR_VALUE, "q[0]");
  t.q[0] = kept;
  long long number = t.number[0];
  if (last) t.number[0] = -3;
  expect(context, nsds_mpi_solve(mpi, &t.part, NULL, t.z, t.w, NULL), NSDS_ERROR_VALUE,
         "part.number[0] is -3");
  t.number[0] = number;
  nsds_mpi_part part = t.part;
  if (last) part.problem = NULL;
  expect(context, nsds_mpi_solve(mpi, &part, NULL, t.z, t.w, NULL), NSDS_ERROR_ARGUMENT,
         "part.problem is NULL");
  if (last) options.tolerance = -1.0;
  expect(context, nsds_mpi_solve(mpi, &t.part, &options, t.z, t.w, NULL), NSDS_ERROR_VALUE,
         "options.tolerance is -1");
  nsds_block block = t.block[0];
  if (last) t.block[0] = (nsds_block){.set = NSDS_SET_DISC, .size = block.size, .radius = 1.0};
  expect(context, nsds_mpi_solve(mpi, &t.part, NULL, t.z, t.w, NULL), NSDS_ERROR_UNSUPPORTED,
         "disc");
  t.block[0] = block;
  long long id = t.id[0];
  if (last) t.id[0] = t.id[1];
  expect(context, nsds_mpi_solve(mpi, &t.part, NULL, t.z, t.w, NULL), NSDS_ERROR_VALUE,
         "same identifier");
  t.id[0] = id;
  if (last) t.id[0] = -1;
  expect(context, nsds_mpi_solve(mpi, &t.part, NULL, t.z, t.w, NULL), NSDS_ERROR_VALUE,
         "part.block[0] is -1");
  t.id[0] = id;
  options = (nsds_mpi_options){.max_iterations = last ? -2 : 0};
  expect(context, nsds_mpi_solve(mpi, &t.part, &options, t.z, t.w, NULL), NSDS_ERROR_VALUE,
         "max_iterations is -2");
  options = (nsds_mpi_options){.reserved = {last}};
  expect(context, nsds_mpi_solve(mpi, &t.part, &options, t.z, t.w, NULL), NSDS_ERROR_ARGUMENT,
         "options.reserved[0]");
  expect(context, nsds_mpi_solve(mpi, &t.part, NULL, t.z, last ? NULL : t.w, NULL),
         NSDS_ERROR_ARGUMENT, "w is NULL");
  if (size > 1) {
    nsds_mpi_options other = {.max_iterations = 5 + rank};
    CHECK(nsds_mpi_solve(mpi, &t.part, &other, t.z, t.w, NULL) == NSDS_ERROR_ARGUMENT);
    CHECK(strstr(nsds_error_message(context), "max_iterations"));
    nsds_error_clear(context);
  }
  nsds_mpi_info info;
  nsds_mpi_options few = {.max_iterations = 1, .tolerance = 1e-13};
  CHECK(nsds_mpi_solve(mpi, &t.part, &few, t.z, t.w, &info) == NSDS_ERROR_SOLVER);
  CHECK(info.outcome == NSDS_NOT_CONVERGED && nsds_error(context) == NSDS_OK);
  drawn_part_free(&t);
  drawn_free(&d);
}

/* Both calls refuse the part. */
static void expect_refused(nsds_context *context, nsds_mpi *mpi, const drawn_part *t,
                           nsds_status status, const char *words) {
  nsds_certificate c;
  expect(context, nsds_mpi_solve(mpi, &t->part, NULL, t->z, t->w, NULL), status, words);
  expect(context, nsds_mpi_certify(mpi, &t->part, t->z, t->w, &c), status, words);
}

/* The last process gives a wrong matrix of rows. */
static void check_row_failures(nsds_context *context, nsds_mpi *mpi) {
  drawn d;
  drawn_part t;
  bool last = rank == size - 1;
  draw_membrane(&d, 1, 9, 1.0, size);
  drawn_cut(&t, &d, rank);
  int entries = t.p[t.problem.n];
#define WRONG(place, value, status, words)                                                         \
  do {                                                                                             \
    double kept = (double)(place);                                                                 \
    if (last) (place) = (value);                                                                   \
    expect_refused(context, mpi, &t, status, words);                                               \
    (place) = kept;                                                                                \
  } while (0)
  WRONG(t.number[0], 81, NSDS_ERROR_VALUE, "has 81 rows");
  WRONG(t.number[1], -1, NSDS_ERROR_VALUE, "part.number[1] is -1");
  WRONG(t.x[0], NAN, NSDS_ERROR_VALUE, "problem.M.x[0] is not finite");
  WRONG(t.p[1], entries + 1, NSDS_ERROR_VALUE, "problem.M.p falls from");
  WRONG(t.p[0], 1, NSDS_ERROR_ARGUMENT, "no p that begins with 0");
#undef WRONG
  nsds_problem kept = t.problem;
  nsds_halo halo = {0};
  if (last) t.problem.halo = &halo;
  expect_refused(context, mpi, &t, NSDS_ERROR_ARGUMENT, "problem.halo is set");
  t.problem = kept;
  if (last) t.problem.M.storage = NSDS_DENSE;
  expect_refused(context, mpi, &t, NSDS_ERROR_UNSUPPORTED, "problem.M.storage is");
  t.problem = kept;
  if (last) t.problem.scale = t.q;
  if (size > 1)
    expect_refused(context, mpi, &t, NSDS_ERROR_ARGUMENT, "problem.scale is not the same");
  t.problem = kept;
  if (last) t.block[0].set = NSDS_SET_DISC;
  expect_refused(context, mpi, &t, NSDS_ERROR_UNSUPPORTED, "block 0 is no equality");
  t.block[0].set = NSDS_SET_BOX;
  if (last) t.part.number = NULL;
  expect_refused(context, mpi, &t, NSDS_ERROR_ARGUMENT, "part.number is NULL");
  drawn_part_free(&t);
  drawn_free(&d);
}

/* A part of a distributed problem is refused by nsds_solve(). */
static void check_refused(nsds_context *context) {
  nsds_halo halo = {0};
  double one = 1.0, q = -1.0, z = 0.0, w;
  int p[] = {0, 1}, i[] = {0};
  nsds_block block = {.set = NSDS_SET_NONNEGATIVE, .size = 1};
  nsds_problem problem = {.n = 1,
                          .nblock = 1,
                          .block = &block,
                          .q = &q,
                          .halo = &halo,
                          .M = {.storage = NSDS_CSC, .n = 1, .p = p, .i = i, .x = &one}};
  nsds_solver *solver = nsds_solver_create(context, NULL);
  CHECK(nsds_solve(solver, &problem, &z, &w, NULL) == NSDS_ERROR_UNSUPPORTED);
  CHECK(strstr(nsds_error_message(context), "nsds_mpi_solve()"));
  nsds_error_clear(context);
  nsds_solver_destroy(solver);
}

/* ---- files ---- */

/* Writes a problem on the first process, and waits for it. */
static void write_for_all(nsds_mpi *mpi, const nsds_problem *p, char path[64]) {
  snprintf(path, 64, "mpi_file_%d_%llu.nsds", size, seed_now);
  nsds_status status =
      rank == 0 ? nsds_problem_write(context_now, p, NULL, path, NSDS_FORMAT_NSDS) : NSDS_OK;
  CHECK(nsds_mpi_agree(mpi, status) == NSDS_OK);
}

/* Adds own rows to zeros, over all processes. */
static void add_rows(nsds_mpi *mpi, const nsds_mpi_file *file, const double *z, int n,
                     double *whole) {
  int own = nsds_mpi_file_part(file)->problem->n, first = nsds_mpi_file_report(file)->first_row;
  memset(whole, 0, (size_t)n * sizeof *whole);
  for (int i = 0; i < own; ++i) whole[first + i] = z[i];
  nsds_mpi_total(mpi, n, whole);
}

/* The parts in a file make the problem that was written: the same figures at a drawn point, and an
 * answer that the certifier of the whole accepts. */
static void check_file(nsds_mpi *mpi, const nsds_problem *p, uint64_t seed) {
  char path[64];
  write_for_all(mpi, p, path);
  nsds_mpi_file *file = nsds_mpi_read(mpi, path, NSDS_FORMAT_AUTO);
  CHECK(file != NULL);
  const nsds_mpi_part *part = nsds_mpi_file_part(file);
  const nsds_mpi_file_info *held = nsds_mpi_file_report(file);
  double rows = part->problem->n, blocks = part->problem->nblock;
  nsds_mpi_total(mpi, 1, &rows);
  nsds_mpi_total(mpi, 1, &blocks);
  CHECK(held->n == p->n && (int)rows == p->n && held->nblock == p->nblock);
  CHECK((int)blocks == p->nblock && !held->guess);
  CHECK(part->problem->n <= 2 * p->n / size + 6);
  double *whole = calloc(2 * (size_t)p->n + nsds_problem_work(p) + 1, sizeof *whole);
  double *z = calloc(2 * (size_t)p->n + 1, sizeof *z), *w = z + p->n;
  nsds_certificate one, all;
  for (int i = 0; i < p->n; ++i) whole[i] = 2.0 * draw(&seed) - 1.0;
  memcpy(z, whole + held->first_row, (size_t)part->problem->n * sizeof *z);
  nsds_certify(p, whole, whole + p->n, &one);
  CHECK(nsds_mpi_certify(mpi, part, z, w, &all) == NSDS_OK);
  CHECK(is_near(one.residual, all.residual, 1e-6) && is_near(one.violation, all.violation, 1e-6));
  memset(z, 0, (size_t)p->n * sizeof *z);
  CHECK(nsds_mpi_solve(mpi, part, NULL, z, w, NULL) == NSDS_OK);
  add_rows(mpi, file, z, p->n, whole);
  nsds_certify(p, whole, whole + p->n, &one);
  CHECK(one.residual <= 2e-8);
  free(whole), free(z);
  nsds_mpi_file_destroy(file);
  if (rank == 0) remove(path);
}

/* The bits of own blocks: bounds, q, H and columns are those that were written. */
static void check_bits_of_piece(nsds_mpi *mpi, const nsds_problem *p) {
  char path[64];
  write_for_all(mpi, p, path);
  nsds_mpi_file *file = nsds_mpi_read(mpi, path, NSDS_FORMAT_NSDS);
  CHECK(file != NULL);
  const nsds_mpi_part *part = nsds_mpi_file_part(file);
  const nsds_factored *own = part->problem->M.factored, *all = p->M.factored;
  int first = nsds_mpi_file_report(file)->first_row, a = 0;
  while (a < p->nblock && all->row[a] < first) ++a;
  CHECK(memcmp(part->problem->q, p->q + first, (size_t)part->problem->n * sizeof *p->q) == 0);
  for (int b = 0; b < part->problem->nblock; ++b, ++a) {
    const nsds_block *x = &part->problem->block[b], *y = &p->block[a];
    CHECK(x->set == y->set && x->size == y->size && x->mu == y->mu);
    CHECK(x->set != NSDS_SET_BOX || memcmp(x->lower, y->lower, sizeof *x->lower) == 0);
    int count = own->first_edge[b + 1] - own->first_edge[b], from = all->first_edge[a];
    CHECK(count == all->first_edge[a + 1] - from);
    for (int k = 0; k < count; ++k) {
      const nsds_edge *e = &own->edge[own->first_edge[b] + k], *f = &all->edge[from + k];
      CHECK(e->size == f->size && part->number[e->column] == f->column);
      CHECK(memcmp(e->H, f->H, (size_t)(e->size * x->size) * sizeof *e->H) == 0);
      for (int c = 0; c < e->size && all->gain; ++c)
        CHECK(own->gain[e->column + c] == all->gain[f->column + c]);
    }
  }
  nsds_mpi_file_destroy(file);
  if (rank == 0) remove(path);
}

/* ---- memory of pieces ---- */

enum { header = 16 };
static size_t bytes_now, bytes_most;

static void *counted_alloc(size_t bytes, void *user) {
  (void)user;
  char *memory = malloc(bytes + header);
  if (!memory) return NULL;
  memcpy(memory, &bytes, sizeof bytes);
  bytes_now += bytes;
  if (bytes_now > bytes_most) bytes_most = bytes_now;
  return memory + header;
}

static void counted_release(void *memory, void *user) {
  (void)user;
  if (!memory) return;
  size_t bytes;
  memcpy(&bytes, (char *)memory - header, sizeof bytes);
  bytes_now -= bytes;
  free((char *)memory - header);
}

/* No process has the whole at any time: the largest peak, beside that of one who reads the whole. */
static void check_memory_of_pieces(nsds_mpi *mpi, const nsds_problem *p, const char *what) {
  char path[64];
  write_for_all(mpi, p, path);
  nsds_context *context =
      nsds_context_create(&(nsds_context_def){.alloc = counted_alloc, .release = counted_release});
  nsds_mpi *group = nsds_mpi_create(context, NULL);
  size_t before = bytes_most = bytes_now;
  nsds_problem_file *whole = nsds_problem_read(context, path, NSDS_FORMAT_NSDS);
  CHECK(whole != NULL);
  double peak = (double)(bytes_most - before);
  nsds_problem_file_destroy(whole);
  before = bytes_most = bytes_now;
  nsds_mpi_file *file = nsds_mpi_read(group, path, NSDS_FORMAT_NSDS);
  CHECK(file != NULL);
  double largest = (double)(bytes_most - before);
  MPI_Allreduce(MPI_IN_PLACE, &largest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  if (rank == 0)
    printf("%s: the largest of %d processes takes %.2f of the whole's %.0f bytes\n", what, size,
           largest / peak, peak);
  CHECK(size < 3 || largest < 0.6 * peak);
  nsds_mpi_file_destroy(file);
  nsds_mpi_destroy(group);
  nsds_context_destroy(context);
  if (rank == 0) remove(path);
}

/* Returns the most bytes of the library in some sweeps of a drawn pile, in runs of blocks. */
static double solve_counted(const MPI_Comm *comm, int wide, int layers, int at, int ranks) {
  drawn d;
  drawn_part t;
  nsds_mpi_options options = {.max_iterations = 20, .gather = NSDS_MPI_NEVER};
  draw_pile(&d, 1, wide, layers, ranks);
  for (int a = 0; a < d.problem.nblock; ++a) d.owner[a] = a * ranks / d.problem.nblock;
  drawn_cut(&t, &d, at);
  nsds_context *context =
      nsds_context_create(&(nsds_context_def){.alloc = counted_alloc, .release = counted_release});
  nsds_mpi *group = nsds_mpi_create(context, comm);
  size_t before = bytes_most = bytes_now;
  nsds_status status = nsds_mpi_solve(group, &t.part, &options, t.z, t.w, NULL);
  CHECK(status == NSDS_OK || status == NSDS_ERROR_SOLVER);
  double most = (double)(bytes_most - before);
  nsds_mpi_destroy(group);
  nsds_context_destroy(context);
  drawn_part_free(&t);
  drawn_free(&d);
  return most;
}

/* No process has the whole while it solves. */
static void check_memory_of_solve(int wide, int layers) {
  const MPI_Comm self = MPI_COMM_SELF;
  double part = size < 16 ? 0.6 : 0.25, whole = solve_counted(&self, wide, layers, 0, 1);
  double largest = solve_counted(NULL, wide, layers, rank, size);
  MPI_Allreduce(MPI_IN_PLACE, &largest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  if (rank == 0)
    printf("sweeps: the largest of %d processes takes %.2f of the whole's %.0f bytes\n", size,
           largest / whole, whole);
  CHECK(size < 3 || largest < part * whole);
}

static void check_pieces(nsds_mpi *mpi) {
  drawn d;
  draw_pile(&d, 1, 9, 9, size);
  check_bits_of_piece(mpi, &d.problem);
  check_memory_of_pieces(mpi, &d.problem, "a pile");
  drawn_free(&d);
  draw_membrane(&d, 1, 70, 1.0, size);
  check_memory_of_pieces(mpi, &d.problem, "a membrane");
  drawn_free(&d);
  check_memory_of_solve(9, 9);
}

/* A fault in the rows of one process is told by all, with its line in the file. */
static void check_fault_in_a_piece(nsds_mpi *mpi) {
  static const char *const text[2] = {
      "nsds 1\nblocks\ncoulomb 3 mu 0.4\ncoulomb 3 mu 0.4\nM factored symmetric 3\n"
      "edge 0 0 3 H 1 0 0 0 1 0 0 0 1\nedge 1 0 3 H 1 0 0 0 1 0 0 0\n"
      "gain 1 1 1\nq 1 1 1 1 1 1\nend\n",
      "nsds 1\nblocks\nnonnegative 4\nM sparse 0 0 1 1 1 1 2 2 1 3 3 1e999\nq 1 1 1 1\nend\n"};
  for (int k = 0; k < 2; ++k) {
    char path[64], line[16];
    snprintf(path, sizeof path, "mpi_fault_%d.nsds", size);
    FILE *file = rank == 0 ? fopen(path, "w") : NULL;
    if (file) fputs(text[k], file), fclose(file);
    nsds_mpi_agree(mpi, NSDS_OK);
    CHECK(nsds_mpi_read(mpi, path, NSDS_FORMAT_AUTO) == NULL);
    CHECK(nsds_error(context_now) == NSDS_ERROR_FORMAT);
    snprintf(line, sizeof line, "line %d,", k == 0 ? 8 : 4);
    CHECK(strstr(nsds_error_message(context_now), line) != NULL);
    nsds_error_clear(context_now);
    nsds_mpi_agree(mpi, NSDS_OK);
    if (rank == 0) remove(path);
  }
}

/* The same problem with M as a dense matrix. */
static void check_dense_file(nsds_mpi *mpi, const nsds_problem *p, uint64_t seed) {
  double *x = calloc((size_t)p->n * (size_t)p->n + 1, sizeof *x);
  nsds_problem dense = *p;
  nsds_problem_to_dense(p, x);
  dense.M = (nsds_matrix){.storage = NSDS_DENSE, .n = p->n, .x = x, .symmetric = true};
  check_file(mpi, &dense, seed);
  free(x);
}

static void check_files(nsds_mpi *mpi, uint64_t seed) {
  drawn d;
  draw_friction(&d, seed, 20, size);
  check_file(mpi, &d.problem, seed);
  check_bits_of_piece(mpi, &d.problem);
  check_dense_file(mpi, &d.problem, seed);
  drawn_free(&d);
  draw_graph(&d, seed, 40, size);
  check_file(mpi, &d.problem, seed);
  check_dense_file(mpi, &d.problem, seed);
  drawn_free(&d);
}

/* The file is read, or refused, on all processes. */
static void refuse_file(nsds_mpi *mpi, const nsds_problem *p, const char *words) {
  char path[64];
  write_for_all(mpi, p, path);
  CHECK(nsds_mpi_read(mpi, path, NSDS_FORMAT_AUTO) == NULL);
  CHECK(nsds_error(context_now) == NSDS_ERROR_UNSUPPORTED);
  CHECK(strstr(nsds_error_message(context_now), words) != NULL);
  nsds_error_clear(context_now);
  nsds_mpi_agree(mpi, NSDS_OK);
  if (rank == 0) remove(path);
}

static void check_file_failures(nsds_mpi *mpi) {
  const double x[4] = {2.0, 0.5, 0.25, 2.0}, q[2] = {-1.0, -1.0}, K = -1.0;
  const nsds_block rows = {.set = NSDS_SET_NONNEGATIVE, .size = 2},
                   facet = {.set = NSDS_SET_POLYHEDRON, .size = 2, .nfacet = 1, .H = x, .K = &K};
  nsds_problem p = {
      .n = 2, .nblock = 1, .block = &rows, .q = q, .M = {.storage = NSDS_DENSE, .n = 2, .x = x}};
  refuse_file(mpi, &p, "M(1,0) is 0.5 and M(0,1) is 0.25");
  p.block = &facet;
  refuse_file(mpi, &p, "polyhedron");
  CHECK(nsds_mpi_read(mpi, rank == size - 1 ? "no/such.file" : ".", NSDS_FORMAT_AUTO) == NULL);
  CHECK(nsds_error(context_now) == NSDS_ERROR_IO);
  nsds_error_clear(context_now);
}

/* ---- all ---- */

static void check_drawn(nsds_context *context, nsds_mpi *mpi, uint64_t seed) {
  drawn d;
  drawn_part t;
  draw_friction(&d, seed, 2 + (int)(seed % 40), size);
  drawn_cut(&t, &d, rank);
  compare_points(mpi, &d, &t, seed);
  check_answer(mpi, &d, &t, 1e-9);
  check_bits(context, mpi, &d, &t);
  drawn_part_free(&t);
  drawn_free(&d);
  draw_graph(&d, seed, 3 * size + (int)(seed % 60), size);
  drawn_cut(&t, &d, rank);
  compare_points(mpi, &d, &t, seed);
  check_answer(mpi, &d, &t, 1e-10);
  drawn_part_free(&t);
  drawn_free(&d);
}

/* A loose pile. No process ever holds the whole. The answer has the bits of one process alone. Returns true
 * if so many sweeps alone do not solve the pile: then Newton's method, and parts on one process, have. */
static bool check_pile(nsds_context *context, nsds_mpi *mpi, uint64_t seed, int wide, int layers,
                       int sweeps) {
  drawn d;
  drawn_part t;
  nsds_mpi_info info;
  nsds_mpi_options alone = {.tolerance = 1e-10,
                            .gather = NSDS_MPI_NEVER,
                            .gather_after = sweeps,
                            .max_iterations = sweeps};
  draw_pile(&d, seed, wide, layers, size);
  drawn_cut(&t, &d, rank);
  nsds_status status = nsds_mpi_solve(mpi, &t.part, &alone, t.z, t.w, &info);
  CHECK(!status || (status == NSDS_ERROR_SOLVER && info.newton == 0 && info.iterations == sweeps));
  if (getenv("NSDS_TEST_SHOW") && rank == 0)
    printf("%llu pile: %d rows, %d sweeps alone: residual %g\n", seed_now, d.problem.n,
           info.iterations, info.residual);
  options_now.gather = NSDS_MPI_NEVER;
  check_answer(mpi, &d, &t, 1e-10);
  check_bits(context, mpi, &d, &t);
  options_now = (nsds_mpi_options){0};
  drawn_part_free(&t);
  drawn_free(&d);
  return status != NSDS_OK;
}

/* A second problem over the same blocks and columns takes the colors of the first, with the same bits. If
 * one process names a block anew, all processes color anew. */
static void check_kept(nsds_mpi *mpi, uint64_t seed) {
  enum { runs = 3 };
  drawn d;
  drawn_part t;
  nsds_mpi_info info[runs];
  nsds_mpi_options options = {.tolerance = 1e-10, .reproducible = true};
  draw_friction(&d, seed, 3 * size + 9, size);
  for (int a = 0; a < d.problem.nblock; ++a) d.owner[a] = a * size / d.problem.nblock;
  drawn_cut(&t, &d, rank);
  size_t n = (size_t)t.problem.n;
  double *first = calloc(n + 1, sizeof *first);
  for (int k = 0; k < runs; ++k) {
    memset(t.z, 0, n * sizeof *t.z);
    if (k == runs - 1 && rank == size - 1) t.id[0] += 1000000;
    CHECK(nsds_mpi_solve(mpi, &t.part, &options, t.z, t.w, &info[k]) == NSDS_OK);
    if (k == 0) memcpy(first, t.z, n * sizeof *first);
    CHECK(k != 1 || memcmp(first, t.z, n * sizeof *first) == 0);
  }
  CHECK(info[1].iterations == info[0].iterations && info[1].colors == info[0].colors);
  CHECK(info[1].exchanges < info[0].exchanges && info[1].reductions < info[0].reductions);
  CHECK(info[2].reductions - 3 * info[2].iterations > info[1].reductions - 3 * info[1].iterations);
  free(first);
  drawn_part_free(&t);
  drawn_free(&d);
}

static void check_membranes(nsds_mpi *mpi) {
  static const int edges[] = {5, 33, 129};
  for (int k = 0; k < 6; ++k) {
    drawn d;
    drawn_part t;
    draw_membrane(&d, 1, edges[k / 2], k % 2 ? 0.05 : 1.0, size);
    drawn_cut(&t, &d, rank);
    check_answer(mpi, &d, &t, 1e-9);
    drawn_part_free(&t);
    drawn_free(&d);
  }
}

static void die(int signal_number) {
  (void)signal_number;
  raise(SIGKILL);
}

int main(int argc, char **argv) {
  bool pieces = argc > 1 && strcmp(argv[1], "pieces") == 0; /* only these */
  unsigned long long draws = argc > 1 ? strtoull(argv[1], NULL, 10) : 20;
  unsigned long long first = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
  unsigned long long piles = argc > 3 ? strtoull(argv[3], NULL, 10) : 4;
  int wide = argc > 4 ? atoi(argv[4]) : 6, layers = argc > 5 ? atoi(argv[5]) : 6;
  alarm(300 + (unsigned)draws + 60 * (unsigned)piles);
  nsds_context *context = context_now = nsds_context_create(NULL);
  nsds_mpi *mpi = nsds_mpi_create(context, NULL);
  if (!mpi) return 1;
  rank = nsds_mpi_rank(mpi);
  size = nsds_mpi_size(mpi);
  if (getenv("NSDS_TEST_DIE") && rank == size - 1) {
    signal(SIGALRM, die);
    alarm(1);
  }
  if (pieces) {
    check_pieces(mpi);
    nsds_mpi_destroy(mpi);
    nsds_context_destroy(context);
    return 0;
  }
  for (seed_now = first; seed_now < first + draws; ++seed_now) check_drawn(context, mpi, seed_now);
  int stalled = 0;
  for (seed_now = first; seed_now < first + piles; ++seed_now)
    stalled += check_pile(context, mpi, seed_now, wide, layers, 600);
  CHECK(stalled > 0 || argc > 1);
  check_kept(mpi, first);
  check_membranes(mpi);
  for (seed_now = first; seed_now < first + 5; ++seed_now) check_files(mpi, seed_now);
  check_pieces(mpi);
  check_fault_in_a_piece(mpi);
  check_file_failures(mpi);
  check_failures(context, mpi, first);
  check_row_failures(context, mpi);
  check_refused(context);
  nsds_mpi_destroy(mpi);
  CHECK(nsds_error(context) == NSDS_OK && nsds_context_bytes(context) == 0);
  nsds_context_destroy(context);
  return 0;
}
