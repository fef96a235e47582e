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

/* A block of the sparse matrix. */
typedef struct nsds_velocity_block {
  int column, row; /* groups, by their first velocity */
  int offset;      /* of its rows in a column */
} nsds_velocity_block;

typedef struct nsds_velocity_system {
  const nsds_sweeps *sweeps; /* its units and their factors */
  nsds_factor *factor;
  bool dense;
  int nv, nblock;
  int *place;                 /* ncolumn: where the group that begins here begins among the
                                 velocities, -1: not met */
  int *size;                  /* nv: of the group that begins here */
  double *scale;              /* nv: roots of the gains */
  double *C, *K, *k;          /* C^-1 and C^-1 B of each unit, C^-1 phi (n) */
  nsds_velocity_block *block; /* sparse: by columns, then rows */
  int *p, *i;                 /* sparse: pattern */
  double *x, *v;              /* entries; nv: right-hand side, solution */
  uint64_t pattern;
  size_t place_capacity, size_capacity, scale_capacity, C_capacity, K_capacity, k_capacity,
      block_capacity;
  size_t p_capacity, i_capacity, x_capacity, v_capacity;
} nsds_velocity_system;

/* Velocities in the columns of a matrix-free operator. */
static inline int nsds_velocity_count(const nsds_sweeps *sweeps) {
  return sweeps->factored->ncolumn;
}

/* For the units of a matrix-free operator, `count` the entries of all their blocks. */
nsds_status nsds_velocity_system_reserve(nsds_velocity_system *system, nsds_context *context,
                                         const nsds_sweeps *sweeps, size_t count);

/* NSDS_ERROR_SINGULAR as in factor.h, or where a C is singular. */
nsds_status nsds_velocity_system_factor(nsds_velocity_system *system, const nsds_linearised *at);

/* d (n) for the phi of the same point. */
void nsds_velocity_system_solve(nsds_velocity_system *system, const nsds_linearised *at, double *d);

void nsds_velocity_system_release(nsds_velocity_system *system, nsds_context *context);

#endif
