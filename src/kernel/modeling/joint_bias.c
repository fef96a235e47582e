/*
 * d^2y/dt^2 of joints at constant velocities, for event-driven simulation. The angular velocities w
 * in the world are then constant too. Directions and points fixed to a body have the rates w x u
 * and w x (w x u). The second rates are
 *
 *   u . v            u'' . v + 2 u' . v' + u . v''
 *   distance |d|     [d'.d' - (n.d')^2] / |d| + n . d''
 *   atan2(s, k)      (k s'' - s k'') / r^2 - 2 (k s' - s k') (s s' + k k') / r^4,   r^2 = s^2 + k^2
 *   e . d            e . (d'' - w_2 x d'), as the rate is e . (d' - w_2 x d)
 */
#include "kernel/modeling/joint_bias.h"

#include "kernel/modeling/body.h"
#include "kernel/modeling/joint_data.h"
#include "kernel/modeling/joint_kinds.h"
#include "kernel/modeling/joint_pose.h"

/* A vector with its first and second rates. */
typedef struct moving {
  double x[3], rate[3], second[3];
} moving;

/* A number with its first and second rates. */
typedef struct changing {
  double x, rate, second;
} changing;

static changing joint_bias_product(const moving *u, const moving *v) {
  return (changing){.x = nsds_dot(u->x, v->x),
                    .rate = nsds_dot(u->rate, v->x) + nsds_dot(u->x, v->rate),
                    .second = nsds_dot(u->second, v->x) + 2.0 * nsds_dot(u->rate, v->rate) +
                              nsds_dot(u->x, v->second)};
}

static moving turning(const double *u, const double *w) {
  moving m = {.x = {u[0], u[1], u[2]}};
  nsds_cross(w, m.x, m.rate);
  nsds_cross(w, m.rate, m.second);
  return m;
}

/* The state of d, of the directions of both bodies, and the angular velocity of the second body. */
typedef struct motion {
  moving d, axis[2][3];
  double w[3];
} motion;

static void joint_bias_move(const nsds_joint_data *s, const nsds_arguments *in, motion *at) {
  nsds_joint_pose pose;
  nsds_joint_pose_at(s, in->q, &pose);
  *at = (motion){.d = {.x = {pose.d[0], pose.d[1], pose.d[2]}}};
  for (int body = 0; body < 2; ++body) {
    double velocity[3] = {0.0}, w[3] = {0.0}, sign = body ? -1.0 : 1.0;
    if (body == 0 || s->pair)
      nsds_joint_twist(s->plane, in->v + body * s->nv, pose.R[body], velocity, w);
    moving arm = turning(pose.arm[body], w);
    for (int k = 0; k < 3; ++k) {
      at->d.rate[k] += sign * (velocity[k] + arm.rate[k]);
      at->d.second[k] += sign * arm.second[k];
    }
    for (int j = 0; j < 3; ++j) at->axis[body][j] = turning(pose.axes[body] + 3 * j, w);
    if (body) memcpy(at->w, w, sizeof w);
  }
}

static double of_angle(const motion *at) {
  changing s = joint_bias_product(&at->axis[0][1], &at->axis[1][2]);
  changing k = joint_bias_product(&at->axis[0][1], &at->axis[1][1]);
  double square = s.x * s.x + k.x * k.x;
  return (k.x * s.second - s.x * k.second) / square -
         2.0 * (k.x * s.rate - s.x * k.rate) * (s.x * s.rate + k.x * k.rate) / (square * square);
}

static double of_distance(const moving *d) {
  double length = nsds_length(d->x);
  if (length == 0.0) return 0.0; /* a slack rope */
  double along = nsds_dot(d->x, d->rate) / length;
  return (nsds_dot(d->rate, d->rate) - along * along + nsds_dot(d->x, d->second)) / length;
}

nsds_status nsds_joint_bias(void *self, const nsds_arguments *in, double *bias) {
  const nsds_joint_data *s = self;
  const nsds_joint_rows_of *rows = nsds_joint_rows_at(s->kind, s->plane);
  motion at;
  joint_bias_move(s, in, &at);
  double turned[3]; /* the rate of d seen from the second body */
  nsds_cross(at.w, at.d.rate, turned);
  for (int k = 0; k < rows->along; ++k) *bias++ = at.d.second[k] - turned[k];
  for (int k = 0; k < rows->across; ++k)
    *bias++ = joint_bias_product(&at.axis[1][rows->first + k], &at.d).second;
  for (int k = 0; k < rows->turns; ++k) {
    const int *pair = nsds_joint_pairs[rows->turns][k];
    *bias++ = joint_bias_product(&at.axis[0][pair[0]], &at.axis[1][pair[1]]).second;
  }
  if (!rows->other) return NSDS_OK;
  if ((int)s->kind == nsds_joint_angle_row) *bias = s->sign * of_angle(&at);
  else if ((int)s->kind == nsds_joint_displacement_row)
    *bias = s->sign * joint_bias_product(&at.axis[1][0], &at.d).second;
  else *bias = (s->kind == NSDS_JOINT_ROPE ? -1.0 : 1.0) * of_distance(&at.d);
  return NSDS_OK;
}
