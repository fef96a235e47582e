/*
 * Before any method: equality rows are eliminated (condense.h), the parts of what is left are
 * solved one by one, and the forces of the equalities follow from theirs. The answer counts as that
 * of the whole problem by the whole problem's certificate; so does a proof that a part has no
 * solution. Where the equalities depend on each other, the whole goes to the methods.
 */
#ifndef NSDS_SRC_PRESOLVE_H
#define NSDS_SRC_PRESOLVE_H

#include "base/archive.h"
#include "numerics/linear/condense.h"
#include "numerics/solver_internal.h"

typedef struct nsds_presolve {
  nsds_condenser e;
  nsds_solver *inner;    /* solves the parts */
  int *rows, *first;     /* rows by parts; where each part begins among them */
  int *block_of, *begin; /* of each row, its block; of each block, its first row */
  nsds_block *block;     /* of the part being solved */
  double *r, *rest;      /* q without the equalities; error of these, to refine z */
  double *q, *z;         /* of the part */
  double *y;             /* proof for the whole */
  bool ready;            /* the rows are those of the elimination */
} nsds_presolve;

enum { nsds_presolve_option = OPTION_FIRST_OWN }; /* of auto: whether equalities are eliminated */

/* Whether the problem, whose sets are noted in the toolbox, is one for this. */
static inline bool nsds_presolve_wants(const nsds_solver *solver, const nsds_problem *problem) {
  return solver->value[nsds_presolve_option] != 0.0 && !problem->q_error &&
         (solver->toolbox->sets & NSDS_SET_EQUALITY);
}

nsds_status nsds_presolve_reserve(nsds_presolve *p, nsds_solver *solver,
                                  const nsds_problem *problem);
void nsds_presolve_release(nsds_presolve *p);
/* What the inner instance remembers, where there is one. */
void nsds_presolve_archive(nsds_presolve *p, nsds_solver *solver, struct nsds_archive *a);

/* From the start in z to the answer, or to a proof that there is none, where *done; else z and info
 * mean nothing. */
nsds_status nsds_presolve_solve(nsds_presolve *p, nsds_solver *solver, const nsds_problem *problem,
                                double *z, nsds_solver_info *info, bool *done);

#endif
