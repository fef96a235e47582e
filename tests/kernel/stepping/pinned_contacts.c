/*
 * A body that is fixed to the world by a joint falls on rough ground. The joint holds it against the contact in some
 * directions, where impulses do nothing. Rows of the joint and of the contact that were formed at other attitudes made
 * this direction one with a tiny gain: impulses of the order 1 / h stopped the body. Impulses do not grow as steps
 * become shorter (a body that is about to jam may need many times its momentum), no energy comes from nowhere, and both
 * kinds of coordinates agree.
 *
 *     kernel_pinned_contacts [COUNT [SEED]]   draws COUNT bodies (60) from SEED (1) on
 */
#include "support.h"

#include <nsds/joint.h>
#include <nsds/rigid_body.h>
#include <nsds/shapes.h>

#include <stdlib.h>

static long count = 60;
static uint64_t first_seed = 1;

static const double g = 9.81, reach = 0.5;

static void draw_direction(uint64_t *seed, double *a) {
  double size = 0.0;
  while (!(size > 0.1 && size < 1.0)) {
    size = 0.0;
    for (int k = 0; k < 3; ++k) {
      a[k] = random_in(seed, -1.0, 1.0);
      size += a[k] * a[k];
    }
  }
  for (int k = 0; k < 3; ++k) a[k] /= sqrt(size);
}

typedef struct pinned {
  nsds_model *m;
  nsds_ds *ds;
  double mass, speed;
} pinned;

static void put_shape(pinned *p, uint64_t *seed) {
  nsds_shape_def shape[2] = {{.kind = NSDS_HALF_SPACE, .plane = {.normal = {0, 0, 1}}},
                             {.ds = p->ds}};
  double kind = random_in(seed, 0.0, 3.0);
  if (kind < 1.0) {
    shape[1].kind = NSDS_SPHERE;
    shape[1].radius = 0.2;
  } else if (kind < 2.0) {
    shape[1].kind = NSDS_BOX;
    for (int k = 0; k < 3; ++k) shape[1].half[k] = random_in(seed, 0.08, 0.2);
  } else {
    shape[1].kind = NSDS_CAPSULE;
    shape[1].radius = 0.08;
    shape[1].half[0] = 0.15;
  }
  nsds_material material = {.mu = random_in(seed, 0.1, 1.0), .e_n = 0.0};
  nsds_shapes(
      p->m,
      &(nsds_shapes_def){
          .dimension = 3, .nmaterial = 1, .material = &material, .nshape = 2, .shape = shape});
}

static void put_joint(pinned *p, uint64_t *seed, const double *x) {
  static const nsds_joint_kind kinds[] = {NSDS_JOINT_BALL, NSDS_JOINT_HINGE, NSDS_JOINT_PRISMATIC};
  nsds_joint_def def = {.kind = kinds[(int)random_in(seed, 0.0, 2.999)], .ds = {p->ds}};
  draw_direction(seed, def.axis);
  for (int k = 0; k < 3; ++k) def.point[k] = x[k] + random_in(seed, -0.3, 0.3);
  nsds_connect(p->m, nsds_joint(p->m, &def), nsds_equality(p->m), 1, &p->ds);
}

static pinned draw_pinned(uint64_t seed) {
  pinned p = {.m = nsds_model_create(NULL), .mass = random_in(&seed, 0.5, 2.0)};
  double J = p.mass * 0.02, I[9] = {J, 0, 0, 0, 1.3 * J, 0, 0, 0, 1.1 * J};
  double axis[3], angle = random_in(&seed, -0.5, 0.5), v[6];
  draw_direction(&seed, axis);
  double q[7] = {0.0, 0.0, random_in(&seed, 0.3, reach), cos(angle)};
  for (int k = 0; k < 3; ++k) q[4 + k] = sin(angle) * axis[k];
  for (int k = 0; k < 6; ++k) v[k] = random_in(&seed, -1.0, 1.0);
  p.ds = nsds_rigid_body(
      p.m, &(nsds_rigid_body_def){
               .mass = p.mass, .inertia = I, .q0 = q, .v0 = v, .gravity = {0, 0, -g}});
  put_shape(&p, &seed);
  put_joint(&p, &seed, q);
  return p;
}

static double energy(const pinned *p) {
  return nsds_kinetic_energy(p->ds) + p->mass * g * nsds_q(p->ds)[2];
}

static double impulses(const pinned *p) {
  nsds_contact_iterator at = nsds_model_contacts(p->m);
  nsds_contact_info c;
  double sum = 0.0;
  while (nsds_next_contact(&at, &c))
    for (int k = 0; k < 3 && c.set; ++k) sum += fabs(c.impulse[k]);
  return sum;
}

/* Runs the body; q gets its place at the end. Returns the largest impulse in units of the momentum. */
static double fall(uint64_t seed, double h, nsds_coordinates coordinates, double *q) {
  pinned p = draw_pinned(seed);
  nsds_simulation *s = nsds_time_stepping(
      p.m, &(nsds_time_stepping_def){.t1 = 0.3, .h = h, .coordinates = coordinates});
  assert_sound(p.m);
  double momentum = p.mass * sqrt(2.0 * g * reach), largest = 0.0;
  nsds_status status = nsds_step(s); /* the first step stops what works against the joint */
  for (double before = energy(&p); status == NSDS_OK; before = energy(&p)) {
    status = nsds_step(s);
    if (status < 0) print_error("seed %llu, h = %g\n", (unsigned long long)seed, h);
    largest = fmax(largest, impulses(&p) / momentum);
    assert_between(energy(&p) - before, -INFINITY, 0.05 * p.mass + h * g * impulses(&p));
  }
  assert_status(p.m, status, NSDS_END);
  memcpy(q, nsds_q(p.ds), 7 * sizeof *q);
  nsds_model_destroy(p.m);
  return largest;
}

static double apart(const double *a, const double *b) {
  double sum = 0.0, turn = 0.0;
  for (int k = 0; k < 3; ++k) sum += fabs(a[k] - b[k]);
  for (int k = 3; k < 7; ++k) turn += a[k] * b[k];
  return sum + 1.0 - fabs(turn);
}

static void bodies_on_joints(void **state) {
  (void)state;
  int together = 0;
  for (uint64_t seed = first_seed; seed < first_seed + (uint64_t)count; ++seed) {
    double q[2][7];
    for (int k = 0; k < 2; ++k) {
      nsds_coordinates coordinates = k ? NSDS_COORDINATES_JOINT : NSDS_COORDINATES_MAXIMAL;
      double coarse = fall(seed, 1e-3, coordinates, q[k]);
      assert_between(fall(seed, 2e-4, coordinates, q[k]), 0.0, fmax(60.0, 2.0 * coarse));
    }
    double d = apart(q[0], q[1]);
    together += d < 1e-2;
    if (!(d < 1e-2)) print_message("seed %llu: %g apart\n", (unsigned long long)seed, d);
  }
  assert_between(together, 0.9 * (double)count, count);
}

int main(int argc, char **argv) {
  if (argc > 1) count = strtol(argv[1], NULL, 10);
  if (argc > 2) first_seed = strtoull(argv[2], NULL, 10);
  const struct CMUnitTest tests[] = {cmocka_unit_test(bodies_on_joints)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
