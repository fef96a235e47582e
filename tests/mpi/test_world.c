/*
 * Worlds on many processes: drawn scenes beside the serial model, and beside a process alone.
 *
 *   test_world [DRAWS [FIRST_SEED [STEPS [BODIES [serial|bits|later [silo]]]]]]
 *
 * The word leaves one comparison, for large scenes (script/worlds). `later` compares height, energy and forces after
 * many steps, over DRAWS starts of a scene. `silo` puts the scene into a hopper.
 *
 * - ten steps from a state of the serial model equal those of the serial model within ten tolerances;
 * - reproducible motions have the bits of one process alone;
 * - contacts of a body, and their forces, are known where the body is;
 * - a failure of one process is a failure of all, and the world is as before;
 * - bodies that one process brings, too few bodies for all, fast and large ones.
 *
 * Scenes have spheres, boxes, capsules and hulls in a box of half spaces, in a drum that turns, or in a hopper with an
 * outlet above a floor. A process that finds a fault ends the run. So does a watchdog.
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

enum { most_kinds = 4, numbers = 13 };
static const double pi = 3.14159265358979324, radius = 0.01, step = 1e-3, spin_speed = 2.0,
                    tolerance = 1e-10, meter = 1.0;

static int rank, size;
static unsigned long long seed_now;
static nsds_context *contexts[2];

static void fault(int line, const char *condition) {
  fprintf(stderr, "test_world.c:%d: rank %d, seed %llu: %s; %s; %s\n", line, rank, seed_now,
          condition, nsds_error_message(contexts[0]),
          contexts[1] ? nsds_error_message(contexts[1]) : "");
  MPI_Abort(MPI_COMM_WORLD, 1);
}

static double draw(unsigned long long *seed) {
  *seed = *seed * 6364136223846793005ull + 1442695040888963407ull;
  return (double)(*seed >> 11) / 9007199254740992.0;
}

/* ---- scenes ---- */

typedef struct scene {
  int kinds, bodies, wide; /* bodies across */
  double speed, e_n, mu;
  bool drum;      /* the walls turn about the second axis */
  bool silo;      /* a hopper stands in the box */
  int start;      /* another place of each body, for each start */
  double angle;   /* of the drum at the start */
  double *state;  /* numbers of each body; NULL: at the start */
  int fails;      /* the rank on which scenery fails from now on; -1: none */
  bool leads_out; /* bodies out of overlap */
  int sweeps;     /* of these */
} scene;

static scene draw_scene(unsigned long long seed, int bodies) {
  scene s = {.fails = -1};
  for (int k = 0; k < 10; ++k) draw(&seed);
  s.kinds = 1 + (int)(draw(&seed) * most_kinds);
  s.bodies = bodies ? bodies : 1 + (int)(draw(&seed) * 80);
  s.wide = 2 + (int)(cbrt(s.bodies) * (0.8 + 0.4 * draw(&seed)));
  s.speed = draw(&seed);
  s.mu = draw(&seed) < 0.2 ? 0.0 : draw(&seed);
  s.drum = draw(&seed) < 0.5;
  s.e_n = draw(&seed) < 0.5 ? 0.0 : 0.5 * draw(&seed);
  return s;
}

static void make_kinds(nsds_mpi_kind *kind) {
  static nsds_shape_def shape[most_kinds];
  static double corner[12] = {1, 1, 1, 1, -1, -1, -1, 1, -1, -1, -1, 1};
  static const double mass = 0.01;
  for (int k = 0; k < 12; ++k) corner[k] = copysign(0.006, corner[k]);
  shape[0] = (nsds_shape_def){.kind = NSDS_SPHERE, .radius = radius};
  shape[1] = (nsds_shape_def){.kind = NSDS_BOX, .half = {0.008, 0.006, 0.005}};
  shape[2] = (nsds_shape_def){.kind = NSDS_CAPSULE, .radius = 0.005, .half = {0.005}};
  shape[3] = (nsds_shape_def){.kind = NSDS_HULL, .nvertex = 4, .vertex = corner};
  for (int k = 0; k < most_kinds; ++k) {
    kind[k] = (nsds_mpi_kind){.mass = mass, .nshape = 1, .shape = &shape[k]};
    for (int i = 0; i < 3; ++i)
      kind[k].inertia[4 * i] = mass * radius * radius * (k == 0 ? 0.4 : 0.3 + 0.05 * i);
  }
}

static int spin(const nsds_arguments *in, double *out, void *user) {
  (void)in, (void)user;
  for (int k = 0; k < 6; ++k) out[k] = k == 4 ? spin_speed : 0.0;
  return 0;
}

static double half_width(const scene *s) { return 1.3 * radius * s->wide; }

static nsds_status add_half_spaces(nsds_contact_set *set, const scene *s) {
  static const double normal[5][3] = {{0, 0, 1}, {1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}};
  for (int k = 0; k < 5; ++k) {
    nsds_shape_def shape = {.kind = NSDS_HALF_SPACE, .plane.offset = k == 0 ? 0.0 : -half_width(s)};
    memcpy(shape.plane.normal, normal[k], sizeof normal[k]);
    if (nsds_shapes_add(set, &shape) < 0) return NSDS_ERROR_ARGUMENT;
  }
  return NSDS_OK;
}

/* A box of plates that turns. */
static nsds_status add_drum(nsds_model *model, nsds_contact_set *set, const scene *s) {
  static const double unit[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  static const int all[6] = {0, 1, 2, 3, 4, 5};
  double half = half_width(s);
  const double q0[7] = {0, 0, half, cos(0.5 * s->angle), 0, sin(0.5 * s->angle), 0};
  nsds_ds *drum = nsds_rigid_body(
      model, &(nsds_rigid_body_def){.mass = 1.0,
                                    .inertia = unit,
                                    .q0 = q0,
                                    .prescribed = {.n = 6, .index = all, .fn = spin}});
  if (!drum) return NSDS_ERROR_ARGUMENT;
  for (int k = 0; k < 6; ++k) {
    nsds_shape_def plate = {
        .kind = NSDS_BOX, .ds = drum, .half = {1.4 * half, 1.4 * half, 1.4 * half}};
    plate.half[k / 2] = 0.2 * half;
    plate.position[k / 2] = (k % 2 ? 1.2 : -1.2) * half;
    if (nsds_shapes_add(set, &plate) < 0) return NSDS_ERROR_ARGUMENT;
  }
  return NSDS_OK;
}

/* Sides of the hopper are plates at 45 degrees, from the walls down to a square outlet. */
static double outlet_of(const scene *s) { return fmax(0.4 * half_width(s), 5.0 * radius); }
static double foot_of(const scene *s) { return half_width(s); }
static double brim_of(const scene *s) { return foot_of(s) + half_width(s) - outlet_of(s); }

static nsds_status add_silo(nsds_contact_set *set, const scene *s) {
  const double thick = radius, half = half_width(s), outlet = outlet_of(s), lean = sqrt(0.5);
  nsds_status status = add_half_spaces(set, s);
  for (int k = 0; !status && k < 4; ++k) {
    int across = k / 2;
    double sign = k % 2 ? -1.0 : 1.0, middle = 0.5 * (half + outlet) + thick * lean;
    nsds_shape_def plate = {.kind = NSDS_BOX, .half = {half, half, lean * (half - outlet)}};
    plate.half[across] = thick;
    plate.position[across] = sign * middle;
    plate.position[2] = 0.5 * (foot_of(s) + brim_of(s)) - thick * lean;
    plate.quaternion[0] = cos(0.125 * pi);
    plate.quaternion[across == 0 ? 2 : 1] = (across == 0 ? sign : -sign) * sin(0.125 * pi);
    if (nsds_shapes_add(set, &plate) < 0) status = NSDS_ERROR_ARGUMENT;
  }
  return status;
}

static nsds_status make_scenery(nsds_model *model, nsds_contact_set *set, void *user) {
  const scene *s = user;
  if (s->fails == rank)
    return nsds_report(nsds_model_context(model), NSDS_ERROR_CALLBACK, "no scenery today");
  if (s->silo) return add_silo(set, s);
  return s->drum ? add_drum(model, set, s) : add_half_spaces(set, s);
}

static const char *scene_name(const scene *s) {
  return s->silo ? "silo" : s->drum ? "drum" : "box";
}

static long long id_of(int k) { return 7LL * k + 3; }

/* Body k of the scene, in layers. */
static nsds_mpi_body body_of_scene(const scene *s, int k) {
  unsigned long long seed = 977ull * (unsigned long long)k + 13ull;
  seed += 1000003ull * (unsigned long long)s->start;
  int layer = k / (s->wide * s->wide), i = k / s->wide % s->wide, j = k % s->wide;
  nsds_mpi_body body = {.id = id_of(k), .kind = k % s->kinds, .size = 0.8 + 0.2 * draw(&seed)};
  double middle = 0.5 * (s->wide - 1), length = 0.0;
  body.q[0] = radius * (2.3 * (i - middle) + 0.2 * draw(&seed));
  body.q[1] = radius * (2.3 * (j - middle) + 0.2 * draw(&seed));
  body.q[2] = radius * (1.1 + 2.2 * layer + 0.1 * draw(&seed)) + (s->silo ? brim_of(s) : 0.0);
  for (int c = 3; c < 7; ++c) length = hypot(length, body.q[c] = draw(&seed) - 0.5);
  for (int c = 3; c < 7; ++c) body.q[c] /= length;
  for (int c = 0; c < 6; ++c) body.v[c] = (c < 3 ? 1.0 : 10.0) * s->speed * (draw(&seed) - 0.5);
  if (s->state) {
    memcpy(body.q, s->state + (ptrdiff_t)numbers * k, sizeof body.q);
    memcpy(body.v, s->state + (ptrdiff_t)numbers * k + 7, sizeof body.v);
  }
  return body;
}

/* The definition of a world. Bodies come from ranks by turns, in falling order. */
static nsds_mpi_world_def define_world(nsds_mpi *mpi, const scene *s, nsds_mpi_body *body) {
  static nsds_mpi_kind kind[most_kinds];
  static nsds_material material;
  int n = 0;
  make_kinds(kind);
  material = (nsds_material){.mu = s->mu, .e_n = s->e_n};
  for (int k = s->bodies - 1; k >= 0; --k)
    if (k % nsds_mpi_size(mpi) == nsds_mpi_rank(mpi)) body[n++] = body_of_scene(s, k);
  return (nsds_mpi_world_def){.h = step,
                              .gravity = {0, 0, -9.81},
                              .nmaterial = 1,
                              .material = &material,
                              .nkind = s->kinds,
                              .kind = kind,
                              .nbody = n,
                              .body = body,
                              .scenery = make_scenery,
                              .leads_out = s->leads_out,
                              .overlap_sweeps = s->sweeps,
                              .user = (void *)(uintptr_t)s};
}

static nsds_mpi_world *make_world(nsds_mpi *mpi, const scene *s, bool reproducible) {
  nsds_mpi_body *body = calloc((size_t)s->bodies + 1, sizeof *body);
  nsds_mpi_world_def def = define_world(mpi, s, body);
  def.reproducible = reproducible;
  nsds_mpi_world *world = nsds_mpi_world_create(mpi, &def);
  CHECK(world);
  free(body);
  return world;
}

/* Writes the states of all bodies of the world on all its processes. */
static void gather_world(const nsds_mpi_world *world, const scene *s, double *state,
                         MPI_Comm comm) {
  memset(state, 0, numbers * (size_t)s->bodies * sizeof *state);
  for (int k = 0; k < nsds_mpi_world_count(world); ++k) {
    nsds_mpi_body body;
    CHECK(nsds_mpi_world_body(world, k, &body) == NSDS_OK);
    double *at = state + numbers * ((body.id - 3) / 7);
    memcpy(at, body.q, sizeof body.q);
    memcpy(at + 7, body.v, sizeof body.v);
  }
  MPI_Allreduce(MPI_IN_PLACE, state, numbers * s->bodies, MPI_DOUBLE, MPI_SUM, comm);
}

/* ---- beside the serial model ---- */

typedef struct serial {
  nsds_context *context;
  nsds_model *model;
  nsds_simulation *simulation;
  nsds_ds **ds;
} serial;

static double around_of(const nsds_mpi_body *b) {
  static const double around[most_kinds] = {0.01, 0.01118033988749895, 0.01, 0.010392304845413264};
  return b->size * around[b->kind];
}

static void add_body(serial *t, nsds_contact_set *set, const scene *s, int k) {
  nsds_mpi_kind kind[most_kinds];
  nsds_mpi_body b = body_of_scene(s, k);
  double x = b.size, vertex[12];
  make_kinds(kind);
  nsds_mpi_kind of = kind[b.kind];
  for (int i = 0; i < 9; ++i) of.inertia[i] *= x * x * x * x * x;
  t->ds[k] = nsds_rigid_body(t->model, &(nsds_rigid_body_def){.mass = of.mass * x * x * x,
                                                              .inertia = of.inertia,
                                                              .q0 = b.q,
                                                              .v0 = b.v,
                                                              .gravity = {0, 0, -9.81},
                                                              .explicit_gyroscopic = true});
  nsds_shape_def shape = of.shape[0];
  shape.ds = t->ds[k];
  shape.radius *= x;
  for (int i = 0; i < 3; ++i) shape.half[i] *= x;
  for (int i = 0; shape.vertex && i < 12; ++i) vertex[i] = x * shape.vertex[i];
  if (shape.vertex) shape.vertex = vertex;
  CHECK(nsds_shapes_add(set, &shape) >= 0);
}

static serial make_serial(const scene *s) {
  serial t = {.context = nsds_context_create(NULL), .ds = malloc((size_t)s->bodies * sizeof *t.ds)};
  const nsds_material material = {.mu = s->mu, .e_n = s->e_n};
  double reach = 0.0;
  contexts[1] = t.context;
  for (int k = 0; k < s->bodies; ++k) {
    nsds_mpi_body b = body_of_scene(s, k);
    reach = fmax(reach, 0.1 * around_of(&b));
  }
  t.model = nsds_model_create(t.context);
  nsds_contact_set *set = nsds_shapes(
      t.model, &(nsds_shapes_def){.nmaterial = 1, .material = &material, .reach = reach});
  CHECK(make_scenery(t.model, set, (void *)(uintptr_t)s) == NSDS_OK);
  for (int k = 0; k < s->bodies; ++k) add_body(&t, set, s, k);
  t.simulation = nsds_time_stepping(
      t.model,
      &(nsds_time_stepping_def){.t1 = 1e3,
                                .h = step,
                                .overlap_sweeps = s->leads_out ? s->sweeps : NSDS_OVERLAP_STAYS,
                                .tolerance = tolerance});
  CHECK(t.simulation);
  return t;
}

static void free_serial(serial *t) {
  nsds_context_destroy(t->context);
  contexts[1] = NULL;
  free(t->ds);
}

static void read_serial(const serial *t, const scene *s, double *state) {
  for (int k = 0; k < s->bodies; ++k) {
    memcpy(state + numbers * (ptrdiff_t)k, nsds_q(t->ds[k]), 7 * sizeof *state);
    memcpy(state + numbers * (ptrdiff_t)k + 7, nsds_v(t->ds[k]), 6 * sizeof *state);
  }
}

/* Compares the sums of contact forces on each own body, with those of the serial model. */
static void compare_forces(const nsds_mpi_world *world, const serial *t, const scene *s) {
  double *sum = calloc(3 * (size_t)s->bodies, sizeof *sum), scale = 0.0;
  nsds_contact_info c;
  nsds_contact_iterator at = nsds_model_contacts(t->model);
  while (nsds_next_contact(&at, &c))
    for (int e = 0; e < 2 && c.ds[e]; ++e)
      for (int i = 0; i < 3; ++i) {
        int k = nsds_ds_index(c.ds[e]) - (s->drum ? 1 : 0);
        if (k >= 0) sum[3 * k + i] += (e == 0 ? 1.0 : -1.0) * c.world_impulse[i];
        scale = fmax(scale, fabs(c.world_impulse[i]));
      }
  for (int k = 0; k < nsds_mpi_world_count(world); ++k) {
    nsds_mpi_body body;
    nsds_mpi_world_body(world, k, &body);
    double force[3] = {0.0};
    const nsds_model *model = nsds_mpi_world_model(world);
    at = nsds_model_contacts(model);
    while (nsds_next_contact(&at, &c))
      for (int e = 0; e < 2 && c.ds[e]; ++e)
        if (memcmp(nsds_q(c.ds[e]), body.q, sizeof body.q) == 0)
          for (int i = 0; i < 3; ++i) force[i] += (e == 0 ? 1.0 : -1.0) * c.world_impulse[i];
    for (int i = 0; i < 3; ++i)
      CHECK(fabs(force[i] - sum[3 * ((body.id - 3) / 7) + i]) <= 1e-6 * scale);
  }
  free(sum);
}

/* Steps a serial model for a while, then both from its state. Without restitution a world needs no
 * memory of speeds before. Boxes and hulls share a load among several contacts with friction, which has
 * more than one solution: there one step is compared, more coarsely. */
static void compare_with_serial(nsds_mpi *mpi, scene s, int settle) {
  bool one = s.kinds == 1;
  int steps = one ? 10 : 1;
  double limit = one ? 10.0 * tolerance * meter : 1e-4 * step * meter;
  size_t count = numbers * (size_t)s.bodies;
  double *start = malloc(count * sizeof *start), *state = malloc(count * sizeof *state);
  double *other = malloc(count * sizeof *other), most = 0.0;
  s.e_n = 0.0;
  serial t = make_serial(&s);
  for (int k = 0; k < settle; ++k) CHECK(nsds_step(t.simulation) == NSDS_OK);
  read_serial(&t, &s, start);
  free_serial(&t);
  s.state = start;
  s.angle = spin_speed * step * settle;
  t = make_serial(&s);
  nsds_mpi_world *world = make_world(mpi, &s, false);
  for (int k = 0; k < steps; ++k) {
    CHECK(nsds_step(t.simulation) == NSDS_OK);
    CHECK(nsds_mpi_world_step(world) == NSDS_OK);
    CHECK(nsds_mpi_world_report(world)->solver.residual <= tolerance);
  }
  gather_world(world, &s, state, MPI_COMM_WORLD);
  read_serial(&t, &s, other);
  for (int b = 0; b < s.bodies; ++b)
    for (int i = 0; i < 3; ++i)
      most = fmax(most, fabs(state[numbers * b + i] - other[numbers * b + i]));
  const nsds_mpi_world_info *info = nsds_mpi_world_report(world);
  if (rank == 0 && getenv("NSDS_TEST_SHOW"))
    printf("%llu serial: %d bodies, %d kinds, %s, %lld contacts, %d sweeps%s, off %g\n", seed_now,
           s.bodies, s.kinds, scene_name(&s), info->contacts, info->solver.iterations,
           info->solver.gathered ? " and one process" : "", most);
  CHECK(info->contacts == nsds_simulation_info(t.simulation)->active);
  CHECK(most <= limit);
  if (one) compare_forces(world, &t, &s);
  nsds_mpi_world_destroy(world);
  free_serial(&t);
  free(start), free(state), free(other);
}

/* ---- much later ---- */

/* Height and energy of the mean body; the mean sum of normal forces on a body, and its deviation beside the mean. */
enum { figures = 4, unique_figures = 2 };
static const char *const figure_name[figures] = {"height [m]", "energy [J]", "force [N]",
                                                 "deviation of force"};

/* Adds the impulses of the contacts of a model to their bodies, which `place` finds; -1: no body. */
static void add_forces(const nsds_model *model, const int *place, double *force) {
  nsds_contact_info c;
  nsds_contact_iterator at = nsds_model_contacts(model);
  while (nsds_next_contact(&at, &c))
    for (int e = 0; e < 2 && c.ds[e]; ++e) {
      int k = place[nsds_ds_index(c.ds[e])];
      if (k >= 0) force[k] += fabs(c.impulse[0]) / step;
    }
}

/* Sums over bodies: height, energy, force, its square. */
static void sum_figures(const scene *s, int n, const int *which, const double *state,
                        const double *force, double *sum) {
  nsds_mpi_kind kind[most_kinds];
  make_kinds(kind);
  for (int k = 0; k < n; ++k) {
    const nsds_mpi_body b = body_of_scene(s, which[k]);
    const double *q = state + numbers * (ptrdiff_t)k, *v = q + 7, x = b.size;
    double m = kind[b.kind].mass * x * x * x, energy = 9.81 * m * q[2];
    for (int i = 0; i < 3; ++i)
      energy += 0.5 * (m * v[i] * v[i] +
                       kind[b.kind].inertia[4 * i] * x * x * x * x * x * v[3 + i] * v[3 + i]);
    sum[0] += q[2], sum[1] += energy, sum[2] += force[k], sum[3] += force[k] * force[k];
  }
}

static void finish_figures(const scene *s, double *sum) {
  for (int k = 0; k < figures; ++k) sum[k] /= s->bodies;
  sum[3] = sqrt(fmax(sum[3] - sum[2] * sum[2], 0.0)) / sum[2];
}

static void run_serial_later(const scene *s, int steps, double *sum) {
  serial t = make_serial(s);
  int base = s->drum ? 1 : 0, *which = malloc((size_t)(s->bodies + base) * sizeof *which),
      *place = malloc((size_t)(s->bodies + base) * sizeof *place);
  double *state = malloc(numbers * (size_t)s->bodies * sizeof *state);
  double *force = calloc((size_t)s->bodies, sizeof *force);
  for (int k = 0; k < steps; ++k) CHECK(nsds_step(t.simulation) == NSDS_OK);
  for (int k = 0; k < s->bodies; ++k) which[k] = k;
  for (int k = 0; k < s->bodies + base; ++k) place[k] = k - base;
  read_serial(&t, s, state);
  add_forces(t.model, place, force);
  sum_figures(s, s->bodies, which, state, force, sum);
  free_serial(&t);
  free(which), free(place), free(state), free(force);
}

/* Own bodies stand in the model by increasing identifiers, with copies of others between them. */
static void find_own_places(const nsds_mpi_world *world, int n, const double *state, int *place) {
  const nsds_model *model = nsds_mpi_world_model(world);
  int own = 0;
  for (int k = 0; k < nsds_ds_count(model); ++k) {
    const double *q = nsds_q(nsds_ds_at(model, k));
    bool same = own < n && memcmp(q, state + numbers * (ptrdiff_t)own, 7 * sizeof *q) == 0;
    place[k] = same ? own++ : -1;
  }
  CHECK(own == n);
}

static void run_world_later(nsds_mpi *mpi, const scene *s, int steps, double *sum) {
  nsds_mpi_world *world = make_world(mpi, s, false);
  for (int k = 0; k < steps; ++k) {
    CHECK(nsds_mpi_world_step(world) == NSDS_OK);
    CHECK(nsds_mpi_world_report(world)->solver.residual <= tolerance);
  }
  int n = nsds_mpi_world_count(world);
  const nsds_model *model = nsds_mpi_world_model(world);
  int *which = malloc((size_t)(n + 1) * sizeof *which);
  int *place = malloc((size_t)(model ? nsds_ds_count(model) : 0) * sizeof *place + 1);
  double *state = malloc(numbers * (size_t)(n + 1) * sizeof *state);
  double *force = calloc((size_t)n + 1, sizeof *force);
  for (int k = 0; k < n; ++k) {
    nsds_mpi_body body;
    CHECK(nsds_mpi_world_body(world, k, &body) == NSDS_OK);
    which[k] = (int)((body.id - 3) / 7);
    memcpy(state + numbers * (ptrdiff_t)k, body.q, sizeof body.q);
    memcpy(state + numbers * (ptrdiff_t)k + 7, body.v, sizeof body.v);
  }
  if (model) find_own_places(world, n, state, place), add_forces(model, place, force);
  sum_figures(s, n, which, state, force, sum);
  MPI_Allreduce(MPI_IN_PLACE, sum, figures, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  nsds_mpi_world_destroy(world);
  free(which), free(place), free(state), free(force);
}

/* Positions of two runs part with time, where spheres roll over each other. So means are compared: that of the
 * worlds must lie among the figures of the serial starts. Forces are only shown: with friction they are not unique, and
 * the two solvers find different ones. */
static void compare_later(nsds_mpi *mpi, scene s, int starts, int steps) {
  double least[figures], most[figures], mean[figures] = {0.0}, serial_mean[figures] = {0.0};
  s.e_n = 0.0;
  for (s.start = 0; s.start < starts; ++s.start) {
    double one[figures] = {0.0}, world[figures] = {0.0};
    if (rank == 0) run_serial_later(&s, steps, one);
    MPI_Bcast(one, figures, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    run_world_later(mpi, &s, steps, world);
    finish_figures(&s, one), finish_figures(&s, world);
    for (int k = 0; k < figures; ++k) {
      least[k] = s.start ? fmin(least[k], one[k]) : one[k];
      most[k] = s.start ? fmax(most[k], one[k]) : one[k];
      mean[k] += world[k] / starts, serial_mean[k] += one[k] / starts;
    }
  }
  for (int k = 0; k < figures; ++k) {
    if (rank == 0 && getenv("NSDS_TEST_SHOW"))
      printf("%s, %d bodies, %d steps, %d starts: %s %.6g, serial %.6g, from %.6g to %.6g\n",
             scene_name(&s), s.bodies, steps, starts, figure_name[k], mean[k], serial_mean[k],
             least[k], most[k]);
    fflush(stdout);
    CHECK(k >= unique_figures || (mean[k] >= least[k] && mean[k] <= most[k]));
  }
}

/* ---- bits ---- */

/* Compares a motion on all processes with the one of a process alone. */
static void compare_bits(nsds_mpi *mpi, const scene *s, int steps) {
  size_t bytes = numbers * (size_t)s->bodies * sizeof(double);
  double *state = malloc(bytes), *alone = malloc(bytes);
  MPI_Comm self = MPI_COMM_SELF;
  contexts[1] = nsds_context_create(NULL);
  nsds_mpi *one = nsds_mpi_create(contexts[1], &self);
  nsds_mpi_world *world = make_world(mpi, s, true), *single = make_world(one, s, true);
  int gathered = 0, own = 0;
  for (int k = 0; k < steps; ++k) {
    CHECK(nsds_mpi_world_step(world) == NSDS_OK);
    CHECK(nsds_mpi_world_step(single) == NSDS_OK);
    gathered += nsds_mpi_world_report(world)->solver.gathered;
    if (k % 10 != 9 && k + 1 != steps) continue;
    gather_world(world, s, state, MPI_COMM_WORLD);
    gather_world(single, s, alone, MPI_COMM_SELF);
    CHECK(memcmp(state, alone, bytes) == 0);
  }
  const nsds_mpi_world_info *info = nsds_mpi_world_report(world);
  own = info->bodies;
  MPI_Allreduce(MPI_IN_PLACE, &own, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  CHECK(own == s->bodies && info->steps == steps && info->rebuilds >= 1);
  if (rank == 0 && getenv("NSDS_TEST_SHOW"))
    printf("%llu bits: %d of %d bodies, %d ghosts, %lld of %lld contacts, %ld rebuilds, %d steps "
           "gathered, busiest %.3f\n",
           seed_now, info->bodies, s->bodies, info->ghosts, info->own_contacts, info->contacts,
           info->rebuilds, gathered, info->busiest);
  nsds_mpi_world_destroy(world);
  nsds_mpi_world_destroy(single);
  nsds_mpi_destroy(one);
  nsds_context_destroy(contexts[1]);
  contexts[1] = NULL;
  free(state), free(alone);
}

/* ---- snapshots ---- */

/* Makes a folder that all processes know. */
static void make_folder(char *folder, size_t length) {
  if (rank == 0) {
    const char *base = getenv("TMPDIR");
    snprintf(folder, length, "%s/nsds_world_XXXXXX", base ? base : "/tmp");
    CHECK(mkdtemp(folder));
  }
  MPI_Bcast(folder, (int)length, MPI_CHAR, 0, MPI_COMM_WORLD);
}

static void empty_folder(const char *folder) {
  char command[600];
  MPI_Barrier(MPI_COMM_WORLD);
  snprintf(command, sizeof command, "rm -rf '%s'", folder);
  CHECK(rank != 0 || system(command) == 0);
}

/* Loads a snapshot, steps on, and compares the bits. */
static void go_on_from(nsds_mpi *mpi, const scene *s, const char *path, int from, int steps,
                       const double *expected) {
  size_t bytes = numbers * (size_t)s->bodies * sizeof(double);
  double *state = malloc(bytes);
  scene empty = *s;
  empty.bodies = 0;
  nsds_mpi_world *world = make_world(mpi, &empty, true);
  CHECK(nsds_mpi_world_load(world, path) == NSDS_OK);
  CHECK(nsds_mpi_world_report(world)->steps == from);
  CHECK(fabs(nsds_mpi_world_time(world) - step * from) <= 1e-12);
  for (int k = 0; k < steps; ++k) CHECK(nsds_mpi_world_step(world) == NSDS_OK);
  gather_world(world, s, state, nsds_mpi_size(mpi) == 1 ? MPI_COMM_SELF : MPI_COMM_WORLD);
  CHECK(memcmp(state, expected, bytes) == 0);
  nsds_mpi_world_destroy(world);
  free(state);
}

/* Runs that go on from a snapshot, on as many processes and on one, have the bits of the run that has
 * written it. A disk that is full on one process leaves the old snapshot. */
static void go_on(nsds_mpi *mpi, const scene *s, int steps) {
  char folder[256], path[300], part[400];
  size_t bytes = numbers * (size_t)s->bodies * sizeof(double);
  double *state = malloc(bytes);
  MPI_Comm self = MPI_COMM_SELF;
  make_folder(folder, sizeof folder);
  snprintf(path, sizeof path, "%s/world", folder);
  nsds_mpi_world *world = make_world(mpi, s, true);
  CHECK(nsds_mpi_world_load(world, path) == NSDS_ERROR_FORMAT);
  nsds_error_clear(contexts[0]);
  for (int k = 0; k < steps; ++k) {
    if (k == steps / 4) CHECK(nsds_mpi_world_save(world, path) == NSDS_OK);
    if (k == steps / 2) CHECK(nsds_mpi_world_save(world, path) == NSDS_OK);
    if (k == steps / 2) CHECK(nsds_mpi_world_save(world, path) == NSDS_OK);
    CHECK(nsds_mpi_world_step(world) == NSDS_OK);
  }
  gather_world(world, s, state, MPI_COMM_WORLD);
  snprintf(part, sizeof part, "%s.%d.%d", path, steps / 4, rank);
  CHECK(access(part, F_OK) != 0); /* the first snapshot is gone */
  snprintf(part, sizeof part, "%s.%d.%d", path, steps, rank);
  if (rank == size - 1) CHECK(symlink("/dev/full", part) == 0);
  CHECK(nsds_mpi_world_save(world, path) == NSDS_ERROR_IO);
  CHECK(strstr(nsds_error_message(contexts[0]), "cannot be written: No space left"));
  nsds_error_clear(contexts[0]);
  CHECK(access(part, F_OK) != 0);
  go_on_from(mpi, s, path, steps / 2, steps - steps / 2, state);
  contexts[1] = nsds_context_create(NULL);
  nsds_mpi *one = nsds_mpi_create(contexts[1], &self);
  go_on_from(one, s, path, steps / 2, steps - steps / 2, state);
  nsds_mpi_destroy(one);
  nsds_context_destroy(contexts[1]);
  contexts[1] = NULL;
  snprintf(part, sizeof part, "%s.%d.%d", path, steps / 2, size - 1);
  if (rank == 0) CHECK(truncate(part, 40) == 0);
  MPI_Barrier(MPI_COMM_WORLD);
  CHECK(nsds_mpi_world_load(world, path) == NSDS_ERROR_FORMAT);
  nsds_error_clear(contexts[0]);
  nsds_mpi_world_destroy(world);
  empty_folder(folder);
  free(state);
}

/* The pieces of ParaView's files have all bodies. */
static void write_pieces(nsds_mpi *mpi) {
  char folder[256], path[300], name[400], line[200];
  scene s = {.kinds = 2, .bodies = 17, .wide = 3, .fails = -1};
  make_folder(folder, sizeof folder);
  snprintf(path, sizeof path, "%s/view", folder);
  nsds_mpi_world *world = make_world(mpi, &s, true);
  CHECK(nsds_mpi_world_write_vtk(world, path, 3) == NSDS_OK);
  CHECK(nsds_mpi_world_write_vtk(world, "", 3) == NSDS_ERROR_ARGUMENT);
  nsds_error_clear(contexts[0]);
  int points = 0, pieces = 0;
  for (int r = 0; r < size; ++r) {
    int n = 0;
    snprintf(name, sizeof name, "%s_000003_%d.vtp", path, r);
    FILE *file = fopen(name, "r");
    CHECK(file);
    while (fgets(line, sizeof line, file))
      if (sscanf(line, "<Piece NumberOfPoints=\"%d\"", &n) == 1) points += n;
    fclose(file);
  }
  snprintf(name, sizeof name, "%s_000003.pvtp", path);
  FILE *file = fopen(name, "r");
  CHECK(file);
  while (fgets(line, sizeof line, file)) pieces += strncmp(line, "<Piece Source=", 14) == 0;
  fclose(file);
  CHECK(points == s.bodies && pieces == size);
  nsds_mpi_world_destroy(world);
  empty_folder(folder);
}

/* ---- faults ---- */

static bool says(const char *part) {
  bool found = strstr(nsds_error_message(contexts[0]), part) != NULL;
  nsds_error_clear(contexts[0]);
  return found;
}

/* A definition that is wrong on the last rank fails everywhere, with its message. */
static void refuse_definitions(nsds_mpi *mpi) {
  scene s = {.kinds = 1, .bodies = 12, .wide = 3, .fails = -1};
  nsds_mpi_body body[16];
  bool last = rank == size - 1;
  nsds_mpi_world_def def = define_world(mpi, &s, body);
  if (last) body[def.nbody - 1].id = id_of(s.bodies - 1 - (size > 1 ? 0 : 1)); /* that of another */
  if (last && size == 1) body[def.nbody - 1].id = body[0].id;
  CHECK(!nsds_mpi_world_create(mpi, &def) && says("identifier"));
  def = define_world(mpi, &s, body);
  if (last) def.h = 2.0 * step;
  if (size > 1) CHECK(!nsds_mpi_world_create(mpi, &def) && says("def.h is"));
  def = define_world(mpi, &s, body);
  if (last) def.reserved[2] = 1;
  CHECK(!nsds_mpi_world_create(mpi, &def) && says("def.reserved[2] is not zero"));
  def = define_world(mpi, &s, body);
  if (last) body[0].kind = 1;
  CHECK(!nsds_mpi_world_create(mpi, &def) && says("kind has 1"));
  def = define_world(mpi, &s, body);
  nsds_material rolls = {.mu_rolling = 0.1};
  if (last) def.material = &rolls;
  CHECK(!nsds_mpi_world_create(mpi, &def) && says("mu_rolling is 0.1"));
  def = define_world(mpi, &s, body);
  if (last) def.overlap_sweeps = 1001;
  CHECK(!nsds_mpi_world_create(mpi, &def) && says("def.overlap_sweeps is 1001"));
  s.fails = size - 1;
  def = define_world(mpi, &s, body);
  CHECK(!nsds_mpi_world_create(mpi, &def) && says("no scenery today"));
}

/* Scenery that fails on one rank when the halo is made anew: nothing has changed, and the step works
 * once the scenery does. */
static void fail_in_a_step(nsds_mpi *mpi) {
  scene s = draw_scene(5, 30);
  size_t bytes = numbers * (size_t)s.bodies * sizeof(double);
  double *before = malloc(bytes), *after = malloc(bytes);
  s.speed = 5.0;
  nsds_mpi_world *world = make_world(mpi, &s, true);
  int failures = 0;
  for (int k = 0; k < 40; ++k) {
    s.fails = size - 1;
    gather_world(world, &s, before, MPI_COMM_WORLD);
    nsds_status status = nsds_mpi_world_step(world);
    if (status) {
      ++failures;
      CHECK(status == NSDS_ERROR_CALLBACK && says("no scenery today"));
      gather_world(world, &s, after, MPI_COMM_WORLD);
      CHECK(memcmp(before, after, bytes) == 0);
      s.fails = -1;
      CHECK(nsds_mpi_world_step(world) == NSDS_OK);
    }
  }
  CHECK(failures > 0);
  nsds_mpi_world_destroy(world);
  free(before), free(after);
}

/* A body that leaves, until its velocity is no number: the step fails on all. */
static void lose_a_body(nsds_mpi *mpi) {
  scene s = {.kinds = 2, .bodies = 20, .wide = 3, .mu = 0.3, .fails = -1};
  double *state = calloc(numbers * (size_t)s.bodies, sizeof *state);
  for (int k = 0; k < s.bodies; ++k) {
    nsds_mpi_body b = body_of_scene(&s, k);
    memcpy(state + numbers * k, b.q, sizeof b.q);
    memcpy(state + numbers * k + 7, b.v, sizeof b.v);
  }
  s.state = state;
  state[numbers * 19 + 7 + 2] = 1e4; /* up */
  nsds_mpi_world *world = make_world(mpi, &s, true);
  for (int k = 0; k < 20; ++k) CHECK(nsds_mpi_world_step(world) == NSDS_OK);
  nsds_mpi_world_destroy(world);
  state[numbers * 19 + 7 + 2] = 1.7e308;
  nsds_mpi_body *body = calloc((size_t)s.bodies + 1, sizeof *body);
  nsds_mpi_world_def def = define_world(mpi, &s, body);
  world = nsds_mpi_world_create(mpi, &def);
  nsds_status status = NSDS_OK;
  for (int k = 0; world && !status && k < 2000; ++k) status = nsds_mpi_world_step(world);
  CHECK(!world || status < 0);
  nsds_error_clear(contexts[0]);
  nsds_mpi_world_destroy(world);
  free(state), free(body);
}

/* One body among many that is larger than what a process has, and bodies that one process brings. */
static void take_odd_bodies(nsds_mpi *mpi) {
  scene s = {.kinds = 1, .bodies = 30, .wide = 4, .mu = 0.3, .fails = -1};
  nsds_mpi_body body[32];
  int n = 0;
  nsds_mpi_world_def def = define_world(mpi, &s, body);
  for (int k = 0; rank == 0 && k < s.bodies; ++k) {
    body[n] = body_of_scene(&s, k);
    if (k == 29) body[n].size = 10.0, body[n].q[2] = 0.3;
    ++n;
  }
  def.nbody = n;
  def.reproducible = true;
  nsds_mpi_world *world = nsds_mpi_world_create(mpi, &def);
  CHECK(world);
  for (int k = 0; k < 30; ++k) CHECK(nsds_mpi_world_step(world) == NSDS_OK);
  CHECK(nsds_mpi_world_report(world)->contacts > 0);
  int own = nsds_mpi_world_count(world), most = own;
  MPI_Allreduce(&own, &most, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  CHECK(size == 1 || most < 30);
  nsds_mpi_world_destroy(world);
}

/* No body at all, and one. */
static void take_few_bodies(nsds_mpi *mpi) {
  for (int bodies = 0; bodies < 2; ++bodies) {
    scene s = {.kinds = 1, .bodies = bodies, .wide = 2, .fails = -1};
    nsds_mpi_world *world = make_world(mpi, &s, true);
    for (int k = 0; k < 60; ++k) CHECK(nsds_mpi_world_step(world) == NSDS_OK);
    CHECK(fabs(nsds_mpi_world_time(world) - 60 * step) < 1e-12);
    CHECK(nsds_mpi_world_report(world)->contacts == bodies);
    nsds_mpi_world_destroy(world);
  }
}

/* Spheres that run out of a silo. */
static void empty_a_silo(nsds_mpi *mpi) {
  scene s = draw_scene(seed_now = 494, 60);
  s.silo = true, s.drum = false;
  compare_with_serial(mpi, s, 120);
  compare_bits(mpi, &s, 150);
}

static void check_the_rest(nsds_mpi *mpi) {
  empty_a_silo(mpi);
  write_pieces(mpi);
  refuse_definitions(mpi);
  fail_in_a_step(mpi);
  lose_a_body(mpi);
  take_odd_bodies(mpi);
  take_few_bodies(mpi);
}

int main(int argc, char **argv) {
  int draws = argc > 1 ? atoi(argv[1]) : 5, first = argc > 2 ? atoi(argv[2]) : 1;
  int steps = argc > 3 ? atoi(argv[3]) : 40, bodies = argc > 4 ? atoi(argv[4]) : 0;
  const char *only = argc > 5 ? argv[5] : "";
  bool all = !only[0], serial_too = all || !strcmp(only, "serial"),
       bits_too = all || !strcmp(only, "bits");
  bool silo = argc > 6 && !strcmp(argv[6], "silo");
  alarm(only[0] ? 100000 : argc > 1 ? 3000 : 300);
  contexts[0] = nsds_context_create(NULL);
  nsds_mpi *mpi = nsds_mpi_create(contexts[0], NULL);
  rank = nsds_mpi_rank(mpi), size = nsds_mpi_size(mpi);
  if (!strcmp(only, "later")) {
    scene s = draw_scene(seed_now = (unsigned long long)first, bodies);
    s.silo = silo, s.drum = s.drum && !silo;
    compare_later(mpi, s, draws, steps);
    draws = 0;
  }
  for (int k = first; k < first + draws; ++k) {
    seed_now = (unsigned long long)k;
    scene s = draw_scene(seed_now, bodies);
    s.silo = silo, s.drum = s.drum && !silo;
    scene out = s; /* spheres with friction: forces, which the correction looks at, are unique */
    out.leads_out = true, out.kinds = 1, out.mu = fmax(s.mu, 0.2);
    if (serial_too) compare_with_serial(mpi, s, steps);
    if (serial_too && all && s.bodies <= 60) compare_with_serial(mpi, out, steps);
    out.kinds = s.kinds, out.sweeps = k % 4 == 3 ? 8 : 0;
    if (bits_too) compare_bits(mpi, k % 2 ? &out : &s, steps);
    if (all && k < first + 2) go_on(mpi, k % 2 ? &out : &s, steps);
  }
  seed_now = 0;
  if (all) check_the_rest(mpi);
  nsds_mpi_destroy(mpi);
  nsds_context_destroy(contexts[0]);
  return 0;
}
