/**
 * @file event_driven.h
 * @brief Event-driven simulation: smooth motion between exactly located events.
 *
 * Between events closed contacts stay closed and open contacts stay open. The motion is then that
 * of an ordinary differential equation,
 *
 *     M(q) dv/dt = F(t,q,v) + H^T lambda,   d^2y/dt^2 = 0 on I2,   lambda = 0 elsewhere
 *     dx/dt = f(t,x) + B lambda             (first order)
 *
 * with I1 = {y = 0} and I2 = {y = 0, dy/dt = 0}. This equation is integrated with error control
 * until a gap closes or a force vanishes. The dense output locates this event. At the event the
 * impacts of I1 are solved in one problem,
 *
 *     M (v+ - v-) = H^T P,   0 <= dy/dt+ + e dy/dt-  perpendicular to  P >= 0,
 *
 * then the problem of accelerations, 0 <= d^2y/dt^2 perpendicular to lambda >= 0 on I2. The
 * solution shows which contacts stay closed. For impacts of several contacts you may choose
 * Poisson's law or the distributing law (nsds/law.h).
 *
 * Relays and first-order systems have modes too: at a bound, or sliding. While a row slides, y
 * stays zero (dy/dt for second-order systems). This is the solution in the sense of Filippov.
 * Contacts with Coulomb friction stick, or slide with lambda_T = -mu lambda_N s_T / |s_T|, s_T the
 * slip velocity.
 *
 * Use event-driven simulation for few events that must be exact. Time stepping (nsds/simulation.h)
 * advances through any number of events in a step, without locating them. Source: V. Acary, B.
 * Brogliato, Numerical Methods for Nonsmooth Dynamical Systems, Springer (2008), ch. 8.
 */
#ifndef NSDS_EVENT_DRIVEN_H
#define NSDS_EVENT_DRIVEN_H

#include <nsds/contact.h>
#include <nsds/simulation.h>

#ifdef __cplusplus
extern "C" {
#endif

/** For nsds_event_driven_def::accumulation: no series of flights is taken to its limit. */
enum { NSDS_ACCUMULATE_NEVER = -1 };

/** An event-driven simulation. In every field but t0 and t1, zero means the default. */
typedef struct nsds_event_driven_def {
  double t0; /**< start time [s] */
  double t1; /**< end time [s], > t0 */
  /** Adds events for output at t0 + k output_period [s], > 0: nsds_step() stops at these times
   *  too. The dense output gives the state; integration steps do not end at these times.
   *  Default: none */
  double output_period;
  /** "auto", the default: explicit steps, but implicit steps while stability would limit explicit
   *  steps (up to 400 states). "dormand_prince": explicit steps only. "esdirk": implicit steps
   *  only, for stiff systems. Builds with SUNDIALS also have "arkode" and "cvode" (long smooth
   *  stretches). */
  const char *integrator;
  double relative_tolerance; /**< relative tolerance of an integration step, > 0; default 1e-9 */
  double absolute_tolerance; /**< absolute tolerance, in the units of q, v, x, > 0; default 1e-11 */
  double largest_step;       /**< largest step of integration [s]; default: no limit */
  double root_tolerance;     /**< error of the time of an event, relative to the time; default:
                                  rounding */
  int root_panels; /**< parts of a step; each part is searched for events, > 0. The default 1 misses
                        no event if gaps are affine in the state */
  /** A series of flights that shrink geometrically is taken to its limit: the contact closes. This
   *  happens when the next flight is shorter than this fraction of the longest flight of the
   *  series. > 0, at most 1; default 1e-8; NSDS_ACCUMULATE_NEVER: never */
  double accumulation;
  int max_events; /**< largest number of nonsmooth events, > 0, within output_period, or within (t1
                       - t0) / 4096 if no output_period is given. If more occur, nsds_step() fails
                       or takes a window. Default 100000 */
  /** Length of a window of time stepping [s], see nsds_event_window(). The window begins at the
   *  last event, and ends no later than the next time of the clock. Default: no window, nsds_step()
   *  fails. The simulation takes a window if
   *  - events crowd (max_events, or 100 at one instant);
   *  - the problem of an event is not solved;
   *  - a row of relative degree 2 or more is at rest;
   *  - no step of the integration is small enough. */
  double window;
  int window_steps;          /**< steps of a window, > 0; default 100 */
  long max_steps;            /**< largest number of integration steps between events, > 0; default
                           1000000 */
  const char *solver;        /**< solver of the problems at events; default "auto" */
  double tolerance;          /**< certified scale-free residual, > 0; default 1e-10 */
  const char *impact_solver; /**< solver of problems in impulses; default: `solver` */
  int problems; /**< number of problems of an event that nsds_event_problem_at() returns, >= 0;
                     default 0. Each takes 8 n^2 bytes for n rows that act on each other */
  int history;  /**< number of past events that nsds_event_past_at() returns, >= 0; default 0 */
  /** Default NSDS_COORDINATES_MAXIMAL. NSDS_COORDINATES_JOINT: bodies in space that joints of
   *  nsds/tree.h connect move in the coordinates of these joints. The joints have no rows, stay closed
   *  up to rounding, and their forces are known. Contacts, drives, stops and joints that close a loop
   *  are rows over the tree. An evaluation takes O(n) for a tree of n bodies, and O(n) for each row.
   *  States, files and quantities are the same. See docs/bodies.md */
  nsds_coordinates coordinates;
  /** zero, see ::NSDS_RESERVED */
  uint64_t reserved[NSDS_RESERVED - 3];
} nsds_event_driven_def;

/**
 * Creates an event-driven simulation of a model. nsds_step() goes to the next event and processes
 * it. nsds_run() goes to the end. Samplers, user events, saved states and all other calls of
 * nsds/simulation.h work as in any simulation. nsds_impulse() returns the impulse of the last
 * event, or zero at a time of the grid. nsds_lambda() returns lambda at the current time.
 *
 * Laws: nsds_newton_impact(), nsds_poisson_impact(), nsds_distributing_impact(),
 * nsds_newton_impact_friction(), nsds_fremond_impact_friction(), nsds_newton_impact_rolling(),
 * nsds_complementarity(), nsds_equality(), nsds_relay(), nsds_saturation(). Contacts that act on each other in an impact
 * must have the same law of impact; distributing laws must also have the same exponent. Otherwise
 * the event fails with NSDS_ERROR_UNSUPPORTED; the message names both contacts. You may combine
 * nsds_equality() with all these laws, and nsds_complementarity() with the laws of Newton and
 * Poisson, where it acts as e = 0.
 *
 * Relations: all. lambda of compliant relations, mixed relations and springs follows from the state,
 * by Newton's method if the relation is not affine in lambda. A D of impulses acts in impacts only:
 * between events dy/dt is H V.
 *
 * Rejected with NSDS_ERROR_UNSUPPORTED, by name:
 * - nsds_normal_cone(), your own integrators;
 * - compliance of tangents of friction, because lambda then has a rate of its own;
 * - laws without a bound of the force, at force level, on a gap without compliance: take a law of
 *   impact;
 * - contact sets that cannot be followed: geometries without nsds_geometry_ops::output, and the
 *   pairs of shapes listed at nsds_shapes(), when such a pair meets.
 *
 * Errors as for nsds_time_stepping().
 */
NSDS_API nsds_simulation *nsds_event_driven(nsds_model *model, const nsds_event_driven_def *def);

/** The kind of an event, in bits. */
typedef enum nsds_event_kind {
  NSDS_EVENT_GRID = 1,          /**< a time of the grid */
  NSDS_EVENT_SCHEDULED = 2,     /**< a sampler or user event was due */
  NSDS_EVENT_NONSMOOTH = 4,     /**< a gap closed, a contact opened, a relay switched */
  NSDS_EVENT_IMPACT = 8,        /**< velocities jumped */
  NSDS_EVENT_ACCUMULATION = 16, /**< a series of impacts was taken to its limit */
  NSDS_EVENT_END = 32,          /**< the end t1 */
  NSDS_EVENT_WINDOW = 64,       /**< the end of a window of time stepping, in which events were not
                                     located */
  NSDS_EVENT_SEARCH = 128       /**< bodies have moved so far that contact sets search anew */
} nsds_event_kind;

/** The change of one row of an interaction, or of a contact of a set, at an event. */
typedef struct nsds_event_row {
  nsds_interaction *interaction; /**< the interaction; NULL: the row is of a contact of a set */
  nsds_contact_set *set;         /**< the set; NULL: the row is of an interaction */
  uint64_t key;                  /**< key of the contact in the set */
  int row;                       /**< row of the interaction or the contact */
  bool closed_before;            /**< before the event y = 0 was kept (or the relay slid or
                                      stuck) */
  bool closed_after;             /**< y = 0 is kept after the event */
  double ydot_before;            /**< dy/dt before the event; first order: y [m/s] */
  double ydot_after;             /**< dy/dt after the event [m/s] */
  double impulse;                /**< P [N s], with M (v+ - v-) = H^T P. The same holds for a series
                                      of impacts taken to its limit; then v+ = 0 at the contact */
  double limit_time;             /**< end of a series of impacts taken to its limit [s]; NaN: there
                                      was no such series */
} nsds_event_row;

/** The last event. */
typedef struct nsds_event_info {
  unsigned kind;             /**< bits of ::nsds_event_kind; 0 before the first */
  double t;                  /**< time of the event [s] */
  double previous;           /**< time of the event before; NaN: there was none [s] */
  int count;                 /**< number of rows that changed */
  const nsds_event_row *row; /**< the rows that changed; valid until the next event */
  int undecided; /**< number of rows whose force and acceleration both vanished. Such a row opens if
                      its force came to zero; otherwise it stays closed */
  double kinetic_before; /**< kinetic energy of second-order systems before the event [J]; NaN if
                              the last event was not nonsmooth */
  double kinetic_after;  /**< kinetic energy after the event [J] */
  bool stiff; /**< stability bounds the explicit steps of the integrator; "esdirk" would take longer
                   steps. "auto" changes to such steps by itself, up to 400 states */
  long nonsmooth;   /**< nonsmooth events so far */
  long windows;     /**< windows of time stepping so far */
  long steps;       /**< steps of integration so far */
  long evaluations; /**< evaluations of the right-hand side so far */
} nsds_event_info;

/**
 * @name An event in two halves
 *
 *     while (nsds_event_ahead(s)) {
 *       nsds_event_meet(s);    integrates to the next event; the model has the state before it
 *       nsds_event_process(s); impacts, new modes; the model has the state after it
 *     }
 *
 * nsds_step() does both halves. Between the halves nsds_time() is the time of the event, and the
 * report has its t and previous. The second half adds kind and rows. nsds_step_reject() gives the
 * event up: model and times are again as before nsds_event_meet(). A half that fails leaves the
 * model as it was before the half. If nsds_event_process() fails, call it again (perhaps with
 * another solver), or give the event up. If an impact happens at the start of the simulation,
 * nsds_event_meet() stops at the start time, with the state before the impact.
 * @{
 */
/** False: the end has been reached. */
NSDS_API bool nsds_event_ahead(const nsds_simulation *simulation);
/** Time of the next event that is known in advance [s]: of the grid, a sampler, a user event or the
 *  end. The integration may find events before that time. NaN at the end, and in time stepping. */
NSDS_API double nsds_event_next(const nsds_simulation *simulation);
/** Goes to the next event. NSDS_END at the end. */
NSDS_API nsds_status nsds_event_meet(nsds_simulation *simulation);
/** Processes the event; calls samplers and user events due then. */
NSDS_API nsds_status nsds_event_process(nsds_simulation *simulation);
/** @} */

/**
 * Simulates an interval by time stepping as nsds_time_stepping() does, with Moreau-Jean for theta =
 * 1/2 and Euler-Moreau. Use a window if contacts chatter, or if impacts come too close for each to
 * matter. The window ends earlier if a time of the grid, a sampler, a user event or the end of the
 * simulation comes first. Samplers and user events due then are called.
 *
 * Impacts in the window obey the law over a step and are not located. nsds_impulse() is the sum
 * over the window. Contacts that carry a load at the end of the window then count as closed; their
 * remaining gaps are returned to zero. The report has NSDS_EVENT_WINDOW and no rows.
 * @param simulation event-driven
 * @param length of the window [s], > 0
 * @param steps  in the window, >= 1; the errors are of order length / steps
 *
 * Errors: NSDS_ERROR_VALUE, _SIZE. The errors of a time-stepping step leave the model as it was
 * before the window.
 */
NSDS_API nsds_status nsds_event_window(nsds_simulation *simulation, double length, int steps);

/** Report of the last event; NULL in time stepping. */
NSDS_API const nsds_event_info *nsds_simulation_event(const nsds_simulation *simulation);

/**
 * @name Problems of an event
 *
 * An event has two kinds of problem w = M z + q. Read them, write them with nsds_problem_write(),
 * or solve them by a solver of your own with nsds_solve(). All pointers are lent until the next
 * step or change of the model.
 *
 * - Problems in impulses: z is P [N s], w is dy/dt after the impact, with the restitution of the
 *   law [m/s].
 * - Problems in forces: z is lambda [N], w is d^2y/dt^2 [m/s^2]; relay: w is the first derivative
 *   of the slip speed; first order: w is dy/dt.
 *
 * Contacts that share no system have separate problems. An impact may take several passes.
 * @{
 */
/**
 * The last problem in impulses [N s] of the last nonsmooth event, even if problems in forces came
 * later. nsds_simulation_problem() gives only the last problem of an event.
 *
 * @return NULL: the event had no impact, a law distributed the impulses, the last step was a window,
 *         or the simulation is not event-driven
 */
NSDS_API const nsds_problem *nsds_event_impact_problem(const nsds_simulation *simulation);
/** The best z that the solver found for the problem of nsds_event_impact_problem(): n entries. */
NSDS_API const double *nsds_event_impact_solution(const nsds_simulation *simulation);
/** The last problem in forces [N] of the last nonsmooth event, even if problems in impulses came
 *  later. NULL: there was none, see nsds_event_impact_problem(). */
NSDS_API const nsds_problem *nsds_event_force_problem(const nsds_simulation *simulation);
/** The best z that the solver found for the problem of nsds_event_force_problem(): n entries. */
NSDS_API const double *nsds_event_force_solution(const nsds_simulation *simulation);

/** The kind of a problem of an event. */
typedef enum nsds_event_level {
  NSDS_EVENT_IMPULSES = 1, /**< z: impulses, w: dy/dt */
  NSDS_EVENT_FORCES = 2    /**< z: forces, w: d^2y/dt^2 */
} nsds_event_level;

/** A row of an interaction, or of a contact of a set. */
typedef struct nsds_event_place {
  nsds_interaction *interaction; /**< the interaction; NULL: the row is of a contact of a set */
  nsds_contact_set *set;         /**< the set; NULL: the row is of an interaction */
  uint64_t key;                  /**< key of the contact in the set */
  int row;                       /**< row of the interaction or the contact */
} nsds_event_place;

/** A problem of the last event. */
typedef struct nsds_event_problem_info {
  nsds_event_level level;        /**< its unknowns */
  const nsds_problem *problem;   /**< the problem, problem->n rows */
  const double *z;               /**< the best z that the solver found, n */
  const nsds_event_place *place; /**< the row of the model behind each row, n */
} nsds_event_problem_info;

/** Number of problems of the last nonsmooth event, in all passes. 0: as for
 *  nsds_event_impact_problem(). */
NSDS_API int nsds_event_problem_count(const nsds_simulation *simulation);
/**
 * Problem k of the last nonsmooth event, in the order in which they were solved.
 * @param simulation event-driven
 * @param k    0 .. nsds_event_problem_count() - 1, below nsds_event_driven_def::problems
 * @param info receives the problem
 *
 * Errors: NSDS_ERROR_ARGUMENT.
 */
NSDS_API nsds_status nsds_event_problem_at(const nsds_simulation *simulation, int k,
                                           nsds_event_problem_info *info);

/** Gives problems in impulses a solver of their own, with default options and this tolerance (0:
 *  the present tolerance). NULL: again the solver of the simulation. Errors as for
 *  nsds_simulation_set_solver(). */
NSDS_API nsds_status nsds_event_set_impact_solver(nsds_simulation *simulation, const char *name,
                                                  double tolerance);
/** The solver of problems in impulses, for nsds_solver_set(). Without one of their own this is
 *  nsds_simulation_solver(). NULL in time stepping. */
NSDS_API nsds_solver *nsds_event_impact_solver(nsds_simulation *simulation);
/** @} */

/**
 * @name Rows between events
 *
 * The index sets of a row: I0 has all rows; I1 the rows with y = 0; I2 the rows with y = 0 and
 * dy/dt = 0, which are kept there until the next event. Each set is part of the one before. A gap
 * counts as zero up to the relative tolerance of the integration times 10.
 * @{
 */
/** A row at the present time. */
typedef struct nsds_event_row_state {
  nsds_event_place place; /**< the row */
  int degree;             /**< derivatives of y until lambda appears: 2 for a gap; 1 for a relay or
                               saturation on dy/dt, 1 or 0 in first order; 0 with compliance */
  int index_set;  /**< the last of I0, I1, I2 that has the row. First order: 1 if y = 0 is kept.
                      Tangents: that of their contact */
  bool closed;    /**< the row is kept at zero. Tangent: it sticks */
  double y;       /**< y */
  double ydot;    /**< dy/dt */
  double yddot;   /**< d^2y/dt^2 by the present forces; NaN: degree 0, or first order */
  double impulse; /**< P of the last event [N s], zero at other times; in the equation of motion
                       p(1) = H^T P */
  double lambda;  /**< lambda [N] now; p(2) = H^T lambda */
} nsds_event_row_state;

/** Number of rows: all rows of interactions but the joints of a tree in joint coordinates, then those of
 *  found contacts. 0 in time stepping. */
NSDS_API int nsds_event_row_count(const nsds_simulation *simulation);
/**
 * Row k at the present time: between events, after an event, or between its halves.
 *
 * Evaluates functions of the model.
 * @param simulation event-driven
 * @param k     0 .. nsds_event_row_count() - 1
 * @param state receives the values
 *
 * Errors: NSDS_ERROR_ARGUMENT; errors of these functions. NSDS_ERROR_STATE, if
 * - there was no step yet,
 * - the last step failed or was a window,
 * - the model has changed since,
 * - an impact at the start has been met and not processed yet.
 */
NSDS_API nsds_status nsds_event_row_at(nsds_simulation *simulation, int k,
                                       nsds_event_row_state *state);
/**
 * The generalized force p(2) = H^T lambda of all rows on a system [N], nsds_nv() entries, at the
 * present time. First order: the input r. nsds_p() is p(1).
 *
 * Errors as for nsds_event_row_at().
 */
NSDS_API nsds_status nsds_event_force(nsds_simulation *simulation, const nsds_ds *ds, double *p);
/** @} */

/** A past event. */
typedef struct nsds_event_record {
  unsigned kind; /**< bits of ::nsds_event_kind */
  double t;      /**< time [s] */
  int count;     /**< number of rows that changed */
} nsds_event_record;

/** Number of past events that nsds_event_past_at() returns. Events after a saved state or snapshot
 *  are dropped when the run returns to it. */
NSDS_API int nsds_event_past_count(const nsds_simulation *simulation);
/**
 * Past event k; k = 0 is the last one. nsds_simulation_scheduled_at() has the events to come.
 * @param simulation event-driven
 * @param k      0 .. nsds_event_past_count() - 1
 * @param record receives the event
 *
 * Errors: NSDS_ERROR_ARGUMENT.
 */
NSDS_API nsds_status nsds_event_past_at(const nsds_simulation *simulation, int k,
                                        nsds_event_record *record);

#ifdef __cplusplus
}
#endif
#endif
