/*
 * Contacts of an ellipsoid with a plane. The half axes S lie along the columns of A, around the point c
 * of a body. The plane {y : n.y = offset} belongs to another body or to the world. With N = R_o n and
 * d = A^T R^T N,
 *
 *   rho = |S d|,   P = x + R (c - A S^2 d / rho),   gap = N.(P - x_o) - offset
 *
 * P is the lowest point; it travels over the surface as the bodies turn. With angular velocities w and
 * w_o, N' = w_o x N and d' = A^T R^T (N x (w - w_o)). A half axis of zero gives the rim of a disc.
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

/* The place and the motion of the body of the ellipsoid, and those of the plane's. */
typedef struct round_bodies {
  double R[2][9], x[2][3], v[2][3], w[2][3], normal[3]; /* 0: of the ellipsoid; 1: of the plane */
} round_bodies;

static void take_round_bodies(const nsds_round_plane *s, const nsds_arguments *in, bool moves,
                              round_bodies *at) {
  *at = (round_bodies){.normal = {0.0}};
  for (int k = 0; k < 2; ++k) {
    int body = s->second ? 1 - k : k;
    bool still = body == 1 && !s->pair;
    nsds_joint_place(false, still ? NULL : in->q + body * nsds_body_nq, at->R[k], at->x[k]);
    if (moves && !still)
      nsds_joint_twist(false, in->v + body * nsds_body_nv, at->R[k], at->v[k], at->w[k]);
  }
  nsds_turn(at->R[1], s->normal, at->normal);
}

/* The normal leads to the first body. */
static int touch_round(const nsds_arguments *in, nsds_body_contact *touch, void *user) {
  const nsds_round_plane *s = user;
  nsds_round_plane in_world = *s;
  round_bodies at;
  double arm[3];
  take_round_bodies(s, in, false, &at);
  memcpy(in_world.normal, at.normal, sizeof at.normal);
  nsds_round_lowest(&in_world, at.R[0], arm);
  touch->gap = -s->offset;
  for (int k = 0; k < 3; ++k) {
    touch->normal[k] = s->second ? -at.normal[k] : at.normal[k];
    touch->point[k] = at.x[0][k] + arm[k];
    touch->tangent[k] = s->tangent[k];
    touch->gap += at.normal[k] * (touch->point[k] - at.x[1][k]);
  }
  return 0;
}

static int touch_round_rate(const nsds_arguments *in, nsds_body_contact *rate, void *user) {
  const nsds_round_plane *s = user;
  nsds_round_plane in_world = *s;
  round_bodies at;
  double arm[3], turning[3], normal_rate[3], spin[3], d_rate[3], p[3], once[3], square[3], new[3];
  take_round_bodies(s, in, true, &at);
  memcpy(in_world.normal, at.normal, sizeof at.normal);
  double rho = nsds_round_lowest(&in_world, at.R[0], arm);
  for (int k = 0; k < 3; ++k) spin[k] = at.w[0][k] - at.w[1][k];
  nsds_cross(at.normal, spin, d_rate);
  nsds_cross(at.w[1], at.normal, normal_rate);
  into_axes(s, at.R[0], at.normal, p, once);
  into_axes(s, at.R[0], d_rate, square, new);
  double rho_rate = rho > 0.0 ? nsds_dot(once, new) / rho : 0.0; /* a tip has no extent */
  for (int i = 0; i < 3; ++i) p[i] = rho > 0.0 ? (p[i] * rho_rate / rho - square[i]) / rho : 0.0;
  out_of_axes(s, at.R[0], p, rate->point);
  nsds_cross(at.w[0], arm, turning);
  rate->gap = 0.0;
  for (int k = 0; k < 3; ++k) {
    rate->point[k] += at.v[0][k] + turning[k];
    rate->normal[k] = s->second ? -normal_rate[k] : normal_rate[k];
    rate->gap += at.normal[k] * (rate->point[k] - at.v[1][k]) +
                 normal_rate[k] * (at.x[0][k] + arm[k] - at.x[1][k]);
  }
  return 0;
}

void nsds_follow_round(nsds_round_plane *s, nsds_contact_data *data, nsds_context *context,
                       const char *label, int rows, const double *found) {
  nsds_contact_relation_def def = {.dimension = 3,
                                   .rows = rows,
                                   .pair = s->pair,
                                   .contact_fn = touch_round,
                                   .rate_fn = touch_round_rate,
                                   .user = s};
  nsds_contact_data_follow(data, context, label, &def, found, s->tangent);
}
