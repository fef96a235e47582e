/* Systems and contact sets are checked when a simulation is made, and again after each change of the model. Laws are
 * checked with their rows (implicit_rows.c). */
#include "kernel/adaptive/adaptive_parts.h"

#include "base/context.h"
#include "kernel/modeling/label.h"
#include "kernel/modeling/modeling.h"

/* The scheme of systems with a singular M in time stepping; adaptive steps are implicit anyway. */
static bool is_implicit_euler(const nsds_discretisation *scheme) {
  return scheme->kind == NSDS_EULER_MOREAU && scheme->theta == 1.0 && scheme->options == 0;
}

/* Refuses relations of second-order systems, and laws of these, that stages do not treat. */
static nsds_status check_gap(const nsds_interaction *ia) {
  const nsds_relation *relation = ia->relation;
  const nsds_law *law = ia->law;
  bool compliant = relation->ops->jacobian_lambda != NULL;
  const char *why = NULL, *valid = "nsds_newton_impact(), nsds_complementarity() and "
                                   "nsds_equality() on rigid relations, and laws of bounds on "
                                   "compliant ones";
  char label[nsds_label_size];
  if (!nsds_has_gap(relation->kind)) return NSDS_OK;
  if (relation->turns || relation->of_angle) {
    why = "counts the turns of an angle";
    valid = "relations that count none; nsds_event_driven() and nsds_time_stepping() take these";
  } else if (relation->ops->feedthrough || relation->impulsive) why = "ties impulses to dy/dt";
  else if (compliant && law->level == NSDS_LEVEL_VELOCITY)
    why = "is compliant with a law of impacts";
  else if (law->impact.rule) why = "has a rule of impacts other than Newton's";
  else if (!compliant && law->set != NSDS_SET_NONNEGATIVE && law->set != NSDS_SET_EQUALITY)
    why = "has a law about more than a gap, such as friction";
  else if (!compliant && law->ops->compliance)
    why = "has a law with compliance on a rigid relation";
  if (!why) return NSDS_OK;
  return nsds_fail(ia->model->context, NSDS_ERROR_UNSUPPORTED,
                   "adaptive simulation: %s %s; valid are %s", nsds_interaction_label(ia, label),
                   why, valid);
}

nsds_status nsds_adaptive_check_parts(const nsds_model *model) {
  nsds_context *context = model->context;
  char label[nsds_label_size];
  if (model->set.count > 0)
    return nsds_fail(context, NSDS_ERROR_UNSUPPORTED,
                     "adaptive simulation: the model has contact sets; valid are models without; "
                     "nsds_time_stepping() and nsds_event_driven() take contact sets");
  for (size_t k = 0; k < model->ds.count; ++k) {
    const nsds_ds *ds = model->ds.item[k];
    const char *why = NULL;
    bool second = nsds_is_second_order(ds);
    if (second && ds->prescribed.n > 0) why = "has prescribed velocities";
    else if (ds->own.step_ratio > 1) why = "has a step ratio of its own";
    else if (!second && ds->mass.present && !ds->mass.constant)
      why = "has an M that depends on time";
    else if (!second && ds->damping.present) why = "has an f that depends on dx/dt";
    else if (ds->own.integrator) why = "has an integrator of its own";
    else if (ds->own.scheme.kind != NSDS_SCHEME_UNSAID && !is_implicit_euler(&ds->own.scheme))
      why = "has a scheme of its own (nsds_ds_discretise()) other than nsds_euler_moreau(1.0)";
    if (why)
      return nsds_fail(context, NSDS_ERROR_UNSUPPORTED,
                       "adaptive simulation: %s %s; valid are first-order systems with constant M, "
                       "and second-order systems without prescribed velocities",
                       nsds_ds_label(ds, label), why);
  }
  for (size_t k = 0; k < model->interaction.count; ++k) {
    nsds_status status = check_gap(model->interaction.item[k]);
    if (status) return status;
  }
  return NSDS_OK;
}
