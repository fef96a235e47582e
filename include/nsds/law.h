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
 * after, nsds_connect() refuses it.
 *
 * @param model the owner
 * @param e     coefficient of restitution in [0, 1]
 */
NSDS_API nsds_law *nsds_newton_impact(nsds_model *model, double e);

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
 * that is -y in the normal cone to the box. sign(y) = -lambda for bounds -1 and 1.
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
