/**
 * @file simulation.h
 * @brief Drivers: advance a model in time.
 *
 * A simulation borrows one model. Each step either succeeds, or leaves the model exactly as it was
 * and says why. Remove the cause, and continue with the same simulation.
 *
 * A function that a step calls may read the model. If such a function asks the library to change
 * the model, to connect or to step, that call fails with NSDS_ERROR_STATE. The step continues.
 * docs/calls.md lists each call.
 */
#ifndef NSDS_SIMULATION_H
#define NSDS_SIMULATION_H

#include <nsds/model.h>
#include <nsds/scheme.h>
#include <nsds/solver.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A simulation of one model. */
typedef struct nsds_simulation nsds_simulation;

/** The answer of a check-solver callback. */
typedef enum nsds_verdict {
  NSDS_CONTINUE = 0, /**< take the answer if it is certified, fail the step otherwise */
  NSDS_ACCEPT = 1,   /**< take the answer although it is not certified */
  NSDS_RETRY = 2,    /**< solve again (after changing solver or tolerance); at most 10 times */
  NSDS_STOP = 3      /**< give up the step: nsds_step() returns NSDS_STOPPED, state unchanged */
} nsds_verdict;

/** Called after each solve of a one-step problem. The callback may call
 *  nsds_simulation_set_solver(), and nsds_solver_set() on nsds_simulation_solver(). */
typedef nsds_verdict (*nsds_check_solver_fn)(nsds_simulation *simulation,
                                             const nsds_solver_info *info, void *user);

/** When a step leads positions back to their constraints; see ::nsds_projection_def. */
typedef enum nsds_projection_kind {
  NSDS_PROJECTION_NONE = 0,    /**< never: constraints hold at velocity level, gaps drift */
  NSDS_PROJECTION_DIRECT = 1,  /**< at the end of each step */
  NSDS_PROJECTION_COMBINED = 2 /**< the step and the projection are repeated until no further
                                    contact closes */
} nsds_projection_kind;

/** The measure of the displacement of a projection. */
typedef enum nsds_metric {
  NSDS_METRIC_MASS = 0,       /**< G = M(q): the least displacement in the energy norm. If bodies
                                   pull at each other, their common center of mass stays */
  NSDS_METRIC_COORDINATES = 1 /**< G = T(q)^T T(q): the least change of the numbers in q */
} nsds_metric;

/** For nsds_projection_def::activation: no gap above zero counts as closed. */
enum { NSDS_CLOSED_AT_ZERO = -1 };

/**
 * Projection on constraints. Laws of second-order systems act on velocities, so gaps and joints
 * drift. After the velocities of a step, Newton's method solves
 *
 *     q <- q (+) d,   d = G^-1 H^T Lambda,   0 <= y(q) perpendicular to Lambda >= 0 of unilateral
 *                                            contacts,   y(q) = 0 of equalities
 *
 * for the contacts that were active in the step. Velocities and impulses do not change. The
 * displacement d has the size of v and acts along T. If q has a unit quaternion p, q (+) d keeps
 * |p| = 1, and the multiplier of that constraint is eliminated. To first order in the violation,
 * NSDS_METRIC_COORDINATES is q <- q + grad y Lambda, with |p| = 1 as one of the constraints.
 *
 * The projection acts on the rows of y that laws hold: with friction only the gap, with relays the
 * rows whose upper bound is infinite. Joints that yield are projected too. The projection does not
 * act on:
 * - compliant and mixed relations, and other relations with a feedthrough;
 * - saturations, cones and polyhedra;
 * - prescribed degrees of freedom.
 *
 * DIRECT projects the contacts that were active in the step, and the contacts that this projection
 * closes. A contact that closed without being predicted is projected a step later. This lifts
 * the contact, so with restitution it may bounce on for ever by the fall of a few steps. With
 * `settles`, a contact that closed slowly is closed in this step, which is made again: the contact
 * comes to rest. If a contact is at rest, the projection of its neighbors may open the contact. Gaps
 * up to `activation` still count as closed.
 *
 * COMBINED predicts nothing. A step begins with equalities alone. If contacts have y <= 0 at the
 * projected end of the step, COMBINED adds these contacts and repeats the step from its start.
 * Unilateral contacts are projected as equalities: a body slightly above the ground is lowered to
 * the ground.
 *
 * A projection misses the tolerance if constraints contradict each other, or if iterations are too
 * few. The step then keeps the positions with the least violation found, which nsds_projection_info
 * shows. Source: V. Acary, Projected event-capturing time-stepping schemes for nonsmooth mechanical
 * systems with unilateral contact and Coulomb's friction, CMAME 256 (2013).
 */
typedef struct nsds_projection_def {
  nsds_projection_kind kind; /**< default NSDS_PROJECTION_NONE */
  nsds_metric metric;        /**< default NSDS_METRIC_MASS */
  double tolerance;          /**< limit of |y| or -y, in the unit of y [m, rad], > 0; default
                                  1e-10 */
  int max_iterations;        /**< iterations of Newton's method, > 0; default 20 */
  /** DIRECT: contacts with restitution come to rest, and some steps are made twice; default false */
  bool settles;
  /** DIRECT: gaps up to this count as closed in the activation test, in the unit of y, > 0; default
   *  1000 tolerance; NSDS_CLOSED_AT_ZERO: none. With less than h^2 a e / (2 + 2 e), a contact that
   *  presses opens again; e is its restitution, and a its acceleration without the contact force. */
  double activation;
  /** zero, see ::NSDS_RESERVED */
  uint64_t reserved[NSDS_RESERVED];
} nsds_projection_def;

/** The test that decides which contacts count as closed in a step. You may read the fields; only
 *  nsds_activation() writes them. All fields zero: no test is given. */
typedef struct nsds_activation_test {
  bool given;              /**< true: nsds_activation() made the test */
  double gamma_prediction; /**< gamma_p */
  double tolerance;        /**< tolerance of a gap */
  /** zero, see ::NSDS_RESERVED */
  uint64_t reserved[NSDS_RESERVED];
} nsds_activation_test;

/**
 * Makes the test that decides which contacts nsds_moreau_jean() takes into a step. The test counts
 * contacts as closed before bodies overlap.
 *
 *     active  <=>  y_i + gamma_p h dy_i/dt <= tolerance (|y - H q| + |H| |q|)
 *
 * The terms on the right add up to the gap, so the tolerance has no unit. nsds_time_stepping()
 * refuses values out of range with NSDS_ERROR_VALUE. The test needs nsds_moreau_jean() as the
 * scheme of second-order systems; other schemes give NSDS_ERROR_ARGUMENT.
 * @param gamma_prediction gamma_p, how far the step looks ahead [1], >= 0; 0: not at all
 * @param tolerance        [1], in [0, 1]; 0: none, 1e-12: rounding alone
 *
 * The default of a simulation is nsds_activation(0.5, 1e-12).
 */
NSDS_API nsds_activation_test nsds_activation(double gamma_prediction, double tolerance);

/** Newton's method in a step; linear models need none. The method ends when residual and increment
 *  both pass. */
typedef struct nsds_newton_def {
  double residual;    /**< limit of ||R - H^T P||_2 [N s], > 0. The default is relative: 1e-10 of
                           ||M v|| + ||h F|| + ||p||, and in nonlinear first-order relations |y - h|
                           and |r - g| must be below 1e-10 of their terms. Each system and relation
                           must also be within 1e-8 of its own terms. Rounding of terms that cancel
                           counts as zero */
  double increment;   /**< limit of ||v^{k+1} - v^k||_inf as a fraction of ||v||_inf, > 0; default
                           1e-8; HUGE_VAL leaves the test out */
  int max_iterations; /**< > 0; default 50 */
  bool accept;        /**< a step that did not converge is accepted with a warning, not refused */
  /** zero, see ::NSDS_RESERVED */
  uint64_t reserved[NSDS_RESERVED];
} nsds_newton_def;

/** For nsds_time_stepping_def::max_halvings: a failed step is not retried. */
enum { NSDS_HALVE_NEVER = -1 };

/** Coordinates in which bodies with joints move. */
typedef enum nsds_coordinates {
  NSDS_COORDINATES_MAXIMAL = 0, /**< those of the bodies; joints are rows of the problem */
  NSDS_COORDINATES_JOINT = 1    /**< those of the joints, see nsds_time_stepping_def::coordinates */
} nsds_coordinates;

/** For nsds_time_stepping_def::overlap_sweeps: bodies stay in overlap. */
enum { NSDS_OVERLAP_STAYS = -1 };

/**
 * Time stepping: equal steps. A step may have any number of impacts and switches. Give the interval
 * and the step. Give a scheme (nsds/scheme.h) if the default does not suit you:
 *
 *     nsds_simulation *s =
 *         nsds_time_stepping(model, &(nsds_time_stepping_def){.t1 = 10.0, .h = 0.005});
 *     while (nsds_step(s) == NSDS_OK) print(nsds_time(s), nsds_q(ball)[0]);
 *
 * `second_order` is the scheme of systems with positions and velocities. `first_order` is the
 * scheme of systems with a state x. A model may have both.
 */
typedef struct nsds_time_stepping_def {
  double t0; /**< start time [s] */
  double t1; /**< end time [s], > t0; the last step is shortened to end at t1 */
  double h;  /**< step [s], > 0 */
  nsds_discretisation first_order;  /**< default nsds_euler_moreau(0.5) */
  nsds_discretisation second_order; /**< default nsds_moreau_jean(0.5, 1.0) */
  nsds_activation_test
      activation;         /**< for nsds_moreau_jean(); default nsds_activation(0.5, 1e-12) */
  bool contacts_at_start; /**< true: contacts of sets are found at the start of the step, not at q_i
                               + h gamma v_i; see nsds/contact.h */
  bool update_prediction; /**< every Newton iteration repeats the activation test with its own
                               velocity, y_i + gamma_p h dy^k/dt <= 0. This closes contacts whose
                               bodies the force of the step drives together. Closed contacts stay
                               closed in the step. Linear models have no iterations */
  nsds_newton_def newton; /**< Newton's method in a step */
  int max_halvings; /**< a failed step is retried as 2, 4, ... 2^max_halvings substeps, > 0, at most
                         30. Default: 10 if Newton's method did not converge, none after other
                         failures. NSDS_HALVE_NEVER: none. If Newton's method does not converge in
                         the smallest substep either, this substep is made with
                         nsds_with_predict_once(), see ::nsds_step_info::predicted */
  int overlap_sweeps; /**< number of sweeps over positions, at the end of a step, that lead bodies
                           of contact sets out of overlap, > 0, at most 1000. Default: with up to
                           256 contacts as many as needed, with more 8. NSDS_OVERLAP_STAYS: none.
                           For nsds_moreau_jean() without projection. The sweeps keep velocities and
                           impulses, and do not move bodies that an interaction acts on. Lifting
                           bodies takes at most the energy that contacts have dissipated in the
                           step, see docs/bodies.md */
  nsds_projection_def projection; /**< projection of positions on their constraints; default none */
  const char *solver;             /**< a name from nsds_solver_table(); default "auto" */
  double tolerance;               /**< certified scale-free residual, > 0; default 1e-10 */
  nsds_check_solver_fn check_solver; /**< called after each solve; may be NULL */
  void *check_solver_user;           /**< passed to check_solver */
  nsds_coordinates
      coordinates; /**< default NSDS_COORDINATES_MAXIMAL. NSDS_COORDINATES_JOINT: bodies
                                     in space that joints of nsds/tree.h connect move in the
                                     coordinates of these joints, in O(n) for a tree of n bodies.
                                     The joints stay closed up to rounding. Contacts, drives, stops
                                     and joints that close a loop are rows over the tree. States,
                                     files and quantities are the same. For nsds_moreau_jean(); a
                                     projection takes NSDS_METRIC_MASS */
  /** zero, see ::NSDS_RESERVED */
  uint64_t reserved[NSDS_RESERVED - 1];
} nsds_time_stepping_def;

/**
 * Creates a time-stepping simulation of a model. If a value is out of range, the message of the
 * error names it.
 *
 * If the scheme would keep a violation of algebraic equations (theta < 1, gamma < 1), the initial
 * state must satisfy these equations. Algebraic equations are equality laws, and zero rows of M
 * that no interaction drives.
 *
 * Also returns NULL while the model's context holds an error of an earlier call, because a model
 * with a missing piece must not run. Deal with the error, then call nsds_error_clear().
 */
NSDS_API nsds_simulation *nsds_time_stepping(nsds_model *model, const nsds_time_stepping_def *def);

/** Frees a simulation before its model is destroyed; NULL is allowed. Functions of a step of the
 *  model and events of the simulation must not call this: the call is refused and records
 *  NSDS_ERROR_STATE. */
NSDS_API void nsds_simulation_destroy(nsds_simulation *simulation);

/**
 * Advances by one step. NSDS_OK: done. NSDS_END: the end is reached, nothing was done.
 * NSDS_STOPPED: a callback asked to stop. < 0: the step failed, the model is as before the call.
 */
NSDS_API nsds_status nsds_step(nsds_simulation *simulation);

/** Steps until the end. Success is NSDS_END, not NSDS_OK. Otherwise returns NSDS_STOPPED, or the
 *  failure of a step, which is below zero. */
NSDS_API nsds_status nsds_run(nsds_simulation *simulation);

/**
 * @name A step in stages
 *
 * For programs that look into a step, or solve the one-step problem themselves:
 *
 *     nsds_step_begin(s);                        free state, index set, one-step problem
 *     do nsds_step_solve(s);                     its solution
 *     while (nsds_step_update(s) == NSDS_AGAIN); end of the step, or the next Newton iteration
 *     nsds_step_accept(s);                       or nsds_step_reject(s)
 *
 * The model stays as it was until nsds_step_accept(). nsds_step() makes the same calls, but applies
 * nsds_time_stepping_def::max_halvings too. A stage that fails leaves the step as it was before the
 * stage. Repeat the stage (perhaps with another solver), or reject the step. A stage called out of
 * order gives NSDS_ERROR_STATE.
 * @{
 */
/** Calls due samplers and events, then forms the problem of the next step. NSDS_END at the end. */
NSDS_API nsds_status nsds_step_begin(nsds_simulation *simulation);
/** Solves the problem, and calls check_solver as nsds_step() does. */
NSDS_API nsds_status nsds_step_solve(nsds_simulation *simulation);
/** Takes z as the solution, in place of nsds_step_solve(). z has the length of the problem.
 *  NSDS_ERROR_SOLVER: the certified residual of z exceeds the tolerance. */
NSDS_API nsds_status nsds_step_take(nsds_simulation *simulation, const double *z);
/** Computes the state at the end of the step. NSDS_AGAIN: Newton's method has formed another
 *  problem. */
NSDS_API nsds_status nsds_step_update(nsds_simulation *simulation);
/** Makes the end of the step the state of the model; calls the samplers and events due then. */
NSDS_API nsds_status nsds_step_accept(nsds_simulation *simulation);
/** Gives up the step. */
NSDS_API nsds_status nsds_step_reject(nsds_simulation *simulation);
/** @} */

/**
 * The one-step problem of the last solve, even if the step failed. Inspect the problem, solve it by
 * another method, or write it with nsds_problem_write(). The pointer is lent until the next step or
 * change of the model. NULL: there was no step yet, or the step failed before it had a problem. The
 * size n is 0 if no interaction was active.
 *
 * Event-driven: the last problem of the last nonsmooth event. Problems in impulses [N s] come
 * first, then problems in forces [N]. In a problem in forces, w holds the second derivatives of y
 * [m/s^2] (relay: the first derivative [m/s^2]; first order: dy/dt). Contacts that share no system
 * have separate problems; you get the last problem. nsds_event_impact_problem() gives the last
 * problem in impulses. NULL if the event had no problem: nothing was
 * closed, or a law distributed the impulses. After a window you get the problem of its last step.
 */
NSDS_API const nsds_problem *nsds_simulation_problem(nsds_simulation *simulation);
/** The best z that the solver found for the problem of nsds_simulation_problem(): n entries. */
NSDS_API const double *nsds_simulation_solution(nsds_simulation *simulation);

/**
 * A bound, to first order, of the relative error of the velocities at the end of the step. The
 * energy norm of the error is divided by the energy norm of the velocities, or of the free
 * velocities if these are larger.
 *
 * The certificate judges each row by its own terms. If light bodies carry the load of heavy bodies,
 * rounding may spoil velocities although no row shows an error. This bound shows the loss; see
 * docs/numerics.md for numbers by mass ratio.
 *
 * Each call takes the time of a dense factorization. Steps do not compute this bound. If a step has
 * several pieces or iterations of Newton's method, the last problem counts. NaN: there is no
 * problem, or no second-order system takes part in it, or it has more than 2000 rows.
 */
NSDS_API double nsds_simulation_velocity_error(nsds_simulation *simulation);

/**
 * Saves the state of model and simulation: time, step, states, impulses, samplers and events.
 * nsds_simulation_restore() returns to this state: predict, look, repeat. A simulation keeps a
 * single state. Parameters and the graph are not saved. To keep several states, or parameters, call
 * nsds_snapshot_take().
 */
NSDS_API nsds_status nsds_simulation_save(nsds_simulation *simulation);
/** Returns to the saved state, as often as you want; the same steps then give the same bits. Events
 *  called since the save are due again. Events that a sampler or another event has added since the
 *  save are removed; events that your program itself has added stay. NSDS_ERROR_STATE: no state is
 *  saved, or systems or interactions were added or removed since the save. NSDS_ERROR_VALUE: a
 *  sampler added after the save has a period too short for the step of the saved state. */
NSDS_API nsds_status nsds_simulation_restore(nsds_simulation *simulation);

/**
 * Writes a run into a file. nsds_snapshot_load() continues the run from the file in another
 * process. On the same machine the loaded run has the same bits as a run that was never
 * interrupted. Saving changes no bit of the run.
 *
 * The file holds states, local variables and impulses, contacts of contact sets, time and step,
 * samplers and events. Parameters are saved too: z of systems, relations, interactions and
 * operators. An event-driven run also saves its modes and integration. The file also holds the data
 * that the solver keeps for its next solve.
 *
 * The file does not hold what your program must make again: definitions, functions and the data
 * that functions store, the solver and its options.
 *
 * Two kinds of loaded runs differ in the last bits:
 * - The integrators "arkode" and "cvode" hide their internal state. A loaded run begins a new
 *   integration and agrees within their tolerances.
 * - Your own solver starts without the data that it had collected. So does a solver chosen by name
 *   that adapts from solve to solve ("admm").
 *
 * The new file is written beside the old file, as path.new. Once on disk, the new file takes the
 * place of the old one; if anything fails, the old file stays. The path must name a regular file or
 * a new file: devices, pipes and folders are refused. A symbolic link stays, and its target is
 * replaced. A link without a target is refused.
 *
 * The file stores numbers with the lowest byte first, guarded by a checksum.
 * @param simulation between steps
 * @param path path of the file; its folder must exist
 * @return NSDS_OK; NSDS_ERROR_IO; NSDS_ERROR_MEMORY; NSDS_ERROR_STATE within a step. The simulation
 *         is as before.
 */
NSDS_API nsds_status nsds_snapshot_save(nsds_simulation *simulation, const char *path);
/**
 * Continues a run from a snapshot. First make the model, simulation, samplers and events of the run
 * again, in the same order. Make the interactions that existed when the snapshot was written.
 * Loading removes the events that the run had already called. Later events that are not in the file
 * stay. The end t1 of the simulation stays. A state kept by nsds_simulation_save() is lost.
 *
 * The call checks the whole file before it changes anything. Numbers must be finite and within the
 * range that a step accepts; quaternions must have length 1. Times and counts of samplers must fit
 * the clock, and the modes of rows must fit their laws.
 * @return NSDS_OK; NSDS_ERROR_IO, NSDS_ERROR_FORMAT: the file is not a snapshot, is damaged, is of
 *         another version, or holds no state; NSDS_ERROR_ARGUMENT: the file belongs to another
 *         model, and the message names the difference; NSDS_ERROR_MEMORY; NSDS_ERROR_STATE within a
 *         step. On an error nothing has changed.
 */
NSDS_API nsds_status nsds_snapshot_load(nsds_simulation *simulation, const char *path);

/** A snapshot in memory: the same as a file of nsds_snapshot_save(). */
typedef struct nsds_snapshot nsds_snapshot;

/**
 * Takes a snapshot of a run into memory. You may take any number. Snapshots outlive model and
 * simulation; free them by nsds_snapshot_destroy(). Taking a snapshot changes no bit of the run.
 * @param simulation between steps
 * @return NULL: an error of nsds_snapshot_save(), except the errors of files
 */
NSDS_API nsds_snapshot *nsds_snapshot_take(nsds_simulation *simulation);
/** Continues from a snapshot in memory. Works like nsds_snapshot_load() and has the same errors.
 * You can restore a snapshot any number of times. Pass the simulation of the snapshot, or a
 * simulation of the same kind over the same model or an equal model. The call checks simulation
 * and model. */
NSDS_API nsds_status nsds_snapshot_restore(nsds_simulation *simulation,
                                           const nsds_snapshot *snapshot);
/** The bytes of a snapshot, to send or to store. nsds_snapshot_save() writes the same bytes into a
 *  file. The bytes stay until the snapshot is destroyed.
 *  @param snapshot NULL: the call returns NULL and 0 bytes
 *  @param size     gets the number of bytes; may be NULL */
NSDS_API const void *nsds_snapshot_bytes(const nsds_snapshot *snapshot, size_t *size);
/** Makes a snapshot from the bytes of nsds_snapshot_bytes(), in this process or another. The bytes
 *  are copied.
 *  @param context receives messages and gives its allocator; the snapshot outlives the context
 *  @param bytes   of any alignment
 *  @param size    number of bytes
 *  @return NULL with NSDS_ERROR_FORMAT: the bytes are not a snapshot, are damaged or of another
 *           version; NSDS_ERROR_MEMORY */
NSDS_API nsds_snapshot *nsds_snapshot_from_bytes(nsds_context *context, const void *bytes,
                                                 size_t size);
/** Gives back a snapshot; NULL is allowed. */
NSDS_API void nsds_snapshot_destroy(nsds_snapshot *snapshot);

/** How often a run saves itself. A field that is 0 sets no interval. If you give both steps and
 * seconds, the run saves when either is due. */
typedef struct nsds_snapshot_every_def {
  const char *path; /**< path of the file, as for nsds_snapshot_save(); copied */
  long steps;       /**< save after each step whose number is a multiple of this; >= 0 */
  double seconds;   /**< save after each step that reaches or passes t0 + k seconds; >= 0 [s] */
  /** zero, see ::NSDS_RESERVED */
  uint64_t reserved[NSDS_RESERVED];
} nsds_snapshot_every_def;

/**
 * Makes the run save itself from now on, as nsds_snapshot_save() does. The run saves at the end of
 * whole steps, in nsds_step_accept(), in nsds_event_process() and after windows. Saving changes
 * neither the length nor the bits of a step. After an interruption, a loaded run saves itself at
 * the same steps.
 *
 * A step does not fail if the file cannot be written. The old file stays, and a warning with the
 * reason goes to the log. nsds_step_info::snapshot of the step has the status.
 * @param simulation between steps
 * @param def        NULL: the run stops saving itself
 * @return NSDS_OK; NSDS_ERROR_ARGUMENT without a path; NSDS_ERROR_VALUE: steps or seconds are
 *         negative, not finite, or both 0; NSDS_ERROR_MEMORY; NSDS_ERROR_STATE within a step. On an
 *         error the setting is as before.
 */
NSDS_API nsds_status nsds_snapshot_every(nsds_simulation *simulation,
                                         const nsds_snapshot_every_def *def);

/** A sampled controller, sensor or actuator. */
typedef struct nsds_sampler_def {
  const char *name; /**< for messages; copied; may be NULL */
  double period;    /**< sampling period [s], at least h / 2^20 */
  double phase;     /**< first sample at t0 + phase [s], >= 0 */
  /** Called at each sample time with the state of that time. Read the state and set parameters with
   *  nsds_ds_set_z() or nsds_relation_set_z(). You may also change data that functions read through
   *  `user`, but time stepping does not notice this. If theta < 1, the next step then still uses
   *  the old force at its start, with the weight 1 - theta. Return 0; a value > 0 or < 0 makes the
   *  call in progress fail. */
  int (*sample)(nsds_simulation *simulation, void *user);
  void *user; /**< passed to sample */
  /** zero, see ::NSDS_RESERVED */
  uint64_t reserved[NSDS_RESERVED];
} nsds_sampler_def;

/**
 * Attaches a sampled controller. A step that would pass a sample time is shortened to end on it.
 * The next step leads to the next point of the grid; nsds_step_info::h has the length of the step.
 *
 * The sampler is called at once if a sample is due now, and at the end of every step that reaches a
 * sample time. Settings made by the sampler hold for the next steps. If a sampler fails, the step
 * that was just completed stays accepted. The next nsds_step() first repeats the sample.
 */
NSDS_API nsds_status nsds_simulation_sample(nsds_simulation *simulation,
                                            const nsds_sampler_def *def);

/** A call that happens once, at a given time. */
typedef struct nsds_event_def {
  const char *name; /**< for messages; copied; may be NULL */
  double time;      /**< time of the event [s], not before the current time */
  /** Called with the state of that time. The function may set states and parameters, connect and
   *  disconnect, and add events. Return 0; a value > 0 or < 0 makes the call in progress fail, and
   *  the event stays due. NULL: a step ends at the time without a call. Use NULL for times at which
   *  forces or coefficients jump. */
  int (*call)(nsds_simulation *simulation, void *user);
  void *user; /**< passed to call */
  /** zero, see ::NSDS_RESERVED */
  uint64_t reserved[NSDS_RESERVED];
} nsds_event_def;

/**
 * Adds an event; a step ends on it. Events and samples at one time happen in the order in which
 * they were added, even if rounding separates them. The next step calls an event at the current
 * time.
 */
NSDS_API nsds_status nsds_simulation_at(nsds_simulation *simulation, const nsds_event_def *def);

/** A sampler or user event to come. */
typedef struct nsds_scheduled {
  const char *name; /**< its name or "", lent until the next step */
  double time;      /**< time when it is due next [s] */
  double period;    /**< sampling period [s]; 0: a user event */
} nsds_scheduled;

/** Number of samplers and user events to come. */
NSDS_API int nsds_simulation_scheduled_count(const nsds_simulation *simulation);
/**
 * Sampler or user event k in the order in which they are due.
 * @param simulation any simulation
 * @param k         0 .. nsds_simulation_scheduled_count() - 1
 * @param scheduled receives the event
 *
 * Errors: NSDS_ERROR_ARGUMENT.
 */
NSDS_API nsds_status nsds_simulation_scheduled_at(const nsds_simulation *simulation, int k,
                                                  nsds_scheduled *scheduled);

/** Name of a simulation, or "". */
NSDS_API const char *nsds_simulation_name(const nsds_simulation *simulation);
/** Names a simulation in messages: at most 47 bytes, copied; NULL: none. */
NSDS_API nsds_status nsds_simulation_set_name(nsds_simulation *simulation, const char *name);
/** The pointer that nsds_simulation_set_user() put on a simulation; NULL: none. */
NSDS_API void *nsds_simulation_user(const nsds_simulation *simulation);
/** Puts a pointer of your program on a simulation. The library does not read or free the data. */
NSDS_API nsds_status nsds_simulation_set_user(nsds_simulation *simulation, void *user);
/** Current time [s]. */
NSDS_API double nsds_time(const nsds_simulation *simulation);

/** The end t1 of the simulated interval [s]; NaN for NULL. */
NSDS_API double nsds_simulation_end(const nsds_simulation *simulation);

/** Number of accepted steps. */
NSDS_API long nsds_step_count(const nsds_simulation *simulation);

/** Moves the end of the simulated interval; t1 must not lie before the current time. */
NSDS_API nsds_status nsds_simulation_set_end(nsds_simulation *simulation, double t1);

/** Changes the step from now on; a new grid starts here. NSDS_ERROR_VALUE: a sampling period would
 *  be shorter than h / 2^20. NSDS_ERROR_UNSUPPORTED: an adaptive simulation without output_period. */
NSDS_API nsds_status nsds_simulation_set_h(nsds_simulation *simulation, double h);

/** Replaces the solver by another row of the table, with default options and this tolerance (0: the
 *  present tolerance). */
NSDS_API nsds_status nsds_simulation_set_solver(nsds_simulation *simulation, const char *name,
                                                double tolerance);

/** The solver instance in use, for nsds_solver_set(). */
NSDS_API nsds_solver *nsds_simulation_solver(nsds_simulation *simulation);

/** The projection of the last step; zeros if nothing is projected. */
typedef struct nsds_projection_info {
  int iterations;   /**< iterations of Newton's method in the last pass */
  int passes;       /**< number of times that the step was made, each with another set of
                         contacts */
  double violation; /**< largest remaining |y| or -y, in the unit of y */
  bool converged;   /**< the violation is within the tolerance */
} nsds_projection_info;

/** The report of the last step. */
typedef struct nsds_step_info {
  double t;        /**< time at the end of the step [s] */
  double h;        /**< length of the step [s] */
  double t_lambda; /**< time of y, lambda and r of first-order and mixed relations [s]: t, or under
                        nsds_full_theta_gamma() t - (1-gamma) h with h of the last piece */
  int substeps;    /**< 1, or the number of pieces that the step was cut into */
  int predicted;   /**< number of pieces made with nsds_with_predict_once(), because Newton's method
                      failed in the smallest piece */
  int newton_iterations;    /**< iterations of the last piece; 1 for linear models */
  bool newton_converged;    /**< both tests passed */
  double newton_residual;   /**< ||R - H^T P||_2 [N s] (first order: ||R - h r||), 0 for linear
                                 models */
  double newton_residual_y; /**< largest |y - h| over nonlinear first-order relations */
  double newton_residual_r; /**< largest |r - g| over nonlinear first-order relations */
  double newton_increment;  /**< ||v^{k+1} - v^k||_inf of the last iteration */
  int active;               /**< interactions in I1 */
  int rows;                 /**< size n of the one-step problem */
  nsds_solver_info solver;  /**< the last solve of the step; solver.solver is NULL if nothing was
                                 solved */
  nsds_projection_info projection; /**< projection of the last piece */
  double lifted; /**< energy that was needed in the last piece to lift bodies out of overlap [J], at
                      most the energy that contacts dissipated in this piece; negative if the bodies
                      sank */
  nsds_status
      snapshot; /**< status of the snapshot that nsds_snapshot_every() asks for after the step;
                     NSDS_OK also if no snapshot was due */
} nsds_step_info;

/** The displacement of a system by the projection of the last step: the sum of d over the
 *  iterations, nv entries. NULL if there is no projection, before the first step, and for
 *  first-order systems. */
NSDS_API const double *nsds_simulation_displacement(const nsds_simulation *simulation,
                                                    const nsds_ds *ds);

/** Report of the last step; never NULL for a valid simulation. */
NSDS_API const nsds_step_info *nsds_simulation_info(const nsds_simulation *simulation);

#ifdef __cplusplus
}
#endif
#endif
