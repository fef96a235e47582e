/*
 * d^2y/dt^2 of contacts at constant velocities. The angular velocities w in the world are then
 * constant too. With n', P' the rates of normal and point, a = P - x
 *
 *   rows d . u,   u = v_1 + w_1 x a_1 - v_2 - w_2 x a_2     d' . u + d . u'
 *                 u' = w_1 x (P' - v_1) - w_2 x (P' - v_2)
 *   rows d . (w_1 - w_2)                                     d' . (w_1 - w_2)
 *
 * d = n, t1, t2; t' is the rate of the tangents chosen from n.
 */
#include "kernel/modeling/contact_bias.h"

#include "base/context.h"
#include "base/finite.h"
#include "kernel/modeling/body.h"
#include "kernel/modeling/contact_frame.h"
#include "kernel/modeling/joint_pose.h"

/* Computes the rates of chosen tangents, polynomials in n and a = -1 / (s + n_3), a' = a^2 n_3'. */
static void chosen_rates(const double *n, const double *rate, double *t1, double *t2) {
  double s = n[2] > -0.99 ? 1.0 : -1.0, a = -1.0 / (s + n[2]), a_rate = a * a * rate[2];
  double b = rate[0] * n[1] * a + n[0] * rate[1] * a + n[0] * n[1] * a_rate;
  t1[0] = s * (2.0 * n[0] * rate[0] * a + n[0] * n[0] * a_rate);
  t1[1] = s * b;
  t1[2] = -s * rate[0];
  t2[0] = b;
  t2[1] = 2.0 * n[1] * rate[1] * a + n[1] * n[1] * a_rate;
  t2[2] = -rate[1];
}

/* Computes the rates of t1 = p / |p|, p = g - (g . n) n with a given direction g, and of t2 = n x
 * t1. */
static void given_rates(const double *frame, const nsds_body_contact *at,
                        const nsds_body_contact *rate, double *frame_rate) {
  const double *n = frame, *t1 = frame + 3, *g = at->tangent;
  double along = nsds_dot(g, n), turned[3], kept[3];
  double along_rate = nsds_dot(rate->tangent, n) + nsds_dot(g, rate->normal);
  double p[3], length = sqrt(nsds_dot(g, g) - along * along), growth = 0.0;
  for (int k = 0; k < 3; ++k) {
    p[k] = rate->tangent[k] - along_rate * n[k] - along * rate->normal[k];
    growth += t1[k] * p[k];
  }
  for (int k = 0; k < 3; ++k) frame_rate[3 + k] = (p[k] - growth * t1[k]) / length;
  nsds_cross(rate->normal, t1, turned);
  nsds_cross(n, frame_rate + 3, kept);
  for (int k = 0; k < 3; ++k) frame_rate[6 + k] = turned[k] + kept[k];
}

static void frame_rates(const nsds_contact_data *s, const double *frame,
                        const nsds_body_contact *at, const nsds_body_contact *rate, double *out) {
  for (int k = 0; k < 3; ++k) out[k] = rate->normal[k];
  if (s->def.dimension == 2) {
    out[3] = out[1];
    out[4] = -out[0];
    out[5] = 0.0;
  } else if (nsds_length(at->tangent) > 0.0) {
    given_rates(frame, at, rate, out);
  } else {
    chosen_rates(frame, out, out + 3, out + 6);
  }
}

/* Computes the relative velocity at the point, its rate, and the relative angular velocity. */
static void contact_bias_relative(const nsds_contact_data *s, const nsds_arguments *in,
                                  const nsds_body_contact *at, const nsds_body_contact *rate,
                                  double *u, double *u_rate, double *turn) {
  bool plane = s->def.dimension == 2;
  for (int k = 0; k < 3; ++k) u[k] = u_rate[k] = turn[k] = 0.0;
  for (int body = 0; body < (s->def.pair ? 2 : 1); ++body) {
    double R[9], x[3], v[3], w[3], arm[3], leaving[3], at_point[3], changing[3];
    double sign = body ? -1.0 : 1.0;
    nsds_joint_place(plane, in->q + body * (plane ? 3 : nsds_body_nq), R, x);
    nsds_joint_twist(plane, in->v + body * (plane ? 3 : nsds_body_nv), R, v, w);
    for (int k = 0; k < 3; ++k) {
      arm[k] = at->point[k] - x[k];
      leaving[k] = rate->point[k] - v[k];
    }
    nsds_cross(w, arm, at_point);
    nsds_cross(w, leaving, changing);
    for (int k = 0; k < 3; ++k) {
      u[k] += sign * (v[k] + at_point[k]);
      u_rate[k] += sign * changing[k];
      turn[k] += sign * w[k];
    }
  }
}

static nsds_status contact_bias_rates(const nsds_contact_data *s, const nsds_arguments *in,
                                      nsds_body_contact *rate) {
  *rate = (nsds_body_contact){0};
  int code = s->def.rate_fn(in, rate, s->def.user);
  if (code)
    return nsds_fail(s->caller.context, code < 0 ? NSDS_ERROR_ABORTED : NSDS_ERROR_CALLBACK,
                     "%s: rate_fn returned %d at t = %.17g (0 is success)", s->caller.label, code,
                     in->t);
  if (s->def.dimension == 2) rate->point[2] = rate->normal[2] = rate->tangent[2] = 0.0;
  return NSDS_OK;
}

nsds_status nsds_contact_relation_bias(void *self, const nsds_arguments *in, double *bias) {
  const nsds_contact_data *s = self;
  nsds_body_contact at, rate;
  double frame[9], frame_rate[9], u[3], u_rate[3], turn[3];
  nsds_status status = nsds_contact_find(s, in, &at);
  if (!status) status = nsds_contact_frame(s, in, &at, frame);
  if (!status) status = contact_bias_rates(s, in, &rate);
  if (status) return status;
  frame_rates(s, frame, &at, &rate, frame_rate);
  contact_bias_relative(s, in, &at, &rate, u, u_rate, turn);
  int sliding = s->def.dimension; /* rows before rolling, whose first tangent is t1 */
  for (int i = 0; i < s->def.rows; ++i) {
    const double *d = frame + 3 * (i < sliding ? i : i - sliding + 1);
    const double *d_rate = frame_rate + (d - frame);
    bias[i] = i < sliding ? nsds_dot(d_rate, u) + nsds_dot(d, u_rate) : nsds_dot(d_rate, turn);
    int bad = nsds_first_nonfinite(&bias[i], 1);
    if (bad >= 0)
      return nsds_fail(s->caller.context, NSDS_ERROR_CALLBACK,
                       "%s: row %d of d^2y/dt^2 is %g at t = %.17g; rate_fn must give finite rates",
                       s->caller.label, i, bias[i], in->t);
  }
  return NSDS_OK;
}
