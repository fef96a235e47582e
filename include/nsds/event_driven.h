/**
 * @file event_driven.h
 * @brief Event-driven simulation: smooth motion between exactly located events.
 *
 * Between events closed contacts stay closed and open ones open, and the motion is that of an
 * ordinary differential equation,
 *
 *     M(q) dv/dt = F(t,q,v) + H^T lambda,   d^2y/dt^2 = 0 on I2,   lambda = 0 elsewhere
 *     dx/dt = f(t,x) + B lambda             (first order)
 *
 * with I1 = {y = 0} and I2 = {y = 0, dy/dt = 0}. It is integrated with error control until a gap
 * closes or a force vanishes, which is located on the dense output. There the impacts of I1 are
 * solved in one problem,
 *
 *     M (v+ - v-) = H^T P,   0 <= dy/dt+ + e dy/dt-  perpendicular to  P >= 0,
 *
 * then the problem of accelerations, 0 <= d^2y/dt^2 perpendicular to lambda >= 0 on I2, which says
 * which contacts go on and which open. Impacts of several contacts may go by Poisson's law or by a
 * distributing one instead (nsds/law.h). Relays and first-order systems have modes likewise: at a
 * bound, or sliding where y (of second order: dy/dt) stays zero, the solution in the sense of
 * Filippov. Contacts with Coulomb friction stick, or slide with lambda_T = -mu lambda_N s_T /
 * |s_T|, s_T the slip velocity.
 *
 * Time stepping (nsds/simulation.h) advances through any number of events in a step, without
 * locating them; event-driven simulation is for few events that have to be exact.
 * Source: V. Acary, B. Brogliato, Numerical Methods for Nonsmooth Dynamical Systems, Springer
 * (2008), ch. 8.
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
  /** Events at t0 + k output_period, for output [s], > 0: nsds_step() stops there too. They are read
   *  from the dense output and do not end the steps of the integration. Default: none */
  double output_period;
  /** "auto", the default: explicit steps, and implicit ones while stability would bound the explicit
   *  ones (up to 400 states). "dormand_prince": explicit steps only. "esdirk": implicit steps only, for
   *  stiff systems. Builds with SUNDIALS also have "arkode" and "cvode" (long smooth stretches). */
  const char *integrator;
  double relative_tolerance; /**< of the error of a step of integration, > 0; default 1e-9 */
  double absolute_tolerance; /**< likewise, in the units of q, v, x, > 0; default 1e-11 */
  double largest_step;       /**< of integration [s]; default: no limit */
  double root_tolerance;     /**< of the time of an event, relative to it; default: rounding */
  int root_panels; /**< parts in which a step is searched for events, > 0; default 1, with which no event
                        is missed where gaps are affine in the state */
  /** A contact whose next flight is shorter than this fraction of the longest of its series, the
   *  flights shrinking geometrically, is taken to its limit: it closes. > 0, at most 1; default 1e-8;
   *  NSDS_ACCUMULATE_NEVER: none is */
  double accumulation;
  int max_events; /**< nonsmooth events within output_period, or (t1 - t0) / 4096 where that is not given, > 0, beyond
                       which nsds_step() fails, or takes a window; default 100000 */
  /** Where events crowd (max_events, or 100 at one instant), the problem of an event is not solved,
   *  a row at rest is of relative degree 2 or more, or no step of the integration is small enough,
   *  a window of this length is passed by time stepping from the last event on, not beyond
   *  the next time of the clock [s]. Default: none, nsds_step() fails there. See
   *  nsds_event_window() */
  double window;
  int window_steps;   /**< steps of a window, > 0; default 100 */
  long max_steps;     /**< of integration from one event to the next, > 0; default 1000000 */
  const char *solver; /**< of the problems at events; default "auto" */
  double tolerance;   /**< certified scale-free residual, > 0; default 1e-10 */
  /** zero, see ::NSDS_RESERVED */
  uint64_t reserved[NSDS_RESERVED];
} nsds_event_driven_def;

/**
 * Creates an event-driven simulation of a model. nsds_step() goes to the next event and through it,
 * nsds_run() to the end; samplers, user events, saved states and the rest of nsds/simulation.h are
 * those of any simulation. nsds_impulse() is that of the event just made, zero at a time of the
 * grid; nsds_lambda() is lambda at the current time.
 *
 * Laws: nsds_newton_impact(), nsds_poisson_impact(), nsds_distributing_impact(),
 * nsds_newton_impact_friction(), nsds_fremond_impact_friction(), nsds_complementarity(),
 * nsds_equality(), nsds_relay(), and between first-order systems nsds_saturation(). Contacts that
 * act on each other in an impact share one of the laws of impact, distributing ones their
 * exponent: another fails the event with NSDS_ERROR_UNSUPPORTED, which names both contacts.
 * nsds_equality() goes with all of them, nsds_complementarity() with those of Newton and Poisson,
 * as e = 0. Rejected with NSDS_ERROR_UNSUPPORTED, by name: other laws that couple rows, compliant
 * relations, contact sets whose contacts cannot be followed (geometries without
 * nsds_geometry_ops::output; of nsds_shapes() pairs named there, when they meet), integrators of a
 * user's own, first-order relations that are not affine in x and lambda.
 *
 * Errors as nsds_time_stepping().
 */
NSDS_API nsds_simulation *nsds_event_driven(nsds_model *model, const nsds_event_driven_def *def);

/** What an event was, in bits. */
typedef enum nsds_event_kind {
  NSDS_EVENT_GRID = 1,          /**< a time of the grid */
  NSDS_EVENT_SCHEDULED = 2,     /**< a sampler or user event was due */
  NSDS_EVENT_NONSMOOTH = 4,     /**< a gap closed, a contact opened, a relay switched */
  NSDS_EVENT_IMPACT = 8,        /**< velocities jumped */
  NSDS_EVENT_ACCUMULATION = 16, /**< a series of impacts was taken to its limit */
  NSDS_EVENT_END = 32,          /**< the end t1 */
  NSDS_EVENT_WINDOW = 64,       /**< the end of a window of time stepping, in which events were not
                                     located */
  NSDS_EVENT_SEARCH = 128       /**< bodies have come so far that contact sets search anew */
} nsds_event_kind;

/** What happened to one row of an interaction, or of a contact found, at an event. */
typedef struct nsds_event_row {
  nsds_interaction *interaction; /**< its interaction; NULL: of a contact of a set */
  nsds_contact_set *set;         /**< the set; NULL: of an interaction */
  uint64_t key;                  /**< of the contact in the set */
  int row;                       /**< row of the interaction or the contact */
  bool closed_before;            /**< whether y = 0 was kept (relay: it slid or stuck) before */
  bool closed_after;             /**< and is after the event */
  double ydot_before;            /**< dy/dt before; first order: y [m/s] */
  double ydot_after;             /**< and after the event [m/s] */
  double impulse;                /**< P [N s]; M (v+ - v-) = H^T P also where a series of impacts
                                      was taken to its limit, v+ being 0 at the contact */
  double limit_time;             /**< of a series of impacts taken to its limit [s]; else NaN */
} nsds_event_row;

/** The last event. */
typedef struct nsds_event_info {
  unsigned kind;             /**< bits of ::nsds_event_kind; 0 before the first */
  double t;                  /**< when [s] */
  double previous;           /**< time of the event before; NaN: there was none [s] */
  int count;                 /**< rows to which something happened */
  const nsds_event_row *row; /**< these; valid until the next event */
  int undecided; /**< rows whose force and acceleration both vanished: they stay closed, or open
                      where their force came to zero */
  double kinetic_before; /**< kinetic energy of second-order systems before a nonsmooth event [J];
                              NaN where the last was none */
  double kinetic_after;  /**< and after it [J] */
  bool stiff; /**< the integrator's steps are explicit and bounded by stability: "esdirk" would take
                   longer ones. "auto" takes these by itself, up to 400 states */
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
 * nsds_step() does both. In between nsds_time() and the report's t and previous are those of the event;
 * its kind and rows come with processing. nsds_step_reject() gives the event up: the model, the time
 * and the report's times are as before nsds_event_meet(). A half that fails leaves the model as it was
 * before the half; failed processing can be repeated (after another choice of solver) or be given up.
 * A start that is an impact itself is met at its own time, with the state before the impact.
 * @{
 */
/** Whether the end has not been reached. */
NSDS_API bool nsds_event_ahead(const nsds_simulation *simulation);
/** Time of the next event that is known [s]: of the grid, a sampler, a user event or the end; what
 *  happens before is found on the way there. NaN at the end, and where the simulation is not
 *  event-driven. */
NSDS_API double nsds_event_next(const nsds_simulation *simulation);
/** To the next event. NSDS_END at the end. */
NSDS_API nsds_status nsds_event_meet(nsds_simulation *simulation);
/** Through it; calls samplers and user events due then. */
NSDS_API nsds_status nsds_event_process(nsds_simulation *simulation);
/** @} */

/**
 * Passes a stretch of time by time stepping, Moreau-Jean with theta = 1/2 and Euler-Moreau, as
 * nsds_time_stepping() does: where contacts chatter, or impacts come too close to each other for
 * each to matter. Ends at the next time of the grid, sampler, user event or the end where that
 * comes first; events due then are called. Contacts that carry a load at the end of the window are
 * closed from there on, with what is left of their gaps returned to zero; impacts in it are those
 * of the law over a step, not located, and nsds_impulse() is the sum over the window. The report
 * has NSDS_EVENT_WINDOW and no rows.
 * @param simulation event-driven
 * @param length of the window [s], > 0
 * @param steps  in it, >= 1; the errors are of order length / steps
 * Errors: NSDS_ERROR_VALUE, _SIZE; those of a time-stepping step, which leave the model as it was
 * before the window.
 */
NSDS_API nsds_status nsds_event_window(nsds_simulation *simulation, double length, int steps);

/** Report of the last event; NULL where the simulation is not event-driven. */
NSDS_API const nsds_event_info *nsds_simulation_event(const nsds_simulation *simulation);

#ifdef __cplusplus
}
#endif
#endif
