/* See rods.h. */
#include "rods.h"

#include <nsds/contact.h>
#include <nsds/rigid_body.h>
#include <nsds/shapes.h>

/* Of q = (x, y, angle, z). */
static int end_place(const nsds_arguments *in, double *y, void *user) {
  y[0] = in->q[1] - sin(in->q[2]);
  y[1] = in->q[0] - cos(in->q[2]);
  if (*(const int *)user == 3) y[2] = in->q[3];
  return 0;
}

static int end_jacobian(const nsds_arguments *in, double *H, void *user) {
  int m = *(const int *)user;
  for (int k = 0; k < m * in->nq; ++k) H[k] = 0.0;
  H[0 + 1 * m] = H[1 + 0 * m] = 1.0;
  H[0 + 2 * m] = -cos(in->q[2]);
  H[1 + 2 * m] = sin(in->q[2]);
  if (m == 3) H[2 + 3 * m] = 1.0;
  return 0;
}

nsds_relation *end_relation(nsds_model *model, rod_kind kind) {
  static int two = 2, three = 3;
  int *ny = kind == PLUGIN ? &two : &three;
  if (kind == PLUGIN || kind == PLUGIN_IN_SPACE)
    return nsds_lagrangian_relation(model,
                                    &(nsds_lagrangian_relation_def){.ny = *ny,
                                                                    .nq = *ny + 1,
                                                                    .output_fn = end_place,
                                                                    .jac_output_q_fn = end_jacobian,
                                                                    .user = ny});
  bool space = in_space(kind);
  return nsds_sphere_plane_relation(
      model, &(nsds_sphere_plane_relation_def){
                 .dimension = space ? 3 : 2, .center = {-1.0}, .normal = {0.0, !space, space}});
}

static nsds_ds *rod_in_space(nsds_model *model, const double q[3], const double v[3],
                             double heading) {
  const double tensor[9] = {[0] = 0.01, [4] = J, [8] = J};
  double c = cos(heading), s = sin(heading), h = 0.5 * heading, a = 0.5 * q[2];
  return nsds_rigid_body(
      model,
      &(nsds_rigid_body_def){.mass = 1.0,
                             .inertia = tensor,
                             .q0 = (double[]){q[0] * c, q[0] * s, q[1], cos(h) * cos(a),
                                              sin(h) * sin(a), -cos(h) * sin(a), sin(h) * cos(a)},
                             .v0 = (double[]){v[0] * c, v[0] * s, v[1], 0, -v[2], 0},
                             .gravity = {0, 0, -g}});
}

static nsds_ds *rod_system(nsds_model *model, rod_kind kind, const double q[3], const double v[3]) {
  const double M[16] = {[0] = 1.0, [5] = 1.0, [10] = J, [15] = 1.0};
  const double M2[9] = {[0] = 1.0, [4] = 1.0, [8] = J};
  const double q0[] = {q[0], q[1], q[2], 0.0}, v0[] = {v[0], v[1], v[2], 0.0};
  if (kind == PLUGIN || kind == PLUGIN_IN_SPACE)
    return nsds_lagrangian(model, &(nsds_lagrangian_def){.ndof = kind == PLUGIN ? 3 : 4,
                                                         .mass = kind == PLUGIN ? M2 : M,
                                                         .q0 = q0,
                                                         .v0 = v0,
                                                         .fext = (double[]){0.0, -g, 0.0, 0.0}});
  return nsds_rigid_body_2d(
      model,
      &(nsds_rigid_body_2d_def){.mass = 1.0, .inertia = J, .q0 = q, .v0 = v, .gravity = {0, -g}});
}

/* A capsule over a half space. */
static void add_set(nsds_model *model, const rod *r, nsds_law *law, double radius) {
  bool space = in_space(r->kind);
  nsds_shape_def shape[2] = {{.kind = NSDS_CAPSULE, .ds = r->ds, .radius = radius, .half = {1.0}},
                             {.kind = NSDS_HALF_SPACE, .plane = {.normal = {0.0, !space, space}}}};
  nsds_shapes(model, &(nsds_shapes_def){
                         .dimension = space ? 3 : 2, .law = law, .nshape = 2, .shape = shape});
}

double energy_at(const double v[3]) { return 0.5 * (v[0] * v[0] + v[1] * v[1] + J * v[2] * v[2]); }

/* Velocities of a rod whose contact moves at u along the floor. */
void velocities(const double r[2], double u, double rate, double v[3]) {
  v[0] = u - rate * r[1];
  v[1] = rate * r[0];
  v[2] = rate;
}

rod lean(nsds_model *model, rod_kind kind, rod_start s) {
  double radius = is_set(kind) ? set_radius : 0.0, sign = s.mirrored ? -1.0 : 1.0, after[3];
  rod r = {.kind = kind,
           .heading = in_space(kind) ? s.heading : 0.0,
           .r = {-sign * cos(s.angle), sin(s.angle) + radius}};
  double q[3] = {s.x + r.r[0], r.r[1], atan2(r.r[1] - radius, r.r[0])};
  velocities(r.r, sign * s.slip, sign * s.rate, r.v);
  r.ds = in_space(kind) ? rod_in_space(model, q, r.v, s.heading) : rod_system(model, kind, q, r.v);
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

/* x, y and angle of the velocities; beside the plane there are none. */
void read_velocities(const rod *r, double v[3]) {
  const double *now = nsds_v(r->ds);
  bool space = in_space(r->kind);
  v[0] = now[0];
  v[1] = space ? now[2] : now[1];
  v[2] = space ? -now[4] : now[2];
  if (!space) return;
  v[0] = now[0] * cos(r->heading) + now[1] * sin(r->heading);
  assert_near(now[1] * cos(r->heading) - now[0] * sin(r->heading), 0.0, 1e-9);
  assert_near(now[3], 0.0, 1e-9);
  assert_near(now[5], 0.0, 1e-9);
}

double difference(const double a[3], const double b[3]) {
  double largest = 0.0;
  for (int k = 0; k < 3; ++k) largest = worse(largest, fabs(a[k] - b[k]));
  return largest;
}

/* How far velocities are from those after the jam. */
double error_of_jam(const rod *r) {
  double v[3], wanted[3];
  read_velocities(r, v);
  velocities(r->r, 0.0, r->rate, wanted);
  return difference(v, wanted);
}

double part_left(const rod *r) {
  double v[3];
  read_velocities(r, v);
  return energy_at(v) / energy_at(r->v);
}
