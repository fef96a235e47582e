/**
 * @file law.h
 * @brief Nonsmooth laws: what ties the local variables y and lambda together.
 *
 * A law of size m fits relations whose ny is a multiple of m: each m rows have a copy of their own.
 * The bounds of relay, saturation and normal cone are those of lambda: forces [N] between
 * second-order systems, whatever the step.
 */
#ifndef NSDS_LAW_H
#define NSDS_LAW_H

#include <nsds/model.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Newton's impact law with restitution e on unilateral contact, row by row:
 *
 *     y > 0: P = 0;     y <= 0: 0 <= dy/dt(+) + e dy/dt(-)  perpendicular to  P >= 0
 *
 * Source: J. J. Moreau, Unilateral contact and dry friction in finite freedom dynamics, CISM 302
 * (1988).
 *
 * It is a law of second-order systems: between first-order ones, which have no velocity before and
 * after, nsds_connect() refuses it. So it does on a compliant relation, unless e = 0: there the
 * contact is a spring, in which no velocity jumps.
 *
 * @param model the owner
 * @param e     coefficient of restitution in [0, 1]
 */
NSDS_API nsds_law *nsds_newton_impact(nsds_model *model, double e);

/**
 * Poisson's impact law with restitution e on unilateral contact. All contacts at zero that act on
 * each other first compress, up to the velocities dy/dt(c),
 *
 *     0 <= dy/dt(c)  perpendicular to  P_c >= 0,    M (v_c - v(-)) = H^T P_c
 *
 * and then give back at least e of the impulse of compression:
 *
 *     0 <= dy/dt(+)  perpendicular to  P_r - e P_c >= 0,    M (v(+) - v_c) = H^T P_r
 *
 * The impulse is P_c + P_r. For a contact alone that is Newton's law, dy/dt(+) = -e dy/dt(-); of
 * several Poisson's lets a contact open that the others strike. Energy is never created, whatever
 * the coefficients (docs/theory.md).
 *
 * It is a law of event-driven simulation (nsds/event_driven.h), of interactions and contact sets; time
 * stepping, which has no impacts apart from steps, refuses it with NSDS_ERROR_UNSUPPORTED, and
 * nsds_connect() between first-order systems.
 *
 * Errors: e out of range. Source: F. Pfeiffer, C. Glocker, Multibody Dynamics with Unilateral
 * Contacts, Wiley (1996), ch. 8.
 *
 * @param model the owner
 * @param e     coefficient of restitution in [0, 1]
 */
NSDS_API nsds_law *nsds_poisson_impact(nsds_model *model, double e);

/** The distributing impact law. In `exponent`, zero means the default. */
typedef struct nsds_distributing_impact_def {
  double restitution; /**< energetic coefficient e in [0, 1]: a contact gives back e^2 of the work
                           that is done on it */
  double stiffness;   /**< K > 0; ratios between the contacts of an impact are all that counts */
  double exponent; /**< eta in [1, 10] of the force K d^eta: 1, the default, linear; 1.5 spheres by
                        Hertz. Contacts of one impact have the same */
  bool bi_stiffness; /**< the loss in a stiffer release, K / e^(2 eta), in which the force goes on
                          from what it was; false: K stays and the force falls at once */
  /** zero, see ::NSDS_RESERVED */
  uint64_t reserved[NSDS_RESERVED];
} nsds_distributing_impact_def;

/**
 * The impact law of Liu, Zhao and Brogliato on unilateral contact: impulses of contacts that act on
 * each other grow in the ratio of the forces of their compliance,
 *
 *     dP_j / dP_i = (K_j / K_i)^(1 / (eta + 1)) (E_j / E_i)^(eta / (eta + 1)),
 *     dE_j = -dy_j/dt dP_j,   M dv = H^T dP,
 *
 * E being the energy stored in a contact. Where a compression that began with E_0 ends, dy/dt = 0,
 * the stored energy becomes E_0 + e^2 (E - E_0); a contact opens with E = 0, closes again after the
 * way it has gone, and the impact is over when nothing is stored and no contact approaches. So it
 * has the speeds and the waves of the compliant contacts in the limit of infinite stiffness: with
 * e = 1 exactly those of springs of force K d^eta. For a contact alone dy/dt(+) = -e dy/dt(-).
 *
 * It is integrated with error control: velocities and energy are right to about 1e-10, momentum to
 * rounding. An impact in more than 100000 parts, compressions and releases of contacts, fails with
 * NSDS_ERROR_SOLVER.
 *
 * It is a law of event-driven simulation, as nsds_poisson_impact().
 *
 * Errors: a value out of range or not finite. Source: C. Liu, Z. Zhao, B. Brogliato, Frictionless
 * multiple impacts in multibody systems, Proc. R. Soc. A 464 (2008) 3193 and 465 (2009) 1;
 * N. S. Nguyen, B. Brogliato, Multiple Impacts in Dissipative Granular Chains, Springer (2014).
 */
NSDS_API nsds_law *nsds_distributing_impact(nsds_model *model,
                                            const nsds_distributing_impact_def *def);

/** Newton's impact law with Coulomb friction. */
typedef struct nsds_newton_impact_friction_def {
  int dimension;  /**< 2: rows N, T; 3: rows N, T1, T2; 0 means 3 */
  double mu;      /**< coefficient of friction >= 0 */
  double e_n;     /**< coefficient of normal restitution in [0, 1] */
  double e_t;     /**< coefficient of tangential restitution in [-1, 1] */
  double slip[2]; /**< added to the tangential velocities [m/s]: minus the velocity of a surface
                       that moves in its own plane, a belt; slip[1] for dimension 3 alone */
  /** zero, see ::NSDS_RESERVED */
  uint64_t reserved[NSDS_RESERVED];
} nsds_newton_impact_friction_def;

/**
 * Newton's impact law with Coulomb friction: with the local velocity u = (u_N, u_T), the slip s =
 * u_T + slip and the impulse P = (P_N, P_T) of a closed contact
 *
 *     0 <= u_N(+) + e_n u_N(-)  perpendicular to  P_N >= 0
 *     w_T = s(+) + e_t s(-);   ||P_T|| <= mu P_N,   w_T = 0  or  P_T = -mu P_N w_T / ||w_T||
 *
 * and P = 0 where y_N > 0. One copy has 2 or 3 rows: y of the first is the gap, the other rows are
 * tied through dy/dt alone and their y is not read. It fits any second-order relation of that many
 * rows, the normal first, tangents orthonormal.
 *
 * With e_t = e_n at all contacts and slip = 0 impacts never create energy. With e_t = 0 < e_n one
 * off the centre may, a known defect of Newton's law (W. J. Stronge, Rigid body collisions with
 * friction, Proc. R. Soc. A 431 (1990)).
 *
 * Errors: a value out of range or not finite. Source: J. J. Moreau, Unilateral contact and dry
 * friction in finite freedom dynamics, CISM 302 (1988).
 */
NSDS_API nsds_law *nsds_newton_impact_friction(nsds_model *model,
                                               const nsds_newton_impact_friction_def *def);

/** Fremond's impact law with Coulomb friction. */
typedef struct nsds_fremond_impact_friction_def {
  int dimension;  /**< 2: rows N, T; 3: rows N, T1, T2; 0 means 3 */
  double mu;      /**< coefficient of friction >= 0 */
  double e_n;     /**< coefficient of normal restitution in [0, 1] */
  double slip[2]; /**< added to the tangential velocities [m/s], see above */
  /** zero, see ::NSDS_RESERVED */
  uint64_t reserved[NSDS_RESERVED];
} nsds_fremond_impact_friction_def;

/**
 * Fremond's impact law with Coulomb friction, on averages of the velocities before and after an
 * impact, u = (u(+) + u(-)) / 2, the velocities whose power with P is the change of kinetic energy:
 *
 *     0 <= u_N - (1 - e_n) u_N(-) / 2  perpendicular to  P_N >= 0   (u_N(+) + e_n u_N(-) >= 0)
 *     ||P_T|| <= mu P_N,   s_T = 0  or  P_T = -mu P_N s_T / ||s_T||,   s_T = u_T + slip
 *
 * With slip = 0 an impact of contacts that approach changes the energy by the sum over them of
 * (1 - e_n) P_N u_N(-) / 2 - mu P_N ||u_T||, which is never positive, whatever e_n and mu each has;
 * with e_t = 0 < e_n Newton's law may create energy. The price: a contact that sticks reverses its
 * slip instead of stopping it.
 *
 * A contact that lasts, u_N(-) >= 0 or slower than 1e-8 of the slip, has Coulomb's law in the
 * velocity after the step, and u_N(+) >= 0. It fits the relations of nsds_newton_impact_friction(),
 * in time stepping and event-driven.
 *
 * Errors: a value out of range or not finite. Source: M. Fremond, Non-Smooth Thermomechanics,
 * Springer (2002).
 */
NSDS_API nsds_law *nsds_fremond_impact_friction(nsds_model *model,
                                                const nsds_fremond_impact_friction_def *def);

/** Newton's impact law with Coulomb and rolling friction. */
typedef struct nsds_newton_impact_rolling_def {
  int dimension;     /**< 2: rows N, T, R; 3: rows N, T1, T2, R1, R2; 0 means 3 */
  double mu;         /**< coefficient of friction >= 0 */
  double mu_rolling; /**< coefficient of rolling friction >= 0 [m] */
  double e_n;        /**< coefficient of normal restitution in [0, 1] */
  double e_t;        /**< coefficient of tangential restitution in [-1, 1] */
  double slip[2];    /**< added to the tangential velocities [m/s] */
  /** zero, see ::NSDS_RESERVED */
  uint64_t reserved[NSDS_RESERVED];
} nsds_newton_impact_rolling_def;

/**
 * nsds_newton_impact_friction() with a resistance against rolling: the rows R are relative angular
 * velocities u_R about the tangents and angular impulses P_R [N m s],
 *
 *     ||P_R|| <= mu_rolling P_N,   u_R(+) = 0  or  P_R = -mu_rolling P_N u_R(+) / ||u_R(+)||
 *
 * Source: V. Acary, F. Bourrier, Coulomb friction with rolling resistance as a cone complementarity
 * problem, Eur. J. Mech. A/Solids 85 (2021).
 */
NSDS_API nsds_law *nsds_newton_impact_rolling(nsds_model *model,
                                              const nsds_newton_impact_rolling_def *def);

/**
 * Complementarity 0 <= y perpendicular to lambda >= 0, row by row. On a rigid second-order relation
 * it acts at velocity level without rebound (Newton impact with e = 0); on a compliant relation it
 * holds for the gap y itself at the end of the step. Between first-order systems it holds for y.
 */
NSDS_API nsds_law *nsds_complementarity(nsds_model *model);

/**
 * Equality: y is kept constant (dy/dt = 0) on a rigid second-order relation, y = 0 on a compliant
 * one and between first-order systems; lambda has any sign. Always active.
 */
NSDS_API nsds_law *nsds_equality(nsds_model *model);

/**
 * Relay: lambda in [lower, upper], and row by row
 *
 *     y > 0: lambda = lower;   y < 0: lambda = upper;   y = 0: lambda anywhere between
 *
 * that is -y in the normal cone to the box. sign(y) = -lambda for bounds -1 and 1: lambda opposes y, and a
 * relation r = B lambda with B > 0 is negative feedback.
 * Infinite bounds are allowed: [0, inf] is complementarity, [-inf, inf] equality, so that a mixed
 * complementarity law is a relay with such bounds.
 *
 * @param model the owner
 * @param size  m >= 1, divides ny of the relations it is used with
 * @param lower m lower bounds; copied
 * @param upper m upper bounds, not below the lower ones; copied
 */
NSDS_API nsds_law *nsds_relay(nsds_model *model, int size, const double *lower,
                              const double *upper);

/**
 * Saturation: lambda = min(upper, max(lower, -slope y)) row by row; a relay with its vertical part
 * inclined.
 *
 * @param model the owner
 * @param size  m >= 1
 * @param lower m lower bounds; copied
 * @param upper m upper bounds; copied
 * @param slope > 0 and 1 / slope finite, common to all rows
 */
NSDS_API nsds_law *nsds_saturation(nsds_model *model, int size, const double *lower,
                                   const double *upper, double slope);

/**
 * Normal cone to a polyhedron: lambda in P = {l : H l >= K}, -y in N_P(lambda). P has a point: the
 * one nearest to zero is looked for, and NSDS_ERROR_VALUE where there is none.
 *
 * @param model  the owner
 * @param size   m in 1 .. 32 (::NSDS_COUPLED_ROWS)
 * @param nfacet number of half spaces >= 1
 * @param H      nfacet x m, column-major; copied
 * @param K      nfacet; copied
 */
NSDS_API nsds_law *nsds_normal_cone(nsds_model *model, int size, int nfacet, const double *H,
                                    const double *K);

#ifdef __cplusplus
}
#endif
#endif
