/*
 * A rigid body made through the public vtable: q = (position, unit quaternion w x y z), v =
 * (velocity in the world, angular velocity in the body),
 *
 *     m dx/dt = m g + f,   J dW/dt = -W x J W + c x R^T f,   dq/dt = T(q) v
 *
 * f = -k (x + R c - a) being a spring where one is wanted, and relations that hold a point of it above the floor z = 0, through dh/dQ or the gradient in v.
 */
#ifndef NSDS_TEST_RIGID_BODY_H
#define NSDS_TEST_RIGID_BODY_H

#include "support.h"

typedef struct rigid_body {
  double mass, inertia[3], gravity; /* gravity along -z */
  double spring, tied[3],
      anchor[3]; /* stiffness of a spring from a point of it to one of the world */
} rigid_body;

/* A point c of the body stays above z = 0. */
typedef struct floor_point {
  double c[3];
  int nv_seen; /* of in->nv, in the last call */
} floor_point;

/* The body with nq = 7, nv = 6; `given` must outlive the model. */
nsds_ds *rigid_body_create(nsds_model *model, rigid_body *given, bool explicit_force,
                           const double *q0, const double *v0);
extern const nsds_second_order_ops rigid_body_ops;

typedef enum floor_form { FLOOR_JACOBIAN_Q, FLOOR_GRADIENT_V } floor_form;
nsds_relation *floor_relation(nsds_model *model, floor_point *given, floor_form form);

/* R(quaternion) a, its angular momentum in the world, and energies. */
void rigid_body_turn(const double *quaternion, const double *a, double *turned);
void rigid_body_momentum(const rigid_body *b, const nsds_ds *ds, double *L);
double rigid_body_spring_energy(const rigid_body *b, const nsds_ds *ds);
double rigid_body_rotation_energy(const rigid_body *b, const nsds_ds *ds);

#endif
