/**
 * @file first_order.h
 * @brief First-order systems (circuits, controllers, Filippov systems) and their relations.
 *
 *     M(t) dx/dt = f(t,x,z) + r,     y = h(t,X,lambda,Z),     r = g(t,X,lambda,Z)
 *
 * X and Z concatenate over the systems of an interaction. The law ties y to lambda at the end of
 * each step. Every interaction is always active, whatever the sign of y.
 *
 * Conventions as in lagrangian.h: zero means default, arrays are copied, matrices are column-major.
 * Give a quantity as a constant or as a function (suffix _fn), with Jacobians.
 */
#ifndef NSDS_FIRST_ORDER_H
#define NSDS_FIRST_ORDER_H

#include <nsds/model.h>

#ifdef __cplusplus
extern "C" {
#endif

/** State x of a first-order system, length nsds_nx(); NULL otherwise. */
NSDS_API const double *nsds_x(const nsds_ds *ds);
/** Length of x; 0 for a second-order system. */
NSDS_API int nsds_nx(const nsds_ds *ds);
/** Input r = sum of g over the interactions in the last step, length nsds_nx(); NULL otherwise. */
NSDS_API const double *nsds_r(const nsds_ds *ds);
/** Sets x between steps; finite values. */
NSDS_API nsds_status nsds_set_x(nsds_ds *ds, const double *x);
/** Sets the input r at the end of the last step, between steps; finite values. Use this to continue
 *  from your own file: schemes with gamma < 1 average r over a step. With
 *  nsds_with_initial_lambda() the next step finds r itself. */
NSDS_API nsds_status nsds_set_r(nsds_ds *ds, const double *r);

/** The control input T(x) u(t,x,dx/dt,z) of a first-order system. */
typedef struct nsds_first_order_control {
  int n;                      /**< size of u; 0: no control */
  const double *map;          /**< T, (size of x) x n constant; give it or map_fn */
  nsds_operator map_fn;       /**< T(x), (size of x) x n */
  nsds_operator fn;           /**< u(t,x,dx/dt,z), n; required with n > 0 */
  nsds_operator jac_x_fn;     /**< du/dx, n x (size of x); required with n > 0 */
  nsds_operator jac_xdot_fn;  /**< du/d(dx/dt), n x (size of x); NULL: u does not read it */
  nsds_operator jac_map_x_fn; /**< d(vec T)/dx, with T column by column; NULL: left out of W, for a
                                   T that varies slowly */
} nsds_first_order_control;

/**
 * Nonlinear first-order system  M(t) dx/dt = f(t,x,z) + T(x) u(t,x,dx/dt,z) + r.
 *
 * M may be singular if the iteration matrix W is not. With F = f + T u,
 *
 *     W = M - h theta dF/dx - dF/d(dx/dt)
 *
 * A control that reads dx/dt gets the rate (x_{k+1} - x_k)/h of the step, both in F_{k+1} and in
 * F_k. So u = -k dx/dt acts as the mass k. Such a control is for time stepping by the theta-gamma
 * schemes; other integrators refuse the control.
 */
typedef struct nsds_first_order_def {
  const char *name;         /**< for messages; copied; may be NULL */
  int n;                    /**< size of x, >= 1 */
  const double *x0;         /**< n initial values; NULL means zero */
  const double *mass;       /**< M, n x n constant; NULL (and no mass_fn) means the identity */
  nsds_operator mass_fn;    /**< M(t), n x n */
  nsds_operator f_fn;       /**< f(t,x,z), n; NULL means zero */
  nsds_operator jac_f_x_fn; /**< df/dx, n x n; required with f_fn */
  nsds_first_order_control control; /**< T u */
  int nz;                           /**< number of parameters */
  const double *z;                  /**< nz initial parameters; NULL means zero */
  void *user;                       /**< passed to every function */
  int ndata;                        /**< number of operators with their own data */
  const nsds_operator_data *data;   /**< ndata entries; copied */
  /** zero, see ::NSDS_RESERVED */
  uint64_t reserved[NSDS_RESERVED];
} nsds_first_order_def;

/** Creates a nonlinear first-order system. Errors name the field and valid values. */
NSDS_API nsds_ds *nsds_first_order(nsds_model *model, const nsds_first_order_def *def);

/**
 * Linear first-order system  M dx/dt = A(t,z) x + b(t,z) + T u(t,z) + r. The iteration matrix is
 * factored once if A and M are constant, and factored sparse if A or M is sparse.
 */
typedef struct nsds_first_order_linear_def {
  const char *name;                 /**< for messages; copied; may be NULL */
  int n;                            /**< size of x, >= 1 */
  const double *x0;                 /**< n initial values; NULL means zero */
  const double *mass;               /**< M, n x n constant; NULL means the identity */
  const nsds_csc *mass_sparse;      /**< M, sparse constant */
  nsds_operator mass_fn;            /**< M(t), n x n */
  const double *A;                  /**< A, n x n constant; no A, A_sparse or A_fn means zero */
  const nsds_csc *A_sparse;         /**< A, sparse constant */
  nsds_operator A_fn;               /**< A(t,z), n x n */
  const double *b;                  /**< b, n constant; NULL (and no b_fn) means zero */
  nsds_operator b_fn;               /**< b(t,z), n */
  nsds_first_order_control control; /**< T u: n, map and fn, u(t,z); there are no Jacobians */
  int nz;                           /**< number of parameters */
  const double *z;                  /**< nz initial parameters; NULL means zero */
  void *user;                       /**< passed to every function */
  int ndata;                        /**< number of operators with their own data */
  const nsds_operator_data *data;   /**< ndata entries; copied */
  /** zero, see ::NSDS_RESERVED */
  uint64_t reserved[NSDS_RESERVED];
} nsds_first_order_linear_def;

/** Creates a linear first-order system; errors as for nsds_first_order(). */
NSDS_API nsds_ds *nsds_first_order_linear(nsds_model *model,
                                          const nsds_first_order_linear_def *def);

/**
 * Linear relation  y = C X + F Z + D lambda + e,  r = B lambda. Each coefficient is a constant
 * array or a function of (t, Z).
 */
typedef struct nsds_first_order_linear_relation_def {
  const char *name;               /**< for messages; copied; may be NULL */
  int ny;                         /**< m, size of y and lambda, >= 1 */
  int nx;                         /**< size of X, >= 1 */
  int nZ;                         /**< columns of F: length of Z; 0 without F */
  const double *C;                /**< m x nx */
  const double *D;                /**< m x m; NULL means zero */
  const double *B;                /**< nx x m */
  const double *F;                /**< m x nZ */
  const double *e;                /**< m */
  nsds_operator C_fn;             /**< C(t,Z) */
  nsds_operator D_fn;             /**< D(t,Z) */
  nsds_operator B_fn;             /**< B(t,Z) */
  nsds_operator F_fn;             /**< F(t,Z), m x nZ */
  nsds_operator e_fn;             /**< e(t,Z) */
  int nz;                         /**< number of own parameters */
  const double *z;                /**< nz initial own parameters; NULL means zero */
  void *user;                     /**< passed to every function */
  int ndata;                      /**< number of operators with their own data */
  const nsds_operator_data *data; /**< ndata entries; copied */
  /** zero, see ::NSDS_RESERVED */
  uint64_t reserved[NSDS_RESERVED];
} nsds_first_order_linear_relation_def;

/** Creates a linear relation between first-order systems; C and B are required. */
NSDS_API nsds_relation *
nsds_first_order_linear_relation(nsds_model *model,
                                 const nsds_first_order_linear_relation_def *def);

/**
 * Nonlinear relations between first-order systems
 *
 *     type 1     y = h(X,Z)            r = g(lambda,Z)
 *     type 2     y = h(t,X,lambda,Z)   r = g(t,lambda,Z)
 *     general    y = h(t,X,lambda,Z)   r = g(t,X,lambda,Z)
 *
 * To choose a type, leave Jacobians at NULL: both jac_output_lambda_fn and jac_input_x_fn for type
 * 1, jac_input_x_fn for type 2. A function must not depend on a variable without its Jacobian.
 */
typedef struct nsds_first_order_relation_def {
  const char *name;                   /**< for messages; copied; may be NULL */
  int ny;                             /**< m, size of y and lambda, >= 1 */
  int nx;                             /**< size of X, >= 1 */
  nsds_operator output_fn;            /**< h, m; required */
  nsds_operator jac_output_x_fn;      /**< C = dh/dX, m x nx; required */
  nsds_operator jac_output_lambda_fn; /**< D = dh/dlambda, m x m; NULL: zero */
  nsds_operator input_fn;             /**< g, nx; required */
  nsds_operator jac_input_lambda_fn;  /**< B = dg/dlambda, nx x m; required */
  nsds_operator jac_input_x_fn;       /**< K = dg/dX, nx x nx; NULL: zero */
  int nz;                             /**< number of own parameters */
  const double *z;                    /**< nz initial own parameters; NULL means zero */
  void *user;                         /**< passed to every function */
  int ndata;                          /**< number of operators with their own data */
  const nsds_operator_data *data;     /**< ndata entries; copied */
  /** zero, see ::NSDS_RESERVED */
  uint64_t reserved[NSDS_RESERVED];
} nsds_first_order_relation_def;

/** Creates a nonlinear relation between first-order systems. */
NSDS_API nsds_relation *nsds_first_order_relation(nsds_model *model,
                                                  const nsds_first_order_relation_def *def);

/**
 * Relative degree of row j of an interaction between linear first-order systems with constant
 * coefficients. Returns 0 if D[j,j] is not zero, else the smallest r >= 1 with C[j,:] (M^-1
 * A)^{r-1} M^-1 B[:,j] not zero. "Zero" means below `tolerance` (0: 1e-12) times the norm of D, or
 * times |C[j,:]| |(M^-1 A)^{r-1} M^-1 B[:,j]|. Let n be the sum of the sizes of the systems.
 * Returns n + 1 if there is no degree up to n (lambda_j never affects y_j). Returns -1 with an
 * error if the degree is not defined (nonlinear or time-varying, singular M, row out of range).
 *
 * The theta-gamma schemes treat degrees 0 and 1. With degree 2 lambda contains impulses, and
 * nsds_time_stepping() warns. Higher degrees (up to n) are refused. A law that keeps lambda between
 * finite bounds (relay, saturation) is accepted at any degree, because a bounded lambda has no
 * impulses.
 */
NSDS_API int nsds_relative_degree(const nsds_interaction *interaction, int row, double tolerance);

#ifdef __cplusplus
}
#endif
#endif
