/*
 * Checks that all values shown by a step are finite: states of systems with p and reactions, and
 * local variables, impulses and forces. Rows without a contact may hold anything.
 */
#include "kernel/simulation/overflow.h"

#include "base/context.h"
#include "base/finite.h"
#include "kernel/assembly/plan.h"
#include "kernel/modeling/label.h"
#include "kernel/modeling/modeling.h"

typedef struct shown_values {
  const char *name;
  const double *x;
  int n;
} shown_values;

static nsds_status refuse_shown(const nsds_plan *plan, const char *step, double t,
                                const shown_values *some, int entry, const char *label) {
  return nsds_fail(plan->context, NSDS_ERROR_VALUE,
                   "%s t = %.17g: %s[%d] of %s is %g, not finite (overflow); the state before the "
                   "step is kept",
                   step, t, some->name, entry, label, some->x[entry]);
}

/* Returns the first of four arrays that has an entry that is not finite; NULL: none. */
static const shown_values *find_overflow(const shown_values some[4], int *entry) {
  for (int k = 0; k < 4; ++k)
    if ((*entry = nsds_first_nonfinite(some[k].x, some[k].n)) >= 0) return &some[k];
  return NULL;
}

nsds_status nsds_check_shown(const nsds_plan *plan, const nsds_state *at, const char *step,
                             double t) {
  const shown_values *bad = NULL;
  char label[nsds_label_size];
  int entry;
  for (int s = 0; s < plan->nslot; ++s) {
    const nsds_slot *slot = &plan->slot[s];
    bool second = nsds_is_second_order(slot->ds);
    const shown_values some[] = {{"q", at->q + slot->q0, second ? slot->on.nq : 0},
                                 {second ? "v" : "x", at->v + slot->v0, slot->nv},
                                 {second ? "p" : "r", at->p + slot->v0, slot->nv},
                                 {"prescribed force", at->reaction + slot->v0, slot->nv}};
    if ((bad = find_overflow(some, &entry)))
      return refuse_shown(plan, step, t, bad, entry, nsds_ds_label(slot->ds, label));
  }
  for (int c = 0; c < plan->ncontact; ++c) {
    const nsds_contact *contact = &plan->contact[c];
    int m = contact->m;
    const shown_values some[] = {{"y", at->y + contact->y0, m},
                                 {"dy/dt", at->ydot + contact->y0, m},
                                 {"impulse", at->impulse + contact->y0, m},
                                 {"force", at->force + contact->y0, m}};
    if ((bad = find_overflow(some, &entry)))
      return refuse_shown(plan, step, t, bad, entry, nsds_contact_label(contact, label));
  }
  return NSDS_OK;
}
