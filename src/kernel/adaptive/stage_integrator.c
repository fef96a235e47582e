/*
 * Systems in the adaptive driver, whose equations stand in implicit_rows.c together with those of
 * the laws. The plan keeps the constant matrices M and A, or M, C and K; a gain W is not needed. M of
 * first-order systems may be singular.
 */
#include "kernel/adaptive/stage_integrator.h"

#include "kernel/assembly/slot.h"
#include "kernel/modeling/modeling.h"

static nsds_status stage_refresh(nsds_integration *s) {
  nsds_slot *slot = (nsds_slot *)(void *)s;
  const nsds_ds *ds = slot->ds;
  nsds_arguments in = nsds_ds_in(ds, s->scheme->t, s->u, s->u);
  nsds_status status = NSDS_OK;
  s->input_weight = 1.0;
  if (slot->M) status = ds->first->mass(ds->self, &in, slot->M);
  if (!status && slot->K && ds->stiffness.constant)
    status = ds->first->jacobian(ds->self, &in, slot->K);
  return status;
}

/* f of the iterate. */
static nsds_status stage_evaluate(nsds_integration *s) {
  const nsds_ds *ds = s->ds;
  nsds_arguments in = nsds_ds_in(ds, s->scheme->t_next, s->u_end, s->u_end);
  return ds->first->rhs(ds->self, &in, s->force_end);
}

/* M, C and K that are constant; the others are evaluated with the rows (implicit_second.c). */
static nsds_status second_refresh(nsds_integration *s) {
  nsds_slot *slot = (nsds_slot *)(void *)s;
  const nsds_ds *ds = slot->ds;
  nsds_arguments in = nsds_ds_in(ds, s->scheme->t, s->q, s->u);
  nsds_status status = NSDS_OK;
  if (slot->M && ds->mass.constant) status = ds->ops->mass(ds->self, &in, slot->M);
  if (!status && slot->C && ds->damping.constant) status = ds->ops->damping(ds->self, &in, slot->C);
  if (!status && slot->K && ds->stiffness.constant)
    status = ds->ops->stiffness(ds->self, &in, slot->K);
  return status;
}

/* F of the iterate. */
static nsds_status second_evaluate(nsds_integration *s) {
  nsds_arguments in = nsds_ds_in(s->ds, s->scheme->t_next, s->q_end, s->u_end);
  return s->ds->ops->force(s->ds->self, &in, s->force_end);
}

const nsds_integrator nsds_second_stage_integrator = {.name = "implicit stages",
                                                      .order = 2,
                                                      .bundled = true,
                                                      .refresh = second_refresh,
                                                      .evaluate = second_evaluate};
const nsds_integrator nsds_stage_integrator = {.name = "implicit stages",
                                               .order = 1,
                                               .bundled = true,
                                               .refresh = stage_refresh,
                                               .evaluate = stage_evaluate};
