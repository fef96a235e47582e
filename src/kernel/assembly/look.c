/* Calls the operations look: first of all relations, then of systems, which may use what the
 * relations have seen. */
#include "kernel/assembly/look.h"

#include "kernel/modeling/gate.h"

nsds_status nsds_plan_look(const nsds_plan *plan, const nsds_state *at, const double *lambda) {
  nsds_status status = NSDS_OK;
  for (int c = 0; !status && plan->count.looking > 0 && c < plan->ninteraction; ++c) {
    const nsds_contact *contact = &plan->contact[c];
    const nsds_interaction *ia = contact->interaction;
    if (!contact->is.looking) continue;
    nsds_arguments in = nsds_gate_arguments(ia, at, lambda, plan->memory.work);
    status = ia->relation->ops->look(ia->relation->self, &in);
  }
  for (int s = 0; !status && plan->lists.nlook > 0 && s < plan->nslot; ++s) {
    const nsds_ds *ds = plan->slot[s].ds;
    const double *x = at->v + ds->v_offset;
    if (!nsds_is_first_order(ds) || !ds->first->look) continue;
    nsds_arguments in = nsds_ds_in(ds, at->t, x, x);
    status = ds->first->look(ds->self, &in);
  }
  return status;
}
