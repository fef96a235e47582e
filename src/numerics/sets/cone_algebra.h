/*
 * Jordan algebra of the Lorentz cones {x : x_0 >= ||(x_1 ... x_k-1)||}; for k = 1 the cone is R_+.
 * Nesterov and Todd's scaling (Math. Oper. Res. 22, 1997) of s and l inside the cone is the
 * symmetric W with W l = W^-1 s,
 *
 *     W = eta [ a   b^T                 ]
 *             [ b   I + b b^T / (1 + a) ]
 *
 * with (a, b) on the unit hyperboloid a^2 - ||b||^2 = 1.
 */
#ifndef NSDS_SRC_CONE_ALGEBRA_H
#define NSDS_SRC_CONE_ALGEBRA_H

#include "base/base.h"

/* Returns x_0 - ||x_1 ..||, positive inside. */
double nsds_cone_least(int k, const double *x);

/* Computes p = x o y = (x.y, x_0 y_1.. + y_0 x_1..); p differs from both. */
void nsds_cone_product(int k, const double *x, const double *y, double *p);

/* Computes p with v o p = x, v inside the cone; p and x may coincide. */
void nsds_cone_divide(int k, const double *v, const double *x, double *p);

/* Returns the largest step with v + step d in the cone, infinite if there is none. v is inside. */
double nsds_cone_step(int k, const double *v, const double *d);

/* Returns the square root of x_0^2 - ||x_1 ..||^2; not a number outside. */
double nsds_cone_root(int k, const double *x);

/* Figures of a pair s, l inside the cone. Near the boundary they cannot be computed from s and
 * l. */
typedef struct nsds_cone_pair {
  double root_s, root_l; /* nsds_cone_root() */
  double product;        /* s.l */
} nsds_cone_pair;

/* Computes eta, (a, b) and v = W l = W^-1 s, of k entries; false if not finite. */
bool nsds_cone_scaling(int k, const double *s, const double *l, const nsds_cone_pair *pair,
                       double *eta, double *ab, double *v);

/* Compute p = W x and p = W^-1 x; p and x may coincide. */
void nsds_cone_scale(int k, double eta, const double *ab, const double *x, double *p);
void nsds_cone_unscale(int k, double eta, const double *ab, const double *x, double *p);

/* Computes s = W x and l = W^-1 y with their figures. The figures come from the scaled points,
 * where nothing cancels. */
nsds_cone_pair nsds_cone_place(int k, double eta, const double *ab, const double *x,
                               const double *y, double *s, double *l);

/* Computes P = W^-2, k x k column-major. */
void nsds_cone_inverse_square(int k, double eta, const double *ab, double *P);

#endif
