/*
 * The linear system of a Newton step for equations block by block, phi_a(z_a, w_a) = 0 with w = M z
 * + q + e R^-1 (z - c), R the metric of blockwise.h:
 *
 *     (A + B (M + e R^-1)) d = -phi,   A = d phi / dz and B = d phi / dw block diagonal
 *
 * In rows (newton_system.c), blocks with B_a = 0, such as open contacts, give d_a at once. The rest
 * is factored in the variables R^-1/2 d: dense if small or full, else sparse. The symbolic analysis
 * is kept while about the same blocks remain.
 *
 * In the velocities of bodies (velocity_system.c), M must be given in factors, M = H Y + D. With K
 * = C^-1 B, C = A + B (D + e R^-1) block diagonal, and v = Y d
 *
 *     (I + Y K H) v = -Y C^-1 phi,     d = -C^-1 phi - K H v
 *
 * (Woodbury). Hyperstatic problems have several rows to a velocity, and the work of a factorisation
 * falls with the third power of that number. Velocities are scaled by the roots of the gains, Y
 * over H, so that very different masses give entries of one size. The system is dense if small or
 * full, else sparse by bodies.
 */
#ifndef NSDS_SRC_NEWTON_SYSTEM_H
#define NSDS_SRC_NEWTON_SYSTEM_H

#include "numerics/linear/factor_state.h"
#include "numerics/sweeps/sweeps.h"

/* The equations at a point, blocks one after another. */
typedef struct nsds_linearised {
  double *A, *B;  /* m x m of every block, column-major */
  int *first;     /* start of the derivatives of each block */
  double *phi;    /* n */
  double *root;   /* n: square roots of R */
  double *weight; /* n: e R^-1, or more in rows that are held */
} nsds_linearised;

typedef struct nsds_newton_system {
  const nsds_sweeps *sweeps; /* its units are the blocks */
  const nsds_csc_form *M;
  nsds_factor *factor;
  bool dense;       /* whatever remains */
  int n, kept;      /* rows and blocks that remain, or did when the pattern was made */
  int *place;       /* of each block: its first row that remains, -1: none */
  int *unit_of;     /* n: block of each row */
  int *p, *i;       /* remaining system as compressed columns, */
  double *x;        /* or dense */
  double *d, *w;    /* n each: right-hand side and solution; w of the eliminated blocks */
  double *inverse;  /* n: R^-1/2 */
  uint64_t stamp;   /* of M behind the pattern; 0: unknown */
  uint64_t pattern; /* number of the pattern */
} nsds_newton_system;

typedef struct nsds_velocity_system {
  const nsds_sweeps *sweeps; /* its units and their factors */
  nsds_factor *factor;
  bool dense;
  nsds_problem problem;   /* n velocities; its matrix is Y K H */
  nsds_factored factored; /* in factors: a block row for each group of velocities */
  int *group;             /* ncolumn: number of the group that begins here, -1: not met */
  int *row, *first_edge;  /* of the groups */
  nsds_edge *edge;
  double *KH, **place; /* of all edges of M; place of each */
  double *Y;           /* of edges without Y */
  double *scale;       /* n: roots of the gains */
  double *C, *K, *k;   /* C^-1 and C^-1 B of each unit, C^-1 phi */
  int *p, *i, *work;   /* I + Y K H, scaled, as compressed columns */
  double *x, *v;       /* entries; right-hand side, solution */
  uint64_t pattern;
} nsds_velocity_system;

/* Returns the number of velocities in the columns of a matrix-free operator. */
static inline int nsds_velocity_count(const nsds_sweeps *sweeps) {
  return sweeps->factored->ncolumn;
}

/* Reserves memory in the solver's store, for the units of sweeps as blocks. `count` is the number
 * of entries of all blocks. The velocity system needs a matrix-free operator. */
nsds_status nsds_newton_system_reserve(nsds_newton_system *system, nsds_solver *solver,
                                       const nsds_sweeps *sweeps);

/* Factors the system. NSDS_ERROR_SINGULAR as in factor.h, or if a C is singular. */
nsds_status nsds_newton_system_factor(nsds_newton_system *system, const nsds_linearised *at);

/* Computes d (n) for the phi of the same point. */
void nsds_newton_system_solve(nsds_newton_system *system, const nsds_linearised *at, double *d);

#endif
