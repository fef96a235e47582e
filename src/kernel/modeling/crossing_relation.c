/*
 * Contacts of two straight edges that cross in space. With lines X_i = a_i + s_i d_i, |d_i| = 1,
 *
 *   m = d_1 x d_2,  n = side m / |m|,  r = a_2 - a_1
 *   s_1 = (r x d_2) . m / |m|^2,  s_2 = (r x d_1) . m / |m|^2      the nearest points
 *   gap = n . (X_1 - X_2) - radii
 *
 * a_i and d_i move with the bodies, so s_i have rates too: the point of contact, halfway between the
 * surfaces, travels along both edges.
 */
#include "kernel/modeling/crossing_relation.h"

#include "base/context.h"
#include "kernel/modeling/body.h"
#include "kernel/modeling/joint_pose.h"

/* A vector and its rate; a number and its rate. */
typedef struct moved {
  double x[3], rate[3];
} moved;

typedef struct changing {
  double x, rate;
} changing;

static moved crossing_minus(const moved *a, const moved *b) {
  moved c;
  for (int k = 0; k < 3; ++k) {
    c.x[k] = a->x[k] - b->x[k];
    c.rate[k] = a->rate[k] - b->rate[k];
  }
  return c;
}

static moved crossing_cross(const moved *a, const moved *b) {
  moved c;
  double one[3], other[3];
  nsds_cross(a->x, b->x, c.x);
  nsds_cross(a->rate, b->x, one);
  nsds_cross(a->x, b->rate, other);
  for (int k = 0; k < 3; ++k) c.rate[k] = one[k] + other[k];
  return c;
}

static changing crossing_dot(const moved *a, const moved *b) {
  return (changing){nsds_dot(a->x, b->x), nsds_dot(a->rate, b->x) + nsds_dot(a->x, b->rate)};
}

static changing crossing_over(changing a, changing b) {
  double x = a.x / b.x;
  return (changing){x, (a.rate - x * b.rate) / b.x};
}

/* Computes a + s d. */
static moved crossing_beside(const moved *a, changing s, const moved *d) {
  moved c;
  for (int k = 0; k < 3; ++k) {
    c.x[k] = a->x[k] + s.x * d->x[k];
    c.rate[k] = a->rate[k] + s.rate * d->x[k] + s.x * d->rate[k];
  }
  return c;
}

/* Finds the contact and its rates; a, d: point and direction of both edges. */
static void crossing_meet(const moved a[2], const moved d[2], double side, moved X[2], moved *n,
                          changing s[2]) {
  moved m = crossing_cross(&d[0], &d[1]), r = crossing_minus(&a[1], &a[0]);
  moved one = crossing_cross(&r, &d[1]), other = crossing_cross(&r, &d[0]);
  changing square = crossing_dot(&m, &m);
  double length = sqrt(square.x), growth = 0.5 * square.rate / square.x;
  s[0] = crossing_over(crossing_dot(&one, &m), square);
  s[1] = crossing_over(crossing_dot(&other, &m), square);
  for (int k = 0; k < 3; ++k) {
    n->x[k] = side * m.x[k] / length;
    n->rate[k] = side * m.rate[k] / length - n->x[k] * growth;
  }
  X[0] = crossing_beside(&a[0], s[0], &d[0]);
  X[1] = crossing_beside(&a[1], s[1], &d[1]);
}

void nsds_crossing_find(const double *a1, const double *d1, const double *a2, const double *d2,
                        double side, nsds_crossing *c) {
  moved a[2] = {{{0}, {0}}}, d[2] = {{{0}, {0}}}, X[2], n, m;
  changing s[2];
  memcpy(a[0].x, a1, sizeof a[0].x);
  memcpy(a[1].x, a2, sizeof a[1].x);
  memcpy(d[0].x, d1, sizeof d[0].x);
  memcpy(d[1].x, d2, sizeof d[1].x);
  crossing_meet(a, d, side, X, &n, s);
  m = crossing_minus(&X[0], &X[1]);
  nsds_cross(d1, d2, c->normal);
  c->sine = nsds_length(c->normal);
  memcpy(c->normal, n.x, sizeof n.x);
  c->along[0] = s[0].x;
  c->along[1] = s[1].x;
  c->distance = nsds_dot(n.x, m.x);
}

/* ---- as a relation ------------------------------------------------------------------------------- */

/* Takes an edge into the world, with its motion if that is asked for. */
static void crossing_take(const nsds_crossing_pair *pair, int which, const nsds_arguments *in,
                          bool moves, moved *a, moved *d) {
  bool still = which == 1 && pair->fixed;
  double R[9], x[3], v[3] = {0.0}, w[3] = {0.0}, turning[3];
  nsds_joint_place(false, still ? NULL : in->q + which * nsds_body_nq, R, x);
  if (moves && !still) nsds_joint_twist(false, in->v + which * nsds_body_nv, R, v, w);
  nsds_turn(R, pair->direction[which], d->x);
  nsds_cross(w, d->x, d->rate);
  nsds_turn(R, pair->place[which], a->x);
  nsds_cross(w, a->x, turning);
  for (int k = 0; k < 3; ++k) {
    a->x[k] += x[k];
    a->rate[k] = v[k] + turning[k];
  }
}

/* Writes gap, normal and point, or their rates. */
static void touch_crossing(const nsds_crossing_pair *pair, const nsds_arguments *in, bool rates,
                           nsds_body_contact *out) {
  moved a[2], d[2], X[2], n, apart;
  changing s[2];
  for (int k = 0; k < 2; ++k) crossing_take(pair, k, in, rates, &a[k], &d[k]);
  crossing_meet(a, d, pair->side, X, &n, s);
  apart = crossing_minus(&X[0], &X[1]);
  changing gap = crossing_dot(&n, &apart);
  gap.x -= pair->radius[0] + pair->radius[1];
  double depth = pair->radius[0] + 0.5 * gap.x;
  out->gap = rates ? gap.rate : gap.x;
  for (int k = 0; k < 3; ++k) {
    out->normal[k] = rates ? n.rate[k] : n.x[k];
    out->point[k] = rates ? X[0].rate[k] - depth * n.rate[k] - 0.5 * gap.rate * n.x[k]
                          : X[0].x[k] - depth * n.x[k];
  }
}

static int crossing_at(const nsds_arguments *in, nsds_body_contact *at, void *user) {
  const nsds_crossing_pair *pair = user;
  touch_crossing(pair, in, false, at);
  memcpy(at->tangent, pair->tangent, sizeof at->tangent);
  return 0;
}

static int crossing_rate(const nsds_arguments *in, nsds_body_contact *rate, void *user) {
  touch_crossing(user, in, true, rate);
  return 0;
}

void nsds_follow_crossing(nsds_crossing_pair *pair, nsds_contact_data *data, nsds_context *context,
                          const char *label, int rows, const double *found) {
  nsds_contact_relation_def def = {.dimension = 3,
                                   .rows = rows,
                                   .pair = !pair->fixed,
                                   .contact_fn = crossing_at,
                                   .rate_fn = crossing_rate,
                                   .user = pair};
  nsds_contact_data_follow(data, context, label, &def, found, pair->tangent);
}
