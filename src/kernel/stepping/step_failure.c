/* Messages of steps whose problem is not finite, or was not solved. */
#include "kernel/stepping/step_failure.h"

#include "base/context.h"
#include "base/finite.h"
#include "kernel/assembly/dependent.h"
#include "kernel/assembly/diagnose.h"
#include "kernel/assembly/one_step.h"
#include "kernel/assembly/plan.h"
#include "kernel/modeling/label.h"
#include "kernel/modeling/modeling.h"
#include "kernel/stepping/time_stepping_driver.h"

nsds_status nsds_fail_unsolved(nsds_time_stepping_driver *d, const nsds_solver_info *info) {
  const nsds_one_step *o = &d->velocity;
  if (info->outcome == NSDS_REFUSED)
    return nsds_problem_refused(d->base.context, "step to", d->base.plan.scheme->t_next,
                                o->set.rows, o->solver);
  char label[nsds_label_size] = "none", drive[nsds_diagnosis_size] = "";
  int worst = info->worst_block >= 0 ? nsds_one_step_contact(o, info->worst_block) : -1;
  const nsds_plan *plan = &d->base.plan;
  if (worst >= 0) {
    nsds_ds_label(plan->slot[plan->contact[worst].reach[0].slot].ds, label);
    nsds_describe_drive(plan, &plan->contact[worst], drive);
  }
  bool before = o->dependent.sought;
  nsds_status status = before ? NSDS_OK : nsds_dependent_seek(&d->velocity);
  if (status) return status;
  return nsds_fail(
      d->base.context, NSDS_ERROR_SOLVER,
      "step to t = %.17g: the one-step problem of %d rows was not solved: %s by %s, "
      "residual %g, tolerance %g, worst at interaction #%d (first system: %s), row "
      "%d of the problem: error %g, terms %g%s%s%s%s",
      d->base.plan.scheme->t_next, o->set.rows, nsds_outcome_text(info->outcome), info->solver,
      info->residual, nsds_solver_get(o->solver, "tolerance"), worst, label, info->worst_row,
      info->worst_error, info->worst_scale, info->path[0] ? "; tried " : "", info->path,
      before ? "; joints depend on each other: a smaller h, or D of the joints" : "", drive);
}

nsds_status nsds_fail_problem_overflow(nsds_simulation *sim, int row) {
  const nsds_one_step *o = &nsds_time_stepping_of(sim)->velocity;
  const nsds_plan *plan = &sim->plan;
  char system[nsds_label_size] = "", contact[nsds_label_size] = "the systems";
  int block = 0;
  for (int end = o->problem.block[0].size; end <= row; end += o->problem.block[block].size) ++block;
  int c = nsds_one_step_contact(o, block);
  if (c >= 0) nsds_contact_label(&plan->contact[c], contact);
  for (int s = 0; s < plan->nslot && !system[0]; ++s)
    if (nsds_first_nonfinite(plan->v_free + plan->slot[s].v0, plan->slot[s].nv) >= 0)
      nsds_ds_label(plan->slot[s].ds, system);
  return nsds_fail(
      sim->context, NSDS_ERROR_VALUE,
      "step to t = %.17g: the one-step problem is not finite at %s (overflow%s%s); the "
      "state at the start of the step is kept",
      plan->scheme->t_next, contact, system[0] ? " of the forces or the state of " : "", system);
}
