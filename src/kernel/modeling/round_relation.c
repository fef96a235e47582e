/*
 * Contacts of an ellipsoid with half axes S along the columns of A, around the point c of a body,
 * with a plane {x : n.x = offset}. With d = A^T R^T n,
 *
 *   rho = |S d|,   P = x + R (c - A S^2 d / rho),   gap = n.x + n.R c - rho - offset
 *
 * P is the lowest point; it travels over the surface as the body turns. With the angular velocity w,
 * d' = A^T R^T (n x w). A half axis of zero gives the rim of a disc.
 */
#include "kernel/modeling/round_relation.h"

#include "base/context.h"
#include "kernel/modeling/body.h"
#include "kernel/modeling/joint_pose.h"

/* Computes S^2 A^T R^T a in the axes of the ellipsoid, and S A^T R^T a. */
static void into_axes(const nsds_round_plane *s, const double *R, const double *a, double *square,
                      double *once) {
  double own[3], along[3];
  nsds_turn_back(R, a, own);
  nsds_turn_back(s->axes, own, along);
  for (int i = 0; i < 3; ++i) {
    once[i] = s->half[i] * along[i];
    square[i] = s->half[i] * once[i];
  }
}

/* Turns p from the axes into the world. */
static void out_of_axes(const nsds_round_plane *s, const double *R, const double *p, double *X) {
  double own[3];
  nsds_turn(s->axes, p, own);
  nsds_turn(R, own, X);
}

double nsds_round_lowest(const nsds_round_plane *s, const double *R, double *arm) {
  double p[3], once[3], center[3];
  into_axes(s, R, s->normal, p, once);
  double rho = nsds_length(once);
  for (int i = 0; i < 3; ++i) p[i] = rho > 0.0 ? -p[i] / rho : 0.0;
  out_of_axes(s, R, p, arm);
  nsds_turn(R, s->center, center);
  for (int i = 0; i < 3; ++i) arm[i] += center[i];
  return rho;
}

static int touch_round(const nsds_arguments *in, nsds_body_contact *at, void *user) {
  const nsds_round_plane *s = user;
  double R[9], x[3], arm[3];
  nsds_joint_place(false, in->q, R, x);
  nsds_round_lowest(s, R, arm);
  for (int k = 0; k < 3; ++k) {
    at->normal[k] = s->normal[k];
    at->point[k] = x[k] + arm[k];
    at->tangent[k] = s->tangent[k];
  }
  at->gap = nsds_dot(s->normal, at->point) - s->offset;
  return 0;
}

static int touch_round_rate(const nsds_arguments *in, nsds_body_contact *rate, void *user) {
  const nsds_round_plane *s = user;
  double R[9], x[3], v[3], w[3], arm[3], turning[3], d_rate[3], p[3], once[3], square[3], new[3];
  nsds_joint_place(false, in->q, R, x);
  nsds_joint_twist(false, in->v, R, v, w);
  double rho = nsds_round_lowest(s, R, arm);
  nsds_cross(s->normal, w, d_rate);
  into_axes(s, R, s->normal, p, once);
  into_axes(s, R, d_rate, square, new);
  double rho_rate = rho > 0.0 ? nsds_dot(once, new) / rho : 0.0; /* a tip has no extent */
  for (int i = 0; i < 3; ++i) p[i] = rho > 0.0 ? (p[i] * rho_rate / rho - square[i]) / rho : 0.0;
  out_of_axes(s, R, p, rate->point);
  nsds_cross(w, arm, turning);
  for (int k = 0; k < 3; ++k) rate->point[k] += v[k] + turning[k];
  rate->gap = nsds_dot(s->normal, rate->point);
  return 0;
}

void nsds_follow_round(nsds_round_plane *s, nsds_contact_data *data, nsds_context *context,
                       const char *label, int rows, const double *found) {
  nsds_contact_relation_def def = {.dimension = 3,
                                   .rows = rows,
                                   .contact_fn = touch_round,
                                   .rate_fn = touch_round_rate,
                                   .user = s};
  nsds_contact_data_follow(data, context, label, &def, found, s->tangent);
}
