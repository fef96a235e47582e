/*
 * Trees: links with at most one kind of motion each. A joint is a chain of links; only the last one
 * has the mass of the body. All vectors are in the world, about an origin near the bodies: velocities
 * (w, v), forces (n, f), as 6 numbers.
 */
#ifndef NSDS_SRC_TREE_H
#define NSDS_SRC_TREE_H

#include "kernel/modeling/body.h"

#include <nsds/tree.h>

typedef enum nsds_tree_kind {
  NSDS_TREE_FIXED,
  NSDS_TREE_TURN,  /* about an axis of the frame */
  NSDS_TREE_SLIDE, /* along an axis of the frame */
  NSDS_TREE_BALL   /* by a quaternion */
} nsds_tree_kind;

typedef struct nsds_tree_link {
  nsds_tree_kind kind;
  int parent, axis, q, u; /* link, -1: the world; axis of the frame; places in q and u */
  double sign;
  double start;            /* the coordinate where the joint was made */
  double frame[9], at[3];  /* of the joint in the parent */
  double turn[9], move[3]; /* of the body in the joint behind the motion */
  bool plain;              /* a link of a free body: frames are those of the parent */
  double mass, inertia[9], gravity[3];
  double armature;
} nsds_tree_link;

/* A link in a state. */
typedef struct nsds_tree_motion {
  double R[9], x[3];
  double origin[3];              /* of its robot: velocities and forces are about it */
  double S[3][6];                /* velocity by each of its u */
  double v[6], a[6], f[6];       /* velocity; acceleration, or its part; force */
  double I[36];                  /* inertia, of the link or of all behind it */
  double U[3][6], D[9], rest[3]; /* of articulated bodies */
  /* of a step in joint coordinates: the linear motion is about this place */
  double V[3][6], fixed_S[3][6], fixed_R[9], fixed_x[3]; /* x from the origin of the step */
  double moved_S[3][6], moved_x[3]; /* with what a change of velocities adds to themselves */
} nsds_tree_motion;

/* The rotor of an armature: its coordinate changes by `ratio` with q of the link. */
typedef struct nsds_tree_rotor {
  nsds_ds *ds;
  int link;
  double ratio;
} nsds_tree_rotor;

struct nsds_tree {
  nsds_context *context;
  int nlink, nbody, nleft, nrotor, nq, nu;
  nsds_tree_link *link;
  nsds_tree_motion *at;
  nsds_tree_body *body;
  int *last; /* link of each body */
  nsds_interaction **left;
  nsds_tree_rotor *rotor;
  double *zero; /* nu */
  double *work; /* nq + nu + 13 nbody */
};

static inline int nsds_tree_freedom(const nsds_tree_link *link) {
  return link->kind == NSDS_TREE_FIXED ? 0 : link->kind == NSDS_TREE_BALL ? 3 : 1;
}

/* Computes c = a x b, and the rates of motion and force vectors that move with velocity v. */
static inline void nsds_tree_cross_motion(const double *v, const double *m, double *out) {
  double first[3], second[3];
  nsds_cross(v, m, out);
  nsds_cross(v, m + 3, first);
  nsds_cross(v + 3, m, second);
  for (int k = 0; k < 3; ++k) out[3 + k] = first[k] + second[k];
}

static inline double nsds_tree_dot(const double *a, const double *b) {
  return nsds_dot(a, b) + nsds_dot(a + 3, b + 3);
}

#endif
