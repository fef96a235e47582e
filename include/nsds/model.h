/**
 * @file model.h
 * @brief The model: dynamical systems, relations, laws and the graph of interactions.
 *
 * A model owns every system, relation, law and interaction created in it and frees them all in
 * nsds_model_destroy(). States live in contiguous arrays of the model; a system or interaction
 * holds offsets into them. A pointer obtained from nsds_q(), nsds_v(), nsds_y() ... shows the
 * current state at any time and stays valid until nsds_state_moves() tells another number.
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
 * The arguments of a user function. Every operator receives this struct, so there is no argument order
 * to get wrong. All fields that exist for the object are set, also those that the operator's definition
 * does not mention. You may read each array up to the length given here.
 *
 * - In a system the fields are its own q, v (second order) or x (first order), and z. lambda is empty.
 * - In a relation q, v (or x) are Q, V (or X): those of the systems in the order of nsds_connect(), one
 *   after the other. z is Z: the systems' z in that order, then the relation's own z, then the
 *   interaction's. lambda is that of the interaction, a force where the relation is compliant.
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
  const double *xdot;   /**< nxdot rates dx/dt: of systems whose control depends on them */
  int nxdot;            /**< length of xdot: that of x, or 0 */
} nsds_arguments;

/**
 * A user function. The function writes its result to out, which is zero beforehand; matrices are column-major.
 * Return 0 when all is well. Return > 0 where the function has no value: the step is tried with a smaller
 * size, or rejected. Return < 0 to abort the step. A result that is not finite is a failure; the message
 * names the function, the time and the entry.
 */
typedef int (*nsds_operator)(const nsds_arguments *in, double *out, void *user);

/**
 * Parameters and user data of one operator, in place of those of its object. The function gets them as
 * `user`, in->z and in->nz. Difference quotients of the function use them too; a Jacobian has data of its
 * own, or the object's.
 */
typedef struct nsds_operator_data {
  nsds_operator function; /**< a function of the same definition; each has data once. Another one is
                               NSDS_ERROR_ARGUMENT */
  void *user;             /**< NULL: the object's */
  int nz;                 /**< number of its own parameters; 0: in->z is the object's */
  const double *z;        /**< nz initial parameters; copied; NULL means zero */
} nsds_operator_data;

/**
 * Velocities that are prescribed: degrees of freedom whose motion is given. nsds_prescribed_force()
 * tells the force that holds them.
 */
typedef struct nsds_prescribed {
  int n;            /**< number of them; 0: none */
  const int *index; /**< n degrees of freedom, increasing; copied */
  nsds_operator fn; /**< their velocities at time t, n [m/s, rad/s]; required with n > 0 */
} nsds_prescribed;

/** States that an operator vanishes identically; given where a Jacobian is asked for. */
NSDS_API int nsds_zero(const nsds_arguments *in, double *out, void *user);

/** Asks for a Jacobian by central differences of the function it belongs to (slower). */
NSDS_API int nsds_differences(const nsds_arguments *in, double *out, void *user);

/** Creates a model in a context of its own (context NULL) or in the given one, which it borrows. */
NSDS_API nsds_model *nsds_model_create(nsds_context *context);

/**
 * Frees the model and everything in it; simulations of it are destroyed too. NULL is allowed. From
 * a function that a step, an event or an evaluation has called nothing is freed, and
 * NSDS_ERROR_STATE is recorded.
 */
NSDS_API void nsds_model_destroy(nsds_model *model);

/** The model's context: errors, messages. NULL for a NULL model. */
NSDS_API nsds_context *nsds_model_context(const nsds_model *model);

/**
 * Connects systems through a relation and a law. Returns the interaction, or NULL on failure. Afterwards you
 * may give it a name by nsds_interaction_set_name(), and parameters by nsds_interaction_set_z().
 *
 * Errors:
 * - an object of another model, or a system given twice
 * - a law whose size does not divide that of y
 * - a relation whose Q has another size than the systems together
 * - systems of an order that the relation does not take (mixed.h has relations of both orders)
 *
 * @param model    the model that owns all of them
 * @param relation ties the systems' states to y, lambda in R^m
 * @param law      ties y to lambda
 * @param nds      number of systems, >= 1
 * @param ds       nds systems; their order is the order of Q, V, Z in the relation
 */
NSDS_API nsds_interaction *nsds_connect(nsds_model *model, nsds_relation *relation, nsds_law *law,
                                        int nds, nsds_ds *const *ds);

/**
 * Removes an interaction from the model, between steps. The time does not depend on the size of the model.
 * The last interaction takes the place of the removed one in the order of nsds_interaction_at().
 *
 * Every later call with the handle fails with NSDS_ERROR_ARGUMENT and a message. The library tells the
 * handle from a later one until 256 other interactions have been in the same place.
 */
NSDS_API nsds_status nsds_disconnect(nsds_interaction *interaction);

/** Destroys a relation that no interaction uses; NSDS_ERROR_STATE where one does. Later calls with the
 *  handle fail as after nsds_disconnect(). */
NSDS_API nsds_status nsds_relation_destroy(nsds_relation *relation);

/**
 * Removes a system from the model, between steps, and frees it. First nsds_disconnect() its interactions
 * and joints, and take its shapes from sets of nsds_shapes() by nsds_shapes_remove_body(). Sets of
 * nsds_balls() and nsds_spheres() keep their bodies until you destroy the set. A set of your own that does
 * not tell its shapes keeps the bodies of the contacts that it has found last.
 *
 * The last system takes the place of the removed one, in the order of nsds_ds_at() and in the arrays of
 * the state. So pointers to states move, see nsds_state_moves(). Later systems use the memory again.
 * Saved states and snapshots of before do not fit the model any more.
 *
 * Every later call with the handle fails with NSDS_ERROR_ARGUMENT and a message. The library tells the
 * handle from a later one until 254 other systems have been in the same place.
 *
 * The next step prepares the model anew, once for all systems that came or went. This takes a time that
 * grows with the size of the model.
 *
 * Returns NSDS_ERROR_STATE where something still uses the system; the message names the user, and nothing
 * has changed.
 */
NSDS_API nsds_status nsds_ds_destroy(nsds_ds *ds);

/**
 * Tells whether pointers to the state still hold: a number that grows when the state moves in memory. Keep
 * it beside the pointer. A pointer from nsds_q(), nsds_v(), nsds_x(), nsds_p(), nsds_r(),
 * nsds_prescribed_force(), nsds_y(), nsds_ydot(), nsds_impulse() or nsds_lambda() is good while the number
 * is the same and the system or interaction is there.
 *
 * The number grows when you destroy a system. Adding a system, an interaction or a contact set may let the
 * number grow, and so may a step of a model with contact sets. All other steps and calls leave it alone.
 * 0 for NULL.
 */
NSDS_API uint64_t nsds_state_moves(const nsds_model *model);

/** Number of systems in the model. */
NSDS_API int nsds_ds_count(const nsds_model *model);
/** System k, in order of creation until one is destroyed; NULL out of range. */
NSDS_API nsds_ds *nsds_ds_at(const nsds_model *model, int k);
/** Number of interactions in the model (the index set I0). */
NSDS_API int nsds_interaction_count(const nsds_model *model);
/** Interaction k, in order of creation until one is removed; NULL out of range. */
NSDS_API nsds_interaction *nsds_interaction_at(const nsds_model *model, int k);
/** Number of systems of an interaction. */
NSDS_API int nsds_interaction_ds_count(const nsds_interaction *interaction);
/** System k of an interaction; NULL out of range. */
NSDS_API nsds_ds *nsds_interaction_ds(const nsds_interaction *interaction, int k);
/**
 * Interactions that share a system with this one (neighbours in the graph), without itself.
 * Writes at most `capacity` of them and returns how many there are.
 */
NSDS_API int nsds_linked_interactions(const nsds_interaction *interaction, int capacity,
                                      nsds_interaction **linked);

/**
 * @name Names and user pointers
 *
 * Every object has a name, which messages use, and a pointer for the program, which is NULL until it is
 * set. Neither is read by a step nor kept in snapshots, and both may be set from anywhere. Setters return
 * NSDS_ERROR_ARGUMENT where the object is NULL or was removed. Simulations: simulation.h, contact sets:
 * contact.h.
 * @{
 */
/** Name of the model, or "". */
NSDS_API const char *nsds_model_name(const nsds_model *model);
/** Names the model in messages: at most 47 bytes, copied; NULL: none. */
NSDS_API nsds_status nsds_model_set_name(nsds_model *model, const char *name);
/** The pointer that nsds_model_set_user() has put on the model; NULL: none. */
NSDS_API void *nsds_model_user(const nsds_model *model);
/** Puts a pointer of the program's on the model; the library does not read or free it. */
NSDS_API nsds_status nsds_model_set_user(nsds_model *model, void *user);
/** Name of a system, or "". */
NSDS_API const char *nsds_ds_name(const nsds_ds *ds);
/** Names a system in messages: at most 47 bytes, copied; NULL: none. */
NSDS_API nsds_status nsds_ds_set_name(nsds_ds *ds, const char *name);
/** The pointer that nsds_ds_set_user() has put on a system; NULL: none. */
NSDS_API void *nsds_ds_user(const nsds_ds *ds);
/** Puts a pointer of the program's on a system; the library does not read or free it. */
NSDS_API nsds_status nsds_ds_set_user(nsds_ds *ds, void *user);
/** Name of a relation, or "". */
NSDS_API const char *nsds_relation_name(const nsds_relation *relation);
/** Names a relation in messages: at most 47 bytes, copied; NULL: none. */
NSDS_API nsds_status nsds_relation_set_name(nsds_relation *relation, const char *name);
/** The pointer that nsds_relation_set_user() has put on a relation; NULL: none. */
NSDS_API void *nsds_relation_user(const nsds_relation *relation);
/** Puts a pointer of the program's on a relation; the library does not read or free it. */
NSDS_API nsds_status nsds_relation_set_user(nsds_relation *relation, void *user);
/** Name of a law, or "". */
NSDS_API const char *nsds_law_name(const nsds_law *law);
/** Names a law in messages: at most 47 bytes, copied; NULL: none. */
NSDS_API nsds_status nsds_law_set_name(nsds_law *law, const char *name);
/** The pointer that nsds_law_set_user() has put on a law; NULL: none. */
NSDS_API void *nsds_law_user(const nsds_law *law);
/** Puts a pointer of the program's on a law; the library does not read or free it. */
NSDS_API nsds_status nsds_law_set_user(nsds_law *law, void *user);
/** Name of an interaction, or "". */
NSDS_API const char *nsds_interaction_name(const nsds_interaction *interaction);
/** Names an interaction in messages: at most 47 bytes, copied; NULL: none. */
NSDS_API nsds_status nsds_interaction_set_name(nsds_interaction *interaction, const char *name);
/** The pointer that nsds_interaction_set_user() has put on an interaction; NULL: none. */
NSDS_API void *nsds_interaction_user(const nsds_interaction *interaction);
/** Puts a pointer of the program's on an interaction; the library does not read or free it. */
NSDS_API nsds_status nsds_interaction_set_user(nsds_interaction *interaction, void *user);
/** @} */

/** Coordinates q of a second-order system, length nsds_nq(); NULL for NULL. */
NSDS_API const double *nsds_q(const nsds_ds *ds);
/** Velocities v of a second-order system, length nsds_nv(); NULL for NULL. */
NSDS_API const double *nsds_v(const nsds_ds *ds);
/** Number of coordinates. */
NSDS_API int nsds_nq(const nsds_ds *ds);
/** Number of velocities. */
NSDS_API int nsds_nv(const nsds_ds *ds);
/** Generalised impulse p = sum over interactions of H^T P on this system in the last step [N s],
 *  length nsds_nv(). */
NSDS_API const double *nsds_p(const nsds_ds *ds);
/**
 * Force that holds prescribed velocities [N, N m], length nsds_nv(), zero on free degrees of freedom:
 *
 *     M dv/dt - F - H^T lambda
 *
 * Time stepping: its mean over the last step (where the step was cut into pieces: the last piece),
 * [M (v_{i+1} - v_i) - h F - p] / h. Event-driven: at the current time.
 */
NSDS_API const double *nsds_prescribed_force(const nsds_ds *ds);
/** Sets q and v (either may be NULL: kept) between steps; values must be finite. The quaternion of a
 *  rigid body in space is taken as in its definition: of norm 1 within 1e-6, and normalised. */
NSDS_API nsds_status nsds_set_state(nsds_ds *ds, const double *q, const double *v);
/**
 * Gives one system a scheme of its own in time stepping, from the next step on. Use it for a system that
 * is stiffer or faster than the others, or needs another damping.
 *
 *     nsds_ds_discretise(wheel, nsds_moreau_jean(1.0, 1.0));
 *
 * Give a scheme of the order of the system, with all its parameters. nsds_with_step_ratio() and
 * nsds_with_gamma_mass() may be added; other options belong to a simulation. A zero scheme,
 * `(nsds_discretisation){0}`, returns to the simulation's. Integrators of your own see the parameters in
 * their nsds_scheme.
 * @param ds     the system
 * @param scheme of nsds/scheme.h
 * @return NSDS_OK; NSDS_ERROR_VALUE: a parameter is out of range; NSDS_ERROR_ARGUMENT: another order, or
 *         an option that the scheme or one system cannot have. On an error the system is as before.
 *
 * nsds_time_stepping() and the next step fail with NSDS_ERROR_UNSUPPORTED, and name the parts, in these
 * cases:
 * - the system or the simulation has nsds_schatzman_paoli(), nsds_d1_minus() or nsds_full_theta_gamma(),
 *   and the other one has another scheme
 * - both have nsds_full_theta_gamma(), with different gamma
 * - a compliant relation, whose law is about the gap, ties systems of different theta
 *
 * Event-driven simulation ignores the scheme.
 */
NSDS_API nsds_status nsds_ds_discretise(nsds_ds *ds, nsds_discretisation scheme);

/** Parameters z of a system; NULL if it has none. */
NSDS_API const double *nsds_ds_z(const nsds_ds *ds);
/** Replaces the parameters z (nz finite values) of a system, between steps. */
NSDS_API nsds_status nsds_ds_set_z(nsds_ds *ds, int nz, const double *z);
/** Replaces the own parameters (nz finite values) of an operator of a system, between steps. The `data` of
 *  the system's definition has to give this function parameters. */
NSDS_API nsds_status nsds_ds_set_operator_z(nsds_ds *ds, nsds_operator function, int nz,
                                            const double *z);
/** The same of a relation. */
NSDS_API nsds_status nsds_relation_set_operator_z(nsds_relation *relation, nsds_operator function,
                                                  int nz, const double *z);
/** Own parameters of an interaction; NULL if it has none. */
NSDS_API const double *nsds_interaction_z(const nsds_interaction *interaction);
/**
 * Sets the own parameters of an interaction, nz finite values, between steps. In Z these parameters come
 * last, behind those of the systems and of the relation.
 *
 * The first call decides how many there are, unless the relation says it. A matrix F may have more columns
 * than the systems and the relation have parameters; each interaction has the rest. Steps fail until you
 * give these parameters.
 */
NSDS_API nsds_status nsds_interaction_set_z(nsds_interaction *interaction, int nz, const double *z);
/** Parameters of a relation; NULL if it has none. */
NSDS_API const double *nsds_relation_z(const nsds_relation *relation);
/** Replaces the parameters (nz finite values) of a relation, between steps. */
NSDS_API nsds_status nsds_relation_set_z(nsds_relation *relation, int nz, const double *z);
/** Energy 1/2 v^T M(q,z) v of a second-order system [J]; NaN (and an error) where M cannot be had,
 *  and from a function of the model. */
NSDS_API double nsds_kinetic_energy(nsds_ds *ds);

/** Size m of y and lambda. */
NSDS_API int nsds_interaction_size(const nsds_interaction *interaction);
/**
 * y of an interaction (gap), length m, at the current time. y is zero until there is a simulation, which
 * says what time it is.
 *
 * After a change of states, parameters or the graph between steps, this call or nsds_ydot() evaluates the
 * relation anew. A pointer that you kept shows the old values until then. If a user function fails on the
 * way, y and dy/dt are NaN and the context holds the error.
 */
NSDS_API const double *nsds_y(const nsds_interaction *interaction);
/** dy/dt of an interaction (local velocity), length m, at the current time; zero between
 * first-order systems; see nsds_y(). */
NSDS_API const double *nsds_ydot(const nsds_interaction *interaction);
/**
 * The multiplier lambda after the last step, length m, which the law ties to y. H^T lambda acts on the
 * systems.
 *
 * Between second-order systems lambda is a force [N], whatever the law and the driver. In time stepping
 * lambda is P / h of the step, or of its last piece where the step was cut. In event-driven simulation
 * lambda is the force at the current time. Between first-order systems and in mixed relations lambda is
 * the input of the relation.
 */
NSDS_API const double *nsds_lambda(const nsds_interaction *interaction);
/**
 * Impulse P over the last step [N s], length m, zero on rows that were not active; H^T P acts on the
 * systems. Event-driven: the impulse of the last event. NULL between first-order systems and in
 * mixed relations, which have no impulses.
 */
NSDS_API const double *nsds_impulse(const nsds_interaction *interaction);
/**
 * Sets nsds_lambda() between steps, m finite values. Compliant relations go on from there, and y
 * between first-order systems is computed with it. Use it when you go on from a file of your own.
 */
NSDS_API nsds_status nsds_set_lambda(nsds_interaction *interaction, const double *lambda);
/** True when the interaction took part in the nonsmooth problem of the last step (index set I1). */
NSDS_API bool nsds_is_active(const nsds_interaction *interaction);

/** What nsds_check_jacobians() found to be the worst entry. */
typedef struct nsds_jacobian_report {
  int checked;       /**< Jacobians compared */
  int wrong;         /**< Jacobians off by more than the tolerance */
  char object[64];   /**< system or relation of the worst one */
  char jacobian[32]; /**< its name, as in the definition struct */
  int row;           /**< row of the worst entry */
  int col;           /**< column of the worst entry */
  double given;      /**< value returned by the user function */
  double expected;   /**< value by central differences */
  int not_given;     /**< Jacobians left out, or asked for by nsds_differences() */
  char names[256];   /**< these, as "object: Jacobian", separated by commas, as far as they fit */
} nsds_jacobian_report;

/**
 * Compares every Jacobian given by user functions with central differences (fourth order) of the
 * function it belongs to, at the current state and time t, relative to the largest entry of the
 * same matrix. tolerance in [0, 1], 0 means 1e-5. Differences that overflow count as wrong.
 *
 * Those of relations with lambda are compared at lambda = 0 and at lambda near 1. A Jacobian that
 * was left out stands for zero, and counts as wrong where the function depends on its variable. The
 * bias of second-order relations, d^2y/dt^2 at dV/dt = 0, is compared with differences of dy/dt
 * along the motion, all terms in time with it.
 *
 * Returns NSDS_OK when all agree, NSDS_ERROR_VALUE with a message naming object, Jacobian and entry
 * when not, NSDS_ERROR_CALLBACK when a function failed. The message is that of nsds_last_message():
 * the context keeps no error of functions, so that a program goes on. report may be NULL.
 */
NSDS_API nsds_status nsds_check_jacobians(nsds_model *model, double t, double tolerance,
                                          nsds_jacobian_report *report);

#ifdef __cplusplus
}
#endif
#endif
