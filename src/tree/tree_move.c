/*
 * Places and velocities of the links of a tree. With the frame F of a joint in its parent, R_F = R_p
 * frame and x_F = x_p + R_p at, the motion
 *
 *     TURN   R = R_F Rot(axis, sign q)      S = (a, (x_F - o) x a)      a the axis with its sign
 *     SLIDE  x = x_F + sign q a             S = (0, a)
 *     BALL   R = R_F R(p)                   S_k = (e_k, (x_F - o) x e_k), e_k the columns of R
 *
 * is followed by `turn` and `move`, which lead to the body. v = v_p + S u, about the origin o.
 */
#include "tree/tree_move.h"

#include "base/context.h"
#include "kernel/modeling/check.h"

/* ---- checks ---------------------------------------------------------------------------------- */

nsds_status nsds_tree_check(const nsds_tree *tree, const char *call, const double *q,
                            const double *u) {
  nsds_context *context = tree->context;
  if (!nsds_check_finite(context, call, "q", q, tree->nq) ||
      (u && !nsds_check_finite(context, call, "u", u, tree->nu)))
    return NSDS_ERROR_VALUE;
  for (int k = 0; k < tree->nlink; ++k) {
    const double *p = q + tree->link[k].q;
    if (tree->link[k].kind != NSDS_TREE_BALL) continue;
    double square = p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3];
    if (!(square > 0.0 && isfinite(square)))
      return nsds_fail(context, NSDS_ERROR_VALUE,
                       "%s: the quaternion q[%d] to q[%d] is (%g, %g, %g, %g); valid are lengths "
                       "> 0",
                       call, tree->link[k].q, tree->link[k].q + 3, p[0], p[1], p[2], p[3]);
  }
  return NSDS_OK;
}

/* ---- motion ---------------------------------------------------------------------------------- */

/* Computes C = A B of matrices stored by columns. */
static void tree_product(const double *A, const double *B, double *C) {
  for (int j = 0; j < 3; ++j) nsds_turn(A, B + 3 * j, C + 3 * j);
}

/* Turns R about one of its columns. */
static void turn_column(double *R, int axis, double angle) {
  double *first = R + 3 * ((axis + 1) % 3), *second = R + 3 * ((axis + 2) % 3);
  double c = cos(angle), s = sin(angle);
  for (int k = 0; k < 3; ++k) {
    double a = first[k], b = second[k];
    first[k] = c * a + s * b;
    second[k] = c * b - s * a;
  }
}

/* A turn with unit rate about an axis through x. */
static void unit_turn(const double *origin, const double *axis, double sign, const double *x,
                      double *S) {
  double arm[3];
  for (int k = 0; k < 3; ++k) {
    S[k] = sign * axis[k];
    arm[k] = x[k] - origin[k];
  }
  nsds_cross(arm, S, S + 3);
}

static void move_joint(const nsds_tree_link *link, const double *q, double *R, double *x,
                       nsds_tree_motion *at) {
  const double *axis = R + 3 * link->axis;
  double turned[9], ball[9];
  switch (link->kind) {
  case NSDS_TREE_FIXED: break;
  case NSDS_TREE_TURN:
    unit_turn(at->origin, axis, link->sign, x, at->S[0]);
    turn_column(R, link->axis, link->sign * (q[link->q] - link->start));
    break;
  case NSDS_TREE_SLIDE:
    for (int k = 0; k < 3; ++k) {
      at->S[0][k] = 0.0;
      at->S[0][3 + k] = link->sign * axis[k];
      x[k] += link->sign * (q[link->q] - link->start) * axis[k];
    }
    break;
  case NSDS_TREE_BALL:
    nsds_rotation_matrix(q + link->q, ball);
    tree_product(R, ball, turned);
    memcpy(R, turned, sizeof turned);
    for (int k = 0; k < 3; ++k) unit_turn(at->origin, R + 3 * k, 1.0, x, at->S[k]);
    break;
  }
}

static void move_link(nsds_tree *tree, int i, const double *q, const double *u) {
  static const double world[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, zero[6] = {0};
  const nsds_tree_link *link = &tree->link[i];
  nsds_tree_motion *at = &tree->at[i];
  const double *turned = world, *origin = zero, *speed = zero; /* of the parent */
  double R[9], x[3], moved[3];
  if (link->parent >= 0) {
    const nsds_tree_motion *parent = &tree->at[link->parent];
    turned = parent->R;
    origin = parent->x;
    speed = parent->v;
  }
  if (link->plain) {
    memcpy(R, turned, sizeof R);
    memcpy(x, origin, sizeof x);
  } else {
    tree_product(turned, link->frame, R);
    nsds_turn(turned, link->at, x);
    for (int k = 0; k < 3; ++k) x[k] += origin[k];
  }
  move_joint(link, q, R, x, at);
  if (link->plain) {
    memcpy(at->R, R, sizeof R);
    memcpy(at->x, x, sizeof x);
  } else {
    tree_product(R, link->turn, at->R);
    nsds_turn(R, link->move, moved);
    for (int k = 0; k < 3; ++k) at->x[k] = x[k] + moved[k];
  }
  memcpy(at->v, speed, sizeof zero);
  for (int k = 0; u && k < nsds_tree_freedom(link); ++k)
    for (int j = 0; j < 6; ++j) at->v[j] += at->S[k][j] * u[link->u + k];
}

/* The origin of a robot is at its first body. So robots far from the origin of the world, or from
 * each other lose no digits. */
static void set_origin(nsds_tree *tree, int i, const double *q) {
  const nsds_tree_link *link = &tree->link[i];
  const double *origin = link->parent >= 0 ? tree->at[link->parent].origin
                         : link->plain     ? q + link->q
                                           : link->at;
  memcpy(tree->at[i].origin, origin, sizeof tree->at[i].origin);
}

void nsds_tree_move(nsds_tree *tree, const double *q, const double *u) {
  for (int i = 0; i < tree->nlink; ++i) {
    set_origin(tree, i, q);
    move_link(tree, i, q, u);
  }
}

void nsds_tree_quaternion(const double *R, double *p) {
  double trace = R[0] + R[4] + R[8];
  int most = 0;
  for (int k = 1; k < 3; ++k)
    if (R[4 * k] > R[4 * most]) most = k;
  if (trace > R[4 * most]) {
    p[0] = 1.0 + trace;
    for (int k = 0; k < 3; ++k) {
      int i = (k + 1) % 3, j = (k + 2) % 3;
      p[1 + k] = R[j + 3 * i] - R[i + 3 * j];
    }
  } else {
    int i = (most + 1) % 3, j = (most + 2) % 3;
    p[0] = R[j + 3 * i] - R[i + 3 * j];
    p[1 + most] = 1.0 + 2.0 * R[4 * most] - trace;
    p[1 + i] = R[i + 3 * most] + R[most + 3 * i];
    p[1 + j] = R[j + 3 * most] + R[most + 3 * j];
  }
  double length = sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3]);
  for (int k = 0; k < 4; ++k) p[k] /= length;
}

nsds_status nsds_tree_forward(nsds_tree *tree, const double *q, const double *u, double *place,
                              double *twist) {
  const char *call = "nsds_tree_forward";
  if (!tree || !q || !place)
    return nsds_fail_null(tree ? tree->context : NULL, call, !tree ? "tree" : q ? "place" : "q");
  nsds_status status = nsds_tree_check(tree, call, q, u);
  if (status) return status;
  nsds_tree_move(tree, q, u);
  for (int k = 0; k < tree->nbody; ++k) {
    const nsds_tree_motion *at = &tree->at[tree->last[k]];
    memcpy(place + 7 * k, at->x, sizeof at->x);
    nsds_tree_quaternion(at->R, place + 7 * k + 3);
    if (!twist) continue;
    double arm[3];
    for (int i = 0; i < 3; ++i) arm[i] = at->x[i] - at->origin[i];
    nsds_cross(at->v, arm, twist + 6 * k);
    for (int i = 0; i < 3; ++i) twist[6 * k + i] += at->v[3 + i];
    nsds_turn_back(at->R, at->v, twist + 6 * k + 3);
  }
  return NSDS_OK;
}
