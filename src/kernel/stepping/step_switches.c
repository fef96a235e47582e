/*
 * Switches in time stepping move at the start of a step. Margins see the accepted state and the time
 * of the end. So drives by time act in the step in which they move, and controls one step later.
 */
#include "kernel/stepping/step_switches.h"

#include "kernel/modeling/gate.h"

nsds_status nsds_step_switches(nsds_time_stepping_driver *d, const nsds_scheme *scheme) {
  const nsds_plan *plan = &d->base.plan;
  nsds_state at = plan->model->state;
  bool moved = false;
  at.t = scheme->t_next;
  for (int c = 0; c < plan->ninteraction; ++c) {
    if (!plan->contact[c].is.gated) continue;
    nsds_interaction *ia = plan->contact[c].interaction;
    nsds_arguments in = nsds_gate_arguments(ia, &at, at.impulse, plan->memory.work);
    double margin;
    nsds_status status = nsds_gate_margin(ia, &in, ia->gate.on, &margin);
    if (status) return status;
    bool on = margin < 0.0 ? !ia->gate.on : ia->gate.on;
    moved = moved || on != ia->gate.next;
    nsds_gate_set(ia, on);
  }
  if (moved)
    nsds_contact_operator_restamp(
        &d->velocity.op); /* solvers keep forms of problems with other bounds */
  return NSDS_OK;
}

void nsds_step_switches_accept(const nsds_plan *plan) {
  for (int c = 0; c < plan->ninteraction; ++c)
    if (plan->contact[c].is.gated) nsds_gate_accept(plan->contact[c].interaction);
}
