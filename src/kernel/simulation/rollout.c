/* Rollouts: from a snapshot and a state, controls and a step in turn. See nsds/rollout.h. */
#include <nsds/rollout.h>

#include "base/context.h"
#include "kernel/modeling/check.h"
#include "kernel/modeling/modeling.h"
#include "kernel/simulation/simulation.h"

static const char call[] = "nsds_rollout";

/* ---- states ---------------------------------------------------------------------------------- */

int nsds_rollout_size(const nsds_model *model) {
  return model ? (int)(model->size.nq + model->size.nv) : 0;
}

nsds_status nsds_rollout_state(const nsds_model *model, double *state) {
  if (!model || !state)
    return nsds_fail_null(nsds_model_context(model), "nsds_rollout_state",
                          model ? "state" : "model");
  const nsds_state *now = &model->state;
  for (size_t k = 0; k < model->ds.count; ++k) {
    const nsds_ds *ds = model->ds.item[k];
    for (int j = 0; j < ds->nq; ++j) *state++ = now->q[ds->q_offset + j];
    for (int j = 0; j < ds->nv; ++j) *state++ = now->v[ds->v_offset + j];
  }
  return NSDS_OK;
}

static nsds_status rollout_set(nsds_model *model, const double *state) {
  nsds_status status = NSDS_OK;
  for (int k = 0; !status && k < nsds_ds_count(model); ++k) {
    nsds_ds *ds = nsds_ds_at(model, k);
    int nq = nsds_nq(ds), nv = nsds_nv(ds);
    status = nq > 0 ? nsds_set_state(ds, state, state + nq) : nsds_set_x(ds, state);
    state += nq > 0 ? nq + nv : nsds_nx(ds);
  }
  return status;
}

/* ---- controls -------------------------------------------------------------------------------- */

static nsds_status rollout_control(const nsds_rollout_control *control, double value) {
  nsds_joint_drive_motion now;
  nsds_status status = nsds_joint_drive_read(control->drive, &now);
  if (status) return status;
  double setting[3] = {now.target, now.target_rate, now.given};
  setting[control->setting] = value;
  return nsds_joint_drive_set(control->drive, setting[0], setting[1], setting[2]);
}

static nsds_status rollout_check(nsds_context *context, const nsds_rollout_def *d) {
  nsds_status status = nsds_check_reserved(context, call, "", NSDS_TAIL(d));
  if (status) return status;
  if (!nsds_check_range(context, call, "steps", d->steps, 0, 1e9) ||
      !nsds_check_range(context, call, "ncontrol", d->ncontrol, 0, 1e6))
    return NSDS_ERROR_VALUE;
  if (d->ncontrol > 0 && (!d->control || !d->controls))
    return nsds_fail_null(context, call, d->control ? "controls" : "control");
  for (int k = 0; k < d->ncontrol; ++k) {
    nsds_joint_drive_motion now;
    int setting = (int)d->control[k].setting;
    if (setting < NSDS_DRIVE_TARGET || setting > NSDS_DRIVE_FORCE)
      return nsds_fail(context, NSDS_ERROR_VALUE,
                       "%s: control[%d].setting is %d, not one of nsds_drive_setting", call, k,
                       setting);
    status = nsds_joint_drive_read(d->control[k].drive, &now);
    if (status) return status;
  }
  return NSDS_OK;
}

/* ---- the call -------------------------------------------------------------------------------- */

nsds_status nsds_rollout(nsds_simulation *simulation, const nsds_rollout_def *def, int *done) {
  if (done) *done = 0;
  if (!simulation || !def)
    return nsds_fail_null(simulation ? simulation->context : NULL, call,
                          simulation ? "def" : "simulation");
  nsds_model *model = simulation->model;
  nsds_status status = nsds_simulation_check_idle(simulation, call);
  if (!status) status = rollout_check(simulation->context, def);
  if (!status && def->start) status = nsds_snapshot_restore(simulation, def->start);
  if (!status && def->state) status = rollout_set(model, def->state);
  size_t size = (size_t)nsds_rollout_size(model);
  for (int k = 0; !status && k < def->steps; ++k) {
    for (int j = 0; !status && j < def->ncontrol; ++j)
      status = rollout_control(&def->control[j],
                               def->controls[(size_t)k * (size_t)def->ncontrol + (size_t)j]);
    if (!status) status = nsds_step(simulation);
    if (status) break;
    if (def->states) nsds_rollout_state(model, def->states + (size_t)k * size);
    if (done) *done = k + 1;
  }
  return status;
}
