/*
 * The problem of one block while the others are held, as kept from one solve to the next.
 */
#ifndef NSDS_SRC_LOCAL_PROBLEM_H
#define NSDS_SRC_LOCAL_PROBLEM_H

#include "numerics/sweeps/one_contact.h"

#include <nsds/problem.h>

typedef enum nsds_local_kind {
  NSDS_LOCAL_EXACT,               /* closed form where there is one, else Newton */
  NSDS_LOCAL_PROJECTION,          /* one step of the projected gradient */
  NSDS_LOCAL_PROJECTION_ITERATED, /* many, with a step that adapts */
  NSDS_LOCAL_NEWTON               /* damped Newton on the equation of set_map.h */
} nsds_local_kind;

/* Data that stays the same while M does. */
typedef struct nsds_local {
  const nsds_block *block;
  const double *M;             /* m x m, column-major */
  double step;                 /* of the projected gradient: 1 / a bound of the eigenvalues */
  double rho[3];               /* of the equation: normal (or all), tangential, rolling rows */
  nsds_contact_matrix contact; /* COULOMB and small EQUALITY blocks */
} nsds_local;

#endif
