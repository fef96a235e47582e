/*
 * Worlds on many processes beside the serial model, and beside themselves.
 *
 *   test_world [STEPS [BODIES]]
 *
 * - positions equal those of nsds_time_stepping() within ten tolerances over ten steps;
 * - reproducible motions have the bits of one process alone, over STEPS steps;
 *
 * A process that finds a fault ends the run. So does a watchdog.
 */
#define _DEFAULT_SOURCE /* alarm() */
#include <nsds/mpi_world.h>
#include <nsds/nsds.h>

#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CHECK(condition)                                                                           \
  do {                                                                                             \
    if (!(condition)) fault(__LINE__, #condition);                                                 \
  } while (0)

static int rank, size;
static nsds_context *context_now, *serial_context;
static const char *case_now = "";

static void fault(int line, const char *condition) {
  fprintf(stderr, "test_world.c:%d: rank %d, %s: %s; %s%s\n", line, rank, case_now, condition,
          nsds_error_message(context_now), serial_context ? nsds_error_message(serial_context) : "");
  MPI_Abort(MPI_COMM_WORLD, 1);
}

static double draw(unsigned long long *seed) {
  *seed = *seed * 6364136223846793005ull + 1442695040888963407ull;
  return (double)(*seed >> 11) / 9007199254740992.0;
}

/* ---- scenes ---- */

enum { most_kinds = 4 };
static const double radius = 0.01, step = 1e-3;

/* Bodies of a few kinds over a floor with walls. */
typedef struct scene {
  const char *name;
  int kinds, bodies, wide; /* bodies across */
  double speed;
  bool drum; /* the walls turn about the second axis */
} scene;

static nsds_shape_def sphere_shape, box_shape, capsule_shape, hull_shape;
static double tetrahedron[12] = {1, 1, 1, 1, -1, -1, -1, 1, -1, -1, -1, 1};

static void make_kinds(nsds_mpi_kind *kind) {
  static const double mass = 0.01;
  for (int k = 0; k < 12; ++k) tetrahedron[k] = copysign(0.006, tetrahedron[k]);
  sphere_shape = (nsds_shape_def){.kind = NSDS_SPHERE, .radius = radius};
  box_shape = (nsds_shape_def){.kind = NSDS_BOX, .half = {0.008, 0.006, 0.005}};
  capsule_shape = (nsds_shape_def){.kind = NSDS_CAPSULE, .radius = 0.005, .half = {0.005}};
  hull_shape = (nsds_shape_def){.kind = NSDS_HULL, .nvertex = 4, .vertex = tetrahedron};
  const nsds_shape_def *shape[most_kinds] = {&sphere_shape, &box_shape, &capsule_shape, &hull_shape};
  for (int k = 0; k < most_kinds; ++k) {
    kind[k] = (nsds_mpi_kind){.mass = mass, .nshape = 1, .shape = shape[k]};
    for (int i = 0; i < 3; ++i)
      kind[k].inertia[4 * i] = mass * radius * radius * (k == 0 ? 0.4 : 0.3 + 0.05 * i);
  }
}

/* A box of five half spaces, or a drum: a box of plates that turns. */
static int spin(const nsds_arguments *in, double *out, void *user) {
  (void)in, (void)user;
  for (int k = 0; k < 6; ++k) out[k] = 0.0;
  out[4] = 2.0;
  return 0;
}

static nsds_status make_scenery(nsds_model *model, nsds_contact_set *set, void *user) {
  const scene *s = user;
  double half = 1.3 * radius * s->wide;
  static const double normal[5][3] = {{0, 0, 1}, {1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}};
  for (int k = 0; k < 5 && !s->drum; ++k) {
    nsds_shape_def shape = {.kind = NSDS_HALF_SPACE, .plane.offset = k == 0 ? 0.0 : -half};
    memcpy(shape.plane.normal, normal[k], sizeof normal[k]);
    if (nsds_shapes_add(set, &shape) < 0) return NSDS_ERROR_ARGUMENT;
  }
  if (!s->drum) return NSDS_OK;
  static const double unit[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  static const int all[6] = {0, 1, 2, 3, 4, 5};
  const double q0[7] = {0, 0, half, 1};
  nsds_rigid_body_def def = {.mass = 1.0,
                             .inertia = unit,
                             .q0 = q0,
                             .prescribed = {.n = 6, .index = all, .fn = spin}};
  nsds_ds *drum = nsds_rigid_body(model, &def);
  if (!drum) return NSDS_ERROR_ARGUMENT;
  for (int k = 0; k < 6; ++k) {
    nsds_shape_def plate = {.kind = NSDS_BOX, .ds = drum, .half = {1.2 * half, 1.2 * half, 1.2 * half}};
    plate.half[k / 2] = 0.2 * half;
    plate.position[k / 2] = (k % 2 ? 1.2 : -1.2) * half;
    if (nsds_shapes_add(set, &plate) < 0) return NSDS_ERROR_ARGUMENT;
  }
  return NSDS_OK;
}

/* Body k of the scene. */
static nsds_mpi_body body_of_scene(const scene *s, int k) {
  unsigned long long seed = 977ull * (unsigned long long)k + 13ull;
  int layer = k / (s->wide * s->wide), i = k / s->wide % s->wide, j = k % s->wide;
  nsds_mpi_body body = {.id = 7LL * k + 3, .kind = k % s->kinds, .size = 0.8 + 0.2 * draw(&seed)};
  double middle = 0.5 * (s->wide - 1);
  body.q[0] = radius * (2.4 * (i - middle) + 0.3 * draw(&seed));
  body.q[1] = radius * (2.4 * (j - middle) + 0.3 * draw(&seed));
  body.q[2] = radius * (1.1 + 2.3 * layer + 0.2 * draw(&seed));
  double length = 0.0;
  for (int c = 0; c < 4; ++c) body.q[3 + c] = draw(&seed) - 0.5, length = hypot(length, body.q[3 + c]);
  for (int c = 0; c < 4; ++c) body.q[3 + c] /= length;
  for (int c = 0; c < 3; ++c) body.v[c] = s->speed * (draw(&seed) - 0.5);
  for (int c = 3; c < 6; ++c) body.v[c] = 10.0 * s->speed * (draw(&seed) - 0.5);
  return body;
}

static const nsds_material materials[] = {{.mu = 0.4, .e_n = 0.3}};

/* A world of the scene; bodies come from ranks by turns. */
static nsds_mpi_world *make_world(nsds_mpi *mpi, const scene *s, bool reproducible) {
  nsds_mpi_kind kind[most_kinds];
  make_kinds(kind);
  nsds_mpi_body *body = calloc((size_t)s->bodies + 1, sizeof *body);
  int n = 0, here = nsds_mpi_rank(mpi), ranks = nsds_mpi_size(mpi);
  for (int k = s->bodies - 1; k >= 0; --k)
    if (k % ranks == here) body[n++] = body_of_scene(s, k);
  nsds_mpi_world_def def = {.h = step,
                            .gravity = {0, 0, -9.81},
                            .nmaterial = 1,
                            .material = materials,
                            .nkind = s->kinds,
                            .kind = kind,
                            .nbody = n,
                            .body = body,
                            .scenery = make_scenery,
                            .user = (void *)(uintptr_t)s,
                            .reproducible = reproducible};
  nsds_mpi_world *world = nsds_mpi_world_create(mpi, &def);
  CHECK(world);
  free(body);
  return world;
}

/* Writes q and v of all bodies of the world, by their numbers in the scene, on all processes. */
static void gather_world(const nsds_mpi_world *world, const scene *s, double *state, MPI_Comm comm) {
  memset(state, 0, 13 * (size_t)s->bodies * sizeof *state);
  for (int k = 0; k < nsds_mpi_world_count(world); ++k) {
    nsds_mpi_body body;
    CHECK(nsds_mpi_world_body(world, k, &body) == NSDS_OK);
    double *at = state + 13 * ((body.id - 3) / 7);
    memcpy(at, body.q, sizeof body.q);
    memcpy(at + 7, body.v, sizeof body.v);
  }
  MPI_Allreduce(MPI_IN_PLACE, state, 13 * s->bodies, MPI_DOUBLE, MPI_SUM, comm);
}

/* ---- beside the serial model ---- */

static nsds_simulation *make_serial(nsds_context *context, const scene *s, nsds_ds **ds) {
  nsds_mpi_kind kind[most_kinds];
  make_kinds(kind);
  double reach = 0.0;
  for (int k = 0; k < s->bodies; ++k) {
    static const double around[most_kinds] = {0.01, 0.0111803398874989490, 0.01, 0.0103923048454132637};
    nsds_mpi_body b = body_of_scene(s, k);
    reach = fmax(reach, 0.1 * b.size * around[b.kind]);
  }
  nsds_model *model = nsds_model_create(context);
  nsds_contact_set *set = nsds_shapes(
      model, &(nsds_shapes_def){.nmaterial = 1, .material = materials, .reach = reach});
  CHECK(make_scenery(model, set, (void *)(uintptr_t)s) == NSDS_OK);
  for (int k = 0; k < s->bodies; ++k) {
    nsds_mpi_body b = body_of_scene(s, k);
    nsds_mpi_kind of = kind[b.kind];
    double x = b.size, vertex[12];
    for (int i = 0; i < 9; ++i) of.inertia[i] *= x * x * x * x * x;
    ds[k] = nsds_rigid_body(model, &(nsds_rigid_body_def){.mass = of.mass * x * x * x,
                                                          .inertia = of.inertia,
                                                          .q0 = b.q,
                                                          .v0 = b.v,
                                                          .gravity = {0, 0, -9.81},
                                                          .explicit_gyroscopic = true});
    nsds_shape_def shape = of.shape[0];
    shape.ds = ds[k];
    shape.radius *= x;
    for (int i = 0; i < 3; ++i) shape.half[i] *= x;
    for (int i = 0; shape.vertex && i < 12; ++i) vertex[i] = x * shape.vertex[i];
    if (shape.vertex) shape.vertex = vertex;
    CHECK(nsds_shapes_add(set, &shape) >= 0);
  }
  nsds_simulation *sim = nsds_time_stepping(
      model, &(nsds_time_stepping_def){
                 .t1 = 100.0, .h = step, .overlap_sweeps = NSDS_OVERLAP_STAYS, .tolerance = 1e-10});
  CHECK(sim);
  return sim;
}

static void compare_with_serial(nsds_mpi *mpi, const scene *s, int settle, int steps) {
  double *state = malloc(13 * (size_t)s->bodies * sizeof *state), most = 0.0, moved = 0.0;
  nsds_ds **ds = malloc((size_t)s->bodies * sizeof *ds);
  case_now = s->name;
  nsds_mpi_world *world = make_world(mpi, s, false);
  nsds_context *context = nsds_context_create(NULL);
  serial_context = context;
  nsds_simulation *sim = make_serial(context, s, ds);
  for (int k = 0; k < settle + steps; ++k) {
    if (k == settle) {
      gather_world(world, s, state, MPI_COMM_WORLD);
      for (int b = 0; b < s->bodies; ++b) {
        CHECK(nsds_set_state(ds[b], state + 13 * b, state + 13 * b + 7) == NSDS_OK);
      }
    }
    CHECK(nsds_mpi_world_step(world) == NSDS_OK);
    if (k >= settle) CHECK(nsds_step(sim) == NSDS_OK);
  }
  gather_world(world, s, state, MPI_COMM_WORLD);
  for (int b = 0; b < s->bodies; ++b)
    for (int i = 0; i < 3; ++i) {
      most = fmax(most, fabs(state[13 * b + i] - nsds_q(ds[b])[i]));
      moved = fmax(moved, fabs(state[13 * b + i]));
    }
  const nsds_mpi_world_info *info = nsds_mpi_world_report(world);
  if (rank == 0 && getenv("NSDS_TEST_SHOW"))
    printf("%s: %d steps, %lld contacts, %d sweeps, %ld rebuilds, off %g of %g\n", s->name,
           settle + steps, info->contacts, info->solver.iterations, info->rebuilds, most, moved);
  if (getenv("NSDS_TEST_SHOW"))
    printf("  rank %d: %d own, %d ghosts, %lld contacts, busiest %.3f\n", rank, info->bodies,
           info->ghosts, info->own_contacts, info->busiest);
  nsds_mpi_world_destroy(world);
  nsds_context_destroy(context);
  serial_context = NULL;
  free(state), free(ds);
}

/* ---- bits ---- */

/* Compares a motion on all processes with the one of a process alone. */
static void compare_bits(nsds_mpi *mpi, const scene *s, int steps) {
  size_t bytes = 13 * (size_t)s->bodies * sizeof(double);
  double *state = malloc(bytes), *alone = malloc(bytes);
  MPI_Comm self = MPI_COMM_SELF;
  nsds_context *context = nsds_context_create(NULL);
  case_now = s->name;
  serial_context = context;
  nsds_mpi *one = nsds_mpi_create(context, &self);
  nsds_mpi_world *world = make_world(mpi, s, true), *single = make_world(one, s, true);
  int gathered = 0;
  for (int k = 0; k < steps; ++k) {
    CHECK(nsds_mpi_world_step(world) == NSDS_OK);
    gathered += nsds_mpi_world_report(world)->solver.gathered;
    CHECK(nsds_mpi_world_step(single) == NSDS_OK);
    if (k % 10 != 9 && k + 1 != steps) continue;
    gather_world(world, s, state, MPI_COMM_WORLD);
    gather_world(single, s, alone, MPI_COMM_SELF);
    for (int b = 0; b < 13 * s->bodies; ++b) if (state[b] != alone[b]) { fprintf(stderr, "step %d body %d entry %d: %.17g %.17g\n", k, b/13, b%13, state[b], alone[b]); break; }
    CHECK(memcmp(state, alone, bytes) == 0);
  }
  const nsds_mpi_world_info *info = nsds_mpi_world_report(world);
  if (getenv("NSDS_TEST_SHOW"))
    printf("%s: rank %d: %d own, %d ghosts, %lld of %lld contacts, %ld rebuilds, %d gathered, busiest %.3f\n",
           s->name, rank, info->bodies, info->ghosts, info->own_contacts, info->contacts,
           info->rebuilds, gathered, info->busiest);
  nsds_mpi_world_destroy(world);
  nsds_mpi_world_destroy(single);
  nsds_mpi_destroy(one);
  nsds_context_destroy(context);
  serial_context = NULL;
  free(state), free(alone);
}

int main(int argc, char **argv) {
  int settle = argc > 1 ? atoi(argv[1]) : 0, steps = argc > 2 ? atoi(argv[2]) : 10;
  alarm(300);
  context_now = nsds_context_create(NULL);
  nsds_context *context = context_now;
  nsds_mpi *mpi = nsds_mpi_create(context_now, NULL);
  rank = nsds_mpi_rank(mpi), size = nsds_mpi_size(mpi);
  scene pile = {.name = "pile of spheres", .kinds = 1, .bodies = 100, .wide = 5, .speed = 1.0};
  scene mixed = {.name = "pile of four kinds", .kinds = 4, .bodies = 60, .wide = 4, .speed = 1.0};
  scene drum = {.name = "drum", .kinds = 1, .bodies = 60, .wide = 5, .speed = 0.5, .drum = true};
  for (int k = 0; k < 3; ++k) {
    const scene *s = k == 0 ? &pile : k == 1 ? &mixed : &drum;
    if (argc <= 3 || atoi(argv[3]) == k) compare_with_serial(mpi, s, settle, steps);
    if (argc <= 3 || atoi(argv[3]) == k) compare_bits(mpi, s, settle + steps);
  }
  nsds_mpi_destroy(mpi);
  nsds_context_destroy(context);
  return 0;
}
