/*
 * The linear system of newton_system.h with the velocities of bodies for unknowns, where M is given
 * in factors, M = H Y + D: with K = C^-1 B, C = A + B (D + e R^-1) block diagonal, and v = Y d
 *
 *     (I + Y K H) v = -Y C^-1 phi,     d = -C^-1 phi - K H v
 *
 * (Woodbury). Hyperstatic problems have several rows to a velocity, and the work of a factorisation
 * falls with the third power of that. Velocities are scaled by the roots of the gains, Y over H, so
 * that masses far apart give entries of one size. Dense where small or full, else sparse by bodies.
 */
#ifndef NSDS_SRC_VELOCITY_SYSTEM_H
#define NSDS_SRC_VELOCITY_SYSTEM_H

#include "newton_system.h"
#include "nsgs.h"

typedef struct nsds_velocity_system {
  const nsds_sweeps *sweeps; /* its units and their factors */
  nsds_factor *factor;
  bool dense;
  nsds_problem problem;   /* n velocities; its matrix is Y K H */
  nsds_factored factored; /* in factors: a block row for each group of velocities */
  int *group;             /* ncolumn: number of the group that begins here, -1: not met */
  int *row, *first_edge;  /* of the groups */
  nsds_edge *edge;
  double *KH, **place; /* of all edges of M; where that of each is */
  double *Y;           /* of those that are without */
  double *scale;       /* n: roots of the gains */
  double *C, *K, *k;   /* C^-1 and C^-1 B of each unit, C^-1 phi */
  int *p, *i, *work;   /* I + Y K H, scaled, as compressed columns */
  double *x, *v;       /* entries; right-hand side, solution */
  uint64_t pattern;
} nsds_velocity_system;

/* Velocities in the columns of a matrix-free operator. */
static inline int nsds_velocity_count(const nsds_sweeps *sweeps) {
  return sweeps->factored->ncolumn;
}

/* For the units of a matrix-free operator, `count` the entries of all their blocks. */
nsds_status nsds_velocity_system_reserve(nsds_velocity_system *system, nsds_store *store,
                                         const nsds_sweeps *sweeps, size_t count);

/* NSDS_ERROR_SINGULAR as in factor.h, or where a C is singular. */
nsds_status nsds_velocity_system_factor(nsds_velocity_system *system, const nsds_linearised *at);

/* d (n) for the phi of the same point. */
void nsds_velocity_system_solve(nsds_velocity_system *system, const nsds_linearised *at, double *d);

#endif
