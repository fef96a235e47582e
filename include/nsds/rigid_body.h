/**
 * @file rigid_body.h
 * @brief Rigid bodies in space and in the plane.
 *
 * | symbol | size | meaning                                                        | unit        |
 * |--------|------|----------------------------------------------------------------|-------------|
 * | q      | 7    | centre of mass x in the world, unit quaternion p = (w,x,y,z)   | m, 1        |
 * | v      | 6    | velocity of the centre in the world, angular velocity W in the body | m/s,
 * rad/s | | R(p)   | 3x3  | takes components in the body to components in the world        | 1 | |
 * J      | 3x3  | moments of inertia about the centre, in the body               | kg m^2      |
 *
 * In every definition struct zero means default, arrays are copied, matrices are column-major.
 */
#ifndef NSDS_RIGID_BODY_H
#define NSDS_RIGID_BODY_H

#include <nsds/model.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Newton-Euler equations of a rigid body
 *
 *     m dv/dt = m g + f,   J dW/dt + W x J W = n,   dx/dt = v,   dp/dt = 1/2 p (x) (0, W)
 *
 * A force or moment function may depend on t, q, v and z and then comes with its Jacobians as the
 * function is written (3 x 7 and 3 x 6); how frames turn with the body the library adds.
 * nsds_zero() states that one vanishes, nsds_differences() asks for differences. None is needed
 * with explicit_gyroscopic.
 */
typedef struct nsds_rigid_body_def {
  const char *name;              /**< for messages; copied; may be NULL */
  double mass;                   /**< m > 0 [kg] */
  const double *inertia;         /**< J, 3 x 3, symmetric positive definite [kg m^2] */
  const double *q0;              /**< 7 initial coordinates; NULL: the origin, axes of the world */
  const double *v0;              /**< 6 initial velocities; NULL means zero */
  double gravity[3];             /**< acceleration g in the world [m/s^2] */
  nsds_operator force_fn;        /**< f(t,q,v,z), 3 [N], in the world */
  nsds_operator jac_force_q_fn;  /**< df/dq, 3 x 7; required with force_fn */
  nsds_operator jac_force_v_fn;  /**< df/dv, 3 x 6; required with force_fn */
  nsds_operator moment_fn;       /**< n(t,q,v,z), 3 [N m] about the centre, in the body */
  nsds_operator jac_moment_q_fn; /**< dn/dq, 3 x 7; required with moment_fn */
  nsds_operator jac_moment_v_fn; /**< dn/dv, 3 x 6; required with moment_fn */
  bool force_in_body;            /**< force_fn gives components in the body */
  bool moment_in_world;          /**< moment_fn gives components in the world */
  bool explicit_gyroscopic;      /**< W x J W, forces and moments are taken as they are at the start
                                      of a step: one linear solve, order 1, energy may grow */
  int nprescribed;               /**< number of prescribed velocities */
  const int *prescribed;         /**< nprescribed indices in [0, 6), increasing */
  nsds_operator prescribed_fn;   /**< their values at time t, nprescribed [m/s, rad/s] */
  int nz;                        /**< number of parameters */
  const double *z;               /**< nz initial parameters; NULL means zero */
  void *user;                    /**< passed to every function */
} nsds_rigid_body_def;

/**
 * Creates a rigid body with nq = 7, nv = 6. The attitude advances by the exponential map, p (x)
 * exp(step / 2), and stays a unit quaternion to rounding over any number of steps. The gyroscopic
 * term is part of the iteration matrix; a body with J a multiple of the identity and no functions
 * takes one linear solve per step.
 *
 * Errors: mass or inertia missing, not positive definite or not symmetric; a quaternion whose norm
 * is off 1 by more than 1e-6 (below, it is normalised, with a warning in the log); forces without
 * their Jacobians; values that are not finite. nsds_set_state() takes any nonzero quaternion and
 * its direction counts.
 *
 * Source: V. Acary, B. Brogliato, Numerical Methods for Nonsmooth Dynamical Systems (2008), 3.8;
 * exponential map: E. Hairer, C. Lubich, G. Wanner, Geometric Numerical Integration (2006), VII.5.
 */
NSDS_API nsds_ds *nsds_rigid_body(nsds_model *model, const nsds_rigid_body_def *def);

/** A rigid body in the plane: q = (x, y, angle), v = dq/dt. */
typedef struct nsds_rigid_body_2d_def {
  const char *name;            /**< for messages; copied; may be NULL */
  double mass;                 /**< m > 0 [kg] */
  double inertia;              /**< J > 0 about the centre [kg m^2] */
  const double *q0;            /**< 3 initial coordinates [m, rad]; NULL means zero */
  const double *v0;            /**< 3 initial velocities; NULL means zero */
  double gravity[2];           /**< acceleration [m/s^2] */
  nsds_operator force_fn;      /**< force and moment (t,z), 3 [N, N m]; may not depend on q, v */
  int nprescribed;             /**< number of prescribed velocities */
  const int *prescribed;       /**< nprescribed indices in [0, 3), increasing */
  nsds_operator prescribed_fn; /**< their values at time t, nprescribed [m/s, rad/s] */
  int nz;                      /**< number of parameters */
  const double *z;             /**< nz initial parameters; NULL means zero */
  void *user;                  /**< passed to every function */
} nsds_rigid_body_2d_def;

/** Creates a rigid body in the plane, a linear system of three degrees of freedom. Forces that
 *  depend on the state: nsds_lagrangian(). Errors: mass or inertia not positive, values that are
 *  not finite. */
NSDS_API nsds_ds *nsds_rigid_body_2d(nsds_model *model, const nsds_rigid_body_2d_def *def);

/** world = R(p) body: components of a vector, with the 7 coordinates q of a body. */
NSDS_API void nsds_to_world(const double *q, const double body[3], double world[3]);

/** body = R(p)^T world: the inverse of nsds_to_world(). */
NSDS_API void nsds_to_body(const double *q, const double world[3], double body[3]);

#ifdef __cplusplus
}
#endif
#endif
