/*
 * Visits all slots of a plan. Threads visit slots that call no function of a program and cannot
 * fail; the others follow one by one.
 */
#include "kernel/assembly/parallel_slots.h"

#include "base/parallel.h"
#include "kernel/assembly/plan.h"

typedef struct visit {
  const nsds_plan *plan;
  nsds_slot_fn fn;
} visit;

static void visit_part(void *self, int part, int parts) {
  const visit *v = self;
  int end = nsds_part_begin(v->plan->nslot, part + 1, parts);
  for (int s = nsds_part_begin(v->plan->nslot, part, parts); s < end; ++s)
    if (v->plan->slot[s].is.shared) v->fn(&v->plan->slot[s]);
}

nsds_status nsds_slots_share(const nsds_plan *plan, nsds_slot_fn fn) {
  visit v = {.plan = plan, .fn = fn};
  nsds_status status = NSDS_OK;
  if (plan->lists.napart < plan->nslot)
    nsds_share_out(plan->context, nsds_parts(plan->nslot, nsds_few_slots), visit_part, &v);
  for (int k = 0; !status && k < plan->lists.napart; ++k)
    status = fn(&plan->slot[plan->lists.apart[k]]);
  return status;
}
