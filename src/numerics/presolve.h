/*
 * Presolve: equality rows are eliminated before any method (condense.h). The parts of the remaining
 * problem are solved one by one, and the forces of the equalities follow. The certificate of the
 * whole problem judges the answer, or a proof that a part has no solution. If the equalities depend
 * on each other, the methods get the whole problem.
 */
#ifndef NSDS_SRC_PRESOLVE_H
#define NSDS_SRC_PRESOLVE_H

#include "base/archive.h"
#include "numerics/linear/condense.h"
#include "numerics/solver_internal.h"

typedef struct nsds_presolve {
  nsds_condenser e;
  nsds_solver *inner;    /* solves the parts */
  int *rows, *first;     /* rows by parts; begin of each part among them */
  int *block_of, *begin; /* block of each row; first row of each block */
  nsds_block *block;     /* blocks of the part being solved */
  double *r, *rest;      /* q without the equalities; errors of the equalities, to refine z */
  double *q, *z;         /* of the part */
  double *y;             /* proof for the whole problem */
  bool ready;            /* the rows belong to the present elimination */
} nsds_presolve;

enum { nsds_presolve_option = OPTION_FIRST_OWN }; /* option of auto: eliminate equalities */

/* Returns true if the problem is to be presolved; its sets are noted in the toolbox. */
static inline bool nsds_presolve_wants(const nsds_solver *solver, const nsds_problem *problem) {
  return solver->value[nsds_presolve_option] != 0.0 && !problem->q_error &&
         (solver->toolbox->sets & NSDS_SET_EQUALITY);
}

nsds_status nsds_presolve_reserve(nsds_presolve *p, nsds_solver *solver,
                                  const nsds_problem *problem);
void nsds_presolve_release(nsds_presolve *p);
void nsds_presolve_archive(nsds_presolve *p, nsds_solver *solver, struct nsds_archive *a);

/* Solves from the start in z. *done says that z is an answer, or that a proof shows there is none;
 * otherwise z and info mean nothing. */
nsds_status nsds_presolve_solve(nsds_presolve *p, nsds_solver *solver, const nsds_problem *problem,
                                double *z, nsds_solver_info *info, bool *done);

#endif
