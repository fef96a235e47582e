/* Solves implicit stages: with modes of rows frozen by a linear system, or by the laws. */
#ifndef NSDS_SRC_IMPLICIT_SOLVE_H
#define NSDS_SRC_IMPLICIT_SOLVE_H

#include "base/archive.h"
#include "kernel/adaptive/implicit_rows.h"
#include "numerics/solver_internal.h"

/* The mode of a row of a law. */
enum { NSDS_MODE_BETWEEN = 0, NSDS_MODE_LOWER = 1, NSDS_MODE_UPPER = 2 };

enum { nsds_implicit_slots = 16 };

/* The factors of one stage length and one set of frozen rows. */
typedef struct nsds_implicit_slot {
  nsds_factor *factor;
  double a;
  uint64_t stamp; /* of the constant values; 0: no factors */
  long used;
  double *varying;       /* the varying values in these factors */
  unsigned char *frozen; /* ny: modes other than BETWEEN */
  bool own_pivots;       /* pivots are not those of the reference */
} nsds_implicit_slot;

typedef struct nsds_implicit_solve {
  nsds_context *context;
  nsds_implicit_rows rows;
  nsds_implicit_slot slot[nsds_implicit_slots];
  nsds_solver *solver;  /* of stages by the laws; borrowed */
  nsds_solver *careful; /* takes a problem that `solver` has not solved; NULL: there is none */
  double *x;            /* values of the matrix */
  double *F, *change, *lower, *upper, *w, *rounding;
  size_t x_capacity, F_capacity;
  long clock;
  int recent;            /* the slot used last */
  int refined;           /* corrections of nearly solved problems so far, in this stage */
  nsds_solver_info info; /* of the last problem with bounds */
  uint64_t laws_stamp;   /* of matrices by the laws */
  bool dense;
} nsds_implicit_solve;

/* Updates the rows and all memory. The plan is up to date. */
nsds_status nsds_implicit_update(nsds_implicit_solve *s, nsds_plan *plan);
void nsds_implicit_destroy(nsds_implicit_solve *s);

/* Writes or reads the values that give pivots. Bits of factors depend on them. */
void nsds_implicit_archive(nsds_implicit_solve *s, nsds_archive *archive);

/* Solves a stage of length a at t from `before`. z: the guess, then the solution; w (ny): of the
 * rows of laws. `mode`: frozen modes; NULL: by the laws. NSDS_ERROR_NEWTON, _SINGULAR, _SOLVER: not
 * solved, and no message is recorded. */
nsds_status nsds_implicit_stage(nsds_implicit_solve *s, double a, double t, const double *before,
                                const unsigned char *mode, double *z, double *w);

#endif
