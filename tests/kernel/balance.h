/*
 * Whether contacts as they are read agree with the motion: for each body the impulses at their points
 * sum up to the change of momentum and, about the centre, of angular momentum. J is a multiple of
 * the identity, so that there is no gyroscopic moment.
 */
#ifndef NSDS_TEST_KERNEL_BALANCE_H
#define NSDS_TEST_KERNEL_BALANCE_H

#include "support.h"

enum { balance_most = 8 };

typedef struct balance_body {
  nsds_ds *ds;
  double mass, inertia;
  double q[7], v[6]; /* as noted */
  double force[3], moment[3], spin[3];
} balance_body;

typedef struct balance {
  nsds_model *model;
  int dimension, count;
  double gravity[3];
  balance_body body[balance_most];
  double time;           /* as noted */
  double largest;        /* impulse seen in a check */
  long contacts, turned; /* contacts looked at; those that turned a body */
} balance;

/* An empty model in space or in the plane. */
balance balance_begin(int dimension, double gx, double gy, double gz);
/* A rigid body at x, in the plane with its angle as the third coordinate; v may be NULL. */
nsds_ds *balance_add(balance *b, double mass, double inertia, const double *x, const double *v);
/* Another second-order system of the model, whose first coordinates are places. */
void balance_adopt(balance *b, nsds_ds *ds, double mass);

/* Momenta before what is to be checked. */
void balance_note(balance *b);

/* Where the arms of moments are taken: what was noted, where velocities lead from there in the time
 * since, or the present place. */
typedef enum balance_arms { ARMS_BEFORE, ARMS_AHEAD, ARMS_NOW } balance_arms;

/* Impulses (forces: times the time since) against momenta. */
void balance_check(balance *b, balance_arms arms, bool forces, double tolerance);

/* Forces, too, of present contacts; and momenta against the mean of these and the present ones. */
void balance_note_forces(balance *b);
void balance_check_forces(balance *b, double tolerance);

/* What holds of each contact alone: frame, components, which side its bodies are on. */
void balance_check_contact(const balance *b, const nsds_contact_info *c);
/* That dy/dt is the velocity at the point. */
void balance_check_rates(balance *b, balance_arms arms, double tolerance);

#endif
