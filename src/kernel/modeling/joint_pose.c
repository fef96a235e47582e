/* Places of the parts of a joint in a configuration: points, axes, angle, twist. */
#include "kernel/modeling/joint_pose.h"

#include "kernel/modeling/body.h"
#include "kernel/modeling/joint_kinds.h"

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

/* w = 2 conj(p) (x) dp turns quaternions into angular velocities. */
void nsds_joint_by_coordinates(const nsds_arguments *in, const double *H, double factor,
                               double *J) {
  for (int body = 0; body * nsds_body_nq < in->nq; ++body) {
    const double *h = H + body * nsds_body_nv, *p = in->q + body * nsds_body_nq + 3;
    double *j = J + body * nsds_body_nq, conjugate[4] = {p[0], -p[1], -p[2], -p[3]};
    for (int k = 0; k < 3; ++k) j[k] = factor * h[k];
    for (int i = 0; i < 4; ++i) {
      const double unit[4] = {i == 0, i == 1, i == 2, i == 3};
      double w[4];
      nsds_quaternion_product(conjugate, unit, w);
      j[3 + i] = 2.0 * factor * nsds_dot(h + 3, w + 1);
    }
  }
}

void nsds_joint_twist(bool plane, const double *v, const double *R, double *velocity, double *w) {
  for (int k = 0; k < 3; ++k) velocity[k] = plane && k == 2 ? 0.0 : v[k];
  w[0] = w[1] = 0.0;
  if (plane) w[2] = v[2];
  else nsds_turn(R, v + 3, w);
}

static double joint_swing(const nsds_joint_pose *pose, double *m) {
  const double *a1 = pose->axes[0], *a2 = pose->axes[1];
  nsds_cross(a2, a1, m);
  double sine = nsds_length(m);
  for (int i = 0; i < 3; ++i) m[i] = sine > 0.0 ? m[i] / sine : 0.0;
  return atan2(sine, nsds_dot(a1, a2));
}

static double joint_twist_angle(const nsds_joint_pose *pose, double *m) {
  const double *a1 = pose->axes[0], *b1 = a1 + 3, *c1 = a1 + 6;
  const double *a2 = pose->axes[1], *b2 = a2 + 3, *c2 = a2 + 6;
  double whole = 1.0 + nsds_dot(a1, a2);
  for (int i = 0; i < 3; ++i) m[i] = whole > 0.0 ? (a1[i] + a2[i]) / whole : 0.0;
  return atan2(nsds_dot(b1, c2) - nsds_dot(c1, b2), nsds_dot(b1, b2) + nsds_dot(c1, c2));
}

double nsds_joint_angle(nsds_joint_kind kind, const nsds_joint_pose *pose, double *m) {
  if ((int)kind == nsds_joint_swing_row) return joint_swing(pose, m);
  if ((int)kind == nsds_joint_twist_row) return joint_twist_angle(pose, m);
  const nsds_joint_angle_terms *of = nsds_joint_angle_terms_at(kind);
  const double *x1 = pose->axes[0] + 3 * of->sine[0], *y2 = pose->axes[1] + 3 * of->sine[1];
  const double *z1 = pose->axes[0] + 3 * of->cosine[0], *w2 = pose->axes[1] + 3 * of->cosine[1];
  double s = of->sign * nsds_dot(x1, y2), k = nsds_dot(z1, w2), over_s[3], over_k[3];
  nsds_cross(x1, y2, over_s);
  nsds_cross(z1, w2, over_k);
  for (int i = 0; i < 3; ++i) m[i] = (k * of->sign * over_s[i] - s * over_k[i]) / (s * s + k * k);
  return atan2(s, k);
}

double nsds_joint_nearest(double angle, double expected) {
  static const double turn = 6.283185307179586;
  double turns = nearbyint((expected - angle) / turn);
  return turns == 0.0 ? angle : angle + turns * turn;
}

double nsds_joint_plane_angle(const nsds_joint_data *s, const double *q, double angle) {
  return nsds_joint_nearest(angle, q[2] - (s->pair ? q[s->nq + 2] : 0.0) - s->start);
}
