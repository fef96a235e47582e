/*
 * The allowed places of bodies in a search for contacts. Distances are squared and cells numbered,
 * so coordinates must be finite and not too large.
 */
#ifndef NSDS_SRC_PLACES_H
#define NSDS_SRC_PLACES_H

#include "kernel/modeling/label.h"
#include "base/context.h"
#include "kernel/modeling/model.h"
#include "kernel/modeling/modeling.h"

static const double nsds_farthest = 1e100;

/* Returns NSDS_ERROR_VALUE if one of the first n coordinates of a system is farther out. */
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
