/*
 * Switches, made by the operation margin of a relation. A switch that is on leaves its interaction
 * to the law; while it is off, lambda has the bounds of the relation. Drivers ask for the margin and
 * set the bounds of a step; accepting the step accepts the switch.
 */
#include "kernel/modeling/gate.h"

#include "base/context.h"
#include "kernel/modeling/busy.h"
#include "kernel/modeling/handle.h"
#include "kernel/modeling/label.h"
#include "kernel/modeling/law.h"

static bool is_bounds(nsds_set_kind set) {
  return set == NSDS_SET_BOX || set == NSDS_SET_NONNEGATIVE || set == NSDS_SET_EQUALITY;
}

bool nsds_gate_check(nsds_context *context, const nsds_relation *relation, const nsds_law *law) {
  char label[nsds_label_size];
  if (!relation->ops->margin || is_bounds(law->set)) return true;
  nsds_fail(context, NSDS_ERROR_UNSUPPORTED,
            "nsds_connect: %s is a switch, which law %s cannot have; valid are "
            "nsds_complementarity(), nsds_equality(), nsds_relay() and nsds_saturation()",
            nsds_relation_label(relation, label), nsds_law_called(law));
  return false;
}

void nsds_gate_set(nsds_interaction *ia, bool on) {
  const nsds_relation *relation = ia->relation;
  nsds_block block = nsds_law_block(ia->law);
  bool box = block.set == NSDS_SET_BOX, equality = block.set == NSDS_SET_EQUALITY;
  ia->gate.next = on;
  ia->gate.lower = !on ? relation->gate.lower : box ? block.lower[0] : equality ? -INFINITY : 0.0;
  ia->gate.upper = !on ? relation->gate.upper : box ? block.upper[0] : INFINITY;
}

void nsds_gate_accept(nsds_interaction *ia) { ia->gate.on = ia->gate.next; }

nsds_status nsds_gate_fail(const nsds_interaction *ia, double t) {
  char label[nsds_label_size];
  return nsds_fail(ia->model->context, NSDS_ERROR_CALLBACK,
                   "%s: margin is NaN at t = %.17g; valid are numbers and infinities",
                   nsds_interaction_label(ia, label), t);
}

bool nsds_is_on(const nsds_interaction *interaction) {
  nsds_interaction *ia = nsds_interaction_find(interaction, "nsds_is_on");
  return ia && nsds_is_switch(ia) && ia->gate.on;
}

nsds_status nsds_set_on(nsds_interaction *interaction, bool on) {
  const char *call = "nsds_set_on";
  if (!interaction) return nsds_fail_null(NULL, call, "interaction");
  nsds_interaction *ia = nsds_interaction_find(interaction, call);
  if (!ia) return NSDS_ERROR_ARGUMENT;
  char label[nsds_label_size];
  nsds_status status = nsds_check_idle(ia->model, call);
  if (status) return status;
  if (!nsds_is_switch(ia))
    return nsds_fail(ia->model->context, NSDS_ERROR_UNSUPPORTED,
                     "%s: %s is no switch; valid are interactions whose relation has the "
                     "operation margin",
                     call, nsds_interaction_label(ia, label));
  nsds_gate_set(ia, on);
  nsds_gate_accept(ia);
  ia->changed = nsds_touch(ia->model);
  return NSDS_OK;
}
