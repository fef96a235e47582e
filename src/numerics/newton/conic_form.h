/*
 * The sets of the blocks as slices of Lorentz cones. A point z lies in C exactly when the slacks s
 * = G z - g lie in a product of cones. Then -w lies in the normal cone exactly when w = G^T l with
 * l in the same product, s.l = 0. Cones of each set:
 *
 *     nonnegative, bounds, facets   one cone of one row each: z_i - l_i, u_i - z_i, H_k z - K_k
 *     cone, Coulomb                 (mu z_N, z_T)
 *     rolling                       (mu z_N, z_T) and (mu_rolling z_N, z_R)
 *     disc                          (radius, z)
 *
 * De Saxce's shift of w_N is mu times the length of the tail of l, which is w_T: w_N = mu (l_0 -
 * ||l_T||). Rows without room (equal bounds, friction coefficient or radius zero) have no cone;
 * they are listed with their value.
 */
#ifndef NSDS_SRC_CONIC_FORM_H
#define NSDS_SRC_CONIC_FORM_H

#include "numerics/linear/block_system.h"

/* One cone: s_0 = factor z_head - bound, or facet.z - bound; s_1 .. = z_tail .. */
typedef struct nsds_slack_cone {
  int size;       /* rows of s and l */
  int slack;      /* first of them */
  int head, tail; /* rows of z; head < 0: s_0 is constant */
  double factor;  /* 1, -1, mu or 0 */
  double bound;
  double room;         /* half of the room in the set, INFINITY: no limit */
  bool shifted;        /* De Saxce */
  int row;             /* a row of its block; of a facet: the first */
  const double *facet; /* a row of H, NULL: none */
  int stride, rows;    /* of H, of its block */
} nsds_slack_cone;

typedef struct nsds_conic_form {
  nsds_slack_cone *cone;
  int ncone, nslack;
  int *fixed; /* rows without room */
  int nfixed;
} nsds_conic_form;

/* Sets whose blocks are full in the linear system. */
enum {
  nsds_conic_coupled =
      NSDS_SET_DISC | NSDS_SET_CONE | NSDS_SET_COULOMB | NSDS_SET_ROLLING | NSDS_SET_POLYHEDRON
};

nsds_status nsds_conic_form_make(nsds_conic_form *form, nsds_store *store,
                                 const nsds_problem *problem);

/* Computes s = G z of one cone, without the bound. */
void nsds_conic_multiply(const nsds_slack_cone *c, const double *z, double *s);

/* Computes w -= G^T l for l of one cone. `length` is the length that De Saxce's shift subtracts
 * from l_0. */
void nsds_conic_subtract(const nsds_slack_cone *c, const double *l, double length, double *w);

/* Computes w += (derivative of L at l) x; without `shift` the derivative is G^T. */
void nsds_conic_add_derivative(const nsds_slack_cone *c, bool shift, const double *l,
                               const double *x, double *w);

/* Returns the length of the normal of a facet, 1 for the other cones. */
double nsds_conic_normal(const nsds_slack_cone *c);

/* Adds the derivative of L at l times P times G to the system. P has the size of the cone. */
void nsds_conic_add_system(const nsds_slack_cone *c, bool shift, const double *l, const double *P,
                           nsds_block_system *system);

#endif
