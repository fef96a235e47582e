#ifndef NSDS_SRC_BUSY_H
#define NSDS_SRC_BUSY_H

#include "kernel/modeling/modeling.h"

/* Records NSDS_ERROR_STATE: names the call and the reason that forbids it now. */
nsds_status nsds_fail_busy(const nsds_model *model, const char *call);
/* Returns true outside of a step, a function of the model, and a hook of its context. */
static inline bool nsds_is_idle(const nsds_model *model) {
  return NSDS_LIKELY(!model->busy && !nsds_hook(model->context));
}
/* Fails with NSDS_ERROR_STATE within them. */
static inline nsds_status nsds_check_idle(const nsds_model *model, const char *call) {
  return nsds_is_idle(model) ? NSDS_OK : nsds_fail_busy(model, call);
}
/* Like nsds_check_idle(), but allows calls that evaluate functions of the model during a step. */
static inline nsds_status nsds_check_quiet(const nsds_model *model, const char *call) {
  bool quiet = !(model->busy & NSDS_BUSY_CALL) && !nsds_hook(model->context);
  return NSDS_LIKELY(quiet) ? NSDS_OK : nsds_fail_busy(model, call);
}

#endif
