/* Refuses calls during a step or a function of the model. */
#include "kernel/modeling/busy.h"

#include "base/base.h"
#include "base/context.h"
#include "kernel/modeling/label.h"

nsds_status nsds_fail_busy(const nsds_model *model, const char *call) {
  if (nsds_hook(model->context)) return nsds_fail_hook(model->context, call);
  char label[nsds_label_size];
  return nsds_fail(model->context, NSDS_ERROR_STATE,
                   "%s: %s is within a step, or a function of it is being called; call it "
                   "between steps",
                   call, nsds_model_label(model, label));
}
