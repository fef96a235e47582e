/* A problem by a solver of this name, to a residual of 1e-9. */
#ifndef SOLVE_BY_H
#define SOLVE_BY_H

#include <nsds/extend_solver.h>

static inline nsds_status solve_by(nsds_context *context, const char *name,
                                   const nsds_problem *problem, double *z, double *w,
                                   nsds_solver_info *info) {
  nsds_solver *solver = nsds_solver_create(context, name);
  nsds_solver_set(solver, "tolerance", 1e-9);
  nsds_status status = nsds_solve(solver, problem, z, w, info);
  nsds_solver_destroy(solver);
  return status;
}

#endif
