/*
 * Bodies at rest that can stay at rest do so, see rest.c.
 */
#ifndef NSDS_SRC_REST_H
#define NSDS_SRC_REST_H

#include "kernel/assembly/problems.h"

nsds_status nsds_one_step_reserve_rest(nsds_one_step *o);
nsds_status nsds_rest_look_for(nsds_one_step *o, nsds_status status, nsds_solver_info *info);
/* Puts rest in the place of a motion that the solver found, if the bodies were at rest and can stay so.
 * `status` is that of the solve. Returns the status of the solution that o has then. */
static inline nsds_status nsds_rest_seek(nsds_one_step *o, nsds_status status,
                                         nsds_solver_info *info) {
  bool none = o->rest.pattern == o->reduced.pattern && !o->rest.serves;
  return NSDS_LIKELY(none) ? status : nsds_rest_look_for(o, status, info);
}

#endif
