/*
 * Loads of rigid bodies. A load whose components turn against those of F makes F depend on the
 * attitude. The body then has a stiffness, and plans are made anew for the other matrix shapes.
 */
#include "kernel/modeling/body_load.h"

#include "base/context.h"
#include "kernel/modeling/busy.h"
#include "kernel/modeling/check.h"
#include "kernel/modeling/handle.h"
#include "kernel/modeling/label.h"

static bool any_nonzero(const double *a) { return a[0] != 0.0 || a[1] != 0.0 || a[2] != 0.0; }

bool nsds_body_load_settle(nsds_body_load *load, bool plane) {
  bool before = load->turns, fixed = load->frame == NSDS_FRAME_BODY;
  load->acts = any_nonzero(load->force) || any_nonzero(load->moment);
  load->turns = fixed ? any_nonzero(load->force) : !plane && any_nonzero(load->moment);
  return load->turns != before;
}

static void take_components(double *to, const double *from, int n) {
  for (int k = 0; k < 3; ++k) to[k] = from && k < n ? from[k] : 0.0;
}

nsds_status nsds_set_body_force(nsds_ds *handle, const double *force, const double *moment,
                                nsds_frame frame) {
  const char *call = "nsds_set_body_force";
  if (!handle) return nsds_fail_null(NULL, call, "ds");
  nsds_ds *ds = nsds_ds_find(handle, call);
  if (!ds) return NSDS_ERROR_ARGUMENT;
  nsds_context *context = ds->model->context;
  char label[nsds_label_size];
  if (!ds->type.load)
    return nsds_fail(context, NSDS_ERROR_ARGUMENT,
                     "%s: %s is not a rigid body; valid are systems of nsds_rigid_body() and "
                     "nsds_rigid_body_2d()",
                     call, nsds_ds_label(ds, label));
  nsds_status status = nsds_check_idle(ds->model, call);
  if (status) return status;
  int forces = ds->nq == 3 ? 2 : 3, moments = ds->nq == 3 ? 1 : 3;
  if (!nsds_check_range(context, call, "frame", (int)frame, NSDS_FRAME_WORLD, NSDS_FRAME_BODY) ||
      !nsds_check_finite(context, call, "force", force, forces) ||
      !nsds_check_finite(context, call, "moment", moment, moments))
    return NSDS_ERROR_VALUE;
  nsds_body_load *load = ds->type.load(ds->self);
  take_components(load->force, force, forces);
  take_components(load->moment, moment, moments);
  load->frame = frame;
  ds->type.loaded(ds);
  ds->changed = nsds_touch(ds->model);
  return NSDS_OK;
}
