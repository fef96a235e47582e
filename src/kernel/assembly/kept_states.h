/*
 * Relays with hysteresis keep their state, see kept_states.c.
 */
#ifndef NSDS_SRC_KEPT_STATES_H
#define NSDS_SRC_KEPT_STATES_H

#include "kernel/assembly/one_step.h"

nsds_status nsds_kept_states_reserve(nsds_one_step *o);
nsds_status nsds_one_step_solve_kept(nsds_one_step *o, nsds_solver_info *info);

/* Solves the problem as nsds_one_step_solve() does. If relays may keep their state, they do. */
static inline nsds_status nsds_kept_states_solve(nsds_one_step *o, nsds_solver_info *info) {
  return NSDS_LIKELY(!o->kept.bounds) ? nsds_one_step_solve(o, info)
                                      : nsds_one_step_solve_kept(o, info);
}

#endif
