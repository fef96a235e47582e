/*
 * Spheres in a drum that turns, on many processes. The drum is a hull of SIDES plates between two walls, and
 * turns about the second axis. Each process brings a share of the spheres; the world gives each sphere to the
 * process that has its part of space. The program prints how the steps went, and the energy of the spheres.
 *
 *     mpirun -n 2 drum_mpi [SPHERES [STEPS [SNAPSHOT]]]
 *
 * SNAPSHOT is the path of a snapshot: the program goes on from it if it is there, and writes it at the end.
 */
#include <nsds/mpi_world.h>
#include <nsds/nsds.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { sides = 24, velocities = 6 };
static const double pi = 3.14159265358979324, radius = 0.01, density = 2500.0, step = 1e-3;
static const double speed = 1.0; /* of the drum, rad/s */

/* Radius and half length of the drum. */
typedef struct drum {
  double radius, half;
} drum;

static int turn_drum(const nsds_arguments *in, double *out, void *user) {
  (void)in, (void)user;
  for (int k = 0; k < velocities; ++k) out[k] = k == 4 ? speed : 0.0;
  return 0;
}

/* Adds the drum: a body with all velocities prescribed, with a box for each plate and wall. */
static nsds_status make_drum(nsds_model *model, nsds_contact_set *set, void *user) {
  static const double unit[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  static const int all[velocities] = {0, 1, 2, 3, 4, 5};
  const drum *d = user;
  const double thick = 2.0 * radius;
  nsds_ds *body = nsds_rigid_body(
      model,
      &(nsds_rigid_body_def){.name = "drum",
                             .mass = 1.0,
                             .inertia = unit,
                             .prescribed = {.n = velocities, .index = all, .fn = turn_drum}});
  if (!body) return NSDS_ERROR_ARGUMENT;
  for (int k = 0; k < sides + 2; ++k) {
    double angle = 2.0 * pi * k / sides, away = d->radius + thick;
    nsds_shape_def plate = {.kind = NSDS_BOX, .ds = body};
    if (k < sides) {
      plate.half[0] = thick, plate.half[1] = d->half, plate.half[2] = 1.1 * pi * away / sides;
      plate.position[0] = away * cos(angle), plate.position[2] = away * sin(angle);
      plate.quaternion[0] = cos(0.5 * angle), plate.quaternion[2] = -sin(0.5 * angle);
    } else {
      plate.half[0] = plate.half[2] = 1.2 * away, plate.half[1] = thick;
      plate.position[1] = (k == sides ? 1.0 : -1.0) * (d->half + thick);
    }
    if (nsds_shapes_add(set, &plate) < 0) return NSDS_ERROR_ARGUMENT;
  }
  return NSDS_OK;
}

/* Sphere k of a grid in the drum; returns false if it lies outside. */
static bool place_sphere(const drum *d, int k, int across, double *x) {
  int wide = (int)(2.0 * d->half / (2.1 * radius));
  int j = k % wide, i = k / wide % across, layer = k / wide / across;
  x[0] = (i - 0.5 * (across - 1)) * 2.1 * radius + 0.01 * radius * (k % 7);
  x[1] = (j - 0.5 * (wide - 1)) * 2.1 * radius;
  x[2] = (layer - 0.5 * (across - 1)) * 2.1 * radius;
  return hypot(x[0], x[2]) < d->radius - 1.2 * radius;
}

/* Makes every size-th sphere, beginning with that of the rank. */
static int make_spheres(const drum *d, int spheres, int rank, int size, nsds_mpi_body *body) {
  int across = (int)(d->radius / radius), n = 0;
  for (int k = 0, found = 0; found < spheres; ++k) {
    double x[3];
    if (!place_sphere(d, k, across, x) || found++ % size != rank) continue;
    body[n] = (nsds_mpi_body){.id = found, .size = 0.8 + 0.05 * (found % 5)};
    for (int i = 0; i < 3; ++i) body[n].q[i] = x[i];
    ++n;
  }
  return n;
}

/* Energy of the spheres of all processes, against the height 0. */
static double energy_of(nsds_mpi *mpi, const nsds_mpi_world *world) {
  double energy = 0.0, mass = 4.0 / 3.0 * pi * radius * radius * radius * density;
  for (int k = 0; k < nsds_mpi_world_count(world); ++k) {
    nsds_mpi_body b;
    if (nsds_mpi_world_body(world, k, &b)) break;
    double m = mass * b.size * b.size * b.size, J = 0.4 * m * b.size * b.size * radius * radius;
    energy += m * 9.81 * b.q[2];
    for (int i = 0; i < velocities; ++i) energy += 0.5 * (i < 3 ? m : J) * b.v[i] * b.v[i];
  }
  nsds_mpi_total(mpi, 1, &energy);
  return energy;
}

static nsds_status run(nsds_mpi *mpi, nsds_mpi_world *world, int steps) {
  nsds_status status = NSDS_OK;
  for (int k = 1; !status && k <= steps; ++k) {
    status = nsds_mpi_world_step(world);
    if (status || (k % 50 != 0 && k != steps)) continue;
    const nsds_mpi_world_info *info = nsds_mpi_world_report(world);
    double energy = energy_of(mpi, world);
    if (nsds_mpi_rank(mpi) == 0)
      printf("t = %.3f: %lld contacts, %d sweeps, residual %.1e, busiest %.2f of the mean, "
             "energy %.9f J\n",
             nsds_mpi_world_time(world), info->contacts, info->solver.iterations,
             info->solver.residual, info->busiest, energy);
  }
  return status;
}

/* Goes on from a snapshot if there is one, steps, and writes one. */
static nsds_status run_all(nsds_mpi *mpi, nsds_mpi_world *world, int steps, const char *path) {
  FILE *there = path ? fopen(path, "r") : NULL;
  nsds_status status = there ? nsds_mpi_world_load(world, path) : NSDS_OK;
  if (there) fclose(there);
  if (!status) status = run(mpi, world, steps);
  return !status && path ? nsds_mpi_world_save(world, path) : status;
}

int main(int argc, char **argv) {
  int spheres = argc > 1 ? atoi(argv[1]) : 300, steps = argc > 2 ? atoi(argv[2]) : 200;
  nsds_context *context = nsds_context_create(NULL);
  nsds_mpi *mpi = nsds_mpi_create(context, NULL);
  if (!mpi || spheres < 1 || spheres > 10000000 || steps < 0) {
    fprintf(stderr, "usage: drum_mpi [SPHERES [STEPS [SNAPSHOT]]]; %s\n",
            nsds_error_message(context));
    return 1;
  }
  drum d = {.radius = 2.2 * radius * cbrt(spheres), .half = 1.1 * radius * cbrt(spheres)};
  double mass = 4.0 / 3.0 * pi * radius * radius * radius * density,
         J = 0.4 * mass * radius * radius;
  nsds_shape_def sphere = {.kind = NSDS_SPHERE, .radius = radius};
  nsds_mpi_kind kind = {
      .mass = mass, .inertia = {J, 0, 0, 0, J, 0, 0, 0, J}, .nshape = 1, .shape = &sphere};
  nsds_material material = {.mu = 0.5};
  int rank = nsds_mpi_rank(mpi), size = nsds_mpi_size(mpi);
  nsds_mpi_body *body = malloc(((size_t)spheres / (size_t)size + 1) * sizeof *body);
  nsds_status status = nsds_mpi_agree(mpi, body ? NSDS_OK : NSDS_ERROR_MEMORY);
  nsds_mpi_world_def def = {.h = step,
                            .gravity = {0, 0, -9.81},
                            .nmaterial = 1,
                            .material = &material,
                            .nkind = 1,
                            .kind = &kind,
                            .body = body,
                            .scenery = make_drum,
                            .user = &d,
                            .reproducible = true};
  if (body) def.nbody = make_spheres(&d, spheres, rank, size, body);
  nsds_mpi_world *world = status ? NULL : nsds_mpi_world_create(mpi, &def);
  free(body);
  if (world) status = run_all(mpi, world, steps, argc > 3 ? argv[3] : NULL);
  else status = NSDS_ERROR_ARGUMENT;
  if (status) fprintf(stderr, "rank %d: %s\n", rank, nsds_error_message(context));
  else printf("process %d: %d spheres\n", rank, nsds_mpi_world_count(world));
  nsds_mpi_world_destroy(world);
  nsds_mpi_destroy(mpi);
  nsds_context_destroy(context);
  return status ? 1 : 0;
}
