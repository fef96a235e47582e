/*
 * The problem of one block while the others are held. Block methods solve it over and over. Find z
 * in C with -(M z + q) in the normal cone of C at z, with De Saxce's shift if the set has it. M is
 * the block's own m x m part, m at most NSDS_COUPLED_ROWS.
 */
#ifndef NSDS_SRC_LOCAL_H
#define NSDS_SRC_LOCAL_H

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

/* Prepares for `block` with the given M. */
void nsds_local_prepare(nsds_local *local, const nsds_block *block, const double *M);

/* Finds the new z from the start in z. The start is kept if the kind fails and finds nothing
 * better. */
void nsds_local_solve(const nsds_local *local, nsds_local_kind kind, const double *q, double *z);

#endif
