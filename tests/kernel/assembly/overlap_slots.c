/*
 * Bodies between walls that are too close to each other stay where they are. No displacement leads
 * them out of overlap, and the correction of overlap must not look for one.
 *
 *   kernel_overlap_slots [--count N] [--seed S]
 *
 * Draws a sphere, box, capsule or hull in a slot. The slot has any direction, is parallel or
 * narrows, and the walls are half spaces, big boxes or plates on rails that forces press together.
 * The body falls along the slot or floats, with or without a floor. Across the slot it may move by
 * its overlap, and by at most 600 overlaps where the slot narrows. The first draw is the ball that
 * was thrown out by 1e10 m.
 */
#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { sphere, box, capsule, hull, kinds };
typedef enum walls { half_spaces, big_boxes, plates, sorts } walls;

static const double pi = 3.14159265358979323846;
static const double size = 0.1; /* of a body, from its middle to a wall */

typedef struct draw {
  int seed, kind;
  walls walls;
  double overlap, narrows, angle, g, v, mu, e, h, press;
  bool floor;
} draw;

static draw draw_one(int seed, uint64_t *state) {
  draw d = {.seed = seed, .kind = seed % kinds, .overlap = 1e-7, .v = -1.0, .h = 1e-3};
  d.floor = true;
  d.mu = 0.3;
  *state = 0x9e3779b97f4a7c15u * (uint64_t)(seed + 1);
  for (int k = 0; k < 8; ++k) random_in(state, 0.0, 1.0);
  if (seed == 0) return d;
  d.walls = (walls)random_in(state, 0.0, (double)sorts);
  d.overlap = pow(10.0, random_in(state, -9.0, -3.0));
  d.narrows = random_in(state, 0.0, 1.0) < 0.5 ? 0.0 : pow(10.0, random_in(state, -12.0, -2.0));
  d.angle = random_in(state, 0.0, 1.0) < 0.5 ? 0.0 : random_in(state, 0.0, 6.2);
  d.g = random_in(state, 0.0, 1.0) < 0.5 ? 0.0 : 9.81;
  d.v = random_in(state, 0.0, 1.0) < 0.5 ? 0.0 : -1.0;
  d.mu = random_in(state, 0.0, 0.8);
  d.e = random_in(state, 0.0, 1.0) < 0.5 ? 0.0 : random_in(state, 0.0, 0.6);
  d.h = random_in(state, 0.0, 1.0) < 0.5 ? 1e-3 : 2e-4;
  d.press = random_in(state, 1.0, 10.0);
  d.floor = random_in(state, 0.0, 1.0) < 0.5;
  return d;
}

/* A shape whose normal is `across`, turned by an angle, and that begins at a distance. */
static nsds_shape_def wall_at(const draw *d, double angle, double distance) {
  double n[2] = {cos(angle), sin(angle)};
  if (d->walls == half_spaces)
    return (nsds_shape_def){.kind = NSDS_HALF_SPACE, .plane = {{-n[0], -n[1]}, -distance}};
  double away = distance + 0.5;
  return (nsds_shape_def){
      .kind = NSDS_BOX, .half = {0.5, 3.0}, .position = {away * n[0], away * n[1]}, .angle = angle};
}

/* A plate that slides across the slot and is pressed to its middle. */
static nsds_shape_def plate_at(nsds_model *model, const draw *d, double angle, double distance) {
  double n[3] = {cos(angle), sin(angle), 0.0}, away = distance + 0.05;
  const double q[] = {away * n[0], away * n[1], angle}, f[] = {-d->press * n[0], -d->press * n[1]};
  nsds_ds *ds =
      nsds_rigid_body_2d(model, &(nsds_rigid_body_2d_def){.mass = 1.0, .inertia = 1.0, .q0 = q});
  nsds_set_body_force(ds, f, NULL, NSDS_FRAME_WORLD);
  nsds_joint_def rail = {.kind = NSDS_JOINT_PRISMATIC, .ds = {ds}, .axis = {n[0], n[1], 0.0}};
  nsds_connect(model, nsds_joint(model, &rail), nsds_equality(model), 1, &ds);
  return (nsds_shape_def){.kind = NSDS_BOX, .ds = ds, .half = {0.05, 0.5}};
}

static nsds_shape_def body_shape(const draw *d, nsds_ds *ds) {
  static const double corner[] = {-0.1, -0.15, 0.1, -0.15, 0.1, 0.15, -0.1, 0.15, 0.0, 0.2};
  nsds_shape_def s = {.kind = NSDS_SPHERE, .ds = ds, .radius = size};
  if (d->kind == box) s = (nsds_shape_def){.kind = NSDS_BOX, .ds = ds, .half = {size, 0.15}};
  if (d->kind == hull)
    s = (nsds_shape_def){.kind = NSDS_HULL, .ds = ds, .nvertex = 5, .vertex = corner};
  if (d->kind == capsule)
    s = (nsds_shape_def){
        .kind = NSDS_CAPSULE, .ds = ds, .radius = size, .half = {0.2}, .angle = 0.5 * pi};
  return s;
}

/* Returns how far the body goes across the slot [m]; INFINITY: a step fails. */
static double moved_across(const draw *d) {
  double c = cos(d->angle), s = sin(d->angle), most = 0.0;
  const double q[] = {0.0, 0.0, d->angle}, v[] = {-s * d->v, c * d->v, 0.0};
  nsds_model *model = nsds_model_create(NULL);
  nsds_ds *body = nsds_rigid_body_2d(
      model, &(nsds_rigid_body_2d_def){
                 .mass = 1.0, .inertia = 0.01, .q0 = q, .v0 = v, .gravity = {s * d->g, -c * d->g}});
  nsds_shape_def shape[4] = {body_shape(d, body)};
  int count = 1;
  for (int side = 0; side < 2; ++side) {
    double to = d->angle + side * pi + (side ? -0.5 : 0.5) * d->narrows;
    shape[count++] = d->walls == plates ? plate_at(model, d, to, size - d->overlap)
                                        : wall_at(d, to, size - d->overlap);
  }
  if (d->floor)
    shape[count++] = (nsds_shape_def){.kind = NSDS_HALF_SPACE, .plane = {{-s, c}, -0.35}};
  nsds_law *law = nsds_newton_impact_friction(
      model, &(nsds_newton_impact_friction_def){.dimension = 2, .mu = d->mu, .e_n = d->e});
  nsds_shapes(model,
              &(nsds_shapes_def){.dimension = 2, .law = law, .nshape = count, .shape = shape});
  nsds_simulation *simulation =
      nsds_time_stepping(model, &(nsds_time_stepping_def){.t1 = 0.2, .h = d->h});
  assert_sound(model);
  nsds_status status = NSDS_OK;
  while (status == NSDS_OK) {
    const double *at = nsds_q(body);
    most = fmax(most, fabs(c * at[0] + s * at[1]));
    most = fmax(most, fabs(at[2] - d->angle) * size);
    status = nsds_step(simulation);
  }
  if (status < 0) print_message("%s\n", nsds_last_message(nsds_model_context(model)));
  nsds_model_destroy(model);
  return status < 0 ? INFINITY : most;
}

static int count = 100, first = 0;

static void bodies_in_slots_stay(void **unused) {
  (void)unused;
  int wrong = 0;
  for (int k = first; k < first + count; ++k) {
    uint64_t state;
    draw d = draw_one(k, &state);
    double moved = moved_across(&d), most = (d.narrows > 0.0 ? 600.0 : 2.0) * d.overlap;
    if (d.walls == plates)
      most += d.narrows * size; /* plates that are not parallel turn the body */
    if (moved <= most + 1e-12) continue;
    ++wrong;
    print_message("seed %d: kind %d, walls %d, overlap %.3g, narrows %.3g, angle %.3g, g %g, v %g, "
                  "mu %.3g, e %.3g, h %g, press %.3g, floor %d: moved %.3g\n",
                  k, d.kind, (int)d.walls, d.overlap, d.narrows, d.angle, d.g, d.v, d.mu, d.e, d.h,
                  d.press, d.floor, moved);
  }
  print_message("             %d drawn, %d wrong\n", count, wrong);
  assert_int_equal(wrong, 0);
}

/* Returns how far a box on a floor slides when a spinning ball has hit it from above. The ball stays at
 * x = `at`, left of the middle. Its friction can neither push the box along nor tip it over. */
static double crept(double at, double speed, double h) {
  nsds_model *model = nsds_model_create(NULL);
  const double q[] = {0.0, size, 0.0}, above[] = {at, 2.0 * size + 0.05 + 1e-3, 0.0};
  const double v[] = {0.0, -speed, 20.0}, H[] = {1.0, 0.0, 0.0};
  nsds_rigid_body_2d_def resting = {.mass = 1.0, .inertia = 0.01, .q0 = q, .gravity = {0.0, -9.81}};
  nsds_rigid_body_2d_def falling = {.mass = 2.0, .inertia = 1.0, .q0 = above, .v0 = v};
  nsds_ds *body[2] = {nsds_rigid_body_2d(model, &resting), nsds_rigid_body_2d(model, &falling)};
  nsds_set_body_force(body[1], (double[]){0.0, -20.0}, NULL, NSDS_FRAME_WORLD);
  nsds_relation *held = nsds_lagrangian_linear_relation(
      model,
      &(nsds_lagrangian_linear_relation_def){.ny = 1, .nq = 3, .H = H, .b = (double[]){-at}});
  nsds_connect(model, held, nsds_equality(model), 1, &body[1]);
  nsds_shape_def shape[3] = {{.kind = NSDS_BOX, .ds = body[0], .half = {size, size}},
                             {.kind = NSDS_SPHERE, .ds = body[1], .radius = 0.05},
                             {.kind = NSDS_HALF_SPACE, .plane = {.normal = {0.0, 1.0}}}};
  nsds_law *law = nsds_newton_impact_friction(
      model, &(nsds_newton_impact_friction_def){.dimension = 2, .mu = 0.5});
  nsds_shapes(model, &(nsds_shapes_def){.dimension = 2, .law = law, .nshape = 3, .shape = shape});
  nsds_simulation *s = nsds_time_stepping(model, &(nsds_time_stepping_def){.t1 = 0.02, .h = h});
  assert_sound(model);
  if (nsds_run(s) != NSDS_END) fail_msg("%s", nsds_last_message(nsds_model_context(model)));
  double way = fabs(nsds_q(body[0])[0]);
  nsds_model_destroy(model);
  return way;
}

/* The correction of overlap drove a box sideways at meters per second out of the grip of a ball that a
 * joint holds, however short the steps were. */
static void squeezed_bodies_do_not_creep(void **unused) {
  (void)unused;
  uint64_t state = 3;
  for (int k = 0; k < 20; ++k) {
    double at = random_in(&state, -0.095, -0.005), speed = random_in(&state, 0.5, 5.0);
    double h = random_in(&state, 0.0, 1.0) < 0.5 ? 1e-4 : 2e-5, way = crept(at, speed, h);
    if (way > h * speed)
      fail_msg("at %.3g, speed %.3g, h %g: the box creeps by %.3g", at, speed, h, way);
  }
}

static int shake(const nsds_arguments *in, double *out, void *user) {
  (void)user;
  for (int k = 0; k < 6; ++k) out[k] = k == 2 ? 0.3 * sin(80.0 * in->t) : 0.0;
  return 0;
}

/* Balls fall onto a plate that shakes; writes the place of a ball. */
static void fall_onto_plate(double plate_mass, double *place) {
  enum { balls = 8 };
  static const double unit[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  static const int all[6] = {0, 1, 2, 3, 4, 5};
  static const nsds_material material = {.mu = 0.3};
  nsds_model *m = nsds_model_create(NULL);
  nsds_ds *ds =
      nsds_rigid_body(m, &(nsds_rigid_body_def){.mass = plate_mass,
                                                .inertia = unit,
                                                .q0 = (double[]){0, 0, -0.1, 1, 0, 0, 0},
                                                .prescribed = {.n = 6, .index = all, .fn = shake}});
  nsds_contact_set *set =
      nsds_shapes(m, &(nsds_shapes_def){.nmaterial = 1, .material = &material, .reach = 0.01});
  nsds_shapes_add(set, &(nsds_shape_def){.kind = NSDS_BOX, .half = {1.0, 1.0, 0.1}, .ds = ds});
  for (int k = 0; k < balls; ++k) {
    ds = nsds_rigid_body(m,
                         &(nsds_rigid_body_def){.mass = 1.0,
                                                .inertia = unit,
                                                .q0 = (double[]){0.15 * (k % 4), 0.02 * k,
                                                                 0.11 + 0.2 * (k / 4), 1, 0, 0, 0},
                                                .gravity = {0, 0, -9.81}});
    nsds_shapes_add(set, &(nsds_shape_def){.kind = NSDS_SPHERE, .radius = 0.1, .ds = ds});
  }
  nsds_simulation *s = nsds_time_stepping(m, &(nsds_time_stepping_def){.t1 = 1.0, .h = 2e-3});
  for (int n = 0; n < 100; ++n) assert_ok(m, nsds_step(s));
  memcpy(place, nsds_q(ds), 3 * sizeof *place);
  nsds_model_destroy(m);
}

/* The motion of a prescribed body does not depend on its mass, nor does the motion of others. */
static void mass_of_a_prescribed_body_does_not_matter(void **state) {
  (void)state;
  double light[3], heavy[3];
  fall_onto_plate(1.0, light);
  fall_onto_plate(1e6, heavy);
  for (int i = 0; i < 3; ++i) assert_true(light[i] == heavy[i]);
}

int main(int argc, char **argv) {
  for (int k = 1; k + 1 < argc; k += 2) {
    if (strcmp(argv[k], "--count") == 0) count = atoi(argv[k + 1]);
    if (strcmp(argv[k], "--seed") == 0) first = atoi(argv[k + 1]);
  }
  const struct CMUnitTest tests[] = {cmocka_unit_test(bodies_in_slots_stay),
                                     cmocka_unit_test(squeezed_bodies_do_not_creep),
                                     cmocka_unit_test(mass_of_a_prescribed_body_does_not_matter)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
