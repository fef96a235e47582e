/*
 * Rigid bodies in the plane and in space: shapes on a floor and on each other, joints with all their parts, springs.
 */
#include "combinations.h"

#include <math.h>
#include <stddef.h>

static const double g = 9.81;

enum { MOST_BODIES = 3 };

typedef struct bodies {
  drawing *d;
  bool plane;
  int n, nshape;
  nsds_ds *ds[MOST_BODIES];
  double x[MOST_BODIES][3], size[MOST_BODIES];
  nsds_shape_def shape[MOST_BODIES + 1];
} bodies;

static nsds_ds *body(bodies *b, int i, const double *v) {
  drawing *d = b->d;
  double r = b->size[i], mass = drawn(d, 0.5, 2.0), J = 0.4 * mass * r * r;
  if (b->plane) {
    double q[3] = {b->x[i][0], b->x[i][1], drawn(d, -0.5, 0.5)};
    return nsds_rigid_body_2d(
        d->model, &(nsds_rigid_body_2d_def){
                      .mass = mass, .inertia = J, .q0 = q, .v0 = v, .gravity = {0.0, -g}});
  }
  double axis[3], norm = 0.0, angle = drawn(d, -0.5, 0.5);
  for (int k = 0; k < 3; ++k) {
    axis[k] = drawn(d, -1.0, 1.0);
    norm += axis[k] * axis[k];
  }
  double part = sin(angle) / sqrt(norm), I[9] = {J, 0, 0, 0, 1.3 * J, 0, 0, 0, 1.1 * J};
  double q[7] = {b->x[i][0],     b->x[i][1],     b->x[i][2],    cos(angle),
                 part * axis[0], part * axis[1], part * axis[2]};
  return nsds_rigid_body(
      d->model,
      &(nsds_rigid_body_def){.mass = mass, .inertia = I, .q0 = q, .v0 = v, .gravity = {0, 0, -g}});
}

/* ---- shapes ---------------------------------------------------------------------------------- */

static void draw_shape(bodies *b, int i) {
  drawing *d = b->d;
  double r = b->size[i];
  nsds_shape_def *s = &b->shape[b->nshape++];
  static const nsds_shape_kind in_plane[] = {NSDS_SPHERE, NSDS_BOX, NSDS_CAPSULE};
  static const nsds_shape_kind in_space[] = {NSDS_SPHERE, NSDS_BOX, NSDS_CAPSULE, NSDS_CYLINDER,
                                             NSDS_ELLIPSOID};
  static const char *const names[] = {"sphere", "box", "capsule", "cylinder", "ellipsoid"};
  int kind = drawn_count(d, 0, b->plane ? 2 : 4);
  *s = (nsds_shape_def){.kind = b->plane ? in_plane[kind] : in_space[kind], .ds = b->ds[i]};
  add_word(d, names[kind]);
  if (kind == 0) s->radius = r;
  if (kind == 1)
    for (int k = 0; k < 3; ++k) s->half[k] = r * drawn(d, 0.5, 0.9);
  if (kind == 2) {
    s->radius = 0.4 * r;
    s->half[0] = 0.5 * r;
  }
  if (kind == 3) {
    s->radius = 0.6 * r;
    s->half[0] = 0.6 * r;
  }
  if (kind == 4)
    for (int k = 0; k < 3; ++k) s->half[k] = r * drawn(d, 0.5, 0.95);
}

static void draw_shapes(bodies *b) {
  drawing *d = b->d;
  bool rolls = drawn_flag(d, 0.3), smooth = drawn_flag(d, 0.25);
  b->shape[b->nshape++] =
      (nsds_shape_def){.kind = NSDS_HALF_SPACE, .plane = {.normal = {0.0, b->plane, !b->plane}}};
  for (int i = 0; i < b->n; ++i) draw_shape(b, i);
  nsds_material material = {.mu = smooth ? 0.0 : drawn(d, 0.1, 0.7),
                            .mu_rolling = drawn(d, 0.001, 0.01),
                            .e_n = drawn_flag(d, 0.5) ? 0.0 : drawn(d, 0.1, 0.6)};
  add_word(d, rolls ? "with rolling friction" : smooth ? "without friction" : "with friction");
  nsds_shapes(d->model, &(nsds_shapes_def){.dimension = b->plane ? 2 : 3,
                                           .nmaterial = 1,
                                           .material = &material,
                                           .rolling = rolls,
                                           .nshape = b->nshape,
                                           .shape = b->shape});
}

/* ---- joints and springs ---------------------------------------------------------------------- */

static void draw_joint(bodies *b, int i) {
  drawing *d = b->d;
  bool pair = i + 1 < b->n && drawn_flag(d, 0.5), damped = drawn_flag(d, 0.2);
  static const nsds_joint_kind in_plane[] = {NSDS_JOINT_HINGE, NSDS_JOINT_DISTANCE,
                                             NSDS_JOINT_PRISMATIC};
  static const nsds_joint_kind in_space[] = {NSDS_JOINT_HINGE, NSDS_JOINT_DISTANCE, NSDS_JOINT_BALL,
                                             NSDS_JOINT_PRISMATIC};
  int kind = drawn_count(d, 0, b->plane ? 2 : 3);
  nsds_joint_def def = {.kind = b->plane ? in_plane[kind] : in_space[kind],
                        .ds = {b->ds[i], pair ? b->ds[i + 1] : NULL},
                        .D = damped ? 1e-3 : 0.0};
  add_word(d, pair ? "joint of two" : "joint");
  if (damped) add_word(d, "with D");
  for (int k = 0; k < 3; ++k) {
    def.point[k] = b->x[i][k] + (b->plane && k == 2 ? 0.0 : drawn(d, -0.3, 0.3));
    def.other[k] = def.kind != NSDS_JOINT_DISTANCE ? 0.0 : pair ? b->x[i + 1][k] : 1.5 * (k == 0);
    def.axis[k] = b->plane && k == 2 ? 0.0 : drawn(d, -1.0, 1.0);
  }
  nsds_connect(d->model, nsds_joint(d->model, &def), nsds_equality(d->model), 1 + pair, b->ds + i);
  bool turns = def.kind == NSDS_JOINT_HINGE, slides = def.kind == NSDS_JOINT_PRISMATIC;
  if ((!turns && !slides) || !drawn_flag(d, 0.6)) return;
  nsds_joint_act_def act = {
      .coordinate = {.kind = turns ? NSDS_COORDINATE_ANGLE : NSDS_COORDINATE_DISPLACEMENT,
                     .ds = {def.ds[0], def.ds[1]},
                     .point = {def.point[0], def.point[1], def.point[2]},
                     .axis = {def.axis[0], def.axis[1], def.axis[2]}}};
  if (drawn_flag(d, 0.5)) {
    act.friction = drawn(d, 0.05, 0.5);
    add_word(d, "friction of a joint");
  }
  if (drawn_flag(d, 0.5)) {
    act.lower = -drawn(d, 0.1, 0.4);
    act.upper = drawn(d, 0.1, 0.4);
    if (drawn_flag(d, 0.4)) act.stop_stiffness = drawn(d, 100.0, 2e3);
    add_word(d, act.stop_stiffness > 0.0 ? "soft stops" : "stops");
  }
  if (drawn_flag(d, 0.5)) {
    act.driven = true;
    act.drive_stiffness = drawn(d, 5.0, 40.0);
    act.drive_damping = drawn(d, 0.1, 2.0);
    act.target = drawn(d, -0.5, 0.5);
    act.most = drawn_flag(d, 0.5) ? drawn(d, 0.5, 5.0) : 0.0;
    add_word(d, act.most > 0.0 ? "bounded drive" : "drive");
  }
  nsds_joint_act(d->model, &act, NULL);
}

static void draw_spring(bodies *b, int i) {
  drawing *d = b->d;
  bool pair = i + 1 < b->n;
  nsds_spring_def def = {.ds = {b->ds[i], pair ? b->ds[i + 1] : NULL},
                         .stiffness = drawn(d, 20.0, 200.0),
                         .damping = drawn(d, 0.0, 2.0)};
  for (int k = 0; k < 3; ++k) {
    def.point[k] = b->x[i][k] + (b->plane && k == 2 ? 0.0 : drawn(d, -0.1, 0.1));
    def.other[k] = pair ? b->x[i + 1][k] : k == 0;
  }
  add_word(d, "spring");
  nsds_connect(d->model, nsds_spring(d->model, &def), nsds_equality(d->model), 1 + pair, b->ds + i);
}

void draw_bodies(drawing *d, bool plane) {
  bodies b = {.d = d, .plane = plane, .n = drawn_count(d, 1, MOST_BODIES)};
  int up = plane ? 1 : 2;
  bool stacked = drawn_flag(d, 0.4);
  add_word(d, plane ? "plane:" : "space:");
  for (int i = 0; i < b.n; ++i) {
    double v[6];
    b.size[i] = drawn(d, 0.1, 0.25);
    for (int k = 0; k < 3; ++k) b.x[i][k] = plane && k == 2 ? 0.0 : drawn(d, -0.05, 0.05);
    b.x[i][0] += stacked ? 0.0 : 0.6 * i;
    b.x[i][up] += 0.35 + (stacked ? 0.55 * i : 0.0);
    for (int k = 0; k < 6; ++k) v[k] = drawn(d, -1.0, 1.0);
    b.ds[i] = body(&b, i, v);
  }
  if (drawn_flag(d, 0.8)) draw_shapes(&b);
  if (drawn_flag(d, 0.5)) draw_joint(&b, drawn_count(d, 0, b.n - 1));
  if (drawn_flag(d, 0.4)) draw_spring(&b, drawn_count(d, 0, b.n - 1));
  d->end = 0.5;
}
