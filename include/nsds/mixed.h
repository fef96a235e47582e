/**
 * @file mixed.h
 * @brief Relations that tie systems of both orders: currents and torques, pressures and pistons.
 *
 *     y = h(t,X,Q,V,lambda,Z),     (r, F) = g(t,X,Q,V,lambda,Z)
 *
 * X concatenates the states of the first-order systems of an interaction. Q and V concatenate the
 * coordinates and velocities of the second-order systems. r enters M dx/dt = f + r of first-order
 * systems. The generalized forces F [N] enter M dv/dt = F_own + F of second-order systems. Give
 * nsds_connect() the first-order systems first.
 *
 * The law ties y to lambda at the end of each step, at t_{k+gamma} under nsds_full_theta_gamma().
 * Every row is active whatever the sign of y. lambda is a force, a voltage or a flow, never an
 * impulse. F acts over the whole step. Impacts of the same systems do not change; they are in the
 * same one-step problem.
 *
 * A coupling that has no nonsmooth law has equality rows. The torque K i of a motor and its voltage
 * K w are
 *
 *     y_1 = i - lambda_1 = 0,   y_2 = w - lambda_2 = 0,     r = -K lambda_2,   F = K lambda_1
 *
 * With theta = gamma = 1/2 and nsds_full_theta_gamma() such a coupling neither adds nor removes
 * energy in any step. In event-driven simulation the law holds at each instant.
 */
#ifndef NSDS_MIXED_H
#define NSDS_MIXED_H

#include <nsds/model.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Linear mixed relation
 *
 *     y = C X + H Q + E V + D lambda + e(t,Z),     r = B lambda,   F = L lambda
 */
typedef struct nsds_mixed_linear_relation_def {
  const char *name;   /**< for messages; copied; may be NULL */
  int ny;             /**< m, size of y and lambda, >= 1 */
  int nx;             /**< size of X; 0: the relation ties second-order systems only, and the law is
                           about forces and V */
  int nq;             /**< size of Q, >= 1 */
  int nv;             /**< size of V; 0 means nq */
  const double *C;    /**< m x nx; NULL means zero */
  const double *H;    /**< m x nq; NULL means zero */
  const double *E;    /**< m x nv; NULL means zero */
  const double *D;    /**< m x m; NULL means zero */
  const double *e;    /**< m; NULL means zero */
  nsds_operator e_fn; /**< e(t,Z), m; give e or e_fn, not both */
  const double *B;    /**< nx x m; NULL means zero */
  const double *L;    /**< nv x m [N per unit of lambda]; NULL means zero */
  int nz;             /**< number of own parameters */
  const double *z;    /**< nz initial own parameters; NULL means zero */
  void *user;         /**< passed to e_fn */
  int ndata;          /**< number of operators with their own data */
  const nsds_operator_data *data; /**< ndata entries; copied */
  /** zero, see ::NSDS_RESERVED */
  uint64_t reserved[NSDS_RESERVED];
} nsds_mixed_linear_relation_def;

/** Creates a linear mixed relation. Models of linear systems still take one pass per step. */
NSDS_API nsds_relation *nsds_mixed_linear_relation(nsds_model *model,
                                                   const nsds_mixed_linear_relation_def *def);

/** Nonlinear mixed relation; give Jacobians as in first_order.h. */
typedef struct nsds_mixed_relation_def {
  const char *name;                   /**< for messages; copied; may be NULL */
  int ny;                             /**< m, size of y and lambda, >= 1 */
  int nx;                             /**< size of X, >= 0 */
  int nq;                             /**< size of Q, >= 1 */
  int nv;                             /**< size of V; 0 means nq */
  nsds_operator output_fn;            /**< h, m; required */
  nsds_operator jac_output_x_fn;      /**< dh/dX, m x nx; required with nx > 0 */
  nsds_operator jac_output_q_fn;      /**< dh/dQ, m x nq; required */
  nsds_operator jac_output_v_fn;      /**< dh/dV, m x nv; required */
  nsds_operator jac_output_lambda_fn; /**< dh/dlambda, m x m; NULL: zero */
  nsds_operator input_fn;             /**< (r, F), nx + nv; required */
  nsds_operator jac_input_lambda_fn;  /**< dg/dlambda, (nx + nv) x m; required */
  nsds_operator jac_input_x_fn; /**< dg/dX, (nx + nv) x nx; NULL: left out of the iteration matrix.
                                     If g depends on X this costs iterations; if g is stiff in X the
                                     iteration fails */
  nsds_operator jac_input_q_fn; /**< dg/dQ,
                                     (nx + nv) x nq; NULL: likewise */
  nsds_operator jac_input_v_fn;
  /**< dg/dV, (nx + nv) x nv; NULL: likewise */
  int nz;                         /**< number of own parameters */
  const double *z;                /**< nz initial own parameters; NULL means zero */
  void *user;                     /**< passed to every function */
  int ndata;                      /**< number of operators with their own data */
  const nsds_operator_data *data; /**< ndata entries; copied */
  const double *terms;            /**< ny: as in ::nsds_custom_relation_def; copied; NULL: none */
  /** zero, see ::NSDS_RESERVED */
  uint64_t reserved[NSDS_RESERVED - 1];
} nsds_mixed_relation_def;

/**
 * Creates a nonlinear mixed relation. If you give a Jacobian of g in X, Q or V, the systems of the
 * relation share an iteration matrix. Systems that other such relations tie to them share it too.
 * Bodies of contact sets cannot be among these systems. In systems with explicit forces, F is not
 * taken at the start of the step as these forces are.
 */
NSDS_API nsds_relation *nsds_mixed_relation(nsds_model *model, const nsds_mixed_relation_def *def);

#ifdef __cplusplus
}
#endif
#endif
