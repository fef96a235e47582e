/* Bodies in space and in the plane that settle: springs, joints, mixed rows, floors. */
#include "settle.h"

#include <math.h>

static double norm(const double *x) { return sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]); }

static void direction(world *w, double *d) {
  do
    for (int k = 0; k < 3; ++k) d[k] = between(w, -1.0, 1.0);
  while (norm(d) < 0.1 || norm(d) > 1.0);
  double size = norm(d);
  for (int k = 0; k < 3; ++k) d[k] /= size;
}

static double drawn_mass(world *w) { return w->M * power(w, -0.5, 0.5); }

/* A body with the inertia of a ball, or of a brick, at `at` with the velocity v, turned anyhow. */
static nsds_ds *body(world *w, double m, bool ball, const double *at, const double *v,
                     const double *g) {
  double J[9] = {0}, q[7] = {at[0], at[1], at[2]}, twist[3], size = 0.0;
  for (int k = 0; k < 3; ++k)
    J[4 * k] = 0.4 * m * w->L * w->L * (ball ? 1.0 : between(w, 0.7, 1.0));
  direction(w, twist);
  for (int k = 0; k < 3; ++k) q[4 + k] = 0.5 * twist[k], size += q[4 + k] * q[4 + k];
  q[3] = sqrt(1.0 - size);
  double all[6] = {v[0], v[1], v[2]};
  w->speed = fmax(w->speed, norm(v));
  w->reach = fmax(fmax(w->reach, norm(at)), w->L);
  nsds_ds *ds = nsds_rigid_body(
      w->m, &(nsds_rigid_body_def){.mass = m,
                                   .inertia = J,
                                   .q0 = q,
                                   .v0 = all,
                                   .gravity = {g ? g[0] : 0.0, g ? g[1] : 0.0, g ? g[2] : 0.0}});
  if (w->nbody < 4) {
    w->body[w->nbody] = ds;
    w->mass[w->nbody++] = m;
  }
  return ds;
}

static void tie(world *w, nsds_ds *a, nsds_ds *b, const double *at, const double *other, double k,
                double d, double length) {
  nsds_spring_def s = {.ds = {a, b}, .stiffness = k, .damping = d};
  for (int i = 0; i < 3; ++i) s.point[i] = at[i], s.other[i] = other[i];
  if (length > 0.0) s.rest = NSDS_REST_LENGTH, s.length = length;
  nsds_connect(w->m, nsds_spring(w->m, &s), nsds_equality(w->m), b ? 2 : 1, s.ds);
}

/* Two bodies in space on a spring through their centers. */
static void two_bodies(world *w) {
  double m[2] = {drawn_mass(w), drawn_mass(w)}, d[3], at[2][3], v[2][3], mean[3],
         mu = m[0] * m[1] / (m[0] + m[1]);
  direction(w, d);
  double along = w->L / w->T * between(w, -0.3, 0.3);
  for (int i = 0; i < 3; ++i) {
    double common = w->L / w->T * between(w, -1.0, 1.0);
    at[0][i] = w->away[i], at[1][i] = w->away[i] + 2.0 * w->L * d[i];
    v[0][i] = common + along * d[i], v[1][i] = common;
    mean[i] = (m[0] * v[0][i] + m[1] * v[1][i]) / (m[0] + m[1]);
  }
  nsds_ds *ds[2];
  for (int k = 0; k < 2; ++k) ds[k] = body(w, m[k], one_of(w, 2), at[k], v[k], NULL);
  tie(w, ds[0], ds[1], at[0], at[1], mu / w->T / w->T, 2.0 * w->damping * mu / w->T,
      w->L * between(w, 1.7, 2.3));
  for (int k = 0; k < 2; ++k)
    for (int i = 0; i < 3; ++i) expect(w, ds[k], VELOCITY, i, mean[i]);
}

/* The same in the plane. */
static void two_in_the_plane(world *w) {
  double m[2] = {drawn_mass(w), drawn_mass(w)}, a = between(w, 0.0, 6.0),
         mu = m[0] * m[1] / (m[0] + m[1]);
  double d[2] = {cos(a), sin(a)}, along = w->L / w->T * between(w, -0.3, 0.3), at[2][3] = {{0}},
         mean[2];
  nsds_ds *ds[2];
  double v[2][3] = {{0}};
  for (int i = 0; i < 2; ++i) {
    double common = w->L / w->T * between(w, -1.0, 1.0);
    at[0][i] = w->away[i], at[1][i] = w->away[i] + 2.0 * w->L * d[i];
    v[0][i] = common + along * d[i], v[1][i] = common;
    mean[i] = (m[0] * v[0][i] + m[1] * v[1][i]) / (m[0] + m[1]);
  }
  for (int k = 0; k < 2; ++k)
    ds[k] = nsds_rigid_body_2d(
        w->m, &(nsds_rigid_body_2d_def){
                  .mass = m[k], .inertia = m[k] * w->L * w->L, .q0 = at[k], .v0 = v[k]});
  w->speed = w->L / w->T, w->reach = fmax(norm(w->away), w->L);
  tie(w, ds[0], ds[1], at[0], at[1], mu / w->T / w->T, 2.0 * w->damping * mu / w->T,
      w->L * between(w, 1.7, 2.3));
  for (int k = 0; k < 2; ++k)
    for (int i = 0; i < 2; ++i) expect(w, ds[k], VELOCITY, i, mean[i]);
}

/* Bodies on springs off their centers: only momentum is known. */
static void off_the_centers(world *w) {
  double m[2] = {drawn_mass(w), drawn_mass(w)}, mu = m[0] * m[1] / (m[0] + m[1]), d[3];
  nsds_ds *ds[2];
  double at[2][3], end[2][3];
  direction(w, d);
  for (int k = 0; k < 2; ++k) {
    double v[3], e[3];
    direction(w, e);
    for (int i = 0; i < 3; ++i) {
      at[k][i] = w->away[i] + (k ? 3.0 * w->L * d[i] : 0.0);
      end[k][i] = at[k][i] + 0.2 * w->L * e[i];
      v[i] = 0.3 * w->L / w->T * between(w, -1.0, 1.0);
      w->momentum[i] += m[k] * v[i];
    }
    ds[k] = body(w, m[k], one_of(w, 2), at[k], v, NULL);
  }
  tie(w, ds[0], ds[1], end[0], end[1], mu / w->T / w->T, 2.0 * w->damping * mu / w->T, 0.0);
}

/* A row of V holds, or brakes, a body: E v = -D lambda, F = E^T lambda. */
static void mixed_row(world *w) {
  double m = drawn_mass(w), J = 0.4 * m * w->L * w->L, E[6], v[6],
         q[7] = {w->away[0], w->away[1], w->away[2], 1.0};
  double gain = 0.0, Ev = 0.0, Ef = 0.0, f[6] = {0.0};
  bool brake = one_of(w, 2);
  f[2] = brake ? 0.0 : -w->gravity;
  for (int k = 0; k < 6; ++k) {
    double unit = k < 3 ? 1.0 : w->L;
    E[k] = unit * between(w, -1.0, 1.0);
    v[k] = brake ? w->L / w->T / unit * between(w, -1.0, 1.0) : 0.0;
    gain += E[k] * E[k] / (k < 3 ? m : J);
    Ev += E[k] * v[k];
    Ef += E[k] * f[k];
  }
  double inertia[9] = {J, 0, 0, 0, J, 0, 0, 0, J}, D = brake && one_of(w, 2) ? gain * w->T : 0.0;
  nsds_ds *ds = nsds_rigid_body(
      w->m, &(nsds_rigid_body_def){
                .mass = m, .inertia = inertia, .q0 = q, .v0 = v, .gravity = {0, 0, f[2]}});
  nsds_relation *r = nsds_mixed_linear_relation(
      w->m, &(nsds_mixed_linear_relation_def){.ny = 1, .nq = 7, .nv = 6, .E = E, .L = E, .D = &D});
  nsds_connect(w->m, r, nsds_equality(w->m), 1, &ds);
  w->speed = brake ? w->L / w->T : fabs(f[2]) * w->t1;
  w->reach = fmax(norm(w->away), w->speed * w->t1);
  if (w->speed == 0.0) w->speed = w->L / w->T;
  if (brake) w->least_h = 0.05 * w->T; /* V turns with the body */
  for (int k = 0; k < 6; ++k) {
    double left = v[k] - E[k] / (k < 3 ? m : J) * Ev / gain,
           fall = f[k] - E[k] / (k < 3 ? m : J) * Ef / gain;
    expect(w, ds, VELOCITY, k, left + fall * w->t1);
    if (k >= 3) w->right[w->n - 1].tolerance /= w->L;
  }
}

/* A body that hangs on a hinge or a ball, with a damper to the world. */
static void on_a_joint(world *w) {
  double m = drawn_mass(w), g[3] = {0.0, 0.0, -w->L / w->T / w->T}, at[3], v[3] = {0.0}, pivot[3],
         end[3], far[3];
  for (int i = 0; i < 3; ++i) {
    at[i] = pivot[i] = w->away[i];
    at[i] -= i == 2 ? w->L : 0.0;
    end[i] = far[i] = at[i];
  }
  far[0] += 3.0 * w->L;
  nsds_ds *ds = body(w, m, false, at, v, g);
  nsds_joint_def j = {.kind = NSDS_JOINT_HINGE, .ds = {ds}, .axis = {0, 1, 0}};
  for (int i = 0; i < 3; ++i) j.point[i] = pivot[i];
  nsds_connect(w->m, nsds_joint(w->m, &j), nsds_equality(w->m), 1, j.ds);
  /* a spring that pulls at the start, since its length at rest is another one */
  tie(w, ds, NULL, end, far, m / w->T / w->T, 2.0 * w->damping * m / w->T,
      w->L * between(w, 2.5, 3.5));
  w->speed = w->L / w->T;
  w->t1 *= 3.0;
  for (int k = 0; k < 6; ++k) {
    expect(w, ds, VELOCITY, k, 0.0);
    if (k >= 3) w->right[w->n - 1].tolerance /= w->L;
  }
}

/* Two bodies that slide on each other along an axis, on a spring. */
static void on_a_slide(world *w) {
  double m[2] = {drawn_mass(w), drawn_mass(w)}, mu = m[0] * m[1] / (m[0] + m[1]), d[3], at[2][3],
         v[2][3], mean[3];
  direction(w, d);
  double along = 0.3 * w->L / w->T;
  nsds_ds *ds[2];
  for (int i = 0; i < 3; ++i) {
    at[0][i] = w->away[i], at[1][i] = at[0][i] + 2.0 * w->L * d[i];
    v[0][i] = along * d[i], v[1][i] = 0.0;
    mean[i] = m[0] * v[0][i] / (m[0] + m[1]);
  }
  for (int k = 0; k < 2; ++k) ds[k] = body(w, m[k], one_of(w, 2), at[k], v[k], NULL);
  nsds_joint_def j = {.kind = NSDS_JOINT_PRISMATIC, .ds = {ds[0], ds[1]}};
  for (int i = 0; i < 3; ++i) j.point[i] = at[0][i], j.axis[i] = d[i];
  nsds_connect(w->m, nsds_joint(w->m, &j), nsds_equality(w->m), 2, j.ds);
  tie(w, ds[0], ds[1], at[0], at[1], mu / w->T / w->T, 2.0 * w->damping * mu / w->T, 0.0);
  for (int k = 0; k < 2; ++k)
    for (int i = 0; i < 3; ++i) expect(w, ds[k], VELOCITY, i, mean[i]);
}

/* A body that a spring pulls along a floor with friction; it rests at last. */
static void on_the_floor(world *w) {
  double m = drawn_mass(w), g[3] = {0.0, 0.0, -w->L / w->T / w->T};
  double at[3] = {w->away[0], w->away[1], 0.5 * w->L},
         v[3] = {w->L / w->T * between(w, -1.0, 1.0), 0.0, 0.0};
  double far[3] = {at[0] + 3.0 * w->L, at[1], at[2]}, q[7] = {at[0], at[1], at[2], 1.0},
         J = m * w->L * w->L / 6.0;
  double inertia[9] = {J, 0, 0, 0, J, 0, 0, 0, J}, all[6] = {v[0]};
  nsds_ds *ds = nsds_rigid_body(
      w->m, &(nsds_rigid_body_def){
                .mass = m, .inertia = inertia, .q0 = q, .v0 = all, .gravity = {0, 0, g[2]}});
  nsds_shape_def shape[2] = {
      {.kind = NSDS_HALF_SPACE, .plane = {{0, 0, 1}, 0}},
      {.kind = NSDS_BOX, .ds = ds, .half = {0.5 * w->L, 0.5 * w->L, 0.5 * w->L}}};
  nsds_shapes(w->m, &(nsds_shapes_def){.nmaterial = 1,
                                       .material = &(nsds_material){.mu = 0.2},
                                       .nshape = 2,
                                       .shape = shape});
  tie(w, ds, NULL, at, far, 0.05 * m / w->T / w->T, 0.2 * m / w->T, 0.0);
  w->speed = w->L / w->T, w->reach = fmax(norm(w->away), w->L);
  w->least_h = 0.1 * w->T;
  for (int k = 0; k < 3; ++k) expect(w, ds, VELOCITY, k, 0.0);
}

static int constant_speed(const nsds_arguments *in, double *v, void *user) {
  (void)in;
  v[0] = *(const double *)user;
  return 0;
}

/* A body whose velocity is prescribed pulls another. */
static void behind_a_prescribed_body(world *w) {
  static double speed[64];
  static int next;
  double *V = &speed[next++ % 64], m[2] = {drawn_mass(w), drawn_mass(w)}, at[2][3] = {{0}},
         v[2][3] = {{0}};
  *V = w->L / w->T * between(w, -1.0, 1.0);
  int index = 0;
  at[0][0] = w->away[0], at[0][1] = at[1][1] = w->away[1], at[1][0] = w->away[0] - 2.0 * w->L;
  v[0][0] = *V;
  nsds_ds *ds[2];
  for (int k = 0; k < 2; ++k)
    ds[k] = nsds_rigid_body_2d(
        w->m, &(nsds_rigid_body_2d_def){.mass = m[k],
                                        .inertia = m[k] * w->L * w->L,
                                        .q0 = at[k],
                                        .v0 = v[k],
                                        .prescribed = {.n = k == 0,
                                                       .index = k == 0 ? &index : NULL,
                                                       .fn = k == 0 ? constant_speed : NULL},
                                        .user = V});
  tie(w, ds[0], ds[1], at[0], at[1], m[1] / w->T / w->T, 2.0 * w->damping * m[1] / w->T, 0.0);
  w->speed = fabs(*V), w->reach = fmax(norm(w->away), w->speed * w->t1);
  expect(w, ds[1], VELOCITY, 0, *V);
  expect(w, ds[0], VELOCITY, 0, *V);
}

/* A body on a hinge or a slide with a drive, perhaps with an armature, a weak stop or a largest force. */
static void on_a_drive(world *w) {
  double m = drawn_mass(w), g[3] = {0.0, 0.0, -w->gravity}, at[3], v[3] = {0.0}, d[3];
  bool turns = one_of(w, 2);
  direction(w, d);
  for (int i = 0; i < 3; ++i) at[i] = w->away[i];
  nsds_ds *ds = body(w, m, false, at, v, g);
  nsds_joint_coordinate_def c = {
      .kind = turns ? NSDS_COORDINATE_ANGLE : NSDS_COORDINATE_DISPLACEMENT, .ds = {ds}};
  nsds_joint_def j = {.kind = turns ? NSDS_JOINT_HINGE : NSDS_JOINT_PRISMATIC, .ds = {ds}};
  for (int i = 0; i < 3; ++i) {
    c.axis[i] = j.axis[i] = d[i];
    c.point[i] = j.point[i] = at[i] + 0.5 * w->L * between(w, -1.0, 1.0);
  }
  nsds_connect(w->m, nsds_joint(w->m, &j), nsds_equality(w->m), 1, j.ds);
  double unit = turns ? 1.0 : w->L, inertia = turns ? m * w->L * w->L : m;
  nsds_joint_act(w->m,
                 &(nsds_joint_act_def){.coordinate = c,
                                       .driven = true,
                                       .drive_stiffness = inertia / w->T / w->T,
                                       .drive_damping = 2.0 * w->damping * inertia / w->T,
                                       .target = one_of(w, 2) ? 0.3 * unit : 0.0,
                                       .force = 0.2 * inertia * unit / w->T / w->T,
                                       .most = one_of(w, 2) * 10.0 * inertia * unit / w->T / w->T,
                                       .armature = one_of(w, 2) * inertia,
                                       .upper = one_of(w, 3) ? 0.0 : 0.25 * unit,
                                       .lower = -9.0 * unit * one_of(w, 2) - unit},
                 NULL);
  w->speed = w->L / w->T;
  w->t1 *= 2.0;
  for (int k = 0; k < 6; ++k) {
    expect(w, ds, VELOCITY, k, 0.0);
    if (k >= 3) w->right[w->n - 1].tolerance /= w->L;
  }
}

const scene scenes_of_bodies[] = {{"two bodies", two_bodies},
                                  {"two in the plane", two_in_the_plane},
                                  {"off the centers", off_the_centers},
                                  {"mixed row", mixed_row},
                                  {"on a joint", on_a_joint},
                                  {"on a slide", on_a_slide},
                                  {"on a drive", on_a_drive},
                                  {"on the floor", on_the_floor},
                                  {"behind a prescribed body", behind_a_prescribed_body},
                                  {0}};
