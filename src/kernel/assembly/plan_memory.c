/* Room in the plan and its problems for more contacts and rows. */
#include "kernel/assembly/plan_memory.h"

#include "base/context.h"
#include "kernel/assembly/contact_operator.h"
#include "kernel/assembly/kept_states.h"
#include "kernel/modeling/state.h"

nsds_status nsds_plan_reserve_last(nsds_plan *plan) {
  return nsds_grow(plan->context, &plan->v_last, &plan->memory.last_capacity,
                   2 * plan->model->size.nv, sizeof *plan->v_last);
}

nsds_status nsds_plan_reserve_probe(nsds_plan *plan) {
  const nsds_state_size *size = &plan->model->size;
  return nsds_grow(plan->context, &plan->memory.probe, &plan->memory.probe_capacity,
                   nsds_probe_arrays * (size->nv + size->ny), sizeof *plan->memory.probe);
}

nsds_status nsds_plan_reserve(nsds_plan *plan, size_t contacts) {
  nsds_context *context = plan->context;
  nsds_state_size size = plan->model->size;
  nsds_status status = nsds_state_reserve(context, &plan->trial, size);
  if (!status)
    status =
        nsds_grow(context, &plan->v_free, &plan->memory.v_capacity, size.nv, sizeof *plan->v_free);
  if (!status)
    status = nsds_grow(context, &plan->contact, &plan->memory.contact_capacity, contacts,
                       sizeof *plan->contact);
  for (nsds_contact_operator *op = plan->operator; !status && op; op = op->next)
    status = nsds_contact_operator_resize(op, contacts);
  for (nsds_one_step *o = plan->problem; !status && o; o = o->next) {
    status = nsds_one_step_resize(o, contacts);
    if (!status) status = nsds_kept_states_reserve(o);
  }
  return status;
}
