/* One implicit stage of a circuit: the problem with bounds is solved for potentials and currents. */
#ifndef NSDS_RUN_STAGE_H
#define NSDS_RUN_STAGE_H

#include "run/circuit/circuit_equations.h"

enum { nsds_stage_slots = 8 };

/* A solver with the matrix of one a, whose factors stay. */
typedef struct nsds_stage_slot {
  nsds_solver *solver;
  double a;
  double *x;
  uint64_t stamp;
  long used;
} nsds_stage_slot;

typedef struct nsds_stage {
  nsds_context *context;
  const nsds_equations *equations;
  nsds_stage_slot slot[nsds_stage_slots];
  nsds_solver *careful;               /* "auto", made when the first failure comes */
  double *q, *change, *lower, *upper; /* of the problem for the change of z */
  double *q_error; /* what rounding of the largest voltage, or current, is in each row */
  double *voltage,
      *kept;    /* voltage: of junctions, where the tangents are; kept: of the last accepted step */
  double *held; /* potentials that .ic holds while the start is looked for; NaN: free; NULL: none */
  uint64_t stamp;
  long clock;
  int refined;          /* corrections of the solution so far, in this stage */
  int worst_row;        /* after a failure; -1 */
  nsds_outcome outcome; /* likewise */
} nsds_stage;

nsds_status nsds_stage_make(nsds_stage *stage, nsds_context *context,
                            const nsds_equations *equations);
void nsds_stage_free(nsds_stage *stage);

/* Solves at t for states that were `before`, over the length a, within bounds; z: the guess, then the solution; w:
 * w of it. NSDS_ERROR_SOLVER, NSDS_ERROR_NEWTON: no message is recorded. */
nsds_status nsds_stage_solve(nsds_stage *stage, double a, double t, double inside,
                             const double *before, const double *lower, const double *upper,
                             double *z, double *w);

/* The largest voltage and current: rows whose terms are smaller than their rounding need not be met to the last digit. */
void nsds_stage_set_scales(nsds_stage *stage, double voltage, double current);

/* Keeps the tangents, or goes back to those that were kept. */
void nsds_stage_keep(nsds_stage *stage);
void nsds_stage_return(nsds_stage *stage);

#endif
