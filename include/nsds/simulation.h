/**
 * @file simulation.h
 * @brief Drivers: advance a model in time.
 *
 * A simulation borrows one model. Each step either succeeds, or leaves the model exactly as it was
 * and says why; after the cause is removed the same simulation goes on.
 *
 * A function that a step calls may read the model. It may not change the model, connect or step: such
 * calls fail with NSDS_ERROR_STATE, and the step goes on. docs/calls.md lists each call.
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

/** What a check-solver callback wants. */
typedef enum nsds_verdict {
  NSDS_CONTINUE = 0, /**< take the answer if it is certified, fail the step otherwise */
  NSDS_ACCEPT = 1,   /**< take the answer although it is not certified */
  NSDS_RETRY = 2,    /**< solve again (after changing solver or tolerance); at most 10 times */
  NSDS_STOP = 3      /**< give up the step: nsds_step() returns NSDS_STOPPED, state unchanged */
} nsds_verdict;

/** Called after each solve of a one-step problem; may call nsds_simulation_set_solver() and
 *  nsds_solver_set() on nsds_simulation_solver(). */
typedef nsds_verdict (*nsds_check_solver_fn)(nsds_simulation *simulation,
                                             const nsds_solver_info *info, void *user);

/** When positions are led back to their constraints; see ::nsds_projection_def. */
typedef enum nsds_projection_kind {
  NSDS_PROJECTION_NONE = 0,    /**< never: constraints hold at velocity level, gaps drift */
  NSDS_PROJECTION_DIRECT = 1,  /**< at the end of each step */
  NSDS_PROJECTION_COMBINED = 2 /**< the step and the projection are repeated until no more contact
                                    closes */
} nsds_projection_kind;

/** What the displacement of a projection is measured in. */
typedef enum nsds_metric {
  NSDS_METRIC_MASS = 0,       /**< G = M(q): the least displacement in the energy norm; the common
                                   centre of mass of bodies that pull at each other stays */
  NSDS_METRIC_COORDINATES = 1 /**< G = T(q)^T T(q): the least change of the numbers in q */
} nsds_metric;

/** For nsds_projection_def::activation: a gap counts as closed from zero on. */
enum { NSDS_CLOSED_AT_ZERO = -1 };

/**
 * Projection on constraints. Laws of second-order systems act on velocities, so gaps and joints
 * drift. After the velocities of a step
 *
 *     q <- q (+) d,   d = G^-1 H^T Lambda,   0 <= y(q) perpendicular to Lambda >= 0 of unilateral
 *                                            contacts,   y(q) = 0 of equalities
 *
 * is solved by Newton's method for the contacts that were active in the step; velocities and
 * impulses stay. d is a displacement in velocities, along T: where q has a unit quaternion p,
 * q (+) d keeps |p| = 1, and the multiplier of that constraint is eliminated. With
 * NSDS_METRIC_COORDINATES this is q <- q + grad y Lambda with |p| = 1 among the constraints, to
 * first order in the violation.
 *
 * Rows are those of y that laws hold: of laws with friction the gap alone; of relays those whose
 * upper bound is infinite. Compliant and mixed relations, relations with a feedthrough (but joints
 * that yield), saturations, cones and polyhedra are left as they are, and so are prescribed degrees
 * of freedom.
 *
 * DIRECT takes the contacts that the step had active, and those that this drives into each other;
 * what has closed and was not predicted to is
 * projected a step later. A contact at rest is opened by what the projection of others moves it:
 * `activation` is the gap up to which it stays closed all the same.
 * COMBINED predicts nothing: a step begins with equalities alone, contacts with y <= 0 at its
 * projected end join them, and it is made again from its start. Its unilateral contacts are
 * projected as equalities: a body that the step has left above the ground is taken down to it.
 *
 * A projection that does not reach the tolerance, because constraints contradict each other or
 * there were too few iterations, leaves the least violation found; nsds_projection_info tells.
 * Source: V. Acary, Projected event-capturing time-stepping schemes for nonsmooth mechanical
 * systems with unilateral contact and Coulomb's friction, CMAME 256 (2013).
 */
typedef struct nsds_projection_def {
  nsds_projection_kind kind; /**< default NSDS_PROJECTION_NONE */
  nsds_metric metric;        /**< default NSDS_METRIC_MASS */
  double tolerance;          /**< of |y| or -y, in the unit of y [m, rad], > 0; default 1e-10 */
  int max_iterations;        /**< of Newton's method in a projection, > 0; default 20 */
  double activation; /**< DIRECT: gaps up to this count as closed in the activation test, in the
                        unit of y, > 0; default 1000 tolerance; NSDS_CLOSED_AT_ZERO: no gap does */
  /** zero, see ::NSDS_RESERVED */
  uint64_t reserved[NSDS_RESERVED];
} nsds_projection_def;

/** The test by which a step takes contacts for closed. The fields are the library's: read them, and leave
 *  writing to nsds_activation(). All of them zero: nothing said. */
typedef struct nsds_activation_test {
  bool given;              /**< nsds_activation() has made it */
  double gamma_prediction; /**< gamma_p */
  double tolerance;        /**< of a gap */
  /** zero, see ::NSDS_RESERVED */
  uint64_t reserved[NSDS_RESERVED];
} nsds_activation_test;

/**
 * Makes the test by which nsds_moreau_jean() takes a contact into a step: it closes contacts before bodies
 * have sunk in.
 *
 *     active  <=>  y_i + gamma_p h dy_i/dt <= tolerance (|y - H q| + |H| |q|)
 *
 * The terms on the right are those that the gap is the sum of, so that the tolerance has no unit.
 * nsds_time_stepping() refuses with NSDS_ERROR_VALUE what is out of range, and with NSDS_ERROR_ARGUMENT a test
 * beside another scheme of second-order systems.
 * @param gamma_prediction gamma_p, how far the step looks ahead [1], >= 0; 0: not at all
 * @param tolerance        [1], in [0, 1]; 0: none, 1e-12: rounding alone
 *
 * The default of a simulation is nsds_activation(0.5, 1e-12).
 */
NSDS_API nsds_activation_test nsds_activation(double gamma_prediction, double tolerance);

/** Newton's method in a step; linear models need none. It ends when residual and increment both pass. */
typedef struct nsds_newton_def {
  double residual;    /**< limit of ||R - H^T P||_2 [N s], > 0; default: relative, 1e-10 of
                           ||M v|| + ||h F|| + ||p||, and in nonlinear first-order relations |y - h|
                           and |r - g| below 1e-10 of their terms */
  double increment;   /**< limit of ||v^{k+1} - v^k||_inf as a fraction of ||v||_inf, > 0; default
                           1e-8; HUGE_VAL leaves the test out */
  int max_iterations; /**< > 0; default 50 */
  bool accept;        /**< an unconverged step is accepted with a warning, not refused */
  /** zero, see ::NSDS_RESERVED */
  uint64_t reserved[NSDS_RESERVED];
} nsds_newton_def;

/** For nsds_time_stepping_def::max_halvings: a failed step is not retried. */
enum { NSDS_HALVE_NEVER = -1 };

/** For nsds_time_stepping_def::overlap_sweeps: bodies stay in overlap. */
enum { NSDS_OVERLAP_STAYS = -1 };

/**
 * Time stepping: equal steps, each of which may have any number of impacts and switches. Say the interval,
 * the step, and where the default does not suit you the schemes (nsds/scheme.h):
 *
 *     nsds_simulation *s = nsds_time_stepping(model, &(nsds_time_stepping_def){.t1 = 10.0, .h = 0.005});
 *     while (nsds_step(s) == NSDS_OK) print(nsds_time(s), nsds_q(ball)[0]);
 *
 * `second_order` is the scheme of systems with positions and velocities, `first_order` that of systems
 * with a state x. A model may have both.
 */
typedef struct nsds_time_stepping_def {
  double t0; /**< start time [s] */
  double t1; /**< end time [s], > t0; the last step is shortened to land on it */
  double h;  /**< step [s], > 0 */
  nsds_discretisation first_order;  /**< default nsds_euler_moreau(0.5) */
  nsds_discretisation second_order; /**< default nsds_moreau_jean(0.5, 1.0) */
  nsds_activation_test
      activation;         /**< for nsds_moreau_jean(); default nsds_activation(0.5, 1e-12) */
  bool contacts_at_start; /**< contacts of sets are taken where bodies are at the start of the step,
                               not at q_i + h gamma v_i; see nsds/contact.h */
  bool update_prediction; /**< the activation test is repeated in every Newton iteration with the
                                velocity of the iterate, y_i + gamma_p h dy^k/dt <= 0, and closes
                                contacts that the force of the step drives together; those that are
                                closed stay so in the step. Linear models have no iterations */
  nsds_newton_def newton; /**< Newton's method in a step */
  int max_halvings; /**< a failed step is retried as 2, 4, ... 2^max_halvings substeps, > 0, at most
                         30; default: 10 where Newton's method did not converge, none after other
                         failures; NSDS_HALVE_NEVER. Where it does not converge in the smallest
                         substep, that is made as by nsds_with_predict_once(), see
                         ::nsds_step_info::predicted */
  int overlap_sweeps; /**< sweeps over positions that lead bodies of contact sets out of overlap at
                           the end of a step, > 0, at most 1000; default 8; NSDS_OVERLAP_STAYS: none.
                           With nsds_moreau_jean() and without projection; velocities and impulses
                           stay, and bodies that an interaction acts on. Lifting is paid out of what
                           contacts have dissipated in the step; see docs/bodies.md */
  nsds_projection_def projection; /**< of second-order systems on their constraints; default none */
  const char *solver;             /**< a name from nsds_solver_table(); default "auto" */
  double tolerance;               /**< certified scale-free residual, > 0; default 1e-10 */
  nsds_check_solver_fn check_solver; /**< called after each solve; may be NULL */
  void *check_solver_user;           /**< passed to check_solver */
  /** zero, see ::NSDS_RESERVED */
  uint64_t reserved[NSDS_RESERVED];
} nsds_time_stepping_def;

/**
 * Creates a time-stepping simulation of a model. Values out of range are errors that name them; so
 * is an initial state that violates an algebraic equation (a zero row of M that no interaction
 * drives, or an equality law) where the scheme would carry the violation on (theta < 1, gamma < 1).
 * Returns NULL as well while the model's context holds an error of an earlier call (a model with a
 * piece missing must not run): nsds_error_clear() after having dealt with it.
 */
NSDS_API nsds_simulation *nsds_time_stepping(nsds_model *model, const nsds_time_stepping_def *def);

/** Frees a simulation before its model; NULL is allowed. Refused, with NSDS_ERROR_STATE recorded,
 *  from functions that a step of the model has called, and from its own events. */
NSDS_API void nsds_simulation_destroy(nsds_simulation *simulation);

/**
 * Advances by one step. NSDS_OK: done. NSDS_END: the end is reached, nothing was done.
 * NSDS_STOPPED: a callback asked to stop. < 0: the step failed and the model is as before the call.
 */
NSDS_API nsds_status nsds_step(nsds_simulation *simulation);

/** Steps until the end. Success is NSDS_END, which is not NSDS_OK; else NSDS_STOPPED or the failure of a
 *  step, which is below zero. */
NSDS_API nsds_status nsds_run(nsds_simulation *simulation);

/**
 * @name A step in stages
 *
 * For programs that look into a step, or solve its problem themselves:
 *
 *     nsds_step_begin(s);                        free state, index set, one-step problem
 *     do nsds_step_solve(s);                     its solution
 *     while (nsds_step_update(s) == NSDS_AGAIN); end of the step, or the next Newton iteration
 *     nsds_step_accept(s);                       or nsds_step_reject(s)
 *
 * The model stays as it was until nsds_step_accept(), and nsds_step() does just this; only
 * nsds_time_stepping_def::max_halvings does not apply. A stage that fails leaves the step where it
 * was: it can be repeated (after another choice of solver) or the step be rejected. A call out of
 * turn is NSDS_ERROR_STATE.
 * @{
 */
/** Calls due samplers and events, then forms the problem of the next step. NSDS_END at the end. */
NSDS_API nsds_status nsds_step_begin(nsds_simulation *simulation);
/** Solves the problem; as in nsds_step(), check_solver is asked. */
NSDS_API nsds_status nsds_step_solve(nsds_simulation *simulation);
/** Takes z, of the length of the problem, in place of nsds_step_solve(); NSDS_ERROR_SOLVER where
 * its certified residual exceeds the tolerance. */
NSDS_API nsds_status nsds_step_take(nsds_simulation *simulation, const double *z);
/** The state at the end of the step. NSDS_AGAIN: Newton's method has formed another problem. */
NSDS_API nsds_status nsds_step_update(nsds_simulation *simulation);
/** Makes the end of the step the state of the model; calls what is due then. */
NSDS_API nsds_status nsds_step_accept(nsds_simulation *simulation);
/** Gives up the step. */
NSDS_API nsds_status nsds_step_reject(nsds_simulation *simulation);
/** @} */

/**
 * The one-step problem of the last solve, also of a step that failed: to inspect it, solve it by
 * another method, or write it with nsds_problem_write(). Lent until the next step or change of the
 * model; NULL before the first step, and after one that failed before it had a problem. n is 0
 * where no interaction was active.
 *
 * Event-driven: the last problem of the last nonsmooth event, in impulses [N s] or, after these, in
 * forces [N] with w the second derivatives [m/s^2] (relay: first [m/s^2]; first order: dy/dt). Contacts
 * that share no system are problems of their own, of which this is the last. NULL where the event had
 * none: nothing was closed, or a law distributed the impulses. After a window it is that of its last
 * step.
 */
NSDS_API const nsds_problem *nsds_simulation_problem(nsds_simulation *simulation);
/** z of that problem, the best the solver found; its length is the problem's n. */
NSDS_API const double *nsds_simulation_solution(nsds_simulation *simulation);

/**
 * How well the solution of that problem fixes the velocities: a bound, to first order, of their
 * error at the end of the step in the energy norm, divided by that norm of the velocities
 * themselves (or of the free ones, where these are larger). The certificate judges each row by its
 * own terms; where light bodies carry the load of heavy ones, velocities are lost in rounding that
 * no row shows, and this figure tells: by the ratio of the masses, in docs/numerics.md. Found when
 * asked for, in the time of a dense factorisation; steps do not pay for it. Of several pieces of a
 * step, or iterations of Newton's method, the last one counts. NaN where there is no such problem,
 * none of second-order systems, or one of more than 2000 rows.
 */
NSDS_API double nsds_simulation_velocity_error(nsds_simulation *simulation);

/**
 * Saves the state of model and simulation (time, step, states, impulses, samplers and events), to
 * which nsds_simulation_restore() returns: predict, look, repeat. One state is kept. Parameters and
 * the graph are the program's own and not saved. For several states, or with parameters, take
 * nsds_snapshot_take().
 */
NSDS_API nsds_status nsds_simulation_save(nsds_simulation *simulation);
/** Returns to the saved state, as often as wanted; the same steps then give the same bits. Events
 *  called since are due again; those that samplers and events have added since are gone, those that
 *  the program has added itself stay. NSDS_ERROR_STATE without a saved state, or where systems or
 *  interactions came or went since; NSDS_ERROR_VALUE where a sampler added since has a period too
 *  short for the step of the saved state. */
NSDS_API nsds_status nsds_simulation_restore(nsds_simulation *simulation);

/**
 * Writes a run into a file. nsds_snapshot_load() goes on from the file in another process, with the
 * same bits on the same machine as a run that was never interrupted. Saving changes no bit of the
 * run that is saved.
 *
 * The file holds states, local variables and impulses, contacts of contact sets, parameters (z of
 * systems, relations, interactions and operators), time and step, samplers and events. It also
 * holds the modes and the integration of an event-driven run, and the memory that the solver uses
 * in its next solve. The program keeps the rest: definitions, functions and what they store by
 * themselves, the solver and its options.
 *
 * Two runs go on with other last bits. The integrators "arkode" and "cvode" do not show what they
 * keep: a run that is loaded begins a new integration and agrees to their tolerances. A solver of
 * your own, or one chosen by name that adapts from solve to solve ("admm"), starts without what it
 * had learnt.
 *
 * The new file is written beside the old one, as path.part. It reaches the disk and then takes the
 * old one's place, so that the old file stays when anything fails. The path names a regular file or
 * none: devices, pipes and folders are refused. A symbolic link stays, and the file that it leads to
 * is replaced. A link that leads nowhere is refused.
 *
 * The numbers in the file have the lowest byte first. A checksum guards them.
 * @param simulation between steps
 * @param path       of the file; its folder is there
 * @return NSDS_OK; NSDS_ERROR_IO; NSDS_ERROR_MEMORY; NSDS_ERROR_STATE within a step. The simulation
 *         is as before.
 */
NSDS_API nsds_status nsds_snapshot_save(nsds_simulation *simulation, const char *path);
/**
 * Goes on from a snapshot. The program has made model, simulation, samplers and events as those of
 * the run, in the same order, interactions that have come and gone since as they were when it was
 * written. Events that had been called by then are taken out; those of a later time that the file does
 * not know stay. The end t1 is the simulation's; a state kept by nsds_simulation_save() is given up.
 *
 * All that the file says is checked before anything is taken from it: numbers are finite and within
 * what a step accepts, quaternions have length 1, times and counts of samplers fit the clock, rows
 * have modes of their laws.
 * @return NSDS_OK; NSDS_ERROR_IO, NSDS_ERROR_FORMAT: the file is no snapshot, damaged, of another
 *         version, or holds no state; NSDS_ERROR_ARGUMENT: of another model, where the message names
 *         what differs; NSDS_ERROR_MEMORY; NSDS_ERROR_STATE within a step. Where it fails nothing has
 *         changed.
 */
NSDS_API nsds_status nsds_snapshot_load(nsds_simulation *simulation, const char *path);

/** A snapshot in memory: the same as a file of nsds_snapshot_save(). */
typedef struct nsds_snapshot nsds_snapshot;

/**
 * Takes a snapshot of a run into memory. There may be any number of snapshots. They outlive model and
 * simulation, and nsds_snapshot_destroy() gives them back. The run goes on with the same bits as
 * without.
 * @param simulation between steps
 * @return NULL: an error, as those of nsds_snapshot_save() but for files
 */
NSDS_API nsds_snapshot *nsds_snapshot_take(nsds_simulation *simulation);
/** Goes on from a snapshot in memory, any number of times, as nsds_snapshot_load() does from a file,
 *  with the same errors. The simulation may be the one it was taken of, or another of the same kind
 *  over the same model or one made like it; both are checked. */
NSDS_API nsds_status nsds_snapshot_restore(nsds_simulation *simulation,
                                           const nsds_snapshot *snapshot);
/** The bytes of a snapshot, to send or to store them: those that nsds_snapshot_save() writes into a
 *  file. They stay until the snapshot is destroyed.
 *  @param snapshot NULL: none, NULL and 0 bytes
 *  @param size     gets their number; may be NULL */
NSDS_API const void *nsds_snapshot_bytes(const nsds_snapshot *snapshot, size_t *size);
/** A snapshot of bytes that nsds_snapshot_bytes() has shown, here or elsewhere; they are copied.
 *  @param context for messages, and whose allocator is used; the snapshot outlives it
 *  @param bytes   of any alignment
 *  @param size    their number
 *  @return NULL with NSDS_ERROR_FORMAT: they are no snapshot, damaged or of another version;
 *          NSDS_ERROR_MEMORY */
NSDS_API nsds_snapshot *nsds_snapshot_from_bytes(nsds_context *context, const void *bytes,
                                                 size_t size);
/** Gives back a snapshot; NULL is allowed. */
NSDS_API void nsds_snapshot_destroy(nsds_snapshot *snapshot);

/** How often a run saves itself. A field that is 0 does not count; with both, either is enough. */
typedef struct nsds_snapshot_every_def {
  const char *path; /**< of the file, as of nsds_snapshot_save(); copied */
  long steps;       /**< after each step whose number is a multiple; >= 0 */
  double seconds;   /**< after each step that reaches or passes t0 + k seconds; >= 0 [s] */
  /** zero, see ::NSDS_RESERVED */
  uint64_t reserved[NSDS_RESERVED];
} nsds_snapshot_every_def;

/**
 * From now on the run saves itself, as by nsds_snapshot_save(), at the end of steps: whole ones, those
 * in stages after nsds_step_accept(), events after nsds_event_process(), and windows. No step is
 * made longer or shorter for it, and its bits stay. A run that was interrupted and loaded saves
 * itself at the same steps.
 *
 * A file that cannot be written does not fail the step: the old file stays, a warning with the
 * reason goes to the log, and nsds_step_info::snapshot of the step has the status.
 * @param simulation between steps
 * @param def        NULL: no more
 * @return NSDS_OK; NSDS_ERROR_ARGUMENT without a path; NSDS_ERROR_VALUE: steps or seconds are negative,
 *         not finite, or both 0; NSDS_ERROR_MEMORY; NSDS_ERROR_STATE within a step. On an error the
 *         setting is as before.
 */
NSDS_API nsds_status nsds_snapshot_every(nsds_simulation *simulation,
                                         const nsds_snapshot_every_def *def);

/** A sampled controller, sensor or actuator. */
typedef struct nsds_sampler_def {
  const char *name; /**< for messages; copied; may be NULL */
  double period;    /**< sampling period [s], at least h / 2^20 */
  double phase;     /**< first sample at t0 + phase [s], >= 0 */
  /** Called at each sample time with the state of that time: reads it and sets parameters with
   *  nsds_ds_set_z() or nsds_relation_set_z(). What functions read otherwise, through `user`,
   *  may be changed too, but time stepping does not know of it: the force at the start of the
   *  next step, which theta < 1 weighs by 1 - theta, is that of before. Returns 0; > 0 or < 0
   *  fails the call in progress. */
  int (*sample)(nsds_simulation *simulation, void *user);
  void *user; /**< passed to sample */
  /** zero, see ::NSDS_RESERVED */
  uint64_t reserved[NSDS_RESERVED];
} nsds_sampler_def;

/**
 * Attaches a sampled controller. A step that would pass a sample time is shortened to end on it,
 * and the next one leads to the next point of the grid; nsds_step_info::h tells. It is called at
 * once if a sample is due at the current time, and then at the end of every step that reaches a
 * sample time, so that what it sets holds for the steps after it. When it fails the step it
 * followed stays accepted, and the sample is taken again at the start of the next call of
 * nsds_step().
 */
NSDS_API nsds_status nsds_simulation_sample(nsds_simulation *simulation,
                                            const nsds_sampler_def *def);

/** Something to happen once at a given time. */
typedef struct nsds_event_def {
  const char *name; /**< for messages; copied; may be NULL */
  double time;      /**< when [s], not before the current time */
  /** Called with the state of that time; may set states and parameters, connect and disconnect, add
   *  events. Returns 0; > 0 or < 0 fails the call in progress, and the event stays due. NULL: a step
   *  ends there, and nothing is called; for times at which forces or coefficients jump. */
  int (*call)(nsds_simulation *simulation, void *user);
  void *user; /**< passed to call */
  /** zero, see ::NSDS_RESERVED */
  uint64_t reserved[NSDS_RESERVED];
} nsds_event_def;

/**
 * Adds an event; a step ends on it. Events and samples of one time, however it was computed, happen
 * in the order in which they were added. One at the current time is called by the next step.
 */
NSDS_API nsds_status nsds_simulation_at(nsds_simulation *simulation, const nsds_event_def *def);

/** Name of a simulation, or "". */
NSDS_API const char *nsds_simulation_name(const nsds_simulation *simulation);
/** Names a simulation in messages: at most 47 bytes, copied; NULL: none. */
NSDS_API nsds_status nsds_simulation_set_name(nsds_simulation *simulation, const char *name);
/** The pointer that nsds_simulation_set_user() has put on a simulation; NULL: none. */
NSDS_API void *nsds_simulation_user(const nsds_simulation *simulation);
/** Puts a pointer of the program's on a simulation; the library does not read or free it. */
NSDS_API nsds_status nsds_simulation_set_user(nsds_simulation *simulation, void *user);
/** Current time [s]. */
NSDS_API double nsds_time(const nsds_simulation *simulation);

/** Number of accepted steps. */
NSDS_API long nsds_step_count(const nsds_simulation *simulation);

/** Moves the end of the simulated interval; t1 must not lie before the current time. */
NSDS_API nsds_status nsds_simulation_set_end(nsds_simulation *simulation, double t1);

/** Changes the step from now on; a new grid starts here. NSDS_ERROR_VALUE where a sampling period
 *  would be shorter than h / 2^20. */
NSDS_API nsds_status nsds_simulation_set_h(nsds_simulation *simulation, double h);

/** Replaces the solver by another row of the table, with default options and this tolerance (0:
 *  the present one). */
NSDS_API nsds_status nsds_simulation_set_solver(nsds_simulation *simulation, const char *name,
                                                double tolerance);

/** The solver instance in use, for nsds_solver_set(). */
NSDS_API nsds_solver *nsds_simulation_solver(nsds_simulation *simulation);

/** The projection of the last step; zeros where nothing is projected. */
typedef struct nsds_projection_info {
  int iterations;   /**< of Newton's method, in the last pass */
  int passes;       /**< 1; COMBINED: times the step was made with another set of contacts */
  double violation; /**< largest |y| or -y that is left, in the unit of y */
  bool converged;   /**< it is within the tolerance */
} nsds_projection_info;

/** What happened in the last step. */
typedef struct nsds_step_info {
  double t;        /**< time at its end [s] */
  double h;        /**< its size [s] */
  double t_lambda; /**< time of y, lambda and r of first-order and mixed relations [s]: t, but
                              t - (1-gamma) h of the last piece under nsds_full_theta_gamma() */
  int substeps;    /**< 1, or the number of pieces it was cut into */
  int predicted; /**< pieces that were made as by nsds_with_predict_once(): Newton's method failed in
                              the smallest one otherwise */
  int newton_iterations;    /**< iterations of the last piece; 1 for linear models */
  bool newton_converged;    /**< both tests passed */
  double newton_residual;   /**< ||R - H^T P||_2 [N s] (first order: ||R - h r||), 0 for linear
                                 models */
  double newton_residual_y; /**< largest |y - h| over nonlinear first-order relations */
  double newton_residual_r; /**< largest |r - g| over nonlinear first-order relations */
  double newton_increment;  /**< ||v^{k+1} - v^k||_inf of the last iteration */
  int active;               /**< interactions in I1 */
  int rows;                 /**< size n of the one-step problem */
  nsds_solver_info solver;  /**< its last solve; solver.solver is NULL if there was none */
  nsds_projection_info projection; /**< of the last piece */
  double lifted; /**< energy that leading bodies out of overlap has taken in the last piece [J], at
                      most what contacts have dissipated in it; negative where they sank */
  nsds_status
      snapshot; /**< of the snapshot that nsds_snapshot_every() asks for after the step; NSDS_OK
                             also where none was due */
} nsds_step_info;

/** How far the projection of the last step has displaced a system: d summed over its iterations, nv
 *  entries. NULL without projection, before the first step, and for systems of first order. */
NSDS_API const double *nsds_simulation_displacement(const nsds_simulation *simulation,
                                                    const nsds_ds *ds);

/** Report of the last step; never NULL for a valid simulation. */
NSDS_API const nsds_step_info *nsds_simulation_info(const nsds_simulation *simulation);

#ifdef __cplusplus
}
#endif
#endif
