/*
 * Contacts of a point X = x + R c, of radius r, with a face or an edge of another body. These turn
 * with their owner: P = x_o + R_o p, and n or d = R_o direction,
 *
 *   face    gap = n . (X - P) - radii
 *   edge    D = (X - P) - ((X - P) . d) d,   gap = |D| - radii,   n = D / |D|
 *
 * The point of contact lies halfway between the surfaces. The normal leads towards the first body.
 */
#include "kernel/modeling/feature_relation.h"

#include "base/context.h"
#include "kernel/modeling/body.h"
#include "kernel/modeling/joint_pose.h"

/* A body's place, with its motion if that is asked for. */
typedef struct moving {
  double R[9], x[3], v[3], w[3];
} moving;

static void take(const nsds_feature_pair *f, int which, const nsds_arguments *in, bool moves,
                 moving *at) {
  bool plane = f->dimension == 2, still = which == 1 && f->fixed;
  const double *q = still ? NULL : in->q + which * (plane ? 3 : nsds_body_nq);
  memset(at, 0, sizeof *at);
  nsds_joint_place(plane, q, at->R, at->x);
  if (moves && !still)
    nsds_joint_twist(plane, in->v + which * (plane ? 3 : nsds_body_nv), at->R, at->v, at->w);
}

/* Computes the place of a point p of a body, and its velocity. */
static void carry(const moving *at, const double *p, double *X, double *rate) {
  double arm[3], turning[3];
  nsds_turn(at->R, p, arm);
  nsds_cross(at->w, arm, turning);
  for (int k = 0; k < 3; ++k) {
    X[k] = at->x[k] + arm[k];
    rate[k] = at->v[k] + turning[k];
  }
}

/* The point before the feature: X, n out of the owner, the distance; and their rates. */
typedef struct before {
  double X[3], n[3], distance;
  double X_rate[3], n_rate[3], distance_rate;
} before;

static void before_edge(const double *D, const double *D_rate, const double *d,
                        const double *d_rate, before *b) {
  double along = nsds_dot(D, d), along_rate = nsds_dot(D_rate, d) + nsds_dot(D, d_rate);
  double E[3], E_rate[3];
  for (int k = 0; k < 3; ++k) {
    E[k] = D[k] - along * d[k];
    E_rate[k] = D_rate[k] - along_rate * d[k] - along * d_rate[k];
  }
  b->distance = nsds_length(E);
  if (!(b->distance > 0.0)) return; /* no normal */
  for (int k = 0; k < 3; ++k) b->n[k] = E[k] / b->distance;
  b->distance_rate = nsds_dot(b->n, E_rate);
  for (int k = 0; k < 3; ++k) b->n_rate[k] = (E_rate[k] - b->distance_rate * b->n[k]) / b->distance;
}

static before find(const nsds_feature_pair *f, const nsds_arguments *in, bool moves) {
  before b = {.distance = 0.0};
  moving owner, other;
  double P[3], P_rate[3], D[3], D_rate[3], d[3], d_rate[3];
  take(f, f->owner, in, moves, &owner);
  take(f, 1 - f->owner, in, moves, &other);
  carry(&other, f->center, b.X, b.X_rate);
  carry(&owner, f->place, P, P_rate);
  nsds_turn(owner.R, f->direction, d);
  nsds_cross(owner.w, d, d_rate);
  for (int k = 0; k < 3; ++k) {
    D[k] = b.X[k] - P[k];
    D_rate[k] = b.X_rate[k] - P_rate[k];
  }
  if (f->edge) {
    before_edge(D, D_rate, d, d_rate, &b);
    return b;
  }
  memcpy(b.n, d, sizeof d);
  memcpy(b.n_rate, d_rate, sizeof d_rate);
  b.distance = nsds_dot(d, D);
  b.distance_rate = nsds_dot(d, D_rate) + nsds_dot(d_rate, D);
  return b;
}

static int touch_feature(const nsds_arguments *in, nsds_body_contact *at, void *user) {
  const nsds_feature_pair *f = user;
  before b = find(f, in, false);
  double side = f->owner == 1 ? 1.0 : -1.0;
  at->gap = b.distance - f->radius[0] - f->radius[1];
  for (int k = 0; k < 3; ++k) {
    at->normal[k] = side * b.n[k];
    at->point[k] = b.X[k] - (f->radius[0] + 0.5 * at->gap) * b.n[k];
    at->tangent[k] = f->tangent[k];
  }
  return 0;
}

static int touch_feature_rate(const nsds_arguments *in, nsds_body_contact *rate, void *user) {
  const nsds_feature_pair *f = user;
  before b = find(f, in, true);
  double side = f->owner == 1 ? 1.0 : -1.0;
  double depth = f->radius[0] + 0.5 * (b.distance - f->radius[0] - f->radius[1]);
  rate->gap = b.distance_rate;
  for (int k = 0; k < 3; ++k) {
    rate->normal[k] = side * b.n_rate[k];
    rate->point[k] = b.X_rate[k] - depth * b.n_rate[k] - 0.5 * b.distance_rate * b.n[k];
  }
  return 0;
}

void nsds_follow_feature(nsds_feature_pair *f, nsds_contact_data *data, nsds_context *context,
                         const char *label, int rows, const double *found) {
  nsds_contact_relation_def def = {.dimension = f->dimension,
                                   .rows = rows,
                                   .pair = !f->fixed,
                                   .contact_fn = touch_feature,
                                   .rate_fn = touch_feature_rate,
                                   .user = f};
  nsds_contact_data_follow(data, context, label, &def, found, f->tangent);
}
