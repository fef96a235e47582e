/* The balance of a run: energy that each element of a circuit takes, and charge that it carries. */
#ifndef NSDS_RUN_BALANCE_H
#define NSDS_RUN_BALANCE_H

#include "run/circuit/stepper.h"

#include <nsds/run.h>

/* Energy and charge that an element has taken. */
typedef struct nsds_taken {
  double energy;        /* of the integral of v i [J] */
  double charge, moved; /* integrals of i and of |i| [C] */
  double stored;        /* energy at the start [J] */
  double i, v;          /* at the last step */
} nsds_taken;

typedef struct nsds_balance {
  const nsds_stepper *stepper;
  double start, t;  /* of the first and last step taken [s] */
  int count;        /* elements, without those beside another one */
  int *element;     /* these */
  nsds_taken *item; /* of each */
} nsds_balance;

/* Begins with the state of the stepper. NSDS_ERROR_MEMORY */
nsds_status nsds_balance_make(nsds_balance *balance, const nsds_stepper *stepper);
void nsds_balance_free(nsds_balance *balance);

/* Numbers of a balance of this many elements that a saved state holds. */
static inline int nsds_balance_kept(int count) { return 2 + 6 * count; }
void nsds_balance_keep(nsds_balance *balance, nsds_keeper *keeper);

/* Takes the last advance of the stepper. */
void nsds_balance_take(nsds_balance *balance);

#endif
