/**
 * @file extend.h
 * @brief Vtables: how systems, relations and laws are made, in the library and outside of it.
 *
 * The built-in types are made through the same calls. An operation receives the `self` pointer
 * given at creation, writes its result and returns an ::nsds_status; on failure it records the
 * message with nsds_report(). Operations marked "may be NULL" may be left out; all others are
 * required. Matrices are column-major unless a sparse shape was declared. Solvers of one's own,
 * which need no model, are in extend_solver.h.
 */
#ifndef NSDS_EXTEND_H
#define NSDS_EXTEND_H

#include <nsds/extend_solver.h>
#include <nsds/law.h>
#include <nsds/model.h>
#include <nsds/problem.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Records a failure with a printf-style message and returns `status`. */
NSDS_API nsds_status nsds_report(nsds_context *context, nsds_status status, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 3, 4)))
#endif
    ;

/** With respect to what a Jacobian is taken. */
typedef enum nsds_variable {
  NSDS_WRT_Q = 1,     /**< coordinates */
  NSDS_WRT_V = 2,     /**< velocities */
  NSDS_WRT_T = 3,     /**< time */
  NSDS_WRT_LAMBDA = 4, /**< multipliers */
  NSDS_WRT_X = 5       /**< state of first order */
} nsds_variable;

/** A function and one of its Jacobians, as nsds_check_jacobians() compares them. */
typedef struct nsds_jacobian_pair {
  const char *name;       /**< name of the Jacobian */
  nsds_operator function; /**< f, `rows` values */
  nsds_operator jacobian; /**< df/d(variable), rows x length of the variable, column-major */
  nsds_variable variable; /**< what it is taken with respect to */
  int rows;               /**< length of f */
  void *user;             /**< passed to both */
} nsds_jacobian_pair;

/** How a matrix of a system is stored and whether it changes. */
typedef struct nsds_shape {
  bool present;  /**< false: the matrix is zero and its operation may be NULL */
  bool constant; /**< independent of t, q, v (it may depend on z): computed once */
  const int *p;  /**< nv + 1 column starts of a sparse pattern, NULL for dense; borrowed from self */
  const int *i;  /**< row indices of the sparse pattern, increasing in each column */
} nsds_shape;

/**
 * Second-order system M(q,z) dv/dt = F(t,q,v,z) + p. `in` holds t, q, v, z of the system.
 * Called by integrators only; a matrix is written as nv x nv dense, or as the values of its sparse
 * pattern.
 */
typedef struct nsds_second_order_ops {
  const char *type; /**< name of the type, for messages */
  /** M(q,z). */
  nsds_status (*mass)(void *self, const nsds_in *in, double *M);
  /** F(t,q,v,z), nv. For an affine system F_ext(t,z) only: the integrator adds -C v - K q. */
  nsds_status (*force)(void *self, const nsds_in *in, double *F);
  /** C = -dF/dv. May be NULL where the shape says zero. */
  nsds_status (*damping)(void *self, const nsds_in *in, double *C);
  /** K = -dF/dq. May be NULL where the shape says zero. */
  nsds_status (*stiffness)(void *self, const nsds_in *in, double *K);
  /** Velocities of the prescribed degrees of freedom at in->t. NULL without any. */
  nsds_status (*prescribed)(void *self, const nsds_in *in, double *v);
  /** Pair k of function and Jacobian; false past the last one. May be NULL. */
  bool (*jacobian_pair)(void *self, int k, nsds_jacobian_pair *pair);
  /** Frees self. May be NULL. */
  void (*destroy)(void *self);
} nsds_second_order_ops;

/** Everything needed to make a second-order system of a type of one's own. */
typedef struct nsds_second_order_def {
  const nsds_second_order_ops *ops; /**< operations; must outlive the model */
  void *self;            /**< passed to them; owned by the system from this call on, also when the
                              call fails */
  const char *name;      /**< for messages; copied; may be NULL */
  int ndof;              /**< nq = nv >= 1 */
  const double *q0;      /**< ndof; NULL means zero */
  const double *v0;      /**< ndof; NULL means zero */
  nsds_shape mass;       /**< shape of M; present is implied */
  nsds_shape damping;    /**< shape of C */
  nsds_shape stiffness;  /**< shape of K */
  bool affine;           /**< M, C, K constant and F = force(t,z) - C v - K q */
  bool force_constant;   /**< affine only: force does not depend on t */
  int nprescribed;       /**< number of prescribed velocities */
  const int *prescribed; /**< their indices, increasing; copied */
  int nz;                /**< number of parameters */
  const double *z;       /**< nz initial parameters; NULL means zero */
} nsds_second_order_def;

/** Creates a second-order system of a user's type. */
NSDS_API nsds_ds *nsds_second_order(nsds_model *model, const nsds_second_order_def *def);

/**
 * First-order system M(t) dx/dt = f(t,x,z) + r. `in` holds t, x, z of the system.
 */
typedef struct nsds_first_order_ops {
  const char *type; /**< name of the type, for messages */
  /** M(t). NULL where the shape says absent: the identity. */
  nsds_status (*mass)(void *self, const nsds_in *in, double *M);
  /** f(t,x,z), n. For an affine system b(t,z) only: the integrator adds A x. */
  nsds_status (*rhs)(void *self, const nsds_in *in, double *f);
  /** A = df/dx. May be NULL where the shape says zero. */
  nsds_status (*jacobian)(void *self, const nsds_in *in, double *A);
  /** Pair k of function and Jacobian; false past the last one. May be NULL. */
  bool (*jacobian_pair)(void *self, int k, nsds_jacobian_pair *pair);
  /** Frees self. May be NULL. */
  void (*destroy)(void *self);
} nsds_first_order_ops;

/** Everything needed to make a first-order system of a type of one's own. */
typedef struct nsds_first_order_system_def {
  const nsds_first_order_ops *ops; /**< operations; must outlive the model */
  void *self;          /**< passed to them; owned by the system from this call on */
  const char *name;    /**< for messages; copied; may be NULL */
  int n;               /**< size of x, >= 1 */
  const double *x0;    /**< n; NULL means zero */
  nsds_shape mass;     /**< shape of M; absent: the identity */
  nsds_shape jacobian; /**< shape of A */
  bool affine;         /**< f = A(t,z) x + b(t,z) */
  bool rhs_constant;   /**< affine only: b does not depend on t */
  int nz;              /**< number of parameters */
  const double *z;     /**< nz initial parameters; NULL means zero */
} nsds_first_order_system_def;

/** Creates a first-order system of a user's type. */
NSDS_API nsds_ds *nsds_first_order_system(nsds_model *model,
                                          const nsds_first_order_system_def *def);

/**
 * Relation between the coordinates of systems and y. `in` holds t, Q, V (second order) or X (first
 * order), Z, lambda. Called by integrators only. Operations named input belong to first-order
 * relations, which have all of output, jacobian_q, input and input_lambda.
 */
typedef struct nsds_relation_ops {
  const char *type; /**< name of the type, for messages */
  /** y = h(Q,t,lambda,Z), ny. */
  nsds_status (*output)(void *self, const nsds_in *in, double *y);
  /** H = dh/dQ, ny x nq. */
  nsds_status (*jacobian_q)(void *self, const nsds_in *in, double *H);
  /** dh/dt, ny. NULL: h does not depend on t. */
  nsds_status (*jacobian_t)(void *self, const nsds_in *in, double *ht);
  /** dh/dlambda, ny x ny, lambda a force [N]. NULL: h does not depend on lambda. */
  nsds_status (*jacobian_lambda)(void *self, const nsds_in *in, double *hl);
  /** D of dy/dt = H V + D P, ny x ny, constant. NULL: zero. */
  nsds_status (*feedthrough)(void *self, const nsds_in *in, double *D);
  /** First order: r = g(t,X,lambda,Z), nx. NULL: second order, P = H^T lambda. */
  nsds_status (*input)(void *self, const nsds_in *in, double *r);
  /** First order: B = dg/dlambda, nx x ny. */
  nsds_status (*input_lambda)(void *self, const nsds_in *in, double *B);
  /** First order: K = dg/dX, nx x nx. NULL: zero. */
  nsds_status (*input_x)(void *self, const nsds_in *in, double *K);
  /** Pair k of function and Jacobian; false past the last one. May be NULL. */
  bool (*jacobian_pair)(void *self, int k, nsds_jacobian_pair *pair);
  /** Frees self. May be NULL. */
  void (*destroy)(void *self);
} nsds_relation_ops;

/** Everything needed to make a relation of a type of one's own. */
typedef struct nsds_relation_def {
  const nsds_relation_ops *ops; /**< operations; must outlive the model */
  void *self;                   /**< passed to them; owned by the relation from this call on */
  const char *name;             /**< for messages; copied; may be NULL */
  int ny;                       /**< size of y, >= 1 */
  int nq;                       /**< size of Q, >= 1 */
  bool affine;                  /**< y = H Q + c(Z) with constant H (second order), or y and r
                                     affine in X and lambda with constant coefficients */
  bool linear;                  /**< first order: affine in X and lambda, coefficients of (t,Z) */
  int nz_needed;                /**< required length of Z, or 0 for any */
  int nz_own;                   /**< number of own parameters */
  const double *z;              /**< nz_own initial own parameters; NULL means zero */
} nsds_relation_def;

/** Creates a relation of a user's type. */
NSDS_API nsds_relation *nsds_relation_create(nsds_model *model, const nsds_relation_def *def);

/** A law: the convex set of its block, when it is active, and what it remembers of the past. */
typedef struct nsds_law_ops {
  const char *type; /**< name of the type, for messages */
  /** The block of a problem of m rows: set and parameters. */
  void (*block)(void *self, int m, nsds_block *block);
  /**
   * Whether the law takes part in a velocity-level problem, from y and dy/dt (m values) at the
   * start of the step and the look-ahead time tau = gamma_p h [s]. NULL: always.
   */
  bool (*active)(void *self, int m, const double *y, const double *ydot, double tau);
  /** Adds the law's memory of the velocity before the step to the constant term, for example
   *  e dy/dt(-). NULL: none. */
  void (*restitution)(void *self, int m, const double *ydot, double *q);
  /** Adds the law's own compliance to D (m x m): the law ties y + compliance lambda to lambda.
   *  NULL: none. */
  void (*compliance)(void *self, int m, double *D);
  /** Frees self. May be NULL. */
  void (*destroy)(void *self);
} nsds_law_ops;

/** Everything needed to make a law of a type of one's own. */
typedef struct nsds_law_def {
  const nsds_law_ops *ops; /**< operations; must outlive the model */
  void *self;              /**< passed to them; owned by the law from this call on */
  int size;                /**< m, or 0 for any size */
} nsds_law_def;

/** Creates a law of a user's type. */
NSDS_API nsds_law *nsds_law_create(nsds_model *model, const nsds_law_def *def);

#ifdef __cplusplus
}
#endif
#endif
