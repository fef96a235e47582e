/**
 * @file law.h
 * @brief Nonsmooth laws: what ties the local variables y and lambda together.
 *
 * A law of size 0 fits a relation of any size and acts on each row.
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
 * @param model the owner
 * @param e     coefficient of restitution in [0, 1]
 */
NSDS_API nsds_law *nsds_newton_impact(nsds_model *model, double e);

/**
 * Complementarity 0 <= y perpendicular to lambda >= 0, row by row. On a rigid second-order relation
 * it acts at velocity level without rebound (Newton impact with e = 0); on a compliant relation it
 * holds for the gap y itself at the end of the step.
 */
NSDS_API nsds_law *nsds_complementarity(nsds_model *model);

/**
 * Equality: y is kept constant (dy/dt = 0) on a rigid second-order relation, y = 0 on a compliant
 * one; lambda has any sign. Always active.
 */
NSDS_API nsds_law *nsds_equality(nsds_model *model);

#ifdef __cplusplus
}
#endif
#endif
