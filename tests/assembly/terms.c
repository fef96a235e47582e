/*
 * How large the constants in y are, by every relation of the library that has some: lever arms,
 * points of the world, rest lengths, radii, offsets. Where all coordinates but turns are zero, y is
 * made of them alone, so |y| is at most their size; and their size is not far above that.
 */
#include "../kernel/any_joint.h"
#include "kernel/modeling/handle.h"
#include "rates.h"

#include "kernel/modeling/graph.h"

#include <nsds/joint.h>
#include <nsds/lagrangian.h>
#include <nsds/mixed.h>
#include <nsds/spring.h>

enum { tries = 200 };

/* A relation between bodies at the origin, turned at random, and the largest |y| / terms so far. */
typedef struct trial {
  nsds_model *m;
  nsds_ds *ds[3];
  double point[3], other[3], axis[3], length;
  double most[6];
  int bodies;
  bool flat;
} trial;

static trial start(int bodies, bool flat, uint64_t *seed) {
  trial t = {.m = nsds_model_create(NULL), .bodies = bodies, .flat = flat};
  for (int b = 0; b < bodies; ++b) t.ds[b] = nsds_ds_find(random_body(t.m, flat, seed), "test");
  for (int k = 0; k < 3; ++k) {
    t.point[k] = 5.0 * random_number(seed);
    t.other[k] = 5.0 * random_number(seed);
    t.axis[k] = random_number(seed);
  }
  t.length = fabs(random_number(seed)) + 0.1;
  return t;
}

static void look(trial *t, nsds_relation *handle, const char *what, uint64_t *seed) {
  nsds_relation *relation = nsds_relation_find(handle, "test");
  assert_non_null(relation);
  if (!relation->terms) fail_msg("%s does not say how large its constants are", what);
  double q[21] = {0.0}, v[18] = {0.0}, y[6] = {0.0}, lambda[6] = {0.0}, Z[21] = {0.0};
  int nq = t->flat ? 3 : 7;
  for (int k = 0; k < tries; ++k) {
    for (int b = 0; b < t->bodies; ++b) {
      double *turn = q + b * nq, length = 0.0;
      if (t->flat) turn[2] = random_number(seed);
      for (int i = 3; !t->flat && i < 7; ++i) {
        turn[i] = random_number(seed);
        length += turn[i] * turn[i];
      }
      for (int i = 3; !t->flat && i < 7; ++i) turn[i] /= sqrt(length);
    }
    nsds_arguments in = {.q = q, .v = v, .lambda = lambda, .z = Z, .nq = relation->nq};
    in.nv = relation->nv;
    in.nlambda = relation->ny;
    assert_int_equal(relation->ops->output(relation->self, &in, y), NSDS_OK);
    for (int i = 0; i < relation->ny; ++i) {
      if (!(fabs(y[i]) <= relation->terms[i] * (1.0 + 1e-12)))
        fail_msg("%s, row %d: y is %g, its terms are %g", what, i, y[i], relation->terms[i]);
      if (relation->terms[i] > 0.0) t->most[i] = fmax(t->most[i], fabs(y[i]) / relation->terms[i]);
    }
  }
  for (int i = 0; i < relation->ny; ++i)
    if (relation->terms[i] > 0.0 && t->most[i] < 1e-3)
      fail_msg("%s, row %d: y is at most %g of its terms", what, i, t->most[i]);
  nsds_model_destroy(t->m);
}

static void joints(void **state) {
  (void)state;
  uint64_t seed = 3;
  for (int kind = NSDS_JOINT_BALL; kind <= (int)ANY_SLIDE; ++kind)
    for (int k = 0; k < 8; ++k) {
      bool flat = k & 1, gear = kind == NSDS_JOINT_GEAR;
      if (flat && !any_joint_in_plane(kind)) continue;
      trial t = start(gear ? 3 : 1 + (k >> 1 & 1), flat, &seed);
      any_joint_def d = {.kind = (nsds_joint_kind)kind,
                         .teeth = {gear ? 12 : 0, gear ? 42 : 0},
                         .reversed = k & 4,
                         .offset = kind >= (int)ANY_ANGLE ? 2.0 : 0.0};
      memcpy(d.ds, t.ds, sizeof d.ds);
      memcpy(d.point, t.point, sizeof d.point);
      memcpy(d.axis, t.axis, sizeof d.axis);
      if (kind == NSDS_JOINT_DISTANCE || kind == NSDS_JOINT_ROPE) {
        memcpy(d.other, t.other, sizeof d.other);
        d.length = t.length;
      }
      char what[60];
      snprintf(what, sizeof what, "joint of kind %d, %s", kind, flat ? "in the plane" : "in space");
      look(&t, any_joint(t.m, &d), what, &seed);
    }
}

static void springs(void **state) {
  (void)state;
  uint64_t seed = 4;
  for (int k = 0; k < 8; ++k) {
    trial t = start(1 + (k >> 1 & 1), k & 1, &seed);
    nsds_spring_def d = {.ds = {t.ds[0], t.ds[1]}, .stiffness = 3e4, .damping = 2.0};
    memcpy(d.point, t.point, sizeof d.point);
    memcpy(d.other, t.other, sizeof d.other);
    if (k & 4) d.rest = NSDS_REST_LENGTH, d.length = t.length;
    look(&t, nsds_spring(t.m, &d), "spring between points", &seed);
  }
  trial t = start(1, true, &seed);
  look(&t,
       nsds_spring(t.m,
                   &(nsds_spring_def){
                       .ds = {t.ds[0]}, .coordinates = true, .coordinate = {1}, .stiffness = 50.0}),
       "spring of a coordinate", &seed);
}

static void spheres(void **state) {
  (void)state;
  uint64_t seed = 5;
  for (int k = 0; k < 4; ++k) {
    bool flat = k & 1;
    trial t = start(k < 2 ? 1 : 2, flat, &seed);
    nsds_sphere_plane_relation_def plane = {.dimension = flat ? 2 : 3, .radius = 0.3, .offset = -2};
    nsds_sphere_sphere_relation_def pair = {.dimension = flat ? 2 : 3, .radius = {0.3, 0.7}};
    plane.normal[flat ? 1 : 2] = 1.0;
    memcpy(plane.center, t.point, sizeof plane.center);
    memcpy(pair.center[0], t.point, sizeof t.point);
    memcpy(pair.center[1], t.other, sizeof t.other);
    look(&t,
         k < 2 ? nsds_sphere_plane_relation(t.m, &plane) : nsds_sphere_sphere_relation(t.m, &pair),
         k < 2 ? "sphere over a plane" : "two spheres", &seed);
  }
}

/* b of a compliant relation, and terms that the program gives. */
static void given(void **state) {
  (void)state;
  uint64_t seed = 6;
  trial t = start(1, true, &seed);
  double H[6] = {1, 0, 0, 1, 0, 0}, b[2] = {-3.0, 4.0}, D[4] = {1.0, 0, 0, 1.0};
  look(&t,
       nsds_lagrangian_linear_relation(t.m,
                                       &(nsds_lagrangian_linear_relation_def){
                                           .ny = 2, .nq = 3, .H = H, .b = b, .compliance = D}),
       "compliant linear relation", &seed);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(joints), cmocka_unit_test(springs),
                                     cmocka_unit_test(spheres), cmocka_unit_test(given)};
  return cmocka_run_group_tests_name("assembly.terms", tests, NULL, NULL);
}
