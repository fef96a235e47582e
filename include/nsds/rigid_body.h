/**
 * @file rigid_body.h
 * @brief Rigid bodies in space and in the plane.
 *
 * | symbol | size | meaning                                                        | unit       |
 * |--------|------|----------------------------------------------------------------|------------|
 * | q      | 7    | center of mass x in the world, unit quaternion p = (w,x,y,z)   | m, 1       |
 * | v      | 6    | velocity of the center in the world, angular velocity W in     | m/s, rad/s |
 * |        |      | the body                                                       |            |
 * | R(p)   | 3x3  | takes components in the body to components in the world        | 1          |
 * | J      | 3x3  | moments of inertia about the center, in the body               | kg m^2     |
 *
 * In every definition struct zero means default, arrays are copied, matrices are column-major.
 */
#ifndef NSDS_RIGID_BODY_H
#define NSDS_RIGID_BODY_H

#include <nsds/model.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A force or a moment on a rigid body. */
typedef struct nsds_load_function {
  nsds_operator fn; /**< the force [N] or moment [N m], 3; may depend on t, q, v and z */
  nsds_operator
      jac_q_fn; /**< derivative of fn in q, 3 x 7; required with fn, see ::nsds_rigid_body_def */
  nsds_operator jac_v_fn; /**< derivative of fn in v, 3 x 6; likewise */
  bool in_body;           /**< force: fn gives components in the body, not in the world */
  bool in_world;          /**< moment: fn gives components in the world, not in the body */
} nsds_load_function;

/**
 * Newton-Euler equations of a rigid body
 *
 *     m dv/dt = m g + f,   J dW/dt + W x J W = n,   dx/dt = v,   dp/dt = 1/2 p (x) (0, W)
 *
 * A force or moment function may depend on t, q, v and z. Give the Jacobians of the function as you
 * wrote it (3 x 7 and 3 x 6); the library adds the terms of frames that turn with the body.
 * nsds_zero() says that a Jacobian vanishes, nsds_differences() asks for differences. With
 * explicit_gyroscopic you need no Jacobian.
 */
typedef struct nsds_rigid_body_def {
  const char *name;         /**< for messages; copied; may be NULL */
  double mass;              /**< m > 0 [kg] */
  const double *inertia;    /**< J, 3 x 3, symmetric positive definite [kg m^2] */
  const double *q0;         /**< 7 initial coordinates; NULL: the origin, axes of the world */
  const double *v0;         /**< 6 initial velocities; NULL means zero */
  double gravity[3];        /**< acceleration g in the world [m/s^2] */
  nsds_load_function force; /**< f(t,q,v,z), 3 [N], in the world unless in_body */
  nsds_load_function
      moment; /**< n(t,q,v,z), 3 [N m] about the center, in the body unless in_world */
  bool explicit_gyroscopic;   /**< W x J W, forces and moments are taken at the start of a step: one
                                      linear solve, order 1, energy may grow */
  nsds_prescribed prescribed; /**< velocities given, indices in [0, 6) */
  int nz;                     /**< number of parameters */
  const double *z;            /**< nz initial parameters; NULL means zero */
  void *user;                 /**< passed to every function */
  int ndata;                  /**< number of operators with their own data */
  const nsds_operator_data *data; /**< ndata entries; copied */
  /** zero, see ::NSDS_RESERVED */
  uint64_t reserved[NSDS_RESERVED];
} nsds_rigid_body_def;

/**
 * Creates a rigid body with nq = 7, nv = 6. The attitude advances by the exponential map, p (x)
 * exp(step / 2), and stays a unit quaternion to rounding over any number of steps. The iteration
 * matrix includes the gyroscopic term. If J is a multiple of the identity and there are no
 * functions, a step takes one linear solve.
 *
 * Errors:
 * - mass or inertia missing, not positive definite or not symmetric;
 * - diagonal entries outside of [1e-150, 1e150], because their squares or the squares of inverses
 *   overflow;
 * - a quaternion whose norm differs from 1 by more than 1e-6, here and in nsds_set_state(). With a
 *   smaller error the quaternion is normalized, with a warning in the log;
 * - forces without their Jacobians, values that are not finite.
 *
 * Principal moments of a body satisfy J1 + J2 >= J3, because 1/2 tr(J) I - J is the second moment
 * of its mass. If J violates this by more than 1e-6 of the trace, no body has this J; the library
 * takes J with a warning in the log.
 *
 * Source: V. Acary, B. Brogliato, Numerical Methods for Nonsmooth Dynamical Systems (2008), 3.8;
 * exponential map: E. Hairer, C. Lubich, G. Wanner, Geometric Numerical Integration (2006), VII.5.
 */
NSDS_API nsds_ds *nsds_rigid_body(nsds_model *model, const nsds_rigid_body_def *def);

/** A rigid body in the plane: q = (x, y, angle), v = dq/dt. */
typedef struct nsds_rigid_body_2d_def {
  const char *name;               /**< for messages; copied; may be NULL */
  double mass;                    /**< m > 0 [kg] */
  double inertia;                 /**< J > 0 about the center [kg m^2] */
  const double *q0;               /**< 3 initial coordinates [m, rad]; NULL means zero */
  const double *v0;               /**< 3 initial velocities; NULL means zero */
  double gravity[2];              /**< acceleration [m/s^2] */
  nsds_operator force_fn;         /**< force and moment (t,z), 3 [N, N m]; may not depend on q, v */
  nsds_prescribed prescribed;     /**< velocities given, indices in [0, 3) */
  int nz;                         /**< number of parameters */
  const double *z;                /**< nz initial parameters; NULL means zero */
  void *user;                     /**< passed to every function */
  int ndata;                      /**< number of operators with their own data */
  const nsds_operator_data *data; /**< ndata entries; copied */
  /** zero, see ::NSDS_RESERVED */
  uint64_t reserved[NSDS_RESERVED];
} nsds_rigid_body_2d_def;

/** Creates a rigid body in the plane, a linear system of three degrees of freedom. For forces that
 *  depend on the state take nsds_lagrangian(). Errors: mass or inertia outside of [1e-150, 1e150],
 *  because their squares or the squares of inverses overflow; values that are not finite. */
NSDS_API nsds_ds *nsds_rigid_body_2d(nsds_model *model, const nsds_rigid_body_2d_def *def);

/** The axes of the components of a vector. */
typedef enum nsds_frame {
  NSDS_FRAME_WORLD = 0, /**< the axes of the world */
  NSDS_FRAME_BODY = 1   /**< the axes of the body, which turn with the body */
} nsds_frame;

/**
 * Lets a force F act at the center of a rigid body, and a moment N on the body: thrust, wind, the
 * reading of a joystick. Both drivers add F and N to gravity and to the functions of the body. F
 * and N hold until the next call replaces them.
 *
 *     m dv/dt = m g + f + F,   J dW/dt + W x J W = n + N
 *
 * Call this between steps, as you set parameters. Snapshots include F and N, saved states do not.
 * In time stepping a change of F acts from the start of the next step on: with theta < 1 the step
 * has the new F at both ends.
 *
 * A body that takes one linear solve per step (J a multiple of the identity, or any body in the
 * plane) may then need Newton's method. The reason is a force that turns with the body, or a moment
 * in space that does not turn with the body.
 *
 * @param ds     of nsds_rigid_body() or nsds_rigid_body_2d(); others are NSDS_ERROR_ARGUMENT
 * @param force  3 components, in the plane 2 [N]; NULL: none
 * @param moment 3 components, in the plane 1 [N m]; NULL: none
 * @param frame axes of force and moment; in the plane a moment is the same in both frames
 */
NSDS_API nsds_status nsds_set_body_force(nsds_ds *ds, const double *force, const double *moment,
                                         nsds_frame frame);

/** The point where bodies touch, or would touch. In the plane the first two entries count. */
typedef struct nsds_body_contact {
  double gap;        /**< y [m], > 0 apart */
  double point[3];   /**< P in the world [m]: where the impulse acts, on both bodies */
  double normal[3];  /**< n in the world, of length 1, towards the first body */
  double tangent[3]; /**< approximate direction of the first tangent, if you need a certain one;
                          zero: the library chooses. In the plane the tangent is n turned by -90
                          degrees */
} nsds_body_contact;

/**
 * Finds the contact at in->q, the coordinates of one body, or of two bodies in order. *contact is
 * zero before the call. Returns 0 for success, or a value > 0 or < 0 with the meaning it has for an
 * nsds_operator.
 */
typedef int (*nsds_body_contact_fn)(const nsds_arguments *in, nsds_body_contact *contact,
                                    void *user);

/** A contact of rigid bodies given by a function. */
typedef struct nsds_contact_relation_def {
  const char *name; /**< for messages; copied; may be NULL */
  int dimension;    /**< 3: bodies of nsds_rigid_body(); 2: of nsds_rigid_body_2d(); 0 means 3 */
  /** In space 1 (normal N), 3 (N, T1, T2) or 5 (N, T1, T2, R1, R2); in the plane 1, 2 (N, T) or 3
   *  (N, T, R). 0 means 3 in space and 2 in the plane, for nsds_newton_impact_friction(). */
  int rows;
  bool pair;                       /**< between two bodies; false: a body and the world */
  nsds_body_contact_fn contact_fn; /**< required */
  /** Rates d/dt of point [m/s], normal and tangent [1/s] at in->q and in->v; the rate of the gap is
   *  not read. Gives event-driven simulation the exact d^2y/dt^2. NULL: the library takes
   *  differences of dy/dt along the motion. */
  nsds_body_contact_fn rate_fn;
  void *user; /**< passed to contact_fn and rate_fn */
  /** zero, see ::NSDS_RESERVED */
  uint64_t reserved[NSDS_RESERVED];
} nsds_contact_relation_def;

/**
 * Creates the relation of a contact between a rigid body and the world or a second body, with r = P
 * - x from the center of a body:
 *
 *     y = gap, dy/dt = n . u,   u = v + (R W) x r of the first body less that of the second
 *     tangents t1, t2: t . u;   rolling: t . (R W), less that of the second
 *
 * Choose P and n at the closest points of two smooth surfaces, or of a corner and a smooth surface.
 * Then the first row is the rate of the gap. y of the other rows is 0. A normal that is not of
 * length 1 within 1e-6 is NSDS_ERROR_CALLBACK in the step. Errors: rows or dimension out of range,
 * contact_fn missing.
 */
NSDS_API nsds_relation *nsds_contact_relation(nsds_model *model,
                                              const nsds_contact_relation_def *def);

/** A sphere of a body against a plane, in two dimensions a disc against a line. */
typedef struct nsds_sphere_plane_relation_def {
  const char *name; /**< for messages; copied; may be NULL */
  int dimension;    /**< 2 or 3; 0 means 3 */
  int rows;         /**< as in ::nsds_contact_relation_def */
  double radius;    /**< r >= 0 [m]; 0: a corner */
  double center[3]; /**< center of the sphere, in the body [m] */
  double normal[3]; /**< n of the plane, of length 1, towards the body */
  double offset;    /**< the plane is {x : n.x = offset} [m] */
  /** zero, see ::NSDS_RESERVED */
  uint64_t reserved[NSDS_RESERVED];
} nsds_sphere_plane_relation_def;

/** Creates y = n.X - offset - r with P = X - r n; X is the center of the sphere. Errors: a negative
 *  radius, a normal that is not of length 1, values that are not finite. */
NSDS_API nsds_relation *nsds_sphere_plane_relation(nsds_model *model,
                                                   const nsds_sphere_plane_relation_def *def);

/** Spheres of two bodies, in two dimensions discs. */
typedef struct nsds_sphere_sphere_relation_def {
  const char *name;    /**< for messages; copied; may be NULL */
  int dimension;       /**< 2 or 3; 0 means 3 */
  int rows;            /**< as in ::nsds_contact_relation_def */
  double radius[2];    /**< r_1, r_2 >= 0 [m] */
  double center[2][3]; /**< centers of the spheres, each in its body [m] */
  /** zero, see ::NSDS_RESERVED */
  uint64_t reserved[NSDS_RESERVED];
} nsds_sphere_sphere_relation_def;

/** Creates y = |X_1 - X_2| - r_1 - r_2 with P halfway between the surfaces; X_1 and X_2 are the
 *  centers of the spheres. If the centers coincide, there is no normal and the step fails with
 *  NSDS_ERROR_CALLBACK. Errors: a negative radius, values that are not finite. */
NSDS_API nsds_relation *nsds_sphere_sphere_relation(nsds_model *model,
                                                    const nsds_sphere_sphere_relation_def *def);

/** world = R(p) body: components of a vector, with the 7 coordinates q of a body. */
NSDS_API void nsds_to_world(const double *q, const double body[3], double world[3]);

/** body = R(p)^T world: the inverse of nsds_to_world(). */
NSDS_API void nsds_to_body(const double *q, const double world[3], double body[3]);

#ifdef __cplusplus
}
#endif
#endif
