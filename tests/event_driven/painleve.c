/*
 * Painleve's rod in both drivers. A rod of 1 kg slides on its end A, leaning so that friction turns it
 * into the ground; with r from the contact to its centre, W = H M^-1 H^T of normal and tangent,
 * W_nn - mu W_nt < 0, and free motion would press A into the ground: no acceleration obeys the laws.
 * An impulse without collision does: A sticks at once, momentum about it is kept,
 *   w+ = (J w + r x v) / (J + r^2),   v+ = w+ x r
 */
#include "support.h"

#include <nsds/contact.h>
#include <nsds/rigid_body.h>
#include <nsds/shapes.h>

static const double g = 9.81, J = 1.0 / 3.0;

/* ---- the rod in all models ------------------------------------------------------------------- */

typedef enum rod_kind {
  PLUGIN,
  PLUGIN_IN_SPACE,
  PLANE,
  SPACE,
  SET_IN_PLANE,
  SET_IN_SPACE
} rod_kind;
static const rod_kind kinds[] = {PLUGIN, PLUGIN_IN_SPACE, PLANE, SPACE, SET_IN_PLANE, SET_IN_SPACE};
enum { nkinds = sizeof kinds / sizeof *kinds };

/* Seen from A, the centre is at `angle` from the x axis, over pi/2 behind an end that slides along x. */
typedef struct rod_start {
  double angle, slip, rate, mu, e, x; /* slip of A, rate of the angle, place of A */
  bool mirrored;
} rod_start;

static const rod_start paradox = {.angle = 1.0, .slip = 5.0, .rate = -3.0, .mu = 1.8};

typedef struct rod {
  rod_kind kind;
  nsds_ds *ds;
  nsds_interaction *contact; /* NULL: in a set */
  double r[2], v[3], rate,
      part; /* at first; rate of the angle and part of the energy after the jam */
} rod;

static bool is_set(rod_kind kind) { return kind == SET_IN_PLANE || kind == SET_IN_SPACE; }
static bool in_space(rod_kind kind) { return kind == SPACE || kind == SET_IN_SPACE; }

/* Of q = (x, y, angle, z). */
static int end_place(const nsds_in *in, double *y, void *user) {
  y[0] = in->q[1] - sin(in->q[2]);
  y[1] = in->q[0] - cos(in->q[2]);
  if (*(const int *)user == 3) y[2] = in->q[3];
  return 0;
}

static int end_jacobian(const nsds_in *in, double *H, void *user) {
  int m = *(const int *)user;
  for (int k = 0; k < m * in->nq; ++k) H[k] = 0.0;
  H[0 + 1 * m] = H[1 + 0 * m] = 1.0;
  H[0 + 2 * m] = -cos(in->q[2]);
  H[1 + 2 * m] = sin(in->q[2]);
  if (m == 3) H[2 + 3 * m] = 1.0;
  return 0;
}

static nsds_relation *end_relation(nsds_model *model, rod_kind kind) {
  static int two = 2, three = 3;
  int *ny = kind == PLUGIN ? &two : &three;
  if (kind == PLUGIN || kind == PLUGIN_IN_SPACE)
    return nsds_lagrangian_scleronomous_relation(
        model,
        &(nsds_lagrangian_relation_def){
            .ny = *ny, .nq = *ny + 1, .h_fn = end_place, .jac_h_q_fn = end_jacobian, .user = ny});
  bool space = in_space(kind);
  return nsds_sphere_plane_relation(
      model, &(nsds_sphere_plane_relation_def){
                 .dimension = space ? 3 : 2, .center = {-1.0}, .normal = {0.0, !space, space}});
}

static nsds_ds *rod_system(nsds_model *model, rod_kind kind, const double q[3], const double v[3]) {
  const double M[16] = {[0] = 1.0, [5] = 1.0, [10] = J, [15] = 1.0};
  const double M2[9] = {[0] = 1.0, [4] = 1.0, [8] = J}, tensor[9] = {[0] = 0.01, [4] = J, [8] = J};
  const double half = 0.5 * q[2], q0[] = {q[0], q[1], q[2], 0.0}, v0[] = {v[0], v[1], v[2], 0.0};
  if (kind == PLUGIN || kind == PLUGIN_IN_SPACE)
    return nsds_lagrangian(model, &(nsds_lagrangian_def){.ndof = kind == PLUGIN ? 3 : 4,
                                                         .mass = kind == PLUGIN ? M2 : M,
                                                         .q0 = q0,
                                                         .v0 = v0,
                                                         .fext = (double[]){0.0, -g, 0.0, 0.0}});
  if (!in_space(kind))
    return nsds_rigid_body_2d(
        model,
        &(nsds_rigid_body_2d_def){.mass = 1.0, .inertia = J, .q0 = q, .v0 = v, .gravity = {0, -g}});
  return nsds_rigid_body(
      model, &(nsds_rigid_body_def){.mass = 1.0,
                                    .inertia = tensor,
                                    .q0 = (double[]){q[0], 0, q[1], cos(half), 0, -sin(half), 0},
                                    .v0 = (double[]){v[0], 0, v[1], 0, -v[2], 0},
                                    .gravity = {0, 0, -g}});
}

/* A capsule over a half space. */
static void add_set(nsds_model *model, const rod *r, nsds_law *law, double radius) {
  bool space = in_space(r->kind);
  nsds_shape_def shape[2] = {{.kind = NSDS_CAPSULE, .ds = r->ds, .radius = radius, .half = {1.0}},
                             {.kind = NSDS_HALF_SPACE, .plane = {.normal = {0.0, !space, space}}}};
  nsds_shapes(model, &(nsds_shapes_def){
                         .dimension = space ? 3 : 2, .law = law, .nshape = 2, .shape = shape});
}

static double energy_at(const double v[3]) {
  return 0.5 * (v[0] * v[0] + v[1] * v[1] + J * v[2] * v[2]);
}

/* Velocities of a rod whose contact moves at u along the floor. */
static void velocities(const double r[2], double u, double rate, double v[3]) {
  v[0] = u - rate * r[1];
  v[1] = rate * r[0];
  v[2] = rate;
}

static rod lean(nsds_model *model, rod_kind kind, rod_start s) {
  double radius = is_set(kind) ? 0.05 : 0.0, sign = s.mirrored ? -1.0 : 1.0, after[3];
  rod r = {.kind = kind, .r = {-sign * cos(s.angle), sin(s.angle) + radius}};
  double q[3] = {s.x + r.r[0], r.r[1], atan2(r.r[1] - radius, r.r[0])};
  velocities(r.r, sign * s.slip, sign * s.rate, r.v);
  r.ds = rod_system(model, kind, q, r.v);
  int dimension = in_space(kind) || kind == PLUGIN_IN_SPACE ? 3 : 2;
  nsds_law *law = nsds_newton_impact_friction(
      model, &(nsds_newton_impact_friction_def){.dimension = dimension, .mu = s.mu, .e_n = s.e});
  if (is_set(kind)) add_set(model, &r, law, radius);
  else r.contact = nsds_connect(model, end_relation(model, kind), law, 1, &r.ds);
  double L = J * r.v[2] + r.r[0] * r.v[1] - r.r[1] * r.v[0];
  r.rate = L / (J + r.r[0] * r.r[0] + r.r[1] * r.r[1]);
  velocities(r.r, 0.0, r.rate, after);
  r.part = energy_at(after) / energy_at(r.v);
  assert_sound(model);
  return r;
}

/* x, y and angle of the velocities. */
static void read_velocities(const rod *r, double v[3]) {
  const double *now = nsds_v(r->ds);
  v[0] = now[0];
  v[1] = in_space(r->kind) ? now[2] : now[1];
  v[2] = in_space(r->kind) ? -now[4] : now[2];
}

/* How far velocities are from those after the jam. */
static double error_of_jam(const rod *r) {
  double v[3], wanted[3], largest = 0.0;
  read_velocities(r, v);
  velocities(r->r, 0.0, r->rate, wanted);
  for (int k = 0; k < 3; ++k) largest = worse(largest, fabs(v[k] - wanted[k]));
  return largest;
}

/* ---- time stepping --------------------------------------------------------------------------- */

static nsds_simulation *stepping(nsds_model *model, double t1, double h) {
  nsds_simulation *s = nsds_time_stepping(model, &(nsds_time_stepping_def){.t1 = t1, .h = h});
  assert_sound(model);
  return s;
}

static void steps_find_the_impulse(void **state) {
  (void)state;
  for (int k = 0; k < 2 * nkinds; ++k)
    for (double h = 1e-3; h > 0.9e-5; h *= 0.1) {
      nsds_model *model = nsds_model_create(NULL);
      rod_start start = paradox;
      start.mirrored = k % 2;
      rod r = lean(model, kinds[k / 2], start);
      nsds_simulation *s = stepping(model, 1.0, h);
      assert_ok(model, nsds_step(s));
      print_message("kind %d h %g: error %g, pieces %d predicted %d rate %.6f\n", k / 2, h,
                    error_of_jam(&r), nsds_simulation_info(s)->substeps,
                    nsds_simulation_info(s)->predicted, r.rate);
      assert_sound(model);
      nsds_model_destroy(model);
    }
}

static void events_find_the_impulse(void **state) {
  (void)state;
  for (int k = 0; k < 2 * nkinds; ++k) {
    nsds_model *model = nsds_model_create(NULL);
    rod_start start = paradox;
    start.mirrored = k % 2;
    rod r = lean(model, kinds[k / 2], start);
    nsds_simulation *s = nsds_event_driven(model, &(nsds_event_driven_def){.t1 = 1.0, .h = 1e-2});
    assert_sound(model);
    nsds_status st = nsds_step(s);
    print_message(
        "kind %d: %d error %g kind %x, factor %.17g %.17g, ydot %g %g P %g %g\n%s\n", k / 2, st,
        error_of_jam(&r), nsds_simulation_event(s)->kind,
        nsds_simulation_event(s)->kinetic_after / nsds_simulation_event(s)->kinetic_before, r.part,
        nsds_simulation_event(s)->row[1].ydot_before, nsds_simulation_event(s)->row[1].ydot_after,
        nsds_simulation_event(s)->row[0].impulse, nsds_simulation_event(s)->row[1].impulse,
        nsds_error_message(nsds_model_context(model)));
    nsds_model_destroy(model);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(steps_find_the_impulse),
                                     cmocka_unit_test(events_find_the_impulse)};
  return cmocka_run_group_tests_name("event_driven.painleve", tests, NULL, NULL);
}
