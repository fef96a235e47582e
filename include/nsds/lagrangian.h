/**
 * @file lagrangian.h
 * @brief Lagrangian systems and the relations between their coordinates.
 *
 * | symbol      | size     | meaning                         | unit (translation) |
 * |-------------|----------|---------------------------------|--------------------|
 * | q, v        | ndof     | coordinates, velocities         | m, m/s             |
 * | M           | ndof^2   | mass                            | kg                 |
 * | NNL, F_int, F_ext | ndof | inertial, internal, external forces | N            |
 * | T_L u_L     | ndof     | control input                   | N                  |
 * | p           | ndof     | generalized contact impulse     | N s                |
 * | y           | ny       | gap                             | m                  |
 * | P           | ny       | contact impulse                 | N s                |
 *
 * In every definition struct zero means default, arrays are copied, matrices are column-major. Give
 * each vector or matrix as a constant array or as a function (suffix _fn), not both. A function
 * that depends on q or v comes with its Jacobians. nsds_zero() says that a Jacobian vanishes,
 * nsds_differences() asks for finite differences.
 */
#ifndef NSDS_LAGRANGIAN_H
#define NSDS_LAGRANGIAN_H

#include <nsds/model.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A force that depends on q and v, with its Jacobians. */
typedef struct nsds_force_function {
  nsds_operator fn;       /**< the force, ndof; NULL: none */
  nsds_operator jac_q_fn; /**< derivative of fn in q, ndof x ndof; required with fn */
  nsds_operator jac_v_fn; /**< derivative of fn in v, ndof x ndof; required with fn */
} nsds_force_function;

/** The control input T_L(q) u_L(t,q,v) of a Lagrangian system. */
typedef struct nsds_lagrangian_control {
  int n;                  /**< size of u_L; 0: no control */
  const double *map;      /**< T_L, ndof x n constant; give it or map_fn */
  nsds_operator map_fn;   /**< T_L(q), ndof x n */
  nsds_operator fn;       /**< u_L(t,q,v), n; required with n > 0 */
  nsds_operator jac_q_fn; /**< du_L/dq, n x ndof; required with n > 0 */
  nsds_operator jac_v_fn; /**< du_L/dv, n x ndof; required with n > 0 */
  nsds_operator
      jac_map_q_fn; /**< d(vec T_L)/dq, (ndof n) x ndof, with T_L column by column; NULL: left out
                         of W, for a T_L that varies slowly */
} nsds_lagrangian_control;

/**
 * Nonlinear Lagrangian system
 *
 *     M(q,z) dv/dt + NNL(q,v,z) + F_int(t,q,v,z) = F_ext(t,z) + T_L(q) u_L(t,q,v) + p,  dq/dt = v
 *
 * NNL and F_int stand on the left: a spring is F_int = +k q, a pendulum +m g l sin(q).
 */
typedef struct nsds_lagrangian_def {
  const char *name;         /**< for messages; copied; may be NULL */
  int ndof;                 /**< degrees of freedom, >= 1 */
  const double *q0;         /**< ndof initial coordinates; NULL means zero */
  const double *v0;         /**< ndof initial velocities; NULL means zero */
  const double *mass;       /**< M, ndof x ndof constant, symmetric positive definite [kg] */
  nsds_operator mass_fn;    /**< M(q,z), ndof x ndof; give mass or mass_fn; a step fails if M is
                                       not positive definite */
  nsds_force_function nnl;  /**< NNL(q,v,z), ndof [N] */
  nsds_force_function fint; /**< F_int(t,q,v,z), ndof [N] */
  const double *fext;       /**< F_ext, ndof constant [N] */
  nsds_operator fext_fn;    /**< F_ext(t,z), ndof; may not depend on q, v */
  nsds_lagrangian_control control; /**< T_L u_L */
  nsds_prescribed prescribed;      /**< velocities given, indices in [0, ndof) */
  int nz;                          /**< number of parameters */
  const double *z;                 /**< nz initial parameters; NULL means zero */
  void *user;                      /**< passed to every function */
  int ndata;                       /**< number of operators with their own data */
  const nsds_operator_data *data;  /**< ndata entries; copied */
  /** zero, see ::NSDS_RESERVED */
  uint64_t reserved[NSDS_RESERVED];
} nsds_lagrangian_def;

/**
 * Creates a nonlinear Lagrangian system. Errors:
 * - size out of range, value not finite, force without its Jacobians;
 * - both mass and mass_fn, or neither; a singular mass at q0;
 * - diagonal entries of the mass outside of [1e-150, 1e150], because the squares of such entries or
 *   of their inverses overflow.
 */
NSDS_API nsds_ds *nsds_lagrangian(nsds_model *model, const nsds_lagrangian_def *def);

/**
 * Linear time-invariant Lagrangian system
 *
 *     M dv/dt + C v + K q = F_ext(t,z) + p,  dq/dt = v
 *
 * Give each of M, C, K dense or sparse. If one of them is sparse, the library keeps all three
 * sparse and factors W as a sparse matrix. Thousands of degrees of freedom then need no dense n x n
 * matrix.
 */
typedef struct nsds_lagrangian_linear_def {
  const char *name;                 /**< for messages; copied; may be NULL */
  int ndof;                         /**< degrees of freedom, >= 1 */
  const double *q0;                 /**< ndof initial coordinates; NULL means zero */
  const double *v0;                 /**< ndof initial velocities; NULL means zero */
  const double *mass;               /**< M, ndof x ndof [kg]; give mass or mass_sparse */
  const double *damping;            /**< C, ndof x ndof [N s/m]; NULL means zero */
  const double *stiffness;          /**< K, ndof x ndof [N/m]; NULL means zero */
  const nsds_csc *mass_sparse;      /**< M, sparse */
  const nsds_csc *damping_sparse;   /**< C, sparse */
  const nsds_csc *stiffness_sparse; /**< K, sparse */
  const double *fext;               /**< F_ext, ndof constant [N]; NULL means zero */
  nsds_operator fext_fn;            /**< F_ext(t,z), ndof; may not depend on q, v */
  nsds_prescribed prescribed;       /**< velocities given, indices in [0, ndof) */
  int nz;                           /**< number of parameters */
  const double *z;                  /**< nz initial parameters; NULL means zero */
  void *user;                       /**< passed to every function */
  int ndata;                        /**< number of operators with their own data */
  const nsds_operator_data *data;   /**< ndata entries; copied */
  /** zero, see ::NSDS_RESERVED */
  uint64_t reserved[NSDS_RESERVED];
} nsds_lagrangian_linear_def;

/** Creates a linear time-invariant Lagrangian system; errors as for nsds_lagrangian(). */
NSDS_API nsds_ds *nsds_lagrangian_linear(nsds_model *model, const nsds_lagrangian_linear_def *def);

/**
 * Lagrangian linear relation, P = H^T lambda, in one of three forms
 *
 *     D              y = H Q + F Z + b                     dy/dt = H V + D lambda, the impulse
 *     D, D_in_y      y = H Q + D lambda + F Z + b          dy/dt = H V + D lambda, the impulse
 *     compliance S   y = H Q + S lambda + F Z + b          dy/dt = H V + S dlambda/dt, the force
 *
 * Take S for a soft contact: a spring in series with the contact. dy/dt is then the rate of y. Laws
 * with restitution are refused with S, because velocities do not jump in a spring.
 *
 * Take D for a damper, or to regularize hyperstatic contacts; D does not enter gaps. If a closed
 * contact would otherwise come to rest, its impulse is P = -(H V + e dy/dt(-)) / D, with the
 * velocity after the impulse. D_in_y adds D lambda to the y of nsds_y() and of the activation test,
 * as in the documentation of Siconos' LagrangianLinearTIR. No unit of D then fits both equations.
 *
 * Without D and S the relation is rigid.
 */
typedef struct nsds_lagrangian_linear_relation_def {
  const char *name;         /**< for messages; copied; may be NULL */
  int ny;                   /**< m, size of y, >= 1 */
  int nq;                   /**< size of Q, >= 1: summed over the systems that you will connect */
  int nZ;                   /**< columns of F: length of Z, see ::nsds_arguments; 0 without F */
  const double *H;          /**< ny x nq */
  const double *D;          /**< ny x ny [1/kg]; NULL means zero */
  bool D_in_y;              /**< D enters y
  too; see above */
  const double *compliance; /**< S, ny x ny [m/N]; excludes D; NULL means zero */
  const double *F;          /**< ny x nZ; NULL means zero */
  const double *b;          /**< ny; NULL means zero */
  int nz;                   /**< number of own parameters */
  const double *z;          /**< nz initial own parameters; NULL means zero */
  /** zero, see ::NSDS_RESERVED */
  uint64_t reserved[NSDS_RESERVED];
} nsds_lagrangian_linear_relation_def;

/** Creates a Lagrangian linear relation. Any number of interactions may share the relation. */
NSDS_API nsds_relation *
nsds_lagrangian_linear_relation(nsds_model *model, const nsds_lagrangian_linear_relation_def *def);

/**
 * Lagrangian nonlinear relation, P = H^T lambda
 *
 *     y = h(t,Q,lambda,Z),    dy/dt = H V + dh/dt + dh/dlambda dlambda/dt,    H = dh/dQ
 *
 * A Jacobian left at NULL says that h does not depend on that argument. The relation is
 * scleronomous without jac_output_t_fn, rheonomous with it, and compliant with
 * jac_output_lambda_fn.
 *
 * While its law keeps a compliant relation closed, the relation is a spring. lambda is a force [N].
 * dy/dt is the rate of y. A law at position or force level holds for y itself at the end of the
 * step. So does the gap of a law of contact: 0 <= y perpendicular to lambda >= 0. Tangents of
 * friction stay at dy/dt. A row whose dh/dlambda is zero is rigid. nsds_connect() refuses laws with
 * restitution (e > 0, and the law of Fremond), because no velocity jumps in a spring.
 *
 * With `rate_form` lambda is an impulse [N s] and
 *
 *     dy/dt = H V + dh/dt + dh/dlambda lambda
 *
 * as in the documentation of Siconos. Every law then acts through dy/dt, as with a rigid relation,
 * and dh/dlambda acts as a damper [1/kg]. Take `rate_form` to regularize contacts, or to repeat a
 * model of Siconos, not for a spring.
 */
typedef struct nsds_lagrangian_relation_def {
  const char *name;                   /**< for messages; copied; may be NULL */
  int ny;                             /**< m, size of y, >= 1 */
  int nq;                             /**< size of Q, >= 1 */
  nsds_operator output_fn;            /**< h, ny [m]; required */
  nsds_operator jac_output_q_fn;      /**< dh/dQ, ny x nq; required */
  nsds_operator jac_output_t_fn;      /**< dh/dt, ny; NULL: h does not depend on t */
  nsds_operator jac_output_lambda_fn; /**< dh/dlambda, ny x ny; NULL: rigid */
  bool rate_form; /**< lambda enters dy/dt itself; needs jac_output_lambda_fn; see above */
  /** ny: d^2y/dt^2 at dV/dt = 0, (dH/dt) V + d^2h/dt^2 + 2 (d^2h/dt dQ) V, for event-driven
   *  simulation [m/s^2]; NULL: the library takes differences of dy/dt along the motion. Not with
   *  jac_output_lambda_fn. */
  nsds_operator bias_fn;
  int nz;                         /**< number of own parameters */
  const double *z;                /**< nz initial own parameters; NULL means zero */
  void *user;                     /**< passed to every function */
  int ndata;                      /**< number of operators with their own data */
  const nsds_operator_data *data; /**< ndata entries; copied */
  /** zero, see ::NSDS_RESERVED */
  uint64_t reserved[NSDS_RESERVED];
} nsds_lagrangian_relation_def;

/**
 * Creates the relation. Errors: sizes below 1, output_fn or jac_output_q_fn missing, rate_form
 * without jac_output_lambda_fn, bias_fn beside jac_output_lambda_fn.
 */
NSDS_API nsds_relation *nsds_lagrangian_relation(nsds_model *model,
                                                 const nsds_lagrangian_relation_def *def);

#ifdef __cplusplus
}
#endif
#endif
