/*
 * Where bodies may be for contacts to be looked for: distances are squared and cells are numbered,
 * so that coordinates have to be finite and of a size that leaves room for that.
 */
#ifndef NSDS_SRC_PLACES_H
#define NSDS_SRC_PLACES_H

#include "kernel/modeling/label.h"
#include "base/context.h"
#include "kernel/modeling/model.h"
#include "kernel/modeling/modeling.h"

static const double nsds_farthest = 1e100;

/* NSDS_ERROR_VALUE where one of the first n coordinates of a system is beyond that. */
static inline nsds_status nsds_check_places(const nsds_model *model, const char *set, int count,
                                            nsds_ds *const *ds, int n) {
  for (int i = 0; i < count; ++i) {
    const double *q = model->state.q + ds[i]->q_offset;
    int k = 0;
    while (k < n && fabs(q[k]) <= nsds_farthest) ++k;
    char label[nsds_label_size];
    if (NSDS_UNLIKELY(k < n))
      return nsds_fail(model->context, NSDS_ERROR_VALUE,
                       "%s: q[%d] of %s is %g at t = %.17g; contacts are looked for between bodies "
                       "within %g",
                       set, k, nsds_ds_label(ds[i], label), q[k], model->state.t, nsds_farthest);
  }
  return NSDS_OK;
}

#endif
