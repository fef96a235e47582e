/**
 * @file adaptive.h
 * @brief Adaptive simulation: steps of order 2 whose length follows their error.
 *
 * For circuits, controllers, relays, tanks and gene networks, and mechanisms that these drive:
 *
 *     M dx/dt = f(t,x) + r                              first-order systems
 *     M(q) dv/dt = F(t,q,v) + p,   dq/dt = T(q) v       second-order systems
 *
 * f may be stiff. M of first-order systems may be singular of index 1: unknowns without a derivative,
 * such as potentials. Laws are bounds on lambda, row by row: nsds_complementarity(),
 * nsds_equality(), nsds_relay(), nsds_saturation().
 *
 * A step is two implicit stages (SDIRK2, L-stable, order 2). All rows keep their mode in it: lambda
 * at a bound, or between its bounds with y = 0. A mode that ends within the step shortens the step
 * to that time. Two very short steps by the laws then take jumps, and find the new modes.
 *
 * Second-order systems: error control is on q and v, relative to the largest entry of each system so
 * far. Relations between them are compliant, with laws
 * of bounds, or rigid: joints by nsds_equality(), stops by nsds_newton_impact() and
 * nsds_complementarity(). Joints and closed stops are held at dy/dt = 0, and y is led back to zero
 * behind each step. The time at which a gap closes is located. Velocities then jump by Newton's law,
 * in one problem for all closed gaps. A flight shorter than `settling` ends at rest.
 *
 * Use adaptive simulation where time constants differ by orders of magnitude, where M is singular,
 * or where switches act. Event-driven simulation (nsds/event_driven.h) is more exact for few events
 * of systems that are not stiff, and has friction. Time stepping (nsds/simulation.h) has steps of equal length.
 * Source: R. Alexander, Diagonally implicit Runge-Kutta methods for stiff O.D.E.'s, SIAM J. Numer.
 * Anal. 14 (1977) 1006-1021.
 */
#ifndef NSDS_ADAPTIVE_H
#define NSDS_ADAPTIVE_H

#include <nsds/simulation.h>

#ifdef __cplusplus
extern "C" {
#endif

/** For nsds_adaptive_def::tolerance: steps do not follow their error. */
#define NSDS_EQUAL_STEPS (-1.0)

/** The solution at one time, lent during a call. */
typedef struct nsds_adaptive_view {
  double t;             /**< time [s], between the corners around it */
  const double *x;      /**< states of all systems, in the order of creation; of second order: v */
  const double *lambda; /**< of all interactions, in the order of connection */
  const double *q;      /**< coordinates of all second-order systems; NULL: there are none */
} nsds_adaptive_view;

/** Returns how far switch k is from being moved, in any unit. While the value is >= 0, the switch
 *  stays on, or off. INFINITY: nothing moves the switch. */
typedef double (*nsds_switch_margin)(const nsds_adaptive_view *at, int k, bool on, void *user);

/** An adaptive simulation. In every field but t0 and t1, zero means the default. */
typedef struct nsds_adaptive_def {
  double t0; /**< start time [s] */
  double t1; /**< end time [s], > t0 */
  /** nsds_step() goes to the next time t0 + k output_period [s], > 0, by as many steps as the error
   *  asks for. Default: nsds_step() takes one step */
  double output_period;
  double largest_step; /**< [s], > 0; default: output_period, at most (t1 - t0) / 50 */
  double tolerance;    /**< error of a step in M x, relative to the largest value so far, > 0;
                            default 1e-4. ::NSDS_EQUAL_STEPS: all steps are as long as possible */
  double settling;     /**< length of the two steps behind an event [s], > 0, at most largest_step;
                            default 1e-4 largest_step */
  const double *
      size; /**< sizes of the states (second order: v) of all systems, in the order of creation, each
                            >= 0: errors are compared with at least |M| times these. NULL: with
                            the largest values so far; copied. Ignored once systems come or go */
  /** Returns the first time after t at which f, a relation or a derivative of these jumps [s], or
   *  HUGE_VAL. A step ends at this time, and the next step begins there. NULL: no such times */
  double (*next_corner)(double t, void *user);
  int nswitch; /**< number of switches, >= 0 */
  /** nswitch interactions, each once. A switch that is on leaves its interaction to the law. While
   *  the switch is off, lambda stays within the bounds below. Once its interaction is disconnected,
   *  a switch is off and is not asked for its margin. Copied */
  nsds_interaction *const *switched;
  const double *off_lower;   /**< nswitch lower bounds while off; NULL: zeros; copied */
  const double *off_upper;   /**< nswitch upper bounds while off; NULL: zeros; copied */
  nsds_switch_margin margin; /**< moves the switches; needed if nswitch > 0 */
  void *user;                /**< passed to all functions of this definition */
  bool by_laws;              /**< events are not located: a step in which a mode ends is made
                                  by the laws, with order 1, shorter where its error is too large.
                                  For very many modes */
  const char *solver;        /**< solver of the steps by the laws; default "auto" */
  double solver_tolerance;   /**< certified scale-free residual, > 0; default 1e-10 */
  const bool *on;            /**< nswitch: switches that are on before their margins move them for
                                  the first time; NULL: none; copied */
  /** Called with each step before it is accepted; nsds_adaptive_stages() lends its stages, nsds_time()
   *  is that of its start. On a status other than NSDS_OK the step fails with it. NULL: no call */
  nsds_status (*after_step)(nsds_simulation *simulation, void *user);
  int nkept; /**< numbers of your program that saved states and snapshots hold, >= 0 */
  /** Writes these numbers; or takes them `back`. Needed if nkept > 0 */
  void (*keep)(double *numbers, bool back, void *user);
  /** zero, see ::NSDS_RESERVED */
  uint64_t reserved[NSDS_RESERVED];
} nsds_adaptive_def;

/** Counters of an adaptive simulation. */
typedef struct nsds_adaptive_info {
  long steps;    /**< accepted steps, those that settle included */
  long rejected; /**< steps made again: error too large, no solution, or a mode ended within */
  long events;   /**< times located at which a mode ended */
  long settled;  /**< pairs of steps by the laws, behind events and corners */
  int moved;     /**< the switch that was moved last; -1: none */
  double event;  /**< time of the last event [s]; NaN: none */
} nsds_adaptive_info;

/**
 * Creates an adaptive simulation of a model. Samplers, user events, saved
 * states and all other calls of nsds/simulation.h work as in any simulation. nsds_lambda() and
 * nsds_y() return values at the current time.
 *
 * nsds_impulse() between second-order systems is the impulse of the last nsds_step(), of impacts and
 * of lambda.
 *
 * Rejected with NSDS_ERROR_UNSUPPORTED, by name: contact sets, laws that couple rows such as friction,
 * prescribed velocities. First-order systems may not have an M of time, nor an f of dx/dt. Systems
 * may not have an integrator of your own, or a scheme or step ratio of their own
 * (nsds_ds_discretise()). Between second-order systems joints that count turns are rejected, and
 * rules of impact other than Newton's. There nsds_relay() and nsds_saturation() need a compliant
 * relation, nsds_newton_impact() a rigid one. Errors as for nsds_time_stepping().
 *
 * nsds_simulation_set_h() changes output_period, and is refused without one. largest_step stays.
 * nsds_simulation_set_solver() chooses the solver of the steps by the laws. nsds_is_active() is true
 * for all interactions from the first step on.
 */
NSDS_API nsds_simulation *nsds_adaptive(nsds_model *model, const nsds_adaptive_def *def);

/**
 * Brings the model to rest: takes the state after one implicit step of this length by the laws, with
 * functions of time at t. Switches are moved until they stand still. The time of the simulation
 * stays. With a length far beyond all time constants dx/dt vanishes, as at the operating point of a
 * circuit.
 * @param simulation an adaptive simulation, between steps; usually before the first step
 * @param t          time that functions are evaluated at [s]
 * @param length     [s], > 0
 * @return NSDS_OK; NSDS_ERROR_NEWTON, NSDS_ERROR_SINGULAR, NSDS_ERROR_SOLVER: there is no rest, or it
 *         was not found; NSDS_ERROR_VALUE: an argument, or a switch that is moved without end;
 *         NSDS_ERROR_UNSUPPORTED: the simulation is not adaptive, or its model has second-order systems;
 *         NSDS_ERROR_STATE within a step. On an error nothing has changed
 */
NSDS_API nsds_status nsds_adaptive_rest(nsds_simulation *simulation, double t, double length);

/** Sets nsds_adaptive_def::size for the next steps.
 * @param simulation an adaptive simulation, between steps
 * @param size       sizes of the states of all systems, copied; NULL: none
 * @return NSDS_OK; NSDS_ERROR_MEMORY; NSDS_ERROR_VALUE: a size is negative or NaN;
 *         NSDS_ERROR_UNSUPPORTED: the simulation is not adaptive; NSDS_ERROR_STATE within a step */
NSDS_API nsds_status nsds_adaptive_set_size(nsds_simulation *simulation, const double *size);

/** A time at which the last step has solved the equations. */
typedef struct nsds_adaptive_stage {
  double t;             /**< [s] */
  double weight;        /**< share of the step: the integral of a value over the step is the sum of
                             weight * value * length */
  const double *x;      /**< states of all systems; of second order: v */
  const double *rate;   /**< dx/dt; meaningless for unknowns without a derivative */
  const double *lambda; /**< of all rows */
  const double
      *y; /**< of all rows; y + compliance * lambda for nsds_saturation(); of gaps and joints
                             dy/dt */
  const double *q; /**< coordinates of all second-order systems; NULL: there are none */
} nsds_adaptive_stage;

/**
 * Lends the stages of the last step until the next call. A step of order 2 and a pair of steps that
 * settle have two stages; a step by the laws has one. With output_period this is the last step
 * before the time of the grid.
 * @param simulation an adaptive simulation
 * @param stage      room for two stages
 * @return the number of stages; 0: no step yet, or the simulation is not adaptive
 */
NSDS_API int nsds_adaptive_stages(const nsds_simulation *simulation, nsds_adaptive_stage stage[2]);

/** Returns true if switch k is on; false also if there is no switch k. */
NSDS_API bool nsds_adaptive_is_on(const nsds_simulation *simulation, int k);

/** Returns the counters; NULL if the simulation is not adaptive. */
NSDS_API const nsds_adaptive_info *nsds_simulation_adaptive(const nsds_simulation *simulation);

#ifdef __cplusplus
}
#endif
#endif
