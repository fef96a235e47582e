/*
 * Spheres packed in a box and at rest, as a world: every sphere rests on four below, or on one or two and the walls.
 * Spheres of a layer do not touch each other. So each contact bears a load. The allocator of the context is counted.
 *
 *     mpirun -n 2 packed_world SPHERES [LAYERS [STEPS [TOLERANCE [MOST_PART]]]]
 *
 * LAYERS 0 is a cube. Prints for each step: contacts, sweeps, the residual, seconds, and what processes send; then the
 * bytes of the library for each process, and the memory of the process with MPI and PETSc. With MOST_PART the first
 * process does the same alone, and the program fails if a process has held more than this part of it.
 */
#define _DEFAULT_SOURCE /* getrusage() */
#include <nsds/mpi_world.h>
#include <nsds/nsds.h>

#include <math.h>
#include <mpi.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

enum { head = 16, counts = 4 };
static const double radius = 0.5, step = 1e-3;
static const double closeness = 0.9999; /* distances of spheres that touch, in diameters */
static const double pitch = 1.1;        /* in a layer, in diameters of `closeness` */

typedef struct counted {
  size_t now, peak;
} counted;

static void *take(size_t size, void *user) {
  counted *c = user;
  char *memory = calloc(1, size + head); /* pages that nobody writes take no memory */
  if (!memory) return NULL;
  *(size_t *)(void *)memory = size;
  c->now += size;
  if (c->now > c->peak) c->peak = c->now;
  return memory + head;
}

static void release(void *memory, void *user) {
  counted *c = user;
  if (!memory) return;
  char *start = (char *)memory - head;
  c->now -= *(size_t *)(void *)start;
  free(start);
}

/* Layers of wide x wide spheres, and of one less each way. */
typedef struct packing {
  int wide, layers;
} packing;

static nsds_status make_box(nsds_model *model, nsds_contact_set *set, void *user) {
  static const double normal[5][3] = {{0, 0, 1}, {1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}};
  const packing *p = user;
  double width = closeness * (pitch * (p->wide - 1) + 2.0 * radius);
  (void)model;
  for (int k = 0; k < 5; ++k) {
    nsds_shape_def wall = {.kind = NSDS_HALF_SPACE,
                           .plane.offset = k == 2 || k == 4 ? -width : 0.0};
    memcpy(wall.plane.normal, normal[k], sizeof normal[k]);
    if (nsds_shapes_add(set, &wall) < 0) return NSDS_ERROR_ARGUMENT;
  }
  return NSDS_OK;
}

static long long count_spheres(const packing *p, int layers) {
  long long even = (long long)p->wide * p->wide, odd = (long long)(p->wide - 1) * (p->wide - 1);
  return (layers + 1) / 2 * even + layers / 2 * odd;
}

static nsds_mpi_body place_body(const packing *p, long long k) {
  long long two = count_spheres(p, 2), even = (long long)p->wide * p->wide;
  int layer = (int)(2 * (k / two)) + (k % two >= even), wide = p->wide - layer % 2;
  long long i = k % two - (layer % 2 ? even : 0);
  double side = closeness * pitch, start = closeness * radius + 0.5 * side * (layer % 2);
  nsds_mpi_body body = {.id = k};
  body.q[0] = start + side * (double)(i % wide);
  body.q[1] = start + side * (double)(i / wide);
  body.q[2] = closeness * (radius + layer * sqrt(1.0 - 0.5 * pitch * pitch));
  return body;
}

static nsds_mpi_world *pack(nsds_mpi *mpi, packing *p, double tolerance) {
  long long all = count_spheres(p, p->layers), size = nsds_mpi_size(mpi);
  long long first = all * nsds_mpi_rank(mpi) / size, last = all * (nsds_mpi_rank(mpi) + 1) / size;
  nsds_shape_def sphere = {.kind = NSDS_SPHERE, .radius = radius};
  nsds_mpi_kind kind = {
      .mass = 1.0, .inertia = {0.1, 0, 0, 0, 0.1, 0, 0, 0, 0.1}, .nshape = 1, .shape = &sphere};
  nsds_material material = {.mu = 0.5};
  nsds_mpi_body *body = malloc((size_t)(last - first + 1) * sizeof *body);
  nsds_status status = nsds_mpi_agree(mpi, body ? NSDS_OK : NSDS_ERROR_MEMORY);
  for (long long k = first; !status && k < last; ++k) body[k - first] = place_body(p, k);
  nsds_mpi_world_def def = {.h = step,
                            .gravity = {0, 0, -9.81},
                            .nmaterial = 1,
                            .material = &material,
                            .nkind = 1,
                            .kind = &kind,
                            .nbody = (int)(last - first),
                            .body = body,
                            .scenery = make_box,
                            .user = p,
                            .tolerance = tolerance,
                            .gather = NSDS_MPI_NEVER};
  nsds_mpi_world *world = status ? NULL : nsds_mpi_world_create(mpi, &def);
  free(body);
  return world;
}

/* Prints what the step has sent, over all processes. */
static void show_step(nsds_mpi *mpi, const nsds_mpi_world *world, double seconds) {
  const nsds_mpi_world_info *info = nsds_mpi_world_report(world);
  double sum[counts] = {(double)info->messages, (double)info->bytes, info->ghosts, 0.0};
  nsds_mpi_total(mpi, counts, sum);
  if (nsds_mpi_rank(mpi) == 0)
    printf("step %ld: %lld contacts, %d sweeps, residual %.2e, %.1f s, busiest %.3f, %d colors, "
           "%lld exchanges, %.0f messages, %.0f bytes, %lld reductions, %.0f ghosts\n",
           info->steps, info->contacts, info->solver.iterations, info->solver.residual, seconds,
           info->busiest, info->solver.colors, info->exchanges, sum[0], sum[1], info->reductions,
           sum[2]);
  fflush(stdout);
}

/* Prints the memory of all processes. Returns the bytes of the library of the process with most. */
static double show_memory(nsds_mpi *mpi, const nsds_mpi_world *world, const counted *c) {
  const nsds_mpi_world_info *info = nsds_mpi_world_report(world);
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  double mine[counts] = {(double)c->peak, (double)usage.ru_maxrss * 1024.0,
                         (double)info->own_contacts, info->bodies};
  double sum[counts], most[counts];
  memcpy(sum, mine, sizeof sum);
  nsds_mpi_total(mpi, counts, sum);
  MPI_Allreduce(mine, most, counts, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  if (nsds_mpi_rank(mpi) == 0)
    printf("bytes: library %.0f in all, %.0f at most; process %.0f in all, %.0f at most; contacts "
           "%.0f, bodies %.0f\n",
           sum[0], most[0], sum[1], most[1], sum[2], sum[3]);
  return most[0];
}

typedef struct task {
  packing scene;
  int steps;
  double tolerance;
} task;

/* Steps a world of a group. Writes the most bytes that a process has held; returns false after a failure. */
static bool run(const MPI_Comm *comm, task *t, bool shows, double *most) {
  counted c = {0, 0};
  nsds_context *context =
      nsds_context_create(&(nsds_context_def){.alloc = take, .release = release, .alloc_user = &c});
  nsds_mpi *mpi = nsds_mpi_create(context, comm);
  double start = MPI_Wtime();
  nsds_mpi_world *world = mpi ? pack(mpi, &t->scene, t->tolerance) : NULL;
  bool sound = world != NULL;
  if (sound && shows && nsds_mpi_rank(mpi) == 0)
    printf("%lld spheres in %d layers, built in %.1f s\n",
           count_spheres(&t->scene, t->scene.layers), t->scene.layers, MPI_Wtime() - start);
  for (int k = 0; sound && k < t->steps; ++k) {
    start = MPI_Wtime();
    sound = nsds_mpi_world_step(world) == NSDS_OK;
    if (sound && shows) show_step(mpi, world, MPI_Wtime() - start);
  }
  if (sound && shows) *most = show_memory(mpi, world, &c);
  else *most = (double)c.peak;
  if (!sound) fprintf(stderr, "%s\n", nsds_error_message(context));
  nsds_mpi_world_destroy(world);
  nsds_mpi_destroy(mpi);
  nsds_context_destroy(context);
  return sound;
}

/* The first process runs the world alone, and compares what a process has held with that. */
static bool is_part_of_whole(task *t, double most, double part) {
  const MPI_Comm self = MPI_COMM_SELF;
  double whole = 0.0;
  if (!run(&self, t, false, &whole)) return false;
  printf("a process holds %.3f of what one process holds alone, %.0f bytes\n", most / whole, whole);
  return most <= part * whole;
}

int main(int argc, char **argv) {
  int spheres = argc > 1 ? atoi(argv[1]) : 0, layers = argc > 2 ? atoi(argv[2]) : 0, rank;
  task t = {.steps = argc > 3 ? atoi(argv[3]) : 5, .tolerance = argc > 4 ? atof(argv[4]) : 1e-4};
  double part = argc > 5 ? atof(argv[5]) : 0.0, most = 0.0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  bool sound = spheres >= 1 && t.steps >= 1;
  if (!sound)
    fprintf(stderr, "usage: packed_world SPHERES [LAYERS [STEPS [TOLERANCE [MOST_PART]]]]\n");
  else {
    t.scene.layers = layers > 0 ? layers : (int)lround(cbrt(spheres));
    t.scene.wide = (int)lround(0.5 + sqrt((double)spheres / t.scene.layers));
    sound = run(NULL, &t, true, &most);
    if (sound && part > 0.0 && rank == 0) sound = is_part_of_whole(&t, most, part);
  }
  MPI_Finalize();
  return sound ? 0 : 1;
}
