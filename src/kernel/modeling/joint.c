/*
 * Joints between rigid bodies, or a body and the world. Three kinds of rows, with u and w
 * directions fixed to the first and the second body and w_k the angular velocities in the world:
 *
 *   e . d   rate e . (v_A1 - v_2 - w_2 x (A_1 - x_2)), e fixed in the world
 *   w . d   rate w . (v_A1 - v_2 - w_2 x (A_1 - x_2)): seen from body 2
 *   u . w   rate (w_1 - w_2) . (u x w)
 *
 * The first is off the rate of e . d by e . (w_2 x d). So the forces of a joint act on both bodies
 * at one point, and rows of joints between the same bodies depend on each other wherever they do in
 * a configuration without drift, also in one with it.
 * The angle is atan2(s, k) of s = b_1.c_2, k = b_1.b_2, whose rate is (w_1 - w_2) . m,
 * m = [k (b_1 x c_2) - s (b_1 x b_2)] / (s^2 + k^2). A direction e of a force at A from the centre
 * is [e, R^T (arm x e)] in velocities, a moment m is [0, R^T m].
 * Source: E. J. Haug, Computer Aided Kinematics and Dynamics of Mechanical Systems (1989), 9.4.
 */
#include "kernel/modeling/joint.h"

#include "base/context.h"
#include "kernel/modeling/body.h"
#include "kernel/modeling/joint_bias.h"

/* ---- kinds ----------------------------------------------------------------------------------- */

static const nsds_joint_rows_of in_space[] = {
    [NSDS_JOINT_BALL] = {.along = 3},
    [NSDS_JOINT_HINGE] = {.along = 3, .turns = 2},
    [NSDS_JOINT_PRISMATIC] = {.across = 2, .turns = 3},
    [NSDS_JOINT_CYLINDRICAL] = {.across = 2, .turns = 2},
    [NSDS_JOINT_FIXED] = {.along = 3, .turns = 3},
    [NSDS_JOINT_DISTANCE] = {.other = 1},
    [NSDS_JOINT_ROPE] = {.other = 1},
    [NSDS_JOINT_ANGLE] = {.other = 1},
    [NSDS_JOINT_SLIDE] = {.other = 1},
    [NSDS_JOINT_GEAR] = {.other = 1},
};
static const nsds_joint_rows_of in_plane[] = {
    [NSDS_JOINT_BALL] = {.along = 2},
    [NSDS_JOINT_HINGE] = {.along = 2},
    [NSDS_JOINT_PRISMATIC] = {.across = 1, .turns = 1},
    [NSDS_JOINT_CYLINDRICAL] = {.along = 0}, /* none */
    [NSDS_JOINT_FIXED] = {.along = 2, .turns = 1},
    [NSDS_JOINT_DISTANCE] = {.other = 1},
    [NSDS_JOINT_ROPE] = {.other = 1},
    [NSDS_JOINT_ANGLE] = {.other = 1},
    [NSDS_JOINT_SLIDE] = {.other = 1},
    [NSDS_JOINT_GEAR] = {.other = 1},
};

/* Directions of bodies 1 and 2 that stay orthogonal: of one, two and three rows. */
const int nsds_joint_pairs[4][3][2] = {{{0}}, {{0, 1}}, {{0, 1}, {0, 2}}, {{0, 1}, {1, 2}, {2, 0}}};

const nsds_joint_rows_of *nsds_joint_rows_at(nsds_joint_kind kind, bool plane) {
  return plane ? &in_plane[kind] : &in_space[kind];
}

int nsds_joint_rows(nsds_joint_kind kind, bool plane) {
  int count = (int)(sizeof in_space / sizeof *in_space);
  if ((int)kind < 1 || (int)kind >= count) return 0;
  const nsds_joint_rows_of *rows = nsds_joint_rows_at(kind, plane);
  return rows->along + rows->across + rows->turns + rows->other;
}

bool nsds_joint_turns(nsds_joint_kind kind) {
  return kind == NSDS_JOINT_HINGE || kind == NSDS_JOINT_CYLINDRICAL || kind == NSDS_JOINT_ANGLE;
}

bool nsds_joint_slides(nsds_joint_kind kind) {
  return kind == NSDS_JOINT_PRISMATIC || kind == NSDS_JOINT_CYLINDRICAL || kind == NSDS_JOINT_SLIDE;
}

/* ---- a configuration ------------------------------------------------------------------------- */

void nsds_joint_place(bool plane, const double *q, double *R, double *x) {
  static const double upright[nsds_body_nq] = {[3] = 1.0};
  const double *at = q ? q : upright;
  double turn[4] = {1.0, 0.0, 0.0, 0.0};
  for (int k = 0; k < 3; ++k) x[k] = at[k];
  if (plane) {
    turn[0] = cos(0.5 * (q ? q[2] : 0.0));
    turn[3] = sin(0.5 * (q ? q[2] : 0.0));
    x[2] = 0.0;
  }
  nsds_rotation_matrix(plane ? turn : at + 3, R);
}

void nsds_joint_pose_at(const nsds_joint_data *s, const double *q, nsds_joint_pose *pose) {
  for (int k = 0; k < 3; ++k) pose->d[k] = 0.0;
  for (int body = 0; body < 2; ++body) {
    double x[3], sign = body ? -1.0 : 1.0;
    nsds_joint_place(s->plane, body == 0 ? q : s->pair ? q + s->nq : NULL, pose->R[body], x);
    nsds_turn(pose->R[body], s->point[body], pose->arm[body]);
    for (int j = 0; j < 3; ++j)
      nsds_turn(pose->R[body], s->axes[body] + 3 * j, pose->axes[body] + 3 * j);
    for (int k = 0; k < 3; ++k) pose->d[k] += sign * (x[k] + pose->arm[body][k]);
  }
}

void nsds_joint_twist(bool plane, const double *v, const double *R, double *velocity, double *w) {
  for (int k = 0; k < 3; ++k) velocity[k] = plane && k == 2 ? 0.0 : v[k];
  w[0] = w[1] = 0.0;
  if (plane) w[2] = v[2];
  else nsds_turn(R, v + 3, w);
}

double nsds_joint_angle(const nsds_joint_pose *pose, double *m) {
  const double *b1 = pose->axes[0] + 3, *b2 = pose->axes[1] + 3, *c2 = pose->axes[1] + 6;
  double s = nsds_dot(b1, c2), k = nsds_dot(b1, b2), over_s[3], over_k[3];
  nsds_cross(b1, c2, over_s);
  nsds_cross(b1, b2, over_k);
  for (int i = 0; i < 3; ++i) m[i] = (k * over_s[i] - s * over_k[i]) / (s * s + k * k);
  return atan2(s, k);
}

static double joint_distance(const nsds_joint_data *s, const nsds_joint_pose *pose) {
  return s->kind == NSDS_JOINT_ROPE ? s->length - nsds_length(pose->d)
                                    : nsds_length(pose->d) - s->length;
}

static nsds_status joint_output(void *self, const nsds_in *in, double *y) {
  const nsds_joint_data *s = self;
  const nsds_joint_rows_of *rows = nsds_joint_rows_at(s->kind, s->plane);
  nsds_joint_pose pose;
  double m[3];
  nsds_joint_pose_at(s, in->q, &pose);
  const double *axes = pose.axes[1];
  for (int k = 0; k < rows->along; ++k) *y++ = pose.d[k];
  for (int k = 0; k < rows->across; ++k) *y++ = nsds_dot(axes + 3 * (1 + k), pose.d);
  for (int k = 0; k < rows->turns; ++k) {
    const int *pair = nsds_joint_pairs[rows->turns][k];
    *y++ = nsds_dot(pose.axes[0] + 3 * pair[0], axes + 3 * pair[1]);
  }
  if (!rows->other) return NSDS_OK;
  if (s->kind == NSDS_JOINT_ANGLE) *y = s->sign * nsds_joint_angle(&pose, m) + s->offset;
  else if (s->kind == NSDS_JOINT_SLIDE) *y = s->sign * nsds_dot(axes, pose.d) + s->offset;
  else *y = joint_distance(s, &pose);
  return NSDS_OK;
}

/* ---- rows of the gradient -------------------------------------------------------------------- */

typedef struct sheet {
  const nsds_joint_data *joint;
  const nsds_joint_pose *pose;
  double *H;
  int row;
} sheet;

/* The columns of one body: sign (f, R^T m), in the plane sign (f, m_z). */
static void joint_put(const sheet *h, int body, double sign, const double *f, const double *m) {
  int ny = h->joint->rows;
  double *H = h->H + h->row + body * ny * h->joint->nv, turned[3];
  if (h->joint->plane) {
    H[0] = sign * f[0];
    H[ny] = sign * f[1];
    H[2 * ny] = sign * m[2];
    return;
  }
  nsds_turn_back(h->pose->R[body], m, turned);
  for (int k = 0; k < 3; ++k) {
    H[k * ny] = sign * f[k];
    H[(3 + k) * ny] = sign * turned[k];
  }
}

/* The next row: e . (velocity of A_1), less that of A_2, or of the point of body 2 at A_1. */
static void put_direction(sheet *h, const double *e, double sign, bool seen_from_second) {
  double m[3], arm[3];
  nsds_cross(h->pose->arm[0], e, m);
  joint_put(h, 0, sign, e, m);
  if (h->joint->pair) {
    for (int k = 0; k < 3; ++k)
      arm[k] = h->pose->arm[1][k] + (seen_from_second ? h->pose->d[k] : 0.0);
    nsds_cross(arm, e, m);
    joint_put(h, 1, -sign, e, m);
  }
  ++h->row;
}

/* The next row: m . (w_1 - w_2). */
static void put_moment(sheet *h, const double *m, double sign) {
  static const double none[3] = {0.0, 0.0, 0.0};
  joint_put(h, 0, sign, none, m);
  if (h->joint->pair) joint_put(h, 1, -sign, none, m);
  ++h->row;
}

static nsds_status put_distance(sheet *h, double t) {
  const nsds_joint_data *s = h->joint;
  const double *d = h->pose->d;
  double length = nsds_length(d), n[3] = {0.0};
  bool rope = s->kind == NSDS_JOINT_ROPE; /* where it is slack it pulls nowhere */
  if (length == 0.0 && !rope)
    return nsds_fail(s->caller.context, NSDS_ERROR_CALLBACK,
                     "%s: the two points are at one place at t = %.17g; their distance has no "
                     "direction there",
                     s->caller.label, t);
  for (int k = 0; length > 0.0 && k < 3; ++k) n[k] = d[k] / length;
  put_direction(h, n, rope ? -1.0 : 1.0, false);
  return NSDS_OK;
}

static nsds_status joint_gradient(void *self, const nsds_in *in, double *H) {
  const nsds_joint_data *s = self;
  const nsds_joint_rows_of *rows = nsds_joint_rows_at(s->kind, s->plane);
  nsds_joint_pose pose;
  sheet h = {.joint = s, .pose = &pose, .H = H};
  double m[3];
  nsds_joint_pose_at(s, in->q, &pose);
  const double *axes = pose.axes[1];
  for (int k = 0; k < rows->along; ++k)
    put_direction(&h, (const double[]){k == 0, k == 1, k == 2}, 1.0, true);
  for (int k = 0; k < rows->across; ++k) put_direction(&h, axes + 3 * (1 + k), 1.0, true);
  for (int k = 0; k < rows->turns; ++k) {
    const int *pair = nsds_joint_pairs[rows->turns][k];
    nsds_cross(pose.axes[0] + 3 * pair[0], axes + 3 * pair[1], m);
    put_moment(&h, m, 1.0);
  }
  if (!rows->other) return NSDS_OK;
  if (s->kind == NSDS_JOINT_ANGLE) {
    nsds_joint_angle(&pose, m);
    put_moment(&h, m, s->sign);
    return NSDS_OK;
  }
  if (s->kind != NSDS_JOINT_SLIDE) return put_distance(&h, in->t);
  put_direction(&h, axes, s->sign, true);
  return NSDS_OK;
}

static void joint_destroy(void *self) {
  nsds_joint_data *s = self;
  nsds_release(s->caller.context, s);
}

static nsds_status joint_feedthrough(void *self, const nsds_in *in, double *D) {
  const nsds_joint_data *s = self;
  (void)in;
  for (int i = 0; i < s->rows; ++i)
    for (int j = 0; j < s->rows; ++j) D[i + j * s->rows] = i == j ? s->D : 0.0;
  return NSDS_OK;
}

#define JOINT_OPS                                                                                  \
  .type = "nsds_joint", .output = joint_output, .gradient_v = joint_gradient,                      \
  .bias = nsds_joint_bias, .destroy = joint_destroy
const nsds_relation_ops nsds_joint_ops = {JOINT_OPS};
const nsds_relation_ops nsds_yielding_joint_ops = {JOINT_OPS, .feedthrough = joint_feedthrough};
