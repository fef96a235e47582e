#ifndef NSDS_SRC_ONE_STEP_H
#define NSDS_SRC_ONE_STEP_H

#include "kernel/assembly/problems.h"

/* Creates a problem over the plan, with gains of its own (M^-1) if `own_gain`. */
void nsds_one_step_create(nsds_plan *plan, bool own_gain, nsds_one_step *o);
void nsds_one_step_destroy(nsds_one_step *o);
/* Begins anew for a plan that has been compiled. `unreduced`: increments stay unknowns, if the
 * problem is free to choose its formulation. */
void nsds_one_step_begin(nsds_one_step *o, bool unreduced);
void nsds_one_step_take_solver(nsds_one_step *o, nsds_solver *solver);
/* Reserves room for `contacts` contacts and all rows of the model. */
nsds_status nsds_one_step_resize(nsds_one_step *o, size_t contacts);
/* Selects the index set from y and dy/dt of the accepted state. tau is the look-ahead time. `given` decides instead, if
 * it is not NULL: not 0 at the first row of each copy that is active. The array `given` has to last until the next selection. */
nsds_status nsds_one_step_select(nsds_one_step *o, double tau, const unsigned char *given);
/* Adds the copies that the velocities of the iterate close. `grown` tells if there are any. */
nsds_status nsds_one_step_widen(nsds_one_step *o, double tau, bool *grown);
/* Computes H, D and offset of the active contacts that are not affine, at the iterate. */
nsds_status nsds_one_step_linearise(nsds_one_step *o);
/* Computes Y of the active contacts that vary, M, and q at the present free unknowns. */
void nsds_one_step_form_rows(nsds_one_step *o);

/* Forms the rows. Fails if a law has added a number that is not finite. */
static inline nsds_status nsds_one_step_form(nsds_one_step *o) {
  const nsds_model *model = o->op.plan->model;
  unsigned long faults = model->law_fault.count;
  if (o->problem.n > 0) nsds_one_step_form_rows(o);
  o->formed = model->law_fault.count == faults;
  return NSDS_LIKELY(o->formed) ? NSDS_OK : model->law_fault.last;
}

/* Solves the problem; NSDS_STOPPED: the context has interrupted the solver. */
static inline nsds_status nsds_one_step_solve(nsds_one_step *o, nsds_solver_info *info) {
  nsds_status status = nsds_solve(o->solver, &o->problem, o->z, o->w, info);
  bool stopped = status == NSDS_ERROR_SOLVER && nsds_stops(o->solver->context);
  return NSDS_UNLIKELY(stopped) ? NSDS_STOPPED : status;
}

/* Computes u = u_free + Y z, p and impulses of the trial state. */
void nsds_one_step_apply(nsds_one_step *o);
/* Does the same where others have written to p and impulses of the trial state since. */
void nsds_one_step_apply_anew(nsds_one_step *o);
/* Returns the first row of active contact a in the problem. */
int nsds_one_step_first_row(const nsds_one_step *o, int a);
/* Returns the contact of a block of the problem; -1: the block of the systems. */
int nsds_one_step_contact(const nsds_one_step *o, int block);

/* Sets H = 0 in the rows of contact c that follow from other rows. */
void nsds_one_step_silence(const nsds_one_step *o, int c);

#endif
