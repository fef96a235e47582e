/**
 * @file model.h
 * @brief The model: dynamical systems, relations, laws and the graph of interactions.
 *
 * A model owns every system, relation, law and interaction created in it and frees them all in
 * nsds_model_destroy(). States live in contiguous arrays of the model; a system or interaction
 * holds offsets into them. A pointer obtained from nsds_q(), nsds_v(), nsds_y() ... shows the
 * current state at any time and stays valid until nsds_state_moves() returns another number.
 *
 * Thread use: a model and everything made from it belong to one thread at a time; different models
 * are independent.
 */
#ifndef NSDS_MODEL_H
#define NSDS_MODEL_H

#include <nsds/matrix.h>
#include <nsds/scheme.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A model: systems, relations, laws, interactions and their states. */
typedef struct nsds_model nsds_model;
/** A dynamical system. */
typedef struct nsds_ds nsds_ds;
/** A relation y = h(...), with its Jacobians. */
typedef struct nsds_relation nsds_relation;
/** A nonsmooth law between y and lambda. */
typedef struct nsds_law nsds_law;
/** An interaction: one relation and one law over one or more systems; an edge of the graph. */
typedef struct nsds_interaction nsds_interaction;

/**
 * The arguments of a user function. Every operator receives this struct, so there is no argument
 * order to get wrong. All fields that exist for the object are set, even if the definition of the
 * operator does not mention them. You may read each array up to the length given here.
 *
 * - A system gets its own q, v (second order) or x (first order), and z. There is no lambda.
 * - A relation gets Q, V (or X): q, v (or x) of the systems, in the order of nsds_connect(). The
 *   field z holds Z: the parameters of the systems in that order, then of the relation, then of the
 *   interaction. The field lambda is the multiplier of the interaction, a force if the relation is
 *   compliant.
 */
typedef struct nsds_arguments {
  double t;             /**< time [s] */
  const double *q;      /**< nq coordinates */
  const double *v;      /**< nv velocities */
  const double *z;      /**< nz parameters */
  const double *lambda; /**< nlambda multipliers */
  int nq;               /**< length of q */
  int nv;               /**< length of v */
  int nz;               /**< length of z; in a relation the length of Z */
  int nlambda;          /**< length of lambda */
  const double *x;      /**< nx state variables */
  int nx;               /**< length of x */
  const double *xdot;   /**< nxdot rates dx/dt, for systems whose control depends on them */
  int nxdot;            /**< length of xdot: nx or 0 */
} nsds_arguments;

/**
 * A user function. Write the result to out, which is zero before the call; matrices are
 * column-major. Return 0 for success. Return > 0 if the function has no value: the step is tried
 * with a smaller size, or rejected. Return < 0 to abort the step. A result that is not finite is a
 * failure; the message names the function, the time and the entry.
 */
typedef int (*nsds_operator)(const nsds_arguments *in, double *out, void *user);

/**
 * Parameters and user data of one operator, in place of the parameters and user data of its object.
 * The function gets them as `user`, in->z and in->nz. Difference quotients of the function use them
 * too. A Jacobian has its own data, or else the data of the object.
 */
typedef struct nsds_operator_data {
  nsds_operator function; /**< a function of the same definition, named once. Another function is
                               NSDS_ERROR_ARGUMENT */
  void *user;             /**< NULL: the `user` of the object */
  int nz;                 /**< number of parameters of the operator; 0: in->z is the z of the
                               object */
  const double *z;        /**< nz initial parameters; copied; NULL means zero */
} nsds_operator_data;

/**
 * Prescribed velocities: degrees of freedom whose motion you give. nsds_prescribed_force() returns
 * the force that holds them.
 */
typedef struct nsds_prescribed {
  int n;            /**< number of prescribed velocities; 0: none */
  const int *index; /**< n degrees of freedom, increasing; copied */
  nsds_operator fn; /**< their velocities at time t, n [m/s, rad/s]; required with n > 0 */
} nsds_prescribed;

/** Give this function in place of a Jacobian that vanishes identically. */
NSDS_API int nsds_zero(const nsds_arguments *in, double *out, void *user);

/** Give this function in place of a Jacobian to get central differences of its function
 *  (slower). */
NSDS_API int nsds_differences(const nsds_arguments *in, double *out, void *user);

/** Creates a model in the given context, which the model borrows, or in its own new context if
 *  `context` is NULL. */
NSDS_API nsds_model *nsds_model_create(nsds_context *context);

/**
 * Frees the model, everything in it and its simulations. NULL is allowed. If a function of a step,
 * an event or an evaluation makes this call, nothing is freed and NSDS_ERROR_STATE is recorded.
 */
NSDS_API void nsds_model_destroy(nsds_model *model);

/** The context of a model: errors, messages. NULL for a NULL model. */
NSDS_API nsds_context *nsds_model_context(const nsds_model *model);

/**
 * Connects systems through a relation and a law. Returns the interaction, or NULL on failure.
 * Afterwards you may give it a name by nsds_interaction_set_name(), and parameters by
 * nsds_interaction_set_z().
 *
 * Errors:
 * - an object of another model, or a system given twice
 * - a law whose size does not divide the size of y
 * - a relation whose Q differs in size from the coordinates of the systems together
 * - systems of an order that the relation does not take (mixed.h has relations of both orders)
 *
 * @param model    the owner of all arguments
 * @param relation ties the states of the systems to y, lambda in R^m
 * @param law      ties y to lambda
 * @param nds      number of systems, >= 1
 * @param ds       nds systems; their order is the order of Q, V, Z in the relation
 */
NSDS_API nsds_interaction *nsds_connect(nsds_model *model, nsds_relation *relation, nsds_law *law,
                                        int nds, nsds_ds *const *ds);

/**
 * Removes an interaction from the model, between steps. The time of this call does not depend on
 * the size of the model. The last interaction takes the place of the removed one in the order of
 * nsds_interaction_at().
 *
 * Every later call with the handle fails with NSDS_ERROR_ARGUMENT and a message. The library
 * recognizes the old handle until 256 other interactions have been in the same place.
 */
NSDS_API nsds_status nsds_disconnect(nsds_interaction *interaction);

/** Destroys a relation. NSDS_ERROR_STATE: an interaction uses the relation. Later calls with the
 *  handle fail as after nsds_disconnect(). */
NSDS_API nsds_status nsds_relation_destroy(nsds_relation *relation);

/**
 * Removes a system from the model, between steps, and frees it. First remove its interactions and
 * joints by nsds_disconnect(), and its shapes from sets of nsds_shapes() by
 * nsds_shapes_remove_body(). Sets of nsds_balls() and nsds_spheres() keep their bodies until you
 * destroy the set. Your own set, if it has no shape operations, keeps the bodies of the contacts
 * that it found last.
 *
 * The last system takes the place of the removed one, in the order of nsds_ds_at() and in the
 * arrays of the state. So pointers to states move, see nsds_state_moves(). Later systems use the
 * memory again. States and snapshots that you saved before no longer fit the model.
 *
 * Every later call with the handle fails with NSDS_ERROR_ARGUMENT and a message. The library
 * recognizes the old handle until 254 other systems have been in the same place.
 *
 * The next step prepares the model anew, once for all systems added or removed. The preparation
 * takes a time that grows with the size of the model.
 *
 * Returns NSDS_ERROR_STATE if an object still uses the system; the message names the object, and
 * nothing has changed.
 */
NSDS_API nsds_status nsds_ds_destroy(nsds_ds *ds);

/**
 * Returns a number that grows when the state moves in memory. Keep the number beside the pointer.
 * While the number is the same and the system or interaction exists, the pointer is good. This
 * holds for nsds_q(), nsds_v(), nsds_x(), nsds_p(), nsds_r(), nsds_prescribed_force(), nsds_y(),
 * nsds_ydot(), nsds_impulse() and nsds_lambda().
 *
 * The number grows when you destroy a system. Adding a system, an interaction or a contact set may
 * let the number grow, and so may a step of a model with contact sets. All other steps and calls
 * keep the number. 0 for NULL.
 */
NSDS_API uint64_t nsds_state_moves(const nsds_model *model);

/** Number of systems in the model. */
NSDS_API int nsds_ds_count(const nsds_model *model);
/** System k, in the order of creation until a system is destroyed; NULL out of range. */
NSDS_API nsds_ds *nsds_ds_at(const nsds_model *model, int k);
/** Number k of a system, with nsds_ds_at(model, k) == ds: a place for it in arrays of your program.
 *  Destroying a system changes the number of the last system. -1 for NULL and after the system was
 *  destroyed. */
NSDS_API int nsds_ds_index(const nsds_ds *ds);
/** Number of interactions in the model (the index set I0). */
NSDS_API int nsds_interaction_count(const nsds_model *model);
/** Interaction k, in the order of creation until an interaction is removed; NULL out of range. */
NSDS_API nsds_interaction *nsds_interaction_at(const nsds_model *model, int k);
/** Number of systems of an interaction. */
NSDS_API int nsds_interaction_ds_count(const nsds_interaction *interaction);
/** The relation of an interaction. */
NSDS_API nsds_relation *nsds_interaction_relation(const nsds_interaction *interaction);
/** System k of an interaction; NULL out of range. */
NSDS_API nsds_ds *nsds_interaction_ds(const nsds_interaction *interaction, int k);
/**
 * Finds the interactions that share a system with the given one, its neighbors in the graph. Writes
 * at most `capacity` interactions and returns the number of all.
 */
NSDS_API int nsds_linked_interactions(const nsds_interaction *interaction, int capacity,
                                      nsds_interaction **linked);

/**
 * @name Names and user pointers
 *
 * Every object has a name for messages, and a pointer for your program, which is NULL until you set
 * it. Steps do not read names and pointers, and snapshots do not keep them. You may set both from
 * anywhere. Setters return NSDS_ERROR_ARGUMENT if the object is NULL or was removed. Simulations:
 * simulation.h, contact sets: contact.h.
 * @{
 */
/** Name of the model, or "". */
NSDS_API const char *nsds_model_name(const nsds_model *model);
/** Names the model in messages: at most 47 bytes, copied; NULL: none. */
NSDS_API nsds_status nsds_model_set_name(nsds_model *model, const char *name);
/** The pointer that nsds_model_set_user() put on the model; NULL: none. */
NSDS_API void *nsds_model_user(const nsds_model *model);
/** Puts a pointer of your program on the model. The library does not read or free the data. */
NSDS_API nsds_status nsds_model_set_user(nsds_model *model, void *user);
/** Name of a system, or "". */
NSDS_API const char *nsds_ds_name(const nsds_ds *ds);
/** Names a system in messages: at most 47 bytes, copied; NULL: none. */
NSDS_API nsds_status nsds_ds_set_name(nsds_ds *ds, const char *name);
/** The pointer that nsds_ds_set_user() put on a system; NULL: none. */
NSDS_API void *nsds_ds_user(const nsds_ds *ds);
/** Puts a pointer of your program on a system. The library does not read or free the data. */
NSDS_API nsds_status nsds_ds_set_user(nsds_ds *ds, void *user);
/** Name of a relation, or "". */
NSDS_API const char *nsds_relation_name(const nsds_relation *relation);
/** Names a relation in messages: at most 47 bytes, copied; NULL: none. */
NSDS_API nsds_status nsds_relation_set_name(nsds_relation *relation, const char *name);
/** The pointer that nsds_relation_set_user() put on a relation; NULL: none. */
NSDS_API void *nsds_relation_user(const nsds_relation *relation);
/** Puts a pointer of your program on a relation. The library does not read or free the data. */
NSDS_API nsds_status nsds_relation_set_user(nsds_relation *relation, void *user);
/** Name of a law, or "". */
NSDS_API const char *nsds_law_name(const nsds_law *law);
/** Names a law in messages: at most 47 bytes, copied; NULL: none. */
NSDS_API nsds_status nsds_law_set_name(nsds_law *law, const char *name);
/** The pointer that nsds_law_set_user() put on a law; NULL: none. */
NSDS_API void *nsds_law_user(const nsds_law *law);
/** Puts a pointer of your program on a law. The library does not read or free the data. */
NSDS_API nsds_status nsds_law_set_user(nsds_law *law, void *user);
/** Name of an interaction, or "". */
NSDS_API const char *nsds_interaction_name(const nsds_interaction *interaction);
/** Names an interaction in messages: at most 47 bytes, copied; NULL: none. */
NSDS_API nsds_status nsds_interaction_set_name(nsds_interaction *interaction, const char *name);
/** The pointer that nsds_interaction_set_user() put on an interaction; NULL: none. */
NSDS_API void *nsds_interaction_user(const nsds_interaction *interaction);
/** Puts a pointer of your program on an interaction. The library does not read or free the data. */
NSDS_API nsds_status nsds_interaction_set_user(nsds_interaction *interaction, void *user);
/** @} */

/** Coordinates q of a second-order system, length nsds_nq(); NULL if the argument is NULL. */
NSDS_API const double *nsds_q(const nsds_ds *ds);
/** Velocities v of a second-order system, length nsds_nv(); NULL if the argument is NULL. */
NSDS_API const double *nsds_v(const nsds_ds *ds);
/** Number of coordinates. */
NSDS_API int nsds_nq(const nsds_ds *ds);
/** Number of velocities. */
NSDS_API int nsds_nv(const nsds_ds *ds);
/** Generalized impulse p on this system in the last step [N s], length nsds_nv(): the sum of H^T P
 *  over interactions. */
NSDS_API const double *nsds_p(const nsds_ds *ds);
/**
 * Force that holds prescribed velocities [N, N m], length nsds_nv(), zero on free degrees of
 * freedom:
 *
 *     M dv/dt - F - H^T lambda
 *
 * Time stepping: the mean over the last step, or over the last piece of a step cut into pieces,
 * [M (v_{i+1} - v_i) - h F - p] / h. Event-driven: at the current time.
 */
NSDS_API const double *nsds_prescribed_force(const nsds_ds *ds);
/** Sets q and v (either may be NULL: kept) between steps; values must be finite. The quaternion of
 *  a rigid body in space must have norm 1 within 1e-6, as in the definition, and is normalized. */
NSDS_API nsds_status nsds_set_state(nsds_ds *ds, const double *q, const double *v);
/**
 * Gives one system its own scheme in time stepping, from the next step on. Use this for a system
 * that is stiffer or faster than the others, or that needs another damping.
 *
 *     nsds_ds_discretise(wheel, nsds_moreau_jean(1.0, 1.0));
 *
 * Give a scheme of the order of the system, with all its parameters. You may add
 * nsds_with_step_ratio() and nsds_with_gamma_mass(); other options belong to a simulation. A zero
 * scheme, `(nsds_discretisation){0}`, restores the scheme of the simulation. Your own integrators
 * see the parameters in their nsds_scheme.
 * @param ds     the system
 * @param scheme a scheme of nsds/scheme.h
 * @return NSDS_OK; NSDS_ERROR_VALUE: a parameter is out of range; NSDS_ERROR_ARGUMENT: a scheme of
 *         the other order, or an option that the scheme or a single system cannot have. On an error
 *         the system is as before.
 *
 * nsds_time_stepping() and the next step fail with NSDS_ERROR_UNSUPPORTED, in these cases. The
 * message names the parts.
 * - system or simulation has nsds_schatzman_paoli(), nsds_d1_minus() or nsds_full_theta_gamma(),
 *   and the other has a different scheme
 * - both have nsds_full_theta_gamma(), with different gamma
 * - a compliant relation, whose law is about the gap, ties systems of different theta
 *
 * Event-driven simulation ignores the scheme, and adaptive simulation refuses the system.
 */
NSDS_API nsds_status nsds_ds_discretise(nsds_ds *ds, nsds_discretisation scheme);

/** Parameters z of a system; NULL if it has none. */
NSDS_API const double *nsds_ds_z(const nsds_ds *ds);
/** Replaces the parameters z (nz finite values) of a system, between steps. */
NSDS_API nsds_status nsds_ds_set_z(nsds_ds *ds, int nz, const double *z);
/** Replaces the parameters (nz finite values) of an operator of a system, between steps. The `data`
 *  in the definition of the system must contain this function with parameters. */
NSDS_API nsds_status nsds_ds_set_operator_z(nsds_ds *ds, nsds_operator function, int nz,
                                            const double *z);
/** Replaces the parameters (nz finite values) of an operator of a relation, between steps. */
NSDS_API nsds_status nsds_relation_set_operator_z(nsds_relation *relation, nsds_operator function,
                                                  int nz, const double *z);
/** The interaction's own parameters; NULL if it has none. */
NSDS_API const double *nsds_interaction_z(const nsds_interaction *interaction);
/**
 * Sets the interaction's own parameters, nz finite values, between steps. In Z these parameters
 * come last, after the parameters of the systems and of the relation.
 *
 * The first call fixes the number of parameters, unless the relation does so. A matrix F may have
 * more columns than the systems and the relation have parameters. Each interaction then needs the
 * missing parameters, and steps fail until you give them.
 */
NSDS_API nsds_status nsds_interaction_set_z(nsds_interaction *interaction, int nz, const double *z);
/** Parameters of a relation; NULL if it has none. */
NSDS_API const double *nsds_relation_z(const nsds_relation *relation);
/** Replaces the parameters (nz finite values) of a relation, between steps. */
NSDS_API nsds_status nsds_relation_set_z(nsds_relation *relation, int nz, const double *z);
/** Energy 1/2 v^T M(q,z) v of a second-order system [J]. NaN (and an error): M cannot be evaluated,
 *  or the caller is a function of the model. */
NSDS_API double nsds_kinetic_energy(nsds_ds *ds);

/**
 * f and its Jacobian of a system alone, dx/dt = f(t,x), at the present state x. Interactions do not
 * act, and prescribed velocities are free.
 *
 *     second order   x = (q, v), f = (T(q) v, M(q)^-1 F(t,q,v)), n = nsds_nq() + nsds_nv()
 *     first order    f = M(t)^-1 f(t,x), n = nsds_nx()
 *
 * The part of M in the Jacobian comes from differences if M depends on q. For a custom system with
 * explicit_force, that of F does so too.
 * @param ds       the system
 * @param t        time [s]
 * @param f        receives f, n entries; NULL: not wanted
 * @param jacobian receives df/dx, n x n, column-major; NULL: not wanted
 *
 * Errors: those of functions of the system. NSDS_ERROR_SINGULAR: M is singular.
 * NSDS_ERROR_UNSUPPORTED: f depends on dx/dt; or `jacobian` is given for a body in space, whose
 * quaternion is not free.
 */
NSDS_API nsds_status nsds_ds_rates(nsds_ds *ds, double t, double *f, double *jacobian);

/** Size m of y and lambda. */
NSDS_API int nsds_interaction_size(const nsds_interaction *interaction);
/**
 * y of an interaction (gap), length m, at the current time. y is zero until a simulation sets the
 * time.
 *
 * After a change of states, parameters or the graph between steps, this call or nsds_ydot()
 * evaluates the relation anew. A pointer that you kept shows the old values until then. If a user
 * function fails in this evaluation, y and dy/dt are NaN and the context holds the error.
 */
NSDS_API const double *nsds_y(const nsds_interaction *interaction);
/** dy/dt of an interaction (local velocity), length m, at the current time; zero between
 *  first-order systems. See nsds_y(). */
NSDS_API const double *nsds_ydot(const nsds_interaction *interaction);
/**
 * The multiplier lambda after the last step, length m, which the law ties to y. H^T lambda acts on
 * the systems.
 *
 * Between second-order systems lambda is a force [N], whatever the law and the driver. In time
 * stepping lambda is P / h of the step, or of the last piece of a cut step. In event-driven
 * simulation lambda is the force at the current time. Between first-order systems and in mixed
 * relations lambda is the input of the relation.
 */
NSDS_API const double *nsds_lambda(const nsds_interaction *interaction);
/**
 * Impulse P over the last step [N s], length m, zero on rows that were not active; H^T P acts on
 * the systems. Event-driven: the impulse of the last event. NULL between first-order systems and in
 * mixed relations, which have no impulses.
 */
NSDS_API const double *nsds_impulse(const nsds_interaction *interaction);
/**
 * Sets nsds_lambda() between steps, m finite values. Compliant relations continue from this lambda;
 * between first-order systems y is computed with it. Use this to continue from your own file.
 */
NSDS_API nsds_status nsds_set_lambda(nsds_interaction *interaction, const double *lambda);
/** True when the interaction took part in the nonsmooth problem of the last step (index set I1). */
NSDS_API bool nsds_is_active(const nsds_interaction *interaction);
/** Returns true if a switch (nsds_relation_ops::margin) is on after the last step. */
NSDS_API bool nsds_is_on(const nsds_interaction *interaction);
/**
 * Turns a switch on or off between steps. The margin may move the switch back in the next step.
 * @return NSDS_OK; NSDS_ERROR_UNSUPPORTED: the interaction is no switch; NSDS_ERROR_ARGUMENT: it was
 *         disconnected; NSDS_ERROR_STATE within a step
 */
NSDS_API nsds_status nsds_set_on(nsds_interaction *interaction, bool on);

/** The worst entry that nsds_check_jacobians() found. */
typedef struct nsds_jacobian_report {
  int checked;       /**< Jacobians compared */
  int wrong;         /**< Jacobians off by more than the tolerance */
  char object[64];   /**< system or relation of the worst entry */
  char jacobian[32]; /**< name of its Jacobian, as in the definition struct */
  int row;           /**< row of the worst entry */
  int col;           /**< column of the worst entry */
  double given;      /**< value returned by the user function */
  double expected;   /**< value by central differences */
  int not_given;     /**< Jacobians left out, or asked for by nsds_differences() */
  char names[256];   /**< names of the Jacobians not given, "object: Jacobian", separated by commas,
                          if they fit */
} nsds_jacobian_report;

/**
 * Compares every Jacobian given by user functions with central differences (fourth order) of its
 * function, at the current state and time t. Errors are relative to the largest entry of the same
 * matrix. The tolerance is in [0, 1], 0 means 1e-5. Differences that overflow count as wrong.
 *
 * Jacobians of relations with lambda are compared at lambda = 0 and at lambda near 1. A Jacobian
 * left out stands for zero, and counts as wrong if the function depends on its variable. The bias
 * of second-order relations, d^2y/dt^2 at dV/dt = 0, is compared with differences of dy/dt along
 * the motion, including all terms in time.
 *
 * Returns NSDS_OK if all agree. NSDS_ERROR_VALUE: a Jacobian is wrong; the message names object,
 * Jacobian and entry. NSDS_ERROR_CALLBACK: a function failed. nsds_last_message() returns the
 * message. Errors of your functions are not kept in the context, so your program may continue.
 * `report` may be NULL.
 */
NSDS_API nsds_status nsds_check_jacobians(nsds_model *model, double t, double tolerance,
                                          nsds_jacobian_report *report);

#ifdef __cplusplus
}
#endif
#endif
