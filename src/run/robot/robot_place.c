/*
 * Another start of a robot, see robot_place.h. Bodies stand in the order of the tree. The motion of a
 * body from the old start to the new one is that of its parent, then the joint's. Points and axes of joints
 * and cables move with their bodies. The velocity of a body is that of its parent, at the place of the
 * body, plus that of the joint.
 */
#include "run/robot/robot_place.h"

#include <math.h>
#include <string.h>

static const double most_open = 1e-6; /* [m, rad] */

int nsds_robot_joint_above(const nsds_robot *robot, int body) {
  for (int k = 0; k < robot->njoint; ++k)
    if (robot->joint[k].child == body && !robot->joint[k].closes) return k;
  return -1;
}

/* Sizes of the coordinates of a body. */
static int body_sizes(const nsds_robot *r, int body, int *nv) {
  int joint = nsds_robot_joint_above(r, body);
  nsds_robot_joint_kind kind = joint < 0 ? NSDS_ROBOT_FIXED : r->joint[joint].kind;
  if (joint >= 0 && kind != NSDS_ROBOT_BALL) return *nv = 1;
  *nv = joint < 0 ? 6 : 3;
  return joint < 0 ? 7 : 4;
}

void nsds_robot_sizes(const nsds_robot *robot, int *nq, int *nv) {
  *nq = *nv = 0;
  for (int k = 1; k < robot->nbody; ++k) {
    int n;
    *nq += body_sizes(robot, k, &n);
    *nv += n;
  }
}

static bool unit(const double *q, double out[4]) {
  double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  for (int i = 0; i < 4; ++i) out[i] = length > 1e-10 ? q[i] / length : 0.0;
  return length > 1e-10;
}

/* A pose that turns by a quaternion about a point. */
static nsds_pose pose_about(const double point[3], const double q[4]) {
  nsds_pose pose = {.q = {q[0], q[1], q[2], q[3]}};
  double moved[3];
  nsds_pose_turn(q, point, moved);
  for (int i = 0; i < 3; ++i) pose.p[i] = point[i] - moved[i];
  return pose;
}

/* The pose of a ball joint's child, at the point where the joint stands now. */
static nsds_pose ball_pose(const nsds_robot_joint *j, const nsds_pose *parent,
                           const nsds_pose *child, const double q[4]) {
  nsds_pose out = *child, back = nsds_pose_inverse(child);
  double at[3], turned[3], zero[4];
  nsds_pose_point(&back, j->point, at);
  nsds_quaternion_times(parent->q, j->zero, zero);
  nsds_quaternion_times(zero, q, out.q);
  nsds_pose_turn(out.q, at, turned);
  for (int i = 0; i < 3; ++i) out.p[i] = j->point[i] - turned[i];
  return out;
}

/* The velocity of a body: that of its parent at the point p, carried to the frame of the body. */
static void carry_rate(const double from[6], const double from_point[3], const double point[3],
                       double rate[6]) {
  double d[3], swept[3];
  for (int i = 0; i < 3; ++i) d[i] = point[i] - from_point[i];
  nsds_pose_cross(from + 3, d, swept);
  for (int i = 0; i < 3; ++i) {
    rate[i] = from[i] + swept[i];
    rate[3 + i] = from[3 + i];
  }
}

/* Adds the velocity of the joint; `turn` is an angular velocity about its point, in the world. */
static void add_turn(const double turn[3], const double point[3], nsds_robot_body *b) {
  double d[3], swept[3];
  for (int i = 0; i < 3; ++i) d[i] = b->pose.p[i] - point[i];
  nsds_pose_cross(turn, d, swept);
  for (int i = 0; i < 3; ++i) {
    b->rate[i] += swept[i];
    b->rate[3 + i] += turn[i];
  }
}

/* Moves a body with the joint above it, which has been moved with the parent. */
static bool move_by_joint(nsds_robot *r, const nsds_xml *at, nsds_robot_body *b,
                          nsds_robot_joint *j, const double *q, const double *v) {
  const nsds_robot_body *parent = &r->body[j->parent];
  double turn[4], rate[3];
  carry_rate(parent->rate, parent->pose.p, b->pose.p, b->rate);
  if (j->kind == NSDS_ROBOT_BALL) {
    if (!unit(q, turn))
      return nsds_robot_fail(r, at, "the quaternion of the joint %s has the length 0", j->name);
    b->pose = ball_pose(j, &parent->pose, &b->pose, turn);
    carry_rate(parent->rate, parent->pose.p, b->pose.p, b->rate);
    nsds_pose_turn(b->pose.q, v, rate);
    add_turn(rate, j->point, b);
    return true;
  }
  double by = q[0] - j->start;
  j->start = q[0];
  if (j->kind == NSDS_ROBOT_SLIDE) {
    for (int i = 0; i < 3; ++i) b->pose.p[i] += by * j->axis[i];
    carry_rate(parent->rate, parent->pose.p, b->pose.p, b->rate);
    for (int i = 0; i < 3; ++i) b->rate[i] += v[0] * j->axis[i];
    return true;
  }
  nsds_quaternion_of_axis(j->axis, by, turn);
  nsds_pose about = pose_about(j->point, turn);
  b->pose = nsds_pose_times(&about, &b->pose);
  carry_rate(parent->rate, parent->pose.p, b->pose.p, b->rate);
  for (int i = 0; i < 3; ++i) rate[i] = v[0] * j->axis[i];
  add_turn(rate, j->point, b);
  return true;
}

static bool move_free(nsds_robot *r, const nsds_xml *at, nsds_robot_body *b, const double *q,
                      const double *v) {
  memcpy(b->pose.p, q, sizeof b->pose.p);
  memcpy(b->rate, v, 3 * sizeof *v);
  if (!unit(q + 3, b->pose.q))
    return nsds_robot_fail(r, at, "the quaternion of the body %s has the length 0", b->name);
  nsds_pose_turn(b->pose.q, v + 3, b->rate + 3);
  return true;
}

static void move_point(const nsds_pose *motion, double point[3]) {
  double moved[3];
  nsds_pose_point(motion, point, moved);
  memcpy(point, moved, sizeof moved);
}

/* How far two points are apart. */
static double distance_of_points(const double a[3], const double b[3]) {
  return sqrt(pow(a[0] - b[0], 2) + pow(a[1] - b[1], 2) + pow(a[2] - b[2], 2));
}

/* Moves a joint that closes a loop, and tells if it does not close at the new start. */
static bool move_closing(nsds_robot *r, const nsds_xml *at, nsds_robot_joint *j,
                         const nsds_pose *motion) {
  double other[3], d[4];
  memcpy(other, j->point, sizeof other);
  move_point(&motion[j->parent], other);
  move_point(&motion[j->child], j->point);
  double open = distance_of_points(other, j->point);
  if (j->kind == NSDS_ROBOT_FIXED) {
    nsds_pose back = nsds_pose_inverse(&motion[j->parent]);
    nsds_quaternion_times(back.q, motion[j->child].q, d);
    open = fmax(open, 2.0 * sqrt(d[1] * d[1] + d[2] * d[2] + d[3] * d[3]));
  }
  return open <= most_open ||
         nsds_robot_fail(r, at, "the equality %s is open by %g at this start; valid is up to %g",
                         j->name, open, most_open);
}

static bool couplers_close(nsds_robot *r, const nsds_xml *at) {
  for (int k = 0; k < r->ncoupler; ++k) {
    const nsds_robot_coupler *c = &r->coupler[k];
    double y = c->offset;
    for (int i = 0; i < c->nterm; ++i) y += c->weight[i] * r->joint[c->joint[i]].start;
    if (fabs(y) > most_open)
      return nsds_robot_fail(r, at, "the equality %s is off by %g at this start; valid is up to %g",
                             c->name, y, most_open);
  }
  return true;
}

static bool move_bodies(nsds_robot *r, const nsds_xml *at, const double *q, const double *v,
                        nsds_pose *motion) {
  for (int k = 1; k < r->nbody; ++k) {
    nsds_robot_body *b = &r->body[k];
    nsds_pose old = b->pose;
    int joint = nsds_robot_joint_above(r, k), nv, nq = body_sizes(r, k, &nv);
    if (joint < 0) {
      if (!move_free(r, at, b, q, v)) return false;
    } else {
      nsds_robot_joint *j = &r->joint[joint];
      const nsds_pose *with = &motion[j->parent];
      double axis[3];
      memcpy(axis, j->axis, sizeof axis);
      nsds_pose_turn(with->q, axis, j->axis);
      move_point(with, j->point);
      b->pose = nsds_pose_times(with, &b->pose);
      if (!move_by_joint(r, at, b, j, q, v)) return false;
    }
    nsds_pose back = nsds_pose_inverse(&old);
    motion[k] = nsds_pose_times(&b->pose, &back);
    q += nq;
    v += nv;
  }
  return true;
}

double nsds_robot_inertia_of(const nsds_robot *robot, int joint) {
  const nsds_robot_joint *j = &robot->joint[joint];
  double sum = j->armature;
  for (int k = 1; k < robot->nbody; ++k) {
    const nsds_robot_body *b = &robot->body[k];
    int above = k;
    double center[3], J[9], arm[3];
    while (above > j->child) above = robot->body[above].parent;
    if (above != j->child) continue;
    if (j->kind == NSDS_ROBOT_SLIDE) {
      sum += b->mass;
      continue;
    }
    nsds_pose_point(&b->pose, b->center, center);
    for (int i = 0; i < 3; ++i) center[i] -= j->point[i];
    nsds_pose_cross(j->axis, center, arm);
    nsds_pose_tensor(b->pose.q, b->inertia, J);
    for (int i = 0; i < 3; ++i) {
      sum += b->mass * arm[i] * arm[i];
      for (int n = 0; n < 3; ++n) sum += j->axis[i] * J[3 * i + n] * j->axis[n];
    }
  }
  return sum;
}

/* Coordinates at which the springs of joints have no force; free bodies and ball joints as they stand. */
static void spring_coordinates(const nsds_robot *r, double *q) {
  for (int k = 1; k < r->nbody; ++k) {
    int joint = nsds_robot_joint_above(r, k), nv, nq = body_sizes(r, k, &nv);
    if (nq == 7) {
      memcpy(q, r->body[k].pose.p, 3 * sizeof *q);
      memcpy(q + 3, r->body[k].pose.q, 4 * sizeof *q);
    } else if (nq == 4) {
      q[0] = 1.0;
    } else {
      q[0] = r->joint[joint].rest;
    }
    q += nq;
  }
}

double nsds_robot_spring_length(nsds_robot *robot, const nsds_robot_cable *cable) {
  int nq, nv;
  size_t bodies = (size_t)robot->nbody, joints = (size_t)robot->njoint;
  nsds_robot_sizes(robot, &nq, &nv);
  double *q = nsds_robot_memory(robot, (size_t)nq, sizeof *q), end[2][3];
  double *v = nsds_robot_memory(robot, (size_t)nv, sizeof *v);
  nsds_pose *motion = nsds_robot_memory(robot, bodies, sizeof *motion);
  nsds_robot_body *body = nsds_robot_memory(robot, bodies, sizeof *body);
  nsds_robot_joint *joint = nsds_robot_memory(robot, joints, sizeof *joint);
  if (robot->failed) return 0.0;
  memcpy(body, robot->body, bodies * sizeof *body);
  if (joints > 0) memcpy(joint, robot->joint, joints * sizeof *joint);
  for (size_t k = 0; k < bodies; ++k) motion[k] = nsds_pose_identity();
  spring_coordinates(robot, q);
  bool moved = move_bodies(robot, cable->at, q, v, motion);
  memcpy(robot->body, body, bodies * sizeof *body);
  if (joints > 0) memcpy(robot->joint, joint, joints * sizeof *joint);
  memcpy(end, cable->point, sizeof end);
  for (int i = 0; moved && i < 2; ++i) move_point(&motion[cable->body[i]], end[i]);
  return distance_of_points(end[0], end[1]);
}

void nsds_robot_move(nsds_robot *robot, const nsds_xml *at, const double *q, const double *v) {
  nsds_pose *motion = nsds_robot_memory(robot, (size_t)robot->nbody, sizeof *motion);
  if (!motion) return;
  for (int k = 0; k < robot->nbody; ++k) motion[k] = nsds_pose_identity();
  if (!move_bodies(robot, at, q, v, motion)) return;
  for (int k = 0; k < robot->njoint; ++k)
    if (robot->joint[k].closes && !move_closing(robot, at, &robot->joint[k], motion)) return;
  for (int k = 0; k < robot->ncable; ++k)
    for (int i = 0; i < 2; ++i)
      move_point(&motion[robot->cable[k].body[i]], robot->cable[k].point[i]);
  couplers_close(robot, at);
}
