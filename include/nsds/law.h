/**
 * @file law.h
 * @brief Nonsmooth laws, which tie the local variables y and lambda together.
 *
 * A law of size m fits relations whose ny is a multiple of m; each group of m rows has its own
 * copy. Relay, saturation and normal cone bound lambda, which between second-order systems is a
 * force [N], whatever the step.
 */
#ifndef NSDS_LAW_H
#define NSDS_LAW_H

#include <nsds/model.h>

/** The types of laws in the catalogue (nsds/catalogue.h), in its order: X(NAME) for each. */
#define NSDS_LAW_TYPES(X)                                                                          \
  X(newton_impact)                                                                                 \
  X(poisson_impact)                                                                                \
  X(distributing_impact)                                                                           \
  X(newton_impact_friction)                                                                        \
  X(fremond_impact_friction)                                                                       \
  X(newton_impact_rolling)                                                                         \
  X(complementarity)                                                                               \
  X(equality)                                                                                      \
  X(relay)                                                                                         \
  X(saturation)                                                                                    \
  X(normal_cone)                                                                                   \
  X(plugin)

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
 * This law is for second-order systems. nsds_connect() refuses the law between first-order systems,
 * because these have no velocities. On a compliant relation nsds_connect() accepts e = 0 only: the
 * contact is then a spring, no velocity jumps in a spring, and the law holds for the gap y itself
 * like nsds_complementarity().
 *
 * @param model the owner
 * @param e     coefficient of restitution in [0, 1]
 */
NSDS_API nsds_law *nsds_newton_impact(nsds_model *model, double e);

/**
 * Poisson's impact law with restitution e on unilateral contact. All contacts with zero gap that
 * act on each other are compressed first, up to the velocities dy/dt(c),
 *
 *     0 <= dy/dt(c)  perpendicular to  P_c >= 0,    M (v_c - v(-)) = H^T P_c
 *
 * and then give back at least the fraction e of the impulse of compression:
 *
 *     0 <= dy/dt(+)  perpendicular to  P_r - e P_c >= 0,    M (v(+) - v_c) = H^T P_r
 *
 * The impulse is P_c + P_r. For a single contact this is Newton's law, dy/dt(+) = -e dy/dt(-). If
 * the blows of other contacts push a contact open, Poisson's law lets the contact open. Energy is
 * never created, whatever the coefficients (docs/theory.md).
 *
 * This law is for event-driven simulation (nsds/event_driven.h), for interactions and contact sets.
 * Time stepping has no impacts apart from steps and refuses the law with NSDS_ERROR_UNSUPPORTED.
 * nsds_connect() refuses the law between first-order systems.
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
                           done on it */
  double stiffness;   /**< K > 0; only the ratios between the contacts of an impact count */
  double exponent;   /**< eta in [1, 10] in the force K d^eta: 1, the default, is linear; 1.5 is the
                        law of Hertz for spheres. Contacts of one impact must have the same
                        exponent */
  bool bi_stiffness; /**< true: the release has the higher stiffness K / e^(2 eta), and the force
                          is continuous; false: K stays and the force falls at once */
  /** zero, see ::NSDS_RESERVED */
  uint64_t reserved[NSDS_RESERVED];
} nsds_distributing_impact_def;

/**
 * The impact law of Liu, Zhao and Brogliato on unilateral contact. Impulses of contacts that act on
 * each other grow in the ratio of their elastic forces,
 *
 *     dP_j / dP_i = (K_j / K_i)^(1 / (eta + 1)) (E_j / E_i)^(eta / (eta + 1)),
 *     dE_j = -dy_j/dt dP_j,   M dv = H^T dP,
 *
 * where E is the energy stored in a contact. A compression that began with E_0 ends at dy/dt = 0.
 * The stored energy then becomes E_0 + e^2 (E - E_0). A contact opens when E = 0, and closes again
 * when its bodies have come back. The impact ends when no energy is stored and no contact
 * approaches.
 *
 * The law gives the speeds and the waves of compliant contacts in the limit of infinite stiffness.
 * With e = 1 the speeds are exactly those of springs with the force K d^eta. For a single contact
 * dy/dt(+) = -e dy/dt(-).
 *
 * An integration with error control gives velocities and energy to about 1e-10, and momentum to
 * rounding. An impact with more than 20000 compressions and releases of contacts fails with
 * NSDS_ERROR_SOLVER.
 *
 * This law is for event-driven simulation, like nsds_poisson_impact().
 *
 * Errors: a value out of range or not finite. Source: C. Liu, Z. Zhao, B. Brogliato, Frictionless
 * multiple impacts in multibody systems, Proc. R. Soc. A 464 (2008) 3193 and 465 (2009) 1; N. S.
 * Nguyen, B. Brogliato, Multiple Impacts in Dissipative Granular Chains, Springer (2014).
 */
NSDS_API nsds_law *nsds_distributing_impact(nsds_model *model,
                                            const nsds_distributing_impact_def *def);

/** Newton's impact law with Coulomb friction. */
typedef struct nsds_newton_impact_friction_def {
  int dimension;  /**< 2: rows N, T; 3: rows N, T1, T2; 0 means 3 */
  double mu;      /**< coefficient of friction >= 0 */
  double e_n;     /**< coefficient of normal restitution in [0, 1] */
  double e_t;     /**< coefficient of tangential restitution in [-1, 1] */
  double slip[2]; /**< added to the tangential velocities [m/s]. For a surface that moves in its
                       plane, such as a belt: minus its velocity. slip[1] is for dimension 3 only */
  /** zero, see ::NSDS_RESERVED */
  uint64_t reserved[NSDS_RESERVED];
} nsds_newton_impact_friction_def;

/**
 * Newton's impact law with Coulomb friction. A closed contact has the local velocity u = (u_N,
 * u_T), the slip s = u_T + slip and the impulse P = (P_N, P_T):
 *
 *     0 <= u_N(+) + e_n u_N(-)  perpendicular to  P_N >= 0
 *     w_T = s(+) + e_t s(-);   ||P_T|| <= mu P_N,   w_T = 0  or  P_T = -mu P_N w_T / ||w_T||
 *
 * and P = 0 for y_N > 0. Each copy has 2 or 3 rows. In the first row y is the gap; the other rows
 * are tied through dy/dt alone and their y is not read. The law fits any second-order relation with
 * this number of rows, normal first, tangents orthonormal.
 *
 * If e_t = e_n at all contacts and slip = 0, impacts never create energy. With e_t = 0 < e_n an
 * eccentric impact may create energy, a known defect of Newton's law (W. J. Stronge, Rigid body
 * collisions with friction, Proc. R. Soc. A 431 (1990)).
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
 * Fremond's impact law with Coulomb friction. The law acts on u = (u(+) + u(-)) / 2, the average of
 * the velocities before and after an impact. The power of u with P is the change of kinetic energy:
 *
 *     0 <= u_N - (1 - e_n) u_N(-) / 2  perpendicular to  P_N >= 0   (u_N(+) + e_n u_N(-) >= 0)
 *     ||P_T|| <= mu P_N,   s_T = 0  or  P_T = -mu P_N s_T / ||s_T||,   s_T = u_T + slip
 *
 * With slip = 0 each contact that approaches changes the energy in an impact by (1 - e_n) P_N
 * u_N(-) / 2 - mu P_N ||u_T||. The sum is never positive, whatever e_n and mu. By contrast,
 * Newton's law may create energy with e_t = 0 < e_n. The price is that a contact that sticks
 * reverses its slip instead of stopping the slip.
 *
 * A contact lasts if u_N(-) >= 0, or if it approaches slower than 1e-8 of the slip. A lasting
 * contact obeys Coulomb's law in the velocity after the step, and u_N(+) >= 0. The law fits the
 * relations of nsds_newton_impact_friction(), in time stepping and event-driven.
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
 * nsds_newton_impact_friction() with a resistance against rolling. The rows R hold the relative
 * angular velocities u_R about the tangents and the angular impulses P_R [N m s],
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
 * the law acts at velocity level without rebound (Newton impact with e = 0). On a compliant
 * relation the law holds for the gap y itself at the end of the step. Between first-order systems
 * the law holds for y.
 */
NSDS_API nsds_law *nsds_complementarity(nsds_model *model);

/**
 * Equality: keeps y constant (dy/dt = 0) on a rigid second-order relation. On a compliant relation,
 * and between first-order systems, keeps y = 0. lambda has any sign. Always active.
 */
NSDS_API nsds_law *nsds_equality(nsds_model *model);

/**
 * Relay: lambda in [lower, upper], and row by row
 *
 *     y > 0: lambda = lower;   y < 0: lambda = upper;   y = 0: lambda anywhere between
 *
 * So -y is in the normal cone to the box. With bounds -1 and 1, sign(y) = -lambda: lambda opposes
 * y. A relation r = B lambda with B > 0 is then negative feedback. Bounds may be infinite: [0, inf]
 * is complementarity, [-inf, inf] equality. Such a relay is a mixed complementarity law.
 *
 * @param model the owner
 * @param size m >= 1; must divide ny of the relations with this law
 * @param lower m lower bounds; copied
 * @param upper m upper bounds, not below the lower ones; copied
 */
NSDS_API nsds_law *nsds_relay(nsds_model *model, int size, const double *lower,
                              const double *upper);

/**
 * Saturation: lambda = min(upper, max(lower, -slope y)) row by row; a relay whose vertical part is
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
 * Normal cone to a polyhedron: lambda in P = {l : H l >= K}, -y in N_P(lambda). NSDS_ERROR_VALUE: P
 * is empty (the call searches the point of P nearest to zero).
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
