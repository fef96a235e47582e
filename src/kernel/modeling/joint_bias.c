/*
 * d^2y/dt^2 of joints at constant velocities, for event-driven simulation. The angular velocities w
 * in the world are then constant too. Directions and points fixed to a body have the rates w x u
 * and w x (w x u). The second rates are
 *
 *   u . v            u'' . v + 2 u' . v' + u . v''
 *   distance |d|     [d'.d' - (n.d')^2] / |d| + n . d''
 *   atan2(s, k)      (k s'' - s k'') / r^2 - 2 (k s' - s k') (s s' + k k') / r^4,   r^2 = s^2 + k^2
 *   twist            the same, with s = b_1 . c_2 - c_1 . b_2, k = b_1 . b_2 + c_1 . c_2
 *   swing            -(k'' + k swing'^2) / sin swing,   k = a_1 . a_2 = cos swing
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

/* u + sign v */
static changing joint_bias_sum(changing u, double sign, changing v) {
  return (changing){u.x + sign * v.x, u.rate + sign * v.rate, u.second + sign * v.second};
}

static changing joint_bias_pair(const motion *at, const int *pair) {
  return joint_bias_product(&at->axis[0][pair[0]], &at->axis[1][pair[1]]);
}

static double joint_bias_swing(const motion *at) {
  changing k = joint_bias_pair(at, (const int[]){0, 0});
  double normal[3];
  nsds_cross(at->axis[0][0].x, at->axis[1][0].x, normal);
  double sine = nsds_length(normal), rate = sine > 0.0 ? k.rate / sine : 0.0;
  return sine > 0.0 ? -(k.second + k.x * rate * rate) / sine : 0.0; /* 0 has no direction */
}

static double joint_bias_angle(nsds_joint_kind kind, const motion *at) {
  if ((int)kind == nsds_joint_swing_row) return joint_bias_swing(at);
  const nsds_joint_angle_terms *of = nsds_joint_angle_terms_at(kind);
  changing s = joint_bias_sum((changing){0}, of->sign, joint_bias_pair(at, of->sine));
  changing k = joint_bias_pair(at, of->cosine);
  if ((int)kind == nsds_joint_twist_row) {
    s = joint_bias_sum(s, -1.0, joint_bias_pair(at, (const int[]){2, 1}));
    k = joint_bias_sum(k, 1.0, joint_bias_pair(at, (const int[]){2, 2}));
  }
  double square = s.x * s.x + k.x * k.x;
  if (square == 0.0) return 0.0; /* the twist of a swing of pi */
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
  if (nsds_joint_is_angle(s->kind)) *bias = s->sign * joint_bias_angle(s->kind, &at);
  else if ((int)s->kind == nsds_joint_displacement_row)
    *bias = s->sign * joint_bias_product(&at.axis[1][0], &at.d).second;
  else *bias = (s->kind == NSDS_JOINT_ROPE ? -1.0 : 1.0) * of_distance(&at.d);
  return NSDS_OK;
}
