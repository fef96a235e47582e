#ifndef NSDS_SRC_PARALLEL_SLOTS_H
#define NSDS_SRC_PARALLEL_SLOTS_H

#include "kernel/assembly/plan.h"

/* An operation on one slot, which touches that slot only. */
typedef nsds_status (*nsds_slot_fn)(nsds_slot *slot);
/* Calls fn for every slot, by threads if fn calls no function of a program. */
nsds_status nsds_slots_share(const nsds_plan *plan, nsds_slot_fn fn);
/* Calls fn for every slot; few slots are not worth threads. */
static inline nsds_status nsds_slots_each(const nsds_plan *plan, nsds_slot_fn fn) {
  nsds_status status = NSDS_OK;
  if (NSDS_UNLIKELY(plan->nslot >= 2 * nsds_few_slots)) return nsds_slots_share(plan, fn);
  for (nsds_slot *slot = plan->slot, *end = slot + plan->nslot; !status && slot < end; ++slot)
    status = fn(slot);
  return status;
}

#endif
