/**
 * @file scheme.h
 * @brief Schemes of time stepping: how a step discretizes systems.
 *
 * A function makes a scheme and takes the parameters that the scheme has. You give the scheme to a
 * simulation, for all systems of its order, or to one system:
 *
 *     nsds_time_stepping(model,
 *                        &(nsds_time_stepping_def){.t1 = 10.0, .h = 0.005,
 *                                                  .second_order = nsds_moreau_jean(0.5, 1.0)});
 *     nsds_ds_discretise(ds, nsds_with_step_ratio(nsds_moreau_jean(0.5, 1.0), 8));
 *
 * An option is a function that takes a scheme and returns the scheme with the option. Zero is a
 * value like any other: nsds_moreau_jean(0.0, 1.0) has theta = 0.
 *
 * These functions never fail. nsds_time_stepping() and nsds_ds_discretise() check the scheme and
 * name the field and the function in the message. A parameter out of range is NSDS_ERROR_VALUE. A
 * scheme of the other order, an option that the scheme does not have, and values without a scheme
 * are NSDS_ERROR_ARGUMENT.
 *
 * | scheme | systems | where it serves |
 * |---|---|---|
 * | nsds_moreau_jean() | second order | all models: many contacts, friction, large steps; default |
 * | nsds_schatzman_paoli() | second order | linear systems whose gaps must not go below zero |
 * | nsds_d1_minus() | second order | smooth motion and lasting contact with order 2 |
 * | nsds_rattle() | second order | linkages, rolling, friction, tops: order 2, no drift of gaps or energy |
 * | nsds_euler_moreau() | first order | all models; the default |
 * | nsds_theta_gamma() | first order | laws whose lambda is smooth, with order 2 |
 * | nsds_full_theta_gamma() | first order | order 2 and exact energy; laws hold within the step |
 * | nsds_zero_order_hold() | first order | linear time-invariant plants under sampled control |
 *
 * docs/theory.md derives the schemes, docs/orders.md has their measured orders.
 */
#ifndef NSDS_SCHEME_H
#define NSDS_SCHEME_H

#include <nsds/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The schemes. */
typedef enum nsds_scheme_kind {
  NSDS_SCHEME_UNSAID = 0,    /**< none given: the default, or the scheme of the simulation */
  NSDS_EULER_MOREAU = 1,     /**< nsds_euler_moreau() */
  NSDS_THETA_GAMMA = 2,      /**< nsds_theta_gamma() */
  NSDS_FULL_THETA_GAMMA = 3, /**< nsds_full_theta_gamma() */
  NSDS_ZERO_ORDER_HOLD = 4,  /**< nsds_zero_order_hold() */
  NSDS_MOREAU_JEAN = 5,      /**< nsds_moreau_jean() */
  NSDS_SCHATZMAN_PAOLI = 6,  /**< nsds_schatzman_paoli() */
  NSDS_D1_MINUS = 7,         /**< nsds_d1_minus() */
  NSDS_RATTLE = 8            /**< nsds_rattle() */
} nsds_scheme_kind;

/** Options that a scheme was given, in bits. */
typedef enum nsds_scheme_option {
  NSDS_OPTION_GAMMA_MASS = 1,      /**< nsds_with_gamma_mass() */
  NSDS_OPTION_STEP_RATIO = 2,      /**< nsds_with_step_ratio() */
  NSDS_OPTION_INPUT_AT_THETA = 4,  /**< nsds_with_input_at_theta() */
  NSDS_OPTION_F_AT_THETA = 8,      /**< nsds_with_f_at_theta() */
  NSDS_OPTION_INITIAL_LAMBDA = 16, /**< nsds_with_initial_lambda() */
  NSDS_OPTION_PREDICT_ONCE = 32    /**< nsds_with_predict_once() */
} nsds_scheme_option;

/**
 * A scheme with its parameters. You may read the fields; only the functions below write them. All
 * fields zero: no scheme is given.
 */
typedef struct nsds_discretisation {
  nsds_scheme_kind kind; /**< kind of scheme */
  unsigned options;      /**< bits of ::nsds_scheme_option */
  double theta;          /**< 0 if the scheme has none */
  double gamma;          /**< 0 if the scheme has none */
  double gamma_mass;     /**< with NSDS_OPTION_GAMMA_MASS; else 0 */
  int step_ratio;        /**< with NSDS_OPTION_STEP_RATIO; else 0 */
  /** zero, see ::NSDS_RESERVED */
  uint64_t reserved[NSDS_RESERVED];
} nsds_discretisation;

/**
 * @name Schemes of second-order systems
 * @{
 */

/**
 * Moreau-Jean: laws act on velocities. For mechanisms, bodies and contacts of any kind. Impacts are
 * not located. Any number of impacts may fall into one step. Over [t_i, t_i + h]
 *
 *     M(q*)(v_{i+1} - v_i) = h theta F_{i+1} + h (1 - theta) F_i + H^T P
 *     q_{i+1} = q_i + h theta v_{i+1} + h (1 - theta) v_i
 *     q* = q_i + h gamma [(1 - theta) v_i + theta v_{i+1}]
 *     0 <= dy_{i+1}/dt + e dy_i/dt  perpendicular to  P >= 0   on active contacts
 *
 * The test of nsds_activation() decides which contacts are active. A step of a linear system is one
 * linear solve; the factor is kept from step to step. A step of any other system takes Newton's
 * method.
 *
 * Order 1. Motion without impacts has order 2 with theta = 1/2; if M depends on q, also take
 * nsds_with_gamma_mass() with 1/2. The free motion is stable for any h if theta >= 1/2.
 * @param theta weight of the end of the step [1], in [0, 1]. 1/2 keeps energy, 1 damps it, 0 is
 *         explicit
 * @param gamma place in the step at which H of relations, and M, are taken [1], in [0, 1]. With 1,
 *         y = 0 drifts least
 *
 * The default of a simulation is nsds_moreau_jean(0.5, 1.0). Sources: M. Jean, The non-smooth
 * contact dynamics method, CMAME 177 (1999); V. Acary, B. Brogliato, Numerical Methods for
 * Nonsmooth Dynamical Systems, Springer (2008), ch. 10.
 */
NSDS_API nsds_discretisation nsds_moreau_jean(double theta, double gamma);

/**
 * Schatzman-Paoli: laws act on positions. For vibrating linear structures with stops:
 *
 *     M (q_{k+1} - 2 q_k + q_{k-1}) / h^2 + C (q_{k+1} - q_{k-1}) / (2 h)
 *       + K [theta/2 q_{k+1} + (1 - theta) q_k + theta/2 q_{k-1}] = F_k + H^T P_k / h
 *     0 <= [y_{k+1} + e y_{k-1}] / (1 + e)  perpendicular to  P_k >= 0;  y_{k+1} = 0 of equalities
 *
 * The scheme is for systems of nsds_lagrangian_linear() without prescribed velocities. Relations
 * must be affine, with nsds_newton_impact(), nsds_complementarity() or nsds_equality(). Anything
 * else in the model is NSDS_ERROR_UNSUPPORTED.
 *
 * Order 2 for any theta while nothing touches. Stable for any h if theta >= 1/2. For a smaller
 * theta, stable if h omega < 2 / sqrt(1 - 2 theta). With e = 0 no gap is ever below zero. With e >
 * 0 an impact takes two steps. Between these steps a gap may be as low as -2 e h |dy/dt| / (1 + e),
 * and the rebound depends on h. All contacts are in the problem of every step.
 *
 * Do not set a state with a gap below zero, unless the gap was above zero a step before. Otherwise
 * the step fails with NSDS_ERROR_VALUE, because the scheme would throw the system out with the
 * velocity y / h.
 * @param theta weight of q_{k+1} and q_{k-1} in the force K q [1], in [0, 1]
 *
 * Source: L. Paoli, M. Schatzman, A numerical scheme for impact problems, SIAM J. Numer. Anal. 40
 * (2002).
 */
NSDS_API nsds_discretisation nsds_schatzman_paoli(double theta);

/**
 * D1-minus: half-explicit, laws act on velocities, and contact forces are computed apart from
 * impacts. For motions with lasting contacts, if you need their forces with order 2. With a =
 * M(q)^-1 F(t,q,v), a step has three problems:
 *
 *     v* = v_k + h a_k + M_k^-1 H^T P_a,   q_{k+1} = q_k + h/2 (v_k + v*)
 *          0 <= H v*  perpendicular to  P_a >= 0   where y_k <= 0
 *     v- = (v_k + v*) / 2 + h/2 a(t_{k+1}, q_{k+1}, v*) + M_{k+1}^-1 H^T P_b
 *          0 <= H v-  perpendicular to  P_b >= 0   where moreover y_{k+1} <= 0
 *     v_{k+1} = v- + M_{k+1}^-1 H^T P_c
 *          0 <= H v_{k+1} + e H v-  perpendicular to  P_c >= 0   where y_{k+1} <= 0
 *
 * The scheme is for systems without prescribed velocities, linear or not. Relations must be affine,
 * with nsds_newton_impact(), nsds_complementarity() or nsds_equality(). Anything else in the model
 * is NSDS_ERROR_UNSUPPORTED.
 *
 * In free motion and in lasting contact the order is 2, also for lambda; over impacts the order is
 * 1. Without damping the scheme is stable for h omega < 2; damping lowers this bound.
 * nsds_impulse() is P_a / 2 + P_b + P_c of the step. nsds_lambda() is lambda = 2 P_b / h, before
 * the impact at the end of the step. Gaps may stay below zero by up to h |dy/dt|. If forces end a
 * rebound within a step, the contact comes to rest. This may add up to (h a)^2 / 6 to the energy of
 * a unit mass. The options of Newton's method have no effect.
 *
 * Sources: T. Schindler, V. Acary, Timestepping schemes for nonsmooth dynamics based on
 * discontinuous Galerkin methods, Math. Comput. Simul. 95 (2014); T. Schindler, S. Rezaei, J.
 * Kursawe, V. Acary, Half-explicit timestepping schemes on velocity level based on
 * time-discontinuous Galerkin methods, CMAME 290 (2015).
 */
NSDS_API nsds_discretisation nsds_d1_minus(void);

/**
 * Nonsmooth RATTLE: constraints and laws hold for positions and for velocities, with order 2. For
 * linkages, rolling and spinning bodies, and long runs whose energy must not drift. A step has two
 * problems, with the velocity v in the middle of the step:
 *
 *     M(q_k) (v - v_k) = h/2 F(t_k, q_k, v) + H(q_k)^T P',   q_{k+1} = q_k (+) h v
 *         the gap y(q_{k+1}) / h, or the velocity dy/dt(q_m, v) at q_m = q_k (+) h/2 v, and P' are in
 *         the set of the law
 *     M(q_{k+1}) (v_{k+1} - v) = h/2 F(t_{k+1}, q_{k+1}, v) + H(q_{k+1})^T (P - P')
 *         dy/dt(q_{k+1}, v_{k+1}) + e dy/dt(q_k, v_k) and P are in the set of the law, where
 *         y(q_{k+1}) <= 0
 *
 * Gaps of joints and of closed contacts are zero to rounding at the end of every step, and so are
 * their velocities. There is no projection, and none is needed. An iteration solves the first half
 * if the model is not linear; newton.max_iterations of nsds_time_stepping_def bounds it. The
 * order is 2 between changes of contact, also for nsds_lambda(). An impact has an error in its time
 * of up to h. The scheme is explicit in positions: without damping it is stable
 * for h omega < 2. For stiff springs use nsds_moreau_jean().
 *
 * Systems may be linear or not, with prescribed velocities too. Relations and laws must be rigid.
 * Springs of nsds_spring(), and drives and soft stops of joints, are forces F here, within their law:
 * y = 0, complementarity or a relay. For these, nsds_lambda() is the mean of both halves. Iterations
 * converge if h d / 2 is less than the mass at a damper. Contact sets must follow their contacts as
 * in event-driven simulation (nsds/shapes.h says which pairs). Systems of first order, compliant
 * relations and laws and your own integrators are NSDS_ERROR_UNSUPPORTED.
 *
 * nsds_impulse() is P of the step, and nsds_lambda() is P / h.
 *
 * Source: J. Breuling, G. Capobianco, S. R. Eugster, R. I. Leine, A nonsmooth RATTLE algorithm for
 * mechanical systems with frictional unilateral constraints, Nonlinear Analysis: Hybrid Systems
 * (2024).
 */
NSDS_API nsds_discretisation nsds_rattle(void);

/** @} */

/**
 * @name Schemes of first-order systems
 *
 * The scheme chooses rho and sigma. With x_s = sigma x_{k+1} + (1 - sigma) x_k and t_s = t_k +
 * sigma h
 *
 *     M (x_{k+1} - x_k) = h theta f_{k+1} + h (1-theta) f_k + h [rho r_{k+1} + (1-rho) r_k]
 *     y = h(t_s, x_s, lambda_{k+1}),  r_{k+1} = g(t_s, x_s, lambda_{k+1})
 *
 * If M is singular, take theta = 1 and gamma = 1. A row of zeros in M states 0 = f + r. With theta
 * < 1 an error in that equation is multiplied by -(1-theta)/theta in each step. With theta = 1/2
 * its size stays. The same holds for an equation y = 0, with gamma in place of theta.
 * nsds_time_stepping() refuses a start that violates such an equation, if the scheme would keep the
 * error.
 *
 * Source: V. Acary, O. Bonnefon, B. Brogliato, Nonsmooth Modeling and Simulation for Switched
 * Circuits, Springer (2011), ch. 3.
 * @{
 */

/**
 * Euler-Moreau, rho = sigma = 1: the law holds at the end of the step. For circuits and other
 * systems with switches, with any relative degree that a first-order law may have.
 *
 * Order 1 over jumps of lambda. Order 2 in smooth motion with theta = 1/2.
 * @param theta weight of the end of the step in f [1], in [0, 1]
 *
 * The default of a simulation is nsds_euler_moreau(0.5).
 */
NSDS_API nsds_discretisation nsds_euler_moreau(double theta);

/**
 * Theta-gamma, rho = gamma, sigma = 1: the input is averaged, the law holds at the end of the step.
 * For systems whose lambda is smooth.
 *
 * Order 2 with theta = gamma = 1/2, if r at the start is right. The start takes r from the model;
 * in a new model r is zero. If lambda(t0) is not zero, the wrong r causes an error of h (1-gamma)
 * r(t0), hence order 1. If the law is y = 0, lambda then swings about its value.
 * nsds_with_initial_lambda() cures this.
 * @param theta weight of the end of the step in f [1], in [0, 1]
 * @param gamma weight of the end of the step in r, from 0 to 1
 */
NSDS_API nsds_discretisation nsds_theta_gamma(double theta, double gamma);

/**
 * Full theta-gamma, rho = 1, sigma = gamma: the law holds at t_{k+gamma}, and
 * nsds_step_info::t_lambda is that time. For oscillators with laws, if their energy must be right.
 *
 * Order 2 with theta = gamma = 1/2, which also keeps energy exactly.
 * @param theta weight of the end of the step in f [1], in [0, 1]
 * @param gamma place of the law in the step [1], in [0, 1]; the same for all first-order systems of
 *              a simulation
 */
NSDS_API nsds_discretisation nsds_full_theta_gamma(double theta, double gamma);

/**
 * Zero-order hold: exact if inputs keep their value of t_{k+1} during the step. For linear
 * time-invariant plants under sampled control, with steps as long as the sampling period:
 *
 *     x_{k+1} = e^{Ah} x_k + int_0^h e^{As} ds (b_{k+1} + r_{k+1})     (M = 1)
 *
 * A system or relation that is not linear and time-invariant gives NSDS_ERROR_UNSUPPORTED; the
 * message names it.
 *
 * Order 1 if inputs change, exact otherwise. Source: K. J. Astrom, B. Wittenmark,
 * Computer-Controlled Systems (1997), sec. 2.3.
 */
NSDS_API nsds_discretisation nsds_zero_order_hold(void);

/** @} */

/**
 * @name Options
 *
 * Each function takes a scheme by value and returns the scheme with the option.
 * @{
 */

/**
 * Takes M(q) at a place of its own, q_i + h gamma_mass [(1 - theta) v_i + theta v_{i+1}]. Use this
 * if M depends on q. M at 1/2 gives order 2 and keeps energy, while H at gamma = 1 keeps equality
 * constraints (docs/orders.md). For nsds_moreau_jean(), which otherwise takes M at gamma.
 * @param scheme     of nsds_moreau_jean()
 * @param gamma_mass [1], in [0, 1]
 */
NSDS_API nsds_discretisation nsds_with_gamma_mass(nsds_discretisation scheme, double gamma_mass);

/** Predicts positions once: q* = q_i + h gamma v_i throughout the step. For contacts that jam
 *  (docs/theory.md, Painleve's paradox), under nsds_moreau_jean() of a simulation. */
NSDS_API nsds_discretisation nsds_with_predict_once(nsds_discretisation scheme);

/** Takes r_{k+1} = g(t_{k+1}, x_{k+theta}, lambda_{k+1}) with x_{k+theta} = theta x_{k+1} +
 *  (1-theta) x_k. Use this to compare with programs that have this variant, (8.4) of the source.
 *  Order 1 if g depends on x. For nsds_euler_moreau() and nsds_theta_gamma() of a simulation.
 *  Source: V. Acary, O. Bonnefon, Newton's linearization of first-order systems, developers' notes
 *  of Siconos (2011). */
NSDS_API nsds_discretisation nsds_with_input_at_theta(nsds_discretisation scheme);

/** Takes h f(t_{k+1}, x_{k+theta}) in place of h theta f_{k+1} + h (1-theta) f_k, with one
 *  evaluation of f. Use this to compare with programs that have this variant, (8.5) and (8.6) of
 *  the source of nsds_with_input_at_theta(). Order 1 if f depends on t. For nsds_euler_moreau(),
 *  nsds_theta_gamma() and nsds_full_theta_gamma() of a simulation. */
NSDS_API nsds_discretisation nsds_with_f_at_theta(nsds_discretisation scheme);

/** Finds lambda and r at t0, and again after you change state, parameters or graph. A trial
 *  Euler-Moreau step of h/1024 gives both. From the start on, the order is then the one that theta
 *  and gamma give. This option is not the default, because lambda at t0 need not exist. With an
 *  inconsistent y(t0) or relative degree 2 the result would be an impulse divided by the small
 *  trial step. For nsds_theta_gamma() of a simulation; with gamma = 1 there is nothing to find. */
NSDS_API nsds_discretisation nsds_with_initial_lambda(nsds_discretisation scheme);

/**
 * Cuts each step into m parts, for one system that is faster than the systems connected to it:
 *
 *     h/m each, with the same r (first order), or P/m (second order), in all
 *
 * Choose h to resolve the modes that interactions move, and h/m to resolve the other modes.
 * Interactions hold at the ends of steps, as they do without parts. The sensitivity S of all parts
 * replaces W^-1, so u = u_free + S p. A mode of frequency w then answers an impulse with sin(w
 * h)/(w h), which changes sign beyond w h = pi.
 *
 * A law that holds a velocity at zero holds it at the ends of steps only. Within a step the system
 * may move, so a gap may change by O(h^2) over a step.
 *
 * For nsds_ds_discretise() with nsds_moreau_jean(), nsds_euler_moreau(), nsds_theta_gamma(),
 * nsds_full_theta_gamma() and nsds_zero_order_hold(), and for your own integrators with
 * nsds_integrator::carry. Newton's method solves a step, except for linear systems with constant
 * matrices and without explicit_force. A step refuses, by name, second-order systems with a step
 * ratio in mixed relations, or in compliant relations whose law is about the gap.
 * @param scheme     any but nsds_schatzman_paoli() and nsds_d1_minus()
 * @param step_ratio m [1], in [1, 1000000]
 */
NSDS_API nsds_discretisation nsds_with_step_ratio(nsds_discretisation scheme, int step_ratio);

/** @} */

#ifdef __cplusplus
}
#endif
#endif
