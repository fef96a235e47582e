/**
 * @file extend.h
 * @brief Vtables, from which the library and your program make systems, relations and laws.
 *
 * The built-in types use the same tables. An operation receives the `self` pointer given at
 * creation, writes its result and returns an ::nsds_status. You may leave out operations marked
 * "may be NULL"; all others are required, and so is `type`. Matrices are column-major unless a
 * sparse shape was declared. Your own solvers need no model: see extend_solver.h.
 *
 * Operations of systems, relations, integrators and geometries return:
 *
 * - NSDS_OK: done. If a result of a system or relation is not finite, the call still fails with
 *   NSDS_ERROR_CALLBACK, and the message names object, operation and entry.
 * - a negative ::nsds_status: a failure, which the call in progress returns. Call nsds_report()
 *   first to say why; otherwise the message names object, operation and status. After
 *   NSDS_ERROR_NEWTON the step is tried again in halves. With nsds_time_stepping_def::max_halvings
 *   the step is also tried in halves after NSDS_ERROR_CALLBACK, _SOLVER, _SINGULAR and _VALUE.
 * - NSDS_STOPPED: the step is given up and not tried in halves. nsds_step() returns NSDS_STOPPED
 *   with the model as before. No error is recorded; a warning names the operation. A constructor
 *   that had called the operation returns NULL.
 * - anything else: NSDS_ERROR_CALLBACK, with a message.
 */
#ifndef NSDS_EXTEND_H
#define NSDS_EXTEND_H

#include <nsds/extend_solver.h>
#include <nsds/law.h>
#include <nsds/model.h>
#include <nsds/problem.h>

#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Records a failure with a printf-style message and returns `status`. */
NSDS_API nsds_status nsds_report(nsds_context *context, nsds_status status, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 3, 4)))
#endif
    ;

/**
 * A file that a writer of your own makes. The new file stands beside the old one, as path.new, and takes its place
 * when it is complete. Until then, and if anything fails, the old file stays. A symbolic link is followed. A device, a
 * pipe or a socket is written as it is.
 *
 *     nsds_output *output;
 *     nsds_status status = nsds_output_open(context, "my_writer", "table.txt", &output);
 *     if (status) return status;
 *     fprintf(nsds_output_stream(output), "...");
 *     return nsds_output_close(output, true);
 */
typedef struct nsds_output nsds_output;

/**
 * Opens the new file.
 * @param context for memory and messages; outlives the output
 * @param call    what messages begin with, such as the name of your function; "": nothing; outlives the output
 * @param path    path of the file; its folder must exist; copied
 * @param output  receives the output, NULL after a failure
 * @return NSDS_OK; NSDS_ERROR_ARGUMENT, NSDS_ERROR_MEMORY, or NSDS_ERROR_IO with the reason
 */
NSDS_API nsds_status nsds_output_open(nsds_context *context, const char *call, const char *path,
                                      nsds_output **output);

/** The stream to write to, lent until nsds_output_close(); NULL for NULL. Faults of writing stay in the stream. */
NSDS_API FILE *nsds_output_stream(const nsds_output *output);

/**
 * Closes the file and frees the output.
 * @param output   of nsds_output_open()
 * @param complete true: the new file takes the place of the old one, if all of it reached the disk. false: the new
 *                 file is removed, and the old one stays
 * @return NSDS_OK; NSDS_ERROR_IO: the old file stays; NSDS_ERROR_ARGUMENT: NULL; NSDS_ERROR_STATE within a hook
 */
NSDS_API nsds_status nsds_output_close(nsds_output *output, bool complete);

/** The variable of a Jacobian. */
typedef enum nsds_variable {
  NSDS_WRT_Q = 1,      /**< coordinates */
  NSDS_WRT_V = 2,      /**< velocities */
  NSDS_WRT_T = 3,      /**< time */
  NSDS_WRT_LAMBDA = 4, /**< multipliers */
  NSDS_WRT_X = 5,      /**< state of first order */
  NSDS_WRT_XDOT = 6    /**< dx/dt */
} nsds_variable;

/** A function and one of its Jacobians, as nsds_check_jacobians() compares them. */
typedef struct nsds_jacobian_pair {
  const char *name;       /**< name of the Jacobian */
  nsds_operator function; /**< f, `rows` values */
  nsds_operator jacobian; /**< df/d(variable), rows x length of the variable, column-major; NULL:
                               left out, taken for zero */
  nsds_variable variable; /**< variable of the Jacobian */
  int rows;               /**< length of f */
  void *user;             /**< passed to both */
} nsds_jacobian_pair;

/** How a matrix of a system is stored and whether it changes. */
typedef struct nsds_matrix_shape {
  bool present;  /**< false: the matrix is zero and its operation may be NULL */
  bool constant; /**< independent of t, q, v, x (it may depend on z): computed once */
  const int *p; /**< column starts of a sparse pattern, one more than columns (size of v or x); NULL
                     for dense; borrowed from self */
  const int *i; /**< row indices of the sparse pattern, increasing in each column */
} nsds_matrix_shape;

/**
 * Second-order system M(q,z) dv/dt = F(t,q,v,z) + p, dq/dt = T(q) v. `in` holds t, q, v, z of the
 * system. Only integrators call these operations. An operation writes a matrix as nv x nv dense, or
 * as the values of its sparse pattern. Coordinates and velocities may differ in number (a unit
 * quaternion and an angular velocity): then velocity_map and advance are required.
 */
typedef struct nsds_second_order_ops {
  const char *type; /**< name of the type, for messages */
  /** M(q,z). */
  nsds_status (*mass)(void *self, const nsds_arguments *in, double *M);
  /** F(t,q,v,z), nv. For an affine system write F_ext(t,z) only: the integrator adds -C v - K q. */
  nsds_status (*force)(void *self, const nsds_arguments *in, double *F);
  /** C = -dF/dv. May be NULL where the shape says zero. */
  nsds_status (*damping)(void *self, const nsds_arguments *in, double *C);
  /** K = -dF/dq T(q), nv x nv. May be NULL where the shape says zero. */
  nsds_status (*stiffness)(void *self, const nsds_arguments *in, double *K);
  /** T(q) of dq/dt = T(q) v, nq x nv. NULL: the identity. */
  nsds_status (*velocity_map)(void *self, const nsds_arguments *in, double *T);
  /** q (+) step: the coordinates reached from in->q along T by the displacement `step`, nv entries,
   *  for example v h. NULL: q + step. */
  nsds_status (*advance)(void *self, const nsds_arguments *in, const double *step, double *q);
  /** Velocities of the prescribed degrees of freedom at in->t. NULL: no degree of freedom is
   *  prescribed. */
  nsds_status (*prescribed)(void *self, const nsds_arguments *in, double *v);
  /** Pair k of function and Jacobian; false past the last one. May be NULL. */
  bool (*jacobian_pair)(void *self, int k, nsds_jacobian_pair *pair);
  /** Frees self. May be NULL. */
  void (*destroy)(void *self);
  /** zero, see ::NSDS_RESERVED */
  uint64_t reserved[NSDS_RESERVED];
} nsds_second_order_ops;

/** Everything needed to make a second-order system of your own type. */
typedef struct nsds_custom_second_order_def {
  const nsds_second_order_ops *ops; /**< operations; must outlive the model */
  void *self;             /**< passed to the operations; owned by the system from this call on, also
                               when the call fails */
  const char *name;       /**< for messages; copied; may be NULL */
  int ndof;               /**< number of velocities nv, >= 1 */
  int nq;                 /**< number of coordinates; 0 means ndof */
  const double *q0;       /**< nq; NULL means zero */
  const double *v0;       /**< ndof; NULL means zero */
  nsds_matrix_shape mass; /**< shape of M; present is implied */
  nsds_matrix_shape damping;   /**< shape of C */
  nsds_matrix_shape stiffness; /**< shape of K */
  bool affine;                 /**< M, C, K constant and F = force(t,z) - C v - K q */
  bool force_constant;         /**< affine only: force does not depend on t */
  /** F(t,q,v) is taken at the start of the step and M at the predicted position. A step is then
   * one linear solve. Excludes affine, damping and stiffness. */
  bool explicit_force;
  nsds_prescribed prescribed; /**< n and index; fn is NULL: the operation gives the values */
  int nz;                     /**< number of parameters */
  const double *z;            /**< nz initial parameters; NULL means zero */
  /** zero, see ::NSDS_RESERVED */
  uint64_t reserved[NSDS_RESERVED];
} nsds_custom_second_order_def;

/** Creates a second-order system of a user's type. */
NSDS_API nsds_ds *nsds_custom_second_order(nsds_model *model,
                                           const nsds_custom_second_order_def *def);

/** Scales of a first-order system for the steps of nsds_adaptive(). The call finds zeros. */
typedef struct nsds_scales {
  double *size;        /**< n: sizes of the states, each >= 0, as in nsds_adaptive_def::size */
  double largest_step; /**< steps are at most so long [s]; 0: no limit of its own */
} nsds_scales;

/**
 * First-order system M(t) dx/dt = f(t,x,z) + r. `in` holds t, x, z of the system. If the definition
 * has a rate_jacobian, `in` also holds xdot, and f may depend on dx/dt.
 */
typedef struct nsds_first_order_ops {
  const char *type; /**< name of the type, for messages */
  /** M(t). NULL where the shape says absent: the identity. */
  nsds_status (*mass)(void *self, const nsds_arguments *in, double *M);
  /** f(t,x,z), n. For an affine system write b(t,z) only: the integrator adds A x. */
  nsds_status (*rhs)(void *self, const nsds_arguments *in, double *f);
  /** A = df/dx. May be NULL where the shape says zero. */
  nsds_status (*jacobian)(void *self, const nsds_arguments *in, double *A);
  /** E = df/d(dx/dt). May be NULL where the shape says zero. */
  nsds_status (*rate_jacobian)(void *self, const nsds_arguments *in, double *E);
  /** Pair k of function and Jacobian; false past the last one. May be NULL. */
  bool (*jacobian_pair)(void *self, int k, nsds_jacobian_pair *pair);
  /** Frees self. May be NULL. */
  void (*destroy)(void *self);
  /** For nsds_adaptive() and nsds_event_driven(): the first time after t at which f jumps [s], or
   *  HUGE_VAL. A step ends at this time. At this time f has its value before the jump, up to 16 eps
   *  |t| later. NULL: no such times */
  double (*next_corner)(void *self, double t);
  /** For nsds_adaptive(): gives scales. Called when the simulation is made, and after changes of the
   *  model. NULL: none */
  void (*scales)(void *self, nsds_scales *scales);
  /** For all drivers: looks at the state at the end of a step, before the step is accepted, behind those of all relations. On a status other than NSDS_OK the step
   *  fails with it. NULL: no call */
  nsds_status (*look)(void *self, const nsds_arguments *in);
  /** zero, see ::NSDS_RESERVED */
  uint64_t reserved[NSDS_RESERVED];
} nsds_first_order_ops;

/** Everything needed to make a first-order system of your own type. */
typedef struct nsds_custom_first_order_def {
  const nsds_first_order_ops *ops; /**< operations; must outlive the model */
  void *self;                      /**< passed to the operations; owned by the system from this call
                                        on */
  const char *name;                /**< for messages; copied; may be NULL */
  int n;                           /**< size of x, >= 1 */
  const double *x0;                /**< n; NULL means zero */
  nsds_matrix_shape mass;          /**< shape of M; absent: the identity */
  nsds_matrix_shape jacobian;      /**< shape of A */
  nsds_matrix_shape rate_jacobian; /**< shape of E; dense, excludes affine */
  bool affine;                     /**< f = A(t,z) x + b(t,z) */
  bool rhs_constant;               /**< affine only: b does not depend on t */
  int nz;                          /**< number of parameters */
  const double *z;                 /**< nz initial parameters; NULL means zero */
  /** zero, see ::NSDS_RESERVED */
  uint64_t reserved[NSDS_RESERVED];
} nsds_custom_first_order_def;

/** Creates a first-order system of a user's type. */
NSDS_API nsds_ds *nsds_custom_first_order(nsds_model *model,
                                          const nsds_custom_first_order_def *def);

/**
 * Relation between the coordinates of systems and y. `in` holds t, Q, V (second order) or X (first
 * order), Z, lambda. Only integrators call these operations. The operations named input are for
 * first-order and mixed relations. A first-order relation must have output, jacobian_q, input and
 * input_lambda.
 */
typedef struct nsds_relation_ops {
  const char *type; /**< name of the type, for messages */
  /** y = h(Q,t,lambda,Z), ny. */
  nsds_status (*output)(void *self, const nsds_arguments *in, double *y);
  /** dh/dQ, ny x nq; the kernel multiplies by T(q) of the systems. First order: dh/dX. */
  nsds_status (*jacobian_q)(void *self, const nsds_arguments *in, double *H);
  /** Second order: the gradient H in velocities, ny x nv, with dy/dt = H V + dh/dt. Give it in
   *  place of jacobian_q if H is easier to write (body frames, contact frames). */
  nsds_status (*gradient_v)(void *self, const nsds_arguments *in, double *H);
  /** Mixed relations: dh/dV, ny x nv. Mixed relations also have jacobian_q, input and input_lambda.
   *  The rows of input and input_lambda are those of r, followed by those of F. */
  nsds_status (*jacobian_v)(void *self, const nsds_arguments *in, double *E);
  /** Mixed relations: dh/dX, ny x nx. NULL: nx is 0. */
  nsds_status (*jacobian_x)(void *self, const nsds_arguments *in, double *C);
  /** dh/dt, ny. NULL: h does not depend on t. */
  nsds_status (*jacobian_t)(void *self, const nsds_arguments *in, double *ht);
  /** Second order: the bias in d^2y/dt^2 = H dV/dt + bias, ny. The bias is (dH/dt) V; if h depends
   *  on t, add d^2h/dt^2 + 2 (d^2h/dt dQ) V. Needed for event-driven simulation. NULL: the library
   *  takes differences of dy/dt along the motion. */
  nsds_status (*bias)(void *self, const nsds_arguments *in, double *bias);
  /** dh/dlambda, ny x ny; lambda is a force [N]. NULL: h does not depend on lambda. */
  nsds_status (*jacobian_lambda)(void *self, const nsds_arguments *in, double *hl);
  /** D of dy/dt = H V + D P, ny x ny; constant where the relation is affine. NULL: zero. */
  nsds_status (*feedthrough)(void *self, const nsds_arguments *in, double *D);
  /** First order: r = g(t,X,lambda,Z), nx. NULL: second order, P = H^T lambda. */
  nsds_status (*input)(void *self, const nsds_arguments *in, double *r);
  /** First order: B = dg/dlambda, nx x ny. */
  nsds_status (*input_lambda)(void *self, const nsds_arguments *in, double *B);
  /** First order: K = dg/dX, nx x nx. Mixed relations: dg/dX, nx + nv rows. NULL: zero. */
  nsds_status (*input_x)(void *self, const nsds_arguments *in, double *K);
  /** Mixed relations: dg/dQ, (nx + nv) x nq; NULL: left out of the iteration matrix. */
  nsds_status (*input_q)(void *self, const nsds_arguments *in, double *Kq);
  /** Mixed relations: dg/dV, (nx + nv) x nv. NULL: likewise. */
  nsds_status (*input_v)(void *self, const nsds_arguments *in, double *Kv);
  /** Pair k of function and Jacobian; false past the last one. May be NULL. */
  bool (*jacobian_pair)(void *self, int k, nsds_jacobian_pair *pair);
  /** Frees self. May be NULL. */
  void (*destroy)(void *self);
  /** First order: bounds a change of Newton's method, where a function grows
   *  fast as exponentials do. The call may change the new `lambda`, ny; `from` is lambda before the
   *  iteration. Returns true if an entry was changed. NULL: no bounds. */
  bool (*limit)(void *self, const double *from, double *lambda);
  /** First order, for nsds_adaptive() and nsds_event_driven(): the first time after t at which a
   *  function of the relation jumps [s], or HUGE_VAL, as nsds_first_order_ops::next_corner. NULL: no
   *  such times. Affine relations are not asked */
  double (*next_corner)(void *self, double t);
  /** First order, ny = 1: makes the interaction a switch. Returns how far the switch is from being
   *  moved, in any unit. While the value is >= 0, the switch stays on, or off. INFINITY: nothing
   *  moves it. A switch that is on leaves its interaction to the law. While it is off, lambda stays
   *  within the bounds of the definition. nsds_adaptive() and nsds_event_driven() locate the times at which
   *  the value becomes negative; each is an event. nsds_time_stepping() asks once for each step, with
   *  the state at the start and t of the end. NULL: no switch */
  double (*margin)(void *self, const nsds_arguments *in, bool on);
  /** First order: looks at the end of a step, as nsds_first_order_ops::look does; `in` has lambda too. NULL: no call */
  nsds_status (*look)(void *self, const nsds_arguments *in);
  /** zero, see ::NSDS_RESERVED */
  uint64_t reserved[NSDS_RESERVED - 2];
} nsds_relation_ops;

/** Everything needed to make a relation of your own type. */
typedef struct nsds_custom_relation_def {
  const nsds_relation_ops *ops; /**< operations; must outlive the model */
  void *self;                   /**< passed to the operations; the relation owns it from this call
                                     on */
  const char *name;             /**< for messages; copied; may be NULL */
  int ny;                       /**< size of y, >= 1 */
  int nq;                       /**< size of Q (or X), >= 1 */
  int nv;                       /**< size of V; 0 means nq, or any size if jacobian_q is given */
  bool mixed;                   /**< ties systems of both orders, see mixed.h; excludes affine */
  int nx;                       /**< mixed: size of X */
  bool affine;                  /**< y = H Q + c(Z) with constant H (second order), or y and r
                                     affine in X and lambda with constant coefficients */
  bool linear;                  /**< first order: affine in X and lambda, with coefficients that
                                     depend on (t,Z); second order: affine in Q and lambda, with
                                     constant coefficients. If input_x, input_q or input_v is given,
                                     steps still use Newton's method */
  bool impulsive;               /**< second order, excludes affine and jacobian_lambda: lambda in
                                     `in` is the impulse P of the step, not the force P / h */
  int nZ;                       /**< required length of Z, or 0 for any */
  int nz;                       /**< number of parameters of the relation */
  const double *z;              /**< nz initial values of these parameters; NULL means zero */
  const double *terms; /**< ny, in the unit of y: sizes of the numbers that y is made of and that do
                            not vanish where all arguments do, such as lever arms and rest
                            lengths. An error of y below their rounding counts as zero. Give them
                            if they may cancel in y, as in a spring of its rest length; NULL:
                            none */
  bool on;             /**< switches: new interactions are on */
  double off_lower;    /**< switches: least lambda while off, <= off_upper; may be -INFINITY */
  double off_upper;    /**< switches: largest lambda while off; may be INFINITY */
  /** zero, see ::NSDS_RESERVED */
  uint64_t reserved[NSDS_RESERVED - 1];
} nsds_custom_relation_def;

/** Creates a relation of a user's type. */
NSDS_API nsds_relation *nsds_custom_relation(nsds_model *model,
                                             const nsds_custom_relation_def *def);

/** Variables that a law ties to each other. */
typedef enum nsds_level {
  NSDS_LEVEL_VELOCITY = 0, /**< dy/dt and the impulse P [N s]: impacts, friction */
  NSDS_LEVEL_POSITION = 1, /**< y and lambda; on a rigid second-order relation through dy/dt */
  NSDS_LEVEL_FORCE = 2     /**< y and lambda likewise; the set bounds lambda, a force [N] */
} nsds_level;

/**
 * A law: the convex set of a block, the condition under which it is active, and its memory of the
 * past. All operations see one copy of the law, which has `size` rows. An interaction of ny rows
 * has ny / size copies; each copy is active or not by itself.
 *
 * The variable of the one-step problem is the impulse P over the step in second-order relations,
 * and lambda in first-order relations. The set of a law at position or force level holds lambda = P
 * / h; the kernel scales it. A law at velocity level has the set of P.
 */
typedef struct nsds_law_ops {
  const char *type; /**< name of the type, for messages */
  /** Writes the block of `size` rows: set and parameters. The block comes with its size; all other
   *  fields are zero. Set, size and number of facets must always be the same. The kernel checks
   *  them, and the values, when the law is connected. */
  void (*block)(void *self, nsds_block *block);
  /**
   * Returns true if this copy takes part in a velocity-level problem. The arguments are y and
   * dy/dt at the start of the step and the look-ahead time tau = gamma_p h [s]. A gap up to
   * `slack`, in the unit of y, is closed (see nsds_activation()). A step may ask with several
   * slacks. Laws of contact have `return y[0] + tau * ydot[0] <= slack;`. NULL: always.
   */
  bool (*active)(void *self, const double *y, const double *ydot, double tau, double slack);
  /** Adds the law's memory of the velocity before the step to the constant term of its rows, for
   *  example `q[0] += e * ydot[0];`. NULL: none. For compliant relations nsds_connect() calls this
   *  operation, and refuses the law if the result depends on ydot. */
  void (*restitution)(void *self, const double *ydot, double *q);
  /** Adds the law's own compliance to its part of D, size x size with leading dimension ld. The law
   * then ties the sum y + compliance * lambda to lambda. A law about dy/dt ties dy/dt + compliance
   * lambda to lambda. At velocity level lambda is the impulse. NULL: none. */
  void (*compliance)(void *self, double *D, int ld);
  /** Frees self. May be NULL. */
  void (*destroy)(void *self);
  /** zero, see ::NSDS_RESERVED */
  uint64_t reserved[NSDS_RESERVED];
} nsds_law_ops;

/** Everything needed to make a law of your own type. */
typedef struct nsds_custom_law_def {
  const nsds_law_ops *ops; /**< operations; must outlive the model */
  void *self;              /**< passed to the operations; owned by the law from this call on */
  int size;                /**< rows of one copy; 0 means 1 */
  int ngap; /**< number of leading rows whose y is a gap; 0 means all rows. The other rows have a
                 velocity only and are tied through dy/dt at every level. Friction has one gap and
                 two or three velocities */
  nsds_level level; /**< variables that the law ties together */
  /** zero, see ::NSDS_RESERVED */
  uint64_t reserved[NSDS_RESERVED];
} nsds_custom_law_def;

/** Creates a law of a user's type. */
NSDS_API nsds_law *nsds_custom_law(nsds_model *model, const nsds_custom_law_def *def);

/**
 * Interval of a step and weights of the schemes. Integrators and interactions get this instead of
 * the definition of a simulation.
 */
typedef struct nsds_scheme {
  double t;               /**< start [s] */
  double t_next;          /**< end [s] */
  double h;               /**< size [s]; 0 at an instant */
  double theta;           /**< weight of the end of the step in forces and velocities */
  double gamma;           /**< place in the step at which H of second-order systems is taken */
  double gamma_mass;      /**< place in the step at which M(q) is taken */
  double input_new;       /**< first order: weight of r_{k+1} */
  double input_old;       /**< first order: weight of r_k */
  double relation_weight; /**< first order: weight w of x_{k+1} in relations; x_k has 1 - w */
  bool predict_once;      /**< positions of M and H from v_i alone */
  bool f_at_theta;        /**< first order: h f(t_{k+1}, x_{k+theta}) */
  bool input_at_theta;    /**< first order: g at x_{k+theta} */
  bool uniform;           /**< schemes chosen for single systems do not apply */
} nsds_scheme;

/**
 * One system over one step, as its integrator sees it. u, the unknown of a step, is v of a
 * second-order system and x of a first-order system. For every system
 *
 *     u = u_free + gain (input),
 *
 * with the input H^T P (second order) or the sum of B lambda (first order). The gain is W^-1 or a
 * matrix that replaces W^-1.
 */
typedef struct nsds_integration {
  nsds_context *context;     /**< for nsds_report() */
  const nsds_ds *ds;         /**< the system; see nsds_ds_describe() */
  const nsds_scheme *scheme; /**< interval and weights */
  int nq;                    /**< number of coordinates, 0 for first order */
  int nu;                    /**< number of unknowns */
  bool affine;               /**< one linear solve per step */
  const double *q;           /**< nq, at the start of the step */
  const double *u;           /**< nu, at the start of the step */
  const double *p;           /**< nu: r of the last step (first order) */
  double *q_end;             /**< nq: the iterate, then the end of the step */
  double *u_end;             /**< nu: likewise */
  const double *p_end;       /**< nu: H^T P, or r, at the iterate */
  double *reaction_end;      /**< nu: mean force on prescribed unknowns over the step */
  double *u_free;            /**< nu: see above */
  double *residual;          /**< nu: R_free at the iterate; NULL where affine */
  double *force;             /**< nu: F or f at the start of the step */
  double *force_end;         /**< nu: F or f at the end of the step; replaces `force` when the step
                                  is accepted */
  double *memory;            /**< the memory that nsds_integrator::memory asked for */
  double input_weight;       /**< first order: weight of B lambda in the input; set by refresh */
} nsds_integration;

/**
 * How one system is integrated over [t, t_next]. A step calls the operations in this order:
 *
 * 1. affine systems: `free`; other systems: `evaluate` at the first iterate;
 * 2. other systems, in each Newton iteration: `tangent`, `solve`, `apply`, `advance`, `evaluate`;
 * 3. all systems: `advance`; `evaluate` once more if a projection has moved q_end; `finish`.
 */
typedef struct nsds_integrator {
  const char *name; /**< for messages */
  int order;        /**< order of the systems that it integrates: 1 or 2 */
  bool sparse_gain; /**< built-in integrators only: the gain is W^-1 with W as the plan keeps it */
  bool rates;       /**< order 1: true if the integrator treats systems whose f depends on dx/dt;
                         false: such systems are refused */
  /** Doubles of memory for this system. May be NULL: none. */
  size_t (*memory)(const nsds_integration *s);
  /** Checks that the scheme can treat the system. May be NULL: it can. */
  nsds_status (*check)(nsds_integration *s);
  /** Called when the scheme, a parameter or the state has changed. Computes constant operators, the
   *  force at t, and the gain if it is constant. */
  nsds_status (*refresh)(nsds_integration *s);
  /** Affine systems: computes u_free, and the gain if it is not constant. */
  nsds_status (*free)(nsds_integration *s);
  /** Other systems: computes the residual and force_end at the iterate. NULL: the integrator treats
   *  affine systems only. */
  nsds_status (*evaluate)(nsds_integration *s);
  /** Other systems: computes the linearization at the iterate. */
  nsds_status (*tangent)(nsds_integration *s);
  /** Other systems: replaces the right-hand side in u_free by the increment that solves W du =
   *  rhs. */
  nsds_status (*solve)(nsds_integration *s);
  /** b := gain b for nrhs columns of nu entries. */
  void (*apply)(const nsds_integration *s, int nrhs, double *b);
  /** For systems with a step ratio (nsds_with_step_ratio()). Carries a change (dq, du) of the start
   *  of the step, and a change b of the right-hand side, to the end. The linearization is that of
   *  the last `solve` or `free`. Replaces du by du_end (nu) and dq by dq_end (nu entries along T,
   *  NULL for first order). If dq = du = 0, du_end is gain b. NULL: no step ratio. */
  void (*carry)(const nsds_integration *s, const double *b, double *dq, double *du);
  /** Computes q_end from u_end. NULL: there are no coordinates. */
  nsds_status (*advance)(nsds_integration *s);
  /** The same as `advance`, for n coordinates of many systems at once. All these systems have dq/dt
   *  = v. May be NULL. */
  void (*advance_flat)(const nsds_scheme *scheme, size_t n, const double *q, const double *u,
                       const double *u_end, double *q_end);
  /** Computes quantities kept for the next step, and reactions. May be NULL. */
  nsds_status (*finish)(nsds_integration *s);
  /** Returns true if `finish` has anything to do for this system. NULL: always. */
  bool (*finishes)(const nsds_integration *s);
  bool bundled; /**< built-in integrators only */
  /** zero, see ::NSDS_RESERVED */
  uint64_t reserved[NSDS_RESERVED];
} nsds_integrator;

/**
 * Returns a built-in integrator by name, for nsds_ds_set_integrator(). Names are "Moreau-Jean"
 * (order 2), "Euler-Moreau" (order 1, all theta-gamma schemes), "zero-order hold" (order 1), and
 * "default" for the integrator of the simulation. Returns NULL for any other name.
 */
NSDS_API const nsds_integrator *nsds_integrator_named(const char *name);

/** Operators of a system, for your own integrator. Either `second` or `first` is NULL. */
typedef struct nsds_ds_operators {
  const nsds_second_order_ops *second; /**< operations of a second-order system */
  const nsds_first_order_ops *first;   /**< operations of a first-order system */
  void *self;                          /**< passed to the operations */
  nsds_matrix_shape mass;              /**< shape of M */
  nsds_matrix_shape damping;           /**< shape of C, first order: of E */
  nsds_matrix_shape stiffness;         /**< shape of K, first order: of A */
  bool affine;                         /**< as in its definition */
  bool force_constant;                 /**< as in its definition */
} nsds_ds_operators;

/** Chooses the integrator of one system. nsds_integrator_named("default") restores the simulation's
 *  integrator for the order of the system. The integrator must outlive the model.
 *  NSDS_ERROR_ARGUMENT: the integrator is NULL (nsds_integrator_named() returns NULL for an unknown
 *  name), is for the other order, or lacks operations. */
NSDS_API nsds_status nsds_ds_set_integrator(nsds_ds *ds, const nsds_integrator *integrator);

/** Operators of a system. */
NSDS_API nsds_ds_operators nsds_ds_describe(const nsds_ds *ds);

/** The point (t, q, v or x, z) at which operators of a system are evaluated. */
NSDS_API nsds_arguments nsds_ds_point(const nsds_ds *ds, double t, const double *q,
                                      const double *u);

/** Velocities of a body in a row of nsds_step_gaps(). */
enum { NSDS_STEP_VELOCITIES = 6 };

/**
 * The normal row of a found contact at the end of a step, for a problem of positions over several
 * models. With the displacement d of the bodies in velocities the gap changes by H d, and d = Y Lambda
 * (docs/bodies.md). Bodies of interactions are held: their H and Y are zero.
 */
typedef struct nsds_step_gap {
  int contact;    /**< number of the contact in its set */
  int row;        /**< block row of nsds_step_problem(); -1: the contact is open */
  int body[2];    /**< nsds_ds_index() of both bodies; -1: none */
  bool held[2];   /**< the body does not move out of overlap */
  double overlap; /**< -(y + h max(dy/dt, 0)), which the velocity does not undo [m] */
  double driven;  /**< sum of the speeds that forces alone give both bodies along the row [m/s] */
  double before;  /**< normal impulse of the step before [N s] */
  double impulse; /**< normal impulse of this step [N s] */
  double taken;   /**< energy that the contact has taken out of the motion, in its first row [J] */
  double H[2][NSDS_STEP_VELOCITIES]; /**< of both bodies */
  double Y[2][NSDS_STEP_VELOCITIES]; /**< M^-1 H^T of both bodies */
} nsds_step_gap;

#ifdef __cplusplus
}
#endif
#endif
